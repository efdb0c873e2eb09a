"""The profiles in which tools come."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from memoranda.doors.mcp.files import MEMORY
from memoranda.doors.mcp.knowledge import KNOWLEDGE
from memoranda.doors.mcp.offers import Offer, offer_of
from memoranda.doors.wire.calls import local, verbs
from memoranda.errors import InputError
from memoranda.verbs.registry import Stream
from memoranda.verbs.toolbox import TOOLS, tool_of


def _default(connected: bool) -> Iterator[Offer]:
    return (offer_of(one) for one in TOOLS.values() if (connected or not one.connected) and not one.alone)


def _alone(connected: bool) -> Iterator[Offer]:
    return (offer_of(one) for one in TOOLS.values() if connected or not one.connected)


def _read(connected: bool) -> Iterator[Offer]:
    return (one for one in _default(connected) if one.effect == "reads")


def _all(connected: bool) -> Iterator[Offer]:  # noqa: ARG001 - all is all
    """All of a user's memory; what is the whole tenant's is for people, and a stream has no end."""
    return (offer_of(tool_of(verb, local(verb))) for verb in verbs() if verb.scoped and not isinstance(verb, Stream))


def _files(connected: bool) -> Iterator[Offer]:  # noqa: ARG001 - files belong to no connection
    yield MEMORY


def _graph(connected: bool) -> Iterator[Offer]:  # noqa: ARG001 - its place is that of the seat
    yield from KNOWLEDGE


#: The profiles, each with what makes its tools; the argument is whether tool connections are active.
PROFILES: Mapping[str, Callable[[bool], Iterator[Offer]]] = {
    "default": _default,
    "autonomous": _alone,
    "read": _read,
    "files": _files,
    "graph": _graph,
    "all": _all,
}


@cache
def offers(profile: str, connected: bool = False) -> Mapping[str, Offer]:
    """Return the tools of a profile, by name.

    Raises:
        InputError: there is no such profile.
    """
    if profile not in PROFILES:
        raise InputError(f"There are no tools {profile!r}; there are {', '.join(PROFILES)}.")
    return {one.name: one for one in PROFILES[profile](connected)}
