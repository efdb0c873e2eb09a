"""The methods of outcomes."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import outcomes


class AsyncOutcomes(Face):
    """The outcomes of decisions."""

    record = verb(outcomes.record)
    find = verb(outcomes.find)
