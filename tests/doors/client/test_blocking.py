"""The blocking colour, with a real server."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from doors.http.conftest import offline
from doors.http.test_fuzzed import served
from memoranda.client import RemoteMemory
from memoranda.errors import AccessError, MissingExtraError, NotFoundError, StoreUnavailableError

__all__ = ["offline"]


def test_it_is_used_without_await(tmp_path: Path) -> None:
    with served(tmp_path) as (url, key):
        with RemoteMemory(url, key=key) as memory:
            alice = memory.scope(user="alice")
            assert len(alice.add([{"role": "user", "content": "I work at Globex."}], conversation="c1").events) == 1
            assert "Globex" in alice.recall("Where do I work?").items[0].text
            goal = alice.goals.add("Ship 1.0")
            assert alice.goals.find() == (goal,)
            alice.working("c1").set("draft", {"to": "Bob"})
            assert alice.working("c1").get("draft") == {"to": "Bob"}
            assert [*alice.export()][-1]["sha256"]
            assert next(alice.export())["user"] == "alice"
            with pytest.raises(NotFoundError):
                alice.goals.get("none")
            with ThreadPoolExecutor(8) as pool:
                said = pool.map(lambda number: alice.entries.set(f"k{number}", number).value, range(40))
                assert [*said] == [*range(40)]
            assert len(alice.entries.find()) == 40
        with pytest.raises(StoreUnavailableError, match="closed"):
            alice.recall("x")
        memory.close()
    with RemoteMemory(url, key, attempts=1) as memory, pytest.raises(StoreUnavailableError, match="does not answer"):
        memory.scope(user="alice").recall("x")


def test_a_key_that_is_none_leaves_no_thread() -> None:
    with pytest.raises(AccessError):
        RemoteMemory("http://127.0.0.1:1", "none")


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import memoranda.client as module

    for name in ("memoranda.doors.client.remote", "memoranda.doors.client.line"):
        monkeypatch.delitem(__import__("sys").modules, name, raising=False)
    monkeypatch.setitem(__import__("sys").modules, "httpx2", None)
    monkeypatch.delitem(vars(module), "AsyncRemoteMemory", raising=False)
    with pytest.raises(MissingExtraError, match=r"\.\[client\]"):
        _ = module.AsyncRemoteMemory
    with pytest.raises(AttributeError, match="has no attribute 'Remote'"):
        _ = module.Remote
    assert dir(module) == ["AsyncRemoteMemory", "RemoteMemory"]
