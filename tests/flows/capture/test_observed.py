"""What is observed of the user in the third person is read like the user's own words; a correction ends its error."""

from typing import Any

import pytest

from flows.helpers import rows, says
from memoranda import AsyncScoped
from memoranda.core.rows import Record
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

AGENTS = ["agent", "system_learned", "workflow"]
ALL = ["user_provided", *AGENTS]


async def live(store: Store) -> dict[str | None, list[Any]]:
    """The values that hold, by attribute; the text where there is none."""
    found: dict[str | None, list[Any]] = {}
    for one in await rows(store, Record):
        if one.superseded_at is None and one.valid_to is None and one.polarity > 0:
            found.setdefault(one.attribute, []).append(one.value if one.attribute else one.text)
    return found


@pytest.mark.parametrize("source", ALL)
@pytest.mark.parametrize(
    ("before", "after", "attribute", "value"),
    [
        ("User works at Acme", "User works at Globex now.", "work.employer", "Globex"),
        ("Nutzerin wohnt in Köln.", "Die Nutzerin ist nach Wien gezogen.", "location.city", "Wien"),
        ("El usuario trabaja en Seat.", "El usuario trabaja ahora en Repsol.", "work.employer", "Repsol"),
        ("L'utilisatrice habite à Lyon.", "L'utilisatrice a déménagé à Nantes.", "location.city", "Nantes"),
        ("用户住在北京。", "用户搬到了上海。", "location.city", "上海"),
        ("User's manager is Omar.", "User's manager is now Lena.", "people.manager.name", "Lena"),
        ("User prefers dark mode", "User prefers light mode", "preference.mode", "light mode"),
        ("The default Jira project is OPS", "The default Jira project is PLAT", "project.default.jira_project", "PLAT"),
    ],
)
async def test_the_later_observation_ends_the_earlier(
    alice: AsyncScoped, store: Store, clock: FrozenClock,
    source: str, before: str, after: str, attribute: str, value: str,
) -> None:  # fmt: skip
    await alice.observe(before, source=source)
    clock.advance(days=1)
    await alice.observe(after, source=source)
    assert await live(store) == {attribute: [value]}


@pytest.mark.parametrize("source", AGENTS)
@pytest.mark.parametrize("category", ["fact", "correction"])
async def test_nobody_else_ends_what_the_user_said(
    alice: AsyncScoped, clock: FrozenClock, source: str, category: str
) -> None:
    await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    await alice.observe("User lives in Rome", source=source, category=category)
    assert (await alice.profile()).plain() == {"location": {"city": "Oslo"}}
    assert [leaf.value for leaf in (await alice.profile()).reported] == ["User lives in Rome."]


async def test_the_user_ends_what_was_observed(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.observe("User lives in Rome", source="agent")
    clock.advance(days=1)
    await alice.add(says("I live in Oslo."))
    assert await live(store) == {"location.city": ["Oslo"]}


@pytest.mark.parametrize("source", ["user_provided", "agent"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Staging runs on port 5432", "Staging runs on port 6432"),
        ("The user keeps bees", "The user no longer keeps bees"),
        ("Team standup is at 9:30", "Team standup moved to 10:00"),
        ("The release date is 3 May", "The release is on 10 May"),
        ("Die Ablage liegt auf dem Server Emil", "Die Ablage liegt auf dem Server Frida"),
    ],
)
async def test_a_correction_ends_what_it_means(
    alice: AsyncScoped, store: Store, clock: FrozenClock, source: str, before: str, after: str
) -> None:
    await alice.observe("The harbour office closes at noon", source=source)
    await alice.observe(before, source=source, category="project_details")
    clock.advance(days=1)
    await alice.observe(after, source=source, category="correction")
    held = {one.text.rstrip(".") for one in await rows(store, Record) if not (one.superseded_at or one.valid_to)}
    assert held == {"The harbour office closes at noon", after}


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        (["User is allergic to nuts"], "User is allergic to shellfish"),
        (["The left pump leaks", "The right pump leaks"], "The pump is fine"),
        (["The harbour is in Oslo"], "Deploys happen on Tuesdays"),
    ],
)
async def test_a_correction_ends_nothing_where_it_is_unclear(
    alice: AsyncScoped, store: Store, clock: FrozenClock, known: list[str], correction: str
) -> None:
    for text in known:
        await alice.observe(text)
    clock.advance(days=1)
    await alice.observe(correction, category="correction")
    assert len([one for one in await rows(store, Record) if not (one.superseded_at or one.valid_to)]) == len(known) + 1


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("User lives in Rome", {"source": "tool_extracted_content"}),
        ("User lives in Rome", {"source": "agent", "category": "heartbeat"}),
        ("I live in Rome", {"source": "agent"}),
        ("Users live in Rome", {"source": "agent"}),
    ],
)
async def test_strangers_logs_and_others_are_not_read(
    alice: AsyncScoped, store: Store, text: str, settings: dict[str, Any]
) -> None:
    await alice.observe(text, **settings)
    assert await live(store) == {None: [text]}
