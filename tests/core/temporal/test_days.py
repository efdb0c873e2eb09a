"""What days a text may be about, and which of its occurrences a question about plans means."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memoranda.core.temporal import days_named, find_times, looks_back, query_window

NOW = datetime(2026, 6, 18, 12, tzinfo=UTC)  # a Thursday


def days(text: str, language: str = "en", now: datetime = NOW) -> list[str]:
    found = (ref.begin or ref.until for ref in days_named(text, now, language))
    return [f"{at:%Y-%m-%d}" for at in found if at]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The flight is on 5 July", {"2026-07-05"}),
        ("Eye test on the 16th, had a letter", {"2026-06-16", "2026-07-16"}),
        ("We went to the zoo on Saturday", {"2026-06-13"}),
        ("We said yes to looking after the twins on the 21st", {"2026-06-21"}),
        ("Two years ago, on 3 July, we sold the boat", {"2024-06-18", "2024-07-03"}),
        ("In 2020 we moved on 2 March", {"2020-01-01", "2020-03-02"}),
        ("Get the wheel out by Wednesday", {"2026-06-25"}),  # the end of that day
        ("I get up at seven", set()),
    ],
)
def test_a_note_may_mean_the_next_occurrence_and_what_is_past_does_not(text: str, named: set[str]) -> None:
    assert set(days(text)) == named


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("Saturdays I do the food bank", "en", ["2026-06-20", "2026-06-27"]),
        ("The rent goes out on the fifteenth of every month", "en", ["2026-07-15", "2026-08-15"]),
        ("We meet on 5 May of every year", "en", ["2027-05-05"]),
        ("montags ist Training", "de", ["2026-06-22", "2026-06-29"]),
        ("Tous les jeudis soir c'est chorale", "fr", ["2026-06-25", "2026-07-02"]),
        ("los sábados voy al mercado", "es", ["2026-06-20", "2026-06-27"]),
        ("每周五下午开会", "zh", ["2026-06-19", "2026-06-26"]),
    ],
)
def test_what_repeats_is_about_each_occurrence(text: str, language: str, first: list[str]) -> None:
    assert days(text, language)[:2] == first


def test_what_repeats_ends_where_it_says() -> None:
    assert days("Rehearsals: all Tuesdays until the end of June")[1:] == ["2026-06-23", "2026-06-30"]


@pytest.mark.parametrize("text", ["every day", "twice a week", "on the 15th of every week"])
def test_what_repeats_without_a_day_is_about_none(text: str) -> None:
    assert all(ref.begin is None for ref in days_named(text, NOW))


def test_days_are_those_of_the_speaker() -> None:
    late = datetime(2026, 3, 10, 22, tzinfo=timezone(timedelta(hours=-5)))
    [ref] = days_named("flying tomorrow", late)
    assert ref.begin == datetime(2026, 3, 11, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "language", "begin"),
    [
        ("The worktop comes a week on Friday", "en", "2026-06-26"),
        ("The car goes in on Wed week", "en", "2026-07-01"),
        ("three weeks on Monday", "en", "2026-07-13"),
        ("Nadia's wedding, 15.8., Hexham", "en", "2026-08-15"),
        ("driving test for Olly 16 January, fifth time lucky", "en", "2026-01-16"),
        ("the weekend of the 12th", "en", "2026-06-13"),
        ("das Wochenende vom 14. und 15. November", "de", "2026-11-14"),
        ("Mittwoch in einer Woche", "de", "2026-07-01"),
        ("Maman arrive le 27 et repart", "fr", "2026-06-27"),
        ("le contrôle est pris pour le 28 mai", "fr", "2027-05-28"),
        ("二十五号上午送", "zh", "2026-06-25"),
        ("下下周四晚上吃火锅", "zh", "2026-07-02"),
    ],
)
def test_words_for_days_of_several_languages(text: str, language: str, begin: str) -> None:
    assert f"{find_times(text, NOW, language)[0].begin:%Y-%m-%d}" == begin


@pytest.mark.parametrize("text", ["我坐3号线", "他住5号楼", "在2号店"])
def test_the_number_of_a_line_or_a_house_is_no_day(text: str) -> None:
    assert find_times(text, NOW, "zh") == []


@pytest.mark.parametrize("text", ["a month on Friday", "Friday in two hours"])
def test_only_weeks_lead_from_a_weekday_to_another(text: str) -> None:
    assert "2026-06-26" not in days(text)


@pytest.mark.parametrize(
    ("text", "ahead", "behind"),
    [
        ("anything in May?", "2027-05-01", "2026-05-01"),
        ("is there anything in my diary for the 10th?", "2026-07-10", "2026-06-10"),
        ("next week", "2026-06-22", "2026-06-22"),
        ("what did I do in May?", "2026-05-01", "2026-05-01"),
    ],
)
def test_a_question_about_plans_looks_ahead(text: str, ahead: str, behind: str) -> None:
    found = [query_window(text, NOW, ahead=way) for way in (True, False)]
    assert [f"{window[0]:%Y-%m-%d}" for window in found if window] == [ahead, behind]


def test_the_tense_tells_a_question_about_what_was() -> None:
    assert looks_back("what did I do today?", NOW)
    assert not looks_back("what do I have today?", NOW)
    assert not looks_back("what do I have?", NOW)
