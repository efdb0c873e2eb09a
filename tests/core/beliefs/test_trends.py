from datetime import UTC, datetime, timedelta

import pytest

from memoranda.core.beliefs.trends import Saying, trends, week_of

NOW = datetime(2026, 3, 18, 9, 30, tzinfo=UTC)  # a Wednesday
MONDAY = datetime(2026, 3, 16, tzinfo=UTC)


def said(*pairs: tuple[int, str], **names: str) -> list[Saying]:
    """What was said so many days before the week began."""
    return [
        Saying(id=f"e{place}", at=MONDAY - timedelta(days=days), text=text, names=names)
        for place, (days, text) in enumerate(pairs)
    ]


def weights(*values: float) -> list[Saying]:
    return said(*((40 - 5 * place, f"My weight is {value:g} kg.") for place, value in enumerate(values)))


def test_a_week_begins_on_monday() -> None:
    assert week_of(NOW) == MONDAY == week_of(MONDAY)


def test_a_number_that_goes_one_way() -> None:
    [up] = trends(weights(80, 81, 83, 84.5, 90), NOW)
    assert up.text == '"My weight is … kg" rose from 80 to 90 between 2026-02-04 and 2026-02-24.'
    assert up.sources == ("e0", "e1", "e2", "e3", "e4")
    assert up.about == "number my weight is ... kg"
    [down] = trends(weights(90, 84, 83, 80), NOW)
    assert "fell from 90 to 80" in down.text


@pytest.mark.parametrize(
    "numbers", [("123456.78", "250000", "400000", "523456.70"), ("1234567", "1400000", "1600000", "1800001")]
)
def test_a_number_is_told_as_it_was_said(numbers: tuple[str, ...]) -> None:
    [up] = trends(said(*((40 - 5 * n, f"The balance is {number} euros") for n, number in enumerate(numbers))), NOW)
    assert f" rose from {numbers[0]} to {numbers[-1]} between" in up.text


@pytest.mark.parametrize(
    "values",
    [(80, 81, 90), (80, 81, 82, 83), (80, 95, 70, 90), (80, 80, 80, 90), (0, 0, 0, 0), (100, 50, 40, 30, 120)],
    ids=["too few", "too little", "to and fro", "too few different ones", "nothing", "back at the end"],
)
def test_a_number_that_goes_no_way(values: tuple[float, ...]) -> None:
    assert trends(weights(*values), NOW) == []


def test_what_is_no_number_of_its_own_is_left_out() -> None:
    for text in ("Between {0} and 99 kg", "At 1{0}:30", "On 2026-01-{0}", "It is {0},5", "x" * 200 + " {0}"):
        assert trends(said(*((40 - n, text.format(10 + 5 * n)) for n in range(6))), NOW) == []
    assert trends(said(*((10, f"My weight is {80 + 5 * n} kg.") for n in range(5))), NOW) == []  # all at once


def test_what_was_said_this_week_or_long_ago_does_not_count() -> None:
    old = said(*((90 - n, f"My weight is {80 + 5 * n} kg.") for n in range(5)))
    assert trends([*old, *said(*((-1 - n, f"My weight is {80 + 5 * n} kg.") for n in range(5)))], NOW) == []


def test_a_topic_that_comes_up_more_often() -> None:
    before = said((70, "Hello."), (40, "Atlas is a ship."), atlas="Atlas")
    recent = [
        Saying(id=f"r{n}", at=MONDAY - timedelta(days=1 + n), text="Atlas again", names={"atlas": "atlas", "b": "Bo"})
        for n in range(5)
    ]
    [atlas, bo] = trends([*before, *recent], NOW)
    assert atlas.text == "Atlas comes up more often: 5 times in four weeks, 1 time in the four before."
    assert atlas.sources == ("e1", "r4", "r3", "r2", "r1", "r0")
    assert bo.text == "Bo comes up more often: 5 times in four weeks, 0 times in the four before."
    assert [one.about for one in (atlas, bo)] == ["topic atlas", "topic b"]
    assert trends(recent, NOW) == []  # nobody knows what was usual
    assert trends([*before, *recent[:4]], NOW) == []
    same_day = [Saying(id=one.id, at=recent[0].at, text=one.text, names=one.names) for one in recent]
    assert trends([*before, *same_day], NOW) == []
    many = said(*((30 + n, "Atlas") for n in range(5)), atlas="Atlas", b="Bo")
    assert trends([*before, *many, *recent], NOW) == []
