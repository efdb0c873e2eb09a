import graphlib

import pytest

from architecture.house import Module, dependencies, hidden, optional, package, upward


@pytest.mark.parametrize("module", package(), ids=lambda module: module.name)
def test_imports_point_downwards_and_stand_on_top(module: Module) -> None:
    assert not [*upward(module), *hidden(module), *optional(module)]


def test_no_module_imports_itself_in_a_circle() -> None:
    graphlib.TopologicalSorter(dependencies(package())).prepare()


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("memoranda.core.rows", "import memoranda.ports"),
        ("memoranda.core.rows", "from memoranda import flows"),
        ("memoranda.core.rows", "from memoranda import Memory"),
        ("memoranda.core.rows", "from ..ports import Store"),
        ("memoranda.errors", "from memoranda.core import rows"),
        ("memoranda.flows.recall.recall", "from memoranda.models.hashed import HashedEmbedder"),
        ("memoranda.flows.recall.recall", "from memoranda.stores import dict_"),
        ("memoranda.testing.fakes", "import memoranda.stores.dict_ as d"),
        ("memoranda.stores.dict_", "from memoranda.testing import fakes"),
        ("memoranda.flows.recall.recall", "def f():\n    from memoranda.memory import AsyncMemory"),
        ("memoranda.flows.recall.recall", "if TYPE_CHECKING:\n    from memoranda.memory import AsyncMemory"),
        ("memoranda.memory", "from memoranda.doors.cli import cli"),
        ("memoranda.verbs.goals", "from memoranda.memory import Memory"),
        ("memoranda.attic.junk", ""),
        ("memoranda.core.attic.junk", ""),
        ("memoranda.core.junk", ""),
        ("memoranda.core.recall.search", "from memoranda.core.consolidation import judge"),
        ("memoranda.core.image.index", "from memoranda.core.beliefs.decay import retention"),
        ("memoranda.flows.recall.recall", "from memoranda.flows.capture.capture import capture"),
        ("memoranda.flows.upkeep.jobs", "from memoranda.verbs import loaded"),
    ],
)
def test_the_rule_finds_what_points_upwards(name: str, source: str) -> None:
    assert list(upward(Module(name, source)))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("memoranda.core.rows", "from memoranda.errors import InputError\nimport numpy as np"),
        ("memoranda.flows.recall.recall", "from memoranda import ports\nfrom memoranda.flows.runtime import runtime"),
        ("memoranda.stores.sqlite.store", "from . import plan\nfrom ...ports import Store"),
        ("memoranda.doors.cli", "from memoranda import Memory\nfrom memoranda.memory import AsyncMemory"),
        ("memoranda", "from memoranda.blocking import Memory\nfrom memoranda.core.base.scope import Scope"),
    ],
)
def test_the_rule_lets_pass_what_points_downwards(name: str, source: str) -> None:
    assert not list(upward(Module(name, source)))


def test_a_relative_import_in_a_package_is_resolved_from_it() -> None:
    assert Module("memoranda.core", "from . import rows\nfrom ..ports import Store", is_package=True).imports == [
        "memoranda.core.rows",
        "memoranda.ports.Store",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    import os",
        "class C:\n    async def f(self):\n        from os import path",
        "import importlib\ndef f(): return importlib.import_module('x')",
        "from importlib import import_module as load\nload('x')",
        "__import__('x')",
    ],
)
def test_the_rule_finds_hidden_imports(source: str) -> None:
    assert list(hidden(Module("memoranda.flows.recall.recall", source)))


def test_the_loaders_may_load() -> None:
    source = "import importlib\ndef f(): return importlib.import_module('x')"
    assert not list(hidden(Module("memoranda.models", source)))
    assert not list(hidden(Module("memoranda.stores", source)))


def test_the_rule_finds_optional_packages() -> None:
    assert list(optional(Module("memoranda.flows.recall.recall", "from openai import AsyncOpenAI")))
    assert list(optional(Module("memoranda.models_", "import onnxruntime")))
    assert not list(optional(Module("memoranda.flows.recall.recall", "import numpy.linalg\nimport json")))
    assert not list(optional(Module("memoranda.models.openai", "from openai import AsyncOpenAI")))


def test_the_rule_finds_circles() -> None:
    circle = [
        Module("memoranda.a", "from memoranda.b import x"),
        Module("memoranda.b", "def f():\n    import memoranda.a"),
    ]
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(dependencies(circle)).prepare()
