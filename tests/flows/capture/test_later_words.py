"""A later word: a model judges which earlier turns a new one outdates, and recall lets it stand above them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import Scripted, rows, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.recall.results import Item
from memoranda.core.rows import LaterWord
from memoranda.errors import InputError, RerankerError
from memoranda.flows.runtime.ledger import Ledger
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

QUARRY, BRAMBLE, DOG = "Parcels go to 14 Quarry Hill.", "It is Bramble Court for the parcels.", "The dog barks."


class Judge:
    """Finds that a text which names one of some words outdates all others; it keeps what it was asked."""

    name = "test/judge"

    def __init__(self, *words: str) -> None:
        self.words, self.asked = words, list[tuple[str, tuple[str, ...]]]()
        self.fails: Exception | None = None
        self.sure = 0.99

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append((query, tuple(texts)))
        if self.fails:
            raise self.fails
        return [self.sure if any(word in query for word in self.words) else 0.1 for _ in texts]

    async def close(self) -> None:
        pass


@pytest.fixture
def judge() -> Judge:
    return Judge("Bramble")


@pytest.fixture
async def memory(store: Store, clock: FrozenClock, judge: Judge) -> AsyncIterator[AsyncMemory]:
    near = Scripted(parcel=(1, 0), dog=(0, 1), fox=(0.1, 1), bramble=(1, 0))
    settings = Settings(embed_seconds=0.05)
    async with await AsyncMemory.open(
        store, embedder=near, currency=judge, clock=clock, ids=SequentialIds(), settings=settings
    ) as memory:
        yield memory


async def tell(alice: AsyncScoped, clock: FrozenClock, *contents: str, **options: Any) -> list[str]:
    """The ids of turns, each said a day after the one before."""
    found = []
    for content in contents:
        clock.now += timedelta(days=1)
        found += (await alice.add(says(content), **options)).events
    return found


async def places(alice: AsyncScoped, question: str = "Where do the parcels go?", **options: Any) -> list[Item]:
    return [item for item in await alice.recall(question, **options) if item.of == "event"]


async def test_it_stands_directly_above_what_it_outdates(alice: AsyncScoped, clock: FrozenClock, store: Store) -> None:
    first, second, _ = await tell(alice, clock, QUARRY, BRAMBLE, DOG)
    (word,) = await rows(store, LaterWord)
    assert (word.earlier, word.ref, word.probability, word.model) == (first, second, 0.99, "test/judge")
    found = await places(alice)
    assert [item.id for item in found[:2]] == [second, first]
    assert [(item.later, item.status, item.valid_to) for item in found[:2]] == [(None, "", None), (second, "", None)]


async def test_one_that_is_likelier_not_to_be_one_is_not_told(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge
) -> None:
    for judge.sure, later in ((0.49, False), (0.5, True)):
        first, second = await tell(alice, clock, f"The parcels go to {later}, where parcels go.", BRAMBLE)
        found = {item.id: item for item in await places(alice)}
        assert (found[first].later == second, "currency" in found[second].shares) == (later, later)


async def test_only_turns_of_the_user_that_resemble_one_another_are_compared(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge
) -> None:
    await tell(alice, clock, QUARRY, DOG)
    await alice.add(says("Parcels, I see.", role="assistant"))
    await alice.add(says("Parcels come at nine.", name="Bob"))
    await alice.observe("Parcels are late.")
    assert judge.asked == []
    await alice.add(says("The fox barks at the dog."))
    assert judge.asked == [("The fox barks at the dog.", (DOG,))]


async def test_turns_of_one_call_are_compared_in_order(alice: AsyncScoped, judge: Judge, store: Store) -> None:
    first, second, _ = (await alice.add([*says(QUARRY), *says(BRAMBLE), *says(DOG)])).events
    assert judge.asked == [(BRAMBLE, (QUARRY,))]
    assert [word.turns for word in await rows(store, LaterWord)] == [(first, second)]


async def test_what_is_told_late_of_an_earlier_time_is_the_earlier_word(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge, store: Store
) -> None:
    (second,) = await tell(alice, clock, BRAMBLE)
    before = (clock.now - timedelta(days=30)).isoformat()
    (first,) = (await alice.add([{**says(QUARRY)[0], "timestamp": before}])).events
    assert judge.asked == [(BRAMBLE, (QUARRY,))]
    assert [word.turns for word in await rows(store, LaterWord)] == [(first, second)]


async def test_it_is_nothing_to_a_question_about_an_earlier_time(alice: AsyncScoped, clock: FrozenClock) -> None:
    first, _ = await tell(alice, clock, QUARRY, BRAMBLE)
    found = await places(alice, as_of=clock.now - timedelta(hours=1))
    assert [(item.id, item.later) for item in found] == [(first, None)]


async def test_what_was_recorded_later_was_not_known(alice: AsyncScoped, clock: FrozenClock) -> None:
    (first,) = await tell(alice, clock, QUARRY)
    known, said = clock.now, clock.now + timedelta(minutes=1)
    clock.now += timedelta(days=9)
    await alice.add([{**says(BRAMBLE)[0], "timestamp": said.isoformat()}])
    assert [item.later is not None for item in await places(alice)] == [False, True]
    assert [(item.id, item.later) for item in await places(alice, known_at=known)] == [(first, None)]


async def test_what_another_process_forgot_meanwhile_is_not_judged(
    alice: AsyncScoped, clock: FrozenClock, store: Store, judge: Judge
) -> None:
    (first,) = await tell(alice, clock, QUARRY)
    async with await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("b")) as other:
        await other.scope(tenant="acme", user="alice").forget(source=first)
        captured = await alice.add(says(BRAMBLE))
        assert (len(captured.events), captured.degraded, judge.asked) == (1, (), [])
        assert await rows(store, LaterWord) == []


async def test_a_context_tells_it_of_a_choice_too(alice: AsyncScoped, clock: FrozenClock) -> None:
    chose = "I decided to paint the parcel van red, since the sun bleaches it."
    await tell(alice, clock, chose, BRAMBLE, conversation="c1")
    context = await alice.context("What of the parcel van?", conversation="now")
    choices = next(one for one in context.sections if one.name == "preferences")
    assert len(choices.included) == 1
    assert f"(2026-01-06; later, on 2026-01-07, more was said) user: {chose}\n" in context.text


async def test_what_another_process_said_meanwhile_is_compared(
    alice: AsyncScoped, clock: FrozenClock, store: Store
) -> None:
    await tell(alice, clock, DOG)
    near = Scripted(parcel=(1, 0), dog=(0, 1))
    async with await AsyncMemory.open(store, embedder=near, clock=clock, ids=SequentialIds("b")) as other:
        (first,) = await tell(other.scope(tenant="acme", user="alice"), clock, QUARRY)
        (second,) = await tell(alice, clock, BRAMBLE)
        assert [word.turns for word in await rows(store, LaterWord)] == [(first, second)]


async def test_what_is_sent_again_is_not_judged(
    alice: AsyncScoped, clock: FrozenClock, store: Store, judge: Judge
) -> None:
    first, again = ({**says(content)[0], "id": "m1"} for content in ("More parcels.", BRAMBLE))
    await alice.add([*says(QUARRY), first, again], conversation="c1")
    assert judge.asked == [("More parcels.", (QUARRY,))]
    near = Scripted(parcel=(1, 0))
    async with await AsyncMemory.open(
        store, embedder=near, currency=judge, clock=clock, ids=SequentialIds("b")
    ) as other:
        captured = await other.scope(tenant="acme", user="alice").add([again], conversation="c1")
        assert (captured.known, len(judge.asked), await rows(store, LaterWord)) == (1, 1, [])


async def test_what_is_withheld_is_not_judged(
    alice: AsyncScoped, clock: FrozenClock, store: Store, judge: Judge
) -> None:
    await tell(alice, clock, QUARRY, "It is at Bramble Court that parcels are.")
    await alice.forget(value="It is at Bramble Court", for_good=True)
    judge.asked.clear()
    near = Scripted(parcel=(1, 0))
    async with await AsyncMemory.open(
        store, embedder=near, currency=judge, clock=clock, ids=SequentialIds("b")
    ) as other:
        again = "Parcels are nice. It is at Bramble Court that parcels are. More parcels."
        captured = await other.scope(tenant="acme", user="alice").add(says(again))
        assert (captured.forgotten, judge.asked, await rows(store, LaterWord)) == (1, [], [])


async def test_another_agent_does_not_see_that_there_is_one(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    own, other = (memory.scope(tenant="acme", user="alice", agent=name) for name in "ab")
    (first,), _ = await tell(alice, clock, QUARRY), await tell(own, clock, BRAMBLE)
    assert [(item.id, item.later) for item in await places(other)] == [(first, None)]
    assert [item.later is not None for item in await places(own)] == [False, True]


@pytest.mark.parametrize("private", [0, 1])
async def test_only_who_sees_both_turns_exports_it(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock, private: int
) -> None:
    own, other = (memory.scope(tenant="acme", user="alice", agent=name) for name in "ab")
    for place, content in enumerate((QUARRY, BRAMBLE)):
        await tell(own if place == private else alice, clock, content)
    exported = [[line async for line in one.export() if line.get("kind") == "later_words"] for one in (own, other)]
    assert [len(lines) for lines in exported] == [1, 0]


@pytest.mark.parametrize("which", [0, 1])
async def test_it_falls_with_either_turn(alice: AsyncScoped, clock: FrozenClock, store: Store, which: int) -> None:
    told = await tell(alice, clock, QUARRY, BRAMBLE)
    receipt = await alice.forget(source=told[which])
    assert await rows(store, LaterWord) == []
    assert [item.later for item in await places(alice)] == [None]
    assert receipt.verify()


async def test_it_is_exported_and_a_rebuild_keeps_it(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock, store: Store
) -> None:
    await tell(alice, clock, QUARRY, BRAMBLE)
    assert "later_words" in {line["kind"] async for line in alice.export() if "kind" in line}
    await memory.rebuild(tenant="acme", user="alice")
    assert len(await rows(store, LaterWord)) == 1
    assert [item.later is not None for item in await places(alice)] == [False, True]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (RerankerError("no memory left"), "currency: The reranker test/judge failed: no memory left"),
        (TimeoutError(), "currency: The reranker test/judge failed: "),
    ],
)
async def test_a_model_that_fails_degrades_a_call(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge, failure: Exception, told: str
) -> None:
    await tell(alice, clock, QUARRY)
    judge.fails = failure
    captured = await alice.add(says(BRAMBLE))
    assert captured.degraded == (told,)
    assert len(await places(alice)) == 2


async def test_a_model_that_does_not_answer_in_time_degrades_a_call(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> Any:
        await asyncio.Event().wait()

    await tell(alice, clock, QUARRY)
    monkeypatch.setattr(judge, "rerank", never)
    assert (await alice.add(says(BRAMBLE))).degraded == ("currency: no answer within 0.05 s",)


async def test_a_model_that_the_budget_does_not_allow_is_not_asked(
    alice: AsyncScoped, clock: FrozenClock, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def spent(_: object, __: object, model: str) -> str | None:
        return "the user's balance is spent" if model == judge.name else None

    await tell(alice, clock, QUARRY)
    monkeypatch.setattr(Ledger, "refusal", spent)
    assert (await alice.add(says(BRAMBLE))).degraded == ("currency: the user's balance is spent",)
    assert judge.asked == []


async def test_without_a_model_nothing_is_judged(store: Store, clock: FrozenClock) -> None:
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds()) as memory:
        await memory.scope(tenant="acme", user="alice").add([*says(QUARRY), *says(BRAMBLE)])
        assert await rows(store, LaterWord) == []


async def test_beliefs_with_a_later_word_are_to_be_reviewed(
    alice: AsyncScoped, clock: FrozenClock, store: Store
) -> None:
    first, second = await tell(alice, clock, "My manager is Omar, the parcel man.", "Bramble it is, parcel or not.")
    (dispute,) = await alice.review.find()
    assert (dispute.record.sources, dispute.against, dispute.later) == ((first,), (), (second,))
    done = await alice.review.accept(dispute.record.id)
    assert (done.record.status, done.ended) == ("verified", ())
    assert await alice.review.find() == ()
    assert await rows(store, LaterWord) == []
    with pytest.raises(InputError, match="is verified, not in doubt"):
        await alice.review.accept(dispute.record.id)


async def test_a_rebuild_keeps_what_was_decided_of_a_later_word(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await tell(alice, clock, "My manager is Omar, the parcel man.", "Bramble it is, parcel or not.")
    (dispute,) = await alice.review.find()
    await alice.review.accept(dispute.record.id)
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    assert await alice.review.find() == ()
