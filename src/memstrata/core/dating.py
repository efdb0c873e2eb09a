"""When something happened, as the turns of a memory tell it: what dates a question like "before the move"."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

import numpy as np

from memstrata.core.columns import Ints, Mask
from memstrata.core.index import Index
from memstrata.core.keywords import keyword
from memstrata.core.rewriting import grammar_of
from memstrata.core.search import top
from memstrata.core.temporal import find_times
from memstrata.core.text import Analyzer

TELLERS = 3  # turns that are asked when something happened
READ = 12  # turns that are read to find them
_HEAD = 4_000  # characters of each that are read
_LAST = np.float32(0.01)  # of a score: behind all others, and still there
_NO_DAY = frozenset({"second", "set", "duration"})  # grains of times that are on no day in particular
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")


def naming(words: str, language: str, analyzer: Analyzer) -> tuple[str, ...]:
    """The terms of `words` that tell which event is meant; none where it comes again and again."""
    entries = grammar_of(language).entries
    telling = [word for word in _WORD.findall(words.lower()) if word not in entries.fillers]
    if entries.habits.issuperset(word for word in telling if analyzer.terms(word)):
        return ()
    return tuple(dict.fromkeys(analyzer.terms(" ".join(telling))))


def tellers(terms: Sequence[str], index: Index, mask: Mask) -> Ints:
    """The turns of `mask` that may tell of what happened: they hold all of `terms`, the best first.

    Those that ask, and the assistant's, stand behind the others.
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


def day_told(
    terms: Sequence[str], turns: Sequence[tuple[str, datetime]], language: str, analyzer: Analyzer
) -> datetime | None:
    """The day of what some turns tell in `terms`: the first day that one of them names, else when the best was said.

    The turns come best first, each with when it was said. One tells nothing that only asks about the event, or only
    says what was before or after it: a question dates itself otherwise, once it is a turn.
    """
    stated = ((_stated(text[:_HEAD], said, language), said) for text, said in turns)
    telling = ((text, said) for text, said in stated if set(terms).issubset(analyzer.terms(text)))
    told = list(islice(telling, TELLERS))
    named = filter(None, (_day(text, said, language) for text, said in told))
    return next(named, told[0][1] if told else None)


def _stated(text: str, said: datetime, language: str) -> str:
    """`text` without its questions and without the events that it tells times by, but those whose day it names."""
    rest = "".join(one for one in _SENTENCE.findall(text) if "?" not in one and "？" not in one)
    event = grammar_of(language).event
    return event.sub(lambda found: found[0] if _day(found[0], said, language) else " ", rest)


def _day(text: str, said: datetime, language: str) -> datetime | None:
    times = find_times(text, said, language)
    return next((time.begin for time in times if time.begin is not None and time.grain not in _NO_DAY), None)
