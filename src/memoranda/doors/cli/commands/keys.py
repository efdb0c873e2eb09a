"""The commands of keys."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from memoranda.doors.cli import options
from memoranda.doors.cli.door import Answer, Door, command, text_of
from memoranda.doors.cli.texts import clean
from memoranda.doors.settings import DoorSettings
from memoranda.flows.governance.access_keys import RIGHTS

if TYPE_CHECKING:
    from memoranda.flows.governance.access_keys import IssuedKey, Key

_KeyId = Annotated[str, typer.Argument(help="Its id.", metavar="key")]


@command("keys.create", "memoranda keys create --tenant acme --rights admin --json")
def keys_create(
    door: Door,
    rights: Annotated[list[str] | None, options.choice(RIGHTS, "May be given several times. (read, write)")] = None,
    team: Annotated[str | None, typer.Option(help="The team for which its holder acts.")] = None,
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    seconds: Annotated[float | None, typer.Option(help="How long it is valid; else until it is revoked.")] = None,
) -> Answer:
    """Make a key for the doors of a tenant, and show it once. --user, --agent: it is good for these only."""
    told = door.settings
    user = None if told.user == DoorSettings().user else told.user
    given = {"rights": rights} if rights else {}
    made = door.memory.keys.create(
        tenant=told.tenant, user=user, agent=told.agent, team=team, name=name, seconds=seconds, **given
    )
    return Answer(made, issued)


@command("keys.list")
def keys_list(door: Door) -> Answer:
    """List the keys of a tenant, those that are over included."""
    return Answer(door.memory.keys.list(tenant=door.settings.tenant), listed)


@command("keys.check")
def keys_check(
    door: Door, secret: Annotated[str, typer.Argument(help="A key, or - to read it.", metavar="secret")]
) -> Answer:
    """Say whether a key opens anything, and what it is for. The exit code is 1 if it does not."""
    found = door.memory.keys.check(secret=text_of(secret))
    return Answer(found, lambda key: listed((key,) if key else ()), failed=found is None)


@command("keys.rotate", "memoranda keys rotate KEY --seconds 60")
def keys_rotate(
    door: Door,
    key: _KeyId,
    seconds: Annotated[float, typer.Option(help="How long the old one still works.")] = 3_600,
) -> Answer:
    """Make a key for what another one is for, and let that one end soon."""
    return Answer(door.memory.keys.rotate(tenant=door.settings.tenant, key=key, seconds=seconds), issued)


@command("keys.revoke")
def keys_revoke(door: Door, key: _KeyId) -> Answer:
    """Let a key open nothing any more."""
    return Answer((door.memory.keys.revoke(tenant=door.settings.tenant, key=key),), listed)


def issued(made: "IssuedKey") -> RenderableType:
    """Draw a new key as text."""
    return Group(Text(made.secret), Text("Keep it: it is not shown again.", style="dim"), listed((made.key,)))


def listed(keys: "tuple[Key, ...]") -> RenderableType:
    """Draw keys as text, one per line."""
    return Group(*(Text(clean(_line(one))) for one in keys)) if keys else Text("no valid key")


def _line(key: "Key") -> str:
    ends = (("revoked", key.revoked_at), ("until", key.expires_at), ("used", key.used_at))
    told = [f"{word} {at:%Y-%m-%d %H:%M}" for word, at in ends if at is not None]
    whose = f"user {key.user or 'any'}" + (f", agent {key.agent}" if key.agent else "")
    return "  ".join([key.id, "+".join(key.rights), whose, *told, key.name]).rstrip()
