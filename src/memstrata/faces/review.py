"""The methods of reviews."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import review


class AsyncReview(Face):
    """Disputed beliefs, and a person's verdict on them."""

    find = verb(review.find)
    accept = verb(review.accept)
    reject = verb(review.reject)
