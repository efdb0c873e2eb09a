"""The engine of inline extraction: what it reads, what it leaves alone, and that no text can break it."""

import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.core.language import attributes, engine
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.language.engine import extract
from memoranda.core.language.grammar import compile_pack
from memoranda.core.language.pack import Rule, pack_of
from memoranda.core.rows.statements import CERTAINTY, Statement, TimeRef
from memoranda.core.text.detect import LANGUAGES


def only(text: str, **options: object) -> Statement:
    found = extract(text, **options)  # type: ignore[arg-type]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("said", "text", "attribute", "value"),
    [
        ("I prefer short emails", "User prefers short emails.", "preference.email", "short emails"),
        ("i live in berlin", "User lives in berlin.", "location.city", "berlin"),
        ("I moved to Oslo last year.", "User moved to Oslo last year.", "location.city", "Oslo"),
        ("My mom's name is Ines.", "User's mom is called Ines.", "family.mother.name", "Ines"),
        ("my favourite colour is blue", "User's favourite colour is blue.", "favourite.colour", "blue"),
        ("Default Jira project is PROJ", "The default Jira project is PROJ.", "project.default.jira_project", "PROJ"),
        ("We sell handmade soap.", "User's team sells handmade soap.", "business.product", "handmade soap"),
        ("My budget is $1,500 a month.", "User's budget is $1,500 a month.", "project.budget", "$1,500 a month"),
        ("My dog is called “Rex”.", "User's dog is called Rex.", "pet.dog.name", "Rex"),
        ("I love my job and my team.", "User loves their job.", "preference.job", "my job"),
        ("I love 'Dune'.", "User loves 'Dune'.", "preference.dune", "Dune"),
        ("Love pottery!", "User loves pottery.", "preference.pottery", "pottery"),
    ],
)
def test_a_statement_stands_alone_in_the_third_person(said: str, text: str, attribute: str, value: str):
    found = only(said)
    assert (found.text, found.attribute, found.value) == (text, attribute, value)


def test_clauses_are_read_one_by_one_and_share_their_subject():
    found = extract("I like tea and hate coffee, and my sister Anna lives in Berlin and works at Globex.")
    assert [(item.subject, item.text, item.polarity) for item in found] == [
        ("user", "User likes tea.", 1),
        ("user", "User hates coffee.", -1),
        ("user", "User's sister is called Anna.", 1),
        ("Anna", "User's sister Anna lives in Berlin.", 1),
        ("Anna", "User's sister Anna works at Globex.", 1),
    ]


def test_the_evidence_is_what_was_really_said():
    text = "Well, I like tea and hate coffee. Live in Oslo"
    assert [text[item.start : item.end] for item in extract(text)] == ["I like tea", "hate coffee", "Live in Oslo"]


def test_a_copula_is_understood_after_and():
    texts = [item.text for item in extract("I'm vegetarian and allergic to nuts.")]
    assert texts == ["User is vegetarian.", "User is allergic to nuts."]


def test_one_clause_can_state_two_things_but_no_word_is_read_twice():
    found = extract("I work at Acme as a data engineer.")
    assert [(item.attribute, item.value) for item in found] == [
        ("work.employer", "Acme"),
        ("work.role", "data engineer"),
    ]


@pytest.mark.parametrize(
    ("said", "text", "polarity", "temporal", "correction"),
    [
        ("I don't like mushrooms.", "User does not like mushrooms.", -1, "current", False),
        ("I used to work at Initech.", "User used to work at Initech.", 1, "past", False),
        ("I lived in Madrid for a year.", "User used to live in Madrid for a year.", 1, "past", False),
        ("I've lived in Madrid for a year.", "User lives in Madrid for a year.", 1, "current", False),
        ("I worked at Initech.", "User used to work at Initech.", 1, "past", False),
        ("I'm moving to Oslo.", "User is moving to Oslo.", 1, "future", False),
        ("I'm not a vegetarian any more.", "User is no longer vegetarian.", -1, "current", True),
        ("I no longer work at Initech.", "User no longer works at Initech.", -1, "current", True),
        ("Actually, I live in Bergen.", "User lives in Bergen.", 1, "current", True),
        ("I've switched to Helix.", "User switched to Helix.", 1, "current", True),
    ],
)
def test_denials_pasts_and_corrections(said: str, text: str, polarity: int, temporal: str, correction: bool):
    found = only(said)
    assert (found.text, found.polarity, found.temporal, found.correction) == (text, polarity, temporal, correction)


def test_taking_something_back_carries_over_to_the_next_sentence_only():
    found = extract("Scratch that. I live in Bergen. I like tea.")
    assert [item.correction for item in found] == [True, False]


@pytest.mark.parametrize(
    ("said", "certainty"),
    [
        ("I prefer dark mode", "explicit"),
        ("I think I prefer dark mode", "inferred"),
        ("Maybe I like jazz", "uncertain"),
    ],
)
def test_hedges_lower_the_certainty(said: str, certainty: str):
    assert only(said).certainty == certainty


@pytest.mark.parametrize(
    "said",
    [
        "Do you like tea?",
        "where do I live",
        "If I lived in Oslo, I'd be happy.",
        "I would have moved to Rome.",
        "She said I work at Acme.",
        '"I live in Prague and love goulash," he shouted.',
        "> I prefer tabs over spaces",
        "```\nI prefer tabs\n```",
        "<memory>I live in Oslo.</memory>",
        "[memory] I prefer tea",
        "2026-03-04 12:00:01 INFO I prefer port 8080",
        "I like https://example.com/tea",
        "Anna lives in Berlin.",
        "I like to think about it.",
        "I love it!",
        "My hobby is all.",
        "My hobby is to.",
        "I live in my password is hunter2 and in Rome",
        "I like " + "very " * 200 + "long sentences",
        "",
        "42",
    ],
)
def test_what_is_not_a_statement_of_the_speaker_is_left_alone(said: str):
    assert extract(said) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Please proofread this email: Dear Ms Smith, I work at Acme. I live in Oslo. I love trains."),
        ("en", "Translate the following to German:\n\nMy name is Peter. I live in Oslo."),
        ("en", "Can you improve this paragraph? I am a nurse. I live in Oslo."),
        ("en", "Write a short story that starts like this: I live in a cave. I hate people."),
        ("en", "Let's roleplay. I'm a dragon slayer and I live in Mordor."),
        ("en", "Suppose I live in Rome. I work at Acme. What would I pay?"),
        ("de", "Bitte korrigiere diesen Text: Ich heiße Peter. Ich wohne in Rom."),
        ("de", "Kannst du diesen Text übersetzen: Ich wohne in Rom. Ich liebe Züge."),
        ("es", "Corrige este texto: Me llamo Pedro. Vivo en Roma."),
        ("fr", "Corrige ce texte : Je m'appelle Pierre. J'habite à Rome."),
        ("zh", "请把下面的话翻译成英文：我叫小明。我住在巴黎。"),
    ],
)
def test_a_text_to_work_on_a_role_and_a_supposition_state_nothing_to_their_end(language: str, said: str):
    assert extract(said, language=language) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Check this out: I live in Oslo."),
        ("en", "Correct my city: I live in Oslo."),
        ("en", "I live in Oslo. Translate this: I live in Rome."),
        ("de", "Ich habe diesen Text übersetzt. Ich wohne in Oslo."),
        ("es", "En resumen: vivo en Oslo."),
        ("fr", "En résumé : j'habite à Oslo."),
    ],
)
def test_who_only_speaks_of_a_text_states_what_follows(language: str, said: str):
    assert [item.value for item in extract(said, language=language)] == ["Oslo"]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("I'm a florist. Just kidding!", []),
        ("I live in Hull. I drive a Volvo. Lol no.", ["Hull"]),
        ("I'm a florist, jk", []),
        ("I live in Hull. I'm not kidding.", ["Hull"]),
        ("I live in Hull. I live in Hull. Kidding.", ["Hull"]),
        ("Haha no. I live in Hull.", ["Hull"]),
    ],
)
def test_what_is_taken_back_as_a_joke_is_not_kept(said: str, values: list[str]):
    assert [item.value for item in extract(said)] == values


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("Subject: Keys\n\nHi, I live in Hull.\nIda", []),
        ("I live in Hull and I own a shop. Translate this into Dutch.", []),
        ("Dear Mr Poe, I live in Hull. Kind regards, Ida", []),
        ("Patient: I live in Hull. I own a boat.", []),
        ("The mail my tenant sent: I live in Hull. I own a boat.", []),
        ("I live in Hull. Reply to my landlord for me.", ["Hull"]),
    ],
)
def test_what_somebody_else_wrote_states_nothing_of_the_speaker(said: str, values: list[str]):
    assert [item.value for item in extract(said)] == values


def test_what_comes_before_a_question_or_a_report_is_still_read():
    assert only("I'm allergic to nuts, can you adapt the recipe?").value == "nuts"
    assert only("I live in Rome but my boss said we should move.").value == "Rome"


def test_standing_instructions_hold_under_a_condition():
    assert only("Always ask me if you are not sure.").attribute == "instruction.rule"


def test_abbreviations_and_initial_quotes_do_not_end_a_sentence():
    assert only("I work at St. Mary's.").value == "St. Mary's"


def test_only_users_and_named_speakers_are_read():
    assert extract("I like tea", role="assistant") == []
    found = only("I like pottery.", role="assistant", speaker="Caroline")
    assert (found.subject, found.text) == ("Caroline", "Caroline likes pottery.")
    assert only("My sister lives in Graz.", speaker="Caroline").subject == "Caroline's sister"


def test_a_language_without_a_pack_yields_nothing():
    assert extract("I like tea", language="tlh") == []


def test_a_statement_carries_the_time_it_is_about():
    text = "I like tea. I need to call the dentist tomorrow"
    start = text.index("tomorrow")
    day = datetime(2026, 5, 2, tzinfo=UTC)
    ref = TimeRef(text="tomorrow", start=start, end=len(text), begin=day, until=day, grain="day", relation="future")
    tea, call = extract(text, times=[ref])
    assert tea.when is None
    assert call.when == ref
    assert (call.value, call.text, call.temporal) == (
        "call the dentist",
        "User needs to call the dentist tomorrow.",
        "future",
    )


def test_a_value_has_no_time_in_it_and_no_preposition_left_over():
    text = "I need to call the dentist on the 3rd of next month"
    start = text.index("the 3rd")
    day = datetime(2026, 4, 3, tzinfo=UTC)
    ref = TimeRef(text=text[start:], start=start, end=len(text), begin=day, until=day, grain="day", relation="future")
    found = only(text, times=[ref])
    assert (found.value, found.text) == ("call the dentist", f"User needs to {text[10:]}.")


def test_the_phrase_of_a_time_is_kept_whole():
    text = "I have a meeting with Legal every Monday at 9 in room 4"
    ref = TimeRef(text="", start=28, end=45, begin=None, until=None, grain="set", relation="current")
    assert only(text, times=[ref]).text == "User has a meeting with Legal every Monday at 9."


def test_letters_that_only_look_alike_without_case_are_left_as_they_are():
    assert only("I like Müller ı İ").text == "User likes Müller ı İ."


def test_the_same_thing_said_twice_is_one_statement():
    assert len(extract("I like tea. Yes, I like tea!")) == 1


TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            [
                "I",
                "my",
                "sister",
                "Anna",
                "don't",
                "like",
                "live in",
                "work at",
                "a",
                "the",
                "Oslo",
                ",",
                ".",
                "?",
                "!",
                '"',
                "'",
                "```",
                "<memory",
                ">",
                "and",
                "if",
                "not",
                "name",
                "is called",
                "always",
                "never",
                "İ",
                "“",
                "we",
                "$1,500",
                "7:30",
                "https://x.io",
                "\n",
                "[memory]",
                "no longer",
                "used to",
                "my name is",
            ]
        ),
        max_size=60,
    ).map(" ".join),
)


@settings(deadline=None)  # the first example of a language compiles its rules
@given(TEXTS, st.sampled_from(LANGUAGES))
def test_any_text_is_read_without_failing_and_with_evidence_inside_it(text: str, language: str):
    found = extract(text, language=language)
    assert found == extract(text, language=language)
    for item in found:
        assert 0 <= item.start < item.end <= len(text)
        assert item.text.endswith(".")
        assert item.certainty in CERTAINTY
        assert item.rule.startswith(f"{language}:")


@pytest.mark.parametrize(
    "unit", ["i like a ", '"', "'a ", "```", "<memory ", "; ", ". I like tea", "and i like ", "My sister Anna ", "\n> "]
)
def test_hostile_text_of_100_kb_is_read_in_seconds(unit: str):
    text = (unit * 100_000)[:100_000]
    started = time.process_time()
    extract(text)
    assert time.process_time() - started < 10.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_a_pack_compiles_and_has_a_name_of_its_own(language: str):
    pack = pack_of(language)
    assert pack.language == language
    names = [rule.name for rule in pack.rules]
    assert len(set(names)) == len(names)
    for matcher in compile_pack(pack).rules:
        assert "value" in matcher.pattern.groupindex
        assert matcher.rule.cues.split()
        root = (matcher.rule.attribute or "").partition(".")[0]
        assert root in str(attributes.__doc__)
        assert (matcher.unless is None) == (not matcher.rule.unless)
        assert matcher.rule.kind in {"fact", "preference", "decision", "plan"}


def test_a_pack_without_spaces_finds_its_cues_anywhere_and_a_rule_need_not_name_an_attribute(
    monkeypatch: pytest.MonkeyPatch,
):
    rule = Rule("likes", "喜欢", "我喜欢(?P<value>.+)", None, "{S}喜欢{value}", kind="preference")
    grammar = compile_pack(replace(pack_of("en"), language="zz", spaced=False, rules=(rule,)))
    monkeypatch.setattr(engine, "grammar_of", {"zz": grammar}.get)
    assert grammar.cued("我在柏林") == ([], False)
    found = only("我喜欢喝茶", language="zz")
    assert (found.text, found.attribute, found.value, found.rule) == ("User喜欢喝茶.", None, "喝茶", "zz:likes")


@pytest.mark.parametrize(
    ("language", "said", "text"),
    [
        ("en", "I was born in 1988.", "User was born in 1988."),
        ("en", "I no longer speak Latin.", "User does not speak Latin."),
        ("en", "I don't eat meat any more.", "User does not eat meat."),
        ("en", "I'm not diabetic any more.", "User is not diabetic."),
        ("en", "I'm not allergic to peanuts after all.", "User is not allergic to peanuts."),
        ("en", "I'm not from Berlin.", "User is not from Berlin."),
        ("en", "I was on the platform team.", "User was on the platform team."),
        ("en", "I was afraid of dogs.", "User was afraid of dogs."),
        ("en", "I'm no longer a member of the choir.", "User is no longer a member of the choir."),
        ("de", "Ich bin nicht mehr allergisch gegen Nüsse.", "Nutzer ist nicht allergisch gegen Nüsse."),
        ("de", "Ich hasse Zwiebeln nicht mehr.", "Nutzer hasst Zwiebeln nicht mehr."),
        ("es", "Ya no hablo francés.", "Usuario no habla francés."),
        ("zh", "我对花生不过敏。", "用户对花生不过敏。"),
        ("zh", "我对花生不再过敏。", "用户对花生不过敏。"),
        ("fr", "Je ne parle plus français.", "L'utilisateur ne parle pas français."),
    ],
)
def test_what_is_denied_or_over_never_reads_as_if_it_were_so(language: str, said: str, text: str):
    assert only(said, language=language).text == text


def test_what_one_is_not_allergic_to_is_no_allergy():
    found = only("我对花生不过敏。", language="zh")
    assert (found.value, found.polarity) == ("花生", -1)


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "我最喜欢的颜色不是蓝色。"), ("de", "Mein Lieblingsessen ist nicht Pizza.")]
)
def test_what_is_no_favourite_is_not_read_as_one(language: str, text: str):
    assert [item.polarity for item in extract(text, language=language)] == [-1]


@pytest.mark.parametrize(
    "text", ["I'm hardly a vegetarian.", "I nearly joined Google.", "I barely use Slack.", "I supposedly like jazz."]
)
def test_what_is_hardly_so_is_not_read(text: str):
    assert extract(text) == []


@pytest.mark.parametrize(
    ("attribute", "single"),
    [
        ("location.city", True),
        ("identity.name", True),
        ("favourite.colour", True),
        ("project.apollo.deadline", True),
        ("project.stack", False),
        ("project.app.stack", False),
        ("preference.tea", False),
        ("family.sister.name", False),
        ("family.wife.name", True),
        ("health.allergy", False),
        ("instruction.style", False),
        ("location.origin", False),
        ("tool", False),
        ("tool.editor", True),
    ],
)
def test_attributes_that_hold_one_value_at_a_time(attribute: str, single: bool):
    assert is_single_valued(attribute) is single
