"""The commands of governance: forgetting and its receipts, cost, budget and audit."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from memoranda.core.base.plain import plain
from memoranda.core.erasure.replay import Belief
from memoranda.core.erasure.targets import Target
from memoranda.core.rows import Receipt
from memoranda.doors.cli import options, times
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.files import read_file
from memoranda.doors.cli.texts import clean
from memoranda.errors import InputError
from memoranda.flows.governance.costs import Budgets
from memoranda.flows.governance.rebuild import EXTRACTORS, Rebuilt

Since = Annotated[datetime | None, options.time(times.beginning, "Only what was done from then on.")]
Until = Annotated[datetime | None, options.time(times.ending, "Only what was done up to then.")]


def amount_in(text: str) -> float:
    """Parse an amount; `none` means no limit."""
    try:
        return math.inf if text == "none" else float(text)
    except ValueError as error:
        raise InputError(f"{text!r} is no amount: give a number, or none for no limit.") from error


def _amount(about: str) -> object:
    return options.parsed(amount_in, "AMOUNT", f"{about} Or none for no limit.")


@command("cost", "memoranda cost --all-users --since 2026-01-01 --plot cost.png")
def cost(
    door: Door,
    all_users: options.AllUsers = False,
    since: Since = None,
    until: Until = None,
    plot: options.Plot = None,
) -> object:
    """Show the model calls and what they cost, by day, model and task."""
    found = door.memory.cost(**door.whose(all_users), since=since, until=until)
    if plot:
        door.draw(plot, "costs", found)
    return found


@command("budget", "memoranda budget --day 0.5 --month 10", "memoranda budget --all-users --balance 25")
def budget(
    door: Door,
    all_users: options.AllUsers = False,
    balance: Annotated[float | None, _amount("What is left from now on.")] = None,
    day: Annotated[float | None, _amount("What may be spent in a day.")] = None,
    month: Annotated[float | None, _amount("What may be spent in a month.")] = None,
) -> Answer:
    """Show what may be spent on models and what is left; set the limits given. --all-users: of the whole tenant."""
    found = door.memory.budget(**door.whose(all_users), balance=balance, day=day, month=month)
    return Answer(found, document=budget_document)


def budget_document(found: Budgets) -> Any:
    """Return budgets as JSON, with `left`, which is computed and not a field."""
    limits = {name: getattr(found, name) for name in ("balance", "day", "month")}
    return {name: {**plain(one), "left": one.left} for name, one in limits.items()}


@command(
    "forget",
    "memoranda forget --value 'Elm Street 4' --for-good",
    "memoranda forget --everything --whole --yes --json > receipt.json",
)
def forget(
    door: Door,
    record: Annotated[str | None, typer.Option(help="A record, with the events it came from.")] = None,
    source: Annotated[str | None, typer.Option(help="An event, with what was derived from it.")] = None,
    conversation: Annotated[str | None, typer.Option(help="A conversation, with what was derived from it.")] = None,
    value: Annotated[str | None, typer.Option(help="Words, with all that says them.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this scope sees.")] = False,
    for_good: Annotated[bool, typer.Option("--for-good", help="Even if the user says it again.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> object:
    """Remove something; only the user's own later words bring it back. Prints a receipt."""
    if sum(map(bool, (record, source, conversation, value, everything))) != 1:
        raise typer.BadParameter("name exactly one of --record, --source, --conversation, --value and --everything.")
    target = Target(
        record=record, source=source, conversation=conversation, value=value, everything=everything, for_good=for_good
    )
    reach = "in every channel, " if door.whole else ""
    if dry_run:
        return door.scoped.forget(**asdict(target), dry_run=True)
    door.confirm(f"Forget {target} of {door.settings.user}, {reach}with everything derived from it?", yes)
    return door.scoped.forget(**asdict(target))


@command("verify-receipt", "memoranda verify-receipt receipt.json")
def verify_receipt(
    door: Door,  # noqa: ARG001 - no memory is opened
    file: Annotated[str, typer.Argument(help="What `forget --json` wrote, or - for standard input.")],
) -> Answer:
    """Check a receipt of forgetting, without any memory: that nothing in it was changed."""
    try:
        document = json.loads(read_file(file))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is no JSON ({error}): give what `memoranda forget --json` printed.") from error
    found = Receipt.of(document)
    same = plain(found) == {**document, "seq": found.seq}  # which is no part of it; any other field was added
    right = found.verify() and same
    words = "Nothing in this receipt was changed." if right else "This receipt was changed: trust another copy of it."
    return Answer({"verified": right, "id": found.id}, lambda _: Text(words), failed=not right)


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
    return Answer(found, partial(rebuilt, diff=diff), rebuilt_document)


def rebuilt_document(found: Rebuilt) -> Any:
    """Return the result as JSON."""
    return {"same": found.same, **plain(found)}


def rebuilt(found: Rebuilt, *, diff: bool) -> RenderableType:
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
