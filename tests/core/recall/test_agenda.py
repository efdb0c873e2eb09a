"""Which questions ask for nothing but what there is at a time, and what texts and records are about."""

from datetime import UTC, datetime

import pytest

from core.making import NOW as SAID
from core.making import record
from memoranda.core.image.days import DAY, Named
from memoranda.core.recall import agenda
from memoranda.core.recall.agenda import about, asked_time, inside, nearest, record_about, spelt
from memoranda.core.strata.goals import Goal
from memoranda.core.text.terms import Analyzer

NOW = datetime(2026, 6, 18, 12, tzinfo=UTC)  # a Thursday
PLAIN = Analyzer(lambda word: word)


def window(text: str) -> str:
    found = asked_time(text, NOW, PLAIN, "en").window
    return spelt(found, UTC) if found else ""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("What do I have on 5 July?", "2026-07-05"),
        ("what's on tomorrow?", "2026-06-19"),
        ("next week", "2026-06-22 to 2026-06-28"),
        ("Anything in July?", "2026-07-01 to 2026-07-31"),
        ("Anything planned for the week of the 22nd?", "2026-06-22 to 2026-06-28"),
        ("Is there anything in my diary for the 23rd?", "2026-06-23"),
        ("who am I meeting on 5 July?", "2026-07-05"),
        ("What happened in March?", "2026-03-01 to 2026-03-31"),
        ("What did I do last Tuesday?", "2026-06-16"),
        ("Sue asks whether I'm free on Saturday", "2026-06-20"),
        ("Was habe ich am 5. Juli vor?", "2026-07-05"),
        ("Steht nächste Woche etwas an?", "2026-06-22 to 2026-06-28"),
        ("Will Sabine wissen, ob ich am Freitag frei bin?", "2026-06-19"),
        ("¿Qué tengo la semana que viene?", "2026-06-22 to 2026-06-28"),
        ("¿Algo previsto en julio?", "2026-07-01 to 2026-07-31"),
        ("Il y a quelque chose de prévu le 3 juillet ?", "2026-07-03"),
        ("Quelque chose de prévu en juillet ?", "2026-07-01 to 2026-07-31"),
        ("qu'est-ce qu'il y a demain ?", "2026-06-19"),
        ("j'ai quoi jeudi prochain ?", "2026-06-25"),
        ("我下周有什么安排？", "2026-06-22 to 2026-06-28"),
        ("明天有空吗", "2026-06-19"),
        ("since June", "the time since 2026-06-01"),
        ("What is planned until Friday?", "the time until 2026-06-19"),
    ],
)
def test_a_question_for_what_there_is_at_a_time(text: str, day: str) -> None:
    asked = asked_time(text, NOW, PLAIN, "en")
    assert (window(text), asked.alone) == (day, True)


@pytest.mark.parametrize(
    "text",
    [
        "What did I say in March about Rust?",
        "How old was I in 2019?",
        "Which dentist should I call tomorrow?",
        "Since when do I live in Oslo?",
        "Where did I live in March?",
        "Was hat Uli im März über Rust gesagt?",
        "¿Qué vino bebimos en marzo?",
        "Quel vin avons-nous bu en mars ?",
        "三月我在哪里工作？",
    ],
)
def test_a_question_that_only_mentions_a_time_asks_for_something_else(text: str) -> None:
    assert not asked_time(text, NOW, PLAIN, "en").alone


@pytest.mark.parametrize("text", ["What do I have?", "Anything planned?", "Was habe ich vor?"])
def test_without_a_time_there_is_no_window(text: str) -> None:
    asked = asked_time(text, NOW, PLAIN, "en")
    assert (asked.window, asked.alone) == (None, False)


@pytest.mark.parametrize(
    ("text", "back"),
    [("What did I do today?", True), ("What do I have today?", False), ("What happened in March?", True)],
)
def test_whether_what_was_said_at_that_time_answers_as_well(text: str, back: bool) -> None:
    assert asked_time(text, NOW, PLAIN, "en").back == back


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The flight is on 5 July.", ["2026-07-05"]),
        ("Is it warm in Malta on 5 July?", []),
        ("I like Malta. Is it warm on 5 July? We go on 8 July.", ["2026-07-08"]),
        ("Can you remind me of the vet on 5 July?", ["2026-07-05"]),
        ("你能提醒我7月5日看牙吗？", ["2026-07-05"]),
    ],
)
def test_what_is_only_asked_is_about_no_day(text: str, days: list[str]) -> None:
    assert [f"{one.begin:%Y-%m-%d}" for one in about(text, NOW, "en")] == days


def test_a_record_is_about_the_time_its_words_name_in_what_it_was_read_from() -> None:
    known = {"e1": about("We fly to Oslo on 5 July, and the form is due on 1 July", NOW, "en")}
    [time] = record_about(record(id="r1", phrase="on 5 July".removeprefix("on "), sources=("e1", "e2")), known)
    assert time.begin == datetime(2026, 7, 5, tzinfo=UTC)
    assert record_about(record(id="r2", phrase=None, sources=("e1",)), known) == ()


def test_a_goal_is_about_its_deadline() -> None:
    goal = Goal(id="g", text="Paint the boat", deadline=NOW, since=SAID, changed=SAID)
    [time] = record_about(record(kind="goal", text=goal.text, value=goal.value), {})
    assert (time.begin, time.unit) == (NOW, DAY)
    goal = Goal(id="g", text="Paint the boat", since=SAID, changed=SAID)
    assert record_about(record(kind="goal", text=goal.text, value=goal.value), {}) == ()


def test_the_first_time_inside_and_the_nearest_outside() -> None:
    first, second, third = (Named(NOW + n * DAY, NOW + (n + 1) * DAY, DAY) for n in (1, 3, 5))
    month = Named(NOW, NOW + 31 * DAY, 31 * DAY)
    days = {"a": (first, third), "b": (second, month), "c": ()}
    between = NOW + 2 * DAY, NOW + 4 * DAY
    assert inside(days, between) == {"b": second.begin}
    assert inside({"a": (first,)}, (NOW + 1.5 * DAY, NOW + 4 * DAY)) == {"a": NOW + 1.5 * DAY}
    assert inside({"a": (first,)}, (None, NOW + 4 * DAY)) == {"a": first.begin}
    assert nearest(days, ["a", "b", "x"], between) == [first, third]
    assert nearest(days, ["a"], (between[0], None)) == [first]
    assert nearest(days, ["a"], (None, between[1])) == [third]


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("Do I have anything at 5 p.m.? I like tea.", False),
        ("Do I have anything at 5 p.m.?! I like tea.", False),
        ("I see Ann at 5 p.m.... and then?", True),
    ],
)
def test_a_sentence_ends_behind_an_abbreviation_too(text: str, tells: bool) -> None:
    begin = text.index("5")
    assert agenda._tells(text, begin, text.index("m.") + 2) is tells
