"""The part of a long text that answers a request, with its neighbours, and "…" where something is left out.

A text is cut into sentences, lines and, where these are long, runs that end at a comma, a bracket or a blank, so that
prose, code, logs, CSV and JSON are all read alike. A part is worth the request's terms that it holds, the rarer in this
very text the more. The best parts come first, each with what stands beside it; all is in the order of the text. The
time is linear in the text, and each part is counted once.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from memoranda.core.text.terms import SENTENCE

GAP = "…"
LEAST = 16  # tokens below which an excerpt says nothing
_RUN = 120  # characters of a part, at most
_RUNS = re.compile(rf".{{1,{_RUN}}}(?:(?<=[\s,;|，；、}}\]])|$)|.{{1,{_RUN}}}", re.DOTALL)
_GOOD = 0.5  # the share of the best part's worth from which another is wanted before the surroundings of the best
Read = Callable[[str], Collection[str]]
Count = Callable[[str], int]
_AROUND = 3  # parts on each side of the best; all that fit where no part holds a word of the request
_BESIDE = (1, -1)  # what is asked in one sentence is answered in the next more often than before


class Excerpt:
    """A text that can be shortened, read once for all lengths.

    Args:
        text: any text; `terms`: of the request.
        read: returns the terms of a text; `count`: its tokens.
    """

    def __init__(self, text: str, terms: Collection[str], read: Read, count: Count) -> None:
        self._text = text.strip()
        self._count = count
        self._parts = [part for part in _parts(self._text) if part.strip()]
        wanted = frozenset(terms)
        held = [wanted.intersection(read(part)) for part in self._parts]
        rarity = Counter(term for terms_here in held for term in terms_here)
        weights = {term: math.log1p(len(held) / number) for term, number in rarity.items()}
        self._worth = [math.fsum(weights[term] for term in terms_here) for terms_here in held]
        self._said = held
        self._costs = [count(f"{GAP} {part} {GAP} ") for part in self._parts]
        self._whole = count(self._text)

    def within(self, tokens: int) -> str:
        """Return the text if it costs no more than `tokens`, or else what answers; "" if nothing can be told."""
        if self._whole <= tokens:
            return self._text
        seeds = sorted(range(len(self._parts)), key=lambda n: (-self._worth[n], n))
        if not seeds or tokens <= 0:
            return ""
        if self._costs[seeds[0]] > tokens:
            return self._clipped(seeds[0], tokens)
        kept = self._kept(seeds, tokens)
        told = self._joined(kept)
        while self._count(told) > tokens and len(kept) > 1:  # the counter finds more in the whole than in the parts
            told = self._joined(kept := kept[:-1])
        return told if self._count(told) <= tokens else self._clipped(seeds[0], tokens)

    def _kept(self, seeds: Sequence[int], tokens: int) -> list[int]:
        """The parts to keep, the most wanted first: the best ones and beside them, then what surrounds these."""
        best = self._worth[seeds[0]]
        good = [n for n in seeds if self._worth[n] >= _GOOD * best][: tokens // 8 + 1] if best else seeds[:1]
        kept: dict[int, None] = {}
        left = tokens

        def keep(number: int) -> bool:
            nonlocal left
            if number in kept:
                return True
            if not 0 <= number < len(self._parts) or self._costs[number] > left:
                return False
            kept[number] = None
            left -= self._costs[number]
            return True

        for seed in good:
            if keep(seed):
                for step in _BESIDE:
                    keep(seed + step)
        for step in _BESIDE:
            number, end = seeds[0], seeds[0] + (_AROUND if best else len(self._parts)) * step
            while number != end + step and keep(number):
                number += step
        return [*kept]

    def _joined(self, kept: Collection[int]) -> str:
        told, last = "", -1
        for number in sorted(kept):
            told = f"{told.rstrip()} {GAP} " if number != last + 1 else told
            told += self._parts[number]
            last = number
        return (told.rstrip() + ("" if last == len(self._parts) - 1 else f" {GAP}")).strip()

    def _clipped(self, number: int, tokens: int) -> str:
        """What fits of a single part, around the first of the request's terms in it, and what is beside."""
        before = "".join(self._parts[max(number - 1, 0) : number])
        part = "".join((before, *self._parts[number : number + 2])).strip()  # what answers may end beyond the part
        low = part.lower()
        found = [place for term in self._said[number] if (place := low.find(term, len(before))) >= 0]
        centre, reach = min(found, default=len(before)), len(part)
        while reach > 4:
            begin = max(centre - reach // 4, 0)
            inner = part[begin : begin + reach]
            told = f"{GAP if begin else ''}{inner.strip()}{GAP}"
            if self._count(told) <= tokens:
                return told
            reach = reach * 3 // 4
        return ""


def fitted(texts: Iterable[str], tokens: int, terms: Collection[str], read: Read, count: Count) -> list[str]:
    """Return texts, the best first, that fit together; the first that does not is shortened, if that says enough.

    A text that is left out is empty. Nothing stands for the best if not even a part of that fits.
    """
    kept: list[str] = []
    left, whole = tokens, True
    for text in texts:
        told, cost = text, count(text)
        if cost > left and whole and left >= (LEAST if kept else 1):
            whole, told = False, Excerpt(text, terms, read, count).within(left)
            cost = count(told)
        kept.append(told if cost <= left else "")
        left = left - (cost if kept[-1] else 0) if kept[0] else 0
    return kept


def _parts(text: str) -> Iterator[str]:
    """The parts of a text in order; together they are the text."""
    begin = 0
    for end in (*(found.end() for found in SENTENCE.finditer(text)), len(text)):
        piece = text[begin:end]
        if len(piece) > _RUN:
            yield from _RUNS.findall(piece)
        elif piece:
            yield piece
        begin = end
