"""The process in which one subject is measured. It reads commands and writes answers, one JSON value per line.

Calls are timed here, so the pipe costs nothing; the parent computes the figures. The embedder's time is not counted.
"""

import importlib
import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypedDict

from bench.hashing import Hashing
from bench.utterances import Turn, questions, turns

_QUESTIONS = 200
_CHUNK = 480  # turns loaded between checks of the clock: twenty conversations


class Times(TypedDict):
    """Wall time of each call, and CPU time per call, which a busy machine does not lengthen; in milliseconds."""

    each: list[float]
    worked: float


class Child:
    """One open subject, and the turns to append next."""

    def __init__(self, subject: str, place: str) -> None:
        self._hashing = hashing = Hashing()
        self._questions = questions(_QUESTIONS)
        hashing.warm(self._questions)
        begun = time.perf_counter()
        self._subject: Any = importlib.import_module(f"bench.subjects.{subject}").Subject(place, hashing)
        self.opened = time.perf_counter() - begun
        self._live: Iterator[Turn] = iter(())

    def load(self, start: int, upto: int, seconds: float) -> dict[str, Any]:
        """Load turns from number `start` up to `upto`; stop if `seconds` have passed or clearly will not suffice."""
        begun, spent = time.perf_counter(), 0.0
        stream = itertools.islice(turns(), start, upto)
        loaded = 0
        while part := list(itertools.islice(stream, _CHUNK)):
            spent += self._timed(self._subject.load, part)
            loaded += len(part)
            gone = time.perf_counter() - begun
            ahead = gone * (upto - start - loaded) / loaded
            if gone > seconds or (gone > seconds / 20 and gone + ahead > seconds):
                break
        self._live = (turn for turn in turns(upto) if turn.role == "user")
        return {"turns": loaded, "seconds": spent, "complete": start + loaded >= upto}

    def append(self, count: int) -> Times:
        """Time adding `count` user turns, one by one."""
        return self._times(self._subject.add, itertools.islice(self._live, count))

    def search(self, count: int) -> Times:
        """Time `count` searches."""
        return self._times(self._subject.search, self._asked(count))

    def context(self, count: int) -> Times | None:
        """Time `count` contexts; None if the subject has no contexts."""
        make = getattr(self._subject, "context", None)
        return self._times(make, self._asked(count)) if make else None

    def throughput(self, threads: int, seconds: float) -> float:
        """Return searches per second with `threads` concurrent threads, measured for `seconds`."""
        counts = [0] * threads
        ends = time.perf_counter() + seconds

        def work(number: int) -> None:
            for asked in itertools.cycle(self._questions):
                if time.perf_counter() > ends:
                    return
                self._subject.search(asked)
                counts[number] += 1

        workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
        begun = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return sum(counts) / (time.perf_counter() - begun)

    def memory(self) -> int | None:
        """Return the resident bytes of this process; None if the system does not report them."""
        status = Path("/proc/self/statm")
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else None

    def disk(self) -> int | None:
        """Return the bytes on disk if the subject reports them; None otherwise."""
        size = getattr(self._subject, "disk", None)
        return size() if size else None

    def close(self) -> None:
        """Close the subject."""
        self._subject.close()

    def _times(self, call: Callable[[Any], object], arguments: Iterable[Any]) -> Times:
        prepared = list(arguments)
        worked = time.process_time() - self._hashing.spent
        each = [1000 * self._timed(call, argument) for argument in prepared]
        worked = time.process_time() - self._hashing.spent - worked
        return {"each": each, "worked": 1000 * worked / len(prepared)}

    def _timed(self, call: Callable[[Any], object], argument: object) -> float:
        """Return the seconds of one call, without those of the embedder."""
        begun = time.perf_counter() - self._hashing.spent
        call(argument)
        return time.perf_counter() - self._hashing.spent - begun

    def _asked(self, count: int) -> Iterator[str]:
        return itertools.islice(itertools.cycle(self._questions), count)


def main() -> None:
    """Answer commands until the input ends. The subject's own output goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    child = Child(sys.argv[1], sys.argv[2])
    try:
        print(json.dumps(child.opened), file=answers, flush=True)
        for line in sys.stdin:
            command = json.loads(line)
            print(json.dumps(getattr(child, command.pop("do"))(**command)), file=answers, flush=True)
    finally:
        child.close()


if __name__ == "__main__":
    main()
