"""Fixtures that tests in several folders use."""

import pytest

from conformance.postgres_server import postgres
from conformance.redis_server import redis, redis_cluster

__all__ = ["postgres", "redis", "redis_cluster"]

# Here, because it must be said before anything of it is imported, whichever tests are run first.
pytest.register_assert_rewrite("memstrata.testing")
