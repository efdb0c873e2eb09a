"""What a door tells whoever watches the memory, beside its verbs."""

from memoranda.core.base.observing import DoorObserver
from memoranda.doors.wire.problems import Problem
from memoranda.memory import AsyncMemory


def told_of(memory: AsyncMemory, problem: Problem) -> None:
    """Tell the observer of a memory, if it listens to doors, that a request was answered with a problem."""
    observer = memory.runtime.settings.observer
    if isinstance(observer, DoorObserver):
        observer.refused(problem.kind)
