"""The process in which another library answers: a line of input is what it is told and a question, one of output texts.

It needs only numpy and the library, because it runs in the library's own environment (`bench.venvs`).
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.utterances import Turn


class Known:
    """An embedder that looks the vectors of texts up."""

    def __init__(self) -> None:
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def learn(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Keep the vectors of some texts."""
        self._vectors.update((text, np.array(vector, np.float32)) for text, vector in vectors.items())

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the vector of one text."""
        return self._vectors[text]


def answered(subject: Any, asked: Mapping[str, Any], known: Known) -> list[str]:
    """Return the texts that a new memory finds, once it has been told."""
    known.learn(asked["vectors"])
    with TemporaryDirectory(prefix="memoranda-peer-") as folder:
        opened = subject(folder, known)
        try:
            opened.load([Turn(**one, at=datetime.fromisoformat(at)) for at, one in asked["turns"]])
            found: list[str] = opened.search(asked["question"])
        finally:
            opened.close()
    return found


def main() -> None:
    """Answer until the input ends. The library's own output goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    subject = importlib.import_module(f"bench.subjects.{sys.argv[1]}").Subject
    known = Known()
    for line in sys.stdin:
        print(json.dumps(answered(subject, json.loads(line), known)), file=answers, flush=True)


if __name__ == "__main__":
    main()
