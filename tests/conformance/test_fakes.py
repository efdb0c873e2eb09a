from datetime import timedelta

from memoranda.testing.fakes import FrozenClock, SequentialIds


def test_the_clock_moves_only_when_told_to():
    clock = FrozenClock()
    start = clock()
    assert clock() == start
    assert start.utcoffset() == timedelta(0)
    assert clock.advance(days=1, seconds=2.5) == clock() == start + timedelta(days=1, seconds=2.5)


def test_identifiers_sort_by_when_they_were_made():
    ids = SequentialIds()
    made = [ids() for _ in range(12)]
    assert made[0] == "id-000001"
    assert made == sorted(set(made))
    assert SequentialIds("e")() == "e-000001"
