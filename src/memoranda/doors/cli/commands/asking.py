"""The commands that ask: recall, context, why, and what lies around an entity."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Annotated, Any

import typer

from memoranda.core.base.checks import brief, check_choice, check_seconds
from memoranda.core.base.plain import plain
from memoranda.core.context.layouts import LAYOUTS
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.results import TECHNIQUES
from memoranda.core.recall.scoring import PROFILES
from memoranda.core.rows.statements import TRUST
from memoranda.core.strata.filters import ASKED_KINDS
from memoranda.core.strata.graph import DEEPEST
from memoranda.doors.cli import explaining, options, times, views
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.files import write_whole
from memoranda.doors.cli.options import choice, parsed, time
from memoranda.errors import InputError
from memoranda.flows.strata.graph import MOST

OF = f"Of {', '.join(ASKED_KINDS)}; with commas, or several times."
SINCE = "Only what was said, or began to hold, from then on."
SURE = "The confidence from which a memory answers, 0 to 1."
WHERE = "Only what was noted so: NAME=VALUE, the value as JSON or a word; may be given several times."
UNTIL = "Only what was said, or began to hold, up to then."
TECHNIQUE = "What else to try; may be given several times."
Now = Annotated[datetime | None, time(times.beginning, "The time of asking; the present by default.")]


def kinds_in(text: str) -> list[str]:
    """Parse kinds separated by commas."""
    kinds = [kind.strip() for kind in text.split(",")]
    for kind in kinds:
        check_choice("a kind", kind, ASKED_KINDS)
    return kinds


def seconds(text: str) -> float:
    """Parse a duration in seconds."""
    with suppress(ValueError):
        check_seconds("it", given := float(text))
        return given
    raise InputError(f"{brief(text)} is no length of time: give seconds, more than 0.")


def noted(text: str) -> tuple[str, Any]:
    """Parse NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise InputError(f"{brief(text)} is not NAME=VALUE.")
    with suppress(ValueError):
        return name, json.loads(value)
    return name, value


def together(given: list[tuple[str, Any]] | None) -> dict[str, list[Any]] | None:
    """Collect the values of each name, any of which fits."""
    found: dict[str, list[Any]] = {}
    for name, value in given or ():
        found.setdefault(name, []).append(value)
    return found or None


def joined(given: list[list[str]] | None) -> list[str] | None:
    """Flatten the values of an option that takes several and may be repeated."""
    return list(chain.from_iterable(given)) if given else None


@dataclass(frozen=True, kw_only=True)
class Narrowed:
    """The options that narrow a question."""

    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 10
    cut: Annotated[
        bool | None, typer.Option("--cut/--ranking", help="End after what answers, or show the ranking.")
    ] = None
    min_confidence: Annotated[float | None, typer.Option(min=0, max=1, help=SURE)] = None
    tokens: Annotated[int | None, typer.Option(min=1, help="At most this many tokens of text.")] = None
    kinds: Annotated[list[Any] | None, parsed(kinds_in, "KINDS", OF, callback=joined)] = None
    categories: Annotated[list[str] | None, typer.Option("--category", help="Only of this category; repeatable.")] = (
        None
    )
    sources: Annotated[list[str] | None, choice(TRUST, "Only what came from there; repeatable.", "--source")] = None
    surface: Annotated[str | None, typer.Option(help="Only what was captured there.")] = None
    connection: Annotated[str | None, typer.Option(help="Only what belongs to this tool connection.")] = None
    metadata: Annotated[list[Any] | None, parsed(noted, "NAME=VALUE", WHERE, "--where")] = None
    entities: Annotated[list[str] | None, typer.Option("--entity", help="An entity that is meant; repeatable.")] = None
    since: Annotated[datetime | None, time(times.beginning, SINCE)] = None
    until: Annotated[datetime | None, time(times.ending, UNTIL)] = None
    as_of: options.AsOf = None
    known_at: Annotated[datetime | None, time(times.ending, "What was known at that time.")] = None
    profile: Annotated[str, choice(PROFILES, "What to rank by.")] = "balanced"

    def given(self) -> dict[str, Any]:
        """Return the options, as the verbs take them."""
        return {**vars(self), "metadata": together(self.metadata)}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """The options of a search: the time of asking, techniques, a deadline, and whether it goes into the archive."""

    now: Now = None
    techniques: Annotated[list[str] | None, choice(TECHNIQUES, TECHNIQUE, "--technique")] = None
    deadline: Annotated[float | None, parsed(seconds, "SECONDS", "After which what is slower is cut.")] = None
    archived: Annotated[bool, typer.Option("--archived", help="Also turns of archived conversations.")] = False

    def given(self) -> dict[str, Any]:
        """Return the options that were given."""
        return {name: value for name, value in vars(self).items() if value is not None}


@command("recall", 'memoranda recall "What did I decide?" --since "last month"')
def recall(
    door: Door,
    question: options.Question,
    narrowed: Narrowed,
    asking: Asking,
    arm: Annotated[list[str] | None, options.choice(ARMS, "Only these propose; may be given several times.")] = None,
    common: Annotated[bool, typer.Option("--shared", help="Also what is shared with you.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="With --json: how it came about, in full.")] = False,
) -> Answer:
    """Show the memories relevant to a question, best first, with reasons. Times are ISO or words ("last month")."""
    found = door.scoped.recall(question, **narrowed.given(), **asking.given(), arms=arm, shared=common)
    return Answer(found, document=plain if trace else views.answer)


@command("context")
def context(
    door: Door,
    question: options.Question,
    conversation: options.Conversation = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens in all; by default the layout's.")] = None,
    layout: Annotated[str, options.choice(LAYOUTS, "Which sections it has.")] = "memory",
    *,
    asking: Asking,
) -> object:
    """Assemble the memory part of the prompt for a request, and report the budget used."""
    return door.scoped.context(question, conversation=conversation, budget=budget, layout=layout, **asking.given())


@command("why", 'memoranda why "How should mails look?" ITEM --plot why.png')
def why(
    door: Door,
    question: options.Question,
    narrowed: Narrowed,
    asking: Asking,
    item: Annotated[str | None, typer.Argument(help="The id of one memory, as recall shows it.")] = None,
    plot: options.Plot = None,
) -> Answer:
    """Explain the ranking of the memories for a question, and what was left out; with ITEM, explain that memory."""
    found = door.scoped.why(question, item, **narrowed.given(), **asking.given())
    if plot:
        door.draw(plot, "ranking", found.recalled, question)
    return (
        Answer(found, explaining.explanation, explaining.verdict)
        if item
        else Answer(found, explaining.ranking, explaining.standing)
    )


@command("graph.neighbourhood")
def graph_neighbourhood(
    door: Door,
    entity: Annotated[str, typer.Argument(help="Its name, or its id.")],
    depth: Annotated[int, typer.Option(min=1, max=DEEPEST, help="How many steps.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many entities.")] = 50,
    types: Annotated[list[str] | None, typer.Option(help="Only such relations; may be given several times.")] = None,
    as_of: options.AsOf = None,
    plot: options.Plot = None,
    mermaid: options.Mermaid = None,
) -> object:
    """Show the entities around one, breadth first, and how they are related."""
    found = door.scoped.graph.neighbourhood(entity, depth=depth, limit=limit, types=types, as_of=as_of)
    if plot:
        door.draw(plot, "neighbourhood", found)
    if mermaid:
        write_whole(mermaid, [f"{found.mermaid}\n"])
        door.tell(f"written: {mermaid}")
    return found
