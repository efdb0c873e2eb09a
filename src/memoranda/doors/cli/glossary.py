"""What each share of a score means, for people."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

#: Every part of the composite score and every similarity signal (`core.recall.signals`), by name.
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "recency": "how new it is",
        "last_use": "how lately it was said or used",
        "importance": "how much it matters, less the longer it was not used",
        "confidence": "how sure it is that it is true",
        "access_frequency": "how often it was used",
        "fusion": "how high the ways to search put it",
        "entity_match": "it names what the question names",
        "attribute": "it gives what the question asks for",
        "tense": "more for a statement that holds now, less for one of the past",
        "currency": "more for what took the place of something that is nearer to the question",
        "rerank": "what the reranker makes of it",
        "keyword": "words in common with the question",
        "keyword_window": "words in common, of it and two turns to either side",
        "keyword_wide": "words in common, of it and four turns to either side",
        "keyword_conversation": "words in common, of its whole conversation",
        "cover": "how much of the question its words cover",
        "hits": "how many of the question's words it holds",
        "vector": "a meaning near the question's",
        "vector_previous": "a near meaning, of it and the turn before",
        "vector_window": "a near meaning, of it and two turns to either side",
        "like_best": "a meaning near one of the best guesses",
        "entities": "names lead from the question to it",
        "bridge": "it shares names with the best guesses",
        "speaker": "said by somebody whom the question names",
        "fact_keyword": "a statement read from it has words in common with the question",
        "fact_vector": "a statement read from it has a meaning near the question's",
        "preference": "a preference was told in it",
        "instruction": "a standing instruction was given in it",
        "date": "of a time that the question names",
        "time": "whether it tells a time",
        "answers_when": "whether it tells a time or a number where that is asked",
        "role_match": "whether the user said it, or the assistant where that is asked",
        "assistant": "whether the assistant said it",
        "is_question": "whether it asks",
        "image": "whether it comes with a picture",
        "length": "how long it is",
        "length_relative": "how long it is beside the others",
        "answers_match": "the turn before asks, and bears on the question",
        "guess": "the weighted sum of the plainest signals, a first guess",
        "guess_gap": "how far its first guess is from the best",
        "guess_talk": "the best first guess in its conversation",
        "guess_before": "the first guess of the turn before",
        "guess_after": "the first guess of the turn after",
        "guess_before_2": "the first guess of the turn before that",
        "long_turns": "whether turns are long here",
        "question_length": "how long the question is",
        "wants_many": "whether the question wants several",
        "names_speaker": "whether the question names a speaker",
    }
)


def label(share: str) -> str:
    """Return the name of a share as it is shown."""
    return share.removeprefix("similarity.").replace("_", " ")


def legend(shares: Iterable[str]) -> str:
    """Return what these shares mean, each once, in the order of the glossary."""
    shown = {share.removeprefix("similarity.") for share in shares}
    return "; ".join(f"{label(name)}: {said}" for name, said in GLOSSARY.items() if name in shown)
