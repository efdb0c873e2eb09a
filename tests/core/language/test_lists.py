"""A list keeps every item, each in a statement of its own; where one cannot be read, none looks complete."""

import pytest

from memoranda.core.language.engine import extract

LISTS = [
    ("en", "I'm allergic to kiwi, sesame, and wasps.", "kiwi|sesame|wasps"),
    ("en", "I hate leeks, radishes and beetroot.", "leeks|radishes|beetroot"),
    ("en", "I don't like ham, tripe or brawn.", "ham|tripe|brawn"),
    ("en", "I own a loom, a potter's wheel, as well as two kilns.", "loom|potter's wheel|two kilns"),
    ("en", "I use Penpot, Zotero & Ledger.", "Penpot|Zotero|Ledger"),
    ("en", "I speak Welsh, Danish plus a bit of Urdu.", "Welsh|Danish|Urdu"),
    ("en", "I love fish and chips, toad in the hole, and mushy peas.", "fish and chips|toad in the hole|mushy peas"),
    ("en", "My daughters are called Freya, Ines and Jo.", "Freya|Ines|Jo"),
    ("en", "We have three kids: Otto (11), Maud (9), and baby Sid.", "Otto|Maud|Sid|three kids"),
    ("en", "I have a cat called Miso, a dog called Bruno and a parrot called Ziggy.", "Miso|Bruno|Ziggy"),
    ("en", "I love dancing, hate bowling and can not stand karaoke.", "dancing|bowling|karaoke"),
    ("en", "My hobbies so far:\n- weaving\n- bell ringing\n\nAny ideas?", "weaving|bell ringing"),
    ("en", "I've been allergic to latex, nickel and dust since 2012.", "latex|nickel|dust"),
    ("de", "Ich bin allergisch gegen Kiwi, Sesam sowie Wespen.", "Kiwi|Sesam|Wespen"),
    ("de", "Ich hasse Lauch, Rettich und Rote Bete.", "Lauch|Rettich|Rote Bete"),
    ("de", "Meine Kinder heißen Ida, Ole und Kim.", "Ida|Ole|Kim"),
    ("de", "Meine Hobbys gerade:\n1. Weben\n2. Glocken läuten\n3. auch Singen\n", "Weben|Glocken läuten|Singen"),
    ("de", "Ich habe eine Katze namens Miso und einen Hund namens Bruno.", "Miso|Bruno"),
    ("es", "Soy alérgica al kiwi, al sésamo y también a las avispas.", "kiwi|sésamo|avispas"),
    ("es", "Odio el apio, los rábanos y la remolacha.", "apio|rábanos|remolacha"),
    ("es", "Mis aficiones:\n- tejer\n- remar\n", "tejer|remar"),
    ("fr", "Je déteste les poireaux, les radis ainsi que les betteraves.", "poireaux|radis|betteraves"),
    ("fr", "Mes enfants s'appellent Zoé, Malo et Inès, et y a aussi Paul, le petit dernier.", "Zoé|Malo|Inès|Paul"),
    ("fr", "J'utilise Zotero, Ledger et Krita.", "Zotero|Ledger|Krita"),
    ("zh", "我对猕猴桃、芝麻以及黄蜂过敏。", "猕猴桃|芝麻|黄蜂"),
    ("zh", "我讨厌韭菜、萝卜和芹菜。", "韭菜|萝卜|芹菜"),
    ("zh", "家里养了一只猫叫豆豆，一条狗叫果果，还有一只兔子叫团团。", "豆豆|果果|团团|兔子"),
]
WHOLE = [
    ("en", "I like rhythm and blues.", "rhythm and blues"),
    ("en", "My favourite food is macaroni and cheese.", "macaroni and cheese"),
    ("en", "My favourite bands are Blur, Pulp and Suede.", "Blur, Pulp and Suede"),
    ("en", "My brother Tom, Anna and I sang.", "Tom"),
    ("en", "I live in Portland, Oregon.", "Portland, Oregon"),
    ("en", "I like Rome, the food is great.", "Rome"),
    ("en", "I love hiking, especially in the Alps, and my dog does too.", "hiking"),
    ("en", "I play tennis, golf and, on Sundays, chess.", "tennis, golf and, on Sundays, chess"),
    ("en", "I hate leeks, radishes, etc.", "leeks, radishes, etc"),
    ("en", "I enjoy knitting, weaving and so on.", "knitting"),
    ("en", "My brother Tom, Anna and Mia came over.", "Tom"),
    ("de", "Ich arbeite bei Holz und Heim.", "Holz und Heim"),
    ("es", "Vivo en Córdoba, Argentina.", "Córdoba"),
    ("zh", "我住在宁波，鄞州那边。", "宁波"),
]


@pytest.mark.parametrize(("language", "text", "values"), LISTS)
def test_each_item_of_a_list_is_a_statement(language: str, text: str, values: str):
    assert [str(one.value) for one in extract(text, language=language)] == values.split("|")


@pytest.mark.parametrize(("language", "text", "value"), WHOLE)
def test_what_is_no_list_or_is_not_read_as_one_stays_whole(language: str, text: str, value: str):
    assert [one.value for one in extract(text, language=language)] == [value]


@pytest.mark.parametrize(("language", "text", "values"), LISTS)
def test_an_item_lies_where_the_text_says_it(language: str, text: str, values: str):
    for one, value in zip(extract(text, language=language), values.split("|"), strict=True):
        assert value[-3:] in text[one.start : one.end]


def test_sentences_below_a_heading_stay_sentences():
    read = extract("About me:\n- I live in Graz\n- my wife is called Anna\n")
    assert [one.value for one in read] == ["Graz", "Anna"]


def test_a_clause_about_what_is_somebodys_is_no_item():
    read = extract("I'm married, my wife's name is Corinne, my mother is not speaking to me.")
    assert [one.value for one in read] == ["married", "Corinne"]


def test_what_several_are_is_no_name():
    assert extract("My kids are Swiss, loud and happy.") == []
