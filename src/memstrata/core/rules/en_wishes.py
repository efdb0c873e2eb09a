"""English rules for preferences, instructions, decisions, goals and things to do."""

from memstrata.core.rules.pack import Rule

# fmt: off
WISHES = (
    # Likes and dislikes
    Rule("favourite", "favorite favourite fav fave", "(?P<own>my|{my_x}(?P<kin>{family}|{pet})'s) (?:all[- ]time "
         ")?(?:fav(?:ou?rite)?|fave) " r"(?P<topic>(?!things?\b|parts?\b|ones?\b|moments?\b|memory|memories){w}(?: "
         r"(?!is\b|are\b|has\b|was\b){w}){0,3}?)(?:{is}| has (?:always )?been| has to be| would (?:have to )?be) "
         r"{thing}", "favourite.{topic}", "{S}'s favourite {topic} is {value}", kind="preference",
         category="preference", importance=0.7, unless=r"(?:when|how|to see|coming|out|not|that)\b"),
    Rule("is_favourite", "favorite favourite fav fave", r"(?P<value>{Cap}(?: {w}){0,3}?|\w+) (?:is|are) my (?:all[- "
         r"]time )?(?:fave?|favou?rite) (?P<topic>{w}(?: " "{w})?){end}", "favourite.{topic}",
         "{S}'s favourite {topic} is {value}", kind="preference", category="preference", importance=0.7,
         unless=r"{deictic}|(?:he|she|here)\b"),
    Rule("prefers", "prefer prefers rather", "{S}(?:{do} prefers?|(?:'d|d| would){adv} (?:prefer|rather(?: have)?)) "
         "(?!to (?:say" r"|think)\b)(?P<value>{w}(?: {w}){0,14}?)(?={end})", "preference.{topic}",
         "{S} [prefers|does not prefer|used to prefer|no longer prefers] {value}", kind="preference",
         category="preference", importance=0.75, unless=r"(?!not to){deictic}|(?:not to )?(?:say|talk|discuss|answer"
         r"|wait|go|stay|be|die|do|see|skip|leave|keep|just|try)\b|.*\b(?:this|that) (?:one|way)\b"),
    Rule("likes", "like likes love loves enjoy enjoys adore adores", "{S}{adv}{do} (?P<verb>likes?|loves?|enjoys?"
         "|adores?)(?: also)? {thing}", "preference.{topic}", "{S} [{verb+}|does not {verb}|used to {verb}|no longer "
         "{verb+}] {value}", kind="preference", category="preference", unless="{deictic}|to {idle}|an? (?:good|great"
         "|nice|fool|lot|million|madman|bit|baby|kid|child|charm|dream" r"|fish|failure|complete)\b|.*\b(?:him|her|them"
         r"|here|there|everywhere|itself)\b|(?:.* )??{pointed}|the (?:idea|thought|way|look|sound|fact|rest|part|end)\b"
         r"|the (?!\w+ of \w)|(?:crazy|hell|crap|shit|mad|minded|new|is|was|i|my (?!coffee|tea|steak|eggs|food|job"
         r"|work\b|emails?)|dying)\b"),
    Rule("hates", "hate hates dislike dislikes despise detest loathe stand bear", "{S}{adv} (?P<verb>hates?|dislikes?"
         "|despises?|detests?|loathes?|can'?t stand|cannot stand|can'?t bear) {thing}", "preference.{topic}",
         "{S} {verb+} {value}", kind="preference", category="preference", polarity=-1,
         unless=r"(?!any|all|being){deictic}|to\b|that\b|my (?:life|self)\b|(?:.* )??{pointed}|the (?!\w+ of \w|taste"
         r"|smell" "|sound)"),
    Rule("hates_when", "stand hate", "{S}{adv} (?P<verb>hate|can'?t stand|dislike) it when {phrase}",
         "preference.{topic}", "{S} {verb+} it when {value}", kind="preference", category="preference", importance=0.7,
         polarity=-1, unless=r"(?:that|this|it|you two|they|he|she)\b|you (?:do|say|think) (?:that|this|it)"),
    Rule("fan_of", "fan into fond keen obsessed crazy passionate", "{S}{be}(?: an?)?(?: (?:big|huge|massive|great|real"
         "|bit of a|total))* (?:fan of|into|getting into|fond of|keen on|obsessed with|crazy about|passionate about) "
         "{thing}", "preference.{topic}", "{S} [likes|does not like|used to like|no longer likes] {value}",
         kind="preference", category="preference", unless=r"{deictic}|an? new hobby|the (?:same|idea|way|whole|rest)\b"
         r"|.*\b(?:you|your|this|that)\b"),
    Rule("cares_not", "care", "{S}{adv}(?P<neg> don'?t| do not| doesn'?t){adv} (?:care (?:much )?for) {thing}",
         "preference.{topic}", "{S} [likes|does not like] {value}", kind="preference", category="preference",
         unless="{deictic}"),
    Rule("likes_when", "like love prefer when", "{S}{adv} (?P<verb>like|love|prefer)(?: it)? when (?P<value>(?:you|your"
         "|answers|replies|responses" r"|explanations|people) {w}(?: {w}){0,14}?)(?=\s*(?:$|[,;:!()]))",
         "instruction.rule", "{S} {verb+} it when {value}", kind="preference", category="preference", importance=0.75,
         conditional=True, unless=r"you (?:say|said|know|can|are|do|did|get|see|think|feel|two|guys)\b"),
    Rule("prefers_if", "prefer appreciate like", "{S}(?:'d|d| would){adv} (?:prefer|appreciate|love|like)(?: it)? if "
         "you (?:could |would )?(?P<value>{w}" r"(?:,? {w}){0,16}?)(?=\s*(?:$|[,;:!()]))", "instruction.rule",
         "{S} would prefer if you {value}", kind="preference", category="preference", importance=0.75, conditional=True,
         unless="help|(?:can|could) |take a look|let me know|tell|came|come|join|send"),
    Rule("wants_output", "want like need", "{S}(?: want| need|'d like| would like|'d love|d like){adv} (?:all |my "
         "|your |the )*(?P<value>(?:{w} ){0,3}?{answers}(?: (?:to be|in|with|under|without|at|as|on|that|shorter|longer"
         "|of) {w}(?: {w}){0,6}?)?){end}", "preference.{topic}", "{S} wants {value}", kind="preference",
         category="preference", importance=0.7, unless=r"(?:an?|this|that|some|help|to|more|another|one|two|\d+"
         r"|you)\b"),
    Rule("wants_not", "want", "{S}{adv}(?P<neg> don'?t| do not| never){adv} want {thing}", "preference.{topic}",
         "{S} [wants|does not want] {value}", kind="preference", category="preference", importance=0.7,
         unless=r"{deictic}|to {idle}|to\b|my\b|a fight"),
    # Instructions to the assistant
    Rule("from_now_on", "now going forward future", "(?:please,? )?(?:from now on|going forward|in (?:the )?future"
         "|from here on),? (?:please " r")?(?P<value>(?!i\b|i'|we\b|it\b|my\b|the\b|there\b|this\b){w}(?:,? "
         r"{w}){1,24})", "instruction.rule", "{S} asks: {given}from now on, {value}", kind="preference",
         category="preference", importance=0.9, conditional=True, opening=True),
    Rule("always", "always never ever", r"(?:please |and |when (?!i\b){w}(?: {w}){1,6}, |remember:? (?:to )?|you "
         r"(?:should|must) |make sure (?:you|to) )*(?P<how>always|never|don'?t ever|do not ever) (?P<value>(?!\w+(?:ed"
         r"|ing)\b|(?!address|process|discuss|express|pass|focus|access|guess|stress|cross)\w+s\b){w}(?:,? {w}){1,24})",
         "instruction.rule", "{S} asks: {given}{how} {value}", kind="preference", category="preference", importance=0.9,
         conditional=True, opening=True, unless="(?:an?|the|in|on|at|my|i|been|seen|had|thought|knew|heard|mind|again"
         "|ever|happy|good|great|nice|fun|here|there|too|gonna|going|felt|got|saw|really|be|give up|quit|apologi[sz]e"
         "|settle|doubt|compare" r"|change|stop (?:learn|dream|believ|try)\w*|forget|lose|stay|believe|trust|keep going"
         r"|remember|let" "|underestimate|wanted|have i|have|has|so|did|not|said|been|met|feels|is|was|knows?|open to"
         "|easy|makes|up for|nice|know|love|quite|a|full|room|such|more|keep (?:going|up|it up|smiling|dreaming"
         "|fighting|learning)" r"|looking)\b"),
    Rule("keep_answers", "keep make", "(?:please |can you please |and )*(?:keep|make) (?P<value>(?:(?:your|all|the|my) "
         ")*{answers} (?!up|coming|going){w}(?: {w}){0,12}|(?:it|things|everything) (?:short|brief|simple|concise"
         "|formal|informal|casual|professional|high[- ]level|under|below)(?: {w}){0,6})", "instruction.style",
         "{S} asks: {given}keep {value}", kind="preference", category="preference", importance=0.9, conditional=True,
         unless="(?:the|my|a) (?!answers|replies|responses)"),
    Rule("answer_in", "answer reply respond speak talk write explain", "(?:please |only |just )*(?:answer|reply|respond"
         "|speak|talk|write)(?: to me)?(?: only)? (?P<value>in (?:{language}|bullet points|plain english|short "
         "sentences|full sentences|markdown|lower ?case|one sentence)(?: {w}){0,6})", "instruction.language",
         "{S} asks: {given}answer {value}", kind="preference", category="preference", importance=0.9, conditional=True),
    Rule("no_emojis", "use using avoid stop no skip", "(?:please |can you |and )*(?P<how>don'?t use|do not use|stop "
         "using|avoid(?: using)?|no more|no|skip(?: the)?) (?P<value>(?:any |so many |the )?(?:emojis?|exclamation "
         "marks|bullet points|em[- ]dashes|jargon|markdown|tables|headings|slang|buzzwords|filler|acronyms|passive "
         "voice|semicolons|hashtags|cliches|clichés|abbreviations)(?: {w}){0,8})", "instruction.style",
         "{S} asks: {given}{how} {value}", kind="preference", category="preference", importance=0.9, conditional=True,
         polarity=-1),
    Rule("use_style", "use", "(?:please |just |and |always )*use (?P<value>(?:british|american|metric|imperial|24-hour"
         "|celsius|fahrenheit|euros|tabs|spaces|bullet points|plain english|simple (?:words|language)|short sentences"
         "|gender-neutral|type hints|{w} (?:spelling|units|tone|quotes|case|english|indentation))(?: {w}){0,8})",
         "instruction.style", "{S} asks: {given}use {value}", kind="preference", category="preference", importance=0.85,
         conditional=True, unless="(?:this|that|the following|my) "),
    Rule("when_you", "when whenever", "(?:please )?(?P<case>(?:when(?:ever)?|every time|if) you (?:write|answer|reply"
         "|respond|summari[sz]e|draft|code|explain|create|generate|suggest|list|cite|translate|format|refer|address"
         "|email)(?: {w}){0,8}), (?:please |always |then )*(?P<value>(?!(?:i|i'm|you|it|we|the|that|there|let|my|do"
         "|would|can|could|how" r"|what|they)\b){w}(?: {w}){0,20})", "instruction.rule", "{S} asks: {case}, {value}",
         kind="preference", category="preference", importance=0.9, conditional=True, opening=True),
    Rule("be_concise", "be", "(?:please |just |and )*be (?:more |as |very )?(?P<value>(?:concise|brief|succinct|direct"
         "|blunt|formal|informal|casual|polite|honest|specific|terse)(?: {w}){0,8})", "instruction.style",
         "{S} asks: {given}be {value}", kind="preference", category="preference", importance=0.85, conditional=True,
         unless="honest(?! with me)|specific$"),
    # Decisions
    Rule("decided", "decided decide", "(?P<who>i|we)(?:'ve|ve| have)?{adv} decided (?P<value>(?:not )?(?:to|on"
         "|against) {w}(?:,? {w}){0,20}?){end}", "decision", "{S} decided {value}", kind="decision",
         category="decision", importance=0.8, unless=r"on (?:the following|(?:two|three|four) )|(?:to|on|against) (?:it"
         r"|this|that|them)\b"),
    Rule("chose", "chosen chose picked settled opted went going agreed go gone ended", "(?P<who>i|we)(?:'ve|ve| have"
         "|'re| are|'m| am|'ll)?{adv} (?:chosen|chose|picked|settled on|opted for|went with|going with|gone with|go "
         "with|agreed on|ended up (?:choosing|picking|going with)) " r"(?P<value>(?!to\b)(?!me\b|him\b|her\b|them\b"
         r"|my\b|it\b|you\b|up\b|out\b|some\b|these\b|this\b|that\b|your\b){w}(?: {w}){0,10}?){end}", "decision",
         "{S} chose {value}", kind="decision", category="decision", importance=0.75),
    Rule("agreed_to", "agreed", "we(?:'ve| have)?{adv} agreed to {phrase}", "decision", "{S} agreed to {value}",
         kind="decision", category="decision", importance=0.75),
    Rule("lets_go_with", "let's lets", "(?:ok |okay )?let'?s (?:just )?(?:go with|use|stick with|stick to|settle on|go "
         "for) {thing}", "decision", "{S} decided to go with {value}", kind="decision", category="decision",
         importance=0.75, unless="{deictic}|(?:with )?the flow|an? (?:walk|run|swim|drive|drink|hike|coffee|example"
         "|ride)"),
    Rule("plan_is", "plan decision", "the (?:plan|decision|current plan|new plan) is (?:now )?to {phrase}", "decision",
         "{S} plans to {value}", kind="decision", category="decision", importance=0.75),
    Rule("decision_is", "decision decided", "(?:(?:the |our |my )?decision:|decided:) ?(?:we |i )?{phrase}", "decision",
         "{S} decided: {value}", kind="decision", category="decision", importance=0.8),
    # Goals and things to do
    Rule("remind", "remind forget", "(?:please |can you |and )*(?:remind me to|don'?t let me forget to) {phrase}",
         "task", "{S} needs to {value}", kind="plan", category="workflow", importance=0.75, temporal="future"),
    Rule("todo", "todo", "(?:todo|to-do|action item):? {phrase}", "task", "{S} needs to {value}", kind="plan",
         category="workflow", importance=0.7, temporal="future"),
    Rule("must", "need have must gotta got needs has supposed", "{S}{adv}(?: (?:needs? to|ha(?:ve|s)(?: got)? to|must"
         "|gotta)|(?:'ve|'s) (?:got to|gotta)|(?:'m| am|'s| is) supposed to) {phrase}", "task", "{S} needs to {value}",
         kind="plan", category="workflow", temporal="future", unless=r"{idle}|(?:not|go to bed|be\b(?! (?:at|in|back"
         r"|on)))\b|find (?:an?|some|the) (?:\w+ )?(?:way|time)" "|{vague}"),
    Rule("team_must", "need have must", "{W}{adv} (?:need to|have to|must) {phrase}", "task", "{S} needs to {value}",
         kind="plan", category="project", temporal="future", unless=r"{idle}|(?:not|go|leave|be|stick|stay|catch up"
         r"|meet|chat|celebrate|plan|learn|support|look)\b|find (?:an?|some|the) (?:\w+ )?(?:way|time)|{vague}"),
    Rule("should", "should ought", "{S}{adv} (?:should|ought to){adv} (?=.*{time}){phrase}", "task",
         "{S} should {value}", kind="plan", category="workflow", importance=0.55, certainty="implied",
         temporal="future", unless=r"{idle}|(?:have|not|be|go to bed|known)\b|{vague}"),
    Rule("goal_is", "goal goals aim resolution dream", "my (?:main |big |biggest |long-term |short-term |next |current "
         "|ultimate )*(?:goal|aim|objective|resolution|dream)(?: for {w}(?: {w}){0,2}?| this year)?{is} (?:to "
         ")?{phrase}", "goal", "{S}'s goal is to {value}", kind="plan", category="goal", importance=0.8,
         temporal="future", unless=r"(?:that|not|a|the|coming|this)\b"),
    Rule("wants_to", "want wanna wants hope hoping planning plan trying aiming intend love like",
         "{SW}(?:{adv} (?:want to|wants to|wanna|hope to|hopes to|plan to|plans to|intend to|aim to)|(?:'m|m| am|'s| is"
         "|'re| are){adv} (?:hoping to|planning to|planning on|trying to|aiming to|looking to)|(?:'d| would) "
         r"(?:love|like) to(?= (?:visit|learn|travel|try|see|go)\b)) {phrase}", "goal", "{S} wants to {value}",
         kind="plan", category="goal", importance=0.55, temporal="future", unless=r"{idle}|(?:see|go) (?:you|it|that"
         r"|what|how|if|more|there|home|back)\b|(?:learn|hear|know) more\b|(?:stay|brag|debug this)\b|{vague}"),
    Rule("training_for", "training saving preparing studying", "{S}(?:'m|m| am|'s| is|'ve been){adv} (?P<verb>training "
         "for|saving(?: up)? for|preparing for|studying for) {phrase}", "goal", "{S} is {verb} {value}", kind="plan",
         category="goal", importance=0.65, temporal="future", unless=r"(?:it|this|that)\b"),
    Rule("going_to", "going gonna will i'll", "{SW}(?=.*{time})(?:(?:'m|m| am|'s| is|'re| are){adv} (?:going to|gonna)"
         "|'ll| will){adv} " r"(?P<value>(?!the\b|a\b|an\b|my\b|bed\b|work\b|school\b){w}(?:,? {w}){1,24}?)(?=\s*(?:$"
         r"|[;:!()]|, | (?:because|but|so|since)\b))", "goal", "{S} is going to {value}", kind="plan", category="goal",
         importance=0.55, temporal="future", unless="{idle}|(?:need|take|like|miss|never|always|look into|definitely"
         "|probably not|not|go with|take care" r"|love|look|also|make it|check|stay|let)\b"),
    Rule("event_is", "flight appointment interview exam wedding meeting presentation surgery train checkup concert "
         "party graduation anniversary trip vacation holiday class course race marathon recital match tournament visit "
         "demo", "my (?:next |first |final )?(?P<topic>(?:{w} )?(?:flight|appointment|interview|exam|wedding|meeting"
         "|presentation|surgery|train|checkup|check-up|concert|graduation|anniversary|trip|vacation|holiday|class"
         "|course|race|marathon|recital|match|tournament|visit|demo))(?P<what> (?:to|with|at|for|in) {w}(?: "
         "{w}){0,2}?)?{is} (?:scheduled |booked )?(?P<prep>on |for |at |in )?{thing}", "event.{topic}",
         "{S}'s {topic}{what} is {prep} {value}", kind="plan", category="workflow", importance=0.7, temporal="future",
         unless="(?!(?:.* )?{when})"),
    Rule("is_doing", "flying driving travelling traveling heading visiting starting leaving hosting speaking "
         "presenting getting graduating taking meeting", r"{SW}(?:'m|m| am|'re| are|'s| is){adv} "
         r"(?=.*{time})(?P<value>(?:(?:getting married|graduating)\b|(?:flying|driving|travell?ing|heading|visiting"
         r"|starting|leaving|hosting|speaking|presenting|taking|meeting)\b(?: " "{w}){1,10}?))(?={time})", "task",
         "{S} is {value}", kind="plan", category="workflow", temporal="future",
         unless=r".*\b(?:next|last|every|the day)$|.*\b(?:it|care|you|them|these|this|that)\b"),
    Rule("learning_to", "learning", "{S}(?:{be}|{ve} started){adv} learning (?:how )?to {phrase}", "goal",
         "{S} is learning to {value}", kind="plan", category="goal", unless=r"{idle}|{vague}|love\b|accept\b|let\b"),
    Rule("always_wanted", "wanted", "{S}(?:'ve| have) (?:always |long )?wanted to {phrase}", "goal",
         "{S} wants to {value}", kind="plan", category="goal", temporal="future",
         unless=r"(?:say|ask|know|tell|do\b|try (?:it|this|that)|be there|go there|see you|meet you)|{vague}"),
    Rule("appointment", "appointment meeting interview exam flight deadline surgery wedding concert call",
         "{S}{have} (?P<value>an? (?:{w} ){0,3}?(?:appointment|meeting|interview|exam|flight|surgery|wedding|concert"
         "|call|presentation)(?: (?:with|in|at|to|for) (?!the next){w}(?: {w}){0,2}?)?)(?={time}|{end})", "task",
         "{S} has {value}", kind="plan", category="workflow", importance=0.65, temporal="future"),
)
