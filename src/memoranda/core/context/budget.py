"""Token budgets: how much each section gets, and what is left out.

Every section first gets its floor, then its budget. Unused tokens go to sections that wanted more and may grow, in the
order of priority; what is left then goes to the sections that may take all of it. Within a section the preferred pieces
are kept; the first that does not fit is shortened, if it can be.
"""

from collections.abc import Callable, Mapping, Sequence
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
        successor: the id of what took its place, or of a later word on it; `refers`: how it refers to that where it
            is shown above it, with `{}` for its mark.
        says: who says what, where another piece may say the same; of those that do, one is shown.
        statements: ids of what was read from it and holds; where these are shown and say all of it, beside what is
            `over` of it, it is left out.
        body: the end of `text` that may be shortened, as it was said.
        cut: returns the piece at no more than so many tokens, or None if that says nothing.
    """

    id: str
    text: str
    tokens: int = 0
    why: str = ""
    place: float = 0
    cited: bool = False
    successor: str | None = None
    refers: str = ""
    says: str = ""
    statements: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    body: str = ""
    cut: "Callable[[int], Piece | None] | None" = None

    @property
    def keys(self) -> tuple[str, ...]:
        """What no two pieces share that are shown."""
        return (self.id, self.says) if self.says else (self.id,)


@dataclass(frozen=True, slots=True)
class Share:
    """A section's share: its budget, the floor it keeps if the total is short, and how far it may grow.

    A section never grows beyond `most`; where that is less than the budget, it does not grow at all. One that takes the
    `rest` grows after all others.
    """

    budget: int
    floor: int = 0
    most: int = 0
    rest: bool = False

    @property
    def limit(self) -> int:
        """The most tokens that it may ever use."""
        return max(self.budget, self.most) if self.budget else 0

    def less(self, tokens: int) -> "Share":
        """Return the share with a limit that is lower by so many tokens, or higher if they are negative."""
        limit = max(self.limit - tokens, 0)
        budget = self.budget + limit - self.limit if tokens < 0 else min(self.budget, limit)
        return Share(budget, min(self.floor, limit), limit, self.rest)


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
    for name in sorted(wanted, key=lambda name: shares[name].rest):
        most = max(shares[name].limit, used[name])
        filled, kept = _fill(wanted[name], min(used[name] + spare, most))
        spare -= filled - used[name]
        inside = {piece.id for piece in kept}
        packed[name] = Packed(
            granted=max(granted[name], filled),
            used=filled,
            pieces=tuple(sorted(kept, key=lambda piece: piece.place)),
            excluded={piece.id: OVER for piece in wanted[name] if piece.id not in inside},
        )
    return {name: packed[name] for name in wanted}


def _fill(pieces: Sequence[Piece], room: int) -> tuple[int, list[Piece]]:
    """Return the tokens used and the pieces that fit, in order; the first that does not is shortened."""
    used, whole = 0, True
    kept: list[Piece] = []
    for piece in pieces:
        fits: Piece | None = piece
        if used + piece.tokens > room:
            fits = piece.cut(room - used) if whole and piece.cut else None
            whole = whole and piece.cut is None
        if fits:
            used += fits.tokens
            kept.append(fits)
    return used, kept
