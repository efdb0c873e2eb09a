"""Taking a question apart by rules: its terms, whom and what it names, when it asks about."""

import math
import re
from datetime import datetime

from memstrata.core.partition import Partition
from memstrata.core.rules.entities import find_mentions
from memstrata.core.scope import Scope
from memstrata.core.search import Question
from memstrata.core.temporal import find_times
from memstrata.core.text import Analyzer

#: A time span, half open; None where it has no bound.
Window = tuple[datetime | None, datetime | None]

_WHEN = re.compile(r"\b(?:when|what (?:time|day|date|year|month)|how long|wann|cuándo|quand)\b|什么时候", re.IGNORECASE)
_COUNT = re.compile(r"\bhow (?:many|much|often|old)\b|\b(?:wie viele?|cuánt[oa]s?|combien)\b|多少|几", re.IGNORECASE)
_YOU_SAID = re.compile(
    r"\byou (?:just |also )?(?:said|say|tell|told|suggest|recommend|mention|g[ai]ve|explain|propose|advise|list|answer)"
    r"|\bdu (?:mir )?(?:gesagt|empfohlen|vorgeschlagen)|\b(?:dijiste|recomendaste|sugeriste)\b"
    r"|\btu (?:m'as )?(?:dit|recommandé|conseillé|proposé)|你(?:说|建议|推荐)",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:summar\w+|overview|list|order|sequence|all|both|each|every|various|different|across|throughout|overall|kinds?"
    r"|types?|ways|alle|liste|verschiedene\w*|welche\w*|todos?|todas?|cuáles|tous|toutes|quels|quelles)\b|所有|哪些|列出",
    re.IGNORECASE,
)
#: English questions of a shape that asks for more than one: "What has she painted?", "Which books does he own?"
_LISTED = re.compile(
    r"^how many times\b|^(?:what|who) (?:are|were) (?:\w+'s|my|our|his|her|their)\b"
    r"|^(?:what|which|where|who)\b.*\b(?:has|have)\b(?! (?:an?|the|to)\b)"
    r"|^(?:what|which)(?: \w+)? (?:\w+[^\Ws]s|people|children) (?:does|do|did|are|were)\b",
    re.IGNORECASE,
)
#: It asks what was said or done before, not for something new.
_BACK = re.compile(
    r"\b(?:did|have|had|was|were) (?:i|you|we|my|our)\b"
    r"|\b(?:i|you|we)(?:'ve|'d| have| had)? (?:(?:just|also|ever|already) )?"
    r"(?:said|told|mentioned|asked|discussed|talked|gave|brought|covered|used|chose|decided)\b"
    r"|\b(?:our|my|previous|past|earlier|these|all) (?:conversations?|chats?|discussions?|sessions?)\b"
    r"|\bsummar(?:y|i[sz]e)\b|\b(?:habe ich|hast du|haben wir|hatte ich|war(?:en)? (?:ich|wir|meine?)|fass)\b"
    r"|\b(?:dije|dijiste|dijimos|hablamos|mencion[éó]|mencionaste|he dicho|resum\w+)\b"
    r"|\b(?:ai-je|as-tu|avons-nous|j'ai dit|tu as dit|résum\w+)\b|[我你](?:说|提到?)过|之前|我们(?:聊|谈|说)|总结",
    re.IGNORECASE,
)
#: It asks for help or advice, for what ought to be, or what is liked. On that bears what the user prefers, and on
#: whatever is no question at all.
_HELP = re.compile(
    r"\b(?:can|could|would|will) you\b|\bhow (?:do|can|should|would|could|might)\b|\b(?:could|can) (?:i|we)\b"
    r"|\b(?:should|may|must|shall|(?:dis)?likes?|loves?|hates?|prefer\w*|enjoy\w*|avoid\w*|favou?rites?|allergic)\b"
    r"|\b(?:suggest|recommend|advi[cs]e|tips?|ideas?|options?)|\bhelp (?:me|us)\b"
    r"|\bwhat(?:'s| is| are| would be) (?:some|an?|the best|good)\b"
    r"|\bi(?:'m| am|'d| would)? (?:planning|looking|trying|thinking|hoping|like|want|need) (?:to|for|of|about)\b"
    r"|\b(?:(?:kann|könn)(?:st|te?st) du|soll(?:te)? ich|kann ich|darf|muss|mag|empf[ie]\w+|hilf\w*|lieb\w*)\b"
    r"|\b(?:puedes|podrías|puedo|debo|debería|recom[ie]\w+|suger\w+|sugier\w+|ayuda\w*|aconsej\w+|gusta\w*|prefier\w+)\b"
    r"|\b(?:peux-tu|pourrais-tu|puis-je|dois-je|devrais-je|recommand\w+|conseil\w+|suggèr\w+|aide\w*|aime\w*)\b"
    r"|\bpréf[èé]r\w+\b"
    r"|能不能|可以|怎么|如何|推荐|建议|帮我|应该|喜欢|爱",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？]")
#: Stems of words that only say that something was said; a question of these and a time asks for all of that time.
_SPEECH = frozenset("say said tell told talk discuss mention chat speak spoke happen ask convers thing anyth".split())
#: Stems of words that ask for a name. What is named is what the question is about: of a boat that nobody spoke of, the
#: names of others tell nothing.
_NAMING = frozenset("name call heißt nombr llama nom sappell".split())


def interpret(
    text: str,
    partition: Partition,
    scope: Scope,
    analyzer: Analyzer,
    now: datetime,
    language: str,
    window: Window | None,
) -> Question:
    """The question of `scope` in parts; `window` is the time span it asks about, if it names one."""
    bare = _without_times(text, now, language) if window else text
    content = tuple(term for term in analyzer.terms(bare) if term not in _SPEECH)
    names = {mention.name.casefold() for mention in find_mentions(text, language)}
    speakers = partition.index.codes["speaker"]
    words = set(re.findall(r"[^\W_]+", text.casefold()))
    named = tuple(
        speakers.look(speaker) for speaker in speakers.names if words.issuperset(speaker.casefold().split()[:1])
    )
    months = _months(window)
    asks_back = bool(_BACK.search(text))
    return Question(
        terms=tuple(analyzer.terms(text)),
        content=tuple(term for term in content if term not in _NAMING),
        asks_assistant=bool(_YOU_SAID.search(text)),
        asks_back=asks_back,
        asks_help=not asks_back and bool(_HELP.search(text) or not _ASKED.search(text)),
        speakers=named,
        months=months,
        span=None if window is None or months else _seconds(window),
        wants_time=bool(_WHEN.search(text)),
        wants_number=bool(_COUNT.search(text)),
        wants_many=bool(_MANY.search(text) or _LISTED.search(text.strip())),
        entities=frozenset().union(*(partition.meant(name, scope) for name in names)),
        only_time=window is not None and not content,
        conversation=scope.conversation,
    )


def _without_times(text: str, now: datetime, language: str) -> str:
    for found in reversed(find_times(text, now, language)):
        text = f"{text[: found.start]} {text[found.end :]}"
    return text


def _seconds(window: Window) -> tuple[float, float]:
    begin, until = window
    return (-math.inf if begin is None else begin.timestamp(), math.inf if until is None else until.timestamp())


def _months(window: Window | None) -> tuple[int, ...]:
    """The months a window touches, counted from January 1970, if it is no longer than a year."""
    begin, until = window or (None, None)
    if begin is None or until is None or (until - begin).days > 370:
        return ()
    first, last = ((at.year - 1970) * 12 + at.month - 1 for at in (begin, until))
    if until.day == 1 and (until.hour, until.minute) == (0, 0):
        last = max(first, last - 1)
    return tuple(range(first, last + 1))
