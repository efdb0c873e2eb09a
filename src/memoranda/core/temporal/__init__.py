"""Time expressions: found in a text and resolved against the time of the message."""

from memoranda.core.temporal.reading import find_times, query_window

__all__ = ["find_times", "query_window"]
