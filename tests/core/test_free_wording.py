"""Claims in words of their own: what they may say of what was said, and what they may end."""

import pytest

from core.making import event, record
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
