"""What holds of every expression: tense, offsets, limits, questions, and texts that only look like dates."""

import re
import sys
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.core.temporal import find_times, query_window
from memoranda.core.temporal.lexicon import LIMIT
from memoranda.core.temporal.pack import grammar
from memoranda.core.text.detect import LANGUAGES

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)  # a Saturday


def begin_of(text: str) -> str:
    (ref,) = find_times(text, NOW)
    assert ref.begin is not None
    return f"{ref.begin:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("On Monday I went home", "2026-11-16"),
        ("I will call you on Monday", "2026-11-23"),
        ("We met in March", "2026-03-01"),
        ("We are going to meet in March", "2027-03-01"),
        ("In March we walked a lot", "2026-03-01"),
        ("She called. I will be away on Monday", "2026-11-23"),
        ("My birthday is April 5", "2027-04-05"),
        ("I left at 7pm", "2026-11-20"),
        ("I was there on Thursday the 31st", "2026-12-31"),
        ("I left at 2 pm", "2026-11-21"),
    ],
)
def test_the_tense_of_the_sentence_chooses_the_occurrence(text: str, begin: str):
    assert begin_of(text) == begin


WEDNESDAY = datetime(2026, 11, 18, 12, tzinfo=UTC)

AHEAD = {
    "en": """
        I'm flying to Rome on Tuesday
        I’m flying to Rome on Tuesday
        we're meeting Anna on Tuesday
        Anna is also visiting us on Monday
        On Tuesday I'm flying to Rome
        I fly to Rome on Tuesday
        My train leaves on Tuesday at 9
        my exam is on Monday
        the concert's great, it's on Monday
        The shop is closed on Monday
        I have a dentist appointment on Tuesday
        I've got an interview on Tuesday
        I booked a table for Tuesday
        The call is scheduled for Monday
        I won't be there on Tuesday
        Dinner with Sam on Tuesday
        I was told that we're meeting on Tuesday
        I met Anna and on Tuesday I'm flying to Rome
    """,
    "de": """
        Ich fliege am Dienstag nach Rom
        Am Dienstag fliege ich nach Rom
        Am Dienstag bin ich in Rom
        Ich habe am Dienstag eine Prüfung
        Wir sind am Dienstag eingeladen
        Wir treffen am Montag Anna
        Abendessen mit Sam am Dienstag
    """,
    "es": """
        Vuelo a Roma el martes
        El martes vuelo a Roma
        Mi examen es el lunes
        Hemos quedado el martes
        Volveré el martes
        Cena con Sam el martes
    """,
    "fr": """
        Je pars à Rome mardi
        Mardi, je pars à Rome
        Mon examen est lundi
        J'ai un examen lundi
        Dîner avec Sam mardi
    """,
    "zh": """
        我周二飞罗马
        我星期一有考试
    """,
}

OVER = {
    "en": """
        I was flying to Rome on Friday
        On Friday I have been ill
        I've been ill since Friday
        I'm working from home since Friday
        Did we leave on Friday
        I saw the doctor on Friday and I'm flying to Rome
        I'm ill, and on Friday I was too
        Dinner with Sam was great on Friday
    """,
    "de": """
        Ich bin am Freitag nach Rom geflogen
        Am Freitag habe ich Anna gesehen
        Wir haben am Freitag telefoniert
        Ich bin seit Freitag krank
        Am Freitag trafen wir Anna
    """,
    "es": """
        El viernes comí con Anna
        Llegué el viernes
        Estoy enfermo desde el viernes
    """,
    "fr": """
        J'ai vu Anna vendredi
        Je suis déjà parti vendredi
        Je suis malade depuis vendredi
    """,
    "zh": """
        我星期五去了罗马
        我星期五见了安娜
    """,
}


def sentences(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(language, line.strip()) for language, lines in table.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("language", "text"), sentences(AHEAD))
def test_what_is_arranged_is_ahead_though_the_day_before_is_closer(language: str, text: str):
    (ref,) = find_times(text, WEDNESDAY, language)
    assert ref.relation == "future"


@pytest.mark.parametrize(("language", "text"), sentences(OVER))
def test_what_is_told_of_the_past_is_over_though_the_day_ahead_is_closer(language: str, text: str):
    (ref,) = find_times(text, WEDNESDAY, language)
    assert ref.begin == datetime(2026, 11, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for the help on Tuesday",
        "I have a friend in Bergen with the loudest drums of the whole street, ask him of Tuesday",
    ],
)
def test_what_tells_of_no_arrangement_nearby_means_the_closest_day(text: str):
    (ref,) = find_times(text, WEDNESDAY)
    assert ref.begin == datetime(2026, 11, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("who am I meeting on Friday?", 20),
        ("what do I have on Friday?", 20),
        ("is my exam on Friday?", 20),
        ("who did I meet on Friday?", 13),
        ("anything about Rome on Friday?", 13),
        ("dinner with Sam on Friday?", 13),
    ],
)
def test_a_question_looks_back_unless_it_asks_about_plans(text: str, day: int):
    midnight = datetime(2026, 11, day, tzinfo=UTC)
    assert query_window(text, WEDNESDAY) == (midnight, midnight + timedelta(days=1))


@pytest.mark.parametrize(
    ("language", "text", "begin", "until"),
    [
        ("en", "I'm here until Friday", None, 21),
        ("en", "I was ill until Friday", None, 14),
        ("en", "until Tuesday", None, 25),
        ("en", "I'm ill since Monday", 16, None),
        ("en", "since Friday", 13, None),
        ("de", "Ab Montag arbeite ich in Bonn", 23, None),
        ("de", "Seit Montag arbeite ich in Bonn", 16, None),
        ("fr", "Je travaille à Bonn à partir de lundi", 23, None),
    ],
)
def test_what_has_one_end_is_chosen_by_tense_too(language: str, text: str, begin: int | None, until: int | None):
    (ref,) = find_times(text, WEDNESDAY, language)
    assert (ref.begin and ref.begin.day, ref.until and ref.until.day) == (begin, until)


def test_a_weekday_tells_the_year_of_a_date():
    (ref,) = find_times("I'm flying to Rome on Tuesday, 13 October", WEDNESDAY)
    assert ref.begin == datetime(2026, 10, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "I may march to the second door",
        "This may take long",
        "Wait a second please",
        "the third person on the 5th floor",
        "in my 30s",
        "I sat in the sun and fell",
        "two people and 1,204 apples for 12 dollars",
        "call 555-1212, room 112/2108 or version 1.2.3",
        "open 24/7 to all",
        "half of it is past repair",
        "c'mon, we rely on one another",
        "it helps to start the day well",
        "31 February",
        "February 30",
        "31/11/2024",
        "2024-02-30",
        "25:75",
        "2024-05-03T99:99",
        "in 99999 years",
        "in 9000 years",
        "99999 years ago",
        "in 1.3 months",
        "at 31 pm",
        "five sixty",
        "Q7 2025",
        "week 77",
        "day 5",
    ],
)
def test_what_is_no_date_is_none(text: str):
    assert [ref for ref in find_times(text, NOW) if ref.grain not in {"set", "duration"}] == []


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("for three weeks", "duration"),
        ("an hour and a half", "duration"),
        ("one and a half hours", "duration"),
        ("two hundred days", "duration"),
        ("more than 2 days", "duration"),
        ("3h", "duration"),
        ("a few days", "duration"),
        ("all day", "duration"),
        ("1.5 years", "duration"),
        ("every Monday", "set"),
        ("every other day", "set"),
        ("on Mondays", "set"),
        ("on weekends", "set"),
        ("twice a week", "set"),
        ("weekly", "set"),
        ("every day at 7pm", "set"),
        ("3pm every day", "set"),
        ("the 19th of every month", "set"),
    ],
)
def test_lengths_and_repetitions_have_no_place(text: str, grain: str):
    (ref,) = find_times(f"it took {text}.", NOW)
    assert (ref.grain, ref.begin, ref.until, ref.relation) == (grain, None, None, "current")


@pytest.mark.parametrize(
    ("text", "grain", "relation"),
    [
        ("yesterday", "day", "past"),
        ("today", "day", "current"),
        ("tomorrow at 7pm", "hour", "future"),
        ("since 2019", "year", "current"),
        ("before 2019", "year", "past"),
        ("next quarter", "quarter", "future"),
        ("last summer", "season", "past"),
        ("the 90s", "decade", "past"),
        ("at 10:30", "minute", "past"),
        ("last night", "part", "past"),
    ],
)
def test_grain_and_relation_are_told(text: str, grain: str, relation: str):
    (ref,) = find_times(text, NOW)
    assert (ref.grain, ref.relation) == (grain, relation)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from 10 am for 2 days", ["10 am", "2 days"]),
        ("half past 10:30", ["10:30"]),
        ("Wednesday evening next month", ["Wednesday evening", "next month"]),
        ("earlier next year", ["next year"]),
        ("rest of last week", ["last week"]),
        ("the third two weeks of June", ["two weeks", "June"]),
        ("the third hour of May 5", ["May 5"]),
        ("2020-05-05 to 2019-01-01", ["2020-05-05", "2019-01-01"]),
        ("the third hour of May 2025", ["May 2025"]),
        ("I tried one last week", ["last week"]),
        ("I am 30 years old today", ["today"]),
        ("until since 2019", ["since 2019"]),
        ("this 5/12/2024", ["5/12/2024"]),
        ("before until Friday", ["until Friday"]),
        ("6:30 and 7:30 of 2 and 3", ["6:30 and 7:30"]),
    ],
)
def test_what_does_not_fit_together_is_told_apart(text: str, found: list[str]):
    assert [ref.text for ref in find_times(text, NOW)] == found


def test_a_month_on_is_the_last_day_of_a_shorter_month():
    (ref,) = find_times("in a month", datetime(2026, 1, 31, tzinfo=UTC))
    assert ref.begin == datetime(2026, 2, 28, tzinfo=UTC)


def test_words_are_read_by_the_wall_clock_of_the_message():
    tokyo = datetime(2026, 11, 22, 1, 0, tzinfo=timezone(timedelta(hours=9)))
    (ref,) = find_times("yesterday", tokyo)
    assert (ref.begin, ref.until) == (datetime(2026, 11, 20, 15, tzinfo=UTC), datetime(2026, 11, 21, 15, tzinfo=UTC))
    assert ref.relation == "past"


class SkipsAnHour(tzinfo):
    """A zone whose clock goes from two to three in the night of 8 March 2026."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        assert moment is not None
        return timedelta(hours=-5 if moment.replace(tzinfo=None) < datetime(2026, 3, 8, 3) else -4)  # noqa: DTZ001

    def dst(self, _moment: datetime | None) -> timedelta:
        return timedelta(0)


def test_a_skipped_hour_makes_no_span_end_before_it_begins():
    (ref,) = find_times("2026-03-08 02:30-03:00", datetime(2026, 3, 8, 12, tzinfo=SkipsAnHour()))
    assert ref.begin == ref.until == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("what did I say last month?", datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)),
        ("anything about Rome in March?", datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)),
        ("what will I do in March?", datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC)),
        ("for three weeks, since 2019?", datetime(2019, 1, 1, tzinfo=UTC), None),
    ],
)
def test_a_question_has_a_window(text: str, begin: datetime, until: datetime | None):
    assert query_window(text, NOW) == (begin, until)


@pytest.mark.parametrize(
    "text",
    ["what do I like?", "what do I like now?", "what do I drink in the morning, at 7?", "how long is three weeks?"],
)
def test_a_question_may_have_no_window(text: str):
    assert query_window(text, NOW) is None


def test_the_prefilter_passes_what_may_hold_a_time():
    suspects = grammar("en").lexicon.suspects
    assert suspects("see you tomorrow")
    assert suspects("room 7")
    assert not suspects("My favourite colour is green, and the rest is of no use to me")


def test_a_language_may_be_told_with_its_country():
    assert find_times("bis Freitag", NOW, "de-AT") == find_times("bis Freitag", NOW, "DE_at") != []


def test_a_language_without_a_pack_has_no_times():
    assert find_times("tomorrow", NOW, "ca") == []


def test_expressions_beyond_the_calendar_are_left_out():
    assert find_times("last century", datetime(50, 1, 1, tzinfo=UTC)) == []
    assert find_times("I will go in March", datetime(9999, 6, 15, tzinfo=UTC)) == []
    assert find_times("today", datetime(1, 1, 1, 12, tzinfo=timezone(timedelta(hours=9)))) == []
    late = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9)))
    assert find_times("tomorrow, at 5 pm, next week, this year", late) == []


_NUMBERS = ["2024", "5", "31", "12:30", "5/6", "2024-05-03", "1990s", "7pm", "3h", "1.5"]
_VOCABULARY = [*sorted(grammar("en").lexicon.words), *_NUMBERS, "cat", "\u2019s", "("]


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.sampled_from(_VOCABULARY), max_size=12))
def test_any_row_of_words_is_read(words: list[str]):
    check(" ".join(words), "en")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_row_of_words_is_read_in_every_language(language: str, data: st.DataObject):
    vocabulary = [*sorted(grammar(language).lexicon.words), "2024", "5", "12:30", "5.6.", "2024-05-03", "3h", "x"]
    words = data.draw(st.lists(st.sampled_from(vocabulary), max_size=12))
    check(("" if language == "zh" else " ").join(words), language)


@settings(deadline=None)
@given(text=st.text(max_size=200), language=st.sampled_from(LANGUAGES))
def test_any_text_is_read(text: str, language: str):
    check(text, language)


@settings(deadline=None)
@given(text=st.text(alphabet="0123456789/:.-, apmthsTZ年月日", max_size=40), language=st.sampled_from(LANGUAGES))
def test_any_digits_are_read(text: str, language: str):
    check(text, language)


def check(text: str, language: str) -> None:
    refs = find_times(text, NOW, language)
    assert refs == find_times(text, NOW, language)
    end = 0
    for ref in refs:
        assert end <= ref.start < ref.end
        assert text[ref.start : ref.end] == ref.text
        assert ref.begin is None or ref.until is None or ref.begin <= ref.until
        end = ref.end
    assert query_window(text, NOW, language) is None or refs


def test_what_is_found_is_found_again_on_its_own():
    text = "Yesterday at 7pm we met; the first Monday of March 2025 was fine, and from 3 to 5 May 2025 too."
    refs = find_times(text, NOW)
    assert len(refs) == 3
    for ref in refs:
        (again,) = find_times(ref.text, NOW)
        assert (again.begin, again.until, again.grain) == (ref.begin, ref.until, ref.grain)


def test_a_table_of_dates_is_read_up_to_a_limit():
    assert len(find_times("Monday " * (3 * LIMIT), NOW)) == LIMIT


HOSTILE = [
    "1 ",
    "Monday ",
    "last ",
    "1-1-",
    "1/",
    "a few of ",
    "one day and ",
    "from 1 to ",
    "12:",
    "5 march ",
    "1,111,",
    "x",
]


def steps(text: str) -> int:
    count = 0

    def tick(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tick)
    try:
        find_times(text, NOW)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_grows_no_faster_than_the_text(piece: str):
    small, large = piece * 200, piece * 400
    assert steps(large) <= 2.3 * steps(small) + 200


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_is_bounded_for_large_texts(piece: str):
    assert steps(piece * (100_000 // len(piece))) < 400_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_patterns_cannot_backtrack_without_bound(language: str):
    patterns = [pattern.pattern for pattern, _, _ in grammar(language).rules]
    assert not [pattern for pattern in patterns if "*" in pattern or "+" in pattern]
    assert max(int(bound) for pattern in patterns for bound in re.findall(r"\{\d,(\d+)\}", pattern)) <= 4
