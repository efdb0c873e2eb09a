"""The methods of channels."""

from memoranda.faces.verbs import Face, verb
from memoranda.flows.strata import channels


class AsyncChannels(Face):
    """The channels of a user's memory: list them, promote records to `_global`, show what was used across."""

    list = verb(channels.known)
    promote = verb(channels.promote)
    hits = verb(channels.hits)
