"""What a language pack is: tables that say what to extract. Nothing in a pack runs.

Patterns are regular expressions, matched without regard to case, in which a space stands for any run of spaces
and `{name}` for one of the pack's macros. A rule is matched at the start of a clause, after its lead-in ("well,
I think …") has been passed over. If its pattern starts with `{S}` (the speaker, a relative or a pet), `{W}` (the
speaker's group, as a business or team), `{SW}` (the speaker, a relative, a pet, or "we" where it is as good as "I") or
`{SWT}` (any of them), the clause must have such a subject, and the rest is matched after it.
Groups of a pattern that the engine knows, each of which may stand in several alternatives:

    value             the value
    neg, past, ended  present when the statement denies, speaks of the past, or ends something that held
    besides           present when something stands before the value to which "not" and "no longer" may refer as well:
                      the statement is then only made affirmed ("I no longer work as a nurse at Acme")
    where             present when a place can stand where the value does: a place that is listed is then none
                      ("trabajo en Madrid" names no employer); `there`: only a listed place is one
    nobody, somebody  the same for listed first names: only what is none ("I'm with Deloitte now"), or only what is one
    described         present when the next clause has to go on with the subject and its copula ("I'm Wanjiru, a vet")
    instead           present where a clause that denies something says what is so ("not to milk, it's soy")
    called            the name of whom a rule without a subject tells ("our accountant Mia")
    given             in `text` only: the condition that came before in the sentence, with a comma

Any group can be used in `attribute` and `text`, as it was said or, written `{verb+}`, in its third person. In
`text`, `{S}` is the subject, `{user}` the speaker, and `[a|b|c|d]` picks the wording for affirmed, denied, past or
ended; what has ended is denied where there is no wording for it, and any other missing alternative falls back to the
first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from memstrata.core.rules.names import running_names
from memstrata.core.tables import made
from memstrata.languages import read

#: The pattern that is found nowhere.
NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing worth remembering and how people say it.

    Attributes:
        name: unique within the pack.
        cues: words, one of which every match contains; they decide cheaply whether to try the rule.
        pattern: matched at the start of a clause; see the module.
        attribute: dotted path (`core.rules.attributes`); None where the statement has none.
        text: the statement in the third person, without its full stop.
        unless: a value starting like this is not meant.
        opening: only matched while the sentence has had no subject but in a condition (an imperative).
        empties: attributes that have no value any more where this holds ("I was laid off"), and how that is told.
        conditional: also holds under a condition ("Always ask if you are unsure").
        means: the value, where it is said in other words ("getting married": engaged); what denies it for a time only,
            or at another time, does not deny that ("not getting married in May").
        each: the value may be a list, of which each part is one by itself ("Dutch and some Danish").
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
    means: str = ""
    each: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Everything the engine knows about one language. All patterns may use the macros.

    Attributes:
        language: ISO 639-1 code.
        spaced: words are separated by spaces; otherwise cues are looked for anywhere in the sentence.
        full_stop: what ends a statement.
        user, team: how statements call the speaker and the speaker's group.
        possessive: how "my sister" is called in the third person, with `{owner}` and `{thing}`, her name included.
        macros: named pieces of patterns; a macro may use those before it.
        rules: in order; a later rule does not match where an earlier one took its value.
        subject: the subject with which a clause starts: one of the groups `me`, `we`, `team` ("our company") or `kin`
            (with `called`, a name), or none for anybody else; and the group `be` for a copula after it.
        understood: a subject that people leave out → how the clause then starts ("Love pottery."). Where words are not
            set apart, a clause without a subject leaves the first of them to the next one.
        lead: what may stand before a statement without changing it.
        inverted: behind such, a `verb` before its subject, `who`: they change places ("jetzt wohne ich in Kiel").
        breaks: where a new clause starts; matches the separator only.
        carry_verb, carry_be: separators after which the subject, or the subject with its copula, is understood.
        carries: what follows the subject of a clause that leaves it to the next one, though no rule reads it.
        apposed: whom such a clause mentions, of whom what goes on with its copula may be said ("I'm with Ida, a vet").
        relative: a separator after which the person named just before it is the subject ("my sister Ana, who …").
        predicate: a copula and what follows it that leave the subject to a "who" behind them ("my aunt is a vet who").
        person: how people of the speaker are mentioned, with `rel` and `name`, and somebody else, without these.
        mentioned: how the speaker's are then called.
        pronouns: how a clause begins that speaks of the person mentioned last, who has to fit → the person does. With
            a group `own` it begins with what is that person's ("her name"). It is empty where people leave it out.
        lists: what stands between the parts of a list.
        questions: how a sentence starts that asks; `asks`: where a question begins within a sentence.
        reports: after this, the words or thoughts are somebody else's, or nobody's; what stands in it before its group
            `from`, if it has one, is still the speaker's ("my wife Ana says").
        material: how a sentence begins after which, itself included, nothing is stated: it asks to work on a
            text that follows, to play a role, to suppose something.
        pasted: a text that contains this states nothing: a mail with its head, or an order to work on what
            stands before.
        joking: how a sentence begins that takes back what the one before it states.
        hypothetical: a sentence that contains this states nothing.
        retracts: in a sentence that contains this, rules cannot tell what is still so ("… but gave up last year").
        condition: in a sentence that contains this, only what is `conditional` holds.
        supposed: a clause that contains this states nothing, and what is `conditional` does not hold in its sentence.
        wary: found in a word, in lower case, of every sentence in which one of `reports`, `hypothetical`, `retracts`,
            `condition` and `supposed` is found; it decides cheaply whether to look. Empty: always.
        joints: the same for `breaks` and the `carry_` patterns, but found anywhere in the sentence.
        secrets: a sentence that contains this is never stored.
        hedges: certainty → how the speaker says so.
        no_longer: said after what is denied, it ends something that held ("not … any more").
        over, denied: how a clause begins, after its subject, that says that something is over, or not so → what stands
            instead of the first group, as spaces do instead of the others; the rest says what it is that is not.
            Every group takes part in every match.
        narrows: what follows a value that is denied or over and narrows that ("… on Fridays"), up to the clause's end.
        passing: a clause up to its time that tells what is so for that time only ("I'm living in Oslo this month"), if
            its rule does not tell what happened, which has no wording in `text` for when it is not so.
        beside: said before a value, it is so beside something else ("I also work at …").
        taken_up: a word, or letter where words are not set apart, with which a denial takes up what was said before it.
        apart: how a part of a clause begins, the joint before it included, that denies something of its own, and does
            not only go on with a list ("Ich mag Kaffee und Tee nicht").
        denying: found in lower case in every sentence in which one of these is found; it decides cheaply.
        no_longer_so, not_so: how that is told by a rule that has no words for it, with `{text}`.
        corrections: how a sentence starts that takes something back.
        empty: values that say nothing by themselves; `hollow`: how such a value is recognised by a part of it, which
            points at what was said elsewhere or leaves out its object. Instructions may be hollow ("keep it short").
        dangling: an end that shows that a value was cut in the middle.
        head: finds the topic of a value (group `head`) for attributes with `{topic}`.
        trim: what is cut from the end of values; `articles`: from their start.
        time: a time phrase.
        forms: word → its form in the third person, used for groups that are not values.
        persons: word → what it becomes in the third person within values.
        agreement: what is said wrong of some subjects in a text → how it is put right ("kids likes" → "kids like").
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
    relative: str = NEVER
    predicate: str = ".*"
    person: str = NEVER
    mentioned: str = "{rel} {name}"
    pronouns: Mapping[str, str] = field(default_factory=dict)
    lists: str
    questions: str
    asks: str
    reports: str
    material: str
    pasted: str = NEVER
    joking: str = NEVER
    hypothetical: str
    retracts: str = NEVER
    condition: str
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


#: How credentials look in any language: card numbers and the keys of common services.
CREDENTIALS = r"\b(?:\d[ -]?){13,19}\b|\b(?:sk|pk|ghp|gho|xox[bp])[-_]\w{8,}|\bAKIA\w{12,}"


@cache
def pack_of(language: str) -> Pack:
    """The pack of one of `LANGUAGES`, made of its files when it is first met.

    Two macros stand in no file: `credentials` and, where words are not set apart, `places`.

    Raises:
        FormatError: a file has an entry that it should not have, or lacks one.
    """
    where = f"languages/{language}"
    rules = tuple(
        made(Rule, entries, f"{where}/rules.toml: [{name}]", name=name)
        for name, entries in read(f"{language}/rules").items()
    )
    pack = made(Pack, read(f"{language}/grammar"), f"{where}/grammar.toml", language=language, rules=rules)
    macros = {"credentials": CREDENTIALS}
    if not pack.spaced:
        macros["places"] = "|".join(sorted(running_names(language).places))
    return replace(pack, macros={**macros, **pack.macros})
