"""What is over takes its name and its details along, and nothing else."""

from datetime import timedelta

import pytest

from flows.helpers import rows, says
from memoranda import AsyncScoped
from memoranda.core.beliefs.leaving.endings import read_endings
from memoranda.core.rows import Record
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

TALK = {"conversation": "c1"}


async def held(store: Store) -> list[tuple[str | None, object]]:
    """The attributes and values that are believed now, but for what is only denied."""
    now = [row for row in await rows(store, Record) if row.superseded_at is None and row.valid_to is None]
    return [(row.attribute, row.value) for row in now if row.polarity > 0]


async def told(alice: AsyncScoped, clock: FrozenClock, *turns: str) -> None:
    for turn in turns:
        await alice.add(says(turn), **TALK)
        clock.advance(days=1)


@pytest.mark.parametrize(
    "turns",
    [
        [
            "My dog is called Rex.",
            "I walk Rex every morning.",
            "My dog Rex is allergic to chicken.",
            "Rex died in May.",
        ],
        ["I have a horse called Bella.", "Bella had to be put to sleep on Monday."],
        ["I have a cat named Mia.", "I don't have a cat anymore."],
        ["We have a cat called Luna.", "We gave Luna away in January."],
        ["My flatmate is Tim.", "My flatmate Tim works at Bosch.", "Tim moved out on Sunday."],
        ["My boss is Karen.", "Karen got the sack."],
        ["My wife is called Anna.", "Anna left me."],
        ["I'm a member of the FitLife gym.", "I cancelled FitLife."],
        ["My flight to Rome is on 20 April.", "My flight to Rome got cancelled."],
        ["My dog is called Rex.", "Rex died on 3 May."],
        ["Mein Hund heißt Bello.", "Bello ist gestern gestorben."],
        ["Mein Hund heißt Bello.", "Mein Hund ist gestorben."],
        ["Mein Mitbewohner heißt Tim.", "Tim ist letzte Woche ausgezogen."],
        ["Meine Chefin heißt Karen.", "Karen wurde entlassen."],
        ["Ich fahre einen Golf.", "Mein Golf wurde gestohlen."],
        ["Tengo un perro llamado Toby.", "Ya no tengo perro."],
        ["Mi gata se llama Luna.", "Tuvimos que sacrificar a Luna."],
        ["Mi compañero de piso se llama Luis.", "Luis se fue del piso."],
        ["Mi jefe se llama Pedro.", "Despidieron a Pedro."],
        ["J'ai un chat qui s'appelle Minou.", "Je n'ai plus de chat."],
        ["Mon chien s'appelle Rex.", "On a dû faire piquer Rex."],
        ["Ma copine s'appelle Léa.", "Léa m'a quitté."],
        ["Mon colocataire s'appelle Paul.", "Paul a déménagé."],
        ["我有一只狗叫旺财。", "我没有狗了。"],
        ["我有一只猫叫咪咪。", "咪咪送人了。"],
        ["我女朋友叫小美。", "我和小美分手了。"],
        ["我老板叫李雷。", "李雷被开除了。"],
    ],
)
async def test_what_depends_on_it_ends(alice: AsyncScoped, store: Store, clock: FrozenClock, turns: list[str]) -> None:
    await told(alice, clock, *turns)
    assert await held(store) == []


@pytest.mark.parametrize(
    ("turns", "stays"),
    [
        (["My dog is called Rex.", "Rex nearly died but he's fine."], "Rex"),
        (["My dog is called Rex.", "My neighbour's dog died last week."], "Rex"),
        (["My dog is called Rex.", "Did Rex die?"], "Rex"),
        (["My dog is called Rex.", "If Rex died I would cry."], "Rex"),
        (["My dog is called Rex.", "Rex died laughing."], "Rex"),
        (["We have two dogs, Rex and Luna.", "My dog died."], "Luna"),
        (["I use a Pixel 8.", "my phone died, charging it"], "Pixel 8"),
        (["My cat is called Mia.", "I lost Mia in the park but found her."], "Mia"),
        (["I drive a Ford Fiesta.", "My brother sold his Fiesta."], "Ford Fiesta"),
        (["I drive a Ford Fiesta.", "I haven't sold the Fiesta."], "Ford Fiesta"),
        (["I play the piano.", "The piano lesson was cancelled."], "piano"),
        (["My flatmate is Tim.", "Tim moved out of the way."], "Tim"),
        (["My manager is called Priya.", "Priya left the company dinner early."], "Priya"),
        (["My girlfriend is Sara.", "My sister broke up with her boyfriend."], "Sara"),
        (["My mum is called Ruth.", "Ruth died in 2019."], "Ruth"),
        (["My wife is called Anna.", "My wife Anna works at Bosch.", "Anna got fired."], "Anna"),
        (["Mein Hund heißt Bello.", "Bello ist fast gestorben."], "Bello"),
        (["Mein Hund heißt Bello.", "Der Hund meiner Nachbarin ist gestorben."], "Bello"),
        (["Mi perro se llama Toby.", "Toby casi se murió del susto."], "Toby"),
        (["Mon chien s'appelle Rex.", "Le chien de mon voisin est mort."], "Rex"),
        (["我有一只猫叫咪咪。", "邻居的猫死了。"], "咪咪"),
        (["我有一只狗叫旺财。", "旺财差点死了。"], "旺财"),
    ],
)
async def test_what_is_not_over_stays(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turns: list[str], stays: str
) -> None:
    await told(alice, clock, *turns)
    assert stays in [value for _, value in await held(store)]


async def test_the_job_of_somebody_who_was_fired_ends_and_the_name_stays(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await told(alice, clock, "My wife is called Anna.", "My wife Anna works at Bosch.", "Anna got fired.")
    assert await held(store) == [("family.wife.name", "Anna")]


async def test_who_parts_names_nobody(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "My partner is called Kim.", "We broke up.")
    assert ("family.partner.name", "Kim") not in await held(store)


async def test_one_of_several_ends(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "We have two dogs, Rex and Luna.", "Rex passed away.")
    assert await held(store) == [("pet.dog.name", "Luna"), ("pet.owns", "two dogs")]


async def test_what_is_over_names_the_turn_that_says_so(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "My dog is called Rex.")
    captured = await alice.add(says("Rex died."), **TALK)
    assert [one.outcome for one in captured.decisions] == ["ended"]
    assert captured.unextracted == 0
    record = max(await rows(store, Record), key=lambda row: row.version)
    assert (record.status, record.contradicted_by, record.valid_to) == ("expired", captured.events[0], clock())


async def test_what_began_long_after_that_stays(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "I drive a Ford Fiesta.", "I sold a Fiesta in 2015.")
    assert ("possession", "Ford Fiesta") in await held(store)


async def test_what_is_said_again_holds_again(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "I have a dog called Rex.", "Rex died.", "I have a dog called Rex.")
    assert await held(store) == [("pet.dog.name", "Rex")]


async def test_a_forgotten_ending_ends_nothing(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "I have a dog called Rex.")
    over = await alice.add(says("Rex died."), **TALK)
    await alice.forget(source=over.events[0])
    assert await held(store) == [("pet.dog.name", "Rex")]


async def test_only_the_user_says_what_is_over(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "My dog is called Rex.")
    await alice.add([{"role": "assistant", "content": "Rex died."}], **TALK)
    assert await held(store) == [("pet.dog.name", "Rex")]


@pytest.mark.parametrize(
    "text", ["Translate this: Rex died", "Subject: news\nRex died", "> Rex died", "She said Rex died."]
)
def test_other_words_end_nothing(text: str) -> None:
    assert read_endings(text, "en") == ()


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["My exam is on 20 April.", "My exam was postponed to 3 May."], ["3 May"]),
        (["My exam is on 20 April.", "The exam got brought forward to 12 April."], ["12 April"]),
        (["My exam is on 20 April.", "My exam was postponed."], []),
        (["My exam is on 20 April.", "My brother's exam was moved to 3 May."], ["20 April"]),
        (["My exam is on 20 April.", "I moved my desk to the window."], ["20 April"]),
        (["My exam is on 20 April.", "If they moved my exam to May I'd be glad."], ["20 April"]),
        (["My flight is at 9:40 on Tuesday.", "They moved my flight to 11:15."], ["11:15 on Tuesday"]),
        (["My flight is at 9:40 on Tuesday.", "They moved my flight to 11:15 on Friday."], ["11:15 on Friday"]),
        (["My exam is on 20 April.", "My exam wurde auf den 3. Mai verschoben."], ["den 3. Mai"]),
    ],
)
async def test_what_is_moved_leaves_its_former_time(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turns: list[str], left: list[str]
) -> None:
    await told(alice, clock, *turns)
    now = [row for row in await rows(store, Record) if row.superseded_at is None and row.status != "expired"]
    assert [row.value for row in now if row.polarity > 0] == left


async def test_a_day_to_which_something_is_moved_lies_ahead(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await told(alice, clock, "My exam is on 20 April.", "My exam was postponed to the 5th of July.")
    [moved] = [row for row in await rows(store, Record) if row.status == "verified"]
    assert moved.valid_to is not None
    assert (moved.valid_to.date().isoformat(), len(moved.sources)) == ("2026-07-06", 2)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (["I use vim.", "I switched to VS Code."], ["VS Code"]),
        (["I use vim.", "I use Slack.", "I switched to VS Code.", "I went back to vim."], ["Slack", "vim"]),
        (["I use Firefox.", "I switched to Helix."], ["Firefox", "Helix"]),
        (["We use Jenkins for CI.", "We switched to Buildkite for CI."], ["Buildkite"]),
        (["We use Jenkins for CI.", "For CI, we use Buildkite now."], ["Buildkite"]),
        (["We use Jenkins for CI.", "We use Buildkite for CI."], ["Buildkite", "Jenkins"]),
        (["We use Jenkins for CI.", "We switched to Slack for chat."], ["Jenkins", "Slack"]),
        (["We use Jenkins for CI.", "I switched to Buildkite for CI."], ["Buildkite", "Jenkins"]),
        (["Our CI runs on Jenkins.", "We moved our CI to Buildkite."], ["Buildkite"]),
        (["I use Gmail for email.", "I switched to Outlook for work email."], ["Gmail", "Outlook"]),
        (["I use Gmail for work email.", "I switched to Outlook for email."], ["Outlook"]),
        (["I use Toggl for two years.", "I switched to Quux for now."], ["Quux", "Toggl"]),
        (["Wir nutzen Jenkins für CI.", "Wir sind für CI auf Buildkite umgestiegen."], ["Buildkite"]),
        (["Usamos Jenkins para CI.", "Hemos cambiado de Jenkins a Buildkite."], ["Buildkite"]),
        (["On utilise Jenkins pour la CI.", "On est passés de Jenkins à Buildkite."], ["Buildkite"]),
        (["我们用Jenkins做CI。", "我们的CI从Jenkins换成了Buildkite。"], ["Buildkite"]),
        (["I prefer window seats.", "Actually, I prefer aisle seats."], ["aisle seats"]),
        (["I prefer window seats.", "I prefer short emails."], ["short emails", "window seats"]),
    ],
)
async def test_what_has_changed_replaces_what_is_like_it(
    alice: AsyncScoped, store: Store, clock: FrozenClock, turns: list[str], left: list[str]
) -> None:
    await told(alice, clock, *turns)
    assert sorted(str(value) for _, value in await held(store)) == sorted(left)


async def test_what_was_said_again_since_is_not_over(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await told(alice, clock, "My dog is called Rex.")
    before = (clock.now - timedelta(days=9)).isoformat()
    await alice.add([{"role": "user", "content": "Rex died.", "timestamp": before}], **TALK)
    assert ("pet.dog.name", "Rex") in await held(store)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I play tennis on Mondays.", "I cancelled tennis this week."),
        ("Ich spiele Tennis.", "Ich habe Tennis diese Woche abgesagt."),
        ("Meine Frau heißt Jana.", "Jana hat mich nicht verlassen."),
        ("Meine Chefin heißt Karen.", "Karen wurde fast entlassen."),
    ],
)
async def test_one_time_called_off_and_what_did_not_happen_end_nothing(
    alice: AsyncScoped, store: Store, clock: FrozenClock, first: str, then: str
) -> None:
    await told(alice, clock, first)
    before = await held(store)
    await told(alice, clock, then)
    assert before
    assert set(before) <= {*await held(store)}
