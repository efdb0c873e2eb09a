"""Commands that look at how a memory does."""

from memstrata.doors import options
from memstrata.doors.drawing import drawn
from memstrata.doors.shell import Door, command


@command("memstrata metrics", "memstrata metrics --plot growth.png")
def metrics(door: Door, plot: options.Plot = None) -> object:
    """How the memory does in use: contexts used, corrections, questions asked again, growth."""
    found = door.scoped.metrics()
    if plot:
        drawn(door, plot, "growth", found)
    return found
