"""Conversations: listed, read in order, named and archived."""

from datetime import timedelta
from pathlib import Path

import pytest

from flows.helpers import MORNING, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import ConversationMark
from memoranda.core.strata.conversations import TITLE, title_of
from memoranda.errors import InputError, NotFoundError
from memoranda.ports import Store
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}
REX = "My cat is called Rex."


@pytest.fixture
async def talks(alice: AsyncScoped, clock: FrozenClock) -> AsyncScoped:
    """Two conversations, the first a day older."""
    await alice.add([*says("Good morning.", role="assistant"), *says(REX), *says("A fine name.", role="assistant")],
                    conversation="cats")  # fmt: skip
    clock.advance(days=1)
    await alice.add(says("I live in Oslo."), conversation="home")
    return alice


async def test_they_are_listed_with_what_is_known_of_them(talks: AsyncScoped, memory: AsyncMemory) -> None:
    home, cats = await talks.conversations.list()
    assert (home.id, home.title, home.turns, home.channel) == ("home", "I live in Oslo.", 1, "_global")
    assert (cats.title, cats.turns, cats.started_at, cats.last_activity) == (REX, 3, MORNING, MORNING)
    assert (cats.consolidated, cats.archived) == (False, False)
    await memory.consolidate(**WHOSE)
    assert (await talks.conversations.get("cats")).consolidated
    assert await talks.conversations.list(since=MORNING + timedelta(hours=1)) == (
        await talks.conversations.get("home"),
    )


async def test_the_list_is_read_on_behind_one(talks: AsyncScoped) -> None:
    [first] = await talks.conversations.list(limit=1)
    assert [one.id for one in await talks.conversations.list(after=first.id)] == ["cats"]
    assert await talks.conversations.list(after="cats") == ()
    with pytest.raises(NotFoundError, match="begin without after"):
        await talks.conversations.list(after="nobody")


async def test_channels_have_conversations_of_their_own(talks: AsyncScoped, memory: AsyncMemory) -> None:
    sailing = memory.scope(**WHOSE, channel="sailing")
    await sailing.add(says("The boat leaks."), conversation="cats")
    assert (await sailing.conversations.get("cats")).title == "The boat leaks."
    assert (await talks.conversations.get("cats")).title == REX
    assert [one.content for one in await sailing.conversations.turns("cats")] == ["The boat leaks."]
    assert [one.id for one in await sailing.conversations.list(channel="sailing")] == ["cats"]
    assert len(await memory.scope(**WHOSE, whole=True).conversations.list()) == 3


async def test_turns_are_read_in_order(talks: AsyncScoped) -> None:
    await talks.add(says("Rex is five."), conversation="cats")
    found = await talks.conversations.turns("cats")
    assert [one.content for one in found] == ["Good morning.", REX, "A fine name.", "Rex is five."]
    assert await talks.conversations.turns("cats", last=2) == found[2:]
    assert await talks.conversations.turns("cats", hours=1) == found[3:]
    assert await talks.conversations.turns("cats", limit=2) == found[:2]
    assert await talks.conversations.turns("cats", after=found[1].id, limit=1) == found[2:3]
    assert await talks.conversations.turns("cats", after=found[3].id) == ()
    with pytest.raises(InputError, match="last is 1; give left out where after is given"):
        await talks.conversations.turns("cats", last=1, after=found[0].id)
    with pytest.raises(NotFoundError, match="begin without after"):
        await talks.conversations.turns("cats", after="nobody")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hello\n  there", "Hello there"),
        ("x" * TITLE, "x" * TITLE),
        ("x" * 100, "x" * (TITLE - 1) + "…"),
        ("I should like to go to Lisbon in the spring of next year, by train",
         "I should like to go to Lisbon in the spring of next year…"),
    ],
)  # fmt: skip
def test_a_title_is_one_line_of_the_first_turn(text: str, title: str) -> None:
    assert title_of(text) == title
    assert len(title) <= TITLE


async def test_a_title_that_is_given_stays(talks: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    assert (await talks.conversations.rename("cats", " Our\ncat ")).title == "Our cat"
    await talks.conversations.rename("cats", "Our cat")
    assert [row.title for row in await rows(store, ConversationMark)] == ["Our cat"]
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("b")) as other:
        await other.rebuild(**WHOSE, switch=True)
        assert (await other.scope(**WHOSE).conversations.get("cats")).title == "Our cat"
        lines = [line async for line in other.scope(**WHOSE).export()]
        assert [line["row"]["title"] for line in lines if line.get("kind") == "conversation_marks"] == ["Our cat"]


async def test_what_is_archived_is_left_out_unless_it_is_asked_for(talks: AsyncScoped) -> None:
    assert REX in texts(await talks.recall("What is my cat called?"))
    assert (await talks.conversations.archive("cats")).archived
    found = await talks.recall("What is my cat called?")
    assert [(item.of, item.text) for item in found] == [("record", "User's cat is called Rex.")]  # what was learnt
    assert REX in texts(await talks.recall("What is my cat called?", archived=True))
    assert REX not in texts((await talks.why("What is my cat called?")).recalled)
    assert "A fine name" not in (await talks.context("Which name is fine?")).text
    assert "A fine name" in (await talks.context("Which name is fine?", archived=True)).text
    assert [one.id for one in await talks.conversations.list()] == ["home"]
    assert [one.id for one in await talks.conversations.list(archived=True)] == ["cats"]
    assert len(await talks.conversations.turns("cats")) == 3
    assert (await talks.conversations.archive("cats")).archived
    assert not (await talks.conversations.unarchive("cats")).archived
    assert REX in texts(await talks.recall("What is my cat called?"))


async def test_what_is_said_in_it_takes_a_conversation_out(talks: AsyncScoped, clock: FrozenClock) -> None:
    await talks.conversations.archive("cats")
    clock.advance(minutes=1)
    await talks.add(says("Rex is five."), conversation="cats")
    assert not (await talks.conversations.get("cats")).archived
    assert REX in texts(await talks.recall("What is my cat called?"))


async def test_an_agent_archives_its_own_turns_only(talks: AsyncScoped, memory: AsyncMemory) -> None:
    writer = memory.scope(**WHOSE, agent="writer")
    with pytest.raises(InputError, match="archive it in the user's scope"):
        await writer.conversations.archive("cats")
    await writer.add(says("The plot has a crab."), conversation="plot")
    assert (await writer.conversations.archive("plot")).archived
    assert (await talks.conversations.get("plot")).archived
    assert not (await writer.conversations.unarchive("plot")).archived
    await talks.conversations.archive("plot")
    assert "The plot has a crab." not in texts(await writer.recall("What has the plot?"))
    with pytest.raises(InputError, match="The user archived"):
        await writer.conversations.unarchive("plot")
    with pytest.raises(NotFoundError):
        await memory.scope(**WHOSE, agent="cook").conversations.get("plot")


async def test_each_agent_has_titles_of_its_own(talks: AsyncScoped, memory: AsyncMemory) -> None:
    writer, cook = (memory.scope(**WHOSE, agent=agent) for agent in ("writer", "cook"))
    await writer.conversations.rename("cats", "Notes on a cat")
    told = [(await one.conversations.get("cats")).title for one in (writer, cook, talks)]
    assert told == ["Notes on a cat", REX, "Notes on a cat"]
    await talks.conversations.rename("cats", "Rex")
    told = [(await one.conversations.get("cats")).title for one in (writer, cook, talks)]
    assert told == ["Notes on a cat", "Rex", "Rex"]


async def test_title_and_mark_go_with_the_conversation(talks: AsyncScoped, store: Store) -> None:
    await talks.conversations.rename("cats", "Our cat")
    await talks.conversations.archive("cats")
    assert (await talks.forget(conversation="cats")).removed["conversation_marks"] == 1
    assert await rows(store, ConversationMark) == []
    await talks.add(says("Dogs are fine, too."), conversation="cats")
    now = await talks.conversations.get("cats")
    assert (now.title, now.archived) == ("Dogs are fine, too.", False)


async def test_a_title_goes_with_its_words_and_leaves_the_conversation_archived(
    talks: AsyncScoped, store: Store
) -> None:
    await talks.conversations.rename("home", "The flat near Torben")
    await talks.conversations.archive("home")
    await talks.forget(value="Torben")
    [mark] = await rows(store, ConversationMark)
    assert (mark.title, mark.archived_at is None) == (None, False)
    now = await talks.conversations.get("home")
    assert (now.title, now.archived) == ("I live in Oslo.", True)
    with pytest.raises(InputError, match="forgotten on request"):
        await talks.conversations.rename("home", "Torben's flat")
    await talks.forget(value="Oslo")
    with pytest.raises(NotFoundError):
        await talks.conversations.get("home")


async def test_another_process_sees_what_was_archived(tmp_path: Path, clock: FrozenClock) -> None:
    stores = [await SqliteStore.open(tmp_path / "memory.db") for _ in range(2)]
    here, there = [
        await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(name))
        for store, name in zip(stores, "ab", strict=True)
    ]
    one, other = here.scope(**WHOSE), there.scope(**WHOSE)
    await one.add(says(REX), conversation="cats")
    assert REX in texts(await other.recall("What is my cat called?"))
    await one.conversations.archive("cats")
    assert REX not in texts(await other.recall("What is my cat called?"))
    await other.conversations.unarchive("cats")
    assert REX in texts(await one.recall("What is my cat called?"))
    await other.conversations.archive("cats")
    await one.forget(conversation="cats")
    assert await other.conversations.list(archived=True) == ()
    for memory, store in zip((here, there), stores, strict=True):
        await memory.close()
        await store.close()
