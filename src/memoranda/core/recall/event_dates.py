"""When something happened, according to the turns of a memory: resolves "before the move" in a question."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

import numpy as np

from memoranda.core.image.index import Index
from memoranda.core.image.keywords import keyword
from memoranda.core.recall.rewriting import grammar_of
from memoranda.core.recall.search import top
from memoranda.core.rows.columns import Ints, Mask
from memoranda.core.temporal import find_times
from memoranda.core.text.terms import Analyzer

TELLERS = 3  # turns whose dates are used
READ = 12  # turns that are read to find them
_HEAD = 4_000  # characters of each that are read
_LAST = np.float32(0.01)  # the factor that puts a score behind all others without removing it
_NO_DAY = frozenset({"second", "set", "duration"})  # grains of times that denote no particular day
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")


def naming(words: str, language: str, analyzer: Analyzer) -> tuple[str, ...]:
    """Return the terms of `words` that identify the event; none if it is a recurring one."""
    entries = grammar_of(language).entries
    telling = [word for word in _WORD.findall(words.lower()) if word not in entries.fillers]
    if entries.habits.issuperset(word for word in telling if analyzer.terms(word)):
        return ()
    return tuple(dict.fromkeys(analyzer.terms(" ".join(telling))))


def tellers(terms: Sequence[str], index: Index, mask: Mask) -> Ints:
    """Return the turns of `mask` that hold all of `terms`, and so may tell of the event, the best first.

    Questions and turns of the assistant come last.
    """
    held = mask & ~np.asarray(index.columns["of_record"], np.bool_)
    for term in terms:
        inside = np.zeros(len(index), np.bool_)
        inside[index.postings.of(term)[0]] = True
        held &= inside
    scores = keyword(index, terms)
    assistant = index.columns["role"] == index.codes["role"].look("assistant")
    scores[assistant | index.columns["question"]] *= _LAST
    return top(scores, held, READ)


def day_of_event(
    terms: Sequence[str], turns: Sequence[tuple[str, datetime]], language: str, analyzer: Analyzer
) -> datetime | None:
    """Return the day of the event that some turns tell in `terms`: the first day named, else that of the best turn.

    The turns come best first, each with the time it was said. A turn that only asks about the event, or only dates
    other things by it, tells nothing; otherwise a question that has become a turn would date itself.
    """
    stated = ((_stated(text[:_HEAD], said, language), said) for text, said in turns)
    telling = ((text, said) for text, said in stated if set(terms).issubset(analyzer.terms(text)))
    told = list(islice(telling, TELLERS))
    named = filter(None, (_day(text, said, language) for text, said in told))
    return next(named, told[0][1] if told else None)


def _stated(text: str, said: datetime, language: str) -> str:
    """Return `text` without questions and without events used as dates, except those whose day is named."""
    rest = "".join(one for one in _SENTENCE.findall(text) if "?" not in one and "？" not in one)
    event = grammar_of(language).event
    return event.sub(lambda found: found[0] if _day(found[0], said, language) else " ", rest)


def _day(text: str, said: datetime, language: str) -> datetime | None:
    times = find_times(text, said, language)
    return next((time.begin for time in times if time.begin is not None and time.grain not in _NO_DAY), None)
