"""The verbs of channels."""

from memstrata.faces.verbs import Face, verb
from memstrata.flows import channels


class AsyncChannels(Face):
    """The traceable scopes inside a user's memory: what is in each, what was found across, what is so everywhere."""

    list = verb(channels.known)
    promote = verb(channels.promote)
    hits = verb(channels.hits)
