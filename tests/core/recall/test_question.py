from datetime import UTC, datetime

import pytest

from core.making import passage
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import Partition, entity_id
from memoranda.core.recall.question import interpret
from memoranda.core.recall.search import Question
from memoranda.core.rows import Entity
from memoranda.core.temporal import query_window
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

SCOPE = Scope(tenant="acme", user="alice")
OWNER = SCOPE.owner
ADA = entity_id(OWNER, "ada lovelace")
MAY = datetime(2026, 5, 20, tzinfo=UTC)
APRIL = 56 * 12 + 3  # of 2026, counted from January 1970


def asked(text: str, now: datetime = MAY) -> tuple[Question, object]:
    partition = Partition(OWNER, "", 0)
    ada = Entity(tenant="acme", user="alice", id=ADA, name="ada lovelace", type="person")
    spoken = [passage("p1", speaker="Ada Lovelace"), passage("p2", speaker="Bob"), passage("p3")]
    partition.absorb(spoken, entities=[ada])
    window = query_window(text, now, "en")
    return interpret(text, partition, SCOPE, Analyzer(stem), now, "en", window), window


def test_a_question_without_a_time() -> None:
    question, window = asked("Which boat did Ada Lovelace buy?")
    assert window is None
    assert set(question.terms) >= {"boat", "ada", "buy"}
    assert question.speakers == (0,)
    assert question.entities == frozenset({ADA})
    assert (question.months, question.only_time, question.wants_time, question.wants_number) == (
        (),
        False,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("text", "time", "number"),
    [
        ("When did it rain?", True, False),
        ("What year was that?", True, False),
        ("How long did it take?", True, False),
        ("How many crabs?", False, True),
        ("Wie viele Krabben?", False, True),
        ("什么时候下雨？", True, False),
        ("Where was it?", False, False),
    ],
)
def test_what_kind_of_answer_is_wanted(text: str, time: bool, number: bool) -> None:
    question, _ = asked(text)
    assert (question.wants_time, question.wants_number) == (time, number)


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("What did I say last week about the ferry?", "en", True),
        ("Have we ever talked about the ferry last week?", "en", True),
        ("Which ferry had you recommended last week?", "en", True),
        ("What did I eat last week?", "en", False),
        ("What did I say about the ferry?", "en", False),
        ("Was habe ich letzte Woche über die Fähre gesagt?", "de", True),
        ("Was habe ich letzte Woche gegessen?", "de", False),
        ("¿Qué dije la semana pasada del barco?", "es", True),
        ("Qu'ai-je dit la semaine dernière du bateau ?", "fr", True),
        ("我上周说过什么船？", "zh", True),
        ("上周我吃了什么？", "zh", False),
    ],
)
def test_when_it_was_said_is_asked_for(text: str, language: str, said: bool) -> None:
    window = query_window(text, MAY, language)
    question = interpret(text, Partition(OWNER, "", 0), SCOPE, Analyzer(stem), MAY, language, window)
    begin, end = (datetime(2026, 5, day, tzinfo=UTC).timestamp() for day in (11, 18))
    assert question.said == ((begin, end) if said else None)


@pytest.mark.parametrize(
    ("text", "months", "only_time"),
    [
        ("What did we talk about last month?", (APRIL,), True),
        ("What did we say about the ferry last month?", (APRIL,), False),
        ("What happened in 2025?", tuple(range(APRIL - 15, APRIL - 3)), True),
        ("What happened on 2026-04-30?", (APRIL,), True),
        ("What happened between March 15 2026 and April 2 2026?", None, True),
    ],
)
def test_a_time_gives_its_months(text: str, months: tuple | None, only_time: bool) -> None:
    question, window = asked(text)
    assert window is not None
    assert question.only_time is only_time
    if months is not None:
        assert question.months == months


def test_a_time_without_an_end_gives_no_months() -> None:
    question, window = asked("What happened since 2020?")
    assert question.months == ()
    assert window is not None


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("What is the name of my boat?", ("boat",)),
        ("What is my boat called?", ("boat",)),
        ("What is my name?", ()),  # and so all of its terms count
    ],
)
def test_what_is_named_is_what_a_question_is_about(text: str, content: tuple[str, ...]) -> None:
    question, _ = asked(text)
    assert question.content == content
    assert question.terms


def test_a_question_for_names_of_a_time_asks_for_no_more_than_names() -> None:
    question, window = asked("Which names came up last month?")
    assert window is not None
    assert not question.only_time


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("Can you summarise how the boat went?", True),
        ("In what order did I mention the boats?", True),
        ("哪些船？", True),
        ("What has Ada painted?", True),
        ("Where has she camped?", True),
        ("Which old books does Ada own?", True),
        ("What are her dogs called?", True),
        ("How many times did we sail?", True),
        ("Which boat is red?", False),
        ("When did Ada buy the boats?", False),
        ("Which boat does Ada own?", False),
        ("Who has the key to the boat?", False),
    ],
)
def test_what_more_than_one_passage_answers(text: str, many: bool) -> None:
    assert asked(text)[0].wants_many is many


@pytest.mark.parametrize(
    ("text", "back", "helped"),
    [
        ("Can you show me how to paint a boat?", False, True),
        ("I'm buying a boat. What would you suggest?", False, True),
        ("What should a boat not have?", False, True),
        ("How do I like my crabs?", False, True),
        ("Paint a boat", False, True),
        ("When is the race?", False, False),
        ("What is the price of the boat?", False, False),
        ("What would you suggest, as you did the last time? What did you say?", True, False),
        ("Which boat did I say I could buy?", True, False),
        ("Can you sum up our conversations about boats?", True, False),
        ("Can you summarise what should be done?", True, False),
        ("Welches Boot soll ich kaufen?", False, True),
        ("Was habe ich über Boote gesagt?", True, False),
        ("¿Qué barco me recomiendas?", False, True),
        ("¿Qué te dije del barco, y qué me recomiendas?", True, False),
        ("Quel bateau me conseilles-tu ?", False, True),
        ("Qu'ai-je dit du bateau ?", True, False),
        ("推荐什么船？", False, True),
        ("我说过什么船？", True, False),
    ],
)
def test_what_a_wish_bears_on(text: str, back: bool, helped: bool) -> None:
    question, _ = asked(text)
    assert (question.asks_back, question.asks_help) == (back, helped)
