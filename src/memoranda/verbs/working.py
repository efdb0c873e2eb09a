"""The verbs of working memory."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Working(ScopedFace[C]):
    """The working memory of one conversation or workflow run, until it is flushed to the log."""

    stratum = "working"

    add = Verb(
        lambda: loaded.working.add,
        "writes",
        '"Let us plan the trip to Oslo" --conversation c1',
        creates=True,
        repeats=True,
    )
    turns = Verb(lambda: loaded.working.turns, "reads", "--conversation c1")
    view = Verb(lambda: loaded.working.view, "reads", "--conversation c1", route="GET")
    resume = Verb(lambda: loaded.working.resume, "reads", "--conversation c1")
    flush = Verb(lambda: loaded.flush.flush, "writes", "--conversation c1")
    set = Verb(
        lambda: loaded.working.set_,
        "writes",
        """draft '{"to": "Bob"}' --ttl 600 --conversation c1""",
        creates=True,
        route="PUT keys/{key}",
    )
    get = Verb(lambda: loaded.working.get, "reads", "draft --conversation c1", route="GET keys/{key}")
    delete = Verb(
        lambda: loaded.working.delete, "destroys", "draft --conversation c1", right="write", route="DELETE keys/{key}"
    )
    exists = Verb(lambda: loaded.working.exists, "reads", "draft --conversation c1", route="GET keys/{key}/exists")
    keys = Verb(lambda: loaded.working.keys, "reads", "--conversation c1")
    clear = Verb(lambda: loaded.working.clear, "destroys", "--conversation c1", right="write")
    note = Verb(lambda: loaded.working.note, "writes", """task '{"step": 2}' --run nightly""", creates=True)
    push = Verb(
        lambda: loaded.working.push,
        "writes",
        'thoughts "The ferry may be full" --conversation c1',
        creates=True,
        repeats=True,
    )
    ask = Verb(
        lambda: loaded.working.ask,
        "writes",
        '"Book it for eight?" --conversation c1',
        creates=True,
        repeats=True,
        route="POST questions",
    )
    resolve = Verb(
        lambda: loaded.working.resolve,
        "writes",
        "QUESTION --conversation c1",
        route="POST questions/{question}/resolve",
    )
    persist = Verb(lambda: loaded.working.persist, "writes", "--conversation c1")
    load = Verb(lambda: loaded.working.load, "writes", "--conversation c1")
    share_with = Verb(
        lambda: loaded.working.share_with, "writes", "writer draft --conversation c1", route="POST share-with"
    )
    shared_by = Verb(lambda: loaded.working.shared_by, "reads", "planner draft --agent writer --conversation c1")
    degraded = Verb(lambda: loaded.working.degraded, "reads", "--conversation c1")
