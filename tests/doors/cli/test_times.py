from datetime import UTC, datetime, timedelta

import pytest

from memoranda.doors.cli.times import beginning, ending
from memoranda.errors import InputError


def test_an_iso_moment_is_taken_as_it_is() -> None:
    exact = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    for read in (beginning, ending):
        assert read("2026-03-01T12:30Z") == exact
        assert read("2026-03-01 12:30") == exact
        assert read("2026-03-01T13:30+01:00") == exact


def test_a_date_is_a_whole_day() -> None:
    assert beginning("2026-03-01") == datetime(2026, 3, 1, tzinfo=UTC)
    assert ending("2026-03-01") == datetime(2026, 3, 2, tzinfo=UTC)


def test_words_are_a_span() -> None:
    begin, end = beginning("last month"), ending("last month")
    assert begin.day == end.day == 1
    assert timedelta(days=27) < end - begin < timedelta(days=32)
    assert end <= datetime.now(UTC)


@pytest.mark.parametrize("text", ["soon", "", "2026-13-45", "31.31.2026"])
def test_what_is_no_time_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(InputError, match=r"is no time: give 2026-03-01"):
        beginning(text)
