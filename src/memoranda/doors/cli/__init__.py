"""The entry point of `memoranda`: runs the command line, or says how to install it."""

import logging
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from memoranda.doors import load
from memoranda.errors import MissingExtraError


def main() -> None:
    """Run the command line and exit: 0 on success, 1 on failure, 2 on wrong usage."""
    with Path(os.devnull).open("r+", encoding="utf-8") as nowhere:
        for name in ("stdin", "stdout", "stderr"):  # a stream that the caller closed becomes the null device
            setattr(sys, name, getattr(sys, name) or nowhere)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a character that the terminal cannot show is no error
        logging.getLogger().addHandler(logging.NullHandler())  # errors are printed once, as one line
        try:
            shell = load("cli.shell", "cli")
        except MissingExtraError as error:
            sys.exit(f"memoranda: {error}")
        shell.app()
