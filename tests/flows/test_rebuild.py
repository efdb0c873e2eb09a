"""What is derived from the log again: the same by the same rules, and nothing that was forgotten."""

import random
from typing import Any

import pytest

from flows.helpers import OWNER, rows, says
from memstrata import AsyncMemory, AsyncScoped, Settings
from memstrata.core.rows import Event, Record
from memstrata.errors import InputError, NotFoundError
from memstrata.ports import Completion, Store
from memstrata.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}


async def test_what_was_said_is_derived_again(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    for text in ("I live in Oslo.", "I prefer short mails.", "I moved to Bergen.", "No, I meant Stavanger."):
        await alice.add(says(text), conversation="c1")
        clock.advance(minutes=1)
    await alice.observe("The Jira project is PROJ", category="project_details")
    done = await memory.rebuild(**WHOSE)
    print(done)
    assert done.same
