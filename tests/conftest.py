"""Fixtures that tests in several folders use."""

import pytest
from hypothesis import settings

from conformance.postgres_server import postgres
from conformance.redis_server import redis, redis_cluster
from conformance.sqlite_files import sqlite_as_it_is, sqlite_files

__all__ = ["postgres", "redis", "redis_cluster", "sqlite_as_it_is", "sqlite_files"]

# Here, because it must be said before anything of it is imported, whichever tests are run first.
pytest.register_assert_rewrite("memoranda.testing")

# How long an example takes says how busy the machine is; speed is measured in bench/.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
