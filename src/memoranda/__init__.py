"""memoranda: the memory of an AI agent.

    from memoranda import Memory

    memory = Memory.open("memory.db")
    alice = memory.scope(tenant="acme", user="alice")
    alice.add([{"role": "user", "content": "I prefer short emails"}], conversation="c1")
    for item in alice.recall("how should mails look?"):
        print(item.text, item.score, item.why)

Importing the package costs almost nothing: each name is loaded when it is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoranda.core.base.scope import Scope
    from memoranda.core.beliefs.profile import Profile
    from memoranda.core.context.layouts import Layout, Slot
    from memoranda.core.recall.results import Context, Item, Recalled
    from memoranda.core.rows import Event, Record
    from memoranda.errors import MemorandaError
    from memoranda.flows.context.evaluate import Configuration
    from memoranda.flows.runtime.runtime import Settings
    from memoranda.memory import AsyncMemory, Memory
    from memoranda.verbs.scoped import AsyncScoped, Scoped

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "AsyncScoped",
    "Configuration",
    "Context",
    "Event",
    "Item",
    "Layout",
    "MemorandaError",
    "Memory",
    "Profile",
    "Recalled",
    "Record",
    "Scope",
    "Scoped",
    "Settings",
    "Slot",
    "__version__",
]

_HOMES = {
    "core.context.layouts": ("Layout", "Slot"),
    "core.beliefs.profile": ("Profile",),
    "core.recall.results": ("Context", "Item", "Recalled"),
    "core.rows": ("Event", "Record"),
    "core.base.scope": ("Scope",),
    "errors": ("MemorandaError",),
    "flows.context.evaluate": ("Configuration",),
    "flows.runtime.runtime": ("Settings",),
    "memory": ("AsyncMemory", "Memory"),
    "verbs.scoped": ("AsyncScoped", "Scoped"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(f"memoranda.{home}"), name)
            return value
    raise AttributeError(f"module 'memoranda' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
