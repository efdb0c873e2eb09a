"""What a statement ends of what was known, and what events speak of."""

from datetime import timedelta
from typing import Any

import pytest

from core.making import NOW, event, record
from memoranda.core.consolidation.claimed_endings import Ended, Overruling
from memoranda.core.consolidation.evidence import Evidence, Recalled
from memoranda.core.consolidation.proposal import Claim
from memoranda.core.consolidation.references import Reference
from memoranda.core.rows import Record
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

TERMS = Analyzer(stem).terms
OVER = "no event it rests on says that this is over: "


def reference(content: str, *records: Record) -> Reference:
    return Reference(records, Evidence([event(content, id="now")], TERMS, "en"), TERMS)


def ended(content: str, claim: str, *known: Record | str, **more: Any) -> Ended:
    rows = [row if isinstance(row, Record) else record(id=f"r{n}", text=row) for n, row in enumerate(known)]
    item = Claim(text=claim, events=("now",), **{"certainty": "explicit", **more})
    return Overruling(reference(content, *rows), TERMS).ended(item, [event(content, id="now")])


# ------------------------------------------------------------------------------------------- without a model's word


@pytest.mark.parametrize(
    ("said", "claim", "before"),
    [
        ("I stopped drinking coffee.", "User stopped drinking coffee.", "User drinks coffee in the morning."),
        ("I quit the gym, too dear.", "User quit the climbing gym.", "User goes to the climbing gym every Thursday."),
        ("I don't smoke anymore.", "User does not smoke anymore.", "User smokes."),
        ("We cancelled Lima.", "User cancelled Lima.", "User is flying to Lima in October."),
        ("I sold the Volvo.", "User sold the Volvo last week.", "User drives a red Volvo V60."),
        ("The ankle is fine again.", "User's ankle is fine again.", "User sprained an ankle."),
        ("It is on Wednesday.", "User's appointment is on Wednesday.", "User's appointment is on Tuesday."),
        ("The code is 8820.", "The code of the bike shed is 8820.", "The code of the bike shed is 4417."),
        (
            "They doubled lisinopril.",
            "User takes 40 mg of lisinopril.",
            "User takes 20 mg of lisinopril every morning.",
        ),
        ("We pushed Japan to May.", "User is going to Japan in May.", "User is going to Japan in April."),
        ("I've never liked jazz.", "User does not like jazz.", "User likes jazz."),
    ],
)
def test_what_is_over_ends(said: str, claim: str, before: str):
    assert ended(said, claim, before) == Ended(("r0",))


@pytest.mark.parametrize(
    ("said", "claim", "before"),
    [
        ("I stopped eating crisps.", "User stopped eating crisps.", "User eats apples."),
        ("I quit the gym.", "User quit the gym.", "User met Ann at the gym."),
        ("We cancelled Naples.", "User cancelled Naples.", "User's mother lives in Naples."),
        ("We cancelled Naples.", "User cancelled Naples.", "User is going to Rome in May."),
        ("My eyes.", "User's eye doctor appointment is on 19 May.", "User's dentist appointment is on 12 May."),
        ("I run 10 km.", "User runs 10 km every Saturday.", "User runs 5 km every Monday."),
        ("I have yoga on Monday.", "User has yoga on Monday.", "User has yoga on Thursday."),
        ("I swim at 7.", "User swims at 7.", "User swims at 19:00."),
        ("I take B12.", "User takes vitamin B12.", "User takes vitamin B6."),
        ("I sold the Volvo V40.", "User sold the Volvo V40.", "User drives a Volvo V60."),
        ("I rented a car in Crete.", "User rented a car in Crete.", "User has no car."),
        ("I left the gym at noon.", "User left the gym an hour ago.", "User trains at the gym."),
        ("I skipped training today.", "User skipped training today.", "User trains on Mondays."),
        ("I paid 30.", "User paid 30 euros for lunch.", "User paid 20 euros for lunch."),
        ("I will go.", "User wants to go to Rome in June.", "User wants to hike the Camino in May."),
        ("It.", "It is 5.", "It is 4."),
        ("I bought a Fiat.", "User bought a second car, a Fiat.", "User drives a red Volvo."),
        ("I prefer tea, not coffee.", "User prefers tea.", "User sells coffee machines to offices."),
        ("Ich trinke keinen Kaffee mehr.", "User trinkt keinen Kaffee mehr.", "User trinkt Kaffee."),
        ("User smokes.", "User smokes.", "User smokes."),
    ],
)
def test_what_is_beside_it_stands(said: str, claim: str, before: str):
    assert ended(said, claim, before) == Ended()


@pytest.mark.parametrize(
    "row",
    [
        record(text="User smokes.", temporal="past"),
        record(text="User smokes.", polarity=-1),
        record(text="User smokes.", sources=("now",)),
        record(text="Tom smokes.", subject="tom"),
    ],
)
def test_what_is_past_denied_just_said_or_somebody_elses_stands(row: Record):
    assert ended("I stopped smoking.", "User stopped smoking.", row) == Ended()


def test_only_what_is_explicit_ends_unasked():
    assert ended("I stopped smoking.", "User stopped smoking.", "User smokes.", certainty="implied") == Ended()


# ------------------------------------------------------------------------------------------- as a model says


CAT = record(id="cat", text="User's cat is called Miso.", attribute="pet.cat.name", value="Miso")


@pytest.mark.parametrize(
    "words", ["User's cat is called Miso", "pet.cat.name: Miso", "pet.cat.name = miso", "Miso", "the cat called Miso"]
)
def test_a_model_may_name_it_in_several_ways(words: str):
    assert ended("Miso died on Tuesday.", "Miso died.", CAT, ends=(words,)) == Ended(("cat",))


@pytest.mark.parametrize(
    ("said", "words", "why"),
    [
        ("Miso died.", "User's dog is called Rex.", "nothing that it was shown says User's dog is called Rex."),
        ("Miso died.", "pet.dog.name: Rex", "nothing that it was shown says pet.dog.name: Rex"),
        ("Rex died.", "pet.cat.name: Miso", f"{OVER}pet.cat.name: Miso"),
        ("If Miso died I would cry.", "pet.cat.name: Miso", f"{OVER}pet.cat.name: Miso"),
    ],
)
def test_what_events_do_not_say_to_be_over_stands(said: str, words: str, why: str):
    assert ended(said, "Miso died.", CAT, ends=(words,)) == Ended((), (why,))


WORK = record(id="work", text="User works at Acme.", attribute="work.employer", value="Acme", subject="user")


@pytest.mark.parametrize(
    ("said", "claim", "subject", "over"),
    [
        ("Bob no longer works here.", "Bob no longer works here.", "bob", False),
        ("My friend Bob left on Monday.", "Bob left on Monday.", "bob", False),
        ("Bob moved in May. I haven't seen him since.", "Bob moved in May.", "bob", False),
        ("I heard Bob no longer works there.", "Bob no longer works at Acme.", "bob", False),
        ("Bob no longer works at Acme.", "Bob no longer works at Acme.", "user", False),
        ("Pippa no longer works at Acme.", "Pippa no longer works at Acme.", "pippa", False),
        ("My sister no longer works at Acme.", "User's sister no longer works at Acme.", "user", False),
        ("Bob works at Acme now. I just met him.", "Bob works at Acme now.", "bob", False),
        ("I no longer work there.", "User no longer works at Acme.", "user", True),
    ],
)
def test_what_somebody_else_does_ends_nothing_unasked(said: str, claim: str, subject: str, over: bool):
    found = ended(said, claim, WORK, subject=subject)
    assert found.records == (("work",) if over else ())


def test_another_value_ends_the_one_that_was_named():
    home = record(id="home", text="User lives in Bonn.", attribute="location.city", value="Bonn")
    more = {"ends": ("location.city: Bonn",), "attribute": "location.city", "value": "Ulm"}
    assert ended("The keys are mine, Ulm is loud.", "User lives in Ulm.", home, **more) == Ended(("home",))
    assert ended("Should I like Ulm?", "User lives in Ulm.", home, **more).records == ()


def test_what_the_batch_ended_already_may_be_named():
    evidence = Evidence([event("Miso died.", id="now")], TERMS, "en")
    item = Claim(text="Miso died.", certainty="explicit", events=("now",), ends=("pet.cat.name: Miso",))
    over = Overruling(Reference([], evidence, TERMS, [CAT]), TERMS)
    assert over.ended(item, [event("Miso died.", id="now")]) == Ended()


def test_what_says_the_same_ends_with_it():
    longer = record(id="longer", text="User's cat is called Miso and sleeps a lot.")
    other = record(id="other", text="User's cat is called Tom.")
    assert ended("Miso died.", "Miso died.", CAT, longer, other, ends=("pet.cat.name: Miso",)) == Ended(
        ("cat", "longer")
    )


def test_words_that_begin_alike_are_akin_where_nothing_is_stemmed():
    known = "User fuma un paquete de tabaco al día."
    assert ended("He dejado de fumar.", "User ha dejado de fumar.", known, ends=(known,)) == Ended(("r0",))


@pytest.mark.parametrize(
    ("said", "claim", "before"),
    [
        ("The rent: 1,040 euros.", "User's rent is 1,040 euros.", "User's rent was set to 980 euros."),
        ("I rang about the rent.", "User rang about the rent.", "User's rent is 980 euros."),
    ],
)
def test_another_number_is_a_change(said: str, claim: str, before: str):
    found = ended(said, claim, before, ends=(before,), temporal="current" if "1,040" in claim else "past")
    assert found == Ended(("r0",))


def test_what_begins_later_ends_nothing_yet():
    known = "User's rent is 980 euros."
    assert ended("It goes up.", "User's rent is 1,040 euros.", known, temporal="future") == Ended()


@pytest.mark.parametrize(
    ("known", "said", "claim"),
    [
        (
            "User trinkt jeden Morgen Kaffee.",
            "Ich habe mit dem Kaffee aufgehört.",
            "User hat mit dem Kaffee aufgehört.",
        ),
        ("用户每天喝咖啡。", "我已经不喝咖啡了。", "用户不喝咖啡了。"),
    ],
)
def test_in_any_language_a_sign_and_the_subject_are_enough(known: str, said: str, claim: str):
    assert ended(said, claim, known, ends=(known,)) == Ended(("r0",))


# ------------------------------------------------------------------------------------------- what events speak of


SISTER = record(
    id="s", text="User's sister is called Ines Duarte.", attribute="family.sister.name", value="Ines Duarte",
    valid_from=NOW - timedelta(days=9),
)  # fmt: skip


@pytest.mark.parametrize(
    "said",
    ["Ines called.", "My sister called.", "She called.", "Meine Schwester hat angerufen."],
)
def test_who_is_spoken_of_may_be_named(said: str):
    assert reference(said, SISTER).recalled(("now",)).names == "duarte ines"


@pytest.mark.parametrize("said", ["I bought bread.", "I met Anna Berg. She called.", "It called."])
def test_who_is_not_may_not(said: str):
    assert reference(said, SISTER).recalled(("now",)).names == ""


def test_a_word_that_tells_something_recalls_names_and_numbers():
    row = record(text="User is training for the Berlin marathon on 27 September.")
    assert "berlin" in reference("The marathon is off.", row).recalled(("now",)).names.split()


def test_a_thing_may_be_named_that_no_word_speaks_of_and_nobody():
    acme, ines = record(text="User works at Acme, room 12."), record(text="User's sister Ines lives in Rome.")
    assert reference("The place is closing.", acme, ines).recalled(("now",)) == Recalled("acme", "")


@pytest.mark.parametrize(("count", "believed"), [(5, 5), (6, 0)])
def test_a_model_that_names_everything_is_not_believed(count: int, believed: int):
    rows = [record(id=f"r{n}", text=f"User owns {n} hats of felt.") for n in range(2, 2 + count)]
    found = ended("I had pasta for lunch.", "User had pasta for lunch.", *rows, ends=tuple(row.text for row in rows))
    assert (len(found.records), len(found.refused)) == (believed, count - believed)


def test_a_claim_of_a_relative_or_of_what_may_be_ends_nothing_of_the_users():
    home = "User lives in Graz."
    assert not ended("My sister moved.", "User's sister moved.", home, ends=(home,)).records
    assert not ended(
        "I might sell my car.", "User might sell the car.", "User has a car.", ends=("User has a car.",)
    ).records
    meant = "User is thinking about a job at Acme."
    found = ended("I'm no longer considering Acme.", "User no longer considers a job at Acme.", meant, ends=(meant,))
    assert found == Ended(("r0",))


def test_what_the_rules_misread_ends_only_if_the_claim_tells_of_it():
    read = record(id="r", text="User is allergic to peanuts.", sources=("now",))
    said = "I'm allergic to peanuts, so no satay."
    ends = (read.text,)
    assert ended(said, "User avoids satay.", read, ends=ends).records == ()
    assert ended(said, "User has a peanut allergy, not just to satay.", read, ends=ends).records == ("r",)
    assert ended(said, "User avoids peanuts.", read, ends=ends, certainty="implied").records == ()
    merged = record(id="r", text=read.text, sources=("then", "now"))
    assert ended(said, "User avoids peanuts.", merged, ends=ends).records == ()
    claimed = record(id="r", text=read.text, sources=("now",), editor="consolidation")
    assert ended(said, "User avoids peanuts.", claimed, ends=ends).records == ()


def test_a_record_named_twice_counts_once():
    rows = [
        record(id=f"r{n}", text=f"User plays the {name}.", attribute="hobby", value=name)
        for n, name in enumerate(("cello", "oboe", "harp"))
    ]
    ends = tuple(words for row in rows for words in (row.text, f"hobby: {row.value}"))
    assert ended("It did not last.", "User did not last.", *rows, ends=ends) == Ended(("r0", "r1", "r2"))


def test_the_bound_is_one_for_all_claims_of_a_batch():
    rows = [record(id=f"r{n}", text=f"User owns {n} hats of felt.") for n in range(2, 8)]
    said = "I had pasta for lunch."
    overruling = Overruling(reference(said, *rows), TERMS)
    for part, believed in ((rows[:4], 4), (rows[4:], 0), (rows[4:5], 1)):
        claim = Claim(
            text="User had pasta for lunch.",
            certainty="explicit",
            events=("now",),
            ends=tuple(one.text for one in part),
        )
        assert len(overruling.ended(claim, [event(said, id="now")]).records) == believed
