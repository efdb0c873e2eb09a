"""Plans, editions, releases and departments are no towns; towns with the names of other things are."""

import pytest

from memoranda.core.language.engine import extract


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I moved to the Premium plan yesterday."),
        ("en", "We moved to Gold in May."),
        ("en", "We've moved to Growth tier."),
        ("en", "I moved to team Falcon."),
        ("en", "I've moved to v14."),
        ("en", "We moved to Release 24.3 on Monday."),
        ("es", "Me han trasladado a Compras."),
        ("es", "Nos mudamos a la tarifa Diamante."),
        ("fr", "On s'est installés à Sinistres."),
        ("zh", "我们上个月搬到旗舰版了。"),
    ],
)
def test_a_grade_or_department_is_no_town(language: str, text: str):
    assert "location.city" not in [one.attribute for one in extract(text, language=language)]


@pytest.mark.parametrize(
    ("language", "text", "town"),
    [
        ("en", "I moved to Battle, East Sussex.", "Battle, East Sussex"),
        ("en", "We moved to Deal last month.", "Deal"),
        ("en", "We moved to the Lake District.", "Lake District"),
        ("de", "Wir sind nach Gold Coast gezogen.", "Gold Coast"),
        ("de", "Bin vor zwei Jahren nach Worms gezogen.", "Worms"),
        ("es", "Nos fuimos a vivir a Cabra.", "Cabra"),
        ("es", "vivo en jaén de toda la vida", "jaén"),
        ("fr", "On a emménagé à Gap en octobre.", "Gap"),
        ("zh", "去年搬到海南的东方市住了", "东方市"),
    ],
)
def test_a_town_may_be_called_like_anything(language: str, text: str, town: str):
    assert [one.value for one in extract(text, language=language) if one.attribute == "location.city"] == [town]
