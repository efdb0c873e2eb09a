"""When a provider is asked again, and when it is left alone."""

from typing import Any

import pytest

from memoranda.core.base.retry_policy import Circuit, Gating
from memoranda.errors import InputError

TOLD = Gating(attempts=4, first=1, longest=3, failures=2, pause=10)


@pytest.mark.parametrize(
    ("attempts", "after", "chance", "wait"),
    [
        (1, None, 0.5, 1.0), (2, None, 0.5, 2.0), (3, None, 0.5, 3.0), (4, None, 0.5, None),
        (1, None, 0.0, 0.5), (1, None, 1.0, 1.5), (1, 3.0, 0.5, 4.0), (1, 3.1, 0.5, None), (1, 0.0, 0.5, 1.0),
    ],
)  # fmt: skip
def test_waits_double_up_to_a_limit_and_keep_to_what_the_provider_asks(
    attempts: int, after: float | None, chance: float, wait: float | None
) -> None:
    assert TOLD.wait(attempts, after, chance) == wait


def test_however_many_attempts_there_are_the_wait_is_a_number() -> None:
    assert Gating(attempts=10_000, longest=3).wait(9_999, None, 0.5) == 3


def test_a_circuit_opens_after_failures_in_a_row_and_half_opens_after_a_pause() -> None:
    once = Circuit().asked().failed(TOLD, 0.0)
    assert once.left(TOLD, 0.0) is None
    assert once.answered().failed(TOLD, 0.0).left(TOLD, 0.0) is None  # not in a row
    twice = once.asked().failed(TOLD, 1.0)
    assert [twice.left(TOLD, now) for now in (1.0, 4.0, 11.0)] == [10.0, 7.0, None]
    probing = twice.asked()
    assert probing.left(TOLD, 11.0) == 0.0
    assert probing.failed(TOLD, 12.0).left(TOLD, 12.0) == 10.0
    assert probing.answered() == Circuit()
    assert probing.dropped(probing).left(TOLD, 12.0) is None


def test_only_who_probes_lets_another_probe_when_nobody_waits_for_it() -> None:
    old = Circuit().asked()
    probing = old.failed(TOLD, 0.0).failed(TOLD, 0.0).asked()
    assert old.dropped(old) == old
    assert probing.dropped(old) == probing
    later = probing.failed(TOLD, 10.0).asked()
    assert later.dropped(probing).left(TOLD, 20.0) == 0.0


@pytest.mark.parametrize(
    "given", [{"calls": 0}, {"attempts": 1.5}, {"failures": True}, {"seconds": 0}, {"first": "1"}, {"pause": -1}]
)
def test_what_cannot_be_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(given))} is .*; give"):
        Gating(**given)
