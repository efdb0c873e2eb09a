"""What the tests of the flows say of a memory holds of one over HTTP: the same tests, run through a server."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from doors.client.conftest import RIGHTS
from doors.http.conftest import anyio_backend, clock, offline
from memoranda import AsyncMemory, AsyncScoped
from memoranda.client import AsyncRemoteMemory
from memoranda.core.base.plain import plain
from memoranda.doors.http.app import Api
from memoranda.doors.wire.limits import Limits
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Verb
from memoranda.verbs.schema import decode_answer

__all__ = ["anyio_backend", "clock", "offline"]

TENANTS = ("acme", "globex", "rival")


class Served:
    """A memory whose scopes are faces of a server. What else a test does with it, or with a team, it does here."""

    def __init__(self, memory: AsyncMemory, remotes: dict[str, AsyncRemoteMemory]) -> None:
        self._memory, self._remotes = memory, remotes

    def scope(self, **place: Any) -> AsyncScoped:
        there = None if "team" in place else self._remotes.get(place["tenant"])
        return (there or self._memory).scope(**place)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)


#: What is otherwise over HTTP, by the end of a test's name.
OTHERWISE = {
    "a_provider_with_a_bug_says_so": "a function cannot be sent",
    "a_provider_that_is_not_async_is_told_so": "a function cannot be sent",
    "a_providers_own_error_is_told_as_it_is": "a function cannot be sent",
    "a_providers_trouble_degrades_the_context_alone": "a function cannot be sent",
    "a_provider_with_a_bug_ends_the_others": "a function cannot be sent",
    "what_no_database_can_keep_is_refused": "JSON has arrays alone, and names that are texts",
    "what_cannot_be_a_goal_is_refused": "half a character is no JSON",
    "query_syntax_is_text": "half a character is no JSON",
    "what_a_scope_does_not_see_is_not_there": "a user's export holds the answers of calls in every channel",
    "values_end_when_they_are_told_to": "5 is told as 5.0",
    "no_question_is_refused": "an argument of another type is refused before the question is read",
    "every_kind_can_be_asked_for_and_no_other_is_made": "it runs a flow on the runtime of a face",
    "what_is_shared_is_found_where_it_bears_on_it": "it reads the runtime of a face",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is otherwise, and what looks behind the verbs: into the store, or the runtime."""
    for item in items:
        if isinstance(item, pytest.Function) and Path(__file__).parent in item.path.parents:
            code = item.function.__code__
            names = {*code.co_varnames, *code.co_names}
            why = OTHERWISE.get(item.originalname.removeprefix("test_"))
            if why or names & {"store", "_runtime", "Settings"}:
                item.add_marker(pytest.mark.skip(reason=why or "it looks behind the verbs"))


@pytest.fixture
async def store() -> Store:
    return DictStore()


@pytest.fixture
async def memory(store: Store, clock: FrozenClock) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds()) as memory:
        carried, remotes = httpx2.ASGITransport(app=Api(memory, Limits(rate=0, tenant_rate=0))), {}
        for tenant in TENANTS:
            key = (await memory.keys.create(tenant=tenant, rights=RIGHTS)).secret
            remotes[tenant] = AsyncRemoteMemory("http://memoranda", key, transport=carried, ids=SequentialIds())
        yield cast("AsyncMemory", Served(memory, remotes))
        for one in remotes.values():
            await one.close()


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a caller is answered equals what the verb answered on the server, and is of the same types."""
    answered: dict[str, Any] = {}

    def told(value: Any) -> Any:
        found = plain(value)
        answered[json.dumps(found)] = value
        return found

    def read(verb: Verb[..., Any], data: Any) -> Any:
        found = decode_answer(verb, data)
        if json.dumps(data) in answered:
            assert found == answered[json.dumps(data)], verb.name
            assert type(found) is type(answered[json.dumps(data)]), verb.name
        return found

    monkeypatch.setattr("memoranda.doors.wire.calls.plain", told)
    monkeypatch.setattr("memoranda.doors.client.line.decode_answer", read)


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")
