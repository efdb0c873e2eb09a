import uuid
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memoranda.system import time_ordered, utc_now
from memoranda.testing.fakes import FrozenClock


@given(st.lists(st.integers(-5_000, 5_000), min_size=1, max_size=50))
def test_ids_sort_by_when_they_were_made_whatever_the_clock_does(steps: list[int]) -> None:
    clock = FrozenClock()
    make = time_ordered(clock, bytes)
    made = [make()]
    for step in steps:
        clock.advance(milliseconds=step)
        made += [make(), make()]
    assert made == sorted(set(made))
    assert {uuid.UUID(name).version for name in made} == {7}


def test_more_ids_than_a_millisecond_has_room_for() -> None:
    clock = FrozenClock()
    make = time_ordered(clock, bytes)
    made = [make() for _ in range(10_000)]
    clock.advance(milliseconds=1)
    made.append(make())
    assert made == sorted(set(made))


def test_ids_tell_their_time_and_differ_by_chance() -> None:
    clock = FrozenClock()
    one, other = uuid.UUID(time_ordered(clock)()), uuid.UUID(time_ordered(clock)())
    assert one != other
    assert one.int >> 80 == other.int >> 80 == int(clock().timestamp() * 1_000)


def test_the_present_is_aware() -> None:
    assert utc_now().utcoffset() == timedelta(0)
