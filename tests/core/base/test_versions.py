"""A version of an image stays what it was, whatever later versions take in and whenever either is asked."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.making import NOW, passage, record
from memoranda.core.base import versions
from memoranda.core.base.scope import Owner, Scope
from memoranda.core.base.versions import Numbers, Versioned
from memoranda.core.image import postings, vectors
from memoranda.core.image.image import Partition, entity_id
from memoranda.core.image.index import Index
from memoranda.core.image.keywords import keyword, keyword_conversations, keyword_windows
from memoranda.core.rows import ALIAS_OF, Entity, Relation, Tombstone, ToolUse, Vector

OWNER = Owner("acme", "alice")
SCOPE = Scope(tenant="acme", user="alice", whole=True)
WORDS = st.lists(st.sampled_from(["crab", "boat", "pier", "tide"]), max_size=4).map(" ".join)
NAME = st.integers(0, 6)
STEP = st.one_of(
    st.tuples(st.just("turn"), NAME, WORDS, st.sampled_from("ab"), st.integers(0, 4)),
    st.tuples(st.just("record"), NAME, WORDS, st.sampled_from(["Oslo", "Rome"]), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("vector"), NAME, st.floats(-1, 1)),
    st.tuples(st.just("edge"), NAME, NAME, st.booleans(), st.booleans()),
    st.tuples(st.just("tool"), NAME, st.integers(1, 3)),
    st.tuples(st.just("tombstone"), NAME),
    st.tuples(st.just("use"), NAME, st.integers(0, 9)),
    st.tuples(st.just("drop"), NAME, st.sampled_from("tr")),
)
STEPS = st.lists(st.lists(STEP, min_size=1, max_size=3), min_size=1, max_size=12)


def take(image: Partition, what: str, name: int, *how: Any) -> None:
    tenant = {"tenant": "acme", "user": "alice"}
    match what:
        case "turn":
            talk = {"conversation": how[1], "position": how[2], "at": NOW + timedelta(hours=how[2])}
            if f"t{name}" not in image.index.numbers:  # a turn is said once
                image.absorb([passage(f"t{name}", how[0], entities=(f"e{name}",), **talk)])
            else:
                image.absorb([replace(image.index.passages[image.index.numbers[f"t{name}"]], speaker="cook")])
        case "record":
            row = record(
                id=f"r{name}", version=how[2], value=how[1], attribute="location.city", text=how[0],
                sources=(f"t{how[2]}", "t0"), superseded_at=NOW if how[3] else None,
            )  # fmt: skip
            fresh = [] if row.id in image.index.numbers else [passage(row.id, how[0], of="record", kind="fact")]
            image.absorb(fresh, (), [row])
        case "vector":
            data = np.array([how[0], 0.5], "<f2").tobytes()
            image.absorb((), [Vector(**tenant, space="space", ref=f"t{name}", data=data)])
        case "edge":
            ends = {"head": entity_id(OWNER, f"n{name}"), "tail": entity_id(OWNER, f"n{how[0]}")}
            kind = {"type": ALIAS_OF if how[1] else "KNOWS", "ended_at": NOW if how[2] else None}
            edge = Relation(**tenant, id=f"{name}-{how[0]}-{how[1]}", **ends, **kind, sources=("t0",), valid_from=NOW)
            things = [Entity(**tenant, id=end, name=end, type="thing") for end in ends.values()]
            image.absorb((), (), (), things, [edge])
        case "tool":
            image.absorb(tool_uses=[ToolUse(**tenant, id=f"u{name}", tool="search", uses=how[0], last_used=NOW)])
        case "tombstone":
            image.absorb(tombstones=[Tombstone(**tenant, id=f"x{name}", receipt="r", created_at=NOW)])
        case "drop":
            image.index.drop([f"{how[0]}{name}"])
            image.records.remove(f"{how[0]}{name}")
        case "use":
            image.count(image.used([f"r{name}"], NOW + timedelta(hours=how[0])))


def seen(image: Partition) -> dict[str, Any]:
    """All that can be asked of an image."""
    index = image.index
    numbers = np.arange(len(index), dtype=np.int32)
    names = [entity_id(OWNER, f"n{number}") for number in range(7)]
    terms = ["crab", "boat", "pier", "tide", "whale"]
    arrays = {
        "keyword": keyword(index, terms),
        "windows": keyword_windows(index, terms, numbers),
        "talks": keyword_conversations(index, terms, numbers),
        "dense": index.dense_windows(numbers, index.vectors.cosine(np.ones(2, np.float32))),
        "vectors": index.vectors.of(numbers),
        "embedded": index.vectors.embedded,
        "around": index.chains.around(numbers),
        "mask": image.mask(SCOPE, now=NOW),
        **{name: index.columns[name] for name in index.columns.names},
    }
    return {
        **{name: array.tolist() for name, array in arrays.items()},
        "size": len(index),
        "refs": [index.refs[number] for number in numbers],
        "numbers": {f"{kind}{number}": index.numbers.get(f"{kind}{number}") for kind in "tr" for number in range(7)},
        "passages": [*index.passages],
        "count": index.count,
        "speakers": index.names("speaker"),
        "holders": [(index.postings.holders(term), term in index.postings) for term in terms],
        "mentions": [index.mentions.of(f"e{number}")[0].tolist() for number in range(7)],
        "rarest": index.postings.rarest(terms, 3),
        "codes": {name: [*codes.names] for name, codes in index.codes.items()},
        "speaker": index.codes["speaker"].look("cook"),
        "conversations": ([*index.conversations.names], len(index.conversations)),
        "records": dict(image.records.items()),
        "about": image.about(record(attribute="location.city", value="Oslo")),
        "told": {source: sorted(image.records_by_source.get(source, ())) for source in ("t0", "t1", "t2", "t3")},
        "entities": [name in image.entities for name in names],
        "edges": [(image.edges.of(name, SCOPE), image.edges.named(name, SCOPE)) for name in names],
        "tools": dict(image.tools.items()),
        "tombstones": image.tombstones.since,
        "latest": image.latest,
    }


@pytest.mark.parametrize("small", [False, True])
@settings(deadline=None, max_examples=150)
@given(steps=STEPS, asked=st.lists(st.integers(0, 11), max_size=8))
@example(steps=[[("turn", 0, "crab", "a", 0), ("turn", 1, "boat", "a", 4)], [("turn", 2, "pier", "a", 2)]], asked=[])
def test_each_version_is_what_an_image_of_its_own_would_be(
    small: bool, steps: list[list[tuple]], asked: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        if small:  # the limits from which another way is taken
            patched.setattr(postings, "_LARGE", 1)
            patched.setattr(vectors, "_LOOSE", 1)
            patched.setattr(versions, "_FEW", 0)
        chain = [Partition(OWNER, "space", 2)]
        for number, batch in enumerate(steps):
            following = chain[-1].fork()
            for step in batch:
                take(following, *step)
            chain.append(following)
            for one in asked:
                if one <= number:
                    seen(chain[one])
        alone = Partition(OWNER, "space", 2)
        assert seen(chain[0]) == seen(alone)
        for version, batch in zip(chain[1:], steps, strict=True):
            for step in batch:
                take(alone, *step)
            assert seen(version) == seen(alone)


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=4), max_size=8), st.booleans())
def test_a_mapping_keeps_its_versions(batches: list[list[tuple[int, int]]], often: bool) -> None:
    held: Versioned[int, int] = Versioned()
    kept = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(versions, "_FEW", 0 if often else 64)
        for batch in batches:
            for key, value in batch:
                held.put(key, value) if value else held.remove(key)
            kept.append((held, {key: held[key] for key in range(6) if key in held}))
            held = held.fork()
    for version, known in kept:
        assert [version.get(key, 9) for key in range(6)] == [known.get(key, 9) for key in range(6)]
        assert len(version) == len(known)
        for key in {*range(7)} - known.keys():
            with pytest.raises(KeyError):
                version[key]
        assert dict(version) == known
        assert sorted(version.values()) == sorted(known.values())


def test_a_name_that_was_dropped_is_numbered_anew_and_stays_with_who_saw_it() -> None:
    first = Numbers()
    first.learn(["a", "b"])
    second = first.fork()
    second.drop({"a", "never"})
    third = second.fork()
    third.learn(["c", "a"])
    assert [(dict(one), len(one)) for one in (first, second, third)] == [
        ({"a": 0, "b": 1}, 2), ({"b": 1}, 2), ({"b": 1, "c": 2, "a": 3}, 4),
    ]  # fmt: skip
    assert ("a" in second, second.get("a"), "a" in third) == (False, None, True)
    with pytest.raises(KeyError):
        second["a"]


def test_names_are_numbered_in_order_of_arrival() -> None:
    first = Numbers()
    first.learn(["a", "b", "a"])
    later = first.fork()
    later.learn(["c", "a"])
    assert (dict(first), len(first), first.get("c"), first.get("c", -1)) == ({"a": 0, "b": 1}, 2, None, -1)
    assert dict(later) == {"a": 0, "b": 1, "c": 2}
    assert ("c" in first, "c" in later, "d" in later, later["c"]) == (False, True, False, 2)
    for name in "cd":
        with pytest.raises(KeyError):
            first[name]


PLACED = st.tuples(WORDS, st.sampled_from([None, "a", "b"]), st.integers(0, 5), st.sampled_from([None, "cook", "ann"]),
                   st.booleans(), st.booleans(), st.booleans())  # fmt: skip


@settings(deadline=None)
@given(st.lists(PLACED, max_size=30), st.integers(0, 30), st.integers(1, 3))
def test_after_a_drop_all_is_as_if_it_had_never_been_there(placed: list[tuple], at: int, parts: int) -> None:
    def filled(rows: list[tuple[int, tuple]], index: Index) -> Index:
        for start in range(0, len(rows), 10):
            some = rows[start : start + 10]
            index.extend(
                [
                    passage(f"p{n}", terms, conversation=talk, position=place, speaker=speaker, entities=(terms[:4],),
                            of="record" if record else "event")
                    for n, (terms, talk, place, speaker, record, _, _) in some
                ]
            )  # fmt: skip
            seen = [n for n, row in some if row[5]]
            vectors = np.array([[n + 1, 1] for n in seen], np.float32).reshape(-1, 2)
            index.embed([f"p{n}" for n in seen], vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        return index

    rows = [*enumerate(placed)]
    gone = [f"p{n}" for n, row in rows[:at] if row[6]]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postings, "_LARGE", 20)
        cut = filled(rows[:at], Index(2)).fork()
        for part in range(parts):
            cut.drop(gone[part::parts])
        filled(rows[at:], cut)
        never = filled([row for row in rows if f"p{row[0]}" not in gone], Index(2))
    terms = ["crab", "boat", "pier", "whale"]

    def told(index: Index) -> dict[str, Any]:
        numbers = np.array([number for number, ref in enumerate(index.refs) if ref in index.numbers], np.int32)
        refs = {-1: None, **{int(number): index.refs[number] for number in numbers}}
        dense = index.vectors.cosine(np.array([0.6, 0.8], np.float32))
        return {
            "refs": [*refs.values()],
            "count": index.count,
            "keyword": keyword(index, terms)[numbers].tolist(),
            "windows": keyword_windows(index, terms, numbers).tolist(),
            "talks": keyword_conversations(index, terms, numbers).tolist(),
            "dense": index.dense_windows(numbers, dense).tolist(),
            "around": [[refs[number] for number in row] for row in index.chains.around(numbers).tolist()],
            "holders": [(term, index.postings.holders(term), term in index.postings) for term in terms],
            "mentions": [[refs[number] for number in index.mentions.of(term[:4])[0].tolist()] for term in terms],
            "rarest": index.postings.rarest(terms, 2),
            "speakers": sorted(index.names("speaker")),
            "turn": index.lengths.turn,
        }

    assert told(cut) == told(never)
