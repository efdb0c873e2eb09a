"""Check datetimes from callers: aware, and within the years that UTC can represent."""

from datetime import UTC, datetime

from memoranda.core.base.checks import brief
from memoranda.errors import InputError


def moment(name: str, value: object) -> datetime:
    """Return `value` in UTC.

    Raises:
        InputError: it is no datetime, has no time zone, or lies outside the years 1 to 9999 in UTC.
    """
    if not isinstance(value, datetime):
        raise InputError(f"{name} is {brief(value)}; give an aware datetime, e.g. datetime(2026, 1, 31, tzinfo=UTC).")
    if value.utcoffset() is None:
        raise InputError(f"{name} has no time zone; give an aware datetime, e.g. tzinfo=UTC.")
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise InputError(f"{name} is {value.isoformat()}, which no calendar in UTC can name.") from error
