import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.context.budget import Piece
from memoranda.core.context.host_content import Content, Fitting, pieces_of
from memoranda.core.text.terms import Analyzer, estimate_tokens, storable
from memoranda.errors import InputError


def fitting(room: int = 10_000, *terms: str, verbatim: bool = False) -> Fitting:
    return Fitting(room, estimate_tokens, Analyzer(str), frozenset(terms), verbatim)


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in sorted(pieces, key=lambda piece: piece.place)]


def talk(*said: str) -> list[Mapping[str, Any]]:
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]


def test_a_text_comes_in_paragraphs_and_a_list_as_it_is() -> None:
    text = "You are <Ada>.\nBe brief.\n\n\n\nAsk first. "
    assert texts(pieces_of("identity", text, fitting(verbatim=True))[0]) == ["You are <Ada>.\nBe brief.", "Ask first."]
    assert texts(pieces_of("tenant", text, fitting())[0]) == ["You are ‹Ada›. Be brief.", "Ask first."]
    pieces, out = pieces_of("tools", ["search(query)", " ", "send(to)"], fitting())
    assert [(piece.id, piece.text) for piece in pieces] == [("tools:0", "search(query)"), ("tools:2", "send(to)")]
    assert out == {}


@pytest.mark.parametrize("content", ["", [], {}, " \n\n "])
def test_nothing_is_nothing(content: Content) -> None:
    assert pieces_of("tools", content, fitting()) == ([], {})


@pytest.mark.parametrize("content", [5, None, [5], ["a", {"content": "b"}], iter("a")])
def test_what_cannot_be_brought_is_refused(content: Any) -> None:
    with pytest.raises(InputError, match=r"^tools is .*; give a text, a list of texts, a list of messages"):
        pieces_of("tools", content, fitting())


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(InputError, match=r'history, \$\[1\]: a message needs "content"'):
        pieces_of("history", [*talk("a"), {"role": "user"}], fitting())


# ------------------------------------------------------------------------------------------------ history


def test_messages_are_read_in_every_shape_that_a_model_is_sent() -> None:
    said: list[Mapping[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": "data:,"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "search"}}]},
        {"role": "assistant", "content": ""},
        {"role": "tool", "name": "weather", "content": "It rains."},
    ]
    pieces, _ = pieces_of("history", said, fitting())
    assert texts(pieces) == ["user: Look.\n  [image]", "assistant: [calls search]", "tool weather: It rains."]


def test_a_conversation_that_fits_stays_as_it_is() -> None:
    pieces, _ = pieces_of("history", talk("Hello.\n\n## Not a heading", "Hi <there>."), fitting())
    assert texts(pieces) == ["user: Hello.\n  ## Not a heading", "assistant: Hi ‹there›."]
    assert not any(piece.why for piece in pieces)


def test_of_a_long_conversation_the_first_and_last_four_stay_and_the_rest_is_summarised() -> None:
    middle = [
        f"Well. The harbour budget rose to {n} euros in spring. Anyway, thanks for number {n}!" for n in range(20)
    ]
    said = talk("First of all: be brief.", *middle, "one", "two", "three", "four")
    pieces, _ = pieces_of("history", said, fitting(400, "budget"))
    assert [piece.id for piece in pieces[:5]] == [f"history:{n}" for n in (24, 23, 22, 21, 0)]
    assert texts(pieces)[0] == "user: First of all: be brief."
    assert texts(pieces)[-4:] == ["assistant: one", "user: two", "assistant: three", "user: four"]
    short = [piece for piece in pieces if piece.why == "summarised"]
    assert len(short) == 20
    assert all(", in short: The harbour budget rose to" in piece.text and "thanks" not in piece.text for piece in short)


def test_what_the_request_names_is_summarised_first() -> None:
    middle = ["The roof leaks.", "The crab sleeps.", "The ferry sank."]
    pieces, _ = pieces_of("history", talk("a", *middle, *"bcde"), fitting(1, "crab"))
    assert pieces[5].text == "user, in short: The crab sleeps."


def test_a_short_conversation_has_no_middle() -> None:
    for count in range(1, 6):
        pieces, _ = pieces_of("history", talk(*"abcde"[:count]), fitting(0))
        assert sorted(piece.id for piece in pieces) == [f"history:{n}" for n in range(count)]
        assert not any(piece.why for piece in pieces)


@given(st.lists(st.text(max_size=30).filter(str.strip), min_size=1, max_size=12), st.integers(0, 60))
def test_every_message_is_one_piece(said: list[str], room: int) -> None:
    pieces, out = pieces_of("history", talk(*said), fitting(room))
    assert sorted(piece.place for piece in pieces) == list(range(len(said)))
    assert out == {}
    assert all(line.startswith("  ") for piece in pieces for line in piece.text.split("\n")[1:])


@pytest.mark.parametrize("verbatim", [True, False])
def test_what_no_database_can_store_is_replaced(verbatim: bool) -> None:
    bad = "a\x00b\ud83dc"
    for content in (bad, [bad], [{"role": "user", "content": bad}], {bad: {bad: bad}}, {bad: [bad]}):
        pieces, _ = pieces_of("tools", content, fitting(verbatim=verbatim))
        assert "a\ufffdb\ufffdc" in pieces[0].text
        assert storable(f"{pieces[0].id}{pieces[0].text}")[1] == 0


# ------------------------------------------------------------------------------------------------- fields

BLOG = {"blog": {"totalViews": 315, "top": ["Truffle"], "none": {}}, "chat_engine": {"open": True}, "plan": "Pro"}


def test_fields_are_named_by_their_paths() -> None:
    pieces, out = pieces_of("services", BLOG, fitting())
    assert texts(pieces) == [
        "blog.totalViews: 315",
        'blog.top: ["Truffle"]',
        "blog.none: {}",
        "chat_engine.open: true",
        "plan: Pro",
    ]
    assert out == {}


def test_where_not_all_fields_fit_those_stay_that_the_request_names() -> None:
    pieces, out = pieces_of("services", BLOG, fitting(5, "views", "engine", "services"))
    assert texts(pieces) == ["blog.totalViews: 315", "chat_engine.open: true"]
    assert out == dict.fromkeys(
        ("services:blog.top", "services:blog.none", "services:plan"), "the request does not name it"
    )


def test_where_the_request_names_none_they_come_in_order() -> None:
    pieces, out = pieces_of("services", BLOG, fitting(5, "weather"))
    assert len(pieces) == 5
    assert out == {}


WEIGHED = """
from collections import Counter
from memoranda.core.text.terms import weight
counts = Counter({f"term{number}": number * number for number in range(1, 40)})
print([weight([f"term{number}" for number in range(first, 40)], counts, {"term7"}) for first in range(1, 30)])
"""


def test_a_weight_is_the_same_in_every_process() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", WEIGHED], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(told) == 1
