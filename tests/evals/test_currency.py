"""The figures of currency say what came first, what is shown as if it held, and what is wrongly said to be over."""

from typing import Any

import pytest
from evals.currency import FIGURES, among, holds, judged, means

from core.making import NOW
from memoranda.core.recall.results import Item

CHANGE = {"current": ["York"], "outdated": ["live in Leeds"]}
CONTROL = {"current": ["York", "Leeds"], "outdated": [], "holds": ["Leeds"]}


def item(text: str, **values: Any) -> Item:
    given = {"id": text, "of": "event", "kind": "turn", "score": 0.5, "similarity": 0.5, "shares": {}, "why": ""}
    return Item(**{**given, "at": NOW, "channel": "_global", "text": text, **values})


@pytest.mark.parametrize(
    ("texts", "lines", "figures"),
    [
        (
            ["I moved to York.", "I live in Leeds."],
            ["(no longer so since 2026) I live in Leeds."],
            [True, False, False],
        ),
        (["I live in Leeds.", "I moved to York."], ["I live in Leeds."], [False, True, True]),
        (["I live in Leeds."], ["York"], [False, True, False]),
        (["It rains."], ["I moved from Leeds to York: no more live in Leeds."], [False, False, False]),
        (["It rains.", "York.", "I live in Leeds."], [], [False, False, False]),
    ],
)
def test_a_change(texts: list[str], lines: list[str], figures: list[bool]) -> None:
    found = [item(text) for text in texts]
    assert list(judged(CHANGE, found, found, lines)) == list(zip(FIGURES, figures, strict=False))


@pytest.mark.parametrize(
    ("items", "lines", "figures"),
    [
        ([item("I live in Leeds."), item("She is in York.")], ["I live in Leeds."], [False, False, False]),
        ([item("I live in Leeds.", superseded_by="e2")], [], [True, False, False]),
        ([item("I live in Leeds.")], ["(no longer so since 2026-01-02) I live in Leeds."], [True, False, False]),
        ([item("I live in Leeds.")], ["I live in Leeds. (later, on 2026-01-02: [m3])"], [False, True, False]),
        ([item("She is in York."), item("I live in Leeds.")], ["(no longer so since 2026) York"], [False, False, True]),
    ],
)
def test_a_control(items: list[Item], lines: list[str], figures: list[bool]) -> None:
    plain = [item("I live in Leeds.")]
    assert list(judged(CONTROL, items, plain, lines)) == list(zip(FIGURES[3:], figures, strict=True))


def test_words_are_whole_where_they_are_separated() -> None:
    assert holds("In York!", ["york"])
    assert not holds("Yorkshire", ["York"])
    assert holds("我住在上海浦东", ["上海"])


def test_a_figure_is_a_mean_over_the_cases_that_count_for_it() -> None:
    assert means([{"current first": 100.0, "unmarked": 0.0}, {"current first": 0.0}]) == [
        50.0,
        None,
        0.0,
        None,
        None,
        None,
    ]


def test_a_case_is_planted_among_others_on_other_topics_in_its_language_first() -> None:
    def case(name: str, topic: str, language: str, *days: str) -> dict[str, Any]:
        turns = [{"day": day, "text": f"{name} {day}"} for day in days]
        return {"id": name, "topic": topic, "language": language, "turns": turns, "now": "2026-03-01"}

    own = case("a", "home", "en", "2026-02-01")
    others = [
        own, case("b", "home", "en", "2026-01-02"), case("c", "pets", "de", "2026-01-03"),
        case("d", "work", "en", "2026-01-04", "2026-02-04", "2026-05-04"), case("e", "food", "fr", "2026-01-05"),
    ]  # fmt: skip
    assert [turn["text"] for turn in among(own, others, 4)] == [
        "c 2026-01-03", "d 2026-01-04", "a 2026-02-01", "d 2026-02-04",
    ]  # fmt: skip
    assert among(own, others, 0) == own["turns"]
