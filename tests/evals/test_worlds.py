import json
from pathlib import Path

import pytest
from evals.worlds import SETS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    turns = [{"speaker": who, "dia_id": f"D1:{n}", "text": f"turn {n}"} for n, who in enumerate("ABAB", 1)]
    asked = [
        {"question": "malformed", "category": 1, "evidence": ["D1:1; D1:02", "D:1:3"]},
        {"question": "audited", "category": 4, "evidence": ["D1:4"]},
        {"question": "no evidence", "category": 5, "evidence": []},
        {"question": "unknown evidence", "category": 5, "evidence": ["D9:9"]},
    ]
    chat = {"speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo.json").write_text(
        json.dumps([{"sample_id": "s", "qa": asked, "conversation": chat}])
    )
    fixes = [{"question_id": "s/1", "correct_evidence": ["D1:2"]}]
    (tmp_path / "locomo" / "evidence_fixes.json").write_text(json.dumps(fixes))
    folder = tmp_path / "beam" / "100K" / "7"
    folder.mkdir(parents=True)
    messages = [{"role": "user", "id": 0, "content": "hello ->-> 1,1"}, {"role": "assistant", "id": 1, "content": "hi"}]
    (folder / "chat.json").write_text(json.dumps([{"batch_number": 1, "turns": [messages]}]))
    probing = {
        "ordering": [{"question": "nested", "source_chat_ids": {"first": [0], "then": [[1]]}}, {"question": "none"}]
    }
    (folder / "probing_questions.json").write_text(json.dumps(probing))
    return tmp_path


def test_locomo_evidence_is_read_though_its_ids_are_malformed(data: Path):
    (world,) = SETS["locomo"](data)
    first, second = world.questions
    assert (first.text, first.category, first.gold) == ("malformed", "multi-hop", {"D1:1", "D1:2", "D1:3"})
    assert (second.id, second.gold, second.audited) == ("s/1", {"D1:4"}, {"D1:2"})
    assert [message.id for message in world.conversations[0].messages] == ["D1:1", "D1:2", "D1:3", "D1:4"]


def test_beam_evidence_is_found_however_deep_it_lies(data: Path):
    (world,) = SETS["beam100k"](data)
    assert [(question.id, question.gold) for question in world.questions] == [("7/ordering/0", {"0", "1"})]
    assert world.conversations[0].messages[0].content == "hello"
