"""The methods of procedural memory and of short-term entries."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import entries, strategies, tools


class AsyncTools(Face):
    """Tool calls: record and count them, and suggest a tool by their outcomes."""

    record = verb(tools.record)
    stats = verb(tools.stats)
    calls = verb(tools.calls)
    suggest = verb(tools.suggest)


class AsyncStrategies(Face):
    """Strategies: learn them, find them for a task, and reinforce them by their outcomes."""

    learn = verb(strategies.learn)
    find = verb(strategies.find)
    reinforce = verb(strategies.reinforce)
    get = verb(strategies.get)


class AsyncEntries(Face):
    """Short-term values, which expire, and fade unless they are used; and the daily log."""

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
