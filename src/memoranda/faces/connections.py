"""The methods of connections."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import connections


class AsyncConnections(Face):
    """The connected tools: what was learned about each, and its cached answers."""

    list = verb(connections.known)
    info = verb(connections.info)
    learn = verb(connections.learn)
    remember = verb(connections.remember)
    cached = verb(connections.cached)
    refresh = verb(connections.refresh)
