"""What lasts: loaded when somebody has a memory work."""

from memstrata.worker import work

__all__ = ["work"]
