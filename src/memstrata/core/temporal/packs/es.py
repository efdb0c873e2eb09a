"""Spanish: words, and what Spanish puts differently."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import lexicon

OWN: list[Rule] = [
    ("small half_past", "time", at.spoken_offset(30)),
    ("small quarter", "time", at.spoken_offset(15)),
    ("on (?= [weekday small ordinal rel dayword])", "the", num.same),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    return Grammar(lexicon("es"), rules(*OWN[:2], day_first=True), GROUPS)
