"""Other libraries, asked the same: each in a process of its own environment, with the vectors of the same embedder."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.embedding import Remembering

from bench.measure import ENVIRONMENT
from bench.venvs import PINS, interpreter

#: What answers, by name: plain cosine, which is the floor of the benchmark, and the peers.
PEERS = {"cosine": "floor", **{peer: peer for peer in PINS}}

Asked = tuple[Sequence[Mapping[str, Any]], str]


def answers(peer: str, asked: Iterable[Asked], embedder: Remembering, cache: Path) -> Iterator[list[str]]:
    """Yield what a library finds for each question, best first, having been told the turns that go with it.

    Args:
        peer: one of `PEERS`.
        asked: turns (`day`, `role`, `text`) with the question that follows them.
        embedder: whose vectors it gets.
        cache: where the environments of the libraries are kept; they are installed by pip if they are not there.
    """
    python = interpreter(peer, cache) if peer in PINS else Path(sys.executable)
    with TemporaryDirectory(prefix="memoranda-peers-") as home, (Path(home) / "log.txt").open("w+") as log:
        environment = {**os.environ, **ENVIRONMENT, "HOME": home, "MEM0_DIR": home}
        command = [str(python), "-m", "bench.answering", PEERS[peer]]
        pipe: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log, "text": True}
        with subprocess.Popen(command, **pipe, env=environment) as process:
            assert process.stdin
            assert process.stdout
            for turns, question in asked:
                print(json.dumps(_told(turns, question, embedder)), file=process.stdin, flush=True)
                if not (line := process.stdout.readline()):
                    log.seek(0)
                    raise ChildProcessError(log.read()[-3000:])
                yield json.loads(line)


def _told(turns: Sequence[Mapping[str, Any]], question: str, embedder: Remembering) -> dict[str, Any]:
    texts = list(dict.fromkeys([*(turn["text"] for turn in turns), question]))
    vectors = asyncio.run(embedder.embed(texts)).tolist()
    rows = [
        (f"{turn['day']}T09:00", {"id": f"t{place}", "role": turn["role"], "text": turn["text"], "conversation": ""})
        for place, turn in enumerate(turns)
    ]
    return {"turns": rows, "question": question, "vectors": dict(zip(texts, vectors, strict=True))}
