"""Who says something, and how far it is believed.

The role and the source come from the channel; a name is only what somebody is called. A label therefore begins with the
role, and a name that could be taken for a role stands in quotation marks. Only the user speaks for the user: what
others say is inferred at most, never verified, and no surer than its source is trusted.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from memoranda.core.rows import Event, Record
from memoranda.core.rows.statements import CERTAINTY
from memoranda.core.text.fence import quoted
from memoranda.core.text.terms import storable

#: The trust of the user's own words.
OWN = 1.0
#: The highest trust of strangers: tools, and the documents and mails that they bring.
STRANGER = 0.5

_SURE = "inferred"  # the highest certainty of what the user did not say
_LONGEST = 60  # characters of a name in a label
_RESERVED = frozenset(
    "assistant benutzer developer function human nutzer system tool user usuario utilisateur 用户".split()
)
#: Words by which somebody means themselves, or a host its user.
SELF = frozenset("benutzer human i ich me moi myself nutzer self user usuario utilisateur yo 我 本人 用户".split())
_UNSEEN = frozenset({"Mn", "Me", "Cf"})
_BLANKS = "\u115f\u1160\u2800\ufffd"  # letters and signs that show nothing, in their normal form
_SOURCES: Mapping[str, str] = MappingProxyType(
    {"system_learned": "conclusion", "tool_indexed": "document", "tool_extracted_content": "tool"}
)
#: Categories that do not say what something comes from.
_GENERAL = frozenset("correction decision fact learning personal preference project project_details workflow".split())
_APART = re.compile(r"[^\w.@'’/-]+")  # what parts the words of a name, and could end a label
_OTHER = re.compile(r"[\W\d_]+")
_BARE = re.compile(r"[\W_]+")
_LATIN = re.compile(r"LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL |DOTLESS |LONG )?([A-Z])\b")
#: Letters of other scripts that look like a Latin one.
_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u04bb\u0501\u043c\u0442\u043d\u043a\u0433\u03c5\u03bf\u03b1"
    "\u03b5\u03c4\u03c1\u03bd\u03b9\u03ba\u057d\u0585\ua4f4\ua4e2\ua4f0\ua4e3\ua4d4\ua4f3\ua4ee\ua4f2\ua4e1\ua4df\ua4e0\ua4d3\ua4e6",
    "aeopcyxishdmthkruoaetpvikuousertoailmndv",
)


def own(row: Event | Record) -> bool:
    """Whether something is, or rests on, the user's words alone."""
    return row.trust >= OWN


def capped(record: Record) -> Record:
    """Return a record that is no surer than its source allows; what the user said is left as it is."""
    if own(record):
        return record
    certainty = min(record.certainty, _SURE, key=CERTAINTY.__getitem__)
    sure = min(record.confidence, CERTAINTY[certainty], record.trust)
    status = "candidate" if record.status == "verified" else record.status
    return replace(record, certainty=certainty, confidence=sure, status=status)


def voice(role: str, name: str | None = None, source: str = "", trust: float = OWN, category: object = None) -> str:
    """Return who says something, as the beginning of a line; empty for what the user said and is no turn.

    For example `user`, `user Ann`, `tool "user" (untrusted)`, `mail (untrusted)`, `agent (unconfirmed)`.

    Args:
        role: of a turn; else empty.
        name: of the speaker.
        source: of what is no turn.
        trust: of either, 0 to 1.
        category: what a stranger's words come from, if it is a word of the agent's own.
    """
    if not role and trust >= OWN:
        return ""
    stranger = trust <= STRANGER
    kind = called(str(category or "")) if stranger and category not in _GENERAL else ""
    who = role or (not is_reserved(kind) and kind) or _SOURCES.get(source, source)
    mark = "(untrusted)" if stranger else "" if role else "(unconfirmed)"
    return " ".join(filter(None, (who, called(name or ""), mark)))


def voice_of(row: Event | Record) -> str:
    """Return who says something that is stored."""
    if isinstance(row, Event):
        return voice(row.role, row.speaker, row.source, row.trust, row.category)
    return voice("", None, row.source, row.trust, row.category)


def said(who: str, text: str) -> str:
    """Return a text as one quoted line that begins with who says it, if that is known."""
    return f"{who}: {quoted(text)}" if who else quoted(text)


@lru_cache(1 << 10)
def called(name: str) -> str:
    """Return a name as it stands in a label: without colons, brackets and line ends, and quoted if it is reserved."""
    plain = " ".join(_APART.sub(" ", quoted(name)).split())[:_LONGEST]
    return f'"{plain}"' if plain and is_reserved(name) else plain


def name_of(role: str, name: str | None, user: str) -> str | None:
    """Return the name of a speaker; None if it shows nothing, or only says that the user's turn is theirs ("me")."""
    letters = (one for one in _letters(name or "") if one not in _BLANKS)
    plain = "".join(one for one in letters if unicodedata.category(one)[0] not in "CZ")
    itself = role == "user" and (_BARE.sub("", plain) in SELF or plain == _letters(user))
    return storable(name)[0] if name and plain and not itself else None


@lru_cache(1 << 10)
def is_reserved(name: str) -> bool:
    """Whether a name, or a word in it, is that of a role, or looks like it: in any script, width, case or spacing."""
    words = [_OTHER.sub("", word) for word in _APART.split(_letters(name))]
    return not _RESERVED.isdisjoint((*words, "".join(words)))


def _letters(name: str) -> str:
    """Return a name in plain letters, whatever its script, width or case, and without what does not show."""
    letters = unicodedata.normalize("NFKC", name).casefold().translate(_ALIKE)
    return "".join(_plain(one) for one in unicodedata.normalize("NFKD", letters))


def _plain(letter: str) -> str:
    """Return the Latin letter that a letter is a form of, nothing for a mark, or else the letter."""
    if letter.isascii():
        return letter
    found = _LATIN.match(unicodedata.name(letter, ""))
    return found[1].lower() if found else "" if unicodedata.category(letter) in _UNSEEN else letter
