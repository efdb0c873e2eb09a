"""Claims in words of their own: what they may say of what was said, and what they may end."""

import pytest

from core.making import event, record
from memoranda.core.beliefs.profile import Profile
from memoranda.core.consolidation.judge import Judged, judge
from memoranda.core.consolidation.proposal import Claim, LeafChange, Proposal
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

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
        ("I wish I could eat gluten, but I have celiac disease.", "User has celiac disease."),
        ("If I have time I'll come, but I live in Kiel now.", "User lives in Kiel."),
        ("Ich würde ja kommen, aber ich wohne in Kiel.", "User wohnt in Kiel."),
        ("My parents live in Porto and my sister in Madrid.", "User's sister lives in Madrid."),
        ("My husband works at the hospital and my mother has dementia.", "User's mother has dementia."),
        ("I'm afraid that I'm allergic to nuts.", "User is allergic to nuts."),
        ("Ich habe mehrere Katzen.", "User hat Katzen."),
        ("J'aime plus le thé que le café.", "User aime le thé."),
        ("Our Pippa starts school in September, she can't wait.", "User's child Pippa starts school in September."),
    ],
)
def test_what_was_said_may_be_told_otherwise(said: str, claim: str):
    found = judged(said, claim)
    assert [item.text for item in found.items if isinstance(item, Claim)] == [claim], found.refused


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("My brother says everybody ought to become a plumber.", "User is a plumber."),
        ("A colleague informed us that the moon landing was staged.", "User thinks the moon landing was staged."),
        ("Do you think I should take up fencing? My neighbour does fencing.", "User takes up fencing."),
        ("Wenn ich die Stelle bekomme, ziehe ich nach Erfurt.", "User zieht nach Erfurt."),
        ("If the offer goes through, I'm leaving Brightwell.", "User is leaving Brightwell."),
        ("Si me toca la lotería, dejo el trabajo.", "User ha dejado el trabajo."),
        ("如果我中奖，我就搬到三亚。", "User搬到三亚。"),
        ("I like tea.", "User owns a sailing boat."),
        ("My daughter plays the oboe.", "User plays the oboe."),
        ("He's a baker at Hotel Astra now.", "User works at Hotel Astra."),
        ("Translate this: He said 'I love our two lovely kids' and left.", "User loves two kids."),
        ("We visited Graz in spring.", "User visited Linz in spring."),
        ("My sister's dog is called Rex.", "User's dog is called Rex."),
        ("Ich war noch nie in Japan.", "User war in Japan."),
        ("He dejado de fumar.", "User fuma."),
        ("我不吃肉。", "用户吃肉。"),
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
        ("My doctor told me I'm allergic to penicillin.", "User is allergic to penicillin."),
        ("My doctor says that my blood pressure is too high.", "User's blood pressure is too high."),
        ("Can you answer my uncle? He says I am allergic to walnuts.", "User is allergic to walnuts."),
        ("My brother says I ought to become a plumber.", "User's brother says that User ought to become a plumber."),
        ("My doctor diagnosed me with asthma.", "User was diagnosed with asthma."),
        ("Mein Arzt hat mir gesagt, dass ich Diabetes habe.", "User hat Diabetes."),
        ("Le médecin m'a dit que je suis allergique aux noix.", "User est allergique aux noix."),
        ("Mi médico me ha dicho que mi tensión es alta.", "La tensión de User es alta."),
        ("医生告诉我，我对青霉素过敏。", "User对青霉素过敏。"),
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
        ("Can you answer my uncle? He says he is allergic to walnuts.", "User is allergic to walnuts."),
        ("My doctor told me that people are allergic to walnuts.", "User is allergic to walnuts."),
        ("If my doctor told me I was allergic to walnuts I'd cry.", "User is allergic to walnuts."),
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
    "said",
    ["No hazelnuts please, I'm allergic.", "No hazelnuts please, my sister is allergic."],
)
def test_a_value_that_is_denied_is_uncertain_where_the_claim_is_not_denied(said: str):
    claim = Claim(
        text="User is allergic to hazelnuts.", certainty="explicit", events=("now",), attribute="health.allergy",
        value="hazelnuts",
    )  # fmt: skip
    (found,) = judge(Proposal(items=(claim,)), [event(said, id="now")], NOTHING, TERMS).items
    assert isinstance(found, Claim)
    assert found.certainty == "uncertain"


def test_what_is_denied_is_no_claim():
    claim = Claim(text="User ist allergisch gegen Kiwi.", certainty="explicit", events=("now",))
    said = event("Gegen Kiwi bin ich nicht mehr allergisch.", id="now")
    assert judge(Proposal(items=(claim,)), [said], NOTHING, TERMS).items == ()


SHIFTS = "User hardly ever works days."


@pytest.mark.parametrize(
    ("certainty", "known", "ends"),
    [
        ("explicit", SHIFTS, SHIFTS),
        ("implied", SHIFTS, SHIFTS),
        ("inferred", SHIFTS, SHIFTS),
        ("explicit", SHIFTS, "User works days."),  # is like it, and not its words
        ("explicit", "Ines hardly ever works days.", "Ines hardly ever works days."),
    ],
)
def test_what_no_word_speaks_of_ends_if_a_sure_model_names_it_exactly(certainty: str, known: str, ends: str):
    claim = Claim(text="User has mornings.", certainty=certainty, events=("now",), ends=(ends,))
    subject = "user" if known == SHIFTS else "ines"
    rows = [record(id="r0", text=known, subject=subject, sources=("then",))]
    found = judge(Proposal(items=(claim,)), [event("Mornings it is.", id="now")], NOTHING, TERMS, records=rows)
    believed = certainty != "inferred" and ends == known == SHIFTS
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [("r0",) if believed else ()]


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


@pytest.mark.parametrize(
    ("said", "claim", "right"),
    [
        ("I used to live in Rome.", "User lived in Rome.", True),
        ("I no longer live with Tom.", "User lived with Tom.", True),
        ("Ya no trabajo en Indra.", "User trabajaba en Indra.", True),
        ("I never lived in Rome.", "User lived in Rome.", False),
    ],
)
def test_what_is_over_was_so(said: str, claim: str, right: bool):
    item = Claim(text=claim, certainty="explicit", events=("now",), temporal="past")
    found = judge(Proposal(items=(item,)), [event(said, id="now")], NOTHING, TERMS)
    assert bool(found.items) is right, found.refused


@pytest.mark.parametrize(("said", "right"), [("I'm not married.", True), ("I'm married.", False)])
def test_a_value_that_is_false_is_a_denial(said: str, right: bool):
    item = LeafChange(path="family.married", value=False, events=("now",))
    assert bool(judge(Proposal(items=(item,)), [event(said, id="now")], NOTHING, TERMS).items) is right


def test_a_value_that_is_true_need_not_be_said():
    item = Claim(text="User is vegan.", certainty="explicit", events=("now",), attribute="diet.vegan", value=True)
    (found,) = judge(Proposal(items=(item,)), [event("I'm vegan.", id="now")], NOTHING, TERMS).items
    assert isinstance(found, Claim)
    assert (found.certainty, found.value) == ("explicit", True)


@pytest.mark.parametrize(
    ("question", "answer", "claim", "right"),
    [
        ("Noted. Are you vegetarian?", "yes since 2015", "User is vegetarian.", True),
        ("Wohnen Sie noch in Graz?", "Ja, genau.", "User wohnt in Graz.", True),
        ("你吃素吗？", "是的", "User 吃素。", True),
        ("Are you vegetarian?", "Why do you ask?", "User is vegetarian.", False),
        ("Are you vegetarian?", "no", "User is vegetarian.", False),
        ("Are you vegetarian?", "Yeah, no.", "User is vegetarian.", False),
        ("Are you vegetarian?", "Yes, but that was long ago and far away", "User is vegetarian.", False),
        ("Wohnen Sie in Graz?", "Ja, früher, jetzt nicht.", "User wohnt in Graz.", False),
        ("你养猫吗？", "对不起，没有。", "User 养猫。", False),
        ("Do you live in Oslo or in Bergen?", "Yes, in Bergen.", "User lives in Oslo.", False),
        ("Would you sell the car if you moved to Oslo?", "yes", "User moved to Oslo.", False),
        ("Did Bob move to Oslo?", "yes", "User moved to Oslo.", False),
        ("Are you vegetarian?", "yes", "User is vegan.", False),
    ],
)
def test_a_yes_says_aside_what_was_asked(question: str, answer: str, claim: str, right: bool):
    batch = [event(question, id="asked", role="assistant"), event(answer, id="now", position=1)]
    item = Claim(text=claim, certainty="explicit", events=("asked", "now"))
    found = judge(Proposal(items=(item,)), batch, NOTHING, TERMS)
    assert [one.certainty for one in found.items if isinstance(one, Claim)] == ["uncertain"] * right, found.refused


def test_what_is_said_behind_a_yes_is_as_sure_as_it_was():
    batch = [event("Do you play tennis on Mondays?", id="asked", role="assistant")]
    batch.append(event("Yes, tennis every Monday.", id="now", position=1))
    item = Claim(text="User plays tennis on Mondays.", certainty="explicit", events=("now",))
    (found,) = judge(Proposal(items=(item,)), batch, NOTHING, TERMS).items
    assert isinstance(found, Claim)
    assert found.certainty == "explicit"


def test_a_yes_answers_only_what_was_asked_just_before():
    asked = event("Are you vegetarian?", id="asked", role="assistant", conversation="c1")
    item = Claim(text="User is vegetarian.", certainty="explicit", events=("now",))
    for batch in (
        [asked, event("yes", id="now", conversation="c2")],
        [event("yes", id="now", conversation="c1"), asked],
        [asked, event("Hm.", id="mine", conversation="c1"), event("yes", id="now", conversation="c1")],
    ):
        assert judge(Proposal(items=(item,)), batch, NOTHING, TERMS).items == ()


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("If I worked in Oslo, but I moved to Kiel, would I pay tax?", "User moved to Kiel."),
        ("If I lived in Oslo, but I worked in Kiel, I would commute.", "User worked in Kiel."),
        ("I'm afraid of being fired from Acme.", "User was fired from Acme."),
        ("I'm afraid that my wife will leave me.", "User's wife left."),
    ],
)
def test_the_rest_of_a_supposition_and_a_fear_are_supposed_too(said: str, claim: str):
    assert judged(said, claim).items == ()
