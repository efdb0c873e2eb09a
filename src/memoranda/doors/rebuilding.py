"""The command `rebuild`, and how its result is drawn."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from memoranda.core.erasure.replay import Belief
from memoranda.doors import options
from memoranda.doors.render import clean
from memoranda.doors.shell import Answer, Door, command
from memoranda.flows.governance.rebuild import EXTRACTORS, Rebuilt
from memoranda.flows.governance.transfer import plain


@command("rebuild", "memoranda rebuild --to again.db", "memoranda rebuild --switch")
def rebuild(
    door: Door,
    to: Annotated[str | None, typer.Option(help="A copy of this user: a new file, or postgresql://…")] = None,
    extractor: Annotated[str, options.choice(EXTRACTORS, "What reads what was said.")] = "rules",
    diff: Annotated[bool, typer.Option("--diff", help="Show which beliefs appear, change and vanish.")] = False,
    switch: Annotated[bool, typer.Option("--switch", help="Put it in the place of what is known.")] = False,
) -> Answer:
    """Derive everything known of the user from the log again, and report what differs; no model is asked."""
    with door.counting("events") as bar:
        whose = door.whose(all_users=False)
        found = door.memory.rebuild(**whose, extractor=extractor, to=to, switch=switch, progress=bar.advance)
    return Answer(found, partial(drawn, diff=diff), document)


def document(found: Rebuilt) -> Any:
    """Return the result as JSON."""
    return {"same": found.same, **plain(found)}


def drawn(found: Rebuilt, *, diff: bool) -> RenderableType:
    """Draw the result as text; with `diff`, one line for each belief that differs."""
    differs = found.difference
    numbers = len(differs.appeared), len(differs.changed), len(differs.vanished)
    lines = [
        f"{found.read:,} of {found.events:,} events read by {found.extractor}: "
        + ("all as it is known" if found.same else "{} appear, {} change, {} vanish".format(*numbers)),
        f"as it is known  {found.before}",
        f"derived again   {found.after}",
        *(_differences(found) if diff else ()),
        *(["written"] if found.written else []),
        *(["switched"] if found.switched else []),
        *(f"degraded: {part}" for part in found.degraded),
    ]
    return Group(*(Text(clean(line)) for line in lines))


def _differences(found: Rebuilt) -> Iterator[str]:
    yield from (f"+ {_told(one)}" for one in found.difference.appeared)
    for one in found.difference.changed:
        yield from (f"~ {_told(one.before)}", f"  {_told(one.after)}")
    yield from (f"- {_told(one)}" for one in found.difference.vanished)


def _told(one: Belief) -> str:
    until = f"{one.valid_to:%Y-%m-%d}" if one.valid_to else "…"
    return f"{one.id}  {one.text}  ({one.status}, {one.confidence:.2f}, {one.valid_from:%Y-%m-%d} to {until})"
