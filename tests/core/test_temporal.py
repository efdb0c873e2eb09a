from datetime import UTC, datetime

import pytest

from memstrata.core.temporal import find_times, has_time, query_window

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)  # a Saturday


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("yesterday", "2026-11-20", "2026-11-21"),
        ("two weeks ago", "2026-11-07", "2026-11-08"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("Q3 2025", "2025-07-01", "2025-10-01"),
        ("2024-05-03", "2024-05-03", "2024-05-04"),
    ],
)
def test_an_expression_is_resolved(text, begin, until):
    (ref,) = find_times(f"it was {text}.", NOW)
    assert ref.text == text
    assert (f"{ref.begin:%Y-%m-%d}", f"{ref.until:%Y-%m-%d}") == (begin, until)


def test_a_question_has_a_window():
    window = query_window("what did I say last month?", NOW)
    assert window == (datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC))


def test_a_modal_verb_is_no_month():
    assert find_times("I may march to the second door", NOW) == []


def test_plain_text_is_not_suspected():
    assert not has_time("My favourite colour is green")
