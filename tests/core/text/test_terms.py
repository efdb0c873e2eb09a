import json
from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, encodable
from memoranda.core.text.terms import (
    Analyzer,
    content_hash,
    count_words,
    english,
    estimate_tokens,
    jaccard,
    normalise,
    storable,
    traits,
)

ANYTHING = st.text(st.characters())


@given(ANYTHING)
def test_the_normal_form_is_its_own(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User likes tea.", "user  likes\nTEA"),
        ("„Ärger“", "ärger"),
        ("ﬁsh", "fish"),
        ("STRASSE", "straße"),
        ("x", " x!? "),
    ],
)
def test_what_differs_in_form_alone_is_the_same(a: str, b: str) -> None:
    assert normalise(a) == normalise(b)
    assert content_hash(a) == content_hash(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User writes C.", "User writes C++."),
        ("User writes C#.", "User writes C++."),
        ("It is -5", "It is 5"),
        ("-5", "5"),
        ("5 %", "5"),
        ("5 €", "5 $"),
        ("कि", "का"),
    ],
)
def test_what_differs_in_a_sign_is_not_the_same(a: str, b: str) -> None:
    assert normalise(a) != normalise(b)


def test_languages_that_differ_in_a_sign_are_different_terms() -> None:
    terms = Analyzer(str).terms("C, C++; C# (F#), 10+ and A++B")
    assert terms == ["c", "c++", "c#", "f#", "10", "b"]


def test_parts_of_a_hash_do_not_run_together() -> None:
    assert content_hash("a", "b") != content_hash("ab") != content_hash("b", "a")


@given(st.lists(ANYTHING, max_size=4), st.lists(ANYTHING, max_size=4))
def test_ids_are_one_only_where_all_parts_are(a: list[str], b: list[str]) -> None:
    owner = Owner("acme", "alice")
    assert (derived_id(owner, *a) == derived_id(owner, *b)) == (a == b)
    assert derived_id(owner, *a) != derived_id(Owner("acme", "bob"), *a)
    assert derived_id(owner, *a) == str(uuid5(UUID("6d656d73-7472-5174-8100-000000000000"), json.dumps([*owner, *a])))


@given(ANYTHING)
def test_what_is_storable_is_encodable_and_as_long(text: str) -> None:
    clean, repairs = storable(text)
    assert encodable(clean)
    assert "\x00" not in clean
    assert len(clean) == len(text)
    assert sum(a != b for a, b in zip(clean, text, strict=True)) == repairs
    assert storable(clean) == (clean, 0)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The cats' dog's DOG isn't here", ["cats", "dog", "dog"]),
        ("Don’t e-mail me at 9:30", ["e", "mail", "9", "30"]),
        ("snake_case", ["snake", "case"]),
        ("漢字を読む", ["漢字", "字を", "を読", "読む"]),
        ("犬", ["犬"]),
        ("犬 dog猫x", ["犬", "猫"]),
        ("…!? 🦀", []),
        ("x" * 200, ["x" * 64]),
    ],
)
def test_terms_are_what_carries_meaning(text: str, terms: list[str]) -> None:
    assert Analyzer(str).terms(text) == terms


def test_words_are_stemmed_once() -> None:
    asked: list[str] = []

    def stem(word: str) -> str:
        asked.append(word)
        return word.removesuffix("s")

    analyzer = Analyzer(stem)
    assert analyzer.terms("The crabs crabs CRABS") == ["crab"] * 3
    assert asked == ["crabs"]


def test_opposites_are_pairs() -> None:
    assert all(len(set(pair.split("/"))) == 2 for pair in english().opposites | english().styles)


def test_what_is_known_of_words_is_bounded() -> None:
    analyzer = Analyzer(str)
    analyzer._known = dict.fromkeys(map(str, range(200_000)), ("known",))
    assert analyzer.terms("crab 7") == ["crab", "known"]
    assert len(analyzer._known) == 200_000


@given(ANYTHING)
def test_terms_can_be_stored_side_by_side(text: str) -> None:
    terms = Analyzer(str).terms(text)
    assert " ".join(terms).split() == terms
    assert not english().stop & set(terms)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Where is it?", ("question",)),
        ("在哪里？", ("question",)),
        ("pier 12", ("number",)),
        ("last Tuesday", ("time",)),
        ("at 9:30", ("number", "time")),
        ("[shares a picture of a crab]", ("image",)),
        ("[shares a crab] look!", ()),
        ("It rains", ()),
    ],
)
def test_traits_are_seen(text: str, found: tuple[str, ...]) -> None:
    assert traits(text) == found


@given(ANYTHING, ANYTHING)
def test_a_whole_costs_no_more_than_its_parts(a: str, b: str) -> None:
    assert 0 <= estimate_tokens(a + b) <= estimate_tokens(a) + estimate_tokens(b)
    assert (estimate_tokens(a) == 0) == (a == "")


#: Texts and how many tokens o200k makes of them.
COUNTED = [
    ("ok", 1),
    ("I live in Oslo and work at the shipyard.", 11),
    ("On Thursday I have the dentist, so not before eleven; keep mails short, and no small talk.", 21),
    ("2026-01-31, 09:30, +49 40 5550 1234, 1,249.00 EUR", 30),
    ("Ticket 550e8400-e29b-41d4-a716-446655440000", 20),
    ("https://harbour.example.org/docs/index.html?id=48213&lang=en", 16),
    ("def area(width, height):\n    if width < 0:\n        raise ValueError(width)\n    return width * height\n", 25),
    ("🎉🎉 See you at the 🏠! 👍🏽", 15),
    ("Ich wohne seit drei Jahren in Hamburg und arbeite bei einer Spedition am Hafen.", 18),
    ("Mi hermana se llama Lucía y el mes que viene se muda a Montevideo.", 17),
    ("Ma sœur s'appelle Élodie et elle déménage à Bruxelles le mois prochain.", 18),
    ("我妹妹叫小雨，下个月要搬到成都去。", 13),
    ("妹の名前はユキで、来月札幌に引っ越します。", 19),
    ("제 여동생 이름은 수진이고 다음 달에 대전으로 이사해요.", 20),
    ("น้องสาวของฉันชื่อฝน เดือนหน้าจะย้ายไปขอนแก่น", 19),
    ("اسم أختي ليلى وستنتقل الشهر القادم إلى عمّان.", 16),
    ("मेरी बहन का नाम मीरा है और वह अगले महीने पुणे जा रही है।", 19),
    ("Мою сестру зовут Аня, в следующем месяце она переезжает в Самару.", 23),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_tokens_are_estimated_on_the_high_side(text: str, tokens: int) -> None:
    assert tokens <= estimate_tokens(text) <= 1.8 * tokens


def test_english_is_estimated_closely() -> None:
    english = COUNTED[:3]
    assert sum(estimate_tokens(text) for text, _ in english) <= 1.15 * sum(tokens for _, tokens in english)


def test_half_a_surrogate_pair_costs_something() -> None:
    assert estimate_tokens("\ud83d") >= 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("yes", 1), ("", 0), ("So be it, then.", 4), ("好的", 1), ("我在奥斯陆的船厂工作", 5), ("… — !", 0)],
)
def test_words_are_counted(text: str, words: int) -> None:
    assert count_words(text) == words


def test_shared_terms() -> None:
    assert jaccard(["a", "b", "b"], ["b", "c"]) == pytest.approx(1 / 3)
    assert jaccard([], []) == 1.0
    assert jaccard(["a"], []) == 0.0
