"""Searches for the tests of the core."""

from datetime import timedelta
from typing import Any

import numpy as np

from core.making import NOW, passage, record
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import resting
from memoranda.core.image.index import Index
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.ranking_models import Model
from memoranda.core.recall.scoring import PLAIN, Candidates, judged
from memoranda.core.recall.search import Question, Search
from memoranda.core.recall.signals import Pool


def index_of(*terms: str, dimension: int = 0, **values: Any) -> Index:
    """Passages p0, p1, … of one conversation, a month apart; of `values`, each is for all or one per passage."""
    index = Index(dimension)
    for number, said in enumerate(terms):
        own = {name: it[number] if isinstance(it, list) else it for name, it in values.items()}
        given = {"conversation": "talk", "position": number, "at": NOW + timedelta(days=31 * number), **own}
        index.extend([passage(f"p{number}", said, **given)])
    return index


def search(index: Index, question: Question, want: int = 60, **values: Any) -> Search:
    """A search of everything but for records, which are keys."""
    keys = np.array(index.columns["of_record"], np.bool_)
    told = resting(values.get("records", {}).values())
    given = {
        "index": index,
        "question": question,
        "mask": ~keys,
        "keys": keys,
        "records": {},
        "records_by_source": told,
        "endings": Endings(index, values.get("records", {}), told, Scope(tenant="t", user="u"), NOW),
        "want": want,
    }
    return Search(**{**given, **values})


def proposed(sought: Search) -> dict[str, list[int]]:
    """What each arm proposes."""
    found: dict[str, Any] = {}
    for name, arm in ARMS.items():
        found[name] = arm(sought, found)
    return {name: numbers.tolist() for name, numbers in found.items()}


def pool(sought: Search) -> Pool:
    """All that may be answered."""
    return Pool(sought, np.flatnonzero(sought.mask).astype(np.int32))


def candidates(sought: Search, model: Model = PLAIN) -> Candidates:
    """All arms, judged."""
    arms = {name: np.array(numbers, np.int32) for name, numbers in proposed(sought).items()}
    return judged(sought, arms, model)


def with_record(index: Index, terms: str, *sources: str) -> dict[str, Any]:
    """Add a passage of a record that rests on these; the records by id."""
    index.extend([passage("r1", terms, of="record", kind="fact", role="", conversation="talk")])
    return {"r1": record(sources=sources)}
