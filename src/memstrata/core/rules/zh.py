"""Chinese. Statements are in Chinese, about "用户"; attributes are the English paths that all packs share.

Neither blanks nor capitals nor inflection: cues are looked for anywhere, values end at the next punctuation or
particle, and most rules serve the speaker, the speaker's group and the speaker's relatives alike.
"""

from memstrata.core.rules.gazetteer import PLACES_ZH
from memstrata.core.rules.pack import CREDENTIALS, Pack, Rule

_FAMILY = (
    "姐姐|妹妹|哥哥|弟弟|妈妈|母亲|爸爸|父亲|老婆|妻子|太太|老公|丈夫|先生|女朋友|男朋友|未婚妻|未婚夫|女儿|儿子"
    "|孩子|宝宝|姑姑|阿姨|叔叔|舅舅|表哥|表姐|表弟|表妹|堂哥|堂姐|奶奶|外婆|姥姥|爷爷|外公|姥爷|婆婆|岳母|岳父|公公"
    "|侄子|侄女|外甥"
)
_PEOPLE = "最好的朋友|朋友|老板|领导|经理|同事|室友|邻居|医生|牙医|老师|教练|房东|合伙人|导师|助理|同学"
_PETS = "小狗|狗狗|狗|小猫|猫咪|猫|兔子|仓鼠|鹦鹉|马|乌龟|金鱼|鱼|鸟"

_MACROS = {
    "c": r"[^\s，,。.；;：:！!？?、（）()“”\"\ufffc]",
    "han": r"[\u4e00-\u9fff]",
    "ascii": r"[A-Za-z][A-Za-z0-9_.+#&'-]*(?: [A-Za-z0-9_.+#&'-]+){0,3}",
    "end": r"(?=\s*(?:$|[，,。；;：:！!？?、（）()\ufffc]|因为|但是|但|而且|不过|所以|然后))",
    "n": r"(?:\d+|[一二两三四五六七八九十几])",
    "when": "(?:今天|明天|后天|昨天|今晚|明晚|今年|明年|去年|前年|下周[一二三四五六日天]?|上周"
    "|这周[一二三四五六日天]?|周[一二三四五六日天]|周末|下个?月|上个?月|这个?月|星期[一二三四五六日天]|早上|晚上"
    r"|下午|上午|现在|目前|最近|从?\d{4}年起?|\d{1,2}月(?:\d{1,2}[日号])?|[一二三四五六七八九十]+月|{n}(?:天|周|个月"
    "|年)(?:前|后))",
    "time": r"(?:从|自|在|自从)?{when}(?:起|开始|以来)?",
    "adv": r"(?:\s|{time}|也|都|就|还|还是|一直|现在|目前|已经(?!不)|真的|非常|特别|很|最近|主要|平时|通常|一般|其实"
    "|比较|挺|蛮|超|超级|更|最)*",
    "no_more": r"(?:(?P<ended>已经不|不再|再也不)|(?P<neg>不|没|没有|从不|从来不|不太|不怎么|并不))?",
    "thing": r"(?P<value>{c}{1,24}?)(?:了|呢|啊|呀|哦|啦|吧|的)?{end}",
    "phrase": r"(?P<value>{c}(?:[^。！!？?；;\n\ufffc]{0,40}?{c})?)(?:了|呢|啊|呀|哦|啦|吧)?{end}",
    "name": r"(?P<value>{ascii}|{han}{2,4}?(?<!了))(?=\s*(?:$|[，,。；;！!？?、）)]|是|和|在|今年))",
    "place": "(?P<value>{ascii}|(?!这里|那里|这儿|那儿|家里?|一起|学校|宿舍|公司|外面|哪)(?:{c}){2,8}?)(?:了|的)?"
    "(?={end}|工作|上班|读书|上学|生活|和|已经|快|{n}年)",
    "org": r"(?P<value>{ascii}|(?!家|这|那|外面|线上|国外|哪)(?:{c}){2,14}?)",
    "jobs": "(?:(?:{c}){0,6}?(?:工程师|程序员|老师|教师|医生|护士|律师|设计师|会计|记者|厨师|司机|木匠|学生|研究生"
    "|博士生|经理|总监|产品经理|分析师|科学家|研究员|教授|作家|画家|演员|歌手|飞行员|警察|销售|顾问|翻译|建筑师"
    "|摄影师|创始人|合伙人|自由职业者|公务员|药剂师|兽医|电工|主管|运营|编辑|导游|教练|技师|店长|农民|军人|架构师"
    "|CEO|CTO|HR))",
    "job": r"(?P<value>{jobs})",
    "language": "中文|普通话|英文|英语|德语|德文|法语|法文|西班牙语|意大利语|葡萄牙语|俄语|日语|日文|韩语|韩文"
    "|阿拉伯语|粤语|泰语|越南语",
    "family": _FAMILY,
    "people": _PEOPLE,
    "pet": _PETS,
    "my_x": r"(?:我们?家?的?|我们?家)(?:大|小|二)?",
    "S": "(?:{my_x}(?P<kin>{family}|{people}|{pet})(?P<called>{han}{2,3}?(?=住|在|是|喜欢|不喜欢|讨厌|对|最|叫))?|"
    "(?P<me>我(?!们|的|家|{family}|{people}|{pet}|说|想说)|本人))",
    "we": r"(?P<we>我们(?:公司|团队|店|组|部门)?|我司)",
    "please": r"(?:请|麻烦|能不能|以后|你|务必|尽量|记得)*",
}
_DEICTIC = (
    "(?:这|那|它|他|她|你|您|什么|怎么|谁|哪|大家|自己|这个|那个|这样|那样|这些|那些|你们|他们)(?:个|样|些|种|们)?"
    "(?:$|的|了$|很|真|做|说)|.*(?:吗|什么|怎么|时候)"
)
_TOWN = rf"(?:{'|'.join(sorted(PLACES_ZH))}|.*[市省县镇村]|国内)$"

_RULES = (
    # what the assistant is asked to do
    Rule("answer_in", "回答 回复 说 写 交流",
         "{please}(?:一直|都|只|总是|始终)?(?:用|使用)(?P<value>(?:{language}))(?:来)?(?:回答|回复|说|写|交流)",
         "instruction.language", "{S}希望用{value}回答", importance=0.9, conditional=True, kind="preference",
         category="preference"),
    Rule("from_now_on", "从现在起 以后 今后",
         "(?:请)?(?:从现在起|从今以后|以后|今后)[，,]?(?:请|你)(?:都|要)?{phrase}", "instruction.rule",
         "{S}要求：以后{value}", importance=0.9, conditional=True, kind="preference", category="preference"),
    Rule("avoid", "不要 别",
         "(?:请)?(?:不要|别)(?:再)?(?:给我)?(?P<verb>使?用|加|写|做)(?P<value>表情(?:符号)?|感叹号|表格|术语|缩写"
         "|{c}{2,8}?){end}", "instruction.style", "{S}要求：不要{verb}{value}", importance=0.9, polarity=-1,
         unless=_DEICTIC, kind="preference", category="preference"),
    Rule("style", "回答 回复",
         "{please}(?:让|把)?(?:你的)?(?:回答|回复)(?:请)?(?:要|尽量|得|写得|保持)+(?P<value>{c}{1,10}){end}",
         "instruction.style", "{S}要求回答{value}", importance=0.9, kind="preference", category="preference"),
    Rule("call_me", "叫我", "(?:请|你可以|以后)*叫我{name}", "instruction.address", "{S}希望被称为{value}",
         importance=0.9, kind="preference", category="preference"),
    # who
    Rule("name", "我叫 名字 我姓", "(?:我叫做?|我的名字(?:是|叫)|本人叫){name}", "identity.name", "{S}叫{value}",
         importance=0.9, unless="(?:他|她|你|了|不|什么)"),
    Rule("kin_name", "叫 名字", "{my_x}(?P<rel>{family})(?:的名字)?(?:名?叫做?|名字是){name}", "family.{rel}.name",
         "{S}的{rel}叫{value}", importance=0.7, unless="我|你|他"),
    Rule("person_name", "叫 名字", "{my_x}(?P<rel>{people})(?:的名字)?(?:名?叫做?|名字是){name}", "people.{rel}.name",
         "{S}的{rel}叫{value}", importance=0.6, unless="我|你|他"),
    Rule("pet_name", "叫 名字", "{my_x}(?P<rel>{pet})(?:的名字)?(?:名?叫做?|名字是){name}", "pet.{rel}.name",
         "{S}的{rel}叫{value}", importance=0.7, unless="我|你|他"),
    Rule("age", "岁", r"{S}{adv}(?P<value>\d{1,3})岁", "identity.age", "{S}{value}岁", importance=0.7),
    Rule("birthday", "生日", r"我的?生日是(?P<value>(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?)", "identity.birthday",
         "{S}的生日是{value}", importance=0.8),
    Rule("email", "邮箱 邮件", r"我的(?:电子)?邮箱(?:地址)?是\s*(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
         "contact.email", "{S}的邮箱是{value}"),
    Rule("i_am_name", "我是小 我是老 我是阿", "我是(?P<value>[小老阿]{han}){end}", "identity.name", "{S}叫{value}",
         importance=0.8, certainty="implied", unless="小[孩学]|老[师人板]"),
    # where
    Rule("lived", "住", "(?P<past>我们?(?:以前|之前|曾经|小时候|原来)){adv}(?:住在?|居住在){place}", "location.city",
         "{S}[住|不住|以前住]在{value}", importance=0.7),
    Rule("lives", "住 居住 定居", "{SW}{adv}{no_more}{adv}(?:居?住在?|定居在){place}", "location.city",
         "{S}[住|不住|以前住|不再住]在{value}", importance=0.8),
    Rule("moved", "搬", "{SW}{adv}搬(?:家)?(?:到|去)了?{place}", "location.city", "{S}搬到了{value}", importance=0.8,
         unless=".*(?:打算|准备)"),
    Rule("moving", "搬", "{SW}{adv}(?:要|打算|准备|计划|即将|会){adv}搬(?:家)?(?:到|去){place}", "location.city",
         "{S}要搬到{value}", importance=0.8, temporal="future"),
    Rule("origin", "来自 老家 出生 人", "{S}{adv}(?:来自|出生在|生于|老家在|老家是|在){place}(?:出生|长大)?{end}",
         "location.origin", "{S}来自{value}", importance=0.7, unless=".*(?:工作|上班|读书|家|等|看|想)"),
    Rule("native_of", "人", "{S}{adv}是(?P<value>{han}{2,4}?)人{end}", "location.origin", "{S}是{value}人",
         importance=0.7, unless=".*(?:[好男女病大老新穷富坏单]$|个|成年|外国|本地|普通|名)"),
    # work and learning
    Rule("employer", "工作 上班 任职 就职",
         "{S}{adv}(?:(?P<ended>已经不|不再)|(?P<neg>不|没)|(?P<past>以前|曾经|之前))?{adv}在{org}(?:工作|上班|任职"
         "|就职)", "work.employer", "{S}[在|不在|以前在|不再在]{value}工作", importance=0.8, unless=_TOWN),
    Rule("starts_at", "上班 入职 工作",
         "{S}{adv}(?:月份|月底|月初)?(?:要|会|将|准备)(?:去|到|入职){org}(?:上班|工作|入职)?{end}", "work.employer",
         "{S}要去{value}工作", importance=0.8, temporal="future",
         unless=f"{_TOWN}|(?!.*(?:公司|集团|银行|医院|大学|中学|[A-Za-z])$|.{{2,5}}$)"),
    Rule("works_at_as", "当 做 担任", "{S}{adv}在{org}(?:当|做|担任)(?:一[名个位])?{jobs}{end}", "work.employer",
         "{S}在{value}工作", importance=0.8, unless=_TOWN),
    Rule("works_as", "当 做 担任 从事", "{S}{adv}(?:在(?:{c}){2,14}?)?(?:当|做|担任)(?:一[名个位])?{job}{end}",
         "work.role", "{S}是{value}", importance=0.8, unless="(?:过|不)"),
    Rule("role", "是 一名 一个", "{S}{adv}(?P<neg>不)?是(?:一[名个位]|个|名)?{job}(?:了)?{end}", "work.role",
         "{S}[是|不是]{value}", importance=0.8),
    Rule("school", "读书 上学 读研 毕业",
         "{S}{adv}(?:在|毕业于|从)(?P<value>{c}{2,12}?(?:大学|学院|中学))(?:读书|上学|读研|读博|毕业|学习)?",
         "education.school", "{S}就读于{value}", importance=0.6),
    Rule("studies", "专业 主修 学的是 读", "{S}{adv}(?:主修|学的是|的专业是|读的是){thing}", "education.field",
         "{S}的专业是{value}", importance=0.7),
    # family, pets, body
    Rule("family_status", "结婚 离婚 单身 已婚 订婚 未婚",
         "{S}{adv}(?:是)?(?P<neg>没有?|还没有?)?(?P<value>结婚|离婚|单身|已婚|订婚|未婚)了?", "family.status",
         "{S}[|没有]{value}", importance=0.7),
    Rule("children", "孩子 女儿 儿子 小孩", "{SW}{adv}有(?P<value>{n}个(?:孩子|女儿|儿子|小孩))", "family.children",
         "{S}有{value}", importance=0.7),
    Rule("pets", "养 有", "{SW}{adv}(?:养了?|有)(?P<value>{n}[只条匹个](?:{c}){0,4}?(?:{pet}))", "pet.owns",
         "{S}有{value}", importance=0.6),
    Rule("allergy", "过敏", "{S}{adv}(?P<neg>不|没)?(?:会)?对{adv}(?P<value>{c}{1,10}?)(?:严重|有点)?过敏",
         "health.allergy", "{S}对{value}[|不]过敏", importance=0.95),
    Rule("diet", "吃素 素食 纯素",
         "{S}{adv}{no_more}(?:吃|是(?:一个|个|一名)?)?(?P<value>纯?素(?:食主义者|食者|食)?)(?:了)?{end}",
         "health.diet", "{S}[吃素|不吃素|以前吃素|不再吃素]", importance=0.9),
    Rule("eats_no", "不吃 不喝", "{S}{adv}(?:(?P<ended>不再|已经不)|(?P<neg>从?来?不))(?P<verb>吃|喝){thing}",
         "preference.{topic}", "{S}[|不|不|不再]{verb}{value}", importance=0.8,
         unless=_DEICTIC + r"|饭|东西|早饭|午饭|晚饭", kind="preference", category="preference"),
    # languages, hobbies, tools
    Rule("speaks", "会说 会讲 说 讲",
         "{S}{adv}(?P<neg>不)?会(?:说|讲)(?:一点)?(?P<value>(?:{language})(?:[、和](?:{language}))*)",
         "language.spoken", "{S}[会|不会]说{value}", importance=0.7),
    Rule("learning", "在学 学习", "{S}{adv}(?:正?在|开始)(?:学习|学)(?P<value>{language})", "language.learning",
         "{S}在学{value}", importance=0.6),
    Rule("hobby", "爱好 兴趣", "我的(?:业余)?(?:爱好|兴趣)(?:爱好)?是{phrase}", "hobby", "{S}的爱好是{value}",
         importance=0.6),
    Rule("team_uses", "用 使用",
         "{W}(?:团队|公司|项目)?{adv}(?P<neg>不)?(?:使用|用)(?:的是)?(?P<value>{c}{1,24}?)(?={end}|来|做|写|开发"
         "|部署|存)", "project.stack", "{S}[使用|不使用]{value}", category="project", importance=0.6,
         unless=_DEICTIC + r"|于"),
    Rule("uses", "用 使用",
         "{S}{adv}(?P<neg>不)?(?:使用|用)(?:的是)?(?P<value>{ascii}(?:和{ascii})?)(?={end}|来|做|写|开发|编程|记)",
         "tool", "{S}[使用|不使用]{value}", category="workflow", importance=0.5),
    # likes and dislikes
    Rule("favourite", "最喜欢的 最爱的", "我最(?:喜欢|爱)的(?P<topic>{c}{1,8}?)(?:是|就是|一直是){thing}",
         "favourite.{topic}", "{S}最喜欢的{topic}是{value}", importance=0.7, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("prefers", "更喜欢 宁愿 宁可 倾向 偏好 比较喜欢",
         "{S}{adv}(?P<how>更喜欢|宁愿|宁可|倾向于?|偏好|比较喜欢){thing}", "preference.{topic}", "{S}{how}{value}",
         importance=0.75, unless=_DEICTIC + "|不", kind="preference", category="preference"),
    Rule("likes", "喜欢 爱 热爱 偏爱",
         "{S}{adv}(?:(?P<ended>不再|已经不)|(?P<neg>不太|不怎么|不是很|不|并不|从来不))?{adv}(?P<verb>喜欢|爱(?!好"
         "|上)|热爱|偏爱)(?!的)上?{thing}", "preference.{topic}", "{S}[|不|以前|不再]{verb}{value}", unless=_DEICTIC,
         kind="preference", category="preference"),
    Rule("dislikes", "讨厌 受不了 反感 恨", "{S}{adv}(?P<verb>讨厌|受不了|反感|恨){thing}", "preference.{topic}",
         "{S}{verb}{value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("topic_first", "喜欢 爱吃 爱喝",
         "(?P<value>{c}{1,8}?)我(?:一点都?|真的|很|都|也)?(?P<neg>不)?(?P<verb>喜欢|爱吃|爱喝)(?:了)?{end}",
         "preference.{topic}", "{S}[|不]{verb}{value}", kind="preference", category="preference",
         unless=_DEICTIC + "|.*(?:时候|的话|因为|所以)"),
    Rule("fears", "怕", "{S}{adv}(?P<neg>不)?(?:害怕|怕){thing}", "preference.{topic}", "{S}[|不]怕{value}",
         polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("interest", "感兴趣", "{S}{adv}对(?P<value>{c}{1,12}?){adv}(?P<neg>不|没有?)?(?:很|非常|特别)?感兴趣",
         "preference.{topic}", "{S}对{value}[|不]感兴趣", unless=_DEICTIC, kind="preference", category="preference"),
    # what happened, and what happens again and again
    Rule("did", "买了 卖了 领养了 参加了 报名了 预订了 完成了 通过了 赢了 参观了",
         "{S}{adv}(?P<verb>买|卖|领养|参加|报名|预订|完成|通过|赢|参观)了{thing}", "event.success",
         "{S}{verb}了{value}", importance=0.5, unless=_DEICTIC + "|吗"),
    Rule("went_to", "去过", "{S}{adv}去过{place}", "event.visit", "{S}去过{value}", importance=0.5,
         unless=_DEICTIC + "|.*(?:吗|次|趟)"),
    Rule("lives_with", "一起住", "{S}{adv}(?P<neg>不)?(?:和|跟)(?P<value>{c}{1,8}?)一起住", "family.household",
         "{S}[|不]和{value}一起住", importance=0.7, unless=_DEICTIC),
    Rule("habit", "每天 每周 每晚 每个月", "我{adv}(?P<value>每(?:天|周|晚|个月)(?:早上|晚上|都)*{c}{2,16}?){end}",
         "habit.current", "{S}{value}", importance=0.55, unless=".*(?:吗|什么|觉得|想)"),
    # business, projects, decisions, plans
    Rule("business_name", "叫 名字",
         "(?:我们?的?)(?:公司|店|品牌|工作室)(?:的名字)?(?:叫做?|名叫|名字是)(?P<value>{c}{2,12}?)(?:了)?{end}",
         "business.name", "{S}的公司叫{value}", category="workflow", importance=0.8),
    Rule("sells", "我们卖 我们公司卖 我们店卖 主营", "我们(?:公司|店)?(?:主要)?(?:卖|主营|销售){thing}",
         "business.product", "{S}的公司卖{value}", category="workflow", importance=0.7, unless=_DEICTIC),
    Rule("project_name", "项目", "(?:我们?的?|这个)项目(?:名)?(?:叫做?|名字是|的名字是)(?P<value>{c}{2,14}?){end}",
         "project.name", "{S}的项目叫{value}", category="project", importance=0.8),
    Rule("deadline", "截止 期限 交稿 交付",
         "(?:项目的?)?(?:截止日期|截止时间|最后期限|期限|交稿日期|交付日期)是(?P<value>{c}{2,16}?){end}",
         "project.deadline", "截止日期是{value}", category="project", importance=0.85),
    Rule("decided", "决定", "(?P<who>我们?){adv}(?:已经)?决定(?:了)?(?:要)?(?P<value>(?!是|了$){c}{2,24}?){end}",
         "decision", "{S}决定{value}", kind="decision", category="decision", importance=0.8,
         unless=_DEICTIC + r"|.*不了"),
    Rule("chose", "选择了 选了 定了", "我们?{adv}(?:最终|最后)?(?:选择了|选了|选定了){thing}", "decision",
         "{S}选择了{value}", kind="decision", category="decision", importance=0.8, unless=_DEICTIC),
    Rule("remind", "提醒我", "{please}(?:{time})?提醒我(?:{time})?(?:要|去|记得)*{phrase}", "task",
         "{S}需要被提醒：{value}", category="workflow", importance=0.75, unless=_DEICTIC, kind="plan",
         temporal="future"),
    Rule("must", "要 必须 得 需要",
         "我们?{adv}(?:(?:必须|得|需要)(?:要)?|(?<=天)要|(?<=周)要|(?<=月)要|(?<=午)要|(?<=上)要)(?P<value>(?!求|是"
         "|不){c}{2,24}?){end}", "task", "{S}需要{value}", category="workflow", importance=0.6,
         unless=_DEICTIC + r"|.*(?:帮助|帮忙|睡觉|休息|承认)|说|到", kind="plan", temporal="future"),
    Rule("wants_to", "想 打算 计划 希望 准备",
         "{S}{adv}(?:想要?|打算|计划|希望能?|准备){adv}(?P<value>(?:学|去|买|写|考|换|读|开|做|参加|减肥|创业|申请"
         "|搬|戒|存|练|跑){c}{0,20}?){end}", "goal", "{S}想{value}", category="goal", importance=0.65,
         unless=_DEICTIC + r"|做什么|去哪", kind="plan", temporal="future"),
    Rule("goal_is", "目标", "我(?:的|今年的|明年的){0,2}目标是{phrase}", "goal", "{S}的目标是{value}", category="goal",
         importance=0.8, kind="plan", temporal="future"),
)  # fmt: skip

PACK = Pack(
    language="zh",
    spaced=False,
    full_stop="。",
    user="用户",
    team="团队",
    possessive="{owner}的{thing}",
    macros=_MACROS,
    rules=_RULES,
    subject=r"(?:{S}|{we}|他们?|她们?|它|你们?|您)(?P<be>是)?",
    understood={},
    lead="(?:大家好|各位好)?[，,]?(?:(?:嗯|哦|啊|(?:好的?|对|不)(?=[，,。])|对了|是的|不对|不是|你好|您好|嗨|谢谢"
        "|另外|还有|而且|但是|但|不过|其实|顺便说一下|顺便|说实话|老实说|坦白说|可能|也许|大概|一般来说|我觉得|我想"
        "|我认为|我是说|我的意思是|更正一下|更正|抱歉|对不起|因为|所以|请记住|记住|注意|补充一下"
        "|{time})[，,：:。 ]*)*",
    breaks=r"[，,；;、]\s*(?:而且|但是|但|不过|因为|所以|也|并且)?(?=我|请|以后|不要|从现在|截止)|(?:而且|但是|因为"
        "|所以)(?=我)",
    carry_verb=r"[，,；;]\s*(?:也|还|并且|而且|但是?|不过)?(?=(?:最|非常|特别|不)?(?:喜欢|讨厌|住|在|是|有|爱|对|会|不吃|想"
        "|养|今年|以前|老家|来自))",
    carry_be=r"[，,]\s*(?=(?:已婚|单身|素食者))",
    questions=r".*(?:吗|么|呢)\s*$|(?:什么|怎么|为什么|谁|哪|几|多少|能不能|可不可以|是不是|有没有|请问|你觉得|你认为"
        "|你知道|能否|如何)|.*(?:怎么样|是什么|为什么|哪里|哪儿|多少钱)",
    asks=r"[，,；;：:]\s*(?:那|但是?|所以)?(?:什么|怎么|为什么|谁|哪|能不能|可以|是不是|你|对不?对|好吗|有没有)",
    reports="(?:说|喊|问|写道|唱|回答)(?:道)?[：:]|(?:写|讲|编)(?:一|个|段|篇|首)[^：:]*[：:]|口吻|的角度|(?:他们?|她们?"
        r"|你|人家|大家|有人|别人|老王|小[\u4e00-\u9fff]|{my_x}(?:{family}|{people})|(?:他|她)的{c}{1,4})(?:也|都|常"
        "|总|经常|一直|跟我|对我)*(?:说|问|告诉|觉得|认为|以为|写道|讲|回答|抱怨)|据说|听说|书(?:里|的开头|上)|歌词"
        "|翻译|润色|引用",
    hypothetical=r"(?:假设|想象|假装|扮演|梦见|梦到|要不是)",
    condition=r"(?:如果|要是|假如|倘若|万一|比如说?|例如|的话)",
    supposed=r"(?:本来会|本该|本可以|就会|就好了)",
    secrets=r"(?:密码|口令|密钥|验证码|银行卡号|信用卡|卡号|身份证号|助记词|私钥|(?i:api\s*key|token|pin码?))"
        f"|{CREDENTIALS}",
    hedges={
        "uncertain": r"(?:可能|也许|说不定|不确定)",
        "inferred": r"(?:我觉得|我想|大概|应该|一般来说|通常)",
    },
    no_longer=r"(?:不再|已经不|再也不)",
    corrections=
        "(?:哦|啊|等等|抱歉|对不起|[，, ])*(?:其实|不对|不是|更正|我是说|我的意思是|说错了|我说错了|记错了|纠正)",
    empty=r"(?:这个?|那个?|它|他|她|你|什么|这样|那样|这些|那些|的|了|是|不|很|都|也|人|事|东西|一下|一个)",
    hollow=r"^(?:去|学|做|买|看|写|试|弄|用)?(?:好|完|一下)?(?:这个?|那个?|它们?|他们?|她们?|你们?|这样|那样|这些|那些|这里|那里)$",
    dangling=r"(?:的|和|与|跟|在|把|被|或|从)$",
    head=r"(?P<head>[^的]+)$",
    trim=r"(?:了|呢|啊|呀|哦|啦|吧|哈哈|谢谢|\s)",
    articles=r"(?:一[个只条名位件本杯种家所些]|那个|这个)(?=.)",
    time=r"(?!)",
    forms={"喜欢": "喜欢"},
    persons={"我的": "自己的", "我们的": "他们的", "我们": "他们", "我": "自己"},
    agreement={},
    canon={
        "姐姐": "sister", "妹妹": "sister", "哥哥": "brother", "弟弟": "brother", "妈妈": "mother", "母亲": "mother",
        "爸爸": "father", "父亲": "father", "老婆": "wife",
        "妻子": "wife", "太太": "wife", "老公": "husband", "丈夫": "husband", "先生": "husband",
        "女朋友": "girlfriend", "男朋友": "boyfriend", "未婚妻": "fiance",
        "未婚夫": "fiance", "女儿": "daughter", "儿子": "son", "孩子": "child", "奶奶": "grandmother",
        "外婆": "grandmother", "姥姥": "grandmother", "爷爷": "grandfather",
        "外公": "grandfather", "姥爷": "grandfather", "老板": "manager", "经理": "manager", "领导": "manager",
        "同事": "colleague", "朋友": "friend", "狗": "dog", "小狗": "dog",
        "狗狗": "dog", "猫": "cat", "小猫": "cat", "猫咪": "cat", "兔子": "rabbit", "马": "horse", "鱼": "fish",
        "鸟": "bird", "颜色": "colour", "电影": "film", "书": "book", "菜": "dish",
    },
    abbreviations=frozenset(),
)  # fmt: skip
