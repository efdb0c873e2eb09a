"""Coreference: the person a pronoun or a "who" refers to, mentioned just before it.

A person is remembered for one sentence only: "My brother Tom is here. He works at Bosch" says where Tom works, but a
sentence about something else in between might have been about somebody else.
"""

import re
from collections.abc import Iterable

from memoranda.core.language.attributes import named_by
from memoranda.core.language.grammar import Grammar, spans_of
from memoranda.core.rows.statements import Statement

_MORE = re.compile(r"-?\w")  # continues a name: Tom-Oliver is not Tom


class Persons:
    """The people mentioned in a text so far.

    Attributes:
        heard: the previous sentence, and the part of this one before the current clause.
    """

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._known = ""  # the person last named by a statement or referred to by a pronoun, and a trailing blank
        self._fresh = False  # whether that was in this sentence
        self._named: dict[str, str] = {}  # people by the name a statement gave; "" where two have the same name
        self.heard = ""

    def mentioned(self, words: str, *, last: bool = False) -> str:
        """Return the speaker's person mentioned last in some words, or with `last`, the one they end with.

        Empty if nobody is mentioned, a space if somebody else is.
        """
        found = list(self._grammar.person.finditer(words))
        if not found or (last and words[found[-1].end() :].strip(" ,")):
            return ""
        spans = spans_of(found[-1])
        if not spans:
            return "" if last else " "
        return self._called(**{name: words[slice(*spans.get(name, (0, 0)))] for name in ("rel", "name")})

    def remember(self, statements: Iterable[Statement]) -> None:
        """Remember the people whose names statements give."""
        for item in statements:
            if (who := named_by(item.attribute)) and item.polarity > 0:
                self._known, self._fresh = self._called(who.replace("_", " "), str(item.value)), True
                name = str(item.value)
                self._named[name] = self._known if self._named.get(name, self._known) == self._known else ""

    def resolved(self, words: str, begin: int) -> tuple[str, int]:
        """Return the person that a pronoun or known name at `begin` refers to, and where it ends; empty if none."""
        for name, person in self._named.items():
            if person and words.startswith(name, begin) and not _MORE.match(words, begin + len(name)):
                self._known, self._fresh = person, True
                return person.rstrip(), begin + len(name)
        pronouns = self._grammar.pronouns if self._grammar.pronoun.match(words, begin) else ()
        for pronoun, fits in pronouns:
            if found := pronoun.match(words, begin):
                mentioned = self.mentioned(self.heard)
                known = (self._known, mentioned) if mentioned != " " else ()
                person = next((one.rstrip() for one in known if one and fits.match(one)), "")
                if person:
                    self._known, self._fresh = f"{person} ", True
                    owned = self._grammar.pack.possessive.format(owner=person, thing="").rstrip()
                    left_out = " " if found.end() == begin and self._grammar.pack.spaced else ""
                    return f"{owned if 'own' in spans_of(found) else person}{left_out}", found.end()
        return "", begin

    def passed(self, sentence: str) -> None:
        """Move on to the next sentence."""
        self.heard, self._known, self._fresh = sentence, self._known if self._fresh else "", False

    def _called(self, rel: str, name: str) -> str:
        return f"{self._grammar.pack.mentioned.format(rel=rel, name=name).strip()} "
