"""Rules that put a question in other words, in five languages."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.core.language.entities import find_mentions
from memoranda.core.recall import rewriting
from memoranda.core.recall.rewriting import Filters, event_in, filters, grammar_of, parts, renamed, statement
from memoranda.core.text.detect import LANGUAGES
from memoranda.errors import FormatError

NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", "When did Torben paint the barn?", "Torben paint the barn"),
        ("en", "What kind of tea does Ida like?", "Ida like kind of tea"),
        ("en", "Where do I live?", "I live"),
        ("en", "Who lent me the ladder?", "lent me the ladder"),
        ("en", "What is my favourite dish?", "my favourite dish is"),
        ("en", "Do you remember where Ida works?", "Ida works"),
        ("en", "Can you tell me what I decided about the boat?", "I decided about the boat"),
        ("en", "Is Ida married?", "Ida Is married"),
        ("en", "tell me about  the survey boat", "the survey boat"),
        ("en", "The ladder is made of ash.", None),
        ("en", "?", None),
        ("de", "Wo arbeite ich?", "ich arbeite"),
        ("de", "Wann hat Anna das Haus gekauft?", "Anna hat das Haus gekauft"),
        ("de", "Welche Musik mag Anna?", "Anna mag Musik"),
        ("de", "Hat Anna ein Boot?", "Anna Hat ein Boot"),
        ("de", "Weißt du noch, wer die Leiter geliehen hat?", "die Leiter geliehen hat"),
        ("es", "¿Dónde vive Ana?", "Ana vive"),
        ("es", "¿Cuándo ha comprado Ana la casa?", "Ana ha comprado la casa"),
        ("es", "¿Dónde trabajo?", "trabajo"),
        ("fr", "Où est-ce que j'habite ?", "j'habite"),
        ("fr", "Où habites-tu ?", "tu habites"),
        ("fr", "Où travaille Anna ?", "Anna travaille"),
        ("fr", "Quand Anna a acheté la maison ?", "Anna a acheté la maison"),
        ("zh", "我住在哪里？", "我住在"),
        ("zh", "你记得我喜欢什么音乐吗？", "我喜欢音乐"),
    ],
)
def test_a_question_becomes_a_statement(language: str, question: str, said: str | None) -> None:
    assert statement(question, language) == said


@pytest.mark.parametrize(
    ("language", "question", "found"),
    [
        ("en", "Where does Ida live and what does she do?", ("Where does Ida live", "Ida what does she do")),
        ("en", "What does Ida eat, and what does Torben eat?", ("What does Ida eat", "what does Torben eat")),
        ("en", "What do I eat and where do I live?", ("What do I eat", "where do I live")),
        ("de", "Wo wohnt Anna und was macht sie?", ("Wo wohnt Anna", "Anna was macht sie")),
        ("zh", "我住在哪里，我喜欢什么？", ("我住在哪里", "我喜欢什么")),
        (
            "en", "Which books have both Ida and Torben read?",
            ("Which books have both Ida read?", "Which books have both Torben read?"),
        ),
        ("en", "Where does Ida live?", ()),
        ("en", "When did Ida move to Oslo?", ()),
        ("en", "When did Ida meet Torben?", ()),
        ("en", "Did Ida see Anna, Bob or Torben in Oslo?",
         ("Did Ida see Anna in Oslo?", "Did Ida see Bob in Oslo?", "Did Ida see Torben in Oslo?")),
        ("en", "What is bread and butter?", ()),
        ("en", "And what about it?", ()),
    ],
)  # fmt: skip
def test_a_question_of_several_is_taken_apart(language: str, question: str, found: tuple[str, ...]) -> None:
    assert parts(question, language) == found


@settings(deadline=None)  # the first text in a language loads its grammar
@given(st.text(max_size=80), st.sampled_from(LANGUAGES))
def test_any_text_can_be_asked(text: str, language: str) -> None:
    said = statement(text, language)
    assert said is None or said.strip() == said != ""
    assert all(part.strip() for part in parts(text, language))
    filters(text, language, NOW, [text, "ops"])


def test_a_name_gives_way_to_another() -> None:
    text = "Where does Bob live?"
    (mention,) = find_mentions(text)
    assert renamed(text, mention, "Robert") == "Where does Robert live?"


@pytest.mark.parametrize(
    ("language", "question", "channels", "found"),
    [
        ("en", "What are my preferences?", (), Filters(kinds=frozenset({"preference"}))),
        ("en", "What did we decide in the Tidepool project?", ["Tidepool", "ops"],
         Filters(kinds=frozenset({"decision"}), channels=frozenset({"Tidepool"}))),
        ("en", "who said so in #ops?", ["Tidepool", "ops"], Filters(channels=frozenset({"ops"}))),
        ("en", "the ops of Ida", ["ops"], Filters(names=("Ida",))),
        ("en", "Ida and Ida", (), Filters(names=("Ida",))),
        ("de", "Welche Entscheidung fiel im Kanal werft?", ["werft"],
         Filters(kinds=frozenset({"decision"}), channels=frozenset({"werft"}))),
        ("es", "¿Qué planes tengo?", (), Filters(kinds=frozenset({"plan"}))),
        ("fr", "Quelles sont mes préférences ?", (), Filters(kinds=frozenset({"preference"}))),
        ("zh", "我有什么计划？", (), Filters(kinds=frozenset({"plan"}))),
        ("en", "What is a ferry?", (), Filters()),
    ],
)  # fmt: skip
def test_filters_are_read(language: str, question: str, channels: list[str], found: Filters) -> None:
    assert filters(question, language, NOW, channels) == found
    assert bool(found) is (found != Filters())


def test_a_time_is_a_filter() -> None:
    window = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    assert filters("What happened last month?", "en", NOW).window == window


@pytest.mark.parametrize(
    ("language", "text", "event"),
    [
        ("en", "What did I say about work before the move?", "the move"),
        ("en", "Where did I live before we moved to Lisbon?", "we moved to Lisbon"),
        ("en", "What happened two days after my wedding", "my wedding"),
        ("en", "After the surgery, what did I eat?", "the surgery"),
        ("en", "Since I started at Acme what have I learned?", "I started at Acme"),
        ("en", "Before the party did I call Ann?", "the party"),
        ("en", "Who looks after my dog?", None),
        ("en", "Who looked after my dog before the move?", "the move"),
        ("en", "Since when have I known Ann?", None),
        ("en", "After how many weeks did Tim call?", None),
        ("en", "Whom was I named after?", None),
        ("en", "What did I do after that?", None),
        ("en", "After all, what did I buy?", None),
        ("de", "Was habe ich vor dem Umzug gesagt?", "dem Umzug"),
        ("de", "Was aß ich nach meiner letzten Prüfung?", "meiner letzten Prüfung"),
        ("de", "Wo wohnte ich, bevor ich nach Berlin zog?", "ich nach Berlin zog"),
        ("de", "Was tat ich bis zum Umzug?", "Umzug"),
        ("de", "Wo wohne ich, seit ich in Berlin arbeite?", "ich in Berlin arbeite"),
        ("de", "Seit wann wohne ich hier?", None),
        ("de", "Wie lange fahre ich bis nach Berlin?", None),
        ("de", "Wann fuhr ich nach Berlin?", None),
        ("es", "¿Qué dije antes de la mudanza?", "la mudanza"),
        ("es", "¿Qué comí después del viaje?", "viaje"),
        ("es", "Desde que empecé en Acme qué aprendí", "que empecé en Acme"),
        ("fr", "Où vivais-je avant le déménagement?", "le déménagement"),
        ("fr", "Qu'ai-je mangé après l'opération?", "l'opération"),
        ("fr", "Qu'ai-je mangé après l’opération?", "l’opération"),
        ("fr", "Où vivais-je jusqu'au déménagement?", "déménagement"),
        ("fr", "Où vivais-je avant cette opération?", "cette opération"),
        ("zh", "搬家之前我住在哪里？", "搬家"),
        ("zh", "请问你还记得我们搬家之前住在哪里吗？", "搬家"),
        ("zh", "搬家前我住在哪里？", "搬家"),
        ("zh", "从搬家以来我做了什么？", "搬家"),
        ("zh", "我住在哪里？", None),
    ],
)
def test_an_event_that_tells_a_time_is_found(language: str, text: str, event: str | None) -> None:
    at = event_in(text, language)
    assert (text[slice(*at)] if at else None) == event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_says_what_its_pattern_holds(language: str) -> None:
    grammar = grammar_of(language)
    assert set(grammar.kinds) == {"preference", "decision", "plan"}
    for pattern, said in grammar.rules:
        assert set(re.findall(r"\\g<(\w+)>", said)) == set(pattern.groupindex)


@pytest.mark.parametrize(
    ("entry", "wrong", "says"),
    [
        ("lead", "{nowhere}", "lead uses {nowhere}, which is no macro"),
        ("joint", "(", r"joint is no regular expression: missing \)"),
        ("places", 3, "places = 3 is not of type str"),
        ("rules", {"odd": {"asked": "["}}, r"\[rules.odd\]: .* missing 1 required .* 'said'"),
        ("rules", {"odd": {"asked": "[", "said": ""}}, r"\[rules.odd\] is no regular expression"),
        ("kinds", {"plan": "*"}, r"\[kinds\] plan is no regular expression"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(monkeypatch: pytest.MonkeyPatch, entry: str, wrong: Any, says: str) -> None:
    found = {
        "lead": "",
        "joint": "",
        "places": "",
        "event": "",
        "fillers": "",
        "habits": "",
        "macros": {},
        "rules": {},
        "kinds": {},
        entry: wrong,
    }
    monkeypatch.setattr(rewriting, "read", {"en/questions": found}.__getitem__)
    with pytest.raises(FormatError, match=rf"^languages/en/questions\.toml: {says}"):
        grammar_of.__wrapped__("en")
