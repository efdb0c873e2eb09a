"""What is denied or over: whatever rule reads the affirmation reads, with the same words, that it is not so."""

from datetime import UTC, datetime

import pytest

from memoranda.core.language.engine import extract
from memoranda.core.temporal import find_times

MORNING = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


def read(text: str, language: str = "en") -> list[tuple[str | None, object, int, str, str]]:
    return [
        (item.attribute, item.value, item.polarity, item.temporal, item.text)
        for item in extract(text, language=language)
    ]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My role is no longer engineer.", "work.role", "engineer"),
        ("The deadline is no longer 3 May.", "project.deadline", "3 May"),
        ("We host on AWS no more.", "project.hosting", "AWS"),
        ("The API no longer runs on port 8080.", "project.api.port", "8080"),
        ("I don't have asthma any more.", "health.condition", "asthma"),
        ("I used to have asthma.", "health.condition", "asthma"),
        ("Bob isn't my boss anymore.", "people.manager.name", "Bob"),
        ("I've recently stopped learning Spanish.", "language.learning", "Spanish"),
    ],
)
def test_what_is_over_is_told_as_what_it_was(text: str, attribute: str, value: str):
    ((path, said, polarity, _, told),) = read(text)
    assert (path, said, polarity) == (attribute, value, -1)
    assert "longer" in told


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My hobby isn't chess.", "hobby", "chess"),
        ("We don't sell cars.", "business.product", "cars"),
        ("I have not moved to Berlin.", "location.city", "Berlin"),
        ("I'm not planning to visit Japan.", "goal", "visit Japan"),
    ],
)
def test_what_is_denied_is_told_as_what_is_not_so(text: str, attribute: str, value: str):
    ((path, said, polarity, _, told),) = read(text)
    assert (path, said, polarity) == (attribute, value, -1)
    assert told.startswith("Not so: ")


@pytest.mark.parametrize("text", ["I no longer hate jazz.", "I don't hate jazz."])
def test_a_dislike_that_is_over_or_denied_is_no_liking(text: str):
    assert [(value, polarity, temporal) for _, value, polarity, temporal, _ in read(text)] == [("jazz", -1, "past")]


@pytest.mark.parametrize(
    "text",
    [
        "I don't always use Slack.",
        "I'm not just a teacher.",
        "I don't only drink tea.",
        "I like people who no longer smoke.",
        "I'm used to working at night.",
        "I'm not always vegan.",
        "I'm no longer just a teacher.",
        "I'm not just a teacher anymore.",
        "I'm no longer strictly vegan.",
        "I no longer only use Slack.",
    ],
)
def test_what_is_not_always_so_is_not_denied(text: str):
    assert all(polarity > 0 for _, _, polarity, _, _ in read(text))


@pytest.mark.parametrize("text", ["I quit my job at Acme.", "I resigned from Acme.", "I was fired from Acme."])
def test_who_left_an_employer_has_none_there(text: str):
    assert ("work.employer", "Acme", -1) in [found[:3] for found in read(text)]


@pytest.mark.parametrize(
    ("language", "text", "attribute", "value"),
    [
        ("de", "Ich habe keinen Hund mehr.", "pet.owns", "Hund"),
        ("de", "Ich bin kein Vegetarier mehr.", "health.diet", "Vegetarier"),
        ("de", "Ich muss Bob nicht mehr anrufen.", "task", "Bob anrufen"),
        ("de", "Ich ziehe doch nicht nach Oslo.", "location.city", "Oslo"),
        ("de", "Mein Hobby ist nicht Schach.", "hobby", "Schach"),
        ("es", "Ya no tengo que llamar a Bob.", "task", "llamar a Bob"),
        ("es", "Mi jefe ya no se llama Bob.", "people.manager.name", "Bob"),
        ("fr", "Je ne veux plus apprendre le chinois.", "goal", "apprendre le chinois"),
        ("fr", "Mon chef ne s'appelle plus Bob.", "people.manager.name", "Bob"),
        ("zh", "我不学西班牙语了。", "language.learning", "西班牙语"),
        ("zh", "我最喜欢的颜色不是蓝色。", "favourite.colour", "蓝色"),
    ],
)
def test_every_language_reads_what_is_not_so(language: str, text: str, attribute: str, value: str):
    ((path, said, polarity, _, _),) = read(text, language)
    assert (path, said, polarity) == (attribute, value, -1)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich bin nicht nur Lehrer."),
        ("de", "Ich glaube nicht, dass ich Jazz mag."),
        ("fr", "Je n'aime pas seulement le jazz."),
        ("fr", "Je ne parle pas très bien espagnol."),
        ("fr", "Je n'habite pas seul à Paris."),
        ("zh", "我不只是老师。"),
        ("zh", "我不觉得我喜欢爵士乐。"),
    ],
)
def test_a_denial_of_something_else_is_none(language: str, text: str):
    assert read(text, language) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I no longer live with John in Berlin.", "location.city"),
        ("I don't work full-time at Acme.", "work.employer"),
        ("I'm not a strict vegan.", "health.diet"),
        ("I'm not severely allergic to nuts.", "health.allergy"),
        ("I'm not fluent in French.", "language.spoken"),
        ("I wasn't a fan of opera.", "preference.opera"),
        ("I'm single in this game.", "family.status"),
        ("I'm a student at MIT.", "work.employer"),
    ],
)
def test_what_may_be_denied_of_something_else_is_not_denied(text: str, attribute: str):
    assert attribute not in [path for path, *_ in read(text)]


@pytest.mark.parametrize(
    "text", ["I live in Rome and this week I'm visiting Oslo.", "I live in Rome, but until June we stay in Oslo."]
)
def test_a_time_before_the_next_subject_is_that_of_the_next(text: str):
    (found,) = extract(text, times=find_times(text, MORNING, "en"))
    assert (found.text, found.temporal, found.when) == ("User lives in Rome.", "current", None)


def test_a_time_is_no_name():
    assert "identity.nickname" not in [path for path, *_ in read("Never call me today.")]


def test_a_wish_for_this_year_is_a_plan():
    assert [temporal for *_, temporal, _ in read("I want to learn Italian this year.")] == ["future"]


def test_who_was_laid_off_by_somebody_is_told_once():
    assert [told for *_, told in read("I got laid off from Acme.")] == ["User got laid off from Acme."]


def test_who_left_may_have_left_something_else():
    assert [told for *_, told in read("I quit Instagram.")] == ["User quit Instagram."]


def test_what_narrows_is_told_in_the_third_person():
    ((_, value, _, _, told),) = read("I used to love jazz when I was young.")
    assert (value, told) == ("jazz when I was young", "User used to love jazz when they were young.")


def test_what_is_less_than_something_else_is_told_with_it():
    ((_, value, polarity, _, told),) = read("I don't like hiking as much as climbing.")
    assert (value, polarity) == ("hiking as much as climbing", -1)
    assert told == "User does not like hiking as much as climbing."


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("Ich wohne in Linz und fahre nicht Auto.", "de", "Nutzer wohnt in Linz."),
        ("Ich trinke keinen Alkohol und rauche nicht.", "de", "Nutzer trinkt kein Alkohol."),
        ("Ich arbeite bei Bosch, aber nicht mehr lange.", "de", "Nutzer arbeitet bei Bosch."),
        ("Ma sœur habite à Lyon et ne vient jamais.", "fr", "Sœur de l'utilisateur habite à Lyon."),
        ("Je suis médecin et n'aime pas le sang.", "fr", "L'utilisateur est médecin."),
        ("我住在北京,不开车", "zh", "用户住在北京。"),
        ("我爸爸是律师,没有时间", "zh", "用户的爸爸是律师。"),
        ("Ich liebe Wien, vertrage aber Milch nicht.", "de", "Nutzer liebt Wien."),
        ("Meine Schwester wohnt in Ulm und kennt Peter nicht.", "de", "Nutzers Schwester wohnt in Ulm."),
        ("Ich wohne in Linz, aber nicht mehr in der Altstadt.", "de", "Nutzer wohnt in Linz."),
        ("Vivo en Madrid, cosa que no me gusta.", "es", "Usuario vive en Madrid."),
        ("Ich wohne in Linz und Max arbeitet nicht.", "de", "Nutzer wohnt in Linz."),
        ("Ich wohne in Linz und das Auto fährt nicht.", "de", "Nutzer wohnt in Linz."),
        ("Ich arbeite bei Bosch und war nicht krank.", "de", "Nutzer arbeitet bei Bosch."),
        ("Ich wohne in Linz und hier gibt es keine Berge.", "de", "Nutzer wohnt in Linz."),
        ("J'habite à Lyon où il ne fait pas froid.", "fr", "L'utilisateur habite à Lyon."),
        ("J'ai un chien qui n'aboie pas.", "fr", "L'utilisateur a un chien."),
        ("Vivo en Madrid donde no hace frío.", "es", "Usuario vive en Madrid."),
        ("我在北京工作但不喜欢", "zh", "用户住在北京。"),
        ("我在银行工作没几年", "zh", "用户在银行工作。"),
        ("My brother Tom isn't here.", "en", "User's brother is called Tom."),
        ("My brother Tom no longer calls.", "en", "User's brother is called Tom."),
        ("Meine Schwester Mia raucht nicht.", "de", "Nutzers Schwester heißt Mia."),
        ("Ma sœur Anne ne vient pas.", "fr", "Sœur de l'utilisateur s'appelle Anne."),
        ("我哥哥王明没来", "zh", "用户的哥哥叫王明。"),
    ],
)
def test_a_denial_of_something_else_leaves_what_was_said_before(text: str, language: str, told: str):
    assert [statement.text for statement in extract(text, language=language)] == [told]


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("Ich wohne in Linz, aber jetzt nicht mehr.", "de", "Nutzer wohnt nicht mehr in Linz."),
        ("Ich arbeite bei Bosch, aber seit Mai nicht mehr.", "de", "Nutzer arbeitet nicht mehr bei Bosch."),
        ("我住在北京,现在不住了", "zh", "用户不再住在北京。"),
        ("My brother isn't called Tom.", "en", "Not so: User's brother is called Tom."),
        ("Ich wohne in Linz, aber nicht mehr.", "de", "Nutzer wohnt nicht mehr in Linz."),
        ("Ich wohne in Linz, seit gestern aber nicht mehr.", "de", "Nutzer wohnt nicht mehr in Linz, seit gestern."),
        ("Ich wohne in Linz, aber ab Mai nicht mehr.", "de", "Nutzer wohnt nicht mehr in Linz."),
        ("Ich wohne in Linz, das ist aber nicht mehr so.", "de", "Nutzer wohnt nicht mehr in Linz."),
        ("Dass ich in Linz wohne, stimmt nicht.", "de", "Nutzer wohnt nicht in Linz."),
        ("Ich arbeite bei Bosch, doch das tue ich nicht mehr.", "de", "Nutzer arbeitet nicht mehr bei Bosch."),
        ("Ma sœur habite à Lyon mais n'y habite plus.", "fr", "Sœur de l'utilisateur n'habite plus à Lyon."),
        ("J'habite à Lyon mais n'y habite plus.", "fr", "L'utilisateur n'habite plus à Lyon."),
        ("J'habite à Lyon, mais ce n'est plus vrai.", "fr", "L'utilisateur n'habite plus à Lyon."),
        ("我住在北京，这不是真的", "zh", "用户不住在北京。"),
        ("我在华为工作，但已经不在了", "zh", "用户不再在华为工作。"),
        ("Vivo en Madrid, eso no es verdad.", "es", "Usuario no vive en Madrid."),
    ],
)
def test_a_denial_of_what_was_said_before_denies_it(text: str, language: str, told: str):
    assert [statement.text for statement in extract(text, language=language)] == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ich mag Kaffee und Tee nicht.", "Nutzer mag Kaffee und Tee nicht."),
        ("Meine Mutter mag Hunde und Katzen gar nicht.", "Nutzers Mutter mag Hunde und Katzen nicht."),
        ("Ich mag schwarzen Kaffee und grünen Tee nicht.", "Nutzer mag schwarzen Kaffee und grünen Tee nicht."),
        ("Ich mag rote und grüne Äpfel nicht.", "Nutzer mag rote und grüne Äpfel nicht."),
        (
            "Ich liebe Berge, Wälder und Seen nicht.",
            "Nutzer liebt Berge nicht. Nutzer liebt Wälder nicht. Nutzer liebt Seen nicht.",
        ),
    ],
)
def test_a_denial_behind_a_list_denies_all_of_it(text: str, told: str):
    assert " ".join(statement.text for statement in extract(text, language="de")) == told


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("Ich mag Kaffee und schwarzen Tee gar nicht.", "de", "Kaffee und schwarzen Tee"),
        ("Ich mag Kaffee oder Tee am Morgen nicht.", "de", "Kaffee oder Tee am Morgen"),
        ("Ich mag Kaffee, Tee und Kuchen nicht.", "de", "Kaffee, Tee, Kuchen"),
    ],
)
def test_what_only_goes_on_with_a_list_is_denied_with_it(text: str, language: str, value: str):
    read = extract(text, language=language)
    assert (", ".join(str(one.value) for one in read), {one.polarity for one in read}) == (value, {-1})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ich mag weder Tee noch Kaffee.", "de"),
        ("Ich mag kaum Tee.", "de"),
        ("Je n'aime ni le thé ni le café.", "fr"),
        ("Je n'aime guère le thé.", "fr"),
        ("Uso nunca Linux.", "es"),
    ],
)
def test_what_a_value_denies_is_not_affirmed(text: str, language: str):
    assert extract(text, language=language) == []
