"""What is said off the record reaches no row, no cache and no model, whichever way it comes."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from flows.helpers import everything, rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.language.force.off_record import WITHHELD
from memoranda.core.rows import Event
from memoranda.core.rows.columns import Floats
from memoranda.errors import StoreUnavailableError
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Store
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

ASKED = "Don't save my next message."


class Reading(HashedEmbedder):
    """An embedder that keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__(64)
        self.shown: list[str] = []

    async def embed(self, texts: Sequence[str], **more: Any) -> Floats:
        self.shown += texts
        return await super().embed(texts, **more)


@pytest.fixture
def read() -> Reading:
    return Reading()


@pytest.fixture
def cache() -> DictCache:
    return DictCache()


@pytest.fixture
async def memory(store: Store, clock: FrozenClock, cache: DictCache, read: Reading) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(store, embedder=read, clock=clock, ids=SequentialIds(), cache=cache) as memory:
        yield memory


def answer(text: str, role: str = "assistant") -> list[dict[str, Any]]:
    return [{"role": role, "content": text}]


async def told(store: Store, cache: DictCache, read: Reading) -> str:
    """Everything that is kept, and everything that a model was shown, in lower case."""
    return repr((await everything(store), vars(cache), read.shown)).lower()


async def test_it_is_withheld_before_a_model_sees_it(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.add(says(ASKED), conversation="c1")
    await alice.add([*says("I have gout."), *answer("Gout is treatable.")], conversation="c1")
    assert "gout" not in await told(store, cache, read)


async def test_turns_of_no_conversation_are_heard_in_order(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.add([*says(ASKED), *says("I have gout."), *answer("Gout is treatable.")])
    await alice.add(answer("As I said of gout, rest."))
    await alice.add(says("I live in Bonn."))
    found = await told(store, cache, read)
    assert "gout" not in found
    assert "bonn" in found


async def test_working_memory_holds_nothing_of_it(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    desk = alice.working("c1")
    await desk.add(says(ASKED))
    for turn in (says("I have gout."), answer("Gout is treatable."), says("Thanks!"), answer("Good luck with gout.")):
        await desk.add(turn)
    view = await desk.add([*says("I decided to learn Go."), *answer("Go is small.")])
    assert [turn["content"] == WITHHELD for turn in view.turns] == [False, True, True, True, True, False, False]
    found = await told(store, cache, read)
    assert "gout" not in found
    assert "go is small" in found
    await desk.persist()
    await desk.flush()
    found = await told(store, cache, read)
    assert "gout" not in found
    assert "go is small" in found


async def test_a_wish_outlasts_the_desk(alice: AsyncScoped, store: Store, cache: DictCache, read: Reading) -> None:
    desk = alice.working("c1")
    await desk.add(says(ASKED))
    await desk.flush()
    await desk.add(says("I have gout."))
    assert "gout" not in await told(store, cache, read)


async def test_another_process_knows_of_it(
    memory: AsyncMemory, store: Store, cache: DictCache, clock: FrozenClock, read: Reading
) -> None:
    other = await AsyncMemory.open(store, embedder=read, clock=clock, ids=SequentialIds("other-"), cache=cache)
    for one, text in ((memory, ASKED), (other, "I have gout.")):
        desk = one.scope(tenant="acme", user="alice").working("c1")
        await desk.add(says(text))
        await desk.flush()
    assert "gout" not in await told(store, cache, read)


async def test_courtesy_does_not_use_up_the_wish(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.add([*says(ASKED), *answer("Sure."), *says("Thanks!"), *answer("Go on.")], conversation="c1")
    await alice.add([*says("I have gout."), *answer("Gout hurts."), *says("Thank you.")], conversation="c1")
    await alice.add([*answer("Get well with your gout."), *says("I live in Bonn.")], conversation="c1")
    found = await told(store, cache, read)
    assert "gout" not in found
    assert "bonn" in found


async def test_in_a_group_the_wish_is_its_speaker_s(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.add(says(ASKED, name="Ann"), conversation="c1")
    await alice.add(says("The train leaves at nine.", name="Bob"), conversation="c1")
    await alice.add([*says("I have gout.", name="Ann"), *answer("Gout hurts.")], conversation="c1")
    found = await told(store, cache, read)
    assert "gout" not in found
    assert "train" in found


async def test_an_agent_s_notes_and_calls_answer_it_too(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    here = memory.scope(tenant="acme", user="alice", conversation="c1")
    await alice.add(says("Off the record, I have gout."), conversation="c1")
    call = await alice.tools.record("search", {"query": "gout diet"}, ["Gout diets"], conversation="c1", latency=0.2)
    await here.observe("User has gout.", source="agent")
    await alice.add(answer("Facts about gout.", role="system"), conversation="c1")
    assert "gout" not in " ".join(read.shown)
    await here.context("What helps against gout?")
    read.shown.clear()  # the question is searched with, and not kept
    found = await told(store, cache, read)
    assert "gout" not in found
    assert [one.calls for one in await alice.tools.stats()] == [1]
    [event] = [event for event in await rows(store, Event) if event.id == call.id]
    assert (event.content, event.metadata["latency"]) == (WITHHELD, 0.2)


async def test_calls_know_of_turns_that_wait_in_working_memory(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.working("c1").add(says("Off the record, I have asthma."))
    await alice.tools.record("search", {"query": "asthma"}, ["Inhalers for asthma"], conversation="c1")
    assert "asthma" not in " ".join(read.shown)
    await alice.context("What helps against asthma?", conversation="c1")
    read.shown.clear()
    assert "asthma" not in await told(store, cache, read)


async def test_notes_of_a_turn_off_the_record_go_with_it(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    await alice.add(
        says("Off the record, I have gout.", preview="gout", id="m1"), conversation="c1", metadata={"page": "gout"}
    )
    assert "gout" not in await told(store, cache, read)
    [event] = await rows(store, Event)
    assert event.metadata == {"message": "m1"}


async def test_a_window_that_slides_is_heard_as_it_was_kept(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    turns = [
        *says(ASKED, id="m1"),
        *says("I have gout.", id="m2"),
        {**answer("Gout hurts.")[0], "id": "m3"},
        {**answer("Take care of your gout.")[0], "id": "m4"},
    ]
    for memory in (alice, alice.working("c2")):
        place: dict[str, Any] = {"conversation": "c1"} if memory is alice else {}
        for end in range(1, 5):
            await memory.add(turns[max(0, end - 2) : end], **place)
    assert "gout" not in await told(store, cache, read)


async def test_what_the_user_states_apart_is_kept(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("Off the record, I have gout."), conversation="c1")
    await memory.scope(tenant="acme", user="alice", conversation="c1").observe("I live in Bonn.")
    await alice.add(says("The gate code is on the door."), conversation="c2")
    assert {"I live in Bonn.", "The gate code is on the door."} <= {row.content for row in await rows(store, Event)}


async def test_what_is_given_again_to_an_empty_desk_is_as_it_was_kept(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    desk = alice.working("c1")
    turns = [
        *says("Hello.", id="m0"),
        *says(ASKED, id="m1"),
        *says("I have gout.", id="m2"),
        {**answer("Gout hurts, see a doctor about the gout.")[0], "id": "m3"},
    ]
    await desk.add(turns)
    await desk.flush()
    await desk.add([*turns[2:], *says("I live in Bonn.", id="m4")])
    assert [turn["content"] for turn in await desk.turns()] == [WITHHELD, WITHHELD, "I live in Bonn."]
    await desk.flush()
    await desk.add(turns[2:3])
    await desk.flush()
    assert "gout" not in await told(store, cache, read)


async def test_a_wish_may_be_uttered_twice(alice: AsyncScoped, store: Store, cache: DictCache, read: Reading) -> None:
    await alice.add([*says(ASKED), *says("Can I tell you something off the record?")], conversation="c1")
    await alice.add([*answer("Go on."), *says("I have gout.")], conversation="c1")
    assert "gout" not in await told(store, cache, read)


async def test_a_wish_is_known_longer_than_the_window_is(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    desk = alice.working("c1")
    await desk.add(says("Hello."))
    await desk.add(says("Off the record, I have gout."))
    for number in range(30):
        await desk.add(answer(f"Gout tip number {number}."))
    await alice.tools.record("search", "gout diet", conversation="c1")
    await desk.persist()
    assert "gout" not in await told(store, cache, read)


async def test_a_name_may_be_written_otherwise_or_left_out(
    alice: AsyncScoped, store: Store, cache: DictCache, read: Reading
) -> None:
    for number, name in enumerate(("ann ", None)):
        await alice.add(says(ASKED, name="Ann"), conversation=f"c{number}")
        said = says("I have gout.", name=name) if name else says("I have gout.")
        await alice.add(said, conversation=f"c{number}")
    assert "gout" not in await told(store, cache, read)


async def test_what_is_stated_of_the_graph_is_said_apart(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says("Off the record, I have gout."), conversation="c1")
    here = memory.scope(tenant="acme", user="alice", conversation="c1")
    assert (await here.graph.upsert("Acme", type="company", source="agent")).type == "company"


async def test_answers_are_withheld_in_a_conversation_only(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("Off the record, I have gout."))
    await alice.tools.record("weather", "Bonn", "sunny")
    assert [row.content for row in await rows(store, Event)][-1].endswith("sunny")


async def test_a_desk_takes_turns_while_the_log_is_down(
    store: Store, clock: FrozenClock, cache: DictCache, read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: Any, **__: Any) -> Any:
        raise StoreUnavailableError("down")

    memory = await AsyncMemory.open(store, embedder=read, clock=clock, ids=SequentialIds(), cache=cache)
    desk = memory.scope(tenant="acme", user="alice").working("c1")
    with monkeypatch.context() as patched:
        patched.setattr(memory._runtime.partitions, "recent", down)
        for turn in (says(ASKED), says("I have gout."), says("I live in Bonn.")):
            view = await desk.add(turn)
    assert [turn["content"] for turn in view.turns[1:]] == [WITHHELD, "I live in Bonn."]
