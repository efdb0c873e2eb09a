"""The methods of outcomes."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import outcomes


class AsyncOutcomes(Face):
    """The outcomes of decisions."""

    record = verb(outcomes.record)
    find = verb(outcomes.find)
