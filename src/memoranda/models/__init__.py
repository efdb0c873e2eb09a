"""Adapters to models and the stemmer. Only this file loads them, so that each is imported only when it is used."""

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from memoranda.core.base.checks import brief
from memoranda.errors import MissingExtraError, SetupError, how_to_install
from memoranda.models.cache import CachedEmbedder
from memoranda.models.gate import GatedEmbedder, GatedLanguageModel, GatedReranker, Gates
from memoranda.models.guard import GuardedEmbedder, GuardedLanguageModel, GuardedReranker
from memoranda.ports import CachingEmbedder, Embedder, LanguageModel, Models, Reranker, Space, Task


class Adapter(NamedTuple):
    """The module and class of an adapter, the extra it needs, and what follows the colon in its name, if anything."""

    module: str
    name: str
    extra: str = ""
    argument: str = ""


EMBEDDERS = {
    "local": Adapter("memoranda.models.local", "LocalEmbedder", extra="local"),
    "light": Adapter("memoranda.models.static", "StaticEmbedder", extra="light"),
    "hashed": Adapter("memoranda.models.hashed", "HashedEmbedder"),
    "onnx": Adapter("memoranda.models.onnx", "OnnxEmbedder", extra="local", argument="FOLDER"),
    "openai": Adapter("memoranda.models.openai", "OpenAIEmbedder", extra="openai", argument="MODEL"),
}
LANGUAGE_MODELS = {
    "anthropic": Adapter("memoranda.models.anthropic", "AnthropicLanguageModel", extra="anthropic", argument="MODEL"),
    "openai": Adapter("memoranda.models.openai", "OpenAILanguageModel", extra="openai", argument="MODEL"),
}
RERANKERS = {
    "local": Adapter("memoranda.models.pairs", "LocalRelevance", extra="local"),
    "onnx": Adapter("memoranda.models.reranker", "OnnxReranker", extra="local", argument="FOLDER"),
}

CURRENCY = {
    "local": Adapter("memoranda.models.pairs", "LocalCurrency", extra="local"),
    "onnx": RERANKERS["onnx"],
}


def open_embedder(spec: str, **options: Any) -> Embedder | None:
    """Return the embedder named `local`, `light`, `hashed`, `onnx:FOLDER` or `openai:MODEL`, guarded; None for `none`.

    It sends each request once. The memory that is opened with it keeps vectors of texts that recur, and controls
    retries and the number of concurrent requests (`Settings.gating`).

    `options` are passed to the adapter's `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no embedder has that name, or its files or settings are invalid.
    """
    found = _open("embedder", EMBEDDERS, spec, options)
    return guard_embedder(found) if found else None


def open_language_model(spec: str, **options: Any) -> LanguageModel | None:
    """Return the language model named `anthropic:MODEL` or `openai:MODEL`, guarded; None for `none`.

    It sends each prompt once. The memory that is opened with it controls retries and the number of concurrent prompts
    (`Settings.gating`).

    `options` are passed to the adapter's `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no language model has that name, or its settings are invalid.
    """
    found = _open("language model", LANGUAGE_MODELS, spec, options)
    return guard_language_model(found) if found else None


def open_reranker(spec: str, **options: Any) -> Reranker | None:
    """Return the reranker named `local` or `onnx:FOLDER`, guarded; None for `none`.

    `options` are passed to the adapter's `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no reranker has that name, or its files are invalid.
    """
    found = _open("reranker", RERANKERS, spec, options)
    return guard_reranker(found) if found else None


def open_currency(spec: str, **options: Any) -> Reranker | None:
    """Return the model named `local` or `onnx:FOLDER` that says whether a later turn outdates earlier ones, guarded.

    None for `none`. `options` are passed to the adapter's `open`.

    Raises:
        MissingExtraError: its optional dependency is not installed.
        SetupError: no such model has that name, or its files are invalid.
    """
    found = _open("model for currency", CURRENCY, spec, options)
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
        remedy = how_to_install(adapter.extra)
        raise MissingExtraError(f"The {what} {name!r} cannot be loaded ({error}). To install it: {remedy}") from error
    return getattr(module, adapter.name).open(*filter(None, [argument]), **options)


def guard_embedder(embedder: Embedder) -> GuardedEmbedder:
    """Wrap `embedder` in a guard that checks its vectors.

    Raises:
        SetupError: it is not an embedder.
    """
    fits = isinstance(embedder, Embedder) and isinstance(embedder.space, Space)
    _check(fits, embedder, f"embedder: give auto, none, {', '.join(EMBEDDERS)}, or an object like `ports.Embedder`")
    return embedder if isinstance(embedder, GuardedEmbedder) else GuardedEmbedder(embedder)


def guard_language_model(model: LanguageModel) -> GuardedLanguageModel:
    """Wrap `model` in a guard that checks its answers.

    Raises:
        SetupError: it is not a language model.
    """
    what = (
        f"language model: give anthropic:MODEL, openai:MODEL, an object like `ports.LanguageModel`, or for each task "
        f"one of these: {{{', '.join(f'{task!r}: …' for task in get_args(Task))}}}"
    )
    _check(isinstance(model, LanguageModel), model, what)
    return model if isinstance(model, GuardedLanguageModel) else GuardedLanguageModel(model)


def guard_reranker(reranker: Reranker, what: str = "reranker: give local, onnx:FOLDER") -> GuardedReranker:
    """Wrap `reranker` in a guard that checks its scores; `what` says what it is and what to give.

    Raises:
        SetupError: it is not a reranker.
    """
    _check(isinstance(reranker, Reranker), reranker, f"{what}, or an object like `ports.Reranker`")
    return reranker if isinstance(reranker, GuardedReranker) else GuardedReranker(reranker)


def _check(fits: bool, given: object, what: str) -> None:
    if not fits or isinstance(given, type):
        raise SetupError(f"{brief(given)} is no {what}.")


def embedder_of(spec: str | Embedder, gates: Gates) -> CachingEmbedder | None:
    """Return the embedder that `spec` names or is, behind the gate of its provider and a cache.

    For `auto` that is the local one if it is installed, else None.
    """
    try:
        found = open_embedder("local" if spec == "auto" else spec) if isinstance(spec, str) else guard_embedder(spec)
    except MissingExtraError:
        if spec != "auto":
            raise
        return None
    return None if found is None else CachedEmbedder(GatedEmbedder(guard_embedder(found), gates))


def language_models_of(given: Models | Mapping[Task, Models], gates: Gates) -> dict[Task, tuple[LanguageModel, ...]]:
    """Return the language models of each task that has any, each behind the gate of its provider; each is opened once.

    Args:
        given: the model of all tasks, or one for each task. A task that is missing uses that of `default`; a task with
            None or "none" has no model. Several models stand in the order in which they are used.
        gates: the gates of the providers.

    Raises:
        MissingExtraError: an optional dependency is not installed.
        SetupError: there is no such task, or no such model.
    """
    tasks: tuple[Task, ...] = get_args(Task)
    told: Mapping[Task, Any] = given if isinstance(given, Mapping) else {"default": given}
    unknown = [task for task in told if task not in tasks]
    if unknown:
        raise SetupError(f"There is no task {brief(unknown[0])} for a language model. Choose of: {', '.join(tasks)}.")
    chosen = {task: _several(told.get(task, told.get("default"))) for task in tasks}
    opened: dict[object, GuardedLanguageModel] = {}
    found: dict[Task, tuple[LanguageModel, ...]] = {}
    for task, several in chosen.items():
        for one in several:
            key = one if isinstance(one, str) else id(one)
            model = opened[key] = opened.get(key) or guard_language_model(_language_model(one))
            found[task] = (*found.get(task, ()), GatedLanguageModel(model, gates, task))
    return found


def _several(given: Any) -> list[Any]:
    """Return the models of one task, without None and "none"; an empty list is kept, to be refused as no model."""
    several = given if isinstance(given, list | tuple) and given else [given]
    return [one for one in several if one is not None and not (isinstance(one, str) and one == "none")]


def _language_model(one: str | LanguageModel) -> Any:
    return open_language_model(one) if isinstance(one, str) else one


def reranker_of(spec: str | Reranker | None, gates: Gates) -> Reranker | None:
    """Return the reranker that `spec` names or is, behind the gate of its provider."""
    found = open_reranker(spec) if isinstance(spec, str) else spec
    return None if found is None else GatedReranker(guard_reranker(found), gates)


def currency_of(spec: str | Reranker | None, embedder: CachingEmbedder | None, gates: Gates) -> Reranker | None:
    """Return the model that `spec` names or is, which says of a later turn and earlier ones whether it outdates each.

    For `auto` that is the local one beside the local embedder, whose network it uses, else None.
    """
    if isinstance(spec, str) and spec == "auto":
        spec = "local" if embedder is not None and embedder.space.name.startswith("local/") else "none"
    found = open_currency(spec) if isinstance(spec, str) else spec
    what = f"model for currency: give auto, none, {', '.join(CURRENCY)}:FOLDER"
    return None if found is None else GatedReranker(guard_reranker(found, what), gates)
