from itertools import product

import pytest

from memoranda.core.rows.lifecycle import LIVE, TRANSITIONS, advance
from memoranda.errors import InputError


@pytest.mark.parametrize(("status", "to"), list(product(TRANSITIONS, TRANSITIONS)))
def test_the_table_is_the_law(status: str, to: str) -> None:
    if to == status or to in TRANSITIONS[status]:
        assert advance(status, to) == to
    else:
        with pytest.raises(InputError, match=f"is {status} cannot become {to}; it can become"):
            advance(status, to)


def test_every_state_is_in_the_table() -> None:
    assert set().union(*TRANSITIONS.values()) | LIVE <= set(TRANSITIONS)
    with pytest.raises(InputError, match="can become nothing"):
        advance("unheard", "candidate")
