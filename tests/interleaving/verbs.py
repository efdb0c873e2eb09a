"""Every verb, as it is called in the prepared memory: those that read, and those that write."""

import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from flows.helpers import MORNING, says
from interleaving.home import HOME, WHOSE
from interleaving.scheduler import point
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.schedules import JOBS
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.stores.dict_ import DictStore
from memoranda.verbs.registry import VERBS

Call = Callable[[AsyncMemory, SimpleNamespace], Awaitable[Any]]
ASKED = "Where do I live, and who sails from the harbour with Lindqvist?"
DAY = timedelta(days=1)
TECHNIQUES = ("expand", "self_query", "steps", "hyde", "multi_query", "rerank")
QUESTIONS = [{"query": "Where do I live?", "answers": ["oslo"]}, {"query": "What was sold?", "answers": ["boat"]}]


def every_verb() -> Iterator[str]:
    """The names of all verbs, as the tables below write them; those of keys touch nothing that a memory is read for."""
    for verb in (one for one in VERBS.values() if not one.name.startswith("keys.")):
        yield verb.name if verb.scoped else f"memory.{verb.name}"


#: What only counts, table by table, for a tenant: each count is of a moment of its own.
COUNTING = {"memory.stats", "memory.doctor"}
#: What reads the store several times and does not yet see one moment: known and open. It must not fail all the same.
OPEN = {"evaluate", "memory.consolidate dry"}


def here(call: Callable[[AsyncScoped, SimpleNamespace], Awaitable[Any]]) -> Call:
    return lambda memory, at: call(memory.scope(**HOME), at)


def whole(call: Callable[[AsyncScoped, SimpleNamespace], Awaitable[Any]]) -> Call:
    return lambda memory, at: call(memory.scope(**WHOSE, whole=True), at)


async def _exported(scoped: AsyncScoped) -> Any:
    """Its header and its rows; in whichever order desks come, hence without the checksum, and without empty ones."""
    first, *lines, _ = [row async for row in scoped.export()]
    return first, sorted(json.dumps(line, sort_keys=True) for line in lines if line["row"].get("cells") != {})


async def _supplied(_: Any, query: str) -> str:
    await point("provider")
    return f"Asked: {query}"


async def _fetch() -> Any:
    await point("fetch")
    return {"town": "Oslo"}


READS: dict[str, Call] = {
    "memory.stats": lambda m, _: m.stats(**WHOSE),
    "memory.doctor": lambda m, _: m.doctor(**WHOSE),
    "memory.ready": lambda m, _: m.ready(),
    "memory.cost": lambda m, _: m.cost(**WHOSE),
    "memory.jobs": lambda m, _: m.jobs(**WHOSE),
    "memory.budget": lambda m, _: m.budget(**WHOSE),
    "memory.consolidate dry": lambda m, _: m.consolidate(**WHOSE, dry_run=True),
    "memory.rebuild dry": lambda m, _: m.rebuild(**WHOSE),
    "memory.rebuild to": lambda m, _: m.rebuild(**WHOSE, to=DictStore()),
    "recall": here(lambda s, _: s.recall(ASKED)),
    "recall dated": here(lambda s, _: s.recall("What did I prefer before I moved to Oslo?", per_conversation=2)),
    "recall known_at": here(lambda s, _: s.recall(ASKED, known_at=MORNING + 39 * DAY, as_of=MORNING + 39 * DAY)),
    "recall techniques": here(lambda s, _: s.recall("Who hired Greta at IBM?", techniques=TECHNIQUES)),
    "recall whole": whole(lambda s, _: s.recall(ASKED, tokens=80)),
    "context": here(lambda s, _: s.context(ASKED)),
    "context host": here(lambda s, _: s.context(
        "Which of the boats shall I sell?", layout="host", conversation="other", budgets={"memories": 300},
        brings={"system": _supplied}, techniques=("expand", "rerank"),
    )),
    "profile": here(lambda s, _: s.profile()),
    "records": here(lambda s, _: s.records(limit=100)),
    "records noted": here(lambda s, _: s.records(surface="chat", entities=["Oslo"], statuses=["candidate"])),
    "record": here(lambda s, at: s.record(at.moved)),
    "forget dry": here(lambda s, at: s.forget(source=at.event, dry_run=True)),
    "forget everything dry": whole(lambda s, _: s.forget(everything=True, dry_run=True)),
    "history": here(lambda s, at: s.history(at.moved)),
    "state": here(lambda s, _: s.state()),
    "rank": here(lambda s, _: s.rank([{"id": "1", "text": "Greta Lindqvist sails"}], guidance="boats first")),
    "render": here(lambda s, _: s.render("{{ narrative }} {% for goal in goals %}{{ goal.text }} {% endfor %}")),
    "events": here(lambda s, _: s.events(limit=100)),
    "events in order": here(lambda s, _: s.events(oldest_first=True, limit=100)),
    "event": here(lambda s, at: s.event(at.event)),
    "contexts": here(lambda s, _: s.contexts()),
    "context_of": here(lambda s, at: s.context_of(at.context)),
    "conversations.list": here(lambda s, _: s.conversations.list()),
    "conversations.get": here(lambda s, _: s.conversations.get("talk")),
    "conversations.turns": here(lambda s, _: s.conversations.turns("talk")),
    "events waiting": here(lambda s, _: s.events(waiting=True)),
    "metrics": here(lambda s, _: s.metrics()),
    "changes": here(lambda s, _: s.changes()),
    "audit": here(lambda s, _: s.audit(limit=100)),
    "why": here(lambda s, _: s.why(ASKED)),
    "why item": here(lambda s, at: s.why(ASKED, at.moved, techniques=("expand",))),
    "evaluate": here(lambda s, _: s.evaluate(QUESTIONS, seed=3)),
    "export": here(lambda s, _: _exported(s)),
    "export whole": whole(lambda s, _: _exported(s)),
    "goals.get": here(lambda s, at: s.goals.get(at.goal)),
    "goals.find": here(lambda s, _: s.goals.find()),
    "goals.due": here(lambda s, _: s.goals.due("Which boats are there?")),
    "pools.get": here(lambda s, at: s.pools.get(at.pool)),
    "pools.find": here(lambda s, _: s.pools.find()),
    "pools.read": here(lambda s, at: s.pools.read(at.pool)),
    "pools.read version": here(lambda s, at: s.pools.read(at.pool, "town", version=1)),
    "pools.history": here(lambda s, at: s.pools.history(at.pool)),
    "pools.statistics": here(lambda s, at: s.pools.statistics(at.pool)),
    "pools.grants": here(lambda s, at: s.pools.grants(at.pool)),
    "pools.log": here(lambda s, at: s.pools.log(at.pool)),
    "collections.get": here(lambda s, at: s.collections.get(at.collection)),
    "collections.find": here(lambda s, _: s.collections.find()),
    "collections.entries": here(lambda s, at: s.collections.entries(at.collection)),
    "collections.search": here(lambda s, at: s.collections.search(at.collection, "Who sails from the harbour?")),
    "collections.history": here(lambda s, at: s.collections.history(at.collection, at.second)),
    "collections.snapshots": here(lambda s, at: s.collections.snapshots(at.collection)),
    "collections.log": here(lambda s, at: s.collections.log(at.collection)),
    "collections.grants": here(lambda s, at: s.collections.grants(at.collection)),
    "tools.stats": here(lambda s, _: s.tools.stats()),
    "tools.calls": here(lambda s, _: s.tools.calls()),
    "tools.suggest": here(lambda s, _: s.tools.suggest("search the harbour")),
    "strategies.find": here(lambda s, _: s.strategies.find("search the harbour")),
    "strategies.get": here(lambda s, at: s.strategies.get(at.strategy)),
    "entries.get": here(lambda s, _: s.entries.get("draft")),
    "entries.find": here(lambda s, _: s.entries.find()),
    "entries.day": here(lambda s, _: s.entries.day((MORNING + 40 * DAY).date())),
    "graph.entity": here(lambda s, at: s.graph.entity(at.entity)),
    "graph.mentions": here(lambda s, at: s.graph.mentions(at.person)),
    "graph.find": here(lambda s, _: s.graph.find("z")),
    "graph.list": here(lambda s, _: s.graph.list()),
    "graph.neighbourhood": here(lambda s, at: s.graph.neighbourhood(at.entity, depth=2)),
    "graph.path": here(lambda s, at: s.graph.path(at.person, at.town)),
    "channels.list": here(lambda s, _: s.channels.list()),
    "channels.hits": here(lambda s, _: s.channels.hits()),
    "connections.list": here(lambda s, _: s.connections.list()),
    "connections.info": here(lambda s, _: s.connections.info("jira")),
    "connections.cached": here(lambda s, _: s.connections.cached("jira", "schema")),
    "review.find": here(lambda s, _: s.review.find()),
    "outcomes.find": here(lambda s, _: s.outcomes.find()),
    "outcomes.find of": here(lambda s, at: s.outcomes.find(at.decision)),
    "router.read": here(lambda s, _: s.router.read("draft")),
    "router.read berth": here(lambda s, _: s.router.read("berth")),
    "router.read town": here(lambda s, _: s.router.read("town")),
    "router.semantic_search": here(lambda s, _: s.router.semantic_search("Who sails from the harbour?")),
    "router.stats": here(lambda s, _: s.router.stats()),
    "working.turns": here(lambda s, _: s.working().turns()),
    "working.view": here(lambda s, _: s.working().view()),
    "working.resume": here(lambda s, _: s.working().resume()),
    "working.get": here(lambda s, _: s.working().get("draft")),
    "working.exists": here(lambda s, _: s.working().exists("near")),
    "working.keys": here(lambda s, _: s.working().keys()),
    "working.shared_by": here(lambda s, _: s.working().shared_by("cook", "salt")),
    "working.degraded": here(lambda s, _: s.working().degraded()),
}  # fmt: skip

RYE = tuple(Message(role="user", content=text, id=text[:6]) for text in ("I like rye bread.", "I live in Voss."))
TALK = Conversation(id="imported", messages=RYE)
WRITES: dict[str, Call] = {
    "add": here(lambda s, _: s.add(says("I live in Hamar now.", "Greta Lindqvist sails to Hamar.", "I want coffee."))),
    "add many": here(lambda s, _: s.add(says(*(f"Sail number {n} is red." for n in range(9))), conversation="other")),
    "observe": here(lambda s, _: s.observe("The harbour of Lindqvist is full", connection="jira")),
    "remember": here(lambda s, _: s.remember("User lives in Hamar.", attribute="location.city", value="Hamar")),
    "update_user_context": here(lambda s, _: s.update_user_context(scaffold_updates={"Role": "Pilot"})),
    "restore": whole(lambda s, at: s.restore(at.exported)),
    "import_conversations": here(lambda s, _: s.import_conversations([TALK])),
    "correct": here(lambda s, at: s.correct(at.moved, "I live in Hamar.")),
    "end": here(lambda s, at: s.end(at.moved, because="The rent was too high")),
    "forget source": here(lambda s, at: s.forget(source=at.event)),
    "forget record": here(lambda s, at: s.forget(record=at.decision)),
    "forget conversation": here(lambda s, _: s.forget(conversation="talk")),
    "forget everything": whole(lambda s, _: s.forget(everything=True)),
    "retry": here(lambda s, at: s.retry(events=[at.failed])),
    "memory.reembed": lambda m, _: m.reembed(**WHOSE),
    "memory.flush_idle": lambda m, _: m.flush_idle(**WHOSE),
    "memory.consolidate": lambda m, _: m.consolidate(**WHOSE),
    "memory.budget set": lambda m, _: m.budget(**WHOSE, balance=10.0),
    "memory.rebuild switch": lambda m, _: m.rebuild(**WHOSE, extractor="none", switch=True),
    **{f"memory.run_job {name}": (lambda m, _, name=name: m.run_job(name, **WHOSE)) for name in JOBS},
    "memory.work": lambda m, _: m.work(tenants=["acme"], once=True),
    "goals.add": here(lambda s, at: s.goals.add("Sail boats to Oslo", parent=at.goal, recall_when=["boats"])),
    "goals.update": here(lambda s, at: s.goals.update(at.goal, priority=1)),
    "goals.block": here(lambda s, at: s.goals.block(at.goal, by=["wind"])),
    "goals.resume": here(lambda s, at: s.goals.resume(at.blocked)),
    "goals.complete": here(lambda s, at: s.goals.complete(at.goal, result="done")),
    "goals.abandon": here(lambda s, at: s.goals.abandon(at.goal)),
    "goals.reject": here(lambda s, at: s.goals.reject(at.third_goal)),
    "pools.create": here(lambda s, _: s.pools.create("quay", data={"town": "Oslo"})),
    "pools.blackboard": here(lambda s, _: s.pools.blackboard("run-9")),
    "pools.write": here(lambda s, at: s.pools.write(at.pool, "town", "Hamar")),
    "pools.merge": here(lambda s, at: s.pools.merge(at.pool, {"month": "May", "berth": 2})),
    "pools.share": here(lambda s, at: s.pools.share(at.pool, "what", at.decision)),
    "pools.unshare": here(lambda s, at: s.pools.unshare(at.moved)),
    "pools.expire": here(lambda s, at: s.pools.expire(at.pool)),
    "pools.grant": here(lambda s, at: s.pools.grant(at.pool, user="carol")),
    "pools.revoke": here(lambda s, at: s.pools.revoke(at.grant)),
    "collections.create": here(lambda s, _: s.collections.create("quays")),
    "collections.add": here(lambda s, at: s.collections.add(at.collection, "The harbour sails to Hamar")),
    "collections.share": here(lambda s, at: s.collections.share(at.collection, at.decision)),
    "collections.unshare": here(lambda s, at: s.collections.unshare(at.moved)),
    "collections.copy": here(lambda s, at: s.collections.copy("pilot", records=[at.moved])),
    "collections.edit": here(lambda s, at: s.collections.edit(at.collection, at.second, "The harbour is silted up")),
    "collections.boost": here(lambda s, at: s.collections.boost(at.collection, at.entry)),
    "collections.reduce": here(lambda s, at: s.collections.reduce(at.collection, at.entry)),
    "collections.remove": here(lambda s, at: s.collections.remove(at.collection, at.entry)),
    "collections.snapshot": here(lambda s, at: s.collections.snapshot(at.collection, "second")),
    "collections.restore": here(lambda s, at: s.collections.restore(at.collection, at.snapshot)),
    "conversations.rename": here(lambda s, _: s.conversations.rename("talk", "The boat")),
    "conversations.archive": here(lambda s, _: s.conversations.archive("other")),
    "conversations.unarchive": here(lambda s, _: s.conversations.unarchive("put away")),
    "collections.archive": here(lambda s, at: s.collections.archive(at.collection)),
    "collections.unarchive": here(lambda s, at: s.collections.unarchive(at.archived)),
    "collections.grant": here(lambda s, at: s.collections.grant(at.collection, user="carol")),
    "collections.revoke": here(lambda s, at: s.collections.revoke(at.entry_grant)),
    "tools.record": here(lambda s, _: s.tools.record("search", {"harbour": 9}, "Hamar", task_type="find")),
    "strategies.learn": here(lambda s, _: s.strategies.learn("Ask the pilot", "search the harbour", ["search"])),
    "strategies.reinforce": here(lambda s, at: s.strategies.reinforce(at.strategy, success=False)),
    "entries.set": here(lambda s, _: s.entries.set("draft", "The harbour opens at ten")),
    "entries.touch": here(lambda s, _: s.entries.touch("draft")),
    "entries.refresh": here(lambda s, _: s.entries.refresh("draft", ttl_seconds=9_000)),
    "entries.delete": here(lambda s, _: s.entries.delete("draft")),
    "entries.clean": here(lambda s, _: s.entries.clean()),
    "entries.promote": here(lambda s, _: s.entries.promote()),
    "entries.log": here(lambda s, _: s.entries.log("Sailed to Hamar")),
    "graph.upsert": here(lambda s, _: s.graph.upsert("Zyxwvut", aliases=["Zx"], description="It builds ships")),
    "graph.merge": here(lambda s, at: s.graph.merge("Zed", at.entity)),
    "graph.relate": here(lambda s, at: s.graph.relate(at.person, "Hamar", "LOCATED_IN")),
    "graph.unrelate": here(lambda s, at: s.graph.unrelate(at.entity, at.town, "LOCATED_IN")),
    "channels.promote": here(lambda s, at: s.channels.promote(at.moved, reason="asked for")),
    "connections.learn": here(lambda s, _: s.connections.learn("jira", "The town is Hamar")),
    "connections.update": here(lambda s, _: s.connections.update("jira", {"default_project": "BOAT"})),
    "connections.remember": here(lambda s, _: s.connections.remember("jira", "schema", {"town": "Hamar"})),
    "connections.refresh": here(lambda s, _: s.connections.refresh("jira", "board", _fetch)),
    "review.accept": here(lambda s, at: s.review.accept(at.doubtful)),
    "review.reject": here(lambda s, at: s.review.reject(at.doubted)),
    "outcomes.record": here(lambda s, at: s.outcomes.record(at.decision, "The buyer paid late", success=False)),
    "router.write": here(lambda s, _: s.router.write("berth", 8, "long_term")),
    "router.write short": here(lambda s, _: s.router.write("draft", "x", "short_term")),
    "router.consolidate": here(lambda s, _: s.router.consolidate("talk")),
    "working.add": here(lambda s, _: s.working().add(says("I sold the kayak."))),
    "working.flush": here(lambda s, _: s.working().flush()),
    "working.set": here(lambda s, _: s.working().set("draft", {"town": "Hamar"})),
    "working.delete": here(lambda s, _: s.working().delete("draft")),
    "working.clear": here(lambda s, _: s.working().clear()),
    "working.note": here(lambda s, _: s.working().note("goal", "Buy a boat")),
    "working.push": here(lambda s, _: s.working().push("thoughts", "The pilot is out")),
    "working.ask": here(lambda s, _: s.working().ask("Buy it now?")),
    "working.resolve": here(lambda s, at: s.working().resolve(at.question)),
    "working.persist": here(lambda s, _: s.working().persist()),
    "working.load": here(lambda s, _: s.working().load()),
    "working.share_with": here(lambda s, _: s.working().share_with("cook", "near")),
}  # fmt: skip


def verb_of(row: str) -> str:
    """The verb of a row of the tables, without what sets it apart from others of the same verb."""
    return row.partition(" ")[0]
