"""The methods of collections."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.sharing import collections, grants, sharing, snapshots


class AsyncCollections(Face):
    """Records shared by several agents and users of a tenant: add, edit, search, grant access."""

    create = verb(collections.create)
    get = verb(collections.get)
    find = verb(collections.find)
    archive = verb(collections.archive)
    unarchive = verb(collections.unarchive)
    add = verb(collections.add)
    share = verb(sharing.to_collection)
    unshare = verb(sharing.take_back)
    copy = verb(sharing.to_agent)
    edit = verb(collections.edit)
    boost = verb(collections.boost)
    reduce = verb(collections.reduce)
    remove = verb(collections.remove)
    entries = verb(collections.entries)
    search = verb(collections.search)
    history = verb(collections.history)
    snapshot = verb(snapshots.snapshot)
    restore = verb(snapshots.restore)
    snapshots = verb(snapshots.snapshots)
    grant = verb(grants.grant)
    revoke = verb(grants.revoke)
    log = verb(grants.log)
    grants = verb(grants.grants)
