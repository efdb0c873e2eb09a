"""The verbs of an open memory, which name a tenant and perhaps a user."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from memoranda.core.base.checks import strings
from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.errors import CapabilityError, ScopeError
from memoranda.verbs import loaded
from memoranda.verbs.access import Keys
from memoranda.verbs.misfit import fitting
from memoranda.verbs.registry import C, Elsewhere, Face, TenantVerb

S = TypeVar("S")


class OpenMemory(Face[C], Generic[C, S]):
    """An open memory. Create one with `open`, get a scope from it and close it at the end, or use it in `with`."""

    prefix = ""
    _scoped: ClassVar[Any]

    stats = TenantVerb(lambda: loaded.inspect.stats, "reads")
    ready = TenantVerb(lambda: loaded.readiness.ready, "reads", local="*")
    doctor = TenantVerb(lambda: loaded.doctor.doctor, "writes", local="*")
    reembed = TenantVerb(lambda: loaded.reembed.reembed, "writes", "--embedder local", long=True)
    flush_idle = TenantVerb(lambda: loaded.flush.flush_idle, "writes", long=True)
    consolidate = TenantVerb(lambda: loaded.processor.consolidate, "writes", long=True)
    run_job = TenantVerb(
        lambda: loaded.jobs.run_job, "writes", "decay", command="job", route="POST jobs/{name}", long=True
    )
    jobs = TenantVerb(lambda: loaded.jobs.jobs, "reads")
    work = TenantVerb(lambda: loaded.worker.work, "writes", "--once", command="worker", local="*")
    cost = TenantVerb(lambda: loaded.costs.cost, "reads", route="GET cost")
    budget = TenantVerb(lambda: loaded.costs.budget, "writes", "--month 5")
    rebuild = TenantVerb(lambda: loaded.rebuild.rebuild, "writes", "--diff", local="to", long=True)

    @property
    def runtime(self) -> "loaded.runtime.Runtime":
        """What it stands on: clock, ids, leases, store, settings. For doors, which need more of it than its verbs.

        Raises:
            CapabilityError: another process holds the memory.
        """
        if isinstance(self._runtime, Elsewhere):
            raise CapabilityError("A server holds this memory: what it stands on is there.")
        return self._runtime

    @property
    def keys(self) -> Keys[C]:
        """Keys to a tenant's memory over a door."""
        return Keys(self._colour, self._runtime)

    @fitting
    def scope(
        self,
        *,
        tenant: str,
        user: str,
        agent: str | None = None,
        team: str | None = None,
        channel: str = GLOBAL,
        connections: Sequence[str] = (),
        conversation: str | None = None,
        task: str | None = None,
        whole: bool = False,
    ) -> S:
        """Return the memory of one user, as one caller sees it.

        Args:
            tenant: the hard isolation boundary.
            user: the user whose memory it is.
            agent: the acting agent; what it writes is private to it and the user.
            team: the agent's team.
            channel: the active channel; reads also see `_global`.
            connections: the active tool connections.
            conversation: the conversation for calls that name none.
            task: the current task.
            whole: see everything of the user, in place of one agent, channel and set of connections: to read, export or
                forget all of it. Nothing can be written through such a scope.

        Raises:
            ScopeError: a name is empty or cannot be stored, or `whole` is combined with agent, channel or connections.
        """
        scope = Scope(
            tenant=tenant, user=user, agent=agent, team=team, channel=channel,
            connections=strings("connections", connections, ScopeError), conversation=conversation, task=task,
            whole=whole,
        )  # fmt: skip
        return self._scoped(self._colour, self._runtime, scope)  # type: ignore[no-any-return] # see `_scoped`
