"""Documents as values: paths, merges, and a document made again of its changes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.strata.json_documents import at, changed, merged, replayed, written
from memoranda.errors import InputError, NotFoundError

NAMES = st.sampled_from("abc")
json = st.recursive(
    st.none() | st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
objects = st.dictionaries(NAMES, json, max_size=3)
paths = st.lists(NAMES, min_size=1, max_size=3).map(".".join)


def bare(value: Any) -> Any:
    """Without names whose value is null, which a merge removes."""
    return {name: bare(one) for name, one in value.items() if one is not None} if isinstance(value, dict) else value


@given(objects, objects)
def test_a_merge_twice_is_one(document: Any, patch: Any) -> None:
    once = merged(document, patch)
    assert merged(once, patch) == once
    assert merged(document, {}) == document
    assert merged({}, patch) == bare(patch)


@given(objects, objects)
def test_what_a_merge_does_not_name_stays(document: Any, patch: Any) -> None:
    after = merged(document, patch)
    assert {name: after[name] for name in document if name not in patch} == {
        name: document[name] for name in document if name not in patch
    }
    assert all(name not in after for name, value in patch.items() if value is None)


@given(objects, paths, json)
def test_what_was_written_is_read_and_the_rest_stays(document: Any, path: str, value: Any) -> None:
    before = repr(document)
    try:
        after = written(document, path, value)
    except InputError:
        return
    assert at(after, path) == value
    first = path.split(".", maxsplit=1)[0]
    assert {name: after[name] for name in after if name != first} == {
        name: document[name] for name in document if name != first
    }
    assert repr(document) == before


@given(
    st.lists(
        st.builds(
            lambda patch, whole: {"path": None, "value": patch} if whole else {"patch": patch}, objects, st.booleans()
        ),
        max_size=4,
    )
)
def test_a_document_is_what_its_changes_make(changes: Any) -> None:
    document: Any = {}
    for change in changes:
        document = changed(document, change)
    assert replayed(changes) == document


def test_what_lies_nowhere_and_what_leads_nowhere() -> None:
    assert at({"a": {"b": [1]}}, "a.b") == [1]
    assert at({"a": 1}, None) == {"a": 1}
    for path in ("b", "a.b", "a.b.c"):
        with pytest.raises(NotFoundError, match="nothing at"):
            at({"a": 1}, path)
    with pytest.raises(InputError, match="leads through 1, which is no object"):
        written({"a": 1}, "a.b", 2)
    assert written({}, "a.b.c", 1) == {"a": {"b": {"c": 1}}}


@given(st.lists(st.tuples(paths, json), max_size=6), st.data())
def test_without_some_of_its_writes_the_others_stay(writes: list[tuple[str, Any]], data: st.DataObject) -> None:
    left = [change for change in writes if data.draw(st.booleans())]
    document = replayed({"path": path, "value": value} for path, value in left)
    if left:
        assert at(document, left[-1][0]) == left[-1][1]
