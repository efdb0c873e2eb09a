"""What holds for the pack of every language."""

import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda.core.language.attributes import is_own
from memoranda.core.language.engine import extract
from memoranda.core.language.grammar import grammar_of
from memoranda.core.language.pack import pack_of
from memoranda.core.rows.statements import RECORDS
from memoranda.core.text.detect import LANGUAGES


def roots(language: str) -> set[str]:
    return {rule.attribute.partition(".")[0] for rule in pack_of(language).rules if rule.attribute}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_compiles_and_has_a_name_of_its_own(language: str):
    grammar = grammar_of(language)
    assert grammar is not None
    names = [matcher.rule.name for matcher in grammar.rules]
    assert len(names) == len(set(names))
    for matcher in grammar.rules:
        assert matcher.pattern.pattern
        assert matcher.rule.cues
        assert matcher.unless is None or matcher.unless.pattern


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_make_no_kind_that_nobody_can_ask_for(language: str):
    assert {rule.kind for rule in pack_of(language).rules} <= set(RECORDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_holds_a_backspace_where_it_means_the_edge_of_a_word(language: str):
    assert "\\x08" not in repr(pack_of(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_attributes_are_the_paths_that_all_packs_share(language: str):
    assert roots(language) <= roots("en")


#: Rules whose every wording says by itself that something is not so, or how often it is.
TOLD_BY_ITSELF = frozenset(
    {"as_a_rule", "eats_no", "left", "no_longer_with", "stopped", "stopped_having", "stopped_using"}
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_can_be_denied_or_past_has_words_for_it(language: str):
    grammar = grammar_of(language)
    assert grammar is not None
    for matcher in grammar.rules:
        if matcher.rule.name not in TOLD_BY_ITSELF:
            groups = {name.partition("__")[0] for name in matcher.pattern.groupindex}
            choices = re.findall(r"\[(.*?)\]", matcher.rule.text)
            wordings = max((len(choice.split("|")) for choice in choices), default=1)
            needed = 3 if "past" in groups else 2 if groups & {"neg", "ended"} else 1
            assert wordings >= needed, f"{matcher.rule.name}: {matcher.rule.text}"


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text(max_size=200))
def test_no_text_makes_extraction_fail(language: str, text: str):
    for statement in extract(text, language=language):
        assert 0 <= statement.start <= statement.end <= len(text)


@cache
def worded(language: str, name: str) -> st.SearchStrategy[str]:
    """Texts that a pattern of a grammar finds; it takes half a second to make out how to write one."""
    return st.from_regex(getattr(grammar_of(language), name), alphabet=st.characters(codec="ascii"))


@pytest.mark.parametrize("name", ["reports", "hypothetical", "retracts", "condition", "supposed", "cuts"])
@pytest.mark.parametrize("language", [language for language in LANGUAGES if pack_of(language).wary])
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_what_decides_whether_to_look_overlooks_nothing(language: str, name: str, data: st.DataObject):
    grammar = grammar_of(language)
    assert grammar is not None
    text = data.draw(worded(language, name))
    assert grammar.joints.search(text.lower()) if name == "cuts" else grammar.cued(text)[1]


@pytest.mark.parametrize(
    ("language", "joke", "meant"),
    [
        ("de", "Ich bin Pilotin. War nur ein Scherz!", "Ich bin Pilotin. Spaß macht das selten."),
        ("es", "Soy piloto. Era broma.", "Soy piloto. Bromas aparte no hay."),
        ("fr", "Je suis pilote. Non, je rigole !", "Je suis pilote. Je rigole souvent au travail."),
        ("zh", "我是飞行员。骗你的。", "我是飞行员。我喜欢开玩笑。"),
    ],
)
def test_a_joke_taken_back_in_the_next_sentence_is_not_kept(language: str, joke: str, meant: str):
    assert extract(joke, language=language) == []
    assert "work.role" in [item.attribute for item in extract(meant, language=language)]


@pytest.mark.parametrize(
    ("language", "pasted"),
    [
        ("de", "Betreff: Schlüssel\n\nHallo, ich wohne in Ulm.\nLG Ida"),
        ("es", "Asunto: llaves\n\nHola, vivo en Soria.\nAna"),
        ("fr", "J'habite à Metz. Traduis ce texte en anglais."),
        ("zh", "我住在大连。翻译一下上面的话"),
    ],
)
def test_a_mail_and_what_is_to_be_translated_state_nothing(language: str, pasted: str):
    assert extract(pasted, language=language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_attribute_that_rules_write_is_a_hosts_own(language: str):
    written = {str(rule.attribute) for rule in pack_of(language).rules if rule.attribute}
    named = {attribute.replace("{", "").replace("}", "") for attribute in written}
    assert [attribute for attribute in sorted(named) if is_own(attribute)] == []
    assert is_own("shoe_size")
