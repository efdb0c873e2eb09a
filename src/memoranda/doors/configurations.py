"""Parses configurations from the command line: `profile=relevance,kinds=turn/fact+embedder=none`."""

from typing import Any

from memoranda.core.base.checks import brief
from memoranda.errors import InputError
from memoranda.flows.context.evaluate import Configuration

HOW = (
    "give profile=NAME, kinds=KIND/KIND, arms=ARM/ARM, per_conversation=NUMBER or embedder=none, several joined by +,"
    " and a comma between configurations"
)


def configurations(text: str) -> list[Configuration]:
    """Return the configurations in `text`.

    Raises:
        InputError: `text` is malformed; the message gives the syntax.
    """
    return [_configuration(one) for one in text.split(",")]


def _configuration(text: str) -> Configuration:
    ask: dict[str, Any] = {}
    embedder = True
    for setting in text.split("+"):
        match setting.strip().partition("="):
            case ("profile", "=", name):
                ask["profile"] = name
            case (("kinds" | "arms") as key, "=", names):
                ask[key] = names.split("/")
            case ("per_conversation", "=", number) if number.isdecimal():
                ask["per_conversation"] = int(number)
            case ("embedder", "=", "none"):
                embedder = False
            case _:
                raise InputError(f"{brief(setting)} is no setting: {HOW}.")
    return Configuration(name=text.strip(), ask=ask, embedder=embedder)
