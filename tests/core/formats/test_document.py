"""Files that are not what they should be, and how they are read as far as they go."""

import codecs
import json
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.formats import ADVICE, FORMATS, Conversation, read
from memoranda.errors import FormatError

HELLO = [{"role": "user", "content": "Grüße aus València"}]


def contents(data: bytes, name: str = "chat.json") -> list[str]:
    return [message.content for found in read(data, name) for message in found.messages]


def fault(data: bytes, name: str = "chat.json") -> tuple[list[str], str]:
    """What was read before the fault, and the fault."""
    found: list[Conversation] = []
    with pytest.raises(FormatError) as caught:
        found.extend(one for one in read(data, name))
    return [message.content for one in found for message in one.messages], str(caught.value)


def lines(*texts: str) -> list[str]:
    return [json.dumps({"messages": [{"role": "user", "content": text}]}) for text in texts]


class TestEncodings:
    @pytest.mark.parametrize(
        ("mark", "encoding"),
        [
            (b"", "utf-8"),
            (codecs.BOM_UTF8, "utf-8"),
            (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"),
            (codecs.BOM_UTF32_LE, "utf-32-le"),
            (codecs.BOM_UTF32_BE, "utf-32-be"),
        ],
    )
    @pytest.mark.parametrize("by_line", [False, True])
    def test_unicode_is_read_whatever_its_width(self, mark: bytes, encoding: str, by_line: bool) -> None:
        text = "\n".join([json.dumps(HELLO[0], ensure_ascii=False)] * 2) if by_line else json.dumps(HELLO)
        assert set(contents(mark + text.encode(encoding))) == {"Grüße aus València"}

    def test_latin_1_is_named_with_its_place(self) -> None:
        _, text = fault(json.dumps(HELLO, ensure_ascii=False, indent=0).encode("latin-1"))
        assert text.startswith("chat.json: byte 0xfc at offset ")
        assert "(line 4) is not UTF-8; the file may be in Latin-1 or Windows-1252. Save it as UTF-8." in text

    def test_latin_1_in_a_line_is_named_and_what_stood_before_is_read(self) -> None:
        good, bad = json.dumps(HELLO[0]), json.dumps(HELLO[0], ensure_ascii=False)
        found, text = fault(f"{good}\n{bad}\n".encode("latin-1"))
        assert found == ["Grüße aus València"]
        assert text.startswith("chat.json, line 2: byte 0xfc at offset ")

    def test_utf_16_without_a_mark_is_guessed(self) -> None:
        _, text = fault(json.dumps(HELLO).encode("utf-16-le"))
        assert "looks like UTF-16 without a byte order mark" in text

    def test_broken_utf_16_is_named(self) -> None:
        _, text = fault(codecs.BOM_UTF16_LE + b"[\x00\x00")
        assert "the file begins as UTF-16 and then is not" in text

    def test_half_surrogates_and_nul_are_replaced_and_noted(self) -> None:
        [found] = read(b'[{"role": "user", "content": "a\\u0000b\\ud83dc"}]', "chat.json")
        assert found.messages[0].content == "a\ufffdb\ufffdc"
        assert found.messages[0].metadata == {"repaired": "characters no database can store"}


class TestNotJSON:
    @pytest.mark.parametrize("data", [b"", b" \n\t\r\n", codecs.BOM_UTF8])
    def test_an_empty_file_says_so(self, data: bytes) -> None:
        assert fault(data) == ([], f"chat.json: the file is empty. {ADVICE}")

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"PK\x03\x04rest", "a zip archive, not JSON. Unpack it and import the conversations.json"),
            (b"\x1f\x8brest", "gzip-compressed"),
            (b"SQLite format 3\x00rest", "an SQLite database"),
            (b"%PDF-1.7", "a PDF document"),
            (b"[1, \x00\x00\x00 2]", "is binary (it holds zero bytes)"),
            (b"<html><body>", "line 1, column 1: this is not JSON; it begins with '<html><body>'. Give OpenAI"),
            (b"\n  role,content", "line 2, column 3: this is not JSON; it begins with 'role,content'"),
            (b"42 43", "this is not JSON; it begins with '42 43'"),
            (b"42", "this is no conversation: found 42."),
        ],
    )
    def test_other_files_are_told_apart(self, data: bytes, words: str) -> None:
        found, text = fault(data)
        assert found == []
        assert words in text

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b'[{"role": "user",}]', "line 1, column 18: not JSON"),
            (b'[{"role": "user", "content": "a"} {}]', "a comma or the end of the array is missing"),
            (b'[{"role": "user", "content": "a"}] x', "there is more after the end of the document"),
            (b'{"messages": [{"role": "user", "content": "a"}]} x', "there is more after the end of the document"),
            (b'[{"role": "user", "content": "a"},]', "not JSON (expecting value), at ']'"),
            (b'[{"role": "us', "breaks off in the middle of the JSON (unterminated string): "),
            (b'[{"role": NaN}]', "NaN is no JSON number"),
            pytest.param(b"[" * 100_000, "it is nested too deeply", id="deep"),
            pytest.param(b"[" + b"1" * 5_000 + b"]", "not JSON", id="long number"),
        ],
    )
    def test_a_fault_is_named_with_its_place(self, data: bytes, words: str) -> None:
        assert words in fault(data)[1]

    @pytest.mark.parametrize("odd", ["NaN", "-Infinity", "1" * 5_000])
    def test_behind_an_element_with_a_number_that_is_none_the_others_are_read(self, odd: str) -> None:
        talks = [{"messages": [{"role": "user", "content": f"turn {number}"}], "x": number} for number in range(3)]
        found, text = fault(json.dumps(talks).replace('"x": 1', f'"x": {odd}').encode())
        assert found == ["turn 0", "turn 2"]
        assert text.startswith("chat.json, $[1]: not JSON (")
        assert text.endswith("). Mend or remove this element.")

    @pytest.mark.parametrize("cut", range(2, 60))
    def test_a_half_written_document_says_so_and_keeps_what_was_whole(self, cut: int) -> None:
        document = json.dumps([{"messages": [{"role": "user", "content": f"turn {index}"}]} for index in range(3)])
        found, text = fault(document[:-cut].encode())
        assert "breaks off in the middle" in text
        assert "Export or download it again." in text
        assert found == ["turn 0", "turn 1", "turn 2"][: len(found)]
        assert len(found) == document[:-cut].count("}]}")


class TestLines:
    def test_blank_lines_and_any_line_ending_are_accepted(self) -> None:
        data = "\r\n\n".join(lines("a", "b")) + "\r\n\n"
        assert contents(data.encode()) == ["a", "b"]

    def test_a_truncated_last_line_is_reported_after_what_came_before(self) -> None:
        found, text = fault("\n".join([*lines("a", "b"), lines("c")[0][:-9]]).encode(), "log.jsonl")
        assert found == ["a", "b"]
        assert text.startswith("log.jsonl, line 3: the last line is truncated (")
        assert "The lines before it are whole" in text

    def test_loose_messages_before_a_truncated_line_are_kept(self) -> None:
        rows = [json.dumps({"role": "user", "content": text}) for text in "abc"]
        found, text = fault("\n".join([*rows, rows[0][:20]]).encode())
        assert found == ["a", "b", "c"]
        assert "chat.json, line 4: the last line is truncated" in text

    @pytest.mark.parametrize("bad", ["{'a': 1}", '{"n": Infinity}', pytest.param("[" * 100_000, id="deep")])
    def test_a_broken_line_in_the_middle_is_named(self, bad: str) -> None:
        found, text = fault("\n".join([*lines("a"), bad, *lines("c")]).encode())
        assert found == ["a", "c"]
        assert text.startswith("chat.json, line 2: not JSON (")
        assert text.endswith("Mend or remove this line.")

    def test_a_first_line_that_is_no_object_of_its_own_begins_a_document(self) -> None:
        data = json.dumps({"messages": HELLO}, indent=2, ensure_ascii=False).encode()
        assert contents(data) == ["Grüße aus València"]

    def test_a_first_line_in_another_encoding_is_named(self) -> None:
        _, text = fault('{"role": "ü"}\n{}'.encode("latin-1"))
        assert "byte 0xfc" in text


def test_ten_megabytes_are_read_without_all_lying_in_memory_as_objects() -> None:
    record = {"messages": [{"role": "user", "content": "x" * 1_000}] * 10}
    line = json.dumps(record).encode() + b"\n"
    data = line * (10_000_000 // len(line))
    tracemalloc.start()
    try:
        assert sum(len(found.messages) for found in read(data, "log.jsonl")) > 9_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------------------- arbitrary input


def exhaust(data: bytes, kind: str | None = None) -> None:
    """Read everything; only `FormatError` may come out of it."""
    with suppress(FormatError):
        for found in read(data, "any", kind):
            assert found.messages
            assert all(message.content.strip() for message in found.messages)
            found.messages[0].content.encode()
            assert all(message.at is None or message.at.utcoffset() is not None for message in found.messages)


KEYS = st.sampled_from(
    [
        "role", "content", "messages", "mapping", "current_node", "message", "author", "parts", "parent", "children",
        "chat_messages", "sender", "text", "conversation", "session_1", "session_1_date_time", "speaker", "turns",
        "batch_number", "time_anchor", "timestamp", "created_at", "create_time", "id", "type", "tool_calls", "a",
        "metadata", "weight", "files", "name",
    ]
)  # fmt: skip
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(["user", "human", "a", "tool", "text", "tool_result", "2026-01-31", "1:56 pm on 8 May, 2023"]),
)
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=30
)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_nothing_but_format_errors(data: bytes) -> None:
    exhaust(data)


@given(DOCUMENTS, st.sampled_from([None, *FORMATS]))
def test_arbitrary_documents_raise_nothing_but_format_errors(document: Any, kind: str | None) -> None:
    exhaust(json.dumps(document).encode(), kind)


@given(st.lists(DOCUMENTS, max_size=4), st.sampled_from([None, *FORMATS]))
def test_arbitrary_lines_raise_nothing_but_format_errors(documents: list[Any], kind: str | None) -> None:
    exhaust("\n".join(map(json.dumps, documents)).encode(), kind)


@given(st.lists(st.text(min_size=1, max_size=20).filter(str.strip), min_size=1), st.booleans(), st.booleans())
def test_what_was_written_is_read(texts: list[str], by_line: bool, ascii_only: bool) -> None:
    rows = [json.dumps({"role": "user", "content": text}, ensure_ascii=ascii_only) for text in texts]
    data = ("\n".join(rows) if by_line else f"[{','.join(rows)}]").encode()
    assert contents(data) == [text.replace("\x00", "\ufffd") for text in texts]
