"""A real server, and requests of every kind made from its description: none breaks it, none is undescribed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from time import monotonic

import httpx2
import pytest

from memoranda.doors.http.openapi import document

SECONDS = 60  # until which a server must have started, and ended


@contextmanager
def served(home: Path, *options: str) -> Iterator[tuple[str, str]]:
    """Start `memoranda serve`; yield its address and the key that it printed."""
    told = {**os.environ, "HOME": str(home), "MEMORANDA_EMBEDDER": "none", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "memoranda", "serve", "--port", "0", *options]
    with Popen(command, cwd=home, env=told, stderr=subprocess.PIPE, text=True) as server:
        try:
            lines, until = "", monotonic() + SECONDS
            while "http://" not in lines and server.poll() is None and monotonic() < until:
                assert server.stderr is not None
                lines += server.stderr.readline()
            key = re.search(r"mra_\S+", lines)
            yield (re.findall(r"http://[\d.:]+", lines) or [lines])[0], key[0] if key else ""
        finally:
            server.terminate()
            assert server.wait(SECONDS) == 0


def test_a_server_makes_a_key_once_and_keeps_what_it_was_told(tmp_path: Path) -> None:
    said = {"messages": [{"role": "user", "content": "I work at Globex."}], "conversation": "c1"}
    with served(tmp_path) as (url, key):
        headers = {"Authorization": f"Bearer {key}"}
        assert httpx2.post(f"{url}/v1/users/alice/messages", json=said, headers=headers).status_code == 200
    with served(tmp_path) as (url, no_key):
        assert no_key == ""
        found = httpx2.post(f"{url}/v1/users/alice/recall", json={"query": "Where do I work?"}, headers=headers)
        assert "Globex" in found.json()["items"][0]["text"]
        assert httpx2.get(f"{url}/v1/users/alice/goals").status_code == 401


def test_nobody_listens_beyond_this_machine_without_a_key(tmp_path: Path) -> None:
    told = {**os.environ, "HOME": str(tmp_path), "MEMORANDA_EMBEDDER": "none"}
    command = [sys.executable, "-m", "memoranda", "serve", "--host", "0.0.0.0", "--port", "0"]  # noqa: S104
    ended = subprocess.run(
        command, cwd=tmp_path, env=told, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert ended.returncode == 1
    assert "has no valid key yet" in ended.stderr
    assert "mra_" not in ended.stderr


#: What a description cannot say: that a name for a request is used once, that a version is not told twice, that all of
#: a memory is not also a part of it, and which parts an answer has. Each has tests of its own in `test_app`.
UNSAYABLE = {"Idempotency-Key", "If-Match", "scope.whole", "fields"}


# Not checked: that all that the schemas allow is taken. What depends on two arguments at once, such as a part of
# working memory and its value, is refused for a reason that no schema says.
@pytest.mark.slow
def test_requests_made_from_the_description_find_no_fault(tmp_path: Path) -> None:
    described = document()
    for operation in (one for item in described["paths"].values() for one in item.values()):
        kept = [one for one in operation["parameters"] if one.get("$ref", "").rpartition("/")[2] not in UNSAYABLE]
        operation["parameters"] = kept
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        body.get("properties", {}).pop("techniques", None)  # some need a model that this server has not: 501
    (tmp_path / "described.json").write_text(json.dumps(described), "utf-8")
    unlimited = [
        part for name in ("rate", "tenant_rate", "operations", "wrong_keys") for part in ("--limit", f"{name}=0")
    ]
    with served(tmp_path, "--db", ":memory:", "--embedder", "hashed", *unlimited) as (url, key):
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "run", "described.json", "--url", url,
            "--checks", "all", "--exclude-checks", "positive_data_acceptance",
            "--header", f"Authorization: Bearer {key}", "--seed", "1",
            "--phases", "coverage,fuzzing", "--max-time", "90",
            "--continue-on-failure", "--warnings", "off", "--no-color",
        ]  # fmt: skip
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-5_000:] + run.stderr[-2_000:]
    made = re.search(r"([\d,]+) generated", run.stdout)
    assert made, run.stdout[-2_000:]
    assert int(made[1].replace(",", "")) >= 1_000
