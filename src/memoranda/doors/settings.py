"""Reads the settings of the doors: from arguments, else the environment, else ./memoranda.toml, else the defaults.

This is the only file that reads the environment.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from memoranda.core.base.prices import Price
from memoranda.core.base.scope import GLOBAL
from memoranda.errors import SetupError
from memoranda.flows.runtime.runtime import Settings
from memoranda.models import open_embedder, open_language_model
from memoranda.observers import open_observer
from memoranda.ports import Embedder, Models, Task

FILE = Path("memoranda.toml")
PREFIX = "MEMORANDA_"
_EVERYBODYS = {
    name: name.upper() for name in ("anthropic_api_key", "anthropic_base_url", "openai_api_key", "openai_base_url")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorSettings:
    """The settings of a door. In the environment each name is in upper case with the prefix `MEMORANDA_`.

    API keys and base URLs are also read without the prefix, e.g. `OPENAI_API_KEY`.

    Attributes:
        db: a file path or a postgresql:// URL.
        tenant, user, agent, channel: the default scope.
        embedder, next_embedder, currency: as in `Memory.open`.
        language_model, reranker: models by name, for whatever needs one, such as some recall techniques.
        extraction_model, narrative_model, review_model: the language models of these tasks, if not `language_model`.
        observer: what watches the verbs: prometheus (see `memoranda serve --metrics`), otel, or none.
        prices: the prices of models per million tokens read and written, as JSON: {"openai/gpt-4.1-mini": [0.4, 1.6]};
            in the file, a table.
        limits: what doors to other processes allow, as JSON with names of `doors.wire.limits.Limits`: {"rate": 600}; in
            the file, a table.
        anthropic_api_key, anthropic_base_url: for a model named `anthropic:MODEL`.
        openai_api_key, openai_base_url: for a model named `openai:MODEL`; openai_dimension: for such an embedder.
    """

    db: str = "memory.db"
    tenant: str = "local"
    user: str = "me"
    agent: str | None = None
    channel: str = GLOBAL
    embedder: str = "auto"
    next_embedder: str = "none"
    language_model: str = "none"
    extraction_model: str | None = None
    narrative_model: str | None = None
    review_model: str | None = None
    reranker: str = "none"
    currency: str = "auto"
    observer: str = "none"
    prices: str = "{}"
    limits: str = "{}"
    anthropic_api_key: str | None = None
    anthropic_base_url: str | None = None
    openai_api_key: str | None = None
    openai_base_url: str | None = None
    openai_dimension: str | None = None

    def model(self, name: str | None = None) -> str | Embedder:
        """Return the embedder of this name, by default the one in use, for `Memory.open`.

        Raises:
            SetupError: it is an OpenAI model and no key is given, or its dimension is unknown or no number.
        """
        spec = name or self.embedder
        if not spec.startswith("openai:"):
            return spec
        dimension = self.openai_dimension
        if dimension is not None and not dimension.isdecimal():
            raise SetupError(f"openai_dimension is {dimension!r}; it is the number of numbers in a vector, e.g. 1536.")
        options = {**self._server("openai"), **({"dimension": int(dimension)} if dimension else {})}
        return open_embedder(spec, **options) or "none"

    def opening(self) -> dict[str, Any]:
        """Return the arguments of `Memory.open` beside the address.

        Raises:
            SetupError: something in the settings is wrong, or missing.
        """
        return {
            "embedder": self.model(), "next_embedder": self.model(self.next_embedder),
            "language_model": self.writers(), "reranker": self.reranker, "currency": self.currency,
            "settings": self.settings(),
        }  # fmt: skip

    def settings(self) -> Settings:
        """Return the settings for `Memory.open`.

        Raises:
            SetupError: the prices are malformed.
        """
        try:
            prices = {
                name: Price(read=read, written=written) for name, (read, written) in json.loads(self.prices).items()
            }
        except (ValueError, TypeError, AttributeError) as error:
            raise SetupError(
                f"prices is {self.prices!r} ({error}); give models with two amounts: "
                '{"openai/gpt-4.1-mini": [0.4, 1.6]}.'
            ) from error
        return Settings(prices=prices, observer=open_observer(self.observer))

    def writers(self) -> dict[Task, Models]:
        """Return the language models by task for `Memory.open`; one that several tasks name is opened once.

        Several models of one task are separated by commas.

        Raises:
            SetupError: there is no such model, or no key is given.
        """
        named: dict[Task, str | None] = {
            "default": self.language_model,
            "extraction": self.extraction_model,
            "narrative": self.narrative_model,
            "review": self.review_model,
        }
        specs = {task: [one.strip() for one in spec.split(",")] for task, spec in named.items() if spec is not None}
        opened = {
            spec: open_language_model(spec, **self._server(spec.partition(":")[0]))
            for spec in {one for several in specs.values() for one in several}
        }
        found: dict[Task, Models] = {}
        for task, several in specs.items():
            first, *more = (opened[one] for one in several)
            found[task] = [one for one in (first, *more) if one] if more else first
        return found

    def _server(self, provider: str) -> dict[str, Any]:
        options = {name: getattr(self, f"{provider}_{name}", None) for name in ("api_key", "base_url")}
        return {name: value for name, value in options.items() if value is not None}


def read_settings(given: Mapping[str, str | None], file: Path = FILE) -> DoorSettings:
    """Return the settings for the arguments `given`; None means that an argument was not given.

    An empty argument is kept, so that an unset shell variable does not silently select the default.

    Raises:
        SetupError: the file is not TOML or cannot be read, or holds an unknown key.
    """
    names = [item.name for item in fields(DoorSettings)]
    filed = _file(file, names)
    found = {}
    for name in names:
        environment = os.environ.get(PREFIX + name.upper()) or os.environ.get(_EVERYBODYS.get(name, ""))
        value = given.get(name)
        value = value if value is not None else environment or filed.get(name)
        if value is not None:
            found[name] = value
    return DoorSettings(**found)


def folder(variable: str, usual: str) -> Path:
    """Return the folder that an environment variable names, if it is set; else this one in the home directory."""
    told = os.environ.get(variable) if variable else None
    return Path(told) if told else Path.home() / usual


def _file(path: Path, names: list[str]) -> dict[str, str]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{path} cannot be read: {error}. Correct it or take it away.") from error
    unknown = sorted(values.keys() - set(names))
    if unknown:
        raise SetupError(f"{path} has no such setting as {', '.join(unknown)}; it can set {', '.join(names)}.")
    return {name: json.dumps(value) if isinstance(value, dict) else str(value) for name, value in values.items()}
