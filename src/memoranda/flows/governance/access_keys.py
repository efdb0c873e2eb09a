"""Keys to a tenant's memory over a door: made, listed, replaced, revoked, and checked.

A key is `mra_TENANT.ID.SECRET`: the tenant in base64, the id of its row, and 256 random bits, which are shown once and
stored hashed. The tenant is part of the key, so that the key is looked up within it, where the store isolates it; that
of another tenant, put in by hand, has no such row.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Any

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Each, Id, Lasting, Text
from memoranda.core.base.scope import Commons, Owner
from memoranda.core.rows import ApiKey
from memoranda.core.rows.changes import Batch, Patch, Put, Touch
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.audit import Act, audited
from memoranda.flows.runtime.commits import Made, planned
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query

#: What a key may be used for: to read, to write, to forget, to export, to ask the tenant's knowledge, and all that
#: concerns a whole tenant.
RIGHTS = ("read", "write", "forget", "export", "knowledge", "admin")
_USUAL = ("read", "write")
_PREFIX = "mra_"
_USED = timedelta(minutes=1)  # between two notes that a key was used


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key, without its secret.

    Attributes:
        name: what it is for.
        root: the id of the first of the keys whose place it took by `rotate`; its own, if it took none's.
        user, agent: the only ones for whom it may be used; None: any of the tenant.
        team: the team for which its holder acts.
        rights: read, write, forget, export, knowledge, admin.
        used_at: when it was last used, to a minute.
        expires_at, revoked_at: from this time on it opens nothing.
    """

    id: str
    root: str
    tenant: str
    name: str
    user: str | None
    agent: str | None
    team: str | None
    rights: tuple[str, ...]
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None

    def opens(self, now: datetime) -> bool:
        """Whether it is neither expired nor revoked."""
        return all(end is None or end > now for end in (self.expires_at, self.revoked_at))


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A new key.

    Attributes:
        secret: the whole key as its holder sends it. It is not stored: nobody can be shown it again.
    """

    key: Key
    secret: str


async def create(
    runtime: Runtime,
    *,
    tenant: Id,
    user: Id | None = None,
    agent: Id | None = None,
    team: Id | None = None,
    rights: Annotated[Sequence[str], Each(RIGHTS, "a right")] = _USUAL,
    name: Text = "",
    seconds: Annotated[float, Lasting()] | None = None,
) -> IssuedKey:
    """Make a key to a tenant's memory. It is shown once.

    Args:
        tenant: the tenant.
        user: the only user for whom it may be used; by default every user of the tenant.
        agent: the only agent for whom it may be used; by default every agent.
        team: the team for which its holder acts; by default none.
        rights: what it may be used for: read, write, forget, export, knowledge, admin.
        name: what it is for, in words.
        seconds: how long it is valid; by default until it is revoked.
    """
    now = runtime.clock()
    row = ApiKey(
        tenant=tenant, user=Commons(tenant=tenant).user, id=runtime.ids(), hash="", name=name, only_user=user,
        only_agent=agent, team=team, rights=tuple(one for one in RIGHTS if one in rights), created_at=now,
        expires_at=None if seconds is None else now + timedelta(seconds=seconds),
    )  # fmt: skip
    return await _issued(runtime, row, "keys.create")


async def rotate(runtime: Runtime, *, tenant: Id, key: Id, seconds: Annotated[float, Lasting()] = 3_600.0) -> IssuedKey:
    """Make a key for what another one is for, and let that one end soon.

    Args:
        tenant: the tenant.
        key: the id of the one to replace.
        seconds: how long the old key still opens what it did; an hour by default.

    Raises:
        NotFoundError: there is no such key, or it is over.
    """
    now = runtime.clock()
    old = await _known(runtime, tenant, key)
    until = now + timedelta(seconds=seconds)
    if old.expires_at is None or until < old.expires_at:
        await _patched(runtime, old, "keys.rotate", expires_at=until)
    return await _issued(
        runtime, replace(old, id=runtime.ids(), root=old.root or old.id, created_at=now, used_at=None), "keys.rotate"
    )


async def find(runtime: Runtime, *, tenant: Id) -> tuple[Key, ...]:
    """List the keys of a tenant, those that are over included.

    Args:
        tenant: the tenant.
    """
    page = await runtime.store.find(
        _owner(tenant), Query(kind=ApiKey, tenant=tenant, user=_owner(tenant).user, order=("created_at", "id"))
    )
    return tuple(map(_told, page.rows[0]))


async def revoke(runtime: Runtime, *, tenant: Id, key: Id) -> Key:
    """Let a key open nothing any more.

    Args:
        tenant: the tenant.
        key: its id.

    Raises:
        NotFoundError: there is no such key, or it is over.
    """
    row = await _known(runtime, tenant, key)
    return _told(await _patched(runtime, row, "keys.revoke", revoked_at=runtime.clock()))


async def check(runtime: Runtime, *, secret: str) -> Key | None:
    """Return the key that its holder shows; None if there is no such key, or it is over. Notes that it is used.

    Args:
        secret: the whole key, as it was shown when it was made.
    """
    require(isinstance(secret, str), "secret", type(secret).__name__, "a text")  # not shown: it may be one
    tenant, name, rest = _parts(secret)
    if not tenant:
        return None
    [row] = await runtime.store.get(ApiKey, _owner(tenant), [(name,)])
    same = compare_digest(_hash(rest), row.hash if row else _hash(""))  # as long, whether there is one or not
    key = _told(row) if row else None
    if key is None or not (same and rest and key.opens(runtime.clock())):
        return None
    await _use(runtime, key)
    return key


async def _use(runtime: Runtime, key: Key) -> None:
    """Note that a key is used now, if the last note is older than a minute."""
    now = runtime.clock()
    if key.used_at is None or now - key.used_at >= _USED:
        touch = Touch(ApiKey, (key.id,), at={"used_at": now})
        await runtime.store.apply(Batch(owner=_owner(key.tenant), changes=(touch,)))


def _owner(tenant: str) -> Owner:
    return Commons(tenant=tenant).owner


def tenant_of(secret: str) -> str:
    """Return the tenant that a key names; an empty text if it is none."""
    return _parts(secret)[0]


def _parts(secret: str) -> tuple[str, str, str]:
    """The tenant, the id and the secret part of a key; empty if it is none."""
    packed, _, rest = secret.removeprefix(_PREFIX).partition(".")
    name, _, own = rest.partition(".")
    try:
        tenant = urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()
        Commons(tenant=tenant)
    except ValueError:  # so are a wrong letter, bytes that are no text, and what is no tenant
        return "", "", ""
    return tenant, name, own


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _told(row: ApiKey) -> Key:
    return Key(
        id=row.id, root=row.root or row.id, tenant=row.tenant, name=row.name, user=row.only_user,
        agent=row.only_agent, team=row.team, rights=row.rights, created_at=row.created_at, used_at=row.used_at,
        expires_at=row.expires_at, revoked_at=row.revoked_at,
    )  # fmt: skip


async def _known(runtime: Runtime, tenant: str, key: str) -> ApiKey:
    [row] = await runtime.store.get(ApiKey, _owner(tenant), [(key,)])
    if row is None or not _told(row).opens(runtime.clock()):
        raise NotFoundError(f"There is no valid key {brief(key)} here; `keys list` gives the ids of those there are.")
    return row


async def _issued(runtime: Runtime, row: ApiKey, operation: str) -> IssuedKey:
    own = urlsafe_b64encode(runtime.random(32)).decode().rstrip("=")
    packed = urlsafe_b64encode(row.tenant.encode()).decode().rstrip("=")
    kept = replace(row, hash=_hash(own))
    await _written(runtime, Put(kept), operation)
    return IssuedKey(key=_told(kept), secret=f"{_PREFIX}{packed}.{row.id}.{own}")


async def _patched(runtime: Runtime, row: ApiKey, operation: str, **values: Any) -> ApiKey:
    await _written(runtime, Patch(ApiKey, (row.id,), values), operation, row.tenant)
    return replace(row, **values)


async def _written(runtime: Runtime, change: Put | Patch, operation: str, tenant: str = "") -> None:
    scope = Commons(tenant=change.row.tenant if isinstance(change, Put) else tenant)
    await audited(runtime, scope, Act(operation), planned(runtime, scope, lambda _: Made(None, [change])))
