"""What is ruled or habitual keeps its denial and its qualifiers; what only sounds like a denial is none."""

import pytest

from memoranda.core.language.engine import extract

RULES = [
    ("en", "Never merge on a Monday.", "never merge on a Monday"),
    ("en", "don't ever phone me after 9pm", "don't ever phone me after 9pm"),
    ("en", "Don't text my landlord.", "don't text my landlord"),
    ("en", "Please don't schedule calls before ten", "don't schedule calls before ten"),
    ("en", "One rule for releases, when you help me: never tag without a changelog.", "never tag without a changelog"),
    ("en", "Stick to the shop, not the blog", "stick to the shop, not the blog"),
    ("de", "Ruf mich nicht vor 9 an.", "Ruf mich nicht vor 9 an"),
    ("de", "Antworte mir bitte nie auf Englisch, auch wenn ich frage.", "Antworte mir bitte nie auf Englisch"),
    ("de", "Setz in meine Briefe immer das Datum oben rechts.", "Setz in meine Briefe immer das Datum oben rechts"),
    ("es", "Nunca me mandes facturas en PDF.", "Nunca me mandes facturas en PDF"),
    ("es", "Usa siempre el sistema métrico.", "Usa siempre el sistema métrico"),
    ("fr", "Ne me tutoie jamais dans les courriers.", "Ne me tutoie jamais dans les courriers"),
    ("fr", "Réponds toujours avec un exemple.", "réponds toujours avec un exemple"),
]
HABITS = [
    (
        "en",
        "I never reply to mails on Sundays.",
        "never reply to mails on Sundays",
        "User never replies to mails on Sundays.",
    ),
    ("en", "I never ski without a helmet.", "never ski without a helmet", "User never skis without a helmet."),
    ("de", "Ich fahre nie ohne Helm.", "fahre nie ohne Helm", "Nutzer fährt nie ohne Helm."),
    (
        "es",
        "Nunca salgo sin paraguas.",
        "Nunca salgo sin paraguas",
        "Costumbre de Usuario: «Nunca salgo sin paraguas».",
    ),
    (
        "fr",
        "Je ne réponds jamais aux mails le dimanche.",
        "ne réponds jamais aux mails le dimanche",
        "L'utilisateur ne réponds jamais aux mails le dimanche.",
    ),
]


@pytest.mark.parametrize(("language", "text", "value"), RULES)
def test_a_rule_says_what_never_to_do(language: str, text: str, value: str):
    read = [(one.attribute, str(one.value).lower(), one.polarity) for one in extract(text, language=language)]
    assert read == [("instruction.rule", value.lower(), 1)]


@pytest.mark.parametrize(("language", "text", "value", "told"), HABITS)
def test_a_habit_says_what_one_never_does_and_when(language: str, text: str, value: str, told: str):
    (read,) = extract(text, language=language)
    assert (read.attribute, read.value, read.text) == ("habit.never", value, told)


def test_a_second_rule_is_kept_too():
    read = extract(
        "For any Rust you write for me: docs yes, but never use unsafe and don't leave debug prints in my code."
    )
    assert [one.value for one in read] == ["never use unsafe", "don't leave debug prints in my code"]
    read = extract("Always cc my boss. Don't email my clients.")
    assert [one.value for one in read] == ["always cc my boss", "don't email my clients"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Don't hesitate to ask."),
        ("en", "Don't worry about my mother."),
        ("en", "Don't send it yet."),
        ("en", "Don't change the second paragraph."),
        ("en", "Never mind."),
        ("en", "I never went to Rome."),
        ("en", "I never said that to you."),
        ("de", "Es ist nie so kalt hier."),
        ("de", "Mach dir nicht immer Sorgen um mich."),
        ("es", "Nunca es tarde."),
        ("fr", "N'hésite pas à me contredire."),
        ("fr", "Ne t'inquiète pas pour mon chat."),
        ("zh", "别客气。"),
    ],
)
def test_what_only_sounds_like_a_rule_is_none(language: str, text: str):
    assert extract(text, language=language) == []


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "I can't live without my sourdough", "sourdough"),
        ("es", "No hay nada que me guste más que la paella.", "paella"),
        ("de", "Ich lass keinen Flohmarkt aus! Ich liebe Flohmärkte.", "Flohmärkte"),
        ("zh", "别客气，叫我老周就行", "老周"),
    ],
)
def test_a_denial_may_affirm(language: str, text: str, value: str):
    assert [(str(one.value).removeprefix("my "), one.polarity) for one in extract(text, language=language)] == [
        (value, 1)
    ]


def test_a_chinese_rule_keeps_its_word_for_never():
    (read,) = extract("给我写邮件的时候别用感叹号，看着累", language="zh")
    assert (read.text, read.polarity) == ("用户要求：别用感叹号。", -1)
