"""Expressions of the other languages, each with the interval it means on a given day."""

from datetime import UTC, datetime

import pytest

from memoranda.core.temporal import find_times

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)  # a Saturday

GERMAN = """
gestern = 2026-11-20..2026-11-21
vorgestern = 2026-11-19..2026-11-20
übermorgen = 2026-11-23..2026-11-24
vor drei Wochen = 2026-10-31..2026-11-01
in zwei Tagen = 2026-11-23..2026-11-24
letzten Freitag = 2026-11-13..2026-11-14
nächste Woche = 2026-11-23..2026-11-30
übernächste Woche = 2026-11-30..2026-12-07
letztes Jahr im Mai = 2025-05-01..2025-06-01
5. Mai 2024 = 2024-05-05..2024-05-06
3.5.2024 = 2024-05-03..2024-05-04
vom 3. bis 5. Mai 2025 = 2025-05-03..2025-05-06
19:30 Uhr = 2026-11-21 19:30..2026-11-21 19:31
19 Uhr 30 = 2026-11-21 19:30..2026-11-21 19:31
8 Uhr abends = 2026-11-21 20:00..2026-11-21 21:00
halb acht = 2026-11-21 07:30..2026-11-21 07:31
heute Abend = 2026-11-21 17:00..2026-11-21 21:00
Montagabend = 2026-11-23 17:00..2026-11-23 21:00
morgen früh um 8 = 2026-11-22 08:00..2026-11-22 09:00
am Morgen = 2026-11-21 06:00..2026-11-21 12:00
seit 2019 = 2019-01-01..
bis Freitag = ..2026-11-28
zwei Wochen vor dem 10. Februar 2025 = 2025-01-27..2025-01-28
nachdem 5. Mai 2025 = 2025-05-06..
vor März 2025 = ..2025-03-01
nach dem 5. Mai 2025 = 2025-05-06..
zwischen März und Juni = 2027-03-01..2027-07-01
Ende Mai 2025 = 2025-05-21..2025-06-01
Ende der Woche = 2026-11-19..2026-11-23
letzten zwei Wochen = 2026-11-07..2026-11-21
Sommer 2023 = 2023-06-01..2023-09-01
das 3. Quartal 2025 = 2025-07-01..2025-10-01
ersten Montag im Mai = 2027-05-03..2027-05-04
Karfreitag 2025 = 2025-04-18..2025-04-19
Freitag, den 13 = 2026-11-13..2026-11-14
jeden Montag = set
montags = set
drei Wochen lang = duration
fünfunddreißig Tage = duration
"""

SPANISH = """
ayer = 2026-11-20..2026-11-21
anteayer = 2026-11-19..2026-11-20
pasado mañana = 2026-11-23..2026-11-24
hace tres semanas = 2026-10-31..2026-11-01
dentro de dos días = 2026-11-23..2026-11-24
viernes pasado = 2026-11-13..2026-11-14
próximo mes = 2026-12-01..2027-01-01
la semana que viene = 2026-11-23..2026-11-30
fin de semana pasado = 2026-11-14..2026-11-16
año pasado = 2025-01-01..2026-01-01
5 de mayo de 2024 = 2024-05-05..2024-05-06
3/5/2024 = 2024-05-03..2024-05-04
3 al 5 de mayo de 2025 = 2025-05-03..2025-05-06
7 de la tarde = 2026-11-21 19:00..2026-11-21 20:00
lunes a las 7 y media = 2026-11-23 07:30..2026-11-23 07:31
mañana por la mañana = 2026-11-22 06:00..2026-11-22 12:00
anoche = 2026-11-20 20:00..2026-11-21 02:00
desde 2019 = 2019-01-01..
hasta el viernes = ..2026-11-28
antes de marzo de 2025 = ..2025-03-01
entre marzo y junio = 2027-03-01..2027-07-01
finales de mayo de 2025 = 2025-05-21..2025-06-01
últimas dos semanas = 2026-11-07..2026-11-21
verano de 2023 = 2023-06-01..2023-09-01
primer lunes de mayo = 2027-05-03..2027-05-04
Navidad de 2023 = 2023-12-25..2023-12-26
cada lunes = set
tres semanas = duration
"""

FRENCH = """
hier = 2026-11-20..2026-11-21
avant-hier = 2026-11-19..2026-11-20
après-demain = 2026-11-23..2026-11-24
aujourd'hui = 2026-11-21..2026-11-22
il y a trois semaines = 2026-10-31..2026-11-01
dans deux jours = 2026-11-23..2026-11-24
vendredi dernier = 2026-11-13..2026-11-14
la semaine prochaine = 2026-11-23..2026-11-30
l'année dernière = 2025-01-01..2026-01-01
le week-end dernier = 2026-11-14..2026-11-16
été dernier = 2026-06-01..2026-09-01
le 5 mai 2024 = 2024-05-05..2024-05-06
03/05/2024 = 2024-05-03..2024-05-04
du 3 au 5 mai 2025 = 2025-05-03..2025-05-06
de lundi à vendredi = 2026-11-16..2026-11-21
lundi à 19h30 = 2026-11-23 19:30..2026-11-23 19:31
lundi à 19h = 2026-11-23 19:00..2026-11-23 20:00
lundi à 7 heures = 2026-11-23 07:00..2026-11-23 08:00
hier soir = 2026-11-20 17:00..2026-11-21 02:00
demain matin = 2026-11-22 06:00..2026-11-22 12:00
ce matin = 2026-11-21 06:00..2026-11-21 12:00
depuis 2019 = 2019-01-01..
jusqu'à vendredi = ..2026-11-28
entre mars et juin = 2027-03-01..2027-07-01
fin mai 2025 = 2025-05-21..2025-06-01
deux dernières semaines = 2026-11-07..2026-11-21
été 2023 = 2023-06-01..2023-09-01
Noël 2023 = 2023-12-25..2023-12-26
tous les lundis = set
trois semaines = duration
"""

CHINESE = """
2025-02-10之前 = ..2025-02-10
2025年2月10日以前 = ..2025-02-10
2025-02-10之后 = 2025-02-11..
2025-02-10以来 = 2025-02-10..
昨天 = 2026-11-20..2026-11-21
三天前 = 2026-11-18..2026-11-19
三年前 = 2023-11-21..2023-11-22
两周后 = 2026-12-05..2026-12-06
上周五 = 2026-11-13..2026-11-14
下个月 = 2026-12-01..2027-01-01
下周末 = 2026-11-28..2026-11-30
去年 = 2025-01-01..2026-01-01
明年三月 = 2027-03-01..2027-04-01
明年三月五日 = 2027-03-05..2027-03-06
2024年5月3日 = 2024-05-03..2024-05-04
2024年5月 = 2024-05-01..2024-06-01
2024年 = 2024-01-01..2025-01-01
十一月二十一日 = 2026-11-21..2026-11-22
下午3点 = 2026-11-21 15:00..2026-11-21 16:00
晚上八点半 = 2026-11-21 20:30..2026-11-21 20:31
七点十分 = 2026-11-21 07:10..2026-11-21 07:11
今晚七点 = 2026-11-21 19:00..2026-11-21 20:00
从周一到周五 = 2026-11-16..2026-11-21
过去两周 = 2026-11-07..2026-11-21
2024年第三季度 = 2024-07-01..2024-10-01
2023年夏天 = 2023-06-01..2023-09-01
2019年以来 = 2019-01-01..
2025年五月底 = 2025-05-21..2025-06-01
每周一 = set
三个星期 = duration
三十五天 = duration
"""


def meaning(text: str, language: str) -> tuple[str, str]:
    (ref,) = find_times(text, NOW, language)
    if ref.grain in {"set", "duration"}:
        return ref.text, ref.grain
    begin, until = (
        "" if moment is None else moment.isoformat(sep=" ")[:16].removesuffix(" 00:00")
        for moment in (ref.begin, ref.until)
    )
    return ref.text, f"{begin}..{until}"


@pytest.mark.parametrize(
    ("language", "row"),
    [
        (language, row)
        for language, table in (("de", GERMAN), ("es", SPANISH), ("fr", FRENCH), ("zh", CHINESE))
        for row in table.strip().splitlines()
    ],
)
def test_an_expression_means_an_interval(language: str, row: str):
    text, _, interval = row.partition(" = ")
    assert meaning(text, language) == (text, interval)


@pytest.mark.parametrize(
    ("text", "language", "begin"),
    [
        ("Am Freitag war ich in Rom", "de", "2026-11-20"),
        ("Am 3.5. werde ich 40", "de", "2027-05-03"),
        ("El lunes fui a Roma", "es", "2026-11-16"),
        ("Lundi, je vais à Rome", "fr", "2026-11-23"),
        ("周五我会去北京", "zh", "2026-11-27"),
    ],
)
def test_the_tense_chooses_the_occurrence(text: str, language: str, begin: str):
    ref = find_times(text, NOW, language)[0]
    assert f"{ref.begin:%Y-%m-%d}" == begin


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("31. Februar", "de"),
        ("31 de febrero", "es"),
        ("31 février", "fr"),
        ("j'ai été malade", "fr"),
        ("2月31日", "zh"),
    ],
)
def test_what_is_no_date_is_none(text: str, language: str):
    assert find_times(text, NOW, language) == []
