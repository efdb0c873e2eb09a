"""The verbs of the router."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Router(ScopedFace[C]):
    """One entry point to all strata: read and write by key, search them together, consolidate, count."""

    read = Verb(lambda: loaded.router.read, "reads", "draft --conversation c1", route="GET {key}")
    write = Verb(
        lambda: loaded.router.write, "writes", 'harbour "Oslo" long_term', creates=True, repeats=True, route="PUT {key}"
    )
    semantic_search = Verb(lambda: loaded.router.semantic_search, "reads", '"When do ferries leave?"')
    consolidate = Verb(lambda: loaded.router.consolidate, "writes", "c1")
    stats = Verb(lambda: loaded.volumes.stats, "reads")
