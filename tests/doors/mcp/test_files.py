"""Files: the same words as the tool that the models were taught, and no change is lost."""

import re
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from mcp_types import TextContent

from doors.mcp.conftest import Talk
from memoranda import AsyncMemory
from memoranda.doors.mcp import files as module
from memoranda.doors.mcp.files import Files, run
from memoranda.errors import ArgumentError, InputError

A, B, DEEP = "/memories/a.txt", "/memories/b.md", "/memories/x/y/z.txt"


def c(command: str, path: str = "", **more: Any) -> dict[str, Any]:
    return {"command": command, **({"path": path} if path else {}), **more}


CALLS = [
    c("view", "/memories"),
    c("view", A),
    c("create", A, file_text="one\ntwo\nthree\ntwo\n"),
    c("create", A, file_text="again"),
    c("view", A),
    c("view", A, view_range=[2, 3]),
    c("view", A, view_range=[3, -1]),
    c("view", A, view_range=[0, 99]),
    c("str_replace", A, old_str="two", new_str="2"),
    c("str_replace", A, old_str="four", new_str="4"),
    c("str_replace", A, old_str="three", new_str="3\n3b"),
    c("str_replace", B, old_str="x", new_str="y"),
    c("insert", A, insert_line=0, insert_text="zero\n"),
    c("insert", A, insert_line=6, insert_text="six"),
    c("insert", A, insert_line=99, insert_text="x"),
    c("insert", A, insert_line=-1, insert_text="x"),
    c("insert", B, insert_line=0, insert_text="x"),
    c("view", A),
    c("create", B, file_text=""),
    c("insert", B, insert_line=0, insert_text="first"),
    c("view", B),
    c("create", DEEP, file_text="deep é\r\nline"),
    c("create", "/memories/x/w.txt", file_text="w" * 2_000),
    c("create", "/memories/.hidden", file_text="h"),
    c("view", "/memories"),
    c("view", "/memories/x"),
    c("view", DEEP),
    c("str_replace", "/memories/x", old_str="a", new_str="b"),
    c("insert", "/memories/x", insert_line=0, insert_text="b"),
    c("rename", old_path=A, new_path=B),
    c("rename", old_path="/memories/none", new_path="/memories/other"),
    c("rename", old_path="/memories", new_path="/memories/other"),
    c("rename", old_path=A, new_path="/memories/x/a.txt"),
    c("rename", old_path="/memories/x", new_path="/memories/v"),
    c("view", "/memories"),
    c("view", A),
    c("delete", A),
    c("delete", "/memories"),
    c("delete", B),
    c("delete", "/memories/v"),
    c("view", "/memories"),
    c("view", "/elsewhere/a.txt"),
    c("create", "relative.txt", file_text="x"),
    c("view", "/memories/../secret"),
    c("delete", "/memories/a/../../secret"),
]


def sizeless(text: str) -> str:
    """A text without the sizes of folders, which a disk has in its own way."""
    return re.sub(r"^\S+(\t/memories(?:[^\n]*/|/[xv]|)$)", r"?\1", text, flags=re.MULTILINE)


def test_every_answer_is_that_of_the_tool_the_models_know(tmp_path: Path) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path))
    files: Files = {}
    for call in CALLS:
        try:
            wanted = str(theirs.call(call))
        except ToolError as error:
            wanted = str(error)
        try:
            changed, told = run(files, call)
            files = files if changed is None else changed
        except InputError as error:
            told = str(error)
        assert sizeless(told) == sizeless(wanted), call
    assert files == {".hidden": "h"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "/command is 'None'; give view or create"),
        (c("format", "/memories"), "/command is 'format'"),
        (c("view"), "/path of view is missing"),
        (c("view", A, view_range="1-2"), "/view_range of view"),
        (c("view", A, file_text="x"), "/file_text is unknown; view takes path, view_range."),
        (c("insert", A, insert_line=True, insert_text="x"), "/insert_line of insert"),
        (c("create", A), "/file_text of create is missing"),
    ],
)
def test_a_call_that_is_none_is_told(said: dict[str, Any], told: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(told)):
        run({}, said)


@pytest.mark.parametrize(
    "said",
    [
        c("create", f"{A}/b.txt", file_text="x"),
        c("rename", old_path=B, new_path=f"{A}/b.txt"),
        c("rename", old_path="/memories/x", new_path="/memories/x/y/x"),
        c("create", "/memories/x", file_text="x"),
        c("create", "/memories", file_text="x"),
        c("view", "/memoriesx"),
        c("str_replace", A, old_str="", new_str="x"),
    ],
)
def test_what_no_disk_would_do_is_refused(said: dict[str, Any]) -> None:
    files = {"a.txt": "a", "b.md": "b", "x/y/z.txt": "z"}
    with pytest.raises(InputError):
        run(files, said)


@pytest.mark.anyio
async def test_files_are_kept_apart_and_every_version_stays(talk: Talk, memory: AsyncMemory) -> None:
    async def say(whose: dict[str, Any], **said: Any) -> str:
        async with talk.client(tools="files", **whose) as client:
            [content] = (await client.call_tool("memory", said)).content
            assert isinstance(content, TextContent)
            return content.text

    alice: dict[str, Any] = {}
    assert await say(alice, **c("create", A, file_text="one")) == f"File created successfully at: {A}"
    assert "edited" in await say(alice, **c("str_replace", A, old_str="one", new_str="two"))
    assert "two" in await say(alice, **c("view", A))
    for other in ({"user": "bob"}, {"agent": "cook"}, {"tenant": "other"}):
        assert "does not exist" in await say(other, **c("view", A))
        await say(other, **c("create", A, file_text="theirs"))
    assert "two" in await say(alice, **c("view", A))
    scope = memory.scope(tenant="acme", user="alice")
    [pool] = [one for one in await scope.pools.find() if one.agent is None]
    assert await scope.pools.read(pool.id, version=1) == {"files": {"a.txt": "one"}}


@pytest.mark.anyio
async def test_a_change_at_the_same_time_is_kept(
    talk: Talk, memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = memory.scope(tenant="acme", user="alice")
    async with talk.client(tools="files") as client:
        await client.call_tool("memory", c("create", A, file_text="a"))
        [pool] = await scope.pools.find()
        times = [1]

        written = module._written

        async def late(*given: Any) -> None:
            if times:
                times.pop()
                await scope.pools.write(pool.id, None, {"files": {"a.txt": "a", "b.md": "b"}})
            await written(*given)

        monkeypatch.setattr(module, "_written", late)
        await client.call_tool("memory", c("create", DEEP, file_text="z"))
    found = await scope.pools.read(pool.id)
    assert found == {"files": {"a.txt": "a", "b.md": "b", "x/y/z.txt": "z"}}
