"""What the README shows is run as it stands there."""

import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[list[str]]:
    lines = (shlex.split(line, comments=True) for block in blocks("sh") for line in block.splitlines())
    return [line for line in lines if line and line[0] == "memoranda"]


def printed(code: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_fifteen_lines_remember(tmp_path: Path) -> None:
    told = printed(blocks("python")[0], tmp_path)
    assert re.search(r"^User prefers short emails\. 0\.\d+ .*since \d{4}-", told, re.MULTILINE), "recall is empty"
    assert "- [m1] User prefers short emails." in told
    assert "Globex" in told


def test_the_strata_answer(tmp_path: Path) -> None:
    told = printed(blocks("python")[1], tmp_path)
    assert re.search(r"^\(Goal\(.*text='Book the ferry to Oslo'", told, re.MULTILINE), "no goal is brought up"
    assert "Suggestion(tool='search'" in told
    assert "-->|LOCATED_IN|" in told
    assert len(blocks("python")) == 3


def test_what_is_withheld_is_shown_as_it_is(tmp_path: Path) -> None:
    assert printed(blocks("python")[2], tmp_path) == blocks("text")[0]


def test_commands_run_in_order(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "demo" / "conversations.json", tmp_path)
    assert len(commands()) >= 8
    for command in commands():
        done = subprocess.run(
            [sys.executable, "-m", "memoranda.doors.cli", *command[1:]],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        assert done.stdout.strip(), f"{' '.join(command)} says nothing"


def modules() -> list[list[str]]:
    return [shlex.split(line) for line in re.findall(r"`(python -m (?:bench|evals)[^`]*)`", README)]


def test_commands_in_the_text_have_the_options_they_show() -> None:
    assert {command[2] for command in modules()} == {"bench", "bench.working", "evals"}
    for command in modules():
        done = subprocess.run(
            [sys.executable, *command[1:], "--help"],
            cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert {word for word in command if word.startswith("--")} <= set(re.findall(r"--\w+", done.stdout)), command


def test_extras_and_dependencies_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE), "dev"} == project["optional-dependencies"].keys()
    [(count, names)] = re.findall(r"The core has (\w+) dependencies: ([^.]+)\.", README)
    assert names.split(" and ") == [re.split(r"[<>=]", one)[0] for one in project["dependencies"]]
    assert (count, len(project["dependencies"])) == ("two", 2)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target


def test_names_and_files_in_the_pages_are_there() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text() for page in pages)
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
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
