"""What a model is offered: tools, most of them made of verbs, and the profiles that they come in."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.doors.wire.limits import Gate
from memoranda.errors import ArgumentError, ScopeError
from memoranda.memory import AsyncMemory
from memoranda.verbs.registry import Effect, Verb
from memoranda.verbs.schema import Schema
from memoranda.verbs.toolbox import AGENT, Tool
from memoranda.verbs.working import Working

_CONVERSATION: Schema = {"type": "string", "description": "the conversation whose working memory it is."}


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Who uses the memory, and from where: what a key or a command line says, and no argument of a tool ever does.

    Attributes:
        place: what is said of the place, see `doors.wire.callers.PLACE`.
        source: whose word it is when the model records something, see `observe`.
        gate: says how much may be kept of the user.
    """

    memory: AsyncMemory
    caller: Caller
    gate: Gate
    place: Mapping[str, Any] = field(default_factory=dict)
    source: str = AGENT

    async def answer(self, verb: Verb[..., Any], data: Mapping[str, Any], conversation: str | None = None) -> Any:
        """Call a verb with JSON, and return its answer as JSON.

        Raises:
            MemorandaError: as the verb does; or the caller may not call it.
            Problem: as much is kept of the user as may be.
        """
        if self.caller.user is None:
            raise ScopeError("Your key is for no single user: have one made with `memoranda keys create --user USER`.")
        called = Call(
            verb=verb, caller=self.caller, user=self.caller.user, place=self.place, data=dict(data),
            conversation=conversation,
        )  # fmt: skip
        await self.gate.afforded(called, self.memory)
        return await called.answer(self.memory)


#: What a tool comes to: what is shown of it as JSON, if anything, and in words.
Shown = tuple[dict[str, Any] | None, str]


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A tool as it is offered.

    Attributes:
        schema: of its arguments; `answer`: of what it shows, if that is no plain text.
        effect, repeats: see `verbs.registry.Facts`.
        right: what a key must allow for it.
        call: what it does for whom with which arguments.
    """

    name: str
    description: str
    schema: Schema
    answer: Schema | None
    effect: Effect
    repeats: bool
    right: str
    call: Callable[[Seat, dict[str, Any]], Awaitable[Shown]]


def offer_of(tool: Tool) -> Offer:
    """Return the offer of a tool that is made of a verb."""
    facts, placed = tool.verb.facts, issubclass(tool.verb.face, Working)
    schema = _placed(tool.schema) if placed else tool.schema
    return Offer(
        name=tool.name, description=tool.description, schema=schema, answer=tool.answer, effect=facts.effect,
        repeats=facts.repeats, right=tool.verb.right, call=partial(_called, tool, placed),
    )  # fmt: skip


def _placed(schema: Schema) -> Schema:
    """The schema of a verb of working memory: the one thing of a place that an argument says is the conversation."""
    properties = {"conversation": _CONVERSATION, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["conversation", *schema["required"]]}


async def _called(tool: Tool, placed: bool, seat: Seat, said: dict[str, Any]) -> Shown:
    conversation = said.pop("conversation", None) if placed else None
    if placed and not isinstance(conversation, str):
        raise ArgumentError("/conversation is missing; give a text.", "/conversation")
    part = tool.shown(await seat.answer(tool.verb, tool.given(said, seat.source), conversation))
    return part, tool.text(part)
