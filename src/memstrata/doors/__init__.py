"""Doors: translate, call one verb, translate back. This file alone loads those that need an extra."""

import importlib
from types import ModuleType

from memstrata.errors import MissingExtraError


def load(name: str, extra: str) -> ModuleType:
    """The module `name` of this room.

    Raises:
        MissingExtraError: what it imports is not installed.
    """
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ImportError as error:
        raise MissingExtraError(f"{error}. To install it: pip install 'memstrata[{extra}]'") from error
