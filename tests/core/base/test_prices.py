"""What a request costs."""

from typing import Any

import pytest

from memoranda.core.base.prices import Price, cost
from memoranda.errors import InputError

PRICES = {"openai/small": Price(read=0.4, written=1.6), "local/free": Price(read=0, written=0)}


@pytest.mark.parametrize(
    ("model", "tokens", "expected"),
    [
        ("openai/small", (1_000_000, 0), 0.4),
        ("openai/small", (500_000, 1_000_000), 1.8),
        ("openai/small", (0, 0), 0.0),
        ("local/free", (7, 5), 0.0),
        ("openai/large", (7, 5), None),
    ],
)
def test_what_is_read_and_written_is_paid_for(model: str, tokens: tuple[int, int], expected: float | None) -> None:
    assert cost(PRICES, model, *tokens) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    "given", [{"read": -1, "written": 0}, {"read": 0, "written": float("nan")}, {"read": "1", "written": 0},
              {"read": True, "written": 0}, {"read": 0, "written": float("inf")}, {"read": 1e300, "written": 0}],
)  # fmt: skip
def test_what_is_no_amount_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="an amount for a million tokens"):
        Price(**given)
