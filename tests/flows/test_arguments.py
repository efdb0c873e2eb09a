"""Every argument of the wrong kind is refused by name, with what to give instead, and nothing is written."""

import inspect
from collections.abc import Iterator
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.helpers import MORNING, OWNER, everything, says
from memoranda import AsyncMemory, AsyncScoped, Memory, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.errors import (
    FormatError,
    InputError,
    MemorandaError,
    MessageError,
    NotFoundError,
    ScopeError,
    SetupError,
)
from memoranda.flows.context.evaluate import Configuration
from memoranda.models.hashed import HashedEmbedder
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio

NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001
HELLO = says("I live in Bergen.")
TALK = Conversation(id="", messages=(Message(**HELLO[0]),))
OWNERS = (OWNER, Owner("acme", SHARED))
HOME: dict[str, Any] = {"tenant": "acme", "user": "alice"}
ASKED: dict[str, Any] = {"query": "Where do I live?", "answers": ["Oslo"]}
RIGHT: dict[str, dict[str, Any]] = {
    "open": {"url": "memory.db", "embedder": "none"},
    "scope": HOME,
    "stats": HOME,
    "doctor": HOME,
    "reembed": HOME,
    **{f"keys.{verb}": {"tenant": "acme"} for verb in ("create", "list")},
    **{f"keys.{verb}": {"tenant": "acme", "key": "nobody"} for verb in ("rotate", "revoke")},
    "keys.check": {},
    "flush_idle": HOME,
    "consolidate": HOME,
    "cost": HOME,
    "budget": HOME,
    "audit": {},
    "run_job": {**HOME, "name": "decay"},
    "jobs": HOME,
    "work": {"tenants": ["acme"], "once": True},
    "rebuild": HOME,
    "add": {"messages": HELLO},
    "observe": {"content": "The crab is blue"},
    "remember": {"claim": "The crab is blue"},
    "update_user_context": {"scaffold_updates": {"Role": "CTO"}},
    "recall": {"query": "Where do I live?"},
    "context": {"query": "Where do I live?"},
    "profile": {},
    "state": {},
    "rank": {"items": [{"id": "m1", "text": "The ferry is late"}]},
    "render": {"template": "Hello"},
    "records": {},
    "record": {"record": "nobody"},
    "correct": {"record": "nobody", "text": "I live in Oslo."},
    "end": {"record": "nobody"},
    "history": {"record": "nobody"},
    "events": {},
    "event": {"event": "nobody"},
    "contexts": {},
    "context_of": {"request": "nobody"},
    "conversations.list": {},
    **{f"conversations.{verb}": {"conversation": "nobody"} for verb in ("get", "turns", "archive", "unarchive")},
    "conversations.rename": {"conversation": "nobody", "title": "The boat"},
    "changes": {},
    "retry": {},
    "metrics": {},
    "why": {"query": "Where do I live?", "item": "nobody"},
    "evaluate": {"questions": [ASKED]},
    "forget": {},
    "import_conversations": {"conversations": []},
    "restore": {"source": []},
    "goals.add": {"text": "Buy a boat"},
    "goals.find": {},
    "goals.due": {"request": "the boat"},
    "goals.update": {"goal": "nobody", "priority": 1},
    "goals.block": {"goal": "nobody", "by": []},
    "pools.create": {"name": "sprint"},
    "pools.blackboard": {"run": "r"},
    "pools.find": {},
    "pools.write": {"pool": "nobody", "path": "a", "value": 1},
    "pools.merge": {"pool": "nobody", "data": {}},
    "pools.share": {"pool": "nobody", "path": "a", "record": "nobody"},
    **{f"pools.{verb}": {"pool": "nobody"} for verb in ("get", "read", "history", "statistics", "expire")},
    "collections.create": {"name": "base"},
    "collections.find": {},
    "collections.add": {"collection": "nobody", "text": "The crab is blue"},
    "collections.share": {"collection": "nobody", "record": "nobody"},
    "collections.copy": {"agent": "writer"},
    "collections.edit": {"collection": "nobody", "entry": "nobody", "text": "The crab is red"},
    "collections.search": {"collection": "nobody", "query": "the crab"},
    "collections.snapshot": {"collection": "nobody", "name": "now"},
    "collections.restore": {"collection": "nobody", "snapshot": "nobody"},
    **{
        f"collections.{verb}": {"collection": "nobody", "entry": "nobody"}
        for verb in ("boost", "reduce", "remove", "history")
    },
    **{
        f"collections.{verb}": {"collection": "nobody"}
        for verb in ("get", "archive", "unarchive", "entries", "snapshots")
    },
    **{f"{face}.unshare": {"record": "nobody"} for face in ("pools", "collections")},
    **{f"{face}.grant": {"what": "nobody", "user": "bob"} for face in ("pools", "collections")},
    **{f"{face}.revoke": {"grant": "nobody"} for face in ("pools", "collections")},
    **{f"{face}.{verb}": {"what": "nobody"} for face in ("pools", "collections") for verb in ("grants", "log")},
    "tools.record": {"tool": "search"},
    "tools.stats": {},
    "tools.calls": {},
    "tools.suggest": {"query": "book a flight"},
    "strategies.learn": {"description": "Book early"},
    "strategies.find": {"task": "book a flight"},
    "strategies.get": {"strategy": "nobody"},
    "strategies.reinforce": {"strategy": "nobody", "success": True},
    "entries.set": {"key": "plan", "value": 1},
    **{f"entries.{verb}": {"key": "plan"} for verb in ("get", "touch", "refresh", "delete")},
    **{f"entries.{verb}": {} for verb in ("find", "clean", "promote")},
    "entries.log": {"text": "watered the plants"},
    "entries.day": {"on": MORNING.date()},
    **{f"goals.{verb}": {"goal": "nobody"} for verb in ("get", "resume", "complete", "abandon", "reject")},
    "graph.upsert": {"name": "Ann"},
    "graph.merge": {"entity": "Oslo", "into": "Oslo"},
    "graph.relate": {"source": "Ann", "target": "Bob"},
    "graph.unrelate": {"source": "Oslo", "target": "Oslo"},
    **{f"graph.{verb}": {"entity": "Oslo"} for verb in ("entity", "mentions", "neighbourhood")},
    "graph.find": {"query": "os"},
    "graph.path": {"source": "Oslo", "target": "Oslo"},
    "channels.promote": {"record": "nobody"},
    "channels.hits": {},
    "connections.info": {"connection": "jira"},
    "connections.learn": {"connection": "jira", "text": "It is blue"},
    "connections.update": {"connection": "jira", "values": {"default_project": "PROJ"}},
    "connections.remember": {"connection": "jira", "name": "schema", "value": 1},
    "connections.cached": {"connection": "jira", "name": "schema"},
    "connections.refresh": {"connection": "jira", "name": "schema", "fetch": None},
    **{f"review.{verb}": {"record": "nobody"} for verb in ("accept", "reject")},
    "outcomes.record": {"decision": "nobody", "text": "On time"},
    "outcomes.find": {},
    "router.read": {"key": "k"},
    "router.write": {"key": "k", "value": 1, "stratum": "short_term"},
    "router.semantic_search": {"query": "the boat"},
    "router.consolidate": {"conversation": "c"},
    "working": {},
    "working.add": {"messages": HELLO},
    "working.turns": {},
    "working.set": {"key": "k", "value": 1},
    **{f"working.{verb}": {"key": "k"} for verb in ("get", "delete", "exists")},
    "working.note": {"part": "results", "value": 1, "name": "step"},
    "working.push": {"part": "thoughts", "value": 1},
    "working.ask": {"question": "Sure?"},
    "working.resolve": {"question": "nobody"},
    "working.share_with": {"agent": "cook", "key": "k"},
    "working.shared_by": {"agent": "cook", "key": "k"},
    **{f"working.{verb}": {} for verb in ("keys", "view", "resume", "flush", "clear", "persist", "load")},
}
"""What each verb takes, beside the one argument that is wrong."""

A_NAME, A_LIST, AWARE = (
    "{name} is needed: give a non-empty string, not ",
    "{name} is .*a list of strings",
    "aware datetime",
)
ONE, NONE = "{name} is .*; give a whole number of at least 1", "{name} is .*; give a whole number of at least 0"

Case = tuple[str, dict[str, Any], type[MemorandaError], str]


def wrong(verb: str, error: type[MemorandaError], words: str, /, **values: list[Any]) -> Iterator[Case]:
    """One case for each wrong value of each argument; `{name}` in the words is the argument's."""
    for name, given in values.items():
        for value in given:
            yield verb, {**RIGHT[verb], name: value}, error, words.replace("{name}", name)


def asked_wrongly(verb: str) -> Iterator[Case]:
    """The cases of a verb that takes a question and what narrows it."""
    yield from wrong(verb, MessageError, "give a text", query=[None, 5, "", b"x"])
    yield from wrong(verb, InputError, f"{ONE} and at most 1,000", limit=["10", True, 0, 1_001, 2.5, None])
    yield from wrong(verb, InputError, "{name} is .*; give True or False", cut=["no", 1])
    yield from wrong(verb, InputError, "{name} is .*; give a number from 0 to 1", min_confidence=["x", -1, 1.1, True])
    yield from wrong(verb, InputError, "{name} is .*; give True or False", archived=["no", 1])
    yield from wrong(verb, InputError, ONE, tokens=["x", 0, []], per_conversation=["x", 0, False])
    yield from wrong(verb, InputError, r"kinds is 'fact'; give a list: \['fact'\]", kinds=["fact"])
    yield from wrong(
        verb, InputError, "a kind is 'facts'; give one of turn, fact, ", kinds=[["facts"], ["fact", "facts"]]
    )
    yield from wrong(verb, InputError, A_LIST, kinds=[5, [5], b"fact", {7: 1}])
    yield from wrong(verb, InputError, "a source is 'me'; give one of user_provided, ", sources=[["me"]])
    yield from wrong(verb, InputError, A_LIST, sources=[5, [5]], categories=[5, [5]], entities=[5, [5]])
    yield from wrong(verb, ScopeError, A_NAME, surface=[5, "", []], connection=[5, "", []])
    yield from wrong(verb, InputError, "{name} is .*; give names with values", metadata=[5, ["page"], "page"])
    yield from wrong(verb, InputError, "{name} is .*; give (?:a list|one of)", techniques=["steps", 5, [5], ["magic"]])
    yield from wrong(verb, InputError, "{name} is .*; give seconds, more", deadline=[0, -1, True, "1", float("nan")])
    yield from wrong(verb, InputError, "{name} is .*balanced, reinforced", profile=["best", None, [], 5, {}, {"x": 1}])
    for time in ("since", "until", "as_of", "known_at", "now"):
        yield from wrong(verb, InputError, f"{{name}} is '2024'; give an {AWARE}", **{time: ["2024"]})
        yield from wrong(verb, InputError, f"{{name}} has no time zone; give an {AWARE}", **{time: [NAIVE]})


def granted_wrongly(face: str) -> Iterator[Case]:
    """The cases of the verbs that say who may."""
    for verb in ("grant", "grants", "log"):
        yield from wrong(f"{face}.{verb}", NotFoundError, "find gives the ids", what=["nobody"])
        yield from wrong(f"{face}.{verb}", ScopeError, A_NAME, what=[None, 5, "", []])
    yield from wrong(f"{face}.grant", InputError, "{name} is .*read, write, admin", level=["own", None, 5, []])
    yield from wrong(f"{face}.grant", ScopeError, A_NAME, user=[5, ""], agent=[5, ""], team=[5, ""])
    yield from wrong(f"{face}.grant", InputError, "Say to whom", user=[None], team=["red"], everyone=[True])
    yield from wrong(f"{face}.grant", InputError, "{name} is .*; give True or False", everyone=["no", 1, None])
    yield from wrong(f"{face}.grant", InputError, AWARE, until=["tomorrow", 5, NAIVE])
    yield from wrong(f"{face}.grant", InputError, "which is over", until=[MORNING])
    yield from wrong(f"{face}.revoke", ScopeError, A_NAME, grant=[None, 5, "", []])
    yield from wrong(f"{face}.revoke", NotFoundError, "grants gives the ids", grant=["nobody"])
    yield from wrong(f"{face}.log", InputError, ONE, limit=["10", True, 0, None, 10**30])


SCOPED: list[Case] = [
    *wrong("add", MessageError, "list of messages", messages=[None, 5, "hello", HELLO[0], {1}]),
    *wrong("add", MessageError, "an object is needed", messages=[[*HELLO, it] for it in (1, None, "x", HELLO)]),
    *wrong("add", MessageError, "Rename it to one of user", messages=[[{"role": 5, "content": "x"}]]),
    *wrong("add", MessageError, "array of parts is needed", messages=[[{"role": "user", "content": 5}]]),
    *wrong("add", MessageError, "Use ISO 8601", messages=[[{**HELLO[0], "timestamp": "tomorrow"}]]),
    *wrong("add", MessageError, "an object is needed", messages=[[{**HELLO[0], "metadata": 5}]]),
    *wrong("add", MessageError, "give one of user, assis", messages=[[*HELLO, Message(role="wizard", content="x")]]),
    *wrong("add", MessageError, "give a text", messages=[[*HELLO, Message(role="user", content=" ")]]),
    *wrong("add", MessageError, AWARE, messages=[[Message(role="user", content="x", at=at)] for at in (5, NAIVE)]),  # type: ignore[arg-type]
    *wrong("add", ScopeError, A_NAME, conversation=[5, ""], surface=[5, None], connection=[5, ""]),
    *wrong("add", MessageError, "names with values", metadata=[5, "x", [1]]),
    *wrong("add", MessageError, r"metadata, \$\.a: the name 5 is no string", metadata=[{"a": {5: "x"}}]),
    *wrong("add", MessageError, "Write it as a string", metadata=[{"a": {1}}]),
    *wrong("observe", MessageError, "give a text", content=[None, 5, "", b"x", ["x"]]),
    *wrong("observe", ScopeError, A_NAME, category=[5, None], surface=[5, None], connection=[5, ""], key=[5, ""]),
    *wrong("observe", MessageError, "one of user_provided, agent", source=[5, [], "me", None]),
    *wrong("observe", MessageError, f"{{name}} .*; give an {AWARE}", at=["tomorrow", 5, NAIVE, MORNING.date()]),
    *wrong("observe", MessageError, "names with values", metadata=[5, "x", [1]]),
    *wrong("observe", MessageError, "the name None is no string", metadata=[{None: "x"}]),
    *wrong("remember", MessageError, "give a text", claim=[None, 5, "", b"x"]),
    *wrong("remember", MessageError, "one of fact, preference", kind=[5, "hunch"]),
    *wrong("remember", ScopeError, A_NAME, category=[5, ""], attribute=[5, ""], source_event=[5, ""]),
    *wrong("remember", MessageError, "give the attribute that has it", value=[5, "x"]),
    *wrong("remember", InputError, "from 0 to 1", importance=[2, "x"], confidence=[-1, True]),
    *wrong("remember", InputError, "entities", entities=[5, "Bob", [5]]),
    *wrong("remember", InputError, AWARE, expires_at=["x", NAIVE], valid_from=[5, NAIVE], valid_to=["x", NAIVE]),
    *wrong("remember", MessageError, "names with values", metadata=[5, "x", [1]]),
    *wrong("remember", MessageError, "one of user_provided, agent", source=[5, "me", None]),
    *wrong("update_user_context", MessageError, "names with values", scaffold_updates=[5, "x", [1]]),
    *wrong("update_user_context", InputError, "persistent_info_additions", persistent_info_additions=[5, "x", [5]]),
    *wrong("update_user_context", ScopeError, A_NAME, surface=[5, ""]),
    *wrong("update_user_context", MessageError, "one of user_provided, agent", source=[5, "me", None]),
    *asked_wrongly("recall"),
    *wrong("recall", InputError, "{name} is .*; give True or False", shared=["no", 1]),
    *wrong("recall", InputError, "an arm is 'magic'; give one of", arms=[["magic"]]),
    *wrong("recall", InputError, "arms is .*; give a list", arms=["keyword", 5]),
    *asked_wrongly("why"),
    *wrong("why", ScopeError, A_NAME, item=[5, "", []]),
    *wrong("why", NotFoundError, "recall gives the ids", item=["nobody"]),
    *wrong("evaluate", FormatError, "give a list of questions", questions=[None, 5, "x", [], {}]),
    *wrong("evaluate", FormatError, "questions, .*an object is needed", questions=[[5], ["x"]]),
    *wrong("evaluate", FormatError, "there is no field '(5|limit)'", questions=[[{5: 1}], [{"limit": 1}]]),
    *wrong("evaluate", NotFoundError, "questions, .*answer 1: no memory", questions=[[{**ASKED, "answers": ["x"]}]]),
    *wrong("evaluate", InputError, "give a list of .*Configuration", configurations=[None, 5, ["x"], "x"]),
    *wrong("evaluate", InputError, "{name} is .*; give True or False", ablate=["no", 1, None]),
    *wrong("evaluate", InputError, ONE, budget=["x", 0, None, 1.5]),
    *wrong("evaluate", InputError, NONE, seed=["x", -1, None]),
    *wrong("evaluate", InputError, "{name} is 5; give a function", progress=[5]),
    *wrong("context", InputError, "{name} is .*; give True or False", archived=["no", 1]),
    *wrong("context", MessageError, "give a text", query=[None, 5]),
    *wrong("context", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("context", InputError, ONE, budget=["4000", True, 0, -1, 1.5]),
    *wrong("context", InputError, '{name} is .*; give tokens by section: {"mem', budgets=[5, "x", [("memories", 5)]]),
    *wrong("context", InputError, "a section in budgets is .*; give one of .*mem", budgets=[{"memory": 5}, {5: 5}]),
    *wrong("context", InputError, r"budgets\['memories'\] is .*least 0", budgets=[{"memories": -1}, {"memories": ""}]),
    *wrong("context", InputError, "{name} is .*; give one of memory, host", layout=["other", 5, None, ["memory"]]),
    *wrong("context", InputError, "{name} is .*; give content by section", brings=[5, "x", ["identity"]]),
    *wrong("context", InputError, "a section in brings is .*; give one of .*mem", brings=[{"identify": "x"}, {5: "x"}]),
    *wrong(
        "context", InputError, "history is .*; give a text, a list of texts, a list of messages",
        brings=[{"history": 5}, {"history": [5]}, {"history": ["a", {"content": "b"}]}],
    ),
    *wrong("context", InputError, r'history, \$\[0\]: there is no "role"', brings=[{"history": [{"text": "b"}]}]),
    *wrong("context", InputError, AWARE, now=[0, 5, NAIVE]),
    *wrong("context", InputError, "{name} is .*; give (?:a list|one of)", techniques=["steps", 5, [5], ["magic"]]),
    *wrong("context", InputError, "{name} is .*; give seconds", deadline=[0, "1", True]),
    *wrong("profile", InputError, AWARE, now=[5, NAIVE]),
    *wrong("state", InputError, AWARE, now=[5, NAIVE]),
    *wrong("rank", InputError, AWARE, now=[5, NAIVE]),
    *wrong("rank", InputError, "items is .*; give a list of items", items=["x", 5, None]),
    *wrong("rank", InputError, "guidance is .*; give a text", guidance=[5, b"x"]),
    *wrong("rank", InputError, ONE, limit=[0, "5", True]),
    *wrong("render", InputError, AWARE, now=[5, NAIVE]),
    *wrong("render", InputError, "template is .*; give a text", template=[None, 5, "", b"x"]),
    *wrong("render", MessageError, "variables is .*; give names with values", variables=[5, "x", [1]]),
    *wrong("records", InputError, "text is .*; give words", text=[5, "", "?", b"x"]),
    *wrong("records", InputError, "a kind is 'facts'; give one of turn, fact, ", kinds=[["facts"]]),
    *wrong("records", InputError, "a status is 'old'; give one of candidate, ", statuses=[["old"], ["old", "expired"]]),
    *wrong("records", InputError, "a source is 'me'; give one of user_provided, ", sources=[["me"]]),
    *(case for name in ("kinds", "statuses", "sources", "categories", "attributes", "entities") for case in
      wrong("records", InputError, A_LIST, **{name: [5, [5]]})),
    *wrong("records", ScopeError, A_NAME, surface=[5, "", []], connection=[5, "", []]),
    *wrong("records", InputError, "{name} is .*; give names with values", metadata=[5, ["page"], "page"]),
    *wrong("records", InputError, "{name} (is|has) .*; give an aware", since=["2024", NAIVE], until=["2024", NAIVE]),
    *wrong("records", InputError, "{name} is .*; give one of newest, oldest", order=["best", None, 5]),
    *wrong("records", InputError, "{name} is .*; give one that was returned", cursor=[5, "", [], "7", "a~b"]),
    *wrong("records", NotFoundError, "of another question or scope", cursor=["1~r~00000000"]),
    *wrong("records", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *(case for verb in ("record", "correct", "end") for case in (
      *wrong(verb, NotFoundError, "gives the ids of those there are", record=["nobody"]),
      *wrong(verb, ScopeError, A_NAME, record=[None, 5, "", []]))),
    *wrong("correct", MessageError, "give a text", text=[None, 5, "", b"x"]),
    *wrong("end", InputError, AWARE, at=["2024", 5, NAIVE]),
    *wrong("end", MessageError, "give a text", because=[5, "", b"x"]),
    *wrong("history", ScopeError, A_NAME, record=[None, 5, "", []]),
    *wrong("audit", ScopeError, A_NAME, operation=[5, ""], conversation=[5, ""]),
    *wrong("audit", InputError, f"{ONE} and at most 1,000", limit=["10", True, 0, 1_001, None]),
    *wrong("audit", InputError, "{name} (is|has) .*; give", since=["now", NAIVE]),
    *wrong("changes", InputError, "{name} is .*; give one that was returned", cursor=[5, "", [], "7", "0.0-0"]),
    *wrong("changes", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *wrong("events", InputError, "True or False", dead=[1, "x", None], waiting=[1, "x", None]),
    *wrong("events", InputError, "True or False", oldest_first=[1, "x", None]),
    *wrong("events", ScopeError, A_NAME, kind=[5, "", []], conversation=[5, "", []], after=[5, "", []]),
    *wrong("events", InputError, AWARE, since=["2024", NAIVE], until=["2024", NAIVE]),
    *wrong("event", NotFoundError, "events gives the ids", event=["nobody"]),
    *wrong("event", ScopeError, A_NAME, event=[None, 5, "", []]),
    *wrong("contexts", ScopeError, A_NAME, conversation=[5, "", []], after=[5, "", []]),
    *wrong("contexts", InputError, AWARE, since=["2024", NAIVE], until=["2024", NAIVE]),
    *wrong("contexts", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *wrong("context_of", NotFoundError, "contexts gives the ids", request=["nobody"]),
    *wrong("context_of", ScopeError, A_NAME, request=[None, 5, "", []]),
    *wrong("conversations.list", InputError, "True or False", archived=[1, "x", None]),
    *wrong("conversations.list", ScopeError, A_NAME, channel=[5, "", []], after=[5, "", []]),
    *wrong("conversations.list", InputError, AWARE, since=["2024", NAIVE]),
    *wrong("conversations.list", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *(case for verb in ("get", "turns", "rename", "archive", "unarchive") for case in (
      *wrong(f"conversations.{verb}", NotFoundError, "conversations.list gives the ids", conversation=["nobody"]),
      *wrong(f"conversations.{verb}", ScopeError, A_NAME, conversation=[None, 5, "", []]))),
    *wrong("conversations.turns", InputError, f"{ONE} and at most 1,000", limit=["x", 0, None], last=["x", 0, 1_001]),
    *wrong("conversations.turns", InputError, "{name} is .*; give seconds, more", hours=[0, -1, True, "1"]),
    *wrong("conversations.turns", ScopeError, A_NAME, after=[5, "", []]),
    *wrong("conversations.rename", MessageError, "give a text", title=[None, 5, "", b"x"]),
    *wrong("conversations.rename", InputError, "title is .*; give at most 200 characters", title=["x" * 201]),
    *wrong("events", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *wrong("retry", ScopeError, A_NAME, events=[[""]]),
    *wrong("retry", InputError, "events is .*; give", events=["x", 5, [5]]),
    *wrong("history", NotFoundError, "recall gives the ids", record=["nobody"]),
    *wrong("forget", ScopeError, A_NAME, record=[5, ""], source=[5, ""], conversation=[5, ""]),
    *wrong("forget", InputError, "everything is .*; give True", everything=["no", 1, None, 5]),
    *wrong("forget", InputError, "exactly one of record=", everything=[False]),
    *wrong("forget", InputError, "value is .*; give words with", value=[5, "", "?", "x"]),
    *wrong("forget", InputError, "{name} is .*; give True", for_good=["no", 1, None, 5], dry_run=["no", 1, None, 5]),
    *wrong("import_conversations", MessageError, r"formats\.read", conversations=[None, 5, "chats.json", {}, [1]]),
    *wrong("import_conversations", MessageError, r"formats\.read", conversations=[["x"], HELLO, [HELLO], HELLO[0]]),
    *wrong("import_conversations", ScopeError, "conversation is needed", conversations=[[TALK]]),
    *wrong("import_conversations", InputError, "{name} is 5; give a function", progress=[5]),
    *wrong("restore", FormatError, "give a file, or the lines", source=[None, 5, b"x", {}]),
    *wrong("restore", FormatError, "says its format|an object is needed|it is empty", source=[[5], ["{}"], []]),
    *wrong("restore", NotFoundError, "name the file", source=["nowhere.jsonl", ""]),
    *wrong("restore", InputError, "{name} is 5; give a function", progress=[5]),
    *wrong("goals.add", MessageError, "give a text", text=[None, 5, "", b"x"]),
    *wrong("goals.add", InputError, f"{ONE} and at most 5", priority=[0, 6, "1", True, None]),
    *wrong("goals.add", InputError, AWARE, deadline=["tomorrow", 5, NAIVE]),
    *wrong("goals.add", NotFoundError, "goals.find gives the ids", parent=["nobody"]),
    *wrong("goals.add", ScopeError, A_NAME, parent=[5, ""]),
    *wrong("goals.add", InputError, "give a list", blockers=["x", 5, [5], None], recall_when=["x", 5, [5], None]),
    *wrong("goals.add", InputError, "{name} is .*; give True or False", inferred=["no", 1, None]),
    *wrong("goals.update", InputError, f"{ONE} and at most 5", priority=[0, 6, "1", True]),
    *wrong("goals.update", MessageError, "give a text", text=[5, "", b"x"]),
    *wrong("goals.update", InputError, AWARE, deadline=["tomorrow", 5, NAIVE]),
    *wrong("goals.update", InputError, "give a list", recall_when=["x", 5, [5]]),
    *wrong("goals.find", InputError, "give a list|give one of active", states=["active", 5, [5], ["done"], None]),
    *wrong("goals.find", ScopeError, A_NAME, parent=[5, ""]),
    *wrong("goals.due", MessageError, "give a text", request=[None, 5, "", b"x"]),
    *wrong("goals.block", InputError, "give a list", by=["x", 5, [5], None]),
    *wrong("goals.complete", InputError, "give a list", evidence=["x", 5, [5], None]),
    *wrong("goals.complete", InputError, "status is .*; give one of completed, failed", status=["done", 5, None]),
    *wrong("goals.complete", InputError, "{name} is .*; give True or False", leave_open=["no", 1, None]),
    *wrong("goals.complete", MessageError, "give a text", result=[5, "", b"x"]),
    *(case for verb in ("block", "abandon", "reject") for case in
      wrong(f"goals.{verb}", MessageError, "give a text", reason=[5, "", b"x"])),
    *(case for verb in ("get", "update", "block", "resume", "complete", "abandon", "reject") for case in (
      *wrong(f"goals.{verb}", NotFoundError, "goals.find gives the ids", goal=["nobody"]),
      *wrong(f"goals.{verb}", ScopeError, A_NAME, goal=[None, 5, "", []]))),
    *(case for verb in ("get", "read", "write", "merge", "share", "history", "statistics", "expire") for case in
      wrong(f"pools.{verb}", ScopeError, A_NAME, pool=[None, 5, "", []])),
    *(case for verb in ("get", "read", "write", "merge", "history", "statistics", "expire") for case in
      wrong(f"pools.{verb}", NotFoundError, "find gives the ids", pool=["nobody"])),
    *(case for face in ("pools", "collections") for case in (
      *wrong(f"{face}.create", ScopeError, A_NAME, name=[None, 5, "", []]),
      *wrong(f"{face}.create", InputError, "{name} is .*; give one of", kind=["x", 5, [], None], reach=["x", 5, []]),
      *wrong(f"{face}.create", InputError, "give a list", sources=["x", 5, [5], None]),
      *wrong(f"{face}.create", NotFoundError, "find gives the ids", sources=[["nobody"]]),
      *wrong(f"{face}.create", InputError, AWARE, expires=["tomorrow", 5, NAIVE]),
      *wrong(f"{face}.find", InputError, "{name} is .*; give one of", kind=["x", 5, []]),
      *granted_wrongly(face))),
    *wrong("pools.create", MessageError, "names with values", data=[5, "x", [1]]),
    *wrong("pools.create", MessageError, "Write it as a string", data=[{"a": {1}}]),
    *wrong("pools.blackboard", ScopeError, A_NAME, run=[None, 5, "", []]),
    *wrong("pools.find", ScopeError, A_NAME, task=[5, "", []]),
    *wrong("pools.read", InputError, ONE, version=["x", 0, True]),
    *(case for verb in ("read", "write", "share") for case in (
      *wrong(f"pools.{verb}", ScopeError, A_NAME, path=[5, "", []]),
      *wrong(f"pools.{verb}", InputError, "one point between them", path=["a..b", ".", "a."]))),
    *(case for verb in ("write", "merge", "share") for case in
      wrong(f"pools.{verb}", InputError, ONE, expect=["x", 0, True])),
    *wrong("pools.write", MessageError, "Write it as a string", value=[{1}, b"x", [object()]]),
    *wrong("pools.merge", MessageError, "names with values", data=[5, "x", [1], None]),
    *(case for verb in ("pools.share", "collections.share", "pools.unshare", "collections.unshare") for case in (
      *wrong(verb, ScopeError, A_NAME, record=[None, 5, "", []]),
      *wrong(verb, NotFoundError, "recall gives the ids|No copy of a record", record=["nobody"]))),
    *wrong("pools.expire", InputError, AWARE, at=["tomorrow", 5, NAIVE]),
    *(case for verb in ("get", "archive", "unarchive", "add", "share", "edit", "boost", "reduce", "remove", "entries",
                        "search", "history", "snapshot", "snapshots", "restore") for case in
      wrong(f"collections.{verb}", ScopeError, A_NAME, collection=[None, 5, "", []])),
    *(case for verb in ("edit", "boost", "reduce", "remove", "history") for case in
      wrong(f"collections.{verb}", ScopeError, A_NAME, entry=[None, 5, "", []])),
    *(case for verb in ("add", "edit") for case in
      wrong(f"collections.{verb}", MessageError, "give a text", text=[None, 5, "", b"x"])),
    *(case for verb in ("boost", "reduce") for case in
      wrong(f"collections.{verb}", InputError, "a number from 0 to 1", by=["x", -1, 2, None, True])),
    *wrong("collections.find", InputError, "{name} is .*; give True or False", archived=["no", 1, None]),
    *wrong("collections.add", InputError, "a number from 0 to 1", importance=["x", -1, 2, None, True]),
    *wrong("collections.add", InputError, "{name} is .*; give one of fact", kind=["facts", 5, None]),
    *wrong("collections.copy", ScopeError, A_NAME, agent=[None, 5, "", []]),
    *wrong("collections.copy", InputError, "give a list", records=["x", 5, [5]]),
    *wrong("collections.edit", InputError, ONE, expect=["x", 0, True]),
    *wrong("collections.entries", InputError, "give a list|a kind is", kinds=["fact", 5, [5], ["facts"], None]),
    *wrong("collections.entries", InputError, ONE, limit=["10", True, 0, None]),
    *wrong("collections.search", MessageError, "give a text", query=[None, 5, "", b"x"]),
    *wrong("collections.search", InputError, f"{ONE} and at most 1,000", limit=["10", True, 0, 1_001, None]),
    *wrong("collections.snapshot", ScopeError, A_NAME, name=[None, 5, "", []]),
    *wrong("collections.restore", ScopeError, A_NAME, snapshot=[None, 5, "", []]),
    *wrong("tools.record", ScopeError, A_NAME, tool=[None, 5, ""], task_type=[5, ""], connection=[5, ""]),
    *wrong("tools.record", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("tools.record", MessageError, "a JSON value is needed", input=[{1}, b"x"], output=[{1}, [object]]),
    *wrong("tools.record", InputError, "{name} is .*; give True or False", success=["no", 1, None]),
    *wrong("tools.record", InputError, "seconds, from 0 to 3,600", latency=["1", -1, True, float("inf"), float("nan")]),
    *wrong("tools.record", ScopeError, A_NAME, turn=[5, ""]),
    *wrong("tools.record", MessageError, "give a text", why=[5, "", b"x"]),
    *wrong("tools.record", InputError, "give a string, or leave it out", error=[5, b"x"]),
    *wrong("tools.stats", ScopeError, A_NAME, tool=[5, ""], task_type=[5, ""], channel=[5, ""]),
    *wrong("tools.calls", ScopeError, A_NAME, tool=[5, ""]),
    *wrong("tools.calls", InputError, ONE, limit=[0, "5", True, None]),
    *wrong("tools.suggest", MessageError, "give a text", query=[None, 5, "", b"x"]),
    *wrong("tools.suggest", InputError, ONE, limit=[0, "5", True, None]),
    *wrong("strategies.learn", MessageError, "give a text", description=[None, 5, "", b"x"], context_pattern=[5, ""]),
    *wrong("strategies.learn", InputError, "give a list", tools=["x", 5, [5], None]),
    *wrong("strategies.learn", InputError, "{name} is .*; give True or False", success=["no", 1, None]),
    *wrong("strategies.learn", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("strategies.find", MessageError, "give a text", task=[None, 5, "", b"x"]),
    *wrong("strategies.find", InputError, ONE, limit=[0, "5", True, None]),
    *wrong("strategies.reinforce", InputError, "{name} is .*; give True or False", success=["no", 1, None]),
    *(case for verb in ("get", "reinforce") for case in (
      *wrong(f"strategies.{verb}", NotFoundError, "strategies.find gives the ids", strategy=["nobody"]),
      *wrong(f"strategies.{verb}", ScopeError, A_NAME, strategy=[None, 5, "", []]))),
    *(case for verb in ("set", "get", "touch", "refresh", "delete") for case in
      wrong(f"entries.{verb}", ScopeError, A_NAME, key=[None, 5, ""], conversation=[5, ""])),
    *wrong("entries.set", MessageError, "a JSON value is needed", value=[{1}, b"x", object]),
    *wrong("entries.set", InputError, "{name} is .*; give one of task_context", type=["fact", 5, None]),
    *wrong("entries.set", InputError, "give a number from 0 to 1", importance=["x", -0.1, 1.1, True, None]),
    *wrong("entries.set", InputError, "give seconds, more than 0", ttl_seconds=["1", 0, True, None, float("nan")]),
    *wrong("entries.set", ScopeError, A_NAME, connection=[5, ""]),
    *wrong("entries.set", InputError, "give a list", sources=["x", 5, [5], None]),
    *wrong("entries.refresh", InputError, "give seconds, more than 0", ttl_seconds=["1", 0, True, -5]),
    *wrong("entries.find", InputError, "{name} is .*; give one of task_context", type=["fact", 5]),
    *wrong("entries.find", InputError, AWARE, since=["tomorrow", 5, NAIVE], until=["tomorrow", 5, NAIVE]),
    *wrong("entries.find", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("entries.promote", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("entries.log", MessageError, "give a text", text=[None, 5, "", b"x"]),
    *wrong("entries.log", ScopeError, A_NAME, conversation=[5, ""]),
    *wrong("entries.day", InputError, "give a date", on=["today", 5, None, MORNING]),
    *wrong("graph.upsert", ScopeError, A_NAME, name=[None, 5, ""], type=[5, ""], connection=[5, ""]),
    *wrong("graph.upsert", ScopeError, "an alias is needed: give a non-empty", aliases=[[""], ["Bob", " "]]),
    *wrong("graph.upsert", InputError, "{name} is .*; give a list", aliases=["Bob", 5, None], observations=["x", 5]),
    *wrong("graph.upsert", MessageError, "give a text", observations=[[""]]),
    *wrong("graph.upsert", MessageError, "give a text", description=[5, "", b"x"]),
    *wrong("graph.upsert", MessageError, "{name} is .*; give names with values", properties=[5, "x", [1]]),
    *wrong("graph.upsert", MessageError, "Write it as a string", properties=[{"a": {1}}]),
    *wrong("graph.upsert", InputError, "a property is 'a.b'; give a name without dots", properties=[{"a.b": 1}]),
    *wrong("graph.relate", ScopeError, A_NAME, source=[None, 5, ""], target=[None, 5, ""], connection=[5, ""]),
    *wrong("graph.relate", InputError, AWARE, valid_from=["2024", 5, NAIVE], valid_until=["2024", 5, NAIVE]),
    *wrong("graph.relate", InputError, "{name} is .*; give a time after valid_from", valid_until=[MORNING]),
    *wrong("graph.relate", InputError, "{name} is .*; give a number from 0 to 1", confidence=["x", -1, 1.1, True]),
    *wrong("graph.relate", InputError, "{name} is .*; give True or False", replaces=["no", 1, None]),
    *wrong("graph.relate", MessageError, "{name} is .*; give one of user_prov", by=["me", 5, None]),
    *wrong("graph.relate", InputError, "are one entity", target=["Ann", "ann"]),
    *wrong("graph.unrelate", InputError, AWARE, at=["2024", 5, NAIVE]),
    *wrong("graph.unrelate", ScopeError, A_NAME, source=[None, 5, ""], target=[None, 5, ""]),
    *wrong("graph.unrelate", NotFoundError, "has no RELATED_TO to 'Oslo'", connection=["jira"]),
    *(case for verb in ("relate", "unrelate") for case in (
      *wrong(f"graph.{verb}", InputError, "{name} is .*; give RELATED_TO, PART_OF", type=["knows", 5, None, ""]),
      *wrong(f"graph.{verb}", InputError, "graph.merge says", type=["ALIAS_OF"]))),
    *wrong("graph.merge", ScopeError, A_NAME, into=[None, 5, ""], connection=[5, ""]),
    *wrong("graph.merge", NotFoundError, "graph.find gives", into=["nobody"]),
    *(case for verb in ("merge", "entity", "mentions", "neighbourhood") for case in (
      *wrong(f"graph.{verb}", ScopeError, A_NAME, entity=[None, 5, "", []]),
      *wrong(f"graph.{verb}", NotFoundError, "graph.find gives", entity=["nobody"]))),
    *(case for verb in ("mentions", "find", "neighbourhood") for case in
      wrong(f"graph.{verb}", InputError, f"{ONE} and at most 500", limit=["x", 0, 501, True, None])),
    *wrong("graph.find", ScopeError, A_NAME, query=[None, 5, ""]),
    *wrong("graph.neighbourhood", InputError, f"{ONE} and at most 3", depth=["x", 0, 4, True, None]),
    *wrong("graph.path", InputError, f"{ONE} and at most 10", max_hops=["x", 0, 11, True, None]),
    *wrong("graph.path", NotFoundError, "graph.find gives", source=["nobody"], target=["nobody"]),
    *wrong("graph.path", ScopeError, A_NAME, source=[None, 5, ""], target=[None, 5, ""]),
    *(case for verb in ("neighbourhood", "path") for case in (
      *wrong(f"graph.{verb}", InputError, AWARE, as_of=["2024", 5, NAIVE]),
      *wrong(f"graph.{verb}", InputError, "types is .*; give", types=["KNOWS", 5, [5], ["knows"]]))),
    *wrong("channels.promote", NotFoundError, "recall gives the ids", record=["nobody"]),
    *wrong("channels.promote", ScopeError, A_NAME, record=[None, 5, "", []]),
    *wrong("channels.promote", MessageError, "give a text", reason=[5, "", b"x"]),
    *wrong("channels.promote", MessageError, "{name} is .*; give names with values", thresholds=[5, "x", [1]]),
    *wrong("channels.hits", InputError, f"{ONE} and at most 1,000", limit=["x", 0, 1_001, True, None]),
    *(case for verb in ("accept", "reject") for case in (
      *wrong(f"review.{verb}", NotFoundError, "gives the ids of those there are", record=["nobody"]),
      *wrong(f"review.{verb}", ScopeError, A_NAME, record=[None, 5, "", []]))),
    *wrong("outcomes.record", NotFoundError, "gives the ids of both", decision=["nobody"]),
    *wrong("outcomes.record", ScopeError, A_NAME, decision=[None, 5, "", []]),
    *wrong("outcomes.record", MessageError, "give a text", text=[None, 5, "", b"x"]),
    *wrong("outcomes.record", InputError, "{name} is .*; give True or False", success=["no", 1, None]),
    *wrong("outcomes.record", InputError, A_LIST, because=[5, None]),
    *wrong("outcomes.find", ScopeError, A_NAME, decision=[5, "", []]),
    *wrong("outcomes.find", NotFoundError, "gives the ids of both", decision=["nobody"]),
    *(case for verb in ("info", "learn", "remember", "cached", "refresh") for case in (
      *wrong(f"connections.{verb}", ScopeError, A_NAME, connection=[None, 5, ""]),
      *wrong(f"connections.{verb}", NotFoundError, r"name it in connections=\[…\]", connection=["slack"]))),
    *wrong("connections.update", ScopeError, A_NAME, connection=[None, 5, ""]),
    *wrong("connections.update", MessageError, "values", values=[5, "x", {}, {"x": None}]),
    *wrong("connections.update", MessageError, "one of user_provided, agent", source=[5, "me", None]),
    *wrong("connections.learn", MessageError, "give a text", text=[None, 5, "", b"x"]),
    *wrong("connections.learn", ScopeError, A_NAME, category=[5, None]),
    *wrong("connections.learn", MessageError, "one of user_provided, agent", source=[5, [], "me", None]),
    *(case for verb in ("remember", "cached", "refresh") for case in
      wrong(f"connections.{verb}", ScopeError, A_NAME, name=[None, 5, ""])),
    *wrong("connections.remember", InputError, "Write it as a string", value=[{1}, b"x"]),
    *wrong("connections.refresh", InputError, "{name} is .*; give an async function", fetch=[5, "x"]),
    *(case for verb in ("remember", "refresh") for case in (
      *wrong(f"connections.{verb}", InputError, "{name} is .*; give seconds", ttl=["x", 0, -1, True, None]),
      *wrong(f"connections.{verb}", InputError, "{name} is .*; give seconds, .*at most 31,", ttl=[1e12]))),
    *wrong("connections.refresh", InputError, "{name} is .*; give seconds", seconds=["x", 0, -1, True, None]),
    *wrong("graph.upsert", MessageError, "{name} is .*; give one of user_prov", source=["me", 5, None]),
]  # fmt: skip
SCOPED += [
    *wrong("working", ScopeError, A_NAME, conversation=[5, ""], run=[5, ""]),
    *wrong("working.add", MessageError, "list of messages", messages=[None, 5, "hello", HELLO[0]]),
    *wrong("working.add", ScopeError, A_NAME, surface=[5, None], connection=[5, ""]),
    *wrong("working.add", MessageError, "names with values", metadata=[5, "x", [1]]),
    *wrong("working.turns", InputError, ONE, limit=["10", True, 0, 2.5]),
    *(case for verb in ("set", "get", "delete", "exists", "share_with", "shared_by") for case in
      wrong(f"working.{verb}", ScopeError, A_NAME, key=[None, 5, "", []])),
    *wrong("working.set", InputError, "give seconds, more than 0", ttl=[0, -1, "5", True, float("nan"), 1e12]),
    *wrong("working.set", FormatError, "value", value=[{1}, float("nan"), {5: 1}, HashedEmbedder]),
    *wrong("working.get", FormatError, "default", default=[{1}, float("nan")]),
    *wrong("working.note", InputError, "part is .*; give one of task, goal", part=["thoughts", 5, None, []]),
    *wrong("working.note", FormatError, "value", value=[{1}, {5: 1}]),
    *wrong("working.note", ScopeError, A_NAME, name=[None, 5, ""]),
    ("working.note", {"part": "task", "value": 1, "name": "x"}, InputError, "name is 'x'; give none"),
    *wrong("working.push", InputError, "part is .*; give one of thoughts, tool", part=["task", 5, None, []]),
    *wrong("working.push", FormatError, "value", value=[{1}, {5: 1}]),
    ("working.push", {"part": "scratch", "value": 5}, MessageError, "give a text"),
    *wrong("working.ask", FormatError, "question", question=[{1}, {5: 1}]),
    *wrong("working.resolve", ScopeError, A_NAME, question=[None, 5, ""]),
    *wrong("working.resolve", NotFoundError, r"view\(\)\.pending has the ids", question=["nobody"]),
    *wrong("working.share_with", ScopeError, A_NAME, agent=[None, 5, ""]),
    *wrong("working.share_with", NotFoundError, "keys\\(\\) names those", key=["none"]),
    *wrong("working.shared_by", ScopeError, A_NAME, agent=[5, ""]),
    *(case for verb in ("read", "write") for case in (
      *wrong(f"router.{verb}", ScopeError, A_NAME, key=[None, 5, "", []], conversation=[5, ""], pool=[5, "", []]),
      *wrong(f"router.{verb}", InputError, "{name} is 'p'; give none, or stratum='shared'", pool=["p"]),
      *wrong(f"router.{verb}", InputError, "{name} is .*; give one of working, short", stratum=["long", 5, []]))),
    *wrong("router.write", InputError, "{name} is None; give one of working", stratum=[None]),
    *(case for stratum in ("working", "short_term", "long_term", "shared") for case in (
      ("router.write", {**RIGHT["router.write"], "stratum": stratum, "value": it, "conversation": "c"}, *told)
      for it, told in ((None, (InputError, "value is None; give any other JSON")), ({1}, (MessageError, "a JSON")),
                       (b"x", (MessageError, "a JSON value is needed")), (float("nan"), (MessageError, "no NaN"))))),
    ("router.write", {"key": "k", "value": 1, "stratum": "shared"}, ScopeError, "pool is needed"),
    ("router.write", {"key": "k", "value": 1, "stratum": "shared", "pool": "x"}, NotFoundError, "find gives the ids"),
    *wrong("router.write", InputError, "give seconds, more than 0", ttl_seconds=[0, -1, "5", True]),
    *wrong("router.semantic_search", MessageError, "give a text", query=[None, 5, "", b"x"]),
    *wrong("router.semantic_search", InputError, f"{ONE} and at most 1,000", limit=["10", True, 0, 1_001, None]),
    *wrong("router.consolidate", ScopeError, A_NAME, conversation=[None, 5, ""]),
]  # fmt: skip

WHOLE: list[Case] = [
    *wrong("scope", ScopeError, A_NAME, tenant=[None, 5, ""], user=[None, 5, ""], agent=[5, ""], team=[5, ""]),
    *wrong("scope", ScopeError, A_NAME, channel=[None, 5, ""], conversation=[5, ""], task=[5, ""]),
    *wrong("scope", ScopeError, "{name} is True or False", whole=["no", 5, None]),
    *wrong("scope", ScopeError, A_LIST, connections=[5, None, [5]]),
    *wrong("scope", ScopeError, r"{name} is 'jira'; give a list: \['jira'\]", connections=["jira"]),
    *wrong("stats", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("flush_idle", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("consolidate", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("consolidate", InputError, "True or False", dry_run=[1, "x", None]),
    *wrong("cost", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("cost", InputError, "{name} (is|has) .*; give", since=["now", NAIVE], until=["now", NAIVE]),
    *wrong("budget", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("budget", ScopeError, "whose is what a tenant shares", user=[SHARED]),
    *wrong("budget", InputError, "{name} is .*; give an amount", balance=[-1, "5", True], day=[-1, "5"], month=[-1]),
    *wrong("run_job", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("run_job", ScopeError, "whose is what a tenant shares", user=[SHARED]),
    *wrong("run_job", InputError, "name is .*; give one of session_flush, consolidate", name=["dream", None, 5]),
    *wrong("jobs", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("work", InputError, A_LIST, tenants=[5, None, [5]]),
    *wrong("work", InputError, r"{name} is 'acme'; give a list: \['acme'\]", tenants=["acme"]),
    *wrong("work", ScopeError, "tenant is needed", tenants=[[""]]),
    *wrong("work", InputError, "give one of session_flush", jobs=[["dream"]]),
    *wrong("work", InputError, "give seconds, more than 0", every=[0, -1, "5"]),
    *wrong("work", InputError, "give True or False", once=["yes", None], queue=["yes", None]),
    *wrong("rebuild", ScopeError, A_NAME, tenant=[None, 5, ""], user=[None, 5, ""]),
    *wrong("rebuild", InputError, "rules", extractor=[None, 5, "", "rules@9"]),
    *wrong("rebuild", InputError, "True or False", switch=[1, "x", None]),
    *wrong("rebuild", InputError, "a function", progress=[1, "x"]),
    *wrong("rebuild", InputError, "a path", to=[1, []]),
    *wrong("doctor", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("doctor", InputError, "{name} is .*; give True or False", repair=["yes", 1, None]),
    *wrong("keys.create", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""], agent=[5, ""], team=[5, ""]),
    *wrong("keys.create", InputError, "a right is 'root'; give one of read", rights=[["root"]]),
    *wrong("keys.create", InputError, A_LIST, rights=[5, None]),
    *wrong("keys.create", InputError, "name is .*; give a text", name=[5, None, "\x00"]),
    *(case for verb in ("create", "rotate") for case in
      wrong(f"keys.{verb}", InputError, "give seconds, more than 0", seconds=[0, -1, "5", float("nan")])),
    *(case for verb in ("list", "rotate", "revoke") for case in
      wrong(f"keys.{verb}", ScopeError, A_NAME, tenant=[None, 5, ""])),
    *(case for verb in ("rotate", "revoke") for case in wrong(f"keys.{verb}", ScopeError, A_NAME, key=[None, 5, ""])),
    *(case for verb in ("rotate", "revoke") for case in
      wrong(f"keys.{verb}", NotFoundError, "`keys list` gives the ids", key=["nobody"])),
    *wrong("keys.check", InputError, "secret is .*; give a text", secret=[None, 5, b"x"]),
    *wrong("reembed", ScopeError, A_NAME, tenant=[None, 5, ""], user=[5, ""]),
    *wrong("reembed", InputError, "{name} is 5; give a function", progress=[5]),
]  # fmt: skip

OPENED: list[Case] = [
    *wrong("open", InputError, "{name} is .*; give a path, ':memory:'", url=[None, 5, b"x", {}, DictStore]),
    *wrong("open", InputError, "give a path, ':memory:'", url=["", "mysql://x"]),
    *wrong("open", SetupError, "is no embedder: give auto, none, local", embedder=[None, 5, {}, HashedEmbedder]),
    *wrong("open", SetupError, "is no embedder: give auto, none, local", next_embedder=[None, 5]),
    *wrong("open", SetupError, "Choose one of: local", embedder=["best"], next_embedder=["best"]),
    *wrong("open", SetupError, "is no language model: give anthropic:MODEL", language_model=[5, [], HashedEmbedder(8)]),
    *wrong("open", SetupError, "is no reranker: give local, onnx:FOLDER", reranker=[5, {}, HashedEmbedder(8)]),
    *wrong("open", SetupError, "is no model for currency: give auto, none, local", currency=[5, {}, HashedEmbedder(8)]),
    *wrong("open", SetupError, "There is no .* 'best'. Choose one of", language_model=["best"], reranker=["best"]),
    *wrong("open", SetupError, "There is no .* 'best'. Choose one of", currency=["best"]),
    *wrong("open", InputError, "{name} is .*; give one of full, relaxed", durability=[None, 5, [], "fast"]),
    *wrong("open", InputError, "{name} is .*; give 'redis://…', or a cache", cache=[5, [], DictStore()]),
    *wrong("open", InputError, "There is no cache at .*: give one of redis://", cache=["memory", "http://x"]),
    *wrong("open", InputError, "{name} is 5; give a function", clock=[5], ids=[5]),
    *wrong("open", InputError, AWARE, clock=[lambda: NAIVE, lambda: 5]),
    *wrong("open", InputError, r"{name} is .*; give memoranda\.Settings", settings=[{}, 5, Settings]),
]

MADE: list[tuple[type, dict[str, Any], str]] = [
    *((Message, {"role": "user", "content": it}, "content is .*; give a string") for it in (5, None, ["x"])),
    *((Message, {"role": it, "content": "x"}, "role is .*; give a string") for it in (5, None)),
    *((Message, {**HELLO[0], it: 5}, f"{it} is 5; give a string, or leave it out") for it in ("speaker", "id")),
    *((Message, {**HELLO[0], "metadata": it}, "metadata is .*; give names with values") for it in (5, None)),
    (Conversation, {"id": 5, "messages": ()}, "id is 5; give a string"),
    *((Conversation, {"id": "c", "messages": it}, "a tuple of Message") for it in (5, None, "x", HELLO)),
    *((Configuration, {"ask": it}, "ask is .*arguments of recall") for it in (5, None, ["profile"])),
    (Configuration, {"ask": {"limit": 5}}, "an argument in ask is 'limit'; give one of kinds"),
    (Configuration, {"ask": {"kinds": "turn"}}, r"kinds is 'turn'; give a list: \['turn'\]"),
    (Configuration, {"ask": {"profile": "best"}}, "profile is 'best'"),
    *((Settings, {"language": it}, "language is .*one of en, de, es, fr, zh") for it in ("xx", None, 5, [])),
    *((Settings, {"conflict_policy": it}, "one of prefer_new, prefer_old, flag") for it in ("x", None, 5)),
    *((Settings, {"techniques": it}, "techniques is .*; give (?:a list|one of)") for it in ("steps", 5, ["magic"])),
    *((Settings, {"embed_seconds": it}, "seconds, more than 0") for it in (0, -1, "5", None, float("nan"))),
    *((Settings, {"max_characters": it}, "a whole number of at least 1") for it in (0, "5", True, 2.5)),
    *((Settings, {"working": it}, "working is .*; give memoranda.core.strata.working.Limits") for it in (5, None, {})),
    *(
        (Settings, {"gating": it}, r"memoranda\.core\.base\.retry_policy\.Gating\(…\)")
        for it in (4, None, {"calls": 4})
    ),
    *((Settings, {"prices": it}, r"memoranda\.core\.base\.prices\.Price\(") for it in (None, {"openai/gpt": 4})),
    (Settings, {"meter": 5}, "meter is 5; give a function"),
    *((Settings, {"hot_bytes": it}, "a whole number of at least 0") for it in (-1, "5", None)),
]


@pytest.fixture
def store() -> DictStore:
    return DictStore()


@pytest.fixture
async def alice(store: DictStore) -> AsyncScoped:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(**HOME, connections=("jira",))
    await alice.add(says("I live in Oslo."), conversation="c")
    await alice.working("c").set("k", 1)
    return alice


def verb_of(alice: AsyncScoped, verb: str) -> Any:
    """A verb by its name; working memory is that of the conversation c."""
    face, _, name = verb.rpartition(".")
    return getattr(alice.working("c") if face == "working" else attrgetter(face)(alice) if face else alice, name)


@pytest.mark.parametrize(("verb", "options", "error", "words"), SCOPED)
async def test_a_wrong_argument_of_a_scope_is_refused_by_name(
    alice: AsyncScoped, store: DictStore, verb: str, options: dict[str, Any], error: type[MemorandaError], words: str
) -> None:
    before = [await everything(store, owner) for owner in OWNERS]
    with pytest.raises(error, match=words):
        await verb_of(alice, verb)(**options)
    assert [await everything(store, owner) for owner in OWNERS] == before
    assert (await alice.add(says("I live in Rome."))).records
    assert "I live in Rome." in [item.text for item in await alice.recall("Where do I live?")]


@pytest.mark.parametrize(("verb", "options", "error", "words"), WHOLE)
def test_a_wrong_argument_of_a_memory_is_refused_by_name(
    store: DictStore, verb: str, options: dict[str, Any], error: type[MemorandaError], words: str
) -> None:
    with Memory.open(store, embedder="hashed") as memory:
        with pytest.raises(error, match=words):
            attrgetter(verb)(memory)(**options)
        assert memory.stats(tenant="acme")["events"] == 0
        assert memory.scope(**HOME).add(HELLO).records


@pytest.mark.parametrize(("verb", "options", "error", "words"), OPENED)
def test_what_no_memory_can_be_opened_with_is_refused_by_name(
    verb: str,
    options: dict[str, Any],
    error: type[MemorandaError],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        getattr(Memory, verb)(**options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("kind", "options", "words"), MADE)
def test_what_cannot_be_is_not_made(kind: type, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        kind(**options)


#: What is no verb.
BESIDE = {"open": AsyncMemory.open, "scope": AsyncMemory.scope, "working": AsyncScoped.working}


def test_every_argument_of_every_verb_is_given_wrongly() -> None:
    cases = (*SCOPED, *WHOLE, *OPENED)
    given = {
        (verb, name) for verb, options, *_ in cases for name in options if options[name] is not RIGHT[verb].get(name)
    }
    taken = {(name, argument) for name, verb in VERBS.items() for argument in verb.signature.parameters}
    taken |= {(name, argument) for name, method in BESIDE.items() for argument in inspect.signature(method).parameters}
    taken -= {(name, "self") for name in BESIDE}
    assert taken - given == set()


async def test_what_is_nearly_wrong_is_taken(alice: AsyncScoped) -> None:
    await alice.add([Message(role="user", content="I like tea."), *says("I like figs.")])
    options: dict[str, Any] = {"limit": np.int64(1), "kinds": iter(["preference"]), "now": MORNING + timedelta(days=1)}
    assert [item.text for item in await alice.recall("tea", **options)] == ["User likes tea."]
    assert (await alice.import_conversations([])).turns == 0
