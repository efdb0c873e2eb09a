import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.core.fence import CLOSE, OPEN, fenced, quoted, stripped

HOSTILE = st.sampled_from([OPEN, CLOSE, "<", ">", "\u200b", "\x00", "\u202e", "\n", "\u2028", "＜", "〉", "x"])


@given(st.lists(st.one_of(HOSTILE, st.text(max_size=5)), max_size=12).map("".join))
def test_what_is_quoted_is_one_line_that_closes_nothing(text: str) -> None:
    safe = quoted(text)
    assert quoted(safe) == safe
    assert len(safe.splitlines()) <= 1
    assert not set(safe) & set("<>＜＞〈〉\x00\u200b\u202e")
    block = fenced(safe)
    assert (block.count(OPEN), block.count(CLOSE)) == (1, 1)
    assert stripped(block) == ""
    assert stripped(f"before {block} after") == "before  after"


def test_joiners_of_emoji_and_scripts_stay() -> None:
    assert quoted("👩\u200d👧 \u0645\u200c\u06cc") == "👩\u200d👧 \u0645\u200c\u06cc"
    assert quoted("a < b > c") == "a ‹ b › c"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no mark", "no mark"),
        (" spaces stay ", " spaces stay "),
        (f"{OPEN}x{CLOSE} y {OPEN}z{CLOSE}", "y"),
        ("<MEMSTRATA-MEMORY lang='en'>x</MEMSTRATA-MEMORY>y", "y"),
        (f"a {OPEN} that never ends", f"a {OPEN} that never ends"),
        ("what is memstrata-memory?", "what is memstrata-memory?"),
    ],
)
def test_its_own_voice_is_taken_out(text: str, left: str) -> None:
    assert stripped(text) == left
