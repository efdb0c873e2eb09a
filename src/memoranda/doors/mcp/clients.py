"""Setting up a client: the entry of this server in the client's own configuration, all else in which stays."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from memoranda.doors.cli.files import write_whole
from memoranda.errors import InputError

NAME = "memoranda"
#: Finds a folder: the one that an environment variable names, else this one in the home directory.
Folder = Callable[[str, str], Path]
_INDENT = re.compile(r'^\{\r?\n([ \t]+)"')


@dataclass(frozen=True, kw_only=True)
class Client:
    """A client.

    Attributes:
        title: what it is called.
        file: its configuration, below a folder.
        folders: by platform (`sys.platform`; empty: any other) an environment variable and a folder in the home
            directory.
        key: where the servers stand in it.
        more: what its entries have beside the command.
    """

    title: str
    file: str
    folders: Mapping[str, tuple[str, str]]
    key: str = "mcpServers"
    more: tuple[tuple[str, Any], ...] = ()

    def path(self, platform: str, folder: Folder) -> Path:
        """Return where its configuration is."""
        return folder(*self.folders.get(platform, self.folders[""])) / self.file

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """Return the entry of a server that is started by a command."""
        return {**dict(self.more), "command": command[0], "args": [*command[1:]]}


#: The clients that can be set up, by the name that the command line has for them.
CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        title="Claude Desktop",
        file="claude_desktop_config.json",
        folders={
            "darwin": ("", "Library/Application Support/Claude"),
            "win32": ("", "AppData/Roaming/Claude"),
            "": ("", ".config/Claude"),
        },
    ),
    "claude-code": Client(
        title="Claude Code", file=".claude.json", folders={"": ("CLAUDE_CONFIG_DIR", "")}, more=(("type", "stdio"),)
    ),
    "cursor": Client(title="Cursor", file="mcp.json", folders={"": ("", ".cursor")}),
    "codex": Client(title="Codex", file="config.toml", folders={"": ("CODEX_HOME", ".codex")}, key="mcp_servers"),
}


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of a configuration, not yet made.

    Attributes:
        before, after: the whole text; what is not there yet is empty.
    """

    path: Path
    before: str
    after: str

    @property
    def shown(self) -> str:
        """The change as a diff, without the lines around it: these may hold secrets of other servers."""
        lines = unified_diff(self.before.splitlines(), self.after.splitlines(), n=0, lineterm="")
        return "\n".join([str(self.path), *[*lines][2:]])

    def make(self) -> None:
        """Write the file, whole or not at all.

        Raises:
            InputError: it cannot be written, or somebody else wrote it since.
        """
        if _text(self.path) != self.before:
            raise InputError(f"{self.path} was changed by somebody else just now. Try again.")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path.parent} cannot be made: {error.strerror or error}.") from error
        write_whole(self.path, [self.after])


def change(client: str, command: Sequence[str], platform: str, folder: Folder) -> Change:
    """Return the change that sets up a client; one that changes nothing if it is set up so already.

    Args:
        client: the name of the client in `CLIENTS`.
        command: what starts this server.
        platform: `sys.platform`.
        folder: finds folders.

    Raises:
        InputError: there is no such client, or its configuration cannot be read.
    """
    if client not in CLIENTS:
        raise InputError(f"{client[:80]!r} is no client that can be set up; there are {', '.join(CLIENTS)}.")
    one = CLIENTS[client]
    path = one.path(platform, folder)
    before, entry = _text(path), one.entry(command)
    try:
        after = (_toml if path.suffix == ".toml" else _json)(before, one.key, entry)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} cannot be read ({error}). Mend it, or add this server by hand: {json.dumps(entry)}"
        ) from error
    return Change(path=path, before=before, after=after)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def _json(before: str, key: str, entry: dict[str, Any]) -> str:
    told = json.loads(before) if before.strip() else {}
    servers = told.setdefault(key, {}) if isinstance(told, dict) else None
    if not isinstance(servers, dict):
        raise ValueError(f"{key} is no object")  # noqa: TRY004 - what is wrong is the text
    if servers.get(NAME) == entry:
        return before
    servers[NAME] = entry
    indent = _INDENT.match(before)
    return json.dumps(told, ensure_ascii=False, indent=indent[1] if indent else 2) + "\n"


def _toml(before: str, key: str, entry: dict[str, Any]) -> str:
    """Put the table in place of the one that is there, else at the end: the rest of the text is not touched."""
    told = tomllib.loads(before)
    servers = told.get(key, {})
    if not isinstance(servers, dict):
        raise ValueError(f"{key} is no table")  # noqa: TRY004 - what is wrong is the text
    if servers.get(NAME) == entry:
        return before
    own = f"[{key}.{NAME}]\n" + "".join(
        f"{name} = {json.dumps(one, ensure_ascii=False)}\n" for name, one in entry.items()
    )
    rest = _without(before, (f"[{key}.{NAME}]", f"[{key}.{NAME}.")).rstrip()
    after = f"{rest}\n\n{own}" if rest else own
    wanted = {**told, key: {**servers, NAME: entry}}
    if tomllib.loads(after) != wanted:
        raise ValueError(f"{key}.{NAME} is not written as a table of its own")
    return after


def _without(text: str, headings: tuple[str, ...]) -> str:
    """Return TOML without the tables whose headings begin so."""
    kept, within = [], False
    for line in text.splitlines(keepends=True):
        within = line.startswith(headings) if line.startswith("[") else within
        kept += [] if within else [line]
    return "".join(kept)
