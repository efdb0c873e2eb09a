"""Answers of models as they come: fenced, wrapped, broken off, wrong in places."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.core.text.salvage import salvage

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value", "unread"),
    [
        ('{"a": [1, -2.5, null, true]}', {"a": [1, -2.5, None, True]}, 0),
        ("{}", {}, 0),
        ("[]", None, 1),
        ("", None, 1),
        ("I cannot do that.", None, 1),
        ('\ufeff```json\n{"a": 1}\n```', {"a": 1}, 0),
        ('Here you are:\n```json\n{"a": 1}\n```\nAnything else?', {"a": 1}, 0),
        ('<think>{"b": 1}</think> {"a": [1, 2, 3]}', {"a": [1, 2, 3]}, 0),
        ('Of {these}, {"a": "b"}', {"a": "b"}, 0),
        ('An { alone, then {"a": "b"}', {"a": "b"}, 0),
        ('[{"a": 1}]', {"a": 1}, 0),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}, 0),
        ('{"a": [{"b": 1} {"c": 2}]}', {"a": [{"b": 1}, {"c": 2}]}, 0),
        ('{"a": "line\nline"}', {"a": "line\nline"}, 0),
        ('{"a": "\\ud800\\u0000"}', {"a": "\ufffd\ufffd"}, 0),
        # wrapped
        (json.dumps('{"a": 1}'), {"a": 1}, 0),
        (json.dumps({"a": json.dumps({"b": json.dumps([1])})}), {"a": {"b": [1]}}, 0),
        (json.dumps({"a": '```json\n{"b": 1}\n```'}), {"a": {"b": 1}}, 0),
        (json.dumps({"a": ["[sic] is said", "{x}"]}), {"a": ["[sic] is said", "{x}"]}, 0),
        (json.dumps({"a": ['{"b": 1} and']}), {"a": ['{"b": 1} and']}, 0),
        (json.dumps({"a": '{"b": 1, "c": ['}), {"a": {"b": 1, "c": []}}, 0),
        (json.dumps({"a": '{"b": 1, "c": x}'}), {"a": {"b": 1}}, 1),
        (json.dumps({"a": "[User] is here"}), {"a": "[User] is here"}, 0),
        # wrong in places
        ('{"a": [1, NaN, Infinity, 1e999, 2]}', {"a": [1, 2]}, 3),
        ('{"a": [' + "9" * 5000 + ', "b"]}', {"a": ["b"]}, 1),
        ("{\"a\": ['b', \"c\"], 'd': 1, e: 2, \"f\"}", {"a": ["c"]}, 4),
        ('{"a": ["he said "hi, all" to", "b"]}', {"a": ["b"]}, 2),
        ('{"a": ["\\x", "b"]}', {"a": ["b"]}, 1),
        ('{"a": [{"b": {"c": x, "d": 1}} y, 2]}', {"a": [2]}, 2),
        ('{"a": 1, "a": 2}', {"a": 2}, 1),
        ('{"a": [1], "a": [2]}', {"a": [1, 2]}, 1),
        ('{"a": {"b": 1}, "a": {"c": 2}}', {"a": {"b": 1, "c": 2}}, 1),
        ('{"a": [1, 2}', {"a": [1, 2]}, 0),
        # broken off
        ('{"a": ["b", "c', {"a": ["b"]}, 2),
        ('{"a": ["b", 2', {"a": ["b"]}, 2),
        ('{"a": [{"b": 1}, {"b": 2, "c', {"a": [{"b": 1}]}, 3),
        ('{"a": [{"b": 1}, {"b": 2, ', {"a": [{"b": 1}]}, 2),
        ('{"a": {"b": 1, "c": ["d", ', {"a": {"b": 1, "c": ["d"]}}, 1),
        ('{"a": "b", "c": tru', {"a": "b"}, 2),
        ('{"a": "b", "c": "d\\', {"a": "b"}, 2),
    ],
)  # fmt: skip
def test_what_can_be_read_is(text: str, value: object, unread: int):
    found = salvage(text)
    assert (found.value, found.unread) == (value, unread), found.problems
    assert len(found.problems) == unread


def test_what_is_wrong_is_told_with_its_place():
    found = salvage('{"facts": [{"claim": "a"}, {"claim": x}, {"claim": "b"}], "n": 1e400}')
    assert found.value == {"facts": [{"claim": "a"}, {}, {"claim": "b"}]}
    assert found.problems == (
        'facts.1.claim: it is no JSON value, at \'x}, {"claim": "b"}], "n": 1e400}\'',
        "n: the number is too large, at '}'",
    )


def test_only_so_much_is_told_read_and_nested():
    found = salvage('{"a": [' + "x," * 100 + "1]}")
    assert (found.value, found.unread, len(found.problems)) == ({"a": [1]}, 100, 50)
    found = salvage('{"a": 1, "b": "' + "c" * 500_000 + '"}')
    assert found.value == {"a": 1}
    assert "only the first 400,000" in found.problems[-1]
    deep = '{"a": [1, ' + "[" * 100_000 + "]" * 100_000 + "]}"
    assert any("nested deeper than 32" in problem for problem in salvage(deep).problems)
    assert salvage('{"a": ' * 50_000).value is not None
    wrapped: object = "tea"
    for _ in range(12):
        wrapped = json.dumps({"a": wrapped})
    assert str(salvage(str(wrapped)).value).count("{") == 12
    assert salvage("{" * 100_000).value == {}


def test_a_string_is_unwrapped_only_so_deep():
    text = '{"a": ' * 31 + json.dumps("[1]") + "}" * 31
    assert "'[1]'" not in str(salvage(text).value)
    text = '{"a": ' * 32 + json.dumps("[1]") + "}" * 32
    assert "'[1]'" in str(salvage(text).value)


@settings(deadline=None)
@given(st.text() | st.text('{}[]",:\\ 1eax\n'))
def test_no_text_makes_it_fail(text: str):
    found = salvage(text)
    assert found.value is None or isinstance(found.value, dict)
    assert bool(found.problems) == bool(found.unread)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4), st.integers(0, 200))
def test_what_is_whole_before_a_break_is_read(value: dict[str, object], at: int):
    text = json.dumps(value)
    found = salvage(text[:-at] if at else text)
    assert found.value is None or found.value.keys() <= {key.replace("\x00", "\ufffd") for key in value}
