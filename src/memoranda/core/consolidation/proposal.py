"""Read a language model's answer into items to remember, each with the ids of the events that it rests on.

Reading does not judge whether an item is true; `memoranda.core.consolidation.judge` does. It normalises what was meant,
refuses what does not have the form of an item or rests on no event, and never raises.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.beliefs.profile_keys import USER, is_topic, leaves, placed
from memoranda.core.rows import Event, Json
from memoranda.core.rows.statements import CERTAINTY
from memoranda.core.text.detect import detect
from memoranda.core.text.fence import stripped
from memoranda.core.text.numerals import in_digits
from memoranda.core.text.salvage import salvage
from memoranda.core.text.terms import form

#: A function from a text to its terms, such as `memoranda.core.text.terms.Analyzer.terms`.
Terms = Callable[[str], Sequence[str]]

TEMPORAL = ("past", "current", "temporary", "future")
_UNSAID = "implied"  # certainty of a claim that gives none; an unknown one counts as uncertain
_RESTS_ON = 8  # most events found by words for an item that cites none
_ENDED = 8  # most records that one claim may name as over
_WRAPPED = 3  # most objects around an answer that are unwrapped

_EVENTS = {"type": "array", "items": {"type": "integer"}}
_TEXT = {"type": "string"}


def _list_of(needed: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    item = {"type": "object", "properties": {**properties, "events": _EVENTS}, "required": list(needed)}
    return {"type": "array", "items": item}


#: JSON schema of an answer. No key of the answer is required, only the essential ones of an entry, so that small models
#: can comply.
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
    """A value of an attribute in the scaffold.

    Attributes:
        path: the attribute; `subject`: whose it is, "user" or a name.
        events: ids of the events that it rests on; empty if the answer cites none and none shares a word with it, which
            is acceptable if the value is already known.
        recalls: ids of earlier events that name the subject, if its own events only refer to it. Forgetting any of
            them drops the item.
    """

    path: str
    value: Json
    subject: str = USER
    events: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement in the third person. For the other fields see `memoranda.core.rows.statements.Statement`.

    Attributes:
        ends: known statements that no longer hold, in the model's words; once the claim is accepted, the ids of the
            records that it ends.
        recalls: ids of earlier events whose words it repeats, if its own events only refer to them. Forgetting any of
            them drops the item.
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
    """A person or thing, with its type in lower case and its other names."""

    name: str
    type: str = "thing"
    aliases: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRelation:
    """A typed relation from one name to another; either may be "user"."""

    head: str
    type: str
    tail: str
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """The new text of the working memory, which replaces the present one."""

    text: str
    events: tuple[str, ...] = ()


Item = LeafChange | Claim | NamedEntity | NamedRelation | Narrative


@dataclass(frozen=True, slots=True)
class Refused:
    """Something in an answer that was refused, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The content of an answer.

    Attributes:
        items: the items, without duplicates, in the order of `_READERS`.
        refused: what could not be read (at most 50 problems), does not have the form of an item, or rests on no event.
        unreadable: there is no item, and the answer does not say that there is none: it is damaged, is not a JSON
            object, has none of the known keys, or holds only entries without the form of an item.
    """

    items: tuple[Item, ...] = ()
    refused: tuple[Refused, ...] = ()
    unreadable: bool = False


def read_proposal(text: str, observations: Mapping[int, Event], terms: Terms) -> Proposal:
    """Return what a model's answer proposes. Items that say the same are merged, with the events of each.

    Args:
        text: the answer; it need not be intact JSON.
        observations: the events that the model was shown, by their numbers in the prompt.
        terms: returns the terms of a text.
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
    """Return a short description of an item, for messages about it."""
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
    """An item, the event numbers that it cites, and the words by which its events are found if it cites none."""

    item: Item
    numbers: Sequence[Any] = ()
    words: str = ""


_Drafts = Iterator[_Draft | Refused]
_ANSWER = "an answer"  # a refusal whose reason begins with this lost no item


def _opened(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer without objects that only wrap it, each with a single unknown key."""
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
    """Yield path, value and cited events of each leaf; `{"value": …, "events": […]}` is a leaf that cites events."""
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


#: Keys under which models list what a claim ends.
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


#: The keys of an answer and their readers. Those with more detailed items come first: of equal items the first is kept.
_READERS: Mapping[str, Callable[[str, Any], _Drafts]] = {
    "facts": _claims,
    "updated_scaffold": _scaffold,
    "facts_to_embed": _claims,
    "entities": _entities,
    "relations": _relations,
    "updated_working_memory": _narrative,
}


def _flat(value: Any) -> Iterator[Any]:
    """Yield the elements of a list and of the lists nested in it; a value that is no list is yielded as it is."""
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
    """Finds the events that an item rests on, by number or by words."""

    def __init__(self, observations: Mapping[int, Event], terms: Terms) -> None:
        self._terms = terms
        self._events = {number: event.id for number, event in sorted(observations.items())}
        texts = {event.id: stripped(event.content) for event in observations.values()}
        self._words = {name: {*terms(text), *terms(in_digits(text, detect(text)))} for name, text in texts.items()}

    def of(self, draft: _Draft) -> tuple[str, ...]:
        """Return ids of the events that a draft cites, else of those it shares words with; a narrative rests on all."""
        told = tuple(dict.fromkeys(self._events.values()))  # a long event has a number for each of its parts
        if isinstance(draft.item, Narrative):
            return told
        named = {number for one in draft.numbers if (number := _number(one)) in self._events}
        found = {self._events[number] for number in named} or self._sharing({*self._terms(draft.words)} - {USER})
        return tuple(event for event in told if event in found)

    def _sharing(self, words: set[str]) -> set[str]:
        """Return ids of events that share words: first the one with most of them, then those that add most to it."""
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
    """Return a key that is equal for items that say the same."""
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
    """Return an item that was proposed twice: the first one, with the events of both and what both end."""
    both = replace(first, events=tuple(dict.fromkeys((*first.events, *second.events))))
    if isinstance(both, Claim) and isinstance(second, Claim):
        return replace(both, ends=tuple(dict.fromkeys((*both.ends, *second.ends))))
    return both
