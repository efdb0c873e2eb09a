"""Measure whether reading is linear: every pattern, and the functions that read text, on texts that are hard for them.

The patterns are found by themselves: whatever the package compiles while it is imported, its language packs are read
and the functions below run. A pattern that is compiled by a line that none of this reaches is an error. The texts are
made from a pattern's own characters (see `bench.attacks`). A pattern fails if it needs more than 20 times as long for
200,000 characters as for 20,000, by processor time, at best of five: what is linear and allocates much was measured at
up to 16, what is quadratic needs 100. One that meets single sentences only, which are bounded, fails if it needs more
than 20 ms for the longest; a function as a pattern, or for 20,000 characters against 2,000 if what it reads is cut
there, for 40,000 against 4,000 if it does much with each.
"""

import argparse
import ast
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from evals.report import table

from bench.attacks import Attack, attacks, runs

SMALL, LARGE, RATIO = 20_000, 200_000, 20.0
SENTENCE_LIMIT = 0.02  # seconds for the longest sentence
TRIES = 5
_LEAST = 1e-3  # seconds; less is lost in what a busy machine does besides
_LIMIT = (
    30.0  # seconds of wall time for one reading, so that an exponential pattern ends; far more than a linear one needs
)
_FIRST = (
    300  # characters from which a pattern is suspected: not by chance if four times as many take eight times as long
)
_USES = frozenset("search match fullmatch finditer findall sub subn split".split())
_COMPILING = _USES | {"compile"}
#: How patterns that lie in a table are used, where their name does not tell.
_TABLES = {
    "rules": "fullmatch", "denials": "match", "understood": "match", "pronouns": "match", "cues": "match",
    "marks": "fullmatch", "tokens": "fullmatch", "_possessives": "fullmatch",
}  # fmt: skip
#: Names that are read in whole texts, although they lie in a language's grammar, all else of which reads sentences.
_WHOLE = frozenset({"pasted"})
_TESTS = frozenset({"wary", "joints", "handle"})  # of the words of a sentence; of a word, up to 400 characters
#: Patterns elsewhere that meet one short sentence or word only: a correction, of 400 characters with single blanks; a
#: word that may be a secret that no cue leads to, of at most 100 characters.
_CUT = frozenset({"_form", "tokens", "plainest"})
#: Patterns that the host of an evaluation gives, not those who write what is remembered.
_HOSTS = frozenset({"labels.py"})
_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, its name, how it is used, and the most characters it meets; 0 if it meets whole texts."""

    pattern: re.Pattern[Any]
    name: str
    use: str
    most: int


#: Patterns, with the file and line that compiled each, and the place of what was read from a file.
Sites = dict[re.Pattern[Any], set[tuple[str, int, str]]]


class _TooLongError(Exception):
    """A reading took longer than the limit."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print what is slowest, and return 1 if anything is not linear."""
    argparse.ArgumentParser(
        prog="python -m bench patterns", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args(argv)
    sites: Sites = {}
    _listen(sites)
    modules = [importlib.import_module(name) for name in _modules()]
    functions = _functions()
    for _, function, _ in functions:
        for text in (
            "I live in Oslo, and my sister Ana is 30.",
            "Actually, I meant 5 May 2025.",
            "User drives a car.",
            "location.city",
            "Don't save this.",
        ):
            function(text)
    names = _named(modules)
    _name_tables(names)
    root = Path(modules[0].__file__ or "").parent
    written = _written(root)
    unreached = written.keys() - {site[:2] for found in sites.values() for site in found}
    uses = _used(root)
    print(f"{len(sites):,} patterns", file=sys.stderr, flush=True)
    patterns = [_described(pattern, names.get(pattern, []), min(sites[pattern]), uses, written) for pattern in sites]
    rows = [row for found in patterns if (row := _pattern_row(found))]
    rows += [row for function in functions if (row := _function_row(*function))]
    rows.sort(key=lambda row: (row[0], row[1]), reverse=True)
    failed = [row[2] for row in rows if row[0]]
    shown = [[name, f"{1e9 * each:,.0f}", told, repr(text)[:60]] for _, each, name, told, text in rows[:40]]
    print(table(["slowest", "ns a character", "", "text"], shown))
    print(f"\n{len(patterns):,} patterns and {len(functions)} functions; not linear: {', '.join(failed) or 'none'}")
    for file, line in sorted(unreached):
        print(f"{file}:{line} compiles a pattern that was not measured")
    return int(bool(failed or unreached))


# ------------------------------------------------------------------------------------------------ finding


def _listen(sites: Sites) -> None:
    """Note from now on each pattern that the package compiles, and where. Must precede the package's import."""
    compiled = vars(re)["_compile"]  # what every function of `re` calls

    def listening(pattern: Any, flags: int) -> Any:
        found = compiled(pattern, flags)
        frame = inspect.currentframe()
        caller = frame and frame.f_back and frame.f_back.f_back
        if caller and "/memoranda/" in caller.f_code.co_filename:
            read = caller.f_code.co_name == "regex"  # from a file, see `core.text.packs`
            place = str(caller.f_locals["where"]) if read else ""
            sites.setdefault(found, set()).add((caller.f_code.co_filename, caller.f_lineno, place))
        return found

    vars(re)["_compile"] = listening


def _modules() -> Iterator[str]:
    package = importlib.import_module("memoranda")
    yield package.__name__
    for module in pkgutil.walk_packages(package.__path__, "memoranda."):
        if not module.name.endswith("__main__"):
            yield module.name


def _written(root: Path) -> dict[tuple[str, int], str]:
    """Return the lines that compile a pattern, with the function of `re` that they call."""
    return {
        (str(file), node.lineno): node.func.attr
        for file in root.rglob("*.py")
        if file.name not in _HOSTS
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _COMPILING
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
    }


def _used(root: Path) -> Mapping[tuple[str, str], set[str]]:
    """Return how patterns are used, by the module and their name; a private constant is used in its own module only."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for file in root.rglob("*.py"):
        module = ".".join(("memoranda", *file.relative_to(root).with_suffix("").parts))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in _USES:
                value = node.value
                name = getattr(value, "attr", getattr(value, "id", ""))
                named = value.args[:1] if isinstance(value, ast.Call) else [getattr(value, "slice", None)]
                if named and isinstance(named[0], ast.Constant):
                    name = str(named[0].value)  # sign("alias").fullmatch(…), reader["gap"].match(…)
                private = isinstance(value, ast.Name) and name.startswith("_")
                found[module if private else "", name].add(node.attr)
    return found


def _named(modules: list[Any]) -> dict[re.Pattern[Any], list[tuple[str, str]]]:
    """Return the patterns that can be reached from modules and from their cached functions, with module and path."""
    languages = importlib.import_module("memoranda.core.text.detect").LANGUAGES
    names: dict[re.Pattern[Any], list[tuple[str, str]]] = {}
    seen: dict[int, object] = {}
    for module in modules:
        for name, value in list(vars(module).items()):
            if hasattr(value, "cache_info") and value.__module__ == module.__name__:
                for given in _arguments(value, languages):
                    with suppress(Exception):  # not every language has every file
                        _walk(value(*given), module.__name__, f"{name}({', '.join(given)})", names, seen)
            elif isinstance(value, re.Pattern) or getattr(value, "__module__", module.__name__) == module.__name__:
                _walk(value, module.__name__, name, names, seen)
    return names


def _name_tables(names: dict[re.Pattern[Any], list[tuple[str, str]]]) -> None:
    """Compile and name the patterns that the tables of secrets hold as texts, which are compiled as they are needed."""
    cues = importlib.import_module("memoranda.core.secrets.cues")
    reader = cues.known()
    tables = {"patterns": reader.patterns, "marks": reader.marks, "runs": reader.runs}
    found: list[tuple[str, str, re.RegexFlag]] = [
        (f"{table}[{name}].{name}", one, re.IGNORECASE) for table, held in tables.items() for name, one in held.items()
    ]
    found += [(f"cues[{kind}].cue", one, re.IGNORECASE) for kind, one in reader.cues]
    found += [(f"formats[{one.kind}].form", one.pattern, re.NOFLAG) for one in reader.formats]
    found += [(f"formats[{one.kind}].unless", one.unless, re.IGNORECASE) for one in reader.formats]
    found += [("tokens", reader.tokens, re.NOFLAG)]
    for name, text, flags in found:
        names.setdefault(cues.compiled(text, flags), []).append((cues.__name__, name))


def _arguments(function: Callable[..., object], languages: Any) -> list[tuple[str, ...]]:
    parameters = list(inspect.signature(function).parameters)
    return [()] if not parameters else [(one,) for one in languages] if parameters == ["language"] else []


def _walk(
    value: object, module: str, path: str, names: dict[Any, list[tuple[str, str]]], seen: dict[int, object]
) -> None:
    if isinstance(value, re.Pattern):
        names.setdefault(value, []).append((module, path))
        return
    if id(value) in seen:
        return
    if isinstance(value, Mapping):
        parts = {f"{path}[{key}]": one for key, one in value.items()}
    elif isinstance(value, list | tuple | set | frozenset):
        parts = {f"{path}[{number}]": one for number, one in enumerate(value)}
    elif f"{type(value).__module__} {getattr(value, '__module__', '')}".find("memoranda") >= 0:
        parts = {f"{path}.{name}": one for name, one in _fields(value)}
    else:
        return
    seen[id(value)] = value
    for name, one in parts.items():
        _walk(one, module, name, names, seen)


def _fields(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, type):
        yield from ((name, one) for name, one in vars(value).items() if isinstance(one, re.Pattern))
        return
    rule = getattr(value, "rule", None)
    for kind in type(value).__mro__:
        slots = getattr(kind, "__slots__", ())
        lazy = [name for name, one in vars(kind).items() if isinstance(one, cached_property | re.Pattern)]
        for name in (*((slots,) if isinstance(slots, str) else slots), *lazy):
            with suppress(AttributeError):
                yield f"{rule.name}.{name}" if rule else name, getattr(value, name)
    yield from list(getattr(value, "__dict__", {}).items())


def _described(
    pattern: re.Pattern[Any],
    names: list[tuple[str, str]],
    site: tuple[str, int, str],
    uses: Mapping[tuple[str, str], set[str]],
    written: Mapping[tuple[str, int], str],
) -> Found:
    found = set[str]()
    sentence = bool(names)
    for module, path in names:
        parts = re.sub(r"\[[^\]]*\]|\([^)]*\)", "", path).split(".")
        table_of = next((use for part, use in _TABLES.items() if part in parts), "")
        matcher = module.endswith("language.grammar") and "rules" in parts
        found |= {"match"} if matcher else {table_of} if table_of else uses.get((module, parts[-1]), set())
        found |= uses.get(("", parts[-1]), set()) if not (matcher or table_of) else set()
        sentence &= (module.endswith("language.grammar") and parts[-1] not in _WHOLE) or parts[-1] in _CUT
    file, line, place = site
    table, _, entry = place.rpartition(": ")
    if not names:
        found |= {written.get((file, line), "compile")} & _USES
        found |= uses.get(("", entry), set()) if place else set()
        sentence = place.startswith("languages/") and entry in _TESTS
    force = importlib.import_module("memoranda.core.language.force")
    edges = table == "languages/off_record.toml"
    most = force.off_record.MAX_SEARCHED if edges else force.screen.MAX_SENTENCE if sentence else 0
    name = names[0][1] if names else place or f"{Path(file).name}:{line}"
    name = f"{names[0][0].removeprefix('memoranda.')}.{name}" if names else name
    use = found.pop() if len(found) == 1 else "match" if found and found <= {"match", "fullmatch"} else "finditer"
    return Found(pattern, name, use if use in {"match", "fullmatch"} else "finditer", most)


# ---------------------------------------------------------------------------------------------- measuring


def _late(_number: int, _frame: FrameType | None) -> None:
    raise _TooLongError


def seconds(read: Callable[[], object], tries: int = 1) -> float:
    """Return the least processor time of some readings; infinity if the first takes too long."""
    best = float("inf")
    signal.signal(signal.SIGALRM, _late)
    for _ in range(tries):
        signal.setitimer(signal.ITIMER_REAL, _LIMIT)
        begun = time.process_time()
        try:
            read()
        except _TooLongError:
            break
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        best = min(best, time.process_time() - begun)
    return best


def _reading(found: Found, text: str) -> Callable[[], object]:
    given: Any = text.encode() if isinstance(found.pattern.pattern, bytes) else text
    use = getattr(found.pattern, found.use)
    return (lambda: sum(1 for _ in use(given))) if found.use == "finditer" else (lambda: use(given))


Row = tuple[bool, float, str, str, str]


def _pattern_row(found: Found) -> Row | None:
    """Return the worst that hard texts did to a pattern: whether it failed, seconds for a character, and what."""
    wide = importlib.import_module("memoranda.core.language.force.screen").WIDE
    worst, worst_text = 0.0, Attack("", "a", "")
    for attack in attacks(found.pattern):
        text = attack.text(found.most or 4 * _FIRST)
        if found.most and ("\n" in text or wide.search(text)):
            continue  # no sentence holds a line break, or so wide a gap
        taken = seconds(_reading(found, text))
        if found.most and taken > SENTENCE_LIMIT and (taken := seconds(_reading(found, text), TRIES)) > SENTENCE_LIMIT:
            return True, taken / found.most, found.name, f"{found.use}: {1000 * taken:,.0f} ms for a sentence", text
        if not found.most and _suspected(found, attack, taken) and (row := _failed(found, attack)):
            return row
        if taken > worst:
            worst, worst_text = taken, attack
    if not found.most and (row := _failed(found, worst_text)):
        return row
    return False, worst / (found.most or 4 * _FIRST), found.name, found.use, worst_text.text(60)


def _suspected(found: Found, attack: Attack, taken: float) -> bool:
    if taken < 1e-4:
        return False
    few = seconds(_reading(found, attack.text(_FIRST)), 3)
    return taken > 8 * few and seconds(_reading(found, attack.text(4 * _FIRST)), 3) > 8 * few


def _failed(found: Found, attack: Attack) -> Row | None:
    return _grown(found.name, found.use, attack, lambda size: _reading(found, attack.text(size)), (SMALL, LARGE))


def _grown(
    name: str, use: str, attack: Attack, reading: Callable[[int], Callable[[], object]], sizes: tuple[int, ...]
) -> Row | None:
    """Return what happened if ten times the characters took more than 20 times as long."""
    for small, large in pairwise(sizes):
        for tries in (1, TRIES, 3 * TRIES):  # what passes at once need not be measured better
            few, many = _ten(reading(small), tries), seconds(reading(large), tries)
            ratio = 10 * many / max(few, 10 * _LEAST)
            if ratio <= RATIO:
                break
        else:
            return (
                True,
                many / large,
                name,
                f"{use}: {ratio:,.0f} times as long for {large:,} characters",
                attack.text(60),
            )
    return None


def _ten(read: Callable[[], object], tries: int) -> float:
    """Return the time of ten readings whose results are kept, as those of one long reading are."""
    return seconds(lambda: [read() for _ in range(10)], tries)


def _function_row(name: str, function: Callable[[str], object], sizes: tuple[int, ...]) -> Row | None:
    worst: Row | None = None
    for attack in runs(_RUNS):

        def reading(size: int, attack: Attack = attack) -> Callable[[], object]:
            text = attack.text(size)
            return lambda: function(text)

        if row := _grown(name, "function", attack, reading, sizes):
            return row
        taken = seconds(reading(sizes[-2])) / sizes[-2]
        if worst is None or taken > worst[1]:
            worst = False, taken, name, "function", attack.text(60)
    return worst


_RUNS = (
    "a", " ", "\n", "1", ".", ",", "[", "<", "{", '"', "'", "(", "-", "\\", "`", "\u4e2d", "\u662f", "1-",
    "sk-", "a ", "1 ", "1,", "a. ",
    "Aa ", "[m", "I live in Oslo. ", "I like tea and ", "my sister Ana, ", "Actually, ", "on Monday ", "no, ",
    '{"a":', "[1,", "[withheld: pin] a ", "\\u00fc", '"a\\n",', "From: Bob\n", "Bob: hi\n", "Bob said: I am. ",
    "my PIN is 70413, ", "key: a1B2c3 ", "password ", "pin=\n", "Bob, ", "a?\n", "<memstrata-memory>", "```\n",
    "don't save this ", "x: y\n", "\u201e", "@a ", "I don't ", "12:30 ", "5 May 2025 ",
)  # fmt: skip


Function = tuple[str, Callable[[str], object], tuple[int, ...]]


def _functions() -> Sequence[Function]:
    """Return the functions that loop over a text that somebody else wrote, with the sizes to read.

    What the rules read is cut to 20,000 characters before.
    """
    load = importlib.import_module
    fence, salvage, text = (
        load("memoranda.core.text.fence"),
        load("memoranda.core.text.salvage"),
        load("memoranda.core.text.terms"),
    )
    extraction, temporal = load("memoranda.core.language.extraction"), load("memoranda.core.temporal")
    rewriting, contradiction = load("memoranda.core.recall.rewriting"), load("memoranda.core.beliefs.conflicts")
    language, rows = load("memoranda.core.text.detect"), load("memoranda.core.rows")
    forgotten = load("memoranda.core.text.forgotten")
    barred = forgotten.Forgotten(map(forgotten.phrase, ("I never liked my old piano.", "pin", "hi Bob hi", "a a a")))
    withholder = load("memoranda.flows.runtime.withholding").Withholder()
    entities = load("memoranda.core.language.entities")
    analyzer = text.Analyzer(load("memoranda.memory").stem)

    def analysed(content: str) -> object:
        event = rows.Event(
            tenant="t", user="u", id="e", role="user", content=content, source="user_provided", event_time=_AT,
            recorded_at=_AT,
        )  # fmt: skip
        return extraction.analyse(event, "en")

    whole: list[tuple[str, Callable[[str], object]]] = [
        ("fence.quoted", fence.quoted),
        ("fence.stripped", fence.stripped),
        ("salvage", salvage.salvage),
        ("salvage.parse_json", load("memoranda.core.text.salvage").parse_json),
        ("text.terms", analyzer.terms),
        ("text.count_words", text.count_words),
        ("text.traits", text.traits),
        ("text.normalise", text.normalise),
        ("text.whole_words", lambda words: list(text.whole_words("Ana", words))),
        ("language.detect", language.detect),
        ("contradiction.opposed", lambda words: contradiction.opposed(words, "I like tea.")),
        ("contradiction.denies", lambda words: contradiction.denies(words, "I don't like tea.")),
        ("contradiction.denies, one word", lambda words: contradiction.denies(words, "User has no car.")),
        (
            "trends, a name as written",
            lambda words: vars(load("memoranda.core.beliefs.trends"))["_written"]("ana", words),
        ),
    ]
    cut: list[tuple[str, Callable[[str], object]]] = [
        ("extraction.analyse", analysed),
        ("off_record.on_record", load("memoranda.core.language.force.off_record").on_record),
        ("pasted.without_others", load("memoranda.core.language.force.pasted").without_others),
        ("entities.find_mentions", lambda words: entities.find_mentions(words, "en")),
        ("attributes.is_single_valued", load("memoranda.core.language.attributes").is_single_valued),
        ("entities.named_in", lambda words: entities.named_in(words, ["Ana"])),
    ]
    slow: list[tuple[str, Callable[[str], object]]] = [
        ("sayings.orders", load("memoranda.core.language.speech").orders),
        ("forgotten.withheld", barred.withheld),
        ("forgotten.phrases", forgotten.phrases),
        ("secrets.withheld", load("memoranda.core.secrets.detection").withheld),
        (
            "secrets.withheld, behind a cue",
            lambda words: load("memoranda.core.secrets.detection").withheld(f"my password is {words}"),
        ),
        ("withholding, JSON in a text", lambda words: withholder.text(json.dumps({"password": words, "a": [words]}))),
    ]
    for code in language.LANGUAGES:
        cut.append((f"temporal.find_times({code})", partial(temporal.find_times, now=_AT, language=code)))
        cut.append((f"rewriting.statement({code})", partial(rewriting.statement, language=code)))
        cut.append((f"rewriting.filters({code})", partial(rewriting.filters, language=code, now=_AT, channels=("x",))))
        cut.append((f"rewriting.parts({code})", partial(rewriting.parts, language=code)))
    sizes = [(whole, SMALL, LARGE), (slow, SMALL // 5, LARGE // 5), (cut, SMALL // 10, SMALL)]
    return [(*one, (few, many)) for functions, few, many in sizes for one in functions]


if __name__ == "__main__":
    sys.exit(main())
