import graphlib

import pytest
from house import Module, dependencies, hidden, optional, package, upward


@pytest.mark.parametrize("module", package(), ids=lambda module: module.name)
def test_imports_point_downwards_and_stand_on_top(module: Module) -> None:
    assert not [*upward(module), *hidden(module), *optional(module)]


def test_no_module_imports_itself_in_a_circle() -> None:
    graphlib.TopologicalSorter(dependencies(package())).prepare()


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("memstrata.core.rows", "import memstrata.ports"),
        ("memstrata.core.rows", "from memstrata import flows"),
        ("memstrata.core.rows", "from memstrata import Memory"),
        ("memstrata.core.rows", "from ..ports import Store"),
        ("memstrata.errors", "from memstrata.core import rows"),
        ("memstrata.flows.recall", "from memstrata.models.hashed import HashedEmbedder"),
        ("memstrata.flows.recall", "from memstrata.stores import dict_"),
        ("memstrata.testing.fakes", "import memstrata.stores.dict_ as d"),
        ("memstrata.stores.dict_", "from memstrata.testing import fakes"),
        ("memstrata.flows.recall", "def f():\n    from memstrata.memory import AsyncMemory"),
        ("memstrata.flows.recall", "if TYPE_CHECKING:\n    from memstrata.memory import AsyncMemory"),
        ("memstrata.memory", "from memstrata.doors import cli"),
        ("memstrata.memory", "from memstrata.blocking import Memory"),
        ("memstrata.attic.junk", ""),
    ],
)
def test_the_rule_finds_what_points_upwards(name: str, source: str) -> None:
    assert list(upward(Module(name, source)))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("memstrata.core.rows", "from memstrata.errors import InputError\nimport numpy as np"),
        ("memstrata.flows.recall", "from memstrata import ports\nfrom memstrata.flows import capture"),
        ("memstrata.stores.sqlite.store", "from . import plan\nfrom ...ports import Store"),
        ("memstrata.doors.cli", "from memstrata import Memory\nfrom memstrata.memory import AsyncMemory"),
        ("memstrata", "from memstrata.blocking import Memory\nfrom memstrata.core.scope import Scope"),
    ],
)
def test_the_rule_lets_pass_what_points_downwards(name: str, source: str) -> None:
    assert not list(upward(Module(name, source)))


def test_a_relative_import_in_a_package_is_resolved_from_it() -> None:
    assert Module("memstrata.core", "from . import rows\nfrom ..ports import Store", is_package=True).imports == [
        "memstrata.core.rows",
        "memstrata.ports.Store",
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
    assert list(hidden(Module("memstrata.flows.recall", source)))


def test_the_loaders_may_load() -> None:
    source = "import importlib\ndef f(): return importlib.import_module('x')"
    assert not list(hidden(Module("memstrata.models", source)))
    assert not list(hidden(Module("memstrata.stores", source)))


def test_the_rule_finds_optional_packages() -> None:
    assert list(optional(Module("memstrata.flows.recall", "from openai import AsyncOpenAI")))
    assert list(optional(Module("memstrata.models_", "import onnxruntime")))
    assert not list(optional(Module("memstrata.flows.recall", "import numpy.linalg\nimport json")))
    assert not list(optional(Module("memstrata.models.openai", "from openai import AsyncOpenAI")))


def test_the_rule_finds_circles() -> None:
    circle = [
        Module("memstrata.a", "from memstrata.b import x"),
        Module("memstrata.b", "def f():\n    import memstrata.a"),
    ]
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(dependencies(circle)).prepare()
