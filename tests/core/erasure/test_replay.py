"""The order of a log, and which record is which when it is derived again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memoranda.core.erasure.replay import Sayings, difference, digest, ordered, renamed
from memoranda.core.rows import Event, Passage, Record

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


def event(name: str, seq: int, *, taken: bool = False, minutes: int = 0, **more: object) -> Event:
    return Event(
        tenant="t", user="u", id=name, seq=seq, event_time=NOW, recorded_at=NOW + timedelta(minutes=minutes),
        processed_at=NOW if taken else None, **more,  # type: ignore[arg-type] # of an event
    )  # fmt: skip


def record(name: str, *sources: str, text: str = "x", **more: object) -> Record:
    return Record(
        tenant="t", user="u", id=name, kind="fact", text=text, hash=text, valid_from=NOW, recorded_at=NOW,
        sources=sources, **more,  # type: ignore[arg-type] # of a record
    )  # fmt: skip


def test_events_stand_in_the_order_in_which_they_were_recorded() -> None:
    late, early = event("late", 1, minutes=1), event("early", 2, taken=True)
    assert ordered([late, early]) == [early, late]


def test_of_one_moment_those_of_a_conversation_stand_as_they_were_said() -> None:
    talk = [event(f"c{place}", 9 - place, conversation="c", position=place, taken=place == 2) for place in range(3)]
    alone = event("alone", 5)
    assert [one.id for one in ordered([*talk, alone])] == ["c0", "alone", "c1", "c2"]


def test_a_record_is_known_by_its_sources_whatever_its_id() -> None:
    known = Sayings([record("second", "e2")])
    assert known.names([record("first", "e2")]) == {"first": "second"}
    assert known.among("second", [record("first", "e2"), record("other", "e2", text="y")]).id == "first"  # type: ignore[union-attr] # it is there
    assert known.among("nobody", [record("first", "e2")]) is None


def test_records_that_take_the_ids_of_one_another_stay_apart() -> None:
    known = Sayings([record("a", "e1"), record("b", "e2")])
    assert known.names([record("a", "e2"), record("b", "e1")]) == {"a": "b", "b": "a"}
    assert known.names([record("c", "e1"), record("a", "e9")]) == {"c": "a", "a": "c"}


def test_rows_name_records_by_the_ids_these_have() -> None:
    row = renamed(record("a", supersedes="b", promoted_from="z"), {"a": "c", "b": "d"})
    assert isinstance(row, Record)
    assert (row.id, row.supersedes, row.promoted_from) == ("c", "d", "z")
    passage = Passage(tenant="t", user="u", ref="a", at=NOW, recorded_at=NOW)
    assert [renamed(passage, names) for names in ({}, {"a": "c"})] == [passage, replace(passage, ref="c")]


def test_a_digest_does_not_tell_what_is_counted_nor_after_forgetting_how_a_belief_came_about() -> None:
    one, other = record("a", "e1"), record("a", "e1", access_count=3, seq=7)
    assert digest([one]) == digest([other]) != digest([record("a", "e1", importance=0.9)])
    assert digest([one], forgotten=True) == digest([record("b", "e1", importance=0.9)], forgotten=True)
    assert digest([one], forgotten=True) != digest([record("a", "e2")], forgotten=True)


def test_beliefs_appear_change_and_vanish() -> None:
    found = difference([record("a"), record("b")], [record("b", text="y"), record("c")])
    assert [one.id for one in (*found.appeared, *found.vanished)] == ["c", "a"]
    assert [(one.before.text, one.after.text) for one in found.changed] == [("x", "y")]
