from pathlib import Path

import pytest

from memoranda import Settings
from memoranda.errors import SetupError
from memoranda.models.local import TOKENIZER
from memoranda.models.tokens import counter


def test_tokens_are_counted_as_the_tokenizer_makes_them() -> None:
    count = Settings(counter=counter(TOKENIZER)).counter
    assert [count(text) for text in ("", "the ferry leaves", "unbelievably")] == [0, 3, 5]
    assert count("ferry " * 1_000) == 1_000  # neither cut nor padded


@pytest.mark.parametrize("content", [None, "{", "{}", "7", "\xff", '{"model": {}}'])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "tokenizer.json"
    if content is not None:
        file.write_text(content, "latin-1")
    with pytest.raises(SetupError, match=r"should be a model's tokenizer\.json, but reading it failed: "):
        counter(file)
