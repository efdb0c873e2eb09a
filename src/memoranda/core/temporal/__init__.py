"""Time expressions: found in a text and resolved against the time of the message."""

from memoranda.core.temporal.reading import days_named, find_times, looks_back, query_window

__all__ = ["days_named", "find_times", "looks_back", "query_window"]
