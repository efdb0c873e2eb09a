"""The verbs of conversations."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Conversations(ScopedFace[C]):
    """Conversations: list them, read them in order, give them titles, archive them."""

    stratum = "episodic"

    list = Verb(lambda: loaded.conversations.known, "reads", "--since 2026-01-01")
    get = Verb(lambda: loaded.conversations.get, "reads", "CONVERSATION")
    turns = Verb(lambda: loaded.conversations.turns, "reads", "CONVERSATION --last 10")
    rename = Verb(lambda: loaded.conversations.rename, "writes", 'CONVERSATION "The flat in Oslo"')
    archive = Verb(lambda: loaded.conversations.archive, "writes", "CONVERSATION")
    unarchive = Verb(lambda: loaded.conversations.unarchive, "writes", "CONVERSATION")
