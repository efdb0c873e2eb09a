import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.image import postings
from memoranda.core.image.postings import Postings

passages = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=6)


@pytest.mark.parametrize("large", [1, 5, 10_000])
@given(batches=st.lists(passages, max_size=4))
def test_every_passage_is_found_by_each_of_its_terms(large: int, batches: list[list[list[str]]]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postings, "_LARGE", large)
        held = Postings()
        whole: list[list[str]] = []
        for batch in batches:
            assert held.extend(len(whole), [" ".join(terms) for terms in batch]) == list(map(len, batch))
            whole += batch
    for term in "abcd":
        wanted = [(number, terms.count(term)) for number, terms in enumerate(whole) if term in terms]
        numbers, counts = held.of(term)
        assert list(zip(numbers.tolist(), counts.tolist(), strict=True)) == wanted
        assert (numbers.dtype, counts.dtype) == (np.int32, np.float32)
        assert held.holders(term) == len(wanted)
        assert (term in held) is bool(wanted)


def test_what_it_holds_is_counted() -> None:
    held = Postings()
    empty = held.nbytes
    held.extend(0, ["a b"])
    assert held.nbytes > empty
