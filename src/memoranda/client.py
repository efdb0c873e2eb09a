"""A memory that a server holds, with the verbs and types of one that is opened here.

from memoranda.client import RemoteMemory

    with RemoteMemory("http://127.0.0.1:8765", key="mra_…") as memory:
        alice = memory.scope(user="alice")
        alice.add([{"role": "user", "content": "I prefer short emails"}], conversation="c1")
        print(alice.recall("how should mails look?"))
"""

from typing import TYPE_CHECKING, Any

from memoranda.doors import load

if TYPE_CHECKING:
    from memoranda.doors.client.remote import AsyncRemoteMemory, RemoteMemory

__all__ = ["AsyncRemoteMemory", "RemoteMemory"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'memoranda.client' has no attribute {name!r}")
    value = globals()[name] = getattr(load("client.remote", "client"), name)
    return value


def __dir__() -> list[str]:
    return __all__
