"""Draws the pictures of commands."""

import warnings
from pathlib import Path

from memoranda.doors import load
from memoranda.doors.cli.shell import Door


def drawn(door: Door, path: Path, picture: str, *what: object) -> None:
    """Draw a picture to `path`, and report it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        getattr(load("cli.plot", "plot"), picture)(*what, path)
    boxes = any("missing from font" in str(one.message) for one in said)
    door.tell(f"drawn: {path}{'; letters that its font has not are boxes' if boxes else ''}")
