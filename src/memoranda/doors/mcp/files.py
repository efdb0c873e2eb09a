"""The memory as files below /memories: the tool `memory` that Claude models were taught, with its exact words.

What it says was read off `BetaLocalFilesystemMemoryTool` of the package anthropic; models rely on it. All files are one
pool of the user (or of the agent, if there is one), so that each change is a version of it, none is lost to a change at
the same time, and `pools.history` shows them all. A folder is there as long as a file lies in it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from memoranda.doors.mcp.offers import Offer, Seat, Shown
from memoranda.errors import ArgumentError, InputError, VersionError
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import Schema

_POOL, _FILES, _ROOT = "memories", "files", "/memories"
_WIDTH, _MOST_LINES, _TRIES = 6, 999_999, 5
#: Files by their path below the root, and what a command makes of them.
Files = Mapping[str, str]
Done = tuple[dict[str, str] | None, str]


def _view(files: Files, path: str, view_range: list[int] | None = None) -> Done:
    own = _below(path)
    if own not in files:
        return None, _listed(files, path, own)
    lines = files[own].split("\n")
    if len(lines) > _MOST_LINES:
        raise InputError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = 1, len(lines)
    if view_range and len(view_range) == 2:
        first, last = max(1, view_range[0]), len(lines) if view_range[1] == -1 else view_range[1]
    return None, f"Here's the content of {path} with line numbers:\n{_numbered(lines, first, last)}"


def _create(files: Files, path: str, file_text: str) -> Done:
    own = _below(path)
    if own in files or not own or _within(files, own):
        raise InputError(f"File {path} already exists")
    _check_place(files, own)
    return {**files, own: file_text}, f"File created successfully at: {path}"


def _str_replace(files: Files, path: str, old_str: str, new_str: str = "") -> Done:
    own = _file(files, path)
    text = files[own]
    places = [number for number in range(len(text)) if text.startswith(old_str, number)] if old_str else []
    if not places:
        raise InputError(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
    if text.count(old_str) > 1:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
        raise InputError(
            f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    changed, line = text.replace(old_str, new_str), text.count("\n", 0, places[0]) + 1
    lines_ = changed.split("\n")
    snippet = _numbered(lines_, max(1, line - 2), min(len(lines_), line + 2))
    told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
    return {**files, own: changed}, f"{told}\n{snippet}"


def _insert(files: Files, path: str, insert_line: int, insert_text: str) -> Done:
    own = _file(files, path)
    lines = files[own].removesuffix("\n").split("\n") if files[own] else []
    if not 0 <= insert_line <= len(lines):
        raise InputError(
            f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(insert_line, insert_text.rstrip("\n"))
    return {**files, own: "\n".join(lines).removesuffix("\n") + "\n"}, f"The file {path} has been edited."


def _delete(files: Files, path: str) -> Done:
    own = _below(path)
    if not own:
        raise InputError("Cannot delete the /memories directory itself")
    gone = {own} if own in files else _within(files, own)
    if not gone:
        raise InputError(f"The path {path} does not exist")
    return {name: text for name, text in files.items() if name not in gone}, f"Successfully deleted {path}"


def _rename(files: Files, old_path: str, new_path: str) -> Done:
    old, new = _below(old_path), _below(new_path)
    if not old:
        raise InputError("Cannot rename the /memories directory itself")
    if new in files or not new or _within(files, new):
        raise InputError(f"The destination {new_path} already exists")
    moved = {old} if old in files else _within(files, old)
    if not moved:
        raise InputError(f"The path {old_path} does not exist")
    _check_place({name: "" for name in files if name not in moved}, new)
    if new.startswith(f"{old}/"):
        raise InputError(f"The destination {new_path} lies within {old_path}")
    found = {new + name.removeprefix(old) if name in moved else name: text for name, text in files.items()}
    return found, f"Successfully renamed {old_path} to {new_path}"


_COMMANDS: Mapping[str, Callable[..., Done]] = {
    "view": _view, "create": _create, "str_replace": _str_replace, "insert": _insert, "delete": _delete,
    "rename": _rename,
}  # fmt: skip
_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
#: What each command takes: the schema, and whether it is needed.
_TAKES: Mapping[str, Mapping[str, tuple[Schema, bool]]] = {
    "view": {"path": (_TEXT, True), "view_range": ({"type": "array", "items": _WHOLE}, False)},
    "create": {"path": (_TEXT, True), "file_text": (_TEXT, True)},
    "str_replace": {"path": (_TEXT, True), "old_str": (_TEXT, True), "new_str": (_TEXT, False)},
    "insert": {"path": (_TEXT, True), "insert_line": (_WHOLE, True), "insert_text": (_TEXT, True)},
    "delete": {"path": (_TEXT, True)},
    "rename": {"old_path": (_TEXT, True), "new_path": (_TEXT, True)},
}
_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "array": lambda value: isinstance(value, list) and all(type(one) is int for one in value),
}


def run(files: Files, said: Mapping[str, Any]) -> Done:
    """Carry out a command.

    Args:
        files: what is there.
        said: the arguments of the tool.

    Returns:
        The files after it, or None if it changes none; and what is told to the model.

    Raises:
        InputError: it cannot be carried out; the message is what models expect to be told.
    """
    command = str(said.get("command"))
    if command not in _TAKES:
        raise ArgumentError(f"/command is {command[:40]!r}; give {' or '.join(_TAKES)}.", "/command")
    takes = _TAKES[command]
    given = {name: one for name, one in said.items() if name != "command" and one is not None}
    for name in given.keys() | {name for name, (_, needed) in takes.items() if needed}:
        if name not in takes:
            raise ArgumentError(f"/{name} is unknown; {command} takes {', '.join(takes)}.", f"/{name}")
        wanted = takes[name][0]["type"]
        if name not in given or not _KINDS[wanted](given[name]):
            raise ArgumentError(f"/{name} of {command} is missing or of another type; give {wanted}.", f"/{name}")
    return _COMMANDS[command](files, **given)


async def _called(seat: Seat, said: dict[str, Any]) -> Shown:
    """Carry out a command on the files that are there, again if somebody else changed them meanwhile."""
    for left in reversed(range(_TRIES)):
        pool = await _pool(seat)
        files, text = run(pool["data"].get(_FILES, {}) if pool else {}, said)
        if files is None:
            break
        try:
            await _written(seat, pool, files)
            break
        except VersionError:
            if not left:
                raise
    return None, text


async def _pool(seat: Seat) -> dict[str, Any] | None:
    found = await seat.answer(VERBS["pools.find"], {})
    own = (seat.caller.user, seat.caller.agent)
    return next((one for one in found if one["name"] == _POOL and (one["holder"], one["agent"]) == own), None)


async def _written(seat: Seat, pool: Mapping[str, Any] | None, files: Files) -> None:
    data = {_FILES: files}
    if pool is None:
        await seat.answer(VERBS["pools.create"], {"name": _POOL, "data": data})
    else:
        given = {"pool": pool["id"], "path": None, "value": data, "expect": pool["version"]}
        await seat.answer(VERBS["pools.write"], given)


MEMORY = Offer(
    name="memory",
    description="Files that you keep between conversations, below /memories. Look there before you begin.",
    schema={
        "type": "object",
        "properties": {
            "command": {"type": "string", "enum": [*_TAKES]},
            **{name: schema for takes in _TAKES.values() for name, (schema, _) in takes.items()},
        },
        "required": ["command"],
        "additionalProperties": False,
    },
    answer=None, effect="writes", repeats=True, right="write", call=_called,
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ paths


def _below(path: str) -> str:
    """The path below the root, without a slash at either end."""
    if path != _ROOT and not path.startswith(f"{_ROOT}/"):
        raise InputError(f"Path must start with /memories, got: {path}")
    parts = [part for part in path.removeprefix(_ROOT).split("/") if part not in {"", "."}]
    if ".." in parts:
        raise InputError(f"Path {path} would escape /memories directory")
    return "/".join(parts)


def _within(files: Files, folder: str) -> set[str]:
    return {name for name in files if name.startswith(f"{folder}/")}


def _file(files: Files, path: str) -> str:
    own = _below(path)
    if own in files:
        return own
    if not own or _within(files, own):
        raise InputError(f"The path {path} is not a file.")
    raise InputError(f"The path {path} does not exist. Please provide a valid path.")


def _check_place(files: Files, name: str) -> None:
    """Refuse a name below one that is a file."""
    parts = name.split("/")
    for number in range(1, len(parts)):
        above = "/".join(parts[:number])
        if above in files:
            raise InputError(f"{_ROOT}/{above} is a file, not a directory")


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{first + n:>{_WIDTH}}\t{line}" for n, line in enumerate(lines[first - 1 : last]))


def _listed(files: Files, path: str, folder: str) -> str:
    """The names up to two levels below a folder, each with its size."""
    start = f"{folder}/" if folder else ""
    inside = {name.removeprefix(start): len(text.encode()) for name, text in files.items() if name.startswith(start)}
    if not inside and folder:
        raise InputError(f"The path {path} does not exist. Please provide a valid path.")
    sizes: dict[tuple[str, ...], int] = {}
    for name, size in inside.items():
        parts = name.split("/")
        if not any(part.startswith(".") for part in parts[:2]):
            for depth in range(1, min(len(parts), 2) + 1):
                key = (*parts[:depth], *([""] if depth < len(parts) else []))
                sizes[key] = sizes.get(key, 0) + size
    ordered = sorted(sizes, key=lambda key: [part for part in key if part])
    lines = [
        f"{_size(sum(inside.values()))}\t{path}",
        *(f"{_size(sizes[key])}\t{path}/{'/'.join(key)}" for key in ordered),
    ]
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, *lines])


def _size(count: int) -> str:
    unit = min(max(count.bit_length() - 1, 0) // 10, 3)
    size = count / 1024**unit
    return f"{size:.0f}{'BKMG'[unit]}" if size == int(size) else f"{size:.1f}{'BKMG'[unit]}"
