"""Who may read what: random grants, derivations and revocations against an oracle that knows no shortcut."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.base.scope import GLOBAL, SHARED, Commons, Scope
from memoranda.core.rows import Grant, Pool
from memoranda.core.rows.access import LEVELS, accessible, acts_as, mandate, means, permitted
from memoranda.errors import ScopeError

NOW = datetime(2026, 1, 5, tzinfo=UTC)
NAMES = tuple("abcdef")
USERS, AGENTS, TEAMS = ("alice", "bob"), (None, "planner", "writer"), (None, "red", "blue")
TIMES = st.sampled_from([None, NOW - timedelta(days=1), NOW, NOW + timedelta(days=1)])


def pool(
    name: str, holder: str = "alice", agent: str | None = None, sources: Sequence[str] = (), channel: str = GLOBAL
) -> Pool:
    return Pool(
        tenant="acme", user=SHARED, id=name, name=name, holder=holder, agent=agent, sources=tuple(sources),
        channel=channel, created_at=NOW, changed_at=NOW,
    )  # fmt: skip


def grant(name: str, level: str = "read", **values: object) -> Grant:
    values = {"object": name, "level": level, "granted_by": "alice", "created_at": NOW, **values}
    return Grant(tenant="acme", user=SHARED, **{"id": repr(values), **values})  # type: ignore[arg-type]


channels = st.sampled_from([GLOBAL, GLOBAL, "boat", "kitchen"])
scopes = st.builds(
    Scope, tenant=st.just("acme"), user=st.sampled_from(USERS), agent=st.sampled_from(AGENTS),
    team=st.sampled_from(TEAMS), channel=channels,
)  # fmt: skip
resting = st.lists(st.sampled_from((*NAMES, "gone")), max_size=2)
pools = st.fixed_dictionaries(
    {
        name: st.builds(pool, st.just(name), st.sampled_from(USERS), st.sampled_from(AGENTS), resting, channels)
        for name in NAMES
    }
)
grantees = st.one_of(
    st.fixed_dictionaries({}),
    st.fixed_dictionaries({"team": st.sampled_from(TEAMS[1:])}),
    st.fixed_dictionaries({"grantee": st.sampled_from(USERS), "agent": st.sampled_from(AGENTS)}),
)
granted = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.sampled_from(LEVELS), grantees, TIMES, st.sampled_from([None, None, NOW]),
        st.one_of(st.none(), st.integers(0, 7)),
    ),
    max_size=8,
).map(
    lambda drawn: [
        grant(name, level, **whom, expires_at=end, revoked_at=revoked, id=f"g{number}", under=rests(number, under))
        for number, (name, level, whom, end, revoked, under) in enumerate(drawn)
    ]
)  # fmt: skip


def rests(number: int, under: int | None) -> str | None:
    """An earlier grant, or one that is none of those there are."""
    return None if under is None else f"g{under}" if under < number else "none"


def oracle(
    scope: Scope, objects: Mapping[str, Pool], grants: Sequence[Grant], level: str, now: datetime = NOW
) -> set[str]:
    """What a scope may use: begin with all it has a right to, and take away what rests on anything it may not read."""

    def is_me(user: str, agent: str | None) -> bool:
        return user == scope.user and (agent is None or scope.agent is None or agent == scope.agent)

    def alive(one: Grant) -> bool:
        parents = [each for each in grants if each.id == one.under and each.object == one.object]
        given = one.under is None or (bool(parents) and alive(parents[0]))
        return given and one.revoked_at is None and (one.expires_at is None or one.expires_at > now)

    def right(name: str, wanted: str) -> bool:
        here = objects[name].channel in (GLOBAL, scope.channel)
        if here and is_me(objects[name].holder, objects[name].agent):
            return True
        for one in grants:
            to_me = one.team == scope.team if one.team else one.grantee is None or is_me(one.grantee, one.agent)
            if one.object == name and to_me and alive(one) and LEVELS.index(wanted) <= LEVELS.index(one.level):
                return True
        return False

    readable = {name for name in objects if right(name, "read")}
    while lost := {name for name in readable if not readable.issuperset(objects[name].sources)}:
        readable -= lost
    return {name for name in readable if right(name, level)}


def by_object(grants: Sequence[Grant]) -> dict[str, list[Grant]]:
    return {name: [one for one in grants if one.object == name] for name in NAMES}


@given(scopes, pools, granted, st.sampled_from(LEVELS))
def test_access_is_what_the_oracle_says(
    scope: Scope, objects: Mapping[str, Pool], grants: Sequence[Grant], level: str
) -> None:
    found = {name for name in NAMES if accessible(scope, name, objects, by_object(grants), NOW, level)}
    assert found == oracle(scope, objects, grants, level)


@given(scopes, pools, granted, st.data())
def test_a_revocation_only_takes_away_and_reaches_what_was_derived(
    scope: Scope, objects: Mapping[str, Pool], grants: Sequence[Grant], data: st.DataObject
) -> None:
    lost = data.draw(st.sampled_from(grants)) if grants else None
    before = {name for name in NAMES if accessible(scope, name, objects, by_object(grants), NOW)}
    left = [one for one in grants if one is not lost]
    after = {name for name in NAMES if accessible(scope, name, objects, by_object(left), NOW)}
    assert after <= before
    assert all(after.issuperset(objects[name].sources) for name in after)


def test_whose_it_is_cannot_be_locked_out() -> None:
    alice = Scope(tenant="acme", user="alice", agent="planner")
    revoked = grant("a", grantee="alice", revoked_at=NOW)
    assert permitted(alice, pool("a"), [revoked], NOW) == len(LEVELS)
    assert permitted(alice, pool("a", agent="planner"), [], NOW) == len(LEVELS)
    assert permitted(alice, pool("a", agent="writer"), [], NOW) == 0


def test_agents_of_one_name_of_two_users_are_two() -> None:
    planner = grant("a", grantee="alice", agent="planner")
    assert means(planner, Scope(tenant="acme", user="alice", agent="planner"))
    assert means(planner, Scope(tenant="acme", user="alice"))
    assert not means(planner, Scope(tenant="acme", user="alice", agent="writer"))
    assert not means(planner, Scope(tenant="acme", user="bob", agent="planner"))
    assert means(grant("a", grantee="alice"), Scope(tenant="acme", user="alice", agent="writer"))
    assert not acts_as(Scope(tenant="acme", user="bob"), "alice", None)


def test_what_was_granted_ends_with_the_right_to_grant_it() -> None:
    bob = Scope(tenant="acme", user="bob")
    first = grant("a", "admin", id="g1", grantee="bob")
    rest = [grant("a", "admin", id=f"g{number}", grantee="bob", under=f"g{number - 1}") for number in (2, 3)]
    assert permitted(bob, pool("a"), [*rest, first], NOW) == len(LEVELS)
    assert permitted(bob, pool("a"), [*rest, replace(first, revoked_at=NOW)], NOW) == 0
    assert permitted(bob, pool("a"), [*rest, replace(first, expires_at=NOW)], NOW) == 0
    assert permitted(bob, pool("a"), rest, NOW) == 0


def test_one_grants_by_the_right_that_lasts_longest() -> None:
    bob = Scope(tenant="acme", user="bob", team="red")
    short, long = (
        grant("a", "admin", id=f"g{days}", grantee="bob", expires_at=NOW + timedelta(days=days)) for days in (9, 10)
    )
    others = [
        grant("a", "write", grantee="bob"),
        grant("a", "admin", grantee="eve"),
        grant("b", "admin", revoked_at=NOW),
    ]
    assert mandate(bob, pool("a"), [long, short, *others], NOW) == long
    forever = grant("a", "admin", id="g0", team="red")
    assert mandate(bob, pool("a"), [long, forever, *others], NOW) == forever
    assert mandate(bob, pool("a", "bob"), [forever], NOW) is None
    assert mandate(bob, pool("a", "bob", channel="boat"), [forever], NOW) == forever
    assert mandate(bob, pool("a"), others, NOW) is None


def test_circles_have_an_end() -> None:
    objects = {"a": pool("a", sources="b"), "b": pool("b", sources="ca"), "c": pool("c", "bob", sources="c")}
    alice = Scope(tenant="acme", user="alice")
    assert not accessible(alice, "a", objects, {}, NOW)
    assert accessible(alice, "a", objects, {"c": [grant("c", grantee="alice")]}, NOW, "admin")


def test_no_scope_names_what_is_shared() -> None:
    with pytest.raises(ScopeError, match=r"user is '_shared'.*\.pools"):
        Scope(tenant="acme", user=SHARED)
    with pytest.raises(ScopeError, match="_shared"):
        Scope(tenant="acme", user="alice").narrow(user=SHARED)
    assert Commons(tenant="acme").owner == ("acme", SHARED)
