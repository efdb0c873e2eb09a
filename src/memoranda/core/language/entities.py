"""Named entity recognition: people, places, organisations, products, handles and quantities.

One pass over the words. A capital counts only where it means something: not at the start of a sentence, not in
shouting, not on German nouns. The evidence for a name is beside it (a title, "my sister", "works at"), inside it
("GmbH", "University", CamelCase), or in the gazetteer.

Names of one word without evidence are left out; a capitalised name within a sentence whose type nothing indicates is
a `thing`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from memoranda.core.language.names import WORD, Cues, cues_of, known_names
from memoranda.core.language.signs import HAN, find_chinese, find_signs, sign
from memoranda.core.rows.statements import Mention
from memoranda.core.text.terms import stands

_WORD_FR = re.compile(r"[^\W_]\w*(?:[&.]\w+|-\w+)*(?:\+\+|#(?!\w))?")
_WORD_LATIN = re.compile(r"[A-Za-zÀ-\u024f\d]+(?:[&.'\u2019][A-Za-zÀ-\u024f\d]+|-[A-Z\d]+)*(?:\+\+|#(?!\w))?")
_CLITIC = re.compile(r"['\u2019](?:s|m|ve|ll|d|re)$", re.IGNORECASE)
_BREAK = re.compile(r"[.!?\u2026:\n\"\u201c\u201e\u00ab\u2022*]")
_CAMEL = re.compile(r"[a-z]{1,3}[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Z]{2,}[a-z]{2,}")
_INITIALS = re.compile(r"\w(?:\.\w)?")
_SURNAME = re.compile(r"(?:Mc|Mac|De|Di|La|Le|O['\u2019])[A-Z]")

_PARTICLES = frozenset(("van", "von", "ter", "di", "bin", "ibn"))
_DE = frozenset(("de", "del", "du"))
_MAX_RUN = 6


class _Line(NamedTuple):
    """A text split into words. `capitals`: which words are written like names, and whether they open a sentence."""

    text: str
    words: list[str]
    lows: list[str]
    spans: list[tuple[int, int]]
    capitals: dict[int, bool]

    def gap(self, index: int) -> str:
        """Return the text between a word and the one before it."""
        return self.text[self.spans[index - 1][1] if index else 0 : self.spans[index][0]]


class _Run(NamedTuple):
    """Words that may be a name, their surroundings, and the cues to judge them by.

    Attributes:
        initial: the first of them opens a sentence.
        before: the four words before them in the sentence, and `last`: the last of these.
        gap: the text between that word and them.
        after: the word after them, if only a space is between.
    """

    words: list[str]
    lows: list[str]
    initial: bool
    before: list[str]
    last: str
    gap: str
    after: str
    cues: Cues

    @property
    def name(self) -> str:
        """The words in lower case."""
        return " ".join(self.lows)

    @property
    def unsupported(self) -> bool:
        """Whether the capital indicates nothing: one word at the start of a sentence."""
        return self.initial and len(self.lows) == 1


def find_mentions(text: str, language: str = "en") -> list[Mention]:
    """Return the entities in `text`, in order and without overlap; an unknown language is read as English."""
    cues = cues_of(language)
    han = HAN.search(text) is not None
    line = _split(text, cues, _WORD_LATIN if han else _WORD_FR if language == "fr" else WORD)
    found = find_signs(text) + _names(line, cues)
    if han:
        found += find_chinese(text)
    return _with_aliases(text, _settled(found))


_ABBREVIATION = re.compile(r"(?<=\b\w)\.(?=\w\b|$|\s)|\.$")


def canonical(name: str) -> str:
    """Return the canonical form of a name, in which different writings of it are equal.

    Case, width, white space, surrounding punctuation, articles, titles, a possessive and the dots of an abbreviation
    are ignored. A name that consists only of these stays as it is, in lower case.
    """
    folded = _folded(name)
    bare = folded.strip(" .,;:!?\"'()[]\u201c\u201d\u00ab\u00bb").removesuffix("'s")
    return _ABBREVIATION.sub("", sign("leading").sub("", bare)) or folded


def named_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the canonical names that occur in a text as words: Al is not in "also", nor the U.S. in "user"."""
    plain = _ABBREVIATION.sub("", _folded(text))
    return [name for name in names if name in plain and stands(name, plain)]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").split())


# --------------------------------------------------------------------------------------- the whole pass


def _settled(found: list[Mention]) -> list[Mention]:
    """Sort by position; of two overlapping mentions keep the first, then the longest, then the one found first."""
    kept: list[Mention] = []
    end = 0
    for mention in sorted(found, key=lambda mention: (mention.start, -mention.end)):
        if mention.start >= end:
            kept.append(mention)
            end = mention.end
    return kept


# --------------------------------------------------------------------------------------- names in a row


def _split(text: str, cues: Cues, pattern: re.Pattern[str]) -> _Line:
    spans = [match.span() for match in pattern.finditer(text)]
    words = [text[start:end] for start, end in spans]
    if "'" in text or "\u2019" in text:
        for index, word in enumerate(words):
            if not word.isalnum() and (clitic := _CLITIC.search(word)):
                words[index] = word[: clitic.start()]
                spans[index] = (spans[index][0], spans[index][0] + clitic.start())
    lows = [word.lower() for word in words]
    line = _Line(text, words, lows, spans, {})
    raised = [index for index, word in enumerate(words) if word != lows[index]]
    if len(raised) > 2 and sum(words[index].isupper() and len(words[index]) > 1 for index in raised) * 2 > len(words):
        return line  # shouting: capitals indicate nothing
    for index in raised:
        initial = index == 0 or _opens(line.gap(index), lows[index - 1], cues)
        if _like_a_name(words[index], lows[index], cues):
            line.capitals[index] = initial
    return line


def _like_a_name(word: str, low: str, cues: Cues) -> bool:
    if not (word[0].isupper() or _CAMEL.match(word)):
        return False
    if word[-1] == "s" and word[:-1].isupper() and len(word) > 2:
        return False  # "APIs"
    known = known_names()
    if low in cues.titles or low in known.given or (low in known.kinds and len(word) > 2 and word.isupper()):
        return True
    return not (low in cues.stop or low in known.never or (cues.nouns and low in cues.relations))


def _opens(gap: str, previous: str, cues: Cues) -> bool:
    """Whether `gap` ends a sentence; the dot of "Dr." or "J." does not."""
    if gap == " " or (gap == ". " and (_INITIALS.fullmatch(previous) or previous in cues.titles)):
        return False
    return _BREAK.search(gap) is not None


def _names(line: _Line, cues: Cues) -> list[Mention]:
    found: list[Mention] = []
    text, words, lows, spans, capitals = line
    stop, count, known = 0, len(lows), known_names()
    for noted in [index for index, low in enumerate(lows) if low in known.noted or index in capitals]:
        if noted < stop:
            continue
        index, low = noted, lows[noted]
        stop = _listed_until(lows, index) if low in known.longer else index + 1
        raised = stop - 1 in capitals
        if raised:
            if (end := _run_until(line, stop, cues)) > stop:
                index, stop = _opening(line, index, end), end
        elif stop == index + 1 and low not in known.lower:
            continue
        initial = capitals.get(index, False)
        before = [] if initial else lows[max(0, index - 4) : index]
        after = lows[stop] if stop < count and line.gap(stop) == " " else ""
        run = _Run(
            words[index:stop], lows[index:stop], initial, before, before[-1] if before else "",
            line.gap(index), after, cues,
        )  # fmt: skip
        if kind := _judge(run) if raised else _lower_case(run):
            start, end = spans[index][0], spans[stop - 1][1]
            found.append(Mention(name=text[start:end], type=kind, start=start, end=end))
    return found


def _listed_until(lows: list[str], index: int) -> int:
    """Return where the longest listed name that starts at `index` ends; at least one word on."""
    for names in known_names().longer[lows[index]]:
        stop = index + len(names)
        if names == tuple(lows[index:stop]):
            return stop
    return index + 1


def _run_until(line: _Line, stop: int, cues: Cues) -> int:
    """Return where a name that includes the word before `stop` ends: capitalised words, joined by "of" or "van"."""
    lows, capitals, openers = line.lows, line.capitals, known_names().organisation_openers
    index, count = stop - 1, len(lows)
    while stop < count and stop - index < _MAX_RUN:
        ahead = stop
        if lows[stop] in _PARTICLES or (lows[stop] in _DE and lows[index] in openers):
            ahead = stop + 1
        elif lows[stop] == "of" and lows[index] not in cues.titles:
            ahead = stop + (2 if lows[stop + 1 : stop + 2] == ["the"] else 1)
        if capitals.get(ahead, True) or not all(_joined(line, at, cues) for at in range(stop, ahead + 1)):
            break
        stop = ahead + 1
    return stop


def _joined(line: _Line, index: int, cues: Cues) -> bool:
    gap, previous, known = line.gap(index), line.lows[index - 1], known_names()
    return (
        gap == " "
        or (gap == ". " and (previous in cues.titles or _INITIALS.fullmatch(previous) is not None))
        or (gap == ", " and line.lows[index] in known.legal_forms)
        or (gap == " & " and previous not in known.given)
    )


def _opening(line: _Line, index: int, end: int) -> int:
    """Return the start of a name, without a first word capitalised only because it starts the sentence."""
    low, known = line.lows[index], known_names()
    if not line.capitals.get(index) or (low in known.named and low not in known.ambiguous) or end - index == 1:
        return index
    return index + 1 if line.lows[index + 1] in known.given and low not in known.parts else index


# ------------------------------------------------------------------------------------ what a name names

_VERSION = re.compile(r"v?\d+(?:\.\d+)+|v\d+")
_VOWEL = re.compile(r"[aeiouy]")
_OF = frozenset("of the from with von der die el la de".split())
_WEAK = frozenset("for by en à para bei für".split())


def _judge(run: _Run) -> str:
    """Return the type of the name in `run`; empty if it is none."""
    kinds = (evidence(run) for evidence in _EVIDENCE)
    return next((kind for kind in kinds if kind is not None), "")


def _lower_case(run: _Run) -> str | None:
    """Return the type of a lower-case listed name; some need support from the word before."""
    last, cues = run.last, run.cues
    kind = known_names().kinds.get(run.name)
    if kind == "place" and len(run.lows) == 1:
        return kind if _whereabouts(run) else None
    if kind is not None:
        return kind
    return "person" if last in cues.relations or last in cues.people else None


def _whereabouts(run: _Run) -> bool:
    """Whether the words before a name mark it as a place."""
    return run.last in run.cues.places or (run.last in run.cues.ways and not run.cues.moves.isdisjoint(run.before))


def _listed(run: _Run) -> str | None:
    name, known = run.name, known_names()
    kind = known.kinds.get(name)
    if kind is None or (run.unsupported and name in known.ambiguous):
        return None
    return "person" if name in known.given and not _whereabouts(run) else kind


def _titled(run: _Run) -> str | None:
    if run.lows[0] not in run.cues.titles:
        return None
    return "person" if len(run.lows) > 1 else ""


def _headed(run: _Run) -> str | None:
    if len(run.lows) == 1:
        return None
    first, last, known = run.lows[0], run.lows[-1], known_names()
    if first in run.cues.kinds:
        return run.cues.kinds[first]
    if last in known.heads or first in known.organisation_openers:
        return "organisation"
    return "place" if known.place_heads & {first, last} else run.cues.kinds.get(last)


def _called(run: _Run) -> str | None:
    """Recognise a first name, or a name after "my sister"."""
    if run.last in run.cues.relations:
        return "person"
    name = run.lows[0]
    if name not in known_names().given:
        return None
    if run.unsupported and name in known_names().ambiguous and run.after not in run.cues.speech:
        return ""
    return "person"


def _kept_beside(run: _Run) -> str | None:
    """Recognise a name beside a common noun: "the Falcon project", "project Falcon"."""
    kinds = run.cues.kinds
    return kinds.get(run.last) or (None if run.unsupported else kinds.get(run.after))


def _branded(run: _Run) -> str | None:
    """Recognise a maker's product, a name with a version, CamelCase."""
    first = run.words[0]
    if _VERSION.fullmatch(run.after) or (
        len(run.lows) > 1 and known_names().kinds.get(run.lows[0]) in {"product", "organisation"}
    ):
        return "product"
    if len(run.lows) > 1 or not _CAMEL.match(first) or _SURNAME.match(first):
        return None
    return "product"


def _acronym(run: _Run) -> str | None:
    word = run.words[0]
    if len(run.lows) > 1 or not word.isupper():
        return None
    supported = run.gap.endswith("(") or run.last in run.cues.employers or run.last in _OF
    supported = supported or not _VOWEL.search(run.lows[0])
    return "organisation" if supported and 1 < len(word) < 7 else ""


def _employing(run: _Run) -> str | None:
    if run.last not in run.cues.employers or (run.last in _WEAK and run.cues.works.isdisjoint(run.before)):
        return None
    return "organisation"


def _common_noun(run: _Run) -> str | None:
    """Refuse a noun in a language that capitalises all nouns, unless it is marked as a place."""
    return "" if run.cues.nouns and not _whereabouts(run) else None


def _placed(run: _Run) -> str | None:
    return "place" if _whereabouts(run) else None


def _used(run: _Run) -> str | None:
    return "product" if run.last in run.cues.tools else None


def _spoken_to(run: _Run) -> str | None:
    if run.after in run.cues.speech:
        return "person"
    return "person" if run.last in run.cues.people else None


def _otherwise(run: _Run) -> str | None:
    return "" if run.unsupported else "thing"


#: The tests for the type of a capitalised name, the most reliable first. None: undecided; "": not a name.
_EVIDENCE: tuple[Callable[[_Run], str | None], ...] = (
    _listed, _titled, _headed, _called, _kept_beside, _branded, _acronym, _employing, _common_noun, _placed, _used,
    _spoken_to, _otherwise,
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ aliases


def _with_aliases(text: str, mentions: list[Mention]) -> list[Mention]:
    """Merge a mention into the one before it if the text gives it as another name of that."""
    named: list[Mention] = []
    for mention in mentions:
        if named and _renames(text, named[-1], mention):
            kind = mention.type if named[-1].type == "thing" else named[-1].type
            named[-1] = replace(named[-1], type=kind, aliases=(*named[-1].aliases, mention.name))
        else:
            named.append(mention)
    return named


def _renames(text: str, first: Mention, second: Mention) -> bool:
    match = sign("alias").fullmatch(text, first.end, second.start)
    if match is None or "quantity" in {first.type, second.type}:
        return False
    if match["short"] is not None:
        return sign("short").match(text, second.end) is not None
    if match["bracket"] is None:
        return True
    if not text.startswith((")", "\uff09"), second.end):
        return False
    return _initials(first.name, second.name) or (first.type == second.type != "place")


def _initials(first: str, second: str) -> bool:
    """Whether one name consists of the initials of the other's words."""
    short, long = sorted((first, second), key=len)
    letters = "".join(word[0] for word in long.split() if word[0].isupper())
    return len(letters) > 1 and short.replace(".", "").upper() == letters
