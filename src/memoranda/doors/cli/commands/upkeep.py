"""The commands of upkeep: what is there, whether it is sound and how it works, consolidation, jobs, the worker."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from memoranda.core.base.schedules import JOBS, PAUSE
from memoranda.doors.cli import options
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.texts import clean

if TYPE_CHECKING:
    from memoranda.flows.upkeep.jobs import JobStatus, Ran

Jobs = Annotated[list[str] | None, options.choice(JOBS, "Only these; may be given several times.", "--job")]


@command("stats", "memoranda stats --all-users --json")
def stats(door: Door, all_users: options.AllUsers = False) -> object:
    """Count what is remembered."""
    return door.memory.stats(**door.whose(all_users))


@command("doctor", "memoranda doctor --repair")
def doctor(
    door: Door,
    repair: Annotated[bool, typer.Option("--repair", help="Copy the file, then repair what can be.")] = False,
    all_users: options.AllUsers = False,
) -> Answer:
    """Check the store and the memories of all users in it, or of those named. The exit code is 1 for problems left."""
    health = door.memory.doctor(**(door.whose(all_users) if all_users else door.named()), repair=repair)
    return Answer(health, failed=bool(health.problems))


@command("reembed")
def reembed(door: Door, all_users: options.AllUsers = False) -> object:
    """Embed every passage that has no vector of the current embedder. Can be interrupted and resumed."""
    with door.counting("passages") as bar:
        return door.memory.reembed(**door.whose(all_users), progress=bar.advance)


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
        door.draw(plot, "growth", found)
    return found


@command("run_job", "memoranda job session_flush --all-users")
def run_job(
    door: Door,
    name: Annotated[str, typer.Argument(help="Which one; memoranda jobs lists them.")],
    all_users: options.AllUsers = False,
) -> Answer:
    """Run a job now, and report what it did or why there was nothing to do. The exit code is 1 if it failed."""
    ran = door.memory.run_job(name, **door.whose(all_users))
    return Answer(ran, _ran, failed=ran.outcome == "failed")


@command("jobs", "memoranda jobs --all-users --json")
def jobs(door: Door, all_users: options.AllUsers = False) -> Answer:
    """Show the status of the jobs: schedules, last runs, lag, failures."""
    return Answer(door.memory.jobs(**door.whose(all_users)), _table)


@command(
    "work",
    "memoranda worker --queue --db postgresql://… --tenants acme",
    "memoranda worker --once --job session_flush --job decay",
)
def work(
    door: Door,
    once: Annotated[bool, typer.Option("--once", help="Run what is due now, and end.")] = False,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks at what is due.")] = PAUSE,
    job: Jobs = None,
    tenants: Annotated[list[str] | None, typer.Option(help="More tenants; may be given several times.")] = None,
    queue: Annotated[bool, typer.Option("--queue", help="Share the work by a queue in PostgreSQL.")] = False,
) -> object:
    """Run due jobs for all users until interrupted or terminated. Any number of workers may run at once."""
    whose = list(dict.fromkeys((door.settings.tenant, *(tenants or ()))))
    with _terminated():
        try:
            return door.memory.work(tenants=whose, jobs=job, once=once, every=every, queue=queue)
        except KeyboardInterrupt:
            return Answer({"stopped": True}, lambda _: "stopped")


@command("flush_idle")
def flush_idle(door: Door, all_users: options.AllUsers = False) -> object:
    """Write the turns of idle conversations, and summaries, to the log, as the job session_flush does."""
    return door.memory.flush_idle(**door.whose(all_users))


@contextmanager
def _terminated() -> Iterator[None]:
    """Turn SIGTERM into an interrupt, which ends a job between two of its steps."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _ran(ran: "Ran") -> RenderableType:
    lines = [Text(f"{ran.job}: {ran.outcome}", style="red" if ran.outcome == "failed" else "bold")]
    if ran.users != 1:
        lines[0].append(f", {ran.users} users", style="dim")
    if ran.reason:
        lines.append(Text(clean(f"    {ran.reason}")))
    lines += [Text(f"    {name.replace('_', ' ')}  {count:,}") for name, count in ran.counts.items() if count]
    return Group(*lines, *(Text(clean(f"    degraded: {one}"), style="yellow") for one in ran.degraded))


def _table(found: "Sequence[JobStatus]") -> RenderableType:
    return Group(*map(_status, found))


def _status(one: "JobStatus") -> RenderableType:
    line = Text().append(one.job, style="bold").append(f"  {one.schedule}", style="cyan")
    when = f"last {one.last:%Y-%m-%d %H:%M} {one.outcome}" if one.last else "never ran"
    told = [when, f"next {one.next:%Y-%m-%d %H:%M}" if one.next else "due now"]
    told += [f"{one.lag:,.0f} s late"] if one.lag else []
    told += [f"{one.failures} of {one.runs} runs failed"] if one.failures else []
    counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in one.counts.items() if count)
    said = [Text(clean(f"    {text}")) for text in (counts, one.reason) if text]
    return Group(line, Text(f"    {one.does}", style="dim"), Text(f"    {', '.join(told)}"), *said)
