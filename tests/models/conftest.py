from collections.abc import Iterator

import pytest
from embedding_server import EmbeddingServer

from memstrata.models.local import LocalEmbedder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def minilm() -> LocalEmbedder:
    return LocalEmbedder.open()


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer(dimension=8)
    yield server
    server.close()
