from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from memoranda.core.base.moments import moment
from memoranda.errors import InputError

EAST, WEST = timezone(timedelta(hours=9)), timezone(timedelta(hours=-9))


def test_a_moment_is_in_utc() -> None:
    found = moment("at", datetime(2026, 1, 1, 3, tzinfo=EAST))
    assert (found, found.tzinfo) == (datetime(2025, 12, 31, 18, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "2026-01-01",
        0,
        date(2026, 1, 1),
        datetime(2026, 1, 1),  # noqa: DTZ001
        datetime(1, 1, 1, tzinfo=EAST),
        datetime(9999, 12, 31, 23, tzinfo=WEST),
    ],
)
def test_what_is_no_moment_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="at "):
        moment("at", value)
