from collections import Counter

import pytest

from architecture.house import LIMITS, TABLES, WITHIN, Module, oversized, package, rooms, tables


@pytest.mark.parametrize("module", package(), ids=lambda module: module.name)
def test_functions_classes_and_files_stay_small(module: Module) -> None:
    assert not list(oversized(module))


@pytest.mark.parametrize(("found", "limits"), [(rooms(), LIMITS), (tables(), TABLES)], ids=["rooms", "tables"])
def test_no_room_outgrows_its_limit(found: dict[str, int], limits: dict[str, int]) -> None:
    """Lines of code: what is neither blank nor comment nor docstring."""
    assert {room: lines for room, lines in found.items() if lines > limits.get(room, 0)} == {}
    assert found.keys() >= limits.keys(), "a limit of a room that is not there"


BODY = "    x = 1\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f():\n" + BODY * 59, []),
        ("def f():\n" + BODY * 60, ["m:1 f has 61 lines"]),
        ("async def f():\n" + BODY * 60, ["m:1 f has 61 lines"]),
        ('def f():\n    """One.\n\n    Two.\n    """\n' + BODY * 59, []),
        ('def f():\n    """One."""\n' + BODY * 60, ["m:1 f has 61 lines"]),
        ("class C:\n" + BODY * 249, []),
        ("class C:\n" + BODY * 250, ["m:1 C has 251 lines"]),
        ('class C:\n    """One."""\n' + '    def f(self):\n        """One."""\n' * 249, []),
        ("x = 1\n" * 500, []),
        ("x = 1\n" * 501, ["m has 501 lines"]),
    ],
)
def test_the_rule_finds_what_is_too_big(source: str, found: list[str]) -> None:
    assert list(oversized(Module("m", source))) == found


def test_a_room_has_at_most_fifteen_modules() -> None:
    modules = [module.name for module in package() if module.room in WITHIN and not module.is_package]
    rooms = Counter(name.rpartition(".")[0] for name in modules)
    assert {room: count for room, count in rooms.items() if count > 15} == {}
    assert len(rooms) > 20
