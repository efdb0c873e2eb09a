"""Questions for what there is at a time find what is about it, whenever that was said, and say so if nothing is."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from flows.helpers import says, texts
from memoranda import AsyncScoped
from memoranda.flows.recall import days
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.recall import recall
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

FLIGHT = "My flight to Oslo is on 5 July at 9:15"
SPEECH = "Lena's wedding is on 5 July at 2 pm"
VET = "The vet comes on 8 July"
SINK = "Mended the sink with Paul"
BOAT = "I like rowing boats"


@pytest.fixture
async def told(alice: AsyncScoped, clock: FrozenClock) -> AsyncScoped:
    """Plans said in June, among other things."""
    for at, said in (("03-10", SINK), ("06-01", SPEECH), ("06-10", FLIGHT), ("06-12", VET), ("06-17", BOAT)):
        clock.now = datetime.fromisoformat(f"2026-{at}T09:00:00+00:00")
        await alice.add(says(said), conversation=at)
    clock.now = datetime(2026, 6, 18, 12, tzinfo=UTC)
    return alice


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("What do I have on 5 July?", [FLIGHT, SPEECH]),
        ("Am I free on 8 July?", [VET]),
        ("anything in July?", [FLIGHT, SPEECH, VET]),
        ("what's on the week of 6 July?", [VET]),
        ("next month", [FLIGHT, SPEECH, VET]),
        ("What happened in March?", [SINK]),
        ("What did I do yesterday?", [BOAT]),
    ],
)
async def test_what_is_about_a_time_answers_in_the_order_of_days(
    told: AsyncScoped, query: str, found: list[str]
) -> None:
    recalled = await told.recall(query, kinds=["turn"])
    assert texts(recalled) == found
    assert recalled.degraded == ()


async def test_an_item_tells_the_day_it_is_about(told: AsyncScoped) -> None:
    flight, *_ = await told.recall("What do I have on 5 July?", kinds=["turn"])
    assert flight.about == datetime(2026, 7, 5, 9, 15, tzinfo=UTC)
    assert flight.why.endswith("said by user on 2026-06-10, about 2026-07-05")
    [sink] = await told.recall("What happened in March?")
    assert sink.about is None


async def test_days_are_those_of_the_asker(alice: AsyncScoped, clock: FrozenClock) -> None:
    zone = timezone(timedelta(hours=-5))
    clock.now = datetime(2026, 3, 10, 22, tzinfo=zone)
    await alice.add(says("Flying tomorrow"))
    found = {}
    for where in (zone, UTC):
        now = datetime(2026, 3, 11, 8, tzinfo=where)
        asks = [
            Ask(query=f"What do I have {day}?", kinds=frozenset({"turn"}), now=now) for day in ("today", "tomorrow")
        ]
        found[where] = [[item.about for item in await recall(alice._runtime, alice.scope, ask)] for ask in asks]
    assert found[zone] == [[datetime(2026, 3, 11, tzinfo=zone)], []]
    assert found[UTC] == [[None], [datetime(2026, 3, 12, tzinfo=UTC)]]  # what was said today; what is about tomorrow


async def test_nothing_about_a_day_is_told_with_the_days_around_it(told: AsyncScoped) -> None:
    recalled = await told.recall("Do I have anything on 7 July?")
    assert recalled.items == ()
    assert recalled.reason == (
        "nothing known is about 2026-07-07 or was said then; nearest to it: 2026-07-05 and 2026-07-08"
    )


async def test_an_empty_memory_knows_no_days(alice: AsyncScoped) -> None:
    reason = (await alice.recall("Do I have anything on 7 July?")).reason
    assert reason == "nothing known is about 2026-07-07 or was said then"


async def test_what_was_said_at_the_time_answers_if_nothing_is_about_it(told: AsyncScoped) -> None:
    recalled = await told.recall("Anything this week?", kinds=["turn"])
    assert texts(recalled) == [BOAT]
    none = "time: nothing that these filters let through is about what is left of 2026-06-15 to 2026-06-21"
    assert recalled.degraded == (f"{none}; this was said then",)


async def test_of_a_time_that_has_begun_what_is_left_comes_first(told: AsyncScoped, clock: FrozenClock) -> None:
    clock.now = datetime(2026, 7, 6, 12, tzinfo=UTC)
    assert texts(await told.recall("Anything this month?", kinds=["turn"])) == [VET]
    clock.now = datetime(2026, 7, 20, 12, tzinfo=UTC)
    recalled = await told.recall("Anything this month?", kinds=["turn"])
    assert texts(recalled) == [FLIGHT, SPEECH, VET]
    assert recalled.degraded[0].endswith("this is about the time before")


async def test_what_is_asked_of_a_talk_that_never_was_is_told_of_its_time(told: AsyncScoped) -> None:
    recalled = await told.recall("What did we say on 5 July 2026?", kinds=["turn"])
    assert recalled.degraded == (
        "time: nothing that these filters let through was said in 2026-07-05; this is about it",
    )
    assert texts(recalled) == [FLIGHT, SPEECH]


async def test_since_and_until_let_through_what_is_about_the_time_between(told: AsyncScoped) -> None:
    since, until = datetime(2026, 7, 1, tzinfo=UTC), datetime(2026, 7, 6, tzinfo=UTC)
    assert texts(await told.recall("flight to Oslo", kinds=["turn"], since=since)) == [FLIGHT]
    assert set(texts(await told.recall("flight wedding vet", kinds=["turn"], since=since, until=until))) == {
        FLIGHT, SPEECH,
    }  # fmt: skip


async def test_a_time_is_a_signal_where_something_else_is_asked(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("The dentist looks at my crown on 9 March", "The dentist looks at my crown on 9 April"))
    clock.advance(days=3)
    found = await alice.recall("When does the dentist see my crown in April 2026?", kinds=["turn"])
    assert {item.about is not None for item in found} == {True, False}
    assert found.items[0].about is not None


async def test_what_the_assistant_says_and_what_is_replaced_comes_last(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("Swifts leave on 3 July", role="assistant"))
    await alice.add(says("I will fly to Rome on 5 July."))
    clock.advance(days=1)
    assert texts(await alice.recall("anything in July?", kinds=["turn"])) == [
        "I will fly to Rome on 5 July.", "Swifts leave on 3 July",
    ]  # fmt: skip


async def test_goals_that_are_due_come_with_the_answer(told: AsyncScoped) -> None:
    await told.goals.add("Paint the boat", deadline=datetime(2026, 7, 5, 18, tzinfo=UTC))
    await told.goals.add("Learn to sail", deadline=datetime(2026, 8, 5, tzinfo=UTC))
    recalled = await told.recall("What do I have on 5 July?")
    assert [goal.text for goal in recalled.goals] == ["Paint the boat"]
    assert "Paint the boat" in texts(recalled)
    assert (await told.recall("What do I have on 9 July?")).goals == ()


async def test_each_passage_is_read_once(told: AsyncScoped, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = days.about

    def noted(text: str, said: datetime, default: str) -> Any:
        read.append(text)
        return real(text, said, default)

    monkeypatch.setattr(days, "about", noted)
    for _ in range(2):
        await told.recall("next month")
    assert sorted(read) == sorted([SINK, SPEECH, FLIGHT, VET, BOAT])
    await told.add(says("The roof is mended on 9 July"))
    await told.recall("next month")
    assert len(read) == 6


async def test_what_was_forgotten_is_about_nothing(told: AsyncScoped) -> None:
    await told.recall("next month")
    [vet] = await told.recall("What do I have on 8 July?", kinds=["turn"])
    await told.forget(source=vet.id)
    assert (await told.recall("What do I have on 8 July?")).items == ()


async def test_a_context_shows_what_is_about_the_time_asked_for(told: AsyncScoped) -> None:
    context = await told.context("What do I have on 5 July?")
    assert "User's flight to Oslo is on 5 July" in context.text  # the plan, so the turn need not be shown
    assert context.text.partition("From that time")[2].splitlines()[1].endswith(SPEECH)
