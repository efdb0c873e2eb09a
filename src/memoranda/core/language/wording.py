"""The wording of statements: what a rule found in a clause becomes a statement in the third person."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoranda.core.language.attributes import RULED, SHARED, is_single_valued, path_part
from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.force.screen import restored
from memoranda.core.language.grammar import Grammar, Matcher, spans_of
from memoranda.core.language.names import fits
from memoranda.core.language.pack import Rule
from memoranda.core.rows.statements import Statement, TimeRef

_VARIANTS = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)(\+?)\}")
_PREPOSITION = len(" by ")
_GROUP = frozenset({"we", "team"})
_RECURRING = frozenset({"set", "minute", "hour", "part"})
_SPACES = re.compile(r"\s+")
_BLANK = re.compile(r" +(?= )")  # left by removed words
_EDGES = " \t*_-\u2013\u2014"
_QUOTES = "\"'\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d`"


@dataclass(frozen=True, slots=True)
class Clause:
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


@dataclass(frozen=True, slots=True)
class Wording:
    """Puts what a rule found in a clause into a statement."""

    grammar: Grammar
    times: Iterable[TimeRef]
    speaker: str | None

    def of(self, matcher: Matcher, found: re.Match[str], clause: Clause, at: tuple[int, int]) -> Statement | None:
        """Return what a match of a rule in a clause states with the value at some offsets; None for nothing."""
        grammar, pack, rule = self.grammar, self.grammar.pack, matcher.rule
        begin, end = at
        groups, last = self._groups(found, clause, end)
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
        subject, called = self._subject(who, personal="me" in matcher.subjects and not rule.ours)
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
        attribute = self._attribute(rule, who, groups, topic)
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
            passing=passes,
            temporal="past" if past else "future" if ahead else "temporary" if passes else rule.temporal,
            correction=rule.correction or clause.correcting or ended or "changed" in groups,
            when=when,
            importance=rule.importance,
            rule=f"{pack.language}:{rule.name}",
            start=first,
            end=last,
        )

    @staticmethod
    def _groups(found: re.Match[str], clause: Clause, end: int) -> tuple[dict[str, str], int]:
        """Return the groups of a match with a value that ends at `end`, and its end; a denied purpose is a limit."""
        groups = {"given": clause.given} | {name: found.string[slice(*span)] for name, span in spans_of(found).items()}
        if "purpose" in groups and (clause.unsaid or {"neg", "ended"} & groups.keys()):
            del groups["purpose"]
            return groups, end
        return groups, found.end()

    def _phrase(self, clause: Clause, end: int) -> str:
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

    def _narrowing(self, clause: Clause, begin: int, end: int, dated: str | None) -> tuple[str | None, str]:
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

    def _sometimes(self, clause: Clause, begin: int) -> bool:
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
        if not personal and not groups.keys().isdisjoint(_GROUP):
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

    def _attribute(self, rule: Rule, who: dict[str, str], groups: dict[str, str], value: str) -> str | None:
        path = rule.attribute if who.keys().isdisjoint(_GROUP) else rule.ours or rule.attribute
        if path is None:
            return None

        def fill(found: re.Match[str]) -> str:
            word = groups.get(found[1])
            if found[1] == "topic" and not word:
                head = self.grammar.head.search(value)
                word = head["head"] if head else value
            return path_part(word or "", self.grammar.pack.canon)

        return _SLOT.sub(fill, path)

    def _certainty(self, rule: Rule, before: str) -> str:
        return next((certainty for certainty, hedge in self.grammar.hedges if hedge.search(before)), rule.certainty)
