"""The verbs of goals."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import goals


class AsyncGoals(Face):
    """What somebody wants to reach: set, moved from state to state, brought up by what is asked."""

    add = verb(goals.add)
    get = verb(goals.get)
    find = verb(goals.find)
    due = verb(goals.due)
    update = verb(goals.update)
    block = verb(goals.block)
    resume = verb(goals.resume)
    complete = verb(goals.complete)
    abandon = verb(goals.abandon)
    reject = verb(goals.reject)
