from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, event, passage, record
from memoranda.core.base.scope import GLOBAL, Owner, Scope, visible
from memoranda.core.image.following import follow, version_in
from memoranda.core.image.image import Partition, attribute_of, entity_id
from memoranda.core.rows import ALIAS_OF, Entity, LaterWord, Passage, Record, Relation, Tombstone, Vector
from memoranda.core.rows.changes import Add, Applied, Batch, Drop, Patch, Put, Touch
from memoranda.core.text.terms import content_hash, mark_of

OWNER = Owner("acme", "alice")
SCOPE = Scope(tenant="acme", user="alice")
OSLO = record(id="oslo", attribute="location.city", value="Oslo")
PLACES = st.fixed_dictionaries(
    {
        "agent": st.sampled_from([None, "clerk", "cook"]),
        "channel": st.sampled_from([GLOBAL, "kitchen", "tidepool"]),
        "connection": st.sampled_from([None, "jira", "slack"]),
    }
)
SCOPES = st.builds(
    Scope, tenant=st.just("acme"), user=st.just("alice"), agent=st.sampled_from([None, "clerk", "stranger"]),
    channel=st.sampled_from([GLOBAL, "kitchen", "nowhere"]),
    connections=st.lists(st.sampled_from(["jira", "unheard"]), max_size=2).map(tuple),
) | st.just(Scope(tenant="acme", user="alice", whole=True))  # fmt: skip


def image(*rows: object) -> Partition:
    partition = Partition(OWNER, "space", 2)
    kinds = (Passage, Vector, Record, Entity, Relation, Tombstone)
    partition.absorb(*([row for row in rows if isinstance(row, kind)] for kind in kinds))
    return partition


def entity(name: str) -> Entity:
    return Entity(tenant="acme", user="alice", id=entity_id(OWNER, name), name=name, type="thing")


@given(st.lists(PLACES, max_size=8), SCOPES)
def test_the_mask_is_what_is_visible(places: list[dict], scope: Scope) -> None:
    passages = [passage(f"p{number}", **place) for number, place in enumerate(places)]
    mask = image(*passages).mask(scope, now=NOW)
    assert mask.tolist() == [visible(item, scope) for item in passages]


def test_records_count_while_they_hold() -> None:
    ended = replace(OSLO, valid_to=NOW + timedelta(days=10), status="expired")
    partition = image(ended, passage("oslo", of="record", kind="fact"), passage("turn"))

    def held(day: int, **more: object) -> list[bool]:
        return partition.mask(SCOPE, now=NOW + timedelta(days=day), **more).tolist()  # type: ignore[arg-type]

    assert held(-1) == [False, True]
    assert held(0) == held(9) == [True, True]
    assert held(10) == [False, True]
    assert held(20, as_of=NOW) == [True, True]
    assert held(20, as_of=NOW - timedelta(days=1)) == [False, False]
    assert held(5, kinds=frozenset({"fact"})) == [True, False]
    assert held(5, kinds=frozenset({"unheard"})) == [False, False]
    assert held(5, since=NOW + timedelta(days=1)) == [False, False]
    assert held(5, until=NOW + timedelta(days=1)) == [True, True]
    assert held(5, until=NOW) == [False, False]
    assert held(20, believed={"oslo": OSLO, "unheard": replace(OSLO, id="unheard")}) == [True, True]
    assert held(5, believed={}) == [False, True]
    assert held(5, believed={"oslo": replace(OSLO, status="rejected")}) == [False, True]


@pytest.mark.parametrize(("status", "shown"), [("candidate", True), ("rejected", False), ("quarantined", False)])
def test_only_live_records_count(status: str, shown: bool) -> None:
    partition = image(replace(OSLO, status=status), passage("oslo", of="record"))
    assert partition.mask(SCOPE, now=NOW).tolist() == [shown]


def test_a_record_without_a_current_version_does_not_count() -> None:
    assert image(passage("oslo", of="record")).mask(SCOPE, now=NOW).tolist() == [False]
    partition = image(OSLO, passage("oslo", of="record"))
    partition.absorb(records=[replace(OSLO, superseded_at=NOW)])
    assert partition.records == {}
    assert partition.mask(SCOPE, now=NOW).tolist() == [False]


def test_versions_come_in_any_order() -> None:
    second = replace(OSLO, version=2, status="disputed")
    first = replace(OSLO, superseded_at=NOW)
    for rows in ((first, second), (second, first), (OSLO, first, second)):
        partition = image(*rows)
        assert partition.records == {"oslo": second}
        assert partition.about(OSLO) == [second]


def test_what_is_known_of_one_attribute() -> None:
    ended = replace(OSLO, id="ended", valid_to=NOW)
    older = replace(OSLO, id="older", valid_from=NOW - timedelta(days=1))
    elsewhere = replace(OSLO, id="elsewhere", channel="kitchen")
    partition = image(OSLO, ended, older, elsewhere, replace(OSLO, importance=0.9))
    assert [item.id for item in partition.about(OSLO)] == ["older", "oslo", "ended"]
    assert partition.about(replace(OSLO, attribute="work.employer")) == []
    assert partition.about(replace(OSLO, attribute=None)) == []
    assert partition.sayings(replace(OSLO, sources=("gone",))) == []
    assert attribute_of(OSLO) != attribute_of(elsewhere)


def test_of_an_attribute_with_many_values_only_the_same_one_is_told_apart() -> None:
    partition = Partition(OWNER, "", 0)
    tea = replace(OSLO, id="tea", attribute="preference.drink", value="Tea ")
    said = [tea, replace(tea, id="coffee", value="coffee"), replace(tea, id="three", value=3)]
    partition.absorb(records=said)
    assert [item.id for item in partition.about(replace(tea, id="no tea", value="tea", polarity=-1))] == ["tea"]
    assert [item.id for item in partition.about(replace(tea, id="four", value=4))] == ["three"]


def test_positions_go_on() -> None:
    partition = image(passage("a", conversation="c", position=4), passage("b", conversation="c", position=2))
    assert partition.talks.next_position("c") == 5
    assert partition.talks.next_position("c", "kitchen") == partition.talks.next_position("d") == 0


def called(alias: str, name: str, **place: object) -> Relation:
    """What says that `alias` is another name of `name`."""
    ends = {"head": entity_id(OWNER, alias), "tail": entity_id(OWNER, name)}
    given = {"id": repr((alias, name, place)), "type": ALIAS_OF, **ends, "valid_from": NOW}
    return Relation(tenant="acme", user="alice", **{**given, **place})  # type: ignore[arg-type]


def ids(*names: str) -> set[str]:
    return {entity_id(OWNER, name) for name in names}


def test_a_name_means_what_it_stands_for_and_the_other_names_of_that() -> None:
    names = [entity(name) for name in ("ibm", "big blue", "machines", "greta", "gustav", "gl", "acme")]
    edges = [called("ibm", "machines"), called("ibm", "machines", id="again"), called("big blue", "machines")]
    edges += [called("gl", "greta"), called("gl", "gustav"), called("acme", "ibm", type="OWNS")]
    partition = image(*names, *edges)
    for name in ("IBM", "Big Blue", "machines"):
        assert partition.meant(name, SCOPE) == ids("ibm", "big blue", "machines")
    assert partition.meant("GL", SCOPE) == ids("gl", "greta", "gustav")
    assert partition.meant("Greta", SCOPE) == ids("gl", "greta")  # not Gustav, who only shares the short name
    assert partition.meant("Acme", SCOPE) == ids("acme")
    assert partition.meant("nobody", SCOPE) == frozenset()


@given(PLACES, SCOPES)
def test_a_name_stands_for_something_only_where_the_scope_sees_who_said_so(place: dict, scope: Scope) -> None:
    edge = called("ibm", "machines", **place)
    partition = image(entity("ibm"), entity("machines"), edge)
    for name in ("ibm", "machines"):
        assert partition.meant(name, scope) == (ids("ibm", "machines") if visible(edge, scope) else ids(name))


def test_what_is_forbidden() -> None:
    mark = Tombstone(tenant="acme", user="alice", id="e1", receipt="r", created_at=NOW)
    assert not image().forbids(event("The crab is blue."))
    assert image(mark).forbids(event("The crab is blue."))
    by_text = image(replace(mark, id=content_hash("the crab is BLUE")))
    assert by_text.forbids(replace(event("The crab is blue.", id="e2"), source="agent"))
    assert not by_text.forbids(event("The crab is blue.", id="e2"))  # the user says it again, not before that
    assert by_text.forbids(replace(event("The crab is blue.", id="e2"), event_time=NOW - timedelta(seconds=1)))
    assert not image(mark).forbids(event("The crab is red.", id="e2"))
    claim = replace(mark, id=OSLO.hash)
    assert image(claim).forbids(OSLO)
    assert image(claim).forbids(replace(OSLO, agent="cook"))
    for agent in (None, "clerk", "cook"):
        only = image(replace(mark, id=mark_of(OSLO.hash, agent)))
        assert [name for name in (None, "clerk", "cook") if only.forbids(replace(OSLO, agent=name))] == [agent]


def test_only_vectors_of_its_space_are_taken() -> None:
    data = np.array([0.6, 0.8], "<f2").tobytes()
    mine = Vector(tenant="acme", user="alice", space="space", ref="p", data=data)
    partition = image(passage("p"), passage("q"), mine, replace(mine, space="other", ref="q"))
    assert partition.index.vectors.embedded.tolist() == [True, False]
    assert partition.nbytes > 0


def test_a_vector_of_another_length_counts_as_none() -> None:
    longer = Vector(tenant="acme", user="alice", space="space", ref="p", data=b"\0" * 6)
    partition = image(passage("p"), passage("q"), longer, replace(longer, ref="q", data=b"\0" * 4))
    assert partition.index.vectors.embedded.tolist() == [False, True]


def test_it_follows_its_own_write() -> None:
    partition = image(OSLO, passage("oslo", of="record"))
    partition.seq = 7
    ended = replace(OSLO, version=2, valid_to=NOW, status="expired")
    later = replace(OSLO, id="bergen", value="Bergen")
    changes = (
        Patch(Record, ("oslo", 1), {"superseded_at": NOW}), Add(ended), Add(later), Add(passage("bergen", of="record")),
        Patch(Record, ("bergen", 1), {"importance": 0.9}), Patch(Record, ("nobody", 1), {"importance": 0.9}),
        Touch(Entity, ("ada",)), Put(entity("ada")), Patch(Entity, ("ada",), {"name": "x"}), Add(event("hello")),
    )  # fmt: skip
    follow(partition, Batch(owner=OWNER, changes=changes, expect=7), Applied(seq=12))
    assert partition.seq == 12
    assert dict(partition.records) == {"oslo": ended, "bergen": replace(later, importance=0.9)}
    assert partition.mask(SCOPE, now=NOW).tolist() == [False, True]
    assert set(partition.entities) == ids("ada")


def test_of_a_version_that_was_read_later_it_is_told_what_it_was() -> None:
    partition = image(OSLO)
    partition.seq = 7
    assert version_in(partition, replace(OSLO, seq=7)) == replace(OSLO, seq=7)
    assert version_in(partition, replace(OSLO, seq=8, importance=0.9)) == OSLO
    assert version_in(partition, replace(OSLO, version=2, seq=8)) is None
    assert version_in(partition, replace(OSLO, id="bergen", seq=8)) is None


@pytest.mark.parametrize(
    ("expect", "taken", "change"),
    [
        (6, frozenset(), Add(OSLO)),
        (None, frozenset(), Add(OSLO)),
        (7, frozenset({("records", ("oslo", 1))}), Add(OSLO)),
    ],
)
def test_where_it_is_not_certain_it_waits_for_the_refresh(expect: int | None, taken: frozenset, change: object) -> None:
    partition = image()
    partition.seq = 7
    batch = Batch(owner=OWNER, changes=(change,), expect=expect)  # type: ignore[arg-type]
    follow(partition, batch, Applied(seq=8, taken=taken))
    assert (partition.seq, dict(partition.records)) == (7, {})


def later(earlier: str, ref: str) -> LaterWord:
    turns = (earlier, ref)
    return LaterWord(tenant="acme", user="alice", ref=ref, earlier=earlier, turns=turns, probability=0.9, model="m")


def test_what_a_turn_doubts_are_the_records_of_the_turns_on_which_it_is_a_later_word() -> None:
    partition = image(record(id="r1", sources=("e1",)), record(id="r2", sources=("e2",), text="User has a dog."))
    partition.absorb(later_words=[later("e1", "e3"), later("e1", "e4"), later("e1", "e3"), later("e2", "e5")])
    assert partition.later["e1"] == (("e4", 0.9), ("e3", 0.9))
    assert partition.doubted(["e3", "e9"]) == {"r1"}
    assert partition.doubted(["e4", "e5"]) == {"r1", "r2"}


def test_a_later_word_that_was_dropped_is_none() -> None:
    partition = image()
    partition.absorb(later_words=[later("e1", "e3"), later("e1", "e4")])
    following = partition.fork()
    changes = (Drop(LaterWord, ("e3", "e1")), Drop(LaterWord, ("e9", "e2")))
    follow(following, Batch(owner=OWNER, changes=changes, expect=0), Applied(seq=1))
    assert (following.later["e1"], following.later.get("e2", ())) == ((("e4", 0.9),), ())
    assert partition.later["e1"] == (("e3", 0.9), ("e4", 0.9))


def test_records_and_turns_that_are_there_count_their_uses() -> None:
    read = passage("turn", access_count=4, last_accessed=NOW - timedelta(hours=1))
    partition = image(OSLO, passage("oslo", of="record"), read, passage("over", of="record"), passage("new"))
    refs = ["oslo", "turn", "new", "over", "gone"]
    used = partition.used(refs, NOW)
    assert [(row.access_count, row.last_accessed) for row in used] == [(1, NOW), (5, NOW), (1, NOW)]
    partition.count(used)
    assert partition.index.columns["accesses"].tolist() == [1, 5, 0, 1]
    assert partition.used(refs, NOW + timedelta(seconds=59)) == []
    assert [row.access_count for row in partition.used(refs, NOW + timedelta(seconds=60))] == [2, 6, 2]
