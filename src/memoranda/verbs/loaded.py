"""Modules of flows that verbs use, and of this package that few programs need, each loaded on first use."""

import importlib
from importlib.util import find_spec
from inspect import cleandoc
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoranda import worker as worker
    from memoranda.flows.capture import capture as capture
    from memoranda.flows.capture import finished as finished
    from memoranda.flows.consolidation import backlog as backlog
    from memoranda.flows.consolidation import processor as processor
    from memoranda.flows.context import context as context
    from memoranda.flows.context import contexts as contexts
    from memoranda.flows.context import evaluate as evaluate
    from memoranda.flows.context import inbox as inbox
    from memoranda.flows.context import render as render
    from memoranda.flows.context import router as router
    from memoranda.flows.context import state as state
    from memoranda.flows.context import usage as usage
    from memoranda.flows.context import volumes as volumes
    from memoranda.flows.governance import access_keys as access_keys
    from memoranda.flows.governance import audit_log as audit_log
    from memoranda.flows.governance import changes as changes
    from memoranda.flows.governance import costs as costs
    from memoranda.flows.governance import doctor as doctor
    from memoranda.flows.governance import forget as forget
    from memoranda.flows.governance import readiness as readiness
    from memoranda.flows.governance import rebuild as rebuild
    from memoranda.flows.governance import restore as restore
    from memoranda.flows.governance import transfer as transfer
    from memoranda.flows.recall import inspect as inspect
    from memoranda.flows.recall import records as records
    from memoranda.flows.recall import techniques as techniques
    from memoranda.flows.runtime import audit as audit
    from memoranda.flows.runtime import images as images
    from memoranda.flows.runtime import journal as journal
    from memoranda.flows.runtime import leases as leases
    from memoranda.flows.runtime import ledger as ledger
    from memoranda.flows.runtime import runtime as runtime
    from memoranda.flows.runtime import withholding as withholding
    from memoranda.flows.runtime import working_cells as working_cells
    from memoranda.flows.sharing import answer as answer
    from memoranda.flows.sharing import collections as collections
    from memoranda.flows.sharing import grants as grants
    from memoranda.flows.sharing import pools as pools
    from memoranda.flows.sharing import sharing as sharing
    from memoranda.flows.sharing import snapshots as snapshots
    from memoranda.flows.strata import channels as channels
    from memoranda.flows.strata import connections as connections
    from memoranda.flows.strata import conversations as conversations
    from memoranda.flows.strata import entities as entities
    from memoranda.flows.strata import entries as entries
    from memoranda.flows.strata import flush as flush
    from memoranda.flows.strata import goals as goals
    from memoranda.flows.strata import graph as graph
    from memoranda.flows.strata import outcomes as outcomes
    from memoranda.flows.strata import review as review
    from memoranda.flows.strata import strategies as strategies
    from memoranda.flows.strata import tools as tools
    from memoranda.flows.strata import working as working
    from memoranda.flows.upkeep import jobs as jobs
    from memoranda.flows.upkeep import reembed as reembed

_ROOMS = "capture", "consolidation", "context", "governance", "recall", "runtime", "sharing", "strata", "upkeep"


def __getattr__(name: str) -> ModuleType:
    if not name.startswith("__") and (place := place_of(name)):
        module = globals()[name] = importlib.import_module(place)
        return module
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def place_of(name: str) -> str:
    """The full name of one of the modules; none if there is no such module."""
    rooms = (f"memoranda.flows.{room}" for room in _ROOMS)
    places = (f"{place}.{name}" for place in (*rooms, "memoranda", "memoranda.verbs"))
    return next(filter(find_spec, places), "")


def summary_of(module: str, function: str) -> str:
    """The first paragraph of the docstring of a function, on one line. The module is not loaded for it.

    Its compiled code is read, so that a list of all verbs takes no longer than reading some files.
    """
    loader: Any = getattr(find_spec(module), "loader", None)
    code = next(one for one in loader.get_code(module).co_consts if getattr(one, "co_name", None) == function)
    return " ".join(cleandoc(code.co_consts[0] or "").partition("\n\n")[0].split())
