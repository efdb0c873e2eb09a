"""The worker, loaded when `memory.work` is first called."""

from memoranda.worker import work

__all__ = ["work"]
