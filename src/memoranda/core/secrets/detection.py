"""Secrets in a text: passwords, keys, card and account numbers, and what else must not be kept.

A *format* gives a secret away: a prefix, a check digit, a shape of its own. Or a *label*: a word for a secret (a cue),
linked to a value of the right shape that is no ordinary word; the key of a JSON object and the heading of a column are
labels too. Or else what is said around it (`core/secrets/clues`).
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from memoranda.core.secrets import check_digits
from memoranda.core.secrets.clues import EDGES, MASK, given_away
from memoranda.core.secrets.cues import Cue, Reader, Secret, known

#: The kinds that a tenant may keep.
OPTIONAL = frozenset({"iban", "ssn", "national_id", "door_code"})

_SHORT = 20
_LABEL = 60  # characters of the longest label of a value
_PATH = 400  # characters of a path of keys that are looked at, from its end
_ID = 36  # characters of an id
_LONGEST = 512  # characters of a password whose edges are looked for; of a longer one all is withheld up to a space
_LEAST = 5  # digits of the shortest number of a card, an account or an identity
_IS = {"login": "password", "network": "password", "answer": "recovery"}  # kinds of cues, and of what they label
_LONG = frozenset({"card", "iban", "ssn", "national_id"})


def find(text: str, kept: Collection[str] = (), *, free: bool = True) -> list[Secret]:
    """Return the secrets in a text, in order and without overlaps; those of the kinds in `kept` are none.

    `free`: whether the text is in free words, so that what is said around a value counts; a name or key is not.
    """
    if len(text) < _SHORT and text.isascii() and text.isalpha():  # a word alone, such as a key or a role, tells nothing
        return []
    reader = known()
    text = reader["placeholder"].sub(lambda found: MASK * len(found[0]), text)
    lowered = text.lower()
    looked = f"{lowered}<digits>" if reader["many_digits"].search(text) else lowered
    signs = {number for hint in filter(looked.__contains__, reader.signs) for number in reader.signs[hint]}
    bare = reader["uuid"].sub(lambda found: MASK * len(found[0]), text) if "-" in text else text
    forms = map(reader.formats.__getitem__, sorted(signs))  # parts of ids often pass the checks of numbers
    found = [one for form in forms for one in form.find(bare if form.kind in _LONG else text)]
    if cues := reader.cues_in(text):
        found += chain(_labelled(text, cues, reader), _columns(text, reader) if "\n" in text else ())
    for span, kind in list(given_away(text, cues, reader, found)) if free else ():
        if kind == "api_key" and reader["ticket"].fullmatch(text[slice(*span)]):
            continue
        found += _listed(text, span, kind, reader)
    stay = [(one.start, one.end) for one in found if one.kind in kept]
    apart: list[Secret] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.kind in kept or any(start < one.end and one.start < end for start, end in stay):
            continue
        if apart and one.start < apart[-1].end:
            one = Secret(apart[-1].start, max(one.end, apart[-1].end), apart.pop().kind)  # noqa: PLW2901
        apart.append(one)
    return apart


def withheld(text: str, kept: Collection[str] = (), *, free: bool = True) -> str:
    """Return a text with a placeholder in the place of each secret; see `find`."""
    parts, begin = [], 0
    for one in find(text, kept, free=free):
        parts += [text[begin : one.start], placeholder(one.kind)]
        begin = one.end
    return "".join((*parts, text[begin:])) if parts else text


def placeholder(kind: str) -> str:
    """Return what stands in the place of a secret of this kind."""
    return f"[withheld: {known().names[kind]}]"


def is_id(text: str) -> bool:
    """Return whether a text is nothing but an id as the memory makes them."""
    return len(text) == _ID and known()["uuid"].fullmatch(text) is not None


def holds(name: object) -> bool:
    """Return whether a value stands under a name like this, in an object that says elsewhere what it is called."""
    return isinstance(name, str) and known()["value"].fullmatch(name) is not None


def labels(label: str, value: str) -> str | None:
    """Return the kind of secret that a value is under a label; None if it is none.

    A label is the key of a JSON object, or a path of keys with dots: below a key that names a secret, as in
    "password.staging", all that looks like one is, but what is told about it.
    """
    reader, bare, deep = known(), value.strip(), label[-_PATH:]
    if not bare or reader["placeholder"].fullmatch(bare) or reader["masks"].fullmatch(bare):
        return None
    if reader["faulted"].search(deep):
        return None
    if reader["login"].search(deep):
        return "password" if reader.odd(bare) and not reader.dull(bare) else None
    cue = _named(deep)
    if cue and _fits(*cue, bare, reader):
        return cue[0]
    while deep := "" if reader["about"].search(deep) else reader["above"].sub("", deep):
        kind, word = _named(deep) or ("", "")
        whole = kind == "password" and _word(bare, 0, reader, "firm", deep) == (0, len(bare))
        if whole or (kind not in {"", "password"} and _fits(kind, word, bare, reader)):
            return kind
    return None


def _fits(kind: str, cue: str, bare: str, reader: Reader) -> bool:
    """Whether a value has the shape of a kind; a password has any, a key looks random, the more if it is any key."""
    if kind != "api_key":
        return kind == "password" or reader[kind].fullmatch(bare) is not None
    if reader["bare"].fullmatch(cue):
        return check_digits.alternates(bare) and not is_id(bare) and " " not in bare
    shaped = reader[kind].fullmatch(bare) is not None and check_digits.mixed(bare)
    return shaped or (" " not in bare and check_digits.alternates(bare))


@lru_cache(1 << 12)
def _named(label: str) -> tuple[str, str] | None:
    """Return the kind of secret that a label names, and by which of its cues, which ends it."""
    if len(label) > _LABEL:
        return None
    reader = known()
    spoken = reader["spoken"].sub(" ", label).strip()
    ending = sorted((number, cue[0]) for _, number, cue in reader.cues_in(spoken) if cue.end() == len(spoken))
    told = ((reader.cues[number][0], word) for number, word in ending)
    return next(((kind, word) for kind, word in told if kind not in _IS), None)


# ------------------------------------------------------------------------------------------------- labels


def _labelled(text: str, cues: Sequence[Cue], reader: Reader) -> Iterator[Secret]:
    """Yield the values that a cue is linked to.

    A link is *firm* (an assignment, so that any word is a value), *strong* (a colon), *weak* (a verb), or the value
    must look *odd*.
    """
    at = 0
    for start, number, cue in cues:
        kind = reader.cues[number][0]
        if start < at or kind == "login":
            continue
        gap = reader["gap"].match(text, cue.end())
        stop = gap.end() if gap else cue.end()
        links = (one for one in reader["link"].finditer(text, cue.end(), stop + 6) if one.start() <= stop)
        how = [(one.end(), "odd" if kind == "network" else str(one.lastgroup)) for one in links]
        if beside := reader["beside"].match(text, cue.end()):
            how.insert(0, (beside.end(), "odd"))
        found = next(filter(None, (_value(text, place, kind, reader, name, cue[0]) for place, name in how)), None)
        at = cue.end()
        for one in _listed(text, found, kind, reader):
            yield one
            at = max(at, one.end)


def _listed(text: str, span: tuple[int, int] | None, kind: str, reader: Reader) -> Iterator[Secret]:
    """Yield a secret, and the recovery codes that follow it in a list."""
    while span:
        yield Secret(*span, _IS.get(kind, kind))
        item = reader["item"].match(text, span[1]) if kind == "recovery" else None
        span = _value(text, item.end(), kind, reader, "odd") if item else None


def _columns(text: str, reader: Reader) -> Iterator[Secret]:
    """Yield the cells of a table below a heading that names a secret."""
    heads: list[str] = []
    for line in reader["row"].finditer(text):
        sign = next(one for one in "|\t;," if one in line[0])
        cells, at = line[0].split(sign), line.start()
        if len(cells) != len(heads):
            named = reader["heading"].fullmatch(line[0]) and sum(map(bool, map(str.strip, cells))) > 1
            heads = [cell if len(cell.split()) <= 2 else "" for cell in cells] if named else []
            continue
        for head, cell in zip(heads, cells, strict=True):
            if kind := labels(head, cell):
                start = at + len(cell) - len(cell.lstrip())
                yield Secret(start, start + len(cell.strip()), kind)
            at += len(cell) + 1


def _value(text: str, at: int, kind: str, reader: Reader, how: str, cue: str = "") -> tuple[int, int] | None:
    """Return the span of the value of a kind that begins at a place, if there is one."""
    if _IS.get(kind, kind) == "password":
        return _word(text, at, reader, how, cue)
    shape = reader[kind].match(text, at + (text[at : at + 1] in "\"'`“„«「("))
    if shape is None or (kind == "answer" and how == "odd"):
        return None
    start, end = shape.span()
    if kind == "api_key":
        word = shape[0].rstrip(EDGES)
        random = check_digits.mixed(word) or (word.isdigit() and len(word) >= 16)
        if not random or reader["ticket"].fullmatch(word) or reader.dull(word) or reader["code"].fullmatch(word):
            return None
        return start, _whole(text, start + len(word), len(shape[0]), reader)
    # That letters and digits are an account number shows by their check digits, see `check_digits.iban`.
    digits = sum(map(str.isdigit, shape[0]))
    return None if kind in _LONG and (digits < _LEAST or (kind == "iban" and shape[0][0].isalpha())) else (start, end)


def _whole(text: str, end: int, length: int, reader: Reader) -> int:
    """Return where a word of some length ends; if it was cut, at the next space."""
    rest = reader["rest"].match(text, end) if length >= _LONGEST else None
    return rest.end() if rest else end


def _word(text: str, at: int, reader: Reader, how: str, cue: str) -> tuple[int, int] | None:
    """Return the span of a password: a word that is no ordinary one, or a phrase of several."""
    word, phrase = reader["word"].match(text, at), reader["phrase"].match(text, at)
    if phrase and how != "odd" and reader["phrases"].search(cue):
        return phrase.span()
    if word is None or (how != "weak" and reader["assigned"].match(text, at)):
        return None
    bare = word[0].rstrip(EDGES)
    plain = bare.rstrip("!?")
    if len(plain) < 3 or reader.dull(plain) or reader.plain(plain):
        return None
    end = at + len(bare)
    if reader.odd(bare):
        return at, _whole(text, end, len(word[0]), reader)
    return (at, end) if how == "firm" or (how != "odd" and reader["closes"].match(text, end)) else None
