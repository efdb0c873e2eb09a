"""memstrata: the memory of an AI agent.

    from memstrata import Memory

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
    from memstrata.blocking import Memory, Scoped
    from memstrata.core.layouts import Layout, Slot
    from memstrata.core.results import Context, Item, Profile, Recalled
    from memstrata.core.rows import Event, Record
    from memstrata.core.scope import Scope
    from memstrata.errors import MemstrataError
    from memstrata.flows.evaluate import Configuration
    from memstrata.flows.runtime import Settings
    from memstrata.memory import AsyncMemory
    from memstrata.scoped import AsyncScoped

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "AsyncScoped",
    "Configuration",
    "Context",
    "Event",
    "Item",
    "Layout",
    "Memory",
    "MemstrataError",
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
    "blocking": ("Memory", "Scoped"),
    "core.layouts": ("Layout", "Slot"),
    "core.results": ("Context", "Item", "Profile", "Recalled"),
    "core.rows": ("Event", "Record"),
    "core.scope": ("Scope",),
    "errors": ("MemstrataError",),
    "flows.evaluate": ("Configuration",),
    "flows.runtime": ("Settings",),
    "memory": ("AsyncMemory",),
    "scoped": ("AsyncScoped",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(f"memstrata.{home}"), name)
            return value
    raise AttributeError(f"module 'memstrata' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
