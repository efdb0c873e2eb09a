"""The entry point of `memstrata`: says how to install the command line where it is missing, else runs it."""

import logging
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from memstrata.doors import load
from memstrata.errors import MissingExtraError


def main() -> None:
    """Run the command line and exit: 0 if it went well, 1 if it did not, 2 if it was called wrongly."""
    with Path(os.devnull).open("r+", encoding="utf-8") as nowhere:
        for name in ("stdin", "stdout", "stderr"):  # whoever closed one has nothing to say, or wants none of it
            setattr(sys, name, getattr(sys, name) or nowhere)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # what a narrow terminal cannot show is no fault
        logging.getLogger().addHandler(logging.NullHandler())  # what went wrong is told in one line, once
        try:
            commands = load("commands", "cli")
        except MissingExtraError as error:
            sys.exit(f"memstrata: {error}")
        commands.app()


if __name__ == "__main__":
    main()
