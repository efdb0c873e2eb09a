"""What one call costs: the work for each statement is bounded, however many the call holds. `bench growth` times."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from flows.helpers import rows, says
from memoranda import AsyncScoped, Record
from memoranda.core.beliefs import admission
from memoranda.flows.capture import corrections
from memoranda.ports import Store

pytestmark = pytest.mark.anyio

COUNT = 200


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a call compared a candidate with a record."""
    counted: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return function(*given, **named)

        return call

    for module, name in ((admission, "same_claim"), (admission, "rivals"), (corrections, "_position")):
        monkeypatch.setattr(module, name, counting(name, getattr(module, name)))
    return counted


async def test_distinct_statements_are_compared_with_few_others(
    alice: AsyncScoped, store: Store, work: Counter[str]
) -> None:
    captured = await alice.add(says(*(f"I like lamp{number} and bread{number}." for number in range(COUNT))))
    assert len(captured.records) == len(await rows(store, Record)) >= COUNT
    assert work["same_claim"] <= 64 * len(captured.records)


async def test_a_statement_of_a_long_story_meets_only_the_one_before_it(
    alice: AsyncScoped, store: Store, work: Counter[str]
) -> None:
    captured = await alice.add(says(*(f"I live in Town{number}." for number in range(COUNT))))
    assert [decision.outcome for decision in captured.decisions] == ["added", *["superseded"] * (COUNT - 1)]
    assert work["rivals"] <= 3 * COUNT
    assert sum(one.valid_to is None for one in await rows(store, Record) if one.superseded_at is None) == 1


async def test_what_is_said_again_meets_what_was_said_in_between_only(alice: AsyncScoped, work: Counter[str]) -> None:
    await alice.add(says(*(f"I live in Town{number}." for number in range(COUNT)), "I live in Oslo."))
    work.clear()
    again = await alice.add(says(*["I live in Oslo."] * COUNT))
    assert {decision.outcome for decision in again.decisions} == {"reinforced"}
    assert work["rivals"] <= 2 * COUNT


async def test_a_correction_looks_at_what_its_last_turns_said_only(alice: AsyncScoped, work: Counter[str]) -> None:
    said = (f"{text}{number}." for number in range(COUNT) for text in ("I work at Acme", "Actually, I meant Bolt"))
    captured = await alice.add(says(*said), conversation="c")
    assert Counter(decision.outcome for decision in captured.decisions)["superseded"] >= COUNT
    assert work["_position"] <= 30 * COUNT


async def test_a_twin_among_many_is_found_by_its_rare_terms(alice: AsyncScoped, store: Store) -> None:
    others = [f"My goal is to read {number} books about lamp{number}." for number in range(1, COUNT)]
    first, last = (
        "We decided to paint the violin room blue in spring.",
        "We decided to paint the violin room blue in the spring.",
    )
    captured = await alice.add(says(first, *others, last))
    assert captured.decisions[-1].outcome in {"merged", "reinforced"}
    assert len(await rows(store, Record)) >= COUNT
