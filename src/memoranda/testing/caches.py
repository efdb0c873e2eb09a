"""The conformance suite for caches.

Subclass `CacheConformance`, override `open_cache` or the fixture `cache`, and run pytest. Every test has its own
tenant, so the caches may share one server.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.errors import ConflictError, StoreUnavailableError
from memoranda.ports import Cache
from memoranda.testing.samples import STRINGS, TIMES

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.mark.anyio
class CacheConformance:
    """Opens a cache for each test, through anyio's pytest plugin."""

    async def open_cache(self) -> Cache:
        """Open the cache under test. A subclass may override the fixture `cache` instead."""
        raise NotImplementedError

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    async def cache(self) -> AsyncIterator[Cache]:
        cache = await self.open_cache()
        yield cache
        await cache.close()

    @pytest.fixture
    def place(self) -> Place:
        return Place(f"tenant {uuid.uuid4()}", "alice", "", "_global", "conversation", "c")

    async def test_an_unknown_place_is_empty(self, cache: Cache, place: Place) -> None:
        assert await cache.read(place) == Content()

    async def test_cells_come_back_as_they_were_written(self, cache: Cache, place: Place) -> None:
        texts = (*STRINGS[1:], "x" * 1_000_000)
        cells = {
            f"{number} {text[:40].replace(chr(0xFEFF), '')}": Cell(text, str(number), TIMES[number % len(TIMES)])
            for number, text in enumerate(texts)
        }
        cells["for ever"] = Cell("", "v", None)
        for at in TIMES:
            await cache.write(place, cells, at)
            assert await cache.read(place) == Content(cells, at)

    async def test_places_are_apart(self, cache: Cache, place: Place) -> None:
        others = [place._replace(**{name: f"{getattr(place, name)}{text}"})
                  for name in place._fields for text in ("/x", "%", "*", "{a}", " ", "🦀")]  # fmt: skip
        for number, other in enumerate([place, *others]):
            await cache.write(other, {"n": Cell(str(number), str(number))}, NOON)
        for number, other in enumerate([place, *others]):
            assert await cache.read(other) == Content({"n": Cell(str(number), str(number))}, NOON)

    async def test_some_cells_are_written_and_others_stay(self, cache: Cache, place: Place) -> None:
        await cache.write(place, {"a": Cell("1", "1"), "b": Cell("2", "2"), "c": Cell("3", "3")}, NOON)
        later = NOON + timedelta(seconds=1)
        await cache.write(place, {"a": Cell("4", "4"), "b": None, "none": None}, later)
        assert await cache.read(place) == Content({"a": Cell("4", "4"), "c": Cell("3", "3")}, later)

    async def test_the_last_cell_takes_the_place_with_it(self, cache: Cache, place: Place) -> None:
        await cache.write(place, {"a": Cell("1", "1")}, NOON)
        await cache.write(place, {"a": None}, NOON)
        assert await cache.read(place) == Content()
        await cache.write(place, {"a": None}, NOON)
        assert await cache.idle(place.tenant, NOON + timedelta(days=1)) == []

    async def test_what_was_planned_against_another_version_is_not_written(self, cache: Cache, place: Place) -> None:
        held = Content({"a": Cell("1", "1"), "b": Cell("2", "2")}, NOON)
        await cache.write(place, held.cells, NOON, expect={"a": None, "b": None})
        for expect in ({"a": None}, {"a": "2"}, {"a": "1", "b": "1"}, {"c": "1"}, {"a": "1", "c": "1"}):
            with pytest.raises(ConflictError):
                await cache.write(place, {"a": Cell("9", "9"), "b": None}, NOON + timedelta(1), expect=expect)
            assert await cache.read(place) == held
        await cache.write(place, {"a": Cell("9", "9")}, NOON, expect={"a": "1", "b": "2", "c": None})
        assert (await cache.read(place)).cells["a"] == Cell("9", "9")

    async def test_nobody_writes_over_another(self, cache: Cache, place: Place) -> None:
        async def count(who: int) -> None:
            done = 0
            while done < 5:
                cell = (await cache.read(place)).cells.get("n")
                more = Cell(str(int(cell.text if cell else 0) + 1), f"{who} {done}")
                try:
                    await cache.write(place, {"n": more}, NOON, expect={"n": cell.version if cell else None})
                except ConflictError:
                    continue
                done += 1

        await asyncio.gather(*map(count, range(4)))
        assert (await cache.read(place)).cells["n"].text == "20"

    async def test_the_stalest_place_is_named_first(self, cache: Cache, place: Place) -> None:
        cell = {"a": Cell("1", "1")}
        names = ["late", "first", "second", "touched"]
        places = {name: place._replace(name=name) for name in names}
        bob = place._replace(user="alice/bob")
        await cache.write(places["touched"], cell, NOON)
        for number, name in enumerate(names):
            await cache.write(places[name], cell, NOON + timedelta(minutes=[9, 1, 2, 8][number]))
        await cache.write(bob, cell, NOON)
        await cache.write(place._replace(tenant=f"{place.tenant} other"), cell, NOON)
        before = NOON + timedelta(minutes=8)
        assert await cache.idle(place.tenant, before) == [bob, places["first"], places["second"]]
        assert await cache.idle(place.tenant, before, limit=1) == [bob]
        assert await cache.idle(place.tenant, before, user="alice") == [places["first"], places["second"]]
        assert await cache.idle("nobody", before) == []
        later = NOON + timedelta(hours=1)
        assert await cache.idle(place.tenant, later, user="alice", limit=3) == [
            places["first"], places["second"], places["touched"],
        ]  # fmt: skip

    async def test_a_write_of_no_cells_moves_the_time(self, cache: Cache, place: Place) -> None:
        await cache.write(place, {}, NOON)
        assert await cache.read(place) == Content()
        cell = {"a": Cell("1", "1")}
        await cache.write(place, cell, NOON)
        for at in (NOON + timedelta(minutes=1), NOON + timedelta(hours=1), NOON + timedelta(hours=1)):
            await cache.write(place, {}, at, keep=timedelta(days=1))
            assert await cache.read(place) == Content(cell, at)
            assert await cache.idle(place.tenant, at) == []
            assert await cache.idle(place.tenant, at + timedelta(seconds=1)) == [place]

    async def test_a_place_that_is_kept_for_a_while_is_there(self, cache: Cache, place: Place) -> None:
        await cache.write(place, {"a": Cell("1", "1")}, NOON, keep=timedelta(hours=1))
        assert (await cache.read(place)).cells == {"a": Cell("1", "1")}

    async def test_a_closed_cache_says_so(self, cache: Cache, place: Place) -> None:
        await cache.close()
        await cache.close()
        with pytest.raises(StoreUnavailableError):
            await cache.read(place)
        with pytest.raises(StoreUnavailableError):
            await cache.write(place, {"a": Cell("1", "1")}, NOON)
        with pytest.raises(StoreUnavailableError):
            await cache.idle(place.tenant, NOON)
