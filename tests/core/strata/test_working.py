"""What lies on a desk: what stays of it, what is written, and what becomes of what was changed apart."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.rows.cells import Cell, Content
from memoranda.core.strata.working import KEY, WAITING, Desk, Limits, allowed, rejoined, rests_on, summarised
from memoranda.core.text.forgotten import Forgotten, phrase
from memoranda.core.text.terms import Analyzer
from memoranda.errors import InputError

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
ANALYZER = Analyzer(str)


def desk(*written: Desk, now: datetime = NOON) -> Desk:
    """A desk after another was written."""
    cells: dict[str, Cell] = {}
    for one in written:
        new, _ = one.written("v")
        cells = {name: cell for name, cell in {**cells, **new}.items() if cell is not None}
    return Desk(Content(cells, NOON), now, Limits())


def turn(name: str, content: str = "", **more: str) -> dict[str, str]:
    return {"id": name, "role": "user", "content": content, **more}


def test_what_is_over_is_written_away() -> None:
    first = desk()
    first.put("short", 1, NOON + timedelta(minutes=1))
    first.put("long", 2, NOON + timedelta(days=3))
    first.put("task", 3)
    first.put("waiting:0:x", {"id": "x"})
    later = desk(first, now=NOON + timedelta(days=2))
    assert (sorted(later.names), later.touched) == (["long", "waiting:0:x"], True), "somebody was here"
    later.put("new", 1)
    later.drop("never there")
    cells, expect = later.written("w")
    assert cells == {"short": None, "task": None, "new": Cell("1", "w")}
    assert expect == {"short": "v", "task": "v", "new": None}


def test_a_place_is_needed_until_its_last_cell_is_over() -> None:
    first = desk()
    first.put("task", 1)
    assert first.keep == timedelta(days=1)
    first.put("key:k", 1, NOON + timedelta(days=3))
    assert first.keep == timedelta(days=3)
    first.put("waiting:0:x", {"id": "x"})
    assert first.keep is None


def test_turns_that_wait_are_numbered_on() -> None:
    said = {name: turn(name, connection=name) for name in "123"}

    def waiting(found: Desk) -> list[str]:
        return [name.split(":", 2)[2] for name in found.waiting]

    first = desk()
    first.say([said["2"], said["1"]], said, ANALYZER)
    later = desk(first, now=NOON + timedelta(days=2))
    later.say([said["3"]], said, ANALYZER)
    assert waiting(later) == ["2", "1", "3"]
    wiped = desk(first)
    wiped.wipe(["2"])
    wiped.say([said["3"]], said, ANALYZER)
    assert waiting(wiped) == ["1", "3"]
    first.drop(*first.waiting)
    assert desk(first, now=NOON + timedelta(days=2)).names == set()


def test_the_summary_takes_the_sentence_that_says_most_and_nothing_of_connections() -> None:
    said = [
        turn("1", "Hm. The boat needs new sails. Well."),
        turn("2", "The boat is in the tool.", connection="jira"),
        turn("3", "Sails for the boat are dear.", speaker="Ann"),
        turn("4", "!"),
    ]
    first = summarised([], said, ANALYZER)
    assert [(item["who"], item["value"]) for item in first] == [
        ("user", "The boat needs new sails."), ("user Ann", "Sails for the boat are dear."), ("user", "!"),
    ]  # fmt: skip
    again = summarised(first, [turn(str(number), f"The boat number {number}") for number in range(5, 20)], ANALYZER)
    assert len(again) == 8
    assert "!" not in [item["value"] for item in again]


items = st.lists(st.integers(0, 9), unique=True).map(lambda found: [{"id": str(number)} for number in found])


@given(items, items, items)
def test_of_a_list_what_both_sides_did_counts(
    now: list[dict[str, str]], base: list[dict[str, str]], mine: list[dict[str, str]]
) -> None:
    held, before, here = ({item["id"] for item in one} for one in (now, base, mine))
    joined = [
        item["id"] for item in rejoined({"thoughts": now}, {"thoughts": base}, {"thoughts": mine})["thoughts"] or ()
    ]
    assert len(joined) == len(set(joined))
    assert set(joined) == (held - (before - here)) | (here - before)


def test_of_a_value_the_last_word_counts() -> None:
    now = {"task": 1, "key:k": 2, "thoughts": [{"id": "a"}]}
    assert rejoined(now, {}, {"task": 3, "key:k": None, "thoughts": None}) == {
        "task": 3, "key:k": None, "thoughts": [{"id": "a"}],
    }  # fmt: skip


def test_what_rests_on_a_turn_that_was_forgotten_stays_away() -> None:
    mine = {"turns": [turn("1"), turn("2")], "decisions": [{"id": "x", "turn": "1"}, {"id": "y", "turn": "2"}]}
    mine |= {"waiting:0:1": turn("1"), "waiting:1:2": turn("2"), "waiting:2:3": turn("3"), "task": "stays"}
    assert rests_on(mine) == ("1", "2", "3")
    joined = rejoined({}, {}, mine, {"1"})
    assert [item["id"] for name in ("turns", "decisions") for item in joined[name]] == ["2", "y"]
    assert (joined["waiting:0:1"], joined["waiting:1:2"], joined["task"]) == (None, turn("2"), "stays")


def test_whoever_looked_while_the_cache_was_away_did_not_see_what_came_to_it() -> None:
    assert rejoined({"waiting:0:y": turn("y")}, {}, {"read": "waiting:5:x"}) == {"read": None}


@pytest.mark.parametrize(
    ("now", "base", "mine", "left"),
    [(9, 5, 6, 9), (5, 5, 6, 6), (5, 5, None, None), (2, 5, None, 2), (None, 5, 6, 6), (None, 5, None, None)],
)
def test_turns_are_numbered_on(now: int | None, base: int, mine: int | None, left: int | None) -> None:
    held = {} if now is None else {"said": now}
    assert rejoined(held, {"said": base}, {"said": mine})["said"] == left


@pytest.mark.parametrize("name", ["window", "refresh", "items", "waiting", "seconds", "key_seconds", "idle_seconds"])
def test_limits_that_cannot_be(name: str) -> None:
    with pytest.raises(InputError, match=name):
        Limits(**{name: 0})


def test_all_that_is_said_is_summed_up() -> None:
    with pytest.raises(InputError, match="refresh is 5; give no more than window"):
        Limits(window=4)
    assert Limits(window=4, refresh=4).window == 4


def test_of_cells_that_were_kept_the_turns_that_were_forgotten_are_left_out() -> None:
    barred = Forgotten()
    barred.take({"t1": NOON})
    cells = {f"{WAITING}1:t1": turn("t1"), f"{WAITING}2:t2": turn("t2"), "turns": [turn("t1"), turn("t2")]}
    assert allowed(cells, barred, None) == {f"{WAITING}2:t2": turn("t2"), "turns": [turn("t2")]}


def test_of_cells_that_were_kept_a_key_that_says_what_was_forgotten_is_left_out() -> None:
    assert allowed({f"{KEY}Zyx Harbour": 1, f"{KEY}step": 2}, Forgotten([phrase("Zyx Harbour")]), None) == {
        f"{KEY}step": 2
    }
