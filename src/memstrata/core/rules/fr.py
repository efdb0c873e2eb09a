"""French. Statements are in French, about "l'utilisateur"; attributes are the English paths that all packs share.

The first and the third person of regular verbs are alike, so most rules serve the speaker and the speaker's
relatives. Elided pronouns ("j'habite", "n'aime") are one word to the cues, which therefore list them.
"""

from memstrata.core.rules.pack import CREDENTIALS, Pack, Rule

_FAMILY = (
    "sœur|soeur|frère|mère|maman|père|papa|femme|épouse|mari|époux|compagne|compagnon|copine|copain|fiancée|fiancé"
    "|fille|fils|enfant|bébé|cousine|cousin|tante|oncle|nièce|neveu|grand-mère|grand-père|mamie|papi|belle-mère"
    "|beau-père|belle-sœur|beau-frère|petite-fille|petit-fils"
)
_PEOPLE = (
    "meilleure amie|meilleur ami|amie|ami|cheffe|chef|patronne|patron|collègue|colocataire|coloc|voisine|voisin"
    "|médecin|dentiste|professeure|professeur|prof|coach|propriétaire|associée|associé"
)
_PETS = "chienne|chien|chatte|chat|lapin|hamster|perroquet|cheval|poney|tortue|oiseau|canari|cochon d'inde|poisson"

_MACROS = {
    "w": r"[^\s,;:!?()\ufffc]+",
    "Cap": r"(?-i:[A-ZÀ-ÖØ-ÞŒ][\w'&.+-]*)",
    "n": r"(?:\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quelques|plusieurs)",
    "month": r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)",
    "day": r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?",
    "when": "(?:(?:le|la|les|l'|en|au|du|depuis|jusqu'en|avant|dès|pour|ce|cette|cet|chaque|début|fin|mi-) ?)*"
    r"(?:\d{1,2}(?:er)? {month}(?: \d{4})?|(?<!\d\s){month}(?: \d{4})?|{day}|aujourd'hui|demain|hier|(?:19|20)\d\d"
    "|matin|soir|(?:semaine|mois|année|an|été|hiver|automne|printemps)(?: dernière?| prochaine?)?|il y a {n} "
    r"(?:jours?|semaines?|mois|ans?|années?)|{n} (?:jours?|semaines?|mois|ans?|années?))\b",
    "time": r"(?:,? {when})+",
    "adv": "(?:{time}| (?:aussi|toujours|maintenant|actuellement|encore|seulement|vraiment|beaucoup|surtout|déjà"
    "|très|souvent|plutôt|ici|seule?|bien|désormais|en ce moment|principalement|même))*",
    "end": r"(?=\s*(?:$|[,;:!()\ufffc.]|\s[-–—]\s| (?:parce|car|mais|quand|lorsque|pendant que|puisque|donc|qui|où|si"
    r"|tandis|alors que|sauf|et (?:je|j'\w+|ma|mon|mes|nous|le|la|les|c'est|il|elle|travaille|habite|suis))\b))",
    "neg": r"(?: ne| n'|(?<=')n')?\s*",
    "not": r"(?:(?P<ended> plus)|(?P<neg> (?:pas|jamais)))?{adv}",
    "phrase": r"(?P<value>{w}(?:,? {w}){0,20}?){end}",
    "thing": r"(?P<value>{w}(?: {w}){0,9}?){end}",
    "name": r"(?P<value>{Cap}(?: (?:{Cap}|(?-i:de|du|le|la))){0,3})",
    "place": r"(?P<value>(?:(?-i:la|le|les) )?{Cap}(?:[ -](?:{Cap}|(?-i:sur|de|la|les|en|le))){0,3}(?<!\sde)(?<!\sla)"
    r"(?<!\sen)|(?!(?:une?|le|la|les|ma|mon|la|l'|côté|maison|proximité|pied|deux|plusieurs|peu|paix|colocation"
    r"|appartement)\b)[a-zéèêàâîôûç][\w-]+{end})",
    "at_place": r"(?:à|au|aux|en|dans|près de)",
    "org": "(?P<value>(?:la |le |les |l'|l'hôpital |l'université |une? |un )?(?:(?:société|entreprise|agence|banque"
    r"|start-?up|école|mairie) )?{Cap}(?:[ &-](?:{Cap}|(?-i:de|du|et))){0,4}(?<!\sde)(?<!\sdu)(?<!\set)|une? "
    "(?:entreprise|société|start-?up|agence|banque|école|hôpital|clinique|université|lycée|collège|restaurant"
    "|cabinet|usine|magasin|association|librairie|pharmacie|mairie|ong)(?: {w}){0,3}?{end}|(?:la |l')?(?:mairie"
    "|hôpital|université|école|poste|banque) (?:de |du |d')?{Cap})",
    "job": "(?P<value>(?!(?:végétar|végétal|parisien|premier|dernier|seul|entier|fier|étranger|célibataire|solitaire"
    "|heureux|optimiste|pessimiste|féministe|réaliste|triste|perfectionniste|amoureux|curieux|nerveux|sérieux"
    r"|meilleur|majeur|mineur|supérieur|intérieur|prêt|malade|familier|régulier|intéressante?|étudiante? de)\w*)"
    "(?:chef(?:fe)?|avocate?|médecin|architecte|professeure?|prof|étudiante?|développeuse|ingénieure?|consultante?"
    "|comptable|journaliste|artiste|photographe|kiné|sage-femme|pilote|juge|notaire|vétérinaire|secrétaire"
    "|fonctionnaire|graphiste|freelance|indépendante?|retraitée?|pdg|ceo|cto|gérante?|assistante?|enseignante?|agent"
    r"|femme de ménage|maçon|artisane?|apprentie?|stagiaire|\w+(?:eur|euse|rice|ier|ière|ien|ienne|iste|logue|aire"
    r"|graphe))(?: (?:de|en|d'|du) ?(?!{Cap}|une?\b){w}(?: {w})?)?)",
    "language": "français|anglais|espagnol|allemand|italien|portugais|néerlandais|russe|chinois|japonais|coréen"
    "|arabe|turc|polonais|suédois|grec|breton|catalan|ukrainien|latin",
    "family": _FAMILY,
    "people": _PEOPLE,
    "pet": _PETS,
    "my_x": r"(?:ma|mon|notre) (?:(?:grande?|petite?|nouvelle|nouveau) )?",
    "S": "(?:(?P<me>je|j'|moi,? je)|{my_x}(?P<kin>{family}|{people}|{pet})(?: (?:aînée?|cadette?))?(?:,? "
    "(?P<called>{Cap}),?)?)",
    "we": r"(?P<we>nous|on|notre (?:équipe|entreprise|société|boîte|agence))",
    "please": r"(?:s'il te plaît,? |s'il vous plaît,? |merci de |et |tu peux |peux-tu )*",
}
_DEICTIC = (
    "(?:ça|cela|ce|ceci|celui|celle|lui|elle|eux|toi|tu|vous|te|tout|rien|beaucoup|bien|trop|quoi|mieux|y|en|le|la"
    r"|les)(?:$| (?:aussi|beaucoup|que|de|qui|trop|bien|faire|voir)\b)|(?:quand|que|comment|si|ne|ta|ton|tes|vos"
    r"|votre)\b|qu'"
)

_RULES = (
    # what the assistant is asked to do
    Rule("answer_in", "réponds répondez répondre réponds-moi écris écris-moi parle parle-moi",
         "{please}(?:réponds|répondez|répondre|écris|parle)(?:-moi)?(?: toujours| uniquement)*(?: en)? (?P<value>"
         "(?:en )?(?:{language}))", "instruction.language", "{S} veut des réponses en {value}", importance=0.9,
         conditional=True, kind="preference", category="preference"),
    Rule("from_now_on", "partir désormais dorénavant",
         "{please}(?:à partir de maintenant|désormais|dorénavant),? {phrase}", "instruction.rule",
         "{S} demande : à partir de maintenant, {value}", importance=0.9, conditional=True,
         unless=r"(?:je|j'\w+|nous|on|c'est)\b", kind="preference", category="preference"),
    Rule("avoid", "n'utilise n'utilisez évite évitez fais m'écris n'écris",
         "{please}(?P<how>n'utilise(?:z)? (?:pas|jamais)|ne me fais pas|ne m'écris pas|n'écris pas|évitez?) {thing}",
         "instruction.style", "{S} demande : {how} {value}", importance=0.9, polarity=-1, unless=_DEICTIC,
         kind="preference", category="preference"),
    Rule("be_concise", "sois soyez",
         r"{please}(?:sois|soyez) (?:plus |très )?(?P<value>brève?|concise?|directe?|formelle?|formel|bref)\b",
         "instruction.style", "{S} demande : sois {value}", importance=0.9, kind="preference", category="preference"),
    Rule("call_me", "appelle-moi appelle tutoie-moi", "{please}appelle-moi {name}", "instruction.address",
         "{S} veut être appelé {value}", importance=0.9, kind="preference", category="preference"),
    # who
    Rule("name", "m'appelle nom prénom moi",
         "(?:(?:moi,? )?(?:je )?m'appelle|moi,? c'est|mon (?:nom|prénom) est|mon nom,? c'est) {name}", "identity.name",
         "{S} s'appelle {value}", importance=0.9),
    Rule("i_am_name", "suis", "(?:moi,? )?je suis (?P<value>{Cap}(?: {Cap})?){end}", "identity.name",
         "{S} s'appelle {value}", importance=0.9, certainty="implied",
         unless=r"(?:CEO|CTO|PDG|Français\w*|Allemand\w*|Belge|Suisse|Breton\w*|Parisien\w*)\b"),
    Rule("kin_name", "s'appelle", "{my_x}(?P<rel>{family}) s'appelle {name}", "family.{rel}.name",
         "{rel} de {S} s'appelle {value}", importance=0.7),
    Rule("person_name", "s'appelle", "{my_x}(?P<rel>{people}) s'appelle {name}", "people.{rel}.name",
         "{rel} de {S} s'appelle {value}", importance=0.6),
    Rule("pet_name", "s'appelle", "{my_x}(?P<rel>{pet}) s'appelle {name}", "pet.{rel}.name",
         "{rel} de {S} s'appelle {value}", importance=0.7),
    Rule("has_named_pet", "s'appelle nommé nommée",
         "(?:j'ai|nous avons|on a) une? (?P<rel>{pet}) (?:qui s'appelle|nommée?) {name}", "pet.{rel}.name",
         "{rel} de {S} s'appelle {value}", importance=0.7),
    Rule("apposition", "ma mon notre", "{my_x}(?P<rel>{family}),? (?P<value>{Cap}),?(?= [a-zéèà])",
         "family.{rel}.name", "{rel} de {S} s'appelle {value}", importance=0.6, certainty="implied"),
    Rule("age", "j'ai ans a", r"{S}(?:ai| a) (?P<value>\d{1,3}) ans\b", "identity.age", "{S} a {value} ans",
         importance=0.7),
    Rule("birthday", "anniversaire", r"mon anniversaire(?:,)? (?:est|c'est)(?: le)? (?P<value>\d{1,2}(?:er)? {month})",
         "identity.birthday", "L'anniversaire de {S} est le {value}", importance=0.8),
    Rule("email", "mail email e-mail adresse",
         r"mon (?:e-?mail|adresse(?: e-?mail)?|mail) est (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)", "contact.email",
         "L'adresse e-mail de {S} est {value}"),
    # where
    Rule("lives", "habite vis vit j'habite n'habite", "{S}{neg}(?:habite|vis|vit){not} {at_place} {place}",
         "location.city", "{S} [habite|n'habite pas|habitait|n'habite plus] à {value}", importance=0.8),
    Rule("we_live", "habitons vivons habite vit", "{W}{neg} (?:habitons|vivons|habite|vit){not} {at_place} {place}",
         "location.city", "{S} [habite|n'habite pas|habitait|n'habite plus] à {value}", importance=0.8),
    Rule("lived", "j'habitais vivais j'ai vécu",
         "(?:avant,? )?(?P<past>j'habitais|je vivais|j'ai vécu|j'ai habité){adv} {at_place} {place}", "location.city",
         "{S} [habite|n'habite pas|habitait] à {value}", importance=0.7),
    Rule("moved", "déménagé installé installée",
         "(?:j'ai déménagé|nous avons déménagé|on a déménagé|je me suis installée?){adv} {at_place} {place}",
         "location.city", "{S} a déménagé à {value}", importance=0.8),
    Rule("moving", "déménage déménager",
         "(?:je déménage|je vais déménager|nous déménageons|on déménage){adv} {at_place} {place}", "location.city",
         "{S} déménage à {value}", importance=0.8, temporal="future"),
    Rule("origin", "viens vient né née originaire grandi",
         "(?:je (?:viens|suis originaire) (?:de|du|d')|je suis née? (?:à|en|au)|j'ai grandi (?:à|en|au)) ?"
         "(?P<value>{Cap}(?:[ -]{Cap}){0,2})", "location.origin", "{S} vient de {value}", importance=0.7),
    # work and learning
    Rule("employer", "travaille bosse",
         "{S}{neg} ?(?:travaille|bosse){not}(?: (?:comme|en tant que) {w}(?: {w}){0,2}?)? (?:chez|pour|à|au|dans"
         "(?= une? )) {org}", "work.employer",
         "{S} [travaille|ne travaille pas|travaillait|ne travaille plus] chez {value}", importance=0.8,
         unless=r"(?:la maison|une? (?:peu|moment))\b"),
    Rule("worked", "travaillais travaillé bossé",
         "(?:avant,? )?(?P<past>je travaillais|j'ai travaillé){adv}(?: comme {w}(?: {w}){0,2}?)? (?:chez|pour"
         "|à) {org}", "work.employer", "{S} [travaille|ne travaille pas|travaillait] chez {value}", importance=0.7),
    Rule("starts_at", "commence j'ai", "(?:je commence|j'ai trouvé)(?: {w}){0,3}? (?:chez|à) {org}", "work.employer",
         "{S} commence chez {value}", importance=0.8, temporal="future"),
    Rule("works_as", "travaille bosse",
         "{S}{neg} ?(?:travaille|bosse){not}(?: (?:chez|pour|à) {w}(?: {w}){0,3}?)? (?:comme|en tant que) {job}",
         "work.role", "{S} [travaille|ne travaille pas|travaillait|ne travaille plus] comme {value}", importance=0.8),
    Rule("role", "suis est",
         r"{S}{neg} ?(?:suis|est){not} (?:une? |le |la )?{job}(?={end}| (?:chez|à|dans|au|et|pour|de|depuis)\b)",
         "work.role", "{S} [est|n'est pas|était|n'est plus] {value}", importance=0.8),
    Rule("employer_of_role", "chez", "{S}{neg} ?(?:suis|est){not} (?:{w} ){1,4}?chez {org}", "work.employer",
         "{S} [travaille|ne travaille pas|travaillait|ne travaille plus] chez {value}", importance=0.8,
         certainty="implied", unless="(?:le |la )"),
    Rule("studies", "j'étudie étudie études",
         r"(?:j'étudie|je fais des études (?:de|d'|en)) ?(?P<value>(?:le |la |les |l')?\w+(?: {w}){0,2}?)(?={end}| "
         r"(?:à|au|en|et|depuis)\b)", "education.field", "{S} étudie {value}", importance=0.7),
    # family, pets, body
    Rule("family_status", "marié mariée célibataire divorcé divorcée fiancé fiancée pacsé pacsée veuf veuve",
         r"{S}{neg} ?(?:suis|est){not} (?P<value>mariée?|célibataire|divorcée?|fiancée?|pacsée?|veuf|veuve)\b",
         "family.status", "{S} [est|n'est pas|était|n'est plus] {value}", importance=0.7),
    Rule("children", "enfants enfant filles fils fille",
         r"(?:j'ai|nous avons|on a){adv} (?P<value>{n} (?:enfants?|filles?|fils|garçons?))\b", "family.children",
         "{S} a {value}", importance=0.7),
    Rule("pets", "chien chiens chat chats chienne lapin cheval tortue chevaux",
         r"(?:j'ai|nous avons|on a){adv} (?P<value>{n} (?:{pet})s?)\b", "pet.owns", "{S} a {value}", importance=0.6),
    Rule("allergy", "allergique allergie",
         "{S}(?:{neg} ?(?:suis|est){not} (?:très )?allergique|(?:ai|fais) une allergie) (?P<to>aux |au |à la |à l'"
         "|à ){phrase}", "health.allergy", "{S} [est|n'est pas] allergique {to}{value}", importance=0.95),
    Rule("diet", "végétarien végétarienne végane vegan végétalien végétalienne cœliaque",
         "{S}{neg} ?(?:suis|est){not}(?: devenue?)? (?P<value>végétarien(?:ne)?|végane|vegan|végétalien(?:ne)?"
         "|cœliaque)", "health.diet", "{S} [est|n'est pas|était|n'est plus] {value}", importance=0.9),
    Rule("eats_no", "mange bois",
         r"je ne (?P<verb>mange|bois) (?:(?P<ended>plus)|(?P<neg>pas|jamais)) (?:de |d')?\s*{thing}",
         "preference.{topic}", "{S} ne {verb+} [|pas|pas|plus] de {value}", importance=0.8, unless=_DEICTIC,
         kind="preference", category="preference"),
    # languages, hobbies, tools
    Rule("speaks", "parle",
         "{S}{neg} ?parle{not} (?P<value>(?:couramment )?(?:l')?(?:{language})(?:(?:, | et )(?:l')?(?:{language}))*)",
         "language.spoken", "{S} [parle|ne parle pas] {value}", importance=0.7),
    Rule("learning", "j'apprends", "j'apprends{adv} (?P<article>le |l')(?P<value>{language})", "language.learning",
         "{S} apprend {article}{value}", importance=0.6),
    Rule("hobby", "passe-temps hobby passion loisir",
         "mon (?:passe-temps|hobby|loisir)(?: préféré)? (?:est|c'est) {phrase}", "hobby",
         "Le passe-temps de {S} est {value}", importance=0.6),
    Rule("plays", "joue fais",
         r"{S}{neg} ?(?P<verb>joue|fais|fait){not} (?P<to>au |à la |aux |du |de la |de l')(?P<value>\w[\w-]*"
         "(?: {w})?){end}", "hobby", "{S} [|ne ||ne ]{verb+} [|pas||plus] {to}{value}", importance=0.5,
         unless=r"(?:bruit|sport depuis|mal|bien)\b"),
    Rule("team_uses", "utilisons utilise",
         r"{W}{neg} (?:utilisons|utilise){not} (?P<value>{w}(?: {w}){0,7}?)(?={end}| (?:pour|dans|comme)\b)",
         "project.stack", "{S} [utilise|n'utilise pas|utilisait|n'utilise plus] {value}", category="project",
         importance=0.6, unless=_DEICTIC),
    Rule("uses", "j'utilise n'utilise",
         r"{S}{neg}utilise{not} (?P<value>{w}(?: {w}){0,7}?)(?={end}| (?:pour|dans|comme)\b)", "tool",
         "{S} [utilise|n'utilise pas|utilisait|n'utilise plus] {value}", category="workflow", importance=0.5,
         unless=_DEICTIC),
    # likes and dislikes
    Rule("favourite", "préféré préférée favori favorite",
         "(?:mon|ma) (?P<topic>{w}(?: {w}){0,2}?) (?:préférée?|favorite?|favori)(?: est|,? c'est| reste) {phrase}",
         "favourite.{topic}", "{topic} préféré de {S} : {value}", importance=0.7, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("prefers", "préfère j'aime mieux",
         r"{S}{neg}\s*(?:préfère|aime mieux){not} (?P<value>{w}(?: {w}){0,9}?)(?={end}| à (?:la|le|l'|au)\b)",
         "preference.{topic}", "{S} [préfère|ne préfère pas|préférait|ne préfère plus] {value}", importance=0.75,
         unless=_DEICTIC, kind="preference", category="preference"),
    Rule("likes", "aime j'aime adore j'adore n'aime n'adore", "{S}{neg}(?P<verb>aime|adore){not} {thing}",
         "preference.{topic}", "{S} [{verb}|n'{verb} pas|{verb} autrefois|n'{verb} plus] {value}", unless=_DEICTIC,
         kind="preference", category="preference"),
    Rule("dislikes", "déteste hais", "{S} ?(?P<verb>déteste|hais){adv} {thing}", "preference.{topic}",
         "{S} {verb+} {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("cannot_stand", "supporte", "{S} ne supporte (?:pas|plus) {thing}", "preference.{topic}",
         "{S} ne supporte pas {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("avoids", "évite j'évite", "{S} ?évite{adv} {thing}", "preference.{topic}", "{S} évite {value}", polarity=-1,
         unless=_DEICTIC, importance=0.7, kind="preference", category="preference"),
    Rule("fears", "peur", "{S}(?P<neg> n')?(?:ai| a)(?: pas)?(?: très)? peur (?:de |des |du "
    "|d'){thing}", "preference.{topic}",
         "{S} [a|n'a pas] peur de {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("interest", "m'intéresse", "je m'intéresse(?: beaucoup)? (?P<to>à la |à l'|à |au |aux "
    "){thing}", "preference.{topic}",
         "{S} s'intéresse {to}{value}", unless=_DEICTIC, kind="preference", category="preference"),
    # what happened, and what happens again and again
    Rule("did", "acheté vendu adopté gagné réservé terminé réussi publié visité construit",
    "(?:j'ai|nous avons|on a){adv} "
         "(?P<verb>acheté|vendu|adopté|gagné|réservé|terminé|réussi|publié|visité|construit) {thing}", "event.success",
         "{S} a {verb} {value}", importance=0.5, unless=rf"{_DEICTIC}|à\b|de\b"),
    Rule("went_to", "allé allée allés allées", "(?:je suis|nous sommes|on est) allée?s? (?P<to>à|en|au|aux) {place}",
         "event.visit", "{S} est allé {to} {value}", importance=0.5),
    Rule("signed_up", "inscrit inscrite", "je me suis inscrite? (?P<to>à |au |aux ){thing}", "event.activity",
         "{S} s'est inscrit {to}{value}", importance=0.55, unless=_DEICTIC),
    Rule("lives_with", "vis vit habite j'habite", "{S}{neg}(?:habite|vis|vit){not} avec {thing}", "family.household",
         "{S} [vit|ne vit pas|vivait|ne vit plus] avec {value}", importance=0.7, unless=_DEICTIC),
    Rule("habit", "tous toutes chaque", "je (?P<verb>cours|nage|médite|lis|cuisine|vais|joue|bois|mange) (?P<value>"
         "(?:{w} ){0,5}?(?:tous les|toutes les|chaque) {w}){end}", "habit.{verb}", "{S} {verb+} "
         "{value}", importance=0.55,
         unless=_DEICTIC),
    # business, projects, decisions, plans
    Rule("business_name", "s'appelle",
         "(?:notre|mon|ma) (?:entreprise|société|boîte|magasin|agence|start-?up) s'appelle {name}", "business.name",
         "L'entreprise de {S} s'appelle {value}", category="workflow", importance=0.8),
    Rule("sells", "vendons vend fabrique fabriquons",
         "(?:nous|on) (?P<verb>vendons|vend|fabrique|fabriquons){adv} {phrase}", "business.product",
         "L'entreprise de {S} {verb+} {value}", category="workflow", importance=0.7, unless=_DEICTIC),
    Rule("project_name", "s'appelle", "(?:le|mon|notre) (?:projet|produit) s'appelle {name}", "project.name",
         "Le projet de {S} s'appelle {value}", category="project", importance=0.8),
    Rule("deadline", "date échéance délai",
         "(?:la date limite|l'échéance|la deadline|la date de rendu)(?: (?:du projet|finale))? est(?: fixée au"
         "| le)? (?P<value>{w}(?: {w}){0,9}?){end}", "project.deadline", "La date limite est {value}",
         category="project", importance=0.85, unless=r"(?:proche|bientôt|trop|très|courte)\b"),
    Rule("decided", "décidé", r"(?:j'ai|nous avons|on a) (?:finalement )?décidé (?:d'|de )\s*{phrase}", "decision",
         "{S} a décidé de {value}", kind="decision", category="decision", importance=0.8),
    Rule("chose", "choisi opté", "(?:j'ai|nous avons|on a) (?:finalement )?(?:choisi|opté pour) {thing}", "decision",
         "{S} a choisi {value}", kind="decision", category="decision", importance=0.8, unless=rf"{_DEICTIC}|de\b"),
    Rule("remind", "rappelle-moi rappelle", r"{please}rappelle-moi(?:{time})?,? (?:de |d')\s*{phrase}", "task",
         "{S} veut qu'on lui rappelle : {value}", category="workflow", importance=0.75, unless=_DEICTIC, kind="plan",
         temporal="future"),
    Rule("must", "dois devons faut besoin",
         "(?:je dois|nous devons|on doit|il faut que je|j'ai besoin de) (?P<value>{w}(?:,? {w}){1,20}?){end}", "task",
         "{S} doit {value}", category="workflow", importance=0.6,
         unless=r"(?:dire|avouer|admettre|savoir|être|ton|votre|l'aide|parler|te|vous|conseils?|t'\w+)\b|.*\bça\b",
         kind="plan", temporal="future"),
    Rule("wants_to", "veux voudrais j'aimerais compte prévois",
         "(?:je (?:veux|voudrais|compte|prévois (?:de|d'))|j'aimerais) ?(?P<value>(?:apprendre|visiter|voyager"
         "|changer|terminer|finir|commencer|monter|courir|acheter|écrire|publier|lancer|économiser|arrêter|améliorer"
         "|créer|ouvrir|lire|perdre|partir|devenir|passer)(?:,? {w}){1,20}?){end}", "goal", "{S} veut {value}",
         category="goal", importance=0.65, kind="plan", temporal="future"),
    Rule("going_to", "vais allons",
         r"(?:je vais|nous allons) (?P<value>(?!me |dormir|manger|bien\b|à\b|au\b|en\b|voir\b|être\b|essayer|te\b"
         r"|vous\b)\w+(?:er|ir|re)(?:,? {w}){1,20}?){end}", "goal", "{S} va {value}", category="goal", importance=0.55,
         kind="plan", temporal="future"),
    Rule("goal_is", "objectif but", r"mon (?:\w+ )?(?:objectif|but)(?: \w+)? (?:est|c'est) (?:de |d')?\s*{phrase}",
         "goal", "L'objectif de {S} est de {value}", category="goal", importance=0.8, kind="plan", temporal="future"),
)  # fmt: skip

PACK = Pack(
    language="fr",
    user="l'utilisateur",
    team="équipe",
    possessive="{thing} de {owner}",
    macros=_MACROS,
    rules=_RULES,
    subject=r"(?:{S}|{we}|il|elle|ils|elles|tu|vous)(?P<be> (?:suis|est|sont|était)\b)?(?=[ \w]|$)",
    understood={},
    lead="(?:(?:bon|bah|ben|oui|non|ok|d'accord|salut|bonjour|bonsoir|coucou|merci|et|mais|ah|oh|eh bien|en fait"
        "|en réalité|à vrai dire|d'ailleurs|au fait|maintenant|actuellement|en ce moment|désormais|aujourd'hui|avant"
        "|sinon|aussi|peut-être(?: que)?|sans doute|probablement|en général|généralement|normalement|d'habitude"
        "|malheureusement|heureusement|pardon|désolée?|attends|correction|pour info|pour information|sache que"
        "|note que|rappelle-toi que|je crois que|je pense que|je trouve que|je voulais dire que|je veux dire que"
        "|parce que|puisque|comme|car|depuis {when}|pendant mon temps libre|{when}|en {when}|que|qu'|[-*•]"
        r"|\d{1,2}[.)])(?:[,:!.…]|\s[-–]|$)*(?:\s+|(?<=qu')))*",
    breaks=r"(?:\s*[,;:–—(]\s*(?:et |mais |car |parce que |que |qu')?|\s+(?:et|mais|car|ou|parce que)\s+|\s+parce qu')"
        r"(?=(?:je|j'|ma|mon|mes|nous|on|notre|s'il te plaît|à partir)(?:\b|(?<=')))",
    carry_verb=
        r",?\s+(?:et|mais)(?: aussi)*\s+(?=(?:suis|travaille|habite|vis|vit|aime|adore|déteste|préfère|est|parle|joue"
        r"|utilise)\b)",
    carry_be=r",?\s+(?:et|mais)\s+(?=(?:végétarien(?:ne)?|végane|vegan|mariée?|allergique)\b)",
    questions=
        "(?:qu'est-ce|est-ce|quel(?:le)?s?|comment|pourquoi|qui|où|quand|combien|que|peux-tu|pouvez-vous|pourrais-tu"
        r"|sais-tu|as-tu|es-tu|y a-t-il|tu peux me|quoi)\b",
    asks=r"(?:[,;:–—.]|\s-)\s*(?:et |mais |ou )*(?:qu'est-ce|est-ce|quel(?:le)?s?|comment|pourquoi|qui|où|quand"
        r"|combien|peux-tu|tu |non|toi|vous)\b",
    reports=r"\b(?:dit|disait|crie|cria|demande|pense|écrit|chante|répond)\b[^:]*:|\b(?:écris|raconte|invente"
        r"|rédige)\b[^:]*:|\bdu point de vue\b|\b(?!je\b|j')(?:il|elle|ils|elles|on me|quelqu'un|les gens|{Cap}|(?:ma"
        "|mon|le|la|sa|son|une?|notre) {w}(?: {w})?) (?:aussi |toujours |m'a |a |souvent |me )*(?:dit|disait|pense"
        r"|pensait|croit|trouve|affirme|demande|demandé|écrit|raconte|raconté|prétend|commence ainsi)\b|\bselon\b"
        r"|\bd'après\b|\btradui|\bcorrige\b|\bcitation\b|\bla chanson dit\b",
    hypothetical=
        r"\b(?:imagine|imaginons|supposons|suppose|en supposant|comme si|fais comme si|hypothétiquement|j'ai rêvé"
        r"|dans mon rêve|joue le rôle)\b",
    condition=r"\b(?:si(?! possible)|s'ils?|par exemple|p\. ?ex)\b",
    supposed=r"\b(?:j'aurais|je serais|j'habiterais|je pourrais|je ferais|j'irais|aurait|serait|je travaillerais"
        r"|je vivrais|si (?:j'|je |tu |on |nous )(?:étais|avais|pouvais|était|avait|pouvait))\b",
    secrets=(
        r"\b(?:mots? de passe|mdp|code (?:pin|secret|d'accès)|pin|token|jeton|clé (?:api|secrète)|api[ -]?key|carte "
        rf"(?:bancaire|bleue|de crédit)|iban|cvv|numéro de (?:compte|carte|sécurité sociale))\b|{CREDENTIALS}"
    ),
    hedges={
        "uncertain": r"\b(?:peut-être|il se peut|pas sûre?)\b",
        "inferred": r"\b(?:je crois|je pense|probablement|sans doute|généralement|en général|normalement)\b",
    },
    no_longer=r"\bne \w+ plus\b",
    corrections="(?:ah,? |oh,? |attends,? |pardon,? |désolée?,? )*(?:en fait|en réalité|non,|correction|je voulais dire"
        "|je me suis trompée?|c'est (?:faux|pas vrai)|plutôt,|changement de plan)",
    empty="(?:ça|cela|ce|ceci|le|la|les|un|une|des|du|de|lui|elle|eux|tout|rien|bien|beaucoup|plus|mieux|oui|non|je|tu"
        "|toi|moi|que|et|ou|en|y|pas)",
    hollow=r"^(?:(?:de|à|d'|ne pas) ?)*(?:l'|(?:le|la|les|lui|leur|y|en|te|vous) )\w+(?:er|ir|oir|dre|tre|ire|vre)(?: "
        "(?:bien|mieux|correctement|vraiment|plus tard|aussi|encore|un jour))*$"
        r"|^(?:faire|changer|travailler|appeler|commencer|continuer|essayer)(?: (?:ça|cela))?$|\b(?:ça|cela)$",
    dangling=r"(?:^|\s)(?:et|ou|le|la|les|une?|des|de|du|en|à|au|aux|avec|par|pour|sans|sur|que|très|mon|ma|mes|son|sa"
        "|ses)$",
    head=r"(?P<head>[\w'-]+)(?=\s+(?:en|de|du|des|pour|avec|sur|sans|et|ou|à|au|par|que|dans|courte?s?|longue?s?)\b|,"
        r"|\s*$)",
    trim=r"[\s,.]+(?:aussi|beaucoup|maintenant|actuellement|s'il te plaît|s'il vous plaît|merci|en ce moment"
        "|pour l'instant|vraiment|et|ou|mais|surtout|stp|svp|mdr)",
    articles=r"(?:(?:une?|des|les?|la|du|de la) |(?:de )?l'|d')(?=\S)",
    time=r"{time}",
    forms={"vendons": "vend", "fabriquons": "fabrique", "hais": "hait", "bois": "boit", "fais": "fait",
    "cours": "court",
           "lis": "lit", "vais": "va"},
    persons={
        "mon": "son", "ma": "sa", "mes": "ses", "me": "se", "moi": "lui", "je": "il", "notre": "leur", "nos": "leurs",
        "nous": "eux",
    },
    agreement={r"\bde le ": "du ", r"\bde les ": "des "},
    canon={
        "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "maman": "mother",
        "père": "father", "papa": "father", "femme": "wife", "épouse": "wife",
        "mari": "husband", "époux": "husband", "compagne": "partner", "compagnon": "partner", "copine": "girlfriend",
        "copain": "boyfriend", "fiancée": "fiance",
        "fiancé": "fiance", "fille": "daughter", "fils": "son", "enfant": "child", "bébé": "baby",
        "cousine": "cousin", "tante": "aunt", "oncle": "uncle",
        "grand_mère": "grandmother", "grand_père": "grandfather", "cheffe": "manager", "chef": "manager",
        "patron": "manager", "patronne": "manager", "collègue": "colleague",
        "ami": "friend", "amie": "friend", "chien": "dog", "chienne": "dog", "chat": "cat", "chatte": "cat",
        "cheval": "horse", "lapin": "rabbit", "couleur": "colour",
        "livre": "book", "film": "film", "plat": "dish",
    },
    abbreviations=frozenset(["dr", "m", "mme", "mlle", "pr", "etc", "p.ex", "p", "ex", "av", "st", "ste"]),
)  # fmt: skip
