import pytest

from memoranda.core.language.engine import extract

Expected = tuple[str, str | None, int]


def read(text: str) -> list[Expected]:
    return [(str(found.value), found.attribute, found.polarity) for found in extract(text, language="fr")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mon nom est Paul Vidal", [("Paul Vidal", "identity.name", 1)]),
        ("Je suis Paul, j'habite à Lyon", [("Paul", "identity.name", 1), ("Lyon", "location.city", 1)]),
        (
            "Je travaille chez Orange comme développeur",
            [("Orange", "work.employer", 1), ("développeur", "work.role", 1)],
        ),
        ("Je viens de Bretagne", [("Bretagne", "location.origin", 1)]),
        ("Ma fille s'appelle Inès", [("Inès", "family.daughter.name", 1)]),
        ("J'ai un chat qui s'appelle Minou", [("Minou", "pet.cat.name", 1), ("chat", "pet.owns", 1)]),
        ("Je suis mariée et j'ai deux filles", [("mariée", "family.status", 1), ("deux filles", "family.children", 1)]),
        ("Je suis allergique au gluten", [("gluten", "health.allergy", 1)]),
        ("Je ne suis pas végétarien", [("végétarien", "health.diet", -1)]),
        ("Je ne mange pas de viande", [("viande", "preference.viande", -1)]),
        ("Mon film préféré est Amélie", [("Amélie", "favourite.film", 1)]),
        ("Ma sœur n'aime pas le fromage", [("fromage", "preference.fromage", -1)]),
        ("J'aime le jazz et je déteste le bruit", [("jazz", "preference.jazz", 1), ("bruit", "preference.bruit", -1)]),
        ("J'apprends le japonais", [("japonais", "language.learning", 1)]),
        ("Je joue du piano", [("piano", "hobby", 1)]),
        ("N'utilise pas d'emojis", [("emojis", "instruction.style", -1)]),
        ("Réponds en anglais", [("anglais", "instruction.language", 1)]),
        ("On a décidé de migrer vers Kubernetes", [("migrer vers Kubernetes", "decision", 1)]),
        ("Je dois appeler la banque demain", [("appeler la banque", "task", 1)]),
        ("Je veux arrêter de fumer", [("arrêter de fumer", "goal", 1)]),
        ("La date limite est le 3 mars", [("3 mars", "project.deadline", 1)]),
        ("Nous vendons des vélos", [("vélos", "business.product", 1)]),
        ("J'aime mieux les phrases courtes", [("phrases courtes", "preference.phrases", 1)]),
        ("Moi c'est Marthe et j'habite à Pau", [("Marthe", "identity.name", 1), ("Pau", "location.city", 1)]),
        ("Je commence chez Bosch en mai", [("Bosch", "work.employer", 1)]),
        ("Je travaille dans une banque", [("banque", "work.employer", 1)]),
        ("Je travaille à la mairie de Lille", [("mairie de Lille", "work.employer", 1)]),
        ("J'habite à Lyon mais je travaille à Paris", [("Lyon", "location.city", 1)]),
        ("Je travaille chez Paris Match", [("Paris Match", "work.employer", 1)]),
        ("jsuis coiffeuse à Pau", [("coiffeuse", "work.role", 1)]),
        ("Un gâteau de Pau, où j'habite", [("Pau", "location.city", 1)]),
        ("Mon fils est là. Il a six ans.", [("six", "identity.age", 1)]),
        ("Je travaille plus chez Bosch", [("Bosch", "work.employer", -1)]),
    ],
)
def test_reads_statements(text: str, expected: list[Expected]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Je n'habite plus à Paris", "L'utilisateur n'habite plus à Paris."),
        ("Je n'aime pas le bruit", "L'utilisateur n'aime pas le bruit."),
        ("Avant, j'habitais à Tours", "L'utilisateur habitait à Tours."),
        ("Ma mère habite à Lyon", "Mère de l'utilisateur habite à Lyon."),
        ("Je suis allergique à l'arachide", "L'utilisateur est allergique à l'arachide."),
    ],
)
def test_words_statements_in_the_third_person(text: str, expected: str):
    assert [found.text for found in extract(text, language="fr")] == [expected]


def test_knows_the_past_what_ended_and_what_is_taken_back():
    (past,) = extract("Je travaillais chez Orange", language="fr")
    assert past.temporal == "past"
    (ended,) = extract("Je ne travaille plus chez Orange", language="fr")
    assert (ended.polarity, ended.correction) == (-1, True)
    (corrected,) = extract("En fait, j'habite à Metz", language="fr")
    assert corrected.correction
    (guessed,) = extract("Je crois que je préfère le train", language="fr")
    assert guessed.certainty == "inferred"


@pytest.mark.parametrize(
    "text",
    [
        "Tu habites à Metz ?",
        "Si j'habitais à Metz, je serais content",
        "Mon frère dit que j'aime le jazz",
        "Karl aime le jazz",
        "Elle habite à Metz",
        "Imagine que j'habite à Rome",
        "J'aime ça",
        "Je viens de finir",
        "Je vais bien",
        "Mon mot de passe est hunter2 et j'habite à Metz",
        "Sur le panneau : « J'habite dans un château près de la mer »",
        "Dans la pièce, l'acteur crie : je déteste la pluie",
        "J'adore quand il pleut",
        "Je travaille pour une idée",
        "Je travaille dans la Drôme",
        "Je travaille au Danemark",
        "J'ai travaillé à Nice",
        "Je commence à Lyon",
        "J'aime bien ta réponse",
    ],
)
def test_leaves_alone_what_is_no_statement_of_the_speaker(text: str):
    assert read(text) == []
