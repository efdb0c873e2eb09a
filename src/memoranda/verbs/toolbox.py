"""Verbs as tools of a model: what each is called, what the model may say, what it is shown.

The tools that are offered by default are in one table, `TOOLS`; `tool_of` makes one of any other verb. Names,
descriptions and arguments are those of the verb where the table says nothing else. Whose memory it is, and who says
something, is never an argument: a model would follow whoever tells it to write in another name.
"""

import json
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Generic, Literal, get_args, overload

from memoranda.core.base.checks import require
from memoranda.core.base.plain import plain
from memoranda.errors import ArgumentError, InputError, NotFoundError
from memoranda.verbs.parts import Tree, held, narrowed, shown, tree
from memoranda.verbs.registry import VERBS, Async, Blocking, C, ScopedFace, Verb
from memoranda.verbs.schema import Schema, answer, arguments, decode

#: How the makers of models want tools to be described.
Kind = Literal["openai", "anthropic", "json-schema"]
#: Arguments that are for programs, where they have a default; the second of verbs that search.
_HIDDEN = frozenset({"source", "surface", "at", "key", "metadata", "connection", "now", "as_of", "known_at"})
_HOW = frozenset({"techniques", "deadline", "profile", "arms", "tokens"})
AGENT = "agent"
_USER = "user_provided"


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A verb as a tool.

    Attributes:
        name: what the model calls it; letters, digits, `_` and `-`, at most 64.
        of: the name of the verb.
        takes: the arguments that the model may give.
        shows: the parts of the answer that it is shown, by their paths; all if none are named.
        gives: arguments that the model is not asked for.
        about: what it does; by default what the verb's docstring says.
        connected: whether it makes sense only while a tool connection is active.
        alone: whether it is for an agent that works on its own; a server offers it to no other by default.
    """

    name: str
    of: str
    takes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    gives: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    connected: bool = False
    alone: bool = False

    @property
    def verb(self) -> Any:  # a `Verb`, which mypy would bind to the tool
        """The verb."""
        return VERBS[self.of]

    @cached_property
    def description(self) -> str:
        """What it does, for the model."""
        return self.about or self.verb.summary

    @cached_property
    def schema(self) -> Schema:
        """The schema of what the model may say, as short as can be: what may be null is left out instead."""
        found = arguments(self.verb, leaving=frozenset(self.verb.signature.parameters.keys() - {*self.takes}))
        return {**found, "properties": {name: _short(held(one)) for name, one in found["properties"].items()}}

    @cached_property
    def answer(self) -> Schema:
        """The schema of what the model is shown, an object: what is none stands in it as `result`."""
        found = narrowed(self._whole, self._parts)
        if self._is_object:
            return found
        defined = {"$defs": found["$defs"]} if "$defs" in found else {}
        rest = {name: one for name, one in found.items() if name != "$defs"}
        return {"type": "object", "properties": {"result": rest}, "required": ["result"], **defined}

    def given(self, said: Any, source: str = AGENT) -> dict[str, Any]:
        """Return the arguments of the verb for what the model says, both as JSON.

        Args:
            said: an object; what is null in it was not said.
            source: whose word it is that something is so, see `observe`.

        Raises:
            ArgumentError: it is no object, or names an argument that the tool does not have.
        """
        if not isinstance(said, Mapping):
            raise ArgumentError("The arguments are no object of JSON.", "")
        for name in said:
            if name not in self.takes:
                raise ArgumentError(f"/{name} is unknown; give {' or '.join(self.takes) or 'nothing'}.", f"/{name}")
        return {
            **self.gives,
            **dict.fromkeys(_saying(self.verb), source),
            **{name: one for name, one in said.items() if one is not None},
        }

    def shown(self, found: Any) -> dict[str, Any]:
        """Return what the model is shown of the verb's answer, both as JSON; `answer` describes it."""
        part = shown(found, self._whole, self._parts)
        return part if self._is_object else {"result": part}

    def text(self, part: Mapping[str, Any]) -> str:
        """Return in words what the model is shown: texts as they are, all else as JSON."""
        if part and all(isinstance(one, str) for one in part.values()):
            return "\n\n".join(part.values())
        return json.dumps(part, ensure_ascii=False, separators=(",", ":"))

    @cached_property
    def _parts(self) -> Tree:
        return tree(self.shows)

    @cached_property
    def _whole(self) -> Schema:
        return answer(self.verb)

    @cached_property
    def _is_object(self) -> bool:
        found = self._whole
        return "$ref" in found or (found.get("type") == "object" and bool(self.shows))


_MOST = 2_000  # tokens of what is found; long turns are cut to the part that answers
_ITEM = ("id", "of", "kind", "text", "at", "valid_to", "by")
_CAPTURED = ("events", "decisions.record", "decisions.outcome", "decisions.reason", "forgotten")
#: The tools that are offered by default, by name.
TOOLS: Mapping[str, Tool] = {
    one.name: one
    for one in (
        Tool(
            name="search_memory", of="recall", takes=("query", "limit", "kinds", "since", "until"),
            shows=(*(f"items.{name}" for name in _ITEM), "reason", "degraded"), gives={"tokens": _MOST},
        ),
        Tool(name="get_context", of="context", takes=("query", "budget"), shows=("stable_prefix", "volatile_tail")),
        Tool(
            name="record_observation", of="observe", takes=("content", "category"), shows=_CAPTURED,
            about="Remember a fact, preference, decision or correction that will matter in later conversations.",
        ),
        Tool(
            name="update_user_context", of="update_user_context",
            takes=("scaffold_updates", "persistent_info_additions"), shows=_CAPTURED, alone=True,
            about="Set what is known of the user by name, and add what was learned.",
        ),
        Tool(
            name="update_connection_context", of="connections.update", takes=("connection", "values"),
            shows=_CAPTURED, connected=True,
        ),
        Tool(
            name="forget_memory", of="forget", takes=("record", "source", "conversation", "value"),
            shows=("id", "removed", "remains"),
            about="Remove what the user asks to have forgotten, with all derived from it. Name exactly one target.",
        ),
        Tool(
            name="explain_memory", of="why", takes=("query", "item"),
            shows=(
                "verdict", "place", "recalled.items.id", "recalled.items.text",
                "recalled.items.why", "cut.id", "cut.reason",
            ),
        ),
    )
}  # fmt: skip


def tool_of(verb: Verb[..., Any], leaving: frozenset[str] = frozenset()) -> Tool:
    """Return a verb as a tool under its own name, with all that it answers.

    Args:
        verb: the verb.
        leaving: arguments that the door gives itself, or does not take.
    """
    known = arguments(verb, leaving=leaving)
    hidden = _HIDDEN | (_HOW if "techniques" in known["properties"] else set())
    hidden = hidden if verb.facts.effect != "destroys" else frozenset()  # there they name what is removed
    hidden |= _saying(verb)
    takes = tuple(name for name in known["properties"] if name in known["required"] or name not in hidden)
    return Tool(name=verb.name.replace(".", "_"), of=verb.name, takes=takes)


def _saying(verb: Verb[..., Any]) -> frozenset[str]:
    """The arguments that say whose word something is."""
    return frozenset(name for name, one in verb.signature.parameters.items() if one.default == _USER)


@dataclass(frozen=True, kw_only=True)
class Toolbox(Generic[C]):
    """The tools of a scope, for a loop that calls a model.

        tools = alice.tools_for("anthropic")
        answer = client.messages.create(…, tools=tools.definitions)
        result = tools.call(block.name, block.input)

    A model may be talked into anything, so ask the user before you call one of `destructive`.

    Attributes:
        kind: how they are described.
        scope: whose memory it is.
        source: whose word it counts as when the model records something; see `observe`.
    """

    kind: Kind
    scope: ScopedFace[C]
    source: str = AGENT
    tools: Mapping[str, Tool] = field(init=False)

    def __post_init__(self) -> None:
        require(self.kind in get_args(Kind), "kind", self.kind, "openai, anthropic or json-schema")
        VERBS["observe"].constraints["source"].check("source", self.source)
        active = self.scope.scope.connections
        found = {name: one for name, one in TOOLS.items() if active or not one.connected}
        object.__setattr__(self, "tools", found)

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """The tools, as the API of the model takes them."""
        return [_defined(self.kind, one) for one in self.tools.values()]

    @property
    def destructive(self) -> frozenset[str]:
        """The names of those that remove something for good."""
        return frozenset(name for name, one in self.tools.items() if one.verb.facts.effect == "destroys")

    @overload
    def call(self: "Toolbox[Async]", name: str, arguments: Any) -> Coroutine[Any, Any, str]: ...
    @overload
    def call(self: "Toolbox[Blocking]", name: str, arguments: Any) -> str: ...
    def call(self: Any, name: str, arguments: Any) -> Any:
        """Call a tool, and return what to tell the model; of a call that is wrong, what is wrong with it.

        Args:
            name: of the tool.
            arguments: an object, or the text of one in JSON.

        Raises:
            MemorandaError: it failed, by no fault of the model's.
        """
        return self.scope._colour.run(partial(self._called, name, arguments))  # noqa: SLF001 - one thing in two classes

    async def _called(self, name: str, said: Any) -> str:
        try:
            tool = self.tools.get(name)
            if tool is None:
                raise NotFoundError(f"There is no tool {name!r}; there are {', '.join(self.tools)}.")
            given = decode(tool.verb, tool.given(_read(said), self.source))
            return tool.text(tool.shown(plain(await self._run(tool.verb, given))))
        except InputError as error:
            return f"Error: {error}"

    async def _run(self, verb: Verb[..., Any], given: dict[str, Any]) -> Any:
        within = verb.name.rpartition(".")[0]
        face = getattr(self.scope, within) if within else self.scope
        fitting = verb.given(face, (), given)
        if isinstance(fitting, TypeError):
            raise ArgumentError(str(fitting), "")
        return await face._carry_out(verb, fitting)  # noqa: SLF001 - the same


def _short(schema: Schema) -> Schema:
    """A schema without the form of texts, which no model keeps to by it, and which is checked all the same."""
    return {name: one for name, one in schema.items() if name not in {"minLength", "maxLength", "pattern"}}


def _read(said: Any) -> Any:
    if not isinstance(said, str):
        return said
    try:
        return json.loads(said or "{}")
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"The arguments are not JSON: {error}.", "") from error


def _defined(kind: Kind, tool: Tool) -> dict[str, Any]:
    about = {"name": tool.name, "description": tool.description}
    match kind:
        case "openai":
            return {"type": "function", "function": {**about, "parameters": tool.schema}}
        case "anthropic":
            return {**about, "input_schema": tool.schema}
        case "json-schema":
            return {**about, "parameters": tool.schema}
