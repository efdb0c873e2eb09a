"""The speaker's own words in a text: its sentences, without code, quotations, logs and memoranda's own output."""

import re
from collections.abc import Iterator

from memoranda.core.language.force.irony import without_irony
from memoranda.core.language.force.pasted import MASK, without_blocks, without_others
from memoranda.core.language.force.played import without_play
from memoranda.core.language.grammar import Grammar

#: A longer "sentence" is a table, a dump or a paste, and is not read.
MAX_SENTENCE = 500

#: Commas and colons within numbers ("$1,500", "7:30") separate nothing; these replace them until `restored`.
_WITHIN_NUMBER = re.compile(r"[,:](?<=\d.)(?=\d)")
_GLUE = {",": "\ue000", ":": "\ue001"}
_UNGLUE = str.maketrans({glue: sign for sign, glue in _GLUE.items()})

_PASSAGES = re.compile(
    r"""(?s:(?P<fence>```|~~~|\"{3}).*?(?:(?P=fence)|\Z))                          # fenced code, or text
    |(?s:<(?P<tag>memory|memories|context|system|code|pre|think(?:ing)?)\b.*?(?:</(?P=tag)>|\Z))  # a fence, or markup
    |^[ \t]*(?:>|\||@@|\[/?memory|</?memory|\$[ ]|\#[ ]|//).*$                 # quotes, tables, diffs, prompts
    |^[ \t]*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*$                                 # log lines
    |^[ \t]*(?-i:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|Traceback)\b.*$
    |^[ \t]*(?-i:[A-Z])\w*(?-i:Error|Exception|Warning)\b.*$                    # what a program reports
    |^(?!=+[ \t]*$).*(?:[;{}]|=>|==|\(\))[ \t]*$                                # lines of code
    |https?://\S+|www\.\S+|\[withheld:[ ][a-z ]{2,30}\]""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# A pattern that starts with a character set is searched for ten times as fast as any other.
_SIGNS_OF_PASSAGES = re.compile(
    r"[`~<>|$#;{}=@/\[\dA-Zw\"](?:(?<=[`~<>|$#;{}=@/\[])|(?<=\")\"\"|(?<=\d)\d{3}-\d\d|(?<=[A-Z])[A-Z]{3}|(?<=w)ww|(?<=T)raceback|(?<=E)(?:rror|xception))"
)
WIDE = re.compile(r"[^\S\n]{9,}+")  # between the columns of a table; patterns divide long runs of blanks in many ways
_QUOTATION = re.compile(r"\"[^\"\n]{1,500}\"|«[^»\n]{1,500}»|「[^」\n]{1,500}」|(?<!\w)'[^\n]{8,300}?'(?!\w)")
_QUOTES = re.compile(r"[\"«「']")
_ENDS = re.compile(
    r"[.!?…。！？\n\U0001F300-\U0001FAFF](?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+(?=[\s\"')\]*]|$)|(?<=[。！？])[。！？]*"
    r"|(?<=\n)\n*|(?<=[\U0001F300-\U0001FAFF])[\U0001F300-\U0001FAFF]*)"
)
_STRAIGHT = str.maketrans("\u2019\u2018\u02bc\u201c\u201d\u201e\0\ufffd", "'''\"\"\"  ")
_LINE = r"[ \t]{0,8}\n[ \t]{0,8}(?:[-*•–+]|\d{1,2}[.)])[ \t]{1,8}"  # no run of blanks is longer, see `WIDE`
_HEADED = re.compile(rf"^[^\n:：]{{2,60}}[:：](?P<items>(?:{_LINE}[^\s][^\n]{{0,80}}){{2,12}})$", re.MULTILINE)
_BULLET = re.compile(_LINE)


def own_words(text: str, grammar: Grammar, *, played: bool = False) -> str:
    """Return the text with everything masked that the speaker did not say, or only in play; its length stays the same.

    A wide gap becomes line breaks, which end a sentence; a list below a heading gets commas. `played`
    tells whether play goes on when the text begins.
    """
    plain = text.translate(_STRAIGHT)
    if _SIGNS_OF_PASSAGES.search(plain):
        plain = _PASSAGES.sub(lambda found: MASK * len(found[0]), plain)
    if WIDE.search(plain):
        plain = WIDE.sub(lambda found: "\n" * len(found[0]), plain)
    if _QUOTES.search(plain):
        plain = _QUOTATION.sub(lambda found: _without_quotation(found[0], grammar), plain)
    if _BULLET.search(plain):
        plain = _HEADED.sub(lambda found: _in_one_line(found, grammar), plain)
    own, _ = without_play(without_others(without_blocks(without_irony(plain))), on=played)
    return _WITHIN_NUMBER.sub(lambda found: _GLUE[found[0]], own)


def _in_one_line(found: re.Match[str], grammar: Grammar) -> str:
    """Return a heading with the items below it in its line, unless one of them is more than an item."""
    items = found["items"]
    listed = (f", {item.strip()}" for item in _BULLET.split(items)[1:])
    if not all((comma := grammar.lists.match(item)) and grammar.item.match(item, comma.end()) for item in listed):
        return found[0]
    last = [bullet.start() for bullet in _BULLET.finditer(items)][-1]

    def joint(bullet: re.Match[str]) -> str:
        return (", &" if bullet.start() == last else ", " if bullet.start() else " ").ljust(len(bullet[0]))

    return found[0].removesuffix(items) + _BULLET.sub(joint, items)


def restored(words: str) -> str:
    """Return words of a masked text as they were said."""
    return words.translate(_UNGLUE)


def _without_quotation(quoted: str, grammar: Grammar) -> str:
    """Mask a quotation unless it is short: that is a name or title; a quoted sentence is somebody else's."""
    inner = quoted[1:-1]
    is_name = len(inner) <= 40 and inner.count(" ") < 4 and not grammar.persons.search(inner)
    return quoted if is_name else MASK * len(quoted)


def sentences(plain: str, grammar: Grammar) -> Iterator[tuple[int, int, bool]]:
    """Yield start, end and whether it asks, of each sentence; overlong ones are left out."""
    start = 0
    for found in _ENDS.finditer(plain):
        if _ends_abbreviation(plain, start, found, grammar):
            continue
        yield from _sentence(plain, start, found.start(), "?" in found[0] or "？" in found[0])
        start = found.end()
    yield from _sentence(plain, start, len(plain), asks=False)


def stated(sentence: str, grammar: Grammar, *, asks: bool, wary: bool = True) -> str:
    """Return the part of a sentence that states something, before any question or report; empty if there is none."""
    if grammar.questions.match(sentence):
        return ""
    if asks:
        question = grammar.asks.search(sentence)
        sentence = sentence[: question.start()] if question else ""
    report = grammar.reports.search(sentence) if wary else None
    return sentence[: report.start(report.lastindex or 0)] if report else sentence


def _ends_abbreviation(plain: str, start: int, found: re.Match[str], grammar: Grammar) -> bool:
    if found[0] != ".":
        return False
    word = plain[max(start, found.start() - 12) : found.start()].rpartition(" ")[2].lower()
    return word in grammar.pack.abbreviations


def _sentence(plain: str, start: int, end: int, asks: bool) -> Iterator[tuple[int, int, bool]]:
    while start < end and not plain[start].isalnum():
        start += 1
    if 2 <= end - start <= MAX_SENTENCE:
        yield start, end, asks
