"""When something happened is read from turns that tell it, and not from those that only speak of it."""

from datetime import UTC, datetime

import pytest

from memoranda.core.recall.event_dates import day_of_event, naming
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

ANALYZER = Analyzer(stem)
MAY = datetime(2026, 5, 10, 12, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, 12, tzinfo=UTC)
TENTH = datetime(2026, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "words", "terms"),
    [
        ("en", "our last move", ("move",)),
        ("en", "we moved to Lisbon", ("move", "lisbon")),
        ("de", "dem Umzug", ("umzug",)),
        ("es", "mi mudanza", ("mudanza",)),
        ("zh", "搬家", ("搬家",)),
        ("en", "it was", ()),
        ("en", "work", ()),
        ("en", "the dinner", ()),
        ("en", "the dinner with Ann", ("dinner", "ann")),
        ("de", "der Arbeit", ()),
        ("es", "la cena", ()),
        ("fr", "l'école", ()),
        ("zh", "睡觉", ()),
    ],
)
def test_articles_pronouns_and_habits_do_not_tell_which_event_is_meant(
    language: str, words: str, terms: tuple[str, ...]
) -> None:
    assert naming(words, language, ANALYZER) == terms


@pytest.mark.parametrize(
    ("told", "day"),
    [
        ([], None),
        (["The move went well."], MAY),
        (["The move was on 10 February."], TENTH),
        (["Our move. Did you see the van?"], MAY),
        (["The move went well.", "The move was on 10 February."], TENTH),
        (["Where did I live before the move?"], None),
        (["When was the move? I forgot."], None),
        (["Where did I live last week, before the move?"], None),
        (["Since the move I sleep well."], None),
        (["Since the move I sleep well; on 3 March I ran."], None),
        (["I lived at the mill until the move on 10 February."], TENTH),
        (["Where was I before the move?"] * 5 + ["The move was on 10 February."], TENTH),
        (["The move takes two weeks."], MAY),
        ([f"{'So it goes. ' * 400}The move was on 10 February."], None),
    ],
)
def test_a_day_is_told_by_what_is_stated(told: list[str], day: datetime | None) -> None:
    assert (
        day_of_event(("move",), [(text, MAY if at == 0 else JUNE) for at, text in enumerate(told)], "en", ANALYZER)
        == day
    )
