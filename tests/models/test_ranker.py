import json
from pathlib import Path

import numpy as np
import pytest

from memoranda.core.recall.signals import CONTEXT, SIGNALS
from memoranda.errors import SetupError
from memoranda.models.ranker import FILE, learned


def test_the_model_that_is_shipped_is_small_and_knows_its_signals() -> None:
    model = learned()
    assert learned() is model
    assert set(model.signals) <= {*SIGNALS, *CONTEXT}
    assert FILE.stat().st_size < 120_000
    assert np.isfinite(model.judge(np.zeros((1, len(model.signals)), np.float32)).scores).all()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "is no ranking model"),
        (
            json.dumps({"signals": ["luck"], "share": "luck", "experts": [{"trees": []}] * 2}),
            "signals that are not there: luck",
        ),
    ],
)
def test_another_file_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "ranker.json"
    path.write_text(text)
    with pytest.raises(SetupError, match=told):
        learned(path)
