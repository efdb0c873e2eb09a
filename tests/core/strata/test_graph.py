"""Walking a graph: what is found, in what order, and what a limit leaves out; and how it is drawn."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.base.scope import Scope
from memoranda.core.image.edges import Edges
from memoranda.core.rows import ALIAS_OF, Relation
from memoranda.core.strata import graph
from memoranda.core.strata.graph import FAN, Edge, Neighbourhood, Node, around, as_written, check_type, presence, way
from memoranda.errors import InputError

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
SCOPE = Scope(tenant="acme", user="alice", agent="clerk")


def edge(source: str, target: str) -> Edge:
    return Edge(source=source, type="KNOWS", target=target, confidence=0.9, since=NOON)


def related(pairs: list[tuple[str, str]]) -> graph.Related:
    held: defaultdict[str, dict[tuple[str, str, str], Edge]] = defaultdict(dict)
    for source, target in pairs:
        for end in (source, target):
            held[end][source, "KNOWS", target] = edge(source, target)
    return lambda entity: list(held[entity].values())


PAIRS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")).filter(lambda it: it[0] != it[1]))


@given(PAIRS)
def test_a_way_is_as_short_as_the_distance(pairs: list[tuple[str, str]]) -> None:
    far = {(a, b): 0 if a == b else 99 for a in "abcdefgh" for b in "abcdefgh"}
    far |= dict.fromkeys([*pairs, *((b, a) for a, b in pairs)], 1)
    for middle in "abcdefgh":
        far = {(a, b): min(steps, far[a, middle] + far[middle, b]) for (a, b), steps in far.items()}
    found = way("a", "h", related(pairs), 10)
    if isinstance(found, str):
        assert far["a", "h"] >= 99
        return
    assert len(found) == far["a", "h"]
    here = "a"
    for step in found:
        here = step.beyond(here)
    assert here == "h"
    assert isinstance(way("a", "h", related(pairs), 1), list) == (far["a", "h"] <= 1)


@given(PAIRS, st.integers(1, 3))
def test_what_is_around_is_what_lies_within_the_depth(pairs: list[tuple[str, str]], depth: int) -> None:
    walk = around("a", related(pairs), depth, 500)
    for name in "bcdefgh":
        found = way("a", name, related(pairs), 10)
        steps = 99 if isinstance(found, str) else len(found)
        assert walk.depths.get(name, 99) == (steps if steps <= depth else 99)
    assert {one.key for one in walk.edges} == {edge(a, b).key for a, b in pairs if {a, b} <= walk.depths.keys()}
    assert (walk.over, walk.left) == ({}, 0)
    assert all(a <= b for a, b in pairwise(walk.depths.values()))


def test_limits_say_what_they_leave_out() -> None:
    star = related([("hub", f"leaf {number:03}") for number in range(FAN + 20)])
    walk = around("hub", star, 1, 500)
    assert (len(walk.depths), walk.over, walk.left) == (FAN + 1, {"hub": 20}, 0)
    walk = around("hub", star, 3, 11)
    assert (len(walk.depths), len(walk.edges), walk.left) == (11, 10, FAN - 10)


def test_a_way_that_leads_through_too_many_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "VISITED", 5)
    star = related([*(("hub", str(number)) for number in range(9)), ("8", "far")])
    assert "more than 5 entities" in str(way("0", "far", star, 6))
    assert len(way("0", "8", star, 6)) == 2, "given up though it was found"


@pytest.mark.parametrize(
    "name",
    [
        '"] --> x["',
        "a`b`",
        "end",
        "#quot;",
        "<script>alert(1)</script>",
        "%%{init: {}}%%",
        "1. list",
        "a\nclick n0 href",
        "_b_",
    ],
)
def test_a_name_is_text_whatever_it_holds(name: str) -> None:
    nodes = Node(id="a", name=name, type="thing"), Node(id="b", name="Ünal 漢字", type="thing", depth=1)
    first, box, other, line = Neighbourhood(nodes=nodes, edges=(edge("a", "b"),)).mermaid.splitlines()
    assert (first, other, line) == ("flowchart LR", '    n1["Ünal 漢字"]', "    n0 -->|KNOWS| n1")
    inside = box.removeprefix('    n0["').removesuffix('"]')
    assert not set(inside) & set('"`<>%[]{}|()_.\n\r')


def test_entities_are_drawn_in_rings() -> None:
    nodes = tuple(
        Node(id=name, name=name, type="thing", depth=depth) for name, depth in zip("abcd", (0, 1, 1, 2), strict=True)
    )
    places = Neighbourhood(nodes=nodes, edges=()).places
    assert [round((x * x + y * y) ** 0.5, 6) for x, y in places.values()] == [0, 1, 1, 2]
    assert len(set(places.values())) == 4


def test_what_was_found_through_an_entity_is_drawn_beside_it() -> None:
    tree = {"b": "a", "c": "a", "d": "a", "e": "b", "f": "c", "g": "d", "h": "b"}
    depths = {"a": 0, **{name: 1 if above == "a" else 2 for name, above in tree.items()}}
    nodes = tuple(Node(id=name, name=name, type="thing", depth=depth) for name, depth in depths.items())
    edges = tuple(edge(*pair) for pair in [*tree.items(), ("h", "c"), ("c", "b")])
    places = {name: complex(*place) for name, place in Neighbourhood(nodes=nodes, edges=edges).places.items()}
    for name in "efgh":
        assert min("bcd", key=lambda near: abs(places[name] - places[near])) == tree[name]


@pytest.mark.parametrize("type_", ["knows", "KNOWS|x", "", "1ST", 5, None, "A" * 65, ALIAS_OF])
def test_types_of_relations_are_in_capitals(type_: object) -> None:
    with pytest.raises(InputError, match="type is"):
        check_type("type", type_)
    assert check_type("type", "MARRIED_TO_2") == "MARRIED_TO_2"


def test_an_entity_fades_when_nobody_mentions_it() -> None:
    fresh, day = presence(1, NOON, NOON), timedelta(days=1)
    assert presence(1, NOON, NOON + day) == fresh
    assert presence(1, NOON, NOON + 2 * day) == pytest.approx(fresh * 0.95)
    assert presence(1, NOON, NOON + 15 * day) == pytest.approx(fresh * 0.95**14)
    assert presence(9, NOON, NOON) > fresh
    assert presence(10**9, NOON, NOON) <= 1
    assert presence(0, None, NOON) == 0


def alias(head: str, tail: str, agent: str | None = None) -> Relation:
    return Relation(
        tenant="acme",
        user="alice",
        id=f"{head} {tail}",
        head=head,
        type=ALIAS_OF,
        tail=tail,
        agent=agent,
        valid_from=NOON,
    )


@pytest.mark.parametrize(
    ("said", "roots"),
    [
        ([], {"a": "a"}),
        ([("a", "b")], {"a": "b", "b": "b"}),
        ([("a", "b"), ("b", "c"), ("a", "c")], {"a": "c", "b": "c", "c": "c"}),
        ([("a", "b"), ("a", "c")], {"a": "a", "b": "b", "c": "c"}),
        ([("a", "b"), ("b", "a")], {"a": "a", "b": "a"}),
        ([("a", "b"), ("b", "c")], {"a": "c", "b": "c", "c": "c"}),
        ([("b", "c"), ("c", "d"), ("d", "b"), ("a", "b")], {"a": "b", "b": "b", "c": "b", "d": "b"}),
        ([("a", "b"), ("b", "a"), ("a", "c")], {"a": "c", "b": "c", "c": "c"}),
        ([("a", "b"), ("b", "c"), ("b", "d")], {"a": "a", "b": "b", "c": "c", "d": "d"}),
        ([("a", "a")], {"a": "a"}),
    ],
)
def test_a_name_stands_for_one_or_for_itself(said: list[tuple[str, str]], roots: dict[str, str]) -> None:
    edges = Edges()
    for head, tail in said:
        edges.take(alias(head, tail))
    assert {name: edges.root(name, SCOPE) for name in roots} == roots
    for name, root in roots.items():
        assert {name, root} <= edges.named(name, SCOPE)
        assert name in edges.named(root, SCOPE), "who has a name is found by it, and knows it"


def test_a_name_that_another_agent_gave_is_none() -> None:
    edges = Edges()
    edges.take(alias("a", "b", agent="cook"))
    assert edges.root("a", SCOPE) == "a"
    assert len(edges) == 2


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("greta lindqvist", "I met Greta  Lindqvist's dog", "Greta Lindqvist"),
        ("al", "Also ALSO al", "al"),
        ("al", "also", "al"),
        ("us", "The U.S. won", "us"),
        ("c++", "C++ is old", "C++"),
        ("google", "我在Google工作", "Google"),
    ],
)
def test_a_name_is_written_as_it_was_said(name: str, text: str, written: str) -> None:
    assert as_written(name, text) == written
