import pytest

from memoranda.core.language.engine import extract

Expected = tuple[str, str | None, int]


def read(text: str) -> list[Expected]:
    return [(str(found.value), found.attribute, found.polarity) for found in extract(text, language="zh")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫李雷，今年28岁", [("李雷", "identity.name", 1), ("28", "identity.age", 1)]),
        ("我在腾讯工作，住在深圳。", [("腾讯", "work.employer", 1), ("深圳", "location.city", 1)]),
        ("我来自四川", [("四川", "location.origin", 1)]),
        ("我是四川人", [("四川", "location.origin", 1)]),
        ("我是一名设计师", [("设计师", "work.role", 1)]),
        ("我在清华大学读书", [("清华大学", "education.school", 1)]),
        ("我女儿叫小雨", [("小雨", "family.daughter.name", 1)]),
        ("我结婚了，有一个女儿。", [("结婚", "family.status", 1), ("女儿", "family.children", 1)]),
        ("我养了一只猫", [("猫", "pet.owns", 1)]),
        ("我对海鲜严重过敏", [("海鲜", "health.allergy", 1)]),
        ("我不吃辣", [("辣", "preference.辣", -1)]),
        ("我喜欢喝绿茶，讨厌咖啡", [("喝绿茶", "preference.喝绿茶", 1), ("咖啡", "preference.咖啡", -1)]),
        ("我最喜欢的电影是霸王别姬", [("霸王别姬", "favourite.film", 1)]),
        ("我会说英语和日语", [("英语", "language.spoken", 1), ("日语", "language.spoken", 1)]),
        ("我用Vim写代码", [("Vim", "tool", 1)]),
        ("请用英文回复", [("英文", "instruction.language", 1)]),
        ("我们公司叫星辰科技", [("星辰科技", "business.name", 1)]),
        ("我们选择了Redis", [("Redis", "decision", 1)]),
        ("我打算明年去日本旅行", [("去日本旅行", "goal", 1)]),
        ("截止日期是3月3日", [("3月3日", "project.deadline", 1)]),
        ("茴香我不喜欢", [("茴香", "preference.茴香", -1)]),
        ("我五月要去博世上班", [("博世", "work.employer", 1)]),
        ("不要给我做表格", [("表格", "instruction.style", -1)]),
        ("上周入职了远山科技，现在住南京", [("远山科技", "work.employer", 1), ("南京", "location.city", 1)]),
        ("我升职了，现在是主管", [("主管", "work.role", 1)]),
        ("在学日语，怎么记单词？", [("日语", "language.learning", 1)]),
        ("法语不学了，改游泳了", [("法语", "language.learning", -1), ("游泳", "hobby", 1)]),
        ("我搬到厦门了，还不习惯", [("厦门", "location.city", 1)]),
        ("我开了家花店，叫半夏", [("半夏", "business.name", 1), ("花店", "business.type", 1)]),
        ("我给顺丰送快递", [("顺丰", "work.employer", 1)]),
    ],
)
def test_reads_statements(text: str, expected: list[Expected]):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我不再住在上海了", "用户不再住在上海。"),
        ("我不喜欢运动", "用户不喜欢运动。"),
        ("我以前住在大连", "用户以前住在大连。"),
        ("我妹妹在深圳当护士", "用户的妹妹是护士。"),
        ("我们卖自行车", "用户的公司卖自行车。"),
    ],
)
def test_words_statements_in_the_third_person(text: str, expected: str):
    assert [found.text for found in extract(text, language="zh")] == [expected]


def test_knows_the_past_what_ended_and_what_is_taken_back():
    (past,) = extract("我以前住在大连", language="zh")
    assert past.temporal == "past"
    (ended,) = extract("我已经不在百度工作了", language="zh")
    assert (ended.polarity, ended.correction) == (-1, True)
    (corrected,) = extract("不对，我是说我住在长沙", language="zh")
    assert corrected.correction
    (guessed,) = extract("我觉得我更喜欢茶", language="zh")
    assert guessed.certainty == "inferred"


@pytest.mark.parametrize(
    "text",
    [
        "你住在上海吗？",
        "如果我住在海边就好了",
        "我哥哥说我喜欢爵士乐",
        "小王喜欢爵士乐",
        "她住在南京",
        "假如我住在罗马",
        "我喜欢这个",
        "我想问一下天气",
        "我昨天去了上海",
        "我的密码是hunter2，我住在南京",
        "牌子上写着“我住在海边的城堡里”",
        "戏里国王喊：我讨厌下雨",
        "我叫了出租车",
        "我喜欢下雨的时候",
        "我有个朋友，住在北京",
        "小王辞职了，现在在腾讯做设计师",
        "我想当老师",
        "我住院了",
        "楼下的奶茶店关了",
        "我女儿幼儿园毕业了",
    ],
)
def test_leaves_alone_what_is_no_statement_of_the_speaker(text: str):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("我女儿果果上学了，她对鸡蛋过敏", "果果", ("health.allergy", "鸡蛋")),
        ("我儿子小宇，十二岁", "小宇", ("identity.age", "十二")),
        ("老公志明在银行当会计", "志明", ("work.role", "会计")),
    ],
)
def test_goes_on_about_a_relative(text: str, subject: str, expected: tuple[str, str]):
    assert (subject, *expected) in [(item.subject, item.attribute, item.value) for item in extract(text, language="zh")]


def test_a_name_stands_beside_the_relation_without_a_blank():
    found = [item.text for item in extract("我女儿果果对鸡蛋过敏", language="zh")]
    assert found == ["用户的女儿叫果果。", "用户的女儿果果对鸡蛋过敏。"]
