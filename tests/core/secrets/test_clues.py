"""Secrets told in free words: what a value looks like and what is said around it decide."""

import os
import subprocess
import sys

import pytest

from memoranda.core.secrets.clues import clues
from memoranda.core.secrets.detection import find, withheld

TOLD: list[tuple[str, str]] = [
    ("the garage has a keypad now, 730155 opens it", "730155"),
    ("bike lock numbers are 5-0-2-9 if you want to borrow it", "5-0-2-9"),
    ("the wall safe behind the painting: 42-07-63", "42-07-63"),
    ("en bas tu fais le 27B94 et c'est au 3e", "27B94"),
    ("行李箱锁三位数，拨到615", "615"),
    ("when you go to the atm, punch 8270 and get me sixty", "8270"),
    ("my password? it is Juniper7lake", "Juniper7lake"),
    ("the printer admin page opens with laserlemon12", "laserlemon12"),
    ("net use Z: \\\\files01\\team /user:lab Beaker#Moss8", "Beaker#Moss8"),
    ("我的平板锁屏1225", "1225"),
    ("die drei Ziffern hinten auf der Karte sind 860", "860"),
    ("backup codes for github: 9h2k-4tqz and 77wd-10pl", "77wd-10pl"),
    ("the sms code was 481920, type it quick", "481920"),
]

NUMBERS: list[str] = [
    "12345678Z", "X1234567L", "2 55 08 14 168 025 38", "1 85 05 2A 006 084 35", "15 070649 C 103", "JG 40 71 93 B",
    "756.1234.5678.97", "912-78-3345", "11010519491231002X",
]  # fmt: skip

ORDINARY: list[str] = [
    "AppleTV+ and Disney+ cost me 24 a month, the account is shared",
    "the 12-inch laptop with a 10-core chip logs in fast",
    "we drove 2600 miles with the bikes locked on the roof",
    "the door is 2040 mm high and 826 wide",
    "meet me at the gate at 1730",
    "import psycopg2\nconn = psycopg2.connect(dbname='shop', user='app')\n",
    "from app import login\n\n@app.route('/login', methods=['POST'])\ndef login():\n    return check(request.form)\n",
    "die Tür kostet 1890 Euro plus Montage",
    "chambre 4012, ascenseur au fond",
    "la cerradura nueva cuesta 2300 pesos",
    "门口那辆车有2300公里",
    "12345678A", "2 55 08 14 168 025 39", "15 070649 C 104",
    "4539148",
]  # fmt: skip


@pytest.mark.parametrize(("text", "secret"), TOLD)
def test_what_is_said_around_a_value_gives_it_away(text: str, secret: str) -> None:
    assert secret not in withheld(text)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_national_number_is_known_by_its_form_and_check_digits(number: str) -> None:
    (one,) = find(f"please note {number} for later")
    assert (one.kind, f"please note {number} for later"[one.start : one.end]) in {
        ("national_id", number), ("ssn", number),
    }  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_talk_gives_nothing_away(text: str) -> None:
    assert find(text) == []


def test_the_weights_are_learned_from_values_that_no_format_tells() -> None:
    (one,) = clues("the safe opens with 4711, the card is 5555 5555 5555 4444")
    assert one.group == "digits"
    assert {"four", "opened", "uses<"} <= one.signs


def test_a_tax_number_that_passes_its_check_is_told_from_one_that_does_not() -> None:
    checked = [
        clue.signs for text in ("86 095 742 719", "86 095 742 718", "86 095 74") for clue in clues(f"tax id {text}")
    ]
    assert ["checked" in signs for signs in checked[:2]] == [True, False]


def test_what_is_asked_before_counts() -> None:
    (one,) = clues("The door code? It's 58213.")
    assert "asked before" in one.signs


def test_a_phrase_may_be_a_secret_as_a_word_may() -> None:
    forms = {sign for clue in clues("disk encryption asks: nine wet socks") for sign in clue.signs}
    assert "tail" in forms


def test_every_process_finds_the_same() -> None:
    """The order of a set differs by the seed of its hashes, and a sum of weights that is near nothing by the order."""
    told = ["my security badge says 44021 and has an ugly photo", "the locker thing, mine is 2861 at the moment",
            "To get into the rehearsal room it's 4480# these days"]  # fmt: skip
    code = f"from memoranda.core.secrets.detection import find; print([find(one) for one in {told!r}])"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(1, 6)
    }  # fmt: skip
    assert len(found) == 1
