"""English: words, and the rules that put them together."""

from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import lexicon

NUMBERS: list[Rule] = [
    ("edge (?= the)", "verb", num.same),
    ("(?<=[at for from until between by to ordinal nth]) (digit | teen) tens dash? digit", "time", at.spoken),
    ("(?<=[at for from until between by to ordinal nth]) (digit | teen) (tens | teen)", "time", at.spoken),
    ("(digit | teen) tens dash? digit (?= meridiem | to | until)", "time", at.spoken),
    ("(digit | teen) (tens | teen) (?= meridiem | to | until)", "time", at.spoken),
    ("teen hundred and? (tens dash? digit | tens | teen | digit)?", "year", num.spoken_year_hundred),
    ("digit thousand (digit hundred)? and? tens dash? digit", "year", num.thousands),
    ("digit thousand (digit hundred)? (and? (digit | teen | tens))?", "year", num.thousands),
    ("(teen | tens) (tens dash? digit | tens | teen)", "year", num.spoken_year),
    ("tens dash? digit", "small", num.add),
    ("tens dash? [ordinal second]", "ordinal", num.add),
    ("(digit | a) hundred", "four", num.hundred),
    ("small suffix", "nth", num.same),
    ("second (?= weekday | unit | part | of | decades)", "ordinal", num.same),
    ("(?<=month) the? second", "ordinal", num.same),
    ("digit | teen | tens", "small", num.same),
    ("small and a? half (?= unit)", "decimal", num.and_half),
    ("(?<=[small four per every decimal]) second | (?<=a) second (?! other)", "unit", num.const("second")),
    # words that are other words too
    (
        "(?<=[in on of since until before after by from to between year during dash early every slash]) maybe_month",
        "month",
        num.same,
    ),
    ("(?<=month and) maybe_month", "month", num.same),
    ("rel maybe_month (?! other)", "period", on.relative_month),
    ("rel maybe_month", "period", on.relative_month_other),
    (
        "maybe_month (?= [dot dash slash comma]? the? ([small nth year] | ordinal) | of year | [to until dash] month)",
        "month",
        num.same,
    ),
    ("(?<=[nth small ordinal slash dash]) maybe_month | (?<=[ordinal nth small] of) maybe_month", "month", num.same),
    ("(?<=[on rel since until by from every to]) maybe_weekday", "weekday", num.same),
    ("maybe_weekday (?= [comma dot]? [month small nth time clock])", "weekday", num.same),
    (
        "(?<=[in rel the of since during every early]) maybe_season | maybe_season (?= of? [year rel])",
        "season",
        num.same,
    ),
    ("past (?= [count some] unit | [units] | part | weekday | month | holiday)", "rel", num.same),
    ("rel rel", "rel", num.last),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    return Grammar(lexicon("en"), rules(*NUMBERS, day_first=False), GROUPS)
