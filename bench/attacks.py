"""Texts that are hard for a given regular expression, made from its own characters.

A backtracking pattern is slow where several of its repeats can divide one run of characters among them, or where every
start in a run is tried to the run's end. So each unbounded repeat is reached by what may precede it, and then fed a
long run of what it repeats and of other characters, with an end that cannot match; and each character, each pair of
neighbours and some whole matches of the pattern are repeated.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_LOOKING = (codes.ASSERT, codes.ASSERT_NOT)
_STANDS = {
    codes.CATEGORY_DIGIT: "1", codes.CATEGORY_NOT_DIGIT: "a", codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a", codes.CATEGORY_NOT_WORD: "-",
}  # fmt: skip
_OTHERS = "aA1 ,.-\n\"'([<\u0416\x00"  # one of these is in nearly every negated set
_COMMON = ("a", "A", "1", " ", "\n", ",", ".", "a ", "Aa ", "1 ", "a, ", "a. ", "\u4e2d", "\xe9")
_LONG = 40  # a repeat of at most this many is not worth attacking
_MOST = 16  # characters of a pattern, and repeats in it, that are tried


class Attack(NamedTuple):
    """A hard text: `before`, then `run` as often as fits, then `after`."""

    before: str
    run: str
    after: str

    def text(self, size: int) -> str:
        """Return the text, of about `size` characters."""
        return (self.before + self.run * (size // len(self.run) + 1))[:size] + self.after


def attacks(pattern: re.Pattern[str]) -> list[Attack]:
    """Return hard texts for a pattern, the same ones each time."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    return list(dict.fromkeys(attack for attack in _attacks(tree, random.Random(0)) if attack.run))


def runs(characters: Iterable[str]) -> list[Attack]:
    """Return runs of characters and of pieces of text that are hard for a function."""
    return [Attack("", run, "") for run in characters]


def _attacks(tree: Any, chance: random.Random) -> Iterator[Attack]:
    own = [character for character, _ in Counter(_characters(tree)).most_common(_MOST)]
    for run in (*own, *_COMMON):
        yield Attack("", run, "")
        yield Attack("", run, "\x00")
    wholes = [_match(tree, chance) for _ in range(3)]
    for one in wholes:
        yield from (Attack("", run, "") for run in (one, f"{one} ", one[:-1]))
        yield from (Attack("", a + b, "") for a, b in list(pairwise(one))[:_MOST])
    found = [repeat for _ in range(2) for repeat in _repeats(tree, "", chance)]
    for before, run, inside in found if len(found) <= 2 * _MOST else chance.sample(found, 2 * _MOST):
        yield Attack("", before + run, "")
        for one in dict.fromkeys((run, *inside, "a", " ", "a ")):
            yield from (Attack(before, one, after) for after in ("", "\x00", "\n"))


def _characters(tree: Any) -> Iterator[str]:
    """Yield the characters that a pattern names, and one for each class."""
    for code, value in tree:
        if code in {codes.LITERAL, codes.NOT_LITERAL}:
            yield chr(value)
        elif code is codes.IN:
            yield from _named(value)
        else:
            for part in _parts(code, value):
                yield from _characters(part)


def _parts(code: Any, value: Any) -> list[Any]:
    """Return the patterns within a node."""
    if code in _REPEATS:
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.GROUPREF_EXISTS:
        return [part for part in value[1:] if part is not None]
    if code is codes.ATOMIC_GROUP:
        return [value]
    return [value[1]] if code in _LOOKING else []


def _named(items: Any) -> list[str]:
    found = []
    for code, value in items:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.RANGE:
            found.append(chr(value[0]))
        elif code is codes.CATEGORY:
            found.append(_STANDS[value])
    return found


def _in(items: Any, chance: random.Random) -> str:
    """Return a character of a set."""
    named = _named(items)
    if items[0][0] is not codes.NEGATE:
        return chance.choice(named)
    return next((one for one in _OTHERS if one not in named and not (one == "A" and "a" in named)), "\u0416")


def _match(tree: Any, chance: random.Random) -> str:
    """Return a text that a pattern is likely to match; what it looks ahead or back for is left out."""
    found, groups = [], dict[int, str]()
    for code, value in tree:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code in {codes.NOT_LITERAL, codes.ANY}:
            found.append("b" if value == ord("a") else "a")
        elif code is codes.IN:
            found.append(_in(value, chance))
        elif code is codes.BRANCH:
            found.append(_match(chance.choice(value[1]), chance))
        elif code in _REPEATS:
            least, most, body = value
            times = max(least, min(most, chance.randint(0, 1)))
            found += [_match(body, chance) for _ in range(times)]
        elif code is codes.SUBPATTERN:
            groups[value[0]] = _match(value[3], chance)
            found.append(groups[value[0]])
        elif code is codes.GROUPREF:
            found.append(groups.get(value, ""))
        elif code is codes.ATOMIC_GROUP:
            found.append(_match(value, chance))
    return "".join(found)


def _repeats(tree: Any, before: str, chance: random.Random) -> Iterator[tuple[str, str, list[str]]]:
    """Yield, for each long repeat, what may precede it, what it repeats, and characters of that."""
    for code, value in tree:
        if code in _REPEATS and value[1] > _LONG:
            inside = [one for one, _ in Counter(_characters(value[2])).most_common(3)]
            yield before, _match(value[2], chance), inside
        if code is not codes.ASSERT_NOT and not (code is codes.ASSERT and value[0] < 0):
            for part in _parts(code, value):
                yield from _repeats(part, before, chance)
        before += _match([(code, value)], chance)
