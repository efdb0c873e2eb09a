"""Doors: translate the input, call one method, translate the result. Only this file loads those that need an extra."""

import importlib
from types import ModuleType

from memoranda.errors import MissingExtraError, how_to_install


def load(name: str, extra: str) -> ModuleType:
    """Import the module `name` of this package.

    Raises:
        MissingExtraError: a dependency of the module is not installed.
    """
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ImportError as error:
        raise MissingExtraError(f"{error}. To install it: {how_to_install(extra)}") from error
