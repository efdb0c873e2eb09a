"""The faces of single strata without `await`, one line per method."""

from memoranda.faces.channels import AsyncChannels
from memoranda.faces.collections import AsyncCollections
from memoranda.faces.connections import AsyncConnections
from memoranda.faces.goals import AsyncGoals
from memoranda.faces.graph import AsyncGraph
from memoranda.faces.loop import Blocking, blocking
from memoranda.faces.outcomes import AsyncOutcomes
from memoranda.faces.pools import AsyncPools
from memoranda.faces.procedures import AsyncEntries, AsyncStrategies, AsyncTools
from memoranda.faces.review import AsyncReview
from memoranda.faces.router import AsyncRouter
from memoranda.faces.verbs import Face
from memoranda.faces.working import AsyncWorking


class Goals(Blocking[Face]):
    """`AsyncGoals` without `await`."""

    add = blocking(AsyncGoals.add)
    get = blocking(AsyncGoals.get)
    find = blocking(AsyncGoals.find)
    due = blocking(AsyncGoals.due)
    update = blocking(AsyncGoals.update)
    block = blocking(AsyncGoals.block)
    resume = blocking(AsyncGoals.resume)
    complete = blocking(AsyncGoals.complete)
    abandon = blocking(AsyncGoals.abandon)
    reject = blocking(AsyncGoals.reject)


class Pools(Blocking[Face]):
    """`AsyncPools` without `await`."""

    create = blocking(AsyncPools.create)
    blackboard = blocking(AsyncPools.blackboard)
    get = blocking(AsyncPools.get)
    find = blocking(AsyncPools.find)
    read = blocking(AsyncPools.read)
    write = blocking(AsyncPools.write)
    merge = blocking(AsyncPools.merge)
    share = blocking(AsyncPools.share)
    unshare = blocking(AsyncPools.unshare)
    history = blocking(AsyncPools.history)
    statistics = blocking(AsyncPools.statistics)
    expire = blocking(AsyncPools.expire)
    grant = blocking(AsyncPools.grant)
    revoke = blocking(AsyncPools.revoke)
    grants = blocking(AsyncPools.grants)
    log = blocking(AsyncPools.log)


class Collections(Blocking[Face]):
    """`AsyncCollections` without `await`."""

    create = blocking(AsyncCollections.create)
    get = blocking(AsyncCollections.get)
    find = blocking(AsyncCollections.find)
    archive = blocking(AsyncCollections.archive)
    unarchive = blocking(AsyncCollections.unarchive)
    add = blocking(AsyncCollections.add)
    share = blocking(AsyncCollections.share)
    unshare = blocking(AsyncCollections.unshare)
    copy = blocking(AsyncCollections.copy)
    edit = blocking(AsyncCollections.edit)
    boost = blocking(AsyncCollections.boost)
    reduce = blocking(AsyncCollections.reduce)
    remove = blocking(AsyncCollections.remove)
    entries = blocking(AsyncCollections.entries)
    search = blocking(AsyncCollections.search)
    history = blocking(AsyncCollections.history)
    snapshot = blocking(AsyncCollections.snapshot)
    restore = blocking(AsyncCollections.restore)
    snapshots = blocking(AsyncCollections.snapshots)
    grant = blocking(AsyncCollections.grant)
    revoke = blocking(AsyncCollections.revoke)
    log = blocking(AsyncCollections.log)
    grants = blocking(AsyncCollections.grants)


class Tools(Blocking[Face]):
    """`AsyncTools` without `await`."""

    record = blocking(AsyncTools.record)
    stats = blocking(AsyncTools.stats)
    calls = blocking(AsyncTools.calls)
    suggest = blocking(AsyncTools.suggest)


class Strategies(Blocking[Face]):
    """`AsyncStrategies` without `await`."""

    learn = blocking(AsyncStrategies.learn)
    find = blocking(AsyncStrategies.find)
    reinforce = blocking(AsyncStrategies.reinforce)
    get = blocking(AsyncStrategies.get)


class Entries(Blocking[Face]):
    """`AsyncEntries` without `await`."""

    set = blocking(AsyncEntries.set)
    get = blocking(AsyncEntries.get)
    touch = blocking(AsyncEntries.touch)
    refresh = blocking(AsyncEntries.refresh)
    delete = blocking(AsyncEntries.delete)
    find = blocking(AsyncEntries.find)
    clean = blocking(AsyncEntries.clean)
    promote = blocking(AsyncEntries.promote)
    log = blocking(AsyncEntries.log)
    day = blocking(AsyncEntries.day)


class Channels(Blocking[Face]):
    """`AsyncChannels` without `await`."""

    list = blocking(AsyncChannels.list)
    promote = blocking(AsyncChannels.promote)
    hits = blocking(AsyncChannels.hits)


class Connections(Blocking[Face]):
    """`AsyncConnections` without `await`."""

    list = blocking(AsyncConnections.list)
    info = blocking(AsyncConnections.info)
    learn = blocking(AsyncConnections.learn)
    remember = blocking(AsyncConnections.remember)
    cached = blocking(AsyncConnections.cached)
    refresh = blocking(AsyncConnections.refresh)


class Graph(Blocking[Face]):
    """`AsyncGraph` without `await`."""

    upsert = blocking(AsyncGraph.upsert)
    merge = blocking(AsyncGraph.merge)
    relate = blocking(AsyncGraph.relate)
    unrelate = blocking(AsyncGraph.unrelate)
    entity = blocking(AsyncGraph.entity)
    mentions = blocking(AsyncGraph.mentions)
    find = blocking(AsyncGraph.find)
    neighbourhood = blocking(AsyncGraph.neighbourhood)
    path = blocking(AsyncGraph.path)


class Working(Blocking[Face]):
    """`AsyncWorking` without `await`."""

    add = blocking(AsyncWorking.add)
    turns = blocking(AsyncWorking.turns)
    view = blocking(AsyncWorking.view)
    resume = blocking(AsyncWorking.resume)
    flush = blocking(AsyncWorking.flush)
    set = blocking(AsyncWorking.set)
    get = blocking(AsyncWorking.get)
    delete = blocking(AsyncWorking.delete)
    exists = blocking(AsyncWorking.exists)
    keys = blocking(AsyncWorking.keys)
    clear = blocking(AsyncWorking.clear)
    note = blocking(AsyncWorking.note)
    push = blocking(AsyncWorking.push)
    ask = blocking(AsyncWorking.ask)
    resolve = blocking(AsyncWorking.resolve)
    persist = blocking(AsyncWorking.persist)
    load = blocking(AsyncWorking.load)
    share_with = blocking(AsyncWorking.share_with)
    shared_by = blocking(AsyncWorking.shared_by)
    degraded = blocking(AsyncWorking.degraded)


class Router(Blocking[Face]):
    """`AsyncRouter` without `await`."""

    read = blocking(AsyncRouter.read)
    write = blocking(AsyncRouter.write)
    semantic_search = blocking(AsyncRouter.semantic_search)
    consolidate = blocking(AsyncRouter.consolidate)
    stats = blocking(AsyncRouter.stats)


class Review(Blocking[Face]):
    """`AsyncReview` without `await`."""

    find = blocking(AsyncReview.find)
    accept = blocking(AsyncReview.accept)
    reject = blocking(AsyncReview.reject)


class Outcomes(Blocking[Face]):
    """`AsyncOutcomes` without `await`."""

    record = blocking(AsyncOutcomes.record)
    find = blocking(AsyncOutcomes.find)
