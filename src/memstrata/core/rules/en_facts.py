"""English rules for facts: who somebody is, where, at what work, with whom, on which project."""

from memstrata.core.rules.pack import Rule

# fmt: off
FACTS = (
    # Who somebody is
    Rule("name", "name name's", "my (?:full |first |last |real |actual )?name{is} {name}", "identity.name",
         "{S}'s name is {value}", importance=0.9),
    Rule("nickname", "call", "(?:please |just |you can |everyone calls |my friends |people )*call me {name}",
         "identity.nickname", "{S} goes by {value}", importance=0.8, conditional=True,
         unless=r"(?:when|back|later|if|crazy|old|maybe|by|at|on|tomorrow|stupid)\b"),
    Rule("goes_by", "go", "{S} go by {name}", "identity.nickname", "{S} goes by {value}", importance=0.8),
    Rule("i_am_name", "i'm im am", r"(?:i'm|i am) (?P<value>{Cap}(?: {Cap})?)(?={end}|$| from\b| and\b)",
         "identity.name", "{S}'s name is {value}", importance=0.9, unless=r"\w+(?:ish|ese|ian|ican)\b|(?:german|french"
         r"|dutch|greek|swiss|thai|catholic|muslim|jewish|christian|ok|okay|so|not|very|sure|here|back|sorry|happy|glad"
         r"|just|in|on|at|the|new|ceo|cto|cfo|vp|phd|hr)\b"),
    Rule("family_name", "name name's called named", "{my_x}(?P<rel>{family})(?:'s name{is}|{is} (?:called|named)|,? "
         "(?:called|named)) {name}", "family.{rel}.name", "{S}'s {rel} is called {value}", importance=0.7),
    Rule("person_name", "name name's called named", "{my_x}(?P<rel>{people})(?:'s name{is}|{is} (?:called|named)|,? "
         "(?:called|named)) {name}", "people.{rel}.name", "{S}'s {rel} is called {value}"),
    Rule("pet_name", "name name's called named", "(?:my|our) (?:new )?(?P<rel>{pet})(?:'s name{is}|{is} (?:called"
         "|named)|,? (?:called|named)) {name}", "pet.{rel}.name", "{S}'s {rel} is called {value}", importance=0.7),
    Rule("has_named_pet", "called named", "(?:i|we){have} (?:an?|my) (?:{w} ){0,3}?(?P<rel>{pet}) (?:called|named) "
         "{name}", "pet.{rel}.name", "{S} has a {rel} called {value}", importance=0.7),
    Rule("has_named_relative", "called named", "{SW}{have} an? (?:{w} ){0,3}?(?P<rel>{family}) (?:called|named) {name}",
         "family.{rel}.name", "{S}'s {rel} is called {value}", importance=0.7),
    Rule("family_apposition", "sister brother mom mum mother dad father wife husband partner girlfriend boyfriend "
         "fiancé fiancée fiance fiancee spouse son daughter kid child baby aunt uncle cousin niece nephew grandma "
         "grandmother grandpa grandfather grandson granddaughter law stepmother stepfather stepmom stepdad stepsister "
         "stepbrother stepson stepdaughter twin ex sister's brother's mom's mum's dad's wife's husband's partner's "
         "son's daughter's", r"{my_x}(?P<rel>{family}),? (?P<value>{Cap})(?='s\b|,| (?-i:[a-z])|$)",
         "family.{rel}.name", "{S}'s {rel} is called {value}", certainty="implied"),
    Rule("pet_apposition", "dog cat puppy kitten rabbit bunny hamster parrot horse pony turtle tortoise pig goldfish "
         "fish lizard gecko snake pet bird dog's cat's", "(?:my|our) (?P<rel>{pet}),? (?P<value>{Cap}),?(?= [a-z])",
         "pet.{rel}.name", "{S}'s {rel} is called {value}", certainty="implied"),
    Rule("relative_is", "sister brother mom mum mother dad father wife husband partner girlfriend boyfriend fiancé "
         "fiancée fiance fiancee spouse son daughter kid child baby aunt uncle cousin niece nephew grandma grandmother "
         "grandpa grandfather grandson granddaughter law stepmother stepfather stepmom stepdad stepsister stepbrother "
         "stepson stepdaughter twin ex sister's brother's mom's mum's dad's wife's husband's partner's son's "
         "daughter's", "{my_x}(?P<rel>{family}) is (?P<value>{Cap})$", "family.{rel}.name",
         "{S}'s {rel} is called {value}", unless=r"(?:ok|german|french|\w+(?:ish|ese|ian|ican))\b"),
    Rule("age", "i'm im am is turned old", r"{S}(?:{be}|(?:'ve| have)?{adv} turned) (?P<value>\d{1,3}|(?:two|three|four"
         r"|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy)(?:-\w+)?(?= years? old"
         r"|{end}| and))(?: years? old|\s?yo| yrs old)?{end}", "identity.age", "{S} is {value} years old",
         importance=0.7),
    Rule("birthday", "birthday bday dob birth", "my (?:birthday|bday|date of birth|dob){is}(?: on)? {thing}",
         "identity.birthday", "{S}'s birthday is {value}", importance=0.8,
         unless=r"(?:coming|soon|today|tomorrow|next|this|almost|a|the|just|over|around|party)\b"),
    Rule("born_when", "born", r"{S}(?: was|'s| is) born (?:on|in) (?P<value>(?:the )?(?:\d|{month}\b)[\w ,]*)",
         "identity.birthday", "{S} was born in {value}", importance=0.8),
    Rule("pronouns", "pronouns", r"my pronouns are (?P<value>\w+/\w+(?:/\w+)?)", "identity.pronouns",
         "{S}'s pronouns are {value}", importance=0.9),
    Rule("nationality", "i'm im am is", "{S}{be} (?P<value>german|french|british|english|american|spanish|italian|dutch"
         "|polish|russian|japanese|korean|chinese|indian|brazilian|mexican|canadian|australian|irish|scottish|swedish"
         "|norwegian|danish|finnish|greek|turkish|ukrainian|nigerian|kenyan|vietnamese|austrian|swiss|portuguese"
         "|belgian){end}", "identity.nationality", "{S} [is|is not|was] {value}"),
    Rule("email", "email mail address", r"my (?:work |personal |private )?e-?mail(?: address)?{is} "
         r"(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)", "contact.email", "{S}'s email address is {value}"),
    Rule("phone", "phone mobile cell number", r"my (?:phone|mobile|cell)(?: number)?{is} (?P<value>\+?\d[\d() "
         r"-]{5,16}\d)", "contact.phone", "{S}'s phone number is {value}"),
    Rule("handle", "github twitter slack discord instagram reddit linkedin gitlab mastodon", "my (?P<site>github|gitlab"
         "|twitter|slack|discord|instagram|reddit|linkedin|mastodon)(?: handle| username| " r"account| name| id)?{is} "
         r"@?(?P<value>[\w.-]+)", "contact.handle.{site}", "{S}'s {site} handle is {value}"),
    Rule("trait", "owl bird person introvert extrovert homebody foodie bookworm gamer perfectionist minimalist drinker",
         "{S}{be}(?: more of)? an? (?P<value>(?:{w} )?(?:night owl|early bird|person|introvert|extrovert|homebody"
         "|foodie|bookworm|gamer|perfectionist|minimalist|(?:tea|coffee) drinker)){end}", "identity.trait",
         "{S} [is|is not|was] a {value}", importance=0.5, unless="person|(?:good|bad|great|nice|kind|different|better"
         "|terrible|new|happy|horrible|changed|lucky|only|young|old) "),
    # Where
    Rule("lives", "live lives lived living reside based", "{SW}(?:{adv}{do} (?:lives?|resides?)|(?:'ve|ve| have|'s| "
         "has){adv} (?:lived|been living)|{adv}(?P<past> lived)|(?:(?:'m|m| am|'s| is){adv} (?:living|based|located)"
         "|(?:'re| are){adv} living))(?: (?:here|back|over|out|alone|together|with {w}(?: {w})?))?(?: in an? {w}(?: "
         "{w}(?: {w})?)?)? in {place}", "location.city", "{S} [lives|does not live|used to live|no longer lives] in "
         "{value}", importance=0.8),
    Rule("moved", "moved relocated", "{SW}{ve}{adv} (?:moved|relocated)(?: back| over| out)?(?: from {w}(?: {w})?)? to "
         "{place}", "location.city", "{S} moved to {value}", importance=0.8, unless=r"(?:teams|slack|jira|github|gitlab"
         r"|notion|linear|postgres\w*|aws|azure|gcp|kubernetes|python|rust|react|vue|the cloud)\b"),
    Rule("moving", "moving relocating move", "{SW}(?:(?:'m|m| am|'s| is|'re| are){adv} (?:moving|relocating|going to "
         "move|gonna move)|'ll move| will move| plan to move)(?: back| over)?(?: from {w}(?: {w})?)? to {place}",
         "location.city", "{S} is moving to {value}", importance=0.8, temporal="future"),
    Rule("origin", "from grew born", "{S}(?:{be} from| comes? from|{adv} grew up in|(?: was|'s) born(?: and raised)? "
         "in) (?:an? (?:{w} ){1,3}?(?:in|near|outside|called) )?{place}", "location.origin", "{S} is from {value}",
         importance=0.7),
    Rule("hometown", "hometown", "my home ?town{is} {place}", "location.origin", "{S} is from {value}", importance=0.7),
    Rule("timezone", "timezone zone time", "(?:my time ?zone{is}|i'm (?:in|on)(?: the)?) (?P<value>{w})(?: time ?zone| "
         "time)?$", "location.timezone", "{S}'s time zone is {value}", importance=0.8,
         unless=r"(?![A-Z]{2,5}\b|utc|gmt|cet|\w+/\w+|(?:central|eastern|pacific|mountain)\b)"),
    # Work, learning and business
    Rule("employer", "work works working worked", "{S}(?:{do} works?|(?:'m|m| am|'s| is){adv}(?P<neg> not)? working"
         "|(?:'ve| have|'s| has){adv} (?:worked|been working)| (?P<past>worked))(?: (?:remotely|full[- ]time|part[- "
         "]time|here|over))?(?: as (?:an?|the) {w}(?: {w}){0,3}?)? (?:at|for) {org}", "work.employer",
         "{S} [works|does not work|used to work|no longer works] at {value}", importance=0.8),
    Rule("no_longer_with", "longer", "{S}(?:'m|m| am|'s| is)(?P<ended> no longer)(?: working)? (?:with|at|for) "
         "(?P<value>{Cap}(?:[ -]{Cap}){0,3})", "work.employer", "{S} no longer works at {value}", importance=0.8),
    Rule("lost_job", "job laid fired", "{S} (?P<value>(?:just |recently )?(?:lost my job|(?:got|was) (?:laid off|fired)"
         "|quit my job))", "work.status", "{S} {value}", importance=0.7, unless="never"),
    Rule("works_as", "work works working", "{S}(?:{do} works?|(?:'m|m| am|'s| is){adv} working|(?:'ve| have|'s| has) "
         "been working)(?: {w}){0,6}? as " r"(?:an?|the) (?P<value>{w}(?: {w}){0,4}?)(?={end}| (?:at|in|for|with|on|and"
         r"|while)\b)", "work.role", "{S} [works|does not work|used to work|no longer works] as a {value}",
         importance=0.8, unless=r"(?:team|group|unit|pair|whole|family|charm|reminder|result|substitute"
         r"|distraction)\b"),
    Rule("role", "i'm im am is was been became", "{S}(?:{be}| became) (?:an?|the|our) {role}", "work.role",
         "{S} [is|is not|was|is no longer] a {value}", importance=0.8, unless=r".*\b(?:speaker|native|lover|beginner"
         r"|believer|member|loner|sucker|stickler|minor|newcomer|outsider" "|liar|fan|number|matter|manner|moment"
         "|killer|monster|breaker|changer|starter|winner|loser|helper|person|human|better|bigger|other|another|either"
         "|never|owner|disaster|wonder|wonderer|starter|eater|sleeper|father|(?:grand)?mother|(?:grand)?father|brother"
         "|sister|(?:grand)?daughter|reader|drinker|gamer|performer|admirer|runner-up|newcomer|regular|morning|user"
         "|customer|major|sort|nightmare|reminder|keeper|giver|important|significant|constant|huge|stranger|foreigner"
         "|survivor|veteran|vegetarian|pescatarian|flexitarian|christian|late|great|little|bit|participant|poor|over"
         "|after|under|rather|real|slower|faster|supporter|follower|super|pleasure|treasure|center|letter|paper|later"
         "|chapter|cover|color|error|power" r"|answer|order|favor|per|mentor to|corner|\w+ than)\b"),
    Rule("title", "job role title position profession occupation", "my (?:current )?(?:job|job title|role|title"
         "|position|profession|occupation) is (?:as )?{thing}", "work.role", "{S}'s role is {value}", importance=0.8,
         unless="(?:to|not|so|very|really|going|getting|stressful|great|hard|remote|boring|at|in|killing|pretty"
         r"|fine|ok)\b"),
    Rule("role_bare", "i'm im am is", "{S}{be} (?:the )?(?P<value>ceo|cto|cfo|coo|head of {w}|vp of {w}|co-?founder"
         "|founder|director of " r"{w})(?={end}| (?:at|of|and)\b)", "work.role",
         "{S} [is|is not|was|is no longer] {value}", importance=0.8),
    Rule("employer_of_role", "at", "{S}{be} (?:(?:an?|the|our) (?:{w} ){1,4}?|(?:ceo|cto|cfo|coo|founder|head of {w}) "
         ")at (?P<value>(?:the )?{Cap}(?:[ -]{Cap}){0,3})", "work.employer",
         "{S} [works|does not work|used to work|no longer works] at {value}", importance=0.8, certainty="implied",
         unless=r"(?:christmas|easter|thanksgiving)\b"),
    Rule("joined", "job started joined", "{S}{ve} (?:(?:started|got|accepted|landed|took)(?: working)?(?: an?| my)?(?: "
         "new)?(?: (?:job|position|role|internship))? (?:at|with)|joined) (?P<value>{Cap}(?:[ -]{Cap}){0,3})",
         "work.employer", "{S} joined {value}", importance=0.8),
    Rule("left", "left quit resigned", "{S}{ve} (?:left|(?P<ended>quit|resigned from|got laid off from|was laid off "
         "from))(?: my job at)? (?P<value>{Cap}(?:[ -]{Cap}){0,3})(?={time}|{end})", "work.employer",
         "{S} no longer works at {value}", importance=0.8, polarity=-1, correction=True, unless=r"(?:i|my)\b"),
    Rule("work_status", "retired unemployed self freelance freelancing jobs leave freelancer",
         "{S}(?:{be}|{ve} just) (?P<value>retired|unemployed|self-employed|freelancing|a freelancer|between jobs|on "
         "(?:maternity|paternity|parental|sick) leave)", "work.status", "{S} [is|is not|was|is no longer] {value}",
         importance=0.7),
    Rule("work_field", "work works working", r"{S}(?:{do} works?|(?:'m|m| am|'s| is){adv} working) in "
         r"(?P<value>(?-i:[A-Z]{2,4}\b|(?!the |a |an |my |our |this |progress|general|person|pairs|teams|silence|peace"
         r"|spurts|sprints|one|two)[a-z][\w-]+)(?: (?!and |at |for ){w}){0,2}?)(?={end}| (?:at|for|and)\b)",
         "work.field", "{S} [works|does not work|used to work|no longer works] in {value}", importance=0.7),
    Rule("teaches", "teach teaches", r"{S}{do} teach(?:es)? (?P<value>{w}(?: {w}){0,2}?)(?={end}| (?:at|in|to|for"
         r"|and)\b)", "work.field", "{S} [teaches|does not teach|used to teach] {value}", importance=0.7,
         unless=r"{deictic}|my\b|kids?\b"),
    Rule("business_has", "employees people engineers developers staff customers clients users stores shops offices "
         "members", "{W}(?:'ve got|{have}|{adv} (?:employ|serve)) (?P<value>(?:about |around |roughly |over |some "
         r")?\d[\d,.]*k?) (?:{w} )?(?P<topic>employees|people|engineers|developers|staff|customers|clients|users"
         "|stores|shops|offices|members)", "business.{topic}", "{S} has {value} {topic}", category="workflow"),
    Rule("business_fact", "product customers clients audience market competitor competitors users mission industry "
         "niche", "(?:our|my) (?:(?:main|biggest|target|core|typical|flagship|primary|largest) )*(?P<topic>product"
         "|customers?|clients?|audience|market|competitors?|users|readers|mission|industry|niche) (?P<verb>is|are)(?: "
         "mostly| mainly| usually| typically)? {phrase}", "business.{topic}", "{S}'s {topic} {verb} {value}",
         category="workflow", unless=r"(?:not|very|so|too|happy|unhappy|angry|complaining|asking|waiting|great|good|bad"
         r"|\w+ing|really|always|getting|a bit|a pain|here|in)\b"),
    Rule("team", "team", "{S}(?:{be} (?:on|in|part of|leading)| (?:lead|manage|run|joined)s?) (?:the|our) "
         "(?P<value>{w}(?: " r"{w}){0,2}) team\b", "work.team", "{S} is on the {value} team", importance=0.7,
         unless=r"(?:same|best|winning|other|whole|right|wrong|losing)\b"),
    Rule("studies", "study studies studied studying major majoring majored", "{S}(?:{do} (?:study|studies)|(?:'m|m| am"
         "|'s| is){adv} (?:studying|majoring in)|(?P<past>{adv} studied| " r"majored in)| major in) (?P<value>{w}(?: "
         r"{w}){0,3}?)(?={end}| (?:at|in|with|and)\b)", "education.field",
         "{S} [studies|does not study|used to study] {value}", importance=0.7, unless="(?:for|at|in|hard|abroad|a lot"
         "|with|the|this|that|how|all|more|it|every|late|together|my|until" r"|about|on|from|by)\b"),
    Rule("school", "study studies studied studying graduated degree school university college phd",
         "{S}(?: (?:study|studies|studied|go|goes|went)|(?:'m|m| am|'s| is) studying|{ve} graduated)(?: {w}){0,4}? "
         r"(?:at|from|to) (?P<value>(?:the )?(?:{Cap}(?: (?:{Cap}|of)){0,4}))(?<!\sof)", "education.school",
         "{S} studied at {value}", unless=r"(?!.*\b(?:university|college|school|institute|academy|tech|mit|eth|ucl\w*"
         r"|oxford|cambridge|stanford|harvard|yale|princeton|berkeley)\b)"),
    Rule("degree", "degree bachelor's bachelors master's masters phd mba diploma", "{S}{have} (?:an? |my "
         ")?(?P<value>(?:{w} ){0,2}?(?:degree|bachelor'?s|master'?s|phd|mba|diploma" r"|doctorate)(?: degree)?(?: in "
         r"{w}(?: {w}){0,3}?)?)(?={end}| (?:from|at|and)\b)", "education.degree", "{S} has a {value}", importance=0.7),
    Rule("business_named", "called named", "i (?:run|own|founded|started|co-founded|launched) (?:an?|my own) (?:{w} "
         "){1,5}(?:called|named) {name}", "business.name", "{S}'s business is called {value}", category="workflow",
         importance=0.8),
    Rule("business_kind", "we're we are is run own founded started co-founded", "{SW}(?:'re| are| is| (?P<runs>run|own"
         "|founded|started|co-founded)) (?P<value>an? (?:{w} ){0,6}?(?:company|startup|start-up|agency|shop|store"
         "|studio|bakery|firm|business|charity|non-?profit|restaurant|brand|manufacturer|consultancy|provider|clinic"
         "|practice|co-?op|lab|caf[eé]|brewery|farm|hotel|gym|salon|school|saas|bookstore|bookshop|b&b|podcast|blog"
         "|team of {w}))(?={end}| (?:in|based|that|called|with|for|from" r"|selling|and|of|which)\b)", "business.kind",
         "{S} runs {value}", category="workflow", importance=0.8, unless=r"an? (?:great|good|fun|perfect|real)\b"),
    # Family, pets, body
    Rule("family_status", "married divorced single engaged widowed separated", "{S}(?:{be}|(?: have|'ve|'s| has)?{adv} "
         "(?:got|gotten|getting)) (?:happily |newly )?(?P<value>married" r"|divorced|single|engaged|widowed"
         r"|separated)(?= to\b|{end}| (?:with|and|since|for|last|in)\b)", "family.status",
         "{S} [is|is not|was|is no longer] {value}", importance=0.7),
    Rule("spouse", "married engaged", "{S}{be} (?:happily )?(?P<rel>married|engaged) to (?P<value>{Cap})",
         "family.partner.name", "{S} is {rel} to {value}", importance=0.7),
    Rule("children", "kids children child sons son daughters daughter twins", "{SW}{have} (?P<value>{n} (?:(?!pictures"
         "|photos){w} ){0,2}?(?:kids?|child(?:ren)?|sons?|daughters?" r"|twins))\b(?!'s)", "family.children",
         "{S} has {value}", importance=0.7, unless="a couple of kids who"),
    Rule("siblings", "siblings brother brothers sister sisters sibling", "{S}{have} (?P<value>{n} (?:{w} )?(?:siblings?"
         "|brothers?|sisters?)(?: and {n} (?:{w} )?(?:brothers?" r"|sisters?))?)\b(?!'s)", "family.siblings",
         "{S} has {value}"),
    Rule("broke_up", "broke split broken", "{S}{ve} (?:broke|broken|split) up with (?P<value>{Cap}|my (?:girlfriend"
         "|boyfriend|partner|fianc[eé]e?))", "family.partner.name", "{S} broke up with {value}", importance=0.7,
         polarity=-1, correction=True),
    Rule("expecting", "pregnant expecting", "{SW}(?:{be}) (?P<value>pregnant|expecting (?:an?|our|my) (?:{w} )?(?:baby"
         "|child|boy|girl|son|daughter|twins))", "health.condition", "{S} [is|is not|was] {value}", importance=0.9),
    Rule("condition_is", "diabetic autistic dyslexic deaf blind asthmatic epileptic intolerant colorblind colourblind",
         "{S}{be} (?P<value>diabetic|autistic|dyslexic|deaf|(?:colou?r[- ]?)?blind|asthmatic|epileptic|(?:lactose"
         r"|gluten)[- ]intolerant)\b(?! to\b)", "health.condition", "{S} [is|is not|was] {value}", importance=0.9),
    Rule("pets", "dog dogs cat cats puppy kitten rabbit rabbits hamster parrot horse turtle fish bird birds pets",
         r"{SW}{have} (?P<value>{n} (?:{w} ){0,3}?(?:{pet})s?)(?={end}| (?:at|and|who|that|from)\b)", "pet.owns",
         "{S} has {value}"),
    Rule("allergy", "allergic intolerant", "{S}{be} (?:deathly |severely |highly |mildly |slightly )?(?P<how>allergic"
         "|intolerant) to {thing}", "health.allergy", "{S} [is|is not|was|is no longer] {how} to {value}",
         importance=0.95),
    Rule("has_allergy", "allergy allergies", "{S}{have} an? (?:(?:severe|bad|mild|serious|terrible) "
         ")?(?P<value>(?!severe|bad|mild|serious|terrible){w}(?: {w})?) allergy(?! to)", "health.allergy",
         "{S} has an allergy to {value}", importance=0.95),
    Rule("allergy_to", "allergy", "{S}{have} an? (?:{w} )?allergy to {thing}", "health.allergy",
         "{S} is allergic to {value}", importance=0.95),
    Rule("condition", "asthma diabetes adhd autism celiac coeliac epilepsy migraines arthritis depression anxiety ibs "
         "dyslexia hypertension insomnia", "{S}(?:{have}| suffers? from|(?:'ve| have| was|'s been) (?:been )?diagnosed "
         "with)(?: an?| chronic| severe" r"| mild| type \w+)* (?P<value>(?:type \w+ )?(?:asthma|diabetes|adhd|autism"
         r"|celiac(?: disease)?|coeliac(?: disease)?|epilepsy|migraines|arthritis|depression|anxiety|ibs|dyslexia"
         r"|hypertension|insomnia))\b", "health.condition", "{S} has {value}", importance=0.9),
    Rule("diet", "vegan vegetarian pescatarian pescetarian gluten keto halal kosher flexitarian vegetarians plant "
         "paleo", "{S}(?:{be}| (?:{do})?(?:went|eats?|follows?|keeps?|became|turned|go|gone))(?:{adv})(?: an?)?(?: "
         "strict| mostly| lifelong| new)? (?P<value>vegan|vegetarian|pesc[ae]tarian|gluten[- ]free|keto|halal|kosher"
         r"|flexitarian|plant[- ]based|paleo)(?: diet| food)?\b(?! (?:restaurant|recipe|option|cook|friend|place|caf))",
         "health.diet", "{S} [is|is not|was|is no longer] {value}", importance=0.9),
    Rule("does_not_eat", "eat drink eats drinks", "{S}{adv}(?P<neg> don'?t| do not| doesn'?t| does not| never| can'?t| "
         "cannot| no longer){adv} (?P<verb>eats?|drinks?) {thing}", "preference.{topic}",
         "{S} [eats|does not {verb}] {value}", kind="preference", category="preference", importance=0.8,
         unless=r"{deictic}|(?:a lot|much|enough|out|before|after|at|well|properly|too|like|anymore|for)\b"),
    # Languages, hobbies, things
    Rule("speaks", "speak speaks fluent", "{S}(?:{do} speaks?|{be} fluent in) {languages}", "language.spoken",
         "{S} [speaks|does not speak|used to speak] {value}", importance=0.7),
    Rule("native_language", "native mother first", "my (?:native|first|mother)(?: language| tongue){is} "
         "(?P<value>{language})", "language.native", "{S}'s native language is {value}", importance=0.8),
    Rule("native_speaker", "native", "{S}{be} a native (?P<value>{language})(?:[ -]speaker)?", "language.native",
         "{S}'s native language is {value}", importance=0.8),
    Rule("learning_language", "learning", "{S}(?:{be}|(?:'ve| have) been|{ve} started){adv} learning "
         "(?P<value>{language})", "language.learning", "{S} is learning {value}"),
    Rule("hobby_is", "hobby hobbies pastime", "my (?:main |favou?rite |biggest |new )?(?:hobby|hobbies|pastime){is} "
         "{phrase}", "hobby", "{S}'s hobby is {value}"),
    Rule("free_time", "spare free", "in my (?:free|spare) time,? i{adv} (?:like to |love to |enjoy )?{phrase}", "hobby",
         "In their free time, {S} likes to {value}"),
    Rule("plays", "play plays playing", r"{S}(?:{do} plays?|(?:'ve| have) been playing) (?:the )?(?P<value>(?:(?!with "
         r"|around|along|ever\b|never|pro\b|\w+ly\b|dead|a |an |it |this |that |games with|my |to |some |for |in |at "
         r"|on ){w})(?: {w})??)(?={end}| (?:in|on|with|every|for|at|and|since|twice|once|most)\b)", "hobby",
         "{S} [plays|does not play|used to play|no longer plays] {value}", importance=0.5),
    Rule("collects", "collect collects", "{S}{do} collects? {thing}", "hobby",
         "{S} [collects|does not collect|used to collect|no longer collects] {value}", importance=0.5,
         unless=r"{deictic}|my\b|the\b|data\b|from\b"),
    Rule("goes", "go goes", r"{S}{do} (?:go|goes) (?P<value>(?!going|missing|nothing|crazy)\w+ing)(?={end}| (?:every"
         r"|twice|once|on|in|with|at|most|two|three)\b)", "hobby", "{S} [goes|does not go|used to go|no longer goes] "
         "{value}", importance=0.5),
    Rule("tool_is", "editor ide shell terminal browser os laptop computer camera keyboard calendar car bike bank phone",
         "my (?:(?:main|preferred|current|new|work|personal) )?(?P<topic>editor|ide|shell|terminal|browser|os|laptop"
         "|computer|camera|keyboard|calendar|car|bike|bank|phone) is (?:an? )?(?P<value>{Cap}(?: {w}){0,3}?){end}",
         "tool.{topic}", "{S}'s {topic} is {value}", category="workflow", importance=0.5),
    Rule("runs_version", "python node java php ruby rust postgres postgresql mysql django rails ubuntu debian fedora "
         "macos windows linux kubernetes react angular vue", r"{SW}(?:'m|m| am|'re| are) (?:on|running) "
         r"(?P<value>(?:python|node|java|php|ruby|rust|postgres\w*|mysql|django|rails|ubuntu|debian|fedora|macos"
         r"|windows|linux|kubernetes|react|angular|vue)\b(?: [\d.]+\w*)?)", "tool", "{S} uses {value}",
         category="workflow", importance=0.5),
    Rule("drives", "drive drives own owns", "{S}(?:{do} (?P<verb>drives?|owns?)) (?P<value>(?:an?|two|three) {w}(?: "
         "{w}){0,4}?)(?={end}| (?:in|on|with" r"|for|that|and|to)\b)", "possession",
         "{S} [{verb+}|does not have|used to have|no longer has] {value}", importance=0.5),
    Rule("bought", "bought", "{SW}{ve} bought (?P<value>(?:an?|my first) {w}(?: {w}){0,4}?)(?={end}| (?:in|on|with|for"
         "|that|and|to" r"|from)\b)", "possession", "{S} bought {value}", importance=0.5,
         unless="an? (?:few|lot|bunch|couple|coffee|drink|ticket|gift|present|sandwich)"),
    Rule("uses", "use uses using", "{S}(?:{do} uses?|(?:'m|m| am){adv} using|(?:'ve| have) been using) "
         "(?P<value>(?!(?:to|the|it|this|that" r"|these|those|them|your|my|a lot|some|up|any|both|one|all|its?|which"
         r"|what)\b)(?:an? )?{w}(?: {w}){0,4}?)(?={end}| (?:for|to|on|at|with|in|and|instead|every|as)\b)", "tool",
         "{S} [uses|does not use|used to use|no longer uses] {value}", category="workflow", importance=0.5),
    Rule("switched", "switched migrated", "{SW}{ve} (?:switched|moved(?= from {w} to)|migrated|changed over|moved "
         "over)(?: over)?(?: from {w}(?: " r"{w}){0,3})? to (?P<value>(?!the\b|a\b){w}(?: {w}){0,3}?)(?={end}| (?:for"
         r"|on|at|last|in|and|from)\b)", "tool", "{S} switched to {value}", category="workflow", correction=True),
    Rule("stopped_using", "using", "{S}{ve} (?P<ended>stopped|quit) using {thing}", "tool",
         "{S} no longer uses {value}", category="workflow", unless="{deictic}"),
    Rule("stopped", "stopped quit gave given", "{S}{ve} (?P<ended>stopped|quit|given up|gave up) (?P<value>(?:smoking"
         "|drinking|eating|playing|taking" r"|going to|doing|running|working|meat|sugar|alcohol|coffee|dairy|gluten"
         r"|social media)\b(?: {w}){0,3}?){end}", "habit.{topic}", "{S} stopped {value}", correction=True),
    # Business
    Rule("business_sells", "sell sells make makes build builds offer offers produce produces manufacture manufactures "
         "design distribute", "{W}{adv} (?P<verb>sells?|makes?|builds?|offers?|produces?|manufactures?|design"
         "|distribute) {thing}", "business.product", "{S} {verb+} {value}", category="workflow", importance=0.8,
         unless="{deictic}|(?:sure|an?|sense|time|our|plans?|do|decisions?|mistakes|progress|fun|up|good|great"
         r"|memories|out|money)\b"),
    Rule("business_name", "called named company business startup shop firm", "(?:my|our) (?:company|business|startup"
         "|shop|store|firm|agency|studio|brand|bakery|restaurant|caf[eé]|team|band)(?:'s name{is}|{is} (?:called|named)"
         "|,? (?:called|named)) {name}", "business.name", "{S}'s business is called {value}", category="workflow",
         importance=0.8),
    Rule("business_place", "based located headquartered", "{W}(?:'re| are|'s| is){adv} (?:based|located|headquartered) "
         "in {place}", "business.location", "{S} is based in {value}", category="workflow", importance=0.8),
    Rule("team_uses", "use using", "{W}(?:{do} uses?|(?:'re| are|'ve been|'s| is){adv} using) (?P<value>(?!(?:to|the|it"
         "|this|that|these|those" r"|them|our|your|my|a lot|some)\b){w}(?: {w}){0,5}?)(?={end}| (?:for|to|at|in|and"
         r"|instead|as|on)\b)", "project.stack", "{S} [uses|does not use|used to use|no longer uses] {value}",
         category="project"),
    # Projects
    Rule("project_name", "project called named codenamed codename app", "(?:the|my|our|this|a) (?:new |side |current "
         ")?(?:project|app|product|repo|package|library|service|tool)(?:'s name{is}|{is} (?:called|named|codenamed)|,? "
         "(?:called|named|codenamed)) {name}", "project.name", "{S}'s project is called {value}", category="project",
         importance=0.8),
    Rule("deadline_for", "deadline due", "(?:the|our|my) deadline (?:for|of) (?:the |our |my )?(?P<topic>{w}(?: "
         "{w}){0,3}?){is}(?: on| by)? {thing}", "project.{topic}.deadline", "The deadline for {topic} is {value}",
         category="project", importance=0.85, unless=r"(?:coming|approaching|soon|not|too|tight|stressing)\b"),
    Rule("deadline", "deadline due", "(?:(?:the|our|my|final|new|project) )+deadline{is}(?: now)?(?: on| by)? {thing}",
         "project.deadline", "The deadline is {value}", category="project", importance=0.85,
         unless=r"(?:coming|approaching|soon|not|too|tight|stressing|for|killing|really|very|going)\b"),
    Rule("deadline_of", "deadline", "{SW}{have} an? deadline (?:of|on) {thing}", "project.deadline",
         "{S} has a deadline of {value}", category="project", importance=0.8),
    Rule("deadline_moved", "deadline", "(?:(?:the|our|my|project) )+deadline (?:has |was |got |is )?(?:been )?(?:moved"
         "|pushed|extended|changed|postponed|shifted)(?: back| forward| out| up)? to {thing}", "project.deadline",
         "The deadline is {value}", category="project", importance=0.85, correction=True),
    Rule("scheduled", "scheduled planned set", "(?:the|our|my) (?P<topic>{w}(?: {w}){0,2}?)(?: is|'s| has been| was) "
         "(?:now )?(?:scheduled|planned|set|booked) (?:for|on) {thing}", "project.{topic}.date",
         "The {topic} is on {value}", category="project", importance=0.75, unless="(?!.*{when})"),
    Rule("project_person", "client customer vendor supplier sponsor publisher owner lead manager",
         "(?:the|our|my) (?:{w} )?(?P<topic>client|customer|vendor|supplier|sponsor|publisher|product owner|project "
         "lead|tech lead|project manager) is (?P<value>{Cap}(?: {Cap}){0,3}){end}", "project.{topic}",
         "The {topic} is {value}", category="project", importance=0.7),
    Rule("written_in", "backend frontend server api app cli library service codebase website site bot end",
         "(?:the|our|my) (?P<topic>backend|frontend|back end|front end|server|api|app|cli|library|service|codebase"
         "|website|site|bot) is (?:all )?in (?P<value>{Cap}(?: and {Cap})?)", "project.{topic}.stack",
         "The {topic} uses {value}", category="project"),
    Rule("hosted", "deploy host hosted deployed", "(?:we{adv} (?:deploy|host)(?: it| everything)?|the (?:app|site"
         "|website|api|service|backend) is (?:hosted" r"|deployed)) (?:on|to|with|in) (?P<value>(?!the\b|our\b"
         r"|a\b){w}(?: {Cap}){0,3})", "project.hosting", "{S}'s project is hosted on {value}", category="project"),
    Rule("due", "due", "(?:the|our|my) (?P<topic>project|report|paper|thesis|assignment|proposal|essay|presentation"
         "|homework|draft|release|launch|invoice|rent|application|manuscript){is} due(?: on| by| in)? {thing}",
         "project.{topic}.deadline", "The deadline for the {topic} is {value}", category="project", importance=0.8,
         unless=r"to\b"),
    Rule("stack", "stack", "(?:our|my|the|their) (?:tech )?stack{is} {phrase}", "project.stack",
         "{S}'s stack is {value}", category="project", importance=0.7),
    Rule("port", "port runs running listens listening", "(?:the|our|my) (?P<topic>{w}(?: {w}){0,2}?) (?:runs|is running"
         "|listens|is listening|lives) (?:locally " r")?on (?:port )?(?P<value>\d{2,5}){end}", "project.{topic}.port",
         "The {topic} runs on port {value}", category="project", importance=0.7),
    Rule("default", "default", "(?:(?:the|our|my) )?default (?P<topic>{w}(?: {w}){0,3}?){is} {thing}",
         "project.default.{topic}", "The default {topic} is {value}", category="project", importance=0.8,
         unless=r"(?:to|not|set|fine|ok)\b"),
    Rule("project_fact", "repo repository branch version database budget launch release codename language framework "
         "url domain host license owner lead client python java node jira key", "(?:(?:the|our|my) |(?=jira|python|node"
         "|git))(?P<topic>(?:(?:main|production|staging|project|release|target|current|python|node|java|git|total"
         "|monthly|marketing|launch) ){0,2}(?:repo(?:sitory)?|branch|version|database|db|budget|launch date|release "
         "date|go-live date|codename|framework|url|domain|host|licen[sc]e|project lead|tech lead|product owner)|jira "
         "(?:project )?(?:key|board))(?:{is}| lives at| is at) {thing}", "project.{topic}", "{S}'s {topic} is {value}",
         category="project", importance=0.7, unless="(?:not|a bit|very|too|tight|down|broken|failing|so|now|still|gone"
         "|up|out|in|on its|really|pretty" r"|fine|good|slow|corrupted|full|growing|getting|empty|limited|approaching"
         r"|protected|missing)\b"),
    Rule("project_uses", "uses written built", "(?:the|our|my) (?P<topic>{w}(?: {w}){0,2}?) (?:uses|is written in|is "
         "built (?:with|in|on)|runs on) {thing}", "project.{topic}.stack", "The {topic} uses {value}",
         category="project", unless="{deictic}"),
    Rule("working_on", "working building developing writing", "{S}(?:(?:'m|m| am|'s| is){adv}| have been|'ve "
         "been){adv} (?:working on|building|developing|writing|creating|designing) (?P<value>(?:an?|my|our) {w}(?: "
         "{w}){0,9}?)(?={end}| (?:for|at|in|that|and|using" r"|to)\b)", "project.work", "{S} is working on {value}",
         category="project", importance=0.7, unless=r"an? (?:new |big |small |cool )?(?:project|thing|problem|task"
         r"|assignment)(?: with\b| where\b|$)|my (?:health|\w*self|fitness|skills?|mindset|form|game|shot|own|mental"
         r"|relationship)"),
)
