"""Spanish: words, and what Spanish puts differently."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.clocks import Clock, Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import SIGNS, Words, glue, series, table

_MORNING, _AFTERNOON, _NIGHT = Part(6, 12), Part(12, 20), Part(20, 26)

WORDS: Words = {
    **SIGNS,
    **series(
        "month",
        1,
        "enero|ene febrero|feb marzo abril|abr mayo junio|jun julio|jul agosto|ago septiembre|setiembre|sept|sep"
        " octubre|oct noviembre|nov diciembre|dic",
    ),
    **series("weekday", 0, "lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo"),
    **table("weekdays", {"sábados|domingos": True}),
    **table(
        "unit",
        {
            "segundo|segundos": "second",
            "minuto|minutos": "minute",
            "hora|horas": "hour",
            "día|días|dia|dias": "day",
            "semana|semanas": "week",
            "quincena|quincenas": "fortnight",
            "mes|meses": "month",
            "trimestre|trimestres": "quarter",
            "año|años": "year",
            "década|décadas": "decade",
            "siglo|siglos": "century",
        },
    ),
    **table("weekend", {"fin de semana|fines de semana|finde": "weekend"}),
    **table("nights", {"noches": "day"}),
    **series("small", 2, "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"),
    **series(
        "small", 17, "diecisiete dieciocho diecinueve veinte veintiuno|veintiún veintidós veintitrés veinticuatro"
    ),
    **table("small", {"una": 1, "treinta": 30}),
    **series(
        "ordinal",
        1,
        "primero|primer|primera segundo|segunda tercero|tercer|tercera cuarto|cuarta quinto|quinta sexto|sexta",
    ),
    **table("some", {"unos|unas|algunos|algunas|varios|varias|pocos|pocas|un par de": 3}),
    **table(
        "rel",
        {
            "último|última|últimos|últimas|pasado|pasada|pasados|pasadas|anterior": -1,
            "este|esta|estos|estas": 0,
            "próximo|próxima|próximos|próximas|siguiente|que viene|que entra": 1,
        },
    ),
    **table(
        "dayword",
        {"anteayer|antes de ayer|antier": -2, "ayer": -1, "hoy": 0, "mañana": 1, "pasado mañana": 2},
    ),
    **table(
        "dayparts",
        {
            "anoche|ayer por la noche": (-1, _NIGHT),
            "ayer por la mañana": (-1, _MORNING),
            "ayer por la tarde": (-1, _AFTERNOON),
            "esta mañana|hoy por la mañana": (0, _MORNING),
            "esta tarde|hoy por la tarde": (0, _AFTERNOON),
            "esta noche|hoy por la noche": (0, _NIGHT),
            "mañana por la mañana": (1, _MORNING),
            "mañana por la tarde": (1, _AFTERNOON),
            "mañana por la noche": (1, _NIGHT),
        },
    ),
    **table("part", {"madrugada": Part(0, 6), "mediodía": Part(11, 14)}),
    **table(
        "cut_part",
        {
            "por la mañana|en la mañana": _MORNING,
            "por la tarde|en la tarde": _AFTERNOON,
            "por la noche|en la noche": _NIGHT,
        },
    ),
    **table("meridiem", {"de la mañana|de la madrugada|a . m .|am": False, "de la tarde|de la noche|p . m .|pm": True}),
    **table("noon", {"a mediodía": Clock(12), "medianoche": Clock(0)}),
    **table(
        "season",
        {"primavera": on.season(3), "verano": on.season(6), "otoño": on.season(9), "invierno": on.season(12)},
    ),
    **table(
        "edge",
        {
            "fin de|final de|finales de|fin del|final del": "end",
            "principio de|principios de|inicio de|inicios de|principio del": "start",
            "mediados de": "middle",
        },
    ),
    **table("often", {"diariamente|semanalmente|mensualmente|anualmente": True}),
    **table("now", {"ahora|ahora mismo": True}),
    **table(
        "holiday",
        {
            "navidad|día de navidad": on.fixed(12, 25),
            "nochebuena": on.fixed(12, 24),
            "nochevieja|fin de año": on.fixed(12, 31),
            "año nuevo": on.fixed(1, 1),
            "día de reyes|reyes magos": on.fixed(1, 6),
            "san valentín": on.fixed(2, 14),
            "día de muertos": on.fixed(11, 2),
            "domingo de pascua|pascua": on.from_easter(0),
            "jueves santo": on.from_easter(-3),
            "viernes santo": on.from_easter(-2),
        },
    ),
    **glue(
        """
        every: cada|todos los|todas las; whole: todo|toda; a: un|una; before_now: hace; ago: atrás;
        in: en|dentro de; of: de|del; from: desde|desde el|desde la; on: el; at: a las|a la|@; the: la|los|las|lo;
        and: y; to: a|al; until: hasta|hasta el|hasta la; between: entre; since: desde|a partir de;
        before: antes de|antes del; after: después de|después del|tras; for: por|para; during: durante;
        half: medio|media; around: alrededor de|sobre|hacia; half_past: y media; quarter: y cuarto
        """
    ),
}
WORDS["una"] = ("a", None)
WORDS["el"] = ("on", None)

OWN: list[Rule] = [
    ("small half_past", "time", at.spoken_offset(30)),
    ("small quarter", "time", at.spoken_offset(15)),
    ("on (?= [weekday small ordinal rel dayword])", "the", num.same),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    lexicon = Lexicon(
        WORDS,
        quiet=("rel", "some", "edge"),
        past="fue|fui|fuimos|era|estaba|estuvo|hizo|hice|ha|he|hemos|han|dijo|dije|vi|vimos|vio|tuve|tuvo|desde"
        r"|(?!esté|café|aquí|allí|ahí|así|iré|veré|seré|daré|\w+[aei]ré)\w{2,}(?:é|í|ó|aron|ieron)",
        future=r"será|iré|irá|vamos|voy|va|van|quiero|planeo|debo|tengo|quedado|a partir del?"
        r"|\w{2,}[aei]r(?:é|á|án|emos)",
        present="es|son|está|estoy|estamos|vuelo|volamos|salgo|sale|salimos|vuelvo|llego|llega|viajo|viajamos|viene|vienen"
        "|empiezo|empieza|mudo|veo|vemos|quedamos|casamos|caso|visito|visitamos|tiene|tenemos|hay|puedo|nos vemos",
        note="(?:cena|comida|almuerzo|desayuno|reunión|cita|dentista|examen|entrevista|fiesta|concierto)",
    )
    return Grammar(lexicon, rules(*OWN[:2], day_first=True), GROUPS)
