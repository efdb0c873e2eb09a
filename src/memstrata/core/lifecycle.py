"""The states of a record.

candidate    said once, taken as it was said
verified     said again, confirmed, or corrected by the user
disputed     contradicted and waiting for a person to decide
rejected     declared wrong; kept so that it does not come back
expired      held once; ended by time, by a newer statement, or by a more specific wording
quarantined  held back: its origin is not trusted
"""

#: States of what may hold now.
OPEN = frozenset({"candidate", "verified", "disputed"})
#: States whose records recall may return.
LIVE = OPEN | {"expired"}
