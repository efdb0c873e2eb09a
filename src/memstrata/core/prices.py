"""What the tokens of language models cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from memstrata.core.checks import require

MILLION = 1_000_000
MOST = 100 * MILLION  # beyond it the billionths of what one request costs would be no number that a store can count


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model charges, in one currency for all models.

    Attributes:
        read: for a million tokens that it reads.
        written: for a million tokens that it writes.

    Raises:
        InputError: one of them is no amount.
    """

    read: float
    written: float

    def __post_init__(self) -> None:
        for name in ("read", "written"):
            value = getattr(self, name)
            fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST
            require(fits, name, value, f"an amount for a million tokens, 0 to {MOST:,}")


def cost(prices: Mapping[str, Price], model: str, tokens_in: int, tokens_out: int) -> float | None:
    """What one request cost; None if nobody said what `model` charges, which is not the same as nothing."""
    price = prices.get(model)
    return None if price is None else (price.read * tokens_in + price.written * tokens_out) / MILLION
