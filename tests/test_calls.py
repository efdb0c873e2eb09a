"""A call whose arguments do not fit fails at the caller's line, in the words of the method that was called."""

import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memoranda import AsyncMemory, Memory

CALLS: list[tuple[Callable[[Any, Any], Any], str]] = [
    (lambda _, s: s.recall(), "Scoped.recall() missing 1 required argument: 'query'"),
    (lambda _, s: s.recall("x", limt=1), ("Scoped.recall() got an unexpected keyword argument 'limt'; "
     "did you mean 'limit'?")),
    (lambda _, s: s.recall("x", 5), "Scoped.recall() too many positional arguments"),
    (lambda _, s: s.recall("x", query="y"), "Scoped.recall() multiple values for argument 'query'"),
    (lambda _, s: s.profile(zzz=1), "Scoped.profile() got an unexpected keyword argument 'zzz'; it takes now."),
    (lambda _, s: s.metrics(zzz=1), "Scoped.metrics() got an unexpected keyword argument 'zzz'; it takes none."),
    (lambda _, s: s.goals.add(), "Goals.add() missing 1 required argument: 'text'"),
    (lambda _, s: s.working("c").set("k", 1, tll=5), ("Working.set() got an unexpected keyword argument 'tll'; "
     "did you mean 'ttl'?")),
    (lambda _, s: s.collections.share("a"), "Collections.share() missing 1 required argument: 'record'"),
    (lambda m, _: m.scope(tenant="t", usr="u"), ("Memory.scope() got an unexpected keyword argument 'usr'; "
     "did you mean 'user'?")),
    (lambda m, _: m.run_job("decay"), "Memory.run_job() missing 1 required argument: 'tenant'"),
]  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(embedder="none") as memory:
        yield memory


@pytest.mark.parametrize(("call", "words"), CALLS, ids=[words for _, words in CALLS])
def test_a_blocking_call_fails_at_the_callers_line(memory: Memory, call: Callable[[Any, Any], Any], words: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(memory, memory.scope(tenant="t", user="u"))
    assert str(caught.value) == words
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)
    here, asked, *inside = traceback.extract_tb(caught.tb)
    assert (here.filename, asked.filename, len(inside)) == (__file__, __file__, 1)


@pytest.mark.anyio
@pytest.mark.parametrize(("call", "words"), CALLS[:9], ids=[words for _, words in CALLS[:9]])
async def test_so_does_an_asynchronous_one(call: Callable[[Any, Any], Any], words: str) -> None:
    async with await AsyncMemory.open(embedder="none") as memory:
        with pytest.raises(TypeError) as caught:
            await call(memory, memory.scope(tenant="t", user="u"))
        assert str(caught.value) == (f"Async{words}" if words.startswith("Scoped.") else words)
        assert len(traceback.extract_tb(caught.tb)) <= 2


def test_an_error_inside_of_a_call_is_not_taken_for_one_of_its_arguments(memory: Memory) -> None:
    def clumsy(_: int) -> None:
        raise TypeError("a slip of the host") from ValueError("its cause")

    alice = memory.scope(tenant="t", user="u")
    alice.add([{"role": "user", "content": "I live in Oslo."}])
    with pytest.raises(TypeError, match=r"^a slip of the host$") as caught:
        alice.evaluate([{"query": "Where?", "answers": ["Oslo"]}], progress=clumsy)
    assert str(caught.value.__cause__) == "its cause"
