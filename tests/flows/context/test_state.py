"""The state view: goals by state and horizon, decisions without an outcome, the profile, as one scope sees them."""

from datetime import UTC, datetime, timedelta

import pytest

from flows.helpers import MORNING, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.beliefs.profile import Leaf
from memoranda.core.strata.state import DECISIONS
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def test_goals_are_told_by_their_state(alice: AsyncScoped) -> None:
    late = await alice.goals.add("Pay the rent", deadline=MORNING - DAY)
    stuck = await alice.goals.add("Sail to Oslo", blockers=["no wind"], deadline=MORNING - DAY, priority=1)
    some_day = await alice.goals.add("Read Proust", priority=5)
    await alice.goals.complete((await alice.goals.add("Buy bread")).id)
    await alice.goals.reject((await alice.goals.add("Rob a bank")).id)
    state = await alice.state()
    assert state.at == MORNING
    assert state.active == (late, some_day)
    assert state.blocked == (stuck,)
    assert state.overdue == (stuck, late)
    changed = await alice.goals.update(late.id, text="Pay the landlord")
    assert (await alice.state()).active == (changed, some_day), "not under its former words, too"


async def test_horizons_share_out_what_is_open(alice: AsyncScoped) -> None:
    dues = {"overdue": -1, "today": 0.5, "soon": 5.5, "month": 29, "quarter": 90, "year": 300, "far": 900}
    goals = {name: await alice.goals.add(name, deadline=MORNING + days * DAY) for name, days in dues.items()}
    undated = await alice.goals.add("some day", priority=1)
    found = {one.name: one for one in (await alice.state()).horizons}
    assert {name: one.goals for name, one in found.items()} == {
        "day": (goals["overdue"].id, goals["today"].id),
        "week": (goals["soon"].id,),
        "month": (goals["month"].id,),
        "quarter": (goals["quarter"].id,),
        "year": (goals["year"].id,),
        "later": (goals["far"].id,),
        "undated": (undated.id,),
    }
    assert (found["week"].until, found["later"].until, found["undated"].until) == (MORNING + 7 * DAY, None, None)
    assert found["undated"].share == pytest.approx(0.9 / (0.9 + 7 * 0.7), abs=1e-4)
    assert sum(one.share for one in found.values()) == pytest.approx(1, abs=1e-3)
    then = {one.name: one for one in (await alice.state(now=MORNING + 5 * DAY)).horizons}
    assert then["day"].goals == (goals["overdue"].id, goals["today"].id, goals["soon"].id)


async def test_plans_lie_in_a_horizon_until_their_day(alice: AsyncScoped) -> None:
    await alice.add(says("I work at Acme.", "From 1 February 2026 I work at Bolt."))
    state = await alice.state()
    assert [one.name for one in state.horizons if one.plans] == ["month"]
    [plan] = next(one.plans for one in state.horizons if one.plans)
    assert plan.since == datetime(2026, 2, 1, tzinfo=UTC)
    assert "Bolt" in plan.value
    then = await alice.state(now=datetime(2026, 3, 1, tzinfo=UTC))
    assert not any(one.plans for one in then.horizons)
    assert then.profile == await alice.profile(now=datetime(2026, 3, 1, tzinfo=UTC))


async def test_a_decision_is_open_until_its_outcome_is_told(alice: AsyncScoped, clock: FrozenClock) -> None:
    [turn] = (await alice.add(says("We decided to take the ferry."), conversation="c")).events
    clock.advance(days=1)
    await alice.add(says("We decided to use Postgres."))
    second, first = (await alice.state()).decisions
    assert (first.since, first.conversation, first.by) == (MORNING, "c", "")
    assert ("ferry" in first.text, "Postgres" in second.text) == (True, True)
    await alice.outcomes.record(second.id, "It holds.")
    assert (await alice.state()).decisions == (first,)
    outcome = await alice.outcomes.record(turn, "It was late.", success=False)
    assert (await alice.state()).decisions == (), "what came of the turn that states it came of it"
    await alice.forget(source=outcome.event)
    assert (await alice.state()).decisions == (first,)


async def test_the_newest_decisions_are_told(alice: AsyncScoped, clock: FrozenClock) -> None:
    for number in range(DECISIONS + 1):
        clock.advance(hours=1)
        await alice.add(says(f"We decided to take ferry number {number}."))
    found = (await alice.state()).decisions
    assert len(found) == DECISIONS
    assert f"{DECISIONS}." in found[0].text


async def test_a_state_holds_what_its_scope_sees(memory: AsyncMemory, alice: AsyncScoped) -> None:
    work = memory.scope(tenant="acme", user="alice", channel="work")
    await work.goals.add("Ship 1.0")
    await work.add(says("I work at Acme. We decided to use Postgres."))
    nothing = await alice.state()
    assert (nothing.active, nothing.decisions, nothing.profile.scaffold) == ((), (), {})
    assert [one.share for one in nothing.horizons] == [0.0] * 7
    seen = await work.state()
    assert (len(seen.active), len(seen.decisions)) == (1, 1)
    assert isinstance(seen.profile.scaffold["work"]["employer"], Leaf)
    assert (await memory.scope(tenant="globex", user="alice", channel="work").state()).active == ()


async def test_the_end_of_time_is_a_moment_too(alice: AsyncScoped) -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert {one.until for one in (await alice.state(now=last)).horizons} == {last, None}
