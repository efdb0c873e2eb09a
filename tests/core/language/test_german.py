import pytest

from memoranda.core.language.engine import extract

Expected = tuple[str, str | None, int]


def read(text: str) -> list[Expected]:
    return [(str(found.value), found.attribute, found.polarity) for found in extract(text, language="de")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mein Name ist Ute Brandt", [("Ute Brandt", "identity.name", 1)]),
        ("Hallo, ich bin Anna und wohne in Kiel", [("Anna", "identity.name", 1), ("Kiel", "location.city", 1)]),
        (
            "Ich arbeite als Tischlerin bei Holz Meier",
            [("Holz Meier", "work.employer", 1), ("Tischlerin", "work.role", 1)],
        ),
        ("Ich bin Lehrer und mag Jazz", [("Lehrer", "work.role", 1), ("Jazz", "preference.jazz", 1)]),
        ("seit 2020 wohne ich in berlin", [("berlin", "location.city", 1)]),
        ("Ich komme aus Österreich", [("Österreich", "location.origin", 1)]),
        ("Meine Tochter heißt Ida", [("Ida", "family.daughter.name", 1)]),
        ("Ich bin mit Julia verheiratet", [("Julia", "family.partner.name", 1)]),
        ("Ich habe zwei Kinder", [("zwei Kinder", "family.children", 1)]),
        ("Unsere Katze heißt Mimi", [("Mimi", "pet.cat.name", 1)]),
        ("Ich bin allergisch gegen Pollen", [("Pollen", "health.allergy", 1)]),
        ("Ich esse kein Fleisch", [("Fleisch", "preference.fleisch", -1)]),
        ("Ich trinke lieber Tee als Kaffee", [("Tee", "preference.tee", 1)]),
        ("Mein Lieblingsfilm ist Metropolis", [("Metropolis", "favourite.film", 1)]),
        ("Ich kann laute Musik nicht leiden", [("laute Musik", "preference.musik", -1)]),
        ("In meiner Freizeit spiele ich Gitarre", [("Gitarre", "hobby", 1)]),
        ("Ich lerne Japanisch", [("Japanisch", "language.learning", 1)]),
        ("Ich fahre einen Golf", [("Golf", "possession", 1)]),
        ("Unsere Firma heißt Kranich GmbH", [("Kranich GmbH", "business.name", 1)]),
        ("Nenn mich bitte Max", [("Max", "instruction.address", 1)]),
        ("Verwende bitte keine Emojis", [("keine Emojis", "instruction.style", -1)]),
        ("Die Deadline ist am 3. März", [("3. März", "project.deadline", 1)]),
        ("Wir haben beschlossen, auf Kubernetes umzusteigen", [("auf Kubernetes umzusteigen", "decision", 1)]),
        ("Fenchel mag ich nicht", [("Fenchel", "preference.fenchel", -1)]),
        ("Mir gefallen lange Spaziergänge", [("lange Spaziergänge", "preference.spaziergänge", 1)]),
        ("Ich fange im Mai bei Bosch an", [("Bosch", "work.employer", 1)]),
        ("Ich arbeite in einer Bank", [("Bank", "work.employer", 1)]),
        ("ich arbeite bei bosch", [("bosch", "work.employer", 1)]),
        ("Ich bin selbstständig", [("selbstständig", "work.status", 1)]),
        ("Mein Geburtstag ist der 3. Mai", [("3. Mai", "identity.birthday", 1)]),
        ("Seit Mai wohnt meine Schwester in Rom", [("Rom", "location.city", 1)]),
        ("Jetzt mag mein Bruder Max Kaffee", [("Max", "family.brother.name", 1), ("Kaffee", "preference.kaffee", 1)]),
        ("Inzwischen lebe ich auf Rügen", [("Rügen", "location.city", 1)]),
        ("Ich bin 42. Ich wohne in Linz.", [("42", "identity.age", 1), ("Linz", "location.city", 1)]),
        (
            "Meine Tochter ist da. Sie heißt Ida und ist 6.",
            [("Ida", "family.daughter.name", 1), ("6", "identity.age", 1)],
        ),
        ("Mein Bruder Jan, der bei Audi arbeitet", [("Jan", "family.brother.name", 1), ("Audi", "work.employer", 1)]),
        ("Ich arbeite nicht mehr als Kellner", [("Kellner", "work.role", -1)]),
    ],
)
def test_reads_statements(text: str, expected: list[Expected]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich wohne nicht mehr in Köln", "Nutzer wohnt nicht mehr in Köln."),
        ("Ich mag keine Pilze", "Nutzer mag Pilze nicht."),
        ("Früher habe ich in Hannover gewohnt", "Nutzer wohnte in Hannover."),
        ("Meine Schwester wohnt in Bonn", "Nutzers Schwester wohnt in Bonn."),
        ("Wir verkaufen Fahrräder", "Nutzers Team verkauft Fahrräder."),
    ],
)
def test_words_statements_in_the_third_person(text: str, expected: str):
    assert [found.text for found in extract(text, language="de")] == [expected]


def test_knows_the_past_what_ended_and_what_is_taken_back():
    (past,) = extract("Ich habe bei Opel gearbeitet", language="de")
    assert past.temporal == "past"
    (ended,) = extract("Ich arbeite nicht mehr bei Opel", language="de")
    assert (ended.polarity, ended.correction) == (-1, True)
    (corrected,) = extract("Nein, ich meinte, dass ich in Mainz wohne", language="de")
    assert corrected.correction
    (guessed,) = extract("Ich glaube, ich mag Jazz", language="de")
    assert guessed.certainty == "explicit"  # a clause of its own


@pytest.mark.parametrize(
    "text",
    [
        "Wohnst du noch in Köln?",
        "Wenn ich in Köln wohnen würde, wäre ich froh",
        "Mein Bruder meint, ich mag Jazz",
        "Karl mag Jazz",
        "Sie wohnt in Ulm",
        "Stell dir vor, ich wohne in Rom",
        "Ich mag das",
        "Ich muss sagen, das war gut",
        "Ich bin Berliner",
        "Mein Passwort ist hunter2 und ich mag Jazz",
        "Auf dem Schild steht „Ich wohne in einem Schloss am Meer“",
        "Im Hörspiel ruft der Wirt: Ich hasse Regen",
        "Erzähl was aus Sicht eines Piloten, ich arbeite bei Condor",
        "Ich arbeite bei Nacht",
        "Ich liebe deine Antworten",
        "Wohne ich in Köln oder in Hürth",
        "Dann hat meine Frau Julia angerufen",
        "Weil meine Frau Geburtstag hat, backe ich",
    ],
)
def test_leaves_alone_what_is_no_statement_of_the_speaker(text: str):
    assert read(text) == []
