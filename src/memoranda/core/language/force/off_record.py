"""What somebody asks not to be kept: "don't save this, but …", "off the record, …", "forget what I said".

The words are withheld before anything is written, and a placeholder says that there were some. Which words are meant
is told generously, for what is kept against a wish cannot be taken back: the sentence that asks and what follows it in
its paragraph, until the speaker goes on to something else; if the sentence does nothing but ask, all of its paragraph,
and all of the text if that is nothing but the sentence; and if it takes back what was said, all that precedes it.
A sentence that announces what is meant means what follows, in the next paragraph or the speaker's next turn. What is
answered to withheld words is withheld as well, for answers repeat what they answer.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from memoranda.core.language.signs import hinted, sign

#: What stands in the place of withheld words.
WITHHELD = "[withheld: on request]"
#: The same where what is meant is what the speaker says next, in another turn.
ANNOUNCED = "[withheld: on request with what follows]"

#: The traits of a user's turn: words of it are withheld, so what answers it is; what the user says next is meant.
OFF_RECORD, AHEAD = "off_record", "off_record_ahead"

_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\w))*+[.!?。！？\n]*+\s*+")
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))*+\s*+")
_WORD = re.compile(r"[^\W_]+")
_EDGE = 300  # characters at the beginning and the end of a sentence that are searched; a longer one is hardly speech
#: The most characters in which the patterns search; of a longer sentence its edges, with a blank between them.
MAX_SEARCHED = 2 * _EDGE + 1
_POLITE = 60  # characters of a turn that may say nothing but "Thanks!"
_TAIL = 6  # the most words, or characters of Chinese, behind an announcement that are hardly what it announces
_BARE = 1  # the words, or characters of Chinese, that may stand before and behind words that only ask
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked in a conversation, at one point of it, of what follows.

    Attributes:
        answers: whether words of the last turn of a user are withheld, so that what answers it is withheld too.
        ahead: the names of the speakers whose next turn is meant, "" for one without a name.
    """

    answers: bool = False
    ahead: frozenset[str] = frozenset()

    def behind(self, speaker: str | None, asked: Collection[str]) -> "Wishes":
        """Return what is asked behind a turn of a user, which has these traits."""
        name = _name(speaker)
        ahead = self.ahead - {name, ""} if name else frozenset()
        return Wishes(OFF_RECORD in asked, ahead | {name} if AHEAD in asked else ahead)

    def left_of(self, text: str, speaker: str | None) -> str:
        """Return what may be kept of a turn of a user. A mere "Thanks." is withheld too, for the wish outlasts it."""
        if self.ahead and ("" in self.ahead or _name(speaker) in {"", *self.ahead}):  # a host may leave a name out
            return ANNOUNCED if AHEAD in asking(text) or _is_courtesy(text) else WITHHELD
        return WITHHELD if self.answers and _is_courtesy(text) else text


def on_record(text: str) -> str:
    """Return a text without the words that it asks not to be kept; the same text if it asks for nothing."""
    spans = sorted(_withheld(text))
    if not spans:
        return text
    parts, at = list[str](), 0
    for start, end, ahead in spans:
        if start > at or not parts:
            parts += [text[at:start].rstrip(), WITHHELD]
        at = max(at, end)
        if ahead:
            parts[-1] = ANNOUNCED
    return " ".join(part for part in (*parts, text[at:].strip()) if part)


def asking(content: str) -> tuple[str, ...]:
    """Return what a user's turn, as it is kept, asks of the turns behind it: `OFF_RECORD`, `AHEAD`, or nothing."""
    said = (OFF_RECORD,) if WITHHELD[:-1] in content else ()
    return (*said, AHEAD) if ANNOUNCED in content else said


def _withheld(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of the words that a text asks not to be kept, and whether others, still to come, are meant."""
    hints = hinted(text, "off_record"), hinted(text, "off_record", "ahead")
    if not any(hints):
        return
    ahead = False
    for paragraph in _PARAGRAPH.finditer(text):
        meant, first = ahead, paragraph.start()
        for start, end in _sentences(text, *paragraph.span()):
            sentence = _searched(text[start:end])
            taken_back, asked = (_found(name, sentence) if hints[0] else None for name in ("takes_back", "asks"))
            asked = None if asked and _means_else(sentence, asked) else asked
            bare, ahead = asked is not None and _is_bare(sentence, asked), False
            if taken_back and _is_bare(sentence, taken_back, before=2):
                yield 0, end, False
            elif asked or (hints[1] and _announces(sentence)):
                meant, alone = True, bare and (start, end) == paragraph.span()
                before = _searched(text[max(first, start - _EDGE) : start])
                ahead = _comes(sentence, before) or (alone and not text[:start].strip() and not _recalls(sentence))
                comes = ahead and _lies_ahead(text[start:end].rstrip(), text[end : end + MAX_SEARCHED].strip())
                yield (0, len(text), comes) if alone else (first if bare else start, end, comes)
            elif meant and not _pattern("resumes").match(sentence):
                yield start, end, False
            else:
                meant = False


def _lies_ahead(announcement: str, behind: str) -> bool:
    """Whether what a text announces is hardly what stands behind that in the text, so that it is still to come."""
    return not behind or (not announcement.endswith((":", "\uff1a")) and _words(behind[:_EDGE]) <= _TAIL)


def _announces(sentence: str) -> bool:
    """Whether a sentence says of what comes next that it is not to be kept, in whatever words."""
    if _found("announces", sentence) is None or _found("about_words", sentence) is not None:
        return False
    private = _found("mine", sentence) and _found("private", sentence)
    return bool(private or _found("silent", sentence))


def _comes(sentence: str, before: str) -> bool:
    """Whether a sentence that asks means something that is said next, as it says, or the words before it."""
    return any(_found(name, text) for name, text in (("announces", sentence), ("tells", before)))


def _recalls(sentence: str) -> bool:
    return _found("recalls", sentence) is not None


def _means_else(sentence: str, asked: re.Match[str]) -> bool:
    """Whether words that ask are only spoken of, or mean a thing that somebody is to do something to."""
    at = asked.start()
    if _pattern("quoted").search(sentence, max(0, at - 2), at + 2) and _found("about_words", sentence):
        return True
    return _pattern("thing").search(sentence[:at]) is not None


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of a paragraph."""
    while start < end:
        found = _SENTENCE.match(text, start, end)
        stop = found.end() if found and found.end() > start else end
        yield start, stop
        start = stop


def _searched(sentence: str) -> str:
    """Return what is searched of a sentence, with single blanks: all, or of a long one its beginning and its end."""
    words = " ".join(sentence.split())  # the patterns divide a long run of blanks in many ways
    return words if len(words) <= MAX_SEARCHED else f"{words[:_EDGE]} {words[-_EDGE:]}"


def _is_bare(sentence: str, asked: re.Match[str], before: int = _BARE) -> bool:
    """Whether a sentence says hardly anything beside what it asks for; `before` are the most words ahead of that."""
    return _words(sentence[: asked.start()]) <= before and _words(sentence[asked.end() :]) <= _BARE


def _words(text: str) -> int:
    """Return the number of words in a text but for those of courtesy, or of its characters if it is Chinese."""
    text = _pattern("courtesy").sub("", text)
    return max(len(_WORD.findall(text)), len(_HAN.findall(text)))


def _name(speaker: str | None) -> str:
    return (speaker or "").strip().casefold()


def _is_courtesy(text: str) -> bool:
    return len(text) <= _POLITE and not _words(text)


def _found(name: str, text: str) -> re.Match[str] | None:
    return _pattern(name).search(text)


def _pattern(name: str) -> re.Pattern[str]:
    return sign(name, "off_record", re.IGNORECASE | re.MULTILINE)
