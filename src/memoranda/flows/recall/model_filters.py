"""What a language model reads out of a question: times, kinds, categories, entities. What it gets wrong is left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.scope import Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows.statements import KINDS
from memoranda.core.strata.filters import ASKED_KINDS, Narrow
from memoranda.core.text.terms import storable
from memoranda.flows.recall.looking import Ask
from memoranda.flows.runtime.prompts import load_prompt
from memoranda.ports import Completion, LanguageModel

MOST = 8  # names of one sort that are heeded
_LISTED = 40  # categories that the model is told
_NAMES: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_TIME: Mapping[str, Any] = {"type": ["string", "null"]}
_FOUND: Mapping[str, Any] = {"since": _TIME, "until": _TIME, "kinds": _NAMES, "categories": _NAMES, "entities": _NAMES}
FILTERS: Mapping[str, Any] = {
    "type": "object", "properties": _FOUND, "required": [*_FOUND], "additionalProperties": False,
}  # fmt: skip


async def written(known: Sequence[str], now: datetime, model: LanguageModel, text: str) -> Sequence[str]:
    """What a model answers when it is asked for the filters in a question."""
    prompt = load_prompt("self_query")
    completion = await model.complete(
        prompt.render(
            question=text, today=f"{now:%A, %Y-%m-%d}", kinds=", ".join(KINDS), categories=", ".join(known[:_LISTED])
        ),
        system=prompt.system, schema=FILTERS, max_tokens=256,
    )  # fmt: skip
    return [storable(completion.text)[0]]


def categories_in(image: Partition, scope: Scope) -> list[str]:
    """The categories of the records that a scope sees."""
    return sorted({record.category for record in image.records.values() if visible(record, scope)})


class Reading:
    """An answer of the model, read.

    Attributes:
        ask: what is asked, narrowed by what the model found; where the caller narrowed it, the caller counts.
        ignored: what of the answer is not heeded, each with the reason.
    """

    def __init__(self, answer: str, ask: Ask, image: Partition, scope: Scope, now: datetime) -> None:
        self.ask = ask
        self.ignored: list[str] = []
        found = Completion(text=answer).json
        if not isinstance(found, Mapping):
            self.ignored.append("the model answered no object")
            return
        self._narrow_times(found, now)
        kinds = self._names(
            found, "kinds", lambda kind: kind in ASKED_KINDS and (ask.kinds is None or kind in ask.kinds)
        )
        known = {*categories_in(image, scope)}
        narrow = ask.narrow or Narrow()
        categories = self._names(found, "categories", lambda one: one in known and narrow.categories is None)
        entities = self._names(found, "entities", lambda name: bool(name.strip() and image.meant_by(name, scope)))
        if kinds:
            self.ask = replace(self.ask, kinds=frozenset(kinds))
        if categories:
            self.ask = replace(self.ask, narrow=replace(narrow, categories=frozenset(categories)))
        self.ask = replace(self.ask, entities=tuple(dict.fromkeys((*ask.entities, *entities))))

    def _names(self, found: Mapping[str, Any], field: str, fits: Callable[[str], bool]) -> list[str]:
        given = found.get(field) or []
        listed = given if isinstance(given, list) else [given]
        kept = [one for one in listed[:MOST] if isinstance(one, str) and fits(one)]
        self.ignored += [f"{field} {brief(one)}" for one in listed if one not in kept]
        return kept

    def _narrow_times(self, found: Mapping[str, Any], now: datetime) -> None:
        since, until = map(partial(self._time, found, now), ("since", "until"))
        since = max(filter(None, (self.ask.since, since)), default=None)
        until = min(filter(None, (self.ask.until, until)), default=None)
        if since and until and until <= since:
            self.ignored.append(f"since {since:%Y-%m-%d} until {until:%Y-%m-%d}: nothing lies between them")
        else:
            self.ask = replace(self.ask, since=since, until=until)

    def _time(self, found: Mapping[str, Any], now: datetime, field: str) -> datetime | None:
        value = found.get(field)
        if value is None:
            return None
        try:
            time = datetime.fromisoformat(value)
            return (time if time.tzinfo else time.replace(tzinfo=now.tzinfo)).astimezone(now.tzinfo)
        except (TypeError, ValueError, OverflowError):
            self.ignored.append(f"{field} {brief(value)}")
            return None


def told(ignored: Sequence[str]) -> Iterator[str]:
    """What to say of what is not heeded, if there is any."""
    if ignored:
        yield f"self_query: ignored of the model's answer: {'; '.join(ignored)}"
