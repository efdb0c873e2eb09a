"""Token budgets: how much each section gets, and what is left out.

Every section first gets its floor, then its budget. Unused tokens go to sections that wanted more, in the order of
priority. Within a section the preferred pieces are kept; a piece is kept whole or left out, never cut.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OVER = "over the budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something that may go into a section.

    Attributes:
        id: where it came from; `cited`: whether the text marks it, so that an answer can cite it.
        tokens: its cost, marks and line breaks included.
        why: why it is a candidate.
        place: its position among the pieces that are kept; those of one place keep the order of preference.
        successor: the id of what took its place, to which it refers where that is shown above it.
    """

    id: str
    text: str
    tokens: int = 0
    why: str = ""
    place: float = 0
    cited: bool = False
    successor: str | None = None

    def priced(self, tokens: int) -> "Piece":
        """Return the piece with its cost. Several times as fast as `dataclasses.replace`, and there are hundreds."""
        return Piece(
            id=self.id, text=self.text, tokens=tokens, why=self.why, place=self.place, cited=self.cited,
            successor=self.successor,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """A section's share: its budget, the floor it keeps if the total is short, and how far it may grow."""

    budget: int
    floor: int = 0
    most: int = sys.maxsize


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A section after packing: tokens granted and used, its pieces in order, and why others are excluded."""

    granted: int
    used: int
    pieces: tuple[Piece, ...]
    excluded: Mapping[str, str]


def pack(wanted: Mapping[str, Sequence[Piece]], shares: Mapping[str, Share], total: int) -> dict[str, Packed]:
    """Fill sections with their pieces, preferred ones first, within `total` tokens.

    Args:
        wanted: pieces by section, in the order of priority of sections and of preference within each.
        shares: the share of each section. One whose budget is 0 stays empty.
        total: tokens for all. Floors are granted first, then budgets, each in the order of sections.
    """
    granted = dict.fromkeys(wanted, 0)
    left = total
    for floors in (True, False):
        for name in wanted:
            share = shares[name]
            due = min(share.floor, share.budget) if floors else share.budget
            more = min(due - granted[name], left)
            granted[name] += more
            left -= more
    used = {name: _fill(pieces, granted[name])[0] for name, pieces in wanted.items()}
    spare = total - sum(used.values())
    packed = {}
    for name, pieces in wanted.items():
        most = max(shares[name].most, used[name]) if shares[name].budget else 0
        filled, kept = _fill(pieces, min(used[name] + spare, most))
        spare -= filled - used[name]
        inside = {id(piece) for piece in kept}
        packed[name] = Packed(
            granted=max(granted[name], filled),
            used=filled,
            pieces=tuple(sorted(kept, key=lambda piece: piece.place)),
            excluded={piece.id: OVER for piece in pieces if id(piece) not in inside},
        )
    return packed


def _fill(pieces: Sequence[Piece], room: int) -> tuple[int, list[Piece]]:
    """Return the tokens used and the pieces that fit, in order; a piece that does not fit is skipped."""
    used, kept = 0, []
    for piece in pieces:
        if used + piece.tokens <= room:
            used += piece.tokens
            kept.append(piece)
    return used, kept
