"""The states of a record and the transitions between them.

candidate    taken as it was said, once or several times
verified     confirmed or corrected by the user, or said again after it was rejected or archived
disputed     contradicted and waiting for a person to decide
rejected     declared wrong; kept so that it does not come back
expired      held once; ended by time, by a newer statement, or by a more specific wording
archived     faded, stale or never used: not recalled until it is said again; nothing contradicts it
quarantined  held back because its origin is not trusted
"""

from collections.abc import Mapping
from types import MappingProxyType

from memoranda.errors import InputError

#: The statuses a new version may have, by the current one. Forgetting the event that ended or disputed a record is
#: exempt: it restores the record.
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

#: Statuses of records that may hold now.
OPEN = frozenset({"candidate", "verified", "disputed"})
#: Statuses of records that recall may return.
LIVE = OPEN | {"expired"}
#: Statuses of records that can be contradicted.
CLAIMED = LIVE | {"archived"}


def advance(status: str, to: str) -> str:
    """Return `to` if the table allows it after `status`; keeping the status is always allowed.

    Raises:
        InputError: the table does not allow it.
    """
    if to != status and to not in TRANSITIONS.get(status, frozenset()):
        allowed = ", ".join(sorted(TRANSITIONS.get(status, frozenset()))) or "nothing"
        raise InputError(f"A record that is {status} cannot become {to}; it can become {allowed}.")
    return to
