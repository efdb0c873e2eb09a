"""Why something was found is said in words."""

from collections import Counter

import pytest

from memoranda.core.recall.results import REASONS, explain
from memoranda.doors.cli.glossary import GLOSSARY


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"similarity.is_question": -0.3, "similarity.keyword_window": 0.21, "recency": 0.18, "a": 0.1},
            "what was said around it bears on the question, it is recent",
        ),
        (
            {"recency": 0.2, "similarity.keyword": 0.12, "similarity.cover": 0.1, "importance": 0.05, "tense": 0.04},
            "it has words of the question, it is recent, it matters",
        ),
        ({"currency": 0.3, "importance": 0.01}, "it took the place of something nearer to the question"),
        ({"recency": 0.01}, "it is nearer than the rest"),
        ({}, "it is nearer than the rest"),
    ],
)
def test_the_largest_shares_are_reasons(given: dict[str, float], told: str) -> None:
    assert explain(given) == told


def test_each_share_is_one_reason_and_has_a_meaning() -> None:
    counts = Counter(share for shares in REASONS.values() for share in shares)
    assert {*counts.values()} == {1}
    assert {*counts} <= {*GLOSSARY}
