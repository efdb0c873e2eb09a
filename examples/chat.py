"""A chat with a memory: what is known goes into the prompt, what is said goes into the memory.

    python examples/chat.py

A function plays the model and shows what its prompt held of the memory, so that this runs without a key; put the call
of your model in its place.
"""

from datetime import UTC, datetime, timedelta

from memoranda import Memory, Scoped
from memoranda.testing.fakes import FrozenClock

TALKS = {
    "2026-03-02": ["Hi! I'm Nora, I live in Bergen and I work at Fjordkraft.", "I'm allergic to peanuts."],
    "2026-06-05": ["Big news: I quit Fjordkraft, I work at Equinor now.", "Off the record: my new boss is a bore."],
    "2026-07-01": ["Where do I work, and since when?", "I have guests on Sunday. Any idea for a dessert?"],
}


def answer(user: Scoped, request: str, conversation: str) -> str:
    """Answer one request: memory in, model, memory out."""
    known = user.context(request, conversation=conversation, budget=1_000)
    reply = model(known.text, request)
    user.add(
        [{"role": "user", "content": request}, {"role": "assistant", "content": reply}],
        conversation=conversation,
    )
    return reply


def model(system: str, request: str) -> str:
    """Play a language model: show the memories in its prompt."""
    print(f"Nora: {request}")
    for line in system.splitlines():
        if line.startswith("- [m"):
            print(f"    {line}")
    return "I see."


def main() -> None:
    """Talk on three days, look at what is known, and forget."""
    clock = FrozenClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    with Memory.open(":memory:", embedder="none", clock=clock) as memory:
        nora = memory.scope(tenant="kitchen", user="nora")
        for day, requests in TALKS.items():
            print(f"--- {day}")
            clock.now = datetime.fromisoformat(f"{day}T09:00:00+00:00")
            for request in requests:
                answer(nora, request, conversation=day)
                clock.now += timedelta(minutes=1)

        print("--- what is known")
        print(nora.profile().narrative)
        job = nora.recall("Where do I work?", kinds=["fact"]).items[0]
        for version in nora.history(job.id):
            if version.superseded_at is None:
                until = f"{version.valid_to:%Y-%m-%d}" if version.valid_to else "today"
                print(f"{version.valid_from:%Y-%m-%d} to {until}: {version.text}")

        receipt = nora.forget(conversation="2026-06-05")
        print(f"--- forgotten: {dict(receipt.removed)}")
        print(nora.profile().narrative)


if __name__ == "__main__":
    main()
