"""The commands of consolidation: run it, list and retry events, and measure the memory in use."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memoranda.doors.cli import options
from memoranda.doors.cli.drawing import drawn
from memoranda.doors.cli.render import clean, degraded, draw, grid, note, under
from memoranda.doors.cli.shell import Door, command
from memoranda.flows.consolidation.processor import Consolidated
from memoranda.flows.strata.review import Dispute


@command("consolidate", "memoranda consolidate --dry-run")
def consolidate(
    door: Door,
    all_users: options.AllUsers = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would come of it; a model is asked for it all the same.")
    ] = False,
) -> object:
    """Process the waiting events, with the language model if there is one, else by rules."""
    return door.memory.consolidate(**door.whose(all_users), dry_run=dry_run)


@command("retry")
def retry(
    door: Door,
    event: Annotated[list[str] | None, typer.Argument(help="Their ids; by default all that it gave up.")] = None,
) -> object:
    """Let consolidation retry events it failed on."""
    return door.scoped.retry(events=event or None)


@command("metrics", "memoranda metrics --plot growth.png")
def metrics(door: Door, plot: options.Plot = None) -> object:
    """Show how well the memory works in use: contexts used, corrections, repeated questions, growth."""
    found = door.scoped.metrics()
    if plot:
        drawn(door, plot, "growth", found)
    return found


_SIGNS = {"added": "+", "reinforced": "=", "forgotten": "-", "rejected": "-", "narrated": ">", "filed": "-"}


@draw.register
def consolidated(found: Consolidated) -> RenderableType:
    """Draw what was understood as a diff, then what was refused, and the counts."""
    lines: list[RenderableType] = []
    for one in found.understood:
        instead = f"  (before: {one.before})" if one.before else ""
        lines.append(
            Text(clean(f"{_SIGNS.get(one.outcome, '~')} {one.text}{instead}")).append(f"  {one.outcome}", "dim")
        )
    lines += [Text(clean(f"! {one.what}: {one.why}"), style="yellow") for one in found.refused]
    counts = "batches events items kept calls tokens_in tokens_out postponed failed dead waiting".split()
    told = [(name.replace("_", " "), getattr(found, name)) for name in counts if getattr(found, name)]
    return Group(*lines, grid(told), *note([found.reason] if found.reason else [], "yellow"), *degraded(found.degraded))


@draw.register
def dispute(found: Dispute) -> RenderableType:
    """Draw a belief in doubt, and under it the beliefs that contradict it and the ids of later words."""
    against = (Padding(Group(Text("against", style="dim"), draw(one)), (0, 0, 0, 4)) for one in found.against)
    later = (under(f"later, more was said: {one}", "dim") for one in found.later)
    return Group(draw(found.record), under(found.record.id, "dim"), *against, *later)
