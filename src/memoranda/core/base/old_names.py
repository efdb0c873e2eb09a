"""Names in stored data and in what models were shown. They are older than the product's name, and stay as they are.

The stores hold such names, too: roles and schemas of PostgreSQL, keys of Redis.
"""

from collections.abc import Mapping

FENCE = "memstrata-memory"
EXPORT = "memstrata-export/"  # and the version
RECEIPT = "memstrata-receipt/1"

#: What entries of the audit were called before they were named after the verbs, by verb.
OPERATIONS: Mapping[str, str] = {
    "pools.share": "sharing.to_pool",
    "pools.unshare": "sharing.take_back",
    "pools.grant": "grants.grant",
    "pools.revoke": "grants.revoke",
    "pools.log": "grants.log",
    "pools.grants": "grants.grants",
    "collections.share": "sharing.to_collection",
    "collections.unshare": "sharing.take_back",
    "collections.copy": "sharing.to_agent",
    "collections.snapshot": "snapshots.snapshot",
    "collections.restore": "snapshots.restore",
    "collections.snapshots": "snapshots.snapshots",
    "collections.grant": "grants.grant",
    "collections.revoke": "grants.revoke",
    "collections.log": "grants.log",
    "collections.grants": "grants.grants",
    "entries.set": "entries.put",
    "graph.upsert": "entities.upsert",
    "graph.merge": "entities.merge",
    "graph.relate": "entities.relate",
    "graph.unrelate": "entities.unrelate",
    "channels.list": "channels.known",
    "connections.list": "connections.known",
    "router.stats": "volumes.stats",
    "working.flush": "flush.flush",
    "working.set": "working.set_",
}
