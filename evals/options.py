"""Command-line options shared by all evaluations."""

import argparse
from pathlib import Path


def options(name: str, description: str, *, data: str = "") -> argparse.ArgumentParser:
    """Make a parser with `--out`, and with `--data`, described by `data`, if the evaluation reads a data set."""
    parser = argparse.ArgumentParser(
        prog=f"python -m evals {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if data:
        parser.add_argument("--data", type=Path, required=True, help=data)
    parser.add_argument("--out", type=Path, default=Path("out/evals"), help="folder of the results (%(default)s)")
    return parser
