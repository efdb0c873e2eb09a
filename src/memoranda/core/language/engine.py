"""Inline extraction: from what somebody says to the statements worth remembering, without a model.

    text → own words (screen) → sentences → clauses → rules that have a cue in the sentence → statements

A sentence that asks, supposes, reports or holds a secret is dropped as a whole or from that point on: a missed
statement costs a little recall, a wrong memory costs trust. Work per sentence is bounded, so time is linear in the
text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memoranda.core.language.attributes import LISTED, RULED, SHARED, is_single_valued, named_by, path_part
from memoranda.core.language.grammar import Grammar, Matcher, grammar_of, spans_of
from memoranda.core.language.names import fits
from memoranda.core.language.pack import Rule
from memoranda.core.language.pasted import MASK
from memoranda.core.language.persons import Persons
from memoranda.core.language.screen import own_words, restored, sentences, stated
from memoranda.core.rows.statements import Statement, TimeRef

_VARIANTS = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)(\+?)\}")
_PREPOSITION = len(" by ")
_RECURRING = frozenset({"set", "minute", "hour", "part"})
_SPACES = re.compile(r"\s+")
_BLANK = re.compile(r" +(?= )")  # left by removed words
_EDGES = " \t*_-\u2013\u2014"
_QUOTES = "\"'\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d`"


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
    reader = _Reader(grammar, _Wording(grammar, times, speaker), Persons(grammar))
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


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause, with its subject put in front if that is only understood.

    Attributes:
        words: the clause; `begin`: where it starts after its lead-in; `shift`: from its offsets to those of the text.
        said: where the words really said start.
        opened: the offset in the text of its lead-in, or of a previous clause that is only a time.
        opens: whether the sentence has had no subject so far; tracked only if a rule needs it.
        subject: the groups of the pack's subject pattern; `after`: where the subject ends.
        kept: what the next clause may leave out, by how it is joined: the subject, or the subject with its copula.
        given: the condition that came before in the sentence.
        described: whether the next clause shares its subject and copula.
        unsaid: the text for a clause that is over or not so, after the words that say so were removed; they began at
            `denied`.
        correcting: what was said before is taken back.
    """

    words: str
    begin: int
    shift: int
    said: int
    opened: int
    opens: bool
    subject: dict[str, str]
    after: int
    kept: dict[str, str]
    given: str
    described: bool = False
    unsaid: str = ""
    denied: int = 0
    correcting: bool = False


def _overlaps(taken: Iterable[tuple[int, int]], begin: int, end: int) -> bool:
    return any(begin < other_end and other_begin < end for other_begin, other_end in taken)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Puts what a rule found in a clause into a statement."""

    grammar: Grammar
    times: Iterable[TimeRef]
    speaker: str | None

    def of(self, matcher: Matcher, found: re.Match[str], clause: _Clause, at: tuple[int, int]) -> Statement | None:
        grammar, pack, rule = self.grammar, self.grammar.pack, matcher.rule
        (begin, end), last = at, found.end()
        groups = {"given": clause.given} | {name: found.string[slice(*span)] for name, span in spans_of(found).items()}
        said = grammar.trim.sub("", clause.words[begin:end]).strip(_EDGES)
        ruled = rule.attribute in RULED
        value = topic = said * (MASK not in said) if ruled else self._value(said, clause.shift + begin)
        instructs = ruled or (rule.attribute or "").startswith("instruction.")
        cut_short = clause.words[end : end + 2].lstrip().startswith(MASK)
        if not value or cut_short or (not instructs and grammar.hollow.search(value)):
            return None
        if not fits(rule.attribute, groups, value, clause.words, described=clause.described):
            return None
        phrase = self._phrase(clause, max(end, last))
        who = clause.subject if matcher.subjects else groups
        subject, called = self._subject(who, personal="me" in matcher.subjects)
        denied = "neg" in groups
        ended = "ended" in groups or (denied and grammar.no_longer.search(clause.words, begin) is not None)
        ended, denied = ended or clause.unsaid == pack.no_longer_so, denied or clause.unsaid == pack.not_so
        if ("besides" in groups and (denied or ended)) or ({"ended", "past"} & groups.keys() and clause.unsaid):
            return None
        past = "past" in groups or (rule.polarity < 0 and (ended or clause.unsaid != ""))  # "not hated" is not liked
        wordings = (3, 1) if ended else (2,) if past else (1,) if denied else (0,)
        if denied and not ended and (self._sometimes(clause, begin) or (rule.means and phrase)):
            return None
        if denied or ended or past:
            narrowed, phrase = self._narrowing(clause, begin, max(end, last), None if denied and not ended else phrase)
            if narrowed is not None:
                value = f"{grammar.articles.sub('', said, count=1) if grammar.articles.match(said) else said}{narrowed}"
        first, last = clause.said + clause.shift, max(last, end) + len(phrase) + clause.shift
        near = [time for time in self.times if time.start < last and clause.opened < time.end]
        when = next((time for time in near if first < time.end), next(iter(near), None))
        value = f"{groups['how'].lower()} {value}" if ruled and "how" in groups else value  # "never" is what it says
        if "planned" in groups and (when is None or when.relation != "future"):
            return None
        attribute = self._attribute(rule, groups, topic)
        passes = rule.temporal == "current" and not (denied or ended or past)
        passes &= self._beside(attribute or "", clause.words[:begin], when) or self._passes(
            rule, clause.words[: last - clause.shift], when, value
        )
        ahead = when is not None and when.relation == "future" and (rule.kind == "plan" or passes)
        text = self._text(rule, groups, wordings, called, said, phrase)
        return Statement(
            kind=rule.kind,
            category=rule.category,
            text=clause.unsaid.format(text=text) if clause.unsaid and "[" not in rule.text else text,
            subject=subject,
            attribute=attribute,
            value=rule.means or restored(_SPACES.sub(" ", value) if clause.unsaid else value),
            polarity=-rule.polarity if (denied or ended) and not past else rule.polarity,
            certainty=self._certainty(rule, clause.words[:begin]),
            temporal="past" if past else "future" if ahead else "temporary" if passes else rule.temporal,
            correction=rule.correction or clause.correcting or ended,
            when=when,
            importance=rule.importance,
            rule=f"{pack.language}:{rule.name}",
            start=first,
            end=last,
        )

    def _phrase(self, clause: _Clause, end: int) -> str:
        """Return the time phrase after a value, which the statement keeps; a preposition may precede it.

        After a comma or an "and" it belongs to the next clause, unless it says since or until when.
        """
        after = self.grammar.time.match(clause.words, end)
        stop = after.end() if after else end
        for time in self.times:
            begin = time.start - clause.shift
            open_ended = (time.begin is None) != (time.until is None)
            continues = open_ended or not self.grammar.joints.search(clause.words, stop, begin)
            if continues and end <= begin <= stop + _PREPOSITION:
                stop = max(stop, min(time.end - clause.shift, len(clause.words)))
        return clause.words[end:stop]

    def _beside(self, attribute: str, before: str, when: TimeRef | None) -> bool:
        """Whether a value leaves another in force: "I also work at Acme", "I work at Acme on Sundays"."""
        if attribute in SHARED and self.grammar.beside.search(before):
            return True
        return when is not None and when.grain == "set" and is_single_valued(attribute)

    def _passes(self, rule: Rule, words: str, when: TimeRef | None, value: str) -> bool:
        """Whether a match holds for a time only: "I'm living in Oslo this month", not "I moved this month"."""
        if not _VARIANTS.search(rule.text) or (when is not None and when.text in value):
            return False
        return self.grammar.passing.match(f"{words} {when.text if when else ''}") is not None

    def _narrowing(self, clause: _Clause, begin: int, end: int, dated: str | None) -> tuple[str | None, str]:
        """Return what limits a denial ("I don't eat meat on Fridays", "… any more at home"), and the phrase to keep.

        `dated` is the time phrase after an ended value, which says since when, unless it names a recurring time. The
        first result is None if nothing limits the denial.
        """
        first, last = clause.shift + begin, clause.shift + end + len(dated or "") + _PREPOSITION
        recurs = any(time.grain in _RECURRING and first <= time.start <= last for time in self.times)
        since = "" if dated is None or recurs else dated
        blank = _BLANK.match(clause.words, end + len(since))
        found = self.grammar.narrows.match(clause.words, blank.end() if blank else end + len(since))
        narrowed = self.grammar.trim.sub("", found[0]) if found else ""
        return (narrowed if narrowed or dated is None or recurs else None), since + narrowed

    def _sometimes(self, clause: _Clause, begin: int) -> bool:
        """Whether a bounded time precedes a denied value: "on Fridays I don't eat meat"."""
        begins, ends = clause.opened, clause.shift + begin
        return any(begins <= time.start < ends and (time.begin is None) == (time.until is None) for time in self.times)

    def _value(self, said: str, start: int) -> str:
        """Return the words at offset `start` without article and time; empty if they say nothing by themselves."""
        grammar = self.grammar
        value = said
        for time in self.times:
            if start < time.start < start + len(said) <= time.end:
                value = grammar.dangling.sub("", said[: time.start - start].rstrip())
        value = grammar.time_at_end.sub("", value)
        if not value[-1:].isalpha() or grammar.dangling.search(value):
            value = said
        if article := grammar.articles.match(value):
            value = value[article.end() :]
        value = value.strip(_EDGES)
        if value[:1] in _QUOTES and value[-1:] in _QUOTES:
            value = value.strip(_QUOTES)
        if MASK in value or grammar.empty.fullmatch(value) or grammar.dangling.search(value):
            return ""
        return value

    def _subject(self, groups: dict[str, str], *, personal: bool) -> tuple[str, str]:
        """Return who a statement is about, and what its text calls them: ("Anna", "User's sister Anna")."""
        pack = self.grammar.pack
        owner, speaker = self.speaker or pack.user, self.speaker or "user"
        if not personal and not groups.keys().isdisjoint({"we", "team"}):
            return speaker, pack.possessive.format(owner=owner, thing=pack.team)
        kin, name = groups.get("kin"), groups.get("called")
        if not kin:
            return name or speaker, name or owner
        relative = pack.possessive.format(owner=owner, thing=(" " * pack.spaced).join(filter(None, (kin, name))))
        return (name or pack.possessive.format(owner=speaker, thing=kin), relative)

    def _text(
        self, rule: Rule, groups: dict[str, str], wordings: Sequence[int], called: str, said: str, phrase: str
    ) -> str:
        pack = self.grammar.pack

        def variant(found: re.Match[str]) -> str:
            choices = found[1].split("|")
            return next((choices[wording] for wording in wordings if wording < len(choices)), choices[0])

        def fill(found: re.Match[str]) -> str:
            if found[1] == "S":
                return called
            if found[1] == "user":
                return self.speaker or pack.user
            if found[1] == "value":
                return self._third_person(said)
            word = groups.get(found[1]) or ""
            return (found[2] and pack.forms.get(word.casefold())) or self._third_person(word)

        text = _SLOT.sub(fill, _VARIANTS.sub(variant, rule.text)) + self._third_person(phrase)
        for wrong, right in self.grammar.agreement:
            text = wrong.sub(right, text)
        text = _SPACES.sub(" ", restored(text)).strip()
        return f"{text[:1].upper()}{text[1:]}{pack.full_stop}"

    def _third_person(self, words: str) -> str:
        persons = {"US": "US", **self.grammar.pack.persons}
        return self.grammar.persons.sub(lambda one: persons.get(one[0]) or persons.get(one[0].lower(), one[0]), words)

    def _attribute(self, rule: Rule, groups: dict[str, str], value: str) -> str | None:
        if rule.attribute is None:
            return None

        def fill(found: re.Match[str]) -> str:
            word = groups.get(found[1])
            if found[1] == "topic" and not word:
                head = self.grammar.head.search(value)
                word = head["head"] if head else value
            return path_part(word or "", self.grammar.pack.canon)

        return _SLOT.sub(fill, rule.attribute)

    def _certainty(self, rule: Rule, before: str) -> str:
        return next((certainty for certainty, hedge in self.grammar.hedges if hedge.search(before)), rule.certainty)


@dataclass(slots=True)
class _Reader:
    """Reads the sentences of one text in order.

    Attributes:
        correcting: the last one took something back and stated nothing itself.
        persons: who was mentioned so far.
    """

    grammar: Grammar
    wording: _Wording
    persons: Persons
    correcting: bool = False

    def read(self, sentence: str, start: int, asks: bool) -> Iterator[Statement]:
        """Yield the statements of the sentence that starts at offset `start`."""
        yield from self._stated(sentence, start, asks)
        self.persons.passed(sentence)

    def _stated(self, sentence: str, start: int, asks: bool) -> Iterator[Statement]:
        grammar = self.grammar
        correcting = grammar.corrections.match(sentence) is not None
        candidates, wary = grammar.cued(sentence)
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

    def _clause(self, words: str, kept: str, shift: int, *, opens: bool, first: bool, given: str) -> _Clause:
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
            return _Clause(words, begin, shift, said, opened, opens, {}, begin, left_out, given)
        after = spoken.start("be") if spoken["be"] else spoken.end()
        groups = {name: group for name, group in spoken.groupdict().items() if group}
        kept_next = {"verb": f"{words[begin:after]} ", "be": f"{spoken[0]} "}
        return _Clause(words, begin, shift, said, opened, opens, groups, after, kept_next, given)

    def _read(self, clause: _Clause, matchers: list[Matcher], *, denies: bool) -> list[Statement]:
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

    def _bare(self, clause: _Clause) -> Iterator[_Clause]:
        """Yield the clause without the words that say it is over or not so, once for each pattern that matches."""
        for pattern, instead, told in self.grammar.denials:
            found = pattern.match(clause.words, clause.after if clause.subject else clause.begin)
            if found is not None:
                words = clause.words
                for number, (begin, end) in enumerate(found.regs[1:]):
                    words = words[:begin] + ("" if number else instead).ljust(end - begin) + words[end:]
                begin = clause.begin + len(words[clause.begin :]) - len(words[clause.begin :].lstrip())
                yield replace(clause, words=words, begin=begin, unsaid=told, denied=found.start(1))

    def _match(self, clause: _Clause, matchers: list[Matcher], *, denied: bool = False) -> Iterator[Statement]:
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
        self, matcher: Matcher, clause: _Clause, found: re.Match[str], parts: list[tuple[int, int]]
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
        self, matcher: Matcher, clause: _Clause, found: re.Match[str], part: tuple[int, int], whole: int
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
