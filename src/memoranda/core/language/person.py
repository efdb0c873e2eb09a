"""Turn a statement about somebody back into what that person would say, so that the rules can read it.

What the person said and what is told of them alike then has the same wording, attribute and value, and is merged or
settled as usual. Per language a table says how somebody is named, and how the verbs behind the name go in the first
person; a verb is known by being a cue of the rules then, so "the average user prefers" is told of nobody.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.grammar import compiled
from memoranda.core.language.pack import NEVER
from memoranda.core.text.packs import expanded, made, regex
from memoranda.languages import read

#: Languages whose words are compared by their stems alone, because claims in them are always retold.
RETOLD = ("en",)
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retelling:
    """How a language speaks about somebody in the third person.

    Attributes:
        opening: pattern of the beginning → what the person says instead; the first that matches is used. If that ends
            in a blank, a verb must follow.
        owned: the same for what begins with something of theirs; verbs and pronouns behind it are not theirs then.
        within: pattern in what follows → what the person says instead; all are applied.
        referring: the same for pronouns that could mean somebody else of whom the statement is.
        again: macros for what the person is called in a sentence after one about them.
        joint: what stands before another verb of theirs, and `aside` what may stand between.
        verbs: third person → first, `endings`: pattern of such a form → its first person, if that is a cue of a rule.
        sentences: attribute → sentence with `{who}` and `{value}`.
        macros: named pieces of the patterns, which may use those before; `who` matches what the user is called.
    """

    opening: Mapping[str, str]
    owned: Mapping[str, str]
    within: Mapping[str, str] = field(default_factory=dict)
    referring: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str]
    joint: str = NEVER
    aside: str = NEVER
    verbs: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    macros: Mapping[str, str]


@cache
def retelling(language: str) -> Retelling:
    """Return the table of a language, read on first use.

    Raises:
        FormatError: the file has an unknown entry or lacks one.
    """
    return made(Retelling, read(f"{language}/claims"), _where(language))


def first_person(text: str, language: str, who: str | None = None) -> str | None:
    """Return `text` as the person it is about would say it; None if it does not begin with them.

    Args:
        text: a statement in the third person, in one of the languages that have a pack.
        language: its language.
        who: the name of the person; the user by default.
    """
    return _teller(language, who).told(text)[0]


def retold(text: str, language: str, *, own: bool) -> str:
    """Return a text with each sentence about the user as the user would say it.

    Others stay as they are; but if the text is not the user's `own`, those in the first person are masked.
    """
    said, goes_on = [], False
    for sentence in _SENTENCE.findall(text.replace("\u2019", "'")):
        first, theirs = _teller(language).told(sentence)
        if first is None and goes_on:
            first, theirs = _teller(language, again=True).told(sentence)
        goes_on = first is not None and theirs
        others = first is None and not own and compiled(language).persons.search(sentence)
        said.append(MASK * len(sentence) if others else first or sentence)
    return "".join(said)


def sentence_for(attribute: str, value: str, language: str, who: str = "User") -> str:
    """Return a sentence that gives the value of an attribute of `who`, in English if the language has no table."""
    table = retelling(language if language in RETOLD else RETOLD[0])
    if attribute not in table.sentences:
        return f"{who}'s {attribute.replace('.', ' ').replace('_', ' ')}: {value}"
    return table.sentences[attribute].format(who=who, value=value)


class _Teller:
    """The table of a language, compiled for one way of naming the person."""

    def __init__(self, language: str, macros: Mapping[str, str]) -> None:
        table = retelling(language)
        self._grammar, self._where, self._verbs = compiled(language), _where(language), table.verbs
        self._macros: dict[str, str] = {}
        for name, pattern in {**table.macros, **macros}.items():
            self._macros[name] = expanded(pattern, self._macros, self._where)
        self._openings, self._owned = self._patterns(table.opening), self._patterns(table.owned)
        self._within, self._referring = self._patterns(table.within), self._patterns(table.referring)
        self._endings = self._patterns(table.endings)
        self._verb = regex(rf"(^|{table.joint})((?:(?:{table.aside}) )*)([^\W\d_][\w']*)", self._where, re.IGNORECASE)

    def told(self, text: str) -> tuple[str | None, bool]:
        """Return what the person says, None if the text does not begin with them; and whether it is of themselves."""
        lead = self._grammar.lead.match(text)
        begin = lead.end() if lead else 0
        for theirs, patterns in ((False, self._owned), (True, self._openings)):
            for pattern, said in patterns:
                if begun := pattern.match(text, begin):
                    opened, rest = begun.expand(said), text[begun.end() :]
                    if opened[-1:] == " " and theirs and self._first(self._verb.match(rest)) is None:
                        return None, False
                    return f"{text[:begin]}{self._rest(opened, rest, theirs=theirs)}".lstrip(), theirs
        return None, False

    def _rest(self, opened: str, rest: str, *, theirs: bool) -> str:
        """Return the opening and what follows it; its verbs in the first person, if they are `theirs`."""
        if theirs:
            begin = 0 if opened[-1:] == " " else 1
            rest = rest[:begin] + self._verb.sub(lambda one: self._first(one) or one[0], rest[begin:])
        whole = opened + rest
        for inner, mine in (*self._within, *self._referring * theirs):
            whole = inner.sub(mine, whole)
        return whole

    def _first(self, found: re.Match[str] | None) -> str | None:
        """Return a verb, with what stands before it, in the first person; None if it is none that the rules know."""
        word = found[3].lower() if found else ""
        if found is None or not found[3][:1].islower():
            return None
        matches = ((ending.fullmatch(word), first) for ending, first in self._endings)
        known = (ended.expand(first) for ended, first in matches if ended)
        said = self._verbs.get(word) or next((one for one in known if one in self._grammar.cues), None)
        return f"{found[1]}{found[2]}{said}" if said else None

    def _patterns(self, pairs: Mapping[str, str]) -> "_Patterns":
        return tuple(
            (regex(expanded(pattern, self._macros, self._where), self._where, re.IGNORECASE), said)
            for pattern, said in pairs.items()
        )


_Patterns = tuple[tuple[re.Pattern[str], str], ...]


@lru_cache(256)
def _teller(language: str, who: str | None = None, *, again: bool = False) -> _Teller:
    return _Teller(language, retelling(language).again if again else {"who": re.escape(who)} if who else {})


def _where(language: str) -> str:
    return f"languages/{language}/claims.toml"
