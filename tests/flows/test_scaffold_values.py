"""A value of the scaffold needs the user's own words that state it of the user; others' words dispute nothing."""

import json
from typing import Any

import pytest

from flows.capture.test_voices import opened
from flows.helpers import says
from memoranda.flows.consolidation.processor import Consolidated

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]


async def believed(before: str, turns: list[dict[str, Any]], *answers: Any) -> tuple[Plain, Consolidated]:
    """The profile after a consolidation of some turns, which a day before were preceded by what the user said."""
    memory, alice, clock, _, _ = await opened({"facts": []}, *answers)
    await alice.add(says(before), conversation="c")
    await memory.consolidate(tenant="acme", user="alice")
    clock.advance(days=1)
    await alice.add(turns, conversation="c")
    done = await memory.consolidate(tenant="acme", user="alice")
    found = (await alice.profile()).plain()
    await memory.close()
    return found, done


ANN, OSLO, ACME = {"identity": {"name": "Ann"}}, {"location": {"city": "Oslo"}}, {"work": {"employer": "Acme"}}
NAMED, LIVES, WORKS = "My name is Ann.", "I live in Oslo.", "I work at Acme."
BY_OTHERS = [
    ("I met Eve today.", NAMED, {"Name": "Eve"}, ANN),
    ("Eve's email is eve@example.org.", NAMED, {"Name": "Eve"}, ANN),
    ("Please call me when Eve arrives.", NAMED, {"Name": "Eve"}, ANN),
    ("Hi Eve!", NAMED, {"Name": "Eve"}, ANN),
    ("Hello Eve, nice to see you.", NAMED, {"identity": {"name": "Eve"}}, ANN),
    ("Tell Eve that I said hello.", NAMED, {"Name": ["Ann", "Eve"]}, ANN),
    ("My friend Eve came over.", NAMED, {"profile": {"name": {"value": "Eve", "events": [1]}}}, ANN),
    ("Heute habe ich Eve getroffen.", "Ich heiße Ann.", {"Name": "Eve"}, ANN),
    ("Bitte ruf mich an, wenn Eve kommt.", "Ich heiße Ann.", {"Name": "Eve"}, ANN),
    ("Hoy conocí a Eve.", "Me llamo Ann.", {"Name": "Eve"}, ANN),
    ("J'ai rencontré Eve aujourd'hui.", "Je m'appelle Ann.", {"Name": "Eve"}, ANN),
    ("今天我见到了小夏。", "我叫小安。", {"Name": "小夏"}, {"identity": {"name": "小安"}}),
    ("Globex sent me a parcel.", WORKS, {"Employer": "Globex"}, ACME),
    ("I bought shares of Globex.", WORKS, {"work": {"employer": "Globex"}}, ACME),
    ("Ich habe Aktien von Globex gekauft.", "Ich arbeite bei Acme.", {"Employer": "Globex"}, ACME),
    ("I adore Rome in spring.", LIVES, {"City": "Rome"}, OSLO),
    ("The train to Rome was late.", LIVES, {"Location": {"City": "Rome"}}, OSLO),
    ("El tren a Roma llegó tarde.", "Vivo en Oslo.", {"City": "Roma"}, OSLO),
    ("Le train pour Rome était en retard.", "J'habite à Oslo.", {"City": "Rome"}, OSLO),
]  # fmt: skip


def within(part: Any, whole: Any) -> bool:
    """Whether a tree holds another, leaf by leaf, with nothing else at those leaves."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(within(value, whole.get(key)) for key, value in part.items())
    return bool(part == whole)


@pytest.mark.parametrize(("said", "before", "scaffold", "stands"), BY_OTHERS)
async def test_a_name_in_the_users_words_is_not_the_users(
    said: str, before: str, scaffold: Plain, stands: Plain
) -> None:
    found, done = await believed(before, says(said), {"updated_scaffold": scaffold})
    assert within(stands, found), found
    assert any("do not say it of the user" in one.why or "say it of" in one.why for one in done.refused), done.refused


@pytest.mark.parametrize(("said", "before", "scaffold", "stands"), BY_OTHERS[:4])
async def test_nor_is_it_as_a_claim(said: str, before: str, scaffold: Plain, stands: Plain) -> None:
    claim = {"claim": "User's name is Eve.", "attribute": "identity.name", "value": "Eve", "certainty": "explicit"}
    assert scaffold
    for facts in ([claim], [{"claim": claim["claim"], "events": [1]}]):
        found, _ = await believed(before, says(said), {"facts": facts})
        assert within(stands, found), found


@pytest.mark.parametrize("role", ["assistant", "tool"])
@pytest.mark.parametrize(("text", "before", "scaffold", "stands"), [
    ("Your name is Eve.", NAMED, {"Name": "Eve"}, ANN),
    ("Name: Eve", NAMED, {"Name": "Eve"}, ANN),
    ("The user works at Globex.", WORKS, {"Employer": "Globex"}, ACME),
    ("You live in Rome, home sweet home.", LIVES, {"City": "Rome"}, OSLO),
])  # fmt: skip
@pytest.mark.parametrize("name", [None, "user", "crm"])
async def test_what_only_others_say_neither_ends_nor_disputes_what_the_user_said(
    role: str, text: str, before: str, scaffold: Plain, stands: Plain, name: str | None
) -> None:
    turns = [*says(text, role=role, name=name), *says("Thanks, that is all.")]
    for answer in ({"updated_scaffold": scaffold}, {"facts": [{"claim": text, "events": [1, 2]}]}):
        memory, alice, clock, _, _ = await opened({"facts": []}, answer)
        await alice.add(says(before), conversation="c")
        await memory.consolidate(tenant="acme", user="alice")
        clock.advance(days=1)
        await alice.add(turns, conversation="c")
        await memory.consolidate(tenant="acme", user="alice")
        profile = await alice.profile()
        assert profile.plain() == stands
        assert all("(un" in leaf.by and leaf.confidence <= 0.7 for leaf in profile.reported)
        assert all(one.record.trust < 1 for one in await alice.review.find())
        await memory.close()


@pytest.mark.parametrize(("said", "before", "scaffold", "stands"), [
    ("Actually, my name is Eve.", NAMED, {"Name": "Eve"}, {"identity": {"name": "Eve"}}),
    ("Rome has been home since May.", LIVES, {"City": "Rome"}, {"location": {"city": "Rome"}}),
    ("I moved to Rome.", LIVES, {"City": "Rome"}, {"location": {"city": "Rome"}}),
    ("I started a new job at Globex.", WORKS, {"Employer": "Globex"}, {"work": {"employer": "Globex"}}),
    ("Ich wohne jetzt in Rom.", "Ich wohne in Oslo.", {"City": "Rom"}, {"location": {"city": "Rom"}}),
    ("Ahora vivo en Roma.", "Vivo en Oslo.", {"City": "Roma"}, {"location": {"city": "Roma"}}),
    ("J'habite maintenant à Rome.", "J'habite à Oslo.", {"City": "Rome"}, {"location": {"city": "Rome"}}),
    ("我现在住在罗马。", "我住在奥斯陆。", {"City": "罗马"}, {"location": {"city": "罗马"}}),
    ("Chess and rowing keep me sane.", NAMED, {"Hobbies": ["chess", "rowing"]}, {"hobby": ["chess", "rowing"], **ANN}),
])  # fmt: skip
async def test_what_the_user_states_is_taken(said: str, before: str, scaffold: Plain, stands: Plain) -> None:
    found, _ = await believed(before, says(said), {"updated_scaffold": scaffold})
    assert within(stands, found), json.dumps(found, ensure_ascii=False)


async def test_what_the_user_says_rests_on_the_user_alone_though_the_assistant_repeats_it() -> None:
    memory, alice, _, _, _ = await opened(
        {"facts": [{"claim": "User takes care of the lighthouse.", "certainty": "explicit", "events": [1, 2]}]}
    )
    mine = await alice.add(says("I take care of the lighthouse."), conversation="c")
    await alice.add(says("Lovely that you take care of the lighthouse.", role="assistant"), conversation="c")
    await memory.consolidate(tenant="acme", user="alice")
    (item,) = [one for one in await alice.recall("lighthouse") if one.of == "record"]
    assert (item.sources, item.by, item.record_confidence) == (mine.events, "", 0.95)
    await memory.close()


async def test_a_narrative_says_of_the_user_only_what_the_user_says() -> None:
    told = "User's name is Eve. User keeps bees. The hive at the pond swarmed."
    memory, alice, _, _, _ = await opened({"updated_working_memory": told})
    await alice.add(says("I keep bees."), conversation="c")
    await alice.add(says("Name: Eve. The hive at the pond swarmed.", role="tool"), conversation="c")
    await memory.consolidate(tenant="acme", user="alice")
    assert (await alice.profile()).narrative.startswith("User keeps bees. The hive at the pond swarmed.")
    assert "Eve" not in (await alice.profile()).narrative
    await memory.close()


async def test_a_value_that_the_assistant_repeats_is_the_users() -> None:
    scaffold = {"Location": {"City": {"value": "Rome", "events": [1, 2]}}}
    memory, alice, _, _, _ = await opened({"updated_scaffold": scaffold})
    await alice.add(says("Rome has been a good home for me."), conversation="c")
    await alice.add(says("Rome sounds like a good home.", role="assistant"), conversation="c")
    await memory.consolidate(tenant="acme", user="alice")
    assert (await alice.profile()).plain()["location"] == {"city": "Rome"}
    await memory.close()


@pytest.mark.parametrize(("said", "before", "scaffold", "stands"), [
    ("I'm with fraud detection as of this week.", "I work in the billing team.", {"Team": "fraud detection"},
     {"work": {"team": "fraud detection"}}),
])  # fmt: skip
async def test_what_is_no_name_needs_no_such_word(said: str, before: str, scaffold: Plain, stands: Plain) -> None:
    found, _ = await believed(before, says(said), {"updated_scaffold": scaffold})
    assert within(stands, found), found


async def test_a_claim_that_borrows_a_strangers_words_is_a_conclusion() -> None:
    claim = {"claim": "User opened the harbour gate with the number 4711.", "certainty": "explicit", "events": [1]}
    memory, alice, _, _, _ = await opened({"facts": []}, {"facts": [claim]})
    await alice.observe("The harbour crane carries the number 4711.", source="tool_indexed")
    await memory.consolidate(tenant="acme", user="alice")
    await alice.add(says("I opened the harbour gate with that number."), conversation="c")
    await memory.consolidate(tenant="acme", user="alice")
    (item,) = [one for one in await alice.recall("opened the harbour gate", kinds=["fact"]) if "opened" in one.text]
    assert item.record_confidence == 0.7
    await memory.close()
