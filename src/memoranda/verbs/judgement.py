"""The verbs of reviews and of the outcomes of decisions."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Review(ScopedFace[C]):
    """Beliefs in doubt, and a person's verdict on them."""

    stratum = "semantic"

    find = Verb(lambda: loaded.review.find, "reads")
    accept = Verb(lambda: loaded.review.accept, "writes", "RECORD")
    reject = Verb(lambda: loaded.review.reject, "writes", "RECORD")


class Outcomes(ScopedFace[C]):
    """The outcomes of decisions."""

    record = Verb(lambda: loaded.outcomes.record, "writes", 'DECISION "On time"', route="POST")
    find = Verb(lambda: loaded.outcomes.find, "reads")
