"""An answer brings what memories rest on, the goals that press, and what the profile says to it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.recall.question import asks
from memoranda.core.strata.goals import MOST
from memoranda.flows.recall.grounds import LONGEST, READ, sentence
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


def words(text: str) -> set[str]:
    return set(text.casefold().rstrip(".").split())


# ------------------------------------------------------------------------------------------- what it rests on


async def test_a_record_shows_the_sentence_it_rests_on(alice: AsyncScoped, clock: FrozenClock) -> None:
    clock.advance(hours=1)
    said = MORNING - 2 * DAY
    notes = {"filename": "intro.txt", "message_id": "m7", "attachment": 4}
    await alice.add(
        says("Hello! It rains in Bergen. I work at Acme. See you.", timestamp=said.isoformat()),
        surface="inbox", metadata=notes,
    )  # fmt: skip
    [fact] = (await alice.recall("Where do I work?", kinds=["fact"])).items
    assert fact.evidence == "I work at Acme."
    assert (fact.role, fact.speaker, fact.surface, fact.source) == ("user", None, "inbox", "user_provided")
    assert (fact.filename, fact.message_id, fact.attachment_id) == ("intro.txt", "m7", "4")
    assert (fact.at, fact.said_at, fact.recorded_at) == (said, said, clock.now)
    assert (fact.stratum, fact.entities, fact.category) == ("semantic", ("acme",), "personal")
    assert (fact.expires, fact.cross_channel, fact.collection) == (None, False, None)
    [turn] = (await alice.recall("Where do I work?", kinds=["turn"])).items
    assert (turn.evidence, turn.filename, turn.said_at, turn.stratum) == ("", "intro.txt", said, "episodic")
    assert turn.recorded_at == clock.now


async def test_uses_are_told(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I work at Acme."))
    [fact] = (await alice.recall("Where do I work?", kinds=["fact"])).items
    assert (fact.access_count, fact.last_accessed) == (0, None)
    used = clock.advance(hours=1)
    await alice.recall("Where do I work?", kinds=["fact"])
    clock.advance(hours=1)
    [fact] = (await alice.recall("Where do I work?", kinds=["fact"])).items
    assert (fact.access_count, fact.last_accessed) == (2, used)
    [version] = await alice.history(fact.id)
    assert (version.access_count, version.last_accessed) == (3, clock.now)


async def test_uses_of_turns_are_told(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("The ferry leaves at eight."))
    [turn] = await alice.recall("When does the ferry leave?", kinds=["turn"])
    assert (turn.access_count, turn.last_accessed) == (0, None)
    used = clock.now
    clock.advance(hours=1)
    [turn] = await alice.recall("When does the ferry leave?", kinds=["turn"])
    assert (turn.access_count, turn.last_accessed) == (1, used)


async def test_what_will_end_says_when(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I work at Acme until March 2026."))
    [fact] = (await alice.recall("Where do I work?", kinds=["fact"])).items
    assert fact.expires == fact.valid_to
    assert fact.expires is not None
    assert fact.expires > clock.now


async def test_another_channel_is_marked(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says("The boat leaks."))
    project = memory.scope(tenant="acme", user="alice", channel="boats")
    await project.add(says("The boat is red."))
    found = await project.recall("boat")
    assert {item.text: item.cross_channel for item in found if item.of == "event"} == {
        "The boat leaks.": True, "The boat is red.": False,
    }  # fmt: skip
    assert found.trace.cross_channel == tuple(item.id for item in found if item.cross_channel)


async def test_what_another_agent_heard_is_not_shown(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says("I work at Acme. It is loud."))
    spy = memory.scope(tenant="acme", user="alice", agent="spy")
    await spy.add(says("I work at Acme. Tell nobody of the spy."))
    other = memory.scope(tenant="acme", user="alice", agent="other")
    for item in await other.recall("Where do I work?", kinds=["fact"]):
        assert item.evidence == "I work at Acme."


def test_the_sentence_is_found_in_a_long_text() -> None:
    many = " ".join(f"Sentence number {number} is here." for number in range(3 * READ))
    assert sentence(f"{many} I work at Acme. {many}", "User works at Acme.", words) == "I work at Acme."
    assert sentence("", "User works at Acme.", words) == ""
    assert len(sentence("x" * 900, "x", words)) == LONGEST + 1
    assert sentence("我住在柏林。我在公司工作。", "用户住在柏林", words) == "我住在柏林。"


# ------------------------------------------------------------------------------------------------------ goals


@pytest.fixture
async def aims(alice: AsyncScoped) -> Mapping[str, str]:
    """Goals of all sorts, with their ids by text."""
    made = {
        "Pay the tax": {"deadline": MORNING - DAY, "priority": 4},
        "Book the ferry": {"deadline": MORNING + DAY},
        "Learn Basque": {"deadline": MORNING + 90 * DAY, "priority": 5},
        "Ship the release": {"priority": 1},
        "Mend the roof": {},
    }  # fmt: skip
    ids = {text: (await alice.goals.add(text, **given)).id for text, given in made.items()}
    await alice.goals.block(ids["Mend the roof"], by=["no ladder"])
    return ids


def names(goals: Any) -> list[str]:
    return [goal.text for goal in goals]


@pytest.mark.usefixtures("aims")
async def test_goals_that_press_come_with_every_answer(alice: AsyncScoped) -> None:
    found = await alice.recall("What is the capital of Erewhon?")
    assert names(found.goals) == []
    assert names(found.active_goals) == ["Pay the tax", "Ship the release", "Book the ferry"]
    for number in range(MOST):
        await alice.goals.add(f"Aim number {number}", priority=1)
    assert len((await alice.recall("Erewhon?")).active_goals) == MOST
    assert (await alice.recall("Erewhon?", techniques=["expand"])).active_goals


@pytest.mark.usefixtures("aims")
async def test_goals_that_are_asked_for_answer(alice: AsyncScoped) -> None:
    assert names((await alice.recall("Which goals are overdue?")).goals) == ["Pay the tax"]
    assert names((await alice.recall("Welche Ziele sind überfällig?")).goals) == ["Pay the tax"]
    assert names((await alice.recall("What are my goals?")).goals) == [
        "Ship the release", "Book the ferry", "Mend the roof", "Pay the tax", "Learn Basque",
    ]  # fmt: skip
    assert names((await alice.recall("Which of my goals are blocked?")).goals) == ["Mend the roof"]
    assert names((await alice.recall("Do I have anything late?")).goals) == []


async def test_what_is_over_presses_no_more(alice: AsyncScoped, aims: Mapping[str, str]) -> None:
    for text in ("Pay the tax", "Ship the release"):
        await alice.goals.complete(aims[text])
    assert names((await alice.recall("Which goals are overdue?")).goals) == []
    assert names((await alice.recall("Erewhon?")).active_goals) == ["Book the ferry"]


@pytest.mark.parametrize(
    "text",
    [
        "What are my goals?", "which goals are overdue?", "List all open goals.", "Show my long-term objectives",
        "Was sind meine Ziele?", "Welche offenen Ziele gibt es?", "¿Cuáles son mis metas?", "¿Qué objetivos tengo?",
        "Quels sont mes objectifs ?", "我的目标是什么？", "我有哪些目标？", "哪些目标逾期了？",
    ],
)  # fmt: skip
def test_goals_are_asked_for(text: str) -> None:
    assert asks("goals", text)


@pytest.mark.parametrize(
    "text",
    [
        "Who scored the winning goal?", "Which goals did Messi score?", "What is the goal of the meeting?",
        "Was ist das Reiseziel?", "Wie zielt man?", "¿Quién marcó el gol?", "Quel est le but du jeu ?",
        "目的地在哪里？", "Where do I live?",
    ],
)  # fmt: skip
def test_goals_are_not_asked_for(text: str) -> None:
    assert not asks("goals", text)


# ---------------------------------------------------------------------------------------------------- profile


async def test_the_profile_tells_what_bears_on_it(alice: AsyncScoped) -> None:
    await alice.add(says("I work at Acme.", "I prefer short emails.", "My favourite colour is green."))
    await alice.observe("User prefers loud emails.", source="tool_extracted_content", category="preference")
    found = await alice.recall("How should emails to me look, short or long?")
    assert [(line.text.rstrip("."), line.attribute is None) for line in found.profile][:1] == [
        ("User prefers short emails", found.profile[0].attribute is None)
    ]
    assert all("loud" not in line.text for line in found.profile)
    assert all("Acme" not in line.text for line in found.profile)
    assert found.profile[0].since == MORNING
    assert not (await alice.recall("What is the capital of Erewhon?")).profile
    assert not (await alice.recall("short emails", until=MORNING - DAY)).profile


async def test_what_ended_is_no_line_of_the_profile(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I work at Acme."))
    clock.advance(days=1)
    await alice.add(says("I work at Initech now."))
    lines = (await alice.recall("Where do I work? And since when do I work there?")).profile
    assert [line.value for line in lines] == ["Initech"]


async def test_events_are_no_profile(alice: AsyncScoped) -> None:
    await alice.observe("The user went to Oslo by boat.")
    assert texts(await alice.recall("Who went to Oslo by boat?"))
    assert not (await alice.recall("Who went to Oslo by boat?")).profile
