"""Language packs: tables that say what to extract. A pack contains no code.

Patterns are regular expressions, matched without regard to case, in which a space stands for any run of spaces
and `{name}` for one of the pack's macros. A rule is matched at the start of a clause, after its lead-in ("well,
I think …") has been skipped. If its pattern starts with `{S}` (the speaker, a relative or a pet), `{W}` (the
speaker's group, as a business or team), `{SW}` (the speaker, a relative, a pet, or "we" where it is equivalent to "I")
or `{SWT}` (any of them), the clause must have such a subject, and the rest is matched after it.
The engine knows these groups of a pattern, each of which may occur in several alternatives:

    value             the value
    neg, past, ended  present when the statement denies, speaks of the past, or ends something that held
    besides           present when something before the value may be what "not" and "no longer" refer to: the statement
                      is then made only if affirmed ("I no longer work as a nurse at Acme")
    where             present when a place can occur in place of the value: a listed place is then not a value
                      ("trabajo en Madrid" names no employer); `there`: only a listed place is one
    nobody, somebody  the same for listed first names: the value must not be one ("I'm with Deloitte now"), or must be
    described         present when the next clause must continue the subject and its copula ("I'm Wanjiru, a vet")
    planned           present when only a time that lies ahead makes it so ("next month we move to Malmö")
    instead           present where a clause that denies something also says what is so ("not to milk, it's soy")
    called            the name of the person that a rule without a subject is about ("our accountant Mia")
    changed           present when the statement says that it was not always so ("we use GitHub Actions for CI now")
    given             in `text` only: the condition that came before in the sentence, with a comma

Any group can be used in `attribute` and `text`, as it was said or, written `{verb+}`, in its third person. In
`text`, `{S}` is the subject, `{user}` the speaker, and `[a|b|c|d]` picks the wording for affirmed, denied, past or
ended. If there is no wording for ended, the one for denied is used; any other missing alternative falls back to the
first.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from memoranda.core.language.names import running_names
from memoranda.core.text.packs import made
from memoranda.languages import read

#: A pattern that never matches.
NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing worth remembering and how people say it.

    Attributes:
        name: unique within the pack.
        cues: words, at least one of which every match contains; a cheap test of whether to try the rule.
        pattern: matched at the start of a clause; see the module.
        attribute: dotted path (`core.language.attributes`); None if the statement has none.
        ours: the path if the speaker's group is the subject, which is then not the speaker.
        text: the statement in the third person, without its full stop.
        unless: a value starting with this is refused.
        opening: only matched while the sentence has had no subject outside a condition (an imperative).
        empties: attributes that have no value any more if this holds ("I was laid off"), and the text that says so.
        conditional: also holds under a condition ("Always ask if you are unsure").
        means: the value, if it is said in other words ("getting married": engaged). A denial limited to a time, or to
            another time, does not deny it ("not getting married in May").
        each: the value may be a list, each part of which is a value of its own ("Dutch and some Danish").
    """

    name: str
    cues: str
    pattern: str
    attribute: str | None
    text: str
    kind: str = "fact"
    category: str = "personal"
    importance: float = 0.6
    polarity: int = 1
    certainty: str = "explicit"
    temporal: str = "current"
    correction: bool = False
    unless: str = ""
    empties: Mapping[str, str] = field(default_factory=dict)
    conditional: bool = False
    opening: bool = False
    ours: str = ""
    means: str = ""
    each: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Everything the engine knows about one language. All patterns may use the macros.

    Attributes:
        language: ISO 639-1 code.
        spaced: words are separated by spaces; otherwise cues are searched anywhere in the sentence.
        full_stop: what ends a statement.
        user, team: what statements call the speaker and the speaker's group.
        possessive: what "my sister" is called in the third person, with `{owner}` and `{thing}`, her name included.
        macros: named pieces of patterns; a macro may use those before it.
        rules: in order; a later rule does not match where an earlier one took its value.
        subject: the subject at the start of a clause: one of the groups `me`, `we`, `team` ("our company") or `kin`
            (with `called`, a name), or none for anybody else; and the group `be` for a copula after it.
        understood: an omitted subject → how the clause then starts ("Love pottery."). In a language without spaces, a
            clause without a subject passes the first of them on to the next clause.
        lead: what may precede a statement without changing it.
        inverted: after such a lead, a `verb` before its subject, `who`: they are swapped ("jetzt wohne ich in Kiel").
        verb_last: a clause with the `verb` behind the `rest`: it is put behind the subject, `who` ("dass ich Lehrer
            bin").
        fronted: the start of a sentence, after its lead-in, that says first what for: its groups `who`, `verb`,
            `clause` and `purpose` are put in this order ("for CI, we use Jenkins").
        breaks: where a new clause starts; matches the separator only.
        carry_verb, carry_be: separators after which the subject, or the subject with its copula, is understood.
        carries: what follows the subject of a clause that passes it on to the next one, even if no rule reads it.
        apposed: a person mentioned in such a clause, whom a continuation of its copula may describe ("I'm with Ida, a
            vet").
        relative: a separator after which the person named just before it is the subject ("my sister Ana, who …").
        predicate: a copula and what follows it that leave the subject to a following "who" ("my aunt is a vet who").
        person: how people of the speaker are mentioned, with `rel` and `name`, and other people, without these groups.
        mentioned: what the speaker's people are then called.
        pronouns: the start of a clause about the person mentioned last → a pattern that the person must match. A group
            `own` marks something of that person ("her name"). Empty where people leave the pronoun out.
        lists: what separates the parts of a list; what explains a part may precede it ("Oskar (9), …").
        item: a part of a list, up to what separates it from the next or ends the list.
        last: found in what separates the last part of a list from the others, and in nothing else.
        questions: the start of a sentence that asks; `asks`: where a question begins within a sentence.
        reports: after this, the words or thoughts are somebody else's, or nobody's; what precedes its group `from`, if
            it has one, is still the speaker's ("my wife Ana says").
        material: the start of a sentence from which on nothing is stated: it asks to work on a following text, to play
            a role, to suppose something.
        pasted: a text that contains this states nothing: a mail with its header, or an order to work on the preceding
            text.
        joking: the start of a sentence that takes back what the previous one states.
        hypothetical: a sentence that contains this states nothing.
        retracts: in a sentence that contains this, rules cannot tell what still holds ("… but gave up last year").
        repair: takes back what precedes it, for what follows ("I work at Acme, sorry, at Globex"); its group `sure`, if
            nothing else can be meant.
        condition: in a sentence that contains this, only `conditional` rules hold.
        reminds: the start of a sentence that asks to bear in mind what follows; a condition behind that says when.
        supposed: a clause that contains this states nothing, and `conditional` rules do not hold in its sentence.
        wary: found in a lower-case word of every sentence that matches `reports`, `hypothetical`, `retracts`,
            `condition` or `supposed`; a cheap test of whether to look. Empty: always.
        joints: the same for `breaks` and the `carry_` patterns, but found anywhere in the sentence.
        secrets: a sentence that contains this is never stored.
        hedges: certainty → how the speaker expresses it.
        no_longer: after what is denied, it ends something that held ("not … any more").
        over, denied: the start of a clause, after its subject, that says that something is over, or not so → the
            replacement of the first group; the other groups become spaces. The rest says what is over or not so. Every
            group takes part in every match.
        narrows: what follows a denied or ended value and narrows the denial ("… on Fridays"), up to the clause's end.
        passing: a clause, up to its time, that holds for that time only ("I'm living in Oslo this month"), unless its
            rule states an event, which has no wording in `text` for when it is not so.
        beside: before a value, says that it holds beside another ("I also work at …").
        taken_up: a word, or a letter in a language without spaces, with which a denial refers to what was said before
            it.
        apart: the start, joint included, of a part of a clause that denies something of its own and does not only
            continue a list ("Ich mag Kaffee und Tee nicht").
        denying: found in lower case in every sentence that matches one of these; a cheap test.
        no_longer_so, not_so: the text for that where a rule has no wording for it, with `{text}`.
        corrections: the start of a sentence that takes something back.
        empty: values that say nothing by themselves; `hollow`: recognises such a value by a part of it, which refers to
            something said elsewhere or leaves out its object. Instructions may be hollow ("keep it short").
        dangling: an ending that shows that a value was cut in the middle.
        head: finds the topic of a value (group `head`) for attributes with `{topic}`.
        trim: what is cut from the end of values; `articles`: from their start.
        time: a time phrase.
        forms: word → its form in the third person, used for groups that are not values.
        persons: word → its replacement in the third person within values.
        agreement: wrong agreement with some subjects in a text → its correction ("kids likes" → "kids like").
        canon: word → its usual form in attributes.
        abbreviations: words whose full stop does not end a sentence.
    """

    language: str
    spaced: bool = True
    full_stop: str = "."
    user: str
    team: str
    possessive: str
    macros: Mapping[str, str]
    rules: tuple[Rule, ...]
    subject: str
    understood: Mapping[str, str]
    lead: str
    breaks: str
    carry_verb: str
    carry_be: str
    carries: str = NEVER
    apposed: str = NEVER
    inverted: str = NEVER
    verb_last: str = NEVER
    fronted: str = NEVER
    relative: str = NEVER
    predicate: str = ".*"
    person: str = NEVER
    mentioned: str = "{rel} {name}"
    pronouns: Mapping[str, str] = field(default_factory=dict)
    lists: str
    item: str = NEVER
    last: str = NEVER
    questions: str
    asks: str
    reports: str
    material: str
    pasted: str = NEVER
    joking: str = NEVER
    hypothetical: str
    retracts: str = NEVER
    repair: str = NEVER
    condition: str
    reminds: str = NEVER
    supposed: str
    wary: str = ""
    joints: str = ""
    secrets: str
    hedges: Mapping[str, str]
    no_longer: str
    over: Mapping[str, str]
    no_longer_so: str
    denied: Mapping[str, str]
    narrows: str
    passing: str
    beside: str
    taken_up: str = NEVER
    apart: str = ""
    denying: str
    not_so: str
    corrections: str
    empty: str
    hollow: str
    dangling: str
    head: str
    trim: str
    articles: str
    time: str
    forms: Mapping[str, str]
    persons: Mapping[str, str]
    agreement: Mapping[str, str]
    canon: Mapping[str, str]
    abbreviations: frozenset[str]


#: Credentials in any language: card numbers and the keys of common services.
CREDENTIALS = r"\b(?:\d[ -]?){13,19}\b|\b(?:sk|pk|ghp|gho|xox[bp])[-_]\w{8,}|\bAKIA\w{12,}"


@cache
def pack_of(language: str) -> Pack:
    """Return the pack of one of `LANGUAGES`, read on first use.

    Three macros are in no file: `credentials`, `tools` and, in a language without spaces, `places`.

    Raises:
        FormatError: a file has an unknown entry or lacks one.
    """
    where = f"languages/{language}"
    rules = tuple(
        made(Rule, entries, f"{where}/rules.toml: [{name}]", name=name)
        for name, entries in read(f"{language}/rules").items()
    )
    pack = made(Pack, read(f"{language}/grammar"), f"{where}/grammar.toml", language=language, rules=rules)
    known = ",".join(read("tools")["sorts"].values()).split(",")
    macros = {"credentials": CREDENTIALS, "tools": "|".join(map(re.escape, sorted(known, key=len, reverse=True)))}
    if not pack.spaced:
        macros["places"] = "|".join(sorted(running_names(language).places))
    return replace(pack, macros={**macros, **pack.macros})
