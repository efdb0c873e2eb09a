from datetime import timedelta
from typing import Any

import pytest

from core.making import NOW, record
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.beliefs.supersession import (
    Claim,
    apart,
    claim_of,
    closed,
    disputed,
    ends,
    joined,
    rivals,
    settle,
    story,
)
from memoranda.core.rows import Record

OSLO = {"attribute": "location.city", "value": "Oslo"}
DAY = timedelta(days=1)


def claim(day: int, *days: int, **values: Any) -> Claim:
    """A claim about the city, said on some days."""
    said = [(NOW + DAY * number, f"e{number}") for number in (day, *days)]
    given = {"id": f"r{day}", "valid_from": NOW + DAY * day, "sources": tuple(event for _, event in said), **OSLO}
    return claim_of(record(**{**given, **values}), said)


PAST = {**OSLO, "temporal": "past", "valid_to": NOW}


@pytest.mark.parametrize(
    ("later", "earlier", "at"),
    [
        ({**OSLO, "value": "Rome"}, OSLO, NOW),
        (OSLO, OSLO, None),
        ({**OSLO, "polarity": -1}, OSLO, NOW),
        (PAST, OSLO, NOW),
        (PAST, {**OSLO, "value": "Rome"}, None),
        (PAST, {**OSLO, "polarity": -1}, None),
        (PAST, {**OSLO, "temporal": "future"}, None),
        (PAST, {**OSLO, "channel": "kitchen"}, None),
        ({**PAST, "attribute": None}, {"value": "Oslo"}, None),
        ({**OSLO, "value": "Rome"}, PAST, None),
        (PAST, PAST, None),
    ],
)
def test_when_one_ends_the_other(later: dict[str, Any], earlier: dict[str, Any], at: object) -> None:
    assert ends(record(**later), record(**earlier)) == at
    assert rivals(record(**later), record(**earlier)) is rivals(record(**earlier), record(**later))


def test_what_has_no_known_event_was_said_when_it_began() -> None:
    assert claim_of(record(), []).said == ((NOW, ""),)
    assert claim_of(record(sources=("gone",)), []).said == ((NOW, "gone"),)
    several = claim_of(record(), [(NOW + DAY, "b"), (NOW, "a")])
    assert (several.first, several.last, several.by) == (NOW, NOW + DAY, "a")


def test_two_of_the_same_are_apart_if_a_rival_was_said_in_between() -> None:
    rome = {"value": "Rome"}
    first, last = claim(1), claim(5)
    assert apart(first, last, [claim(3, **rome)])
    assert apart(last, first, [claim(3, **rome)])
    assert apart(first, last, [claim(0, 3, **rome)])
    assert not apart(first, last, [claim(0, **rome), claim(6, **rome)])
    doubted, doubt = claim(1, status="disputed"), claim(3, **rome, status="disputed")
    assert not apart(doubted, last, [doubt])
    assert apart(first, last, [doubt])


@pytest.mark.parametrize("late", [False, True])
def test_of_two_the_one_said_first_ends_where_the_other_begins(late: bool) -> None:
    older, newer = claim(1, value="Rome"), claim(2)
    new, old = (older, newer) if late else (newer, older)
    *both, verdict = settle(new, old, "prefer_new")
    rome, oslo = both if late else reversed(both)
    assert (rome.valid_to, rome.status, rome.contradicted_by) == (NOW + 2 * DAY, "expired", "e2")
    assert oslo is newer.record
    assert verdict is not None
    assert verdict.outcome == ("close_new" if late else "close_old")


@pytest.mark.parametrize(
    ("policy", "known", "new", "old"),
    [
        ("prefer_old", {}, (2, "expired", "e1"), (None, "candidate", None)),
        ("flag_review", {}, (None, "disputed", "e1"), (None, "disputed", "e2")),
        ("prefer_old", {"valid_to": NOW + 9 * DAY}, (None, "candidate", None), (2, "expired", "e2")),
        ("flag_review", {"valid_to": NOW + DAY}, (None, "candidate", None), (1, "candidate", None)),
    ],
)
def test_policy_decides_between_what_holds(
    policy: Policy, known: dict[str, Any], new: tuple[object, ...], old: tuple[object, ...]
) -> None:
    def seen(item: Record) -> tuple[object, ...]:
        return (item.valid_to - NOW).days if item.valid_to else None, item.status, item.contradicted_by

    one, other, _ = settle(claim(2, value="Rome"), claim(1, **known), policy)
    assert (seen(one), seen(other)) == (new, old)


def test_what_is_past_ends_what_was_so_whatever_the_policy() -> None:
    past = claim(3, temporal="past", valid_to=NOW + 2 * DAY)
    _, old, verdict = settle(past, claim(1), "flag_review")
    assert (old.valid_to, verdict and verdict.reason) == (NOW + 2 * DAY, "it is no longer so")
    new, _, _ = settle(claim(1), past, "prefer_old")
    assert (new.valid_to, new.contradicted_by) == (NOW + 2 * DAY, "e3")
    assert settle(claim(4), past, "prefer_new")[2] is None


def test_the_earliest_end_stands() -> None:
    known = record(valid_to=NOW + DAY, contradicted_by="e1")
    assert closed(known, NOW + DAY, "e2") is known
    assert closed(known, None, "e2") is known
    earlier = closed(known, NOW - DAY, "e2")
    assert (earlier.valid_to, earlier.contradicted_by) == (NOW, "e2")
    assert disputed(known, "").contradicted_by is None


def test_one_record_for_two() -> None:
    early, late = record(valid_from=NOW - DAY), record(valid_to=NOW + DAY)
    assert joined(late, early) == (NOW - DAY, NOW + DAY)
    assert joined(early, late) == (NOW - DAY, None)
    past = record(valid_from=NOW - DAY, valid_to=NOW - DAY, temporal="past")
    assert joined(record(valid_to=NOW, temporal="past"), past) == (NOW - DAY, NOW - DAY)


def test_a_story_goes_both_ways_and_tells_each_version_once() -> None:
    oslo = record(**OSLO, id="oslo", sources=("e1",), superseded_at=NOW)
    ended = record(**OSLO, id="oslo", version=2, sources=("e1",), contradicted_by="e2")
    rome = record(**{**OSLO, "value": "Rome"}, id="rome", sources=("e2",), supersedes="oslo")
    tea = record(id="tea", attribute="preference.drink", value="tea", sources=("e2",))
    pisa = record(**{**OSLO, "value": "Pisa"}, id="pisa", sources=("e3",), supersedes="rome")
    known = [pisa, tea, rome, ended, oslo]
    for name in ("oslo", "rome", "pisa"):
        assert {(row.id, row.version) for row in story(known, name)} == {
            ("oslo", 1), ("oslo", 2), ("rome", 1), ("pisa", 1),
        }  # fmt: skip
        assert len(story(known, name)) == 4
    assert story(known, "tea") == [tea]
    assert story(known, "nobody") == []
