"""Goals: their states, what brings them up, who sees them, and what is left of one that was forgotten or rejected."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from flows.helpers import Scripted, everything, rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Event, Record
from memoranda.core.strata.goals import TRANSITIONS, Goal, brought_up
from memoranda.core.text.terms import Analyzer
from memoranda.errors import InputError, MessageError, NotFoundError, ScopeError
from memoranda.models.stemmer import stem
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.registry import Async

pytestmark = pytest.mark.anyio

MARCH = datetime(2027, 3, 1, tzinfo=UTC)


async def test_a_goal_is_set_once(alice: AsyncScoped, store: Store) -> None:
    goal = await alice.goals.add("Ship version two", priority=1, deadline=MARCH, recall_when=["release notes"])
    assert (goal.text, goal.state, goal.priority, goal.deadline) == ("Ship version two", "active", 1, MARCH)
    assert await alice.goals.get(goal.id) == goal
    assert (await alice.goals.add("Ship version two", priority=5)).id == goal.id
    assert len(await rows(store, Record)) == len(await rows(store, Event)) == 1


async def test_a_goal_that_was_set_elsewhere_is_known(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.goals.add("Ship version two")
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock) as elsewhere:
        goal = await elsewhere.scope(tenant="acme", user="alice").goals.add("Ship version three")
        assert (await alice.goals.complete(goal.id)).state == "completed"


async def test_the_most_pressing_comes_first(alice: AsyncScoped) -> None:
    later = await alice.goals.add("Learn to sail", priority=2, deadline=MARCH + timedelta(days=9))
    some_day = await alice.goals.add("Read the whole of Proust", priority=2)
    first = await alice.goals.add("Pay the rent", priority=1)
    sooner = await alice.goals.add("Book the ferry to Oslo", priority=2, deadline=MARCH)
    part = await alice.goals.add("Choose a cabin", priority=3, parent=sooner.id)
    assert [goal.id for goal in await alice.goals.find()] == [first.id, sooner.id, later.id, some_day.id, part.id]
    assert [goal.id for goal in await alice.goals.find(parent=sooner.id)] == [part.id]


async def test_what_a_goal_waits_for_brings_it_up(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Thank Bob for the boat", recall_when=["Bob calls", "birthday"])
    assert await alice.goals.due("Who called? It was Bob, he calls every day.") == (goal,)
    assert await alice.goals.due("When is the birthday of my sister?") == (goal,)
    assert await alice.goals.due("Bob bought a boat.") == ()
    for techniques in ((), ("steps",)):
        assert (await alice.recall("When does Bob call?", techniques=techniques)).goals == (goal,)
        assert (await alice.recall("Where is my boat?", techniques=techniques)).goals == ()
    await alice.goals.complete(goal.id)
    assert await alice.goals.due("Bob calls") == ()


@pytest.mark.parametrize("phrase", ["", "!", "the", "of the"])
async def test_what_says_nothing_brings_nothing_up(alice: AsyncScoped, phrase: str) -> None:
    with pytest.raises(InputError, match="recall_when is"):
        await alice.goals.add("Thank Bob", recall_when=["Bob calls", phrase])
    goal = Goal(id="g", text="Thank Bob", recall_when=(phrase,), since=MARCH, changed=MARCH)
    assert brought_up([goal], "What of the boat?", Analyzer(stem).terms) == []


async def test_what_goes_with_a_goal_can_be_changed(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    goal = await alice.goals.add("Sail to Oslo", priority=4, recall_when=["boat"])
    clock.advance(days=1)
    due = clock() + timedelta(days=9)
    changed = await alice.goals.update(goal.id, priority=1, deadline=due, recall_when=["ferry"])
    assert changed == replace(goal, priority=1, deadline=due, recall_when=("ferry",))
    assert await alice.goals.get(goal.id) == changed == await alice.goals.add("Sail to Oslo", priority=5)
    assert [await alice.goals.due(word) for word in ("A boat", "A ferry")] == [(), (changed,)]
    assert await alice.goals.update(goal.id, priority=1, deadline=due) == changed
    [_, told] = await rows(store, Event)  # of what changes nothing there is none
    assert told.content == "Goal changed: Sail to Oslo (priority, deadline, recall_when)"
    assert [row.importance for row in await rows(store, Record)] == [pytest.approx(0.6), pytest.approx(0.9)]
    assert (await alice.goals.update(goal.id, recall_when=[])).recall_when == ()
    await alice.forget(source=told.id)
    assert await alice.goals.get(goal.id) == goal
    with pytest.raises(InputError, match="give text, priority, deadline or recall_when"):
        await alice.goals.update(goal.id)
    await alice.goals.complete(goal.id)
    with pytest.raises(InputError, match="completed, and over"):
        await alice.goals.update(goal.id, priority=1)
    await alice.goals.reject((await alice.goals.add("Sail to Rome")).id)
    [other] = [row for row in await rows(store, Record) if row.status == "rejected"]
    with pytest.raises(InputError, match="rejected, and over"):
        await alice.goals.update(other.id, priority=1)


async def test_states_follow_one_another_by_the_table(alice: AsyncScoped, clock: FrozenClock) -> None:
    moves = {
        "active": alice.goals.resume,
        "blocked": lambda goal: alice.goals.block(goal, by=["no wind"], reason="becalmed"),
        "completed": alice.goals.complete,
        "failed": lambda goal: alice.goals.complete(goal, status="failed"),
        "abandoned": alice.goals.abandon,
    }
    for number, (state, allowed) in enumerate(TRANSITIONS.items()):
        for to, move in moves.items():
            goal = await alice.goals.add(f"Sail around island {number} {to}")
            if state != "active":
                await moves[state](goal.id)
            clock.advance(days=1)
            if to in allowed:
                moved = await move(goal.id)
                assert (moved.state, moved.changed) == (to, clock())
            else:
                with pytest.raises(InputError, match=f"that is {state} cannot become {to}"):
                    await move(goal.id)


async def test_what_a_goal_blocked_goes_on_when_it_is_reached(alice: AsyncScoped) -> None:
    boat, crew = await alice.goals.add("Buy a boat"), await alice.goals.add("Find a crew")
    sail = await alice.goals.add("Sail to Oslo", blockers=[boat.id, crew.id])
    assert sail.state == "blocked"
    await alice.goals.complete(boat.id)
    assert (await alice.goals.get(sail.id)).blockers == (crew.id,)
    await alice.goals.complete(crew.id, result="Ann and Bob")
    assert (await alice.goals.get(sail.id)).state == "active"


async def test_what_a_goal_blocked_goes_on_wherever_it_is_seen(memory: AsyncMemory, alice: AsyncScoped) -> None:
    boat = await alice.goals.add("Buy a boat")
    cook, clerk = (memory.scope(tenant="acme", user="alice", channel="sea", agent=name) for name in ("cook", "clerk"))
    mine = await cook.goals.add("Buy a stove", blockers=[boat.id])
    other = await clerk.goals.add("Buy a desk", blockers=[mine.id])
    await alice.goals.complete(boat.id)
    assert (await cook.goals.get(mine.id)).state == "active"
    await cook.goals.complete(mine.id)
    assert (await clerk.goals.get(other.id)).state == "blocked", "the clerk cannot know of the stove"


async def test_a_goal_that_is_over_is_found_as_of_then(alice: AsyncScoped, clock: FrozenClock) -> None:
    goal = await alice.goals.add("Paint the boat red")
    before = clock()
    clock.advance(days=3)
    shown = await alice.observe("The boat is red now")
    done = await alice.goals.complete(goal.id, result="two coats", evidence=shown.events)
    assert (done.result, done.evidence) == ("two coats", shown.events)
    clock.advance(days=3)
    assert goal.id not in [item.id for item in await alice.recall("paint the boat", kinds=["goal"])]
    assert goal.id in [item.id for item in await alice.recall("paint the boat", kinds=["goal"], as_of=before)]
    assert [(row.version, row.value["state"]) for row in await alice.history(goal.id)] == [
        (1, "active"),
        (2, "completed"),
    ]
    with pytest.raises(NotFoundError, match="no event 'e-none'"):
        await alice.goals.complete(goal.id, evidence=["e-none"])


async def test_a_goal_that_is_over_can_be_set_again(alice: AsyncScoped, clock: FrozenClock) -> None:
    first = await alice.goals.add("Paint the boat")
    await alice.goals.complete(first.id)
    clock.advance(days=365)
    second = await alice.goals.add("Paint the boat", priority=1)
    await alice.goals.abandon(second.id)
    third = await alice.goals.add("Paint the boat", inferred=True)
    assert len({first.id, second.id, third.id}) == 3
    assert await alice.goals.find() == (third,)
    states = [(await alice.goals.get(goal.id)).state for goal in (first, second, third)]
    assert states == ["completed", "abandoned", "active"]
    assert (await alice.goals.add("Paint the boat")).id == third.id


async def test_what_was_set_again_is_not_pursued_twice(memory: AsyncMemory, alice: AsyncScoped) -> None:
    first = await alice.goals.add("Paint the boat")
    await alice.goals.abandon(first.id)
    elsewhere = await memory.scope(tenant="acme", user="alice", channel="sailing").goals.add("Paint the boat")
    assert (await alice.goals.resume(first.id)).state == "active"
    await alice.goals.abandon(first.id)
    second = await alice.goals.add("Paint the boat")
    with pytest.raises(InputError, match=second.id):
        await alice.goals.resume(first.id)
    await alice.goals.complete(second.id)
    assert (await alice.goals.resume(first.id)).id not in {second.id, elsewhere.id}


async def test_what_was_rejected_is_not_inferred_again(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Move to Rome", inferred=True)
    assert (await alice.goals.reject(goal.id, reason="only a dream")).state == "abandoned"
    assert await alice.goals.find(states=list(TRANSITIONS)) == ()
    with pytest.raises(InputError, match="rejected and is not inferred again"):
        await alice.goals.add("Move to Rome", inferred=True)
    meant = await alice.goals.add("Move to Rome")
    assert await alice.goals.find() == (meant,)


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("  MOVING to Rome!", True),
        ("The user wants to move to Rome", True),
        ("Relocate to Rome", True),
        ("Move to Paris", False),
        ("Do not move to Rome", False),
        ("Move to Rome by bus 7", False),
    ],
)
async def test_what_was_rejected_is_not_inferred_in_other_words(
    store: Store, clock: FrozenClock, words: str, refused: bool
) -> None:
    nearness = Scripted(rome=(1.0, 0.0), paris=(0.5, 0.866))
    async with await AsyncMemory.open(store, embedder=nearness, clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.goals.reject((await alice.goals.add("Move to Rome", inferred=True)).id)
        for scoped in (alice, memory.scope(tenant="acme", user="alice", agent="planner", channel="tidepool")):
            if refused:
                with pytest.raises(InputError, match="rejected and is not inferred again: 'Move to Rome'"):
                    await scoped.goals.add(words, inferred=True)
            else:
                assert (await scoped.goals.add(words, inferred=True)).inferred


async def test_what_was_rejected_stays_so(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Move to Rome", inferred=True)
    await alice.goals.abandon(goal.id)
    await alice.goals.reject(goal.id)
    with pytest.raises(InputError, match="not inferred again"):
        await alice.goals.add("Move to Rome", inferred=True)
    for move in (alice.goals.resume, alice.goals.complete, alice.goals.reject):
        with pytest.raises(InputError, match="set it again"):
            await move(goal.id)
    meant = await alice.goals.add("Move to Rome")
    assert await alice.goals.add("Move to Rome", inferred=True) == meant


async def test_what_became_of_a_goal_is_said_where_it_is(memory: AsyncMemory, store: Store, alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Ship version two")
    cook, other = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("cook", "other"))
    await cook.goals.complete(goal.id, result="it went out at noon")
    assert (await other.goals.get(goal.id)).result == "it went out at noon"
    await other.forget(record=goal.id)
    assert await rows(store, Event) == []


async def test_what_was_forgotten_is_gone_with_what_came_of_it(alice: AsyncScoped, store: Store) -> None:
    goal = await alice.goals.add("Find the treasure of Captain Crab")
    await alice.goals.complete(goal.id, result="it lies under the lighthouse")
    told = next(row for row in await rows(store, Event) if "lighthouse" in row.content)
    await alice.forget(source=told.id)
    assert "lighthouse" not in repr(await rows(store, Record))
    assert (await alice.goals.get(goal.id)).state == "active"
    await alice.forget(record=goal.id)
    assert await rows(store, Record) == await rows(store, Event) == []
    other = await alice.goals.add("Find the parrot of Captain Crab")
    [said] = await rows(store, Event)
    await alice.goals.abandon(other.id)
    await alice.forget(source=said.id)
    assert await rows(store, Record) == []
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.goals.add("Find the treasure of Captain Crab")


async def test_goals_are_seen_where_they_belong(memory: AsyncMemory, alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Ship version two")
    await alice.add(says("I like tea."))
    liked = next(item.id for item in await alice.recall("tea") if item.of == "record")
    bob = memory.scope(tenant="acme", user="bob")
    with pytest.raises(NotFoundError, match="no goal"):
        await bob.goals.get(goal.id)
    with pytest.raises(NotFoundError, match="no goal"):
        await alice.goals.get(liked)
    with pytest.raises(NotFoundError, match="no goal"):
        await alice.goals.add("Test version two", parent="g-none")
    mine = memory.scope(tenant="acme", user="alice", agent="planner")
    own = await mine.goals.add("Ask Ann")
    assert [found.id for found in await mine.goals.find()] == [own.id, goal.id]
    other = memory.scope(tenant="acme", user="alice", agent="writer")
    assert [found.id for found in await other.goals.find()] == [goal.id]
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    assert len(await whole.goals.find()) == 2
    with pytest.raises(ScopeError, match="whole=True"):
        await whole.goals.add("Ship version three")


async def test_what_cannot_be_a_goal_is_refused(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="priority is 9"):
        await alice.goals.add("Ship", priority=9)
    with pytest.raises(InputError, match="nothing to record"):
        await alice.goals.add("  ")
    with pytest.raises(InputError, match="a state of goals is 'done'"):
        await alice.goals.find(states=["done"])
    goal = await alice.goals.add("Ship")
    for odd in ("\x00", "half a \ud800", " "):
        for name, called in (
            ("recall_when", alice.goals.add("Sail", recall_when=[odd])),
            ("blockers", alice.goals.add("Sail", blockers=[odd])),
            ("by", alice.goals.block(goal.id, by=[odd])),
            ("evidence", alice.goals.complete(goal.id, evidence=[odd])),
            ("tools", alice.strategies.learn("Sail", tools=[odd])),
            ("sources", alice.entries.set("wind", "west", sources=[odd])),
        ):
            with pytest.raises(ScopeError, match=f"{name} (holds NUL|is needed)"):
                await called
    fenced = (await alice.context("Ship")).text
    for verb in (alice.goals.add, alice.strategies.learn, alice.entries.log):
        with pytest.raises(MessageError, match="never captured again"):
            await verb(fenced)


async def test_what_another_process_wrote_is_seen_before_a_goal_is_refused(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    other = await AsyncMemory.open(store, embedder="none", clock=clock)
    theirs = other.scope(tenant="acme", user="alice")
    await alice.goals.add("Buy a boat")
    sail = await theirs.goals.add("Sail to Oslo")
    assert (await alice.goals.complete(sail.id)).state == "completed"
    await theirs.goals.add("Buy a sail")
    await theirs.goals.reject((await alice.goals.add("Buy a boat")).id)
    with pytest.raises(InputError, match="not inferred again"):
        await alice.goals.add("Buy a boat", inferred=True)
    await other._runtime.partitions.uses.close()


async def test_what_became_of_a_goal_goes_with_it(alice: AsyncScoped, store: Store) -> None:
    here = AsyncScoped(Async(), alice._runtime, alice.scope.narrow(conversation="c"))
    boat = await here.goals.add("Buy the boat of Captain Crab")
    sail = await alice.goals.add("Sail to Oslo", blockers=[boat.id])
    await alice.goals.complete(boat.id, result="for a song")
    assert (await alice.goals.get(sail.id)).state == "active"
    await alice.forget(conversation="c")
    assert "crab" not in str(await everything(store)).lower()
    assert (await alice.goals.get(sail.id)).state == "blocked"


# -------------------------------------------------------------------------------------- in other words, and waiting


async def test_a_goal_can_be_put_in_other_words(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    goal = await alice.goals.add("Sail to Oslo", recall_when=["boat"])
    part, later = (
        await alice.goals.add("Buy charts", parent=goal.id),
        await alice.goals.add("Tell Bob", blockers=[goal.id]),
    )
    clock.advance(days=1)
    changed = await alice.goals.update(goal.id, text="Row to Bergen", priority=1)
    assert changed == replace(goal, id=changed.id, text="Row to Bergen", priority=1)
    assert await alice.goals.get(goal.id) == await alice.goals.get(changed.id) == changed
    assert await alice.goals.add("Row to Bergen") == changed
    assert {one.id for one in await alice.goals.find()} == {changed.id, part.id, later.id}
    assert (await alice.goals.get(part.id)).within == changed
    assert (await alice.goals.get(later.id)).blockers == (changed.id,)
    found = [item.id for item in await alice.recall("row to Bergen", kinds=["goal"])]
    assert found[0] == changed.id
    assert goal.id not in found
    assert await alice.goals.due("What of the boat?") == (changed,)
    assert (await alice.goals.add("Swim", blockers=[goal.id])).blockers == (changed.id,)
    again = await alice.goals.update(goal.id, text="Fly to Bergen")
    assert await alice.goals.get(goal.id) == again
    await alice.goals.complete(goal.id, leave_open=True)
    assert (await alice.goals.get(later.id)).state == "active"
    back = await alice.goals.add("Sail to Oslo")
    assert back.id not in {goal.id, changed.id, again.id}
    assert [row.valid_to for row in await rows(store, Record) if row.id == back.id] == [None]


async def test_words_of_another_open_goal_are_refused(alice: AsyncScoped) -> None:
    goal, other = await alice.goals.add("Sail to Oslo"), await alice.goals.add("Row to Bergen")
    with pytest.raises(InputError, match=f"open goal in these words: {other.id}"):
        await alice.goals.update(goal.id, text="Row to Bergen")
    await alice.goals.complete(other.id)
    changed = await alice.goals.update(goal.id, text="Row to Bergen")
    assert (await alice.goals.get(other.id)).state == "completed"
    assert changed.id != other.id
    assert await alice.goals.update(changed.id, text="Row to Bergen") == changed


async def test_of_a_goal_in_other_words_nothing_is_left(alice: AsyncScoped, store: Store) -> None:
    goal = await alice.goals.add("Sail to Oslo")
    await alice.goals.update(goal.id, text="Row to Bergen")
    await alice.forget(value="Row to Bergen")
    assert "Bergen" not in str(await everything(store))
    assert (await alice.goals.get(goal.id)).text == "Sail to Oslo"
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.goals.update(goal.id, text="Row to Bergen")
    changed = await alice.goals.update(goal.id, text="Fly to Rome")
    await alice.forget(record=changed.id)
    assert "Rome" not in str(await everything(store))
    assert await alice.goals.find(states=TRANSITIONS) == (goal,)
    await alice.forget(record=goal.id)
    assert await alice.goals.find(states=TRANSITIONS) == ()


async def test_a_rewording_that_was_forgotten_leaves_the_goal_as_it_was(alice: AsyncScoped, store: Store) -> None:
    goal = await alice.goals.add("Sail to Oslo")
    part = await alice.goals.add("Buy charts", parent=goal.id)
    await alice.goals.update(goal.id, text="Row to Bergen")
    [*_, told] = await rows(store, Event)
    assert told.content == "Goal changed: Row to Bergen (text)"
    await alice.forget(source=told.id)
    assert await alice.goals.get(goal.id) == goal
    assert await alice.goals.get(part.id) == replace(part, within=goal)
    assert {*await alice.goals.find()} == {goal, part}


async def test_what_would_wait_for_itself_is_refused(alice: AsyncScoped) -> None:
    boat = await alice.goals.add("Buy a boat")
    sail = await alice.goals.add("Sail to Oslo", blockers=[boat.id])
    crew = await alice.goals.add("Find a crew", blockers=[sail.id])
    for by in (sail, crew):
        with pytest.raises(InputError, match=f"{by.id}' waits for this goal"):
            await alice.goals.block(boat.id, by=["money", by.id])
    with pytest.raises(InputError, match="waits for this goal"):
        await alice.goals.add("Choose a boat", parent=boat.id, blockers=[crew.id])
    part = await alice.goals.add("Sell the old one", parent=boat.id)
    with pytest.raises(InputError, match="waits for this goal"):
        await alice.goals.block(part.id, by=[boat.id])
    await alice.goals.abandon(crew.id)
    assert (await alice.goals.block(boat.id, by=[crew.id])).blockers == (crew.id,)


async def test_a_goal_with_open_parts_is_completed_only_if_they_are_to_be_left(alice: AsyncScoped) -> None:
    trip = await alice.goals.add("Go to Oslo")
    part = await alice.goals.add("Book the ferry", parent=trip.id)
    with pytest.raises(InputError, match=rf"part of this one \(1\): 'Book the ferry' \({part.id}\).*leave_open=True"):
        await alice.goals.complete(trip.id)
    assert (await alice.goals.complete(trip.id, leave_open=True)).state == "completed"
    assert (await alice.goals.get(part.id)).state == "active"
    home = await alice.goals.add("Come back")
    await alice.goals.complete((await alice.goals.add("Pack", parent=home.id)).id)
    assert (await alice.goals.complete(home.id)).state == "completed"


async def test_a_goal_that_failed_frees_nothing_and_can_be_pursued_again(alice: AsyncScoped) -> None:
    boat = await alice.goals.add("Buy a boat")
    sail = await alice.goals.add("Sail to Oslo", blockers=[boat.id])
    failed = await alice.goals.complete(boat.id, status="failed", result="too dear")
    assert (failed.state, failed.result) == ("failed", "too dear")
    assert (await alice.goals.get(sail.id)).state == "blocked"
    assert await alice.goals.find(states=["failed"]) == (failed,)
    with pytest.raises(InputError, match="status is 'done'; give one of completed, failed"):
        await alice.goals.complete(sail.id, status="done")  # type: ignore[arg-type]
    assert (await alice.goals.resume(boat.id)).state == "active"


async def test_the_goal_that_another_is_part_of_is_told(memory: AsyncMemory) -> None:
    cook = memory.scope(tenant="acme", user="alice", agent="cook")
    dinner = await cook.goals.add("Cook dinner")
    part = await cook.goals.add("Buy fish", parent=dinner.id)
    assert part.within is None
    assert (await cook.goals.get(part.id)).within == dinner
    await cook.forget(record=dinner.id)
    assert (await cook.goals.get(part.id)) == part
