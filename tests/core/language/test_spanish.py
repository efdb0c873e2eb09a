import pytest

from memoranda.core.language.engine import extract

Expected = tuple[str, str | None, int]


def read(text: str) -> list[Expected]:
    return [(str(found.value), found.attribute, found.polarity) for found in extract(text, language="es")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Soy Carlos, trabajo en Indra", [("Carlos", "identity.name", 1), ("Indra", "work.employer", 1)]),
        (
            "Vivo en Buenos Aires, pero nací en Rosario",
            [("Buenos Aires", "location.city", 1), ("Rosario", "location.origin", 1)],
        ),
        ("Soy profesora de música", [("profesora de música", "work.role", 1)]),
        ("Trabajo en una empresa de seguros", [("empresa de seguros", "work.employer", 1)]),
        ("Soy de Colombia", [("Colombia", "location.origin", 1)]),
        ("Mi novia es médica", [("médica", "work.role", 1)]),
        ("Mi hija se llama Inés", [("Inés", "family.daughter.name", 1)]),
        ("Tengo una gata llamada Luna", [("Luna", "pet.cat.name", 1), ("gata", "pet.owns", 1)]),
        ("Estoy casada y tengo dos hijos", [("casada", "family.status", 1), ("dos hijos", "family.children", 1)]),
        ("Mi color favorito es el verde", [("verde", "favourite.colour", 1)]),
        ("No me gusta nada el ajo", [("ajo", "preference.ajo", -1)]),
        ("No como carne", [("carne", "preference.carne", -1)]),
        ("Hablo inglés y francés", [("inglés", "language.spoken", 1), ("francés", "language.spoken", 1)]),
        ("No uses emojis, por favor", [("emojis", "instruction.style", -1)]),
        ("Contesta siempre en inglés", [("inglés", "instruction.language", 1)]),
        ("Decidimos migrar a Kubernetes", [("migrar a Kubernetes", "decision", 1)]),
        ("Tengo que llamar al banco mañana", [("llamar al banco", "task", 1)]),
        ("Me gustaría aprender a nadar", [("aprender a nadar", "goal", 1)]),
        ("El plazo es el 3 de marzo", [("3 de marzo", "project.deadline", 1)]),
        ("Nuestra empresa se llama Norvento", [("Norvento", "business.name", 1)]),
        ("El hinojo no me gusta", [("hinojo", "preference.hinojo", -1)]),
        ("Empiezo a trabajar en Bosch", [("Bosch", "work.employer", 1)]),
        ("Somos tres y fabricamos muebles", [("muebles", "business.product", 1)]),
        ("Vivo en Madrid pero trabajo en Toledo", [("Madrid", "location.city", 1)]),
        ("Soy enfermera en Madrid", [("enfermera", "work.role", 1)]),
        ("laburo en Mercado Libre", [("Mercado Libre", "work.employer", 1)]),
        ("Soy profesora en el IES Ramos", [("profesora", "work.role", 1), ("IES Ramos", "work.employer", 1)]),
        ("Me he jubilado", [("jubilado", "work.status", 1)]),
        ("Al final no me mudo a Quito", [("Quito", "location.city", -1)]),
        (
            "Con mi hermana Eva llevamos una mercería",
            [("Eva", "family.sister.name", 1), ("mercería", "business.type", 1)],
        ),
        ("Abrí un bar en Lugo llamado La Ola", [("La Ola", "business.name", 1), ("bar", "business.type", 1)]),
        ("Mi prima Noa no vive en Lugo", [("Noa", "family.cousin.name", 1), ("Lugo", "location.city", -1)]),
        ("He dejado el café", [("café", "preference.café", -1)]),
    ],
)
def test_reads_statements(text: str, expected: list[Expected]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ya no vivo en Madrid", "Usuario ya no vive en Madrid."),
        ("No me gusta el ruido", "A Usuario no le gusta el ruido."),
        ("Antes vivía en Oviedo", "Usuario vivía en Oviedo."),
        ("Mi primo Luis vive en Quito y prefiero no ir", "Primo Luis de Usuario vive en Quito."),
        ("Odio los lunes por la mañana", "Usuario odia los lunes por la mañana."),
    ],
)
def test_words_statements_in_the_third_person(text: str, expected: str):
    assert expected in [found.text for found in extract(text, language="es")]


def test_knows_the_past_what_ended_and_what_is_taken_back():
    (past,) = extract("Trabajaba en Indra", language="es")
    assert past.temporal == "past"
    (ended,) = extract("Ya no trabajo en Indra", language="es")
    assert (ended.polarity, ended.correction) == (-1, True)
    (corrected,) = extract("En realidad vivo en Cádiz", language="es")
    assert corrected.correction
    (guessed,) = extract("Creo que prefiero el té", language="es")
    assert guessed.certainty == "inferred"


@pytest.mark.parametrize(
    "text",
    [
        "¿Vives en Quito?",
        "Si viviera en Quito, sería feliz",
        "Mi hermano dice que odio el fútbol",
        "A Juan le gusta el jazz",
        "Ella vive en León",
        "Imagina que vivo en Roma",
        "Me gusta eso",
        "Quiero saber si llueve",
        "Trabajo en casa",
        "Ya no trabajo en Madrid",
        "Antes trabajaba en Sevilla",
        "Empiezo a trabajar en Lisboa",
        "Mi primo trabaja en París",
        "Mi contraseña es hunter2 y vivo en León",
        "El cartel dice «Vivo en un castillo junto al mar»",
        "En la obra grita el rey: odio la lluvia",
        "Me encanta cuando llueve",
        "Trabajo de noche",
        "Soy fan de Rosalía",
        "Dejé las llaves en casa",
        "El gato de mi vecina se llama Sol",
        "Era broma, no trabajo en la NASA",
        "Quizá me mude a Quito",
    ],
)
def test_leaves_alone_what_is_no_statement_of_the_speaker(text: str):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        ("Mi hermana se llama Ana. Vive en Quito.", "Ana", "Quito"),
        ("Mi vecina Inés se ha mudado y ahora vive en León.", "Inés", "León"),
        ("Mi tío, que vive en Lima, viene.", "tío de user", "Lima"),
    ],
)
def test_a_verb_alone_goes_on_about_whom_was_named(text: str, subject: str, value: str):
    found = [(item.subject, item.value) for item in extract(text, language="es") if item.attribute == "location.city"]
    assert found == [(subject, value)]


@pytest.mark.parametrize(
    "text",
    ["Mi hermana conoció a un chico. Vive en Quito.", "Llueve. Vive en Quito.", "Mi tía habló con Juan. Vive en Lima."],
)
def test_of_somebody_else_it_tells_nothing(text: str):
    assert "location.city" not in [item.attribute for item in extract(text, language="es")]
