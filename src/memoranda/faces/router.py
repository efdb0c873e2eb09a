"""The methods of the router."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.context import router, volumes


class AsyncRouter(Face):
    """One entry point to all strata: read and write by key, search them together, consolidate, count."""

    read = verb(router.read)
    write = verb(router.write)
    semantic_search = verb(router.semantic_search)
    consolidate = verb(router.consolidate)
    stats = verb(volumes.stats)
