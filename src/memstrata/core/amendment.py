"""Bare corrections: "No, I meant Thursday" says nothing alone, and puts right what was said a moment before.

A correction gives the right value and may name the wrong one. It is applied to the newest of a few recent records that
holds the wrong value, or, where none is named, exactly one value of the same sort: a date, a time of day, a number or
a name. Where none fits, nothing happens.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memstrata.core.rows import Record
from memstrata.core.rules.attributes import path_part
from memstrata.core.rules.entities import find_mentions
from memstrata.core.rules.pack import pack_of
from memstrata.core.statements import Statement
from memstrata.core.temporal import find_times

REACH = 10  # events of the conversation that a correction looks back
EDITOR = "amendment"
_SENTENCES = 3  # of a turn, among which one may be a correction
_WORDS = 5  # of a value
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.](?=\S))+")
_NUMBER = re.compile(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:]|[.,]\d)")
_CLOCK = frozenset({"second", "minute", "hour"})
_NAMES = frozenset({"person", "place", "organisation"})
_KEPT = ("kind", "category", "polarity", "certainty", "temporal", "importance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A value that was meant, and the one that was said instead where the speaker names it.

    Attributes:
        start, end: character offsets of its sentence.
        own: it may mean what the same turn stated before it.
        reply: it may as well answer a question: it names no wrong value, nor says that it was meant.
    """

    right: str
    wrong: str | None = None
    start: int = 0
    end: int = 0
    own: bool = False
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """A record, the words in it that are wrong, and what it states when they are put right."""

    record: Record
    wrong: str
    statement: Statement


#: How each language corrects. `sure` exclaims that something was wrong, `lead` just exclaims; `meant` says that a value
#: was meant, `be` only that it is so; `not` comes before the wrong value, `but` before the right one that follows it;
#: `edge` is what stands before a value and is no part of it, `within` makes a bare month or year a time. What holds a
#: `verb` is no value: "not Oslo but Bergen is cold" says something else.
_WORDINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "sure": "oops|wait|sorry|no|nope|nah|actually|correction|my mistake|my bad|scratch that"
        "|i mis(?:spoke|typed)|typo",
        "lead": "oh|ah|hmm|well|ok|okay|hang on|hold on",
        "meant": "i meant(?: to say)?|i mean|make (?:that|it)|(?:(?:it|that) )?should (?:be|have been|say)",
        "be": "(?:it|that)(?:'s| is| was)|they(?:'re| are)",
        "not": "(?:and )?(?:(?:it|that)(?:'s| is) )?not",
        "but": "but|rather|(?:it|that)(?:'s| is)",
        "edge": "on|at|in|by|for|to|from|the",
        "within": "in ",
        "verb": r"\b(?:is|are|was|were|has|had|does|did|can|will|would|works|sounds|looks|(?:i|we|they|he|she) \w+)\b",
    },
    "de": {
        "sure": "ups|moment|warte|sorry|entschuldigung|nein|nee|quatsch|korrektur|eigentlich|falsch",
        "lead": "oh|ach|hm|also|naja|halt|ok|okay",
        "meant": "ich meint?e|gemeint (?:war|ist)|(?:es )?(?:muss|müsste|sollte) heißen",
        "be": "(?:es|das) (?:ist|war|sind)",
        "not": "(?:und )?(?:(?:es|das) ist )?nicht",
        "but": "sondern|(?:es|das) ist",
        "edge": "am|um|im|in|bei|für|nach|zum|der|die|das|den|dem",
        "within": "im ",
        "verb": r"\b(?:ist|sind|war|waren|hat|haben|wird|kann|passt|geht|klingt|(?:ich|wir) \w+)\b",
    },
    "es": {
        "sure": "uy|perdón|no|espera|corrección|en realidad|me equivoqué|me he equivocado|mejor dicho",
        "lead": "ay|ah|bueno|a ver|vale",
        "meant": "quise decir|quería decir|quiero decir|me refería|debería (?:ser|decir)",
        "be": "es|era|son|eran",
        "not": "(?:y )?no(?: es| era| a)?",
        "but": "sino|es|era",
        "edge": "el|la|los|las|en|a|al|de|para|por",
        "within": "en ",
        "verb": r"\b(?:es|son|está|están|fue|era|tiene|hace|puede|funciona|me gusta)\b",
    },
    "fr": {
        "sure": "oups|pardon|non|attends|désolée?|en fait|correction|je me suis trompée?|erreur",
        "lead": "ah|oh|bon|euh|ok",
        "meant": "je voulais dire|je veux dire|(?:ça )?devrait être",
        "be": "c'est|c'était",
        "not": "(?:et )?(?:ce n'est |c'est )?(?:pas|non)",
        "but": "mais|c'est",
        "edge": "le|la|les|en|à|au|aux|de|du|pour|dans",
        "within": "en ",
        "verb": r"\b(?:est|sont|était|fait|peut|marche|convient|(?:je|il|elle|on) \w+)\b",
    },
    "zh": {
        "sure": "不对|不好意思|抱歉|对不起|说错了|我说错了|等等|更正|其实",
        "lead": "哦|啊|嗯",
        "meant": "我是说|我的意思是|我说的是|应该是",
        "be": "是",
        "not": "(?:而)?不是",
        "but": "(?:而)?是",
        "edge": "在",
        "within": "",
        "verb": "[很有了]",
    },
}


@cache
def _form(language: str) -> re.Pattern[str]:
    """The whole sentence of a correction."""
    part = _WORDINGS[language]
    spaced = language != "zh"
    bound, gap, space = (r"\b", r"[\s,;:.!\u2013\u2014-]", r"\s+") if spaced else ("", r"[\s，,；;：:、!！]", r"\s*")
    edge = rf"(?:(?:{part['edge']}){space})*(?!(?:{part['be']}){bound})"  # "they're fine" is no value
    value = edge + r"(?P<%s>[^\s,;:!?()，；：、！？（）][^,;!?()，；、！？（）]{0,39}?)"
    negation, but = rf"(?:{part['not']}){bound}\s*", rf"(?:{part['but']}){bound}\s*"
    between = rf"(?:\s*[,;\u2013\u2014-]+\s*(?:{but})?|\s+{but})" if spaced else rf"[，,；]?{but}"
    return re.compile(
        rf"(?:(?:(?P<sure>{part['sure']})|{part['lead']}){bound}{gap}*)*"
        rf"(?:(?P<meant>{part['meant']}){bound}|(?P<be>{part['be']}){bound})?{gap}*"
        rf"(?:{negation}{value % 'wrong'}{between}{value % 'right'}"
        rf"|{value % 'instead'}{gap}+{negation}{value % 'of'}|{value % 'only'}){gap}*",
        re.IGNORECASE,
    )


def read_correction(text: str, language: str) -> Correction | None:
    """What the beginning of a turn puts right, if one of its first sentences is a bare correction.

    Without the wrong value a sentence corrects only if it says that the value was meant ("I meant Thursday"), or that
    something is so after an exclamation ("Sorry, it's Thursday"): "No, Thursday" may as well answer a question.
    """
    if language not in _WORDINGS:
        return None
    plain = text[:400].replace("\u2019", "'")
    for sentence in list(_SENTENCE.finditer(plain))[:_SENTENCES]:
        found = _form(language).fullmatch(sentence[0].strip())
        if found is None:
            continue
        wrong = found["wrong"] or found["of"]
        right = found["right"] or found["instead"] or found["only"]
        if wrong and wrong[0].islower() and found.start("instead") == 0:
            right = right[0].lower() + right[1:]  # a capital only because it begins the sentence
        certain = wrong or found["meant"] or (found["sure"] and found["be"])
        values = [right, wrong or ""]
        told = any(re.search(_WORDINGS[language]["verb"], value, re.IGNORECASE) for value in values)
        if certain and not told and max(len(value.split()) for value in values) <= _WORDS:
            reply = not (wrong or found["meant"])
            return Correction(right=right, wrong=wrong, start=sentence.start(), end=sentence.end(), reply=reply)
    return None


def amend(correction: Correction, records: Iterable[Record], said: datetime, language: str) -> list[Amendment]:
    """What becomes of the first of `records` that holds what is corrected, and of those that were said with it."""
    made: list[Amendment] = []
    for record in records:
        if made and record.sources != made[0].record.sources:
            break
        found = _misstated(correction, record, said, language)
        if found is not None and found[0].casefold() != found[1].casefold():
            made.append(Amendment(record, found[0], _restated(record, *found, said, language)))
    return [one for one in made if one.wrong.casefold() == made[0].wrong.casefold()]


def _misstated(correction: Correction, record: Record, said: datetime, language: str) -> tuple[str, str] | None:
    """The words of `record` that are to be replaced, and by which; None where it holds no such value, or many."""
    right, wrong, text = correction.right, correction.wrong, record.text
    grain = _grain(right, said, language)
    if grain is not None:
        held = [
            words for words in _times(text, said, language, grain in _CLOCK) if wrong is None or _holds(words, wrong)
        ]
    elif wrong is not None:
        return next(((old, new) for old, new in _wordings(wrong, right) if _holds(text, old)), None)
    elif number := _NUMBER.match(right):
        unit = right[number.end() :].strip()
        dated = " ".join(ref.text for ref in find_times(text, said, language))
        held = [one for one in _NUMBER.findall(text) if not _holds(dated, one) and _holds(text, unit)]
        right = number[0]
    else:
        sorts = {one.type for one in find_mentions(right, language) if one.name == right} & _NAMES
        held = [one.name for one in find_mentions(text, language) if one.type in sorts and one.name == record.value]
    return (held[0], right) if len(held) == 1 else None


def _grain(value: str, said: datetime, language: str) -> str | None:
    """The grain of the time that a value is as a whole."""
    within = _WORDINGS[language]["within"]
    for words in (value, f"{within}{value}"):
        for ref in find_times(words, said, language):
            if ref.text.endswith(value) and ref.grain != "set":
                return ref.grain
    return None


def _times(text: str, said: datetime, language: str, clock: bool) -> Iterator[str]:
    """The dates in a text, each as long as it goes, or its times of day, each as short as it can be said."""
    for ref in find_times(text, said, language):
        words = ref.text.split(" ")
        spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
        for i, j in sorted(spans, key=lambda span: span[1] - span[0], reverse=not clock):
            grain = _grain(" ".join(words[i:j]), said, language)
            if grain is not None and (grain in _CLOCK) is clock:
                yield " ".join(words[i:j])
                break


def _wordings(wrong: str, right: str) -> Iterator[tuple[str, str]]:
    """Both values: their numbers, as said, and without the word both begin with ("my cousin", "my sister")."""
    if (fewer := _NUMBER.match(wrong)) and (more := _NUMBER.match(right)):
        yield fewer[0], more[0]
    yield wrong, right
    (first, _, old), (other, _, new) = wrong.partition(" "), right.partition(" ")
    if old and new and first.casefold() == other.casefold():
        yield old, new


def _holds(text: str, words: str) -> bool:
    return _whole(words).search(text) is not None


def _whole(words: str) -> re.Pattern[str]:
    """The words as they stand in a text, not as part of a longer word where words are apart."""
    begin, end = r"(?<!\w)" if words[:1].isascii() else "", r"(?!\w)" if words[-1:].isascii() else ""
    return re.compile(f"{begin}{re.escape(words)}{end}", re.IGNORECASE)


def _restated(record: Record, old: str, new: str, said: datetime, language: str) -> Statement:
    """What `record` states with `new` in the place of `old`."""
    pack = pack_of(language)
    pattern = _whole(old)
    spoken = " ".join(pack.persons.get(word.lower(), word) for word in new.split(" "))
    text = pattern.sub(lambda _: spoken, record.text)
    times = find_times(text, said, language) if record.phrase else []
    if times and times[0].relation == "past" and record.temporal == "future" and record.valid_to:
        times = find_times(text, record.valid_to, language)  # the occurrence closest to the one that was said
    wrong, right = path_part(old, pack.canon), path_part(new, pack.canon)
    same = {name: getattr(record, name) for name in _KEPT}
    return Statement(
        **same,
        text=text,
        subject=pattern.sub(lambda _: spoken, record.subject or ""),
        attribute=record.attribute
        and ".".join(right if name == wrong else name for name in record.attribute.split(".")),
        value=pattern.sub(lambda _: new, record.value) if isinstance(record.value, str) else record.value,
        correction=True,
        when=times[0] if times else None,
        rule=EDITOR,
    )
