"""What every evaluation is told on its command line."""

import argparse
from pathlib import Path


def options(name: str, description: str, *, data: str = "") -> argparse.ArgumentParser:
    """A parser with `--out`, and with `--data` where the evaluation reads what `data` says."""
    parser = argparse.ArgumentParser(
        prog=f"python -m evals {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if data:
        parser.add_argument("--data", type=Path, required=True, help=data)
    parser.add_argument("--out", type=Path, default=Path("out/evals"), help="folder of the results (%(default)s)")
    return parser
