"""Who may not see something finds nothing of it, by whatever verb. A verb without a row here fails the test."""

import dataclasses
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from flows.helpers import everything, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import Owner
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.errors import AccessError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.registry import VERBS as REGISTRY

pytestmark = pytest.mark.anyio

HOME = {"tenant": "acme", "user": "alice", "agent": "clerk", "channel": "tidepool", "connections": ("jira",)}
#: Whoever differs in one of these may see nothing that was written at home.
STRANGERS: dict[str, dict[str, Any]] = {
    "another tenant": HOME | {"tenant": "globex"},
    "another user": HOME | {"user": "bob"},
    "another channel": HOME | {"channel": "kitchen"},
    "the global channel": HOME | {"channel": "_global"},
    "another agent": HOME | {"agent": "cook"},
    "an inactive connection": HOME | {"connections": ()},
    "another connection": HOME | {"connections": ("slack",)},
    "an agent whose names look like all": HOME | {"agent": "*", "channel": "*", "connections": ("*",)},
    "names that look like all": {"tenant": "acme", "user": "alice", "channel": "*", "connections": ("*",)},
    "the whole of another tenant": {"tenant": "globex", "user": "alice", "whole": True},
    "the whole of another user": {"tenant": "acme", "user": "bob", "whole": True},
    "the whole of a user whose name looks like all": {"tenant": "acme", "user": "*", "whole": True},
}
#: Words of which none may be told, in any case: what was said, who was named, and the ids of rows.
SAID = "I work at Zyxwvut with Greta Lindqvist."
Seen = dict[str, str]


async def ids(store: Store) -> Seen:
    """An event and a record of home."""
    kept = await everything(store)
    return {"event": kept["events"][0].id, "record": kept["records"][0].id}  # type: ignore[attr-defined]


async def refused(call: Awaitable[Any]) -> None:
    with pytest.raises(NotFoundError):
        await call


async def add(scoped: AsyncScoped, _: Seen) -> Any:
    told = await scoped.add(says("I work at Zyxwvut."), conversation="talk")
    assert [decision.outcome for decision in told.decisions] == ["added"]
    return [decision.reason for decision in told.decisions]


async def observe(scoped: AsyncScoped, _: Seen) -> Any:
    told = await scoped.observe("I work at Zyxwvut.")
    assert [decision.outcome for decision in told.decisions] == ["added"]
    return [decision.other for decision in told.decisions]


async def remember(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.remember("User works at Zyxwvut.", source_event=seen["event"]))
    told = await scoped.remember("User works at Zyxwvut.", attribute="work.employer", value="Zyxwvut")
    assert [decision.outcome for decision in told.decisions] == ["added"]
    return [decision.other for decision in told.decisions]


async def update_user_context(scoped: AsyncScoped, _: Seen) -> Any:
    told = await scoped.update_user_context(scaffold_updates={"Employer": "Zyxwvut"})
    assert [decision.outcome for decision in told.decisions] == ["added"]
    return [decision.other for decision in told.decisions]


async def restore(scoped: AsyncScoped, _: Seen) -> Any:
    """A stranger's own export, which holds nothing, and comes back to the user alone."""
    lines = [line async for line in scoped.export()]
    if scoped.scope.agent is None:
        return await scoped.restore(lines)
    with pytest.raises(AccessError):
        await scoped.restore(lines)
    return None


async def import_conversations(scoped: AsyncScoped, _: Seen) -> Any:
    whole = Conversation(id="talk", messages=(Message(role="user", content="The crab is blue.", id="m1"),))
    assert (await scoped.import_conversations([whole])).known == 0


async def recall(scoped: AsyncScoped, _: Seen) -> Any:
    found = await scoped.recall(SAID)
    assert found.trace.searched == 0
    assert found.trace.asked == (SAID,)  # the asker's own words
    return dataclasses.asdict(dataclasses.replace(found, trace=dataclasses.replace(found.trace, asked=())))


async def context(scoped: AsyncScoped, _: Seen) -> Any:
    return dataclasses.asdict(await scoped.context("Where do I work, and with whom?"))


async def state(scoped: AsyncScoped, _: Seen) -> Any:
    return dataclasses.asdict(await scoped.state())


async def rank(scoped: AsyncScoped, _: Seen) -> Any:
    found = await scoped.rank([{"id": "1", "text": "A mail about work"}], guidance="work first")
    return dataclasses.asdict(found)


async def render(scoped: AsyncScoped, _: Seen) -> Any:
    return await scoped.render("{{ profile }} {{ narrative }} {{ learned }} {{ goals }} {{ state }}")


async def profile(scoped: AsyncScoped, _: Seen) -> Any:
    return dataclasses.asdict(await scoped.profile())


async def records(scoped: AsyncScoped, _: Seen) -> Any:
    found = [await scoped.records(order=order) for order in ("newest", "oldest")]
    found += [await scoped.records(text="Zyxwvut"), await scoped.records(entities=["Greta Lindqvist"])]
    assert [one.total for one in found] == [0, 0, 0, 0]
    return [dataclasses.asdict(one) for one in found]


async def record(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.record(seen["record"]))


async def correct(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.correct(seen["record"], "I work at Abc."))


async def end(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.end(seen["record"], because="It closed."))


async def history(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.history(seen["record"]))


async def why(scoped: AsyncScoped, seen: Seen) -> Any:
    for item in seen.values():
        await refused(scoped.why("Where do I work?", item))


async def evaluate(scoped: AsyncScoped, seen: Seen) -> Any:
    for answer in ("zyxwvut", {"regex": "7391"}, *({"id": one} for one in seen.values())):
        await refused(scoped.evaluate([{"query": "Where do I work?", "answers": [answer]}]))
    asked = {"query": SAID, "answers": []}
    found = await scoped.evaluate([asked], ablate=True)
    assert {run.figures["silent"] for run in found.runs} == {1.0}


async def forget(scoped: AsyncScoped, seen: Seen) -> Any:
    for dry_run in (True, False):
        await refused(scoped.forget(record=seen["record"], dry_run=dry_run))
        await refused(scoped.forget(source=seen["event"], dry_run=dry_run))
        await refused(scoped.forget(conversation="talk", dry_run=dry_run))
        await refused(scoped.forget(value="Zyxwvut", dry_run=dry_run))
        await refused(scoped.forget(everything=True, dry_run=dry_run))


async def events(scoped: AsyncScoped, _: Seen) -> Any:
    return [await scoped.events(waiting=waiting) for waiting in (False, True)]


async def event(scoped: AsyncScoped, seen: Seen) -> Any:
    await refused(scoped.event(seen["event"]))
    with pytest.raises(NotFoundError):
        await scoped.events(after=seen["event"])


async def contexts(scoped: AsyncScoped, _: Seen) -> Any:
    return await scoped.contexts()


async def context_of(scoped: AsyncScoped, seen: Seen) -> Any:
    for name in seen.values():
        await refused(scoped.context_of(name))


async def metrics(scoped: AsyncScoped, _: Seen) -> Any:
    found = await scoped.metrics()
    assert (found.conversations, found.asked, found.injected, found.corrections) == (0, 0, 0, ())
    return dataclasses.asdict(found)


async def retry(scoped: AsyncScoped, seen: Seen) -> Any:
    if not scoped.scope.whole:
        with pytest.raises(NotFoundError, match="is no event that failed"):
            await scoped.retry(events=[*seen.values()])


async def audit(scoped: AsyncScoped, _: Seen) -> Any:
    return [str(row) for row in await scoped.audit()]


async def changes(scoped: AsyncScoped, _: Seen) -> Any:
    return [str(await scoped.changes(limit=limit)) for limit in (1, 100)]


async def export(scoped: AsyncScoped, _: Seen) -> Any:
    return [row async for row in scoped.export()]


async def working(scoped: AsyncScoped, _: Seen) -> Any:
    """All that is read of what is at hand; what is written a stranger writes at another place."""
    if scoped.scope.whole:
        with pytest.raises(ScopeError, match="whole=True"):
            await scoped.working("talk").view()
        return None
    told = []
    for desk in (scoped.working("talk"), scoped.working(run="talk")):
        told += [await read() for read in (desk.view, desk.turns, desk.keys, desk.resume)]
        told += [await desk.get("draft"), await desk.shared_by("clerk", "draft"), await desk.shared_by(None, "draft")]
        await refused(desk.resolve("q"))
        await refused(desk.share_with("cook", "draft"))
        await refused(desk.load())
        assert not await desk.exists("draft")
        await desk.flush()
        told += [await desk.resume(), await desk.clear(), await desk.persist(), await desk.load()]
        told += [await desk.set("draft", 1), await desk.note("task", 1), await desk.push("scratch", "x")]
        told.append(await desk.delete("none"))
        await desk.ask("Sure?")
        told.append(await desk.add(says("Hello.")))
    return [str(one) for one in told]


VERBS: dict[str, Callable[[AsyncScoped, Seen], Awaitable[Any]]] = {
    verb.__name__: verb
    for verb in (
        add,
        observe,
        remember,
        update_user_context,
        restore,
        import_conversations,
        recall,
        context,
        state,
        rank,
        render,
        profile,
        records,
        record,
        correct,
        end,
        history,
        why,
        evaluate,
        forget,
        changes,
        export,
        events,
        event,
        contexts,
        context_of,
        metrics,
        retry,
        audit,
        working,
    )
}
WRITING = ("add", "observe", "remember", "update_user_context", "import_conversations", "end")
#: Verbs of an open memory answer for a whole tenant, by name.
TENANT_VERBS = {
    "stats",
    "ready",
    "doctor",
    "reembed",
    "flush_idle",
    "consolidate",
    "rebuild",
    "cost",
    "budget",
    "run_job",
    "jobs",
    "work",
}


def test_every_verb_has_a_row() -> None:
    alone = {name: verb for name, verb in REGISTRY.items() if "." not in name}
    assert {name for name, verb in alone.items() if verb.scoped} | {"working"} == set(VERBS)
    assert {name for name, verb in alone.items() if not verb.scoped} == TENANT_VERBS


@pytest.fixture
async def home(memory: AsyncMemory) -> AsyncScoped:
    scoped = memory.scope(**HOME)
    await scoped.add(says(SAID, id="m1", name="Ada Zyx"), conversation="talk", connection="jira")
    await scoped.observe("The code of Zyxwvut is 7391", category="project_details", connection="jira")
    await scoped.working("talk").add(says("I decided to sell Zyxwvut.", *4 * ["Zyxwvut."]), connection="jira")
    return scoped


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_finds_nothing(
    memory: AsyncMemory, home: AsyncScoped, store: Store, stranger: str, verb: str
) -> None:
    seen = await ids(store)
    before = await everything_at_home(store)
    scoped = memory.scope(**STRANGERS[stranger])
    if scoped.scope.whole and verb in WRITING:
        with pytest.raises(ScopeError, match="Nothing is written through whole=True"):
            await VERBS[verb](scoped, seen)
        return
    told = json.dumps(await VERBS[verb](scoped, seen), default=str).lower()
    for word in ("zyxwvut", "lindqvist", "7391", "ada zyx", *seen.values()):
        assert word not in told
    assert [row for row in await everything_at_home(store) if row in before] == before
    assert (await home.recall("Where do I work?")).items


async def everything_at_home(store: Store) -> list[Any]:
    kept = await everything(store, Owner("acme", "alice"))
    names = ("events", "records", "passages", "vectors")
    return [row for name in names for row in kept[name]]


@pytest.mark.parametrize("names", [HOME, {"tenant": "acme", "user": "alice", "whole": True}])
async def test_home_finds_it_by_every_verb_that_tells(
    memory: AsyncMemory, home: AsyncScoped, store: Store, names: dict[str, Any]
) -> None:
    """The table above would pass if nothing were ever found: this is its other side. The whole is home, too."""
    seen = await ids(store)
    scoped = memory.scope(**names)
    told = [
        await scoped.recall(SAID),
        await scoped.context("Where do I work, and with whom?"),
        await scoped.profile(),
        await scoped.records(),
        await scoped.record(seen["record"]),
        await scoped.history(seen["record"]),
        await scoped.why("Where do I work?", seen["event"]),
        await scoped.why("Where do I work?"),
        await scoped.evaluate([{"query": "Where do I work?", "answers": ["zyxwvut"]}]),
        [row async for row in scoped.export()],
        await scoped.changes(),
        await home.working("talk").view(),
    ]
    assert ["zyxwvut" in str(answer).lower() for answer in told] == [True] * 12
    assert (await scoped.forget(source=seen["event"])).removed["events"] == 1
    assert not (await home.profile()).scaffold


async def test_the_whole_of_a_user_is_exported_and_forgotten(memory: AsyncMemory, store: Store) -> None:
    """Every place, whoever wrote there; and not a row of anybody else."""
    places: list[dict[str, Any]] = [{}, {"agent": "clerk"}, {"channel": "tidepool"}, {"agent": "cook", "channel": "*"}]
    for user in ("alice", "bob"):
        for number, place in enumerate(places):
            scoped = memory.scope(tenant="acme", user=user, **place)
            said = says("I met International Business Machines (IBM).", "I live in Oslo.")
            await scoped.add(said, conversation="talk", connection="jira" if number % 2 else None)
    before = await everything(store, Owner("acme", "bob"))
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    kept = await everything(store)
    told = [line["kind"] async for line in whole.export() if "kind" in line]
    assert told == [name for name, rows in kept.items() for _ in rows]
    assert len(kept["events"]) == 8
    assert (await whole.forget(everything=True)).target == "everything of the user"
    left = await everything(store)
    assert {name for name, rows in left.items() if rows} == {"tombstones", "receipts"}
    assert await everything(store, Owner("acme", "bob")) == before
    for place in places:  # it was the user who forgot: all of the user's writers are bound
        assert (await memory.scope(tenant="acme", user="alice", **place).add(said, surface="import")).forgotten == len(
            said
        )


async def test_tenant_verbs_answer_for_one_tenant(memory: AsyncMemory, home: AsyncScoped, clock: FrozenClock) -> None:
    assert home.scope.tenant == "acme"
    other = await memory.stats(tenant="globex")
    assert {value for value in other.values() if isinstance(value, int)} == {0}
    assert {str(value) for value in other.values() if not isinstance(value, int)} == {"{}"}
    health = await memory.doctor(tenant="globex")
    assert set(health.counts.values()) == {0}
    assert set(health.rates.values()) == {0.0}
    assert (await memory.reembed(tenant="globex")).embedded == 0
    assert (await memory.cost(tenant="globex")).rows == ()
    assert (await memory.budget(tenant="globex")).month.spent == 0
    clock.advance(hours=1)
    assert (await memory.flush_idle(tenant="globex")).events == ()
    assert (await memory.flush_idle(tenant="acme", user="bob")).events == ()
    assert len((await memory.flush_idle(tenant="acme")).events) == 5
    assert (await memory.stats(tenant="acme", user="bob"))["events"] == 0


@pytest.mark.parametrize("stranger", ["another agent", "another channel", "an inactive connection"])
async def test_another_name_is_known_only_where_it_was_given(memory: AsyncMemory, stranger: str) -> None:
    """Both sides speak of both names; that they are one's was said at home alone."""
    home, other = memory.scope(**HOME), memory.scope(**STRANGERS[stranger])
    for scoped in (home, other):
        await scoped.add(says("International Business Machines pays well.", "IBM is blue."))
    await home.add(says("International Business Machines (IBM) hired me."), connection="jira")
    for scoped, edges, pays in ((home, 1, True), (other, 0, False)):
        rows = [line async for line in scoped.export()]
        assert [line.get("kind") for line in rows].count("relations") == edges
        found = await scoped.recall("What pays well at IBM?")
        named = {item.text: bool(item.shares.get("entity_match")) for item in found if item.kind == "turn"}
        assert (named["International Business Machines pays well."], named["IBM is blue."]) == (pays, True)


async def test_a_name_that_only_others_say_is_no_row_of_ours(memory: AsyncMemory, store: Store) -> None:
    clerk, cook = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("clerk", "cook"))
    both = await clerk.add(says("Greta Lindqvist (Gretel) called."))
    await cook.add(says("Greta Lindqvist waved."))
    assert "gretel" not in json.dumps([line async for line in cook.export()]).lower()
    await clerk.forget(source=both.events[0])
    assert [row.name for row in (await everything(store))["entities"]] == ["greta lindqvist"]  # type: ignore[attr-defined]


async def test_a_turn_lends_no_word_to_a_window_of_others(memory: AsyncMemory) -> None:
    """Turns of two agents in one conversation: what the one said must not lift what the other said."""
    clerk, cook = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("clerk", "cook"))
    await clerk.add(says("The lobster is in the blue pot."), conversation="talk")
    await cook.add(says("Quite so."), conversation="talk")
    assert "Quite so." not in [item.text for item in await cook.recall("lobster blue pot")]
