"""What is said of somebody by name, or by what they are to the user, is said of one person."""

import pytest

from flows.helpers import says
from memoranda import AsyncScoped
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def people(alice: AsyncScoped, clock: FrozenClock, *said: str) -> dict[str, str]:
    for text in said:
        await alice.add(says(text))
        clock.advance(days=1)
    plain = (await alice.profile()).plain()
    assert "location" not in plain  # nothing of theirs is the user's
    return {name: known["location"]["city"] for name, known in plain["people"].items()}


@pytest.mark.parametrize(
    ("said", "lives"),
    [
        (
            ["my sister's called Priyanka, she lives in toronto", "my sister moved to vancouver"],
            {"priyanka": "vancouver"},
        ),
        (["My mum lives in Bath.", "My mum is called Joan.", "My mum moved to Hull."], {"joan": "Hull"}),
        (["My brother lives in Turin.", "My brother Tom moved to Bari."], {"tom": "Bari"}),
        (
            ["My brother Tom lives in Turin.", "My colleague moved to Bari."],
            {"tom": "Turin", "user's colleague": "Bari"},
        ),
        (
            ["My sister Ida lives in Oslo.", "My sister Ann lives in Rome.", "My sister moved to Bonn."],
            {"ida": "Oslo", "ann": "Rome", "user's sister": "Bonn"},
        ),
        (
            [
                "My sister Ida lives in Oslo.",
                "My sister Ann lives in Rome.",
                "My sister moved to Bonn.",
                "My sister Eva lives in Hull.",
            ],
            {"ida": "Oslo", "ann": "Rome", "user's sister": "Bonn", "eva": "Hull"},
        ),
        (["Meine Schwester Lotte wohnt in Trier.", "Meine Schwester ist nach Bonn gezogen."], {"lotte": "Bonn"}),
        (["Mi hermana Marta vive en Alicante.", "Mi hermana vive ahora en Bilbao."], {"marta": "Bilbao"}),
        (["Mon frère Hugo habite à Lyon.", "Mon frère habite à Annecy."], {"hugo": "Annecy"}),
        (["我姐姐林月住在厦门。", "我姐姐搬到了福州。"], {"林月": "福州"}),
    ],
)
async def test_one_person_has_one_city(
    alice: AsyncScoped, clock: FrozenClock, said: list[str], lives: dict[str, str]
) -> None:
    assert await people(alice, clock, *said) == lives
