"""What importing memoranda gives, and what it does not do."""

import importlib
import re
import subprocess
import sys
from types import ModuleType

import pytest

import memoranda
from architecture.house import PACKAGE, PACKAGES, ROOT, Module, conforming, package, stores
from memoranda.verbs import loaded as flows

ALONE = f"""
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | {PACKAGES | {"memoranda"}!r}:
            raise ModuleNotFoundError(f"{{name}} is not installed", name=name)

sys.meta_path.insert(0, Refuse())
"""
OFFLINE = """
import pkgutil, socket

def refuse(*args, **options):
    raise AssertionError("a socket was opened at import")

socket.socket.__init__ = refuse
socket.getaddrinfo = refuse
"""
EVERYTHING = """
import importlib, pkgutil, memoranda
for module in pkgutil.walk_packages(memoranda.__path__, "memoranda."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""

#: The hosts that the source may name: services that are asked only when the user chooses them.
HOSTS = {"api.anthropic.com", "api.openai.com"}


def run(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_all_is_exact_and_sorted() -> None:
    exported = memoranda.__all__
    assert exported == sorted(exported) == dir(memoranda)
    assert all(getattr(memoranda, name) for name in exported)
    values = vars(memoranda).items()
    bound = {name for name, value in values if name[0] != "_" and not isinstance(value, ModuleType)}
    assert bound - {"Any", "TYPE_CHECKING"} == set(exported) - {"__version__"}


def test_what_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Mem0'"):
        _ = memoranda.Mem0
    with pytest.raises(AttributeError, match="has no attribute 'telemetry'"):
        _ = flows.telemetry


def test_a_flow_is_loaded_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(flows, "journal", raising=False)
    assert flows.journal is importlib.import_module("memoranda.flows.runtime.journal")


def test_importing_the_package_loads_nothing_of_it() -> None:
    done = run("import sys, memoranda; print(*(name for name in sys.modules if name.startswith('memoranda.')))")
    assert done.stdout.split() == []


def test_a_flow_is_loaded_by_its_first_call() -> None:
    flow = "name for name in sys.modules if name.startswith('memoranda.flows.')"
    imports = "import sys; from memoranda import Memory; from memoranda.verbs import loaded"
    done = run(f"{imports}; print(*({flow})); loaded.forget; print(*({flow}))")
    before, after = done.stdout.split("\n")[:2]
    assert not before
    assert "memoranda.flows.governance.forget" in after.split()


def test_it_needs_no_extra() -> None:
    parts = "import memoranda.memory, memoranda.models.hashed; from memoranda.verbs.registry import VERBS"
    done = run(f"{ALONE}\n{parts}\n[verb.flow for verb in VERBS.values()]")
    assert done.returncode == 0, done.stderr
    assert run(f"{ALONE}\nimport openai").returncode == 1


def test_what_is_optional_waits_until_it_is_asked_for() -> None:
    done = run(
        "import sys; from memoranda import Memory; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"memoranda", "numpy"} <= loaded
    assert not loaded & {
        "anyio",
        "onnxruntime",
        "openai",
        "psycopg",
        "safetensors",
        "tokenizers",
        "typer",
        "wordllama",
    }


def test_no_socket_is_opened_at_import() -> None:
    done = run(OFFLINE + EVERYTHING)
    assert done.returncode == 0, done.stderr
    assert run(f"{OFFLINE}\nsocket.socket()").returncode == 1


def hosts(source: str) -> set[str]:
    return set(re.findall(r"(?:https?|wss?)://([\w.-]*\.[a-z]{2,})\b", source))


def test_no_foreign_host_is_named() -> None:
    files = [path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".sql", ".md", ".toml"}]
    named = {host for path in files for host in hosts(path.read_text())}
    assert named <= HOSTS
    assert hosts("post('https://telemetry.example.com/v1', x)") == {"telemetry.example.com"}


def test_every_store_runs_the_conformance_suite() -> None:
    tests = [Module(path.stem, path.read_text("utf-8")) for path in (ROOT / "tests" / "conformance").glob("*.py")]
    covered = {name for test in tests for name in conforming(test)}
    assert {name for module in package() for name in stores(module)} <= covered


STORE = "class S:\n    async def apply(self): ...\n    async def find(self): ...\n    async def probe(self): ..."
SUITE = "from memoranda.testing.conformance import StoreConformance"


@pytest.mark.parametrize(
    ("lines", "covered"),
    [
        (["from memoranda.stores.x import S", SUITE, "class T(StoreConformance): ..."], True),
        (["from memoranda.stores.x import S", SUITE, "class T: ..."], False),
        (["from memoranda.stores.x import R", SUITE, "class T(StoreConformance): ..."], False),
        (["from memoranda.stores.x import S", "class T(StoreConformance): ..."], False),
    ],
)
def test_the_rule_finds_a_store_without_the_suite(lines: list[str], covered: bool) -> None:
    (store,) = stores(Module("memoranda.stores.x", STORE))
    assert (store in set(conforming(Module("test_x", "\n".join(lines))))) is covered
