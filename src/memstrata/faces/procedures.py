"""The verbs of procedural memory and of short-term entries."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import entries, strategies, tools


class AsyncTools(Face):
    """Calls of tools: recorded, counted, and suggested by what came of them."""

    record = verb(tools.record)
    stats = verb(tools.stats)
    calls = verb(tools.calls)
    suggest = verb(tools.suggest)


class AsyncStrategies(Face):
    """Ways to do something: learned, found for a task, and judged by what came of them."""

    learn = verb(strategies.learn)
    find = verb(strategies.find)
    reinforce = verb(strategies.reinforce)
    get = verb(strategies.get)


class AsyncEntries(Face):
    """Values kept for a while, which fade unless they are used, and the log of a day."""

    set = verb(entries.put)
    get = verb(entries.get)
    touch = verb(entries.touch)
    refresh = verb(entries.refresh)
    delete = verb(entries.delete)
    find = verb(entries.find)
    clean = verb(entries.clean)
    promote = verb(entries.promote)
    log = verb(entries.log)
    day = verb(entries.day)
