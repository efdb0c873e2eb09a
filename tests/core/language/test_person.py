import pytest

from memoranda.core.language.engine import extract
from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.person import first_person, retold, sentence_for
from memoranda.core.text.detect import detect


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("User prefers short emails.", "I prefer short emails."),
        ("The user lives in Oslo", "I live in Oslo"),
        ("User's sister is called Anna.", "my sister is called Anna."),
        ("User is a nurse", "I'm a nurse"),
        ("User is not a nurse", "I'm not a nurse"),
        ("User was promoted", "I was promoted"),
        ("User has a dog", "I have a dog"),
        ("User does not eat meat", "I don't eat meat"),
        ("User no longer works at Acme", "I no longer work at Acme"),
        ("User no longer has a dog", "I no longer have a dog"),
        ("User studies law and loves their dog", "I study law and loves my dog"),
        ("User has a dog and is a vet", "I have a dog and I'm a vet"),
        ("User watches chess", "I watch chess"),
        ("User often goes hiking", "I often go hiking"),
        ("User does yoga", "I do yoga"),
        ("User used to live in Oslo", "I used to live in Oslo"),
        ("User likes it because they're old", "I like it because I'm old"),
        ("As of May, the user lives in Turin", "As of May, I live in Turin"),
        ("Omar is the user's manager", "Omar is my manager"),
        ("User's sister Ida loves her job", "my sister Ida loves her job"),
        ("Greta lives in Oslo", None),
        ("Users like it", None),
        ("The users like it", None),
        ("A user lives in Oslo", None),
    ],
)
def test_what_is_said_of_the_user_is_what_the_user_says(text: str, said: str | None):
    assert first_person(text, "en") == said


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de", "Der Nutzer heißt Jan und seine Frau heißt Lena.", "ich heiße Jan und meine Frau heißt Lena."),
        ("de", "Seit Mai arbeitet die Nutzerin bei Bosch.", "Seit Mai arbeite ich bei Bosch."),
        ("de", "Nutzerin freut sich", None),
        ("de", "Die Nutzer wohnen in Berlin", None),
        ("es", "La usuaria se mudó a Bilbao y trabaja en Iberdrola", "me mudé a Bilbao y trabajo en Iberdrola"),
        ("es", "A la usuaria no le gusta el jazz", "no me gusta el jazz"),
        ("es", "El usuario medio prefiere el rojo", None),
        ("fr", "L'utilisatrice s'appelle Ana et habite à Metz", "je m'appelle Ana et habite à Metz"),
        ("fr", "L'utilisateur a un chat et n'aime pas le thé", "j'ai un chat et n'aime pas le thé"),
        ("fr", "L'utilisateur moyen préfère le rouge", None),
        ("zh", "用户的妻子叫小雨", "我的妻子叫小雨"),
        ("zh", "用户名是admin", None),
        ("zh", "有些用户住在上海", None),
    ],
)
def test_it_is_in_every_language(language: str, text: str, said: str | None):
    assert first_person(text, language) == said


def test_others_say_what_is_said_of_them():
    assert first_person("Greta (K.) lives in Oslo", "en", "greta (k.)") == "I live in Oslo"
    assert first_person("Greta mag Tee", "de", "Greta") == "ich mag Tee"


def read(text: str) -> list[tuple[str | None, object, int]]:
    language = detect(text)
    told = retold(text, language, own=False)
    return [(one.attribute, one.value, one.polarity) for one in extract(told, language=language)]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("User is 34 years old. They live in Leeds.", [("identity.age", "34", 1), ("location.city", "Leeds", 1)]),
        (
            "The user's wife is Anna. She works at Bosch.",
            [("family.wife.name", "Anna", 1), ("work.employer", "Bosch", 1)],
        ),
        ("The user moved to Oslo. His manager is Omar.", [
            ("location.city", "Oslo", 1), ("people.manager.name", "Omar", 1),
        ]),
        ("User hates cilantro and loves mangoes", [
            ("preference.cilantro", "cilantro", -1), ("preference.mangoes", "mangoes", 1),
        ]),
        ("Die Schwester des Nutzers wohnt in Kiel.", [("location.city", "Kiel", 1)]),
        ("Nutzer ist gegen Nüsse allergisch und hat zwei Katzen.", [
            ("health.allergy", "Nüsse", 1), ("pet.owns", "zwei Katzen", 1),
        ]),
        ("La usuaria ya no vive en Madrid.", [("location.city", "Madrid", -1)]),
        ("La hermana del usuario se llama Marta.", [("family.sister.name", "Marta", 1)]),
        ("L’utilisatrice est allergique aux arachides.", [("health.allergy", "arachides", 1)]),
        ("La sœur de l'utilisateur s'appelle Anaïs.", [("family.sister.name", "Anaïs", 1)]),
        ("用户在腾讯工作。他住在深圳。", [("work.employer", "腾讯", 1), ("location.city", "深圳", 1)]),
        ("用户现在改用 Zed 了。", [("tool", "Zed", 1)]),
        ("用户不用 Windows。", [("tool", "Windows", -1)]),
        ("The user named Petra lives in Graz.", []),
        ("The user guide lives in docs/en.", []),
        ("The user base in Berlin prefers dark mode.", []),
        ("The user clicked Pay twice and got charged 80 dollars.", []),
        ("One user, Gregor, lives in Lima. I live in Cardiff.", []),
        ("Der Nutzer des Portals wohnt in Linz.", []),
        ("Viele Nutzer wohnen in Berlin.", []),
        ("Un usuario vive en Lugo.", []),
        ("Une utilisatrice, Solène, habite à Metz.", []),
        ("用户们都喜欢深色模式", []),
        ("用户体验组在上海。", []),
    ],
)  # fmt: skip
def test_what_is_told_of_the_user_is_read(text: str, stated: list[tuple[str, str, int]]):
    assert sorted(read(text), key=str) == sorted(stated, key=str)


def test_what_others_say_of_themselves_is_masked_and_the_users_words_stay():
    assert retold("I live in Oslo. User likes tea.", "en", own=False) == f"{MASK * 16}I like tea."
    assert retold("I live in Oslo. User likes tea.", "en", own=True) == "I live in Oslo. I like tea."
    assert retold("The default Jira project is OPS.", "en", own=False) == "The default Jira project is OPS."


def test_a_value_is_told_as_a_sentence():
    assert sentence_for("location.city", "Oslo", "en") == "User lives in Oslo"
    assert sentence_for("location.city", "Oslo", "fr") == "User lives in Oslo"
    assert sentence_for("project.atlas.port_number", "80", "en") == "User's project atlas port number: 80"
