"""German: words, and what German puts differently."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import lexicon

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
    return Grammar(lexicon("de"), rules(*OWN, day_first=True), GROUPS)
