"""Every technique finds what plain recall does not, by itself, in its scope, in time, or says why not."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import Broken, Scripted, hangs, says, texts
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.recall.results import TECHNIQUES, Recalled
from memoranda.errors import CapabilityError, InputError, LanguageModelError, RerankerError, SetupError
from memoranda.flows.recall.techniques import VARIED
from memoranda.models import open_language_model
from memoranda.ports import Call, Completion, Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.testing.model_server import ModelServer
from memoranda.verbs.registry import Async

pytestmark = pytest.mark.anyio

RULES = ("expand", "self_query", "steps")
PLAIN = Settings(learned_ranking=False)  # where scores are told beforehand


class Writer:
    """A language model that answers what it is told to."""

    name = "test/writer"

    def __init__(self, answer: str | Callable[[], Awaitable[str]]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, Mapping[str, Any] | None]] = []
        self.closed = 0

    async def complete(
        self, prompt: str, *, system: str, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> Completion:
        assert system
        assert max_tokens < 1_024
        self.asked.append((prompt, schema))
        return Completion(text=self.answer if isinstance(self.answer, str) else await self.answer())

    async def close(self) -> None:
        self.closed += 1


class Judge:
    """A reranker that prefers what holds a word."""

    name = "test/judge"

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[Sequence[str]] = []
        self.closed = False

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        assert query
        self.asked.append(texts)
        return [float(self.word in text) for text in texts]

    async def close(self) -> None:
        self.closed = True


class Silent(Judge):
    """A reranker that never answers."""

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        await asyncio.Event().wait()
        return await super().rerank(query, texts)


async def never() -> str:
    await asyncio.Event().wait()
    return ""


async def fails() -> str:
    raise LanguageModelError("the account is empty")


async def opened(store: Store, clock: FrozenClock, **models: Any) -> AsyncScoped:
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds(), **models}
    memory = await AsyncMemory.open(store, **options)
    return memory.scope(tenant="acme", user="alice")


SAID = [
    "The ferry to Bergen leaves at noon.",
    "Our cat Momo hates the ferry.",
    "Ida lent me a ladder.",
    "Ida moved to Oslo.",
    "The lighthouse needs paint.",
    "I prefer short emails.",
]


@pytest.fixture
async def told(store: Store, clock: FrozenClock) -> AsyncScoped:
    alice = await opened(store, clock)
    await alice.add(says(*SAID), conversation="c")
    clock.advance(days=1)
    return alice


def test_all_are_there_and_run_in_their_order() -> None:
    assert (*VARIED, "rerank") == TECHNIQUES


@pytest.mark.usefixtures("told")
async def test_the_settings_name_those_of_every_question(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, settings=Settings(techniques=["steps"], technique_seconds=60))
    question = "What about the ladder and what about the ferry?"
    assert {*(await alice.recall(question)).trace.techniques} == {"steps"}
    assert {*(await alice.why(question)).recalled.trace.techniques} == {"steps"}
    assert {*(await alice.recall(question, techniques=["expand"])).trace.techniques} == {"expand"}
    assert (await alice.recall(question, techniques=[])).trace.techniques == {}
    assert "steps: not done within 1e-09 s" in (await alice.context(question, deadline=1e-9)).degraded


@pytest.mark.parametrize("name", ["hyde", "multi_query", "rerank"])
async def test_those_of_the_settings_are_refused_where_no_model_is(clock: FrozenClock, name: str) -> None:
    with pytest.raises(CapabilityError, match=f"{name} needs a"):
        await opened(DictStore(), clock, settings=Settings(techniques=["steps", name]))


async def test_what_each_did_is_counted_for_its_owner(told: AsyncScoped) -> None:
    question = "What about the ladder and what about the ferry?"
    assert (await told.metrics()).techniques == {}
    plain = {item.id for item in (await told.why(question, limit=1)).recalled}
    found = await told.recall(question, limit=1, techniques=["steps", "expand"], deadline=60)
    await told.recall("ladder", limit=9, techniques=["steps"], deadline=60)
    await told.recall(question, techniques=["steps"], deadline=1e-9)
    did = (await told.metrics()).techniques
    assert {name: (one.ran, one.failed) for name, one in did.items()} == {"steps": (3, 1), "expand": (1, 0)}
    assert did["steps"].added >= len({item.id for item in found} - plain)
    assert did["steps"].milliseconds > 0


async def test_what_the_reranker_brings_up_is_added_by_it(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    question = "Who lent me the ladder?"
    [first] = (await told.why(question, kinds=["turn"], limit=1)).recalled
    alice = await opened(store, clock, reranker=Judge("paint"))
    [best] = await alice.recall(question, kinds=["turn"], limit=1, techniques=["expand", "rerank"])
    did = (await alice.metrics()).techniques
    assert best.id != first.id
    assert (did["expand"].helped, did["rerank"].helped, did["rerank"].added) == (0, 1, 1)


async def test_without_techniques_it_is_plain_recall(told: AsyncScoped) -> None:
    plain = await told.recall("Who lent me the ladder?")
    again = await told.recall("Who lent me the ladder?", techniques=(), deadline=None)
    bounded = await told.recall("Who lent me the ladder?", deadline=60)
    assert texts(plain) == texts(again) == texts(bounded)
    assert set(plain.trace.milliseconds) == set(bounded.trace.milliseconds) >= {"embed", "refresh", "score", "fetch"}


async def test_a_context_takes_them_too(told: AsyncScoped) -> None:
    question = "What about the ladder and what about the ferry?"
    made = await told.context(question, techniques=["steps"], deadline=60)
    assert {"Ida lent me a ladder.", "Our cat Momo hates the ferry."} <= {
        text for text in SAID if text in made.volatile_tail
    }
    late = await told.context(question, techniques=["steps"], deadline=1e-9)
    assert "steps: not done within 1e-09 s" in late.degraded


async def test_the_newer_of_two_that_say_nearly_the_same_stays_first(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, embedder=Scripted(crab=[1.0]), settings=PLAIN)
    words = "crab harbour lobster mill rope tower bridge engine window garden basket candle"
    await alice.add(says(words), conversation="a")
    clock.advance(hours=1)
    await alice.add(says(f"{words} kettle"), conversation="b")
    for techniques in ((), ("expand",), RULES):
        found = await alice.recall(words, techniques=techniques, deadline=60)
        assert texts(found) == [f"{words} kettle", words]
        assert found.items[0].score == found.items[1].score


@pytest.mark.parametrize("name", RULES)
async def test_each_is_timed_and_says_how_it_asked(told: AsyncScoped, name: str) -> None:
    found = await told.recall("Where did Ida move and who is Momo?", techniques=[name])
    assert found.trace.milliseconds[name] >= 0
    asked = [arm for arm in found.trace.arms if ": " in arm]
    assert asked
    assert all(arm.startswith(f"{name}: ") for arm in asked)
    assert found.degraded == ()
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert set(found.trace.left_out).isdisjoint(item.id for item in found)


async def test_each_tells_what_it_did(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder and what needs paint?", techniques=["expand", "steps"])
    kept = {name: len(ids) for name, ids in found.trace.arms.items() if name.startswith("steps: ")}
    said = "; ".join(f"{name.removeprefix('steps: ')} ({count} found)" for name, count in kept.items())
    assert found.trace.techniques["steps"] == said
    nothing = await told.recall("ladder", techniques=["self_query"])
    assert nothing.trace.techniques == {"self_query": "nothing to ask"}
    late = await told.recall("Who lent me the ladder?", techniques=["expand"], deadline=1e-9)
    assert late.trace.techniques == {"expand": "broken off"}
    assert (await told.recall("ladder")).trace.techniques == {}


async def test_why_takes_them_too(told: AsyncScoped) -> None:
    question = "What about the ladder and what about the ferry?"
    why = await told.why(question, limit=1, techniques=["steps"], deadline=60)  # which counts no use
    found = await told.recall(question, limit=1, techniques=["steps"], deadline=60)
    assert why.recalled.items == found.items
    assert why.recalled.trace.techniques == found.trace.techniques
    plain = await told.why(question, limit=1)
    led = next(refs[0] for name, refs in found.trace.arms.items() if name.startswith("steps: "))
    one = await told.why(question, led, limit=30, techniques=["steps"])
    assert any(name.startswith("steps: ") for name in one.arms)
    assert not any(name.startswith("steps: ") for name in (await told.why(question, led, limit=30)).arms)
    assert {cut.id for cut in plain.cut} <= {cut.id for cut in why.cut} | {item.id for item in found}
    late = await told.why(question, techniques=["steps"], deadline=1e-9)
    assert "steps: not done within 1e-09 s" in late.recalled.degraded
    with pytest.raises(CapabilityError, match="hyde needs a language model"):
        await told.why(question, techniques=["hyde"])


async def test_what_only_another_way_of_asking_came_upon_is_left_out_with_a_reason(told: AsyncScoped) -> None:
    for conversation in ("v", "w"):
        await told.add(says("A violin lies in the cellar."), conversation=conversation)
    memory = replace(told._runtime, language_models={"default": Writer("A violin lies in the cellar.")})
    found = await AsyncScoped(Async(), memory, told.scope).why("Who lent me the ladder?", techniques=["hyde"])
    [again] = [cut for cut in found.cut if "violin" in cut.text]
    assert again.reason == "the same words were said more recently or rank higher"
    assert not [cut for cut in (await told.why("Who lent me the ladder?")).cut if "violin" in cut.text]


async def test_the_same_question_twice_has_the_same_answer(store: Store, clock: FrozenClock) -> None:
    told = await opened(store, clock, settings=Settings(reinforce=False))  # what was found once is found sooner
    await told.add(says(*SAID), conversation="c")
    first, second = [await told.recall("Where did Ida move and who is Momo?", techniques=RULES) for _ in range(2)]
    assert texts(first) == texts(second)
    assert first.trace.arms == second.trace.arms


async def test_expansion_asks_under_the_other_name(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, settings=PLAIN)
    await alice.add(says("My brother Robert, also known as Bobby, is a sailor."), conversation="a")
    await alice.add(
        says("Robert sang.", "Robert slept.", "Dear Robert!", "I saw Bobby on a trawler."), conversation="b"
    )
    question = "Where is Robert?"
    plain = await alice.recall(question, kinds=["turn"])
    found = await alice.recall(question, kinds=["turn"], techniques=["expand"])
    assert "expand: Where is bobby?" in found.trace.arms
    before, after = (texts(answer).index("I saw Bobby on a trawler.") for answer in (plain, found))
    assert after < before
    assert found.items[after].why.endswith("; found by expand: Where is bobby?")


async def test_what_only_another_agent_calls_somebody_is_not_asked(memory: AsyncMemory) -> None:
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk")
    await clerk.add(says("My brother Robert, also known as Bobby, is a sailor."))
    cook = memory.scope(tenant="acme", user="alice", agent="cook")
    await cook.add(says("Robert sang."))
    for scope, known in ((clerk, True), (cook, False)):
        found = await scope.recall("Where is Robert?", techniques=["expand", "self_query", "steps"])
        assert any("bobby" in arm for arm in found.trace.arms) is known
    assert texts(found) == ["Robert sang."]


async def test_expansion_asks_as_a_statement(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?", techniques=["expand"])
    assert [arm for arm in found.trace.arms if ": " in arm] == ["expand: lent me the ladder"]
    nothing = await told.recall("short emails", techniques=["expand"])
    assert not [arm for arm in nothing.trace.arms if ": " in arm]


async def test_self_query_asks_for_the_kind(told: AsyncScoped) -> None:
    question = "What are my preferences for emails?"
    found = await told.recall(question, techniques=["self_query"])
    (arm,) = [refs for name, refs in found.trace.arms.items() if name == f"self_query: {question}"]
    kinds = {item.id: item.kind for item in found}
    assert {kinds[ref] for ref in arm} == {"preference"}
    turns = await told.recall(question, kinds=["turn"], techniques=["self_query"])
    assert {item.kind for item in turns} == {"turn"}


@pytest.mark.parametrize("until", [datetime(2020, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)])
async def test_self_query_adds_nothing_where_the_times_have_nothing_in_common(
    told: AsyncScoped, until: datetime
) -> None:
    found = await told.recall("What did I say in 2025?", until=until, techniques=["self_query"])
    assert not [name for name in found.trace.arms if name.startswith("self_query")]


async def test_self_query_asks_for_the_time_and_keeps_the_callers_bounds(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    for month in range(3):
        await alice.add(says(f"The ferry was full, month {month}."), conversation=str(month))
        clock.advance(days=31)
    question = "When was the ferry full last month?"
    found = await alice.recall(question, techniques=["self_query"])
    (arm,) = [refs for name, refs in found.trace.arms.items() if name.startswith("self_query")]
    assert [item.text for item in found if item.id in arm] == ["The ferry was full, month 2."]
    bounded = await alice.recall(question, until=clock.now - timedelta(days=40), techniques=["self_query"])
    assert "The ferry was full, month 2." not in texts(bounded)
    assert len(bounded) == 2


async def test_self_query_asks_for_what_names_or_is_said_by_somebody(told: AsyncScoped) -> None:
    await told.add([{"role": "user", "name": "Ida", "content": "I like the ladder more than the ferry."}])
    question = "What about Ida and the ferry?"
    found = await told.recall(question, kinds=["turn"], techniques=["self_query"])
    (arm,) = [refs for name, refs in found.trace.arms.items() if name.startswith("self_query")]
    assert {item.text for item in found if item.id in arm} <= {
        "Ida lent me a ladder.", "Ida moved to Oslo.", "I like the ladder more than the ferry.",
    }  # fmt: skip
    assert "I like the ladder more than the ferry." in {item.text for item in found if item.id in arm}
    assert "Our cat Momo hates the ferry." in texts(found)


async def test_self_query_asks_for_the_channel_and_sees_no_other(memory: AsyncMemory) -> None:
    ops = memory.scope(tenant="acme", user="alice", channel="ops")
    await ops.add(says("the red crab eats"))
    await memory.scope(tenant="acme", user="alice").add(says("the blue crab sleeps"))
    question = "crab in channel ops"
    for whole in (ops, memory.scope(tenant="acme", user="alice", whole=True)):
        found = await whole.recall(question, techniques=["self_query"])
        (arm,) = [refs for name, refs in found.trace.arms.items() if name.startswith("self_query")]
        assert [item.text for item in found if item.id in arm] == ["the red crab eats"]
    outside = await memory.scope(tenant="acme", user="alice").recall(question, techniques=["self_query"])
    assert texts(outside) == ["the blue crab sleeps"]
    assert not [name for name in outside.trace.arms if name.startswith("self_query")]


async def test_steps_answer_each_part(told: AsyncScoped) -> None:
    question = "Who lent me the ladder and what needs paint?"
    found = await told.recall(question, techniques=["steps"], kinds=["turn"])
    assert set(texts(found)[:2]) == {"Ida lent me a ladder.", "The lighthouse needs paint."}
    assert {"steps: Who lent me the ladder", "steps: what needs paint"} <= found.trace.arms.keys()


async def test_steps_go_over_a_bridge(store: Store, clock: FrozenClock) -> None:
    """What the best answers have in common leads to what does not share a word with the question."""
    alice = await opened(store, clock)
    await alice.add(says("The ladder belongs to Torben.", "The ladder was made by Torben himself."), conversation="a")
    await alice.add(says("Torben lives in Bergen.", "The soup was hot."), conversation="b")
    question = "Who made the ladder?"
    plain = await alice.recall(question, kinds=["turn"])
    found = await alice.recall(question, kinds=["turn"], techniques=["steps"])
    assert "Torben lives in Bergen." not in texts(plain)
    assert f"steps: torben: {question}" in found.trace.arms
    assert "Torben lives in Bergen." in texts(found)


async def test_nobody_who_speaks_is_a_bridge(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock)
    said = says("The ladder is made by Torben.", "That ladder of Torben is good.", name="Torben")
    await alice.add(said, conversation="a")
    found = await alice.recall("the ladder", techniques=["steps"])
    assert not [name for name in found.trace.arms if name.startswith("steps")]


async def test_a_search_that_finds_nothing_says_why(told: AsyncScoped) -> None:
    found = await told.recall("quantum chromodynamics", techniques=RULES)
    assert not found
    assert found.reason is not None
    assert found.reason.startswith("nothing relevant")


# ---------------------------------------------------------------------------------- filters that a model reads


def filters_of(**found: Any) -> str:
    return json.dumps({"since": None, "until": None, "kinds": [], "categories": [], "entities": [], **found})


async def asked_of(
    store: Store, clock: FrozenClock, answer: str | Callable[[], Awaitable[str]], question: str, **given: Any
) -> tuple[Recalled, Writer]:
    """What is recalled where a model answers so, and the model."""
    model = Writer(answer)
    alice = await opened(store, clock, language_model=model)
    await alice.add(says("The ferry was full.", "I decided to sell the ladder."), conversation="old")
    await alice.observe("The harbour closes at night.", category="closing")
    clock.advance(days=40)
    await alice.add(says("The ferry is empty.", "At the pier waits Torben Falk."), conversation="new")
    return await alice.recall(question, techniques=["self_query"], **given), model


def narrowed(found: Recalled) -> list[str]:
    """What was found by the filters."""
    [ids] = [refs for name, refs in found.trace.arms.items() if name.startswith("self_query")]
    kept = {item.id: item.text for item in found}
    return [kept[one] for one in ids if one in kept]


async def test_a_model_reads_times(store: Store, clock: FrozenClock) -> None:
    answer = filters_of(since="2026-01-01", until="2026-02-01")
    found, model = await asked_of(store, clock, answer, "how was the ferry back then")
    assert "The ferry was full." in narrowed(found)
    assert "The ferry is empty." not in narrowed(found)
    assert found.degraded == ()
    [(prompt, schema)] = model.asked
    assert f"Today: {clock.now:%A, %Y-%m-%d}" in prompt
    assert "Categories: closing, decision" in prompt
    assert schema is not None


async def test_a_model_reads_kinds_categories_and_entities(store: Store, clock: FrozenClock) -> None:
    found, _ = await asked_of(store, clock, filters_of(kinds=["decision"]), "what will become of the ladder")
    assert [text.rstrip(".") for text in narrowed(found)] == ["User decided to sell the ladder"]


async def test_a_model_reads_categories(store: Store, clock: FrozenClock) -> None:
    found, _ = await asked_of(store, clock, filters_of(categories=["closing"]), "when is the harbour shut")
    assert {*narrowed(found)} == {"The harbour closes at night."}


async def test_a_model_reads_entities(store: Store, clock: FrozenClock) -> None:
    found, _ = await asked_of(store, clock, filters_of(entities=["Torben Falk"]), "who is there all day")
    assert "At the pier waits Torben Falk." in narrowed(found)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("I do not know", "the model answered no object"),
        (filters_of(kinds=["poem"], entities=["Nobody", " "]), "kinds 'poem'; entities 'Nobody'; entities ' '"),
        (filters_of(since="soon", until=3), "since 'soon'; until 3"),
        (filters_of(since="2026-03-01", until="2026-02-01"), "since 2026-03-01 until 2026-02-01: nothing lies between"),
        (
            filters_of(kinds="poem", categories=[["x"], "strange"]),
            "kinds 'poem'; categories ['x']; categories 'strange'",
        ),
    ],
)
async def test_what_a_model_gets_wrong_is_told_and_ignored(
    store: Store, clock: FrozenClock, answer: str, told: str
) -> None:
    found, _ = await asked_of(store, clock, answer, "how was the ferry")
    assert [one for one in found.degraded if told in one and one.startswith("self_query: ignored of the model's")]
    assert not [name for name in found.trace.arms if name.startswith("self_query")]
    assert "The ferry was full." in texts(found)


async def test_the_callers_filters_count_more(store: Store, clock: FrozenClock) -> None:
    answer = filters_of(kinds=["decision"], categories=["decision"], since="2026-01-01T00:00:00Z")
    begun = clock.now + timedelta(days=30)
    given: dict[str, Any] = {"kinds": ["turn"], "categories": ["closing"], "since": begun}
    found, _ = await asked_of(store, clock, answer, "how was the ferry", **given)
    assert found.degraded == ("self_query: ignored of the model's answer: kinds 'decision'; categories 'decision'",)
    assert not found


async def test_rules_read_where_the_model_fails(store: Store, clock: FrozenClock) -> None:
    async def fails() -> str:
        raise LanguageModelError("no answer")

    found, _ = await asked_of(store, clock, fails, "Which decisions about the ladder did I make?")
    assert found.degraded == ("self_query: The language model test/writer failed: no answer",)
    assert [name for name in found.trace.arms if name.startswith("self_query")]


# ------------------------------------------------------------------------------------------------- limits


async def test_the_limits_hold_for_the_one_answer(told: AsyncScoped) -> None:
    await told.add(says("Ida lent me a ladder.", "I own no ladder."), conversation="d")
    question = "Who lent me the ladder and where did Ida move?"
    whole = await told.recall(question, techniques=RULES)
    said = [item.text for item in whole if item.of == "event"]
    assert len(said) == len(set(said))
    assert "the same words were said more recently or rank higher" in whole.trace.left_out.values()
    few = await told.recall(question, techniques=RULES, limit=2)
    assert texts(few) == texts(whole)[:2]
    assert "beyond the limit" in few.trace.left_out.values()
    spread = await told.recall(question, techniques=RULES, per_conversation=1, kinds=["turn"])
    assert sorted(item.conversation or "" for item in spread) == ["c", "d"]
    assert "enough from its conversation" in spread.trace.left_out.values()
    small = await told.recall(question, techniques=RULES, tokens=12)
    assert 0 < len(small) < len(whole)
    assert "over the token budget" in small.trace.left_out.values()
    filler = "We spoke about the garden and the weather for a long while. "
    await told.add(says(f"{filler * 20}Ida lent me the ladder of the zeppelin. {filler * 20}"), conversation="e")
    part = await told.recall("Which ladder did Ida lend me, of the zeppelin?", techniques=RULES, tokens=60)
    assert any("ladder of the zeppelin" in item.text and len(item.text) < 400 for item in part)
    none = await told.recall(question, techniques=RULES, tokens=1)
    assert none.reason == "the token budget is too small for any of the memories found"


@settings(deadline=None, max_examples=30)
@given(st.text(min_size=1, max_size=60), st.sets(st.sampled_from(RULES)), st.integers(1, 5))
def test_any_question_can_be_asked_in_any_way(text: str, techniques: set[str], limit: int) -> None:
    async def ask() -> None:
        async with await AsyncMemory.open(embedder="none", clock=FrozenClock()) as memory:
            alice = memory.scope(tenant="acme", user="alice")
            await alice.add(says(*SAID), conversation="c")
            if text.strip():
                found = await alice.recall(text, techniques=sorted(techniques), limit=limit)
                assert len(found) <= limit
                assert found.degraded == ()

    asyncio.run(ask())


# ----------------------------------------------------------------------------------------- with a model


async def test_hyde_finds_by_what_might_be_said(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    writer = Writer("The cat Momo hates it.")
    alice = await opened(store, clock, language_model=writer)
    question = "Who lent me the ladder?"
    assert texts(await told.recall(question))[1] != "Our cat Momo hates the ferry."
    found = await alice.recall(question, techniques=["hyde"])
    assert texts(found)[:2] == ["Ida lent me a ladder.", "Our cat Momo hates the ferry."]
    assert "; found by hyde: The cat Momo hates it." in found.items[1].why
    (asked,) = writer.asked
    assert asked == (f"Question: {question}", None)
    assert found.trace.milliseconds["hyde"] >= 0


async def test_a_long_text_of_a_model_is_told_in_short(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, language_model=Writer("The lighthouse needs paint. " * 9))
    found = await alice.recall("Who lent me the ladder?", techniques=["hyde"])
    assert texts(found)[1] == "The lighthouse needs paint."
    assert found.items[1].why.endswith("; found by hyde: " + ("The lighthouse needs paint. " * 9)[:79] + "…")
    assert texts(found)[0] == texts(await told.recall("Who lent me the ladder?"))[0]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("name", ["hyde", "multi_query"])
async def test_a_model_that_does_not_stop_is_cut_short(store: Store, clock: FrozenClock, name: str) -> None:
    endless = "The lighthouse needs paint. " * 9_999
    answer = endless if name == "hyde" else json.dumps([endless, " " * 9_999 + "ferry"])
    alice = await opened(store, clock, language_model=Writer(answer))
    found = await alice.recall("Who lent me the ladder?", techniques=[name])
    assert [arm for arm in found.trace.arms if ": " in arm] == [f"{name}: {endless[:2_000]}"]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    "answer", ['{"queries": ["lighthouse paint", "", 7]}', '["lighthouse paint"]', '```json\n["lighthouse paint"]\n```']
)
async def test_other_words_find_it(store: Store, clock: FrozenClock, answer: str) -> None:
    alice = await opened(store, clock, language_model=Writer(answer))
    found = await alice.recall("Who lent me the ladder?", techniques=["multi_query"])
    assert [name for name in found.trace.arms if ": " in name] == ["multi_query: lighthouse paint"]
    assert "The lighthouse needs paint." in texts(found)


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("answer", ["I cannot do that.", '{"queries": "x"}', '{"wishes": []}', "7"])
async def test_an_answer_without_queries_is_named(store: Store, clock: FrozenClock, answer: str) -> None:
    alice = await opened(store, clock, language_model=Writer(answer))
    found = await alice.recall("Who lent me the ladder?", techniques=["multi_query"])
    assert found.degraded == ("multi_query: The language model test/writer answered no list of queries.",)
    assert texts(found)[0] == "Ida lent me a ladder."


async def test_a_model_that_fails_costs_no_answer(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, language_model=Writer(fails))
    plain = await told.recall("Who lent me the ladder?")
    found = await alice.recall("Who lent me the ladder?", techniques=["hyde"])
    assert found.degraded == ("hyde: The language model test/writer failed: the account is empty",)
    assert found.items == plain.items


@pytest.mark.usefixtures("told")
async def test_the_question_is_answered_while_the_model_writes(store: Store, clock: FrozenClock) -> None:
    """Both techniques are asked for before either has answered."""
    waiting = asyncio.Event()
    writer = Writer("lighthouse paint")

    async def once_both_were_asked() -> str:
        if len(writer.asked) == 2:
            waiting.set()
        await waiting.wait()
        return '["lighthouse paint"]'

    writer.answer = once_both_were_asked
    alice = await opened(store, clock, language_model=writer)
    found = await alice.recall("Who lent me the ladder?", techniques=["hyde", "multi_query"])
    assert found.degraded == ()
    assert "The lighthouse needs paint." in texts(found)


# ----------------------------------------------------------------------------------------------- deadline


async def test_the_deadline_cuts_the_slow_and_not_the_answer(
    told: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    alice = await opened(store, clock, language_model=Writer(never), reranker=Silent("x"))
    plain = await told.recall("Who lent me the ladder?")
    found = await alice.recall("Who lent me the ladder?", techniques=TECHNIQUES, deadline=0.05)
    assert found.items[0].id == plain.items[0].id
    assert "hyde: not done within 0.05 s" in found.degraded
    assert "multi_query: not done within 0.05 s" in found.degraded
    assert "rerank: not done within 0.05 s" in found.degraded
    assert set(TECHNIQUES) <= found.trace.milliseconds.keys()


async def test_what_begins_after_the_deadline_is_not_begun(told: AsyncScoped) -> None:
    found = await told.recall("Who lent me the ladder?", techniques=["expand"], deadline=1e-9)
    assert found.degraded == ("expand: not done within 1e-09 s",)
    assert texts(found)[0] == "Ida lent me a ladder."


@pytest.mark.usefixtures("told")
async def test_the_deadline_holds_for_the_embedder(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, embedder=Broken(hangs))
    found = await alice.recall("Who lent me the ladder?", deadline=0.01)
    assert found.degraded == ("embedder: no answer within 0.01 s",)
    assert texts(found)[0] == "Ida lent me a ladder."


@pytest.mark.usefixtures("told")
async def test_without_a_deadline_the_settings_say_how_long(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, language_model=Writer(never), settings=Settings(technique_seconds=0.01))
    found = await alice.recall("Who lent me the ladder?", techniques=["hyde"])
    assert found.degraded == ("hyde: not done within 0.01 s",)


@pytest.mark.usefixtures("told")
async def test_a_server_that_hangs_is_cut_and_one_that_answers_is_heard(store: Store, clock: FrozenClock) -> None:
    with ModelServer() as server:
        server.script = [server.says('{"queries": ["lighthouse paint"]}'), server.hang]
        model = open_language_model("openai:some-model", api_key="any", base_url=server.url)
        alice = await opened(store, clock, language_model=model)
        heard = await alice.recall("Who lent me the ladder?", techniques=["multi_query"])
        cut = await alice.recall("Who lent me the ladder?", techniques=["multi_query"], deadline=0.1)
        assert model is not None
        await model.close()
    assert heard.degraded == ()
    assert "multi_query: lighthouse paint" in heard.trace.arms
    assert cut.degraded == ("multi_query: not done within 0.1 s",)
    assert cut.items == (await alice.recall("Who lent me the ladder?")).items
    assert server.requests[0].body["response_format"]["json_schema"]["strict"] is True


# ----------------------------------------------------------------------------------------------- reranking


async def test_the_reranker_has_the_last_word(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    judge = Judge("lighthouse")
    alice = await opened(store, clock, reranker=judge)
    question = "Who lent me the ladder, the lighthouse or the ferry?"
    plain = await told.recall(question, kinds=["turn"])
    found = await alice.recall(question, kinds=["turn"], techniques=["rerank"])
    assert texts(plain)[0] != texts(found)[0] == "The lighthouse needs paint."
    best = found.items[0]
    assert best.why.endswith("; reranked 1.00")
    assert sum(best.shares.values()) == pytest.approx(best.score, abs=0.005)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    (asked,) = judge.asked
    assert set(asked) == set(texts(found))


async def test_a_reranker_that_fails_costs_no_answer(told: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    class Failing(Judge):
        async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            raise RerankerError(f"{query} of {len(texts)}")

    alice = await opened(store, clock, reranker=Failing("x"))
    plain = await told.recall("Who lent me the ladder?")
    found = await alice.recall("Who lent me the ladder?", techniques=["rerank"])
    assert found.items == plain.items
    assert found.degraded[0].startswith("rerank: The reranker test/judge failed: Who lent me the ladder? of")


# ---------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"techniques": ["magic"]}, InputError, "techniques is 'magic'; give one of expand, "),
        ({"techniques": "expand"}, InputError, "techniques is 'expand'; give a list"),
        ({"deadline": 0}, InputError, "deadline is 0; give seconds, more than 0"),
        ({"deadline": True}, InputError, "deadline is True"),
        ({"techniques": ["hyde", "multi_query"]}, CapabilityError, "hyde, multi_query needs a language model"),
        ({"techniques": ["rerank"]}, CapabilityError, "rerank needs a reranker"),
    ],
)
async def test_what_cannot_be_is_refused(
    told: AsyncScoped, given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        await told.recall("Who lent me the ladder?", **given)


async def test_what_a_technique_asks_is_metered_and_models_of_tasks_are_closed_once(clock: FrozenClock) -> None:
    writer, other, calls = Writer("The ladder came from Ida."), Writer("x"), list[Call]()
    async with await AsyncMemory.open(
        embedder="none",
        clock=clock,
        language_model={"default": writer, "review": writer, "narrative": other},
        settings=Settings(meter=calls.append),
    ) as memory:
        await memory.scope(tenant="t", user="u").recall("Who lent me the ladder?", techniques=["hyde"])
    assert [(call.task, call.model, call.outcome) for call in calls] == [("default", "test/writer", "answered")]
    assert (writer.closed, other.closed) == (1, 1)


async def test_a_task_with_a_model_is_no_model_for_techniques(clock: FrozenClock) -> None:
    async with await AsyncMemory.open(embedder="none", clock=clock, language_model={"review": Writer("x")}) as memory:
        with pytest.raises(CapabilityError, match="hyde needs a language model"):
            await memory.scope(tenant="t", user="u").recall("Who lent me the ladder?", techniques=["hyde"])


TALK = "Yesterday Marguerite came by, and we had soup for two hours. Then the rain ended. "
BOTH = f"{TALK}Who lent me the ladder? And when does the ferry leave?"


async def test_what_a_technique_asks_is_looked_up_as_it_is(store: Store, clock: FrozenClock) -> None:
    passage = "The ladder is lent. It came on Sunday from Ida. The gutter was full of leaves."
    told = await opened(store, clock, language_model=Writer(passage))
    await told.add(says(*SAID))
    found = await told.recall(f"{TALK}Who lent me the ladder?", techniques=["hyde"])
    assert found.trace.asked == ("Who lent me the ladder?",)
    assert f"hyde: {passage}" in found.trace.arms
    [variant] = [ids for name, ids in found.trace.arms.items() if name.startswith("hyde")]
    alone = await told.recall(f"{passage[:-1].replace('. ', ', ')}", limit=30)
    assert variant == tuple(item.id for item in alone)


async def test_techniques_vary_what_a_request_asks_and_not_the_words_around_it(told: AsyncScoped) -> None:
    found = await told.recall(BOTH, techniques=["self_query", "steps"])
    assert found.trace.techniques["self_query"] == "nothing to ask"  # Marguerite and yesterday narrow nothing
    asked = "ida: And when does the ferry leave? Who lent me the ladder?"  # Ida is who the answers share
    assert found.trace.techniques["steps"].startswith(asked)
    assert f"steps: {asked}" in found.trace.arms


async def test_the_reranker_reads_what_a_request_asks(store: Store, clock: FrozenClock) -> None:
    class Reading(Judge):
        async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            asked.append(query)
            return await super().rerank(query, texts)

    asked: list[str] = []
    told = await opened(store, clock, reranker=Reading("ladder"))
    await told.add(says(*SAID))
    await told.recall(BOTH, techniques=["rerank"])
    await told.recall("Who lent me the ladder?", techniques=["rerank"])
    assert asked == ["And when does the ferry leave? Who lent me the ladder?", "Who lent me the ladder?"]


async def test_what_ended_stands_below_what_took_its_place_however_it_is_judged(
    store: Store, clock: FrozenClock
) -> None:
    told = await opened(store, clock, reranker=Judge("Oslo"))
    await told.add(says("I live in Oslo."), conversation="a")
    clock.advance(days=20)
    await told.add(says("I live in Bergen now."), conversation="b")
    found = await told.recall("Where do I live?", techniques=["rerank"])
    place = texts(found).index("I live in Oslo.")
    assert found.items[place].status == "expired"
    assert 0 < texts(found).index("I live in Bergen now.") < place
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert all(sum(item.shares.values()) == pytest.approx(item.score, abs=0.01) for item in found)
    before = await told.recall("Where do I live?", techniques=["rerank"], as_of=clock.now - timedelta(days=1))
    assert before.items[0].text.endswith("in Oslo.")


async def test_models_come_guarded_and_are_closed(clock: FrozenClock) -> None:
    writer, judge = Writer("x"), Judge("x")
    async with await AsyncMemory.open(embedder="none", clock=clock, language_model=writer, reranker=judge):
        assert not writer.closed
    assert writer.closed
    assert judge.closed
    wrong: list[dict[str, Any]] = [
        {"language_model": 7},
        {"language_model": Writer},
        {"reranker": writer},
        {"reranker": Judge},
    ]
    for models in wrong:
        with pytest.raises(SetupError, match=r"is no (?:language model|reranker): give"):
            await AsyncMemory.open(embedder="none", **models)
    async with await AsyncMemory.open(embedder="none", language_model="none", reranker="none"):
        pass
