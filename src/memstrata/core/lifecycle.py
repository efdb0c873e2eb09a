"""The life of a record: its states, and which may follow which. The table is the documentation.

candidate    said once, taken as it was said
verified     said again, confirmed, or corrected by the user
disputed     contradicted and waiting for a person to decide
rejected     declared wrong; kept so that it does not come back
expired      held once; ended by time, by a newer statement, or by a more specific wording
archived     faded, grown stale or never used: out of recall until it is said again; nothing says that it is not so
quarantined  held back: its origin is not trusted
"""

from collections.abc import Mapping
from types import MappingProxyType

from memstrata.errors import InputError

#: What a new version of a record may become. When what ended or disputed it is forgotten, it may be as it was before.
TRANSITIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "candidate": frozenset({"verified", "disputed", "rejected", "expired", "archived", "quarantined"}),
        "verified": frozenset({"disputed", "rejected", "expired", "archived", "quarantined"}),
        "disputed": frozenset({"candidate", "verified", "rejected", "expired"}),
        "rejected": frozenset({"verified"}),
        "expired": frozenset({"candidate", "verified", "disputed", "rejected"}),
        "archived": frozenset({"candidate", "verified", "disputed", "rejected", "expired"}),
        "quarantined": frozenset({"candidate", "rejected"}),
    }
)

#: States of what may hold now.
OPEN = frozenset({"candidate", "verified", "disputed"})
#: States whose records recall may return.
LIVE = OPEN | {"expired"}
#: States of what can be contradicted.
CLAIMED = LIVE | {"archived"}


def advance(status: str, to: str) -> str:
    """`to`, if a record may go there from `status`; staying is always allowed.

    Raises:
        InputError: the table does not allow it.
    """
    if to != status and to not in TRANSITIONS.get(status, frozenset()):
        allowed = ", ".join(sorted(TRANSITIONS.get(status, frozenset()))) or "nothing"
        raise InputError(f"A record that is {status} cannot become {to}; it can become {allowed}.")
    return to
