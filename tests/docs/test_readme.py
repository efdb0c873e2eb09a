"""What the README shows is run as it stands there, and its links, names and figures are those of the project."""

import pkgutil
import re
import shlex
import tomllib
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from docs.shown import PAGES, ROOT, blocks, printed, ran, undated

README = PAGES["README.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("page", ["README.md", "docs/GUIDE.md", "docs/SECRETS.md"])
def test_an_example_prints_what_is_shown(page: str, tmp_path: Path) -> None:
    programs, outputs = blocks(page, "python"), blocks(page, "text")
    assert len(programs) == len(outputs) > 0
    for code, output in zip(programs, outputs, strict=True):
        assert undated(printed(code, tmp_path)) == undated(output)


def test_ten_lines_are_ten() -> None:
    assert len([line for line in blocks("README.md", "python")[0].splitlines() if line]) <= 10


@cache
def options_of(module: str, *words: str) -> set[str]:
    """Return the options that a command says it takes; pages name the same ones."""
    done = ran(ROOT, "-m", module, *words, "--help")
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"--\w+", done.stdout))


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CONTRIBUTING.md" and "`python -m" in PAGES[page]])
def test_commands_in_the_text_have_the_options_they_show(page: str) -> None:
    for line in re.findall(r"`(python -m (?:bench|evals)[^`]*)`", PAGES[page]):
        words = shlex.split(line)
        named = {word for word in words if word.startswith("--")}
        assert named <= options_of(*takewhile(lambda word: not word.startswith("-"), words[2:])), line


def test_the_figures_in_short_are_those_of_the_page_rounded() -> None:
    page = PAGES["docs/FIGURES.md"]
    exact = {float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", page)}
    short = README[README.index("| | memoranda |") :].split("\n\n")[0].splitlines()[2:]
    assert len(short) == 10
    for row in short:
        _, *figures, command = [cell.strip() for cell in row.strip("|").split("|")]
        assert command in page
        for number in re.findall(r"(?<![\w-])\d[\d,]*(?:\.\d+)?(?!\w)", " ".join(figures)):
            half = 0.5 * 10 ** -len(number.partition(".")[2])
            assert any(abs(one - float(number.replace(",", ""))) <= half + 1e-9 for one in exact), (row, number)


def test_the_dependencies_are_those_of_the_project() -> None:
    needed = [re.split(r"[<>=]", one)[0] for one in PROJECT["dependencies"]]
    for page, words in (
        ("README.md", "has two dependencies, {} and {}"),
        ("docs/SETUP.md", "two dependencies: {} and {}"),
    ):
        assert words.format(*needed) in PAGES[page]


def test_the_extras_are_those_of_the_project() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGES["docs/SETUP.md"], re.MULTILINE)
    assert {*told, "dev"} == PROJECT["optional-dependencies"].keys()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", PAGES[page]):
        assert ((ROOT / page).parent / target).exists(), target


def test_every_page_is_in_the_list_of_pages() -> None:
    listed = set(re.findall(r"^\| \[[^\]]+\]\(([^)]+)\)", PAGES["docs/README.md"], re.MULTILINE))
    there = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert listed == there | {"decisions/README.md"}


def test_names_and_files_in_the_pages_are_there() -> None:
    text = "\n".join(PAGES[page] for page in PAGES if page != "CHANGELOG.md")
    dotted = set(re.findall(r"`(memoranda\.(?!toml)[\w.]+)", text))
    assert "memoranda.testing.machine.StoreMachine" in dotted
    for name in dotted:
        assert pkgutil.resolve_name(name), name
    files = set(re.findall(r"`((?:core|flows|languages|stores|models|doors)/[\w/]+(?:\.\w+)?)`", text))
    assert len(files) > 20
    for name in files:
        path = ROOT / "src" / "memoranda" / name
        assert path.exists() or path.with_suffix(".py").exists(), name


def test_every_make_target_named_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
