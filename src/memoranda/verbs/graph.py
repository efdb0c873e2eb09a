"""The verbs of the entity graph."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Graph(ScopedFace[C]):
    """The entity graph: describe, list, merge and relate entities, find their neighbours and paths between them."""

    stratum = "semantic"

    upsert = Verb(
        lambda: loaded.entities.upsert,
        "writes",
        'Ann --type person --description "Sails the Rex"',
        creates=True,
        repeats=True,
        route="POST entities",
    )
    merge = Verb(lambda: loaded.entities.merge, "destroys", "Annie Ann", route="POST entities/{entity}/merge")
    relate = Verb(
        lambda: loaded.entities.relate,
        "writes",
        "Ann Rex CREATED_BY",
        creates=True,
        repeats=True,
        route="POST relations",
    )
    unrelate = Verb(lambda: loaded.entities.unrelate, "writes", "Ann Oslo LOCATED_IN", route="POST relations/end")
    entity = Verb(lambda: loaded.graph.entity, "reads", "Ann", route="GET entities/{entity}")
    mentions = Verb(lambda: loaded.graph.mentions, "reads", "Ann", route="GET entities/{entity}/mentions")
    find = Verb(lambda: loaded.graph.find, "reads", "an")
    list = Verb(lambda: loaded.graph.known, "reads", route="GET entities")
    neighbourhood = Verb(
        lambda: loaded.graph.neighbourhood,
        "reads",
        "Ann --depth 2 --plot ann.png --mermaid ann.mmd",
        route="GET entities/{entity}/neighbourhood",
    )
    path = Verb(lambda: loaded.graph.path, "reads", "Ann Oslo")
