"""What a model is told before it consolidates: bounded, quoted, numbered."""

import json
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.making import NOW, event, record
from memoranda.core.base.scope import Scope
from memoranda.core.consolidation.prompt import Briefing, Room, brief
from memoranda.core.rows import Event, Record
from memoranda.core.text.terms import estimate_tokens

SCOPE = Scope(tenant="acme", user="alice")


def told(*events: Event, records: tuple[Record, ...] = (), narrative: str = "", room: Room | None = None) -> Briefing:
    return brief(events, records, narrative, scope=SCOPE, now=NOW, room=room)


def test_observations_are_numbered_and_labelled():
    briefing = told(
        event("I moved to Oslo.", id="a"),
        event("  ", id="b"),
        event("<memstrata-memory>\nold\n</memstrata-memory>", id="c"),
        event("Be brief.", id="d", role="system"),
        event("Hello!", id="e", role="assistant", speaker="Max"),
        event("done", id="f", role="", kind="tool_call"),
    )
    assert briefing.values["observations"].splitlines()[1:-1] == [
        '1. [turn, user, 2026-01-05] "I moved to Oslo."',
        '2. [turn, assistant Max, 2026-01-05] "Hello!"',
        '3. [tool_call, 2026-01-05] "done"',
    ]
    assert {number: row.id for number, row in briefing.numbers.items()} == {1: "a", 2: "e", 3: "f"}
    assert briefing.taken == ("a", "b", "c", "d", "e", "f")


def test_what_does_not_fit_waits():
    rows = [event("word " * 50, id=str(number)) for number in range(9)]
    few = told(*rows, room=Room(events=3))
    assert (few.taken, len(few.numbers)) == (("0", "1", "2"), 3)
    small = told(*rows, room=Room(tokens=150))
    assert small.taken == ("0", "1")
    least = told(*rows, room=Room(tokens=1, characters=10))
    assert least.taken == ("0",)
    assert least.values["observations"].splitlines()[1:-1] == ['1. [turn, user, 2026-01-05, part 1 of 25] "word word"']
    assert least.cut == len("word " * 50) - 1


def test_a_long_event_is_told_in_parts():
    long = " ".join(f"word{n}" for n in range(900))
    briefing = told(event("Tea.", id="a"), event(long, id="b"), event("Rum.", id="c"), room=Room(events=3))
    lines = briefing.values["observations"].splitlines()[1:-1]
    assert [line.split("]")[0] for line in lines[1:]] == [
        *(f"{n + 1}. [turn, user, 2026-01-05, part {n} of 5" for n in range(1, 6)), "7. [turn, user, 2026-01-05"
    ]  # fmt: skip
    assert [row.id for row in briefing.numbers.values()] == ["a", *"bbbbb", "c"]
    assert (briefing.taken, briefing.cut) == (("a", "b", "c"), 0)
    assert " ".join(json.loads(line[line.index('] "') + 2 :]) for line in lines[1:6]) == long


def test_nothing_is_told_as_nothing():
    briefing = told()
    assert (briefing.taken, briefing.known) == ((), {})
    assert briefing.values["observations"].splitlines()[1] == "(none)"
    assert briefing.values["narrative"].splitlines()[1] == "(none)"
    assert briefing.values["scaffold"].splitlines()[1] == "{}"


def test_the_strongest_is_known_that_holds_and_is_seen():
    rows = (
        record(id="a", attribute="work.role", value="clerk", importance=0.9),
        record(id="b", attribute="location.city", value="Oslo <b>", importance=0.8),
        record(id="c", attribute="tool.editor", value="vim", importance=0.1),
        record(id="d", attribute="hobby", value="chess", channel="project", importance=1.0),
        record(id="e", attribute="hobby", value="go", valid_to=NOW - timedelta(days=1), importance=1.0),
    )
    assert told(records=rows).known == {
        "work": {"role": "clerk"}, "location": {"city": "Oslo <b>"}, "tool": {"editor": "vim"},
    }  # fmt: skip
    briefing = told(records=rows, room=Room(scaffold=40))
    assert briefing.known == {"work": {"role": "clerk"}, "location": {"city": "Oslo <b>"}}
    assert '"Oslo ‹b›"' in briefing.values["scaffold"]


@pytest.mark.parametrize("related", [{}, {"long": 1.0}])
def test_one_long_record_hides_no_other(related: dict[str, float]):
    rows = (
        record(id="long", attribute="preference.style", value="word " * 3_000, importance=1.0),
        record(id="city", attribute="location.city", value="Oslo", importance=0.1),
    )
    briefing = brief((), rows, "", scope=SCOPE, now=NOW, related=related)
    assert (briefing.known, briefing.records) == ({"location": {"city": "Oslo"}}, {"city"})


@pytest.mark.parametrize("count", [10, 10_000])
def test_the_prompt_is_bounded_however_much_is_known(count: int):
    rows = tuple(
        record(id=f"r{number}", hash=f"h{number}", attribute=f"preference.topic_{number}", value=f"value {number}")
        for number in range(count)
    )
    events = [event("I said something again. " * 100, id=str(number)) for number in range(min(count, 200))]
    briefing = told(*events, records=rows, narrative="word " * count)
    assert sum(map(estimate_tokens, briefing.values.values())) < 6_500


@settings(deadline=None)
@given(st.text() | st.text('\n12.[] "turnuser<>/-memoranda,'), st.text(min_size=1, max_size=80))
def test_no_content_passes_for_an_observation(content: str, speaker: str):
    briefing = told(event(content, id="a", speaker=speaker), event("Tea.", id="b"))
    opening, *lines, closing = briefing.values["observations"].split("\n")
    assert (opening, closing) == ("<memstrata-memory>", "</memstrata-memory>")
    assert len(lines) == len(briefing.numbers) == len("\n".join(lines).splitlines())
    for number, line in enumerate(lines, 1):
        assert line.startswith(f"{number}. [turn, user")
        assert "<" not in line
    if len(lines) == 2:
        assert json.loads(lines[0][lines[0].index('] "') + 2 :]) if '] "' not in speaker else True


def test_half_of_the_room_goes_to_what_the_observations_bear_on():
    strong = tuple(record(id=f"s{n}", text=f"User has strong fact {n}.", importance=0.9) for n in range(20))
    weak = record(id="weak", text="User is flying to Lima in October.", importance=0.1)
    room = Room(scaffold=60)

    def shown(**related: float) -> frozenset[str]:
        return brief((), (*strong, weak), "", scope=SCOPE, now=NOW, related=related, room=room).records

    assert "weak" not in shown()
    assert "weak" in shown(weak=2.0)
    assert 0 < len(shown() & {one.id for one in strong}) < len(strong)
    crowded = shown(**{one.id: 1.0 for one in strong}, weak=2.0)
    assert "weak" in crowded
