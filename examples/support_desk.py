"""A support desk: two agents, many customers, and what the desk has learnt, which no customer's memory holds.

    python examples/support_desk.py

Each customer is a user: what one says is never found for another. What the desk knows lies in a collection that its
agents share; a case that goes from one agent to the next lies in a pool of that task, which others cannot read.
"""

from datetime import UTC, datetime, timedelta

from memoranda import Memory, Scoped
from memoranda.testing.fakes import FrozenClock

DESK = "desk"  # the user that stands for the desk itself


def handle(memory: Memory, customer: str, agent: str, request: str) -> None:
    """Show what an agent knows when a customer writes, and take in what was written."""
    scope = memory.scope(tenant="lumen", user=customer, agent=agent)
    print(f"{customer} to {agent}: {request}")
    for item in scope.recall(request, shared=True, limit=3):
        print(f"    knows: {item.text} ({item.stratum})")
    scope.add([{"role": "user", "content": request}], conversation=f"{customer}-1")


def lessons(desk: Scoped) -> str:
    """Make the collection of what the desk has learnt, readable for everybody of the tenant."""
    made = desk.collections.create("Lamp faults", reach="account")
    desk.collections.grant(made.id, everyone=True)
    desk.collections.add(made.id, "A Lumen S2 that flickers needs firmware 2.4; a reset does not help.", importance=0.9)
    desk.collections.add(made.id, "Batteries of the Lumen Go are replaced for free within two years.")
    return made.id


def main() -> None:
    """Two customers, two agents, one case handed over."""
    clock = FrozenClock(datetime(2026, 4, 1, 9, tzinfo=UTC))
    with Memory.open(":memory:", embedder="none", clock=clock) as memory:
        desk = memory.scope(tenant="lumen", user=DESK)
        faults = lessons(desk)

        handle(memory, "ada", "first-line", "My Lumen S2 flickers in the evening. I live in Lund.")
        clock.now += timedelta(hours=1)
        handle(memory, "ben", "first-line", "Where does my delivery to Lund stand?")

        print("--- the case goes to the second line")
        first, second = (
            memory.scope(tenant="lumen", user="ada", agent=agent, task="ada-1")
            for agent in ("first-line", "second-line")
        )
        case = first.pools.create(
            "case ada-1", kind="task_scoped", reach="task", data={"lamp": "S2", "tried": ["reset"]}
        )
        second.pools.merge(case.id, {"firmware": "2.4 sent"})
        print(first.pools.read(case.id))

        print("--- a week later")
        clock.now += timedelta(days=7)
        handle(memory, "ada", "second-line", "The Lumen S2 still flickers, and I have moved to Malmö.")
        desk.collections.add(faults, "A Lumen S2 that flickers after firmware 2.4 has a broken dimmer: send a new one.")
        handle(memory, "ada", "second-line", "What about my flickering S2?")
        print("lives in:", second.profile().scaffold["location"]["city"].value)

        print("--- ada asks to be forgotten")
        receipt = memory.scope(tenant="lumen", user="ada", whole=True).forget(everything=True)
        print(dict(receipt.removed))
        print([entry.text for entry in desk.collections.entries(faults)])


if __name__ == "__main__":
    main()
