"""The verbs of procedural memory and of short-term entries."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Tools(ScopedFace[C]):
    """Tool calls: record and count them, and suggest a tool by their outcomes."""

    stratum = "procedural"

    record = Verb(
        lambda: loaded.tools.record,
        "writes",
        """search '{"query": "ferries"}' --latency 0.4 --task-type travel""",
        creates=True,
        repeats=True,
        route="POST calls",
    )
    stats = Verb(lambda: loaded.tools.stats, "reads", "--tool search")
    calls = Verb(lambda: loaded.tools.calls, "reads", "--tool search")
    suggest = Verb(lambda: loaded.tools.suggest, "reads", '"Which ferry goes to Oslo?"')


class Strategies(ScopedFace[C]):
    """Strategies: learn them, find them for a task, and reinforce them by their outcomes."""

    stratum = "procedural"

    learn = Verb(
        lambda: loaded.strategies.learn,
        "writes",
        '"Ask the harbour first" "a trip by sea" --tools search',
        creates=True,
        repeats=True,
        route="POST",
    )
    find = Verb(lambda: loaded.strategies.find, "reads", '"How do I plan a trip to Oslo?"')
    reinforce = Verb(lambda: loaded.strategies.reinforce, "writes", "STRATEGY --no-success", repeats=True)
    get = Verb(lambda: loaded.strategies.get, "reads", "STRATEGY")


class Entries(ScopedFace[C]):
    """Short-term values, which expire, and fade unless they are used; and the daily log."""

    stratum = "episodic"

    set = Verb(
        lambda: loaded.entries.put,
        "writes",
        """draft '{"to": "Bob"}' --ttl-seconds 600""",
        creates=True,
        route="PUT {key}",
    )
    get = Verb(lambda: loaded.entries.get, "reads", "draft")
    touch = Verb(lambda: loaded.entries.touch, "writes", "draft")
    refresh = Verb(lambda: loaded.entries.refresh, "writes", "draft --ttl-seconds 600")
    delete = Verb(lambda: loaded.entries.delete, "destroys", "draft", right="write", route="DELETE {key}")
    find = Verb(lambda: loaded.entries.find, "reads", "--type task_context")
    clean = Verb(lambda: loaded.entries.clean, "destroys", right="write")
    promote = Verb(lambda: loaded.entries.promote, "writes", "--conversation c1")
    log = Verb(lambda: loaded.entries.log, "writes", '"The nightly import took 4 minutes"', creates=True, repeats=True)
    day = Verb(lambda: loaded.entries.day, "reads", "today")
