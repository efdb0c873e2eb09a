from datetime import UTC, datetime

import pytest
from rich.console import Console, RenderableType

from memoranda.core.base.plain import plain
from memoranda.core.beliefs.profile import Leaf, Profile
from memoranda.core.evaluation.metrics import Interval
from memoranda.core.recall.results import Context, Item, Recalled, Section
from memoranda.core.rows import Event, Pool, Vector
from memoranda.doors.cli import explaining, render, texts, views
from memoranda.doors.cli.intake import Intake
from memoranda.flows.context.router import Match, Searched
from memoranda.flows.context.volumes import Strata, Volume
from memoranda.flows.governance.changes import Change, Changes

THEN = datetime(2026, 1, 6, 17, 40, tzinfo=UTC)


def drawn(what: RenderableType) -> str:
    console = Console(width=200, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(what)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def leaf(value: object) -> Leaf:
    return Leaf(value=value, confidence=0.9, sources=("e1",), since=THEN, record="r1")


def test_everything_becomes_json() -> None:
    row = Vector(tenant="t", user="u", space="s", ref="e1", data=b"\x01\xff")
    assert plain(row)["data"] == "01ff"
    assert plain({"at": THEN, "of": ("b", 1), "in": frozenset({("b", 2), ("a", 3)}), 4: None}) == {
        "at": "2026-01-06T17:40:00+00:00",
        "of": ["b", 1],
        "in": [["a", 3], ["b", 2]],
        "4": None,
    }


def test_what_has_no_drawing_of_its_own_is_drawn_name_by_name() -> None:
    row = Interval(mean=0.5, low=-1234.5, high=2.0)
    assert drawn(render.draw((row, row))).splitlines() == ["mean  0.5", "low   -1,234.5", "high  2.0"] * 2
    told = {"at_all": None, "since": THEN, "kinds": ("a", "b"), "by": {"user": 1200}, "whole": True, "none": []}
    assert drawn(render.draw(told)).splitlines() == [
        "at all  –", "since   2026-01-06 17:40", "kinds   a, b", "by      user 1,200", "whole   True", "none    none",
    ]  # fmt: skip
    assert [drawn(render.draw(value)).strip() for value in ("a\x1bb", {}, ())] == [
        "a\N{REPLACEMENT CHARACTER}b",
        "none",
        "none",
    ]


@pytest.mark.parametrize("bad", ["\x1b", "\x00", "\x07", "\x7f", "\x9b", "\r"])
def test_what_commands_a_terminal_is_replaced(bad: str) -> None:
    assert texts.clean(f"a{bad}[2Jb\tc\nd") == "a\N{REPLACEMENT CHARACTER}[2Jb\tc\nd"


def test_a_long_text_is_cut_to_a_line() -> None:
    assert texts.shortened("one\n two", 7) == "one two"
    assert texts.shortened("one two three", 7) == "one tw…"


def test_a_profile_is_a_tree() -> None:
    found = Profile(
        scaffold={"likes": [leaf("tea"), leaf("rain")], "work": {"years": leaf(7)}},
        narrative="User likes tea.",
        learned={"": (leaf("Reads at night"),), "jira": (leaf("Project is PROJ"),)},
    )
    told = "(since 2026-01-06, confidence 0.90)"
    assert drawn(views.profile(found)).splitlines() == [
        "likes", f"    tea  {told}", f"    rain  {told}", "work", f"    years: 7  {told}",
        "learned", f"    Reads at night  {told}", "learned of jira", f"    Project is PROJ  {told}",
        "", "User likes tea.",
    ]  # fmt: skip


def test_a_report_stands_in_columns() -> None:
    section = Section(
        name="記憶", budget=800, granted=900, used=12, included={"e1": "found"}, excluded={"e2": "over", "e3": "o"}
    )
    made = Context(
        stable_prefix="A",
        volatile_tail="B",
        sections=(section, Section(name="logs", budget=400, note="no daily log bears on it")),
        budget=4000,
        used=14,
        frame=0,
        citations={"m1": "e1"},
        epoch="e",
    )
    assert drawn(views.context(made)).splitlines()[4:] == [
        "section  budget  granted  used  in  out",
        "記憶        800      900    12   1    2",
        "logs        400        0     0   0    0",
        "all       4,000             14   1",
        "logs: no daily log bears on it",
    ]


def test_a_memory_tells_its_rank_score_kind_time_and_origin() -> None:
    item = Item(
        id="r1", of="record", kind="fact", text="User lives in Hamburg.", score=0.5, similarity=0.4, why="keyword 0.40",
        shares={"similarity.keyword_window": 0.4, "asks": -0.01}, at=THEN, valid_to=THEN, channel="_global",
    )  # fmt: skip
    assert drawn(views.recalled(Recalled(items=(item,)))).splitlines() == [
        " 1  0.50  fact  2026-01-06 until 2026-01-06",
        "    User lives in Hamburg.",
        "    why: keyword 0.40",
        "    r1",
    ]
    assert drawn(explaining.bars(item.shares)).splitlines() == [
        f"keyword window  0.40  {'█' * 32}",
        "asks            -0.01  █",
    ]
    many = {f"signal_{number}": 0.1 for number in range(9)}
    assert drawn(explaining.bars(many)).splitlines()[-1] == f"3 others  0.30  {'█' * 24}"
    tiny = {"recency": 0.25, "bridge": -0.004}
    assert drawn(explaining.bars(tiny)).splitlines() == [f"recency  0.25  {'█' * 20}", "1 other  0.00  ▏"]


def test_what_was_found_across_the_strata_tells_where_it_lies() -> None:
    entry = Match(
        stratum="short_term", id="e1", kind="reflection", text="Oslo", score=0.5, at=THEN, why="near", key="port\x1b"
    )
    shared = Match(
        stratum="shared", id="r1", kind="fact", text="Bergen", score=0.25, at=THEN, why="nearer", collection="c1",
        called="handbook",
    )  # fmt: skip
    found = Searched(matches=(entry, shared), reason="no more", degraded=("embedder: no answer",))
    assert drawn(views.searched(found)).splitlines() == [
        " 1  0.50  short-term reflection  2026-01-06 under port\ufffd", "    Oslo", "    why: near", "    e1",
        " 2  0.25  shared fact  2026-01-06 in handbook", "    Bergen", "    why: nearer", "    r1",
        "no more", "degraded: embedder: no answer",
    ]  # fmt: skip


def test_the_strata_stand_in_columns() -> None:
    full = Volume(items=2, by={"turn": 2}, characters=1_200, oldest=THEN, newest=THEN)
    empty = Volume()
    found = Strata(working=full, short_term=empty, long_term=empty, shared=empty, degraded=("working memory: gone",))
    lines = drawn(views.strata(found)).splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["working", "short-term", "long-term", "shared"]
    assert lines[1].endswith("turn 2")
    assert lines[5] == "degraded: working memory: gone"


def test_what_was_down_is_told() -> None:
    assert "degraded: embedder" in drawn(views.recalled(Recalled(degraded=("embedder: no answer",))))
    assert "degraded: embedder" in drawn(views.intake(Intake(degraded={"embedder: no answer": None})))


def test_where_a_row_lies_is_not_told() -> None:
    pool = Pool(tenant="acme", user="_shared", id="p-1", name="trip", holder="alice", created_at=THEN, changed_at=THEN)
    told = drawn(render.draw(pool))
    assert "trip" in told
    assert "alice" in told
    assert [word for word in ("tenant", "acme", "_shared", "seq") if word in told] == []


def test_changes_are_drawn_one_per_line() -> None:
    at = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)
    event = Event(tenant="a", user="b", id="e1", content="I like\ntea.", event_time=at, recorded_at=at)
    items = (
        Change(what="added", of="event", id="e1", at=at, event=event),
        Change(what="erased", id="e0", at=at),
        Change(what="rebuilt", at=at),
    )
    for more, told in ((True, "there is more"), (False, "that is all")):
        assert drawn(views.changes(Changes(items=items, cursor="7.1-x", more=more))).splitlines() == [
            "2026-01-05 09:30  added      event  I like tea.",
            "2026-01-05 09:30  erased     e0",
            "2026-01-05 09:30  rebuilt",
            f"{told}: --cursor 7.1-x",
        ]
