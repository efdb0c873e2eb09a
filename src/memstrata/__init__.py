"""memstrata: the memory of an AI agent.

from memstrata import Memory

memory = Memory.open("memory.db")
alice = memory.scope(tenant="acme", user="alice")
alice.add([{"role": "user", "content": "I prefer short emails"}], conversation="c1")
for item in alice.recall("how should mails look?"):
    print(item.text, item.score, item.why)
"""

from memstrata.blocking import Memory, Scoped
from memstrata.core.results import Context, Item, Profile, Recalled
from memstrata.core.rows import Event, Record
from memstrata.core.scope import Scope
from memstrata.errors import MemstrataError
from memstrata.flows.runtime import Settings
from memstrata.memory import AsyncMemory, AsyncScoped

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "AsyncScoped",
    "Context",
    "Event",
    "Item",
    "Memory",
    "MemstrataError",
    "Profile",
    "Recalled",
    "Record",
    "Scope",
    "Scoped",
    "Settings",
    "__version__",
]
