"""Adapters to template languages. Only this file loads them."""

import importlib
from collections.abc import Mapping
from typing import Any

from memoranda.errors import MissingExtraError, how_to_install


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """Return a template of Jinja2 with plain values put in, in a sandbox; see `memoranda.templates.jinja`.

    Raises:
        MissingExtraError: the extra `templates` is not installed.
        InputError: the template cannot be read, uses what it may not, or does not end within its limits.
    """
    try:
        adapter = importlib.import_module("memoranda.templates.jinja")
    except ImportError as error:
        raise MissingExtraError(f"{error}. To install it: {how_to_install('templates')}") from error
    text: str = adapter.rendered(template, values)
    return text
