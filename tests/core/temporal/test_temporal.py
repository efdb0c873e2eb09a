"""English expressions, each with the interval it means on a given day."""

from datetime import UTC, datetime

import pytest

from memoranda.core.temporal import find_times

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)  # a Saturday


def interval(begin: datetime | None, until: datetime | None) -> str:
    return f"{short(begin)}..{short(until)}"


def short(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.isoformat(sep=" ")[:16].removesuffix(" 00:00")


def only(text: str, language: str = "en") -> str:
    (ref,) = find_times(text, NOW, language)
    if ref.grain in {"set", "duration"}:
        return f"{ref.text} = {ref.grain}"
    return f"{ref.text} = {interval(ref.begin, ref.until)}"


DATES = """
yesterday = 2026-11-20..2026-11-21
the day before yesterday = 2026-11-19..2026-11-20
the day after tomorrow = 2026-11-23..2026-11-24
2024-05-03 = 2024-05-03..2024-05-04
3/5/2024 = 2024-03-05..2024-03-06
25/5/2024 = 2024-05-25..2024-05-26
25.5.2024 = 2024-05-25..2024-05-26
20240503 = 2024-05-03..2024-05-04
12/24 = 2026-12-24..2026-12-25
12/24, 2020 = 2020-12-24..2020-12-25
May 5 = 2027-05-05..2027-05-06
May 5, 2024 = 2024-05-05..2024-05-06
May the fifth = 2027-05-05..2027-05-06
5 May 2024 = 2024-05-05..2024-05-06
the 5th of May 2024 = 2024-05-05..2024-05-06
2024 May 5 = 2024-05-05..2024-05-06
May-2024-5 = 2024-05-05..2024-05-06
December twenty first = 2026-12-21..2026-12-22
January second = 2027-01-02..2027-01-03
Jan first two thousand and eight = 2008-01-01..2008-01-02
Feb 29 = 2028-02-29..2028-03-01
Friday, November 20 = 2026-11-20..2026-11-21
Friday, November 20, 2020 = 2020-11-20..2020-11-21
Friday, 21 November = 2025-11-21..2025-11-22
the 27th = 2026-11-27..2026-11-28
Friday the 13th = 2026-11-13..2026-11-14
Tuesday the 31st = 2026-03-31..2026-04-01
last Tuesday = 2026-11-17..2026-11-18
last Friday = 2026-11-13..2026-11-14
this past Friday = 2026-11-20..2026-11-21
this Friday = 2026-11-20..2026-11-21
next Friday = 2026-11-27..2026-11-28
this coming Saturday = 2026-11-28..2026-11-29
Friday next week = 2026-11-27..2026-11-28
next week on Friday = 2026-11-27..2026-11-28
Tuesday of last week = 2026-11-10..2026-11-11
two weeks ago = 2026-11-07..2026-11-08
a month ago = 2026-10-21..2026-10-22
2 years 1 month and 21 days ago = 2024-09-30..2024-10-01
in three weeks = 2026-12-12..2026-12-13
ten days from now = 2026-12-01..2026-12-02
three weeks from tomorrow = 2026-12-13..2026-12-14
two days before Christmas = 2026-12-23..2026-12-24
the day after Christmas = 2026-12-26..2026-12-27
the day before Easter 2025 = 2025-04-19..2025-04-20
the first Friday of July 2025 = 2025-07-04..2025-07-05
the last Friday of July 2025 = 2025-07-25..2025-07-26
the third Wednesday of next month = 2026-12-16..2026-12-17
the first Sunday = 2026-11-01..2026-11-02
the 30th of this month = 2026-11-30..2026-12-01
the last day of February 2024 = 2024-02-29..2024-03-01
Christmas Eve = 2026-12-24..2026-12-25
Thanksgiving 2025 = 2025-11-27..2025-11-28
Black Friday 2025 = 2025-11-28..2025-11-29
Memorial Day 2025 = 2025-05-26..2025-05-27
Easter Monday 2024 = 2024-04-01..2024-04-02
the Friday before last = 2026-11-06..2026-11-07
last Christmas = 2025-12-25..2025-12-26
next Christmas = 2026-12-25..2026-12-26
Independence Day of next year = 2027-07-04..2027-07-05
"""

PERIODS = """
last week = 2026-11-09..2026-11-16
this week = 2026-11-16..2026-11-23
next month = 2026-12-01..2027-01-01
last quarter = 2026-07-01..2026-10-01
next year = 2027-01-01..2028-01-01
last hour = 2026-11-21 14:30..2026-11-21 15:30
next hour = 2026-11-21 15:30..2026-11-21 16:30
last fortnight = 2026-11-07..2026-11-21
this fortnight = 2026-11-16..2026-11-30
this weekend = 2026-11-21..2026-11-23
the weekend before last = 2026-11-07..2026-11-09
the year after next = 2028-01-01..2029-01-01
May 2024 = 2024-05-01..2024-06-01
2024 May = 2024-05-01..2024-06-01
2024-05 = 2024-05-01..2024-06-01
5/2024 = 2024-05-01..2024-06-01
5 - 2024 = 2024-05-01..2024-06-01
April = 2027-04-01..2027-05-01
last March = 2026-03-01..2026-04-01
next March = 2027-03-01..2027-04-01
this September = 2026-09-01..2026-10-01
June next year = 2027-06-01..2027-07-01
last year in June = 2025-06-01..2025-07-01
Q3 2025 = 2025-07-01..2025-10-01
2025 Q3 = 2025-07-01..2025-10-01
Q4 = 2026-10-01..2027-01-01
H2 2025 = 2025-07-01..2026-01-01
the third quarter of 2025 = 2025-07-01..2025-10-01
next year's second quarter = 2027-04-01..2027-07-01
summer 2025 = 2025-06-01..2025-09-01
last summer = 2026-06-01..2026-09-01
the spring of 2025 = 2025-03-01..2025-06-01
winter 2025 = 2025-12-01..2026-03-01
the 1990s = 1990-01-01..2000-01-01
the 90s = 1990-01-01..2000-01-01
the 20s = 2020-01-01..2030-01-01
the eighties = 1980-01-01..1990-01-01
the noughties = 2000-01-01..2010-01-01
the 21st century = 2000-01-01..2100-01-01
year 247 = 0247-01-01..0248-01-01
the first week of October 2025 = 2025-09-29..2025-10-06
week 10 = 2027-03-08..2027-03-15
week 10 of 2025 = 2025-03-03..2025-03-10
the first week of November 2025 = 2025-11-03..2025-11-10
the last week of December 2025 = 2025-12-22..2025-12-29
the last week of 2020 = 2020-12-28..2021-01-04
the week of April 10, 2025 = 2025-04-07..2025-04-14
the week starting April 10, 2025 = 2025-04-07..2025-04-14
the week before Christmas 2025 = 2025-12-15..2025-12-22
early March 2025 = 2025-03-01..2025-03-16
late next year = 2027-07-01..2028-01-01
mid 2025 = 2025-04-01..2025-10-01
end of the month = 2026-11-21..2026-12-01
end of Q3 2025 = 2025-09-01..2025-10-01
late summer 2025 = 2025-08-01..2025-09-01
end of month = 2026-11-21..2026-12-01
end of the week = 2026-11-19..2026-11-23
start of next week = 2026-11-23..2026-11-26
earlier this year = 2026-01-01..2026-11-21
earlier today = 2026-11-21..2026-11-21 15:30
end of today = 2026-11-21 16:00..2026-11-22
later this month = 2026-11-21..2026-12-01
later in the year = 2026-11-21..2027-01-01
rest of the week = 2026-11-21..2026-11-23
rest of my day = 2026-11-21 15:30..2026-11-22
past two weeks = 2026-11-07..2026-11-21
last 3 days = 2026-11-18..2026-11-21
next 3 days = 2026-11-22..2026-11-25
next 5 hours = 2026-11-21 15:30..2026-11-21 20:30
two weekends ago = 2026-11-07..2026-11-09
3 past weeks = 2026-10-31..2026-11-21
past two quarters = 2026-04-01..2026-10-01
next two decades = 2030-01-01..2050-01-01
within 5 days = 2026-11-21..2026-11-26
within the past 5 days = 2026-11-16..2026-11-21
the first ten days of June 2025 = 2025-06-01..2025-06-11
the last two weeks of 2025 = 2025-12-18..2026-01-01
"""

TIMES = """
now = 2026-11-21 15:30..2026-11-21 15:30
noon = 2026-11-21 12:00..2026-11-21 13:00
midnight = 2026-11-22..2026-11-22 01:00
7pm = 2026-11-21 19:00..2026-11-21 20:00
7 p.m. = 2026-11-21 19:00..2026-11-21 20:00
9a = 2026-11-21 09:00..2026-11-21 10:00
10:30 = 2026-11-21 10:30..2026-11-21 10:31
19:45:10 = 2026-11-21 19:45..2026-11-21 19:45
8.30 pm = 2026-11-21 20:30..2026-11-21 20:31
1140 am = 2026-11-21 11:40..2026-11-21 11:41
7 o'clock = 2026-11-21 07:00..2026-11-21 08:00
half past seven = 2026-11-21 07:30..2026-11-21 07:31
quarter to eight = 2026-11-21 07:45..2026-11-21 07:46
ten past nine in the evening = 2026-11-21 21:10..2026-11-21 21:11
10 minutes to 9 = 2026-11-21 08:50..2026-11-21 08:51
8 in the evening = 2026-11-21 20:00..2026-11-21 21:00
2 at night = 2026-11-22 02:00..2026-11-22 03:00
10 in the morning = 2026-11-21 10:00..2026-11-21 11:00
tomorrow at 7pm = 2026-11-22 19:00..2026-11-22 20:00
tomorrow at 3 = 2026-11-22 15:00..2026-11-22 16:00
tomorrow at seven twenty-five = 2026-11-22 07:25..2026-11-22 07:26
7pm on Monday = 2026-11-23 19:00..2026-11-23 20:00
this morning = 2026-11-21 06:00..2026-11-21 12:00
last night = 2026-11-20 20:00..2026-11-21 02:00
tonight = 2026-11-21 18:00..2026-11-22 02:00
tonight at 8 = 2026-11-21 20:00..2026-11-21 21:00
yesterday evening = 2026-11-20 17:00..2026-11-20 21:00
in the morning = 2026-11-21 06:00..2026-11-21 12:00
late night = 2026-11-21 23:00..2026-11-22 02:00
Monday morning = 2026-11-23 06:00..2026-11-23 12:00
Monday AM = 2026-11-23 06:00..2026-11-23 12:00
Monday PM = 2026-11-23 12:00..2026-11-23 18:00
the morning of May 5, 2025 = 2025-05-05 06:00..2025-05-05 12:00
Wednesday evening next week = 2026-11-25 17:00..2026-11-25 21:00
the first Monday evening of next month = 2026-12-07 17:00..2026-12-07 21:00
from 3 to 5 pm = 2026-11-21 15:00..2026-11-21 17:00
from 9 to 5pm = 2026-11-21 09:00..2026-11-21 17:00
from 1pm to 4 = 2026-11-21 13:00..2026-11-21 16:00
between 10pm and 3 = 2026-11-21 22:00..2026-11-22 03:00
10pm to 2am = 2026-11-21 22:00..2026-11-22 02:00
0730-0930 = 2026-11-21 07:30..2026-11-21 09:30
from 10 am for two hours = 2026-11-21 10:00..2026-11-21 12:00
tomorrow from 3 to 5 = 2026-11-22 15:00..2026-11-22 17:00
6-8 next Monday = 2026-11-23 18:00..2026-11-23 20:00
this evening from 7 to 9 = 2026-11-21 19:00..2026-11-21 21:00
from 7 to 9 pm in the evening = 2026-11-21 19:00..2026-11-21 21:00
afternoon between 1 and 4 = 2026-11-21 13:00..2026-11-21 16:00
Monday before 5pm = ..2026-11-23 17:00
Monday after lunch = 2026-11-23 12:00..
2024-05-03T10:15:00 = 2024-05-03 10:15..2024-05-03 10:15
2024-05-03T10:15:00+02:00 = 2024-05-03 08:15..2024-05-03 08:15
Wed Oct 26 15:50:06 2016 = 2016-10-26 15:50..2016-10-26 15:50
half an hour ago = 2026-11-21 15:00..2026-11-21 15:01
in 2 hours = 2026-11-21 17:30..2026-11-21 18:30
"""

RANGES = """
from 3 to 5 May 2025 = 2025-05-03..2025-05-06
May 3-5, 2025 = 2025-05-03..2025-05-06
from 28 to May 30 = 2026-05-28..2026-05-31
from 4 to 22 this month = 2026-11-04..2026-11-23
between March and June = 2027-03-01..2027-07-01
March to June 2025 = 2025-03-01..2025-07-01
from Monday to Friday = 2026-11-16..2026-11-21
next week from Tuesday to Thursday = 2026-11-24..2026-11-27
2014-2018 = 2014-01-01..2019-01-01
between 2014 and 2018 = 2014-01-01..2019-01-01
from May 5 to June 3, 2025 = 2025-05-05..2025-06-04
from 12/20 to 1/5 = 2026-12-20..2027-01-06
from 4pm today to 5pm tomorrow = 2026-11-21 16:00..2026-11-22 17:00
since one thousand seven hundred and eighty nine = 1789-01-01..
since nineteen hundred ninety three = 1993-01-01..
since nineteen ninety nine = 1999-01-01..
since two thousand and eighteen = 2018-01-01..
since 2019 = 2019-01-01..
since last Monday = 2026-11-16..
until Friday = ..2026-11-28
until tomorrow at 5pm = ..2026-11-22 17:00
by Friday = ..2026-11-28
before March 2025 = ..2025-03-01
after March 2025 = 2025-04-01..
2012 onwards = 2012-01-01..
2012 or later = 2012-01-01..
three days starting tomorrow = 2026-11-22..2026-11-25
"""


def rows(table: str) -> list[str]:
    return table.strip().splitlines()


@pytest.mark.parametrize("row", [*rows(DATES), *rows(PERIODS), *rows(TIMES), *rows(RANGES)])
def test_an_english_expression_means_an_interval(row: str):
    text = row.partition(" = ")[0]
    assert only(text) == row
