"""The index against what it is meant to compute, computed the slow way."""

import math
from collections import Counter
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.making import NOW, passage
from memoranda.core.image.bm25 import K1, B
from memoranda.core.image.chains import REACH
from memoranda.core.image.index import WINDOWS, Index
from memoranda.core.image.keywords import keyword, keyword_conversations, keyword_windows
from memoranda.core.rows import Passage
from memoranda.core.rows.columns import Codes, Columns

TERMS = st.lists(st.sampled_from(["crab", "boat", "pier", "tide", "rope"]), max_size=6)
PLACED = st.tuples(
    TERMS,
    st.sampled_from([None, "a", "b"]),  # conversation
    st.integers(0, 5),  # position
    st.sampled_from([None, "cook"]),  # agent
    st.booleans(),  # a record
    st.booleans(),  # has a vector
)
CORPUS = st.lists(PLACED, max_size=90)
QUESTION = st.lists(st.sampled_from(["crab", "boat", "pier", "whale"]), max_size=4)


def corpus(placed: list[tuple]) -> list[Passage]:
    return [
        passage(
            f"p{number}", " ".join(terms), conversation=conversation, position=position, agent=agent,
            of="record" if of_record else "event",
        )
        for number, (terms, conversation, position, agent, of_record, _) in enumerate(placed)
    ]  # fmt: skip


def built(placed: list[tuple], batch: int = 100, dimension: int = 3) -> tuple[Index, np.ndarray]:
    """An index that was asked between the batches in which it came, and some of whose vectors were given twice."""
    index = Index(dimension)
    random = np.random.default_rng(7)
    seen = np.array([row[-1] for row in placed], np.bool_)
    vectors, others = random.normal(size=(2, len(placed), dimension)).astype(np.float32)
    vectors = seen[:, None] * vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    items, twice = corpus(placed), len(placed) // 4
    for start in range(0, len(items), batch):
        places = np.arange(start, min(start + batch, len(items)))
        some = places[seen[places]]
        assert index.extend([items[place] for place in places])
        given = np.where((some < twice)[:, None], others[some], vectors[some])
        index.embed([items[place].ref for place in some], given)
        asked(index, ["crab", "boat", "pier"], np.arange(len(index), dtype=np.int32))
    some = np.flatnonzero(seen[:twice])
    index.embed([*(items[place].ref for place in some), "nobody"], np.vstack([vectors[some], np.ones((1, dimension))]))
    return index, vectors


def asked(index: Index, question: list[str], numbers: np.ndarray) -> None:
    keyword(index, question)
    keyword_windows(index, question, numbers)
    keyword_conversations(index, question, numbers)
    index.dense_windows(numbers, index.vectors.cosine(np.ones(index.dimension, np.float32)))


def chains(passages: list[Passage]) -> dict[int, list[int | None]]:
    """For each passage, itself and its neighbours as a window has them, found by sorting whole conversations."""
    found: dict[int, list[int | None]] = {}
    for number, item in enumerate(passages):
        chain = [number]
        if item.conversation is not None and item.of == "event":
            place = (item.conversation, item.channel, item.agent, item.connection)
            chain = [
                other for other, it in enumerate(passages)
                if it.of == "event" and (it.conversation, it.channel, it.agent, it.connection) == place
            ]  # fmt: skip
            chain.sort(key=lambda other: (passages[other].position, other))
        middle = chain.index(number)
        found[number] = [chain[i] if 0 <= i < len(chain) else None for i in range(middle - REACH, middle + REACH + 1)]
    return found


def bm25(frequency: float, length: float, mean: float, held: int, total: int) -> float:
    idf = math.log1p((total - held + 0.5) / (held + 0.5))
    return idf * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean))


@settings(deadline=None)
@given(CORPUS, st.integers(1, 40))
def test_neighbours_are_those_of_the_sorted_conversation(placed: list[tuple], batch: int) -> None:
    index, _ = built(placed, batch)
    numbers = np.arange(len(placed), dtype=np.int32)
    expected = chains(corpus(placed))
    for reach in (0, 1, REACH):
        for number, row in zip(numbers, index.chains.around(numbers, reach, reach), strict=True):
            cut = expected[int(number)][REACH - reach : REACH + reach + 1]
            assert [None if other < 0 else int(other) for other in row] == cut


@settings(deadline=None)
@given(CORPUS, QUESTION, st.integers(1, 40))
def test_keyword_scores_are_bm25_of_passages_and_of_windows(
    placed: list[tuple], question: list[str], batch: int
) -> None:
    index, _ = built(placed, batch)
    passages = corpus(placed)
    bags = [Counter(item.terms.split()) for item in passages]
    lengths = [sum(bag.values()) for bag in bags]
    mean = max(sum(lengths) / len(lengths), 1e-9) if passages else 1.0
    held = {term: sum(term in bag for bag in bags) for term in question}

    def score(members: list[int], width: int) -> float:
        length = sum(lengths[member] for member in members)
        counts = {term: sum(bags[member][term] for member in members) for term in set(question) if held[term]}
        return sum(bm25(n, length, mean * width, held[term], len(bags)) for term, n in counts.items())

    alone = keyword(index, question)
    windows = keyword_windows(index, question, np.arange(len(placed), dtype=np.int32))
    neighbours = chains(passages)
    for number in range(len(placed)):
        assert alone[number] == pytest.approx(score([number], 1), rel=1e-3, abs=1e-4)
        for which, (before, after) in enumerate(WINDOWS):
            cut = neighbours[number][REACH - before : REACH + after + 1]
            members = [member for member in cut if member is not None]
            assert windows[which, number] == pytest.approx(score(members, 1 + before + after), rel=1e-3, abs=1e-4)


@settings(deadline=None)
@given(CORPUS, QUESTION, st.integers(1, 40))
def test_conversations_are_scored_as_wholes(placed: list[tuple], question: list[str], batch: int) -> None:
    index, _ = built(placed, batch)
    passages = corpus(placed)
    whole: dict[tuple, Counter] = {}
    for item in passages:
        if item.conversation is not None:
            whole.setdefault((item.conversation, item.agent), Counter()).update(item.terms.split())
    lengths = {name: sum(bag.values()) for name, bag in whole.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1)
    scores = keyword_conversations(index, question, np.arange(len(placed), dtype=np.int32))
    for number, item in enumerate(passages):
        expected = 0.0
        bag = whole.get((item.conversation, item.agent), Counter())
        for term in set(question):
            held = sum(term in other for other in whole.values())
            if item.conversation is not None and bag[term]:
                expected += bm25(bag[term], lengths[item.conversation, item.agent], mean, held, len(whole))
        assert scores[number] == pytest.approx(expected, rel=1e-3, abs=1e-4)


@settings(deadline=None)
@given(CORPUS, st.sampled_from(WINDOWS), st.integers(1, 40))
def test_dense_scores_are_cosines(placed: list[tuple], window: tuple[int, int], batch: int) -> None:
    index, vectors = built(placed, batch)
    query = np.array([0.6, 0.0, 0.8], np.float32)
    scores = index.vectors.cosine(query)
    assert np.allclose(scores, vectors @ query, atol=1e-5)
    assert index.vectors.embedded.tolist() == [row[-1] for row in placed]
    numbers = np.arange(len(placed), dtype=np.int32)
    assert np.array_equal(index.vectors.of(numbers), vectors)
    before, after = window
    neighbours = chains(corpus(placed))
    for number, got in enumerate(index.dense_windows(numbers, scores)[WINDOWS.index(window)]):
        cut = neighbours[number][REACH - before : REACH + after + 1]
        total = np.zeros(3)
        for member in cut:
            if member is not None:
                total += vectors[member] * (1.0 if member == number else 0.5)
        norm = float(np.linalg.norm(total))
        if norm > 1e-3:
            assert got == pytest.approx(float(total @ query) / norm, abs=1e-3)


def test_the_rarest_terms_come_first_and_unknown_ones_not_at_all() -> None:
    index = Index()
    for number, terms in enumerate(["crab boat", "crab boat pier", "crab tide"]):
        index.extend([passage(f"p{number}", terms)])
    assert index.postings.rarest(["crab", "whale", "boat", "tide", "tide"], 2) == ["tide", "boat"]
    assert index.postings.of("whale")[0].tolist() == []
    assert index.nbytes > 0
    assert len(index) == 3


def test_a_passage_moves_to_another_time_where_it_stands() -> None:
    index = Index()
    index.extend([passage("p", "crab", at=NOW), passage("q", "boat", at=NOW)])
    held = index.fork()
    held.date("p", NOW + timedelta(days=1))
    held.date("q", NOW)
    held.date("nobody", NOW)
    assert [one.at for one in held.passages] == [NOW + timedelta(days=1), NOW]
    assert (held.columns["at"] - index.columns["at"]).tolist() == [86_400, 0]
    assert [one.at for one in index.passages] == [NOW, NOW]


@pytest.mark.parametrize("terms", ["crab", "crab boat", "boat", ""])
def test_a_passage_that_comes_again_is_told(terms: str) -> None:
    index = Index()
    index.extend([passage("p", "crab")])
    assert not index.extend([passage("q", "crab"), passage("p", terms)])
    assert len(index) == 2


def test_a_vector_of_nothing_known_is_passed_over() -> None:
    index = Index(3)
    index.embed(["nobody"], np.ones((1, 3), np.float32))
    assert index.vectors.cosine(np.ones(3, np.float32)).tolist() == []
    blind = Index()
    blind.extend([passage("p", "crab", conversation="c"), passage("p", "crab", conversation="c")])
    assert len(blind) == 1
    assert blind.vectors.of(np.array([0], np.int32)).shape == (1, 0)


def test_what_comes_late_finds_its_place_by_position_and_time() -> None:
    index = Index()
    for ref, position, day in (("c", 2, 0), ("a", 0, 0), ("b2", 1, 2), ("b1", 1, 1)):
        index.extend([passage(ref, conversation="talk", position=position, at=NOW + timedelta(days=day))])
    row = index.chains.around(np.array([index.numbers["a"]], np.int32))[0]
    assert [index.refs[number] for number in row if number >= 0] == ["a", "b1", "b2", "c"]


@given(st.lists(st.lists(st.integers(-9, 9), max_size=90), max_size=5))
def test_columns_hold_what_was_added(batches: list[list[int]]) -> None:
    columns = Columns(each=np.int32, all=np.float32)
    for batch in batches:
        columns.extend(len(batch), each=batch, all=0.5)
    rows = [value for batch in batches for value in batch]
    assert columns["each"].tolist() == rows
    assert columns["all"].tolist() == [0.5] * len(rows)
    assert columns.size == len(rows)
    assert columns.nbytes >= 8 * len(rows)
    if rows:
        columns.write("each", 0, 7)
        assert columns["each"].tolist() == [7, *rows[1:]]


@given(st.lists(st.one_of(st.none(), st.text(max_size=2))))
def test_codes_are_one_per_name(names: list[str | None]) -> None:
    codes: Codes[str] = Codes()
    learnt = codes.learn(names[:1]) + codes.learn(names[1:])
    assert [codes.look(name) for name in names] == learnt
    assert len({name for name in names if name is not None}) == len(codes) == len(list(codes.names))
    assert all((code == -1) == (name is None) for name, code in zip(names, learnt, strict=True))
    assert codes.look("unheard of") == -2


def test_passages_wait_until_somebody_asks_or_they_are_many() -> None:
    index = Index(2)
    for number in range(150):
        index.extend([passage(f"p{number}", "crab", conversation="talk", position=number)])
        index.embed([f"p{number}"], np.full((1, 2), number, np.float32))
    assert len(index) == 150
    assert index.vectors.one(149) is not None
    assert index.postings.rarest(["crab"], 1) == ["crab"]
    assert index.postings.of("crab")[0].tolist() == list(range(150))
    index.extend([passage("last", "crab", conversation="talk", position=150)])
    assert index.vectors.one(150) is None
    assert index.codes["channel"].look("_global") == index.columns["channel"][150]
    assert index.chains.around(np.array([150], np.int32), 1, 0).tolist() == [[149, 150]]


def test_who_is_named_where() -> None:
    index = Index()
    index.extend([passage("p", entities=("ada", "eve")), passage("q", entities=("ada",))])
    assert index.mentions.of("ada")[0].tolist() == [0, 1]
    assert index.mentions.holders("eve") == 1
    assert index.named(np.array([1], np.int32)) == ["q"]


def test_windows_asked_for_before_a_turn_joined_them_are_as_if_it_had_always_been_there() -> None:
    talk = [([], "a", position, None, False, True) for position in range(12)]
    query = np.array([0.6, 0.0, 0.8], np.float32)
    by_and_by, at_once = (
        index.dense_windows(np.arange(12, dtype=np.int32), index.vectors.cosine(query))
        for index in (built(talk, 1)[0], built(talk, 12)[0])
    )
    assert np.allclose(by_and_by, at_once)
