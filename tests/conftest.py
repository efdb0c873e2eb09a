"""Fixtures that tests in several folders use."""

import pytest

from conformance.postgres_server import postgres

__all__ = ["postgres"]

# Here, because it must be said before anything of it is imported, whichever tests are run first.
pytest.register_assert_rewrite("memstrata.testing")
