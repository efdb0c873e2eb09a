"""What is believed after somebody said that it is over, that it came true, or that it never was."""

import pytest

from flows.helpers import rows, says
from memoranda import AsyncScoped
from memoranda.core.rows import Record
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def believed(alice: AsyncScoped, store: Store, clock: FrozenClock, *turns: str) -> set[str]:
    """The texts of what is affirmed and holds, after turns that were said a week apart."""
    for turn in turns:
        await alice.add(says(turn))
        clock.advance(days=7)
    return {
        record.text
        for record in await rows(store, Record)
        if record.superseded_at is None
        and record.polarity > 0
        and record.temporal != "past"
        and (record.valid_to is None or record.valid_to > clock())
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I eat meat.", "I don't eat meat any more."),
        ("I eat meat.", "I've given up meat."),
        ("I have asthma.", "I no longer have asthma."),
        ("I have asthma.", "I no longer have asthma, thankfully."),
        ("I use Slack.", "I no longer use Slack unfortunately."),
        ("I work at Acme.", "I no longer work at Acme now that I have kids."),
        ("I work at Acme.", "I no longer work at Acme as of Monday."),
        ("J'aime le jazz.", "Je n'aime plus le jazz depuis mon divorce."),
        ("Me gusta el jazz.", "Ya no me gusta el jazz desde mi divorcio."),
        ("Ich mag Jazz.", "Ich mag Jazz nicht mehr seit meiner Scheidung."),
        ("I have a car.", "I sold my car."),
        ("I have a dog.", "My dog died."),
        ("I work at Acme.", "I quit Acme."),
        ("I want to learn Spanish.", "I don't want to learn Spanish any more."),
        ("I'm moving to Oslo.", "I'm not moving to Oslo."),
        ("I need to call Bob.", "I don't need to call Bob any more."),
        ("I booked a flight to Rome.", "I cancelled my flight to Rome."),
        ("The deadline is 3 May.", "The deadline is no longer 3 May."),
        ("Call me Bob.", "Don't call me Bob."),
        ("My dog is called Rex.", "My dog Rex died."),
        ("I have a meeting with Bob on 3 May.", "The meeting with Bob was cancelled."),
        ("I have an interview at Bolt on 3 May.", "They cancelled my interview at Bolt."),
        ("Use metric units.", "Don't use metric units."),
        ("Answer in German.", "Don't answer in German."),
    ],
)
async def test_nothing_of_what_is_over_is_believed(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str
) -> None:
    assert await believed(alice, store, clock, before, after) == set()


async def test_what_is_so_again_is_believed_again(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    turns = "I have asthma.", "I no longer have asthma.", "I have asthma."
    assert await believed(alice, store, clock, *turns) == {"User has asthma."}


async def test_a_plan_that_came_true_is_no_plan_any_more(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    turns = "I'm moving to Oslo.", "I moved to Oslo."
    assert await believed(alice, store, clock, *turns) == {"User moved to Oslo."}


async def test_one_plan_leaves_another_and_what_is_so_as_it_is(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    turns = "I live in Bergen.", "I'm moving to Oslo.", "I'm moving to Rome."
    assert len(await believed(alice, store, clock, *turns)) == 3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I eat meat.", "I don't eat meat on Fridays."),
        ("I use Vim.", "I don't use Vim at work."),
        ("I speak French.", "I don't speak French very well."),
        ("I need to call Bob.", "I don't need to call Bob today."),
        ("I work at Acme.", "I'm not working at Acme today."),
        ("I work at Acme.", "Today I'm not working at Acme."),
        ("Ich arbeite bei Siemens.", "Heute arbeite ich nicht bei Siemens."),
        ("I like tea.", "I don't want tea now."),
        ("I have a car.", "I haven't sold my car."),
        ("I have a car.", "I almost sold my car."),
        ("I have a car.", "My brother sold his car."),
    ],
)
async def test_what_is_denied_for_a_time_or_of_somebody_else_leaves_the_rest(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str
) -> None:
    assert len(await believed(alice, store, clock, before, after)) == 1


@pytest.mark.parametrize(
    "turn",
    [
        "Until May 2026, I live in Oslo.",
        "I live in Oslo, but only until May 2026.",
        "Until May 2026 I live in Oslo.",
        "I'm on a keto diet until June.",
        "From now until Friday I'm on sick leave.",
        "Bis Mai 2026 wohne ich in Oslo.",
        "我住在北京直到星期五。",
    ],
)
async def test_what_is_so_until_a_time_ends_with_it(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turn: str
) -> None:
    await believed(alice, store, clock, turn)
    assert len(await rows(store, Record)) == 1
    clock.advance(days=200)
    assert await believed(alice, store, clock) == set()


@pytest.mark.parametrize(
    ("turn", "instead"),
    [
        ("I live in Berlin, no wait, in Bern.", {"User lives in Bern."}),
        ("I live in Berlin, sorry, I meant Bern.", {"User lives in Bern."}),
        ("Yeah right, I love Mondays.", set[str]()),
    ],
)
async def test_of_what_is_taken_back_in_the_same_breath_only_what_is_said_instead_is_believed(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turn: str, instead: set[str]
) -> None:
    assert await believed(alice, store, clock, turn) == instead


@pytest.mark.parametrize(
    ("turn", "rest"),
    [
        ("I'm living in Rome this month.", {"User lives in Oslo.", "User lives in Rome this month."}),
        ("This month, I'm living in Rome.", {"User lives in Oslo.", "User lives in Rome."}),
        ("I'm living in Rome this summer.", {"User lives in Oslo.", "User lives in Rome this summer."}),
        ("For the next three months I'm living in Rome.", {"User lives in Oslo.", "User lives in Rome."}),
        ("I moved to Rome this month.", {"User moved to Rome this month."}),
        ("I'm living in Rome as of today.", {"User lives in Rome as of today."}),
    ],
)
async def test_what_is_so_this_month_leaves_what_is_so_else_and_ends_with_it(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turn: str, rest: set[str]
) -> None:
    assert await believed(alice, store, clock, "I live in Oslo.", turn) == rest
    clock.advance(days=300)
    assert await believed(alice, store, clock) == (rest & {"User lives in Oslo."} or rest)


@pytest.mark.parametrize(
    ("before", "turn", "lasting"),
    [
        ("I live in Oslo.", "I'm temporarily living in Rome.", "User lives in Oslo."),
        ("I live in Oslo.", "I'm living in Rome for two weeks.", "User lives in Oslo."),
        ("I live in Oslo.", "I'm living in Rome for the summer.", "User lives in Oslo."),
        ("Ich wohne in Berlin.", "Ich wohne diesen Monat in Rom.", "Nutzer wohnt in Berlin."),
        ("Vivo en Madrid.", "Este mes vivo en Roma.", "Usuario vive en Madrid."),
        ("J'habite à Paris.", "J'habite à Rome ce mois-ci.", "L'utilisateur habite à Paris."),
        ("我住在北京。", "我这个月住在上海。", "用户住在北京。"),
    ],
)
async def test_what_is_so_for_a_time_ends_nothing(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, turn: str, lasting: str
) -> None:
    assert lasting in await believed(alice, store, clock, before, turn)
    assert {record.temporal for record in await rows(store, Record)} == {"current", "temporary"}


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ("Vivo en Madrid y esta semana estoy en Roma.", "Usuario vive en Madrid."),
        ("J'habite à Paris et cette semaine je suis à Rome.", "L'utilisateur habite à Paris."),
        ("我住在北京，这周我在上海。", "用户住在北京。"),
    ],
)
async def test_a_time_behind_an_and_is_that_of_the_next_clause(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turn: str, text: str
) -> None:
    assert await believed(alice, store, clock, turn) == {text}
    assert [record.temporal for record in await rows(store, Record)] == ["current"]


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("I'm unemployed.", "I joined Netflix.", {"User joined Netflix."}),
        ("I'm divorced.", "I'm married again.", {"User is married."}),
        ("I'm not a lawyer anymore.", "I'm a lawyer again.", {"User is a lawyer."}),
    ],
)
async def test_nothing_denies_what_is_so_again(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str, left: set[str]
) -> None:
    assert await believed(alice, store, clock, before, after) == left
    found = [record for record in await rows(store, Record) if record.polarity < 0 and record.superseded_at is None]
    assert all(record.valid_to is not None and record.valid_to <= clock() for record in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My wife's name is Ann.", "I'm divorced now."),
        ("My boyfriend's name is Max.", "I broke up with Max."),
        ("My boyfriend's name is Max.", "Max and I broke up."),
        ("I'm engaged.", "I broke up with Lisa."),
        ("I'm single.", "We got married last weekend!"),
        ("My boss is Anna.", "My boss is Peter now."),
        ("I'm an engineer.", "I got promoted to engineering manager."),
        ("I'm vegetarian.", "I've gone vegan."),
        ("Our office is based in Oslo.", "Our office moved to Bergen."),
        ("Ich arbeite bei Siemens.", "Ich habe letzte Woche bei Siemens gekündigt."),
        ("Ich arbeite bei Siemens.", "Ich wurde gestern entlassen."),
        ("Ich bin verheiratet.", "Wir haben uns scheiden lassen."),
        ("Trabajo en Orange.", "Dejé mi trabajo en Orange la semana pasada."),
        ("Trabajo en Orange.", "Perdí mi trabajo."),
        ("Estoy casada.", "Me he divorciado de él."),
        ("Je travaille chez Airbus.", "J'ai quitté Airbus la semaine dernière."),
        ("Je travaille chez Airbus.", "J'ai perdu mon travail."),
        ("Je suis mariée.", "J'ai divorcé le mois dernier."),
        ("我在腾讯工作。", "我上周从腾讯辞职了。"),
        ("我在腾讯工作。", "我失业了。"),
    ],
)
async def test_what_another_fact_ends_is_believed_no_more(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str
) -> None:
    told = await believed(alice, store, clock, before)
    assert len(told) == 1
    assert told.isdisjoint(await believed(alice, store, clock, after))


@pytest.mark.parametrize(
    "turn",
    [
        "I was laid off.",
        "I lost my job.",
        "I'm unemployed now.",
        "I'm unemployed at the moment.",
        "I got laid off last week.",
    ],
)
async def test_who_is_out_of_work_has_no_employer(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turn: str
) -> None:
    left = await believed(alice, store, clock, "I work at Acme.", turn)
    assert "User works at Acme." not in left
    assert len(left) == 1
    assert "User works at Bolt." in await believed(alice, store, clock, "I work at Bolt.")


async def test_who_is_out_of_work_for_a_time_works_there_again_afterwards(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await believed(alice, store, clock, "I work at Acme.", "I'm unemployed until the 23rd.")
    clock.advance(days=60)
    assert await believed(alice, store, clock) == {"User works at Acme."}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I work at Meta.", "I lost my job at Google in 2020."),
        ("I work at Meta.", "I was laid off in 2019."),
        ("I work at Meta.", "I'm retired from boxing."),
        ("I work at Meta.", "I got fired up about the new project."),
        ("I drink coffee.", "I haven't stopped drinking coffee."),
        ("I love coffee.", "I don't drink coffee until noon."),
        ("I live in Oslo.", "I don't live in Oslo until June."),
        ("I live in Oslo.", "I lived in Oslo in 2010."),
        ("Vivo en Madrid.", "Viví en Madrid en 2010."),
        ("我在阿里巴巴工作。", "我2015年在阿里巴巴工作过。"),
        ("I have a car.", "I sold my car in 2015."),
        ("I work at Meta.", "I joined Google in 2010."),
        ("I work at Meta.", "I work at a bar on weekends."),
        ("I work at Meta.", "On Tuesdays I work at the library."),
        ("I work at Meta.", "I've worked at Dell before."),
        ("I live in Oslo.", "I've lived in Rome."),
        ("I'm a nurse.", "I'm also a photographer."),
        ("Ich bin Lehrer.", "Ich bin auch Musiker."),
        ("I'm vegetarian.", "I'm vegan on Mondays."),
        ("I live in Oslo.", "Our company moved to Bergen."),
        ("I live in Oslo.", "I moved to Linux."),
        ("I live in Oslo.", "I live in sweatpants these days."),
        ("I live in Oslo.", "My team is based in Bergen."),
        ("我住在北京。", "我们公司搬到了深圳。"),
        ("I live in Oslo.", "Five years ago I moved to Bergen."),
        ("Vivo en Madrid.", "En 2005 me mudé a Bilbao."),
        ("我住在北京。", "我2005年搬到了上海。"),
        ("I'm vegetarian.", "I went vegan in 2012 for a year."),
        ("I'm allergic to nuts.", "I was allergic to nuts as a kid."),
        ("I'm allergic to nuts.", "I wasn't allergic to nuts as a kid."),
        ("I love jazz.", "I used to love jazz when I was young."),
        ("I speak French.", "I used to speak French at home."),
        ("I use Slack.", "I no longer use Slack for personal stuff."),
        ("I use Slack.", "I don't use Slack for work anymore."),
        ("I play tennis.", "I don't play tennis as much anymore."),
        ("I drink coffee.", "I no longer drink coffee after 3pm."),
        ("I have migraines.", "I no longer have migraines every week."),
        ("I have asthma.", "I don't have asthma attacks anymore."),
        ("I have asthma.", "I don't have severe asthma."),
        ("Trabajo en Acme.", "No trabajo en Acme los viernes."),
        ("Je travaille chez Renault.", "Je ne travaille pas chez Renault le vendredi."),
        ("I work at Acme.", "I can't work at Acme any longer."),
        ("I work at Acme.", "I lost my job application."),
        ("I work at Acme.", "I got laid off once, years ago."),
        ("I work at Acme.", "I'm retired military."),
        ("I work at Acme.", "I'm retired in spirit."),
        ("I work at Acme.", "I lost my job in the 2008 crash."),
        ("I work at Acme.", "I was fired by my previous employer."),
        ("I have a cat.", "I gave away my cat's toys."),
        ("I have a cat.", "I sold my cat tree."),
        ("I have a dog.", "My neighbour's dog died."),
        ("I have a dog.", "My old dog died."),
        ("Never schedule meetings before 10am.", "The crab is blue."),
    ],
)
async def test_what_speaks_of_another_time_or_another_thing_ends_nothing(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str
) -> None:
    told = await believed(alice, store, clock, before)
    assert len(told) == 1
    assert told <= await believed(alice, store, clock, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I work at a bar on weekends.", "I no longer work at a bar."),
        ("I'm living in Oslo this month.", "I used to live in Oslo."),
    ],
)
async def test_what_is_so_beside_something_else_can_be_over(
    alice: AsyncScoped, store: Store, clock: FrozenClock, before: str, after: str
) -> None:
    assert await believed(alice, store, clock, before, after) == set()


async def test_an_employer_told_with_the_end_of_another_stands(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    left = await believed(alice, store, clock, "I was laid off, so I joined Meta.")
    assert any("Meta" in text for text in left)


async def test_what_is_denied_ends_before_its_time(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    assert len(await believed(alice, store, clock, "I live in Oslo until December.")) == 1
    assert await believed(alice, store, clock, "I no longer live in Oslo.") == set()
