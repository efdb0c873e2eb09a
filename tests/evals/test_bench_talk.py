from collections import Counter
from itertools import islice

import numpy as np
from bench.hashing import DIMENSION, Hashing
from bench.utterances import PER_CONVERSATION, questions, turns


def test_the_same_seed_says_the_same_and_another_says_something_else():
    first, again, other = (list(islice(turns(seed), 50)) for seed in (1, 1, 2))
    assert first == again
    assert [turn.text for turn in first] != [turn.text for turn in other]
    assert questions(5) == questions(5)


def test_turns_make_conversations_in_time():
    said = list(islice(turns(), 3 * PER_CONVERSATION))
    assert len({turn.id for turn in said}) == len(said)
    assert set(Counter(turn.conversation for turn in said).values()) == {PER_CONVERSATION}
    assert [turn.at for turn in said] == sorted(turn.at for turn in said)


def test_words_follow_zipf_with_many_rare_ones():
    words = Counter(word.strip(".,?") for turn in islice(turns(), 3_000) for word in turn.text.lower().split())
    once = sum(count == 1 for count in words.values())
    assert len(words) > 3_000
    assert once > 0.3 * len(words)


def test_hashed_vectors_are_unit_and_share_what_texts_share():
    hashing = Hashing()
    near, far, base = (hashing.vector(text) for text in ("red green tea", "a wooden boat", "red green milk"))
    assert near.shape == (DIMENSION,)
    assert np.isclose(near @ near, 1.0)
    assert base @ near > base @ far
    hashing.warm(["red green tea"])
    assert np.array_equal(hashing.vector("red green tea"), near)
