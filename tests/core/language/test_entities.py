from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.language.entities import canonical, find_mentions, named_in
from memoranda.core.text.detect import LANGUAGES

TYPES = {"person", "place", "organisation", "product", "handle", "quantity", "thing"}


def named(text: str, language: str = "en") -> list[tuple[str, str]]:
    return [(mention.name, mention.type) for mention in find_mentions(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My sister Anna called", [("Anna", "person")]),
        ("my friend tariq uses postgres", [("tariq", "person"), ("postgres", "product")]),
        ("I saw Dr. Okonkwo about it", [("Dr. Okonkwo", "person")]),
        ("Ludwig van Beethoven met Mary J. Blige", [("Ludwig van Beethoven", "person"), ("Mary J. Blige", "person")]),
        ("My boss Quillon is away", [("Quillon", "person")]),
        ("Zorblax said no to the offer", [("Zorblax", "person")]),
        ("I told Xanthe everything", [("Xanthe", "person")]),
        ("Anna's brother knows O'Brien", [("Anna", "person"), ("O'Brien", "thing")]),
        ("I met Will yesterday", [("Will", "person")]),
        ("Will Harper said so", [("Will Harper", "person")]),
        ("Met Anna for lunch", [("Anna", "person")]),
        ("Dinner Anna cooked was great", [("Anna", "person")]),
        ("Tom and I went home, J.K. Rowling too", [("Tom", "person"), ("J.K. Rowling", "thing")]),
    ],
)
def test_finds_people(text: str, expected: list[tuple[str, str]]):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved from Lyon to San Francisco", [("Lyon", "place"), ("San Francisco", "place")]),
        ("we are flying to new york", [("new york", "place")]),
        ("I spent a week in Quibdo", [("Quibdo", "place")]),
        ("We walked around Lake Selwyn", [("Lake Selwyn", "place")]),
        ("I was born in the U.S. in 1990", [("U.S", "place")]),
        ("Castle Anna is old", [("Castle Anna", "place")]),
    ],
)
def test_finds_places(text: str, expected: list[tuple[str, str]]):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She works at Siemens", [("Siemens", "organisation")]),
        ("I work as an engineer at Zentrix", [("Zentrix", "organisation")]),
        ("We signed with Acme, Inc. last week", [("Acme, Inc", "organisation")]),
        ("I studied at the University of Oxford", [("University of Oxford", "organisation")]),
        ("New York University took me", [("New York University", "organisation")]),
        ("the Growth team owns it", [("Growth", "organisation")]),
        ("He is a volunteer for the RNLI", [("RNLI", "organisation")]),
        ("We buy at Marks & Spencer", [("Marks & Spencer", "organisation")]),
    ],
)
def test_finds_organisations(text: str, expected: list[tuple[str, str]]):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I lead Project Falcon", [("Project Falcon", "product")]),
        ("the Falcon project is late", [("Falcon", "product")]),
        ("He upgraded to Python 3.11", [("Python", "product")]),
        ("we run Zonda 2.4 in production", [("Zonda", "product")]),
        ("Moved everything into DataLoom", [("DataLoom", "product")]),
        ("my iPhone broke", [("iPhone", "product")]),
        ("I wear a Google Pixel watch", [("Google Pixel", "product")]),
        ("they use Kestrel", [("Kestrel", "product")]),
        ('Have you read "The Salt Roads"?', [("The Salt Roads", "product")]),
        ("I watched 'Dune' twice", [("Dune", "product")]),
        ("我在读《三体》", [("三体", "product")]),
    ],
)
def test_finds_products_projects_and_works(text: str, expected: list[tuple[str, str]]):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mail anna@example.com or @bob_k", ["anna@example.com", "@bob_k"]),
        ("see https://docs.example.io/x?y=1 and shop.example.com.", ["docs.example.io", "shop.example.com"]),
        ("PROJ-123 blocks #release, not #1", ["PROJ-123", "#release"]),
        ("edit src/main.py, then notes.md.", ["src/main.py", "notes.md"]),
    ],
)
def test_finds_handles(text: str, expected: list[str]):
    assert named(text) == [(name, "handle") for name in expected]


def test_looks_for_no_handle_in_a_word_of_any_length():
    assert named("a/" * 300 + "x.py is odd") == []


def test_finds_quantities_but_no_dates():
    text = "On 12 March 2024 I ran 10 km for $1,200.50, that is 20% more, in 3 weeks"
    assert named(text) == [("10 km", "quantity"), ("$1,200.50", "quantity"), ("20%", "quantity")]


@pytest.mark.parametrize(
    "text",
    [
        "I think that Monday in May is fine. However, coffee is great.",
        "Coffee is great. Please help. THIS IS REALLY IMPORTANT TO ME.",
        "ASAP please, the API and the CEO can wait, LOL",
        "Will you come? May I ask? Mark my words.",
        "She speaks French and German",
        'He said "Please come back later." and left',
        "The President left, don't ask",
        "I do hate it. HATE is a word",
        "The APIs and the RPGs are fine. Family game nights are fun.",
        "I like the hospital. Combining work and play is fun, by the way. Fully agreed!",
    ],
)
def test_takes_no_capital_for_a_name_without_support(text: str):
    assert named(text) == []


def test_shouting_is_no_evidence_but_known_names_are():
    assert named("I LOVE PIZZA AND MY SISTER ANNA LIVES IN BERLIN") == [("ANNA", "person"), ("BERLIN", "place")]


@pytest.mark.parametrize(
    ("text", "name", "aliases"),
    [
        ("International Business Machines (IBM) hired me", "International Business Machines", ("IBM",)),
        ("I met Robert, or Bob for short", "Robert", ("Bob",)),
        ("we pay Corvid Analytics, also known as Corvid", "Corvid Analytics", ("Corvid",)),
        ("I run DataLoom — we call it Falcon", "DataLoom", ("Falcon",)),
    ],
)
def test_joins_names_given_in_the_same_breath(text: str, name: str, aliases: tuple[str, ...]):
    (mention,) = find_mentions(text)
    assert (mention.name, mention.aliases) == (name, aliases)


@pytest.mark.parametrize(
    "text", ["I like Paris (France)", "Anna or Bob will come", "I met Anna (25% off)", "Anna (Bob's sister)"]
)
def test_does_not_join_what_only_stands_together(text: str):
    assert all(mention.aliases == () for mention in find_mentions(text))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Meine Schwester Anke wohnt in Köln", [("Anke", "person"), ("Köln", "place")]),
        ("de", "Der Hund bellt und die Katze schläft im Garten", []),
        ("de", "Ich arbeite bei Kranich und Herr Özdem auch", [("Kranich", "organisation"), ("Herr Özdem", "person")]),
        ("de", "Ich wohne in Wipperfeld", [("Wipperfeld", "place")]),
        ("es", "Mi hermana Lucía vive en Sevilla", [("Lucía", "person"), ("Sevilla", "place")]),
        ("es", "Trabajo en Norvento", [("Norvento", "organisation")]),
        ("es", "Estudio en la Universidad de Chile", [("Universidad de Chile", "organisation")]),
        ("fr", "Ma sœur Élodie habite à Nantes", [("Élodie", "person"), ("Nantes", "place")]),
        ("fr", "Je travaille chez L'Oréal avec l'équipe d'Agnès", [("Oréal", "organisation"), ("Agnès", "person")]),
        ("zh", "我叫王小明\uff0c住在北京", [("王小明", "person"), ("北京", "place")]),
        ("zh", "我姐姐王丽在上海星辰公司上班", [("王丽", "person"), ("上海星辰公司", "organisation")]),
        (
            "zh",
            "我用Python写代码\uff0c老张说微信不好用",
            [("Python", "product"), ("老张", "person"), ("微信", "product")],
        ),
        ("xx", "My sister Anna called", [("Anna", "person")]),
    ],
)
def test_reads_other_languages(language: str, text: str, expected: list[tuple[str, str]]):
    assert named(text, language) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA's"),
        ("the Ocean  Team", "Ocean Team"),
        ("Dr. Smith", "smith"),
        ("Frau Schmidt", "Schmidt"),
        ("U.S.A.", "USA"),
        ("Acme Inc.", "acme inc"),
        ("Anna\u2019s", "anna"),
        ("\uff21nna", "anna"),
    ],
)
def test_canonical_names_are_equal(one: str, other: str):
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("User also likes al dente pasta and Al.", ["al", "asta"], ["al"]),
        ("User loves planning.", ["ann", "us", "u", "er lo"], []),
        ("User lives in the U.S.", ["us"], ["us"]),
        ("Anna\u2019s boat is in Stra\u00dfe 3.", ["anna", "strasse 3", "strasse"], ["anna", "strasse 3", "strasse"]),
        ("User uses C++ and c.", ["c++", "c"], ["c++", "c"]),
        ("用户在Google工作，住在北京。", ["google", "北京", "oogle"], ["google", "北京"]),
    ],
)
def test_a_name_stands_in_a_text_by_itself(text: str, names: list[str], found: list[str]):
    assert named_in(text, names) == found


def test_canonical_keeps_what_tells_names_apart():
    assert canonical("Node.js") == "node.js"
    assert canonical("The") == "the"
    assert canonical("...") == "..."


@given(st.text(max_size=200), st.sampled_from([*LANGUAGES, "xx"]))
def test_never_fails_and_offsets_match(text: str, language: str):
    mentions = find_mentions(text, language)
    assert all(text[mention.start : mention.end] == mention.name and mention.type in TYPES for mention in mentions)
    assert all(first.end <= second.start for first, second in pairwise(mentions))


PARTS = ["I", "met", "Anna", "Will", "(", ")", ",", ".", "of", "the", "van", "Inc", "\u00ab", "O'Neil", "Dr", "in"]
PARTS += ["Paris", "GPT-4", "x.py", "我叫", "王", "'s", "&", "\n", "Bank", "aka", "5", "km", "NASA", "#a1"]


@given(st.lists(st.sampled_from(PARTS), max_size=14), st.sampled_from(LANGUAGES))
def test_holds_for_any_order_of_words(parts: list[str], language: str):
    for text in (" ".join(parts), "".join(parts)):
        for mention in find_mentions(text, language):
            assert text[mention.start : mention.end] == mention.name


@given(st.text(max_size=60))
def test_canonical_knows_no_surrounding_space(name: str):
    assert canonical(name) == canonical(f"  {name} ")
