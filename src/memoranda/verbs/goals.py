"""The verbs of goals."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Goals(ScopedFace[C]):
    """Goals: set them, move them from state to state, find those that a question brings up."""

    stratum = "procedural"

    add = Verb(
        lambda: loaded.goals.add, "writes", '"Ship 1.0" --deadline 2030-03-01 --recall-when release', creates=True
    )
    get = Verb(lambda: loaded.goals.get, "reads", "GOAL")
    find = Verb(lambda: loaded.goals.find, "reads", "--states blocked")
    due = Verb(lambda: loaded.goals.due, "reads", '"What of the release?"')
    update = Verb(lambda: loaded.goals.update, "writes", "GOAL --priority 1")
    block = Verb(lambda: loaded.goals.block, "writes", 'GOAL --by "no signature yet"')
    resume = Verb(lambda: loaded.goals.resume, "writes", "GOAL")
    complete = Verb(lambda: loaded.goals.complete, "writes", 'GOAL --result "It shipped."')
    abandon = Verb(lambda: loaded.goals.abandon, "writes", 'GOAL --reason "Nobody wants it."')
    reject = Verb(lambda: loaded.goals.reject, "writes", "GOAL")
