"""Three writers and five readers of one user at once, on each store and each face: nothing goes wrong.

`python -m bench interleaving` makes 20,000 calls.
"""

import asyncio
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from bench.interleaving import FACES, READERS, WRITERS, Actor, Known, Ledger, read, run

from conformance.postgres_server import PostgresServer
from memoranda.errors import StoreError

CALLS = 25  # of each of the eight


@pytest.mark.parametrize("face", FACES)
def test_on_sqlite(tmp_path: Path, face: str) -> None:
    check(run(str(tmp_path / "memory.db"), face, CALLS))


@pytest.mark.parametrize("face", ["coroutines", "threads"])
def test_in_memory(face: str) -> None:
    check(run(":memory:", face, CALLS))


@pytest.fixture(scope="module")
def url(postgres: PostgresServer) -> str:
    postgres.run("CREATE DATABASE interleaving")
    return postgres.login(database="interleaving")


@pytest.mark.parametrize("face", FACES)
def test_on_postgresql(url: str, face: str) -> None:
    check(run(url, face, CALLS))


def check(ledger: Ledger) -> None:
    assert ledger.calls == CALLS * (WRITERS + READERS)
    if ledger.wrong:
        pytest.fail("\n".join([f"{len(ledger.wrong)} of {ledger.calls} calls:", *ledger.wrong[:5]]), pytrace=False)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The parcel p0x1q is in Oslo.", []),
        ("The parcel p0x2q is in Oslo.", ["recall: a parcel is missing that was acknowledged or seen before"]),
        ("parcel p0x1q, parcel p1x1q", ["recall: a parcel is shown of which nobody has told"]),
        (StoreError("it is down"), ["recall: StoreError: it is down"]),
    ],
)
def test_what_goes_wrong_is_put_down(answer: object, wrong: list[str]) -> None:
    def recall(_: str) -> object:
        if isinstance(answer, StoreError):
            raise answer
        return answer

    scoped = MagicMock(recall=recall)
    actor = Actor(0, scoped, Known([2, 0, 0], [1, 0, 0]))
    assert asyncio.run(actor.act(1, read)).wrong == wrong
