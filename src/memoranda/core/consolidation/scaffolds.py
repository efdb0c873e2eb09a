"""What the autonomous path writes: changes of the scaffold, one key each, and facts that were learned.

Both are observations in a category of their own, which state what they say whole (`core.language.finished`).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from memoranda.core.beliefs.profile_keys import is_topic, leaves, placed
from memoranda.core.consolidation.claim_statements import statements
from memoranda.core.consolidation.proposal import LeafChange
from memoranda.core.language.finished import EDITOR, IMPORTANCE, certainty, stating
from memoranda.core.rows import Event, Json
from memoranda.core.rows.statements import RECORDS, Given, Statement
from memoranda.errors import MessageError

#: The categories of the autonomous path, see `update_user_context`.
SCAFFOLD, LEARNED = "scaffold_update", "learned_fact"


def as_stated(event: Event, language: str) -> Event:
    """Return an observation of these categories as one that states whole what it says; any other as it is.

    A scaffold update is an object of JSON; one in other words is read as any observation is.

    Raises:
        MessageError: the scaffold update holds nothing that can be kept.
    """
    if event.category == LEARNED:
        return stating(event, [_whole("fact", "learning", event.content, event)])
    given = _object(event.content) if event.category == SCAFFOLD else None
    return event if given is None else stating(event, _changes(given, event, language))


def _object(content: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _changes(given: Mapping[str, Any], event: Event, language: str) -> Iterator[Statement]:
    for key, value in given.items():
        found = [*leaves({key: value})]
        if not found or any(leaf is None or not placed(path)[1] for path, leaf in found):
            raise MessageError(
                f"The key {key!r} of a scaffold update has no value, or no letter in its name; give "
                '{"Role": "CTO"}, and forget or correct what is no longer so.'
            )
        yield from (_change(path, leaf, event, language) for path, leaf in found)


def _change(path: tuple[str, ...], leaf: Json, event: Event, language: str) -> Statement:
    if is_topic(path):
        kind = path[-1].casefold().removesuffix("s")
        return _whole(kind if kind in RECORDS else "fact", "personal", str(leaf), event)
    subject, attribute = placed(path)
    (read, *_) = statements(LeafChange(path=attribute, value=leaf, subject=subject), event, language)
    return replace(read, rule=EDITOR, certainty=certainty(event.source), given=Given())


def _whole(kind: str, category: str, text: str, event: Event) -> Statement:
    return Statement(
        kind=kind, category=category, text=text, certainty=certainty(event.source), importance=IMPORTANCE,
        given=Given(),
    )  # fmt: skip
