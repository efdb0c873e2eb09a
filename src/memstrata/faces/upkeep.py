"""The worker, loaded when `memory.work` is first called."""

from memstrata.worker import work

__all__ = ["work"]
