"""The verbs of channels and connections."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, ScopedFace, Verb


class Channels(ScopedFace[C]):
    """The channels of a user's memory: list them, promote records to `_global`, show what was used across."""

    list = Verb(lambda: loaded.channels.known, "reads")
    promote = Verb(
        lambda: loaded.channels.promote,
        "writes",
        'RECORD --reason "So it is everywhere" --channel sailing',
        route="POST promote",
    )
    hits = Verb(lambda: loaded.channels.hits, "reads")


class Connections(ScopedFace[C]):
    """The connected tools: what was learned about each, and its cached answers."""

    list = Verb(lambda: loaded.connections.known, "reads", "--connections jira")
    info = Verb(lambda: loaded.connections.info, "reads", "jira --connections jira", route="GET {connection}")
    learn = Verb(
        lambda: loaded.connections.learn,
        "writes",
        'jira "The default project is PROJ" --connections jira',
        creates=True,
        repeats=True,
    )
    update = Verb(
        lambda: loaded.connections.update,
        "writes",
        """jira '{"default_project": "PROJ"}' --connections jira""",
        creates=True,
        repeats=True,
        route="PATCH {connection}",
    )
    remember = Verb(
        lambda: loaded.connections.remember,
        "writes",
        """jira schema '{"issue": ["id", "title"]}' --connections jira""",
        creates=True,
        route="PUT {connection}/cache/{name}",
    )
    cached = Verb(
        lambda: loaded.connections.cached,
        "reads",
        "jira schema --connections jira",
        route="GET {connection}/cache/{name}",
    )
    refresh = Verb(
        lambda: loaded.connections.refresh, "writes", "jira schema schema.json --connections jira", creates=True
    )
