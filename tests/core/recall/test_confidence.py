"""Confidence is a probability that rises with what speaks for a memory, and what a judge says weighs most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.recall.confidence import ENDS, JUDGES, judged

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
    assert yes > ENDS["judged"].surest > ENDS["judged"].each > no
    assert judged(judge, [], []) == []
