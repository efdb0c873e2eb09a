"""What a prompt engineer would see in a context: the form of its lines, no filler, each thing once, hard budgets."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped, Context, Settings
from memoranda.core.context.layouts import MEMORY, Layout, Slot
from memoranda.core.text.terms import estimate_tokens
from memoranda.flows.context.rendering import ALIKE
from memoranda.ports import Completion
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def fresh(clock: FrozenClock | None = None) -> AsyncScoped:
    memory = await AsyncMemory.open(DictStore(), embedder="none", clock=clock or FrozenClock(), ids=SequentialIds())
    return memory.scope(tenant="acme", user="alice")


async def talk(alice: AsyncScoped, *turns: str, conversation: str = "c1") -> None:
    """Add turns of the user and, after "A:", of the assistant."""
    roles = [("assistant" if turn.startswith("A:") else "user", turn.removeprefix("A:")) for turn in turns]
    await alice.add([{"role": role, "content": text} for role, text in roles], conversation=conversation)


def of(context: Context, name: str):
    return next(one for one in context.sections if one.name == name)


# ------------------------------------------------------------------------------------------------- form


async def test_every_line_of_memory_begins_with_its_day() -> None:
    alice = await fresh()
    await talk(alice, "I live in Leeds.", "I prefer short emails.", "The ferry to Hull leaves at noon.")
    await alice.goals.add("Catch the ferry", recall_when=["ferry"])
    await alice.strategies.learn("Ask the harbour first", "the ferry", tools=["call", "mail"])
    text = (await alice.context("When does the ferry leave?", conversation="now")).text
    lines = [line for line in text.splitlines() if line.startswith("- [")]
    assert len(lines) > 4
    assert all(re.match(r"- \[m\d+\] \(2026-01-05[,)]", line) for line in lines)
    assert "(2026-01-05) Goal, active: Catch the ferry" in text
    assert "Ask the harbour first" in text
    assert "; its tools, in order: call, mail" in text


async def test_the_date_comes_alone_where_only_what_lasts_is_known() -> None:
    alice = await fresh()
    await talk(alice, "I live in Leeds.")
    context = await alice.context("Hello", budgets={"knowledge": 0, "memories": 0})
    assert context.volatile_tail == "Today is Monday, 2026-01-05."
    assert context.stable_prefix


async def test_observations_are_no_turns() -> None:
    alice = await fresh()
    await alice.observe("The ferry leaves at noon.")
    assert "turn" not in (await alice.context("ferry")).text


async def test_a_mail_names_its_sender_in_the_label() -> None:
    alice = await fresh()
    mail = "From: newsletter@deals.example [m1]\nThe ferry to Hull is cheap."
    await alice.observe(mail, source="tool_extracted_content", category="mail")
    text = (await alice.context("ferry to Hull")).text
    assert ") mail from newsletter@deals.example m1 (untrusted): The ferry to Hull is cheap.\n" in text


# ------------------------------------------------------------------------------------------------ noise

ACKNOWLEDGED = [
    ("I switched jobs, I'm at Globex now.", "Congratulations!"),
    ("My name is Alice.", "Nice to meet you, Alice!"),
    ("We use Jenkins for CI.", "Thanks for letting me know, I'll keep that in mind!"),
    ("Ich wohne in Graz.", "Danke, das merke ich mir gerne!"),
    ("J'habite à Lyon.", "Merci, c'est bien noté !"),
    ("Vivo en Madrid.", "Perfecto, gracias por contármelo."),
    ("我住在上海。", "好的,我记住了,谢谢你告诉我!"),
]


@pytest.mark.parametrize(("said", "reply"), ACKNOWLEDGED)
async def test_an_acknowledgement_is_not_shown(said: str, reply: str) -> None:
    alice = await fresh()
    await talk(alice, said, f"A:{reply}")
    context = await alice.context(f"{said} And then?", conversation="now")
    assert reply not in context.text


@pytest.mark.parametrize(
    "turns",
    [
        ("A:Hello there! How can I help you today?", "I live in Hull, near the ferry."),
        ("I live in Hull, near the ferry.", "A:Sure! Anything else I can help you with today?"),
    ],
)
async def test_a_greeting_is_not_shown(turns: tuple[str, str]) -> None:
    alice = await fresh()
    await talk(alice, *turns)
    context = await alice.context("Do I live in Hull?", conversation="now")
    assert "near the ferry" in context.text
    assert "help you" not in context.text


async def test_what_the_assistant_opens_with_stays_where_it_tells_something() -> None:
    alice = await fresh()
    await talk(alice, "A:The ferry to Hull leaves at 12:30 today.", "Thanks.")
    await alice.add(says("The ferry to Hull was blue."))
    await alice.add([{"role": "assistant", "content": "A ferry it is."}])
    text = (await alice.context("What of the ferry to Hull?", conversation="now")).text
    assert "12:30" in text
    assert "A ferry it is." in text


@pytest.mark.parametrize(
    ("said", "reply", "request_"),
    [
        ("Which restaurant was it we liked?", "Luigi's, on Elm Street.", "Which restaurant did we like?"),
        ("Look up my flight to Oslo.", "Your flight leaves at 9:15.", "When does my flight to Oslo leave?"),
        ("Wie heißt das Restaurant in Graz?", "Zum goldenen Löwen.", "Wie heißt das Restaurant in Graz?"),
        ("餐厅叫什么名字?", "金狮饭店。", "餐厅叫什么名字?"),
    ],
)
async def test_an_answer_of_the_assistant_stays(said: str, reply: str, request_: str) -> None:
    alice = await fresh()
    await talk(alice, said, f"A:{reply}")
    context = await alice.context(request_, conversation="now")
    found = {item.text for item in await alice.recall(request_)}
    assert (reply in context.text) == (reply in found)


@pytest.mark.parametrize("layout", ["memory", "host"])
async def test_what_others_leave_goes_to_what_the_ranking_holds_next(layout: str) -> None:
    alice = await fresh()
    for number in range(60):
        await talk(alice, f"The ferry to pier {number} is painted like boat {number}.", conversation=f"c{number}")
    ranked = [item.id for item in await alice.recall("ferry pier", limit=60)]
    lines = 0
    for budget in (300, 600, 1_200, 2_400):
        made = await alice.context("ferry pier", layout=layout, budget=budget)
        shown = [*of(made, "memories").included]
        assert shown == ranked[: len(shown)]
        assert lines < len(shown), budget
        lines = len(shown)
        assert len(shown) == len(ranked) or budget - made.used < 60 + 300 * (layout == "host"), "a line, and a reserve"


async def test_nothing_fills_a_context_where_recall_is_silent() -> None:
    alice = await fresh()
    for number in range(60):
        await talk(alice, f"The ferry to pier {number} is painted like boat {number}.", conversation=f"c{number}")
    made = await alice.context("Who conducts quartets?", budget=20_000)
    assert not (await alice.recall("Who conducts quartets?")).items
    assert not made.citations
    assert of(made, "memories").note.startswith("nothing relevant")


# ------------------------------------------------------------------------------------------------- once


async def test_a_turn_that_says_no_more_than_its_statement_is_left_out() -> None:
    alice = await fresh()
    await talk(alice, "My manager is Priya.", "We use Jenkins, and the old server groans.")
    context = await alice.context("Who is my manager, and what of Jenkins and the server?", conversation="now")
    assert "My manager is Priya" not in context.text
    assert "manager is called Priya" in context.text
    assert "user: We use Jenkins, and the old server groans." in context.text
    assert "the statements shown say all of it" in of(context, "memories").excluded.values()


async def test_what_was_told_to_several_agents_is_shown_once() -> None:
    memory = await AsyncMemory.open(DictStore(), embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice, *agents = (memory.scope(tenant="acme", user="alice", agent=agent) for agent in (None, "a", "b"))
    for one in (alice, *agents):
        await talk(one, "My name is Alice.", "I prefer tea.")
    for one, hidden in ((alice, 4), (agents[0], 2)):
        context = await one.context("What is my name, and what do I prefer, tea?", conversation="now")
        assert context.text.count("User's name is Alice.") == 1
        assert context.text.count("User prefers tea.") == 1
        told = {ref for section in context.sections for ref, why in section.excluded.items() if why == ALIKE}
        assert len(told) == hidden
        assert "user: " not in context.text


async def test_a_statement_that_was_cut_covers_nothing() -> None:
    alice = await fresh()
    await talk(alice, "My manager is Priya.")
    only = Layout(total=400, slots={"episodes": Slot(heading="Then", budget=300)})
    asked = await alice.context("Who was my manager today?", layout=only)
    if of(asked, "episodes").included:
        assert "user: My manager is Priya." in asked.text


async def test_what_holds_stands_before_what_was(clock: FrozenClock) -> None:
    alice = await fresh(clock)
    await talk(alice, "I live in Leeds, near the river Aire.")
    clock.advance(days=3)
    await talk(alice, "I moved to York, near the river Ouse.", conversation="c2")
    text = (await alice.context("Do I live in Leeds near the river or in York?", conversation="now")).text
    memories = text.split("## Relevant memories\n")[1]
    assert memories.index("Ouse") < memories.index("Aire")


async def test_a_turn_of_which_a_part_is_over_says_so(clock: FrozenClock) -> None:
    alice = await fresh(clock)
    await talk(alice, "Hello there, I work at Acme and I live in Leeds near the river.")
    clock.advance(days=3)
    await talk(alice, "Big news: I work at Globex now.", conversation="c2")
    text = (await alice.context("Where do I work, Acme or Globex?", conversation="now")).text
    lines = text.split("## Relevant memories\n")[1].splitlines()
    [mixed] = [line for line in lines if "Hello there" in line]
    mark = next(line for line in lines if "Big news" in line)[2:].partition(" ")[0]
    assert "(2026-01-05, in part no longer so since 2026-01-08)" in mixed
    assert mixed.endswith(f"(see {mark})")
    [item] = [one for one in await alice.recall("Where do I work?") if "Hello there" in one.text]
    [over] = [record for record in await alice.history(item.over[0]) if record.valid_to]
    assert (over.text, item.status, item.valid_to) == ("User works at Acme.", "", None)
    assert item.why.endswith("holds in part")


async def test_a_turn_of_which_a_part_was_rejected_says_so(clock: FrozenClock) -> None:
    alice = await fresh(clock)
    await talk(alice, "Hello there, I work at Acme and I live in Leeds near the river.")
    [job] = [record for record in await alice.recall("Where do I work?") if record.metadata.get("value") == "Acme"]
    await alice.review.reject(job.id)
    text = (await alice.context("Do I work at Acme in Leeds?", conversation="now")).text
    [mixed] = [line for line in text.splitlines() if "Hello there" in line]
    assert "in part no longer so" in mixed


@pytest.mark.parametrize("budget", [900, 2_000, 4_000])
async def test_what_was_says_so_among_many_lines_and_stands_behind_them(clock: FrozenClock, budget: int) -> None:
    alice = await fresh(clock)
    await talk(alice, "I live in Leeds, near the river Aire.")
    clock.advance(days=3)
    await talk(alice, "I moved to York, near the river Ouse.", conversation="c2")
    for number in range(60):
        await talk(alice, f"The river boat {number} is moored.", conversation=f"d{number}")
    made = await alice.context("Do I live in Leeds near the river or in York?", budget=budget, conversation="now")
    assert budget - made.used < 60 or not of(made, "memories").excluded
    lines = made.text.split("## Relevant memories\n")[1].split("\n\n")[0].splitlines()
    [last] = [line for line in lines if "Aire" in line]
    mark = next(line for line in lines if "Ouse" in line)[2:].partition(" ")[0]
    assert "no longer so since 2026-01-08" in last
    assert last.endswith(f"(instead: {mark})")
    assert all("no longer so" in line for line in lines[lines.index(last) :])


# ---------------------------------------------------------------------------------------------- budgets


async def test_a_section_keeps_its_own_budget() -> None:
    alice = await fresh()
    for number in range(40):
        await talk(alice, f"The ferry to pier {number} {'is late and ' * 20} waits.", conversation=f"c{number}")
    assert not of(await alice.context("ferry pier", budgets={"memories": 10}), "memories").included
    assert 600 < of(await alice.context("ferry pier", budgets={"memories": 800}), "memories").used <= 800
    assert of(await alice.context("ferry pier"), "memories").used > 2_000
    assert of(await alice.context("ferry pier", budget=900), "memories").used > 200, "short contexts fill up"


COUNTERS: list[Callable[[str], int]] = [
    estimate_tokens, lambda text: len(text) // 3 + text.count("##"), lambda text: len(text) + len(text) ** 2 // 9_000
]  # fmt: skip


@pytest.mark.parametrize("counter", COUNTERS, ids=["estimate", "thirds", "more in the whole"])
async def test_budgets_are_hard_whatever_the_layout(counter: Callable[[str], int]) -> None:
    alice = await fresh()
    for number in range(20):
        await talk(
            alice, f"I prefer pier {number} in colour {number}.", "A:Ok.", f"The ferry {number} is late. " * number
        )
    alice._runtime = replace(alice._runtime, settings=Settings(counter=counter))
    chance = random.Random(7)
    names = [*MEMORY.slots]
    for _ in range(70):
        slots = {
            name: replace(
                MEMORY.slots[name],
                budget=chance.randrange(600),
                most=chance.choice([None, 900]),
                rest=chance.random() < 0.3,
            )
            for name in chance.sample(names, chance.randrange(1, len(names)))
        }
        layout = Layout(total=chance.randrange(200, 3_000), slots=slots)
        own = {name: chance.randrange(300) for name in slots if chance.random() < 0.3}
        budget = chance.randrange(1, 3_000)
        brings = {name: ["A line of the host."] * 9 for name in slots if chance.random() < 0.3}
        made = await alice.context("ferry pier 7?", budget=budget, layout=layout, budgets=own, brings=brings)
        shares = layout.shares(budget, own)
        assert made.used == made.frame + sum(one.used for one in made.sections) <= budget
        assert sum(map(counter, filter(None, (made.stable_prefix, made.volatile_tail)))) <= made.used
        assert made.frame >= 0
        for one in made.sections:
            assert one.used <= shares[one.name].limit
            assert one.used <= one.granted or not one.used
            assert not {*one.included} & {*one.excluded}
        shown = [ref for one in made.sections for ref in one.included]
        assert len(shown) == len({*shown}), "nothing is shown twice"


# ------------------------------------------------------------------------------------------- the prefix

REQUESTS = ("When does the ferry leave?", "Who opens the vault, and what of the last week?", "Hello")


class Writer:
    """A language model that writes narratives, one after the other."""

    name = "test/writer"

    def __init__(self, *narratives: str) -> None:
        self._narratives = [*narratives]

    async def complete(self, *_: object, **__: object) -> Completion:
        answer = json.dumps({"updated_working_memory": self._narratives.pop(0)})
        return Completion(text=answer, model="writer-1", tokens_in=1, tokens_out=1, truncated=False)

    async def close(self) -> None:
        pass


async def narrated(narrative: str, *turns: str) -> tuple[AsyncScoped, FrozenClock]:
    """A memory of turns with a narrative that was written three days later."""
    clock = FrozenClock()
    memory = await AsyncMemory.open(
        DictStore(), embedder="none", language_model=Writer(narrative), clock=clock, ids=SequentialIds()
    )
    alice = memory.scope(tenant="acme", user="alice")
    await talk(alice, *turns)
    clock.advance(days=3)
    await memory.consolidate(tenant="acme", user="alice")
    return alice, clock


async def prefixes(alice: AsyncScoped, **options: Any) -> set[tuple[str, str]]:
    made = [await alice.context(request, **options) for request in REQUESTS]
    return {(one.epoch, one.stable_prefix) for one in made}


async def test_a_long_narrative_is_cut_alike_for_all_requests() -> None:
    sheds = [f"the {what} in shed {n}, behind the yard." for n, what in enumerate(["ferry", "vault"] * 12)]
    alice, _ = await narrated(" ".join(f"User keeps {one}" for one in sheds), *(f"I keep {one}" for one in sheds))
    ((_, prefix),) = await prefixes(alice)
    assert sheds[0] in prefix
    assert sheds[-1] not in prefix


async def test_fields_that_the_host_brings_for_the_prefix_do_not_depend_on_the_request() -> None:
    alice = await fresh()
    fields = {name: f"{name} " * 120 for name in ("ferry", "vault", "net")}
    ((_, prefix),) = await prefixes(alice, brings={"identity": fields})
    assert "\nferry: " in prefix


async def test_the_prefix_is_the_same_however_little_room_there_is() -> None:
    alice = await fresh()
    wishes = [f"I prefer cabin {number}." for number in range(20)]
    await talk(alice, *wishes, "The ferry leaves at noon.", "The vault is opened by Priya Nair.")
    await alice.goals.add("Catch the ferry", recall_when=["ferry"])
    slots = {name: replace(slot, budget=900 if slot.stable else slot.budget) for name, slot in MEMORY.slots.items()}
    found = {}
    for budget in range(60, 400, 10):
        ((_, found[budget]),) = await prefixes(alice, budget=budget, layout=Layout(total=1_000, slots=slots))
    assert {bool(prefix) for prefix in found.values()} == {False, True}


async def test_what_two_stable_sections_want_is_shown_once() -> None:
    memory = await AsyncMemory.open(DictStore(), embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice", connections=("billing",))
    wish = "User prefers invoices in euros."
    await alice.observe(wish, source="agent", category="preference", connection="billing")
    assert (await alice.context("Hello")).stable_prefix.count(wish) == 1


# ---------------------------------------------------------------------------------------------- excerpts


@pytest.mark.parametrize("length", [1_000, 10_000, 100_000])
@pytest.mark.parametrize("budget", [500, 4_000])
async def test_the_part_of_a_long_turn_that_answers_is_shown(length: int, budget: int) -> None:
    alice = await fresh()
    lines = [f"The committee met on item {number} and agreed." for number in range(length // 45)]
    lines.insert(len(lines) // 3, "The harbour vault is opened by Priya Nair.")
    await talk(alice, "I prefer short emails.", " ".join(lines))
    request = "Who opens the harbour vault?"
    context = await alice.context(request, budget=budget, conversation="now")
    assert "The harbour vault is opened by Priya Nair." in context.text
    assert of(context, "memories").used <= 800
    found = [item.text for item in await alice.recall(request, tokens=60)]
    assert any("vault is opened by Priya Nair." in text for text in found)
    assert sum(map(estimate_tokens, found)) <= 60


# --------------------------------------------------------------------------------- the user, the session


async def test_what_is_known_of_the_user_is_told_whatever_is_asked() -> None:
    memory = await AsyncMemory.open(DictStore(), embedder="none", clock=FrozenClock(), ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    active = memory.scope(tenant="acme", user="alice", connections=("jira",))
    await active.connections.learn("jira", "The default project is PROJ")
    await talk(alice, "I'm going to Lisbon in May.", "My sister Maya lives in Leeds.")
    text = (await alice.context("Hello", conversation="now")).stable_prefix
    assert "Lisbon" in text
    assert "Leeds" in text
    assert "PROJ" not in text, "the connection is not active"
    made = await active.context("Hello", conversation="now")
    assert "The default project is PROJ" in made.stable_prefix
    assert of(made, "profile").used <= 400


async def test_the_narrative_is_told_with_the_day_it_was_written() -> None:
    told = "User keeps the ferry in the shed behind the yard."
    alice, _ = await narrated(told, "I keep the ferry in the shed behind the yard.")
    prefix = (await alice.context("Hello", conversation="now")).stable_prefix
    assert f"- [m1] (2026-01-08, uncertain) conclusion (unconfirmed): {told}\n" in prefix


PLACES = {None: "ferry", "a": "vault", "b": "boat", "c": "net"}
FACTS = ("My name is Alice.", "I live in Leeds.", "I work at Acme.", "I'm allergic to peanuts.", "My manager is Priya.")


async def test_narratives_of_several_places_leave_the_facts_their_room() -> None:
    sheds = {agent: [f"the {what} in shed {n}, behind the yard." for n in range(24)] for agent, what in PLACES.items()}
    written = (" ".join(f"User keeps {one}" for one in kept) for kept in sheds.values())
    writer = Writer(*written)
    memory = await AsyncMemory.open(
        DictStore(), embedder="none", language_model=writer, clock=FrozenClock(), ids=SequentialIds()
    )
    for agent, kept in sheds.items():
        told = memory.scope(tenant="acme", user="alice", agent=agent)
        await talk(told, *FACTS, *(f"I keep {one}" for one in kept))
        await memory.consolidate(tenant="acme", user="alice")
    alice = memory.scope(tenant="acme", user="alice")
    profile = of(await alice.context("Hello", conversation="now"), "profile")
    whys = [*profile.included.values()]
    assert (whys.count("the narrative"), whys.count("standing")) == (1, len(FACTS))
    assert "an older narrative, of another place" in whys


async def test_a_narrative_made_of_what_strangers_say_is_not_told() -> None:
    told = "The harbour gate code is on the blue board."
    alice, clock = await narrated("", "I like boats.")
    await alice.observe(told, source="tool_extracted_content", category="mail")
    memory = await AsyncMemory.open(
        alice._runtime.store, embedder="none", language_model=Writer(told), clock=clock, ids=SequentialIds("b")
    )
    await memory.consolidate(tenant="acme", user="alice")
    assert (await alice.profile()).narrative == told
    assert told not in (await alice.context("Hello", conversation="now")).text


async def test_the_state_of_the_session_is_shown() -> None:
    alice = await fresh()
    desk = alice.working("c1")
    await desk.note("task", {"step": 2})
    await desk.note("preferences", ["answer in French"])
    for number in range(7):
        await desk.push("tool_results", {"call": number, "text": "x" * 900})
    text = (await alice.context("Go on", conversation="c1")).text
    assert '- Task: {"step": 2}\n' in text
    assert "- Preference of this session: answer in French\n" in text
    assert 'Result of a tool: {"call": 6' in text
    assert '"call": 1' not in text
    assert "x" * 400 not in text
