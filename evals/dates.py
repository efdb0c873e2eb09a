"""Measure how well time expressions are found and resolved, on the Recognizers-Text specifications.

The folder `datetime` of the data holds JSON lists of cases: Input, Context.ReferenceDateTime, and Results with Text,
Start, Length or End and, in Parser and Model files, the value as TIMEX and calendar dates.

Span F1, *exact* (same start and end) and *overlap* (at least one character in common; each labelled span is matched at
most once). Files about one kind (all except Merged and DateTimeModel) label only that kind, so in these a prediction
that overlaps no label is not counted.

Value accuracy: of the labelled spans that have a value, the share whose overlapping prediction has that value. Where
several values are listed (last May, next May; 3 in the morning or in the afternoon), any of them is right. These
differences of convention affect the figure:

- Times without am or pm: single-kind files list only the morning, the others both. Both are right everywhere.
- A range "from 4 to 22 May" ends at the start of its last unit in the labels; ours includes that unit. Both are right.
- "After 4 May" starts at the start of that day in the labels, marked as exclusive; ours starts when the day is over.
  Both are right.
- Parts of the day are right if they are on the right day and overlap by at least half of the shorter interval.
- Seasons have no value in the labels and are left out. For durations and repetitions the kind is the value, since a
  `TimeRef` holds an interval.
- Labels marked "not resolved" because the date does not exist are not counted as labels.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.options import options
from evals.report import bars, save, table
from memoranda.core.rows.statements import TimeRef
from memoranda.core.temporal import find_times

FILES = (
    *("DateExtractor", "DateParser", "DatePeriodExtractor", "DatePeriodParser", "DateTimeExtractor", "DateTimeParser"),
    *("DateTimePeriodExtractor", "DateTimePeriodParser", "TimeExtractor", "TimeParser", "TimePeriodExtractor"),
    *("TimePeriodParser", "DurationExtractor", "DurationParser", "SetExtractor", "SetParser", "HolidayExtractor"),
    *("HolidayParser", "MergedExtractor", "MergedParser", "DateTimeModel"),
)
DEFAULT_NOW = "2016-11-07T00:00:00"
COARSE = {"month", "quarter", "year", "decade"}
MERIDIEM = re.compile(r"[ap]\.?\s?m\b|\d[ap]\b|morning|afternoon|evening|night|noon", re.IGNORECASE)


@dataclass
class Tally:
    """Counts over cases; `labels` and `guesses` count spans."""

    labels: int = 0
    guesses: int = 0
    exact: int = 0
    overlap: int = 0
    valued: int = 0
    right: int = 0

    def add(self, other: "Tally") -> None:
        """Add the counts of another tally."""
        for name, count in asdict(other).items():
            setattr(self, name, getattr(self, name) + count)

    def figures(self) -> dict[str, float | None]:
        """Return span F1 and value accuracy, in per cent; the accuracy is None if no label has a value."""
        spans = max(1, self.labels + self.guesses)
        return {
            "exact F1": 200 * self.exact / spans,
            "overlap F1": 200 * self.overlap / spans,
            "value": 100 * self.right / self.valued if self.valued else None,
        }


def _kind(label: dict[str, Any]) -> str:
    return (label.get("Type") or label.get("TypeName") or "").removeprefix("datetimeV2.")


def resolutions(label: dict[str, Any]) -> list[dict[str, str]]:
    """Return the values of a label in one format: timex, type, and value or start and end."""
    kind = _kind(label)
    found = label.get("Value") or label.get("Resolution")
    if not found:
        return []
    if "values" in found:
        return [value for value in found["values"] if value]
    keys = {"startDate": "start", "endDate": "end", "startTime": "start", "endTime": "end"}
    keys |= {"startDateTime": "start", "endDateTime": "end"}
    return [
        {
            "timex": found.get("Timex", ""),
            "type": kind,
            **{keys.get(key, "value"): value for key, value in side.items()},
        }
        for side in (found.get("PastResolution", {}), found.get("FutureResolution", {}))
    ]


def impossible(label: dict[str, Any]) -> bool:
    """Whether the label marks a date that does not exist."""
    values = resolutions(label)
    kinds = {value.get("type") for value in values}
    if "date" not in kinds and "datetime" not in kinds:
        return False
    return all(value.get("value", "").startswith(("0001-01-01", "not resolved")) for value in values)


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    full = text if "-" in text else f"2000-01-01 {text}"
    return datetime.fromisoformat(full.replace("24:00:00", "00:00:00")).replace(tzinfo=UTC)


def _same(ours: datetime | None, gold: datetime | None, *, clock_only: bool, unsaid: bool) -> bool:
    """Whether two moments are equal: by time of day if `clock_only`, or twelve hours apart if am or pm is `unsaid`."""
    if ours is None or gold is None:
        return ours is gold
    if clock_only:
        ours = ours.replace(year=2000, month=1, day=1)
    return ours == gold or (unsaid and abs(ours - gold) == timedelta(hours=12))


def is_right(ref: TimeRef, value: dict[str, str], words: str) -> bool:
    """Whether a reference has the value that a label gives to these words."""
    kind, timex = value["type"], value.get("timex", "")
    if kind in {"set", "duration"} or ref.grain in {"set", "duration"}:
        return ref.grain == kind
    clock_only = kind in {"time", "timerange"}
    unsaid = any(1 <= int(hour) <= 12 for hour in re.findall(r"T(\d\d)", timex)) and not MERIDIEM.search(words)
    if "value" in value:
        whole = ref.begin and ref.until and ref.until - ref.begin == timedelta(days=1)
        right = _same(ref.begin, _moment(value["value"]), clock_only=clock_only, unsaid=unsaid)
        return right and (kind != "date" or bool(whole))
    start, end = _moment(value.get("start", "")), _moment(value.get("end", ""))
    if re.search(r"T(MO|MI|AF|EV|NI|DT|BH)", timex):
        return _part_is_right(ref, start, end, clock_only=clock_only)
    starts = [start]
    if start and value.get("Mod") == "after" and ":" not in value["start"]:
        starts.append(start + timedelta(days=1))
    ends = _ends(ref, closed="(" in timex or not start)
    return any(_same(ref.begin, one, clock_only=clock_only, unsaid=unsaid) for one in starts) and any(
        _same(one, end, clock_only=clock_only, unsaid=unsaid) for one in ends
    )


def _ends(ref: TimeRef, *, closed: bool) -> list[datetime | None]:
    """Return the accepted ends of a range: its end and, if `closed`, the start of its last unit."""
    if ref.until is None:
        return [None]
    day = ref.until - timedelta(days=1)
    units: list[datetime | None] = [day.replace(day=1), day.replace(month=1, day=1)] if ref.grain in COARSE else [day]
    return [ref.until, ref.until - timedelta(seconds=1), *(units if closed else [])]


def _part_is_right(ref: TimeRef, start: datetime | None, end: datetime | None, *, clock_only: bool) -> bool:
    if ref.begin is None or ref.until is None or start is None or end is None:
        return False
    begin, until = ref.begin, ref.until
    if clock_only:
        until = until - begin + begin.replace(year=2000, month=1, day=1)
        begin = begin.replace(year=2000, month=1, day=1)
    shared = min(until, end) - max(begin, start)
    return shared * 2 >= min(until - begin, end - start)


def score(case: dict[str, Any], *, closed: bool) -> tuple[Tally, list[str]]:
    """Return the tally of one case, and a description of each fault."""
    text = case["Input"]
    stamp = case.get("Context", {}).get("ReferenceDateTime", DEFAULT_NOW)[:19]
    now = datetime.fromisoformat(stamp).replace(tzinfo=UTC)
    labels = [label for label in case["Results"] if "timezone" not in _kind(label) and not impossible(label)]
    guesses = find_times(text, now)
    tally, faults = Tally(labels=len(labels)), []
    used: set[int] = set()
    for label in labels:
        start = label["Start"]
        end = start + label["Length"] if "Length" in label else label["End"] + 1
        touching = [i for i, ref in enumerate(guesses) if ref.start < end and start < ref.end and i not in used]
        values = [value for value in resolutions(label) if (value.get("type") or "") != "timezone"]
        resolved = [v for v in values if v["type"] in {"set", "duration"} or not _valueless(v)]
        tally.valued += bool(resolved)
        if not touching:
            faults.append(f"missed [{text[start:end]}] in: {text}")
            continue
        best = min(touching, key=lambda i: (guesses[i].start - start) ** 2 + (guesses[i].end - end) ** 2)
        used.add(best)
        ref = guesses[best]
        tally.overlap += 1
        same = (ref.start, ref.end) == (start, end)
        tally.exact += same
        if not same:
            faults.append(f"span [{ref.text}] for [{text[start:end]}] in: {text}")
        if resolved:
            right = any(is_right(ref, value, text[start:end]) for value in resolved)
            tally.right += right
            if not right:
                shown = [{k: v for k, v in value.items() if k != "type"} for value in resolved[:2]]
                faults.append(f"value {ref.begin}..{ref.until} {ref.grain} for {shown} of [{ref.text}] now {stamp}")
    extra = [ref for i, ref in enumerate(guesses) if i not in used]
    if not closed:
        extra = [ref for ref in extra if any(ref.start < _end(la) and la["Start"] < ref.end for la in labels)]
    faults += [f"extra [{ref.text}] in: {text}" for ref in extra]
    tally.guesses = len(used) + len(extra)
    return tally, faults


def _end(label: dict[str, Any]) -> int:
    return int(label["Start"] + label["Length"] if "Length" in label else label["End"] + 1)


def _valueless(value: dict[str, str]) -> bool:
    said = [value.get(key, "") for key in ("value", "start", "end")]
    return not any(said) or said[0] == "not resolved"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("dates", __doc__, data="folder with datetime/")
    parser.add_argument("--show", nargs="*", default=[], help="files whose faults to print, without suffix")
    given = parser.parse_args(argv)
    tallies = {name: Tally() for name in (*FILES, "all")}
    for name in FILES:
        for case in json.loads((given.data / "datetime" / f"{name}.json").read_text(encoding="utf-8")):
            one, faults = score(case, closed=name.startswith(("Merged", "DateTimeModel")))
            tallies[name].add(one)
            if name in given.show:
                print("\n".join(f"    {fault}" for fault in faults), end="\n" if faults else "")
        tallies["all"].add(tallies[name])
    report = {name: {"labels": tally.labels, **tally.figures()} for name, tally in tallies.items()}
    print("\n## dates\n")
    print(
        table(
            ["file", "labels", "exact F1", "overlap F1", "value %"],
            [[name, *row.values()] for name, row in report.items()],
        )
    )
    written = save(given.out, "dates", report)
    figures = {kind: [row[kind] or 0.0 for row in report.values()] for kind in ("exact F1", "overlap F1", "value")}
    bars(given.out, "dates", "Time expressions", list(report), figures)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


if __name__ == "__main__":
    main()
