"""Token budgets: who gets how much, and what is left out.

Every section first gets its own budget. What it does not use flows down the priorities to sections that wanted
more. Within a section the best-scored pieces are kept; a piece is kept whole or left out, never cut.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something that may go into a section: its text, its cost in tokens, and the id it came from."""

    id: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A section after packing: tokens granted and used, the pieces in (in their order), and why others are out."""

    granted: int
    used: int
    pieces: tuple[Piece, ...]
    excluded: Mapping[str, str]


#: Budgets of the sections, in order of priority (SPEC 9), for 4,000 tokens.
BUDGETS: Mapping[str, int] = MappingProxyType(
    {"summary": 500, "profile": 400, "memories": 800, "episodes": 600, "knowledge": 200}
)
DEFAULT_BUDGET = 4_000


def pack(wanted: Mapping[str, Sequence[Piece]], budgets: Mapping[str, int], total: int) -> dict[str, Packed]:
    """Fill sections with their pieces, best first, within `total` tokens.

    Args:
        wanted: pieces by section, in the order of priority of sections and of preference within each.
        budgets: tokens set aside for each section. One of 0 stays empty; one that is left out takes what is spare.
        total: tokens for all. Sections are served in order, so the last ones go short first.
    """
    granted: dict[str, int] = {}
    left = total
    for name in wanted:
        granted[name] = min(budgets.get(name, 0), left)
        left -= granted[name]
    used = {name: _fill(pieces, granted[name])[0] for name, pieces in wanted.items()}
    spare = left + sum(granted[name] - used[name] for name in wanted)
    packed = {}
    for name, pieces in wanted.items():
        filled, kept = _fill(pieces, 0 if budgets.get(name) == 0 else used[name] + spare)
        spare -= filled - used[name]
        inside = {id(piece) for piece in kept}
        excluded = {piece.id: "over the budget" for piece in pieces if id(piece) not in inside}
        grant = max(granted[name], filled)
        packed[name] = Packed(granted=grant, used=filled, pieces=tuple(kept), excluded=excluded)
    return packed


def _fill(pieces: Sequence[Piece], room: int) -> tuple[int, list[Piece]]:
    """The pieces that fit, taken in order; a later, smaller one may fill what a large one left."""
    used, kept = 0, []
    for piece in pieces:
        if used + piece.tokens <= room:
            used += piece.tokens
            kept.append(piece)
    return used, kept
