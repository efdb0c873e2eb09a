"""One person under two names: what is said of "my sister" is said of Priyanka, if only she is known as that."""

import re
from functools import cache, lru_cache

from memoranda.core.beliefs.duplicates import same_site
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.language.attributes import named_by, path_part
from memoranda.core.language.pack import pack_of
from memoranda.core.rows import Record
from memoranda.core.rows.lifecycle import CLAIMED
from memoranda.core.text.detect import LANGUAGES

_KINDS = ("fact", "preference", "plan")


def name_of(record: Record, overlay: Overlay) -> str | None:
    """Return the name of the person whom a record calls by what they are to the user; None if it is not one name."""
    relations = relations_in(record.subject or "")
    found = overlay.similar("fact", overlay.analyzer.terms(record.subject or "")) if relations else ()
    names = {str(one.value).casefold() for one in found if named_by(one.attribute) in relations and _holds(one, record)}
    return names.pop() if len(names) == 1 else None


def unnamed(naming: Record, overlay: Overlay) -> list[Record]:
    """Return the records about the person whose name a record gives, by what they are to the user."""
    relation, terms = named_by(naming.attribute), overlay.terms(naming)
    found = (one for kind in _KINDS if relation for one in overlay.similar(kind, terms))
    about = (one for one in found if one.status in CLAIMED and relation in relations_in(one.subject or ""))
    return [one for one in about if same_site(one, naming)]


def _holds(naming: Record, record: Record) -> bool:
    here = naming.subject == USER and same_site(naming, record)
    return here and naming.polarity > 0 and naming.status in CLAIMED and naming.valid_to is None


@lru_cache(1 << 12)
def relations_in(subject: str) -> frozenset[str]:
    """Return what somebody with this subject is to the user, as in paths: `sister` for "user's sister"."""
    matches = ((language, pattern.fullmatch(subject)) for language, pattern in _possessives().items())
    return frozenset(path_part(found["kin"], pack_of(language).canon) for language, found in matches if found)


@cache
def _possessives() -> dict[str, re.Pattern[str]]:
    owned = ((one, pack_of(one).possessive.format(owner=USER, thing="\0")) for one in LANGUAGES)
    return {one: re.compile(re.escape(told).replace("\0", "(?P<kin>.+)")) for one, told in owned}
