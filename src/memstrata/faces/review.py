"""The verbs of a review."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import review


class AsyncReview(Face):
    """Beliefs in doubt, and a person's verdict on them."""

    find = verb(review.find)
    accept = verb(review.accept)
    reject = verb(review.reject)
