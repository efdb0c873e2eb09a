"""Adapters to what watches a running memory. They are told names, times and counts, and ids of records; no content."""

import importlib
from collections.abc import Mapping
from types import ModuleType

from memoranda.core.base.observing import Deed, Observer
from memoranda.errors import MissingExtraError, SetupError, how_to_install

__all__ = ["OBSERVERS", "Deed", "Observer", "listen", "open_observer"]

#: By name: the module, whose `observer` makes it; the extra has the same name.
OBSERVERS: Mapping[str, str] = {"prometheus": "memoranda.observers.prometheus", "otel": "memoranda.observers.otel"}


def open_observer(name: str) -> Observer | None:
    """Return the observer of this name, for `Settings(observer=…)`: prometheus or otel; None for none.

    Raises:
        SetupError: there is no such observer.
        MissingExtraError: what it needs is not installed.
    """
    if name == "none":
        return None
    module = _loaded(name)
    found: Observer = module.observer()
    return found


def listen(host: str, port: int) -> int:
    """Answer Prometheus at `/metrics` in a thread until the process ends; return the port.

    Raises:
        MissingExtraError: the extra `prometheus` is not installed.
        SetupError: the address is in use.
    """
    try:
        found: int = _loaded("prometheus").listen(host, port)
    except OSError as error:
        raise SetupError(f"{host}:{port} cannot be listened on ({error}): choose another port.") from error
    return found


def _loaded(name: str) -> ModuleType:
    if name not in OBSERVERS:
        raise SetupError(f"There is no observer {name!r}. Choose one of none, {', '.join(OBSERVERS)}.")
    try:
        return importlib.import_module(OBSERVERS[name])
    except ImportError as error:
        raise MissingExtraError(f"{error}. To install it: {how_to_install(name)}") from error
