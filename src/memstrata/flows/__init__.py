"""The operations: plain async functions over ports and core. This file alone loads them, each on first use."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.flows import (
        audit,
        audits,
        backlog,
        capture,
        context,
        costs,
        desks,
        doctor,
        evaluate,
        flush,
        forget,
        inspect,
        jobs,
        journal,
        leases,
        ledger,
        metrics,
        partitions,
        processor,
        rebuild,
        recall,
        reembed,
        runtime,
        signatures,
        targets,
        techniques,
        transfer,
        withholding,
    )

__all__ = [
    "audit",
    "audits",
    "backlog",
    "capture",
    "context",
    "costs",
    "desks",
    "doctor",
    "evaluate",
    "flush",
    "forget",
    "inspect",
    "jobs",
    "journal",
    "leases",
    "ledger",
    "metrics",
    "partitions",
    "processor",
    "rebuild",
    "recall",
    "reembed",
    "runtime",
    "signatures",
    "targets",
    "techniques",
    "transfer",
    "withholding",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
