"""Modules of flows that the faces use, each loaded on first use."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoranda.core.erasure import targets
    from memoranda.flows import signatures
    from memoranda.flows.capture import capture
    from memoranda.flows.consolidation import backlog, processor
    from memoranda.flows.context import context, evaluate, usage
    from memoranda.flows.governance import audit_log, costs, doctor, forget, rebuild, transfer
    from memoranda.flows.recall import inspect, recall, techniques
    from memoranda.flows.runtime import audit, images, journal, leases, ledger, runtime, withholding, working_cells
    from memoranda.flows.strata import flush
    from memoranda.flows.upkeep import jobs, reembed

#: The names of each room.
_NAMES = {
    "core.erasure": "targets",
    "flows": "signatures",
    "flows.capture": "capture",
    "flows.consolidation": "backlog processor",
    "flows.context": "context evaluate usage",
    "flows.governance": "audit_log costs doctor forget rebuild transfer",
    "flows.recall": "inspect recall techniques",
    "flows.runtime": "audit images journal leases ledger runtime withholding working_cells",
    "flows.strata": "flush",
    "flows.upkeep": "jobs reembed",
}
_ROOMS = {name: room for room, names in _NAMES.items() for name in names.split()}

__all__ = [
    "audit", "audit_log", "backlog", "capture", "context", "costs", "doctor", "evaluate", "flush", "forget",
    "images", "inspect", "jobs", "journal", "leases", "ledger", "processor", "rebuild", "recall", "reembed",
    "runtime", "signatures", "targets", "techniques", "transfer", "usage", "withholding", "working_cells",
]  # fmt: skip


def __getattr__(name: str) -> ModuleType:
    if name in _ROOMS:
        module = globals()[name] = importlib.import_module(f"memoranda.{_ROOMS[name]}.{name}")
        return module
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
