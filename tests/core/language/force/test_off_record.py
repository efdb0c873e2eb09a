"""What somebody asks not to be kept is withheld before it is written."""

import pytest

from memoranda.core.language.force.off_record import WITHHELD, on_record

WHOLE = [
    "Don't save this, but I moved in with Kim.",
    "Please do not remember this: my father drinks.",
    "I lost my job, but please don't note that down.",
    "This is confidential, so don't store it. I have epilepsy.",
    "Off the record, I'm looking for another job.",
    "Between you and me, I failed the exam.",
    "Keep this to yourself: I'm adopted.",
    "Forget that I live in Oslo.",
    "Bitte das hier nicht speichern: ich bin pleite.",
    "Merk dir das bitte nicht, ich bin krank.",
    "Unter uns, ich suche einen neuen Job.",
    "Das bleibt unter uns, ich bin schwanger.",
    "Vergiss, dass ich in Kiel wohne.",
    "No guardes esto: estoy en paro.",
    "Que quede entre nosotros, busco otro trabajo.",
    "Olvida que vivo en Lugo.",
    "N'enregistre pas ça, je suis malade.",
    "Entre nous, je cherche un autre poste.",
    "Oublie que j'habite à Metz.",
    "别记下来，我失业了。",
    "这件事别存，我怀孕了。",
    "只跟你一个人说，我离婚了。",
]
KEPT = [
    "Don't save this file as PDF, I live in Bergen.",
    "Don't keep it in the fridge.",
    "I don't remember that, I was in Rome.",
    "Don't forget that I'm vegan.",
    "The shop between us and the station sells records.",
    "I run an off the record store.",
    "She told me to forget it.",
    "Forget what I said, write long answers.",
    "Speicher die Datei nicht als PDF.",
    "Vergiss nicht, dass ich Veganer bin.",
    "No guardes los cambios todavía.",
    "N'oublie pas que je suis végétarien.",
    "文件先别保存，我住在武汉。",
    "别忘了我对虾过敏。",
]


@pytest.mark.parametrize("text", WHOLE)
def test_nothing_is_left_of_what_is_not_to_be_kept(text: str) -> None:
    assert on_record(text) == WITHHELD


@pytest.mark.parametrize("text", KEPT)
def test_what_asks_for_something_else_stays(text: str) -> None:
    assert on_record(text) == text


def test_what_stands_before_or_in_another_paragraph_stays() -> None:
    text = "I live in Rome.\n\nOff the record, I'm ill. It is bad.\n\nWhat's the weather?"
    assert on_record(text) == f"I live in Rome. {WITHHELD} What's the weather?"


def test_the_speaker_may_go_on_to_something_else() -> None:
    text = "Off the record, I'm pregnant. Nobody knows. Anyway, I need a rota for six."
    assert on_record(text) == f"{WITHHELD} Anyway, I need a rota for six."


def test_a_sentence_that_only_asks_means_its_paragraph_or_the_text() -> None:
    assert on_record("My login is kim_77.\ndont store that") == WITHHELD
    assert on_record("Hello!\n\nDon't save this.\n\nI have gout.") == WITHHELD


def test_what_is_taken_back_goes_with_all_before_it() -> None:
    text = "I owe nine thousand. My wife is Ida. Forget I said that. What's new?"
    assert on_record(text) == f"{WITHHELD} What's new?"


def test_of_a_sentence_that_is_hardly_speech_the_edges_are_searched() -> None:
    words = "and then " * 200
    assert on_record(f"Off the record, {words}") == WITHHELD
    assert on_record(f"I said {words}off the record {words}") == f"I said {words}off the record {words}"
