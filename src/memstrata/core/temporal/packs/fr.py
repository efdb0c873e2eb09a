"""French: words, and what French puts differently."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.clocks import Clock, Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import SIGNS, Words, glue, series, table

WORDS: Words = {
    **SIGNS,
    **series(
        "month",
        1,
        "janvier|janv février|fevrier|févr mars avril|avr mai juin juillet|juil août|aout septembre|sept octobre|oct"
        " novembre|nov décembre|decembre|déc",
    ),
    **series("weekday", 0, "lundi mardi mercredi jeudi vendredi samedi dimanche"),
    **table("weekdays", {"lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches": True}),
    **table(
        "unit",
        {
            "seconde|secondes": "second",
            "minute|minutes": "minute",
            "heure|heures": "hour",
            "jour|jours|journée|journées": "day",
            "semaine|semaines": "week",
            "quinzaine": "fortnight",
            "mois": "month",
            "trimestre|trimestres": "quarter",
            "an|ans|année|années": "year",
            "décennie|décennies": "decade",
            "siècle|siècles": "century",
        },
    ),
    **table("weekend", {"week - end|weekend|week - ends": "weekend"}),
    **table("nights", {"nuits": "day"}),
    **series("small", 2, "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt"),
    **table("small", {"vingt": 20, "trente": 30, "dix - sept": 17, "dix - huit": 18, "dix - neuf": 19}),
    **series("ordinal", 1, "premier|première deuxième|second|seconde troisième quatrième cinquième sixième"),
    **table("some", {"quelques|plusieurs": 3}),
    **table(
        "rel",
        {
            "dernier|dernière|derniers|dernières|passé|passée|précédent|précédente": -1,
            "ce|cet|cette|ces": 0,
            "prochain|prochaine|prochains|prochaines|suivant|suivante": 1,
        },
    ),
    **table(
        "dayword",
        {"avant - hier": -2, "hier": -1, "aujourd ' hui": 0, "demain": 1, "après - demain": 2},
    ),
    **table(
        "part",
        {
            "matin|matinée": Part(6, 12),
            "midi": Part(11, 14),
            "après - midi": Part(12, 18),
            "soir|soirée": Part(17, 21),
            "nuit": Part(20, 26),
        },
    ),
    **table("dayparts", {"hier soir": (-1, Part(17, 26)), "cette nuit": (0, Part(20, 30))}),
    **table("noon", {"à midi": Clock(12), "minuit": Clock(0)}),
    **table(
        "season",
        {"printemps": on.season(3), "automne": on.season(9), "hiver": on.season(12)},
    ),
    **table("maybe_season", {"été": on.season(6)}),
    **table(
        "edge",
        {
            "fin|la fin de|la fin du|fin de": "end",
            "début|le début de|début de|le début du": "start",
            "mi -|milieu de|milieu du": "middle",
        },
    ),
    **table("often", {"quotidiennement|hebdomadaire|mensuellement|annuellement": True}),
    **table("now", {"maintenant|en ce moment": True}),
    **table(
        "holiday",
        {
            "noël": on.fixed(12, 25),
            "réveillon|la saint - sylvestre": on.fixed(12, 31),
            "nouvel an|jour de l ' an": on.fixed(1, 1),
            "saint - valentin": on.fixed(2, 14),
            "fête du travail": on.fixed(5, 1),
            "fête nationale": on.fixed(7, 14),
            "toussaint": on.fixed(11, 1),
            "armistice": on.fixed(11, 11),
            "pâques|dimanche de pâques": on.from_easter(0),
            "lundi de pâques": on.from_easter(1),
            "ascension": on.from_easter(39),
            "pentecôte": on.from_easter(49),
        },
    ),
    **glue(
        """
        every: chaque|tous les|toutes les; whole: tout|toute|toute la|tout le; a: un|une;
        before_now: il y a|ça fait; ago: plus tôt; in: en|dans|au cours de; of: de|d|des; from: du; at: à|vers;
        the: le|la|les|l|l '; and: et; to: au|aux; until: jusqu ' à|jusqu ' au|jusqu ' en|jusque; between: entre;
        since: depuis|depuis le|depuis la|à partir du|à partir de|dès; before: avant|avant le|avant la;
        after: après|après le|après la; for: pour; during: pendant|durant; half: demi|demie; around: environ;
        later: plus tard; oclock: heures|h
        """
    ),
}
WORDS["heures"] = ("unit", "hour")

OWN: list[Rule] = [
    ("(?<=[the rel in]) maybe_season | maybe_season (?= year | rel | of year)", "season", num.same),
    ("of weekday at weekday", "range", of.weekdays),
    ("clock_h", "time", at.clock_h),
    ("(?<=[at from until before after between to]) compact", "time", at.clock_h),
    ("(?<=[at until before after between]) small unit small", "time", at.hour_unit),
    ("(?<=[at until before after between]) small unit", "time", at.hour_unit),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    lexicon = Lexicon(
        WORDS,
        quiet=("rel", "some", "edge"),
        past="était|étais|avait|avais|fut|allée?s?|depuis",
        future="sera|serai|vais|va|vont|allons|veux|prévue?|dois|faut|à partir d[eu]|dès",
        present="ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont|pars|part|partons|prends|prend|prenons|voyage|vole"
        "|volons|rentre|rentrons|arrive|arrivons|commence|déménage|visite|vois|voit|voyons|retrouve|rencontre|viens|vient",
        perfect=r"(?: (?:pas|déjà|bien|tout|rien|jamais|enfin|été))? (?:\w+ée?s?|vu|pris|mis|dit|lu|bu|reçu|eu|fait"
        r"|venue?s?|revenue?s?|partie?s?|sortie?s?|fini|dormi|perdu|vendu|attendu|entendu|écrit|ouvert|appris|couru)\b",
        note="(?:dîner|déjeuner|réunion|rendez-vous|dentiste|examen|entretien|fête|concert)",
    )
    return Grammar(lexicon, rules(*OWN, day_first=True), GROUPS)
