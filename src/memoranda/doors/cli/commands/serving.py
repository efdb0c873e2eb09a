"""The commands of doors that answer others."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from memoranda.doors import load
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.settings import DoorSettings, folder
from memoranda.errors import InputError
from memoranda.observers import listen

_HERE = "127.0.0.1"
_Host = Annotated[str, typer.Option(help="The address to listen on; beyond this machine only with keys.")]


@command("serve", "memoranda serve --port 8765", "memoranda serve --host 0.0.0.0 --db postgresql://… --tenant acme")
def serve(
    door: Door,
    host: _Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = 8765,
    limit: Annotated[
        list[str] | None,
        typer.Option(help="What it allows, as rate=600: requests a minute with one key. May be given several times."),
    ] = None,
    metrics: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="A port of this machine at which Prometheus is answered.")
    ] = None,
) -> Answer:
    """Answer over HTTP until terminated. The first key of the tenant is made, and printed once."""
    if metrics is not None:
        door.settings = replace(door.settings, observer="prometheus")
        door.tell(f"metrics: http://{_HERE}:{listen(_HERE, metrics)}/metrics")
    load("http.serving", "server").serve_api(door.settings, host, port, door.tell, limit or ())
    return Answer({"stopped": True}, lambda _: "stopped")


@command(
    "mcp",
    "memoranda mcp install claude-code --user alice",
    "memoranda mcp --user alice --tools read",
    "memoranda mcp --http --port 8766",
)
def mcp(
    door: Door,
    step: Annotated[Literal["serve", "install"], typer.Argument(help="What to do.")] = "serve",
    client: Annotated[str, typer.Argument(help="Whom to set up: claude-desktop, claude-code, cursor or codex.")] = "",
    tools: Annotated[str, typer.Option(help="Which tools: default, read, files, graph or all.")] = "default",
    source: Annotated[
        str, typer.Option(help="Whose word it is when the model records something; or user_provided.")
    ] = "agent",
    unasked: Annotated[bool, typer.Option("--unasked", help="Remove without asking; the client asks.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Answer over HTTP, to whoever shows a key.")] = False,
    host: _Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = 8766,
    yes: Annotated[bool, typer.Option("--yes", help="Set the client up without asking.")] = False,
) -> Answer:
    """Let a model use the memory of one user by MCP: on standard input and output, or over HTTP at /mcp.

    `install` enters this server into the configuration of a client, which then starts it.
    """
    place: dict[str, Any] = {"whole": True} if door.whole else {"channel": door.settings.channel}
    place |= {"connections": [*door.connections]} if door.connections else {}
    serving = load("mcp.serving", "mcp")
    offering = serving.Offering(tools=tools, place=place, source=source, unasked=unasked)
    if step == "install":
        said = {f"--tools={tools}": tools != "default", f"--source={source}": source != "agent", "--unasked": unasked}
        return _install(door, client, [option for option, given in said.items() if given], yes)
    if client:
        raise InputError(f"{client!r} is not needed to serve; leave it out, or say: memoranda mcp install {client}.")
    if http:
        serving.http(door.settings, offering, host, port, door.tell)
    else:
        if sys.stdin.isatty():
            door.tell("waiting for a client on standard input; `memoranda mcp install CLIENT` sets one up")
        serving.stdio(door.settings, offering)
    return Answer(iter(()))  # standard output was the client's


def _install(door: Door, client: str, options: list[str], yes: bool) -> Answer:
    told, usual = door.settings, DoorSettings()
    db = told.db if "://" in told.db else str(Path(told.db).resolve())
    named = {"agent": told.agent, "channel": told.channel, "embedder": told.embedder}
    changed = [f"--{name}={one}" for name, one in named.items() if one != getattr(usual, name)]
    active = [f"--connections={one}" for one in door.connections]
    own = ["--db", db, "--tenant", told.tenant, "--user", told.user, *changed, *active]
    command = [sys.executable, "-m", "memoranda", "mcp", *own, *(["--whole"] if door.whole else []), *options]
    change = load("mcp.clients", "mcp").change(client, command, sys.platform, folder)
    if change.before == change.after:
        return Answer({"file": str(change.path), "changed": False}, lambda _: f"{change.path}: set up already")
    door.tell(change.shown)
    door.confirm("Make this change?", yes)
    change.make()
    return Answer({"file": str(change.path), "changed": True}, lambda _: f"{change.path}: done; start {client} again")


@command("openapi", "memoranda openapi > openapi.json")
def openapi(door: Door) -> None:
    """Print the description of the HTTP API, as OpenAPI 3.1."""
    door.line(load("http.openapi", "server").document(), indent=1)
    raise typer.Exit


@command("ready")
def ready(door: Door) -> Answer:
    """Say which parts of the memory answer. The exit code is 1 if it cannot answer."""
    found = door.memory.ready()
    return Answer(found, failed=not found.ready)
