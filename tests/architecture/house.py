"""Reads the source as syntax trees and says where it breaks a rule of the house. No rule has a list of exceptions."""

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "memoranda"

#: Imports point only from a higher number to a lower one; rooms of the same number never import one another.
ROOMS = {
    "errors": 0,
    "languages": 1,
    "core": 2,
    "ports": 3,
    "flows": 4,
    "stores": 4,
    "models": 4,
    "observers": 4,
    "templates": 4,
    "testing": 4,
    "system": 4,
    "worker": 6,
    "verbs": 7,
    "memory": 8,
    "": 9,
    "doors": 10,
    "client": 11,
    "__main__": 11,
}

#: The same inside a room: from a higher number to a lower one, and between equals not at all.
WITHIN = {
    "core": {
        "base": 0,
        "rows": 1,
        "text": 2,
        "temporal": 3,
        "formats": 3,
        "secrets": 3,
        "language": 4,
        "context": 4,
        "evaluation": 4,
        "image": 5,
        "beliefs": 6,
        "strata": 7,
        "recall": 8,
        "consolidation": 8,
        "erasure": 9,
    },
    "doors": {
        "settings": 0,
        "wire": 0,
        "cli": 1,
        "http": 1,
        "client": 2,
        "mcp": 2,
    },
    "flows": {
        "runtime": 0,
        "capture": 1,
        "recall": 1,
        "sharing": 2,
        "strata": 2,
        "consolidation": 3,
        "context": 3,
        "upkeep": 4,
        "governance": 5,
    },
}

#: The only places that load what is optional by its name.
LOADERS = {
    "memoranda",
    "memoranda.doors",
    "memoranda.models",
    "memoranda.observers",
    "memoranda.stores",
    "memoranda.templates",
    "memoranda.verbs.loaded",
}
PACKAGES = {"numpy", "Stemmer"}
IMPURE_MODULES = {
    "asyncio", "builtins", "concurrent", "ctypes", "fcntl", "glob", "http", "importlib", "io", "locale", "logging",
    "mmap", "multiprocessing", "os", "pathlib", "random", "secrets", "select", "selectors", "shutil", "signal",
    "socket", "socketserver", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib.request",
}  # fmt: skip
IMPURE_NAMES = {
    "datetime.date.today", "datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow",
    "numpy.fromfile", "numpy.load", "numpy.loadtxt", "numpy.memmap", "numpy.random", "numpy.save", "numpy.savez",
    "sys.argv", "sys.path", "sys.modules", "sys.stderr", "sys.stdin", "sys.stdout",
    "uuid.getnode", "uuid.uuid1", "uuid.uuid4",
    "__import__", "compile", "eval", "exec", "globals", "input", "open", "print",
}  # fmt: skip
ENVIRONMENT = {
    "os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.path.expanduser", "os.path.expandvars",
    "pathlib.Path.home", "getpass", "platformdirs",
}  # fmt: skip


#: At most so many lines of code in each room: what it had when verbs and rows were declared once, and 5 %. Whoever adds
#: something new sets its limits in one decision; any other raise says what was deleted instead (decision 55).
LIMITS: dict[str, int] = {
    "core/base": 581,
    "core/beliefs": 1_884,
    "core/consolidation": 1_545,
    "core/context": 480,
    "core/erasure": 857,
    "core/evaluation": 307,
    "core/formats": 895,
    "core/image": 1_150,
    "core/language": 2_490,
    "core/recall": 1_680,
    "core/rows": 1_189,
    "core/secrets": 508,
    "core/strata": 1_168,
    "core/temporal": 1_109,
    "core/text": 910,
    "doors": 127,
    "doors/cli": 2_430,
    "doors/client": 350,
    "doors/http": 975,
    "doors/mcp": 950,
    "doors/wire": 690,
    "observers": 105,
    "flows/capture": 943,
    "flows/consolidation": 637,
    "flows/context": 1_708,
    "flows/governance": 2_028,
    "flows/recall": 1_596,
    "flows/runtime": 1_669,
    "flows/sharing": 1_407,
    "flows/strata": 2_481,
    "flows/upkeep": 1_010,
    "languages": 11,
    "models": 1_220,
    "stores": 2_446,
    "templates": 135,
    "testing": 1_201,
    "top": 619,
    "verbs": 1_441,
}
#: The same for the tables of patterns, by language; `shared` is what serves all.
TABLES: dict[str, int] = {"de": 3_088, "en": 6_250, "es": 2_620, "fr": 2_450, "shared": 2_984, "zh": 1_620}


@dataclass(frozen=True)
class Module:
    """One source file."""

    name: str
    source: str
    is_package: bool = False

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of its syntax tree, parents before what is in them."""
        return [*ast.walk(ast.parse(self.source))]

    @cached_property
    def room(self) -> str:
        return self.name.partition(".")[2].partition(".")[0]

    @cached_property
    def inner(self) -> str:
        """The room within its room; none for what lies in the room itself."""
        return inner(self.name)

    @cached_property
    def origins(self) -> dict[str, str]:
        """What each name bound by an import stands for."""
        names: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for item in node.names:
                    names[item.asname or item.name.partition(".")[0]] = (
                        item.name if item.asname else item.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for item in node.names:
                    names[item.asname or item.name] = f"{self.origin(node)}.{item.name}"
        return names

    @cached_property
    def imports(self) -> list[str]:
        """Everything imported, wherever the import stands: `a.b` for `import a.b` and for `from a import b`."""
        found: list[str] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found += [item.name for item in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [f"{self.origin(node)}.{item.name}" for item in node.names]
        return found

    def origin(self, node: ast.ImportFrom) -> str:
        """The absolute name of the module that `node` imports from."""
        if not node.level:
            return str(node.module)
        parents = self.name.split(".")[: None if self.is_package and node.level == 1 else -node.level + self.is_package]
        return ".".join([*parents, *filter(None, [node.module])])

    @cached_property
    def used(self) -> list[tuple[int, str]]:
        """Each dotted name that is used, as what it stands for, with its line."""
        loads = (node for node in self.nodes if isinstance(node, ast.Attribute | ast.Name))
        named = ((node.lineno, self.dotted(node)) for node in loads if isinstance(node.ctx, ast.Load))
        return [(line, name) for line, name in named if name]

    def dotted(self, node: ast.expr) -> str | None:
        """What a name or a chain of attributes stands for, where that can be told from the imports."""
        if isinstance(node, ast.Name):
            return self.origins.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return base and f"{base}.{node.attr}"
        return None


@cache
def package() -> list[Module]:
    """Every module of memoranda, each parsed once for all tests."""
    modules = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("memoranda", *path.relative_to(PACKAGE).with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        modules.append(Module(".".join(parts[:-1] if is_package else parts), path.read_text("utf-8"), is_package))
    return modules


def inner(name: str) -> str:
    """The room within a room that a name lies in, or "" for none."""
    _, outer, found = (*name.split("."), "", "", "")[:3]
    return found if found in WITHIN.get(outer, {}) else ""


def under(name: str, places: set[str]) -> bool:
    """Whether `name` is one of `places` or lies in one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


# ------------------------------------------------------------------------------------------------ budgets


def code_lines(source: str) -> set[int]:
    """The numbers of the lines that hold code: neither blank, nor only comment, nor docstring."""
    quiet = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in quiet:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            lines -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return lines


def place(module: Module) -> str:
    """The room whose limit counts a module; what lies in no room is `top`."""
    if (PACKAGE / module.room / (module.inner or "-")).is_dir():
        return f"{module.room}/{module.inner}"
    return module.room if module.room and (PACKAGE / module.room).is_dir() else "top"


def rooms() -> Counter[str]:
    """The lines of code of each room."""
    found: Counter[str] = Counter()
    for module in package():
        found[place(module)] += len(code_lines(module.source))
    return +found


def tables() -> Counter[str]:
    """The lines of the tables of patterns: neither blank nor comment, a longer one once per 120 characters."""
    found: Counter[str] = Counter()
    for path in (PACKAGE / "languages").rglob("*.toml"):
        lines = (line.strip() for line in path.read_text("utf-8").splitlines())
        own = path.relative_to(PACKAGE / "languages").parts
        found[own[0] if len(own) > 1 else "shared"] += sum(
            -(-len(line) // 120) for line in lines if line and not line.startswith("#")
        )
    return found


def oversized(module: Module) -> Iterator[str]:
    """Functions over 60 lines without their docstring, classes over 250 without docstrings, files over 500 lines."""
    length = len(module.source.splitlines())
    if length > 500:
        yield f"{module.name} has {length} lines"
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            length = (node.end_lineno or 0) - node.lineno + 1 - _documented(node)
            if length > (250 if isinstance(node, ast.ClassDef) else 60):
                yield f"{module.name}:{node.lineno} {node.name} has {length} lines"


def _documented(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of docstrings: of a class with those in it."""
    inner = ast.walk(node) if isinstance(node, ast.ClassDef) else (node,)
    defined = (one for one in inner if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef))
    found = (one.body[0] for one in defined if ast.get_docstring(one) is not None)
    return sum((first.end_lineno or 0) - first.lineno + 1 for first in found)


# ---------------------------------------------------------------------------------------------- direction


def upward(module: Module) -> Iterator[str]:
    """Imports that do not point downwards."""
    if module.room not in ROOMS:
        yield f"{module.name} lies in no room"
        return
    if module.room in WITHIN and not module.inner and module.name.count(".") > 1:
        yield f"{module.name} lies in no room of {module.room}"
    for target in module.imports:
        if not under(target, {"memoranda"}):
            continue
        room = target.partition(".")[2].partition(".")[0]
        room = room if room in ROOMS else ""
        if room != module.room and ROOMS[room] >= ROOMS[module.room]:
            yield f"{module.name} imports {target}"
        order, there = WITHIN.get(module.room, {}), inner(target)
        if room == module.room and there != module.inner and order.get(there, 0) >= order.get(module.inner, -1):
            yield f"{module.name} imports {target}"


def hidden(module: Module) -> Iterator[str]:
    """Imports inside functions, and modules loaded by name outside of the loaders."""
    for function in module.nodes:
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield f"{module.name}:{node.lineno} imports inside {function.name}"
    for line, name in module.used:
        if name in {"importlib.import_module", "__import__", "importlib.__import__"} and module.name not in LOADERS:
            yield f"{module.name}:{line} loads a module by name"


def optional(module: Module) -> Iterator[str]:
    """Optional packages imported by anything but an adapter, a door or the test suite for users."""
    if module.room in {"stores", "models", "observers", "templates", "doors", "testing"}:
        return
    for target in module.imports:
        top = target.partition(".")[0]
        if top not in PACKAGES | {"memoranda"} and top not in sys.stdlib_module_names:
            yield f"{module.name} imports {target}"


def dependencies(modules: list[Module]) -> dict[str, set[str]]:
    """Which modules each module imports."""
    names = {module.name for module in modules}
    graph: dict[str, set[str]] = {}
    for module in modules:
        targets = {target if target in names else target.rpartition(".")[0] for target in module.imports}
        graph[module.name] = (targets & names) - {module.name}
    return graph


# ------------------------------------------------------------------------------------------------- purity


def impure(module: Module) -> Iterator[str]:
    """In the core: anything asynchronous, and any way to a clock, to chance, to a file or to a socket."""
    if module.room != "core":
        return
    for target in module.imports:
        foreign = target.partition(".")[0] not in sys.stdlib_module_names | PACKAGES | {"memoranda"}
        if foreign or under(target, IMPURE_MODULES | IMPURE_NAMES):
            yield f"{module.name} imports {target}"
    for line, name in module.used:
        if under(name, IMPURE_NAMES):
            yield f"{module.name}:{line} uses {name}"
    for node in module.nodes:
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield f"{module.name}:{node.lineno} is asynchronous"


def environmental(module: Module) -> Iterator[str]:
    """Reads of the environment or the home directory outside of the settings."""
    if module.name == "memoranda.doors.settings":
        return
    for line, name in module.used:
        if under(name, ENVIRONMENT):
            yield f"{module.name}:{line} uses {name}"
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "expanduser":
            yield f"{module.name}:{node.lineno} looks for the home directory"


def swallowing(module: Module) -> Iterator[str]:
    """Broad handlers: one in the worker (its outermost loop), in each door (its outermost handler), and in the guard.

    The guard stands around models that are not ours, which may raise anything (decision 10).
    """
    lines = []
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or module.dotted(kind) in {"Exception", "BaseException"} for kind in kinds):
                lines.append(node.lineno)
        elif isinstance(node, ast.Call) and module.dotted(node.func) == "contextlib.suppress":
            lines += [one.lineno for one in node.args if module.dotted(one) in {"Exception", "BaseException"}]
    outermost = {"memoranda.worker", "memoranda.models.guard"}
    allowed = 1 if module.name in outermost or module.room == "doors" else 0
    for line in lines[allowed:]:
        yield f"{module.name}:{line} catches everything"


# ------------------------------------------------------------------------------------------------- stores


def stores(module: Module) -> Iterator[str]:
    """The names of the classes that answer as a store."""
    if module.room == "stores":
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                methods = {one.name for one in node.body if isinstance(one, ast.AsyncFunctionDef)}
                if {"apply", "find", "probe"} <= methods:
                    yield f"{module.name}.{node.name}"


def conforming(module: Module) -> Iterator[str]:
    """What a test file imports, if a class of it runs the conformance suite."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            bases = [module.dotted(base) or "" for base in node.bases]
            if any(base.startswith("memoranda.testing") and base.endswith("Conformance") for base in bases):
                yield from module.imports
