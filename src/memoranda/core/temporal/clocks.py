"""Times of day: clock times, parts of the day, ranges of hours, and the rule functions that make them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.temporal.calendar import SHARES, Cycle, Length, Open, Span, Value, floor, lift, shift, unit
from memoranda.core.temporal.dates import weekday
from memoranda.core.temporal.spans import nth_inside, weekday_in_week

#: The grain of a time given as one, two or three numbers.
_GRAINS = ("hour", "minute", "second")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `open` if morning or afternoon was not said."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: str = "hour"
    open: bool = False

    def __post_init__(self) -> None:
        if not (0 <= self.hour < 24 and 0 <= self.minute < 60 and 0 <= self.second < 60):
            raise ValueError(f"no time of day: {self}")

    def at(self, day: datetime) -> datetime:
        """Return this time on the day that starts then; without morning or afternoon, 1 to 6 are in the afternoon."""
        clock = self.turn(afternoon=True) if self.open and 1 <= self.hour <= 6 else self
        return day.replace(hour=clock.hour, minute=clock.minute, second=clock.second)

    def turn(self, *, afternoon: bool) -> "Clock":
        """Return this time before or after noon; a 24-hour time stays."""
        hour = self.hour % 12 + 12 * afternoon if self.hour <= 12 else self.hour
        return Clock(hour, self.minute, self.second, self.grain)

    def on(self, day: Span) -> Span:
        """Return this time on a day."""
        begin = self.at(day.begin)
        return Span(begin, shift(begin, self.grain, 1), self.grain)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day, in hours from its start; the night extends into the next day."""

    begin: float
    until: float

    def on(self, day: Span) -> Span:
        """Return this part of a day."""
        return Span(day.begin + timedelta(hours=self.begin), day.begin + timedelta(hours=self.until), "part")

    def read(self, clock: Clock) -> Clock:
        """Return a time as meant in this part of the day: 8 in the evening."""
        if not clock.open:
            return clock
        small_hours = self.until > 24 and (clock.hour < 6 or clock.hour == 12)
        return clock.turn(afternoon=self.until > 12 and not small_hours and not (clock.hour > 9 and self.begin < 10))


@dataclass(frozen=True, slots=True)
class Hours:
    """From one time to another; None where open."""

    begin: Clock | None
    until: Clock | None

    def on(self, day: Span) -> Span | Open:
        """Return these hours on a day; a second time that is earlier is after noon or on the next day."""
        grain = "minute" if any(clock is not None and clock.minute for clock in (self.begin, self.until)) else "hour"
        if self.begin is None or self.until is None:
            begin = None if self.begin is None else self.begin.at(day.begin)
            return Open(begin, None if self.until is None else self.until.at(day.begin), grain)
        first, second = self.begin.at(day.begin), self.until.at(day.begin)
        if self.until.open:
            second = day.begin + timedelta(hours=self.until.hour % 12, minutes=self.until.minute)
        while second <= first:
            second += timedelta(hours=12 if self.until.open else 24)
        return Span(first, second, grain)


@dataclass(frozen=True, slots=True)
class DayPart:
    """A part of a given day: "yesterday evening" is one until a time makes it more precise."""

    day: Value
    part: Part


def clock_text(_now: datetime, text: str) -> Clock:
    """10:30, 10:30:15, 10.30."""
    return _clock(text)


def clock_hour(_now: datetime, hour: int) -> Clock | None:
    """At 7."""
    return Clock(hour % 24, open=0 < hour <= 12) if 0 <= hour <= 24 else None


def clock_digits(_now: datetime, digits: int, afternoon: bool | None = None) -> Clock | None:
    """0730, 1140 am."""
    clock = Clock(*divmod(digits, 100), grain="minute")
    return clock if afternoon is None else clock.turn(afternoon=afternoon)


def clock_letter(_now: datetime, text: str) -> Clock:
    """7p, 9:30a."""
    return _clock(text[:-1]).turn(afternoon=text[-1] in "pP")


def clock_meridiem(_now: datetime, said: Clock | int | str, afternoon: bool) -> Clock:
    """7 pm, 7:30 pm."""
    return _clock(said).turn(afternoon=afternoon)


def _clock(said: Clock | int | str) -> Clock:
    """Return a time from any notation: 7, "7", "7:30", "7.30" or "7:30:15"."""
    if isinstance(said, Clock):
        return said
    text = str(said).replace(".", ":")
    hour, minute, second = map(int, f"{text}:0:0".split(":")[:3])
    exact = ":" in text
    unsaid = 0 < hour <= 12 and not (exact and text.startswith("0"))
    return Clock(0 if exact and hour == 24 else hour, minute, second, _GRAINS[text.count(":")], unsaid)


def clock_part(_now: datetime, said: Clock | int, part: Part) -> Clock:
    """8 in the evening."""
    return part.read(_clock(said))


def spoken(_now: datetime, hour: int, minute: int, ones: int = 0) -> Clock | None:
    """Seven twenty-five."""
    return Clock(hour, minute + ones, grain="minute", open=hour <= 12) if ones < 10 <= minute else None


def minutes_past(_now: datetime, minutes: int, *said: Any) -> Clock | None:
    """Half past seven."""
    return _moved(said[-1], minutes)


def minutes_to(_now: datetime, minutes: int, *said: Any) -> Clock | None:
    """Ten to five."""
    return _moved(said[-1], -minutes)


def _moved(said: Clock | int, minutes: int) -> Clock | None:
    clock = _clock(said)
    total = (clock.hour * 60 + minutes) % 1440
    return None if clock.minute else Clock(*divmod(total, 60), grain="minute", open=clock.open)


def hours(_now: datetime, first: Clock | int, second: Clock | int) -> Hours:
    """From 5 to 6 pm: "pm" holds for both ends."""
    begin, until = _clock(first), _clock(second)
    if begin.open and not until.open:
        turned = begin.turn(afternoon=until.hour >= 12)
        later = (turned.hour, turned.minute) >= (until.hour, until.minute)
        begin = begin.turn(afternoon=until.hour < 12) if later else turned
    return Hours(begin, until)


def part_hours(_now: datetime, part: Part, first: Clock | int, second: Clock | int) -> Hours:
    """Afternoon between 1 and 4."""
    return Hours(part.read(_clock(first)), part.read(_clock(second)))


def hours_part(_now: datetime, said: Hours, part: Part) -> Hours:
    """From 7 to 9 in the evening."""
    return Hours(said.begin and part.read(said.begin), said.until and part.read(said.until))


def hours_for(_now: datetime, clock: Clock, size: Length) -> Hours | None:
    """From 10 am for three hours."""
    if size.months or size.days or size.seconds >= 86400:
        return None
    total = (clock.hour * 60 + clock.minute + size.seconds // 60) % 1440
    return Hours(clock, Clock(*divmod(total, 60), grain="minute", open=clock.open and total <= 720))


def hours_before(_now: datetime, clock: Clock) -> Hours:
    """Before 5 pm."""
    return Hours(None, clock)


def hours_after(_now: datetime, clock: Clock) -> Hours:
    """After 5 pm."""
    return Hours(clock, None)


def daily(_now: datetime, time: Clock | Part | Hours) -> Value:
    """A time of any day."""
    return Cycle("day", lambda start: time.on(unit(start, "day")))


def on_day(_now: datetime, date: Value, time: Clock | Part | Hours) -> Value | None:
    """Friday at noon."""
    return lift(date, lambda span: _on(span, time))


def _on(span: Span, time: Clock | Part | Hours) -> Span | Open | None:
    return time.on(span) if span.grain == "day" else None


def small_hours(now: datetime, date: Value | DayPart, first: int, second: int) -> Value | None:
    """Friday 12-4."""
    return on_any(now, date, hours(now, first, second))


def on_any(now: datetime, day: Value | DayPart, time: Clock | Hours) -> Value | None:
    """A time on a day, or in a part of one."""
    if not isinstance(day, DayPart):
        return on_day(now, day, time)
    time = day.part.read(time) if isinstance(time, Clock) else hours_part(now, time, day.part)
    return on_day(now, day.day, time)


def day_part(_now: datetime, day: Value, part: Part) -> DayPart | None:
    """Friday evening."""
    return None if not isinstance(day, Cycle) and day.grain != "day" else DayPart(day, part)


def relative_part(now: datetime, offset: int, part: Part) -> DayPart:
    """This morning, last night."""
    return DayPart(unit(now, "day", max(-1, min(1, offset))), part)


def named_part(now: datetime, named: tuple[int, Part]) -> DayPart:
    """Tonight."""
    return DayPart(unit(now, "day", named[0]), named[1])


def resolve_part(_now: datetime, said: DayPart) -> Value | None:
    """A part of a day as a value by itself."""
    return lift(said.day, said.part.on)


def cut_part(_now: datetime, share: str, part: Part) -> Part:
    """Early morning, late night."""
    first, second = SHARES[share]
    size = part.until - part.begin
    return Part(part.begin + size * first, part.begin + size * second)


def present(now: datetime, _said: bool) -> Span:
    """Now."""
    begin = floor(now, "second")
    return Span(begin, shift(begin, "second", 1), "second")


def month_day_time(now: datetime, *values: Any) -> Span | None:
    """Oct 26 15:50:06 2016, with or without the weekday before it."""
    month, day, clock, year = values[-4:]
    span: Span | None = clock.on(unit(now.replace(year=year, month=month, day=day), "day"))
    return span


def day_meridiem(_now: datetime, number: int, afternoon: bool) -> DayPart:
    """Tuesday AM."""
    return DayPart(weekday(number), Part(12, 18) if afternoon else Part(6, 12))


def weekday_part_inside(now: datetime, number: int, part: Part, outer: Value) -> Value | None:
    """Wednesday evening next week."""
    day = weekday_in_week(now, number, outer)
    return None if day is None else lift(day, part.on)


def nth_part_inside(now: datetime, nth: int, number: int, part: Part, outer: Value) -> Value | None:
    """The first Monday evening of next month."""
    day = nth_inside(now, nth, number, outer)
    return None if day is None else lift(day, part.on)


def clock_h(_now: datetime, text: str) -> Clock:
    """19h30, 19h."""
    hour, _, minute = text.lower().partition("h")
    return Clock(int(hour), int(minute or 0), grain="minute" if minute.strip() else "hour", open=0 < int(hour) <= 12)


def hour_unit(_now: datetime, hour: int, grain: str, minute: int = 0) -> Clock | None:
    """A time given with the word for hours."""
    return Clock(hour, minute, grain="minute" if minute else "hour", open=0 < hour <= 12) if grain == "hour" else None
