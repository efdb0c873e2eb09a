"""Chinese: words, and what Chinese puts differently. Words are not set apart, so the lexicon finds them."""

from datetime import datetime
from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.calendar import Length, Span, Value, length
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.clocks import Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import SIGNS, Words, glue, series, table

_DIGITS = "一 二 三 四 五 六 七 八 九"
_MORNING, _AFTERNOON, _EVENING = Part(6, 12), Part(12, 18), Part(18, 26)

WORDS: Words = {
    **SIGNS,
    **series("digit", 1, _DIGITS),
    **table("digit", {"两": 2}),
    **table("tens", {"十": 10}),
    **series("weekday", 0, " ".join(f"星期{d}|周{d}|礼拜{d}" for d in "一二三四五六")),
    **table("weekday", {"星期日|星期天|周日|周天|礼拜天|礼拜日": 6}),
    **table(
        "unit",
        {
            "秒|秒钟": "second",
            "分钟": "minute",
            "小时|个小时|钟头": "hour",
            "天": "day",
            "周|星期|个星期|礼拜|个礼拜": "week",
            "个月": "month",
            "季度|个季度": "quarter",
            "年代": "decade",
            "世纪|个世纪": "century",
        },
    ),
    **glue("year_sign: 年; month_sign: 月|月份"),
    **table("weekend", {"周末|个周末": "weekend"}),
    **table("some", {"几|数": 3}),
    **table(
        "rel",
        {
            "上|上个|上一个": -1,
            "这|这个|本|本个|今": 0,
            "下|下个|下一个": 1,
            "过去|过去的|最近|最近的": -2,
            "未来|未来的|接下来|接下来的": 2,
        },
    ),
    **table("beyond", {"上上|上上个": -2, "下下|下下个": 2}),
    **table("named_year", {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}),
    **table(
        "dayword",
        {"大前天": -3, "前天": -2, "昨天|昨日": -1, "今天|今日": 0, "明天|明日": 1, "后天": 2, "大后天": 3},
    ),
    **table("dayparts", {"昨晚": (-1, _EVENING), "今晚": (0, _EVENING), "今早": (0, _MORNING), "明早": (1, _MORNING)}),
    **table(
        "part",
        {
            "早上|上午|早晨|清晨": _MORNING,
            "中午": Part(11, 14),
            "下午": _AFTERNOON,
            "晚上|傍晚|夜里|夜晚": _EVENING,
            "凌晨": Part(0, 6),
        },
    ),
    **table(
        "season",
        {"春天|春季": on.season(3), "夏天|夏季": on.season(6), "秋天|秋季": on.season(9), "冬天|冬季": on.season(12)},
    ),
    **table("edge", {"底|末": "end", "初": "start"}),
    **table("often", {"天天|每日": True}),
    **table("now", {"现在|此刻": True}),
    **table(
        "holiday",
        {
            "圣诞节|圣诞": on.fixed(12, 25),
            "平安夜": on.fixed(12, 24),
            "元旦": on.fixed(1, 1),
            "国庆节|国庆": on.fixed(10, 1),
            "劳动节": on.fixed(5, 1),
            "情人节": on.fixed(2, 14),
            "复活节": on.from_easter(0),
        },
    ),
    **glue(
        """
        every: 每|每个; ago: 前|之前|以前; later: 后|之后|以后; in: 在; of: 的; from: 从|自; to: 到|至; and: 和|与;
        since: 自从; half: 半; day_sign: 日|号; oclock: 点|点钟|时; minute_sign: 分; since_behind: 以来|起; nth_sign: 第
        """
    ),
}


def _tens(_now: datetime, count: int, ten: int, ones: int = 0) -> int:
    return count * ten + ones


def _small(_now: datetime, number: int) -> int | None:
    return number if number <= 31 else None


def _years(_now: datetime, count: int) -> Length | None:
    return length(count, "year")


def _relative_month(now: datetime, offset: int) -> Span:
    return on.relative_unit(now, offset, "month")


def _day_of_named(now: datetime, offset: int, month: int, day: int) -> Value:
    return on.day_of(month, day, now.year + offset)


def _month_of_named(now: datetime, offset: int, month: int) -> Value:
    return on.month(now, month, now.year + offset)


def _named_year(now: datetime, offset: int) -> Span:
    return on.year(now, now.year + offset)


def _weekday_of_week(now: datetime, offset: int, number: int) -> Value | None:
    return of.weekday_in_week(now, number, on.relative_unit(now, offset, "week"))


def _nth_of_year(now: datetime, year: int, nth: int, grain: str) -> Value | None:
    return of.nth_unit_of_year(now, nth, grain, year)


def _of_year(now: datetime, year: int, value: Value) -> Value | None:
    return of.of_year(now, value, year)


def _cut(now: datetime, value: Value, share: str) -> Value | None:
    return of.cut_span(now, share, value)


OWN: list[Rule] = [
    ("digit tens digit?", "two_digits", _tens),
    ("tens digit", "small", num.add),
    ("digit | tens", "small", num.same),
    ("two_digits", "small", _small),
    ("year year_sign small month_sign small day_sign?", "date", on.year_month_day),
    ("named_year small month_sign small day_sign?", "date", _day_of_named),
    ("small month_sign small day_sign?", "date", on.month_day),
    ("small month_sign small day_sign", "impossible", num.repeated),
    ("year year_sign small month_sign", "period", on.year_month),
    ("named_year small month_sign", "period", _month_of_named),
    ("rel month_sign", "period", _relative_month),
    ("small month_sign", "period", on.month),
    ("year year_sign? nth_sign? small unit", "period", _nth_of_year),
    ("year year_sign of? season", "period", _of_year),
    ("year year_sign", "period", on.year),
    ("[count] year_sign", "length", _years),
    ("named_year", "period", _named_year),
    ("rel weekday", "date", _weekday_of_week),
    ("small oclock half", "time", at.spoken_offset(30)),
    ("small oclock small minute_sign?", "time", at.hour_minute),
    ("small oclock", "time", at.clock_hour),
    ("period edge", "range", _cut),
    ("period since_behind", "range", of.since),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    lexicon = Lexicon(
        WORDS,
        quiet=("rel", "some", "edge", "digit", "tens"),
        loud=("month_sign", "oclock", "year_sign"),
        past="[了过曾]",
        future="会|将|要|打算|计划",
        present="[去飞有是见来回搬]|出发|开始|参加|考试",
        perfect="[^，,；]*(?:[了过]|的$)",
        spaced=False,
    )
    return Grammar(lexicon, rules(*OWN, day_first=False), GROUPS)
