"""The retrieval arms, which propose passages for a question. A new arm is a new entry in the table.

An arm only proposes, best first; all proposals are scored alike. All arms but the last two are independent: these look
at what the others found. `successors` proposes what took the place of that; `neighbours` looks beside it, since an
answer often shares no word with the question it follows.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from memoranda.core.recall.search import Search, top
from memoranda.core.rows.columns import Ints

NEIGHBOURS = 2  # turns on each side of a good match that are proposed
RECENT = 8  # the current conversation proposes one in this many of what an arm may
_NONE: Ints = np.zeros(0, np.int32)

Proposals = Mapping[str, Ints]


def _keyword(search: Search, _: Proposals) -> Ints:
    return top(search.keyword, search.mask, search.want)


def _vector(search: Search, _: Proposals) -> Ints:
    if search.dense is None:
        return _NONE
    return top(search.dense, search.mask & search.index.vectors.embedded, search.want, floor=-1.0)


def _entities(search: Search, _: Proposals) -> Ints:
    """Propose passages that the question's entities lead to, in up to three hops; first those that name one sought."""
    if not search.question.entities:
        return _NONE
    walked = top(search.walked, search.mask, search.want // 2)
    naming = top(search.both, search.mask & search.naming, search.want, floor=-np.inf)
    return np.array([*dict.fromkeys((*naming.tolist(), *walked.tolist()))], np.int32) if len(naming) else walked


def _time(search: Search, _: Proposals) -> Ints:
    """Propose the latest passages if the question names nothing but a time, else the best of the time it names."""
    at = search.index.columns["at"]
    if search.question.only_time:
        return top(np.asarray(at, np.float32), search.mask, search.want, floor=-np.inf)
    if not search.question.months and search.question.span is None:
        return _NONE
    return top(search.both, search.mask & search.dated, search.want // 2, floor=-1.0)


def _attribute(search: Search, _: Proposals) -> Ints:
    """Propose the records that give an attribute for which the question asks, the latest first."""
    known, asked = search.index.numbers, np.zeros(len(search.index), np.bool_)
    asked[[known[one] for one in search.question.attributed if one in known]] = True
    return top(np.asarray(search.index.columns["at"], np.float32), search.mask & asked, search.want, floor=-np.inf)


def _records(search: Search, _: Proposals) -> Ints:
    """Propose the sources of the best records."""
    sources = [number for _, number in search.led if search.mask[number]]
    return np.array(list(dict.fromkeys(sources)), np.int32)


def _recent(search: Search, _: Proposals) -> Ints:
    """Propose the last passages of the current conversation, latest first."""
    index, name = search.index, search.question.conversation
    if name is None:
        return _NONE
    columns = index.columns
    codes = [code for code, talk in enumerate(index.conversations.names) if talk[0] == name]
    inside = search.mask & np.isin(columns["conversation"], codes)
    return np.flatnonzero(inside)[: -search.want // RECENT - 1 : -1].astype(np.int32)


def _successors(search: Search, found: Proposals) -> Ints:
    """Propose what took the place of good matches that hold no more."""
    index = search.index
    best = np.unique(np.concatenate([_NONE, *(numbers[: search.want // 4] for numbers in found.values())]))
    later = (name for number in best.tolist() for name in search.endings.successors(index.refs[number]))
    known = [index.numbers[name] for name in dict.fromkeys(later) if name in index.numbers]
    return np.array([number for number in known if search.mask[number]], np.int32)


def _neighbours(search: Search, found: Proposals) -> Ints:
    best = [numbers[: search.want // 4] for numbers in found.values()]
    around = search.index.chains.around(np.concatenate([_NONE, *best]), NEIGHBOURS, NEIGHBOURS)
    beside = np.unique(around[around >= 0])
    return np.asarray(beside[search.mask[beside]], np.int32)


ARMS: Mapping[str, Callable[[Search, Proposals], Ints]] = MappingProxyType(
    {
        "keyword": _keyword,
        "vector": _vector,
        "entities": _entities,
        "time": _time,
        "attribute": _attribute,
        "records": _records,
        "recent": _recent,
        "successors": _successors,
        "neighbours": _neighbours,
    }
)
