"""A coding agent: what the tools did, what worked, what the project wants, and what the user wants everywhere.

    python examples/coding_agent.py

What is said in a project (a channel) counts there; what was learnt in it comes to all projects when it is promoted.
"""

from datetime import UTC, datetime, timedelta

from memoranda import Memory, Scoped
from memoranda.testing.fakes import FrozenClock


def session(agent: Scoped, name: str, task: str, calls: list[tuple[str, str, bool]]) -> None:
    """Work on one task: call tools, record what came of them."""
    desk = agent.working(name)
    desk.note("goal", task)
    for tool, command, well in calls:
        agent.tools.record(
            tool, {"command": command}, success=well, latency=0.8, task_type="tests", conversation=name,
            error=None if well else "2 failed",
        )  # fmt: skip
    desk.add([{"role": "assistant", "content": f"We decided: {task.lower()} is done with {calls[-1][0]}."}])
    desk.flush()


def main() -> None:
    """Two sessions in one project, then a question in another one."""
    clock = FrozenClock(datetime(2026, 5, 4, 9, tzinfo=UTC))
    with Memory.open(":memory:", embedder="none", clock=clock) as memory:
        kim = memory.scope(tenant="forge", user="kim", agent="coder", channel="api")
        kim.add([{"role": "user", "content": "We use pytest here. Never push to main."}], conversation="s0")

        session(kim, "s1", "Fix the flaky test", [("shell", "pytest", False), ("shell", "pytest -p no:randomly", True)])
        clock.now += timedelta(days=1)
        session(kim, "s2", "Add a test for the cache", [("edit", "test_cache.py", True), ("shell", "pytest", True)])
        way = kim.strategies.learn("Run the one test before the suite", "fixing a flaky test", ["shell", "edit"])
        kim.strategies.reinforce(way.id, success=True)

        print("--- what helps with a flaky test?")
        for one in kim.tools.suggest("fix a flaky test"):
            print(f"{one.tool}: {one.why}")
        [shell] = kim.tools.stats(tool="shell")
        print(f"shell succeeded {shell.success_rate:.0%} of {shell.calls} calls")

        print("--- the prompt")
        print(kim.context("A test is flaky again. Push the fix?", budget=1_000).text)

        print("--- in another project")
        other = memory.scope(tenant="forge", user="kim", agent="coder", channel="website")
        print([item.text for item in other.recall("May I push to main?", limit=1)])
        rule = next(item for item in kim.recall("May I push to main?") if item.of == "record")
        kim.channels.promote(rule.id, reason="it counts everywhere")
        print([item.text for item in other.recall("May I push to main?", limit=1)])


if __name__ == "__main__":
    main()
