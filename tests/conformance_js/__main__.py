"""What others wrote for the protocols that we speak, against our servers: `make conformance`.

    suite       the official MCP conformance suite, in both revisions; expected failures are in expected-*.yml
    inspector   the MCP Inspector's command line lists and calls every default tool, and checks their schemas
    graph       the TypeScript SDK's client gets from the profile `graph` what the reference memory server answers
    openapi     a TypeScript client made of docs/openapi.json compiles strictly, and passes the quick start

Needs npm, which fetches the pinned packages and a Node of its own into out/conformance. One line is printed for each
part; the exit code is 1 if any of them failed or could not run.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "out" / "conformance"
MODULES = BUILD / "node_modules"
MCP = MODULES / "@modelcontextprotocol"
REVISIONS = ("2025-11-25", "2026-07-28")
_DOOR = ("-m", "memoranda", "--embedder", "none")
_LONGEST = 600  # seconds of one program
#: How each default tool is called, in order; RECORD is the id of what was found.
_TOOLS = {
    "record_observation": ("content=User prefers short mails.", "category=preference"),
    "search_memory": ("query=mails",),
    "get_context": ("query=mails", "budget=500"),
    "explain_memory": ("query=mails",),
    "forget_memory": ("record=RECORD",),
}


class Failed(Exception):  # noqa: N818 - it is said, not raised out of here
    """A part failed, or could not run; the message says why."""


def main(argv: Sequence[str]) -> int:
    """Run the parts that are named, or all of them, and print a line for each."""
    wrong = [name for name in argv if name not in PARTS]
    if wrong:
        print(f"There is no part {wrong[0]}; there are {', '.join(PARTS)}.")
        return 2
    try:
        _install()
    except Failed as why:
        print(f"FAILED  nothing could run: {why}")
        return 1
    failed = 0
    for name in argv or PARTS:
        try:
            with TemporaryDirectory(prefix="memoranda-conformance-") as folder:
                print(f"ok      {name}: {PARTS[name](Path(folder))}", flush=True)
        except Failed as why:
            failed += 1
            print(f"FAILED  {name}: {why}", flush=True)
    return min(failed, 1)


def _install() -> None:
    """Bring the pinned packages up to date."""
    npm = shutil.which("npm")
    if npm is None:
        raise Failed("npm is not installed; any Node brings one, and the Node that is used comes with the packages.")
    BUILD.mkdir(parents=True, exist_ok=True)
    before = (BUILD / "package.json").read_text("utf-8") if (MODULES / "node").exists() else ""
    for path in (*HERE.glob("*.json"), *HERE.glob("*.ts")):
        shutil.copy(path, BUILD)
    if before != (HERE / "package.json").read_text("utf-8"):
        _run(npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")


# ------------------------------------------------------------------------------------------------ parts


def suite(folder: Path) -> str:
    """The official suite."""
    told = []
    with _serving(str(HERE / "unlocked.py"), str(folder / "memory.db")) as (address, _):
        for revision in REVISIONS:
            expected = HERE / f"expected-{revision}.yml"
            out = _node(
                MCP / "conformance/dist/index.js", "server", "--url", address, "--suite", "all",
                "--spec-version", revision, "--expected-failures", str(expected), "-o", str(folder / revision),
            )  # fmt: skip
            found = re.findall(r"^Total: (\d+) passed, (\d+) failed", out, re.MULTILINE)
            if not found:
                raise Failed(f"the suite told no total:\n{out[-2000:]}")
            told.append("{}: {} checks passed, {} failed as expected".format(revision, *found[-1]))
    return "; ".join(told)


def inspector(folder: Path) -> str:
    """The Inspector's command line."""
    with _mcp(folder, "default", "--unasked") as (address, key):

        def asked(*arguments: str) -> Any:
            out = _node(
                MCP / "inspector/clients/launcher/build/index.js", "--cli", address,
                "--header", f"Authorization: Bearer {key}", *arguments,
            )  # fmt: skip
            return json.loads(out)

        listed = asked("--method", "tools/list", "--strict")
        names = {tool["name"] for tool in listed["tools"]}
        if names != _TOOLS.keys():
            raise Failed(f"listed are {sorted(names)}, called would be {sorted(_TOOLS)}")
        record = ""
        for name, given in _TOOLS.items():
            pairs = [part for one in given for part in ("--tool-arg", one.replace("RECORD", record))]
            answer = asked("--method", "tools/call", "--tool-name", name, *pairs)
            if answer.get("isError"):
                raise Failed(f"{name} answered {answer}")
            if name == "record_observation":
                record = answer["structuredContent"]["decisions"][0]["record"]
    return f"{len(names)} tools listed, their schemas sound, and each called"


def graph(folder: Path) -> str:
    """The TypeScript SDK's client, and the reference server."""
    _compile()
    with _mcp(folder, "graph", "--unasked") as (address, key):
        reference = MCP / "server-memory/dist/index.js"
        return _node(BUILD / "graph.ts", address, key, str(reference), str(folder / "reference.jsonl")).strip()


def openapi(folder: Path) -> str:
    """The generated client."""
    _compile()
    with _serving(*_DOOR, "serve", "--port", "0", "--db", str(folder / "memory.db")) as (address, key):
        return "compiles under tsc --strict; " + _node(BUILD / "quickstart.ts", address, key).strip()


PARTS: dict[str, Callable[[Path], str]] = {"suite": suite, "inspector": inspector, "graph": graph, "openapi": openapi}


# ------------------------------------------------------------------------------------------------ processes


def _compile() -> None:
    """Make the types of the API, and check all programs."""
    described = ROOT / "docs" / "openapi.json"
    _node(MODULES / "openapi-typescript/bin/cli.js", str(described), "-o", str(BUILD / "schema.d.ts"))
    _node(MODULES / "typescript/bin/tsc", "-p", str(BUILD))


def _node(*arguments: str | Path) -> str:
    return _run(str(MODULES / ".bin" / "node"), *map(str, arguments))


def _run(*command: str) -> str:
    try:
        done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True, check=False, timeout=_LONGEST)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{Path(command[1]).name} took longer than {_LONGEST} seconds") from error
    if done.returncode:
        raise Failed(
            f"{Path(command[1]).name} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return done.stdout


def _mcp(folder: Path, tools: str, *options: str) -> AbstractContextManager[tuple[str, str]]:
    return _serving(
        *_DOOR, "mcp", "--http", "--port", "0", "--db", str(folder / "memory.db"), "--user", "alice",
        f"--tools={tools}", *options,
    )  # fmt: skip


@contextmanager
def _serving(*arguments: str) -> Iterator[tuple[str, str]]:
    """Start a server, and end it; gives its address and the first key, which is empty if it needs none."""
    server = subprocess.Popen(
        [sys.executable, "-u", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        told = ""
        while not (address := re.search(r"^(http://[^;,\s]+)", told, re.MULTILINE)):
            line = server.stdout.readline() if server.stdout else ""
            if not line:
                raise Failed(f"the server did not start:\n{told}")
            told += line
        key = re.search(r"^(mra_\S+)", told, re.MULTILINE)
        yield address[1], key[1] if key else ""
    finally:
        server.terminate()
        server.wait(60)
        if server.stdout:
            server.stdout.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
