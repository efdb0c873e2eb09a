"""The rows that forgetting leaves: tombstones, and receipts, which anybody can check without the memory.

`docs/RECEIPTS.md` describes the format of a receipt.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.old_names import RECEIPT
from memoranda.core.rows.declare import Row, RowTraits, key_of, table
from memoranda.errors import InputError

_LONG = 32  # hexadecimal digits of the hash of an id
_WANTED = "give all that `memoranda forget --json` printed"
_RECEIPT_FIELDS = ("tenant", "user", "id", "target", "removed", "salt", "items", "remains")
_WITHOUT_IDS = frozenset({"cells", "names"})  # counts of what has no ids


@table("tombstones", "id", traits=RowTraits(image="held", derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone(Row):
    """A mark that something must not come back. Holds a hash or an id, never the text; every writer checks it.

    Attributes:
        id: the id of what was forgotten, or the mark of its text, see `core.text.forgotten`.
        receipt: the id of the receipt that lists what was removed.
        created_at: when it was last forgotten; what the user says later is new, unless it was forgotten for good.
    """

    id: str
    receipt: str
    created_at: datetime


@table("receipts", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Row):
    """Proof of one act of forgetting, without a word of what was forgotten.

    Attributes:
        target: what was asked for; a value is given as its hash with the salt.
        removed: the number of rows removed, by kind; `cells`: of those in working memory; `names`: of
            what others use and that was called by what was forgotten.
        digest: SHA-256 of all other fields but `seq`, as canonical JSON.
        salt: a random text that the ids are hashed with.
        items: by kind, the hashes of the ids of the removed rows.
        remains: where bytes may still be read, until when or until what is done; as far as the store can know.
    """

    id: str
    target: str
    removed: Mapping[str, Any]
    digest: str = ""
    created_at: datetime
    salt: str = ""
    items: Mapping[str, Any] = field(default_factory=dict)
    remains: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: object) -> "Receipt":
        """Return the receipt in a JSON document.

        Raises:
            InputError: it is none.
        """
        if not isinstance(document, Mapping):
            raise InputError(f"This is no receipt of forgetting, but {brief(document)}: {_WANTED}.")
        if missing := [name for name in (*_RECEIPT_FIELDS, "digest", "created_at") if name not in document]:
            raise InputError(f"This is no whole receipt of forgetting, it lacks {', '.join(missing)}: {_WANTED}.")
        try:
            held: dict[str, Any] = {name: document[name] for name in (*_RECEIPT_FIELDS, "digest")}
            held |= {"remains": tuple(held["remains"]), "created_at": datetime.fromisoformat(document["created_at"])}
            found = cls(**held)
            found.verify()  # an error if its parts are something else
        except (AttributeError, TypeError, ValueError, RecursionError) as error:
            raise InputError(
                f"This is no receipt of forgetting, a value in it is none ({error}): {_WANTED}."
            ) from error
        return found

    def listing(self, rows: Iterable[Row], **more: int) -> "Receipt":
        """Return the receipt for more removed rows and for `more`, which have no ids, with its digest."""
        items: dict[str, list[str]] = {kind: [*ids] for kind, ids in self.items.items()}
        for row in rows:
            items.setdefault(row.__table__, []).append(self.mark(row.__table__, *key_of(row)))
        counted = {kind: n + self.removed.get(kind, 0) for kind, n in more.items()}
        counts = {kind: len(ids) for kind, ids in sorted(items.items())} | {kind: n for kind, n in counted.items() if n}
        whole = replace(self, removed=counts, items={kind: sorted(ids) for kind, ids in sorted(items.items())})
        return replace(whole, digest=whole.computed())

    def mark(self, *names: object) -> str:
        """Return the hash of an id in this receipt: of a kind, and the key of a row."""
        return hashlib.sha256("/".join((self.salt, *map(str, names))).encode()).hexdigest()[:_LONG]

    def lists(self, kind: str, *key: object) -> bool:
        """Whether a row of a kind was removed, given its key, e.g. `lists("events", event_id)`."""
        return self.mark(kind, *key) in self.items.get(kind, ())

    def computed(self) -> str:
        """Return the digest that the other fields have."""
        told = {name: getattr(self, name) for name in _RECEIPT_FIELDS} | {"remains": sorted(self.remains)}
        told |= {"format": RECEIPT, "created_at": self.created_at.isoformat()}
        text = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def verify(self) -> bool:
        """Whether nothing in the receipt was changed since it was made, and its counts are those of its items.

        It is not signed: whoever can write a whole receipt can make one. One made before receipts had a salt is not
        verified.
        """
        counted = Counter({kind: len(ids) for kind, ids in self.items.items()})
        counts = {kind: number for kind, number in self.removed.items() if kind not in _WITHOUT_IDS}
        return bool(self.salt) and counts == dict(counted) and self.computed() == self.digest
