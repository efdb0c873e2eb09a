"""German. Statements are in German, about "Nutzer"; attributes are the English paths that all packs share.

The finite verb comes second, so a clause that opens with anything else puts the speaker behind it ("Jetzt wohne ich
in Kassel"), and in subordinate clauses it comes last: the commonest rules have a second pattern for these orders.
"""

from memstrata.core.rules.pack import CREDENTIALS, Pack, Rule

_FAMILY = (
    "schwester|bruder|mutter|mama|vater|papa|frau|mann|ehefrau|ehemann|partnerin|partner|freundin|freund|verlobte"
    "|verlobter|tochter|sohn|kind|baby|tante|onkel|cousine|cousin|nichte|neffe|oma|großmutter|opa|großvater"
    "|schwiegermutter|schwiegervater|schwager|schwägerin|enkel|enkelin"
)
_PEOPLE = (
    "chefin|chef|kollegin|kollege|mitbewohnerin|mitbewohner|nachbarin|nachbar|ärztin|arzt|zahnarzt|zahnärztin"
    "|lehrerin|lehrer|trainerin|trainer|vermieterin|vermieter|mentorin|mentor|beste freundin|bester freund"
)
_PETS = "hund|hündin|katze|kater|kaninchen|hamster|papagei|pferd|pony|schildkröte|wellensittich|meerschweinchen|vogel"

_MACROS = {
    "w": r"[^\s,;:!?()\ufffc]+",
    "Cap": r"(?-i:[A-ZÄÖÜÀ-Þ][\w'&.+-]*)",
    "n": r"(?:\d+|eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|ein paar|mehrere)",
    "month": r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    "day": r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?",
    "when": "(?:(?:am|im|seit|ab|bis|um|in|vor|zum|anfang|mitte|ende|jede[nrs]?|nächste[nrms]?|letzte[nrms]?"
    r"|diese[nrms]?|dem|der|den|\d{1,2}\.) )*(?:{day}|(?<!\d\.\s){month}|\d{1,2}\. {month}|heute|morgen|gestern"
    r"|übermorgen|(?:19|20)\d\d|\d{1,2}(?::\d\d)? uhr|woche|wochenende|monat|jahr|sommer|winter|herbst|frühling|{n} "
    r"(?:tagen?|wochen?|monaten?|jahren?|stunden?))\b",
    "time": r"(?:,? {when})+",
    "adv": "(?:{time}| (?:wirklich|auch|noch|gerade|aktuell|derzeit|momentan|jetzt|nun|inzwischen|mittlerweile"
    "|zurzeit|immer|meistens|meist|eigentlich|schon|sehr|total|echt|halt|eben|ja|besonders|wieder|schon lange|früher"
    "|allein|nur|einfach|übrigens|überhaupt|hier|remote|vollzeit|teilzeit))*",
    "end": r"(?=\s*(?:$|[,;:!()\ufffc]|\s[-–—]\s| (?:weil|denn|aber|obwohl|während|damit|sodass|sondern|statt|wo"
    r"|als ich|und (?:ich|mein|meine|wir|es|das|dann|bin|habe|arbeite|wohne|mag|hasse|liebe|heiße))\b))",
    "not": r"{adv}(?:(?P<ended> nicht mehr| nicht länger)|(?P<neg> nicht))?{adv}",
    "phrase": r"(?P<value>{w}(?:,? {w}){0,20}?){end}",
    "thing": "(?P<value>{w}(?: {w}){0,9}?)(?:(?P<ended> nicht mehr)|(?P<neg>(?: gar| überhaupt)? nicht(?: so"
    "| besonders)?(?: gern| gerne)?))?{end}",
    "name": r"(?P<value>{Cap}(?: (?:{Cap}|(?-i:von|van|de|zu))){0,3})",
    "place": "(?P<value>(?:der |den )?{Cap}(?:[ -](?:{Cap}|(?-i:am|an der|im|bei))){0,2}|(?!(?:eine?[mnr]?|der|dem"
    r"|den|die|das|meine?[mnr]?|unsere?[mnr]?|wenig|ruhe)\b)[a-zäöüß][\w-]+{end})",
    "org": "(?P<value>(?:der |dem |den |einer |einem )?(?:{w} ){0,2}?{Cap}(?:[ &-]{Cap}){0,3}|(?!(?:mir|dir|ihm|ihr"
    r"|uns|euch|jemand\w*|der|die|das|eine?[nmr]?|nacht|tag|\d+)\b)[a-zäöüß][\w-]+{end})",
    "job": "(?P<value>(?:{w} ){0,2}?(?-i:(?!Vegetarier|Veganer|Berliner|Hamburger|Münch|Kölner|Wiener|Schweizer"
    "|Österreicher|Italiener|Spanier|Anfänger|Raucher|Nichtraucher|Vater|Mutter|Bruder|Schwester|Nutzer|Fan|Kunde"
    r"|Single|Christ|Mensch)[A-ZÄÖÜ][\w-]*(?:er|erin|ler|lerin|ist|istin|eur|eurin|ant|antin|ent|entin|arzt|ärztin"
    "|anwalt|anwältin|mann|frau|wirt|wirtin|loge|login|koch|köchin|kraft|tor|torin|tekt|tektin|tin|ker|kerin|gin"
    r"|iker|Coach|CEO|CTO|Chef|Chefin)\b))",
    "language": "deutsch|englisch|spanisch|französisch|italienisch|portugiesisch|niederländisch|polnisch|russisch"
    "|chinesisch|japanisch|koreanisch|arabisch|türkisch|schwedisch|norwegisch|dänisch|finnisch|griechisch|ukrainisch"
    "|hindi|latein",
    "family": _FAMILY,
    "people": _PEOPLE,
    "pet": _PETS,
    "my": r"(?:meine?[rmn]?|unsere?[rmn]?) ",
    "my_x": r"{my}(?:(?:ältere|jüngere|kleine|große|neue|alte)[rsn]? )?",
    "S": r"(?:(?P<me>ich)|{my_x}(?P<kin>{family}|{people}|{pet})(?:,? (?P<called>{Cap}),?)?)",
    "we": r"(?P<we>wir|unser (?:team|unternehmen|betrieb|büro|laden)|unsere (?:firma|abteilung|agentur))",
    "am": r"(?: bin| ist| sind)",
    "please": r"(?:bitte |also |und |kannst du |könntest du )*",
}
_DEICTIC = (
    "(?:das|dies|diese[nrms]?|es|sie|ihn|ihm|ihr|dich|dir|euch|was|wie|alles|nichts|etwas|mich|mir|uns|nicht|so|dass"
    "|wenn|sowas|jemanden?|den|die|sehr|beides|alle|einen)(?:$| (?:auch|sehr|gar|wirklich|nicht|so|gern|gerne|total"
    r"|echt|hier)\b)|(?:deine?[nmrs]?|eure?[nmrs]?|ihre|lieber|wie|dass|wenn)\b"
)

_RULES = (
    # what the assistant is asked to do
    Rule("answer_in", "antworte antworten schreib schreibe sprich rede",
         "{please}(?:antworte|schreib|schreibe|sprich|rede)(?: mir| mit mir)?(?: bitte)?(?: immer| nur| künftig"
         "| ab jetzt)* (?P<value>auf (?:{language}))", "instruction.language", "{S} möchte Antworten {value}",
         importance=0.9, conditional=True, kind="preference", category="preference"),
    Rule("from_now_on", "ab künftig zukunft", "{please}(?:ab (?:jetzt|sofort)|künftig|in zukunft)(?: bitte)? {phrase}",
         "instruction.rule", "{S} bittet: ab jetzt {value}", importance=0.9, conditional=True,
         unless="(?:wohne|arbeite|bin|habe|werde) ich", kind="preference", category="preference"),
    Rule("always", "immer nie niemals",
         r"{please}(?:(?!ich\b|wir\b|es\b){w}e?(?: mir| mich)?(?: bitte)?) (?P<value>(?:immer|nie|niemals) {w}"
         "(?: {w}){0,15})$", "instruction.rule", "{S} bittet: {value}", importance=0.9, conditional=True,
         unless=r"(?:immer|nie) (?:noch|mehr|wieder|so)\b", kind="preference", category="preference"),
    Rule("style", "fass halte halt",
         "{please}(?P<how>fasse?|halte?) (?P<value>(?:dich|deine antworten|die antworten) (?:bitte )?"
         "(?:{w} ){0,2}{w})", "instruction.style", "{S} bittet: {how} {value}", importance=0.9,
         unless=r".*\b(?:fern|bereit|fest)\b", kind="preference", category="preference"),
    Rule("avoid", "verwende nutze benutze vermeide schreib schreibe mach mache",
         "{please}(?P<how>verwende|nutze|benutze|vermeide|schreibe?|mache?)(?: mir)?(?: bitte)? (?P<value>(?:kein"
         "(?:e[nmrs]?)? )?(?:(?:langen?|vielen?) )?(?:absätze|sätze|texte|listen|emojis?|ausrufezeichen|fachbegriffe"
         "|floskeln|tabellen|anglizismen|aufzählungen|abkürzungen|markdown)(?: {w}){0,5})", "instruction.style",
         "{S} bittet: {how} {value}", importance=0.9, polarity=-1, kind="preference", category="preference"),
    Rule("call_me", "nenn nenne", "{please}nenn(?:e)? mich(?: bitte)? {name}", "instruction.address",
         "{S} möchte {value} genannt werden", importance=0.9, kind="preference", category="preference"),
    # who
    Rule("name", "heiße heisse name", "(?:ich hei(?:ß|ss)e|mein name ist|ich bin der|ich bin die) {name}",
         "identity.name", "{S} heißt {value}", importance=0.9, unless="(?:ich bin)"),
    Rule("i_am_name", "bin",
         r"ich bin (?:die |der )?(?P<value>{Cap}(?: {Cap})?)(?=$|,| und (?:arbeite?|wohne?|bin|komme?|lebe?|habe?)\b)",
         "identity.name", "{S} heißt {value}", importance=0.9, certainty="implied",
         unless=r"\w+(?:er|erin|ist|istin|eur|ant|ent|in|ling|mann|frau|kraft|arzt|fan|single|e)\b(?<!Anne)"
         "(?<!Sabine)(?<!Lena)|(?:Student|Chef|Vater|Mutter|Deutsch|Christ|Rentner|Azubi|Arzt|Koch|CEO|CTO|Pilot)"),
    Rule("kin_name", "heißt heisst", "{my_x}(?P<rel>{family}) hei(?:ß|ss)t {name}", "family.{rel}.name",
         "{S}s {rel} heißt {value}", importance=0.7),
    Rule("person_name", "heißt heisst", "{my_x}(?P<rel>{people}) hei(?:ß|ss)t {name}", "people.{rel}.name",
         "{S}s {rel} heißt {value}", importance=0.6),
    Rule("pet_name", "heißt heisst", "{my_x}(?P<rel>{pet}) hei(?:ß|ss)t {name}", "pet.{rel}.name",
         "{S}s {rel} heißt {value}", importance=0.7),
    Rule("has_named_pet", "namens heißt",
         "(?:ich hab(?:e)?|wir haben) eine?n? (?P<rel>{pet})(?: namens|,? (?:der|die|das) auf den namen) {name}",
         "pet.{rel}.name", "{S}s {rel} heißt {value}", importance=0.7),
    Rule("apposition", "meine mein unsere unser", "{my_x}(?P<rel>{family}),? (?P<value>{Cap}),?(?= [a-zäöü])",
         "family.{rel}.name", "{S}s {rel} heißt {value}", importance=0.6, certainty="implied"),
    Rule("age", "alt", r"{S}{am}{adv} (?P<value>\d{1,3}) jahre alt", "identity.age", "{S} ist {value} Jahre alt",
         importance=0.7),
    Rule("birthday", "geburtstag",
         r"(?:mein geburtstag ist|ich habe) (?:am |der )?(?P<value>\d[\w .]*?)(?: geburtstag)?{end}",
         "identity.birthday", "{S} hat am {value} Geburtstag", importance=0.8),
    # where
    Rule("lives", "wohne wohn wohnt wohnen lebe lebt leben", "{SW}(?: wohn(?:e|t|en)?| leb(?:e|t|en)){not} in {place}",
         "location.city", "{S} [wohnt|wohnt nicht|wohnte|wohnt nicht mehr] in {value}", importance=0.8,
         unless=r"(?:Angst|Sorge|Miete|Untermiete|Frieden)\b"),
    Rule("lives_inverted", "wohne wohnen lebe leben", "(?:wohne|wohnen|lebe|leben) (?:ich|wir){not} in {place}",
         "location.city", "{S} [wohnt|wohnt nicht|wohnte|wohnt nicht mehr] in {value}", importance=0.8,
         unless=r"(?:Angst|Sorge|Miete|Untermiete|Frieden)\b"),
    Rule("lives_last", "wohne wohnen lebe leben", "(?:ich|wir){not} in {place}{not} (?:wohne|wohnen|lebe|leben)",
         "location.city", "{S} [wohnt|wohnt nicht|wohnte|wohnt nicht mehr] in {value}", importance=0.8),
    Rule("lived", "gewohnt gelebt",
         "(?P<past>(?:ich|wir) haben?|haben? (?:ich|wir)){adv} in {place}{adv} (?:gewohnt|gelebt)", "location.city",
         "{S} [wohnt|wohnt nicht|wohnte] in {value}", importance=0.7),
    Rule("moved", "gezogen umgezogen",
         "(?:(?:bin|sind) (?:ich|wir)|wir sind|ich bin){adv} nach {place}{adv} (?:um)?gezogen", "location.city",
         "{S} ist nach {value} gezogen", importance=0.8),
    Rule("moving", "ziehe zieht ziehen", "{SW} zieh(?:e|t|en){adv} nach {place}", "location.city",
         "{S} zieht nach {value}", importance=0.8, temporal="future"),
    Rule("origin", "komme komm kommt stamme stammt aufgewachsen geboren",
         "{S}(?: komm(?:e|t)?| stamm(?:e|t)|{am}){adv} (?:aus|in) {place}(?= (?:aufgewachsen|geboren)|{end})",
         "location.origin", "{S} kommt aus {value}", importance=0.7, unless=r"(?:Ordnung|Form|Rente|Urlaub|Eile)\b"),
    # work and learning
    Rule("employer", "arbeite arbeitet arbeiten",
         "{S} arbeit(?:e|et){not}(?: als {w}(?: {w}){0,2}?)? (?:bei|beim|für) {org}", "work.employer",
         "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] bei {value}", importance=0.8,
         unless=r"(?:Nacht|Tag|Regen|Bedarf|Kunden|Musik|Kerzenlicht)\b"),
    Rule("workplace", "arbeite arbeitet",
         "{S} arbeit(?:e|et){not} (?P<where>im|in einem|in einer) (?P<value>krankenhaus|klinikum|altenheim"
         "|pflegeheim|kindergarten|kita|schule|bank|apotheke|anwaltskanzlei|werkstatt|bäckerei|restaurant|café|hotel"
         r"|verlag|finanzamt|rathaus|baumarkt|supermarkt|agentur|start-?up)\b", "work.employer",
         "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] {where} {value}", importance=0.7,
         certainty="implied"),
    Rule("employer_inverted", "arbeite", "arbeite ich{not}(?: als {w}(?: {w}){0,2}?)? (?:bei|beim|für) {org}",
         "work.employer", "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] bei {value}", importance=0.8),
    Rule("worked", "gearbeitet", "(?P<past>ich habe|habe ich){adv} (?:bei|beim|für) {org}{adv} gearbeitet",
         "work.employer", "{S} [arbeitet|arbeitet nicht|arbeitete] bei {value}", importance=0.7),
    Rule("starts_at", "fange anfange beginne nehme job stelle",
         "ich (?:fange|beginne|starte|nehme){adv}(?: eine?n? (?:neuen? )?(?:job|stelle))? (?:bei|beim) {org}(?="
         "(?: an)?{end})", "work.employer", "{S} fängt bei {value} an", importance=0.8, temporal="future"),
    Rule("works_as", "arbeite arbeitet", "{S} arbeit(?:e|et){not}(?: (?:bei|beim|für) {w}(?: {w}){0,3}?)? als {job}",
         "work.role", "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] als {value}", importance=0.8),
    Rule("works_as_inverted", "arbeite", "arbeite ich{not}(?: (?:bei|beim|für) {w}(?: {w}){0,3}?)? als {job}",
         "work.role", "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] als {value}", importance=0.8),
    Rule("role", "bin ist",
         r"{S}(?: bin| ist){not}(?: von beruf)?(?: eine?)? {job}(?={end}| (?:bei|beim|in|an|im|und|von|für)\b)",
         "work.role", "{S} [ist|ist nicht|war|ist nicht mehr] {value}", importance=0.8),
    Rule("role_inverted", "bin", r"bin ich{adv}(?: eine?)? {job}(?={end}| (?:bei|beim|in|an|im|und|von)\b)",
         "work.role", "{S} ist {value}", importance=0.8),
    Rule("employer_of_role", "bei beim", "{S}(?: bin| ist){not} (?:{w} ){1,3}?(?:bei|beim) {org}", "work.employer",
         "{S} [arbeitet|arbeitet nicht|arbeitete|arbeitet nicht mehr] bei {value}", importance=0.8,
         certainty="implied", unless=r"(?:der |dem )?(?:Arzt|Zahnarzt|Friseur|Wetter|Oma|Freunden)\b"),
    Rule("studies", "studiere studiert",
         r"{S} studier(?:e|t){not} (?P<value>(?!an\b|in\b|bei\b)(?:{w} ){0,2}?{Cap}(?: und {Cap})?)",
         "education.field", "{S} [studiert|studiert nicht|studierte|studiert nicht mehr] {value}", importance=0.7),
    # family, pets, body
    Rule("work_status", "selbstständig selbständig arbeitslos rente freiberuflich elternzeit",
         r"{S}{am}{not} (?P<value>selbst(?:st)?ändig|arbeitslos|freiberuflich|in (?:rente|elternzeit))\b",
         "work.status", "{S} [ist|ist nicht|war|ist nicht mehr] {value}", importance=0.7),
    Rule("family_status", "verheiratet geschieden verlobt ledig verwitwet single",
         r"{S}{am}{not} (?P<value>verheiratet|geschieden|verlobt|ledig|verwitwet|single)\b", "family.status",
         "{S} [ist|ist nicht|war|ist nicht mehr] {value}", importance=0.7),
    Rule("spouse", "verheiratet verlobt", "{S}{am}{adv} mit {name} (?P<rel>verheiratet|verlobt)",
         "family.partner.name", "{S} ist mit {value} {rel}", importance=0.7),
    Rule("children", "kinder kind söhne töchter sohn tochter",
         r"{SW} hab(?:e|en)?{adv} (?P<value>{n} (?:{w} )?(?:kinder|kind|söhne|töchter|sohn|tochter))\b",
         "family.children", "{S} hat {value}", importance=0.7),
    Rule("pets", "hund hunde katze katzen kater pferd hamster kaninchen",
         r"{SW} hab(?:e|en){adv} (?P<value>{n} (?:{w} )?(?:{pet})[en]?)\b", "pet.owns", "{S} hat {value}",
         importance=0.6),
    Rule("allergy", "allergisch", "{S}{am}{not} allergisch (?:gegen|auf) {phrase}", "health.allergy",
         "{S} [ist|ist nicht] allergisch gegen {value}", importance=0.95),
    Rule("allergy_last", "allergisch", "{S}{am}{not} (?:gegen|auf) (?P<value>{w}(?: {w}){0,4}?) allergisch",
         "health.allergy", "{S} [ist|ist nicht] allergisch gegen {value}", importance=0.95),
    Rule("has_allergy", "allergie",
         "{S} ha(?:be|t) eine (?:(?:starke|schwere|leichte) )?(?P<value>{w})-?allergie(?: gegen {phrase})?",
         "health.allergy", "{S} hat eine Allergie gegen {value}", importance=0.95),
    Rule("diet", "vegetarier vegetarierin veganer veganerin vegan vegetarisch glutenfrei halal koscher",
         "{S}(?:{am}| lebe| lebt| esse| isst| ernähre mich){not} (?P<value>vegetarier(?:in)?|veganer(?:in)?|vegan"
         r"|vegetarisch|glutenfrei|halal|koscher)\b", "health.diet", "{S} [ist|ist nicht|war|ist nicht mehr] {value}",
         importance=0.9),
    Rule("eats_no", "esse isst trinke trinkt",
         "{S} (?P<verb>esse|isst|trinke|trinkt){adv} (?P<neg>kein(?:e[nrs]?)?) {phrase}", "preference.{topic}",
         "{S} {verb+} [|kein] {value}", importance=0.8, unless=r"(?:mehr|zeit)\b", kind="preference",
         category="preference"),
    # languages, hobbies, tools
    Rule("speaks", "spreche spricht",
         "{S} spr(?:eche|icht){adv}(?P<neg> kein)? (?P<value>(?:(?:fließend|etwas|gut|ein wenig|ein bisschen) )?"
         "(?:{language})(?:(?:, | und )(?:{language}))*)", "language.spoken", "{S} spricht [|nicht] {value}",
         importance=0.7),
    Rule("learning", "lerne lernt", "{S} lern(?:e|t){adv} (?P<value>{language})", "language.learning",
         "{S} lernt {value}", importance=0.6),
    Rule("drives", "fahre besitze", "{S} (?P<verb>fahre|besitze){adv} (?P<value>eine?n? {w}(?: {w}){0,3}?){end}",
         "possession", "{S} {verb+} {value}", importance=0.5),
    Rule("hobby", "hobby hobbys", "(?:mein hobby ist|meine hobbys sind) {phrase}", "hobby", "{S}s Hobby ist {value}",
         importance=0.6),
    Rule("plays", "spiele spielt",
         r"(?:ich spiele|spiele ich){not}(?: gern| gerne)? (?P<value>(?!mit\b|das\b|es\b)(?:{w} )?{Cap}){end}",
         "hobby", "{S} spielt [|nicht|früher|nicht mehr] {value}", importance=0.5),
    Rule("team_uses", "nutzen benutzen verwenden",
         "{W} (?:nutzen|benutzen|verwenden|nutzt|benutzt|verwendet){adv} (?P<neg>kein(?:e[nmrs]?)? )?{thing}",
         "project.stack", "{S} nutzt [|nicht|früher|nicht mehr] {value}", category="project", importance=0.6,
         unless=_DEICTIC),
    Rule("uses", "nutze benutze verwende", "{S} (?:nutze|benutze|verwende){adv} (?P<neg>kein(?:e[nmrs]?)? )?{thing}",
         "tool", "{S} nutzt [|nicht|früher|nicht mehr] {value}", category="workflow", importance=0.5, unless=_DEICTIC),
    # likes and dislikes
    Rule("favourite", "mein meine", "mein(?:e|er)? lieblings-?(?P<topic>{w}) (?:ist|sind|bleibt){adv} {phrase}",
         "favourite.{topic}", "{S}s Lieblings{topic} ist {value}", importance=0.7, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("rather", "lieber",
         r"(?:ich (?P<verb>{w})|(?P<verb>{w}) ich){adv} lieber (?P<value>{w}(?: {w}){0,8}?)(?={end}| als\b)",
         "preference.{topic}", "{S} {verb+} lieber {value}", importance=0.75, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("best", "liebsten", "am liebsten (?P<verb>{w}) ich{adv} {phrase}", "preference.{topic}",
         "{S} {verb+} am liebsten {value}", importance=0.75, kind="preference", category="preference"),
    Rule("best_last", "liebsten", "{S} (?P<verb>{w}) am liebsten {phrase}", "preference.{topic}",
         "{S} {verb+} am liebsten {value}", importance=0.75, kind="preference", category="preference"),
    Rule("gladly", "gern gerne",
         "(?:ich (?P<verb>esse|trinke|lese|höre|sehe|koche|mache|gehe|reise|schaue)|(?P<verb>esse|trinke|lese|höre"
         "|koche|gehe) ich){adv}(?P<neg> nicht)? gerne? {phrase}", "preference.{topic}",
         "{S} {verb+} [gern|nicht gern] {value}", unless=_DEICTIC, kind="preference", category="preference"),
    Rule("prefers", "bevorzuge bevorzugt", "{S}{adv} bevorzug(?:e|t){adv} {thing}", "preference.{topic}",
         "{S} bevorzugt [|nicht|früher|nicht mehr] {value}", importance=0.75, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("likes", "mag liebe liebt", "{S} (?P<verb>mag|liebe|liebt){adv} (?P<neg>kein(?:e[nmrs]?)? )?{thing}",
         "preference.{topic}", "{S} {verb+} {value} [|nicht|früher|nicht mehr]", unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("likes_inverted", "mag liebe", "(?P<verb>mag|liebe) ich{adv} (?P<neg>kein(?:e[nmrs]?)? )?{thing}",
         "preference.{topic}", "{S} {verb+} {value} [|nicht|früher|nicht mehr]", unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("dislikes", "hasse hasst verabscheue", "{S} (?P<verb>hasse|hasst|verabscheue){adv} {thing}",
         "preference.{topic}", "{S} {verb+} {value}", polarity=-1, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("cannot_stand", "leiden ausstehen",
         "{S} kann (?P<value>{w}(?: {w}){0,6}?)(?: gar| überhaupt)? nicht (?:leiden|ausstehen)", "preference.{topic}",
         "{S} kann {value} nicht leiden", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("topic_first", "mag liebe hasse",
         "(?P<value>{w}(?: {w}){0,3}?) (?P<verb>mag|liebe) ich{adv}(?P<neg>(?: gar| überhaupt)? nicht)?{end}",
         "preference.{topic}", "{S} {verb+} {value} [|nicht]", kind="preference", category="preference",
         unless=_DEICTIC + r"|(?:dich|wen|so|was|dann|jetzt|hier|am|im)\b"),
    Rule("pleases", "gefällt gefallen", "mir gef(?:ällt|allen){adv} (?P<neg>kein(?:e[nmrs]?)? )?{thing}",
         "preference.{topic}", "{S} gefällt {value} [|nicht|früher|nicht mehr]", kind="preference",
         category="preference", unless=_DEICTIC),
    Rule("avoids", "vermeide vermeidet", "{S} vermeidet?{adv} {thing}", "preference.{topic}", "{S} vermeidet {value}",
         polarity=-1, unless=_DEICTIC, importance=0.7, kind="preference", category="preference"),
    Rule("fears", "angst", "{S} hab(?:e|t)?{adv}(?P<neg> keine)? angst vor {thing}", "preference.{topic}",
         "{S} hat [|keine] Angst vor {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("interest", "interessiere interessiert", "{S} interessier(?:e|t) (?:mich|sich){adv}(?P<neg> nicht)? für "
    "{thing}",
         "preference.{topic}", "{S} interessiert sich [|nicht] für {value}", unless=_DEICTIC, kind="preference",
         category="preference"),
    # what happened, and what happens again and again
    Rule("did", "gekauft verkauft adoptiert gewonnen gebucht bestanden veröffentlicht besucht gebaut abgeschlossen",
         "(?:ich habe?|wir haben|habe? ich|haben wir){adv}(?: mir| uns)?{adv} (?P<value>(?:eine?n? |den |die |das "
         "|meine?n? )"
         "?{w}(?: {w}){0,6}?) (?P<verb>gekauft|verkauft|adoptiert|gewonnen|gebucht|bestanden|veröffentlicht|besucht"
         "|gebaut|abgeschlossen){end}", "event.success", "{S} hat {value} {verb}", importance=0.5,
         unless=_DEICTIC + "|nicht|noch|nie|kein|deine?"),
    Rule("was_in", "war waren", "(?:(?:ich war|wir waren)|(?:war ich|waren wir)){adv} in {place}", "event.visit",
         "{S} war in {value}", importance=0.5, unless=r"(?:Eile|Sorge|Form|Rente|Urlaub|Ordnung)\b"),
    Rule("lives_with", "wohne wohnt lebe lebt", "{S} (?:wohn|leb)(?:e|t){not} mit (?P<value>{w}(?: {w}){0,4}?) "
    "zusammen",
         "family.household", "{S} [lebt|lebt nicht|lebte|lebt nicht mehr] mit {value} zusammen", importance=0.7,
         unless=_DEICTIC),
    Rule("habit", "jeden jede jedes", "ich (?P<verb>gehe|fahre|laufe|schwimme|jogge|koche|lese|trainiere|übe|meditiere"
         "|spiele|trinke|esse) (?P<value>(?:{w} ){0,4}?jede[ns]? {w}(?: {w}){0,3}?){end}", "habit.{verb}",
         "{S} {verb+} {value}", importance=0.55, unless=_DEICTIC),
    # business, projects, decisions, plans
    Rule("business_name", "heißt",
         "(?:unsere?|meine?) (?:firma|unternehmen|startup|laden|agentur|geschäft) heißt {name}", "business.name",
         "{S}s Unternehmen heißt {value}", category="workflow", importance=0.8),
    Rule("sells", "verkaufen bauen entwickeln", "{W} (?P<verb>verkaufen|bauen|entwickeln){adv} {phrase}",
         "business.product", "{S} verkauft {value}", category="workflow", importance=0.7, unless=_DEICTIC),
    Rule("project_uses", "nutzt verwendet",
         "(?:unser|mein|das) (?P<topic>projekt|backend|frontend|dienst) (?:nutzt|verwendet) {thing}", "project.stack",
         "{topic} von {S} nutzt [|nicht|früher|nicht mehr] {value}", category="project", unless=_DEICTIC),
    Rule("project_name", "projekt app produkt",
         "(?:das|mein|unser|die|meine|unsere) (?:neue[rs]? )?(?:projekt|app|produkt) heißt {name}", "project.name",
         "{S}s Projekt heißt {value}", category="project", importance=0.8),
    Rule("email", "e mail email",
         r"meine (?:e-?mail|mail)(?:-?adresse)? (?:ist|lautet) (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
         "contact.email", "{S}s E-Mail-Adresse ist {value}"),
    Rule("deadline", "deadline frist abgabe abgabetermin",
         "(?:(?:die|unsere|meine|der) )?(?:deadline|frist|abgabe|abgabetermin)(?: für (?P<topic>{w}"
         "(?: {w}){0,2}?))? ist(?: am| der)? (?P<value>{w}(?: {w}){0,9}?){end}", "project.deadline",
         "Die Frist ist {value}", category="project", importance=0.85, unless=r"(?:bald|nah|zu|sehr|nicht)\b"),
    Rule("decided_for", "entschieden",
         "(?:wir|ich) haben? (?:uns|mich){adv} (?P<value>(?:für|gegen) {w}(?: {w}){0,8}?) entschieden", "decision",
         "{S} hat sich {value} entschieden", kind="decision", category="decision", importance=0.8),
    Rule("decided", "beschlossen entschieden",
         "(?:ich|wir) haben? (?:(?:uns|mich) )?(?:beschlossen|entschieden|dazu entschlossen),? {phrase}", "decision",
         "{S} hat beschlossen, {value}", kind="decision", category="decision", importance=0.8),
    Rule("remind", "erinnere erinner", "{please}erinnere? mich(?: bitte)?(?:{time})?(?: (?:daran|an))?,? {phrase}",
         "task", "{S} möchte erinnert werden: {value}", kind="plan", category="workflow", importance=0.75,
         temporal="future"),
    Rule("must", "muss müssen",
         "(?:ich muss|wir müssen|(?:muss|müssen) (?:ich|wir)) (?P<value>{w}(?:,? {w}){0,19}? "
         "(?-i:[a-zäöüß]{2,}n)){end}", "task", "{S} muss {value}", kind="plan", category="workflow", importance=0.6,
         temporal="future",
         unless=r"(?:ehrlich|nicht|gerade|kurz|leider|schon|ja|mal|das|dies\w*|es|dir|dich|euch|ihnen)\b"),
    Rule("wants_to", "will möchte vor",
         "{S} (?:will|möchte|habe vor,?|plane,?) (?P<value>{w}(?:,? {w}){0,19}? (?-i:[a-zäöüß]{2,}n)){end}", "goal",
         "{S} will {value}", kind="plan", category="goal", importance=0.65, temporal="future",
         unless=r"(?:gerne? )?(?:nur|wissen|sagen|nicht|das|dir|dich|mal|einfach|kein|dass)\b"),
    Rule("going_to", "werde", "(?:ich werde|werde ich) (?P<value>{w}(?:,? {w}){0,19}? (?-i:[a-zäöüß]{2,}n)){end}",
         "goal", "{S} wird {value}", kind="plan", category="goal", importance=0.55, temporal="future",
         unless=r"(?:nicht|nie|es|das|mich melden|müde|krank|alt|mal|wohl|dir|verrückt)\b"),
    Rule("goal_is", "ziel", r"mein (?:\w+ )?ziel ist(?: es)?,? {phrase}", "goal", "{S}s Ziel ist {value}", kind="plan",
         category="goal", importance=0.8, temporal="future"),
)  # fmt: skip

PACK = Pack(
    language="de",
    user="Nutzer",
    team="Team",
    possessive="{owner}s {thing}",
    macros=_MACROS,
    rules=_RULES,
    subject=r"(?:{S}|{we}|er|sie|es|du|ihr|man)(?P<be> (?:bin|ist|sind|war|waren)\b)?(?= |$)",
    understood={},
    lead="(?:(?:also|ja|nein|nee|doch|ok|okay|hallo|hi|hey|moin|danke|und|aber|oh|ach|tja|naja|übrigens|eigentlich"
        "|ehrlich gesagt|jetzt|inzwischen|mittlerweile|derzeit|zurzeit|aktuell|momentan|früher|damals|leider"
        "|zum glück|außerdem|vielleicht|wahrscheinlich|vermutlich|normalerweise|meistens|grundsätzlich|nur zur info"
        "|zur info|hinweis|korrektur|sorry|entschuldigung|moment|warte|ich glaube|ich denke|ich finde|ich meine"
        r"|ich meinte|dass|weil|denn|da|beruflich|privat|in meiner freizeit|{when}|[-*•]|\d{1,2}[.)])(?:[,:!.…]"
        r"|\s[-–]|$)*\s+)*",
    breaks=r"(?:\s*[,;:–—(]\s*(?:und |aber |denn |weil |da |dass |sondern )?|\s+(?:und|aber|denn|weil|da|oder)\s+)(?="
        r"(?:ich|wir|mein|meine|unser|unsere|bitte|immer|am liebsten)\b)",
    carry_verb=
        r",?\s+(?:und|aber)(?: auch| jetzt| dann)*\s+(?=(?:bin|ist|arbeite|arbeitet|wohne|wohnt|lebe|lebt|mag|liebe"
        "|liebt|hasse|hasst|trinke|esse|spiele|spreche|nutze|habe|hat|heiße|heißt|will|möchte|muss|bevorzuge|komme"
        r"|studiere|kann|komme?|komm|wohn|verkaufen|bauen|entwickeln|nutzen|verwenden|sind)\b)",
    carry_be=r",?\s+(?:und|aber)\s+(?=(?:seit {w}(?: {w})? )?(?:allergisch|verheiratet|geschieden|vegan|vegetarier\w*"
        r"|veganer\w*)\b)",
    questions="(?:was|wie|warum|wieso|weshalb|wer|wo|wann|wohin|woher|welche[nrms]?|kannst|könntest|können sie|kann ich"
        r"|soll(?:te)? ich|hast|bist|ist|sind|gibt|darf|weißt|magst|würdest|wirst)\b(?! du bitte)",
    asks=r"(?:[,;:–—.]|\s-)\s*(?:und |aber |oder )*(?:was|wie|warum|wer|wo|wann|welche[nrms]?|kannst|könntest|hast"
        r"|bist|ist|oder|gibt|soll)\b",
    reports=
        r"\b(?:sagt|sagte|ruft|rief|schreit|fragt|fragte|meint|meinte|denkt|schreibt|singt|steht|heißt es)\b[^:]*:|\b"
        r"(?:schreib\w*|erzähl\w*|erfinde|verfasse|dichte|formulier\w*)\b[^:]*:|\baus (?:der )?(?:sicht"
        r"|perspektive)\b|\b(?!ich\b|wir\b)(?:er|sie|man|jemand|leute|{Cap}|(?:meine?|der|die|seine?|ihre?"
        "|unsere?) {w}(?: {w})?) (?:auch |immer |mal |oft )*(?:sagt|sagte|meint|meinte|denkt|dachte|glaubt|findet"
        "|behauptet|schreibt|schrieb|fragt|fragte|erzählt|erzählte|hat (?:mal |mir )?(?:gesagt|gemeint|geschrieben"
        r"|erzählt|gefragt))\b|\bim (?:buch|text|lied|film) (?:steht|heißt)|\blaut\b|\bzitat\b|\bübersetz"
        r"|\bkorrigier",
    hypothetical=r"\b(?:angenommen|nehmen wir an|nimm an|stell dir vor|stellen sie sich vor|tu so|tun wir so|als ob"
        r"|hypothetisch|im traum|geträumt|rollenspiel|was wäre)\b",
    condition=r"\b(?:wenn|falls|zum beispiel|z\.b)\b",
    supposed=r"\b(?:würde(?! (?:lieber|gern|gerne))|wäre|hätte|könnte|dürfte)\b",
    secrets=(
        r"\b(?:passw(?:ort|örter)|kennwort|passphrase|pin|geheimzahl|api[ -]?(?:key|schlüssel)|token|kreditkarte\w*"
        rf"|iban|kontonummer|tan|sozialversicherungsnummer|steuer-id)\b|{CREDENTIALS}"
    ),
    hedges={
        "uncertain": r"\b(?:vielleicht|eventuell|möglicherweise|nicht sicher)\b",
        "inferred": r"\b(?:ich glaube|ich denke|wahrscheinlich|vermutlich|meistens|normalerweise)\b",
    },
    no_longer=r"\bnicht (?:mehr|länger)\b",
    corrections=
        "(?:oh,? |ach,? |moment,? |sorry,? |entschuldigung,? )*(?:eigentlich|nein,|nee,|doch,|korrektur|ich meinte"
        "|ich habe mich (?:vertan|geirrt)|stimmt nicht|das (?:stimmt nicht|ist falsch)|vergiss das|planänderung)",
    empty=r"(?:das|es|dies\w*|sie|ihn|was|so|viel|mehr|alles|nichts|etwas|auch|gut|nicht|ja|nein|ich|du|mich|mir|dir"
        "|dich|der|die|den|dem|ein|eine|einen)",
    hollow=
        r"^(?:(?:mal|nur|auch|noch|endlich|unbedingt|einfach) )*(?:es|das|sie|ihn|ihm|ihr|ihnen|dies\w*|dich|dir|euch"
        r"|dorthin|dahin|hierher|dort|da|hin)(?: (?:\w+ )?(?:zu )?\w+n)?$|^(?:zu )?(?:arbeiten|anrufen|anfangen"
        "|aufhören|weitermachen|helfen|gehen|kommen|machen)$",
    dangling=r"(?:^|\s)(?:und|oder|der|die|das|den|dem|des|eine?[nmrs]?|mit|von|in|im|auf|für|zu|zum|zur|am|an|bei|beim"
        r"|als|aus|sehr|mein\w*)$",
    head=r"(?P<head>[\w'-]+)(?=\s+(?:in|von|für|mit|als|am|auf|bei|aus|ohne|und|oder|über|zum|zur|statt|im|an)\b|,"
        r"|\s*$)",
    trim=r"[\s,.]+(?:auch|sehr|wirklich|total|bitte|danke|gerade|jetzt|zurzeit|momentan|derzeit|nicht|mehr|übrigens"
        "|eigentlich|und|oder|aber|so|lol|haha)",
    articles=r"(?:eine?[nmrs]?|der|die|das|den|dem|einige|etwas) (?=\S)",
    time=r"{time}",
    forms={
        "liebe": "liebt", "hasse": "hasst", "verabscheue": "verabscheut", "trinke": "trinkt", "esse": "isst",
        "lese": "liest",
        "höre": "hört", "sehe": "sieht", "koche": "kocht", "mache": "macht", "gehe": "geht", "reise": "reist",
        "schaue": "schaut",
        "arbeite": "arbeitet", "spiele": "spielt", "fahre": "fährt", "nehme": "nimmt", "habe": "hat", "nutze": "nutzt",
        "schreibe": "schreibt", "laufe": "läuft", "schwimme": "schwimmt", "jogge": "joggt", "trainiere": "trainiert",
        "übe": "übt", "meditiere": "meditiert", "benutze": "benutzt", "verwende": "verwendet",
    },
    persons={
        "mein": "sein", "meine": "seine", "meinen": "seinen", "meinem": "seinem", "meiner": "seiner", "mich": "ihn",
        "mir": "ihm",
        "ich": "er", "wir": "sie", "uns": "sie", "unser": "ihr", "unsere": "ihre", "unseren": "ihren",
    },
    agreement={},
    canon={
        "schwester": "sister", "bruder": "brother", "mutter": "mother", "mama": "mother", "vater": "father",
        "papa": "father",
        "frau": "wife", "ehefrau": "wife", "mann": "husband", "ehemann": "husband", "partnerin": "partner",
        "freundin": "girlfriend",
        "freund": "boyfriend", "verlobte": "fiance", "verlobter": "fiance", "tochter": "daughter", "sohn": "son",
        "kind": "child",
        "tante": "aunt", "onkel": "uncle", "oma": "grandmother", "großmutter": "grandmother", "opa": "grandfather",
        "großvater": "grandfather", "chef": "manager", "chefin": "manager", "kollege": "colleague",
        "kollegin": "colleague",
        "beste_freundin": "best_friend", "bester_freund": "best_friend", "hund": "dog", "hündin": "dog",
        "katze": "cat", "kater": "cat", "pferd": "horse", "vogel": "bird",
        "kaninchen": "rabbit",
        "farbe": "colour", "essen": "food", "gericht": "dish", "film": "film", "buch": "book",
    },
    abbreviations=frozenset("dr prof hr fr z.b z b bzw ca usw nr str d.h u.a st".split()).union(map(str, range(1, 32))),
)  # fmt: skip
