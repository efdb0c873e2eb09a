"""The ranking model that memoranda ships, trained by `python -m evals learn`."""

import json
from functools import cache
from pathlib import Path

from memoranda.core.recall.ranking_models import Experts
from memoranda.core.recall.signals import CONTEXT, SIGNALS
from memoranda.errors import SetupError

FILE = Path(__file__).with_name("ranker.json")


@cache
def learned(path: Path = FILE) -> Experts:
    """Return the model in a file, which is read once.

    Raises:
        SetupError: the file is not such a model, or the model was trained on signals that do not exist.
    """
    try:
        model = Experts(json.loads(path.read_text("utf-8")))
    except ValueError as error:
        raise SetupError(f"{path} is no JSON; make a model with `python -m evals learn`.") from error
    unknown = set(model.signals) - SIGNALS.keys() - CONTEXT.keys()
    if unknown:
        raise SetupError(f"{path} was learned on signals that are not there: {', '.join(sorted(unknown))}.")
    return model
