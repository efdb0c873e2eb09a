"""The price of language model tokens."""

from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.core.base.checks import require

MILLION = 1_000_000
MOST = 100 * MILLION  # beyond it the cost of one request, in billionths, would overflow a store's counter


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model charges, in one currency for all models.

    Attributes:
        read: per million tokens read.
        written: per million tokens written.

    Raises:
        InputError: one of them is not a valid amount.
    """

    read: float
    written: float

    def __post_init__(self) -> None:
        for name in ("read", "written"):
            value = getattr(self, name)
            fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST
            require(fits, name, value, f"an amount for a million tokens, 0 to {MOST:,}")


def cost(prices: Mapping[str, Price], model: str, tokens_in: int, tokens_out: int) -> float | None:
    """Return the cost of one request; None if the price of `model` is unknown, which is different from 0."""
    price = prices.get(model)
    return None if price is None else (price.read * tokens_in + price.written * tokens_out) / MILLION
