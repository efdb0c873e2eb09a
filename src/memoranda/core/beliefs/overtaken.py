"""Where a scope sees several agents' or channels' records, the latest on a subject and attribute is what holds there.

Records of different places do not end one another: where only one of them is seen, it holds. An agent is told nothing
of what another one heard; the user, who sees both, is shown the later.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.conflicts import contradictory
from memoranda.core.beliefs.duplicates import same_site
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.rows import Record
from memoranda.core.rows.lifecycle import OPEN


def overtaken(
    record: Record, records: Mapping[str, Record], attributes: Mapping[str, Iterable[str]], scope: Scope, now: datetime
) -> Record | None:
    """Return the first later record of another place that says otherwise; None if `record` holds.

    It is one that `scope` sees, and trusted as much. The whole of a user's memory has no such view: it shows all.

    Args:
        record: the record in question.
        records: those believed, by id.
        attributes: the ids of those that give an attribute.
        scope: whose view it is.
        now: the time that is asked about.
    """
    if scope.whole or record.attribute is None or not is_single_valued(record.attribute):
        return None
    names = attributes.get(record.attribute, ())
    others = (records[name] for name in names if name in records)
    later = (
        other
        for other in others
        if other.trust >= record.trust
        and record.valid_from < other.valid_from <= now
        and other.status in OPEN
        and visible(other, scope)
        and not same_site(other, record)
        and contradictory(other, record)
    )
    return min(later, key=lambda one: (one.valid_from, one.id), default=None)
