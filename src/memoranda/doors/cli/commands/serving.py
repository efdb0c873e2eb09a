"""The commands of doors that answer others."""

from typing import Annotated

import typer

from memoranda.doors import load
from memoranda.doors.cli.door import Answer, Door, command


@command("serve", "memoranda serve --port 8765", "memoranda serve --host 0.0.0.0 --db postgresql://… --tenant acme")
def serve(
    door: Door,
    host: Annotated[
        str, typer.Option(help="The address to listen on; beyond this machine only with keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = 8765,
    limit: Annotated[
        list[str] | None,
        typer.Option(help="What it allows, as rate=600: requests a minute with one key. May be given several times."),
    ] = None,
) -> Answer:
    """Answer over HTTP until terminated. The first key of the tenant is made, and printed once."""
    load("http.serving", "server").serve(door.settings, host, port, door.tell, limit or ())
    return Answer({"stopped": True}, lambda _: "stopped")


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
