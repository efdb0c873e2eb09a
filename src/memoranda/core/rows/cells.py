"""The contents of a cache: places, and in each of them cells by name."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.errors import ConflictError, StoreCorruptError


class Place(NamedTuple):
    """Where cells lie: in one conversation, workflow run or inbox (`kind`) of one agent, or of none ("")."""

    tenant: str
    user: str
    agent: str
    channel: str
    kind: str
    name: str

    @property
    def mark(self) -> str:
        """The id of its saved copy, and of the tombstone that says when all of it was forgotten."""
        return derived_id(self.owner, "working", *self[2:])

    @property
    def owner(self) -> Owner:
        """The owner of the place."""
        return Owner(self.tenant, self.user)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in a place.

    Attributes:
        text: the value as JSON.
        version: a name that the writer gave to this state, unique.
        expires: when it is no longer read; None: when the place expires.
    """

    text: str
    version: str
    expires: datetime | None = None

    @property
    def value(self) -> Any:
        """The value.

        Raises:
            StoreCorruptError: it cannot be read.
        """
        try:
            return json.loads(self.text)
        except (TypeError, ValueError) as error:
            raise StoreCorruptError(
                f"A cell of working memory is damaged ({error}): memoranda doctor --repair."
            ) from error


@dataclass(frozen=True, slots=True)
class Content:
    """The cells of a place by name, and when it was last written; None if never."""

    cells: Mapping[str, Cell] = field(default_factory=dict)
    at: datetime | None = None


def check_versions(place: Place, expect: Mapping[str, str | None], held: Mapping[str, str]) -> None:
    """Refuse to overwrite what somebody else has written (compare-and-set).

    Raises:
        ConflictError: a held version is not the expected one.
    """
    for name, version in expect.items():
        if held.get(name) != version:
            raise ConflictError(f"Planned against {name} at {version} in {place}, which is at {held.get(name)}.")
