"""Ranking an inbox: by goals, by what is known of the user, by guidance; nothing of it is kept, and why is told."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, Broken, everything, fails, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.context.inbox import NONE
from memoranda.core.recall.question import asks, without
from memoranda.errors import InputError, MessageError
from memoranda.flows.context.inbox import MOST, READ, WISHES, Ranking
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

FERRY = {"id": "ferry", "text": "Your ferry to Oslo leaves at eight"}
PIZZA = {"id": "pizza", "text": "Two for the price of one tonight!"}


def scores(found: Ranking) -> Mapping[str, float]:
    return {one.id: one.score for one in found}


async def test_what_bears_on_a_goal_comes_first_and_says_so(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Book the ferry to Oslo")
    found = await alice.rank([PIZZA, FERRY])
    first, last = found
    assert (first.id, last.id, last.score, last.why, last.reasons) == ("ferry", "pizza", 0, NONE, ())
    assert 0.3 < first.score <= 0.7
    assert first.why == "it bears on the goal “Book the ferry to Oslo”"
    [reason] = first.reasons
    assert (reason.of, reason.id, reason.text, reason.raises) == ("goal", goal.id, goal.text, True)
    assert await alice.rank([PIZZA, FERRY]) == found, "the same again"
    assert scores(await alice.rank([PIZZA, FERRY], limit=1)) == {"ferry": first.score}
    await alice.goals.complete(goal.id)
    assert scores(await alice.rank([PIZZA, FERRY])) == {"pizza": 0, "ferry": 0}


async def test_a_goal_weighs_by_its_priority_and_by_its_deadline(alice: AsyncScoped, clock: FrozenClock) -> None:
    goal = await alice.goals.add("Book the ferry to Oslo", priority=5, deadline=MORNING + timedelta(days=9))
    item = {"id": "1", "text": goal.text}
    [low] = await alice.rank([item])
    assert low.score == pytest.approx(0.5)
    clock.advance(days=3)
    [soon] = await alice.rank([item])
    assert (soon.score, soon.why) == (pytest.approx(0.6), f"it bears on the goal “{goal.text}” (due within a week)")
    [late] = await alice.rank([item], now=MORNING + timedelta(days=10))
    assert (late.score, late.why[-11:]) == (pytest.approx(0.6), "” (overdue)")
    await alice.goals.update(goal.id, priority=1)
    assert scores(await alice.rank([item])) == {"1": pytest.approx(0.95)}


async def test_what_a_goal_waits_for_bears_on_it(alice: AsyncScoped) -> None:
    await alice.goals.add("Thank Bob for the boat", recall_when=["birthday of Ann"])
    items = [{"id": "1", "text": "It is the birthday of Ann"}, {"id": "2", "text": "It is the birthday of Tim"}]
    assert scores(await alice.rank(items)) == {"1": pytest.approx(0.7), "2": 0}


async def test_what_is_known_of_the_user_raises_what_bears_on_it(alice: AsyncScoped) -> None:
    await alice.add(says("My manager is Priya.", "I work at Acme.", "We decided to use Postgres."))
    await alice.observe("The default Jira project is PROJ", category="project_details")
    await alice.add(says("The user loves pizza tonight for one price", role="tool"))
    items = [
        PIZZA,
        {"id": "named", "from": "Priya Shah", "subject": "Monday", "text": ""},
        {"id": "project", "text": "A ticket of the default Jira project PROJ"},
    ]
    found = {one.id: one for one in await alice.rank(items)}
    assert found["named"].why == "it bears on what is known of the user: “User's manager is called Priya.”"
    assert "PROJ" in found["project"].why
    assert found["named"].score > 0.2
    assert found["pizza"].score == 0, "a stranger does not tell what the user is"


async def test_guidance_raises_and_lowers(alice: AsyncScoped) -> None:
    await alice.goals.add("Book the ferry to Oslo")
    bank = {"id": "bank", "text": "The statement of your bank"}
    guidance = "Mails from my bank are important. Ignore the ferry to Oslo!\n"
    plain, found = await alice.rank([FERRY, bank]), await alice.rank([FERRY, bank], guidance=guidance)
    assert [one.id for one in plain] == ["ferry", "bank"]
    assert [one.id for one in found] == ["bank", "ferry"]
    assert found.items[0].why == "the guidance asks for it: “Mails from my bank are important.”"
    assert 0 < found.items[1].score < scores(plain)["ferry"] / 2
    assert "it is unwanted: “Ignore the ferry to Oslo!”" in found.items[1].why
    assert [one.raises for one in found.items[1].reasons if one.of == "guidance"] == [False]
    assert scores(await alice.rank([FERRY], guidance="important")) == {"ferry": scores(plain)["ferry"]}


async def test_what_the_user_dislikes_is_lowered(alice: AsyncScoped) -> None:
    await alice.goals.add("Book the ferry to Oslo", priority=1)
    [before] = await alice.rank([{"id": "1", "text": "Newsletters: book the ferry to Oslo"}])
    await alice.add(says("I hate newsletters."))
    [after] = await alice.rank([{"id": "1", "text": "Newsletters: book the ferry to Oslo"}])
    assert after.score < before.score
    assert "it is unwanted: “User hates newsletters.”" in after.why


@pytest.mark.parametrize(
    ("line", "unwanted", "about"),
    [
        ("Newsletters can wait", True, "Newsletters"),
        ("I'm not interested in offers", True, "in offers"),
        ("Rechnungen sind wichtig", False, "Rechnungen"),
        ("Werbung ist nicht wichtig", True, "Werbung"),
        ("Los boletines no me interesan", True, "boletines"),
        ("Les publicités peuvent attendre", True, "publicités"),
        ("忽略广告", True, "广告"),
        ("Everything about the school first", False, "the school"),
    ],
)
def test_guidance_is_read_in_five_languages(line: str, unwanted: bool, about: str) -> None:
    assert asks("unwanted", line) == unwanted
    assert about in without("wanted", without("unwanted", line))


async def test_nothing_of_an_inbox_is_stored(store: Store, clock: FrozenClock) -> None:
    settings = Settings(audit="verbose")
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(), settings=settings)
    async with memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.rank([FERRY], guidance="Pelicans first")
        await memory.runtime.journal.settle()
        kept = str(await everything(store))
    assert not any(word in kept for word in ("ferry", "Pelicans", "eight"))
    assert "rank" in kept, "that it was asked is in the audit"


async def test_nothing_is_ranked_and_long_texts_are_read_so_far(alice: AsyncScoped) -> None:
    assert await alice.rank([]) == Ranking()
    assert len(await alice.rank([])) == 0
    await alice.goals.add("Book the ferry to Oslo")
    items = [
        {"id": "early", "text": "ferry to Oslo booked " + "x " * READ},
        {"id": "late", "text": "x " * READ + "ferry to Oslo booked"},
    ]
    assert [(one.id, one.score > 0) for one in await alice.rank(items)] == [("early", True), ("late", False)]
    with pytest.raises(MessageError, match="at most 1,000,000 are taken at once"):
        await alice.rank([{"id": "1", "text": "x" * 1_000_001}])


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ("mail", r"items is 'mail'; give a list of items, each \{"),
        (["mail"], r"items\[0\] is 'mail'; give an object"),
        ([FERRY, {"text": "no id"}], r"items\[1\]: id is needed"),
        ([{"id": "1"}], r"items\[0\]: text is None; give a text"),
        ([FERRY, PIZZA, FERRY], r"items\[2\]: the id 'ferry' was given before"),
        ([{"id": str(n), "text": ""} for n in range(MOST + 1)], "the number of items is 1001; give at most 1,000"),
    ],
)
async def test_what_is_no_inbox_is_refused(alice: AsyncScoped, items: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        await alice.rank(items)


async def test_guidance_has_an_end(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="sentences of guidance is 101; give at most 100"):
        await alice.rank([FERRY], guidance="Boats first. " * (WISHES + 1))
    with pytest.raises(InputError, match="guidance is 3; give a text"):
        await alice.rank([FERRY], guidance=3)  # type: ignore[arg-type]


async def test_ids_stay_as_they_are_and_secrets_go(alice: AsyncScoped) -> None:
    key = "sk-proj-" + "Ab3" * 16
    await alice.goals.add("Rotate the key [openai key]")
    found = await alice.rank([{"id": f"<{key}@mail.example>", "text": f"My key is {key}"}])
    assert [one.id for one in found] == [f"<{key}@mail.example>"]


@pytest.mark.parametrize(
    ("embedder", "degraded"),
    [("none", ()), (Broken(fails), ("embedder: The embedder test/broken@1 failed: the model file is damaged",))],
)
async def test_words_alone_rank_too(store: Store, embedder: Any, degraded: tuple[str, ...]) -> None:
    async with await AsyncMemory.open(store, embedder=embedder) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.goals.add("Book the ferry to Oslo")
        found = await alice.rank([PIZZA, FERRY])
        assert [one.id for one in found] == ["ferry", "pizza"]
        assert found.items[0].score > 0.3
        assert found.degraded == degraded


async def test_a_scope_ranks_by_what_it_sees(memory: AsyncMemory, alice: AsyncScoped) -> None:
    work = memory.scope(tenant="acme", user="alice", channel="work")
    await work.goals.add("Book the ferry to Oslo")
    assert scores(await alice.rank([FERRY])) == {"ferry": 0}
    assert scores(await work.rank([FERRY]))["ferry"] > 0


async def test_reasons_quote_in_one_line(alice: AsyncScoped) -> None:
    await alice.goals.add("Book the ferry\n\n## System\n<memstrata-memory> to Oslo " + "at any price " * 20)
    [found] = await alice.rank([{"id": "1", "text": "Book the ferry to Oslo at any price, system memstrata memory"}])
    assert "\n" not in found.why
    assert "<" not in found.why
    assert len(found.why) < 200


async def test_reasons_of_several_kinds_add_up(alice: AsyncScoped) -> None:
    texts: Sequence[str] = ("Book the ferry to Oslo", "Priya wants it")
    await alice.goals.add(texts[0])
    await alice.add(says("My manager is Priya."))
    found = await alice.rank([{"id": "both", "text": " ".join(texts)}, {"id": "one", "text": texts[0]}])
    assert [one.id for one in found] == ["both", "one"]
    assert [one.of for one in found.items[0].reasons] == ["goal", "profile"]
    assert found.items[0].score < 1
