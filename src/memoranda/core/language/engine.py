"""Inline extraction: from what somebody says to the statements worth remembering, without a model.

    text → own words (screen) → sentences → clauses → rules that have a cue in the sentence → statements

A sentence that asks, supposes, reports or holds a secret is dropped as a whole or from that point on: a missed
statement costs a little recall, a wrong memory costs trust. Work per sentence is bounded, so time is linear in the
text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from memoranda.core.language.attributes import LISTED, is_single_valued, named_by
from memoranda.core.language.force.screen import own_words, sentences, stated
from memoranda.core.language.grammar import Grammar, Matcher, grammar_of, spans_of
from memoranda.core.language.persons import Persons
from memoranda.core.language.wording import Clause, Wording
from memoranda.core.rows.statements import Statement, TimeRef


def extract(
    text: str,
    *,
    times: Iterable[TimeRef] = (),
    language: str = "en",
    role: str = "user",
    speaker: str | None = None,
    played: bool = False,
) -> list[Statement]:
    """Return what a turn states about its speaker and the speaker's people, business and projects, in text order.

    Args:
        text: one turn, of any length; never raises, whatever the text.
        times: the time expressions in it, for `Statement.when`; read only if something is stated.
        language: which pack reads it; a language without a pack yields nothing.
        role: who speaks; only users are read, unless the speaker is named.
        speaker: the speaker's name, in conversations between people; statements are then about that name.
        played: whether play goes on when it begins, of which nothing is stated (`core.language.force.played`).
    """
    grammar = grammar_of(language)
    if grammar is None or (role != "user" and speaker is None):
        return []
    plain = own_words(text, grammar, played=played)
    reader = _Reader(grammar, Wording(grammar, times, speaker), Persons(grammar))
    found: dict[tuple[str, str], Statement] = {}
    told = 0
    for start, end, asks in sentences(plain, grammar):
        if grammar.material.match(plain, start, end):
            break
        if grammar.joking.match(plain, start, end):
            found = dict([*found.items()][:told])
        told = len(found)
        for statement in reader.read(plain[start:end], start, asks):
            found.setdefault((statement.rule, statement.text), statement)
    return [] if found and grammar.pasted.search(plain) else list(found.values())


def _overlaps(taken: Iterable[tuple[int, int]], begin: int, end: int) -> bool:
    return any(begin < other_end and other_begin < end for other_begin, other_end in taken)


@dataclass(slots=True)
class _Reader:
    """Reads the sentences of one text in order.

    Attributes:
        correcting: the last one took something back and stated nothing itself.
        persons: who was mentioned so far.
    """

    grammar: Grammar
    wording: Wording
    persons: Persons
    correcting: bool = False

    def read(self, sentence: str, start: int, asks: bool) -> Iterator[Statement]:
        """Yield the statements of the sentence that starts at offset `start`."""
        yield from self._stated(sentence, start, asks)
        self.persons.passed(sentence)

    def _stated(self, sentence: str, start: int, asks: bool) -> Iterator[Statement]:
        grammar = self.grammar
        correcting = grammar.corrections.match(sentence) is not None
        sentence = grammar.repaired(sentence)
        candidates, wary = grammar.cued(sentence)
        sentence = grammar.straightened(sentence) if candidates else sentence
        sentence, ahead = grammar.reminded(sentence) if candidates else (sentence, 0)
        if candidates and wary:
            candidates = self._allowed(candidates, sentence)
        words = stated(sentence, grammar, asks=asks, wary=wary) if candidates else ""
        start += ahead
        read = list(self._clauses(words, start, candidates, correcting or self.correcting, wary=wary)) if words else []
        found = read != [] and not grammar.secrets.search(sentence)
        yield from read if found else ()
        self.correcting = correcting and not found

    def _allowed(self, cued: list[Matcher], sentence: str) -> list[Matcher]:
        """Return those of the cued rules that may hold in a sentence."""
        grammar = self.grammar
        if grammar.hypothetical.search(sentence) or grammar.retracts.search(sentence):
            return []
        if not grammar.condition.search(sentence):
            return cued
        supposed = grammar.supposed.search(sentence) is not None
        return [matcher for matcher in cued if matcher.rule.conditional and not supposed]

    def _clauses(
        self, sentence: str, start: int, matchers: list[Matcher], correcting: bool, *, wary: bool
    ) -> Iterator[Statement]:
        """Read clause by clause: "I like tea and hate coffee" is two, and the second has the subject of the first."""
        grammar = self.grammar
        denies = grammar.denying.search(sentence.lower()) is not None
        before, timed = self.persons.heard, -1
        begin, kept, given, opens = 0, "", "", any(matcher.rule.opening for matcher in matchers)
        cuts = grammar.cuts.finditer(sentence) if grammar.joints.search(sentence.lower()) else ()
        parts = [(cut.start(), cut.end(), cut.lastgroup or "") for cut in cuts]
        for stop, resume, joint in [*parts, (len(sentence), len(sentence), "")]:
            self.persons.heard = f"{before}; {sentence[:begin]}"
            clause = self._clause(sentence[begin:stop], kept, start + begin, opens=opens, first=begin == 0, given=given)
            if joint == "be" and "be" not in clause.subject:
                continue
            opened = timed if timed >= 0 else clause.opened
            clause = replace(clause, opened=opened, described=joint == "be", correcting=correcting)
            supposed = wary and grammar.supposed.search(clause.words) is not None
            statements = [] if supposed else self._read(clause, matchers, denies=denies)
            yield from statements
            self.persons.remember(statements)
            if joint == "relative":
                goes_on = "be" in clause.subject and grammar.predicate.fullmatch(clause.words, clause.after)
                kept = self.persons.mentioned(clause.words, last=True) or (clause.kept["verb"] if goes_on else "")
            else:
                kept = (
                    clause.kept.get(joint, "")
                    if statements or grammar.leaves(clause.words, clause.after, joint)
                    else ""
                )
            bare = not clause.subject and not statements and stop < len(sentence)
            timed = clause.opened if bare and grammar.lead.fullmatch(f"{clause.words}, ") else -1
            if wary and grammar.condition.match(clause.words, clause.begin):
                given = f"{clause.words[clause.begin :]}, "
            else:
                opens = opens and (
                    ":" in sentence[stop:resume] or not grammar.somebody.search(clause.words, clause.begin)
                )
            begin = resume

    def _clause(self, words: str, kept: str, shift: int, *, opens: bool, first: bool, given: str) -> Clause:
        grammar, opened = self.grammar, shift
        begin = 0
        if not kept and (lead := grammar.lead.match(words)):
            begin = lead.end()
            if begin and (turned := grammar.inverted.match(words, begin)):
                straight = f"{turned['who']} {turned['verb']}".ljust(len(turned[0]))
                words = f"{words[:begin]}{straight}{words[turned.end() :]}"
        if last := grammar.verb_last.match(words, begin):
            words = f"{words[:begin]}{last['who']} {last['verb']} {last['rest']}{words[last.end() :]}"
        if not kept:
            kept, end = self.persons.resolved(words, begin)
            if kept:
                words, shift, begin = words[end:], shift + end, 0
        elif words.startswith("'"):
            kept = kept.rstrip()
        spoken = grammar.subject.match(kept + words, begin)
        if not spoken and first:
            kept = next((subject for subject, start in grammar.understood if start.match(words, begin)), "")
            if kept:
                words, shift, begin = words[begin:], shift + begin, 0
                spoken = grammar.subject.match(kept + words)
        words, shift, said = kept + words, shift - len(kept), max(begin, len(kept))
        if not spoken:
            left_out = {} if grammar.pack.spaced else {"verb": grammar.understood[0][0]}
            return Clause(words, begin, shift, said, opened, opens, {}, begin, left_out, given)
        after = spoken.start("be") if spoken["be"] else spoken.end()
        groups = {name: group for name, group in spoken.groupdict().items() if group}
        kept_next = {"verb": f"{words[begin:after]} ", "be": f"{spoken[0]} "}
        return Clause(words, begin, shift, said, opened, opens, groups, after, kept_next, given)

    def _read(self, clause: Clause, matchers: list[Matcher], *, denies: bool) -> list[Statement]:
        """Return what a clause states; if it says that something is not so and no rule matches, read it as a denial.

        What precedes a separate denial still holds: "I live in Linz and don't drive".
        """
        stop = self.grammar.denies_apart(clause.words, max(clause.begin, clause.after)) if denies else None
        if stop and (read := self._read(replace(clause, words=clause.words[:stop]), matchers, denies=True)):
            return read
        bare = list(self._bare(clause)) if denies else ()
        read = list(self._match(clause, matchers, denied=bool(bare)))
        for item in bare:
            read = read or list(self._match(item, matchers))
        return read

    def _bare(self, clause: Clause) -> Iterator[Clause]:
        """Yield the clause without the words that say it is over or not so, once for each pattern that matches."""
        for pattern, instead, told in self.grammar.denials:
            found = pattern.match(clause.words, clause.after if clause.subject else clause.begin)
            if found is not None:
                words = clause.words
                for number, (begin, end) in enumerate(found.regs[1:]):
                    words = words[:begin] + ("" if number else instead).ljust(end - begin) + words[end:]
                begin = clause.begin + len(words[clause.begin :]) - len(words[clause.begin :].lstrip())
                yield replace(clause, words=words, begin=begin, unsaid=told, denied=found.start(1))

    def _match(self, clause: Clause, matchers: list[Matcher], *, denied: bool = False) -> Iterator[Statement]:
        """Yield what the rules read in a clause; if it is `denied`, only what holds all the same."""
        taken: list[tuple[int, int]] = []
        for matcher in matchers:
            if matcher.subjects and matcher.subjects.isdisjoint(clause.subject):
                continue
            found = matcher.match(clause.words, clause.after if matcher.subjects else clause.begin, opens=clause.opens)
            if found is None:
                continue
            spans = spans_of(found)
            begin, end = spans.get("value", (0, 0))
            if _overlaps(taken, begin, end) or (
                begin < end <= clause.said and matcher.rule.polarity > 0
            ):  # said before
                continue
            named = named_by(matcher.rule.attribute) and found.end() <= clause.denied  # "my sister Mia isn't here"
            told = replace(clause, unsaid="") if named else clause
            parts = self._parts(matcher, found.string, begin, end)
            parts = [(begin, end)] if _overlaps(taken, end, parts[-1][1]) else parts
            statements = self._items(matcher, told, found, parts)
            taken += [*statements, *((begin, one.end - clause.shift) for one in statements.values() if parts[1:])]
            holds = "instead" in spans or not denied
            yield from (one for one in statements.values() if holds or one.polarity < 0 or one.temporal == "past")

    def _parts(self, matcher: Matcher, words: str, begin: int, end: int) -> list[tuple[int, int]]:
        """Return the items of the list that a value begins, all in one if the attribute has a single value."""
        attribute, each = matcher.rule.attribute or "", matcher.rule.each
        named = named_by(attribute) != ""
        if not (each or named or attribute.partition(".")[0] in LISTED):
            return [(begin, end)]
        (_, last), *others = parts = self.grammar.listed(words, begin, end, each=each, names=named)
        if named:  # no list is a name
            return [(begin, min(end, last)), *others]
        return [(begin, parts[-1][1])] if is_single_valued(attribute) else parts

    def _items(
        self, matcher: Matcher, clause: Clause, found: re.Match[str], parts: list[tuple[int, int]]
    ) -> dict[tuple[int, int], Statement]:
        """Return what a match states of each item of a list, by where the item stands in the clause.

        If one is not read, the list is one value, so that it does not look complete; but no list is a name.
        """
        all_in_one, named = (parts[0][0], parts[-1][1]), named_by(matcher.rule.attribute)
        each = {part: self._item(matcher, clause, found, part, all_in_one[1]) for part in parts if parts[1:]}
        read = {part: one for part, one in each.items() if one}
        if len(read) == len(parts):
            return read
        for part in (parts[0],) if named else (all_in_one, spans_of(found)["value"]):
            if one := self.wording.of(matcher, found, clause, part):
                return {part: one, **(read if named else {})}
        return {}

    def _item(
        self, matcher: Matcher, clause: Clause, found: re.Match[str], part: tuple[int, int], whole: int
    ) -> Statement | None:
        """Return what a rule reads where an item of a list stands in the place of the first.

        If it is a name, all from its article on may change: "I have a cat called Luna and a dog called Rex".
        """
        (first, last), words, (begin, end) = part, clause.words, spans_of(found)["value"]
        objects = [one.start() for one in self.grammar.articles.finditer(words, clause.after, begin)]
        named, each = named_by(matcher.rule.attribute) != "", matcher.rule.each
        for at in (*objects[-1:] * named, *[begin] * (each or not named)):
            said = f"{words[:at]}{words[first:last]}{words[whole:]}"
            moved = replace(clause, words=said, shift=clause.shift + first - at, said=clause.said + at - first)
            match = matcher.match(said, clause.after if matcher.subjects else clause.begin, opens=clause.opens)
            span = spans_of(match).get("value", (0, 0)) if match else (0, 0)
            if match and at <= span[0] and at + last - first <= span[1]:
                return self.wording.of(matcher, match, moved, span)
        return self.wording.of(matcher, found, clause, part) if each and last <= end else None
