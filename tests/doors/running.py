"""The type of the fixture that runs a command line."""

from collections.abc import Callable

from typer.testing import Result

Run = Callable[..., Result]
