"""Spanish. Statements are in Spanish, about "Usuario"; attributes are the English paths that all packs share.

The verb tells who speaks and the pronoun is left out, so rules about the speaker match the whole clause by its verb,
and those about relatives ("mi hermana vive …") have rules of their own, marked `kin_`.
"""

from memstrata.core.rules.pack import CREDENTIALS, Pack, Rule

_FAMILY = (
    "hermana|hermano|madre|mamá|padre|papá|esposa|esposo|mujer|marido|novia|novio|pareja|prometida|prometido|hija"
    "|hijo|bebé|prima|primo|tía|tío|sobrina|sobrino|abuela|abuelo|nieta|nieto|suegra|suegro|cuñada|cuñado"
)
_PEOPLE = (
    "mejor amiga|mejor amigo|amiga|amigo|jefa|jefe|compañera de piso|compañero de piso|compañera|compañero|colega"
    "|vecina|vecino|doctora|doctor|médica|médico|dentista|profesora|profesor|entrenadora|entrenador|casera|casero"
    "|socia|socio"
)
_PETS = "perra|perro|gata|gato|conejo|hámster|loro|caballo|tortuga|pájaro|canario|cobaya|pez"

_MACROS = {
    "w": r"[^\s,;:!?()\ufffc]+",
    "Cap": r"(?-i:[A-ZÀ-ÖØ-Þ][\w'&.+-]*)",
    "n": r"(?:\d+|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|unos|unas|varios|varias)",
    "month": r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)",
    "day": r"(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)",
    "when": "(?:(?:el|la|los|las|en|desde|hasta|a|de|por|para|próxim[oa]|este|esta|cada|mediados|principios"
    r"|finales) )*(?:\d{1,2} de {month}(?: de \d{4})?|(?<!\d\sde\s){month}(?: de \d{4})?|{day}|hoy|mañana|ayer|(?:19"
    r"|20)\d\d|tarde|noche|(?:semana|mes|año|verano|invierno|otoño|primavera)(?: pasad[oa]| que viene| próxim[oa])?"
    r"|hace {n} (?:días?|semanas?|meses|años?)|{n} (?:días?|semanas?|meses|años?))\b",
    "time": r"(?:,? {when})+",
    "adv": "(?:{time}| (?:también|siempre|ahora|actualmente|todavía|aún|solo|sólo|realmente|mucho|más|especialmente"
    "|ya|muy|sobre todo|de verdad|mismo|sola?|aquí|desde entonces|ahora mismo))*",
    "end": r"(?=\s*(?:$|[,;:!()\ufffc.]|\s[-–—]\s| (?:porque|pero|aunque|cuando|mientras|ya que|así que|que|donde"
    "|sino|pues|y (?:yo|me|mi|no|soy|vivo|trabajo|prefiero|odio|tengo|quiero|el|la|es|trabaja|vive|tiene"
    r"|estoy))\b))",
    "no": "(?:yo )?(?:(?:también|siempre|ahora|actualmente|todavía|realmente) )*(?:(?P<ended>ya no )|(?P<neg>no "
    "|nunca ))?",
    "kin_no": r"(?:(?P<ended> ya no)|(?P<neg> no| nunca))?(?: (?:también|siempre|ahora))* ",
    "phrase": r"(?P<value>{w}(?:,? {w}){0,20}?){end}",
    "thing": r"(?P<value>{w}(?: {w}){0,9}?){end}",
    "name": r"(?P<value>{Cap}(?: (?:{Cap}|(?-i:de|del|la))){0,3})",
    "place": r"(?P<value>(?:(?-i:el|la|los|las) )?{Cap}(?:[ -](?:{Cap}|(?-i:de|del|la|las|los))){0,3}(?<!\sde)"
    r"(?<!\sdel)(?<!\sla)|(?!(?:una?|el|la|los|las|mi|su|casa|este|esta|ese|esa|paz|general|un|familia"
    r"|común)\b)[a-zñáéíóú][\w-]+{end})",
    "org": r"(?P<value>(?:el |la |los |las )?{Cap}(?:[ &-](?:{Cap}|(?-i:de|del|la|y))){0,4}(?<!\sde)(?<!\sdel)"
    r"(?<!\sla)(?<!\sy)|una? (?:empresa|startup|agencia|tienda|escuela|colegio|instituto|hospital|banco|universidad"
    "|consultora|fábrica|restaurante|bar|clínica|estudio|despacho|ong|multinacional|ayuntamiento|taller|librería"
    "|farmacia)(?: {w}){0,3}?{end})",
    "job": "(?P<value>(?!(?:solter|extranjer|primer|compañer|viajer|fier|sincer|enter|optimista|pesimista|feminista"
    r"|realista|perfeccionista|conversador|luchador|soñador|madrugador|trabajador)\w*)(?:ingenier[oa]|arquitect[oa]"
    "|médic[oa]|abogad[oa]|maestr[oa]|profesora?|contable|fotógraf[oa]|químic[oa]|físic[oa]|científic[oa]|estudiante"
    "|directora?|gerente|consultora?|traductora?|escritora?|músic[oa]|actor|actriz|piloto|policía|veterinari[oa]"
    "|farmacéutic[oa]|autónom[oa]|jef[ea]|ceo|cto|guía|juez|jueza|cirujan[oa]|ama de casa|funcionari[oa]|pintora?"
    r"|\w+(?:ólog[oa]|adora?|edora?|ista|er[oa]))(?: (?:de|en|del) (?!{Cap}|un|una|el|la\b){w}(?: {w})?)?)",
    "language": "español|inglés|francés|alemán|italiano|portugués|catalán|gallego|euskera|ruso|chino|japonés|coreano"
    "|árabe|turco|polaco|sueco|griego|neerlandés|ucraniano|latín",
    "family": _FAMILY,
    "people": _PEOPLE,
    "pet": _PETS,
    "my_x": r"(?:mi|nuestr[oa]) (?:(?:querid[oa]|nuev[oa]) )?",
    "S": "(?:(?P<me>yo)|{my_x}(?P<kin>{family}|{people}|{pet})(?: (?:mayor|menor|pequeñ[oa]))?(?:,? "
    "(?P<called>{Cap}),?)?)",
    "we": r"(?P<we>nosotr[oa]s|nuestro (?:equipo|negocio|estudio)|nuestra (?:empresa|tienda|agencia))",
    "please": r"(?:por favor,? |y |puedes |podrías )*",
}
_DEICTIC = (
    "(?:eso|esto|ese|este|esa|esta|ello|lo|ella|él|ellos|ti|tú|usted|todo|nada|algo|mucho|más|así|cómo|qué|mí|nadie)"
    r"(?:$| (?:también|mucho|de|que|así|tanto|más)\b)|(?:que|cuando|como|cómo|si|no|tus?)\b"
)

_RULES = (
    # what the assistant is asked to do
    Rule("answer_in", "responde responder contesta contestar escribe habla respóndeme contéstame háblame escríbeme",
         "{please}(?:responde(?:r|me)?|respóndeme|contesta(?:r|me)?|contéstame|escribe|escríbeme|habla|háblame)"
         "(?: siempre| solo)*(?: en)? (?P<value>(?:en )?(?:{language}))", "instruction.language",
         "{S} quiere respuestas en {value}", importance=0.9, conditional=True, kind="preference",
         category="preference"),
    Rule("from_now_on", "partir ahora adelante",
         "{please}(?:a partir de ahora|de ahora en adelante|en adelante),? {phrase}", "instruction.rule",
         "{S} pide: a partir de ahora, {value}", importance=0.9, conditional=True,
         unless=r"(?:yo|vivo|trabajo|soy|estoy|voy|tengo)\b", kind="preference", category="preference"),
    Rule("avoid", "uses evita utilices hagas escribas pongas",
         "{please}(?P<how>no (?:me )?(?:uses|utilices|hagas|escribas|pongas)|evita) (?P<value>{w}(?: {w}){0,6}?){end}",
         "instruction.style", "{S} pide: {how} {value}", importance=0.9, polarity=-1, unless=_DEICTIC,
         kind="preference", category="preference"),
    Rule("be_concise", "sé",
         r"{please}(?-i:[sS]é) (?:más |muy )?(?P<value>breve|conciso|concisa|directo|directa|formal|informal)\b",
         "instruction.style", "{S} pide: sé {value}", importance=0.9, kind="preference", category="preference"),
    Rule("call_me", "llámame", "{please}llámame {name}", "instruction.address", "{S} quiere que le llamen {value}",
         importance=0.9, kind="preference", category="preference"),
    # who
    Rule("name", "llamo nombre", "(?:(?:yo )?me llamo|mi nombre es) {name}", "identity.name", "{S} se llama {value}",
         importance=0.9),
    Rule("i_am_name", "soy", "(?:yo )?soy (?P<value>{Cap}(?: {Cap})?){end}", "identity.name", "{S} se llama {value}",
         importance=0.9, certainty="implied", unless=r"(?:CEO|CTO)\b"),
    Rule("kin_name", "llama", "{my_x}(?P<rel>{family})(?: (?:mayor|menor))? se llama {name}", "family.{rel}.name",
         "{rel} de {S} se llama {value}", importance=0.7),
    Rule("person_name", "llama", "{my_x}(?P<rel>{people}) se llama {name}", "people.{rel}.name",
         "{rel} de {S} se llama {value}", importance=0.6),
    Rule("pet_name", "llama", "{my_x}(?P<rel>{pet}) se llama {name}", "pet.{rel}.name",
         "{rel} de {S} se llama {value}", importance=0.7),
    Rule("has_named_pet", "llamado llamada", "(?:tengo|tenemos) una? (?P<rel>{pet}) llamad[oa] {name}",
         "pet.{rel}.name", "{rel} de {S} se llama {value}", importance=0.7),
    Rule("apposition", "mi nuestra nuestro", "{my_x}(?P<rel>{family}),? (?P<value>{Cap}),?(?= [a-zñáéíóú])",
         "family.{rel}.name", "{rel} de {S} se llama {value}", importance=0.6, certainty="implied"),
    Rule("age", "años", r"(?:yo )?tengo (?P<value>\d{1,3}) años", "identity.age", "{S} tiene {value} años",
         importance=0.7),
    Rule("birthday", "cumpleaños", r"mi cumpleaños es(?: el)? (?P<value>\d{1,2} de {month})", "identity.birthday",
         "{S} cumple años el {value}", importance=0.8),
    Rule("email", "correo email", r"mi (?:correo(?: electrónico)?|email) es (?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
         "contact.email", "El correo de {S} es {value}"),
    # where
    Rule("lives", "vivo vivimos resido", "{no}(?:vivo|vivimos|resido|estoy viviendo){adv} en {place}", "location.city",
         "{S} [vive|no vive|vivía|ya no vive] en {value}", importance=0.8),
    Rule("kin_lives", "vive viven", "{S}{kin_no}vive{adv} en {place}", "location.city",
         "{S} [vive|no vive|vivía|ya no vive] en {value}", importance=0.8),
    Rule("lived", "vivía viví vivíamos vivido",
         "(?:antes )?(?P<past>(?:yo )?(?:vivía|viví|vivíamos|he vivido)){adv} en {place}", "location.city",
         "{S} [vive|no vive|vivía] en {value}", importance=0.7),
    Rule("moved", "mudé mudado mudamos", "(?:me mudé|nos mudamos|me he mudado|nos hemos mudado){adv} a {place}",
         "location.city", "{S} se mudó a {value}", importance=0.8),
    Rule("moving", "mudo mudar mudarme",
         "(?:me mudo|me voy a mudar|voy a mudarme|nos mudaremos|me mudaré){adv} a {place}", "location.city",
         "{S} se muda a {value}", importance=0.8, temporal="future"),
    Rule("origin", "soy vengo nací crecí", "(?:yo )?(?:(?:soy|vengo) de|(?:nací|crecí) en) {place}", "location.origin",
         "{S} es de {value}", importance=0.7, unless="(?:los|las) "),
    # work and learning
    Rule("employer", "trabajo", "{no}trabajo{adv}(?: (?:como|de) {w}(?: {w}){0,2}?)? (?:en|para) {org}",
         "work.employer", "{S} [trabaja|no trabaja|trabajaba|ya no trabaja] en {value}", importance=0.8),
    Rule("kin_employer", "trabaja", "{S}{kin_no}trabaja{adv}(?: (?:como|de) {w}(?: {w}){0,2}?)? (?:en|para) {org}",
         "work.employer", "{S} [trabaja|no trabaja|trabajaba|ya no trabaja] en {value}", importance=0.8),
    Rule("worked", "trabajaba trabajé trabajado",
         "(?:antes )?(?P<past>(?:yo )?(?:trabajaba|trabajé|he trabajado)){adv}(?: (?:como|de) {w}(?: {w}){0,2}?)? "
         "(?:en|para) {org}", "work.employer", "{S} [trabaja|no trabaja|trabajaba] en {value}", importance=0.7),
    Rule("starts_at", "empiezo empezaré", "(?:yo )?(?:empiezo|empezaré)(?: a trabajar)?{adv} en {org}",
         "work.employer", "{S} empieza a trabajar en {value}", importance=0.8, temporal="future"),
    Rule("works_as", "trabajo", "{no}trabajo{adv} (?:como|de) (?:una? )?{job}", "work.role",
         "{S} [trabaja|no trabaja|trabajaba|ya no trabaja] como {value}", importance=0.8),
    Rule("kin_works_as", "trabaja", "{S}{kin_no}trabaja{adv} (?:como|de) {job}", "work.role",
         "{S} [trabaja|no trabaja|trabajaba|ya no trabaja] como {value}", importance=0.8),
    Rule("role", "soy", r"{no}soy (?:una? |el |la )?{job}(?={end}| (?:en|de|del|y|para|desde)\b)", "work.role",
         "{S} [es|no es|era|ya no es] {value}", importance=0.8),
    Rule("kin_role", "es", r"{S}{kin_no}es (?:una? )?{job}(?={end}| (?:en|de|y)\b)", "work.role",
         "{S} [es|no es|era|ya no es] {value}", importance=0.8),
    Rule("employer_of_role", "soy", "{no}soy (?:{w} ){1,4}?en {org}", "work.employer",
         "{S} [trabaja|no trabaja|trabajaba|ya no trabaja] en {value}", importance=0.8, certainty="implied",
         unless="(?:una?) "),
    Rule("studies", "estudio estudiando",
         r"{no}(?:estudio|estoy estudiando) (?P<value>(?!en\b|para\b|mucho\b|con\b|la\b|el\b|un\b){w}(?: {w}){0,2}?)"
         r"(?={end}| (?:en|y|desde)\b)", "education.field", "{S} [estudia|no estudia|estudiaba|ya no estudia] {value}",
         importance=0.7, unless=r"(?:{language})\b"),
    # family, pets, body
    Rule("family_status", "casado casada soltero soltera divorciado divorciada viudo viuda prometido prometida",
         "{no}(?:estoy|soy) (?P<value>casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|prometid[oa])", "family.status",
         "{S} [está|no está|estaba|ya no está] {value}", importance=0.7),
    Rule("children", "hijos hijas hijo hija",
         r"(?:yo )?(?:tengo|tenemos){adv} (?P<value>{n} (?:hij[oa]s?|niñ[oa]s))\b", "family.children",
         "{S} tiene {value}", importance=0.7),
    Rule("pets", "perro perra perros gato gata gatos conejo caballo loro tortuga",
         r"(?:yo )?(?:tengo|tenemos){adv} (?P<value>{n} (?:{pet})s?)\b", "pet.owns", "{S} tiene {value}",
         importance=0.6),
    Rule("allergy", "alérgico alérgica alergia",
         "{no}(?:soy alérgic[oa]|tengo alergia) (?:a los|a las|a la|al|a) {phrase}", "health.allergy",
         "{S} [tiene|no tiene] alergia a {value}", importance=0.95),
    Rule("diet", "vegetariano vegetariana vegano vegana celíaco celíaca",
         "{no}(?:soy|me he hecho|me hice) (?P<value>vegetarian[oa]|vegan[oa]|celíac[oa])", "health.diet",
         "{S} [es|no es|era|ya no es] {value}", importance=0.9),
    Rule("eats_no", "como bebo", "(?:yo )?(?:(?P<ended>ya no)|(?P<neg>no|nunca)) (?P<verb>como|bebo) {thing}",
         "preference.{topic}", "{S} no {verb+} {value}", importance=0.8, unless=rf"{_DEICTIC}|(?:bien|en|fuera|con)\b",
         kind="preference", category="preference"),
    # languages, hobbies, tools
    Rule("speaks", "hablo", "{no}hablo (?P<value>(?:{language})(?:(?:, | y )(?:{language}))*)", "language.spoken",
         "{S} [habla|no habla] {value}", importance=0.7),
    Rule("learning", "aprendiendo aprendo", "(?:yo )?(?:estoy aprendiendo|aprendo) (?P<value>{language})",
         "language.learning", "{S} está aprendiendo {value}", importance=0.6),
    Rule("hobby", "hobby afición pasatiempo", "mi (?:hobby|afición|pasatiempo)(?: favorit[oa])? es {phrase}", "hobby",
         "La afición de {S} es {value}", importance=0.6),
    Rule("plays", "toco juego", "{no}(?:toco|juego (?:al|a la|a)) (?P<value>(?:el |la )?{w}(?: {w})?){end}", "hobby",
         "{S} [practica|no practica|practicaba|ya no practica] {value}", importance=0.5, unless=_DEICTIC),
    Rule("team_uses", "usamos utilizamos",
         r"{no}(?:usamos|utilizamos){adv} (?P<value>{w}(?: {w}){0,7}?)(?={end}| (?:en|para|como)\b)", "project.stack",
         "Equipo de {S} [usa|no usa|usaba|ya no usa] {value}", category="project", importance=0.6, unless=_DEICTIC),
    Rule("uses", "uso utilizo", r"{no}(?:uso|utilizo){adv} (?P<value>{w}(?: {w}){0,7}?)(?={end}| (?:en|para|como)\b)",
         "tool", "{S} [usa|no usa|usaba|ya no usa] {value}", category="workflow", importance=0.5, unless=_DEICTIC),
    # likes and dislikes
    Rule("favourite", "favorita favorito preferida preferido",
         "mi (?P<topic>{w}(?: {w}){0,2}?) (?:favorit[oa]|preferid[oa]) (?:es|son) {phrase}", "favourite.{topic}",
         "{topic} favorito de {S}: {value}", importance=0.7, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("prefers", "prefiero", "{no}prefiero {thing}", "preference.{topic}",
         "{S} [prefiere|no prefiere|prefería|ya no prefiere] {value}", importance=0.75, unless=_DEICTIC,
         kind="preference", category="preference"),
    Rule("likes", "gusta gustan encanta encantan apasiona fascina fascinan",
         "(?:a mí )?(?:(?P<ended>ya no )|(?P<neg>no |nunca ))?me (?P<verb>gustan?|encantan?|apasiona|fascinan?)"
         "(?: mucho| muchísimo| más| nada| tanto)* {thing}", "preference.{topic}",
         "A {S} [le|no le|le|ya no le] {verb} {value}", unless=_DEICTIC, kind="preference", category="preference"),
    Rule("dislikes", "odio detesto", "(?:yo )?(?P<verb>odio|detesto) {thing}", "preference.{topic}",
         "{S} {verb+} {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("cannot_stand", "soporto aguanto", "(?:yo )?no (?P<verb>soporto|aguanto) {thing}", "preference.{topic}",
         "{S} no {verb+} {value}", polarity=-1, unless=_DEICTIC, kind="preference", category="preference"),
    Rule("topic_first", "gusta gustan encanta encantan",
         "(?P<value>(?:el|la|los|las) {w}(?: {w}){0,3}?) (?:(?P<ended>ya no )|(?P<neg>no ))?me (?P<verb>gustan?"
         "|encantan?)(?: nada| mucho| tanto)*{end}", "preference.{topic}",
         "A {S} [le|no le|le|ya no le] {verb} {value}", kind="preference", category="preference"),
    Rule("avoids", "evito", "(?:yo )?(?:siempre )?evito {thing}", "preference.{topic}",
    "{S} evita {value}", polarity=-1,
         unless=_DEICTIC, importance=0.7, kind="preference", category="preference"),
    Rule("fears", "miedo", "(?:(?P<neg>no )?me dan?|(?P<neg>no )?tengo)(?: mucho)? miedo (?:a |de |al )?{thing}",
         "preference.{topic}", "{S} [|no] tiene miedo a {value}", polarity=-1, unless=_DEICTIC, kind="preference",
         category="preference"),
    Rule("interest", "interesa interesan", "(?P<neg>no )?me interesan?(?: mucho)? {thing}", "preference.{topic}",
         "A {S} [|no] le interesa {value}", unless=f"{_DEICTIC}|saber|mucho$", kind="preference",
         category="preference"),
    # what happened, and what happens again and again
    Rule("did", "compré vendí adopté gané reservé terminé aprobé publiqué visité construí",
    "(?:yo )?(?:me )?(?P<verb>compré"
         "|vendí|adopté|gané|reservé|terminé|aprobé|publiqué|visité|construí){adv} {thing}", "event.success",
         "{S} {verb+} {value}", importance=0.5, unless=f"{_DEICTIC}|de\\b|tu"),
    Rule("went_to", "fui fuimos viajé viajamos", "(?:yo )?(?:fui|fuimos|viajé|viajamos) a {place}", "event.visit",
         "{S} fue a {value}", importance=0.5, unless="(?:comer|cenar|ver|comprar|dormir|hacer|trabajar)\\b"),
    Rule("signed_up", "apunté inscribí", "me (?:apunté|inscribí) (?:a|en) {thing}", "event.activity",
         "{S} se apuntó a {value}", importance=0.55, unless=_DEICTIC),
    Rule("lives_with", "vivo", "{no}vivo con {thing}", "family.household",
         "{S} [vive|no vive|vivía|ya no vive] con {value}", importance=0.7,
         unless=f"{_DEICTIC}|(?:miedo|dolor|estrés|poco|prisa)"),
    Rule("habit", "cada todos todas", "(?:yo )?(?P<verb>corro|nado|medito|leo|cocino|entreno|voy|juego|bebo|como) "
         "(?P<value>(?:{w} ){0,5}?(?:cada|todos los|todas las) {w}){end}", "habit.{verb}", "{S} {verb+} {value}",
         importance=0.55, unless=_DEICTIC),
    # business, projects, decisions, plans
    Rule("business_name", "llama", "(?:mi|nuestr[oa]) (?:empresa|negocio|tienda|startup) se llama {name}",
         "business.name", "La empresa de {S} se llama {value}", category="workflow", importance=0.8),
    Rule("sells", "vendemos fabricamos ofrecemos", "(?P<verb>vendemos|fabricamos|hacemos|ofrecemos){adv} {phrase}",
         "business.product", "La empresa de {S} {verb+} {value}", category="workflow", importance=0.7,
         unless=_DEICTIC),
    Rule("project_name", "llama", "(?:el|mi|nuestro) (?:proyecto|producto) se llama {name}", "project.name",
         "El proyecto de {S} se llama {value}", category="project", importance=0.8),
    Rule("deadline", "plazo entrega límite",
         "(?:el plazo|la fecha (?:límite|de entrega)|la entrega)(?: (?:del proyecto|final))? (?:es|termina|vence)"
         "(?: el)? (?P<value>{w}(?: {w}){0,9}?){end}", "project.deadline", "El plazo es {value}", category="project",
         importance=0.85, unless=r"(?:pronto|muy|corto)\b"),
    Rule("decided", "decidido decidimos decidí", "(?:hemos decidido|he decidido|decidimos|decidí) {phrase}",
         "decision", "{S} ha decidido {value}", kind="decision", category="decision", importance=0.8, unless=_DEICTIC),
    Rule("chose", "optado elegido elegimos quedamos optamos",
         "(?:(?:hemos|he) (?:optado por|elegido)|optamos por|elegimos|nos quedamos con) {thing}", "decision",
         "{S} ha elegido {value}", kind="decision", category="decision", importance=0.8, unless=_DEICTIC),
    Rule("remind", "recuérdame", "{please}recuérdame(?: que)?(?:{time})? {phrase}", "task",
         "{S} quiere que le recuerden {value}", category="workflow", importance=0.75, unless=_DEICTIC, kind="plan",
         temporal="future"),
    Rule("must", "tengo tenemos debo necesito",
         r"(?:yo )?(?:tengo que|tenemos que|debo|necesito) (?P<value>\w+(?:ar|er|ir|arme|erme|irme|arlo|erlo)"
         "(?:,? {w}){0,20}?){end}", "task", "{S} tiene que {value}", category="workflow", importance=0.6,
         unless=r"(?:decir|saber|admitir|reconocer|ser|ver|pensar|hablar|preguntar|ayuda|irme|ir al baño)\b|.*\b"
         r"(?:esto|eso)\b", kind="plan", temporal="future"),
    Rule("wants_to", "quiero queremos planeo pienso espero gustaría",
         "(?:yo )?(?:quiero|queremos|planeo|pienso|me gustaría) (?P<value>(?:aprender|visitar|viajar|cambiar"
         "|conseguir|terminar|empezar|montar|correr|comprar|escribir|publicar|lanzar|ahorrar|dejar|mejorar|crear"
         r"|abrir|estudiar|leer|adelgazar|mudarme|\w+ar(?:me)? (?:un|una|el|la|mi)\b)(?:,? {w}){0,20}?){end}", "goal",
         "{S} quiere {value}", category="goal", importance=0.65, unless=r"(?:preguntar|comentar|dar)\w*\b",
         kind="plan", temporal="future"),
    Rule("going_to", "voy vamos",
         r"(?:yo )?(?:voy|vamos) a (?P<value>(?!dormir|comer|ver\b|ser\b|decir|pensar|estar)\w+(?:ar|er|ir|arme|irme)"
         "(?:,? {w}){1,20}?){end}", "goal", "{S} va a {value}", category="goal", importance=0.55, kind="plan",
         temporal="future"),
    Rule("goal_is", "objetivo meta", r"mi (?:\w+ )?(?:objetivo|meta)(?: \w+)? es {phrase}", "goal",
         "El objetivo de {S} es {value}", category="goal", importance=0.8, kind="plan", temporal="future"),
)  # fmt: skip

PACK = Pack(
    language="es",
    user="Usuario",
    team="equipo",
    possessive="{thing} de {owner}",
    macros=_MACROS,
    rules=_RULES,
    subject=r"(?:{S}|{we}|él|ella|ellos|ellas|tú|usted)(?P<be> (?:es|está|era|son)\b)?(?= |$)",
    understood={},
    lead="(?:(?:bueno|pues|sí|no(?=[,.!])|vale|ok|hola|buenas|buenos días|gracias|y|pero|ah|oye|mira|por cierto"
        "|en realidad|de hecho|la verdad(?: es que)?|ahora|actualmente|hoy en día|últimamente|además|quizás|quizá"
        "|tal vez|probablemente|normalmente|en general|generalmente|por desgracia|por suerte|perdón|espera"
        "|corrección|para que lo sepas|para tu información|ten en cuenta que|recuerda que|creo que|pienso que"
        "|quería decir que|quiero decir que|quise decir que|porque|desde {when}|en mi tiempo libre|{when}|en {when}"
        r"|[-*•]|\d{1,2}[.)])(?:[,:!.…]|\s[-–]|$)*\s+)*",
    breaks=r"(?:\s*[,;:–—(]\s*(?:y |pero |porque |aunque )?|\s+(?:y|e|pero|porque|aunque)\s+)(?=(?:yo|mi|mis|nuestr[oa]"
        "|me|no me|ya no|no|vivo|trabajo|soy|estoy|tengo|prefiero|odio|detesto|uso|hablo|quiero|toco|juego|estudio"
        "|nací|crecí|vengo|nunca|siempre|vivimos|usamos|tenemos|vendemos|fabricamos|ofrecemos|la entrega|el plazo"
        r"|por favor|a partir)\b)",
    carry_verb=r",?\s+(?:y|pero)(?: también| ahora)*\s+(?=(?:trabaja|vive|es|tiene|se llama|está)\b)",
    carry_be=r",?\s+(?:y|pero)\s+(?=(?:vegetarian[oa]|vegan[oa]|alérgic[oa])\b)",
    questions=
        "(?:qué|cuál|cuáles|cómo|por qué|quién|dónde|cuándo|cuánt[oa]s?|puedes|podrías|puede|sabes|tienes|eres|crees"
        r"|hay|es posible)\b",
    asks=r"(?:[,;:–—.]|\s-)\s*(?:y |pero |o )*¿?(?:qué|cuál|cómo|por qué|quién|dónde|cuándo|puedes|podrías|sabes"
        r"|verdad|no)\b|¿",
    reports=
        r"\b(?:dice|dijo|grita|gritó|pregunta|preguntó|piensa|escribe|escribió|canta)\b[^:]*:|\b(?:escribe|escríbeme"
        r"|cuenta|cuéntame|inventa|redacta)\b[^:]*:|\bdesde (?:el punto de vista|la perspectiva)\b|\b(?:él|ella|ellos"
        "|alguien|la gente|usted|{Cap}|(?:mi|el|la|su|una?|nuestr[oa]) {w}(?: {w})?) (?:también |siempre |me |nos "
        "|le |ha |a menudo )*(?:dice|dijo|dicho|piensa|cree|opina|afirma|pregunta|preguntó|escribe|escribió|comenta"
        r"|comentó|contó|decía|empieza así)\b|\bdicen que\b|\bsegún\b|\btradu[cz]|\bcorrige\b|\bcita\b:|\bla "
        r"(?:canción|letra) dice\b",
    hypothetical=r"\b(?:imagina|imagínate|imaginemos|supongamos|supón|suponiendo|ojalá|como si|finge|hipotéticamente"
        r"|soñé|en mi sueño|haz de|actúa como)\b",
    condition=r"\b(?:si|por ejemplo|p\. ?ej)\b",
    supposed=r"\b(?:(?:tendría|haría|podría|sería|estaría|viviría|trabajaría|habría|iría|compraría)(?:s|mos|n)?"
        r"|si (?:yo )?\w+(?:[aei]ra|[ae]se)(?:s|mos|n)?)\b",
    secrets=(
        r"\b(?:contraseñas?|clave(?: de acceso| secreta)?|pin|token|api[ -]?key|tarjeta de crédito|número de "
        rf"(?:tarjeta|cuenta)|iban|cvv|dni|nie)\b|{CREDENTIALS}"
    ),
    hedges={
        "uncertain": r"\b(?:quizás?|tal vez|puede que|a lo mejor|no estoy segur[oa])\b",
        "inferred": r"\b(?:creo que|pienso que|probablemente|normalmente|generalmente)\b",
    },
    no_longer=r"\bya no\b",
    corrections="(?:ah,? |espera,? |perdón,? )*(?:en realidad|no,|corrección|quería decir|quise decir|me he equivocado"
        "|me equivoqué|eso no es (?:cierto|correcto)|mejor dicho|rectifico|cambio de planes)",
    empty="(?:eso|esto|ese|este|lo|la|el|los|las|un|una|uno|ella|él|todo|nada|algo|mucho|más|así|bien|sí|no|yo|tú|ti"
        "|mí|que|y|o|de|en|a)",
    hollow=r"^(?:no )?(?-i:[a-zñáéíóú]+)(?:ar|er|ir)(?:me|te|se|nos)?(?:l[oae]s?|te|os)\b|^\w+(?:ar|er|ir) "
        r"(?:eso|esto|aquello|ello)\b|^(?:ir|volver|quedarme|estar) (?:ahí|allí|allá|aquí)$"
        r"|^(?:trabajar|llamar|empezar|seguir|cambiar|volver)$",
    dangling=r"(?:^|\s)(?:y|o|el|la|los|las|un|una|unos|unas|de|del|en|a|al|con|por|para|sin|sobre|que|muy|mi|mis|su"
        "|sus)$",
    head=r"(?P<head>[\w'-]+)(?=\s+(?:en|de|del|para|con|sobre|sin|y|o|a|al|por|que|breves?|cort[oa]s?|larg[oa]s?)\b|,"
        r"|\s*$)",
    trim=r"[\s,.]+(?:también|mucho|muchísimo|ahora|actualmente|por favor|gracias|de momento|ahora mismo|la verdad|y|o"
        "|pero|sobre todo|jaja)",
    articles=r"(?:un|una|unos|unas|el|la|los|las) (?=\S)",
    time=r"{time}",
    forms={
        "vendemos": "vende", "fabricamos": "fabrica", "hacemos": "hace", "ofrecemos": "ofrece",
        "odio": "odia", "detesto": "detesta", "soporto": "soporta", "aguanto": "aguanta", "como": "come",
        "bebo": "bebe", "compré": "compró", "vendí": "vendió", "adopté": "adoptó", "gané": "ganó", "reservé": "reservó",
        "terminé": "terminó", "aprobé": "aprobó", "publiqué": "publicó", "visité": "visitó", "construí": "construyó",
        "corro": "corre", "nado": "nada", "medito": "medita", "leo": "lee", "cocino": "cocina", "entreno": "entrena",
        "voy": "va", "juego": "juega",
    },
    persons={
        "mi": "su", "mis": "sus", "me": "le", "mí": "él", "yo": "él", "nuestro": "su", "nuestra": "su",
        "nosotros": "ellos", "nos": "les", "conmigo": "consigo",
    },
    agreement={r"\bde el ": "del ", r"\ba el ": "al "},
    canon={
        "hermana": "sister", "hermano": "brother", "madre": "mother", "mamá": "mother", "padre": "father",
        "papá": "father", "esposa": "wife", "mujer": "wife",
        "esposo": "husband", "marido": "husband", "novia": "girlfriend", "novio": "boyfriend", "pareja": "partner",
        "prometida": "fiance", "prometido": "fiance",
        "hija": "daughter", "hijo": "son", "bebé": "baby", "prima": "cousin", "primo": "cousin", "tía": "aunt",
        "tío": "uncle", "abuela": "grandmother",
        "abuelo": "grandfather", "jefa": "manager", "jefe": "manager", "amiga": "friend", "amigo": "friend",
        "perro": "dog", "perra": "dog", "gato": "cat",
        "gata": "cat", "caballo": "horse", "conejo": "rabbit", "comida": "food", "color": "colour",
        "película": "film", "libro": "book", "plato": "dish",
    },
    abbreviations=frozenset("dr dra sr sra srta ud uds etc p.ej p ej núm av st".split()),
)  # fmt: skip
