"""Fixtures that tests in several folders use."""

from conformance.postgres_server import postgres

__all__ = ["postgres"]
