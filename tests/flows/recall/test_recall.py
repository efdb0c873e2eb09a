"""What is asked is answered from what the scope sees, in the same order every time, or not at all with a reason."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, Broken, Scripted, fails, hangs, misshapes, says, texts
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.recall import ranking
from memoranda.core.recall.arms import ARMS
from memoranda.core.rows.statements import KINDS
from memoranda.errors import InputError, MessageError
from memoranda.flows.capture.capture import CATEGORIES
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.recall import recall
from memoranda.flows.upkeep.patterns import patterns
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


@pytest.fixture
async def told(alice: AsyncScoped, clock: FrozenClock) -> AsyncScoped:
    """A memory of three conversations in three months."""
    for number, (name, *said) in enumerate(
        [
            ("boats", "The ferry to Bergen leaves at noon.", "Our cat Momo hates the ferry.", "Momo eats tuna."),
            ("garden", "The tomatoes have blight.", "A neighbour lent me a ladder.", "The ladder is made of ash."),
            ("work", "The harbour survey is due in spring.", "I work at Acme.", "The survey boat is called Skarven."),
        ]
    ):
        clock.now = MORNING + timedelta(days=31 * number)
        await alice.add(says(*said), conversation=name)
    clock.advance(days=1)
    return alice


async def test_the_best_answer_comes_first_and_says_why(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?")
    best = found.items[0]
    assert (best.of, best.kind, best.role, best.conversation) == ("event", "turn", "user", "garden")
    assert best.text == "A neighbour lent me a ladder."
    assert best.sources == (best.id,)
    assert best.why.endswith("; said by user on 2026-02-05")
    assert 0 < best.similarity <= 1
    assert found.reason is None
    assert found.degraded == ()
    arms = {f"arm {name}" for name in ARMS}
    assert set(found.trace.milliseconds) == {"embed", "refresh", "read", *arms, "score", "rank", "fetch"}
    assert best.id in found.trace.arms["keyword"]
    assert found.trace.searched >= 9
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert len(found) == len(found.items)


async def test_the_shares_sum_to_the_score(told: AsyncScoped) -> None:
    for profile in ("balanced", "relevance"):
        found = await told.recall("Who lent me the ladder?", profile=profile)
        for item in found:
            if item.of == "event":
                assert sum(item.shares.values()) == pytest.approx(item.score, abs=0.002)


async def test_every_kind_can_be_asked_for_and_no_other_is_made(alice: AsyncScoped) -> None:
    await alice.add(says("The crab is blue.", "I work at Acme.", "I prefer tea.", "I decided to sell the boat."))
    await alice.add(says("I plan to visit Bergen next week."))
    for category in (*CATEGORIES, "my own"):
        await alice.observe(f"The boat of {category} leaks", category=category)
    await alice.goals.add("Mend the boat that leaks")
    await alice.strategies.learn("Find where the boat leaks by candlelight")
    await alice.tools.record("search", "boat leaks", "nothing found")
    await alice.entries.log("The boat leaks again")
    [record] = (await alice.observe("The boat of Bergen leaks", category="fact")).records
    await alice.outcomes.record(record, "The boat leaks no more")
    await alice.add(
        says(*(f"Why does the boat leak {place}?" for place in ("aft", "ahead", "below", "midships", "astern")))
    )
    await patterns(alice._runtime, "acme", "alice")
    await alice.graph.upsert("Crab", description="The boat that leaks")
    await alice.working("c").add(says("Why is it that the boat leaks?"))
    await alice.working("c").flush()
    asked = {"turn": "crab", "fact": "Acme", "preference": "tea", "decision": "sell", "plan": "Bergen"}
    for kind in KINDS:
        assert {item.kind for item in await alice.recall(asked.get(kind, "boat leaks"), kinds=[kind])} == {kind}
    made = [line["row"] async for line in alice.export() if line.get("kind") == "passages"]
    assert {row["kind"] for row in made} == set(KINDS)


async def test_a_record_is_an_answer(told: AsyncScoped) -> None:
    found = await told.recall("Where do I work?", kinds=["fact"])
    item = found.items[0]
    assert (item.of, item.text.rstrip("."), item.status) == ("record", "User works at Acme", "candidate")
    assert (item.metadata["attribute"], item.metadata["value"]) == ("work.employer", "Acme")
    assert "1 source(s)" in item.why
    assert (await told.recall("Where do I work?", kinds=[])).items == ()


async def test_the_same_question_twice_has_the_same_answer(told: AsyncScoped) -> None:
    await told.recall("the ferry and the survey boat")  # what it used, it uses at the same moment
    first, second = [await told.recall("the ferry and the survey boat") for _ in range(2)]
    assert first.items == second.items
    assert first.trace.left_out == second.trace.left_out
    assert first.trace.arms == second.trace.arms


# ------------------------------------------------------------------------------------------------ filters


async def test_since_and_until_bound_half_open(told: AsyncScoped) -> None:
    begun = MORNING + timedelta(days=31)
    question = "ladder tomatoes ferry Momo survey"
    assert {item.conversation for item in await told.recall(question, since=begun) if item.of == "event"} == {
        "garden", "work",
    }  # fmt: skip
    assert {item.conversation for item in await told.recall(question, until=begun)} == {"boats"}
    assert (await told.recall(question, since=begun, until=begun)).reason == (
        "nothing has been recorded here that this scope and these filters let through"
    )


async def test_as_of_answers_what_held_then(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."))
    then = clock.advance(days=5)
    clock.advance(days=5)
    await alice.add(says("I moved to Bergen."))
    clock.advance(days=5)
    question = "Where does the user live, Oslo or Bergen? moved"
    assert {item.metadata["value"] for item in await alice.recall(question, kinds=["fact"], as_of=then)} == {"Oslo"}
    assert {item.metadata["value"] for item in await alice.recall(question, kinds=["fact"])} == {"Bergen"}
    assert texts(await alice.recall(question, kinds=["turn"], as_of=then)) == ["I live in Oslo."]


async def test_known_at_answers_what_was_believed_then(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."))
    then = clock.advance(days=5)
    clock.advance(days=5)
    await alice.add(says("I moved to Bergen.", timestamp=MORNING + timedelta(days=1)))
    question = "Where does the user live, Oslo or Bergen? moved"
    (item,) = await alice.recall(question, kinds=["fact"], known_at=then)
    assert (item.metadata["value"], item.valid_to) == ("Oslo", None)
    (item,) = await alice.recall(question, kinds=["fact"], known_at=clock.now)
    assert item.metadata["value"] == "Bergen"
    assert texts(await alice.recall(question, kinds=["turn"], known_at=then)) == ["I live in Oslo."]
    assert not await alice.recall(question, known_at=MORNING - timedelta(days=1))


async def test_channels_agents_and_connections_narrow(memory: AsyncMemory) -> None:
    def scope(**names: Any) -> AsyncScoped:
        return memory.scope(tenant="acme", user="alice", **names)

    await scope().add(says("the blue crab sleeps"))
    await scope(channel="tidepool").add(says("the red crab eats"))
    await scope(agent="clerk").add(says("the green crab sings"))
    await scope(connections=("jira",)).add(says("the grey crab waits"), connection="jira")
    everything = {"the blue crab sleeps", "the green crab sings"}
    assert set(texts(await scope().recall("crab"))) == everything
    assert set(texts(await scope(channel="tidepool").recall("crab"))) == everything | {"the red crab eats"}
    assert set(texts(await scope(agent="cook").recall("crab"))) == {"the blue crab sleeps"}
    assert set(texts(await scope(agent="clerk").recall("crab"))) == everything
    assert set(texts(await scope(connections=("jira",)).recall("crab"))) == everything | {"the grey crab waits"}
    found = await scope(channel="tidepool").recall("crab")
    assert len(found.trace.cross_channel) == 2


async def test_so_many_of_one_conversation(told: AsyncScoped) -> None:
    found = await told.recall("ladder tomatoes ferry Momo survey", per_conversation=1, kinds=["turn"])
    names = [item.conversation for item in found]
    assert sorted(names) == ["boats", "garden", "work"]
    assert "enough from its conversation" in found.trace.left_out.values()


async def test_what_is_to_be_listed_comes_from_several_conversations(
    alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "KEPT", 0.1)
    await alice.add(says(*(f"I painted a {thing}." for thing in ("boat", "pier", "net", "mast"))), conversation="boats")
    await alice.add(says("Then I painted a crab on old paper.", "It rained.", "Lunch was good."), conversation="garden")
    plain, listed = [
        [item.conversation for item in await alice.recall(question, kinds=["turn"], profile="relevance")]
        for question in ("Did I paint?", "What have I painted?")
    ]
    assert plain[:5] == ["boats"] * 4 + ["garden"]
    assert listed[:3] == ["boats", "garden", "boats"]


async def test_the_limit_is_kept_and_told(told: AsyncScoped) -> None:
    found = await told.recall("ladder tomatoes ferry Momo survey", limit=2)
    assert len(found) == 2
    assert "beyond the limit" in found.trace.left_out.values()


async def test_the_token_budget_is_kept_and_told(told: AsyncScoped) -> None:
    whole = await told.recall("ladder tomatoes ferry Momo survey")
    found = await told.recall("ladder tomatoes ferry Momo survey", tokens=20)
    assert 0 < len(found) < len(whole)
    assert "over the token budget" in found.trace.left_out.values()
    empty = await told.recall("ladder tomatoes ferry Momo survey", tokens=1)
    assert not empty
    assert empty.reason == "the token budget is too small for any of the memories found"


async def test_only_the_arms_asked_for_propose(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?", arms=["keyword"])
    assert set(found.trace.arms) == {"keyword"}
    assert texts(found)[0] == "A neighbour lent me a ladder."
    assert not (await told.recall("Who lent me the ladder?", arms=["time"])).items


async def test_tokens_are_counted_as_the_memory_was_told(told: AsyncScoped) -> None:
    told._runtime = replace(told._runtime, settings=Settings(counter=lambda _: 20))
    for techniques in ((), ("expand",)):
        found = await told.recall("ladder tomatoes ferry Momo survey", tokens=40, techniques=techniques)
        assert len(found) == 2


async def test_of_a_very_long_question_the_beginning_and_the_end_are_read(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?" + " And then?" * 2_000)
    assert found.items[0].text == "A neighbour lent me a ladder."
    assert found.degraded == ("query: of its 20,023 characters the first and the last 10,000 were read",)


async def test_the_same_words_are_answered_once(alice: AsyncScoped, clock: FrozenClock) -> None:
    for _ in range(3):
        newest = await alice.add(says("The lobster is blue."))
        clock.advance(days=1)
    found = await alice.recall("lobster")
    assert [item.id for item in found] == list(newest.events)
    assert set(found.trace.left_out.values()) == {"the same words were said more recently or rank higher"}


async def test_a_denial_is_not_the_same_words(alice: AsyncScoped) -> None:
    await alice.add(says("I like tea", "I don't like tea"))
    found = await alice.recall("tea", kinds=["turn"])
    assert set(texts(found)) == {"I like tea", "I don't like tea"}


async def test_what_is_withheld_whole_is_no_memory(alice: AsyncScoped) -> None:
    for text in ("Off the record: my boss is a bore.", "I like tea. Don't save this: my boss is a bore."):
        await alice.add(says(text), conversation="c1")
    found = await alice.recall("What was on request, what is withheld?", cut=False)
    assert [item.text for item in found if item.of == "event"] == ["I like tea. [withheld: on request]"]
    assert [logged.event.content for logged in await alice.events()][-1] == "[withheld: on request]"


async def test_texts_without_a_word_are_not_the_same(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, embedder=Scripted(crab=[1.0], **{"🦀": [1.0], "🦞": [0.9, 0.1]}), clock=clock, ids=SequentialIds()
    )
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("🦀", "🦞"))
    assert set(texts(await alice.recall("crab"))) == {"🦀", "🦞"}


async def test_the_newer_of_two_that_say_nearly_the_same_comes_first(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, embedder=Scripted(crab=[1.0]), clock=clock, ids=SequentialIds(), settings=Settings(learned_ranking=False)
    )
    alice = memory.scope(tenant="acme", user="alice")
    words = "crab harbour lobster mill rope tower bridge engine window garden basket candle"
    await alice.add(says(words), conversation="a")
    clock.advance(hours=1)
    await alice.add(says(f"{words} kettle"), conversation="b")
    found = await alice.recall(words)
    assert texts(found) == [f"{words} kettle", words]
    assert found.items[0].score == found.items[1].score


# ---------------------------------------------------------------------------------------------------- time


async def test_a_question_of_time_alone_has_all_of_that_time(told: AsyncScoped) -> None:
    found = await told.recall("What did we talk about last month?")
    assert {item.conversation for item in found} == {"garden"}
    assert found.trace.window == (datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC))
    assert "time" in found.trace.arms


async def test_what_was_said_then_comes_first(alice: AsyncScoped) -> None:
    """Whatever else fits better was said at another time."""
    for day, text in ((5, "The deployment failed because of a token."), (20, "The deployment went well.")):
        at = f"2025-12-{day:02}T09:00:00Z"
        await alice.add(says(text, timestamp=at), conversation=str(day))
    for day, other in (("5", "20"), ("20", "5")):
        found = await alice.recall(f"What did I say about the deployment on December {day}?", kinds=["turn"])
        assert [item.conversation for item in found] == [day, other]
        assert found.items[1].shares["tense"] < 0


async def test_a_time_in_a_question_ranks_and_does_not_cut(told: AsyncScoped) -> None:
    found = await told.recall("The ash ladder a neighbour lent me last month", kinds=["turn"])
    assert found.items[0].conversation == "garden"
    assert found.trace.window is not None


async def test_times_that_leave_nothing_between_them_are_refused(told: AsyncScoped) -> None:
    day = datetime(2026, 2, 1, tzinfo=UTC)
    with pytest.raises(InputError, match="nothing lies between them"):
        await told.recall("ladders", since=day, until=day - timedelta(days=1))


@pytest.fixture
async def moved(store: Store, clock: FrozenClock) -> AsyncScoped:
    """Somebody who had breakfast in two places, and told in March of a move in February; asked by a weighted sum."""
    plain = Settings(learned_ranking=False)
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds(), settings=plain)
    clock.advance(days=120)
    alice = memory.scope(tenant="acme", user="alice")
    for month, text in (
        (1, "I had breakfast at the mill"),
        (2, "The surgery went well"),
        (3, "We moved to Lisbon on 10 February"),
        (4, "I had breakfast at the harbour"),
    ):
        await alice.add(says(text, timestamp=datetime(2026, month, 15, tzinfo=UTC)), conversation=f"c{month}")
    return alice


@pytest.mark.parametrize(
    ("query", "window", "places"),
    [
        ("Where did I have breakfast before the move?", (None, datetime(2026, 2, 10, tzinfo=UTC)), "mill harbour"),
        ("Where was my breakfast after we moved to Lisbon?", (datetime(2026, 2, 11, tzinfo=UTC), None), "harbour mill"),
        ("After the surgery, where did I have breakfast?", (datetime(2026, 2, 16, tzinfo=UTC), None), "harbour mill"),
        (
            "What happened two days after the surgery?",
            (datetime(2026, 2, 17, tzinfo=UTC), datetime(2026, 2, 18, tzinfo=UTC)),
            "",
        ),
        ("Where did I have breakfast before March?", (None, datetime(2026, 3, 1, tzinfo=UTC)), "mill harbour"),
        ("Where did I have breakfast before the wedding?", None, "harbour mill"),
    ],
)
async def test_an_event_dates_a_question(
    moved: AsyncScoped, query: str, window: tuple[datetime | None, datetime | None] | None, places: str
) -> None:
    found = await moved.recall(query, profile="relevance", kinds=["turn"], now=datetime(2026, 6, 1, tzinfo=UTC))
    assert found.trace.window == window
    assert [place for text in texts(found) if (place := text.split()[-1]) in {"mill", "harbour"}] == places.split()


TENTH = datetime(2026, 2, 10, tzinfo=UTC)
AFTER_IT = TENTH + timedelta(days=1)


@pytest.mark.parametrize(
    ("said", "query", "window"),
    [
        ("Der Umzug war am 10. Februar", "Wo habe ich vor dem Umzug gewohnt?", (None, TENTH)),
        ("Wir sind am 10. Februar nach Berlin gezogen", "Was war, nachdem wir nach Berlin zogen?", None),
        ("Der Umzug war am 10. Februar", "Was habe ich seit unserem Umzug gegessen?", (TENTH, None)),
        ("La mudanza fue el 10 de febrero", "¿Qué comí después de mi mudanza?", (AFTER_IT, None)),
        ("Le déménagement était le 10 février", "Où vivais-je avant notre déménagement ?", (None, TENTH)),
        ("我们二月十日搬家了", "我们搬家之前我住在哪里？", (None, TENTH)),
        ("我们二月十日搬家了", "搬家之后我做了什么？", (AFTER_IT, None)),
    ],
)
async def test_an_event_dates_a_question_in_every_language(
    alice: AsyncScoped,
    clock: FrozenClock,
    said: str,
    query: str,
    window: tuple[datetime | None, datetime | None] | None,
) -> None:
    clock.advance(days=90)
    await alice.add(says(said, timestamp=datetime(2026, 3, 15, tzinfo=UTC)))
    assert (await alice.recall(query, now=datetime(2026, 6, 1, tzinfo=UTC))).trace.window == window


async def test_neither_questions_nor_what_an_assistant_does_not_know_date_a_question(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    query = "Where did I have breakfast before the surgery?"
    first = clock.now
    for _ in range(20):  # an agent logs what it is asked
        await alice.add(says(query))
        clock.advance(days=1)
    assert (await alice.recall(query)).trace.window is None
    await alice.add(says("The surgery, and all the weeks in that hospital by the river, went well", timestamp=first))
    await alice.add(says("I know of no surgery.", role="assistant"))
    clock.advance(days=1)
    assert (await alice.recall(query)).trace.window == (None, first.replace(hour=0, minute=0))


async def test_what_was_forgotten_dates_no_question(alice: AsyncScoped) -> None:
    told = await alice.add(says("The wedding was on 3 May 2025"))
    query = "Where did I have breakfast after the wedding?"
    assert (await alice.recall(query)).trace.window == (datetime(2025, 5, 4, tzinfo=UTC), None)
    await alice.forget(source=told.events[0])
    assert (await alice.recall(query)).trace.window is None


async def test_an_event_is_dated_by_what_the_scope_sees(memory: AsyncMemory) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    other, mine = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("other", "mine"))
    await other.add(says("The wedding was on 3 May 2025"))
    await alice.add(says("I had breakfast at the mill"))
    query = "Where did I have breakfast after the wedding?"
    assert (await mine.recall(query)).trace.window is None
    assert (await other.recall(query)).trace.window == (datetime(2025, 5, 4, tzinfo=UTC), None)


async def test_what_was_said_or_known_later_dates_no_question(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I had breakfast at the mill"))
    before = clock.now
    clock.advance(days=30)
    await alice.add(says("The wedding was last week", timestamp=clock.now))
    await alice.add(says("The surgery went well", timestamp=MORNING - timedelta(days=30)))
    for event, options in (
        ("wedding", {"as_of": before}),
        ("wedding", {"known_at": before}),
        ("surgery", {"known_at": before}),
    ):
        query = f"Where did I have breakfast before the {event}?"
        assert (await alice.recall(query, **options)).trace.window is None
        assert (await alice.recall(query)).trace.window is not None


async def test_the_time_of_asking_can_be_given(told: AsyncScoped) -> None:
    found = await told.recall("What did we talk about last month?", now=MORNING + timedelta(days=31))
    assert {item.conversation for item in found} == {"boats"}


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Where did I work in January?", ["User works at Acme."]),
        ("Where did I work in March?", ["User works at Acme.", "User works at Globex now."]),
        ("Where did I work in April?", ["User works at Globex now."]),
        ("Where do I work?", ["User works at Globex now."]),
    ],
)
async def test_a_question_about_a_past_time_finds_what_held_then(
    alice: AsyncScoped, clock: FrozenClock, query: str, answer: list[str]
) -> None:
    await alice.add(says("I work at Acme."), conversation="c1")
    clock.advance(days=70)
    await alice.add(says("I work at Globex now."), conversation="c2")
    clock.advance(days=60)
    for options in ({}, {"as_of": clock.now}, {"known_at": clock.now}):
        assert sorted(texts(await alice.recall(query, kinds=["fact"], **options))) == answer


# --------------------------------------------------------------------------------------------- no answer


async def test_an_empty_memory_says_so(alice: AsyncScoped) -> None:
    found = await alice.recall("Who lent me the ladder?")
    assert found.items == ()
    assert found.reason == "nothing has been recorded here that this scope and these filters let through"


async def test_what_bears_on_nothing_is_not_answered(told: AsyncScoped) -> None:
    found = await told.recall("quantum chromodynamics lattice")
    assert found.items == ()
    assert found.reason is not None
    assert found.reason.startswith("nothing relevant: the closest memory shares ")
    assert set(found.trace.left_out.values()) <= {"nothing found has enough to do with the question"}


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("What is the name of my boat?", None),
        ("What is my boat called?", None),
        ("What is the name of my dog?", "My dog is called Rex."),
        ("What is my name?", "My name is Ada."),
    ],
)
async def test_the_names_of_others_are_no_answer(store: Store, query: str, answer: str | None) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    facts = ("My name is Ada.", "My dog is called Rex.", "My sister's name is Greta.", "I play the cello.")
    await alice.add(says(*facts, *(f"Number {number} was drawn." for number in range(60))), conversation="c1")
    found = await alice.recall(query, kinds={"turn"})
    assert (answer in texts(found)) if answer else not found.items


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_a_small_memory_without_vectors_answers_also_what_it_was_told_twice(store: Store, times: int) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    for number in range(times):
        await alice.add(says("The crab is blue."), conversation=f"c{number}")
    assert texts(await alice.recall("Which colour is the crab?")) == ["The crab is blue."]
    assert not await alice.recall("Which colour has the bicycle of the neighbour?")


@pytest.mark.parametrize(("others", "found"), [(0, 1), (120, 0)])
async def test_the_line_of_an_answer_rises_with_what_is_searched(store: Store, others: int, found: int) -> None:
    """A cosine of 0.4 without a word in common."""
    embedder = Scripted(bicycle=(1.0, 0.0), ride=(0.4, 0.9165))
    memory = await AsyncMemory.open(store, embedder=embedder, clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The bicycle is red."), conversation="c1")
    await alice.add(says(*(f"Number {number} was drawn." for number in range(others))), conversation="c2")
    assert texts(await alice.recall("What do I ride?")) == ["The bicycle is red."][:found]


async def test_what_has_nothing_to_do_with_the_question_is_no_part_of_an_answer(store: Store) -> None:
    embedder = Scripted(bicycle=(1.0, 0.0), ride=(0.8, 0.6), lottery=(0.0, 0.0, 1.0))
    memory = await AsyncMemory.open(store, embedder=embedder, clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The bicycle is red."), conversation="c1")
    await alice.add(says("The lottery was drawn."), conversation="c2")
    found = await alice.recall("What do I ride?")
    assert texts(found) == ["The bicycle is red."]
    assert set(found.trace.left_out.values()) == {"it has next to nothing to do with the question"}


async def test_an_arm_can_be_left_out(alice: AsyncScoped, memory: AsyncMemory) -> None:
    await alice.add(says("My dog Rex likes tuna.", "He met Bella."), conversation="c1")
    runtime = memory._runtime
    whole = await recall(runtime, alice.scope, Ask(query="What does Rex like?"))
    one = await recall(runtime, alice.scope, Ask(query="What does Rex like?", arms=frozenset({"entities"})))
    assert {"keyword", "entities", "records", "neighbours"} <= whole.trace.arms.keys()
    assert one.trace.arms.keys() == {"entities"}
    assert "My dog Rex likes tuna." in texts(one)
    assert not await recall(runtime, alice.scope, Ask(query="What does Rex like?", arms=frozenset()))
    with pytest.raises(InputError, match="an arm"):
        Ask(query="crab", arms=frozenset({"leg"}))


async def test_the_conversation_going_on_is_proposed(memory: AsyncMemory) -> None:
    here = memory.scope(tenant="acme", user="alice", conversation="c1")
    await here.add(says("The crab is blue."))
    found = await here.recall("crab")
    assert found.trace.arms["recent"] == (found.items[0].id,)


async def test_a_weighted_sum_ranks_where_nothing_learned_may(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="none", settings=Settings(learned_ranking=False))
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("the crab is blue", "the crab is a very red animal"))
    (first, _) = await alice.recall("which crab", profile="relevance")
    assert "similarity.keyword" in first.shares
    assert "similarity.guess" not in first.shares
    with pytest.raises(InputError, match="learned_ranking"):
        Settings(learned_ranking="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["", "  \n", None, 7])
async def test_no_question_is_refused(alice: AsyncScoped, query: Any) -> None:
    with pytest.raises(MessageError, match="There is no question"):
        await alice.recall(query)


@pytest.mark.parametrize(
    "options",
    [{"limit": 0}, {"limit": 1_001}, {"profile": "best"}, {"kinds": "fact"}, {"tokens": 0}, {"per_conversation": 0},
     *({name: datetime(2026, 1, 1)} for name in ("since", "until", "as_of", "known_at", "now"))],  # noqa: DTZ001
)  # fmt: skip
async def test_odd_options_are_refused(alice: AsyncScoped, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        await alice.recall("crab", **options)


QUERIES = [
    '"', "*", "crab*", "crab NEAR lobster", "NEAR(crab, 2)", "%", "_", "crab' OR 1=1; --", "crab AND", "(", ":", "^",
    "a\x00b crab", "\ud83e crab", "🦀", "?" * 500, "crab " * 5_000, "terms:crab", "-crab", "{crab}",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
async def test_query_syntax_is_text(told: AsyncScoped, query: str) -> None:
    said = "The crab AND the lobster stay 1 NEAR 100 % of the terms."
    await told.add(says(said))
    found = await told.recall(query)
    assert (said in texts(found)) == ("crab" in query)


# ---------------------------------------------------------------------------------------------- degraded


@pytest.mark.parametrize("answer", [fails, hangs, misshapes])
async def test_keywords_answer_when_the_embedder_does_not(store: Store, answer: Callable[[int], Any]) -> None:
    embedder = Broken(answer)
    embedder.answer = None
    memory = await AsyncMemory.open(
        store, embedder=embedder, clock=FrozenClock(), ids=SequentialIds(), settings=Settings(embed_seconds=0.001)
    )
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("the crab is blue"))
    embedder.answer = answer
    found = await alice.recall("which crab")
    assert texts(found) == ["the crab is blue"]
    (problem,) = found.degraded
    assert problem.startswith("embedder: ")
    assert "vector" not in found.trace.arms
    assert not (await alice.recall("a whale")).items
    assert (await alice.context("which crab")).degraded == found.degraded


async def test_without_an_embedder_nothing_is_degraded(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("the crab is blue"))
    found = await alice.recall("which crab")
    assert (texts(found), found.degraded) == (["the crab is blue"], ())


# ---------------------------------------------------------------------------------------------------- why


async def test_why_tells_the_place_and_the_shares(told: AsyncScoped) -> None:
    plain = (await told.why("Who lent me the ladder?")).recalled  # which counts no use
    why = await told.why("Who lent me the ladder?", plain.items[1].id)
    found = await told.recall("Who lent me the ladder?")
    assert (why.place, why.shares, why.verdict) == (2, found.items[1].shares, found.items[1].why)
    assert why.arms["keyword"] >= 1
    assert why.recalled.items == found.items


async def test_why_tells_why_not(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?")
    last = found.items[-1].id
    why = await told.why("Who lent me the ladder?", last, limit=1)
    assert (why.place, why.verdict) == (None, "It was a candidate, but beyond the limit.")


async def test_why_is_asked_as_narrowly_as_recall(alice: AsyncScoped, clock: FrozenClock) -> None:
    old = (await alice.add(says("I live in Oslo."), conversation="c1")).records[0]
    then = clock.advance(days=10)
    new = (await alice.add(says("I live in Bergen."), conversation="c2")).records[0]
    clock.advance(days=10)
    asked: list[dict[str, Any]] = [{"kinds": ["fact"]}, {"kinds": ["fact"], "as_of": then - timedelta(days=1)}]
    for narrowing, found in zip(asked, (new, old), strict=True):
        assert [item.id for item in await alice.recall("Where do I live?", **narrowing)] == [found]
        for item in (new, old):
            why = await alice.why("Where do I live?", item, **narrowing)
            assert why.place == (1 if item == found else None)
    for narrowing in ({"kinds": ["turn"]}, {"until": then}, {"known_at": then - timedelta(days=1)}):
        why = await alice.why("Where do I live?", new, **narrowing)
        assert why.verdict == "It is known, but no arm proposed it, or what narrows the question leaves it out."
    why = await alice.why("Where do I live?", new, since=then, tokens=1)
    assert why.verdict == "It was a candidate, but over the token budget."


async def test_why_tells_that_nothing_proposed_it(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("the crab is blue"))
    await alice.add(says("a whale"), conversation="b")
    why = await alice.why("a whale", captured.events[0])
    assert why.place is None
    assert why.verdict.startswith("It is known, but no arm proposed it")
    with pytest.raises(InputError, match="no memory 'nonsense'"):
        await alice.why("a whale", "nonsense")


async def test_the_same_words_in_two_statements_come_newest_first_without_vectors(
    store: Store, clock: FrozenClock
) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The crab is blue.", "The lobster is blue."))
    clock.advance(days=1)
    newer = await alice.observe("The crab is blue")
    found = await alice.recall("crab", profile="relevance", kinds=["turn", "observation", "fact"])
    assert found.items[0].id in {*newer.events, *newer.records}


class Forgetful:
    """A store whose events are gone by the time they are read."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def get(self, kind: type[Any], owner: Any, keys: Any) -> list[None]:
        return [None for _ in await self._store.get(kind, owner, keys)]


async def test_what_is_gone_since_the_image_was_read_is_left_out(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(Forgetful(store), embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The crab is blue."))
    assert (await alice.recall("crab")).items == ()


async def test_what_is_found_alone_matches_best(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I like green tea.", "I live in Oslo."))
    found = await alice.recall("lives in Oslo", kinds={"fact"}, limit=1)
    assert [item.similarity for item in found] == [1.0]


# ------------------------------------------------------------------------------------------------ currency


async def test_a_turn_that_was_overruled_says_so_and_stands_below_what_overruled_it(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    first = await alice.add(says("I live in Leeds, near the old mill by the river."), conversation="a")
    clock.advance(days=90)
    second = await alice.add(says("I live in York now."), conversation="b")
    found = await alice.recall("Where do I live, near the old mill by the river?", kinds=["turn"])
    assert [item.id for item in found][:2] == [*second.events, *first.events]
    now, before = found.items[:2]
    assert (now.status, now.valid_to, now.superseded_by) == ("", None, None)
    assert (before.status, before.valid_to, before.superseded_by) == ("expired", now.at, now.id)
    assert now.score >= before.score
    assert sum(now.shares.values()) == pytest.approx(now.score, abs=1e-3)


async def test_what_overruled_a_memory_is_found_though_it_shares_no_word_with_the_question(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    first = await alice.add(says("I live in Leeds by the red mill."), conversation="a")
    for number in range(80):
        await alice.add(says(f"Crab number {number} is red."), conversation=f"c{number}")
    clock.advance(days=90)
    second = await alice.add(says("I live in York now."), conversation="b")
    found = await alice.recall("Tell me of the red mill.", arms=["keyword", "successors"], kinds=["turn"])
    assert [item.id for item in found][:2] == [*second.events, *first.events]
    assert found.trace.places(second.events[0]) == {"successors": 1}


async def test_at_an_earlier_time_it_held(alice: AsyncScoped, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Leeds."), conversation="a")
    clock.advance(days=90)
    await alice.add(says("I live in York now."), conversation="b")
    found = await alice.recall("Where do I live?", as_of=MORNING + timedelta(days=1), kinds=["turn"])
    assert [(item.id, item.superseded_by) for item in found] == [(first.events[0], None)]
