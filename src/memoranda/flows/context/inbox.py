"""Ranking the items of an inbox by what is known of the user. They are no memory: nothing of them is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Between
from memoranda.core.base.scope import Scope, check_identifier
from memoranda.core.beliefs.decay import strength
from memoranda.core.beliefs.profile import held
from memoranda.core.context.inbox import GUIDANCE, Interest, Ranked, Read, ranked
from memoranda.core.image.image import Partition, of_kind
from memoranda.core.recall.question import asks, without
from memoranda.core.rows import Record
from memoranda.core.strata.goals import GOAL, OPEN, SOON, Goal, importance, overdue, set_goals
from memoranda.core.text.fence import stripped
from memoranda.core.text.terms import SENTENCE, storable
from memoranda.core.text.voices import STRANGER
from memoranda.errors import InputError
from memoranda.flows.recall.inspect import believed
from memoranda.flows.runtime.reading import at_one_moment
from memoranda.flows.runtime.runtime import Embedded, Runtime, embed

MOST = 1_000  # items at once
READ, MEANT = 10_000, 2_000  # characters of an item that are read, and of these that are embedded
STATEMENTS = 200  # the strongest statements that are looked at
WISHES = 100  # sentences of guidance
NAMED = 0.6  # how fully an item bears on a statement whose manager, employer or school it names
PRESSES = 0.1  # what a goal that is overdue or due within a week weighs more
_STATED, _BY_IMPORTANCE = 0.3, 0.4  # what a statement weighs, and how much more if it is as important as can be
_LASTING = frozenset({"preference", "plan", "decision"})
_USER = "user"  # a word of most statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Items by what is known of the user; iterating gives them.

    Attributes:
        items: the most important first.
        degraded: parts that were down, each with what happened.
    """

    items: tuple[Ranked, ...] = ()
    degraded: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@at_one_moment
async def rank(
    runtime: Runtime,
    scope: Scope,
    items: Sequence[Mapping[str, Any]],
    *,
    guidance: str | None = None,
    limit: Annotated[int, Between()] | None = None,
    now: datetime | None = None,
) -> Ranking:
    """Rank items of an inbox by the user's goals, by what is known of the user, and by guidance, with reasons.

    Nothing of them is stored, no model writes, and the same items rank alike while the memory is the same.

    Args:
        items: each {"id": …, "text": …}, at most 1,000. Other fields with texts, such as "from" and "subject", are
            read as well; of each item the first 10,000 characters, and their meaning from the first 2,000.
        guidance: what the user wants to see first, or not at all: one wish a sentence or line, at most 100.
        limit: at most so many; by default all.
        now: the time by which it is told what is due and what holds; by default the clock's.

    Raises:
        InputError: an item has no id or no text, two have the same id, or there is too much.
    """
    texts = _texts(items)
    at = runtime.clock() if now is None else now
    wishes = _wishes(guidance)
    embedded = await embed(
        runtime, scope, [*(text[:MEANT] for text in texts.values()), *(wish for _, wish in wishes)] if texts else ()
    )
    partition = await runtime.partitions.current(scope.owner)
    read = [(name, _read(runtime, text, embedded, place)) for place, (name, text) in enumerate(texts.items())]
    interests = [*_goals(runtime, partition, scope, at), *_statements(runtime, partition, scope, at)]
    interests += [
        Interest(
            of="guidance", text=said, read=_read(runtime, wish, embedded, len(texts) + place), weight=GUIDANCE,
            wanted=not asks("unwanted", said),
        )
        for place, (said, wish) in enumerate(wishes)
    ]  # fmt: skip
    return Ranking(items=tuple(ranked(read, interests)[:limit]), degraded=tuple(filter(None, (embedded.problem,))))


def _texts(items: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The texts of items, by id."""
    listed = isinstance(items, Sequence) and not isinstance(items, str | bytes)
    require(listed, "items", items, 'a list of items, each {"id": "…", "text": "…"}')
    require(len(items) <= MOST, "the number of items", len(items), f"at most {MOST:,} at once")
    texts: dict[str, str] = {}
    for place, item in enumerate(items):
        at = f"items[{place}]"
        require(isinstance(item, Mapping), at, item, 'an object, {"id": "…", "text": "…"}')
        name = check_identifier(f"{at}: id", item.get("id"))
        require(isinstance(item.get("text"), str), f"{at}: text", item.get("text"), "a text, which may be empty")
        if name in texts:
            raise InputError(f"{at}: the id {name!r} was given before; give each item an id of its own.")
        parts = (one for key, one in item.items() if key not in {"id", "text"} and isinstance(one, str))
        text = "\n".join((*parts, item["text"]))[:READ]
        texts[name] = stripped(storable(text)[0])
    return texts


def _wishes(guidance: str | None) -> list[tuple[str, str]]:
    """The sentences of guidance, each with that of which it speaks."""
    if guidance is None:
        return []
    require(isinstance(guidance, str), "guidance", guidance, "a text, or leave it out")
    said = [one.strip() for one in SENTENCE.split(storable(guidance)[0]) if one.strip()]
    require(len(said) <= WISHES, "the number of sentences of guidance", len(said), f"at most {WISHES}")
    about = (without("wanted", without("unwanted", one)).strip() for one in said)
    return [(one, wish or one) for one, wish in zip(said, about, strict=True)]


def _read(runtime: Runtime, text: str, embedded: Embedded, place: int) -> Read:
    return Read(terms=frozenset(runtime.analyzer.terms(text)), vector=embedded.of(place))


def _goals(runtime: Runtime, partition: Partition, scope: Scope, at: datetime) -> Iterator[Interest]:
    for goal in set_goals(of_kind(partition, GOAL, scope)):
        if goal.state in OPEN:
            notes = _pressing(goal, at)
            yield Interest(
                of="goal", id=goal.id, text=goal.text, read=_known(partition, goal.id), notes=notes,
                weight=min(importance(goal.priority) + PRESSES * bool(notes), 0.95),
                phrases=tuple(frozenset(runtime.analyzer.terms(phrase)) for phrase in goal.recall_when),
            )  # fmt: skip


def _pressing(goal: Goal, at: datetime) -> str:
    if overdue(goal, at):
        return "overdue"
    return "due within a week" if goal.deadline is not None and goal.deadline - at < SOON else ""


def _statements(runtime: Runtime, partition: Partition, scope: Scope, at: datetime) -> Iterator[Interest]:
    """What holds of the user and the user's people and projects, the strongest first."""
    found = [one for one in held(believed(partition, scope, at), at) if one.trust > STRANGER and _lasts(one)]
    found.sort(key=lambda one: (-strength(one, at), one.valid_from, one.id))
    for record in found[:STATEMENTS]:
        yield Interest(
            of="profile", id=record.id, text=record.text, read=_known(partition, record.id),
            weight=_STATED + _BY_IMPORTANCE * record.importance,
            wanted=record.kind != "preference" or record.polarity >= 0, surely=NAMED,
            phrases=(frozenset(runtime.analyzer.terms(_name(record))),),
        )  # fmt: skip


def _lasts(record: Record) -> bool:
    """Whether a record says what the user wants, plans, is or works on; not what happened once."""
    told = record.kind in _LASTING or record.category == "project"
    return told or (record.attribute or "event").partition(".")[0] != "event"


def _name(record: Record) -> str:
    """The value of a record if it is a name: of the user's manager, employer, school; else nothing."""
    return record.value if record.entities and isinstance(record.value, str) else ""


def _known(partition: Partition, name: str) -> Read:
    """A record as it is indexed."""
    index = partition.index
    number = index.numbers[name]
    terms = frozenset(index.passages[number].terms.split()) - {_USER}
    return Read(terms=terms, vector=index.vectors.one(number))
