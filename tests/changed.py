"""Prints the tests of what was changed, for `make quick`: those of each room with a changed file, and the architecture.

A room `src/memoranda/a/b` has its tests in `tests/a/b`; `ELSEWHERE` names the tests of what has no such folder. Of a
folder with rooms in it, only the tests that lie in the folder itself.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

TESTS = Path(__file__).parent
ALWAYS = "architecture"
#: The folder of tests, or the file, of what has no folder of its name in `tests/`.
ELSEWHERE = {
    "src/memoranda": "",
    "src/memoranda/languages": "core/language",
    "src/memoranda/prompts": "flows/consolidation",
    "src/memoranda/stores": "conformance",
    "src/memoranda/stores/redis": "conformance/test_caches.py",
    "src/memoranda/testing": "conformance",
    "bench": "evals",
    "examples": "docs",
    "README.md": "docs",
    "CHANGELOG.md": "docs",
    "CONTRIBUTING.md": "docs",
    "tests": "",
}


def room_of(path: str) -> str | None:
    """Return the folder with the tests of a file in the repository, within `tests/`; None if it has none."""
    for part in (PurePosixPath(path), *PurePosixPath(path).parents):
        inside = str(part).removeprefix("src/memoranda/").removeprefix("tests/")
        if str(part) in ELSEWHERE:
            return ELSEWHERE[str(part)]
        if part.name and (TESTS / inside).is_dir():
            return inside
    return None


def arguments(paths: Iterable[str]) -> list[str]:
    """Return what pytest is to run for these changed files."""
    folders = {folder for folder in map(room_of, paths) if folder is not None}
    return sorted(str(path) for folder in {*folders, ALWAYS} for path in _own(TESTS / folder))


def _own(folder: Path) -> list[Path]:
    return [*folder.glob("test_*.py")] if [*folder.glob("*/test_*.py")] else [folder]


def changed(since: str) -> list[str]:
    """Return the files that differ from a commit, those that git does not know yet included."""
    return [*_git("diff", "--name-only", since, "--"), *_git("ls-files", "--others", "--exclude-standard")]


def _git(*words: str) -> list[str]:
    command = ["/usr/bin/env", "git", *words]
    return subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    sys.stdout.write(" ".join(arguments(changed(*sys.argv[1:]))))
