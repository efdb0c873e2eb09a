"""Confidence is a probability that rises with what speaks for a memory, and what a judge says weighs most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.recall.confidence import ENDS, JUDGES, judged, says_little

SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20)


@pytest.mark.parametrize("judge", JUDGES)
@given(SHARES)
def test_confidence_is_a_probability_in_the_order_of_what_speaks_for_it(
    judge: str, told: list[tuple[float, float]]
) -> None:
    scores, before = [one for one, _ in told], [one for _, one in told]
    sure = judged(judge, scores, before)
    assert len(sure) == len(told)
    assert all(0 < one < 1 for one in sure)
    for a, first in zip(told, sure, strict=True):
        for b, second in zip(told, sure, strict=True):
            assert first >= second or a[0] < b[0] or a[1] < b[1]


@pytest.mark.parametrize("judge", JUDGES)
def test_what_a_judge_says_is_what_counts(judge: str) -> None:
    yes, no = judged(judge, [0.999, 0.001], [0.1, 0.1])
    assert yes > ENDS["judged"] > no
    assert judged(judge, [], []) == []


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("Yes, since May.", "Do you still live in Oslo?", True),
        ("是的，五月以来一直如此。", "你还住在奥斯陆吗？", True),
        ("Yes, since May.", "", False),
        ("Ok. " * 40, "Do you still live in Oslo?  ", True),
        ("We moved. " * 20, "I see.", False),
        ("我们搬家了。" * 10, "好的。", False),
    ],
)
def test_a_turn_that_says_little_needs_the_one_before(text: str, before: str, expected: bool) -> None:
    assert says_little(text, before) is expected
