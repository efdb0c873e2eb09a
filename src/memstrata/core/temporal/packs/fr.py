"""French: words, and what French puts differently."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import lexicon

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
    return Grammar(lexicon("fr"), rules(*OWN, day_first=True), GROUPS)
