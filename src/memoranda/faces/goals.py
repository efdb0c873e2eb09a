"""The methods of goals."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import goals


class AsyncGoals(Face):
    """Goals: set them, move them from state to state, find those that a question brings up."""

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
