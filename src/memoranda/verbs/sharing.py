"""The verbs of what the tenant's agents and users share: pools and collections."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Pools(ScopedFace[C]):
    """JSON objects shared by several agents and users of a tenant: read, write, grant access."""

    stratum = "shared"

    create = Verb(
        lambda: loaded.pools.create, "writes", """sprint --data '{"goal": "ship"}'""", creates=True, repeats=True
    )
    blackboard = Verb(lambda: loaded.pools.blackboard, "writes", "run-7", creates=True, route="POST blackboard")
    get = Verb(lambda: loaded.pools.get, "reads", "POOL")
    find = Verb(lambda: loaded.pools.find, "reads", "--kind shared")
    read = Verb(lambda: loaded.pools.read, "reads", "POOL goal", route="GET {pool}/data")
    write = Verb(
        lambda: loaded.pools.write, "writes", "POOL goal shipped --expect 1", repeats=True, route="PUT {pool}/data"
    )
    merge = Verb(
        lambda: loaded.pools.merge, "writes", """POOL '{"risks": ["wind"]}'""", repeats=True, route="PATCH {pool}/data"
    )
    share = Verb(lambda: loaded.sharing.to_pool, "writes", "POOL finding RECORD", repeats=True)
    unshare = Verb(lambda: loaded.sharing.take_back, "writes", "RECORD", route="DELETE shared/{record}")
    history = Verb(lambda: loaded.pools.history, "reads", "POOL")
    statistics = Verb(lambda: loaded.pools.statistics, "reads", "POOL")
    expire = Verb(lambda: loaded.pools.expire, "writes", "POOL --at tomorrow")
    grant = Verb(
        lambda: loaded.grants.grant, "writes", "POOL read --for-agent writer", repeats=True, route="POST {what}/grants"
    )
    revoke = Verb(lambda: loaded.grants.revoke, "writes", "GRANT", route="DELETE grants/{grant}")
    log = Verb(lambda: loaded.grants.log, "reads", "POOL")
    grants = Verb(lambda: loaded.grants.grants, "reads", "POOL")


class Collections(ScopedFace[C]):
    """Records shared by several agents and users of a tenant: add, edit, search, grant access."""

    stratum = "shared"

    create = Verb(
        lambda: loaded.collections.create, "writes", "handbook --kind knowledge_base", creates=True, repeats=True
    )
    get = Verb(lambda: loaded.collections.get, "reads", "COLLECTION")
    find = Verb(lambda: loaded.collections.find, "reads", "--kind knowledge_base")
    archive = Verb(lambda: loaded.collections.archive, "writes", "COLLECTION")
    unarchive = Verb(lambda: loaded.collections.unarchive, "writes", "COLLECTION")
    add = Verb(
        lambda: loaded.collections.add,
        "writes",
        'COLLECTION "Ferries leave at six" --importance 0.8',
        repeats=True,
        route="POST {collection}/entries",
    )
    share = Verb(lambda: loaded.sharing.to_collection, "writes", "COLLECTION RECORD", repeats=True)
    unshare = Verb(lambda: loaded.sharing.take_back, "writes", "RECORD", route="DELETE shared/{record}")
    copy = Verb(lambda: loaded.sharing.to_agent, "writes", "writer --agent planner", route="POST copy")
    edit = Verb(
        lambda: loaded.collections.edit,
        "writes",
        'COLLECTION ENTRY "Ferries leave at seven"',
        repeats=True,
        route="PATCH {collection}/entries/{entry}",
    )
    boost = Verb(
        lambda: loaded.collections.boost,
        "writes",
        "COLLECTION ENTRY",
        repeats=True,
        route="POST {collection}/entries/{entry}/boost",
    )
    reduce = Verb(
        lambda: loaded.collections.reduce,
        "writes",
        "COLLECTION ENTRY --by 0.2",
        repeats=True,
        route="POST {collection}/entries/{entry}/reduce",
    )
    remove = Verb(
        lambda: loaded.collections.remove, "destroys", "COLLECTION ENTRY", route="DELETE {collection}/entries/{entry}"
    )
    entries = Verb(lambda: loaded.collections.entries, "reads", "COLLECTION")
    search = Verb(lambda: loaded.collections.search, "reads", 'COLLECTION "When do ferries leave?"')
    history = Verb(
        lambda: loaded.collections.history,
        "reads",
        "COLLECTION ENTRY",
        route="GET {collection}/entries/{entry}/history",
    )
    snapshot = Verb(
        lambda: loaded.snapshots.snapshot,
        "writes",
        "COLLECTION before-summer",
        repeats=True,
        route="POST {collection}/snapshots",
    )
    restore = Verb(
        lambda: loaded.snapshots.restore,
        "writes",
        "COLLECTION SNAPSHOT",
        route="POST {collection}/snapshots/{snapshot}/restore",
    )
    snapshots = Verb(lambda: loaded.snapshots.snapshots, "reads", "COLLECTION")
    grant = Verb(
        lambda: loaded.grants.grant, "writes", "COLLECTION read --team crew", repeats=True, route="POST {what}/grants"
    )
    revoke = Verb(lambda: loaded.grants.revoke, "writes", "GRANT", route="DELETE grants/{grant}")
    log = Verb(lambda: loaded.grants.log, "reads", "COLLECTION")
    grants = Verb(lambda: loaded.grants.grants, "reads", "COLLECTION")
