from flows.conftest import alice, anyio_backend, clock, memory, store

__all__ = ["alice", "anyio_backend", "clock", "memory", "store"]
