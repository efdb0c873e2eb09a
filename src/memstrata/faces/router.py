"""The verbs of the router."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import router, volumes


class AsyncRouter(Face):
    """One way to all strata: read and written by key, searched as one, consolidated, counted."""

    read = verb(router.read)
    write = verb(router.write)
    semantic_search = verb(router.semantic_search)
    consolidate = verb(router.consolidate)
    stats = verb(volumes.stats)
