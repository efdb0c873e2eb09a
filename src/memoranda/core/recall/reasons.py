"""Why something was found, in words: the largest shares of its score, as reasons that people understand."""

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType

MOST = 3  # reasons told
LEAST = 0.03  # the share from which something is a reason

#: What each reason is read from. Shares that are not here tell nothing by themselves: how long it is, for example.
REASONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "it states what is asked for": ("attribute",),
        "in words and meaning it is among the nearest to the question": ("guess", "guess_gap", "guess_talk"),
        "it has words of the question": ("keyword", "cover", "hits", "fact_keyword"),
        "it means something like the question": ("vector", "fact_vector", "like_best"),
        "what was said around it bears on the question": (
            "keyword_window", "keyword_wide", "keyword_conversation", "vector_previous", "vector_window",
            "guess_before", "guess_after", "guess_before_2", "answers_match",
        ),
        "it names what the question names": ("entity_match", "entities", "bridge", "speaker"),
        "it is of the time that is asked about": ("date", "time", "answers_when"),
        "it tells what the user wants": ("preference", "instruction"),
        "it took the place of something nearer to the question": ("currency",),
        "the reranker puts it high": ("rerank",),
        "it is recent": ("recency",),
        "it matters": ("importance",),
        "it was often used": ("access_frequency",),
        "it holds now": ("tense",),
    }
)  # fmt: skip
_REASON = {
    name: reason for reason, shares in REASONS.items() for share in shares for name in (share, f"similarity.{share}")
}


def explain(given: Mapping[str, float]) -> str:
    """Return the reasons for a score, the largest first: "it has words of the question, it is recent"."""
    sums: defaultdict[str, float] = defaultdict(float)
    for share, value in given.items():
        if reason := _REASON.get(share):
            sums[reason] += value
    largest = sorted(sums, key=lambda reason: -sums[reason])[:MOST]
    return ", ".join(reason for reason in largest if sums[reason] >= LEAST) or "it is nearer than the rest"
