"""English: how its clauses are built and what its words become; the rules are in `en_facts`, `_wishes` and `_life`."""

from memstrata.core.rules.en_facts import FACTS
from memstrata.core.rules.en_life import LIFE
from memstrata.core.rules.en_wishes import WISHES
from memstrata.core.rules.pack import Pack

_MACROS = {
    "w": r"[^\s,;:!?()\ufffc]+",
    "Cap": r"(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'&.+-]*)",
    "n": r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|several|a few)",
    "month": "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
        "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)",
    "day": "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?",
    "pointed": (  # at what cannot be seen from the statement alone; "that" may also begin a clause of its own
        r"(?:you|your|yours|this|these|those)\b|(?:^|\b(?:in|of|to|for|with|about|on|at|like|by|from) )that\b"
    ),
    "cause": r"cause(?= (?:i|it|my|we|he|she|they|the|there)\b)",
    "end": r"(?=\s*(?:$|[,;:!()\ufffc]|\s[-\u2013\u2014]\s| (?:because|{cause}|cuz|since|due to|but|although|though"
        r"|whereas|while"
        r"|when|whenever|so|as|if|unless|until|which|who|where|thanks|and (?:i|my|we|it|that|then|so|the))\b))",
    "adv": r"(?: (?:(?!july|italy|family|reply|apply|rely)\w+ly|also|still|just|now|always|very|so|much|kinda|kind of"
        "|sort of|sometimes|often|rather|maybe))*",
    "when": "(?:(?:next|last|this|every|early|late|the end of|end of|mid)[ -])*(?:the day (?:after tomorrow|before "
        r"yesterday)|{month}(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|{day}|\d{1,2}(?:st|nd|rd|th)?(?: of)? {month}"
        r"|tomorrow|today|tonight|yesterday|week|weekend|month|year|spring|summer|autumn|fall|winter|(?:19|20)\d\d"
        r"|\d{1,2}(?::\d\d)?\s?[ap]m|morning|afternoon|evening|night|noon|q[1-4]|eod|(?:\d+|an?|one|two|three|four"
        r"|five|six|ten|a few) (?:days?|weeks?|months?|years?|hours?)(?: ago| from now)?)\b",
    "time":
        "(?:,? (?:(?:on|in|by|before|after|until|till|since|from|for|at|around|over|within|during|back in|as of)(?: "
        "the)? )?{when})+",
    "language":
        "english|german|spanish|french|chinese|mandarin|cantonese|italian|portuguese|dutch|polish|russian|japanese"
        "|korean|arabic|hindi|turkish|swedish|norwegian|danish|finnish|greek|hebrew|czech|ukrainian|vietnamese|thai"
        "|urdu|bengali|tamil|catalan|welsh|irish|hungarian|romanian|swahili|tagalog|indonesian|farsi|persian|sign "
        "language|latin",
    "thing": "(?P<value>{w}(?: {w}){0,11}?){end}",
    "phrase":
        r"(?P<value>{w}(?:,? {w}){0,24}?)(?=\s*(?:$|[;:!()\ufffc]|, |\s[-\u2013\u2014]\s| (?:because|cause|cuz|since"
        r"|but|although|though|so i|so that|which|and (?:i|my|we|it|that|then|so))\b))",
    "stop": r"(?={end}|{time}(?=\s*$|[,.;:!?()]| (?:and|but|to|with|for|at|in|on|because|so|which|that|while|after"
        r"|before)\b)"
        r"| (?:but|that|where|which|who|so|because|from|and (?:\w+ed|i|my|we|it|it's|was|were|had|have|got|met|went"
        r"|took"
        r"|made|saw|gave|found|felt|bought|hurt|now|then|just|also|still|really|nobody|every(?:one|body)"
        r"|he|she|they|there|this|you|can|could|will|would|am|are|is)|for the)\b)",
    "deed": "(?P<value>{w}(?: {w}){0,11}?){stop}",
    "name": r"\"(?P<value>[^\"]{1,40})\"|[\"']?(?P<value>{Cap}(?: (?:{Cap}|(?-i:van|von|de|der|la|bin|al)\b)){0,3}"
        r"|(?!(?:not|very|too|the|a|an|my|your|so|really|it|this|that|in|on|at)\b)[a-z][\w'-]+(?: "
        r"[a-z][\w'-]+)?{end})[\"']?",
    "place": r"(?P<value>(?:the )?{Cap}(?:[ -](?:{Cap}|(?-i:of|de|la|del|upon|am)\b)){0,3}(?:, (?!(?-i:I\b)){Cap}(?: "
        "{Cap})?)?|(?!(?:a|an|the|my|your|our|this|that|it|here|there|fear|hope|peace|pain|fact|general|two|one|work"
        "|home|denial|misery|town|scratch|school|where|what|with|bed|hell|now|then|it's|love|luxury|poverty|constant"
        r"|shared)\b)[a-z][\w'-]+(?: [a-z][\w'-]+)?{end})",
    "org": r"(?P<value>(?:the )?{Cap}(?:[ -](?:{Cap}|(?-i:(?:of|and|for)\b|&))){0,4}(?<!\sof)(?<!\sand)(?<!\sfor)"
        "|(?!(?:it|this|that|them|him|her|you|me|home|night|nights|least|first|all|weekends?|myself|free|hours|the "
        r"moment|present|once|times|\d|years|months|days|a while|a living|the best|what|which|peanuts|the same|my"
        r"|your)\b)(?:an? |the )?{w}(?: {w}){0,4}?(?={end}| (?:in|on|since|for|near|from|with|and)\b))",
    "role":
        r"(?P<value>(?:{w} ){0,4}?(?:\w+(?:er|or|ist|ian|eer|ant|ician|woman|man)|nurse|doctor|chef|cook|coach|pilot"
        "|student|intern|ceo|cto|cfo|coo|vp|phd|sre|dba|pm|analyst|architect|scientist|freelance|clerk|judge|vet|cop"
        r"|\w*medic|mechanic|academic|stay-at-home (?:mom|mum|dad|parent)|agent|guide|lead|head|director|president"
        "|dean|psychic|temp|medic|critic|model|host|au pair|nanny|resident|paralegal|sysadmin|barista|surgeon"
        "|actress|waitress|poet|cashier|soldier|priest|rabbi|imam|florist|librarian|secretary|diplomat|midwife"
        "|undergrad|postdoc|apprentice|trainee|housewife|homemaker|freelancer|captain|athlete|postman|detective"
        r"|devops|dev|swe|entrepreneur|professional|officer)(?: (?:of|in) (?!the past|the last|about|over|a\b"
        r"|\d){w}(?: {w})?)?)(?={end}| (?:at|in|on|for|from|with|by|and|working|of|who|based|here)\b)",
    "languages":
        "(?P<value>(?:(?:fluent|some|a little|a bit of|basic|good|native|conversational|decent) )?(?:(?:,? and |, "
        "|,? but )?(?:{language}))+)",
    "family":
        "sister|brother|mom|mum|mother|dad|father|wife|husband|partner|girlfriend|boyfriend|fiancée?|fiancee?|spouse"
        "|parents|grandparents|kids|children|sons|daughters|brothers|sisters|siblings|son|daughter|kid|child|baby"
        "|aunt|uncle|cousin|niece|nephew|grandma|grandmother|grandpa|grandfather|grandson|granddaughter|(?:mother"
        "|father|sister|brother)-in-law|step(?:mother|father|mom|dad|sister|brother|son|daughter)|twin|ex|ex-wife"
        "|ex-husband",
    "people": "best friend|friend|boss|manager|colleague|coworker|co-worker|roommate|flatmate|housemate|co-founder"
        "|cofounder|assistant|mentor|therapist|doctor|dentist|lawyer|accountant|landlord|coach|trainer|teacher"
        "|neighbou?r|client|supervisor|advisor",
    "pet": "dog|cat|puppy|kitten|rabbit|bunny|hamster|parrot|horse|pony|turtle|tortoise|guinea pig|goldfish|fish|lizard"
        "|gecko|snake|pet|bird",
    "my_x":
        "my (?:(?:older|younger|elder|little|big|twin|eldest|oldest|youngest|late|dear|new|old|first|second|middle) )?",
    "S": "(?:(?P<me>i)|{my_x}(?P<kin>{family}|{people}|{pet})(?:,? (?P<called>{Cap}),?)?)",
    "we": "(?P<we>we|(?:our|my) (?:team|company|business|startup|firm|shop|store|agency|studio|office|offices|hq"
        "|headquarters))",
    "particle":
        r"(?:\w+ly|up|out|off|down|back|over|away|with|to|for|at|about|on|in|of|by|into|from|the|most|sure|best|use"
        r"|care)",
    "pointer": r"(?-i:it|them|him|her|you|your|one)\b",
    "demonstrative":
        r"(?:this|that|these|those)\b(?! (?:time|week|weekend|month|year|morning|afternoon|evening|spring|summer|autumn"
        r"|fall|winter|{day}|{month})\b)(?:$|(?<!that) | (?:and|or|with|in|on|for|to|at|by|again|too|properly)\b)",
    "owned": r"[^']{1,40}'s ",
    "plural": "(?:parents|grandparents|kids|children|sons|daughters|brothers|sisters|siblings)",
    "joint": "(?:and|but|so|because|{cause}|cuz|since|plus|then|although|though|while|or)",
    "do": (
        "(?:(?P<past> used to)|(?P<ended> no longer)|(?P<neg> (?:don'?t|do not|doesn'?t|does not|didn'?t|never)))?{adv}"
    ),
    "be": "(?:(?:'m|m| am|'re| are|'s| is(?=n't)| is)(?:(?P<neg> not|n't)|(?P<ended> no longer))?|(?P<past> was| were"
        "| used to be)|(?:'ve| have|'s| has) been){adv}",
    "have": "(?:(?:'ve| have|'s| has)(?: got)?| got)",
    "ve": "(?:'ve|ve| have|'s| has)?{adv}",
    "is": "(?:'s| is|'re| are| will be){adv}",
    "answers":
        "(?:answers?|replies|reply|responses?|messages?|explanations?|emails?|mails?|posts?|summar(?:y|ies)|texts?"
        "|sentences|reports?|code|examples?|bullet points?|emojis?|updates|drafts?|captions?|paragraphs|lists?"
        "|tables|comments|meetings?|notifications|reminders|calls)",
    "deictic":
        "(?:it|this|that|these|those|them|they|him|her|you|your|yours|yourself|his|their|its|what|how|when|where|why"
        "|who|which|being|to be|one|both|everything|nothing|anything|something|all|any|some|such|so|us|me|myself"
        r"|more|most|and|or|not|hearing|seeing|another|seriously)\b",
    "idle": "(?:just |also |first |quickly |really |clearly |honestly )*(?:think|say|ask|know|see|hear|tell|talk|thank"
        r"|mention|add|point|share|make sure|understand|admit|believe|be\b(?! (?:at|in|back|on) (?!the same|this|it))"
        r"|clarify|confirm|check|discuss|apologi[sz]e|note|let|imagine|bring|emphasi[sz]e|(?:go|run)\b(?: now)?$"
        "|express|get to know|have|use|give|show|help|get|come|feel|start by|figure|wait|sleep|eat|stop|do|double"
        r"|remember|try|keep|hope|consider|cry|scream|hug|vent|pass|leave|disagree|agree|work on myself)\b",
    "vague": r"\w+(?: \w+)? (?:it|this|that|them|you|him|her|more|out|up|soon|there|here)$",
}  # fmt: skip

_REGULAR = (
    "run swim walk meditate cook bake paint read write practice practise train exercise volunteer attend visit take "
    "meet"
    " play row climb cycle host dance sing drink eat wear buy order travel shop book stay avoid perform surf"
    " ski sail belong use rent leave arrive"
).split()

PACK = Pack(
    language="en",
    full_stop=".",
    user="User",
    team="team",
    possessive="{owner}'s {thing}",
    macros=_MACROS,
    rules=(*FACTS, *WISHES, *LIFE),
    subject=
        r"(?:{S}|{we}|they|he|she|you|it|this|that|there|everyone|everybody|who|people)(?P<be>'m\b|m\b| am\b|'re\b| "
        r"are\b|'s\b| is\b)?(?=[ ']|ve\b|d\b|ll\b|$)",
    understood={
        "i ": (
            r"(?:(?:just |also |really |still |recently )*(?:love(?! (?:is|wins|conquers|hurts|and)\b)|hate|prefer"
            "|live in|moved to|work (?:at|for|as)|gotta|need to|have to|wanna|can't stand|switched (?:from|to)"
            r"|decided|got an? (?:\w+ )?job)\b(?! you))"
        ),
        "i've ": r"been \w+ing\b",
        "i was ": r"born\b",
        "i'm ": (
            "(?:currently |originally )?(?:allergic|based in|from (?-i:[A-Z])|married|vegan|vegetarian|working (?:at"
            r"|as|for|on)|living in|moving to|trying to|planning to)\b"
        ),
    },
    lead="(?:(?:well|so|oh|yes|yeah|yep|no(?=[,.!])|nope|ok|okay|hi|hey|hello|btw|by the way|fyi|and|but|also|plus"
        "|anyway|honestly|actually|ah|wow|haha|lol|tbh|to be honest|in fact|basically|sorry|wait|hmm|um|uh|thanks"
        "|thank you|right now|currently|nowadays|these days|now|look|sure|great|cool|personally|as you know|you know"
        "|just so you know|for context|for reference|note that|please note that|remember that|please remember that"
        "|please remember|remember|heads up|just a heads up|quick note|update|correction|scratch that|i meant|i mean"
        "|maybe|perhaps|probably|possibly|i think that|i think|i guess|i believe|i suppose|i feel like|not sure but"
        "|generally|in general|usually|as a rule|sometimes|unfortunately|luckily|fortunately|at work|at home|on "
        "(?:the )?weekends?|every {w}|most days|in the (?:mornings?|evenings?)|(?:my|our) {w} and|since i|because"
        "|from now until(?: the)? {w}|(?:as of|since) {when}|{when}|in {when}|(?:on|by) {when}|one more thing|oh and"
        "|also,? note|good news|the "
        "thing is|truth is|main thing is|additionally|furthermore|moreover|besides|in addition|first of all|first"
        "|second|finally|then|still|again|morning|good morning|hey there|hi there|hello there|hi all|guys|dude|man"
        r"|bro|turns out|it turns out|guess what|not gonna lie|ngl|imo|[-*•]|\d{1,2}[.)])(?:[,:!.…]|\s-|\s\u2013"
        r"|$)*\s+)*",
    breaks=
        r"(?<!future)(?<!now\son)(?<!forward)(?:(?:\s*[,;:\u2013\u2014(]|\s-)\s*(?:{joint}\s+)?|\s+{joint}\s+)(?=(?:i"
        "|i'm|i've|i'd|i'll|im|ive|my|we|we're|we've|our|please|always|never|let's|from now on|the (?:deadline|plan"
        r"|project|api)|keep|don't)\b)",
    carry_verb=
        r",?\s+(?:and|but)(?: also| now| then| really| just| still)*\s+(?=(?:like|love|hate|enjoy|prefer|live|work "
        r"(?:at|as|for|in)|drive an?|speak|play (?:the|in|for)|use|study \w+ at|own|have|need|want|am|don't|do not"
        "|can't stand|dislike|avoid|refuse to|moved|decided|plan to|lives|works|likes|loves|hates|drives|speaks|plays"
        "|has|studies|is"
        r"|switched|grew|sell|make|used to)\b)",
    carry_be=r",?\s+(?:and|but)(?: also| currently| now)*\s+(?=(?:allergic|married|based|vegetarian|vegan|from|an? "
        r"(?!half)|living|working|studying|originally|single|divorced|retired|moving|learning|planning|trying)\b)",
    questions=
        "(?:(?:so|and|but|ok|okay|hey|hi|hello|well|also|then|btw|oh|wait|um|now|or|alternatively),? )*(?:what(?! i "
        r"(?:like|love|want|need|prefer)\b)|how|why|who|whose|which|where|do|does|did|is|are|can|could|would|will"
        r"|should|am i|was|were|have (?:you|i|we)|has|shall|any (?:idea|tips|advice|thoughts|suggestions))\b(?! i "
        "(?:like|love))",
    asks=r"(?:[,;:\u2013\u2014.]|\s-)\s*(?:and |so |but |or |then )*(?:what|how|why|who|which|where|when|do|does|did"
        r"|is|are|can|could|would|will|should|am i|have you|any|right|ok|okay|or|you know|isn't|don't you|aren't)\b",
    reports=r"\b(?:(?:he|she|they|someone|somebody|people|everyone|everybody|you|{Cap}|(?:my|the|his|her|our) {w}(?: "
        "{w})?) (?:also |just |always |once |then )*(?:said|says|told|tells|thinks|thought|claims?|claimed|asked"
        r"|asks|wrote|writes|texted|replied|insists|mentioned|believes|goes like)\b|quote:|according to|the (?:lyrics"
        "|song|book|movie) (?:goes|says)|translate|proofread|rewrite|as an ai)",
    hypothetical=
        r"\b(?:imagine|pretend|suppose|supposing|hypothetically|wish|what if|let's say|lets say|as though|as if"
        r"|role-?play|in a world|in my dream|dreamt|dreamed|act as)\b",
    condition=
        r"\b(?:if(?! possible)|unless|in case|for example|e\.g|(?:when|whenever|every time) (?:you|i (?:ask|paste|send"
        r"|share|request|give you|tell you|show you)))\b",
    supposed=
        r"\b(?:(?<!if\syou\s)would(?! (?:like|love|prefer|appreciate|rather|really|much|definitely|have to be|be))|'d "
        r"(?!like|love|prefer|appreciate|rather|really|much|definitely|be)\w+|could have|might have|should have"
        r"|would have|would be|could be|were i\b|if (?:i|we|he|she|it|they) (?:were|was|had))\b",
    wary=r"'d|\b(?:(?:if|g|act)\b|ai|unless|case|example|when|every|imagine|pretend|suppos|hypothetically|wish|let|lets"
        "|though|role|world|dream|would|could|might|should|were|said|says|told|tells|think|thought|claim|ask|wrote"
        "|write|text|repl|insist|mention|believe|goes|quote|accord|translate|proofread|rewrite)",
    joints="[,;:\u2013\u2014(]|\\s-|\\s(?:and|but|so|because|cause|cuz|since|plus|then|although|though|while|or)\\s",
    secrets=r"\b(?:passwords?|passcode|passphrase|pass ?word|pwd|pin(?: code| number)?|api[ _-]?keys?|secret(?:s| key)?"
        "|access[ _-]?(?:key|token)|auth token|bearer|token|private key|ssh key|credit card|debit card|card number"
        "|cvv|cvc|ssn|social security|iban|routing number|account number|recovery (?:code|phrase)|seed phrase|2fa"
        r"|otp)\b|\b(?:\d[ -]?){13,19}\b|\b(?:sk|pk|ghp|gho|xox[bp])[-_]\w{8,}|\bAKIA\w{12,}",
    hedges={
        "uncertain": r"\b(?:maybe|perhaps|possibly|might|not sure|i guess|i suppose)\b",
        "inferred": r"\b(?:i think|probably|i believe|i feel like|kinda|kind of|sort of|generally|usually)\b",
    },
    no_longer=r"\bany ?(?:more|longer)\b",
    corrections="(?:well,? |oh,? |wait,? |sorry,? |um,? )*(?:actually|no,|nope,|nah,|scratch that|correction|i meant|i "
        "mis(?:spoke|typed)|not anymore|wait,|sorry,|my mistake|my bad|oops|i was wrong|that's (?:wrong|not right"
        "|incorrect|outdated)|that is (?:wrong|incorrect)|forget (?:that|what i said)|change of plans?|update)",
    empty="(?:it|this|that|these|those|them|one|ones|something|things?|stuff|so|too|lot|lots|much|more|well|all|both"
        "|some|any|you|me|him|her|us|same|idea|to|not|what|how|way|time|here|there|now|yes|no|ok|okay|i|a|an|the|my"
        "|and|or|but|of|in|on|at)",
    hollow=r"^(?:(?:to|not|on|against) )*(?:\w+ly )?[\w'-]+(?: {particle})* (?:{pointer}|{demonstrative})|^{pointer}"
        r"|(?<=\s)(?:there|here|it|them|him|her|you)$|\b(?:an?|another|new|old|own|big|bigger|better|small|smaller|good"
        r"|nice|cheap|cheaper|different|other|similar|second-hand|used|of) ones?$|\bof (?:my|our|their) own$"
        "|^(?:to |not )*(?:work|return|call|prioriti[sz]e|start|begin|continue|succeed|change|decide|choose|finish"
        "|talk|act|come|leave|stop|wait|share|meet|adjust|laugh|catch up|keep going|give back|fit in|move on)$",
    dangling=
        " (?:of|during|than|to|through|between|with|for|from|the|a|an|at|by|and|or|about|into|instead of|as|on|in|my"
        r"|your|their|per|ever|whether|how)$|\b(?:between|either|both (?:my|our|the)) (?!.*\b(?:and|or)\b).*$"
        r"|\ban? (?:safe|warm|new|good|big|small|long|healthy|happy|fun|quiet|cozy|peaceful|beautiful|great|more)$",
    head=r"(?P<head>[\w'-]+)(?=\s+(?:in|of|for|with|than|over|to|on|at|from|by|about|without|and|or|under|that|longer"
        r"|shorter|instead|rather)\b|,|\s*$)",
    trim=r"[\s,.]+(?:from now on|going forward|in (?:the )?future|too|as well|either|though|lol|haha|hehe|please|pls"
        "|btw|tbh|ngl|a lot|so much|very much|really|right now|rn|now|at the moment|currently|these days|nowadays"
        "|for now|instead|anymore|any ?more|any longer|again|by the way|to be honest|honestly|actually|you know|and"
        "|or|but|so|as|of course|especially|in general|in particular|more than anything|the most|though|already"
        "|myself|also|altogether|completely|at all|for sure|thanks|thank you)",
    articles=r"(?:an?|the|some|any) (?=\S)",
    time="{time}",
    forms={
        **{verb: f"{verb}s" for verb in _REGULAR}, "like": "likes", "love": "loves", "enjoy": "enjoys",
        "adore": "adores", "prefer": "prefers", "hate": "hates", "dislike": "dislikes", "despise": "despises",
        "detest": "detests", "loathe": "loathes", "can't stand": "can't stand", "sell": "sells", "make": "makes",
        "build": "builds", "offer": "offers", "produce": "produces", "manufacture": "manufactures",
        "design": "designs", "distribute": "distributes", "drive": "drives", "own": "owns", "go": "goes",
        "watch": "watches", "teach": "teaches", "coach": "coaches", "study": "studies", "work out": "works out",
        "get up": "gets up", "wake up": "wakes up", "go to bed": "goes to bed", "listen to": "listens to",
        "fly": "flies", "refuse to": "refuses to", "steer clear of": "steers clear of",
        "stay away from": "stays away from", "a member": "is a member", "loved": "loves", "enjoyed": "enjoys",
        "hated": "hates",
    },
    persons={
        "my": "their", "mine": "theirs", "our": "their", "ours": "theirs", "me": "them", "us": "them",
        "myself": "themselves", "ourselves": "themselves", "i": "they", "we": "they", "i'm": "they're",
        "we're": "they're", "i've": "they've", "we've": "they've", "i'd": "they'd", "i'll": "they'll",
        "i am": "they are", "i was": "they were", "me and my": "them and their",
    },
    agreement={
        r"^({owned}{plural}) is\b": r"\1 are",
        r"^({owned}{plural}) has\b": r"\1 have",
        r"^({owned}{plural}) was\b": r"\1 were",
        r"^({owned}{plural}) does\b": r"\1 do",
        r"^({owned}{plural})'s\b": r"\1'",
        r"^({owned}{plural}(?: no longer)?) (\w+)ies\b": r"\1 \2y",
        r"^({owned}{plural}(?: no longer)?) (\w+(?:ch|sh|ss|o))es\b": r"\1 \2",
        r"^({owned}{plural}(?: no longer)?) (\w+[^s\W])s\b": r"\1 \2",
    },
    canon={
        "mom": "mother", "mum": "mother", "dad": "father", "fiancee": "fiance", "fiancé": "fiance",
        "fiancée": "fiance", "spouse": "partner", "color": "colour", "kid": "child", "puppy": "dog", "kitten": "cat",
        "bunny": "rabbit", "db": "database", "repo": "repository", "coworker": "colleague", "co_worker": "colleague",
        "boss": "manager", "emails": "email", "fave": "favourite",
    },
    abbreviations=frozenset("approx dr e.g i.e inc jr mr mrs ms mt no prof sr st u.k u.s vs".split()),
)  # fmt: skip
