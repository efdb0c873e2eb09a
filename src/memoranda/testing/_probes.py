"""Conformance of `probe`: candidates from the store's own text and vector index."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from memoranda.core.base.scope import GLOBAL, Owner
from memoranda.core.rows import Passage, Vector
from memoranda.core.rows.changes import Add, Drop, Patch, Put
from memoranda.errors import SpaceError
from memoranda.ports import Probe, Store
from memoranda.testing._suite import Suite, apply

_NOW = datetime(2026, 1, 5, tzinfo=UTC)


class Probes(Suite):
    """Probes by terms and by vector."""

    async def test_any_term_matches(self, store: Store, owner: Owner) -> None:
        texts = {"a": "red crab", "b": "blue sky", "c": "red sky at night", "d": ""}
        await apply(store, owner, *(Add(_passage(owner, ref, terms)) for ref, terms in texts.items()))
        assert await _terms(store, owner, "red") == {"a", "c"}
        assert await _terms(store, owner, "crab", "blue") == {"a", "b"}
        assert await _terms(store, owner, "re", "skyline") == set()
        assert await _terms(store, owner) == set()

    async def test_more_shared_terms_rank_higher(self, store: Store, owner: Owner) -> None:
        texts = {"a": "red crab walks", "b": "blue crab walks", "c": "red crab sleeps", "d": "green tree grows"}
        await apply(store, owner, *(Add(_passage(owner, ref, terms)) for ref, terms in texts.items()))
        hits = await store.probe(Probe(owner=owner, limit=2, terms=("red", "crab", "sleeps")))
        assert [hit.ref for hit in hits] == ["c", "a"]
        assert hits[0].score > hits[1].score

    @pytest.mark.parametrize(
        "term",
        ["AND", "NOT", "NEAR", "terms", '"', "'", "*", "a*", "a-b", "a:b", "(", "^", "c++", "&", "|", "!", "<->", "\\",
         "%", "_", "3.5", "@bob", "#tag", "naïve", "漢字", "🦀", "don't", "x_y", "http://a.b/c?d=e"],
    )  # fmt: skip
    async def test_terms_are_words_and_never_syntax(self, store: Store, owner: Owner, term: str) -> None:
        await apply(
            store, owner, Add(_passage(owner, "with", f"before {term} after")), Add(_passage(owner, "not", "b a"))
        )
        assert await _terms(store, owner, term) == {"with"}
        assert await _terms(store, owner, term, "b") == {"with", "not"}

    async def test_words_are_whole_and_keep_their_accents(self, store: Store, owner: Owner) -> None:
        await apply(
            store, owner, *(Add(_passage(owner, ref, ref)) for ref in ("naïve", "naive", "naiv", "e\u0301", "é"))
        )
        for term in ("naïve", "naive", "naiv", "e\u0301", "é"):
            assert await _terms(store, owner, term) == {term}

    async def test_the_index_follows_every_change(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, *(Add(_passage(owner, ref, "old")) for ref in "abcd"))
        await apply(store, owner, Put(_passage(owner, "a", "new")), Patch(Passage, ("b",), {"terms": "newer new"}))
        await apply(store, owner, Drop(Passage, ("c",)), Add(_passage(owner, "d", "ignored")))
        assert await _terms(store, owner, "old") == {"d"}
        assert await _terms(store, owner, "new") == {"a", "b"}
        assert await _terms(store, owner, "ignored") == set()
        await apply(store, owner, Patch(Passage, ("d",), {"channel": "other"}))
        assert await _terms(store, owner, "old", channels=("other",)) == {"d"}

    async def test_channels_are_filtered_below_the_limit(self, store: Store, owner: Owner) -> None:
        near = [_passage(owner, f"n{number}", "word word word", channel="loud") for number in range(20)]
        odd = [_passage(owner, "q", "a word among many others", channel='it\'s "a" 100%'), _passage(owner, "g", "word")]
        vectors = [_vector(owner, item.ref, [1, 0]) for item in near]
        vectors += [_vector(owner, item.ref, [0, 1]) for item in odd]
        await apply(store, owner, *map(Add, near + odd), *map(Add, vectors))
        for channels, wanted in (
            ((odd[0].channel,), {"q"}),
            ((odd[0].channel, GLOBAL), {"q", "g"}),
            (("none",), set()),
        ):
            assert await _terms(store, owner, "word", channels=channels, limit=2) == wanted
            assert set(await _near(store, owner, [1, 0], channels=channels, limit=2)) == wanted
        assert len(await _terms(store, owner, "word")) == len(await _near(store, owner, [1, 0])) == 22

    async def test_another_owner_is_never_found(self, store: Store, owner: Owner) -> None:
        for number, user in enumerate(["bob", "alic", "alice!", "ALICE", "alice "]):
            other = Owner(owner.tenant, user)
            await apply(
                store, other, Add(_passage(other, f"{number}", "word")), Add(_vector(other, f"{number}", [1, 0]))
            )
        assert await _terms(store, owner, "word") == set()
        assert await _near(store, owner, [1, 0]) == []
        await apply(store, owner, Add(_vector(owner, "0", [1, 0])))  # the passage with this ref is bob's
        assert await _near(store, owner, [1, 0]) == []
        await apply(store, owner, Add(_passage(owner, "mine", "word")), Add(_vector(owner, "mine", [0, 1])))
        assert await _terms(store, owner, "word") == {"mine"}
        assert await _near(store, owner, [1, 0]) == ["mine"]

    async def test_limit_keeps_the_best(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, *(Add(_passage(owner, f"{n}", "word")) for n in range(9)))
        assert len(await _terms(store, owner, "word", limit=4)) == 4
        assert await _terms(store, owner, "word", limit=0) == set()

    async def test_vectors_answer_nearest_first(self, store: Store, owner: Owner) -> None:
        points: dict[str, list[float]] = {
            "east": [1, 0, 0],
            "north": [0, 1, 0],
            "northeast": [0.8, 0.6, 0],
            "west": [-1, 0, 0],
        }
        await apply(store, owner, *(Add(_passage(owner, ref, "")) for ref in points))
        await apply(store, owner, *(Add(_vector(owner, ref, point)) for ref, point in points.items()))
        assert await _near(store, owner, [1, 0, 0]) == ["east", "northeast", "north", "west"]
        hits = await store.probe(Probe(owner=owner, limit=2, vector=_array([0, 1, 0]), space="s"))
        assert [hit.ref for hit in hits] == ["north", "northeast"]
        assert [hit.score for hit in hits] == pytest.approx([1.0, 0.6], abs=1e-3)

    async def test_vectors_of_another_space_are_not_compared(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, *(Add(_passage(owner, ref, "")) for ref in "ab"))
        await apply(store, owner, Add(_vector(owner, "a", [1, 0])), Add(_vector(owner, "b", [1, 0, 0], space="t")))
        assert await _near(store, owner, [1, 0]) == ["a"]
        assert await _near(store, owner, [1, 0, 0], space="t") == ["b"]
        assert await _near(store, owner, [1, 0], space="u") == []
        with pytest.raises(SpaceError):
            await _near(store, owner, [1, 0, 0])

    async def test_only_passages_are_found(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, *(Add(_vector(owner, ref, [1, 0])) for ref in "abc"))
        assert await _near(store, owner, [1, 0]) == []
        await apply(store, owner, Add(_passage(owner, "b", "")), Add(_passage(owner, "c", "")))
        assert sorted(await _near(store, owner, [1, 0])) == ["b", "c"]
        await apply(store, owner, Drop(Passage, ("b",)), Drop(Vector, ("s", "c")))
        assert await _near(store, owner, [1, 0]) == []

    async def test_a_new_vector_takes_the_place_of_the_old(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, *(Add(_passage(owner, ref, "")) for ref in "ab"))
        await apply(store, owner, Add(_vector(owner, "a", [1, 0])), Add(_vector(owner, "b", [0.6, 0.8])))
        await apply(store, owner, Put(_vector(owner, "a", [0, -1])))
        assert await _near(store, owner, [1, 0]) == ["b", "a"]


async def _terms(store: Store, owner: Owner, *terms: str, channels: tuple[str, ...] = (), limit: int = 99) -> set[str]:
    hits = await store.probe(Probe(owner=owner, limit=limit, terms=terms, channels=channels))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.ref for hit in hits}) == len(hits)
    return {hit.ref for hit in hits}


async def _near(
    store: Store,
    owner: Owner,
    point: Sequence[float],
    *,
    space: str = "s",
    channels: tuple[str, ...] = (),
    limit: int = 99,
) -> list[str]:
    probe = Probe(owner=owner, limit=limit, vector=_array(point), space=space, channels=channels)
    return [hit.ref for hit in await store.probe(probe)]


def _passage(owner: Owner, ref: str, terms: str, channel: str = GLOBAL) -> Passage:
    return Passage(
        tenant=owner.tenant, user=owner.user, ref=ref, terms=terms, channel=channel, at=_NOW, recorded_at=_NOW
    )


def _vector(owner: Owner, ref: str, point: Sequence[float], space: str = "s") -> Vector:
    data = np.asarray(point, "<f2").tobytes()
    return Vector(tenant=owner.tenant, user=owner.user, space=space, ref=ref, data=data)


def _array(point: Sequence[float]) -> NDArray[np.float32]:
    return np.asarray(point, np.float32)
