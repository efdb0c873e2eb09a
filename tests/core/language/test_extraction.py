from datetime import UTC, datetime, timedelta

import pytest

from core.making import NOW, event
from memoranda.core.language.extraction import analyse, record_of
from memoranda.core.rows.statements import Statement, TimeRef
from memoranda.core.text.fence import fenced
from memoranda.core.text.terms import content_hash

DAY = timedelta(days=1)


def time(begin: int | None, until: int | None) -> TimeRef:
    """A time so many days from now."""
    moments = [None if days is None else NOW + days * DAY for days in (begin, until)]
    return TimeRef(text="then", start=0, end=4, begin=moments[0], until=moments[1], grain="day", relation="past")


def test_what_the_user_states_is_read() -> None:
    found = analyse(event("I live in Oslo with Greta Lindqvist. Why not?"), "en")
    assert (found.outcome, found.language) == ("extracted", "en")
    assert [(item.attribute, item.value) for item in found.statements][:1] == [("location.city", "Oslo")]
    assert "greta lindqvist" in {name.casefold() for name in found.entities}
    assert "question" in found.traits


@pytest.mark.parametrize(
    ("values", "outcome", "text"),
    [
        ({"content": "The rain falls."}, "unextracted", "The rain falls."),
        ({"role": "system"}, "skipped", "I live in Oslo."),
        ({"role": "assistant", "source": "agent"}, "skipped", "I live in Oslo."),
        ({"content": fenced("User lives in Oslo.")}, "skipped", ""),
        ({"content": f"{fenced('I live in Rome.')} The rain falls."}, "unextracted", "The rain falls."),
    ],
)
def test_what_is_not_the_users_word_is_not_read(values: dict[str, str], outcome: str, text: str) -> None:
    found = analyse(event(**{"content": "I live in Oslo.", **values}), "en")
    assert (found.outcome, found.text, found.statements) == (outcome, text, ())


def test_names_are_noted_in_what_everybody_says() -> None:
    found = analyse(event("Greta Lindqvist lives in Oslo.", role="assistant", source="agent"), "en")
    assert "greta lindqvist" in {name.casefold() for name in found.entities}


def test_other_names_are_names_too() -> None:
    said = "IBM called. International Business Machines is big: International Business Machines (IBM). Ada (Ada) waved."
    found = analyse(event(said), "en")
    assert found.aliases == (("ibm", "international business machines"),)
    assert list(found.entities) == ["ibm", "international business machines", "ada"]


def test_of_a_long_text_the_beginning_is_read() -> None:
    found = analyse(event("It rains. " * 5_000 + "I live in Oslo."), "en")
    assert (found.outcome, len(found.text)) == ("unextracted", 50_015)


def test_a_record_is_a_statement_at_its_place() -> None:
    said = event("I live in Oslo", id="e7", agent="cook", channel="kitchen", connection="jira", trust=0.6)
    statement = Statement(kind="fact", category="personal", text="Greta lives in Oslo.", subject="Greta",
                          attribute="location.city", value="Oslo", certainty="implied", rule="en:city")  # fmt: skip
    made = record_of(statement, said, ("g",), NOW + DAY)
    assert (made.subject, made.attribute, made.value, made.confidence) == ("greta", "location.city", "Oslo", 0.85)
    assert (made.agent, made.channel, made.connection, made.trust) == ("cook", "kitchen", "jira", 0.6)
    assert (made.sources, made.entities, made.editor, made.status) == (("e7",), ("g",), "en:city", "candidate")
    assert (made.hash, made.valid_from, made.recorded_at) == (content_hash("greta lives in oslo"), NOW, NOW + DAY)


def test_the_id_tells_what_and_where_and_nothing_else() -> None:
    statement = Statement(kind="fact", category="personal", text="User lives in Oslo.")
    one = record_of(statement, event("a", id="e1"), (), NOW)
    assert record_of(statement, event("b", id="e2", event_time=NOW + DAY), (), NOW + DAY).id == one.id
    for place in ({"agent": "cook"}, {"channel": "kitchen"}, {"connection": "jira"}, {"user": "bob"}):
        assert record_of(statement, event("a", **place), (), NOW).id != one.id
    corrected = record_of(Statement(kind="fact", category="personal", text="X", correction=True), event("a"), (), NOW)
    assert (corrected.status, corrected.editor) == ("verified", "capture")


@pytest.mark.parametrize(
    ("temporal", "when", "begins", "ends"),
    [
        ("current", None, 0, None),
        ("current", time(-9, -8), -9, None),
        ("current", time(2, 3), 0, None),
        ("current", time(None, -1), 0, None),
        ("current", time(-9, 5), -9, None),  # "this week" may be when it began
        ("current", time(None, 5), 0, 5),
        ("current", time(0, 1), 0, None),  # "now" does not say for how long
        ("past", None, 0, 0),
        ("past", time(-9, -8), -9, -8),
        ("past", time(-9, None), -9, 0),
        ("past", time(None, -8), -8, -8),
        ("past", time(-9, 5), -9, 0),
        ("future", None, 0, None),
        ("future", time(2, 3), 0, 3),
        ("future", time(-9, -8), 0, None),
        ("future", time(2, None), 0, None),
    ],
)
def test_when_a_statement_holds(temporal: str, when: TimeRef | None, begins: int, ends: int | None) -> None:
    statement = Statement(kind="fact", category="personal", text="x", temporal=temporal, when=when)
    made = record_of(statement, event("x"), (), NOW)
    assert made.valid_from == NOW + begins * DAY
    assert made.valid_to == (None if ends is None else NOW + ends * DAY)
    assert made.phrase == (when.text if when else None)


def test_a_turn_that_only_puts_something_right_is_a_correction():
    found = analyse(event("No, I meant Thursday."), "en")
    assert found.correction is not None
    assert (found.correction.right, found.outcome) == ("Thursday", "unextracted")


def test_what_states_something_itself_is_no_bare_correction():
    found = analyse(event("My name is Ann, not Anna."), "en")
    assert found.statements
    assert found.correction is None


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("I'm flying to Rome on Tuesday.", datetime(2026, 11, 25, tzinfo=UTC)),
        ("We're meeting Anna on Tuesday.", datetime(2026, 11, 25, tzinfo=UTC)),
        ("My exam is on Monday.", datetime(2026, 11, 24, tzinfo=UTC)),
    ],
)
def test_a_plan_in_the_present_tense_ends_with_the_day_it_names(said: str, until: datetime) -> None:
    told = event(said, event_time=datetime(2026, 11, 18, 12, tzinfo=UTC))
    (statement,) = analyse(told, "en").statements
    record = record_of(statement, told, (), NOW)
    assert (record.temporal, record.valid_from, record.valid_to) == ("future", told.event_time, until)
