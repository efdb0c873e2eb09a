"""The methods of the entity graph."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import entities, graph


class AsyncGraph(Face):
    """The entity graph: describe, merge and relate entities, find their neighbours and paths between them."""

    upsert = verb(entities.upsert)
    merge = verb(entities.merge)
    relate = verb(entities.relate)
    unrelate = verb(entities.unrelate)
    entity = verb(graph.entity)
    mentions = verb(graph.mentions)
    find = verb(graph.find)
    neighbourhood = verb(graph.neighbourhood)
    path = verb(graph.path)
