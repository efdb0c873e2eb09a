"""The verbs of the entity graph."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import entities, graph


class AsyncGraph(Face):
    """Who and what is named: described, merged and related; what lies around it, and what leads where."""

    upsert = verb(entities.upsert)
    merge = verb(entities.merge)
    relate = verb(entities.relate)
    unrelate = verb(entities.unrelate)
    entity = verb(graph.entity)
    mentions = verb(graph.mentions)
    find = verb(graph.find)
    neighbourhood = verb(graph.neighbourhood)
    path = verb(graph.path)
