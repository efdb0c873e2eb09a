"""What somebody asks not to be kept is withheld before it is written."""

import pytest

from memoranda.core.language.force.off_record import ANNOUNCED, WITHHELD, on_record

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
    "This isn't to be saved: I'm pregnant.",
    "I'm pregnant - this must not be stored.",
    "I don't want you to save this: I'm pregnant.",
    "No need to remember this, but I'm pregnant.",
    "Can you not save this? I'm pregnant.",
    "I'd rather you didn't remember this: I'm pregnant.",
    "Don’t add this to my profile: I'm pregnant.",
    "I'm pregnant. Don't put it in your memory.",
    "I'm pregnant. That was off the record.",
    "The following stays between us:\n\nI'm pregnant.",
    "Bitte nicht speichern: ich bin schwanger.",
    "Ich bin schwanger, das musst du dir aber nicht merken.",
    "Ich will nicht, dass du das speicherst, aber ich bin schwanger.",
    "Nur unter uns, ich bin schwanger.",
    "Estoy embarazada. No lo guardes, por favor.",
    "No quiero que guardes esto, pero estoy embarazada.",
    "Je ne veux pas que tu notes ça, mais je suis enceinte.",
    "Je suis enceinte, pas besoin de retenir ça.",
    "我怀孕了，这个不用记。",
    "我不想让你记住这个，我怀孕了。",
]
KEPT = [
    "No need to write this, I have it already.",
    "I don't want you to write it, just explain.",
    "You shouldn't write that.",
    "Don't you remember that? I live in Rome.",
    "The contract says it must not be kept.",
    "The recipe says this must not be stored.",
    "Das kannst du nicht behalten.",
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
    "My boss doesn't want you to save that file.",
    "This must not be stored in the fridge.",
    "You don't have to keep it warm.",
    "I'd rather you didn't write this in German.",
    "Die Datei bitte nicht speichern.",
    "No quiero que guardes esto en formato PDF.",
    "Je ne veux pas que tu notes les absents.",
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


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Don't save my next message.", ANNOUNCED),
        ("What I'm about to tell you is off the record.", ANNOUNCED),
        ("Can I tell you something off the record?", ANNOUNCED),
        ("Off the record.", ANNOUNCED),
        ("Darf ich dir etwas sagen, ganz im Vertrauen?", ANNOUNCED),
        ("Don't save my next message. Thanks!", ANNOUNCED),
        ("Hey, can I tell you something off the record? I need advice.", ANNOUNCED),
        ("Don't save my next message.\n\nThanks!", ANNOUNCED),
        ("Can I tell you something off the record? I have gout, and it will take a year to go away.", WITHHELD),
        ("Please don't save that.", WITHHELD),
        ("Off the record, I'm ill.", WITHHELD),
        ("Off the record:\nI'm ill.", WITHHELD),
        ("I'm ill.\n\nDon't save this.", WITHHELD),
    ],
)
def test_what_is_announced_comes_next(text: str, kept: str) -> None:
    assert on_record(text) == kept
