"""What came of decisions, what it adds to what led to them, and what is left of it when that is forgotten."""

import pytest

from flows.helpers import rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Record
from memoranda.errors import InputError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def importance(scoped: AsyncScoped) -> dict[str, float]:
    """How important each current record is, by its id."""
    partition = await scoped._runtime.partitions.current(scoped.scope.owner)
    return {record.id: round(record.importance, 4) for record in partition.records.values()}


async def decided(scoped: AsyncScoped) -> tuple[str, str]:
    """A decision: the event and the record of it."""
    told = await scoped.add(says("We decided to take the ferry to Oslo."))
    return told.events[0], told.records[0]


async def test_a_good_outcome_raises_what_led_to_it_once(alice: AsyncScoped, store: Store) -> None:
    event, decision = await decided(alice)
    [other] = (await alice.observe("The ferry has a bar")).records
    before = await importance(alice)
    done = await alice.outcomes.record(decision, "We were there on time", because=[other, other])
    assert (done.decision, done.text, done.success, done.because) == (
        decision, "We were there on time", True, (other,),
    )  # fmt: skip
    assert done.raised == {decision: 0.1, other: 0.1}
    after = await importance(alice)
    assert {one: round(after[one] - before[one], 4) for one in before} == {decision: 0.1, other: 0.1}
    assert await alice.outcomes.record(decision, "We were there on time", because=[other]) == done
    assert await importance(alice) == after
    [told] = [row for row in await rows(store, Event) if row.kind == "outcome"]
    assert (told.id, told.content, told.metadata["decision"], told.source) == (
        done.event, "We were there on time", decision, "agent",
    )  # fmt: skip
    assert await alice.outcomes.find() == await alice.outcomes.find(event) == await alice.outcomes.find(decision)
    assert await alice.outcomes.find(other) == ()


async def test_importance_ends_at_one(alice: AsyncScoped) -> None:
    _, decision = await decided(alice)
    for text in ("once", "twice", "again", "and again", "still", "for good"):
        last = await alice.outcomes.record(decision, f"It was on time {text}")
    assert (await importance(alice))[decision] == 1.0
    assert last.raised == {decision: 0.0}


async def test_a_bad_outcome_lowers_nothing_and_is_told(alice: AsyncScoped) -> None:
    _, decision = await decided(alice)
    before = await importance(alice)
    done = await alice.outcomes.record(decision, "Everybody was seasick", success=False)
    assert {one: value for one, value in (await importance(alice)).items() if one != done.id} == before
    assert done.raised == {}
    told = await alice.history(decision)
    assert [(row.kind, row.value) for row in told if row.id == done.id] == [
        ("outcome", {"decision": decision, "success": False})
    ]
    assert decision in {row.id for row in await alice.history(done.id)}
    found = await alice.recall("Did we take the ferry to Oslo?", kinds=["outcome"])
    assert len(found) == 1
    assert "it failed. Everybody was seasick" in texts(found)[0]
    assert (await alice.why("Did we take the ferry to Oslo?", done.id)).place is not None


async def test_what_the_last_context_showed_led_to_the_decision(alice: AsyncScoped, clock: FrozenClock) -> None:
    [bar] = (await alice.observe("The ferry to Oslo has a bar")).records
    [late] = (await alice.observe("Trains to Bergen run late in winter")).records
    await alice.context("How do we get to Bergen by train?", conversation="c1")
    clock.advance(minutes=1)
    here = await alice.context("Which ferry goes to Oslo?", conversation="c1")
    assert bar in here.citations.values()
    clock.advance(minutes=1)
    event = (await alice.add(says("Well, the boat it is."), conversation="c1")).events[0]
    clock.advance(minutes=1)
    await alice.context("Trains to Bergen?", conversation="c1")
    done = await alice.outcomes.record(event, "A fine trip")
    assert bar in done.raised
    shown = {one for one in here.citations.values() if one in {bar, late}}
    assert {*done.raised} == shown


async def test_of_a_first_turn_nothing_was_shown(alice: AsyncScoped) -> None:
    event = (await alice.add(says("Well, the boat it is."), conversation="c1")).events[0]
    assert (await alice.outcomes.record(event, "A fine trip")).raised == {}


@pytest.mark.parametrize("by", ["record", "source"])
async def test_an_outcome_falls_with_its_decision(alice: AsyncScoped, store: Store, by: str) -> None:
    event, decision = await decided(alice)
    [other] = (await alice.observe("The ferry has a bar")).records
    before = await importance(alice)
    done = await alice.outcomes.record(decision if by == "record" else event, "On time, as ever", because=[other])
    await alice.forget(**{by: {"record": decision, "source": event}[by]})  # type: ignore[arg-type] # one of both
    assert await importance(alice) == {other: before[other]}
    assert [row.kind for row in await rows(store, Event)] == ["observation"]
    assert await alice.outcomes.find() == ()
    with pytest.raises(NotFoundError, match="no record"):
        await alice.history(done.id)


async def test_without_its_outcome_a_record_is_as_important_as_before(alice: AsyncScoped) -> None:
    _, decision = await decided(alice)
    before = await importance(alice)
    first = await alice.outcomes.record(decision, "It was on time after all")
    await alice.outcomes.record(decision, "It was quick")
    await alice.forget(source=first.event)
    assert (await importance(alice))[decision] == round(before[decision] + 0.1, 4)
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.outcomes.record(decision, "It was on time after all")


async def test_an_outcome_lies_where_the_decision_does(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    jira = memory.scope(tenant="acme", user="alice", agent="planner", channel="ship", connections=("jira",))
    [record] = (await jira.observe("We ship on Friday", connection="jira")).records
    [secret] = (await jira.observe("The tests are green")).records
    done = await jira.outcomes.record(record, "Shipped", because=[secret])
    [event] = [row for row in await rows(store, Event) if row.kind == "outcome"]
    [row] = [row for row in await rows(store, Record) if row.kind == "outcome"]
    for one in (event, row):
        assert (one.agent, one.channel, one.connection) == ("planner", "ship", "jira")
    assert await alice.outcomes.find() == ()
    _, decision = await decided(alice)
    shared = await jira.outcomes.record(decision, "On time", because=[secret])
    [seen] = await alice.outcomes.find()
    assert (seen.because, {*seen.raised}) == ((), {decision})
    assert {*shared.raised} == {decision, secret}
    assert len(await jira.outcomes.find()) == 2
    assert (await jira.outcomes.find(record))[0] == done


async def test_of_what_is_not_there_nothing_comes(memory: AsyncMemory, alice: AsyncScoped) -> None:
    event, decision = await decided(alice)
    with pytest.raises(NotFoundError, match="no record or event 'nobody'"):
        await alice.outcomes.record("nobody", "On time")
    with pytest.raises(NotFoundError, match="no record 'nobody'"):
        await alice.outcomes.record(decision, "On time", because=["nobody"])
    bob = memory.scope(tenant="acme", user="alice", channel="elsewhere")
    [record] = (await bob.observe("The crab is blue")).records
    for name in (record, (await bob.observe("A red crab")).events[0]):
        with pytest.raises(NotFoundError):
            await alice.outcomes.record(name, "On time")
    with pytest.raises(NotFoundError):
        await alice.outcomes.record(event, "On time", because=[record])
    with pytest.raises(ScopeError, match="whole"):
        await memory.scope(tenant="acme", user="alice", whole=True).outcomes.record(decision, "On time")
