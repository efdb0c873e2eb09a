"""English: words, and the rules that put them together."""

from functools import cache
from typing import Any

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.clocks import Clock, Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import SIGNS, glue, series, table

WORDS: dict[str, tuple[str, Any]] = {
    **SIGNS,
    **series("month", 1, "january|jan february|feb|febr"),
    **series("month", 4, "april|apr"),
    **series("month", 6, "june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec"),
    **table("maybe_month", {"may": 5, "march|mar": 3}),
    **series(
        "weekday", 0, "monday tuesday|tue|tues wednesday|wed|weds thursday|thu|thur|thurs friday|fri saturday sunday"
    ),
    **table("maybe_weekday", {"mon": 0, "sat": 5, "sun": 6}),
    **table("weekdays", {"mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekdays|weekday": True}),
    **table(
        "unit",
        {
            "seconds|sec|secs": "second",
            "minute|minutes|min|mins": "minute",
            "hour|hours|hr|hrs": "hour",
            "day|days|business day|business days|working day|working days|work day|work days": "day",
            "week|weeks|wk|wks|work week|working week": "week",
            "fortnight|fortnights": "fortnight",
            "month|months|mo": "month",
            "quarter|quarters": "quarter",
            "year|years|yr|yrs|calendar year": "year",
            "decade|decades": "decade",
            "century|centuries": "century",
        },
    ),
    **table("weekend", {"weekend": "weekend"}),
    **table("nights", {"nights": "day"}),
    **table("weekends", {"weekends": "weekend"}),
    **table("second", {"second": 2}),
    **table("h", {"h": "hour"}),
    **series("digit", 1, "one two three four five six seven eight nine"),
    **series("teen", 10, "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
    **series("tens", 20, "twenty thirty forty fifty sixty seventy eighty ninety", step=10),
    **series("ordinal", 1, "first"),
    **series(
        "ordinal", 3, "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    ),
    **series("ordinal", 15, "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"),
    **series("ordinal", 30, "thirtieth"),
    **series("decades", 20, "twenties thirties forties fifties sixties seventies eighties nineties", step=10),
    **table("decades", {"noughties": 2000}),
    **table("some", {"few|some": 3, "several": 3, "couple|couple of": 2, "a couple|a couple of": 2, "a few": 3}),
    **table("rel", {"last|previous|prior": -1, "this|current": 0, "next|following": 1, "upcoming|coming": 2}),
    **table("past", {"past": -2}),
    **table(
        "dayword",
        {
            "today|todays": 0,
            "tomorrow|tmrw|tmr|tomorow": 1,
            "yesterday": -1,
            "the day before yesterday|day before yesterday": -2,
            "the day after tomorrow|day after tomorrow|the day after tmrw|day after tmrw": 2,
        },
    ),
    **table("dayparts", {"tonight|tonite": (0, Part(18, 26)), "overnight": (0, Part(20, 30))}),
    **table(
        "part",
        {
            "morning": Part(6, 12),
            "afternoon": Part(12, 18),
            "evening": Part(17, 21),
            "night|nighttime": Part(20, 26),
            "daytime": Part(8, 18),
            "business hours": Part(8, 18),
        },
    ),
    **table(
        "mid_part",
        {
            "midmorning|mid morning|mid - morning": Part(9, 11),
            "midafternoon|mid afternoon|mid - afternoon": Part(13, 16),
            "lunchtime|lunch time": Part(11, 14),
            "dinnertime|dinner time": Part(17, 21),
        },
    ),
    **table("meal", {"breakfast": Clock(8), "lunch": Clock(12), "dinner": Clock(18)}),
    **table(
        "parts",
        {
            "mornings": Part(6, 12),
            "afternoons": Part(12, 18),
            "evenings": Part(17, 21),
        },
    ),
    **table("noon", {"noon|midday|mid day|noontime|mid - day": Clock(12), "midnight|mid night|mid - night": Clock(0)}),
    **table(
        "meridiem",
        {
            "am|a . m .|a . m|a m|. am": False,
            "pm|p . m .|p . m|p m|. pm": True,
        },
    ),
    **table("season", {"summer": on.season(6), "autumn": on.season(9), "winter": on.season(12)}),
    **table("maybe_season", {"spring": on.season(3), "fall": on.season(9)}),
    **table(
        "edge",
        {
            "end": "end",
            "beginning|start": "start",
            "middle": "middle",
        },
    ),
    **table(
        "early",
        {
            "early|early in": "early",
            "late|late in": "late",
            "mid|middle of": "middle",
        },
    ),
    **table("every", {"every|each|all": None}),
    **table(
        "often",
        {"hourly|daily|everyday|nightly|weekly|biweekly|monthly|bimonthly|quarterly|biannually|yearly|annually": True},
    ),
    **table("whole", {"all|whole|full|entire": None}),
    **table(
        "holiday",
        {
            "christmas|christmas day|xmas|xmas day": on.fixed(12, 25),
            "christmas eve|xmas eve": on.fixed(12, 24),
            "boxing day": on.fixed(12, 26),
            "new year 's eve|new years eve": on.fixed(12, 31),
            "new year 's day|new years day|new year 's|new year": on.fixed(1, 1),
            "valentine 's day|valentines day|valentine ' s day|valentine day": on.fixed(2, 14),
            "saint patrick 's day|st patrick 's day|st . patrick 's day": on.fixed(3, 17),
            "april fools|april fool 's day|april fools day|april fools ' day": on.fixed(4, 1),
            "earth day": on.fixed(4, 22),
            "labour day|may day|international workers ' day|international workers day": on.fixed(5, 1),
            "juneteenth|freedom day|jubilee day": on.fixed(6, 19),
            "independence day": on.fixed(7, 4),
            "halloween|all hallows eve": on.fixed(10, 31),
            "all saints day|all saints ' day": on.fixed(11, 1),
            "guy fawkes night|bonfire night": on.fixed(11, 5),
            "veterans day|veterans ' day": on.fixed(11, 11),
            "groundhog day": on.fixed(2, 2),
            "women 's day|international women 's day": on.fixed(3, 8),
            "cinco de mayo": on.fixed(5, 5),
            "martin luther king day|mlk day": on.nth_weekday(1, 0, 3),
            "presidents day|presidents ' day|president 's day|washington 's birthday": on.nth_weekday(2, 0, 3),
            "mother 's day|mothers day|mothers ' day": on.nth_weekday(5, 6, 2),
            "father 's day|fathers day|fathers ' day": on.nth_weekday(6, 6, 3),
            "memorial day": on.nth_weekday(5, 0, -1),
            "labor day": on.nth_weekday(9, 0, 1),
            "columbus day|indigenous peoples day|indigenous peoples ' day": on.nth_weekday(10, 0, 2),
            "thanksgiving|thanksgiving day|thanks giving|thanks giving day": on.nth_weekday(11, 3, 4),
            "black friday": on.nth_weekday(11, 3, 4, 1),
            "cyber monday": on.nth_weekday(11, 3, 4, 4),
            "easter|easter sunday": on.from_easter(0),
            "good friday": on.from_easter(-2),
            "easter monday": on.from_easter(1),
            "easter saturday": on.from_easter(-1),
            "palm sunday": on.from_easter(-7),
            "ash wednesday": on.from_easter(-46),
            "mardi gras|shrove tuesday": on.from_easter(-47),
            "maundy thursday": on.from_easter(-3),
            "pentecost|whit sunday": on.from_easter(49),
            "ascension day": on.from_easter(39),
        },
    ),
    **table("now", {"now|right now|at the moment|at this moment|at present|at this time|at the minute": True}),
    **table("earlier", {"earlier|so far": None}),
    **table("later", {"later": None}),
    **table("rest", {"rest|rest of|remaining|remainder of|remaining of": None}),
    **glue(
        """
        suffix: st|nd|rd|th; a: a|an|another; ago; in; of; on; at;
        starting: starting|starting from|starting on|beginning on; from; the; and: and|&; to: to|through|thru;
        until: until|till|til|up to|on or earlier than|on or before|before or in|before or on|before or at|earlier
        than or in|earlier than or at|no later than|not later than; between; since: since|as of|on or after|on or
        later than|later than or at|later than or in|after or on|after or equal to|no earlier than|not before;
        before: before|prior to|earlier than; after: after|later than|starting after; or; by; for;
        during: during|over|throughout; within; half; hundred; thousand; ish; q; oclock: o ' clock|o clock|oclock;
        around: around|approximately|circa|roughly|approx; about; possessive: 's; old: old|of age;
        than: more than|less than|at least|at most; alternate: other; once: once|twice; times; per; w;
        hence: from now|hence; not; my: my|our|your; quarter_to: quarter to|a quarter to;
        quarter_past: quarter past|a quarter past; same; half_past: half past;
        onward: onward|onwards|and onwards|and onward; minutes_to: minutes to|min to;
        minutes_past: minutes past|min past
        """
    ),
}

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
    lexicon = Lexicon(
        WORDS,
        quiet=("meal", "ordinal", "rel", "some", "early", "edge", "rest", "earlier", "later"),
        past=r"\w{3,}ed|since|ago|was|were|wasn|weren|did|didn|had|hadn|went|been|got|said|told|met|saw|came|made"
        r"|took|left|bought|began|broke|brought|built|caught|chose|drew|drank|drove|ate|fell|felt|found|flew|forgot"
        r"|gave|grew|heard|held|kept|knew|learnt|lost|meant|paid|ran|sent|sold|spoke|spent|stood|swam|taught|thought"
        r"|threw|understood|woke|won|wore|wrote",
        future=r"won't|will|ll|shall|gonna|going|plans?|planning|expects?|intend|hopes?|wants?|wanna|must|should|would"
        r"|tomorrow|upcoming|soon|remind|schedule|book|deadline|due"
        r"|(?:book|schedul|reserv|invit|plann|postpon)ed(?: \w+){0,3} for",
        present=r"(?:am|is|are|m|re|s|isn't|aren't)(?: \w+)? (?:arriving|attending|bringing|catching|celebrating"
        r"|closing|coming|departing|doing|driving|dropping|flying|getting(?: married)?|giving|happening|having|heading"
        r"|hosting|joining|launching|leaving|marrying|meeting(?! \W)|moving|opening|performing|picking|playing"
        r"|presenting|returning|running|seeing|speaking|starting|staying|taking|throwing|travell?ing|visiting)"
        r"|(?:am|is|are|m|re|(?<=(?:it|he|re)')s|isn't|aren't)(?: \w+){0,2}(?: (?:on|at|by|until))?(?= ?$)"
        r"|(?:have|has|ve|s)(?: i| we)? got|do (?:i|we) have|needs?(?= to )|let's|can (?:i|we)|might"
        r"|(?:have|has|ve)(?= (?:an?|my|our|the|to|no|tickets|plans) )"
        r"|leaves|departs|arrives|starts|begins|opens|closes|ends|flies|lands|returns|comes|takes place"
        r"|(?<!did )(?:i|we|they) (?:fly|leave|depart|arrive|start|begin|return|travel|move|meet|go|come)",
        perfect=r"(?:(?<=ve)|(?<=has))(?:n't)?(?: \w+)? (?:\w{3,}ed|been|had|got|seen|done|gone|made|taken|met|left)\b",
        note="(?:(?:a|the|my|our) )?(?:dinner|lunch|breakfast|brunch|meeting|appointment|dentist|exam|interview|flight"
        "|party|concert|call|drinks|date)",
    )
    return Grammar(lexicon, rules(*NUMBERS, day_first=False), GROUPS)
