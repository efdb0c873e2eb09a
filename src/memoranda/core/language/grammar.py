"""Language packs, compiled. A language is compiled on first use, not when the package is imported."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from memoranda.core.language.pack import NEVER, Pack, Rule, pack_of
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.packs import expanded, regex
from memoranda.core.text.terms import whole_words

_SUBJECTS = {
    "{S}": frozenset({"me", "kin"}),
    "{W}": frozenset({"we", "team"}),
    "{SW}": frozenset({"me", "kin", "we"}),
    "{SWT}": frozenset({"me", "kin", "we", "team"}),
}
_GROUP = re.compile(r"\(\?P<(\w+)>")
_SPACE = re.compile(r" (?![?*+])")
# In languages with spaces a clause begins after one of these; testing that first halves the time.
_BEFORE_CLAUSES = r"(?=[\s,;:\u2013\u2014(])"
_COMMA = re.compile("[,，、]")
_STOP = re.compile(r"\s*(?:[.;:!?()。；：！？（]|$)")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SAID_AGAIN = 4  # words of what is said instead, one of which is also in what is taken back
_NAMED_FIRST = re.compile(r"[A-ZÀ-Þ\d]")
_NAMED_LAST = re.compile(r"(?:[A-ZÀ-Þ][\w&.'-]*(?: [A-ZÀ-Þ][\w&.'-]*){0,4}|\d[\w.,:]*|\w+)\Z")
_PIECE = re.compile(r"[^\W_]+")


#: The entries of a pack that are a single pattern each.
_PATTERNS = """
    subject lead questions asks reports material pasted joking hypothetical retracts repair condition supposed secrets
    no_longer narrows passing beside corrections empty hollow dangling articles time head person lists item last carries
    apposed taken_up apart inverted verb_last fronted predicate reminds
    """.split()


class Matcher:
    """A rule and its patterns, compiled when first tried: most conversations touch few rules.

    Attributes:
        rule: the rule.
        subjects: which subjects it accepts; empty if its pattern covers the whole clause.
    """

    def __init__(self, rule: Rule, compiled: Callable[[str, str], re.Pattern[str]]) -> None:
        prefix = next((prefix for prefix in _SUBJECTS if rule.pattern.startswith(prefix)), "")
        self.rule = rule
        self.subjects = _SUBJECTS.get(prefix, frozenset())
        self._pattern = rule.pattern.removeprefix(prefix)
        self._compiled = compiled

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern to match, after the subject if the rule has one."""
        return self._compiled(f"[{self.rule.name}] pattern", self._pattern)

    @cached_property
    def unless(self) -> re.Pattern[str] | None:
        """The pattern that a value must not start with."""
        return self._compiled(f"[{self.rule.name}] unless", self.rule.unless) if self.rule.unless else None

    def match(self, words: str, begin: int, *, opens: bool) -> re.Match[str] | None:
        """Return the match at `begin` of a clause; `opens`: the sentence has had no subject so far."""
        if self.rule.opening and not opens:
            return None
        found = self.pattern.match(words, begin)
        if found is None or self.unless is None:
            return found
        first, last = spans_of(found).get("value", (0, 0))
        return None if self.unless.match(words[first:last]) else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """A pack ready to run: every table of patterns as one compiled pattern (see `Pack` for their meaning)."""

    pack: Pack
    rules: tuple[Matcher, ...]
    emptying: Mapping[str, Rule]
    cues: Mapping[str, tuple[int, ...]]
    subject: re.Pattern[str]
    somebody: re.Pattern[str]
    understood: tuple[tuple[str, re.Pattern[str]], ...]
    lead: re.Pattern[str]
    cuts: re.Pattern[str]
    questions: re.Pattern[str]
    asks: re.Pattern[str]
    reports: re.Pattern[str]
    material: re.Pattern[str]
    pasted: re.Pattern[str]
    joking: re.Pattern[str]
    hypothetical: re.Pattern[str]
    retracts: re.Pattern[str]
    repair: re.Pattern[str]
    condition: re.Pattern[str]
    reminds: re.Pattern[str]
    supposed: re.Pattern[str]
    wary: Callable[[str], bool]
    joints: re.Pattern[str]
    secrets: re.Pattern[str]
    hedges: tuple[tuple[str, re.Pattern[str]], ...]
    no_longer: re.Pattern[str]
    narrows: re.Pattern[str]
    passing: re.Pattern[str]
    beside: re.Pattern[str]
    denying: re.Pattern[str]
    denials: tuple[tuple[re.Pattern[str], str, str], ...]
    corrections: re.Pattern[str]
    empty: re.Pattern[str]
    hollow: re.Pattern[str]
    dangling: re.Pattern[str]
    trim: re.Pattern[str]
    articles: re.Pattern[str]
    time: re.Pattern[str]
    time_at_end: re.Pattern[str]
    head: re.Pattern[str]
    predicate: re.Pattern[str]
    person: re.Pattern[str]
    pronoun: re.Pattern[str]
    pronouns: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    lists: re.Pattern[str]
    item: re.Pattern[str]
    last: re.Pattern[str]
    carries: re.Pattern[str]
    apposed: re.Pattern[str]
    taken_up: re.Pattern[str]
    apart: re.Pattern[str]
    inverted: re.Pattern[str]
    verb_last: re.Pattern[str]
    fronted: re.Pattern[str]
    persons: re.Pattern[str]
    agreement: tuple[tuple[re.Pattern[str], str], ...]

    def cued(self, sentence: str) -> tuple[list[Matcher], bool]:
        """Return the rules with a cue in a sentence, in order, and whether something in it may forbid them."""
        lowered = sentence.lower()
        words = _WORD.findall(lowered) if self.pack.spaced else [cue for cue in self.cues if cue in lowered]
        rules = sorted({index for cue in self.cues.keys() & words for index in self.cues[cue]})
        return [self.rules[index] for index in rules], any(map(self.wary, words))

    def repaired(self, sentence: str) -> str:
        """Return a sentence with what its speaker takes back at once replaced by what they say instead.

        "I work at Acme, sorry, at Globex" becomes "I work at Globex", padded to the same length. It is taken back from
        the last word that is said again, or else from the last name or number, if another one follows.
        """
        found = self.repair.search(sentence)
        if found is None:
            return sentence
        said, instead = sentence[: found.start()], sentence[found.end() :]
        again = (word for word in _WORD.findall(instead)[:_SAID_AGAIN] for word in whole_words(word, said.casefold()))
        whole = self.subject.match(instead) is not None  # a clause of its own
        named = _NAMED_LAST.search(said) if _NAMED_FIRST.match(instead) else None
        last = 0 if whole else max((start for start, _ in again), default=named.start() if named else None)
        if found["sure"] is None and (whole or last is None):
            return sentence
        return f"{said[: last or 0]}{instead}".ljust(len(sentence))

    def straightened(self, sentence: str) -> str:
        """Return a sentence with what something is for behind it: "for CI, we use Jenkins". Its length stays."""
        lead = self.lead.match(sentence)
        begin = lead.end() if lead else 0
        found = self.fronted.match(sentence, begin)
        if found is None:
            return sentence
        spans = spans_of(found)
        parts = [sentence[slice(*spans[name])] for name in ("who", "verb", "clause") if name in spans]
        first, last = spans["purpose"]
        parts.append(f"{sentence[first].lower()}{sentence[first + 1 : last]}")
        return f"{sentence[:begin]}{' '.join(parts)}".ljust(found.end()) + sentence[found.end() :]

    def reminded(self, sentence: str) -> tuple[str, int]:
        """Return what a sentence that asks to bear something in mind reminds of, and where that begins; or all of it.

        It holds whatever condition follows: "don't forget that I'm vegan when you plan dinner".
        """
        asked = self.reminds.match(sentence)
        if asked is None:
            return sentence, 0
        until = self.condition.search(sentence, asked.end())
        begin = next((at for at in range(asked.end(), len(sentence)) if sentence[at].isalnum()), len(sentence))
        return sentence[begin : until.start() if until else None].rstrip(" ,"), begin

    def leaves(self, words: str, after: int, joint: str) -> bool:
        """Whether a clause that states nothing passes its subject, which ends at `after`, on to the next one."""
        apposed = joint == "be" and self.apposed.search(words, after)
        return not apposed and joint in {"verb", "be"} and self.carries.fullmatch(words, after) is not None

    def listed(self, words: str, begin: int, end: int, *, each: bool, names: bool = False) -> list[tuple[int, int]]:
        """Return the parts of the list that begins with a value, or within it; the value if there is none.

        Two values with an "and" between them may be one ("rhythm and blues"), and what only a comma follows may be
        explained by it ("Portland, Oregon"): unless `each` value counts, a list has three parts, or goes on with an
        "and" where the rule saw the value end, or is one of `names`. If its last part is none that can be read, it is
        all one part.
        """
        parts, whole, joints = [(begin, end)], end, list[str]()
        for joint in self.lists.finditer(words, begin):
            item = self.item.match(words, joint.end())
            inner = joint.end() < end
            if (not inner and joint.start() != whole) or not (item or (inner and each)):
                break
            whole = end if inner else item.end() if item else end
            parts[-1:] = [(parts[-1][0], joint.start()), (joint.end(), whole)]
            joints.append(joint[0])
        if joints and self.last.match(words, whole + len(words[whole:]) - len(words[whole:].lstrip(", "))):
            return [(begin, stop.start() if (stop := _STOP.search(words, whole)) else len(words))]
        parts, ends = self._separated(words, parts, joints, each=each)
        short = names or (len(parts) > 2 and all(words[first:last].count(" ") < 2 for first, last in parts))
        ended = ends and (each or len(parts) > 2 or whole > end)
        return parts if short or ended or (each and whole == end) else [(begin, end)]

    def _separated(
        self, words: str, parts: list[tuple[int, int]], joints: list[str], *, each: bool
    ) -> tuple[list[tuple[int, int]], bool]:
        """Return the parts that are separated by commas and a last "and", and whether there is such an "and".

        Another "and" is within a part ("fish and chips, soup and bread") unless an article or `each` tells otherwise.
        What follows behind the last one explains it.
        """
        commas = [_COMMA.search(joint) is not None for joint in joints]
        ends = [self.last.search(joint) is not None for joint in joints]
        last = max((at for at, one in enumerate(ends) if one and any(commas[: at + 1])), default=len(joints)) + 1
        parts, commas, ends = parts[: last + 1], commas[:last], ends[:last]
        closed = any(map(min, commas, ends))
        for number in range(len(ends) - 1, -1, -1):
            within = (
                any(commas)
                and self.pack.spaced
                and not (each or commas[number] or self.articles.match(words, parts[number + 1][0]))
            )
            if within and (closed or number < len(ends) - 1):
                parts[number : number + 2] = [(parts[number][0], parts[number + 1][1])]
        return parts, ends[-1:] == [True]

    def denies_apart(self, words: str, begin: int) -> int | None:
        """Return where, after `begin`, a part of a clause starts with a denial of its own: "… and drives no car".

        A part that only continues a list, or refers to what precedes it, is not such a part.
        """
        for pattern, _, _ in self.denials:
            found = pattern.match(words, begin)
            if found is None:
                continue
            left = words
            for first, last in found.regs[1:]:
                left = f"{left[:first]}{' ' * (last - first)}{left[last:]}"
            for joint in [*self.joints.finditer(words, begin, found.start(1) + 1)][::-1]:
                said = {*self._pieces(words[begin : joint.start()])}
                tail = self._pieces(self.time.sub(" ", left[joint.end() - 1 :]))
                if all(piece in said or self.taken_up.fullmatch(piece) for piece in tail):
                    break
                if self.apart.match(words, joint.start()):
                    return joint.start()
        return None

    def _pieces(self, words: str) -> list[str]:
        """Return the words of a text in lower case; its letters in a language without spaces."""
        found = _PIECE.findall(words.lower())
        return found if self.pack.spaced else [*"".join(found)]


def _found(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a cached test of whether a word contains the pattern: the same words recur."""
    return lru_cache(1 << 14)(lambda word: pattern.search(word) is not None)


def grammar_of(language: str) -> Grammar | None:
    """Return the compiled pack of a language, or None if there is none."""
    return compiled(language) if language in LANGUAGES else None


@cache
def compiled(language: str) -> Grammar:
    """Return the compiled pack of one of `LANGUAGES`."""
    return compile_pack(pack_of(language))


def _numbered(pattern: str) -> str:
    """Rename repeated groups, which `re` forbids but alternatives may use: the second `neg` becomes `neg__2`."""
    seen: Counter[str] = Counter()

    def rename(found: re.Match[str]) -> str:
        seen[found[1]] += 1
        return found[0] if seen[found[1]] == 1 else f"(?P<{found[1]}__{seen[found[1]]}>"

    return _GROUP.sub(rename, pattern)


def spans_of(found: re.Match[str]) -> dict[str, tuple[int, int]]:
    """Return the groups that took part in a match, by the names the pack gave them."""
    return {
        name.partition("__")[0]: found.span(number)
        for name, number in found.re.groupindex.items()
        if found.start(number) >= 0
    }


class _Compiler:
    """Compiles the patterns of a pack; errors name the entry."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._macros: dict[str, str] = {}
        for name, pattern in pack.macros.items():
            self._macros[name] = f"(?:{expanded(pattern, self._macros, self._where(name))})"

    def __call__(self, entry: str, pattern: str | None = None) -> re.Pattern[str]:
        """Compile an entry, or a pattern made from it, with its macros."""
        where = self._where(entry)
        whole = expanded(getattr(self._pack, entry) if pattern is None else pattern, self._macros, where)
        return regex(_SPACE.sub(" ++", _numbered(whole)), where, re.IGNORECASE)

    def plain(self, entry: str) -> re.Pattern[str]:
        """Compile an entry as it is."""
        return regex(getattr(self._pack, entry), self._where(entry))

    def _where(self, entry: str) -> str:
        return f"languages/{self._pack.language}: {entry}"


def compile_pack(pack: Pack) -> Grammar:
    """Expand the macros and compile everything.

    Raises:
        FormatError: a pattern, which the message names, uses an unknown macro or is no regular expression. Rules are
            compiled when first tried.
    """
    compiled = _Compiler(pack)
    cues: dict[str, list[int]] = {}
    for index, rule in enumerate(pack.rules):
        for cue in rule.cues.split():
            cues.setdefault(cue, []).append(index)
    persons = "|".join(re.escape(word) for word in sorted(pack.persons, key=len, reverse=True))
    bound = r"\b" if pack.spaced else ""
    return Grammar(
        pack=pack,
        rules=tuple(Matcher(rule, compiled) for rule in pack.rules),
        emptying={f"{pack.language}:{rule.name}": rule for rule in pack.rules if rule.empties},
        cues={cue: tuple(indexes) for cue, indexes in cues.items()},
        somebody=compiled("subject", f"{bound}(?:{pack.subject})"),
        understood=tuple((subject, compiled("understood", pattern)) for subject, pattern in pack.understood.items()),
        cuts=compiled(
            "breaks",
            f"{_BEFORE_CLAUSES if pack.spaced else ''}(?:(?P<be>{pack.carry_be})|(?P<verb>{pack.carry_verb})"
            f"|(?P<relative>{pack.relative})|{pack.breaks})",
        ),
        pronoun=compiled("pronouns", "|".join(pack.pronouns) or NEVER),
        pronouns=tuple(
            (compiled("pronouns", pattern), compiled("pronouns", fits)) for pattern, fits in pack.pronouns.items()
        ),
        wary=_found(compiled.plain("wary")),
        joints=compiled.plain("joints"),
        hedges=tuple((certainty, compiled("hedges", pattern)) for certainty, pattern in pack.hedges.items()),
        denying=compiled.plain("denying"),
        denials=tuple(
            (compiled(entry, pattern), instead, told)
            for entry, told in (("over", pack.no_longer_so), ("denied", pack.not_so))
            for pattern, instead in getattr(pack, entry).items()
        ),
        trim=compiled("trim", rf"(?:{pack.trim})+$"),
        time_at_end=compiled("time", rf"(?:{pack.time})$"),
        persons=re.compile(f"{bound}(?:{persons}){bound}", re.IGNORECASE),
        agreement=tuple((compiled("agreement", wrong), right) for wrong, right in pack.agreement.items()),
        **{entry: compiled(entry) for entry in _PATTERNS},
    )
