"""German: words, and what German puts differently."""

from functools import cache
from itertools import product

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.clocks import Clock, DayPart, Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import SIGNS, Words, glue, series, table

_MORNING, _AFTERNOON, _EVENING, _NIGHT = Part(6, 12), Part(12, 18), Part(17, 21), Part(20, 26)
_WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_PARTS = {"morgen": _MORNING, "vormittag": _MORNING, "nachmittag": _AFTERNOON, "abend": _EVENING, "nacht": _NIGHT}
_DAYS = {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}


def _forms(*stems: str) -> str:
    """The endings of an adjective."""
    return "|".join(stem + ending for stem in stems for ending in ("e", "er", "es", "en", "em"))


_ONES = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig"]

WORDS: Words = {
    **SIGNS,
    **series(
        "month",
        1,
        "januar|jan|jänner februar|feb märz|mär|maerz april|apr mai juni|jun juli|jul august|aug september|sept|sep"
        " oktober|okt november|nov dezember|dez",
    ),
    **series("weekday", 0, " ".join(_WEEKDAYS)),
    **table("weekday", {"sonnabend": 5}),
    **table("weekdays", {f"{day}s": True for day in _WEEKDAYS} | {"werktags|wochentags": True}),
    **table(
        "unit",
        {
            "sekunde|sekunden": "second",
            "minute|minuten|min": "minute",
            "stunde|stunden|std": "hour",
            "tag|tage|tagen|tages": "day",
            "woche|wochen": "week",
            "monat|monate|monaten|monats": "month",
            "quartal|quartale|quartals|quartalen": "quarter",
            "jahr|jahre|jahren|jahres": "year",
            "jahrzehnt|jahrzehnte|jahrzehnten|jahrzehnts": "decade",
            "jahrhundert|jahrhunderts|jahrhunderte|jahrhunderten": "century",
        },
    ),
    **table("weekend", {"wochenende|wochenendes|wochenenden": "weekend"}),
    **table("nights", {"nächte|nächten": "day"}),
    **series(
        "small", 2, "zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
    ),
    **series("small", 17, "siebzehn achtzehn neunzehn zwanzig"),
    **{
        f"{ones}und{tens}": ("small" if 20 + 10 * j + i < 31 else "two_digits", 21 + 10 * j + i)
        for (i, ones), (j, tens) in product(enumerate(_ONES), enumerate(_TENS))
    },
    **table("two_digits", {"dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "hundert": 100}),
    **{
        form: ("ordinal", number)
        for number, stem in enumerate(
            ["erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft"],
            1,
        )
        for form in _forms(stem).split("|")
    },
    **table("some", {"paar|ein paar|einige|einigen|mehrere|mehreren|wenige|wenigen|ein paar": 3}),
    **table(
        "rel",
        {
            _forms("letzt", "vorig"): -1,
            _forms("vergangen"): -2,
            _forms("dies") + "|dieses": 0,
            _forms("nächst"): 1,
            _forms("kommend"): 2,
        },
    ),
    **table("dayword", _DAYS),
    **table("dayparts", {f"{day} {part}": (n, p) for (day, n), (part, p) in product(_DAYS.items(), _PARTS.items())}),
    **table("dayparts", {"morgen früh": (1, _MORNING), "heute früh": (0, _MORNING), "gestern früh": (-1, _MORNING)}),
    **table(
        "part",
        {"vormittag": _MORNING, "mittag": Part(11, 14), "nachmittag": _AFTERNOON, "abend": _EVENING, "nacht": _NIGHT},
    ),
    **table(
        "parts",
        {"morgens|vormittags": _MORNING, "nachmittags|mittags": _AFTERNOON, "abends": _EVENING, "nachts": _NIGHT},
    ),
    **table("noon", {"mitternacht": Clock(0)}),
    **table(
        "season",
        {"frühling|frühjahr": on.season(3), "sommer": on.season(6), "herbst": on.season(9), "winter": on.season(12)},
    ),
    **table("beyond", {_forms("übernächst"): 2, _forms("vorletzt"): -2}),
    **table("cut_part", {"am morgen|am frühen morgen|in der früh": _MORNING}),
    **table("edge", {"ende": "end", "anfang|beginn": "start", "mitte": "middle"}),
    **table("often", {"täglich|wöchentlich|monatlich|jährlich|vierteljährlich|stündlich": True}),
    **table("now", {"jetzt|gerade eben": True}),
    **table(
        "holiday",
        {
            "weihnachten|weihnachtstag": on.fixed(12, 25),
            "heiligabend|heilig abend": on.fixed(12, 24),
            "silvester": on.fixed(12, 31),
            "neujahr": on.fixed(1, 1),
            "nikolaus": on.fixed(12, 6),
            "tag der deutschen einheit": on.fixed(10, 3),
            "tag der arbeit": on.fixed(5, 1),
            "valentinstag": on.fixed(2, 14),
            "ostern|ostersonntag": on.from_easter(0),
            "karfreitag": on.from_easter(-2),
            "ostermontag": on.from_easter(1),
            "christi himmelfahrt": on.from_easter(39),
            "pfingsten|pfingstsonntag": on.from_easter(49),
            "pfingstmontag": on.from_easter(50),
            "rosenmontag": on.from_easter(-48),
            "muttertag": on.nth_weekday(5, 6, 2),
        },
    ),
    **glue(
        """
        every: jeden|jede|jedes|jeder|jedem; whole: ganze|ganzen|ganzer|ganzes; a: ein|eine|einen|einem|einer|eines;
        before_now: vor; ago: her; in: in|im|ins; from: von|vom; on: am|an; at: um|gegen;
        the: das|die|den|dem|der|des; and: und; until: bis|bis zum|bis zu; between: zwischen; since: seit|ab;
        before: bevor; after: nach; for: für; during: während; within: innerhalb; half: halbe|halben|halbes|halber;
        half_hour: halb; oclock: uhr; around: etwa|ungefähr|circa|ca; long: lang; later: später; q; rest;
        quarter_past: viertel nach; quarter_to: viertel vor
        """
    ),
}

WORDS |= table(
    "daypart",
    {
        f"{day}{part}": DayPart(on.weekday(n), time)
        for (n, day), (part, time) in product(enumerate(_WEEKDAYS), _PARTS.items())
    },
)

OWN: list[Rule] = [
    ("half_hour small", "time", at.offset_clock(30, sign=-1)),
    ("small oclock small", "time", at.hour_minute),
    ("clock oclock", "time", at.clock_text),
    ("small oclock", "time", at.clock_hour),
    ("time parts", "time", at.clock_part),
    ("small dot (?= [month to until dash and unit weekday])", "nth", num.same),
    ("(?<=[on from until since before_now]) decimal dot? | decimal dot (?= [to until dash])", "date", on.decimal_date),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    lexicon = Lexicon(
        WORDS,
        quiet=("rel", "some", "edge"),
        past="war|waren|hatte|hatten|wurde|wurden|ging|gingen|kam|kamen|sagte|wollte|musste|konnte|traf|trafen|flog|flogen"
        "|fuhr|fuhren|sah|sahen|fand|gab|aß|las|schrieb|blieb|rief|machte|machten|kaufte|feierte|gestern|seit",
        future="werde|wird|werden|will|wollen|möchte|soll|geplant|plane|ab",
        present="habe?|hast|hat|haben|habt|bin|bist|ist|sind|muss|müssen|kann|können|darf|sollen|sollte"
        "|(?:flieg|komm|reis|zieh|beginn|start|besuch|mach|kehr|zieh)(?:e|t|en)|fahren|fahre|fährt|treffe|trifft"
        "|treffen|geh|gehe|geht|gehen|fange|fängt|fangen|sehe|sieht|sehen",
        perfect=r"[^,;]*?\b(?!(?:gegen|gehen|geht|geben|geplant|gebucht|geschlossen|eingeladen|verabredet|bereit|ernst)\b)"
        "(?:[a-zäöü]{0,6}ge[a-zäöüß]{2,}|[a-zäöü]{2,}ier(?=t)|(?:be|ver|er|ent)[a-zäöüß]{3,})(?:t|en)\\b",
        note="(?:abendessen|mittagessen|frühstück|treffen|termin|zahnarzt|prüfung|flug|party|konzert)",
    )
    return Grammar(lexicon, rules(*OWN, day_first=True), GROUPS)
