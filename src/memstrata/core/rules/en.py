"""English."""

from memstrata.core.rules.pack import Pack, Rule

_FAMILY = (
    "sister|brother|mom|mum|mother|dad|father|wife|husband|partner|girlfriend|boyfriend|fiancée?|fiancee?|spouse|son|daughter"
    "|kid|child|baby|aunt|uncle|cousin|niece|nephew|grandma|grandmother|grandpa|grandfather|grandson|granddaughter"
    "|(?:mother|father|sister|brother)-in-law|step(?:mother|father|mom|dad|sister|brother|son|daughter)|twin|ex|ex-wife|ex-husband"
)
_PEOPLE = (
    "best friend|friend|boss|manager|colleague|coworker|co-worker|roommate|flatmate|housemate|co-founder|cofounder|assistant"
    "|mentor|therapist|doctor|dentist|lawyer|accountant|landlord|coach|trainer|teacher|neighbou?r|client|supervisor|advisor"
)
_PETS = (
    "dog|cat|puppy|kitten|rabbit|bunny|hamster|parrot|horse|pony|turtle|tortoise|guinea pig|goldfish|fish|lizard|gecko|snake|pet|bird"
)

_MACROS = {
    # Words and ends of values
    "w": r"[^\s,;:!?()\ufffc]+",
    "Cap": r"(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'&.+-]*)",
    "n": r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|several|a few)",
    "month": r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)",
    "day": r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?",
    "end": r"(?=\s*(?:$|[,;:!()\ufffc]|\s[-–—]\s| (?:because|cause|cuz|since|but|although|though|whereas|while|when|whenever"
    r"|so|as|if|unless|until|which|who|where|thanks|and (?:i|my|we|it|that|then|so|the))\b))",
    "adv": r"(?: (?:really|also|still|just|currently|actually|always|usually|generally|mostly|now|absolutely|totally|probably"
    r"|definitely|certainly|personally|honestly|truly|simply|kinda|kind of|sort of|particularly|especially|only|already"
    r"|recently|very|so|much|strongly|sometimes|often|rather|finally|originally|basically|maybe|possibly|literally|officially))*",
    "when": r"(?:(?:next|last|this|every|early|late|the end of|end of|mid)[ -])*(?:{month}(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|{day}"
    r"|\d{1,2}(?:st|nd|rd|th)?(?: of)? {month}|tomorrow|today|tonight|yesterday|week|weekend|month|year|spring|summer|autumn|fall|winter"
    r"|(?:19|20)\d\d|\d{1,2}(?::\d\d)?\s?[ap]m|morning|afternoon|evening|night|noon|q[1-4]|eod|(?:\d+|an?|one|two|three|four|five|six|ten|a few)"
    r" (?:days?|weeks?|months?|years?|hours?)(?: ago| from now)?)\b",
    "time": r"(?:,? (?:(?:on|in|by|before|after|until|till|since|from|for|at|around|over|within|during|back in|as of)(?: the)? )?{when})+",
    "language": r"english|german|spanish|french|chinese|mandarin|cantonese|italian|portuguese|dutch|polish|russian|japanese|korean|arabic|hindi"
    r"|turkish|swedish|norwegian|danish|finnish|greek|hebrew|czech|ukrainian|vietnamese|thai|urdu|bengali|tamil|catalan|welsh"
    r"|irish|hungarian|romanian|swahili|tagalog|indonesian|farsi|persian|sign language|latin",
    # Values
    "thing": r"(?P<value>{w}(?: {w}){0,11}?){end}",
    "phrase": r"(?P<value>{w}(?:,? {w}){0,24}?)(?=\s*(?:$|[;:!()\ufffc]|, | (?:because|cause|cuz|since|but|although|though|so i"
    r"|so that|which|and (?:i|my|we|it|that|then|so))\b))",
    "name": r"\"(?P<value>[^\"]{1,40})\"|[\"']?(?P<value>{Cap}(?: (?:{Cap}|(?-i:van|von|de|der|la|bin|al))){0,3}"
    r"|(?!(?:not|very|too|the|a|an|my|your|so|really|it|this|that|in|on|at)\b)[a-z][\w'-]+(?: [a-z][\w'-]+)?{end})[\"']?",
    "place": r"(?P<value>(?:the )?{Cap}(?:[ -](?:{Cap}|(?-i:of|de|la|del|upon|am))){0,3}(?:, (?!(?-i:I\b)){Cap}(?: {Cap})?)?"
    r"|(?!(?:a|an|the|my|your|our|this|that|it|here|there|fear|hope|peace|pain|fact|general|two|one|work|home|denial|misery|town"
    r"|scratch|school|where|what|with|bed|hell|now|then|it's|love|luxury|poverty|constant|shared)\b)"
    r"[a-z][\w'-]+(?: [a-z][\w'-]+)?{end})",
    "org": r"(?P<value>(?:the )?{Cap}(?:[ -](?:{Cap}|(?-i:of|and|for|&))){0,4}(?<!\sof)(?<!\sand)(?<!\sfor)"
    r"|(?!(?:it|this|that|them|him|her|you|me|home|night|nights|least|first|all|weekends?|myself|free|hours|the moment|present"
    r"|once|times|\d|years|months|days|a while|a living|the best|what|which|peanuts|the same|my|your)\b)(?:an? |the )?{w}(?: {w}){0,4}?"
    r"(?={end}| (?:in|on|since|for|near|from|with|and)\b))",
    "role": r"(?P<value>(?:{w} ){0,4}?(?:\w+(?:er|or|ist|ian|eer|ant|ician|woman|man)|nurse|doctor|chef|cook|coach|pilot|student"
    r"|intern|ceo|cto|cfo|coo|vp|phd|sre|dba|pm|analyst|architect|scientist|freelance|clerk|judge|vet|cop|mechanic|academic|agent"
    r"|guide|lead|head|director|president|dean|psychic|temp|medic|critic|model|host|au pair|nanny|resident|paralegal|sysadmin"
    r"|barista|surgeon|actress|waitress|poet|cashier|soldier|priest|rabbi|imam|florist|librarian|secretary|diplomat|midwife|undergrad|postdoc|apprentice|trainee|housewife|homemaker|freelancer|captain|athlete|postman|detective|devops|dev|swe|entrepreneur|professional|officer)(?: (?:of|in|for) (?!the past|the last|about|over|a\b|\d){w}(?: {w})?)?)"
    r"(?={end}| (?:at|in|on|for|from|with|by|and|working|of|who|based|here)\b)",
    "languages": r"(?P<value>(?:(?:fluent|some|a little|a bit of|basic|good|native|conversational|decent) )?"
    r"(?:(?:,? and |, |,? but )?(?:{language}))+)",
    # Who
    "family": _FAMILY,
    "people": _PEOPLE,
    "pet": _PETS,
    "my_x": r"my (?:(?:older|younger|elder|little|big|twin|eldest|oldest|youngest|late|dear|new|old|first|second|middle) )?",
    "S": r"(?:(?P<me>i)|{my_x}(?P<kin>{family}|{people}|{pet})(?:,? (?P<called>{Cap}),?)?)",
    "we": r"(?P<we>we|our (?:team|company|business|startup|firm|shop|store|agency|studio|office|offices|hq|headquarters))",
    "joint": r"(?:and|but|so|because|cause|cuz|since|plus|then|although|though|while|or)",
    # Auxiliaries; each puts the group that says denied, ended or past
    "do": r"(?:(?P<past> used to)|(?P<ended> no longer)|(?P<neg> (?:don'?t|do not|doesn'?t|does not|didn'?t|never)))?{adv}",
    "be": r"(?:(?:'m|m| am|'re| are|'s| is(?=n't)| is)(?:(?P<neg> not|n't)|(?P<ended> no longer))?|(?P<past> was| used to be|'ve been)){adv}",
    "have": r"(?:(?:'ve| have|'s| has)(?: got)?| got)",
    "ve": r"(?:'ve|ve| have|'s| has)?{adv}",
    "is": r"(?:'s| is|'re| are| will be){adv}",
    "answers": r"(?:answers?|replies|reply|responses?|messages?|explanations?|emails?|mails?|posts?|summar(?:y|ies)|texts?|sentences|reports?"
    r"|code|examples?|bullet points?|emojis?|updates|drafts?|captions?|paragraphs|lists?|tables|comments|meetings?|notifications|reminders|calls)",
}  # fmt: skip

_IDLE = (  # infinitives that are ways of talking, not wishes or plans
    r"(?:just |also |first |quickly |really |clearly |honestly )*(?:think|say|ask|know|see|hear|tell|talk|thank|mention|add|point|share|make sure"
    r"|understand|admit|believe|be|clarify|confirm|check|discuss|apologi[sz]e|note|let|imagine|bring|emphasi[sz]e|go\b(?: now)?$|run$|"
    r"express|get to know|have|use|give|show|help|get|come|feel|start by|figure|wait|sleep|eat|stop|do|double|remember|try|keep|hope|consider|cry|scream|hug|vent|pass|leave|disagree|agree|work on myself)\b"
)
_VAGUE = r"\w+(?: \w+)? (?:it|this|that|them|you|him|her|more|out|up|soon|there|here)$"
_DEICTIC = (
    r"(?:it|this|that|these|those|them|they|him|her|you|your|yours|yourself|his|their|its|what|how|when|where|why|who|which|being|to be|one|both"
    r"|everything|nothing|anything|something|all|any|some|such|so|us|me|myself|more|most|and|or|not|hearing|seeing|another|seriously)\b"
)

_RULES = (
    # ---------------------------------------------------------------- who somebody is
    Rule("name", "name name's", r"my (?:full |first |last |real |actual )?name{is} {name}", "identity.name",
         "{S}'s name is {value}", importance=0.9),
    Rule("nickname", "call", r"(?:please |just |you can |everyone calls |my friends |people )*call me {name}", "identity.nickname",
         "{S} goes by {value}", importance=0.8, unless=r"(?:when|back|later|if|crazy|old|maybe|by|at|on|tomorrow|stupid)\b"),
    Rule("goes_by", "go", r"{S} go by {name}", "identity.nickname", "{S} goes by {value}", importance=0.8),
    Rule("i_am_name", "i'm im am", r"(?:i'm|i am|this is) (?P<value>{Cap}(?: {Cap})?)(?={end}|$| from\b| and\b)", "identity.name",
         "{S}'s name is {value}", importance=0.9, unless=r"\w+(?:ish|ese|ian|ican)\b|(?:german|french|dutch|greek|swiss|thai|catholic|"
         r"muslim|jewish|christian|ok|okay|so|not|very|sure|here|back|sorry|happy|glad|just|in|on|at|the|new|ceo|cto|cfo|vp|phd|hr)\b"),
    Rule("family_name", "name name's called named", r"{my_x}(?P<rel>{family})(?:'s name{is}|{is} (?:called|named)|,? (?:called|named)) {name}",
         "family.{rel}.name", "{S}'s {rel} is called {value}", importance=0.7),
    Rule("person_name", "name name's called named", r"{my_x}(?P<rel>{people})(?:'s name{is}|{is} (?:called|named)|,? (?:called|named)) {name}",
         "people.{rel}.name", "{S}'s {rel} is called {value}", importance=0.6),
    Rule("pet_name", "name name's called named", r"(?:my|our) (?:new )?(?P<rel>{pet})(?:'s name{is}|{is} (?:called|named)|,? (?:called|named)) {name}",
         "pet.{rel}.name", "{S}'s {rel} is called {value}", importance=0.7),
    Rule("has_named_pet", "called named", r"(?:i|we){have} (?:an?|my) (?:{w} ){0,3}?(?P<rel>{pet}) (?:called|named) {name}",
         "pet.{rel}.name", "{S} has a {rel} called {value}", importance=0.7),
    Rule("family_apposition", "my", r"{my_x}(?P<rel>{family}),? (?P<value>{Cap}),?(?= [a-z])", "family.{rel}.name",
         "{S}'s {rel} is called {value}", importance=0.6, certainty="implied"),
    Rule("pet_apposition", "my our", r"(?:my|our) (?P<rel>{pet}),? (?P<value>{Cap}),?(?= [a-z])", "pet.{rel}.name",
         "{S}'s {rel} is called {value}", importance=0.6, certainty="implied"),
    Rule("relative_is", "my", r"{my_x}(?P<rel>{family}) is (?P<value>{Cap})$", "family.{rel}.name", "{S}'s {rel} is called {value}",
         importance=0.6, unless=r"(?:ok|german|french|\w+(?:ish|ese|ian|ican))\b"),
    Rule("age", "i'm im am is turned old", r"{S}(?:{be}|(?:'ve| have)?{adv} turned) (?P<value>\d{1,3})(?: years? old|\s?yo| yrs old)?{end}",
         "identity.age", "{S} is {value} years old", importance=0.7),
    Rule("birthday", "birthday bday dob birth", r"my (?:birthday|bday|date of birth|dob){is}(?: on)? {thing}", "identity.birthday",
         "{S}'s birthday is {value}", importance=0.8, unless=r"(?:coming|soon|today|tomorrow|next|this|almost|a|the|just|over|around|party)\b"),
    Rule("born_when", "born", r"{S}(?: was|'s| is) born (?:on|in) (?P<value>(?:the )?(?:\d|{month}\b)[\w ,]*)", "identity.birthday",
         "{S} was born in {value}", importance=0.8),
    Rule("pronouns", "pronouns", r"my pronouns are (?P<value>\w+/\w+(?:/\w+)?)", "identity.pronouns", "{S}'s pronouns are {value}",
         importance=0.9),
    Rule("nationality", "i'm im am is", r"{S}{be} (?P<value>german|french|british|english|american|spanish|italian|dutch|polish|russian"
         r"|japanese|korean|chinese|indian|brazilian|mexican|canadian|australian|irish|scottish|swedish|norwegian|danish|finnish|greek"
         r"|turkish|ukrainian|nigerian|kenyan|vietnamese|austrian|swiss|portuguese|belgian){end}", "identity.nationality",
         "{S} [is|is not|was] {value}"),
    Rule("email", "email mail address", r"my (?:work |personal |private )?e-?mail(?: address)?{is} (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
         "contact.email", "{S}'s email address is {value}"),
    Rule("phone", "phone mobile cell number", r"my (?:phone|mobile|cell)(?: number)?{is} (?P<value>\+?\d[\d() -]{5,16}\d)", "contact.phone",
         "{S}'s phone number is {value}"),
    Rule("handle", "github twitter slack discord instagram reddit linkedin gitlab mastodon",
         r"my (?P<site>github|gitlab|twitter|slack|discord|instagram|reddit|linkedin|mastodon)(?: handle| username| account| name| id)?{is} @?(?P<value>[\w.-]+)",
         "contact.handle.{site}", "{S}'s {site} handle is {value}"),
    # ---------------------------------------------------------------- where
    Rule("lives", "live lives lived living reside based", r"{SW}(?:{adv}{do} (?:lives?|resides?)|{ve}(?P<was> lived|been living)|(?:(?:'m|m| am|'s| is){adv} (?:living|based|located)|(?:'re| are){adv} living)"
         r")(?: (?:here|back|over|out|alone|together|with {w}(?: {w})?))? in {place}",
         "location.city", "{S} [lives|does not live|used to live|no longer lives] in {value}", importance=0.8),
    Rule("moved", "moved relocated", r"{SW}{ve}{adv} (?:moved|relocated)(?: back| over| out)?(?: from {w}(?: {w})?)? to {place}", "location.city",
         "{S} moved to {value}", importance=0.8),
    Rule("moving", "moving relocating move", r"{SW}(?:(?:'m|m| am|'s| is|'re| are){adv} (?:moving|relocating|going to move|gonna move)|'ll move| will move| plan to move)"
         r"(?: back| over)?(?: from {w}(?: {w})?)? to {place}", "location.city", "{S} is moving to {value}", temporal="future",
         importance=0.8),
    Rule("origin", "from grew born", r"{S}(?:{be} from| comes? from|{adv} grew up in|(?: was|'s) born(?: and raised)? in) {place}",
         "location.origin", "{S} is from {value}", importance=0.7),
    Rule("hometown", "hometown", r"my home ?town{is} {place}", "location.origin", "{S} is from {value}", importance=0.7),
    Rule("timezone", "timezone zone time", r"(?:my time ?zone{is}|i'm (?:in|on)(?: the)?) (?P<value>{w}(?: {w})?)(?: time ?zone| time)?$", "location.timezone",
         "{S}'s time zone is {value}", importance=0.8,
         unless=r"(?![A-Z]{2,5}\b|utc|gmt|cet|\w+/\w+|(?:central|eastern|pacific|mountain)\b)"),
    # ---------------------------------------------------------------- work and learning
    Rule("employer", "work works working worked", r"{S}(?:{do} works?|(?:'m|m| am|'s| is){adv}(?P<no> not)? working|(?:'ve| have|'s| has){adv} (?:worked|been working)|"
         r" (?P<before>worked))(?: (?:remotely|full[- ]time|part[- ]time|here|over))?(?: as (?:an?|the) {w}(?: {w}){0,3}?)? (?:at|for) {org}", "work.employer",
         "{S} [works|does not work|used to work|no longer works] at {value}", importance=0.8),
    Rule("works_as", "work works working", r"{S}(?:{do} works?|(?:'m|m| am|'s| is){adv} working|(?:'ve| have|'s| has) been working)(?: {w}){0,6}? as (?:an?|the) (?P<value>{w}(?: {w}){0,4}?)(?={end}| (?:at|in|for|with|on|and|while)\b)", "work.role",
         "{S} [works|does not work|used to work|no longer works] as a {value}", importance=0.8, unless=r"(?:team|group|unit|pair|whole|family|charm|reminder|result|substitute|distraction)\b"),
    Rule("role", "i'm im am is was", r"{S}{be} (?:an?|the|our) {role}", "work.role", "{S} [is|is not|was|is no longer] a {value}",
         importance=0.8, unless=r".*\b(?:speaker|native|lover|beginner|believer|member|loner|sucker|stickler|minor|newcomer|outsider|liar|fan|number|matter|manner|"
         r"moment|killer|monster|breaker|changer|starter|winner|loser|helper|person|human|better|bigger|other|another|either|never|owner|"
         r"disaster|wonder|wonderer|starter|eater|sleeper|father|mother|brother|sister|daughter|morning|user|customer|major|sort|nightmare|reminder|keeper|"
         r"giver|important|significant|constant|huge|stranger|foreigner|survivor|veteran|vegetarian|pescatarian|flexitarian|christian|late|great|little|bit|participant|poor|over|after|"
         r"under|rather|real|slower|faster|supporter|follower|super|pleasure|treasure|center|letter|paper|later|chapter|cover|color|error|power|answer|order|favor|per|mentor to|corner|"
         r"\w+ than)\b"),
    Rule("title", "job role title position profession occupation", r"my (?:current )?(?:job|job title|role|title|position|profession|occupation) is (?:as )?{thing}",
         "work.role", "{S}'s role is {value}", importance=0.8, unless=r"(?:to|not|so|very|really|going|getting|stressful|great|hard|remote|boring|at|in|killing|pretty|fine|ok)\b"),
    Rule("role_bare", "i'm im am is", r"{S}{be} (?:the )?(?P<value>ceo|cto|cfo|coo|head of {w}|vp of {w}|co-?founder|founder|director of {w})(?={end}| (?:at|of|and)\b)",
         "work.role", "{S} [is|is not|was|is no longer] {value}", importance=0.8),
    Rule("employer_of_role", "at", r"{S}{be} (?:an? |the )?(?:{w} ){1,5}?at (?P<value>(?:the )?{Cap}(?:[ -]{Cap}){0,3})", "work.employer",
         "{S} [works|does not work|used to work|no longer works] at {value}", importance=0.8, certainty="implied",
         unless=r"(?:christmas|easter|thanksgiving)\b"),
    Rule("joined", "job started joined", r"{S}{ve} (?:(?:started|got|accepted|landed|took)(?: working)?(?: an?| my)?(?: new)?(?: (?:job|position|role|internship))? (?:at|with)|joined) (?P<value>{Cap}(?:[ -]{Cap}){0,3})",
         "work.employer", "{S} works at {value}", importance=0.8),
    Rule("left", "left quit resigned", r"{S}{ve} (?:left|(?P<ended>quit|resigned from|got laid off from|was laid off from))(?: my job at)? (?P<value>{Cap}(?:[ -]{Cap}){0,3})(?={time}|{end})", "work.employer",
         "{S} no longer works at {value}", importance=0.8, polarity=-1, correction=True, unless=r"(?:i|my)\b"),
    Rule("work_status", "retired unemployed self freelance freelancing jobs leave freelancer", r"{S}(?:{be}|{ve} just) (?P<value>retired|unemployed|self-employed|freelancing|a freelancer|between jobs|on (?:maternity|paternity|parental|sick) leave)",
         "work.status", "{S} [is|is not|was|is no longer] {value}", importance=0.7),
    Rule("work_field", "work works working", r"{S}(?:{do} works?|(?:'m|m| am|'s| is){adv} working) in (?P<value>(?-i:(?!the |a |an |my |our |this |progress|general|person|pairs|teams|silence|peace|spurts|sprints|one|two)[a-z][\w-]+)(?: (?!and |at |for ){w}){0,2}?)(?={end}| (?:at|for|and)\b)",
         "work.field", "{S} [works|does not work|used to work|no longer works] in {value}", importance=0.7),
    Rule("teaches", "teach teaches", r"{S}{do} teach(?:es)? (?P<value>{w}(?: {w}){0,2}?)(?={end}| (?:at|in|to|for|and)\b)", "work.field", "{S} [teaches|does not teach|used to teach] {value}", importance=0.7, unless=rf"{_DEICTIC}|my\b|kids?\b"),
    Rule("team", "team", r"{S}(?:{be} (?:on|in|part of|leading)| (?:lead|manage|run|joined)s?) (?:the|our) (?P<value>{w}(?: {w}){0,2}) team\b", "work.team",
         "{S} is on the {value} team", importance=0.7, unless=r"(?:same|best|winning|other|whole|right|wrong|losing)\b"),
    Rule("studies", "study studies studied studying major majoring majored", r"{S}(?:{do} (?:study|studies)|(?:'m|m| am|'s| is){adv} (?:studying|majoring in)|(?P<ago>{adv} studied| majored in)| major in) (?P<value>{w}(?: {w}){0,3}?)(?={end}| (?:at|in|with|and)\b)",
         "education.field", "{S} [studies|does not study|used to study] {value}", importance=0.7,
         unless=r"(?:for|at|in|hard|abroad|a lot|with|the|this|that|how|all|more|it|every|late|together|my|until|about|on|from|by)\b"),
    Rule("school", "study studies studied studying graduated degree school university college phd", r"{S}(?: (?:study|studies|studied|go|goes|went)|(?:'m|m| am|'s| is) studying|{ve} graduated)(?: {w}){0,4}? (?:at|from|to) (?P<value>(?:the )?(?:{Cap}(?: (?:{Cap}|of)){0,4}))(?<!\sof)",
         "education.school", "{S} studied at {value}", importance=0.6, unless=r"(?!.*\b(?:university|college|school|institute|academy|tech|mit|eth|ucl\w*|oxford|cambridge|stanford|harvard|yale|princeton|berkeley)\b)"),
    Rule("degree", "degree bachelor's bachelors master's masters phd mba diploma", r"{S}{have} (?:an? |my )?(?P<value>(?:{w} ){0,2}?(?:degree|bachelor'?s|master'?s|phd|mba|diploma|doctorate)(?: degree)?(?: in {w}(?: {w}){0,3}?)?)(?={end}| (?:from|at|and)\b)",
         "education.degree", "{S} has a {value}", importance=0.7),
    Rule("business_kind", "we're we are run own", r"{SW}(?:'re| are| is| (?P<runs>run|own|founded|started|co-founded)) (?P<value>an? (?:{w} ){0,6}?(?:company|startup|start-up|agency|shop|store|studio|bakery|firm|business|charity|non-?profit|restaurant|brand|manufacturer|consultancy|provider|clinic|practice|co-?op|lab|caf[eé]|brewery|farm|hotel|gym|salon|school|saas|bookstore|bookshop|b&b|podcast|blog|team of {w}))(?={end}| (?:in|based|that|called|with|for|from|selling|and|of|which)\b)", "business.kind", "{S} runs {value}", category="workflow", importance=0.8, unless=r"an? (?:great|good|fun|perfect|real)\b"),
    # ---------------------------------------------------------------- family, pets, body
    Rule("family_status", "married divorced single engaged widowed separated", r"{S}(?:{be}|(?: have|'ve|'s| has)?{adv} (?:got|gotten|getting)) (?:happily |newly )?(?P<value>married|divorced|single|engaged|widowed|separated)(?= to\b|{end}| (?:with|and|since|for|last|in)\b)",
         "family.status", "{S} [is|is not|was|is no longer] {value}", importance=0.7),
    Rule("spouse", "married engaged", r"{S}{be} (?:happily )?(?P<rel>married|engaged) to (?P<value>{Cap})", "family.partner.name", "{S} is {rel} to {value}", importance=0.7),
    Rule("children", "kids children child sons son daughters daughter twins", r"{SW}{have} (?P<value>{n} (?:(?!pictures|photos){w} ){0,2}?(?:kids?|child(?:ren)?|sons?|daughters?|twins))\b(?!'s)",
         "family.children", "{S} has {value}", importance=0.7, unless=r"a couple of kids who"),
    Rule("siblings", "siblings brother brothers sister sisters sibling", r"{S}{have} (?P<value>{n} (?:{w} )?(?:siblings?|brothers?|sisters?)(?: and {n} (?:{w} )?(?:brothers?|sisters?))?)\b(?!'s)",
         "family.siblings", "{S} has {value}", importance=0.6),
    Rule("pets", "dog dogs cat cats puppy kitten rabbit rabbits hamster parrot horse turtle fish bird birds pets", r"{SW}{have} (?P<value>{n} (?:{w} ){0,3}?(?:{pet})s?)(?={end}| (?:at|and|who|that|from)\b)",
         "pet.owns", "{S} has {value}", importance=0.6),
    Rule("allergy", "allergic", r"{S}{be} (?:deathly |severely |highly |mildly |slightly )?allergic to {thing}", "health.allergy", "{S} [is|is not|was|is no longer] allergic to {value}",
         importance=0.95),
    Rule("has_allergy", "allergy allergies", r"{S}{have} an? (?:(?:severe|bad|mild|serious|terrible) )?(?P<value>{w}(?: {w})?) allergy", "health.allergy", "{S} has an allergy to {value}", importance=0.95),
    Rule("allergy_to", "allergy", r"{S}{have} an? (?:{w} )?allergy to {thing}", "health.allergy", "{S} is allergic to {value}", importance=0.95),
    Rule("condition", "asthma diabetes diabetic adhd autism celiac coeliac epilepsy migraines arthritis depression anxiety ibs dyslexia dyslexic hypertension insomnia intolerant autistic",
         r"{S}(?:{have}| suffers? from|{be}|(?:'ve| have| was|'s been) (?:been )?diagnosed with)(?: an?| chronic| severe| mild| type \w+)* (?P<value>(?:type \w+ )?(?:asthma|diabetes|diabetic|adhd|autism|autistic|celiac(?: disease)?|coeliac(?: disease)?|epilepsy|migraines|arthritis|depression|anxiety|ibs|dyslexi[ac]|hypertension|insomnia|(?:lactose|gluten)[- ]intolerant))\b",
         "health.condition", "{S} has {value}", importance=0.9),
    Rule("diet", "vegan vegetarian pescatarian pescetarian gluten keto halal kosher flexitarian vegetarians plant paleo", r"{S}(?:{be}| (?:{do})?(?:went|eats?|follows?|keeps?|became|turned|go|gone))(?:{adv})(?: an?)?(?: strict| mostly| lifelong| new)? (?P<value>vegan|vegetarian|pesc[ae]tarian|gluten[- ]free|keto|halal|kosher|flexitarian|plant[- ]based|paleo)(?: diet| food)?\b(?! (?:restaurant|recipe|option|cook|friend|place|caf))",
         "health.diet", "{S} [is|is not|was|is no longer] {value}", importance=0.9),
    Rule("does_not_eat", "eat drink eats drinks", r"{S}{adv}(?P<neg> don'?t| do not| doesn'?t| does not| never| can'?t| cannot| no longer){adv} (?P<verb>eats?|drinks?) {thing}", "preference.{topic}",
         "{S} [eats|does not {verb}] {value}", kind="preference", category="preference", importance=0.8, unless=rf"{_DEICTIC}|(?:a lot|much|enough|out|before|after|at|well|properly|too|like|anymore|for)\b"),
    # ---------------------------------------------------------------- languages, hobbies, things
    Rule("speaks", "speak speaks fluent", r"{S}(?:{do} speaks?|{be} fluent in) {languages}", "language.spoken", "{S} [speaks|does not speak|used to speak] {value}", importance=0.7),
    Rule("native_language", "native mother first", r"my (?:native|first|mother)(?: language| tongue){is} (?P<value>{language})", "language.native", "{S}'s native language is {value}", importance=0.8),
    Rule("native_speaker", "native", r"{S}{be} a native (?P<value>{language})(?:[ -]speaker)?", "language.native", "{S}'s native language is {value}", importance=0.8),
    Rule("learning_language", "learning", r"{S}(?:{be}|(?:'ve| have) been|{ve} started){adv} learning (?P<value>{language})", "language.learning", "{S} is learning {value}", importance=0.6),
    Rule("hobby_is", "hobby hobbies pastime", r"my (?:main |favou?rite |biggest |new )?(?:hobby|hobbies|pastime){is} {phrase}", "hobby", "{S}'s hobby is {value}", importance=0.6),
    Rule("free_time", "spare free", r"in my (?:free|spare) time,? i{adv} (?:like to |love to |enjoy )?{phrase}", "hobby", "In their free time, {S} likes to {value}", importance=0.6),
    Rule("plays", "play plays playing", r"{S}(?:{do} plays?|(?:'ve| have) been playing) (?:the )?(?P<value>(?:(?!with |around|along|ever\b|never|pro\b|\w+ly\b|dead|a |an |it |this |that |games with|my |to |some |for |in |at |on ){w})(?: {w})??)(?={end}| (?:in|on|with|every|for|at|and|since|twice|once|most)\b)",
         "hobby", "{S} [plays|does not play|used to play|no longer plays] {value}", importance=0.5),
    Rule("drives", "drive drives own owns", r"{S}(?:{do} (?P<verb>drives?|owns?)) (?P<value>(?:an?|two|three) {w}(?: {w}){0,4}?)(?={end}| (?:in|on|with|for|that|and|to)\b)", "possession", "{S} [{verb+}|does not have|used to have|no longer has] {value}", importance=0.5),
    Rule("bought", "bought", r"{SW}{ve} bought (?P<value>(?:an?|my first) {w}(?: {w}){0,4}?)(?={end}| (?:in|on|with|for|that|and|to|from)\b)", "possession", "{S} bought {value}", importance=0.5,
         unless=r"an? (?:few|lot|bunch|couple|coffee|drink|ticket|gift|present|sandwich)"),
    Rule("uses", "use uses using", r"{S}(?:{do} uses?|(?:'m|m| am){adv} using|(?:'ve| have) been using) (?P<value>(?!(?:to|the|it|this|that|these|those|them|your|my|a lot|some|up|any|both|one|all|its?|which|what)\b)(?:an? )?{w}(?: {w}){0,4}?)(?={end}| (?:for|to|on|at|with|in|and|instead|every|as)\b)",
         "tool", "{S} [uses|does not use|used to use|no longer uses] {value}", category="workflow", importance=0.5),
    Rule("switched", "switched migrated", r"{SW}{ve} (?:switched|migrated|changed over|moved over)(?: over)?(?: from {w}(?: {w}){0,3})? to (?P<value>(?!the\b|a\b){w}(?: {w}){0,3}?)(?={end}| (?:for|on|at|last|in|and|from)\b)",
         "tool", "{S} switched to {value}", category="workflow", importance=0.6, correction=True),
    Rule("stopped_using", "using", r"{S}{ve} (?P<ended>stopped|quit) using {thing}", "tool", "{S} no longer uses {value}", category="workflow", importance=0.6, unless=_DEICTIC),
    Rule("stopped", "stopped quit gave given", r"{S}{ve} (?P<ended>stopped|quit|given up|gave up) (?P<value>(?:smoking|drinking|eating|playing|taking|going to|doing|running|working|meat|sugar|alcohol|coffee|dairy|gluten|social media)\b(?: {w}){0,3}?){end}", "habit.{topic}",
         "{S} stopped {value}", importance=0.6, correction=True),
    # ---------------------------------------------------------------- likes and dislikes
    Rule("favourite", "favorite favourite fav fave", r"(?P<own>my|{my_x}(?P<kin>{family}|{pet})'s) (?:all[- ]time )?(?:fav(?:ou?rite)?|fave) (?P<topic>(?!things?\b|parts?\b|ones?\b|moments?\b|memory|memories){w}(?: (?!is\b|are\b|has\b|was\b){w}){0,3}?)(?:{is}| has (?:always )?been| has to be| would (?:have to )?be) {thing}",
         "favourite.{topic}", "{S}'s favourite {topic} is {value}", kind="preference", category="preference", importance=0.7, unless=r"(?:when|how|to see|coming|out|not|that)\b"),
    Rule("is_favourite", "favorite favourite fav", r"(?P<value>{Cap}(?: {w}){0,3}?|\w+) (?:is|are) my (?:all[- ]time )?(?:fav|favou?rite) (?P<topic>{w}(?: {w})?){end}", "favourite.{topic}", "{S}'s favourite {topic} is {value}", kind="preference", category="preference", importance=0.7,
         unless=_DEICTIC + r"|(?:he|she|here)\b"),
    Rule("prefers", "prefer prefers rather", r"{S}(?:{do} prefers?|(?:'d|d| would){adv} (?:prefer|rather(?: have)?)) (?!to (?:say|think)\b)(?P<value>{w}(?: {w}){0,14}?)(?={end})", "preference.{topic}",
         "{S} [prefers|does not prefer|used to prefer|no longer prefers] {value}", kind="preference", category="preference", importance=0.75, unless=rf"{_DEICTIC}|not to\b|if\b|(?:wait|not|go|stay|be|die|do|see|skip|leave|keep|just|try)\b|.*\b(?:this|that) (?:one|way)\b"),
    Rule("likes", "like likes love loves enjoy enjoys adore adores", r"{S}{adv}{do} (?P<verb>likes?|loves?|enjoys?|adores?)(?: also)? {thing}", "preference.{topic}", "{S} [{verb+}|does not {verb}|used to {verb}|no longer {verb+}] {value}", kind="preference", category="preference",
         unless=rf"{_DEICTIC}|to {_IDLE}|an? (?:good|great|nice|fool|lot|million|madman|bit|baby|kid|child|charm|dream|fish|failure|complete)\b|.*\b(?:him|her|them|you|your|this|that|these|those|here|there|itself)\b|the (?:idea|thought|way|look|sound|fact|rest|part|end)\b|the (?!\w+ of \w)|(?:crazy|hell|crap|shit|mad|minded|new|is|was|i|my|dying)\b"),
    Rule("hates", "hate hates dislike dislikes despise detest loathe stand bear", r"{S}{adv} (?P<verb>hates?|dislikes?|despises?|detests?|loathes?|can'?t stand|cannot stand|can'?t bear) {thing}", "preference.{topic}", "{S} {verb+} {value}", kind="preference", category="preference", polarity=-1,
         unless=rf"{_DEICTIC}|to\b|that\b|my (?:life|self)\b|.*\b(?:you|your|this|that)\b|the (?!\w+ of \w|taste|smell|sound)"),
    Rule("fan_of", "fan into fond keen", r"{S}{be}(?: an?)?(?: (?:big|huge|massive|great|real|bit of a|total))* (?:fan of|into|fond of|keen on) {thing}", "preference.{topic}", "{S} [likes|does not like|used to like|no longer likes] {value}", kind="preference", category="preference", unless=rf"{_DEICTIC}|the (?:same|idea|way|whole|rest)\b|.*\b(?:you|your|this|that)\b"),
    Rule("wants_output", "want like need", r"{S}(?: want| need|'d like| would like|'d love|d like){adv} (?:all |my |your |the )*(?P<value>(?:{w} ){0,3}?{answers}(?: (?:to be|in|with|under|without|at|as|on|that|shorter|longer|of) {w}(?: {w}){0,6}?)?){end}", "preference.{topic}", "{S} wants {value}", kind="preference", category="preference", importance=0.7,
         unless=rf"(?:an?|this|that|some|help|to|more|another|one|two|\d+|you)\b"),
    Rule("wants_not", "want", r"{S}{adv}(?P<neg> don'?t| do not| never){adv} want {thing}", "preference.{topic}", "{S} [wants|does not want] {value}", kind="preference", category="preference", importance=0.7, unless=rf"{_DEICTIC}|to {_IDLE}|to\b|my\b|a fight"),
    # ---------------------------------------------------------------- instructions to the assistant
    Rule("from_now_on", "now going forward future", r"(?:please,? )?(?:from now on|going forward|in (?:the )?future|from here on),? (?:please )?(?P<value>(?!i\b|i'|we\b|it\b|my\b|the\b|there\b|this\b){w}(?:,? {w}){1,24})", "instruction.rule", "{S} asks: from now on, {value}", kind="preference", category="preference", importance=0.9, conditional=True, opening=True),
    Rule("always", "always never", r"(?:please |and |when (?!i\b){w}(?: {w}){1,6}, |remember:? (?:to )?|you (?:should|must) |make sure (?:you|to) )*(?P<how>always|never) (?P<value>(?!\w+(?:ed|ing)\b|(?!address|process|discuss|express|pass|focus|access|guess|stress|cross)\w+s\b){w}(?:,? {w}){1,24})", "instruction.rule", "{S} asks: {how} {value}", kind="preference", category="preference", importance=0.9, conditional=True,
         unless=r"(?:an?|the|in|on|at|my|i|been|seen|had|thought|knew|heard|mind|again|ever|happy|good|great|nice|fun|here|there|too|gonna|going|felt|got|saw|really|be|give up|stop (?:learn|dream|believ|try)\w*|forget|lose|stay|believe|trust|keep going|remember|let|underestimate|wanted|have i|have|has|so|did|not|said|been|met|feels|is|was|knows?|open to|easy|makes|up for|nice|know|love|quite|a|full|room|such|more|keep (?:going|up|it up|smiling|dreaming|fighting|learning)|looking)\b", opening=True),
    Rule("keep_answers", "keep make", r"(?:please |can you please |and )*(?:keep|make) (?P<value>(?:(?:your|all|the|my) )*{answers} (?!up|coming|going){w}(?: {w}){0,12}|(?:it|things|everything) (?:short|brief|simple|concise|formal|informal|casual|professional|high[- ]level|under|below)(?: {w}){0,6})", "instruction.style", "{S} asks: keep {value}", kind="preference", category="preference", importance=0.9, unless=r"(?:the|my|a) (?!answers|replies|responses)"),
    Rule("answer_in", "answer reply respond speak talk write explain", r"(?:please |only |just )*(?:answer|reply|respond|speak|talk|write)(?: to me)?(?: only)? (?P<value>in (?:{language}|bullet points|plain english|short sentences|full sentences|markdown|lower ?case|one sentence)(?: {w}){0,6})", "instruction.language", "{S} asks: answer {value}", kind="preference", category="preference", importance=0.9),
    Rule("no_emojis", "use using avoid stop no skip", r"(?:please |can you |and )*(?P<how>don'?t use|do not use|stop using|avoid(?: using)?|no more|no|skip(?: the)?) (?P<value>(?:any |so many |the )?(?:emojis?|exclamation marks|bullet points|em[- ]dashes|jargon|markdown|tables|headings|slang|buzzwords|filler|acronyms|passive voice|semicolons|hashtags|cliches|clichés|abbreviations)(?: {w}){0,8})", "instruction.style", "{S} asks: {how} {value}", kind="preference", category="preference", importance=0.9, polarity=-1),
    Rule("be_concise", "be", r"(?:please |just |and )*be (?:more |as |very )?(?P<value>(?:concise|brief|succinct|direct|blunt|formal|informal|casual|polite|honest|specific|terse)(?: {w}){0,8})", "instruction.style", "{S} asks: be {value}", kind="preference", category="preference", importance=0.85, unless=r"honest(?! with me)|specific$"),
    # ---------------------------------------------------------------- business
    Rule("business_sells", "sell sells make build offer produce manufacture", r"{W}{adv} (?P<verb>sells?|makes?|builds?|offers?|produces?|manufactures?|design|distribute) {thing}", "business.product", "{S} {verb+} {value}", category="workflow", importance=0.8, unless=rf"{_DEICTIC}|(?:sure|an?|sense|time|our|plans?|do|decisions?|mistakes|progress|fun|up|good|great|memories|out|money)\b"),
    Rule("business_name", "called named company business startup shop firm", r"(?:my|our) (?:company|business|startup|shop|store|firm|agency|studio|brand|bakery|restaurant|caf[eé]|team|band)(?:'s name{is}|{is} (?:called|named)|,? (?:called|named)) {name}", "business.name", "{S}'s business is called {value}", category="workflow", importance=0.8),
    Rule("business_place", "based located headquartered", r"{W}(?:'re| are|'s| is){adv} (?:based|located|headquartered) in {place}", "business.location", "{S} is based in {value}", category="workflow", importance=0.8),
    Rule("team_uses", "use using", r"{W}(?:{do} uses?|(?:'re| are|'ve been|'s| is){adv} using) (?P<value>(?!(?:to|the|it|this|that|these|those|them|our|your|my|a lot|some)\b){w}(?: {w}){0,5}?)(?={end}| (?:for|to|at|in|and|instead|as|on)\b)", "project.stack", "{S} [uses|does not use|used to use|no longer uses] {value}", category="project", importance=0.6),
    # ---------------------------------------------------------------- projects
    Rule("project_name", "project called named codenamed codename app", r"(?:the|my|our|this|a) (?:new |side |current )?(?:project|app|product|repo|package|library|service|tool)(?:'s name{is}|{is} (?:called|named|codenamed)|,? (?:called|named|codenamed)) {name}", "project.name", "{S}'s project is called {value}", category="project", importance=0.8),
    Rule("deadline_for", "deadline due", r"(?:the|our|my) deadline (?:for|of) (?:the |our |my )?(?P<topic>{w}(?: {w}){0,3}?){is}(?: on| by)? {thing}", "project.{topic}.deadline", "The deadline for {topic} is {value}", category="project", importance=0.85, unless=r"(?:coming|approaching|soon|not|too|tight|stressing)\b"),
    Rule("deadline", "deadline due", r"(?:(?:the|our|my|final|new|project) )+deadline{is}(?: now)?(?: on| by)? {thing}", "project.deadline", "The deadline is {value}", category="project", importance=0.85, unless=r"(?:coming|approaching|soon|not|too|tight|stressing|for|killing|really|very|going)\b"),
    Rule("due", "due", r"(?:the|our|my) (?P<topic>project|report|paper|thesis|assignment|proposal|essay|presentation|homework|draft|release|launch|invoice|rent|application|manuscript){is} due(?: on| by| in)? {thing}", "project.{topic}.deadline", "The deadline for the {topic} is {value}", category="project", importance=0.8, unless=r"to\b"),
    Rule("stack", "stack", r"(?:our|my|the|their) (?:tech )?stack{is} {phrase}", "project.stack", "{S}'s stack is {value}", category="project", importance=0.7),
    Rule("port", "port runs running listens listening", r"(?:the|our|my) (?P<topic>{w}(?: {w}){0,2}?) (?:runs|is running|listens|is listening|lives) (?:locally )?on (?:port )?(?P<value>\d{2,5}){end}", "project.{topic}.port", "The {topic} runs on port {value}", category="project", importance=0.7),
    Rule("default", "default", r"(?:(?:the|our|my) )?default (?P<topic>{w}(?: {w}){0,3}?){is} {thing}", "project.default.{topic}", "The default {topic} is {value}", category="project", importance=0.8, unless=r"(?:to|not|set|fine|ok)\b"),
    Rule("project_fact", "repo repository branch version database budget launch release codename language framework url domain host license owner lead client python java node",
         r"(?:the|our|my) (?P<topic>(?:(?:main|production|staging|project|release|target|current|python|node|java|git|total|monthly|marketing|launch) ){0,2}(?:repo(?:sitory)?|branch|version|database|db|budget|launch date|release date|go-live date|codename|framework|url|domain|host|licen[sc]e|project lead|tech lead|product owner)){is} {thing}", "project.{topic}", "{S}'s {topic} is {value}", category="project", importance=0.7, unless=r"(?:not|a bit|very|too|tight|down|broken|failing|so|now|still|gone|up|out|in|on its|really|pretty|fine|good|slow|corrupted|full|growing|getting|empty|limited|approaching|protected|missing)\b"),
    Rule("project_uses", "uses written built", r"(?:the|our|my) (?P<topic>{w}(?: {w}){0,2}?) (?:uses|is written in|is built (?:with|in|on)|runs on) {thing}", "project.{topic}.stack", "The {topic} uses {value}", category="project", importance=0.6, unless=rf"{_DEICTIC}"),
    Rule("working_on", "working building developing writing", r"{S}(?:(?:'m|m| am|'s| is){adv}| have been|'ve been){adv} (?:working on|building|developing|writing|creating|designing) (?P<value>(?:an?|my|our) {w}(?: {w}){0,9}?)(?={end}| (?:for|at|in|that|and|using|to)\b)", "project.work", "{S} is working on {value}", category="project", importance=0.7, unless=r"my (?:health|\w*self|fitness|skills?|mindset|form|game|shot|own|mental|relationship)"),
    # ---------------------------------------------------------------- decisions
    Rule("decided", "decided decide", r"(?P<who>i|we)(?:'ve|ve| have)?{adv} decided (?P<value>(?:not )?(?:to|on|against) {w}(?:,? {w}){0,20}?){end}", "decision", "{S} decided {value}", kind="decision", category="decision", importance=0.8),
    Rule("chose", "chosen chose picked settled opted went going agreed go gone", r"(?P<who>i|we)(?:'ve|ve| have|'re| are|'m| am|'ll)?{adv} (?:chosen|chose|picked|settled on|opted for|went with|going with|gone with|go with|agreed on) (?P<value>(?!to\b)(?!me\b|him\b|her\b|them\b|my\b|it\b|you\b|up\b|out\b|some\b|these\b|this\b|that\b){w}(?: {w}){0,10}?){end}", "decision", "{S} chose {value}", kind="decision", category="decision", importance=0.75),
    Rule("agreed_to", "agreed", r"we(?:'ve| have)?{adv} agreed to {phrase}", "decision", "{S} agreed to {value}", kind="decision", category="decision", importance=0.75),
    Rule("lets_go_with", "let's lets", r"(?:ok |okay )?let'?s (?:just )?(?:go with|use|stick with|stick to|settle on|go for) {thing}", "decision", "{S} decided to go with {value}", kind="decision", category="decision", importance=0.75, unless=rf"{_DEICTIC}|(?:with )?the flow|an? (?:walk|run|swim|drive|drink|hike|coffee|example|ride)"),
    Rule("plan_is", "plan decision", r"the (?:plan|decision|current plan|new plan) is (?:now )?to {phrase}", "decision", "{S} plans to {value}", kind="decision", category="decision", importance=0.75),
    # ---------------------------------------------------------------- goals and things to do
    Rule("remind", "remind forget", r"(?:please |can you |and )*(?:remind me to|don'?t let me forget to) {phrase}", "task", "{S} needs to {value}", kind="plan", category="workflow", importance=0.75, temporal="future"),
    Rule("todo", "todo", r"(?:todo|to-do|action item):? {phrase}", "task", "{S} needs to {value}", kind="plan", category="workflow", importance=0.7, temporal="future"),
    Rule("must", "need have must gotta got needs has", r"{S}{adv}(?:'ve)? (?:needs? to|ha(?:ve|s)(?: got)? to|must|gotta|(?:'ve|'s) got to) {phrase}", "task", "{S} needs to {value}", kind="plan", category="workflow", importance=0.6, temporal="future", unless=rf"{_IDLE}|(?:not|go to bed|be)\b|find (?:an?|some|the) (?:\w+ )?(?:way|time)|{_VAGUE}"),
    Rule("team_must", "need have must", r"{W}{adv} (?:need to|have to|must) {phrase}", "task", "{S} needs to {value}", kind="plan", category="project", importance=0.6, temporal="future", unless=rf"{_IDLE}|(?:not|go|leave|be|stick|stay|catch up|meet|chat|celebrate|plan|learn|support|look)\b|find (?:an?|some|the) (?:\w+ )?(?:way|time)|{_VAGUE}"),
    Rule("goal_is", "goal goals aim resolution dream", r"my (?:main |big |biggest |long-term |short-term |next |current |ultimate )*(?:goal|aim|objective|resolution|dream)(?: for {w}(?: {w}){0,2}?| this year)?{is} (?:to )?{phrase}", "goal", "{S}'s goal is to {value}", kind="plan", category="goal", importance=0.8, temporal="future", unless=r"(?:that|not|a|the|coming|this)\b"),
    Rule("wants_to", "want wanna wants hope hoping planning plan trying aiming intend love like", r"{SW}(?:{adv} (?:want to|wants to|wanna|hope to|hopes to|plan to|plans to|intend to|aim to)|(?:'m|m| am|'s| is|'re| are){adv} (?:hoping to|planning to|planning on|trying to|aiming to|looking to)|(?:'d| would) (?:love|like) to (?=visit|learn|travel|try|see|go)) {phrase}", "goal", "{S} wants to {value}", kind="plan", category="goal", importance=0.65, temporal="future", unless=rf"{_IDLE}|(?:see|go) (?:you|it|that|what|how|if|more|there|home|back)\b|(?:learn|hear|know) more\b|(?:stay|brag|debug this)\b|{_VAGUE}"),
    Rule("training_for", "training saving preparing studying", r"{S}(?:'m|m| am|'s| is|'ve been){adv} (?P<verb>training for|saving(?: up)? for|preparing for|studying for) {phrase}", "goal", "{S} is {verb} {value}", kind="plan", category="goal", importance=0.65, temporal="future", unless=r"(?:it|this|that)\b"),
    Rule("going_to", "going gonna will i'll", r"{SW}(?=.*{time})(?:(?:'m|m| am|'s| is|'re| are){adv} (?:going to|gonna)|'ll| will){adv} (?P<value>(?!the\b|a\b|an\b|my\b|bed\b|work\b|school\b){w}(?:,? {w}){1,24}?)(?=\s*(?:$|[;:!()]|, | (?:because|but|so|since)\b))", "goal", "{S} is going to {value}", kind="plan", category="goal", importance=0.55, temporal="future", unless=rf"{_IDLE}|(?:need|take|like|miss|never|always|look into|definitely|probably not|not|go with|take care|love|look|also|make it|check|stay|let)\b"),
    Rule("appointment", "appointment meeting interview exam flight deadline surgery wedding concert call", r"{S}{have} (?P<value>an? (?:{w} ){0,3}?(?:appointment|meeting|interview|exam|flight|surgery|wedding|concert|call|presentation)(?: (?:with|in|at|to|for) (?!the next){w}(?: {w}){0,2}?)?)(?={time}|{end})", "task", "{S} has {value}", kind="plan", category="workflow", importance=0.65, temporal="future"),
)  # fmt: skip


PACK = Pack(
    language="en",
    user="User",
    team="team",
    possessive="{owner}'s {thing}",
    macros=_MACROS,
    rules=_RULES,
    understood={
        "i ": r"(?:(?:just |also |really |still |recently )*(?:love|hate|prefer|live in|moved to|work (?:at|for|as)|gotta|need to|have to|wanna|can't stand|switched (?:from|to)|decided)\b(?! you))",
        "i've ": r"been \w+ing\b", "i was ": r"born\b", "i'm ": r"(?:currently |originally )?(?:allergic|based in|from (?-i:[A-Z])|married|vegan|vegetarian|working (?:at|as|for|on)|living in|moving to|trying to|planning to)\b",
    },
    dangling=r" (?:of|during|than|to|through|between|with|for|from|the|a|an|at|by|and|or|about|into|instead of|as|on|in|my|your|their|per)$",
    subject=r"(?:{S}|{we}|they|he|she|you|it|this|that|there|everyone|everybody|who|people)(?P<be>'m\b|m\b| am\b|'re\b| are\b|'s\b| is\b)?(?=[ ']|ve\b|d\b|ll\b|$)",
    lead=r"(?:(?:well|so|oh|yes|yeah|yep|no(?=[,.!])|nope|ok|okay|hi|hey|hello|btw|by the way|fyi|and|but|also|plus|anyway|honestly|actually|ah|wow|haha"
    r"|lol|tbh|to be honest|in fact|basically|sorry|wait|hmm|um|uh|thanks|thank you|right now|currently|nowadays|these days|now|look|sure|great|cool"
    r"|personally|as you know|you know|just so you know|for context|for reference|note that|please note that|remember that|please remember that"
    r"|please remember|remember|heads up|just a heads up|quick note|update|correction|scratch that|i meant|i mean|maybe|perhaps|probably|possibly"
    r"|i think that|i think|i guess|i believe|i suppose|i feel like|not sure but|generally|in general|usually|as a rule|sometimes|unfortunately|luckily"
    r"|fortunately|at work|at home|on (?:the )?weekends?|every {w}|most days|in the (?:mornings?|evenings?)|(?:my|our) {w} and|since i|because|(?:as of|since) {when}|{when}|in {when}|(?:on|by) {when}|one more thing|oh and|also,? note|good news"
    r"|the thing is|truth is|main thing is|additionally|furthermore|moreover|besides|in addition|first of all|first|second|finally|then|still|again"
    r"|morning|good morning|hey there|hi there|hello there|hi all|guys|dude|man|bro|turns out|it turns out|guess what|not gonna lie|ngl|imo|"
    r"[-*•]|\d{1,2}[.)])(?:[,:!.…]|\s-|\s–|$)*\s+)*",
    breaks=r"(?:(?:\s*[,;:–—(]|\s-)\s*(?:{joint}\s+)?|\s+{joint}\s+)(?=(?:i|i'm|i've|i'd|i'll|im|ive|my|we|we're|we've|our|please|always|never"
    r"|let's|from now on|the (?:deadline|plan|project|api)|keep|don't)\b)",
    carry_verb=r",?\s+(?:and|but)(?: also| now| then| really| just| still)*\s+(?=(?:like|love|hate|enjoy|prefer|live|work|drive|speak|play|use|study|own|have|need|want|am|don't"
    r"|do not|can't stand|dislike|moved|decided|plan|lives|works|likes|loves|hates|drives|speaks|plays|has|studies|is|switched|grew|sell|make|used to)\b)",
    carry_be=r",?\s+(?:and|but)(?: also| currently| now)*\s+(?=(?:allergic|married|based|vegetarian|vegan|from|an? (?!half)|living|working|studying|originally|single|divorced|retired|moving|learning|planning|trying)\b)",
    questions=r"(?:(?:so|and|but|ok|okay|hey|hi|hello|well|also|then|btw|oh|wait|um|now|or|alternatively),? )*(?:what(?! i (?:like|love|want|need|prefer)\b)|how|why|who|whose|which|where|do|does|did|is|are|can|could|would|will|should|am i|was|were|have (?:you|i|we)|has|shall|any (?:idea|tips|advice|thoughts|suggestions))\b(?! i (?:like|love))",
    asks=r"(?:[,;:–—.]|\s-)\s*(?:and |so |but |or |then )*(?:what|how|why|who|which|where|when|do|does|did|is|are|can|could|would|will|should|am i|have you|any|right|ok|okay|or|you know|isn't|don't you|aren't)\b",
    reports=r"\b(?:(?:he|she|they|someone|somebody|people|everyone|everybody|you|{Cap}|(?:my|the|his|her|our) {w}(?: {w})?) (?:also |just |always |once |then )*"
    r"(?:said|says|told|tells|thinks|thought|claims?|claimed|asked|asks|wrote|writes|texted|replied|insists|mentioned|believes|goes like)\b|quote:|according to|the (?:lyrics|song|book|movie) (?:goes|says)|translate|proofread|rewrite|as an ai)",
    hypothetical=r"\b(?:if(?! possible)|imagine|pretend|suppose|supposing|hypothetically|wish|what if|let's say|lets say|as though|role-?play|in a world|in my dream|dreamt|dreamed|act as|for example|e\.g)\b",
    supposed=r"\b(?:would(?! (?:like|love|prefer|rather|really|much|definitely|have to be|be))|'d have|could have|might have|should have|would have|would be|could be)\b",
    secrets=r"\b(?:passwords?|passcode|passphrase|pass ?word|pwd|pin(?: code| number)?|api[ _-]?keys?|secret(?:s| key)?|access[ _-]?(?:key|token)|auth token|bearer|token|private key|ssh key|"
    r"credit card|debit card|card number|cvv|cvc|ssn|social security|iban|routing number|account number|recovery (?:code|phrase)|seed phrase|2fa|otp)\b|\b(?:\d[ -]?){13,19}\b|\b(?:sk|pk|ghp|gho|xox[bp])[-_]\w{8,}|\bAKIA\w{12,}",
    hedges={
        "uncertain": r"\b(?:maybe|perhaps|possibly|might|not sure|i guess|i suppose)\b",
        "inferred": r"\b(?:i think|probably|i believe|i feel like|kinda|kind of|sort of|generally|usually)\b",
    },
    no_longer=r"\bany ?(?:more|longer)\b",
    corrections=r"(?:well,? |oh,? |wait,? |sorry,? |um,? )*(?:actually|no,|nope,|nah,|scratch that|correction|i meant|i mis(?:spoke|typed)|not anymore|wait,|sorry,|my mistake|my bad|oops|i was wrong|that's (?:wrong|not right|incorrect|outdated)|that is (?:wrong|incorrect)|forget (?:that|what i said)|change of plans?|update)",
    empty=r"(?:it|this|that|these|those|them|one|ones|something|things?|stuff|so|too|lot|lots|much|more|well|all|both|some|any|you|me|him|her|us|same|idea|to|not|what|how|way|time|do|go|be|here|there|now|yes|no|ok|okay|i|a|an|the|my|and|or|but|of|in|on|at)",
    head=r"(?P<head>[\w'-]+)(?=\s+(?:in|of|for|with|than|over|to|on|at|from|by|about|without|and|or|under|that|longer|shorter|instead|rather)\b|,|\s*$)",
    trim=r"[\s,.]+(?:from now on|going forward|in (?:the )?future|too|as well|either|though|lol|haha|hehe|please|pls|btw|tbh|ngl|a lot|so much|very much|really|right now|rn|now|at the moment|currently|these days|nowadays|for now|instead|anymore|any ?more|any longer|again|by the way|to be honest|honestly|actually|you know|and|or|but|so|as|of course|especially|in general|in particular|more than anything|the most|though|already|myself|also|altogether|completely|at all|for sure|thanks|thank you)",
    articles=r"(?:an?|the|some|any) (?=\S)",
    time=r"{time}",
    forms={
        "like": "likes", "love": "loves", "enjoy": "enjoys", "adore": "adores", "prefer": "prefers", "hate": "hates", "dislike": "dislikes",
        "despise": "despises", "detest": "detests", "loathe": "loathes", "can't stand": "can't stand", "sell": "sells", "make": "makes",
        "build": "builds", "offer": "offers", "produce": "produces", "manufacture": "manufactures", "design": "designs",
        "distribute": "distributes", "drive": "drives", "own": "owns",
    },
    persons={
        "my": "their", "mine": "theirs", "our": "their", "ours": "theirs", "me": "them", "us": "them", "myself": "themselves",
        "ourselves": "themselves", "i": "they", "we": "they", "i'm": "they're", "we're": "they're", "i've": "they've", "we've": "they've", "i'd": "they'd",
        "i'll": "they'll", "i am": "they are", "i was": "they were", "me and my": "them and their",
    },
    canon={
        "mom": "mother", "mum": "mother", "dad": "father", "fiancee": "fiance", "fiancé": "fiance", "fiancée": "fiance", "spouse": "partner",
        "color": "colour", "kid": "child", "puppy": "dog", "kitten": "cat", "bunny": "rabbit", "db": "database", "repo": "repository",
        "coworker": "colleague", "co_worker": "colleague", "boss": "manager", "emails": "email", "fave": "favourite",
    },
    abbreviations=frozenset(["dr", "mr", "mrs", "ms", "st", "vs", "e.g", "i.e", "prof", "jr", "sr", "no", "approx", "mt", "inc", "u.s", "u.k"]),
)
