"""Labelled questions for evaluation: a pure reader of their files (see docs/EVALUATION.md)."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoranda.core.base.checks import brief, check_choice
from memoranda.core.formats.document import Node, items, sound
from memoranda.core.formats.values import time
from memoranda.core.text.terms import normalise
from memoranda.errors import NotFoundError

FIELDS = ("query", "answers", "category", "now", "scope")
NARROWING = ("agent", "team", "channel", "connections", "conversation", "task")
KNOWN_BY = ("id", "text", "regex")
_ADVICE = 'Give labelled questions (JSON or JSONL): {"query": …, "answers": […]}.'


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A memory as labels see it.

    Attributes:
        text: the statement, or what was said; `form`: its normal form.
        rests_on: ids of its source events, or its own if it has none. A memory with a source event in common with a
            labelled one satisfies the label: a turn and the records read from it say the same.
    """

    id: str
    text: str
    form: str
    rests_on: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a label names a memory: by its id, words in it, or a regular expression found in it."""

    by: str
    words: str

    def choose(self, memories: Iterable[Known]) -> frozenset[str]:
        """Return the source events of the matching memories; case and spacing of words do not count."""
        if self.by == "id":
            found = [memory for memory in memories if memory.id == self.words]
        elif self.by == "text":
            form = normalise(self.words)
            found = [memory for memory in memories if form in memory.form]
        else:
            pattern = re.compile(self.words, re.IGNORECASE)
            found = [memory for memory in memories if pattern.search(memory.text)]
        return frozenset().union(*(memory.rests_on for memory in found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A labelled question.

    Attributes:
        answers: what must be found, each as alternatives of which any will do; empty if memory cannot know.
        now: the time of asking; None for the present.
        scope: names that narrow the scope.
        where: the place in the file.
    """

    query: str
    answers: tuple[tuple[Wanted, ...], ...]
    category: str = ""
    now: datetime | None = None
    scope: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""

    def __post_init__(self) -> None:
        for name in self.scope:
            check_choice("a name in a question's scope", name, NARROWING)

    def labels(self, memories: Iterable[Known]) -> tuple[frozenset[str], ...]:
        """Return the events of each answer.

        Raises:
            NotFoundError: no memory matches an answer.
        """
        known = list(memories)
        found = []
        for number, alternatives in enumerate(self.answers):
            events = frozenset[str]().union(*(wanted.choose(known) for wanted in alternatives))
            if not events:
                told = " or ".join(f"{wanted.by} {brief(wanted.words)}" for wanted in alternatives)
                raise NotFoundError(f"{self.where}, answer {number + 1}: no memory in this scope has the {told}.")
            found.append(events)
        return tuple(found)


def read(data: bytes, name: str) -> tuple[Question, ...]:
    """Return the questions in a file, JSON lines or one array.

    Raises:
        FormatError: the file is invalid; the message says where, and what to do.
    """
    return tuple(question(sound(node)) for node in items(data, name, _ADVICE))


def question(node: Node) -> Question:
    """Read one question. An unknown field is refused, so that a typing error does not go unnoticed."""
    if unknown := sorted(map(str, node.object().keys() - set(FIELDS))):
        raise node.fault(f"there is no field {brief(unknown[0])}; a question has {', '.join(FIELDS)}.")
    answers, category, now, scope = (node.get(name) for name in FIELDS[1:])
    if answers is None:
        raise node.fault('there is no "answers"; give an empty array if memory cannot know.')
    return Question(
        query=_words(node.need("query")),
        answers=tuple(_alternatives(answer) for answer in answers.elements()),
        category=category.string() if category else "",
        now=time(now)[0] if now else None,
        scope=_narrowing(scope) if scope else {},
        where=node.where,
    )


def _alternatives(node: Node) -> tuple[Wanted, ...]:
    found = tuple(_wanted(one) for one in (node.elements() if isinstance(node.value, list) else [node]))
    if not found:
        raise node.fault("there is nothing to look for; give words of the memory that answers.")
    return found


def _wanted(node: Node) -> Wanted:
    if isinstance(node.value, str):
        return Wanted(by="text", words=_words(node))
    given = list(node.object())
    if len(given) != 1 or given[0] not in KNOWN_BY:
        raise node.fault(
            f"found {node.shape}. Give words of the memory, or an object with one of {', '.join(KNOWN_BY)}."
        )
    by = str(given[0])
    wanted = Wanted(by=by, words=_words(node.need(by), normalise if by == "text" else str.strip))
    if by == "regex":
        try:
            re.compile(wanted.words)
        except re.error as error:
            raise node.fault(f"{brief(wanted.words)} is no regular expression: {error}.") from error
    return wanted


def _words(node: Node, form: Callable[[str], str] = normalise) -> str:
    text = node.string().strip()
    if not form(text):
        raise node.fault(f"there are no words in {brief(text)}.")
    return text


def _narrowing(node: Node) -> dict[str, Any]:
    if unknown := sorted(map(str, node.object().keys() - set(NARROWING))):
        raise node.fault(
            f"{brief(unknown[0])} does not narrow a scope; {', '.join(NARROWING)} do. Evaluate users one by one."
        )
    return {
        name: tuple(one.string() for one in value.elements()) if name == "connections" else value.string()
        for name, value in node.entries()
    }
