import pytest

from architecture.house import Module, environmental, impure, package, swallowing


@pytest.mark.parametrize("module", package(), ids=lambda module: module.name)
def test_effects_stay_where_they_belong(module: Module) -> None:
    assert not [*impure(module), *environmental(module), *swallowing(module)]


@pytest.mark.parametrize(
    "source",
    [
        "async def f(): ...",
        "import time",
        "from time import monotonic",
        "import os.path",
        "from pathlib import Path",
        "import random",
        "import anyio",
        "import urllib.request",
        "from urllib import request",
        "from importlib import resources",
        "from datetime import datetime\ndatetime.now(UTC)",
        "import datetime as dt\nclock = dt.datetime.utcnow",
        "from datetime import date as day\nday.today()",
        "import numpy as np\nnp.random.default_rng(0)",
        "from numpy import random",
        "import numpy\nnumpy.load('x')",
        "from uuid import uuid4\nuuid4()",
        "import uuid\nuuid.uuid1()",
        "open('x')",
        "print('x')",
        "list(map(open, []))",
        "import sys\nsys.stdout.write('x')",
    ],
)
def test_the_rule_finds_what_is_impure(source: str) -> None:
    assert list(impure(Module("memoranda.core.beliefs.decay", source)))
    assert not list(impure(Module("memoranda.stores.decay", source)))


def test_the_rule_lets_pass_what_is_pure() -> None:
    source = "import uuid\nfrom datetime import datetime\nuuid.uuid5(a, b)\nclock.now()\nopen: bool = True"
    assert not list(impure(Module("memoranda.core.beliefs.decay", source)))


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.environ['X']",
        "import os\nos.environ.get('X')",
        "from os import environ as e\ne.get('X')",
        "import os as system\nsystem.getenv('X')",
        "from pathlib import Path\nPath.home()",
        "from pathlib import Path\nPath('~').expanduser()",
        "from pathlib import Path\np = Path('~')\np.expanduser()",
        "from platformdirs import user_data_dir\nuser_data_dir()",
    ],
)
def test_the_rule_finds_reads_of_the_environment(source: str) -> None:
    assert list(environmental(Module("memoranda.doors.cli", source)))
    assert not list(environmental(Module("memoranda.doors.settings", source)))


@pytest.mark.parametrize(
    "source",
    [
        "try: ...\nexcept: ...",
        "try: ...\nexcept Exception: ...",
        "try: ...\nexcept BaseException as error: raise",
        "try: ...\nexcept (ValueError, Exception): ...",
        "try: ...\nexcept* Exception: ...",
        "import contextlib\nwith contextlib.suppress(Exception): ...",
        "from contextlib import suppress\nwith suppress(ValueError, BaseException): ...",
    ],
)
def test_the_rule_finds_broad_handlers(source: str) -> None:
    assert list(swallowing(Module("memoranda.flows.recall.recall", source)))
    assert not list(swallowing(Module("memoranda.worker", source)))
    assert not list(swallowing(Module("memoranda.doors.cli", source)))
    twice = f"{source}\n{source}"
    assert list(swallowing(Module("memoranda.worker", twice)))
    assert list(swallowing(Module("memoranda.doors.cli", twice)))


def test_the_rule_lets_pass_narrow_handlers() -> None:
    assert not list(swallowing(Module("memoranda.flows.recall.recall", "try: ...\nexcept (OSError, ValueError): ...")))
