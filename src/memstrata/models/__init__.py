"""Adapters to embedders and the stemmer. This file alone loads them, so that each is imported only when asked for."""

import importlib
from typing import Any, NamedTuple

from memstrata.errors import MissingExtraError, SetupError
from memstrata.models.cache import CachedEmbedder
from memstrata.models.guard import GuardedEmbedder
from memstrata.ports import CachingEmbedder, Embedder, Space


class Adapter(NamedTuple):
    """Where an embedder lives, which extra it needs, and what its name takes after a colon, if anything."""

    module: str
    name: str
    extra: str = ""
    argument: str = ""


EMBEDDERS = {
    "local": Adapter("memstrata.models.local", "LocalEmbedder", extra="local"),
    "light": Adapter("memstrata.models.static", "StaticEmbedder", extra="light"),
    "hashed": Adapter("memstrata.models.hashed", "HashedEmbedder"),
    "onnx": Adapter("memstrata.models.onnx", "OnnxEmbedder", extra="local", argument="FOLDER"),
    "openai": Adapter("memstrata.models.openai", "OpenAIEmbedder", extra="openai", argument="MODEL"),
}


def open_embedder(spec: str, **options: Any) -> CachingEmbedder | None:
    """The embedder called `local`, `light`, `hashed`, `onnx:FOLDER` or `openai:MODEL`; for `none`, None.

    It comes guarded and cached (see `protect`). `options` are those of the adapter's own `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no embedder has that name, or its files or settings are not what they should be.
    """
    if spec == "none":
        return None
    name, _, argument = spec.partition(":")
    adapter = EMBEDDERS.get(name)
    if adapter is None or bool(argument) != bool(adapter.argument):
        known = ", ".join(f"{key}:{one.argument}" if one.argument else key for key, one in EMBEDDERS.items())
        raise SetupError(f"There is no embedder {spec!r}. Choose one of: {known}, none.")
    try:
        module = importlib.import_module(adapter.module)
    except ImportError as error:
        remedy = f"pip install 'memstrata[{adapter.extra}]'"
        raise MissingExtraError(f"The embedder {name!r} cannot be loaded ({error}). To install it: {remedy}") from error
    return protect(getattr(module, adapter.name).open(*filter(None, [argument]), **options))


def protect(embedder: Embedder) -> CachingEmbedder:
    """`embedder` behind a guard that checks and times its answers, behind a cache of them.

    Raises:
        SetupError: it is none.
    """
    fits = not isinstance(embedder, type) and isinstance(embedder, Embedder) and isinstance(embedder.space, Space)
    if not fits:
        names = ", ".join(EMBEDDERS)
        raise SetupError(f"{embedder!r} is no embedder: give auto, none, {names}, or an object like `ports.Embedder`.")
    return CachedEmbedder(GuardedEmbedder(embedder))
