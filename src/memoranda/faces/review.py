"""The methods of reviews."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import review


class AsyncReview(Face):
    """Disputed beliefs, and a person's verdict on them."""

    find = verb(review.find)
    accept = verb(review.accept)
    reject = verb(review.reject)
