"""The methods of working memory."""

from memoranda.core.base.checks import require
from memoranda.core.base.scope import Scope, check_identifier
from memoranda.faces.verbs import Face, verb
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.strata import flush, working


class AsyncWorking(Face):
    """The working memory of one conversation or workflow run, until it is flushed to the log."""

    add = verb(working.add)
    turns = verb(working.turns)
    view = verb(working.view)
    resume = verb(working.resume)
    flush = verb(flush.flush)
    set = verb(working.set_)
    get = verb(working.get)
    delete = verb(working.delete)
    exists = verb(working.exists)
    keys = verb(working.keys)
    clear = verb(working.clear)
    note = verb(working.note)
    push = verb(working.push)
    ask = verb(working.ask)
    resolve = verb(working.resolve)
    persist = verb(working.persist)
    load = verb(working.load)
    share_with = verb(working.share_with)
    shared_by = verb(working.shared_by)
    degraded = verb(working.degraded)


def at(runtime: Runtime, scope: Scope, conversation: str | None, run: str | None) -> AsyncWorking:
    """Return the working memory of a run, or of a conversation, by default the scope's.

    Raises:
        InputError: both a conversation and a run are named.
    """
    require(run is None or conversation is None, "run", run, "a conversation or a run, and not both")
    if run is not None:
        return AsyncWorking(runtime, scope.narrow(conversation=None, task=check_identifier("run", run)))
    return AsyncWorking(runtime, scope if conversation is None else scope.narrow(conversation=conversation))
