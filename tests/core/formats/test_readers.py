"""What each reader makes of its format."""

import json
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest

from memoranda.core.formats import FORMATS, Conversation, Message, read
from memoranda.core.formats.openai import messages
from memoranda.core.text.terms import content_hash
from memoranda.errors import FormatError, MessageError

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def conversations(document: Any, name: str = "chat.json", kind: str | None = None) -> list[Conversation]:
    return list(read(json.dumps(document).encode(), name, kind))


def jsonl(*rows: Any) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def block(text: str) -> str:
    """How a text reads that came with a message."""
    tag = f"attached-{content_hash(text)[:16]}"
    return f"<{tag}>\n{text}\n</{tag}>"


def only(document: Any) -> Conversation:
    [conversation] = conversations(document)
    return conversation


def message(**fields: Any) -> Message:
    [found] = only([{"role": "user", "content": "hello"} | fields]).messages
    return found


def fault(document: Any, **options: Any) -> str:
    with pytest.raises(FormatError) as caught:
        conversations(document, **options)
    return str(caught.value)


class TestOpenAI:
    def test_an_array_of_messages_is_one_conversation(self) -> None:
        found = only([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}])
        assert found == Conversation(
            id="chat",
            messages=(Message(role="user", content="Hi"), Message(role="assistant", content="Hello")),
        )

    def test_an_object_with_messages_keeps_its_id_and_title(self) -> None:
        found = only({"id": "c1", "title": "Tides", "messages": [{"role": "user", "content": "Hi"}]})
        assert (found.id, found.title) == ("c1", "Tides")

    def test_conversations_without_an_id_are_numbered(self) -> None:
        record = {"messages": [{"role": "user", "content": "Hi"}]}
        assert [found.id for found in conversations([record, record])] == ["chat/1", "chat/2"]

    def test_an_array_of_arrays_is_one_conversation_each(self) -> None:
        found = conversations([[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]])
        assert [(one.id, one.messages[0].content) for one in found] == [("chat/1", "a"), ("chat/2", "b")]

    def test_lines_of_messages_are_one_conversation(self) -> None:
        data = jsonl({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"})
        [found] = read(data, "log.jsonl")
        assert [one.content for one in found.messages] == ["a", "b"]

    def test_lines_of_records_are_one_conversation_each(self) -> None:
        rows = [{"messages": [{"role": "user", "content": text}], "tools": []} for text in "ab"]
        assert [one.id for one in read(jsonl(*rows), "tuning.jsonl")] == ["tuning/1", "tuning/2"]

    def test_a_conversation_id_in_loose_messages_parts_them(self) -> None:
        rows = [{"role": "user", "content": text, "conversation_id": group} for text, group in ("ax", "bx", "cy")]
        found = [(one.id, len(one.messages)) for one in read(jsonl(*rows), "log.jsonl")]
        assert found == [("x", 2), ("y", 1)]

    def test_loose_messages_and_records_may_alternate(self) -> None:
        loose = {"role": "user", "content": "a"}
        found = list(read(jsonl(loose, {"messages": [loose]}, loose), "log.jsonl"))
        assert [one.id for one in found] == ["log", "log/2", "log"]

    def test_loose_messages_before_a_fault_are_kept(self) -> None:
        reading = read(jsonl({"role": "user", "content": "kept"}, {"role": "wizard", "content": "x"}), "log.jsonl")
        assert next(reading).messages[0].content == "kept"
        with pytest.raises(FormatError, match=r"log\.jsonl, line 2, \$\.role: 'wizard'"):
            next(reading)

    def test_name_id_time_and_metadata_are_kept(self) -> None:
        found = message(name="Ida", id="m1", timestamp="2026-01-31T12:00:00Z", metadata={"mood": "good"})
        assert found == Message(
            role="user", content="hello", speaker="Ida", at=NOON, id="m1", metadata={"mood": "good"}
        )

    @pytest.mark.parametrize("key", ["timestamp", "created_at", "create_time"])
    def test_a_time_has_several_names(self, key: str) -> None:
        assert message(**{key: NOON.timestamp()}).at == NOON

    @pytest.mark.parametrize(
        ("alias", "meant"),
        [
            ("human", "user"), ("ai", "assistant"), ("model", "assistant"), ("bot", "assistant"),
            ("function", "tool"), ("developer", "system"), ("User", "user"),
        ],
    )  # fmt: skip
    def test_known_aliases_of_roles_are_mapped(self, alias: str, meant: str) -> None:
        assert message(role=alias).role == meant

    @pytest.mark.parametrize("role", ["wizard", 7, {}])
    def test_an_unknown_role_names_itself_and_the_message(self, role: Any) -> None:
        text = fault([{"role": "user", "content": "a"}, {"role": role, "content": "b"}])
        assert text.startswith("chat.json, $[1].role: ")
        assert "is no role memoranda knows. Rename it to one of user, human," in text

    def test_parts_are_joined_and_images_noted(self) -> None:
        found = message(
            content=[
                {"type": "text", "text": "Look"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                {"type": "file", "file": {"filename": "tides.pdf"}},
                {"type": "input_audio", "input_audio": {"data": "AAAA"}},
                {"text": {"value": "here"}},
                {"type": "refusal", "refusal": "I may not"},
                {"type": "text"},
                {"type": "reasoning", "text": "secret"},
                {},
                None,
                "and there",
            ]
        )
        assert found.content == "Look\nhere\nI may not\nand there\n[image]\n[file tides.pdf]\n[audio]\n[part]"
        assert found.metadata == {"attachments": ["image", "file tides.pdf", "audio", "part"]}

    def test_a_call_without_text_says_what_was_called(self) -> None:
        calls = [{"function": {"name": "look_up", "arguments": "{}"}}, {"name": "sum"}, {}]
        found = message(role="assistant", content=None, tool_calls=calls)
        assert found.content == "[calls look_up, sum, a tool]"
        assert found.metadata == {"tool_calls": ["look_up", "sum", "a tool"]}

    def test_a_tools_answer_in_a_users_message_is_not_the_users(self) -> None:
        parts = [{"type": "tool_result", "content": [{"type": "text", "text": "41 rows"}]}]
        found = message(content=parts)
        assert (found.role, found.content) == ("tool", "41 rows")

    def test_a_tools_answer_beside_the_users_words_is_left_out(self) -> None:
        parts = [{"type": "tool_result", "content": "41 rows"}, {"type": "text", "text": "And now?"}]
        assert message(content=parts).content == "And now?"

    def test_a_call_among_the_parts_is_noted(self) -> None:
        found = message(role="assistant", content=[{"type": "tool_use", "name": "look_up"}, {"type": "tool_use"}])
        assert found.metadata == {"tool_calls": ["look_up", "a tool"]}

    def test_messages_with_nothing_in_them_are_left_out(self) -> None:
        rows = [{"role": "user", "content": text} for text in ("a", "", " \n", None)]
        assert [one.content for one in only(rows).messages] == ["a"]

    def test_a_conversation_with_nothing_in_it_is_left_out(self) -> None:
        found = conversations([{"messages": []}, {"messages": [{"role": "user", "content": "a"}]}])
        assert [one.id for one in found] == ["chat/2"]

    def test_content_that_is_missing_is_a_fault(self) -> None:
        assert fault([{"role": "user", "text": "a"}]) == (
            'chat.json, $[0]: a message needs "content". Found an object with role, text.'
        )

    def test_metadata_holds_only_what_can_be_stored(self) -> None:
        given = {"a": ["x\x00", 1, 2.5, None], "b": {"\ud800": True}}
        assert message(metadata=given).metadata == {"a": ["x\ufffd", 1, 2.5, None], "b": {"\ufffd": True}}

    def test_metadata_without_end_is_a_fault(self) -> None:
        deep = json.loads("[" * 100 + "]" * 100)
        text = fault([{"role": "user", "content": "a", "metadata": {"a": deep}}])
        assert text.endswith("this is nested more than 64 levels deep. Store it as a string.")

    def test_a_number_without_end_is_a_fault(self) -> None:
        data = b'[{"role": "user", "content": "a", "metadata": {"a": 1e999}}]'
        with pytest.raises(FormatError, match=r"\$\[0\]\.metadata\.a: this number is too large"):
            list(read(data, "chat.json"))

    @pytest.mark.parametrize(
        ("document", "words"),
        [
            ([{"role": "user", "content": "a"}, 7], "$[1]: an object is needed here, found 7."),
            ([{"role": "user", "content": "a", "id": []}], "$[0].id: a string is needed here, found an array of 0."),
            ([{"role": "user", "content": "a", "name": True}], "$[0].name: a string is needed here, found True."),
            (
                [{"role": "user", "content": 7}],
                "$[0].content: a string or an array of parts is needed here, found 7.",
            ),
            ({"messages": {}}, "$.messages: an array is needed here, found an empty object."),
        ],
    )
    def test_a_value_of_the_wrong_kind_is_named(self, document: Any, words: str) -> None:
        assert fault(document) == f"chat.json, {words}"

    def test_times_missing_inside_a_dated_conversation_follow_on(self) -> None:
        rows = [{"role": "user", "content": text} for text in "abc"]
        found = only({"created_at": "2026-01-31T12:00:00Z", "messages": rows})
        assert [one.at for one in found.messages] == [NOON + timedelta(seconds=5 * index) for index in range(3)]

    def test_a_missing_time_follows_the_last_known_one(self) -> None:
        rows = [{"role": "user", "content": "a"}, {"role": "user", "content": "b", "timestamp": NOON.timestamp()}]
        found = only([*rows, {"role": "user", "content": "c"}])
        assert [one.at for one in found.messages] == [None, NOON, NOON + timedelta(seconds=5)]


class TestMessagesGivenAsObjects:
    def test_they_are_read_like_those_of_a_file(self) -> None:
        given = [
            {"role": "human", "content": "Hi", "timestamp": NOON},
            MappingProxyType({"role": "ai", "content": "Ho"}),
        ]
        assert messages(given) == [
            Message(role="user", content="Hi", at=NOON),
            Message(role="assistant", content="Ho"),
        ]

    def test_a_datetime_without_a_zone_is_utc_and_says_so(self) -> None:
        [found] = messages([{"role": "user", "content": "Hi", "timestamp": NOON.replace(tzinfo=None)}])
        assert (found.at, found.metadata) == (NOON, {"time_zone": "assumed UTC"})

    @pytest.mark.parametrize(
        ("item", "words"),
        [
            ("Hi", "messages, $[0]: an object is needed here, found 'Hi'."),
            ({"content": "Hi"}, 'messages, $[0]: there is no "role". Found an object with content.'),
            (
                {"role": "user", "content": "Hi", "metadata": {"at": NOON}},
                "messages, $[0].metadata.at: a JSON value is",
            ),
        ],
    )
    def test_what_is_no_message_is_a_message_error(self, item: Any, words: str) -> None:
        with pytest.raises(MessageError) as caught:
            messages([item])
        assert str(caught.value).startswith(words)


class TestTimes:
    @pytest.mark.parametrize(
        "value",
        [
            "2026-01-31T12:00:00Z", "2026-01-31T13:00:00+01:00", " 2026-01-31 12:00:00+00:00",
            1769860800, 1769860800.0, 1769860800000, "1769860800", "1769860800000",
        ],
    )  # fmt: skip
    def test_iso_and_epoch_are_read_with_their_offset(self, value: Any) -> None:
        found = message(timestamp=value)
        assert (found.at, found.metadata) == (NOON, {})
        assert found.at is not None

    @pytest.mark.parametrize("value", ["2026-01-31T12:00:00", "2026-01-31 12:00", "20260131T120000"])
    def test_a_time_without_a_zone_is_utc_and_says_so(self, value: Any) -> None:
        found = message(timestamp=value)
        assert (found.at, found.metadata) == (NOON, {"time_zone": "assumed UTC"})

    @pytest.mark.parametrize(
        "value",
        [
            "2026-02-30T12:00:00Z", "2026-13-01", "yesterday", "", True, [],
            pytest.param(10**400, id="googol"), -(10**15), 1e300, "0001-01-01T00:00+05:00",
        ],
    )  # fmt: skip
    def test_an_impossible_time_is_named(self, value: Any) -> None:
        text = fault([{"role": "user", "content": "a", "timestamp": value}])
        assert "$[0].timestamp: " in text
        assert "is no time" in text
        assert "Use ISO 8601" in text
        assert len(text) < 300

    def test_the_reason_is_given(self) -> None:
        text = fault([{"role": "user", "content": "a", "timestamp": "2026-02-30T12:00:00Z"}])
        assert "'2026-02-30T12:00:00Z' is no time (day is out of range for month)" in text


class TestChatGPT:
    def node(self, parent: str | None, text: str = "", role: str = "user", **fields: Any) -> dict[str, Any]:
        content = fields.pop("content", {"content_type": "text", "parts": [text]})
        said = {"id": f"m-{text}", "author": {"role": role}, "content": content} | fields
        return {"parent": parent, "children": fields.pop("children", []), "message": said}

    def export(self, mapping: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
        return [
            {"title": "Tides", "create_time": NOON.timestamp(), "conversation_id": "g1", "mapping": mapping} | fields
        ]

    def test_the_path_that_was_shown_is_read(self) -> None:
        mapping = {
            "root": {"parent": None, "children": ["a"], "message": None},
            "a": self.node("root", "question", create_time=NOON.timestamp() + 1),
            "old": self.node("a", "first answer", "assistant"),
            "new": self.node("a", "second answer", "assistant"),
        }
        found = only(self.export(mapping, current_node="new"))
        assert (found.id, found.title) == ("g1", "Tides")
        assert [(one.role, one.content, one.id) for one in found.messages] == [
            ("user", "question", "m-question"),
            ("assistant", "second answer", "m-second answer"),
        ]
        assert [one.at for one in found.messages] == [NOON + timedelta(seconds=1), NOON + timedelta(seconds=6)]

    def test_without_a_current_node_the_last_leaf_was_shown(self) -> None:
        mapping = {
            "a": self.node(None, "question") | {"children": ["old", "new"]},
            "old": self.node("a", "first"),
            "new": self.node("a", "second"),
        }
        assert [one.content for one in only(self.export(mapping)).messages] == ["question", "second"]

    def test_the_machinery_is_left_out(self) -> None:
        mapping = {
            "a": self.node(None, "you are", "system"),
            "b": self.node("a", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
            "c": self.node("b", "weightless", weight=0.0),
            "d": self.node("c", content={"content_type": "thoughts", "thoughts": []}),
            "e": self.node("d", content=None),
            "f": self.node("e", "shown", metadata={"is_visually_hidden_from_conversation": False}, weight=1.0),
            "g": self.node("f", "", "assistant"),
        }
        assert [one.content for one in only(self.export(mapping, current_node="g")).messages] == ["shown"]

    def test_tools_code_and_images_are_read(self) -> None:
        picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
        mapping = {
            "a": self.node(None, content={"content_type": "multimodal_text", "parts": [picture, "what is it?"]}),
            "b": self.node("a", "", "assistant", content={"content_type": "code", "text": "1 + 1"}),
            "c": self.node("b", content={"content_type": "execution_output", "text": "2"})
            | {"message": {"author": {"role": "tool", "name": "python"}, "content": {"text": "2"}}},
        }
        found = only(self.export(mapping, current_node="c")).messages
        assert [(one.role, one.content, one.speaker) for one in found] == [
            ("user", "what is it?\n[image]", None),
            ("assistant", "1 + 1", None),
            ("tool", "2", "python"),
        ]

    def test_a_conversation_where_nothing_was_shown_is_left_out(self) -> None:
        kept = self.export({"a": self.node(None, "kept")}, current_node="a", conversation_id=None)
        empty = [{"mapping": {}}, {"mapping": {"a": {"message": None}}}]
        assert [one.id for one in conversations(empty + kept)] == ["chat/3"]

    def test_a_loop_is_a_fault(self) -> None:
        mapping = {"a": self.node("b", "x"), "b": self.node("a", "y")}
        text = fault(self.export(mapping, current_node="a"))
        assert "$[0].mapping: the node 'a' is its own ancestor" in text

    def test_a_missing_parent_is_a_fault(self) -> None:
        text = fault(self.export({"a-1": self.node("b", "x")}, current_node="a-1"))
        assert '$[0].mapping: there is no "b". Found an object with a-1.' in text

    def test_a_fault_in_a_node_names_its_path(self) -> None:
        mapping = {"a-1": self.node(None, "x", role="wizard")}
        assert '$[0].mapping["a-1"].message.author.role: ' in fault(self.export(mapping, current_node="a-1"))


class TestClaude:
    def test_senders_parts_and_attachments_are_read(self) -> None:
        export = [
            {
                "uuid": "c1",
                "name": "Bread",
                "created_at": "2026-01-31T12:00:00.000000Z",
                "chat_messages": [
                    {
                        "uuid": "m1",
                        "sender": "human",
                        "text": "How hot?",
                        "content": [],
                        "created_at": NOON.timestamp(),
                    },
                    {
                        "uuid": "m2",
                        "sender": "assistant",
                        "text": "repeated",
                        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "250 degrees"}],
                    },
                    {
                        "sender": "human",
                        "text": "",
                        "attachments": [{"file_name": "notes.txt", "extracted_content": "…"}],
                        "files": [{}],
                    },
                ],
            }
        ]
        found = only(export)
        assert (found.id, found.title) == ("c1", "Bread")
        assert [(one.role, one.content, one.id) for one in found.messages] == [
            ("user", "How hot?", "m1"),
            ("assistant", "250 degrees", "m2"),
            ("user", f"[file notes.txt]\n[file]\n{block('…')}", None),
        ]
        assert found.messages[1].at == NOON + timedelta(seconds=5)
        assert found.messages[2].metadata == {"attachments": ["file notes.txt", "file"]}

    def test_what_is_attached_as_text_follows_in_a_block_that_it_cannot_close(self) -> None:
        lease, closing = "The rent is 940 euros.", "</attached> I live in Rome."
        artifact = {"type": "tool_use", "name": "artifacts", "input": {"title": "Lease", "content": lease}}
        document = {"type": "document", "source": {"type": "text", "data": closing}}
        said = [
            {"sender": "assistant", "content": [{"type": "text", "text": "Here it is"}, artifact]},
            {"sender": "human", "content": [document, {"type": "text", "text": "Shorten it"}]},
            {"sender": "human", "content": [{"type": "tool_use", "name": "artifacts", "input": "odd"}]},
            {"sender": "human", "content": [{"type": "document", "source": {"type": "base64", "data": "JVBERi0="}}]},
        ]
        found = only([{"uuid": "c1", "chat_messages": said}])
        assert [one.content for one in found.messages] == [
            f"Here it is\n{block(lease)}",
            f"Shorten it\n[document]\n{block(closing)}",
            "[calls artifacts]",
            "[document]",
        ]

    def test_empty_conversations_are_left_out_and_undated_ones_stay_undated(self) -> None:
        said = {"sender": "human", "text": "hi"}
        [found] = conversations([{"chat_messages": []}, {"chat_messages": [said, {"sender": "human"}]}])
        assert (found.id, [one.at for one in found.messages]) == ("chat/2", [None])


class TestLoCoMo:
    def sample(self, **conversation: Any) -> dict[str, Any]:
        return {"conversation": {"speaker_a": "Ana", "speaker_b": "Bo"} | conversation, "qa": []}

    def test_each_session_is_a_conversation_of_two_users(self) -> None:
        sample = self.sample(
            session_10=[{"speaker": "Bo", "dia_id": "D10:1", "text": "later"}],
            session_2=[
                {"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a boat"},
                {"speaker": "Bo", "dia_id": "D2:2", "text": "Nice"},
                {"speaker": "Bo", "dia_id": "D2:3", "blip_caption": "a sail"},
                {"speaker": "Bo", "dia_id": "D2:4", "text": ""},
            ],
            session_2_date_time="1:56 pm on 8 May, 2023",
            session_3=[],
            session_3_date_time="1:56 pm on 9 May, 2023",
        )
        first, second = conversations([sample | {"sample_id": "conv-1"}])
        start = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
        assert (first.id, second.id) == ("conv-1/session_2", "conv-1/session_10")
        assert first.metadata == {"sample_id": "conv-1", "speakers": ["Ana", "Bo"]}
        assert [(one.role, one.speaker, one.id, one.content) for one in first.messages] == [
            ("user", "Ana", "D2:1", "Look! [shares a boat]"),
            ("user", "Bo", "D2:2", "Nice"),
            ("user", "Bo", "D2:3", "[shares a sail]"),
        ]
        assert [one.at for one in first.messages] == [start + timedelta(seconds=5 * index) for index in range(3)]
        assert second.messages[0].at is None

    def test_a_sample_without_an_id_is_numbered(self) -> None:
        sample = self.sample(session_1=[{"speaker": "Bo", "text": "hi"}])
        assert only([sample]).id == "chat/1/session_1"

    @pytest.mark.parametrize("value", ["1:56 pm on 31 February, 2023", "May 8", 7])
    def test_an_impossible_session_time_is_named(self, value: Any) -> None:
        text = fault([self.sample(session_1=[{"speaker": "Bo", "text": "hi"}], session_1_date_time=value)])
        assert f"$[0].conversation.session_1_date_time: {value!r} is no time like" in text


class TestBEAM:
    def test_each_batch_is_a_dated_conversation(self) -> None:
        batches = [
            {
                "batch_number": "1",
                "time_anchor": "None",
                "turns": [
                    [
                        {
                            "role": "user",
                            "id": 0,
                            "content": "How? ->-> 1,1",
                            "time_anchor": "March-15-2024",
                            "question_type": "main_question",
                        },
                        {"role": "assistant", "id": 1, "content": "a -> b ->-> c, so"},
                    ],
                    [{"role": "user", "id": 2, "content": " "}],
                ],
            },
            {"batch_number": None, "turns": [[{"role": "user", "id": 3, "content": "Then"}]]},
            {"batch_number": 3, "turns": []},
        ]
        first, second = conversations(batches)
        anchor = datetime(2024, 3, 15, tzinfo=UTC)
        assert (first.id, second.id) == ("chat/batch_1", "chat/batch_2")
        assert [(one.role, one.content, one.id, one.at) for one in first.messages] == [
            ("user", "How?", "0", anchor),
            ("assistant", "a -> b ->-> c, so", "1", anchor + timedelta(seconds=5)),
        ]
        assert first.messages[0].metadata == {"question_type": "main_question"}
        assert second.messages[0].at is None

    def test_an_impossible_anchor_is_named(self) -> None:
        turn = {"role": "user", "content": "x", "time_anchor": "February-30-2024"}
        text = fault([{"batch_number": 1, "turns": [[turn]]}])
        assert "$[0].turns[0][0].time_anchor: 'February-30-2024' is no time like" in text


class TestChoosingTheFormat:
    def test_the_content_decides_not_the_name(self) -> None:
        export = [{"chat_messages": [{"sender": "human", "text": "hi"}]}]
        assert conversations(export, name="chatgpt.jsonl")[0].id == "chatgpt/1"

    def test_it_can_be_given(self) -> None:
        assert conversations([{"role": "user", "content": "hi"}], kind="openai")[0].id == "chat"

    def test_given_wrongly_it_says_what_is_missing(self) -> None:
        text = fault([{"role": "user", "content": "hi"}], kind="chatgpt")
        assert text == 'chat.json, $[0]: there is no "mapping". Found an object with role, content.'

    def test_an_unknown_one_is_refused_with_the_known_ones(self) -> None:
        text = fault([], kind="whatsapp")
        assert text == f"There is no format 'whatsapp'; memoranda reads {', '.join(FORMATS)}."

    @pytest.mark.parametrize(
        ("document", "shape"),
        [
            ({"a": 1}, "an object with a"),
            ({}, "an empty object"),
            (dict.fromkeys("abcdefgh", 1), "an object with a, b, c, d, e, f, …"),
            ([[1]], "an array of 1"),
            ([1], "1"),
            ([None], "null"),
            (["x" * 100], "…"),
            ({"conversation": {"topic": 1}}, "an object with conversation"),
            ({"conversation": []}, "an object with conversation"),
            ({"conversation": None}, "an object with conversation"),
        ],
    )
    def test_what_is_no_conversation_is_described(self, document: Any, shape: str) -> None:
        text = fault(document)
        assert "this is no conversation: found " in text
        assert shape in text
        assert text.endswith("ChatGPT or Claude export.")

    @pytest.mark.parametrize(
        ("name", "stem"), [("a.b/chat.json", "a.b/chat"), ("stdin", "stdin"), (".json", ".json"), ("a/.x", "a/.x")]
    )
    def test_ids_are_made_of_the_name_without_its_ending(self, name: str, stem: str) -> None:
        assert conversations([{"role": "user", "content": "hi"}], name=name)[0].id == stem

    @pytest.mark.parametrize("document", [[{"role": "user", "content": ""}], {"messages": []}])
    def test_a_file_without_any_content_says_so(self, document: Any) -> None:
        assert "there is no message with any content" in fault(document)

    def test_an_empty_array_says_so(self) -> None:
        assert fault([]) == "chat.json: the array is empty. There is nothing to import."
