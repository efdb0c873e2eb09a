"""English rules for a life: what the speaker and the speaker's people did, do again and again, avoid and look ahead to.

What happened is a fact from then on: its statements are of the present belief, dated by their time phrase.
"""

from memstrata.core.rules.pack import Rule

_NOTHING_NEW = r"|(?:.* )??{pointed}"
_RELATIVES = (
    "sister brother mom mum mother dad father wife husband partner girlfriend boyfriend fiancé fiancée fiance "
    "fiancee son daughter cousin aunt uncle niece nephew grandma grandmother grandpa grandfather"
)
_OTHERS = (
    "boss manager colleague coworker roommate flatmate housemate co-founder cofounder founder assistant mentor "
    "therapist doctor dentist lawyer accountant landlord coach trainer neighbour neighbor supervisor advisor worker"
)

# fmt: off
LIFE = (
    # People
    Rule("is_my_relative", _RELATIVES, "(?P<value>{Cap}) is my (?:(?:older|younger|elder|little|big|twin|new) "
         ")?(?P<rel>{family})(?={end}| and| in|$)", "family.{rel}.name", "{S}'s {rel} is called {value}",
         importance=0.7, unless=r"{deictic}|(?:he|she|here|there|today|i|family|music|art|god)\b|\w+ing\b"),
    Rule("is_my_person", _OTHERS, "(?P<value>{Cap}) is my (?:(?:new|old|current) )?(?P<rel>{people})(?={end}| and| at| "
         "in|$)", "people.{rel}.name", "{S}'s {rel} is called {value}",
         unless=r"{deictic}|(?:he|she|here|there|today|i|family|music|art|god)\b|\w+ing\b"),
    Rule("person_apposition", f"{_OTHERS} friend", r"{my_x}(?P<rel>{people}),? (?P<value>{Cap})(?='s\b|,| (?-i:[a-z])"
         r"|$)", "people.{rel}.name", "{S}'s {rel} is called {value}", certainty="implied", unless=r"i\b|i'"),
    Rule("relative_news", f"{_RELATIVES} friend dog cat died away engaged graduated", r"{my_x}(?P<who>(?:{family}"
         r"|{people}|{pet})(?:,? {Cap},?)?)(?:{ve}| just| sadly)* (?P<value>passed away|died" "|got (?:married|engaged"
         "|divorced|promoted)|graduated|gave birth|had an? (?:{w} )?(?:baby|accident|stroke" r"|surgery|heart attack)"
         r"|(?:was|got) diagnosed with {w}(?: {w})?|retired)\b", "event.family", "{S}'s {who} {value}", importance=0.7),
    Rule("relative_birthday", "birthday", "{my_x}(?P<rel>{family}|{people})'s birthday{is}(?: on)? {thing}",
         "family.{rel}.birthday", "{S}'s {rel}'s birthday is {value}", importance=0.75,
         unless=r"(?:coming|soon|today|tomorrow|next|this|almost|a|the|just|over|around|party)\b"),
    Rule("lives_with", "live lives living", "{S}(?:{do} lives?|(?:'m|m| am|'s| is){adv} living) with {deed}",
         "family.household", "{S} [lives|does not live|used to live|no longer lives] with {value}", importance=0.7,
         unless="{deictic}|the (?:fact|consequences|idea)|regret"),
    Rule("moved_in", "moved", "{SW}{ve} moved (?P<how>in with|into) {deed}", "event.home", "{S} moved {how} {value}",
         importance=0.7, unless="{deictic}"),
    # What happened
    Rule("visited", "visited toured explored", "{SW}{ve} (?P<verb>visited|toured|explored) {deed}", "event.visit",
         "{S} {verb} {value}", importance=0.5, unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("went_to", "went travelled traveled flew drove", "{SW}{ve} (?P<verb>went|travell?ed|flew|drove)(?: back| out| "
         "over)? to {deed}", "event.visit", "{S} {verb} to {value}", importance=0.5, unless=f"{{deictic}}{_NOTHING_NEW}"
         f"|(?:bed|sleep|hell|work|bits|waste|plan|great lengths|get|see|do|pick|buy" r"|check|an? (?:few|lot|couple"
         r"|place|event|party$)|the (?:bathroom|toilet|loo|store|shop|office))\b"),
    Rule("took_to", "took", "{SW}{ve} took (?P<who>(?:my|our|the) (?:{w} )?(?:kids|children|son|daughter|mom|mum|mother"
         "|dad|father|parents|wife|husband|partner|girlfriend|boyfriend|family|dogs?|friends?)) (?P<how>to|on|for) "
         "{deed}", "event.visit", "{S} took {who} {how} {value}", importance=0.5, unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("had_event", "picnic party barbecue bbq gathering reunion sleepover exhibition recital gig interview exam "
         "date", r"{SW}{ve} (?:had|threw) (?P<value>(?:an?|my|our) (?:(?!great|good|lot){w} ){0,3}?(?:picnic|party"
         r"|barbecue|bbq|gathering|reunion|sleepover|exhibition|recital|gig|interview|exam|date)(?: (?:with|at|in|for) "
         r"{w}(?: {w}){0,5}?" ")?){stop}", "event.activity", "{S} had {value}", importance=0.5,
         unless=_NOTHING_NEW [ 1 : ]),
    Rule("went_on", "trip vacation holiday cruise honeymoon hike retreat safari roadtrip date tour",
         "{SW}{ve} (?:took|went on|got back from|came back from|returned from) (?P<value>(?:an?|my|our) (?:(?!on |out "
         "|family|kids|dogs?|son|daughter|wife|husband|friends?){w} ){0,4}?(?:trip|vacation|holiday|cruise|honeymoon"
         "|hike|retreat|safari|road ?trip|date|tour)(?: (?:to|in|with|around|through|of|along) {w}(?: "
         "{w}){0,5}?)?)(?={stop})", "event.visit", "{S} went on {value}", importance=0.5,
         unless=f"(?:my|our) \\w+$|{_NOTHING_NEW[1:]}"),
    Rule("went_doing", "went", r"{SW}{ve} went (?=\w+ing\b){deed}", "event.outing", "{S} went {value}", importance=0.45,
         unless=f"(?:going|missing|wrong)\\b{_NOTHING_NEW}"),
    Rule("took_part", "attended volunteered participated took performed competed hosted organized organised enrolled "
         "signed registered applied presented", "{SW}{ve} (?P<verb>attended|volunteered (?:at|for|with)|participated in"
         "|took part in|performed (?:at|in)|competed in|hosted|organi[sz]ed|enrolled in|signed up for|registered for"
         "|applied (?:for|to)|presented at) {deed}", "event.activity", "{S} {verb} {value}", importance=0.55,
         unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("joined_group", "joined", "{SW}{ve} joined (?=(?:an?|the|our|my) ){deed}", "event.activity",
         "{S} joined {value}", importance=0.55, unless=f"(?:the|our|my) (?:call|meeting|conversation|fun|party|crowd"
         f"|dots)\\b{_NOTHING_NEW}"),
    Rule("won", "won", "{SW}{ve} won (?=(?:an?|the|our|my|first|second|third|gold|silver|bronze|{n}) ){deed}",
         "event.success", "{S} won {value}", importance=0.6, unless=f".*\\b(?:argument|lottery"
         f"|hearts?)\\b{_NOTHING_NEW}"),
    Rule("achieved", "finished completed published launched released submitted passed built painted renovated planted "
         "rescued adopted founded opened recorded graduated ran created wrote designed composed made baked",
         "{SW}{ve} (?P<verb>finished|completed|published|launched|released|submitted|passed|built|painted|renovated"
         "|planted|rescued|adopted|founded|opened|recorded|graduated from|ran|created|wrote|designed|composed|made"
         "|baked) (?=(?:an?|the|my|our|{n}) |\\w+ing |{Cap}){deed}", "event.success", "{S} {verb} {value}",
         importance=0.5, unless="(?:the|my|our|an?) (?:day|work|shift|dinner|lunch|meal|time|torch|door|window|mind|few"
         "|lot|bit|errands?" f"|risk|same|way|whole|joke|while|point|difference|decision|mistakes?|choice|sure|list"
         f"|note|progress|plans?|effort|promise|commitment|impact|friends?|changes?|memories|sense|move|deal|good|great"
         f"|big|huge|real)\\b|into\\b|i\\b{_NOTHING_NEW}"),
    Rule("saw", "saw watched read", r"{SW}{ve} (?P<verb>saw|watched|read) (?=[\"]|(?:an?|the) (?:{w} ){0,3}?(?:movie"
         r"|film|concert|show|play|musical|documentary|game|match|exhibition|exhibit|book|novel|series)\b){deed}",
         "event.media", "{S} {verb} {value}", importance=0.4, unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("reading", "reading watching",
         '{S}{be} (?P<verb>reading|watching|rereading|re-reading) (?="|{Cap}|the (?:book|novel|series|show) ){deed}',
         "event.media", "{S} [is|is not|was] {verb} {value}", importance=0.4, unless=f"i\\b|i'{_NOTHING_NEW}"),
    Rule("injury", "broke sprained twisted hurt injured tore fractured pulled", "{S}{ve} (?P<verb>broke|sprained"
         "|twisted|hurt|injured|tore|fractured|pulled) (?P<value>my (?:{w} )?(?:ankle|knee|wrist|back|shoulder|leg|arm"
         "|foot|toe|finger|elbow|hip|neck|hand|hamstring|nose|rib|thumb|calf))\\b", "health.injury",
         "{S} {verb} {value}", importance=0.75),
    Rule("treatment", "surgery operation accident stroke biopsy checkup scare attack reaction transplant",
         "{SW}{ve} (?:had|underwent|was in|were in|got into) (?P<value>(?:an? |my |our )?(?:{w} ){0,3}?(?:surgery"
         "|operation|accident|stroke|biopsy|check-?up|health scare|heart attack|panic attack|allergic reaction"
         "|transplant))(?={stop})", "event.health", "{S} had {value}", importance=0.7, unless=_NOTHING_NEW [ 1 : ]),
    Rule("diagnosed", "diagnosed", "{S}(?:'ve| have|'s| has)?(?: was| were| got| been){adv} diagnosed with {deed}",
         "health.condition", "{S} was diagnosed with {value}", importance=0.9, unless="{deictic}"),
    Rule("started", "started began took taken", "{SW}{ve} (?P<verb>started|began|took up|taken up) (?=\\w+ing\\b|an? "
         "(?:{w} ){0,4}?(?:course|class|blog|channel|podcast|club|garden|diet|internship|degree|program|programme|band"
         "|group|project|company|business|collection|charity|newsletter|therapy|training)\\b){deed}", "event.started",
         "{S} started {value}", importance=0.55, unless="(?:feeling|thinking|getting|being|having|using|crying|laughing"
         "|talking|noticing|seeing|wondering" f"|realizing|looking|doing|making|asking|coming|going|working"
         f"|something)\\b{_NOTHING_NEW}"),
    Rule("acquired", "got ordered purchased treated invested", "{SW}{ve} (?:(?P<verb>ordered|purchased|treated myself "
         "to|invested in) (?=an? )|(?P<verb>got)(?: myself| ourselves)? (?=(?:an?|my|our|some) (?:brand[- ])?new "
         ")){deed}", "possession", "{S} {verb} {value}", importance=0.5, unless="(?:an?|my|our|some) (?:brand[- "
         "])?(?:new )?(?:few|lot|bunch|call|email|chance|feeling|idea|job|sense|response" f"|message|promotion|couple"
         f"|perspective|role|client|lease|friends?|ideas)\\b{_NOTHING_NEW}"),
    Rule("gave_up_thing", "sold donated away lost", "{SW}{ve} (?P<verb>sold|donated|gave away|lost) (?=(?:my|our|the) "
         "){deed}", "event.possession", "{S} {verb} {value}", importance=0.5, unless="(?:my|our|the) (?:job|temper|keys"
         "|phone|wallet|mind|way|voice|balance|train|plot|thread|game|match|election|track|bet|appetite"
         f"|focus|motivation|count|cool|time)\\b{_NOTHING_NEW}"),
    # What the speaker does and has
    Rule("been_doing", "been", "{SW}(?:'ve|ve| have|'s| has){adv} been{adv} (?=\\w+ing\\b){deed}", "habit.current",
         "{S} has been {value}", importance=0.5, unless=r"(?:\w+ (?:for|since|ever)\b|going|trying|thinking|looking "
         r"(?!into)|using|feeling|doing" "|having|getting|meaning|wanting|wondering|being|waiting|hoping|struggling"
         "|dealing|asking|telling|saying|amazing|exciting|challenging|interesting|fascinating|rewarding"
         f"|keeping|missing|searching|putting|organizing something|working hard|\\w+ing \\w+ly\\b|inspiring|frustrating"
         f"|exhausting|something|nothing|everything)\\b|\\w+$|.*\\b(?:it|them)\\b{_NOTHING_NEW}"),
    Rule("habit", "every each once twice times mondays tuesdays wednesdays thursdays fridays saturdays sundays "
         "weekends mornings evenings", "{SW}{adv} (?P<verb>go(?= (?:to|\\w+ing)\\b)|run|swim|walk|meditate|cook|bake"
         "|paint|read|write|practi[cs]e|train|exercise|volunteer|attend|visit|take|meet|watch|play|row|climb|cycle"
         "|teach|coach|host|dance|sing|study|work out|get up|wake up)(?:e?s)? (?P<value>(?:{w} ){0,8}?(?:every "
         "(?!time\\b){w}(?: {w})?|each {w}|(?:once|twice|{n} times) an? {w}|on (?:(?:mon|tues|wednes|thurs|fri|satur"
         "|sun)days?|weekends)|in the (?:mornings|evenings)))(?={end}|{time}|" r" (?:and|to|for|with)\b)",
         "habit.{verb}", "{S} {verb+} {value}", importance=0.55, unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("always_does", "always only exclusively", "{S} (?P<how>always|only|exclusively) (?P<verb>drink|eat|wear|order"
         "|buy)s? {thing}", "habit.{verb}.usual", "{S} {how} {verb+} {value}", kind="preference", category="preference",
         importance=0.65, unless=f"{{deictic}}|(?:too|enough|a lot)\\b|.*\\b(?:in|at|on|before|after|during|for|if"
         f"|when)\\b{_NOTHING_NEW}"),
    Rule("now_does", "now nowadays days", "{S}(?: now)? (?P<verb>drink|eat|wear|order|buy)s? (?P<value>{w}(?: "
         "{w}){0,5}?),? " r"(?:now|nowadays|these days)\b", "habit.{verb}.usual", "{S} {verb+} {value}",
         kind="preference", category="preference", importance=0.65, correction=True,
         unless=f"{{deictic}}|(?:less|more|a lot)\\b{_NOTHING_NEW}"),
    Rule("as_a_rule", "always usually normally typically mostly exclusively only mainly regularly rarely never",
         "{S} (?:(?P<how>always|usually|normally|typically|mostly|exclusively|only|mainly|regularly)"
         "|(?P<neg>(?P<how>rarely|never))) (?P<verb>drink|eat|wear|read|watch|listen to|buy|order|cook|travel|use|rent"
         "|dine at|shop|fly|get up|wake up|go to bed|book|stay)s? (?!alone){thing}", "habit.{verb}",
         "{S} {how} {verb+} {value}", kind="preference", category="preference", importance=0.65,
         unless=f"{{deictic}}|(?:too|enough|a lot|when|to)\\b{_NOTHING_NEW}"),
    Rule("drinks", "drink drinks eat eats", "{S} (?P<verb>drink|eat)s? {thing}", "habit.{verb}", "{S} {verb+} {value}",
         kind="preference", category="preference", importance=0.6, unless="{deictic}|(?:a lot|too|out|at|with|in|well"
         "|lunch|dinner|breakfast|less|to|from|like|on|because|enough" f"|much|better|responsibly)\\b{_NOTHING_NEW}"),
    Rule("does_not", "don't dont not doesn't never", "{S}{adv}(?P<neg> don'?t| do not| doesn'?t| does not| never){adv} "
         "(?P<verb>take|wear|watch|read|smoke|drive|fly|cook|buy|own|listen to|schedule|accept|attend|celebrate|speak"
         "|have(?= (?:an? )?(?:car|kids|children|pets?|siblings|tv|driver'?s licen[cs]e|smartphone)\\b)) {thing}",
         "habit.{verb}", "{S} [|does not {verb}] {value}", kind="preference", category="preference", importance=0.65,
         unless="{deictic}|(?:an? (?:clue|choice|lot|problem|chance|plan|single|break|day|look|joke)|time|much|enough"
         "|care|any|to|the (?:time|energy|hint|same)|well|for|anymore|like|good|part|up|off|over|away|advantage"
         "|offen[cs]e|my|too" f"|lightly|into|as|about|with|out)\\b{_NOTHING_NEW}"),
    Rule("avoids", "avoid avoids refuse refuses clear", "{S}{adv}(?: (?:try|tries|prefer|prefers) to)?{adv} "
         "(?P<verb>avoid|refuse to|steer clear of|stay away from)s? {thing}", "preference.{topic}",
         "{S} {verb+} {value}", kind="preference", category="preference", importance=0.75, polarity=-1,
         unless=f"(?!any|all|being|one){{deictic}}|(?:to )?(?:believe|accept|give up|let)\\b{_NOTHING_NEW}"),
    Rule("aversion", "aversion dislike hatred", "{S}{have} (?:an? )?(?:(?:strong|intense|severe|deep|huge|real|slight"
         "|great|particular) )*(?:aversion|dislike|hatred) (?:to|of|for|towards?) {thing}", "preference.{topic}",
         "{S} dislikes {value}", kind="preference", category="preference", importance=0.75, polarity=-1,
         unless="(?!any|all|being|one){deictic}"),
    Rule("fears", "phobia fear afraid scared terrified", "{S}(?:{have} (?:an? )?(?:(?:strong|intense|severe|deep|huge"
         "|real|great|crippling|terrible) )*(?:phobia|fear)|{be} (?:afraid|scared|terrified)) of {thing}",
         "preference.{topic}", "{S} is [|not|was|no longer] afraid of {value}", kind="preference",
         category="preference", importance=0.75, polarity=-1, unless=f"(?!any|all|being|one){{deictic}}|(?:losing"
         f"|failing|failure|the (?:future|unknown)|making|getting|change)\\b{_NOTHING_NEW}"),
    Rule("has_passion", "passion love spot weakness fondness preference", "{S}{have} (?:always had )?(?:an? "
         ")?(?:(?:strong|deep|huge|real|great|big|lifelong|special) )*(?:passion|love|soft spot|weakness|fondness"
         "|preference) for {thing}", "preference.{topic}", "{S} likes {value}", kind="preference",
         category="preference", unless=f"{{deictic}}|(?:the (?:fact|way|idea)|each other|one "
         f"another)\\b{_NOTHING_NEW}"),
    Rule("interest", "interest interested", "{S}(?:{be} (?:interested in)|{have}(?: an?| (?P<neg>no|little|zero))(?: "
         "(?:keen|strong|deep|great))? interest in) {thing}", "preference.{topic}",
         "{S} [is interested|is not interested|was interested|is no longer interested] in {value}", kind="preference",
         category="preference", unless=f"{{deictic}}|(?:learning|hearing|knowing|seeing|finding|getting|understanding) "
         f"(?:more|about|how|out)\\b|how\\b{_NOTHING_NEW}"),
    Rule("one_favourite", "favorites favourites favorite favourite faves fave", "one of my (?:all[- ]time "
         ")?(?:fav(?:ou?rite)?s?|faves?)(?: (?P<topic>{w}(?: {w})?))? (?:is|are|has to be|would be) {thing}",
         "preference.{topic}", "{S} likes {value}", kind="preference", category="preference", importance=0.65,
         unless=f"{{deictic}}|(?:when|how|the (?:time|day))\\b{_NOTHING_NEW}"),
    Rule("has_thing", "car bike bicycle motorbike motorcycle house apartment flat condo cabin cottage garden balcony "
         "piano guitar violin camera drone telescope boat kayak camper van truck printer greenhouse",
         "{SW}(?:{have}| own| owns) (?P<value>{n} (?:(?!friend|neighbou?r){w} ){0,3}?(?:car|bike|bicycle|motorbike"
         "|motorcycle|house|apartment|flat|condo|cabin|cottage|garden|balcony|piano|guitar|violin|camera|drone"
         "|telescope|boat|kayak|camper|van|truck|3d printer|greenhouse))(?={stop}| with| in| near| by| behind| on| at)",
         "possession", "{S} has {value}", importance=0.5, unless=_NOTHING_NEW [ 1 : ]),
    Rule("takes_part", "volunteer volunteers row rows coach coaches train trains sing sings dance dances climb climbs "
         "swim swims perform performs run runs paint paints surf surfs ski skis sail sails teach teaches member belong "
         "belongs", "{S}(?:{adv} (?P<verb>volunteer|row|coach|train|sing|dance|climb|swim|perform|run|paint|surf|ski"
         "|sail|teach)(?:e?s)?|{be} (?P<verb>a member)|{adv} (?P<verb>belong)s?) (?=(?:at|in|with|for|on|of|to) (?:an?"
         "|the|my|our|{Cap})\\b){deed}", "habit.{verb}", "{S} {verb+} {value}", importance=0.55,
         unless=f"(?:in|on|for|at) (?:the (?:background|same|end|first|way|moment)|a (?:while|bit)|my (?:own"
         f"|head))\\b{_NOTHING_NEW}"),
    Rule("always_loved", "loved enjoyed hated", "{S}(?:'ve|ve| have|'s| has){adv} (?P<verb>loved|enjoyed|hated) "
         "{thing}", "preference.{topic}", "{S} {verb+} {value}", kind="preference", category="preference",
         unless=f"{{deictic}}|every|the (?!\\w+ of \\w){_NOTHING_NEW}|.*\\b(?:him|her|them|it|here|there)\\b"),
    Rule("busy_with", "organizing organising planning preparing putting taking mentoring renovating rehearsing hosting "
         "restoring", "{SW}(?:'m|m| am|'s| is|'re| are){adv}(?: busy)? (?P<verb>organi[sz]ing|planning|preparing"
         "|putting together|taking|renovating|rehearsing|hosting|restoring|mentoring) (?=(?:an?|my|our|some|the|{n}) "
         "){deed}", "project.work", "{S} is {verb} {value}", importance=0.55, unless=f"the (?:time|offer|plunge|lead"
         f"|bus|train)|(?:an?|my|our|some) (?:break|look|bit|while|chance|moment|time|picture|photo|nap|shower|day|walk"
         f"|deep|step|different|new approach|lot|few)\\b{_NOTHING_NEW}"),
    Rule("works_how", "work works", "{S}{do} works? (?P<value>from home|remotely|nights|night shifts|part[- ]time"
         "|full[- ]time|in shifts|shifts|freelance|weekends|(?:two|three|four|five|six|\\d) days a week)(?={stop}| from"
         "| for| at| as| on)", "work.arrangement", "{S} [works|does not work|used to work|no longer works] {value}",
         importance=0.65),
    # What lies ahead
    Rule("leaves_on", "fly leave arrive travel", "{SW} (?P<verb>fly|leave|arrive|travel) (?P<value>{w}(?: "
         "{w}){0,7}?)(?= (?:on|in) (?:the )?(?:{day}(?<!s)\\b|{month}|\\d{1,2}(?:st|nd|rd|th)? {month}))(?!.*every)",
         "event.trip", "{S} {verb+} {value}", kind="plan", category="workflow", importance=0.6, temporal="future",
         unless=f"{{deictic}}{_NOTHING_NEW}"),
    Rule("trip_ahead", "going heading flying driving travelling traveling off", "{SW}(?:'m|m| am|'re| are|'s| is){adv} "
         "(?:going|heading|flying|driving|travell?ing|off)(?: back)? to (?P<value>(?:the )?{Cap}(?:[ "
         "-]{Cap}){0,2}(?={stop}| for| with)|(?:an?|the|my|our) {w}(?: {w}){0,5}?(?={time}))", "event.trip",
         "{S} is going to {value}", kind="plan", category="workflow", importance=0.6, temporal="future",
         unless=f"(?:the|an?|my) (?:same|next|point)\\b|i\\b{_NOTHING_NEW}"),
    Rule("booked", "booked reserved tickets", "{SW}{ve} (?P<verb>booked|reserved|(?:got|bought) tickets (?:to|for)) "
         "(?=(?:an?|the|my|our|{n}|{Cap}) ){deed}", "event.booking", "{S} {verb} {value}", kind="plan",
         category="workflow", importance=0.65, unless=f"{{deictic}}|i\\b{_NOTHING_NEW}"),
    Rule("looks_forward", "forward excited", "{SW}(?:'m|m| am|'re| are){adv} (?:looking forward to|excited (?:for"
         "|about)) (?=(?:my|our|an?|the|{Cap}) ){deed}", "goal", "{S} is looking forward to {value}", kind="plan",
         category="goal", importance=0.5, temporal="future", unless="(?:the|an?|my|our) (?:new )?(?:future|chance"
         "|opportunity|chapter|next|journey|challenge|results?" f"|possibilit\\w+|progress|idea)\\b"
         f"|i\\b{_NOTHING_NEW}"),
    Rule("considers", "thinking considering", "{SW}(?:(?:'m|m| am|'re| are)|(?:'ve| have) been){adv} (?:thinking "
         "(?:about|of)|considering) (?=\\w+ing\\b){deed}", "goal", "{S} is considering {value}", kind="plan",
         category="goal", importance=0.45, certainty="uncertain", temporal="future", unless="(?:using|asking|being"
         "|going|getting|having|doing)\\b|.*\\b(?:it|them|how|what|whether)\\b" f"{_NOTHING_NEW}"),
)
