from collections.abc import Iterator

import pytest

from memoranda.models.local import LocalEmbedder
from memoranda.testing.model_server import ModelServer


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def minilm() -> LocalEmbedder:
    return LocalEmbedder.open()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()
