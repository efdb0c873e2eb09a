import pytest

from memoranda.core.recall.scoring import PARTS
from memoranda.core.recall.signals import CONTEXT, SIGNALS
from memoranda.doors.cli.glossary import GLOSSARY, label, legend


def test_every_share_of_a_score_is_explained() -> None:
    assert set(GLOSSARY) == PARTS.keys() | SIGNALS.keys() | CONTEXT.keys() | {
        "rerank",
        "tense",
        "currency",
        "attribute",
    }


@pytest.mark.parametrize(("share", "shown"), [("similarity.fact_keyword", "fact keyword"), ("recency", "recency")])
def test_a_share_is_shown_in_words(share: str, shown: str) -> None:
    assert label(share) == shown


def test_a_legend_has_what_is_shown_and_no_more() -> None:
    shares = ["similarity.guess_gap", "recency", "similarity.guess_gap"]
    assert legend(shares) == "recency: how new it is; guess gap: how far its first guess is from the best"
    assert legend([]) == ""
