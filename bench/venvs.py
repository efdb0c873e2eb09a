"""The peers' virtual environments: one each, installed once from pinned versions and kept in a cache folder."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

#: The packages installed for each peer; numpy is for the embedder.
PINS: Mapping[str, tuple[str, ...]] = {
    "chroma": ("chromadb==1.5.9", "numpy==2.4.6"),
    "langgraph": (
        "langgraph==1.2.22",
        "langgraph-checkpoint-sqlite==3.1.2",
        "pysqlite3-binary==0.5.4.post2",
        "numpy==2.4.6",
    ),
    "mem0": ("mem0ai==2.2.1", "numpy==2.4.6"),
}


def interpreter(peer: str, cache: Path) -> Path:
    """Return the interpreter of a peer's environment, creating it if it is missing or its pins have changed."""
    folder = cache.resolve() / peer
    python, stamp = folder / "bin" / "python", folder / "pins.txt"
    pins = "\n".join(PINS[peer])
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != pins:
        print(f"Installing {', '.join(PINS[peer])} …", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        subprocess.run([python, "-m", "pip", "install", *quiet, *PINS[peer]], check=True)
        stamp.write_text(pins, encoding="utf-8")
    return python
