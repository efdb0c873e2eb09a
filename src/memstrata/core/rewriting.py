"""Other ways to put a question, by rules: as a statement, in parts, under other names, and what it filters by.

A question and its answer are worded differently: who asks "When did Ann paint the barn?" looks for "Ann painted the
barn". The rules are data, a grammar per language; what none of them fits stays as it was asked.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from memstrata.core.asking import Window
from memstrata.core.rules.entities import find_mentions
from memstrata.core.rules.signs import compiled
from memstrata.core.statements import Mention
from memstrata.core.temporal import query_window


class Grammar(NamedTuple):
    """How a language asks, as patterns; compiled when first needed, so that importing stays quick.

    Attributes:
        lead: what may stand before the question itself: "do you remember".
        rules: how a question, without its marks, becomes a statement: the first pattern that fits says what stays.
        joint: where one question ends and the next begins.
        kinds: words that name a kind of record.
        places: words before which or behind which a channel's name stands.
    """

    lead: str
    rules: tuple[tuple[str, str], ...]
    joint: str
    kinds: Mapping[str, str]
    places: str


_exactly = cache(re.compile)  # capitals tell names; all other patterns are `compiled` without regard to them

_OF = r"(?P<of>(?: [\w'-]+){0,4}?)"
_NOUN = r"(?P<of>(?: [a-zà-ÿ'-]+){0,4}?)"
_REST = r"(?P<rest> .+)?"
_INVERTED = r"\g<who> \g<be>\g<rest>\g<of>"

_WH_EN = (
    r"(?i:(?:(?:in|on|at|for|from|with|to|by|of|about|since|until) )?"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b(?:'s)?)"
)
_BE_EN = r"(?P<be>(?i:am|is|are|was|were|has|have|had|will|would|can|could|should|might))"
_WHO_EN = (
    r"(?P<who>(?i:I|you|he|she|it|we|they|there)\b|(?i:my|your|his|her|our|their|the|this|that|an?) (?:\w+ )?[\w'-]+"
    r"|[A-Z][\w'-]*(?: (?:and )?[A-Z][\w'-]*)*(?:(?<='s) \w+)?)"
)
_WH_DE = (
    r"(?i:(?:(?:in|an|auf|mit|bei|von|für|seit|zu|aus|ab|bis) )?"
    r"(?:was|wer|wen|wem|wessen|wann|wo(?:her|hin|mit|für|ran|rauf|von)?"
    r"|warum|wieso|weshalb|wie(?: ?viele?)?|welche[rsmn]?)\b)"
)
_BE_DE = r"(?!(?:d(?:er|ie|as|en|em)|ein\w*|m(?:ir|ich)|d(?:ir|ich)|uns|sich)\b)(?P<be>[a-zäöüß]+)"
_WHO_DE = (
    r"(?P<who>(?i:ich|du|er|sie|es|wir|ihr)\b|(?i:mein|dein|sein|ihr|unser|euer|der|die|das|den|ein)\w* \w+"
    r"|[A-ZÄÖÜ]\w+(?: [A-ZÄÖÜ]\w+)?)"
)
_WH_ES = (
    r"(?i:(?:(?:a|de|en|con|por|para|desde|hasta) )?(?:qué|quién(?:es)?|cuál(?:es)?|cuándo|a?dónde|cómo|cuánt[oa]s?)\b)"
)
_WHO_ES = (
    r"(?P<who>(?i:yo|tú|él|ella|usted|nosotros|ellos|ellas)\b|(?i:mi|tu|su|el|la|los|las|un|una)s? \w+"
    r"|[A-ZÁÉÍÓÚÑ]\w+(?: [A-ZÁÉÍÓÚÑ]\w+)?)"
)
_WH_FR = (
    r"(?i:(?:(?:à|de|en|avec|pour|depuis|chez|dans) )?(?:qu'est-ce|qu'|que|qui|quoi|comment|quand|où|pourquoi|combien"
    r"|quel(?:le)?s?)(?!\w))"
)
_WHO_FR = (
    r"(?P<who>(?i:mon|ma|mes|ton|ta|tes|son|sa|ses|notre|votre|le|la|les|un|une)\b \w+"
    r"|[A-ZÀ-Ý][\w'-]*(?: [A-ZÀ-Ý]\w+)?)"
)
_PRONOUN_FR = r"-(?:t-)?(?P<who>(?i:je|tu|il|elle|on|nous|vous|ils|elles))"
_WH_ZH = r"(?:什么时候|什么|哪里|哪儿|哪个|哪些|哪年|谁|怎么样|怎么|为什么|多少|几)"

GRAMMARS: Mapping[str, Grammar] = {
    "en": Grammar(
        r"(?:(?:and|so|but|please|hey),? )*(?:(?:do|did|can|could|would|will) you (?:still |please )?"
        r"(?:remember|recall|know|tell me|remind me)|tell me|remind me|i(?:'d like to| want to|) (?:know|wonder))"
        r"(?: (?:about|again|of|if|whether|that))? ",
        (
            (rf"{_WH_EN}{_OF} (?i:do|does|did) (?P<rest>.+)", r"\g<rest>\g<of>"),
            (rf"{_WH_EN}{_OF} {_BE_EN} {_WHO_EN}{_REST}", _INVERTED),
            (rf"{_WH_EN} (?P<rest>.+)", r"\g<rest>"),
            (r"(?i:do|does|did) (?P<rest>.+)", r"\g<rest>"),
            (rf"{_BE_EN} {_WHO_EN}{_REST}", r"\g<who> \g<be>\g<rest>"),
        ),
        rf",? (?:and|but|or)(?: also)? "
        rf"(?={_WH_EN}|(?:do|does|did|is|are|was|were) (?:I|you|he|she|it|we|they|my|the)\b)",
        {
            "preference": r"\b(?:preferences?|prefer(?:red|s)?|favou?rites?|likes and dislikes)\b",
            "decision": r"\b(?:decisions?|decided?|agreed on|settled on)\b",
            "plan": r"\b(?:plans?|planning|planned|intend(?:s|ed)?|going to)\b",
        },
        "channel|project|workspace",
    ),
    "de": Grammar(
        r"(?:und |also |bitte )*(?:weißt du(?: noch)?|erinnerst du dich|kannst du mir sagen|sag mir|erzähl mir)"
        r"(?:,| von| daran,)? ",
        (
            (rf"{_WH_DE}{_OF} {_BE_DE} {_WHO_DE}{_REST}", _INVERTED),
            (rf"{_WH_DE} (?P<rest>.+)", r"\g<rest>"),
            (rf"(?P<be>[A-ZÄÖÜ]?[a-zäöüß]+) {_WHO_DE}{_REST}", r"\g<who> \g<be>\g<rest>"),
        ),
        rf",? (?:und|oder|aber) (?={_WH_DE})",
        {
            "preference": r"\b(?:vorlieben?|bevorzug\w*|lieblings\w+)",
            "decision": r"\b(?:entscheidung(?:en)?|entschieden|beschlossen|beschluss)\b",
            "plan": r"\b(?:pläne?|plane[nst]*|geplant|vorhaben?)\b",
        },
        "kanal|projekt|projekts",
    ),
    "es": Grammar(
        r"(?:y |por favor,? )*(?:recuerdas|te acuerdas de|sabes|puedes decirme|dime|cuéntame)(?: sobre| de| si| que)? ",
        (
            (rf"{_WH_ES}{_NOUN} (?P<be>[a-záéíóúñü]+(?: [a-záéíóúñü]+d[oa])?) {_WHO_ES}{_REST}", _INVERTED),
            (rf"{_WH_ES} (?P<rest>.+)", r"\g<rest>"),
        ),
        rf",? (?:y|e|o|pero) (?={_WH_ES})",
        {
            "preference": r"\b(?:preferencias?|prefier[eo]s?|favorit[oa]s?)\b",
            "decision": r"\b(?:decisi[oó]n(?:es)?|decid(?:í|ió|imos|ido))\b",
            "plan": r"\b(?:plan(?:es|eo|ea|eado)?)\b",
        },
        "canal|proyecto",
    ),
    "fr": Grammar(
        r"(?:et |s'il te plaît,? )*(?:te souviens-tu|tu te souviens|sais-tu|peux-tu me dire|dis-moi|rappelle-moi)"
        r"(?: de| du| si| que)? ",
        (
            (rf"{_WH_FR}{_OF} (?i:est-ce (?:que |qu'|qui ))(?P<rest>.+)", r"\g<rest>\g<of>"),
            (rf"{_WH_FR}{_OF} (?P<be>[\w']+){_PRONOUN_FR}{_REST}", _INVERTED),
            (rf"{_WH_FR}{_NOUN} (?P<be>[a-zà-ÿ']+) {_WHO_FR}{_REST}", _INVERTED),
            (rf"{_WH_FR}(?:-ce (?:que |qu'|qui )| )?(?P<rest>.+)", r"\g<rest>"),
            (r"(?i:est-ce (?:que |qu'))(?P<rest>.+)", r"\g<rest>"),
            (rf"(?P<be>\w+){_PRONOUN_FR}{_REST}", r"\g<who> \g<be>\g<rest>"),
        ),
        rf",? (?:et|ou|mais) (?={_WH_FR})",
        {
            "preference": r"\b(?:préférences?|préfér\w+|préfères?|favorite?s?)\b",
            "decision": r"\b(?:décisions?|décidée?s?)\b",
            "plan": r"\b(?:projets? d'avenir|prévue?s?|planifiée?s?|plans?)\b",
        },
        "canal|projet",
    ),
    "zh": Grammar(
        r"(?:你)?(?:还)?(?:记得|知道|记不记得|告诉我|请问)",
        (
            (rf"(?P<rest>.*?){_WH_ZH}(?P<of>.*?)(?:吗|呢)?", r"\g<rest>\g<of>"),
            (r"(?P<rest>.+?)(?:吗|呢)", r"\g<rest>"),
        ),
        r"[,，;；]|(?:以及|还有|并且)",
        {"preference": "偏好|喜好|最喜欢", "decision": "决定", "plan": "计划|打算"},
        "频道|项目",
    ),
}
_LISTED = r"[\s,，、]*(?:(?:and|or|und|oder|y|e|o|et|ou)\b|[,，、&和与跟或])\s*"
_EDGES = " \t\n?!.,;:¿¡？！。，"


def statement(text: str, language: str) -> str | None:
    """A question as the statement that would answer it, without what it asks for; None where no rule fits."""
    grammar = GRAMMARS[language]
    bare = " ".join(text.split()).strip(_EDGES)
    if lead := compiled(grammar.lead).match(bare):
        bare = bare[lead.end() :]
    for pattern, form in grammar.rules:
        if found := _exactly(pattern).fullmatch(bare):
            bare = " ".join(found.expand(form).split())
            break
    return bare if bare and bare != " ".join(text.split()).strip(_EDGES) else None


def parts(text: str, language: str) -> tuple[str, ...]:
    """The questions that `text` asks at once: between its conjunctions, else one for each of the names it lists.

    A part that names nobody takes the names of the part before it with it. Empty where it asks but one.
    """
    clauses = [clause.strip(_EDGES) for clause in compiled(GRAMMARS[language].joint).split(text)]
    found, named = [], ""
    for clause in filter(None, clauses):
        names = _names(clause, language)
        found.append(clause if names or not named else f"{named} {clause}")
        named = " ".join(mention.name for mention in names) or named
    if len(found) < 2:
        found = _one_each(text, _names(text, language))
    return tuple(found)


def _names(text: str, language: str) -> list[Mention]:
    return [mention for mention in find_mentions(text, language) if mention.type != "quantity"]


def _one_each(text: str, names: Sequence[Mention]) -> list[str]:
    """`text` once for each name of its first list of names ("Ann and Bob"), with that instead of the list."""
    listed: list[Mention] = []
    for mention in names:
        if listed and compiled(_LISTED).fullmatch(text, listed[-1].end, mention.start):
            listed.append(mention)
        elif len(listed) < 2:
            listed = [mention]
    if len(listed) < 2:
        return []
    return [f"{text[: listed[0].start]}{one.name}{text[listed[-1].end :]}" for one in listed]


def renamed(text: str, mention: Mention, name: str) -> str:
    """`text` with another name for what it mentions."""
    return f"{text[: mention.start]}{name}{text[mention.end :]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a question says about where its answer stands.

    Attributes:
        kinds: of records.
        window: when it was said or held.
        channels: where.
        names: who or what is spoken of.
    """

    kinds: frozenset[str] = frozenset()
    window: Window | None = None
    channels: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds or self.window or self.channels or self.names)


def filters(text: str, language: str, now: datetime, channels: Collection[str] = ()) -> Filters:
    """The filters that `text` names; of channels only those among `channels`."""
    grammar = GRAMMARS[language]
    within = frozenset(channel for channel in channels if _in_channel(text, channel, grammar.places))
    places = {channel.casefold() for channel in within}
    names = [mention.name for mention in _names(text, language)]
    return Filters(
        kinds=frozenset(kind for kind, pattern in grammar.kinds.items() if compiled(pattern).search(text)),
        window=query_window(text, now, language),
        channels=within,
        names=tuple(dict.fromkeys(name for name in names if name.casefold().lstrip("#") not in places)),
    )


def _in_channel(text: str, channel: str, places: str) -> bool:
    """Whether `text` says a channel's name as one: `#NAME`, "channel NAME", "the NAME project"."""
    name = re.escape(channel)
    said = rf"#{name}(?!\w)|\b(?:{places}) [\"“#]?{name}(?!\w)|(?<!\w){name}[\"”]?[ -](?:{places})\b"
    return re.search(said, text, re.IGNORECASE) is not None
