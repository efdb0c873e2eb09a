"""What `make quick` runs for a change."""

import pytest

from changed import TESTS, arguments, room_of

ROOT = TESTS.parent


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("src/memoranda/flows/strata/goals.py", "flows/strata"),
        ("src/memoranda/flows/strata/gone.py", "flows/strata"),
        ("src/memoranda/flows/__init__.py", "flows"),
        ("src/memoranda/models/ranker.json", "models"),
        ("src/memoranda/stores/sqlite/store.py", "conformance"),
        ("src/memoranda/stores/redis/cache.py", "conformance/test_caches.py"),
        ("src/memoranda/languages/de/rules.toml", "core/language"),
        ("src/memoranda/doors/settings.py", "doors"),
        ("src/memoranda/doors/cli/render.py", "doors/cli"),
        ("src/memoranda/doors/cli/commands/demo.py", "doors/cli/commands"),
        ("src/memoranda/memory.py", ""),
        ("tests/core/base/test_scope.py", "core/base"),
        ("tests/flows/helpers.py", "flows"),
        ("tests/test_fork.py", ""),
        ("docs/GUIDE.md", "docs"),
        ("docs/decisions/README.md", "docs"),
        ("evals/places.py", "evals"),
        ("pyproject.toml", None),
        (".ci/run", None),
    ],
)
def test_a_file_has_its_tests_in_one_folder(path: str, folder: str | None) -> None:
    assert room_of(path) == folder


def test_every_source_has_tests() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        folder = room_of(str(path.relative_to(ROOT)))
        assert folder is not None, path
        assert (TESTS / folder).exists(), path


def test_a_folder_with_rooms_runs_only_what_lies_in_it() -> None:
    found = arguments(["tests/flows/helpers.py", "src/memoranda/core/base/scope.py"])
    assert {str(TESTS / "architecture"), str(TESTS / "core/base"), str(TESTS / "flows/test_leaks.py")} <= {*found}
    assert not [one for one in found if one.startswith(str(TESTS / "flows/strata"))]
    assert arguments([]) == [str(TESTS / "architecture")]
