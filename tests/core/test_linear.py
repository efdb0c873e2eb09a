"""Patterns that cannot be slow on runs of characters, by their structure; `bench patterns` measures them."""

import re
from dataclasses import fields
from datetime import UTC, datetime
from itertools import product
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from memoranda.core.beliefs.comparable import Standing
from memoranda.core.consolidation import evidence
from memoranda.core.formats import beam
from memoranda.core.language import corrections
from memoranda.core.language.force import screen
from memoranda.core.language.grammar import compiled
from memoranda.core.text import fence
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.terms import replaced, stands, whole_words


@pytest.mark.parametrize(
    ("pattern", "text", "begin"),
    [
        (fence._CITATION, "[[[m1]", 1),
        (fence._CITATION, "【[［m1]", 2),
        (evidence._QUESTION, "is it?", 1),
        (screen._ENDS, "Well... ", 5),
        (beam._MARKER, "  ->-> 1,1", 1),
    ],
)
def test_a_match_begins_at_the_start_of_a_run_and_is_not_tried_from_each_of_its_characters(
    pattern: re.Pattern[str], text: str, begin: int
) -> None:
    assert pattern.search(text)
    assert not pattern.match(text, begin)


@pytest.mark.parametrize("gap", ["", " ", "\u200d", " \u200c "])
def test_a_citation_with_gaps_is_broken_up_whatever_stands_before_it(gap: str) -> None:
    for slash, name in product(("", "/"), ("m1", "m\u200d12", "INST", "user")):
        one = f"{slash}{name}" if not slash else f"{slash}{gap}{name}"
        for left, right in (("[", "]"), ("[[[", "]]"), ("x[【", "］")):
            assert not re.search(r"[\[【].*(m|inst|user)", fence.quoted(f"{left}{gap}{one}{gap}{right}"), re.IGNORECASE)
    assert fence.quoted("[" * 200_000 + "m1") == "[" * 200_000 + "m1"


def _nested(tree: Any, within: bool = False) -> bool:
    """Whether a group that is repeated without bound lies in another: their words can be divided in too many ways."""
    for code, value in tree:
        if code in {codes.MAX_REPEAT, codes.MIN_REPEAT} and value[1] is codes.MAXREPEAT:
            group = len(value[2]) > 1 or value[2][0][0] not in {codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY}
            if (group and within) or _nested(value[2], within or group):
                return True
        elif any(_nested(part, within) for part in _parts(code, value)):
            return True
    return False


def _parts(code: Any, value: Any) -> list[Any]:
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    return [value[1]] if code in {codes.ASSERT, codes.ASSERT_NOT} else []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_of_a_language_repeats_without_bound_what_repeats_without_bound(language: str) -> None:
    grammar = compiled(language)
    patterns = {field.name: getattr(grammar, field.name) for field in fields(grammar)}
    patterns |= {f"[{matcher.rule.name}]": matcher.pattern for matcher in grammar.rules}
    one = {name: pattern for name, pattern in patterns.items() if isinstance(pattern, re.Pattern)}
    assert len(one) > 100
    assert [name for name, it in one.items() if _nested(parser.parse(it.pattern, it.flags & ~re.UNICODE))] == []


@pytest.mark.parametrize("blank", [" ", "\t", "\xa0", "\u3000"])
def test_a_wide_gap_ends_a_sentence_as_a_line_break_does(blank: str) -> None:
    grammar = compiled("en")
    for width, count in ((1, 1), (8, 1), (9, 2), (400, 2)):
        text = f"I live in Oslo{blank * width}and work at Acme."
        plain = screen.own_words(text, grammar)
        assert len(plain) == len(text)
        assert len(list(screen.sentences(plain, grammar))) == count


def test_a_correction_is_read_with_its_blanks_as_one() -> None:
    found = corrections.read_correction(f"No,{' ' * 100}I meant{' ' * 100}Thursday", "en")
    assert found is not None
    assert found.right == "Thursday"
    assert corrections.read_correction(f"No{' ' * 390}x", "en") is None


def test_words_stand_where_no_letter_adjoins_them() -> None:
    assert list(whole_words("ana", "Banana, Ana and ana-b ANA_")) == [(8, 11), (16, 19)]
    assert stands("na na", "xna na na")
    assert not stands("al", "also")
    assert stands("东京", "我在东京住")
    assert not stands("", "anything")
    assert replaced("Oslo, not Oslofjord, OSLO", "oslo", "Bergen") == "Bergen, not Oslofjord, Bergen"


def test_a_record_is_met_if_it_ends_or_was_said_after_a_moment() -> None:
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 8)]
    kept = Standing()
    kept.put("open", None, days[0])
    kept.put("over", days[1], days[0])
    kept.put("late", days[1], days[5])
    assert kept.met(None, None) == ["open", "over", "late"]
    assert kept.met(days[1], days[0]) == ["open", "late"]
    assert kept.met(days[0], days[5]) == ["open", "over", "late"]
    assert kept.met(None, days[4]) == ["late"]
    kept.put("over", days[1], days[6])
    kept.drop("open")
    kept.drop("unknown")
    assert kept.met(days[1], days[4]) == ["over", "late"]
