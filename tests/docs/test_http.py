"""The page on HTTP: its requests are answered by a server, as it says."""

import shlex
from pathlib import Path

import httpx2
import pytest

from docs.shown import blocks, printed
from doors.http.test_fuzzed import served

SHOWN = "http://127.0.0.1:8765"


def curled(page: str) -> list[list[str]]:
    """Return the calls of `curl` in a page, in order."""
    lines = (line for block in blocks(page, "sh") for line in block.replace("\\\n", " ").splitlines())
    return [shlex.split(line) for line in lines if line.startswith("curl ")]


def sent(command: list[str], url: str, key: str) -> httpx2.Response:
    """Send what a call of `curl` would; of its options those that the pages use."""
    [_, *rest] = [part.replace(SHOWN, url).replace("$KEY", key) for part in command]
    address, method, headers, body = "", "", {}, None
    while rest:
        match rest.pop(0):
            case "-X":
                method = rest.pop(0)
            case "-H":
                name, _, value = rest.pop(0).partition(": ")
                headers[name] = value
            case "-d":
                body = rest.pop(0)
            case other:
                address = other
    return httpx2.request(method or ("POST" if body else "GET"), address, headers=headers, content=body)


@pytest.mark.parametrize(("page", "least"), [("docs/HTTP.md", 6), ("README.md", 2)])
def test_the_requests_in_a_page_are_answered(page: str, least: int, tmp_path: Path) -> None:
    found = curled(page)
    assert len(found) >= least
    with served(tmp_path) as (url, key):
        for command in found:
            answer = sent(command, url, key)
            assert answer.status_code == 200, f"{' '.join(command)}: {answer.text}"


def test_what_is_said_comes_back(tmp_path: Path) -> None:
    said, context, recalled, *_ = curled("docs/HTTP.md")
    with served(tmp_path) as (url, key):
        assert sent(said, url, key).json()["decisions"][0]["outcome"] == "added"
        assert "Globex" in sent(context, url, key).json()["stable_prefix"]
        assert "Globex" in sent(recalled, url, key).json()["items"][0]["text"]


def test_the_program_in_the_page_prints_what_it_says(tmp_path: Path) -> None:
    [code] = blocks("docs/HTTP.md", "python")
    with served(tmp_path) as (url, key):
        assert printed(code.replace(SHOWN, url).replace("mra_…", key), tmp_path) in blocks("docs/HTTP.md", "text")
