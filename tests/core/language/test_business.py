"""What people say of their shop, their plan and what they are good at."""

import pytest

from memoranda.core.language.engine import extract


@pytest.mark.parametrize(
    ("language", "text", "attribute", "value"),
    [
        ("en", "I want more soup recipes", "preference.recipes", "more soup recipes"),
        ("en", "I'd like to see monthly summaries", "preference.summaries", "monthly summaries"),
        ("en", "I like the light theme in the terminal", "preference.theme", "light theme in the terminal"),
        ("en", "We upgraded to the Business plan last week.", "account.plan", "Business plan"),
        ("en", "Our shop is in Pune", "business.location", "Pune"),
        ("en", "Our salon is closed on Mondays", "business.hours", "closed on Mondays"),
        ("en", "I'm an expert in Erlang", "skill", "Erlang"),
        ("de", "Unser Laden ist in Kiel.", "business.location", "Kiel"),
        ("de", "Unsere Bäckerei ist montags geschlossen.", "business.hours", "montags geschlossen"),
        ("de", "Ich bin Experte für Rust.", "skill", "Rust"),
        ("es", "Nuestra tienda está en Lugo.", "business.location", "Lugo"),
        ("es", "Nuestra tienda cierra los lunes.", "business.hours", "cierra los lunes"),
        ("fr", "Notre boutique est fermée le lundi.", "business.hours", "fermée le lundi"),
        ("fr", "Je suis spécialiste en droit fiscal.", "skill", "droit fiscal"),
    ],
)
def test_a_business_a_plan_a_skill(language: str, text: str, attribute: str, value: str):
    assert [(one.attribute, one.value) for one in extract(text, language=language)] == [(attribute, value)]


def test_a_bakery_in_a_town_is_both():
    read = {one.attribute: one.value for one in extract("We are a bakery in Mumbai")}
    assert read == {"business.type": "bakery", "business.location": "Mumbai"}


@pytest.mark.parametrize(
    "text",
    [
        "I want more details about it.",
        "I need more time.",
        "I like the second example.",
        "The shop is closed today.",
        "The company is located in trouble.",
        "I'm on the pill.",
    ],
)
def test_what_is_said_of_the_moment_is_not_kept(text: str):
    assert extract(text) == []
