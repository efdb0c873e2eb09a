"""The methods of pools."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.sharing import grants, pools, sharing


class AsyncPools(Face):
    """JSON objects shared by several agents and users of a tenant: read, write, grant access."""

    create = verb(pools.create)
    blackboard = verb(pools.blackboard)
    get = verb(pools.get)
    find = verb(pools.find)
    read = verb(pools.read)
    write = verb(pools.write)
    merge = verb(pools.merge)
    share = verb(sharing.to_pool)
    unshare = verb(sharing.take_back)
    history = verb(pools.history)
    statistics = verb(pools.statistics)
    expire = verb(pools.expire)
    grant = verb(grants.grant)
    revoke = verb(grants.revoke)
    log = verb(grants.log)
    grants = verb(grants.grants)
