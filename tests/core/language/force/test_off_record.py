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


ANNOUNCING = [
    "Turn off memory for my next message.",
    "Don't save anything I say from now on.",
    "Darf ich dir etwas im Vertrauen sagen?",
    "Kannst du das Folgende bitte für dich behalten?",
    "Pause recording, I'm going to tell you something.",
    "Please don't store the next thing I tell you.",
    "I'm going to tell you something, and I don't want it stored.",
    "The next thing I say shouldn't be remembered.",
    "What I say next is confidential.",
    "My next message is private, so don't keep it.",
    "Please ignore my next message for your memory.",
    "I'd like to say something that you won't store.",
    "Can you promise not to save what I'm about to say?",
    "Can we go off the record for a second?",
    "Don't log what comes next.",
    "Let's go off the record.",
    "Speichere meine nächste Nachricht nicht.",
    "Was ich gleich sage, soll nicht gespeichert werden.",
    "Kann ich dir etwas erzählen, ohne dass du es speicherst?",
    "Meine nächste Nachricht bitte nicht merken.",
    "Das Folgende bleibt unter uns.",
    "No guardes mi próximo mensaje.",
    "Lo que voy a decir no debe guardarse.",
    "¿Puedo contarte algo sin que lo guardes?",
    "Lo siguiente queda entre nosotros.",
    "Mi próximo mensaje es confidencial.",
    "N'enregistre pas mon prochain message.",
    "Ce que je vais dire ne doit pas être enregistré.",
    "Je peux te dire quelque chose sans que tu le gardes ?",
    "Ce qui suit reste entre nous.",
    "Mon prochain message est confidentiel.",
    "下一条消息不要保存。",
    "我接下来说的话请不要记录。",
    "我能跟你说件事吗？别记下来。",
    "下面的话只有你我知道。",
    "接下来的内容是保密的，不要存。",
    "What I'm about to write must not end up in your memory.",
    "I want to share something, but please don't remember it.",
    "The following message is for your ears only, don't store it.",
    "Don't remember the next thing I tell you.",
    "Nothing of what I say next should be saved.",
    "Could I mention something without you saving it?",
    "Please don't keep a record of what I tell you next.",
    "Keep my next message out of your notes.",
    "Merk dir nicht, was ich gleich schreibe.",
    "Die nächste Nachricht ist vertraulich, bitte nicht speichern.",
    "Darf ich dir was sagen, das du dir nicht merkst?",
    "Was jetzt kommt, bleibt unter uns.",
    "Behalte meine nächste Nachricht nicht.",
    "No apuntes lo que te voy a contar.",
    "El próximo mensaje no lo guardes.",
    "¿Te puedo decir algo que quede entre nosotros?",
    "Lo que viene ahora no lo registres.",
    "Ne retiens pas ce que je vais te dire.",
    "Le prochain message, ne le garde pas.",
    "Est-ce que je peux te confier un truc sans que tu l'enregistres ?",
    "Ce que je vais écrire doit rester entre nous.",
    "我下一句话不要记。",
    "接下来我要说的别保存。",
    "告诉你一个秘密，不要记录。",
    "下一条请勿存档。",
]
SPOKEN_OF = [  # words that ask, of which nothing is asked
    "Remember the following: I never record podcasts on Mondays.",
    "Nächste Woche bin ich nicht da, merk dir das bitte.",
    "I don't want you to forget it: keep the following in memory.",
    "I never remember my next appointment.",
    "My next doctor is in private practice.",
    "I'm about to tell my wife a secret.",
    "Meine nächste Prüfung ist privat.",
    "Le mois prochain je n'écris pas d'examens.",
    "下一次我不想记笔记。",
    "My next flight is not recorded in the app.",
    "The following week I won't keep the dog.",
    "La próxima semana no guardo turno.",
    "Next time don't write so long answers, keep them short.",
    "I'm going to write a note to my boss, no rush.",
    "Nächsten Monat behalte ich das Auto nicht.",
    "La prochaine fois, ne garde pas les restes.",
    "Note for the next meeting: we do not keep minutes.",
    "Edit the document but don't save it.",
    "What does 'off the record' mean?",
    "Je garde ça pour vous.",
    "不用写这个，我已经写好了。",
    "先不要保存，我还要改。",
    "Open the file and don't save it.",
    'How do I say "don\'t save this" in French?',
    'The phrase "between you and me" is often misspelled.',
    "Format the draft, but don't store it yet.",
    "Mach das Bild heller, aber speicher es nicht.",
    'Was heißt "unter uns gesagt" auf Englisch?',
    "Öffne die Tabelle, speicher sie aber nicht.",
    '¿Qué significa "entre nosotros"?',
    "Ouvre le fichier mais ne l'enregistre pas.",
    "Que veut dire « entre nous » ?",
    "打开文件，不要保存。",
    "“别记下来”用英语怎么说？",
    "My next message will be in German.",
    "The following is my address.",
    "Meine nächste Nachricht ist auf Englisch.",
    "Mi próximo mensaje será más largo.",
    "Mon prochain message sera plus court.",
    "下一条消息我用英语发。",
    "Don't store the keys under the mat.",
    "I never keep what I write.",
    "The meeting was confidential.",
    "My doctor's letter is private, but keep in mind I take iron.",
    "Rename the photo and don't save it twice.",
    "Update the sheet, but don't save it.",
    'What\'s the difference between "off the record" and "on background"?',
    'Translate "this stays between us" into Spanish.',
    "Don't save it as a PDF.",
    "Don't remember the name of that film, do you?",
    "Kürz den Text, aber speicher ihn nicht.",
    'Wie sagt man "merk dir das nicht" höflich?',
    "Ich behalte das für euch.",
    "Abre la hoja y no la guardes.",
    "Entre mi hermana y yo tenemos un coche.",
    '¿Cómo se dice "no lo guardes" en alemán?',
    "Guardo esto para ti.",
    "Ferme le document sans l'enregistrer.",
    "Entre nous et la gare il y a un parc.",
    'Comment dit-on "ne le garde pas" en anglais ?',
    "把图片改一下，先别存。",
    "“只跟你说”是什么意思？",
    "不用记账，我已经付了。",
    "The next message from Kim is confidential mail at work.",
    "The following people live with me: Ann and Bo.",
    "Die nächste Sitzung ist vertraulich.",
    "Nos gusta escribir entre nosotras cartas.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_nothing_is_left_of_what_is_not_to_be_kept(text: str) -> None:
    assert on_record(text) == WITHHELD


@pytest.mark.parametrize("text", [*KEPT, *SPOKEN_OF])
def test_what_asks_for_something_else_stays(text: str) -> None:
    assert on_record(text) == text


@pytest.mark.parametrize("text", ANNOUNCING)
def test_what_comes_next_is_meant_in_whatever_words(text: str) -> None:
    assert on_record(text) == ANNOUNCED


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
