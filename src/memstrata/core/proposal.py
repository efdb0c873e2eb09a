"""What a language model proposes to remember, item by item, each with the events it rests on.

Reading judges no item, see `memstrata.core.consolidation`: it says what was meant, refuses what has not the form of an
item or rests on nothing that was observed, and never fails.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memstrata.core.checks import brief
from memstrata.core.fence import stripped
from memstrata.core.language import detect
from memstrata.core.numerals import in_digits
from memstrata.core.rows import Event, Json
from memstrata.core.salvage import salvage
from memstrata.core.scaffold import USER, is_topic, leaves, placed
from memstrata.core.statements import CERTAINTY
from memstrata.core.text import form

#: From a text to its terms, see `memstrata.core.text.Analyzer`.
Terms = Callable[[str], Sequence[str]]

TEMPORAL = ("past", "current", "temporary", "future")
_UNSAID = "implied"  # how certain a claim is that does not say; one that says something else is uncertain
_RESTS_ON = 8  # events of an item whose model names none
_ENDED = 8  # records that one statement ends
_WRAPPED = 3  # objects around an answer

_EVENTS = {"type": "array", "items": {"type": "integer"}}
_TEXT = {"type": "string"}


def _list_of(needed: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    item = {"type": "object", "properties": {**properties, "events": _EVENTS}, "required": list(needed)}
    return {"type": "array", "items": item}


#: JSON schema of an answer. Nothing is required of it, so that small models can keep to it.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "updated_scaffold": {"type": "object"},
        "updated_working_memory": _TEXT,
        "facts_to_embed": _list_of(("claim",), claim=_TEXT),
        "entities": _list_of(("name",), name=_TEXT, type=_TEXT, aliases={"type": "array", "items": _TEXT}),
        "relations": _list_of(("head", "type", "tail"), head=_TEXT, type=_TEXT, tail=_TEXT),
        "facts": _list_of(
            ("claim",), claim=_TEXT, certainty={"type": "string", "enum": list(CERTAINTY)},
            temporal={"type": "string", "enum": list(TEMPORAL)}, subject=_TEXT, attribute=_TEXT, value={},
            ends={"type": "array", "items": _TEXT},
        ),
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafChange:
    """A value of the scaffold.

    Attributes:
        path: the attribute; `subject`: whose, "user" or a name.
        events: ids of those it rests on; none yet if the answer names none and none has its words, which is no fault of
            a value that is known.
        recalls: ids of earlier events that tell who the subject is, where its own only mean them; it falls with any.
    """

    path: str
    value: Json
    subject: str = USER
    events: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement, in the third person. For `certainty` and the rest see `memstrata.core.statements.Statement`.

    Attributes:
        ends: what of that which was known is no longer so, in the words of the model; of an item that passed, the ids
            of its records.
        recalls: ids of earlier events, of which it repeats words that its own events only mean; it falls with any.
    """

    text: str
    certainty: str = _UNSAID
    temporal: str = "current"
    subject: str = USER
    attribute: str | None = None
    value: Json = None
    events: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """Somebody or something, with other names it has."""

    name: str
    type: str = "thing"
    aliases: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRelation:
    """How one name is related to another, "user" among them."""

    head: str
    type: str
    tail: str
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """The working memory as it is from then on."""

    text: str
    events: tuple[str, ...] = ()


Item = LeafChange | Claim | NamedEntity | NamedRelation | Narrative


@dataclass(frozen=True, slots=True)
class Refused:
    """What was not taken, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What an answer holds.

    Attributes:
        items: in the order of the answer's keys.
        refused: what could not be read, of which at most 50 are told, has no form or no event.
        unreadable: no item is in it, and it does not say so: it broke off, is something else, or none has its form.
    """

    items: tuple[Item, ...] = ()
    refused: tuple[Refused, ...] = ()
    unreadable: bool = False


def read_proposal(text: str, observations: Mapping[int, Event], terms: Terms) -> Proposal:
    """What a model's answer proposes.

    Args:
        text: the answer.
        observations: the events that the model was told, by the numbers it was told them under.
        terms: from a text to its terms.
    """
    found = salvage(text)
    refused = [Refused("answer", problem) for problem in found.problems]
    grounds, items = _Grounds(observations, terms), dict[Any, Item]()
    answer = _opened(found.value or {})
    drafts = list(_drafts(answer))
    for drafted in drafts:
        if isinstance(drafted, Refused):
            refused.append(drafted)
            continue
        item = replace(drafted.item, events=grounds.of(drafted))
        if item.events or isinstance(item, LeafChange):
            key = _key(item)
            items[key] = _both(items[key], item) if key in items else item
        else:
            refused.append(Refused(label(item), "it shares no word with what was observed"))
    told = any(answer.get(name) is not None for name in _READERS) or _READERS.keys() >= answer.keys()
    shapeless = any(isinstance(one, Refused) and not one.why.startswith(_ANSWER) for one in drafts)
    lost = found.value is None or found.unread > 0 or not told or shapeless
    unreadable = lost and not any(isinstance(drafted, _Draft) for drafted in drafts)
    return Proposal(items=tuple(items.values()), refused=tuple(refused), unreadable=unreadable)


def label(item: Item) -> str:
    """What an item says, briefly, for whoever is told that it was refused."""
    match item:
        case LeafChange():
            return f"{item.path}: {brief(item.value)}"
        case NamedEntity():
            return brief(item.name)
        case NamedRelation():
            return f"{brief(item.head)} {item.type[:60]} {brief(item.tail)}"
        case _:
            return brief(item.text)


# ------------------------------------------------------------------------------------------- from JSON to items


@dataclass(frozen=True, slots=True)
class _Draft:
    """An item, the numbers it names, and the words by which its events are found if it names none."""

    item: Item
    numbers: Sequence[Any] = ()
    words: str = ""


_Drafts = Iterator[_Draft | Refused]
_ANSWER = "an answer"  # begins why no item is missed, though something was refused


def _opened(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an answer wraps in an object of its own."""
    for _ in range(_WRAPPED):
        inner = next(iter(answer.values()), None) if len(answer) == 1 else None
        if not isinstance(inner, Mapping) or not _READERS.keys().isdisjoint(answer):
            break
        answer = inner
    return answer


def _drafts(answer: Mapping[str, Any]) -> _Drafts:
    for name, read in _READERS.items():
        if answer.get(name) is not None:
            yield from read(name, answer[name])
    for name in (name for name in answer if name not in _READERS):
        yield Refused(brief(name), f"{_ANSWER} has no such key; it has {', '.join(_READERS)}")


def _scaffold(name: str, value: Any) -> _Drafts:
    if not isinstance(value, Mapping):
        yield Refused(name, f"it is an object, not {brief(value)}")
        return
    for path, leaf, numbers in _annotated(value):
        subject, attribute = placed(path) if path else (USER, "")
        text = _line(leaf)
        if leaf is None or leaf == "":
            yield Refused(attribute or name, f"{_ANSWER} removes nothing")
        elif is_topic(path):
            yield from _claims(attribute, {"claim": leaf, "events": numbers})
        elif not attribute:
            yield Refused(brief(".".join(path)), "no key says what it is")
        else:
            kept = text if isinstance(leaf, str) else leaf
            yield _Draft(LeafChange(path=attribute, value=kept, subject=subject), numbers, f"{text} {attribute}")


def _annotated(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, Sequence[Any]]]:
    """The leaves of a scaffold; one that is written as `{"value": …, "events": […]}` with its events."""
    if isinstance(tree, Mapping) and "value" in tree and tree.keys() <= _AROUND:
        numbers = _numbers(tree.get("events"))
        yield from ((inner, leaf, numbers) for inner, leaf in leaves(tree["value"], path))
    elif isinstance(tree, Mapping):
        for key, inner in tree.items():
            yield from _annotated(inner, (*path, key))
    elif isinstance(tree, list):
        for inner in tree:
            yield from _annotated(inner, path)
    else:
        yield path, tree, ()


_AROUND = {"value", "events", "certainty", "confidence", "temporal"}


def _narrative(name: str, value: Any) -> _Drafts:
    if not isinstance(value, str):
        yield Refused(name, f"it is a text, not {brief(value)}")
    elif text := _line(value):
        yield _Draft(Narrative(text=text))


def _claims(name: str, value: Any) -> _Drafts:
    for entry in _flat(value):
        given: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {"claim": entry}
        text = next((given[key] for key in ("claim", "text", "fact", "statement") if key in given), None)
        if not isinstance(text, str) or not text.strip():
            yield Refused(brief(entry), f"of {name or 'statements'} each is a text or has a claim")
            continue
        subject, attribute, stated = given.get("subject"), given.get("attribute"), given.get("value")
        claim = Claim(
            text=_line(text),
            certainty=_choice(given.get("certainty", _UNSAID), CERTAINTY, "uncertain"),
            temporal=_choice(given.get("temporal"), TEMPORAL, "current"),
            subject=(_line(subject).casefold() if isinstance(subject, str) else "") or USER,
            attribute=(placed((attribute,))[1] or None) if isinstance(attribute, str) else None,
            value=_line(stated) if isinstance(stated, str) else stated if _plain(stated) else None,
            ends=_ends(given),
        )
        yield _Draft(claim, _numbers(given.get("events")), claim.text)


#: What models call what a statement puts an end to.
_OVER = ("ends", "replaces", "supersedes", "contradicts")


def _ends(given: Mapping[str, Any]) -> tuple[str, ...]:
    named = (one for key in _OVER for one in _flat(given.get(key, ())))
    return tuple(dict.fromkeys(text for one in named if isinstance(one, str) and (text := _line(one))))[:_ENDED]


def _entities(name: str, value: Any) -> _Drafts:
    for entry in _flat(value):
        given: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {"name": entry}
        called = given.get("name")
        if not isinstance(called, str) or not called.strip():
            yield Refused(brief(entry), f"of {name} each has a name")
            continue
        others = dict.fromkeys(_line(one) for one in _flat(given.get("aliases", ())) if isinstance(one, str))
        kind = given.get("type")
        entity = NamedEntity(
            name=_line(called),
            type=(_line(kind).lower() if isinstance(kind, str) else "") or "thing",
            aliases=tuple(one for one in others if one and one != _line(called)),
        )
        yield _Draft(entity, _numbers(given.get("events")), entity.name)


def _relations(name: str, value: Any) -> _Drafts:
    for entry in _flat(value):
        given = entry if isinstance(entry, Mapping) else {}
        parts = [given.get(key) for key in ("head", "type", "tail")]
        texts = [_line(part) for part in parts if isinstance(part, str) and part.strip()]
        if len(texts) < len(parts):
            yield Refused(brief(entry), f"of {name} each has a head, a type and a tail")
            continue
        relation = NamedRelation(head=texts[0], type=texts[1], tail=texts[2])
        yield _Draft(relation, _numbers(given.get("events")), f"{relation.head} {relation.tail}")


#: The keys of an answer, those first whose items say more of themselves.
_READERS: Mapping[str, Callable[[str, Any], _Drafts]] = {
    "facts": _claims,
    "updated_scaffold": _scaffold,
    "facts_to_embed": _claims,
    "entities": _entities,
    "relations": _relations,
    "updated_working_memory": _narrative,
}


def _flat(value: Any) -> Iterator[Any]:
    """The entries of a list, and of the lists in it; what is no list is one entry."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner)
    else:
        yield value


def _numbers(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else () if value is None else (value,)


def _line(value: Any) -> str:
    return " ".join(str(value).split())


def _plain(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _choice(value: Any, choices: Iterable[str], otherwise: str) -> str:
    return value if isinstance(value, str) and value in choices else otherwise


# ------------------------------------------------------------------------------------------ what items rest on


class _Grounds:
    """The events of a batch, by number and by the words in them."""

    def __init__(self, observations: Mapping[int, Event], terms: Terms) -> None:
        self._terms = terms
        self._events = {number: event.id for number, event in sorted(observations.items())}
        texts = {event.id: stripped(event.content) for event in observations.values()}
        self._words = {name: {*terms(text), *terms(in_digits(text, detect(text)))} for name, text in texts.items()}

    def of(self, draft: _Draft) -> tuple[str, ...]:
        """Ids of the events that an item rests on, in the order of the batch."""
        told = tuple(dict.fromkeys(self._events.values()))  # a long event has several numbers
        if isinstance(draft.item, Narrative):
            return told
        named = {number for one in draft.numbers if (number := _number(one)) in self._events}
        found = {self._events[number] for number in named} or self._sharing({*self._terms(draft.words)} - {USER})
        return tuple(event for event in told if event in found)

    def _sharing(self, words: set[str]) -> set[str]:
        """The events that hold most of some words together: the one with most, then those that add to it."""
        found: set[str] = set()
        while len(found) < _RESTS_ON:
            best = max(self._words, key=lambda event: len(self._words[event] & words), default=None)
            if best is None or words.isdisjoint(self._words[best]):
                break
            found.add(best)
            words = words - self._words[best]
        return found


def _number(value: Any) -> int | None:
    text = str(value).strip().lstrip("#")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and not isinstance(value, bool) else None


def _key(item: Item) -> Any:
    """What two items have alike that say the same."""
    match item:
        case LeafChange():
            return LeafChange, item.subject, item.path, form(str(item.value))
        case NamedEntity():
            return NamedEntity, form(item.name)
        case NamedRelation():
            return NamedRelation, form(item.head), form(item.type), form(item.tail)
        case _:
            return type(item), form(item.text)


def _both(first: Item, second: Item) -> Item:
    """One item that was proposed twice, as it was first, resting on the events of both."""
    both = replace(first, events=tuple(dict.fromkeys((*first.events, *second.events))))
    if isinstance(both, Claim) and isinstance(second, Claim):
        return replace(both, ends=tuple(dict.fromkeys((*both.ends, *second.ends))))
    return both
