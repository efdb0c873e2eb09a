"""Claims in words of their own: what they may say of what was said, and what they may end."""

from datetime import datetime, timedelta

import pytest

from core.making import NOW, event, record
from memstrata.core.consolidation import Judged, judge
from memstrata.core.proposal import Claim, Proposal
from memstrata.core.results import Profile
from memstrata.core.text import Analyzer
from memstrata.models.stemmer import stem

TERMS = Analyzer(stem).terms
NOTHING = Profile(scaffold={}, narrative="", learned={})


def judged(said: str, claim: str, *known: str, ends: tuple[str, ...] = (), role: str = "user") -> Judged:
    item = Claim(text=claim, certainty="explicit", events=("now",), ends=ends)
    records = [record(id=f"r{n}", text=text, sources=("then",)) for n, text in enumerate(known)]
    batch = [event(said, id="now", role=role)]
    return judge(Proposal(items=(item,)), batch, NOTHING, TERMS, records=records)


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Which brings me to my news: I've handed in my notice at Corvex.", "User has handed in notice at Corvex."),
        ("Saturdays I swim if the pool is open, and I do yoga at home.", "User swims on Saturdays."),
        ("My cousin Bartek reckons I should sell the van.", "User's cousin is Bartek."),
        ("Does my sister Noor need a visa for Kenya?", "User's sister is Noor."),
        (
            "Can you proofread this? 'Dear team, I live in Porto and have two kids.' By the way, I'm allergic to kiwi.",
            "User is allergic to kiwi.",
        ),
        ("The bank said yes! So the cottage is ours.", "User bought a cottage with a mortgage."),
        ("I won't be at the Tuesday rehearsals from now on.", "User no longer attends rehearsals on Tuesdays."),
        ("Wir haben uns übrigens getrennt, Malte und ich.", "User und Malte sind kein Paar mehr."),
        ("Al final cambié el piano por la guitarra.", "User toca ahora la guitarra en lugar del piano."),
        ("Mon frère Lucas vient de décrocher son permis.", "Lucas, le frère de User, a obtenu le permis de conduire."),
        ("跟你说，我上个月换了工作，现在在青松医院当护士。", "User在青松医院当护士。"),
        ("Did I tell you I quit Corvex?", "User quit Corvex."),
        ("My boss says I'm slow, but I enjoy the pottery course.", "User enjoys the pottery course."),
        ("It's hers: she lives in Ulm, and I moved in.", "User lives in Ulm."),
        ("Our Pippa starts school in September, she can't wait.", "User's child Pippa starts school in September."),
    ],
)
def test_what_was_said_may_be_told_otherwise(said: str, claim: str):
    found = judged(said, claim)
    assert [item.text for item in found.items if isinstance(item, Claim)] == [claim], found.refused


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("My brother says I ought to become a plumber.", "User is a plumber."),
        ("A colleague informed us that the moon landing was staged.", "User thinks the moon landing was staged."),
        ("Do you think I should take up fencing? My neighbour does fencing.", "User takes up fencing."),
        ("Wenn ich die Stelle bekomme, ziehe ich nach Erfurt.", "User zieht nach Erfurt."),
        ("If the offer goes through, I'm leaving Brightwell.", "User is leaving Brightwell."),
        ("Si me toca la lotería, dejo el trabajo.", "User ha dejado el trabajo."),
        ("如果我中奖，我就搬到三亚。", "User搬到三亚。"),
        ("I like tea.", "User owns a sailing boat."),
        ("My daughter plays the oboe.", "User plays the oboe."),
        ("He's a baker at Hotel Astra now.", "User works at Hotel Astra."),
        ("We've booked the ferry to Bergen.", "User lives in Bergen."),
        ("Translate this: He said 'I love our two lovely kids' and left.", "User loves two kids."),
        ("We visited Graz in spring.", "User visited Linz in spring."),
        ("Suppose I sold the bakery and bought a boat. Just daydreaming.", "User sold the bakery."),
        ("Can you proofread this? 'Dear team, I live in Porto and have two kids.'", "User has two kids."),
        ("Does my sister Noor need a visa for Kenya?", "Noor needs a visa for Kenya."),
    ],
)
def test_what_was_asked_supposed_or_told_by_others_is_not_said(said: str, claim: str):
    assert judged(said, claim).items == ()


def test_what_is_told_otherwise_is_less_sure_and_gives_no_value():
    said = event("The bank said yes! So the cottage is ours.", id="now")
    claim = Claim(
        text="User bought a cottage with a mortgage.", certainty="explicit", events=("now",),
        attribute="home.loan", value="fixed mortgage",
    )  # fmt: skip
    (found,) = judge(Proposal(items=(claim,)), [said], NOTHING, TERMS).items
    assert isinstance(found, Claim)
    assert (found.certainty, found.attribute, found.value) == ("implied", None, None)


def test_an_answer_tells_what_was_asked():
    batch = [event("Where do you live?", id="asked", role="assistant"), event("Ulm, with my cat.", id="now")]
    claim = Claim(text="User lives in Ulm.", certainty="explicit", events=("asked", "now"))
    assert len(judge(Proposal(items=(claim,)), batch, NOTHING, TERMS).items) == 1


@pytest.mark.parametrize(
    ("known", "said", "claim"),
    [
        (
            "User plays the cello in a quartet.",
            "I've hung up my bow, the quartet carries on without me.",
            "User gave up the cello.",
        ),
        ("User drives a Skoda.", "I sold the Skoda, I cycle.", "User cycles."),
        (
            "User spielt Geige im Orchester.",
            "Das Orchester ist für mich Geschichte.",
            "User spielt im Orchester keine Geige.",
        ),
        ("User is moving to Leeds in May.", "About the move: September it is.", "User's move is in September."),
    ],
)
def test_what_a_model_names_ends_where_it_is_spoken_of(known: str, said: str, claim: str):
    found = judged(said, claim, known, ends=(known,))
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("r0",)], found.refused


@pytest.mark.parametrize(
    ("known", "said", "claim", "role"),
    [
        ("User's rent is 980 euros.", "I bought bread.", "User bought bread.", "user"),
        ("User plays the cello.", "If the quartet falls apart I'd sell the cello.", "User sold the cello.", "user"),
        ("User plays the cello.", "Shall I sell the cello?", "User sold the cello.", "user"),
        ("User plays the cello.", "You no longer play the cello.", "User no longer plays the cello.", "assistant"),
    ],
)
def test_what_is_not_said_to_be_over_stands(known: str, said: str, claim: str, role: str):
    found = judged(said, claim, known, ends=(known,), role=role)
    assert not any(item.ends for item in found.items if isinstance(item, Claim))


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Can you remind me the spare key is under the blue pot?", "User's spare key is under the blue pot."),
        ("How my hip hurts since that fall.", "User's hip hurts since a fall."),
        ("Is not eating meat healthy for me", "User does not eat meat."),
        ("Which makes me happier, tea or coffee", "Tea makes User happier."),
        ("Kannst du mir helfen, den Umzug nach Ulm zu planen?", "User zieht nach Ulm."),
        ("¿Puedes escribir a mi casero por la gotera del baño?", "User tiene una gotera en el baño."),
        ("Tu peux faire une étiquette pour les radis de mon étal ?", "User vend des radis sur un étal."),
        ("能不能帮我写封信给房东，厨房漏水。", "User的厨房漏水。"),
    ],
)
def test_what_is_said_aside_is_uncertain(said: str, claim: str):
    found = judged(said, claim)
    assert [item.certainty for item in found.items if isinstance(item, Claim)] == ["uncertain"], found.refused


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Would you add to the list: the workshop fridge has died.", "User's workshop fridge has died."),
        ("I've had to learn to cook for two, so: something with leeks?", "User learned to cook for two."),
    ],
)
def test_what_stands_beside_a_request_is_stated(said: str, claim: str):
    found = judged(said, claim)
    assert [item.certainty for item in found.items if isinstance(item, Claim)] == ["explicit"]


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Could you check whether I would need a visa if I moved to Lima?", "User moved to Lima."),
        ("Can you answer my uncle? He says I am allergic to walnuts.", "User is allergic to walnuts."),
        ("Am I allergic to walnuts?", "User is allergic to walnuts."),
        ("Is just my sister allergic to nuts, or am I too?", "User's sister is allergic to nuts."),
        ("Will not smoking help my asthma?", "User does not smoke."),
        ("Which makes my stomach hurt, nuts or milk?", "Nuts make User's stomach hurt."),
        ("What if I quit?", "User quit."),
    ],
)
def test_what_is_in_question_or_supposed_is_not_said_aside(said: str, claim: str):
    assert judged(said, claim).items == ()


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("My husband says it tastes of kippers.", "User is married."),
        ("We're getting married on 12 September.", "User is engaged."),
        ("Our daughter has a fever.", "User is a parent."),
    ],
)
def test_what_somebody_is_follows_from_whom_they_speak_of(said: str, claim: str):
    found = judged(said, claim)
    assert [item.certainty for item in found.items if isinstance(item, Claim)] == ["implied"], found.refused


def test_a_value_may_be_in_other_words_where_the_claim_is_not():
    claim = Claim(text="User keeps bees.", certainty="explicit", events=("now",), attribute="hobby", value="beekeeping")
    (found,) = judge(Proposal(items=(claim,)), [event("I keep bees.", id="now")], NOTHING, TERMS).items
    assert isinstance(found, Claim)
    assert (found.certainty, found.value) == ("implied", "beekeeping")


@pytest.mark.parametrize(
    ("said", "text", "passes"),
    [
        ("No hazelnuts please, I'm allergic.", "User is allergic to hazelnuts.", True),
        ("I can't have hazelnuts as I'm allergic.", "User is allergic to hazelnuts.", True),
        ("I don't like hazelnuts.", "User dislikes hazelnuts.", True),
        ("I can't stand hazelnuts.", "User can't stand hazelnuts.", True),
        ("No hazelnuts for me any more.", "User buys hazelnuts.", False),
        ("I have no hazelnuts.", "User hates hazelnuts.", False),
        ("I don't mind hazelnuts.", "User dislikes hazelnuts.", False),
        ("No hazelnuts, my landlord hates them.", "User hates hazelnuts.", False),
        ("I don't eat hazelnuts but I'm not allergic.", "User is allergic to hazelnuts.", False),
        ("No hazelnuts please, my sister is allergic.", "User is allergic to hazelnuts.", False),
        ("Not to hazelnuts, I'm allergic to kiwi.", "User is allergic to hazelnuts.", False),
        ("I used to be allergic, but hazelnuts aren't bad any more.", "User is allergic to hazelnuts.", False),
        ("Gegen hazelnuts bin ich nicht mehr allergisch.", "User ist allergisch gegen hazelnuts.", False),
    ],
)
def test_what_one_wants_none_of_is_the_value_of_an_allergy(said: str, text: str, passes: bool):
    claim = Claim(text=text, certainty="explicit", events=("now",), attribute="health.allergy", value="hazelnuts")
    found = judge(Proposal(items=(claim,)), [event(said, id="now")], NOTHING, TERMS)
    assert bool(found.items) == passes


SHIFTS = "User hardly ever works days."


@pytest.mark.parametrize(("temporal", "ended"), [("temporary", ("r0",)), ("current", ())])
def test_what_was_so_for_a_time_only_ends_without_a_sign(temporal: str, ended: tuple[str, ...]):
    permit = "User's fishing licence is being processed."
    known = [record(id="r0", text=permit, sources=("e0",), temporal=temporal)]
    claim = Claim(text="The letter came.", certainty="explicit", events=("now",), ends=(permit,))
    batch = [event("THE LETTER CAME!!! What a lovely morning!", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=known)
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [ended]


@pytest.mark.parametrize(("valid_to", "ended"), [(None, ()), (NOW + timedelta(days=30), ("r0",))])
def test_what_is_so_beside_something_else_is_not_so_for_a_time_only(valid_to: datetime | None, ended: tuple[str, ...]):
    sundays = record(
        id="r0", text="User works at Corvex on Sundays.", attribute="work.employer", value="Corvex",
        sources=("e0",), temporal="temporary", valid_to=valid_to,
    )  # fmt: skip
    claim = Claim(text="User bought bread.", certainty="explicit", events=("now",), ends=(sundays.text,))
    found = judge(Proposal(items=(claim,)), [event("I bought bread.", id="now")], NOTHING, TERMS, records=[sundays])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [ended]


@pytest.mark.parametrize(("attribute", "value"), [("location.city", "Oslo"), ("language.spoken", "Dutch")])
def test_a_claim_without_a_value_gives_no_other(attribute: str, value: str):
    known = record(id="r0", text=f"User has {value}.", attribute=attribute, value=value, sources=("e0",))
    claim = Claim(
        text="User drinks tea.", certainty="explicit", events=("now",), attribute=attribute, ends=(known.text,)
    )
    found = judge(Proposal(items=(claim,)), [event("I drink tea.", id="now")], NOTHING, TERMS, records=[known])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [()]


def test_a_model_is_believed_about_one_thing_that_no_word_speaks_of():
    drinks = "User drinks rum."
    known = [record(id=f"r{n}", text=text, sources=(f"e{n}",)) for n, text in enumerate((SHIFTS, drinks))]
    claim = Claim(text="User has mornings.", certainty="explicit", events=("now",), ends=(SHIFTS, drinks))
    batch = [event("Nothing but mornings since Monday.", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=known)
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("r0",)]
    assert [one.why for one in found.refused] == [f"no event it rests on says that this is over: {drinks}"]


@pytest.mark.parametrize(
    ("said", "known", "certainty"),
    [
        ("I have mornings.", SHIFTS, "explicit"),  # no sign of an end or a change
        ("Nothing but mornings since Monday.", SHIFTS, "inferred"),
        ("Nothing but mornings since Monday.", "User's sister Ines works days.", "explicit"),
    ],
)
def test_its_word_needs_a_sign_a_sure_claim_and_nobody_else(said: str, known: str, certainty: str):
    claim = Claim(text="User has mornings.", certainty=certainty, events=("now",), ends=(known,))
    known_to_be = [record(id="r0", text=known, sources=("then",))]
    found = judge(Proposal(items=(claim,)), [event(said, id="now")], NOTHING, TERMS, records=known_to_be)
    assert not any(item.ends for item in found.items if isinstance(item, Claim))


def test_a_batch_ends_only_so_much_on_a_models_word():
    known = [record(id=f"r{n}", text=f"User owns {n} hats of felt.", sources=(f"e{n}",)) for n in range(2, 9)]
    claims = tuple(
        Claim(text="User has mornings.", certainty="explicit", events=("now",), ends=(row.text,)) for row in known
    )
    batch = [event("Nothing but mornings since Monday.", id="now")]
    found = judge(Proposal(items=claims), batch, NOTHING, TERMS, records=known)
    assert sum(len(item.ends) for item in found.items if isinstance(item, Claim)) == 5


def test_what_somebody_elses_doing_cannot_end_takes_nothing_of_a_models_word():
    known = [record(id=f"r{n}", text=f"User owns {n} hats of felt.", sources=(f"e{n}",)) for n in range(2, 8)]
    others = [
        Claim(text="Tom has mornings.", subject="Tom", certainty="explicit", events=("now",), ends=(row.text,))
        for row in known
    ]
    mine = Claim(text="User has mornings.", certainty="explicit", events=("now",), ends=(known[0].text,))
    batch = [event("Nothing but mornings since Monday for Tom.", id="now")]
    found = judge(Proposal(items=(*others, mine)), batch, NOTHING, TERMS, records=known)
    assert [item.ends for item in found.items if isinstance(item, Claim)][-1] == ("r2",)


def test_what_was_told_in_one_breath_ends_together():
    known = [
        record(id="job", text="User is a deckhand.", attribute="work.role", value="deckhand", sources=("then",)),
        record(id="boat", text="User mostly works the early sailings.", sources=("then",)),
        record(id="rum", text="User drinks rum.", sources=("other",)),
    ]
    claim = Claim(
        text="User is harbour master.", certainty="explicit", events=("now",), attribute="work.role",
        value="harbour master", ends=tuple(row.text for row in known),
    )  # fmt: skip
    found = judge(Proposal(items=(claim,)), [event("I'm harbour master.", id="now")], NOTHING, TERMS, records=known)
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("job", "boat")]


def test_what_the_rules_misread_a_model_puts_right():
    misread = record(
        id="rule", text="User is from Porto, Ghent.", attribute="location.origin", value="Porto, Ghent",
        sources=("now",), editor="capture",
    )  # fmt: skip
    claim = Claim(
        text="User is from Porto; Ghent was only work.", certainty="explicit", events=("now",),
        attribute="location.origin", value="Porto", ends=("location.origin: Porto, Ghent",),
    )  # fmt: skip
    batch = [event("I'm from Porto, Ghent was only work.", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=[misread])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("rule",)]
    assert found.refused == ()


def test_a_property_told_in_the_same_breath_as_what_is_over_stands():
    told = {
        "User works at Corvex.": "work.employer", "User is allergic to nuts.": "health.allergy",
        "User lives in Oslo.": "location.city", "User plays cello.": "hobby",
    }  # fmt: skip
    known = [record(id=text, text=text, attribute=path, sources=("then",)) for text, path in told.items()]
    claim = Claim(text="User left Corvex.", events=("now",), ends=tuple(row.text for row in known))
    found = judge(Proposal(items=(claim,)), [event("I left Corvex.", id="now")], NOTHING, TERMS, records=known)
    [item] = [item for item in found.items if isinstance(item, Claim)]
    assert item.ends == ("User works at Corvex.", "User is allergic to nuts.")  # the one is on its word


def test_what_was_told_in_one_breath_ends_within_the_bounds_of_a_models_word():
    known = [record(id="job", text="User is a deckhand.", sources=("then",))]
    known += [record(id=f"r{n}", text=f"User owns {n} hats of felt.", sources=("then",)) for n in range(2, 9)]
    claims = tuple(
        Claim(text=text, certainty="explicit", events=("now",), ends=tuple(row.text for row in known))
        for text in ("User is no longer a deckhand.", "User no longer is a deckhand.")
    )
    batch = [event("I'm no longer a deckhand.", id="now")]
    found = judge(Proposal(items=claims), batch, NOTHING, TERMS, records=known)
    ends = [item.ends for item in found.items if isinstance(item, Claim)]
    assert [len(one) for one in ends] == [1 + 5, 1], "the next has nothing left to be believed"


def test_a_claim_of_something_else_puts_nothing_right_that_the_rules_read():
    read = record(
        id="rule", text="User is from Porto.", attribute="location.origin", value="Porto", sources=("now",),
        editor="capture",
    )  # fmt: skip
    claim = Claim(text="User loves Porto.", certainty="explicit", events=("now",), ends=("location.origin: Porto",))
    batch = [event("I'm from Porto and I love it.", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=[read])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [()]


def test_who_is_whose_is_believed_where_the_language_has_no_word_for_it():
    claim = Claim(
        text="User tiene un sobrino, Mateo.", certainty="explicit", events=("now",),
        attribute="family.nephew.name", value="Mateo",
    )  # fmt: skip
    found = judge(Proposal(items=(claim,)), [event("Mateo es mi sobrino.", id="now")], NOTHING, TERMS)
    assert [item.value for item in found.items if isinstance(item, Claim)] == ["Mateo"], found.refused


def test_a_property_stands_when_what_was_told_of_it_is_over():
    days = "User is learning Portuguese on Thursdays at the library."
    known = [
        record(id="days", text=days, sources=("then",)),
        record(
            id="tongue", text="User is learning Portuguese.", attribute="language.learning", value="Portuguese",
            sources=("before",),
        ),
    ]  # fmt: skip
    claim = Claim(text="User has Portuguese on Mondays.", certainty="explicit", events=("now",), ends=(days,))
    batch = [event("I had to swap the Portuguese to Mondays.", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=known)
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("days",)]


def test_what_is_misread_in_a_language_without_blanks_is_told_by_its_value():
    misread = record(
        id="rule", text="用户是自由撰稿人。", attribute="location.origin", value="自由撰稿", sources=("now",),
        editor="zh:native_of",
    )  # fmt: skip
    claim = Claim(
        text="User是自由撰稿人。", certainty="explicit", events=("now",), attribute="work.role", value="自由撰稿人",
        ends=("location.origin: 自由撰稿",),
    )  # fmt: skip
    batch = [event("我是自由撰稿人，住在成都。", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=[misread])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("rule",)]


@pytest.mark.parametrize("text", ["User loves harbours.", "User loves Porto."])
def test_what_is_told_in_other_words_was_not_misread(text: str):
    origin = record(
        id="rule", text="User is from Porto.", attribute="location.origin", value="Porto", sources=("now",),
        editor="en:origin",
    )  # fmt: skip
    claim = Claim(text=text, certainty="explicit", events=("now",), ends=("location.origin: Porto",))
    batch = [event("I'm from Porto and I love it, I love harbours.", id="now")]
    found = judge(Proposal(items=(claim,)), batch, NOTHING, TERMS, records=[origin])
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [()], found.refused


def test_another_value_of_what_may_have_several_ends_one_for_a_claim():
    drinks = [
        record(id=f"d{n}", text=f"User drinks {name}.", attribute="habit.drink", value=name, sources=(f"e{n}",))
        for n, name in enumerate(("coffee", "rum"))
    ]
    claim = Claim(
        text="User drinks tea.", certainty="explicit", events=("now",), attribute="habit.drink", value="tea",
        ends=tuple(row.text for row in drinks),
    )  # fmt: skip
    found = judge(Proposal(items=(claim,)), [event("I drink tea.", id="now")], NOTHING, TERMS, records=drinks)
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("d0",)]
