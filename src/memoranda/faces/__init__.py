"""The faces of single strata, such as `alice.goals`. Only this file loads them, each when it is first used."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoranda.faces import (
        blocking,
        calls,
        channels,
        collections,
        connections,
        goals,
        graph,
        outcomes,
        pools,
        procedures,
        review,
        router,
        upkeep,
        working,
    )

__all__ = [
    "blocking",
    "calls",
    "channels",
    "collections",
    "connections",
    "goals",
    "graph",
    "outcomes",
    "pools",
    "procedures",
    "review",
    "router",
    "upkeep",
    "working",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
