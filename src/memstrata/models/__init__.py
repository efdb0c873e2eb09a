"""Adapters to models and the stemmer. This file alone loads them, so that each is imported only when asked for."""

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from memstrata.core.checks import brief
from memstrata.errors import MissingExtraError, SetupError
from memstrata.models.cache import CachedEmbedder
from memstrata.models.guard import GuardedEmbedder, GuardedLanguageModel, GuardedReranker
from memstrata.ports import CachingEmbedder, Embedder, LanguageModel, Reranker, Space


class Adapter(NamedTuple):
    """Where a model lives, which extra it needs, and what its name takes after a colon, if anything."""

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
LANGUAGE_MODELS = {
    "openai": Adapter("memstrata.models.openai", "OpenAILanguageModel", extra="openai", argument="MODEL"),
}
RERANKERS = {
    "onnx": Adapter("memstrata.models.reranker", "OnnxReranker", extra="local", argument="FOLDER"),
}


def open_embedder(spec: str, **options: Any) -> CachingEmbedder | None:
    """The embedder called `local`, `light`, `hashed`, `onnx:FOLDER` or `openai:MODEL`; for `none`, None.

    It comes guarded and cached (see `protect`). `options` are those of the adapter's own `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no embedder has that name, or its files or settings are not what they should be.
    """
    found = _open("embedder", EMBEDDERS, spec, options)
    return protect(found) if found else None


def open_language_model(spec: str, **options: Any) -> LanguageModel | None:
    """The language model called `openai:MODEL`, guarded; for `none`, None.

    `options` are those of the adapter's own `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no language model has that name, or its settings are not what they should be.
    """
    found = _open("language model", LANGUAGE_MODELS, spec, options)
    return guard_language_model(found) if found else None


def open_reranker(spec: str, **options: Any) -> Reranker | None:
    """The reranker called `onnx:FOLDER`, guarded; for `none`, None.

    `options` are those of the adapter's own `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no reranker has that name, or its files are not what they should be.
    """
    found = _open("reranker", RERANKERS, spec, options)
    return guard_reranker(found) if found else None


def _open(what: str, adapters: Mapping[str, Adapter], spec: str, options: Mapping[str, Any]) -> Any:
    if spec == "none":
        return None
    name, _, argument = spec.partition(":")
    adapter = adapters.get(name)
    if adapter is None or bool(argument) != bool(adapter.argument):
        known = ", ".join(f"{key}:{one.argument}" if one.argument else key for key, one in adapters.items())
        raise SetupError(f"There is no {what} {brief(spec)}. Choose one of: {known}, none.")
    try:
        module = importlib.import_module(adapter.module)
    except ImportError as error:
        remedy = f"pip install 'memstrata[{adapter.extra}]'"
        raise MissingExtraError(f"The {what} {name!r} cannot be loaded ({error}). To install it: {remedy}") from error
    return getattr(module, adapter.name).open(*filter(None, [argument]), **options)


def protect(embedder: Embedder) -> CachingEmbedder:
    """`embedder` behind a guard that checks its answers, behind a cache of them; what `open_embedder` gave is both.

    Raises:
        SetupError: it is none.
    """
    fits = isinstance(embedder, Embedder) and isinstance(embedder.space, Space)
    _check(fits, embedder, f"embedder: give auto, none, {', '.join(EMBEDDERS)}, or an object like `ports.Embedder`")
    if isinstance(embedder, CachedEmbedder):  # a second cache would keep what erasure takes from the first
        return embedder
    return CachedEmbedder(GuardedEmbedder(embedder))


def guard_language_model(model: LanguageModel) -> LanguageModel:
    """`model` behind a guard that checks its answers.

    Raises:
        SetupError: it is none.
    """
    what = "language model: give openai:MODEL, or an object like `ports.LanguageModel`"
    _check(isinstance(model, LanguageModel), model, what)
    return model if isinstance(model, GuardedLanguageModel) else GuardedLanguageModel(model)


def guard_reranker(reranker: Reranker) -> Reranker:
    """`reranker` behind a guard that checks its answers.

    Raises:
        SetupError: it is none.
    """
    what = "reranker: give onnx:FOLDER, or an object like `ports.Reranker`"
    _check(isinstance(reranker, Reranker), reranker, what)
    return reranker if isinstance(reranker, GuardedReranker) else GuardedReranker(reranker)


def _check(fits: bool, given: object, what: str) -> None:
    if not fits or isinstance(given, type):
        raise SetupError(f"{brief(given)} is no {what}.")


def embedder_of(spec: str | Embedder) -> CachingEmbedder | None:
    """The embedder that `spec` names or is; for `auto` the local one if it is installed, else None."""
    if not isinstance(spec, str):
        return protect(spec)
    if spec != "auto":
        return open_embedder(spec)
    try:
        return open_embedder("local")
    except MissingExtraError:
        return None


def language_model_of(spec: str | LanguageModel | None) -> LanguageModel | None:
    """The language model that `spec` names or is."""
    if spec is None:
        return None
    return open_language_model(spec) if isinstance(spec, str) else guard_language_model(spec)


def reranker_of(spec: str | Reranker | None) -> Reranker | None:
    """The reranker that `spec` names or is."""
    if spec is None:
        return None
    return open_reranker(spec) if isinstance(spec, str) else guard_reranker(spec)
