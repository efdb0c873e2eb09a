"""Filters narrow what is searched, not what was found; what names an entity that is sought is found however far."""

from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows.statements import TRUST
from memoranda.core.strata.filters import ASKED_KINDS, noted
from memoranda.errors import InputError, ScopeError
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import arguments, decode

pytestmark = pytest.mark.anyio

CROWD = [f"The boat number {number} is moored at the pier." for number in range(70)]


@pytest.fixture
async def told(alice: AsyncScoped) -> AsyncScoped:
    """A boat of everything, and a crowd of nearer ones that no filter lets through."""
    await alice.add(says(*CROWD), surface="import")
    await alice.add(says("My boat leaks."), surface="widget", metadata={"page": 3, "tags": ["hull", "water"]})
    lease = {"filename": "lease.pdf", "message_id": "m1", "attachment_id": 7, "signed": True, "page": 4}
    await alice.observe("The boat is leased to Ines.", source="tool_indexed", category="lease", metadata=lease)
    await alice.observe("The boat was painted red.", source="agent", category="workflow")
    await alice.observe("We will sell the boat.", category="decision")
    await alice.observe("The boat wants paint every spring.", category="learning", source="system_learned")
    return alice


async def found(scope: AsyncScoped, **given: Any) -> set[str]:
    return {item.text.rstrip(".") for item in await scope.recall("the boat at the pier", limit=30, **given)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"surface": "widget"}, {"My boat leaks"}),
        ({"metadata": {"page": 3}}, {"My boat leaks"}),
        ({"metadata": {"page": [3, 4]}}, {"My boat leaks", "The boat is leased to Ines"}),
        ({"metadata": {"tags": "hull"}}, {"My boat leaks"}),
        ({"metadata": {"filename": "lease.pdf"}}, {"The boat is leased to Ines"}),
        ({"metadata": {"file_name": "lease.pdf"}}, {"The boat is leased to Ines"}),
        ({"metadata": {"message": "m1", "attachment": 7}}, {"The boat is leased to Ines"}),
        ({"metadata": {"signed": True}}, {"The boat is leased to Ines"}),
        ({"metadata": {"signed": 1}}, set()),
        ({"metadata": {"filename": "lease.pdf", "page": 3}}, set()),
        ({"categories": ["lease"]}, {"The boat is leased to Ines"}),
        ({"categories": ["lease", "workflow"]}, {"The boat is leased to Ines", "The boat was painted red"}),
        ({"categories": ["nothing"]}, set()),
        ({"sources": ["agent"]}, {"The boat was painted red"}),
        ({"sources": ["tool_indexed"], "categories": ["workflow"]}, set()),
        ({"kinds": ["workflow"]}, {"The boat was painted red"}),
        ({"kinds": ["decision"]}, {"We will sell the boat"}),
        ({"kinds": ["learning"], "sources": ["system_learned"]}, {"The boat wants paint every spring"}),
    ],
    ids=lambda one: str(sorted(one)) if isinstance(one, set) else str(one),
)
async def test_filters_find_what_lies_far_below_the_best(
    told: AsyncScoped, given: dict[str, Any], expected: set[str]
) -> None:
    assert await found(told, **given) == expected
    answer = await told.recall("the boat at the pier", **given)
    assert answer.trace.searched <= 6
    assert bool(answer.reason) == (not expected)


async def test_a_record_is_found_by_what_it_rests_on(alice: AsyncScoped) -> None:
    await alice.add(says("I live in Oslo."), metadata={"filename": "intro.txt"})
    await alice.add(says("I work at Acme."), metadata={"filename": "other.txt"})
    answer = await alice.recall("Where do I live?", metadata={"filename": "intro.txt"}, kinds=["fact"])
    assert texts(answer) == ["User lives in Oslo"] or texts(answer) == ["User lives in Oslo."]
    assert not await alice.recall("Where do I live?", metadata={"filename": "other.txt"}, kinds=["preference"])
    why = await alice.why("Where do I live?", metadata={"filename": "intro.txt"}, kinds=["fact"])
    assert [item.id for item in why.recalled] == [item.id for item in answer]


async def test_strata_are_asked_for_as_kinds_are(alice: AsyncScoped) -> None:
    await alice.add(says("I work at the boat yard.", "The boat leaks."))
    await alice.goals.add("Mend the boat")
    for _ in range(8):
        await alice.tools.record("search", "boat", "found")
    kinds = {
        name: {item.kind for item in await alice.recall("boat", kinds=[name])}
        for name in ("episodic", "semantic", "procedural")
    }
    assert kinds == {"episodic": {"turn"}, "semantic": {"fact"}, "procedural": {"goal", "tool_call"}}
    answer = await alice.recall("boat")
    assert {item.stratum for item in answer} == set(kinds)
    assert {name: {item.id for item in items} for name, items in answer.by_stratum.items()} == {
        name: {item.id for item in answer if item.stratum == name} for name in kinds
    }
    calls = sum(item.kind == "tool_call" for item in await alice.recall("boat", kinds=["episodic", "turn"]))
    assert calls == 0


async def test_a_connection_is_found_where_the_scope_names_it(memory: AsyncMemory) -> None:
    jira = memory.scope(tenant="acme", user="alice", connections=("jira", "mail"))
    await jira.observe("The boat has a ticket.", connection="jira")
    await jira.observe("The boat has a letter.", connection="mail")
    await jira.observe("The boat has a leak.")
    assert await found(jira, connection="jira") == {"The boat has a ticket"}
    assert len(await found(jira)) == 3
    assert await found(memory.scope(tenant="acme", user="alice"), connection="jira") == set()
    assert await found(jira, connection="slack") == set()
    told = "connection: this scope sees nothing of 'slack', name it in connections"
    assert (await jira.recall("boat", connection="slack")).degraded == (told,)
    assert not (await jira.recall("boat", connection="jira")).degraded
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    assert await found(whole, connection="jira") == {"The boat has a ticket"}
    assert not (await whole.recall("boat", connection="jira")).degraded


async def test_what_others_noted_tells_nothing(memory: AsyncMemory) -> None:
    """A record that rests on what two agents heard is not found by what the other's was noted with."""
    agents = [memory.scope(tenant="acme", user="alice", agent=name) for name in ("one", "two")]
    for agent, name in zip(agents, ("a.pdf", "b.pdf"), strict=True):
        await agent.add(says("I live in Oslo."), metadata={"filename": name})
    for agent, own, other in zip(agents, ("a.pdf", "b.pdf"), ("b.pdf", "a.pdf"), strict=True):
        assert await agent.recall("Where do I live?", metadata={"filename": own})
        assert not await agent.recall("Where do I live?", metadata={"filename": other})


async def test_what_is_forgotten_is_noted_no_more(told: AsyncScoped) -> None:
    assert await found(told, surface="widget")
    [item] = [one for one in await told.recall("boat leaks", surface="widget") if one.of == "event"]
    await told.forget(source=item.id)
    assert await found(told, surface="widget") == set()
    await told.add(says("My other boat leaks."), surface="widget")
    assert await found(told, surface="widget") == {"My other boat leaks"}


async def test_long_values_and_long_lists_are_compared(alice: AsyncScoped) -> None:
    noted: dict[str, Any] = {"body": "x" * 600, "short": "y", "pages": [*range(300)], "bodies": ["short", "z" * 600]}
    await alice.add(says("The boat leaks."), metadata=noted)
    for name, value in (("short", "y"), ("body", "x" * 600), ("pages", 299), ("bodies", "z" * 600)):
        assert await alice.recall("boat", metadata={name: value}), name
    for name, value in (("body", "x" * 601), ("body", "X" * 600), ("pages", 300), ("bodies", "z" * 601)):
        assert not await alice.recall("boat", metadata={name: value}), name


async def test_a_record_and_what_it_rests_on_pass_filters_together(alice: AsyncScoped) -> None:
    await alice.add(says("I prefer short mails."), surface="inbox", metadata={"page": 3})
    await alice.add(says("I prefer long walks."), surface="chat", metadata={"page": 4})
    [mail] = await alice.recall("What is preferred?", kinds=["preference"], surface="inbox", limit=9)
    assert (mail.category, mail.surface, mail.source) == ("preference", "inbox", "user_provided")
    own: dict[str, Any] = {"categories": ["preference"], "sources": ["user_provided"]}
    assert texts(await alice.recall("What is preferred?", surface="inbox", **own)) == [mail.text]
    assert texts(await alice.recall("What is preferred?", metadata={"page": 3}, **own)) == [mail.text]
    assert not await alice.recall("What is preferred?", surface="chat", metadata={"page": 3}, **own)


@pytest.mark.parametrize("attachments", [None, 3, "file a.pdf", [None, {"name": "a.pdf"}], {"a.pdf": 1}])
async def test_attachments_that_a_host_noted_its_own_way_do_no_harm(alice: AsyncScoped, attachments: Any) -> None:
    await alice.add(says("The boat leaks."), metadata={"attachments": attachments})
    assert [item.filename for item in await alice.recall("boat")] == [None]
    assert not await alice.recall("boat", metadata={"filename": "a.pdf"})


def test_imported_files_are_found_by_name() -> None:
    assert noted({"attachments": ["file report.pdf", "image"]}, "filename") == ["report.pdf"]
    assert noted({"attachments": ["file report.pdf"]}, "page") == []


async def test_filters_go_with_times(told: AsyncScoped, clock: FrozenClock) -> None:
    clock.advance(days=40)
    await told.observe("The boat is leased again.", category="lease")
    assert await found(told, categories=["lease"], since=MORNING + timedelta(days=1)) == {"The boat is leased again"}
    assert await found(told, categories=["lease"], known_at=MORNING + timedelta(days=1)) == {
        "The boat is leased to Ines"
    }


# ------------------------------------------------------------------------------------------------ entities


@pytest.fixture
async def crew(alice: AsyncScoped) -> AsyncScoped:
    await alice.add(says(*(f"The harbour survey number {number} is due in spring." for number in range(60))))
    await alice.add(says("Robert Falk repairs clocks.", "Bob Falk sings."))
    await alice.graph.upsert("Robert Falk", type="person", aliases=["Bob Falk"])
    return alice


async def test_what_names_a_sought_entity_is_found_however_far(crew: AsyncScoped) -> None:
    question = "When is the harbour survey due?"
    assert not {"Robert Falk repairs clocks.", "Bob Falk sings."} & {*texts(await crew.recall(question, limit=30))}
    entity = await crew.graph.upsert("Robert Falk")
    for name in ("Robert Falk", "bob falk", entity.id):
        answer = await crew.recall(question, entities=[name], limit=80)
        assert {"Robert Falk repairs clocks.", "Bob Falk sings."} <= {*texts(answer)}
        assert any("harbour" in text for text in texts(answer)), "it is no filter"
        assert not answer.degraded
        named = [item for item in answer if "Falk" in item.text and item.kind == "turn"]
        assert [item.shares["entity_match"] for item in named] == [0.05, 0.05]
        assert sorted(item.entities for item in named) == [("bob falk",), ("robert falk",)]


async def test_where_nothing_else_answers_only_what_names_it_does(crew: AsyncScoped) -> None:
    assert not await crew.recall("Quince jelly?")
    assert {*texts(await crew.recall("Quince jelly?", entities=["Bob Falk"]))} >= {
        "Robert Falk repairs clocks.", "Bob Falk sings.",
    }  # fmt: skip
    assert all("Falk" in text for text in texts(await crew.recall("Quince jelly?", entities=["Bob Falk"])))


async def test_an_unknown_entity_is_told(crew: AsyncScoped) -> None:
    answer = await crew.recall("When is the harbour survey due?", entities=["Nobody", "Robert Falk", "Nothing"])
    assert answer.degraded == ("entities: nothing is known here of 'Nobody', 'Nothing'",)
    plain = await crew.recall("When is the harbour survey due?", limit=3)
    assert texts(await crew.recall("When is the harbour survey due?", entities=["Nobody"], limit=3)) == texts(plain)


# --------------------------------------------------------------------------------------------------- words


async def test_what_cannot_be_asked_for_is_told(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match=r"a kind is 'tool_attachment_content'; give one of turn, fact, .*episodic.*"):
        await alice.recall("boat", kinds=["tool_attachment_content"])
    with pytest.raises(InputError, match=r"or categories=\[…\] for a category of your own"):
        await alice.recall("boat", kinds=["tool_attachment_content"])
    await alice.observe("The file tells of a boat.", category="tool_attachment_content")
    assert await alice.recall("boat", categories=["tool_attachment_content"])
    with pytest.raises(InputError, match="a source is 'nobody'; give one of user_provided, agent"):
        await alice.recall("boat", sources=["nobody"])
    for name in ("categories", "entities"):
        with pytest.raises(InputError, match=f"{name} is 'boat'; give a list"):
            await alice.recall("boat", **{name: "boat"})
    with pytest.raises(InputError, match=r"metadata is \[3\]; give names with values"):
        await alice.recall("boat", metadata=[3])  # type: ignore[arg-type]
    with pytest.raises(ScopeError):
        await alice.recall("boat", surface=" ")


def test_doors_know_the_filters() -> None:
    schema = arguments(VERBS["recall"])["properties"]
    assert {"categories", "sources", "surface", "connection", "metadata", "entities"} <= schema.keys()
    assert "episodic" in str(schema["kinds"])
    assert all(source in str(schema["sources"]) for source in TRUST)
    given = decode(VERBS["recall"], {"query": "boat", "kinds": [*ASKED_KINDS], "metadata": {"page": [1, 2]}})
    assert given["metadata"] == {"page": [1, 2]}
