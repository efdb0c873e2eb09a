"""What stands beside a name and says what it names: one `Cues` per language. Data only, lower case."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memstrata.core.rules.gazetteer import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """The words of one language that stand beside names.

    Attributes:
        stop: words that are no names although a sentence, or shouting, may capitalise them.
        titles: stand before a person's name and belong to it.
        relations: stand before a person's name ("my sister Anna").
        places: prepositions before places.
        ways: prepositions before places after one of `moves` ("moved to Lyon").
        works: words that make the next "at" or "for" one of an employer.
        employers: prepositions and verbs before organisations.
        people: verbs and prepositions before people.
        speech: verbs after people.
        tools: verbs and prepositions before products.
        kinds: common nouns beside a proper name and the type they tell ("the Falcon project").
        nouns: whether the language capitalises common nouns, so that a capital alone says nothing.
    """

    stop: frozenset[str]
    titles: frozenset[str]
    relations: frozenset[str]
    places: frozenset[str]
    ways: frozenset[str]
    moves: frozenset[str]
    works: frozenset[str]
    employers: frozenset[str]
    people: frozenset[str]
    speech: frozenset[str]
    tools: frozenset[str]
    kinds: Mapping[str, str]
    nouns: bool = False


def _kinds(products: str, organisations: str, places: str) -> Mapping[str, str]:
    types = {"product": products, "organisation": organisations, "place": places}
    return MappingProxyType({word: kind for kind, nouns in types.items() for word in nouns.split()})


#: Never a name in any language: acronyms of speech and trade, shouted words, calendar words, tongues and peoples.
NEVER = words(
    """
    i ok okay fyi asap lol omg btw imo imho tbh afaik wtf diy faq tbd tba eta rsvp rip ps pps nb ie eg etc vs am
    pm ad bc aka ceo cto cfo coo cpo vp hr pr pto wfh ooo qa po kpi okr roi rfp nda sla poc mvp eod eow api apis
    sdk ui ux url uri http https html css json xml csv yaml pdf png jpg gif svg sql nosql cpu gpu ram ssd hdd usb
    lan vpn wifi wi-fi tv pc dvd cd id ids pin sms gps atm suv phd msc bsc mba ba bs ma md gpa gmt utc est pst cet
    cest edt pdt ssn iban vat ai ml llm nlp ocr iot ci cli ide tdd crud ssh tls ssl dns ip tcp udp oauth jwt crm
    erp saas b2b b2c seo nft dj adhd ptsd dna covid hiv bmi ac dc bbq lgbt lgbtq usd eur gbp chf jpy cny inr kg km
    cm mm mb gb tb hz mhz ghz kwh vr ar pt er rpg cs monday tuesday wednesday tues thurs thursday friday saturday
    sunday mon tue wed thu fri sat sun january february march april may june july august september october
    november december jan feb mar apr jun jul aug sep sept oct nov dec montag dienstag mittwoch donnerstag freitag
    samstag sonnabend sonntag januar februar märz mai juni juli oktober dezember lunes martes miércoles jueves
    viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
    diciembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août
    septembre octobre novembre décembre christmas easter halloween thanksgiving ramadan hanukkah diwali
    weihnachten ostern navidad noël pâques xmas english german french spanish italian portuguese dutch russian
    chinese japanese korean arabic hindi turkish polish swedish norwegian danish finnish greek hebrew latin
    mandarin cantonese american british european african asian canadian australian mexican brazilian indian irish
    scottish swiss austrian deutsch englisch französisch spanisch italienisch español inglés francés alemán
    italiano anglais français allemand espagnol italien christian muslim jewish buddhist hindu catholic protestant
    internet web god bluetooth love hate good bad best worst never ever always please wow yes no very really so
    much not all stop help must need new old big only free now today tomorrow done todo fixme note warning error
    info debug null true false none nan
    """
)

_EN = Cues(
    stop=words(
        """
        a about above according across actually add after again against ago ah alas all almost alright also
        although am an and another any anybody anyone anything anyway are aren't around as ask asked at awesome
        back based basically be because been before behind being believe besides best better between big both but
        buy by bye call called can can't cannot catch check cheers come coming congrats congratulations cool could
        couldn't create currently dear definitely delete did didn't do does doesn't doing don't done draft during
        each early either else enjoy even eventually ever every everybody everyone everything exactly excellent
        except fair feel few finally find fine first follow following for forget forgot former fortunately from
        fun further generally get getting give given glad go goes going good got great guess had half happened
        happy hardly has hasn't have haven't having he hello help hence her here hers hey hi him his hm hmm
        honestly hopefully how however i'd i'll i'm i've if imagine in indeed instead interesting into is isn't it
        it's its just keep kind last lately later least less let let's like likely listen little look looking lots
        love luckily made make making many maybe me mean meanwhile meet meeting met might mine more moreover most
        mostly much must my myself near need neither never nevertheless new next nice nobody none nope normally
        nor not nothing now obviously of off oh old on once one ones only onto open or original other others
        otherwise our ours out over overall own perfect perhaps personally planning please plus possibly
        previously probably put quick quickly quite rather read really recently regarding regards remember remind
        right running same saw say saying says second see seems seen send set several shall she should shouldn't
        show similarly since so some somebody someone something sometimes somewhere soon sorry sounds speaking
        start started still stop such suppose sure take talk team tell than thank thanks that that's the their
        theirs them then there there's therefore these they they're thing things think third this those though
        three through thus till to today together told tomorrow tonight too took towards translate true try trying
        turn turned two typically under unfortunately unless unlike until up update upon us use used user usually
        using very via visit visited visiting wait want wanted was wasn't watch watched watching way we we'll
        we're we've well went were weren't what what's whatever when whenever where whereas wherever whether which
        whichever while who who's whoever whole whom whose why will with within without won't wonder wonderful
        work worked working would wouldn't wow write writing yeah yep yes yesterday yet you you'd you'll you're
        you've your yours yourself assistant morning evening afternoon night weekend spring summer autumn winter
        fall birthday merry subject re fwd fw q step part chapter section figure table page version level day week
        month year question answer example item option number no
        """
    ),
    titles=words("dr mr mrs ms miss prof professor sir madam lady president senator judge captain father rabbi pastor"),
    relations=words(
        """
        sister brother mother father mom mum dad wife husband partner girlfriend boyfriend fiance fiancé fiancee
        fiancée son daughter child kid baby twin cousin aunt uncle niece nephew grandmother grandfather grandma
        grandpa friend bestie roommate flatmate neighbor neighbour colleague coworker co-worker boss manager
        mentor teacher coach doctor dentist therapist lawyer landlord assistant cofounder co-founder teammate
        student client dog cat puppy kitten named stepson stepdaughter sister-in-law brother-in-law ex
        """
    ),
    places=words("in near around across through outside visit visited visiting"),
    ways=words("to from for"),
    moves=words(
        """
        go goes going gone went move moved moving travel traveled travelled travelling traveling fly flew flying
        drive drove driving trip trips back come comes came coming am i'm is are was were we're he's she's they're
        originally relocate relocated relocating train flight flights return returned returning leave left leaving
        bus been
        """
    ),
    works=words(
        """
        work works worked working job position role intern interned interning internship employed hired interview
        interviewed interviewing consultant engineer manager developer designer teacher analyst started career study
        studied studying studies student graduated degree professor
        """
    ),
    employers=words("at for by joined joining join company startup employer client vendor firm agency"),
    people=words(
        """
        with met meet meeting told tell ask asked call called calls text texted emailed email messaged message
        married marry marrying dating dated named thank thanks remind invite invited visit visited hi hello hey
        dear miss cc ping pinged
        """
    ),
    speech=words(
        """
        said says told tells asked asks thinks thought called calls wrote writes texted emailed replied answered
        suggested recommended mentioned wants wanted prefers likes loves hates lives lived married works joined
        promised
        """
    ),
    tools=words(
        """
        use uses used using install installed deploy deployed run running built build written migrate migrated switch
        switched upgrade upgraded learn learning app tool library framework game it
        """
    ),
    kinds=_kinds(
        "project app application library framework tool game platform product codebase repo repository model engine "
        "plugin",
        "team department university college school company corporation foundation institute hospital bank startup club "
        "group agency committee church office squad council",
        "street avenue road park lake river mountain beach island bay valley square bridge airport station city museum",
    ),
)

_DE = Cues(
    stop=words(
        """
        aber ach alle alles als also am an andere auch auf aus außerdem bald bei beim bevor bin bis bist bitte da
        dabei damit danach danke dann das dass davor dazu dein deine dem den denn der des deshalb die dies diese
        dieser dieses doch dort du durch ein eine einem einen einer eigentlich endlich er erst es etwa euch euer
        eure falls fast für ganz gar genau gerade gern gerne gestern gibt gut guten hab habe haben hallo hat hatte
        hatten heute hi hier hey ich ihm ihn ihnen ihr ihre im immer in ins ist ja jede jeder jetzt kann kannst
        kein keine können könnte leider man manchmal mein meine meinem meinen meiner mich mir mit möchte morgen
        muss müssen nach nein nicht nichts nie niemand noch nun nur ob oder ohne okay schon sehr sein seine seit
        sich sie sind so sogar soll sollte sondern sonst über übrigens um und uns unser unsere unter viel viele
        vielleicht vom von vor wann war waren warum was weil welche welcher wenn wer werde werden wie wieder will
        wir wird wo wohl würde zu zuerst zum zur zwar zwischen herr frau liebe lieber
        """
    ),
    titles=words("dr herr frau herrn prof professor professorin doktor"),
    relations=words(
        """
        schwester bruder mutter vater mama papa frau mann ehefrau ehemann partner partnerin freundin freund sohn
        tochter kind baby cousin cousine tante onkel nichte neffe oma opa großmutter großvater kumpel nachbar
        nachbarin kollege kollegin chef chefin mitbewohner mitbewohnerin lehrer lehrerin ärztin arzt verlobte
        verlobter hund katze kater namens heiße heißt heiß genannt
        """
    ),
    places=frozenset(),
    ways=words("in aus nach"),
    moves=words("wohne wohnt wohnen lebe lebt leben komme kommt stamme stammt ziehe zieht gezogen fahre reise fliege"),
    works=words("arbeite arbeitet arbeiten gearbeitet arbeitete job stelle praktikum angestellt studiere jobbe"),
    employers=words("bei beim für firma unternehmen arbeitgeber"),
    people=words("mit treffe traf frag frage gefragt ruf rufe hallo hi liebe lieber und namens heiße"),
    speech=words("sagt sagte meint meinte fragt fragte findet mag liebt hasst wohnt arbeitet schrieb will hat ist"),
    tools=words("nutze nutzt nutzen benutze benutzt verwende verwenden verwendet installiert mit"),
    kinds=_kinds(
        "projekt app anwendung bibliothek spiel plattform produkt modell werkzeug",
        "team abteilung universität uni hochschule schule firma unternehmen stiftung institut krankenhaus bank verein",
        "straße allee platz park see fluss berg strand insel brücke flughafen bahnhof stadt",
    ),
    nouns=True,
)

_ES = Cues(
    stop=words(
        """
        a además adiós ahora al algo alguien algún allí antes aquel aquí así aún aunque bien bueno buenas buenos
        cada casi como cómo con creo cual cuál cuando cuándo cuánto cuántos de debe del desde después día donde
        dónde durante e el él ella ellas ellos en entonces entre era eres es esa ese eso esta está estaba están
        estas este esto estos estoy finalmente fue gracias ha había hace hacia han hasta hay he hola hoy igual la
        las le les lo los luego mañana más me mejor mi mis mientras mucho muy nada nadie ni no nos nosotros
        nuestra nuestro nunca o otra otro para pero perdón podría poco por porque pues puede puedes que qué quién
        quien quiero quizás realmente recuerda se según ser si sí siempre sin sobre solo sólo son soy su sus
        también tampoco te tengo tiene todavía todo todos tú tu tus un una uno unos usted vale vamos vivo voy y ya
        yo ayer trabajo prefiero odio necesito ayúdame dime usa
        """
    ),
    titles=words("sr sra srta don doña dr dra prof profesor profesora señor señora"),
    relations=words(
        """
        hermana hermano madre padre mamá papá esposa esposo mujer marido novia novio pareja hija hijo bebé prima primo
        tía tío sobrina sobrino abuela abuelo amiga amigo vecina vecino colega compañera compañero jefa jefe profesora
        profesor perro perra gato gata llamo llama llamado llamada
        """
    ),
    places=words("en desde hacia"),
    ways=words("a de para"),
    moves=words("voy vamos fui fuimos viajo viajé viaje mudé mudarme mudo soy es vengo viene regresé vuelvo"),
    works=words("trabajo trabaja trabajaba trabajé trabajando empleo puesto contrató contrataron estudio estudié"),
    employers=words("en para empresa compañía"),
    people=words("con a llamé conocí pregunta pregunté dile hola querida querido y llamo"),
    speech=words("dijo dice preguntó pregunta piensa cree quiere prefiere odia vive trabaja escribió llamó es está"),
    tools=words("uso usa usamos usar utilizo utilizamos instalé"),
    kinds=_kinds(
        "proyecto aplicación app biblioteca juego plataforma producto modelo herramienta",
        "equipo departamento universidad colegio escuela empresa fundación instituto hospital banco",
        "calle avenida plaza parque lago río playa isla puente aeropuerto estación ciudad barrio",
    ),
)

_FR = Cues(
    stop=words(
        """
        à ah ainsi alors après assez au aucun aujourd'hui aussi autre aux avant avec beaucoup bien bientôt bon
        bonjour bonsoir c ça car ce cela ces cet cette ceux chaque chez comme comment d dans de demain depuis des
        désolé dis donc du elle elles en encore enfin entre est et était être eu eux évidemment fait faut hier ici
        il ils j jamais je l la le les leur lui m ma mais malheureusement me même merci mes moi mon n ne ni non
        nos notre nous on ont or ou où oui par parce parfois pas peut peut-être plus plusieurs pour pourquoi
        pourrais pourtant puis qu quand que quel quelle quelqu quelque qui quoi rien s sa salut sans se selon ses
        seulement si son sont souvent sous suis sur surtout t ta tard te tes toi ton toujours tous tout toute très
        trop tu un une va vers voici voilà vos votre vous vraiment y bref ok rappelle aide
        """
    ),
    titles=words("m mme mlle monsieur madame mademoiselle dr docteur prof professeur maître"),
    relations=words(
        """
        sœur soeur frère mère père maman papa femme mari épouse époux compagne compagnon copine copain fille fils
        bébé cousine cousin tante oncle nièce neveu grand-mère grand-père amie ami voisine voisin collègue chef
        cheffe patron patronne professeur prof chien chienne chat chatte appelle nommé nommée
        """
    ),
    places=words("en vers"),
    ways=words("à au aux de pour"),
    moves=words(
        "vais allé allée va habite habitais vis vit déménage déménagé viens vient suis voyage retourne né née pars part"
    ),
    works=words("travaille travaillais travaillait travaillé bosse poste emploi stage embauché embauchée étudie"),
    employers=words("chez pour à entreprise société boîte"),
    people=words("avec chez à rencontré demande demandé appelle appelé salut bonjour chère cher et"),
    speech=words("dit demande pense croit veut préfère déteste habite vit travaille écrit aime est adore"),
    tools=words("utilise utilisons utiliser utilisé installe installé"),
    kinds=_kinds(
        "projet application appli bibliothèque jeu plateforme produit modèle outil",
        "équipe département université école lycée collège entreprise société fondation institut hôpital banque",
        "rue avenue place parc lac plage île pont aéroport gare ville quartier",
    ),
)

#: The cues of each language; Latin words in Chinese text are read with the English ones.
CUES: Mapping[str, Cues] = MappingProxyType({"en": _EN, "de": _DE, "es": _ES, "fr": _FR, "zh": _EN})

#: Last words of organisations' names; legal forms also follow a comma.
LEGAL_FORMS = words("inc llc ltd limited corp gmbh ag kg se sa sas sarl plc bv oy ab kk co srl")
ORGANISATION_HEADS = LEGAL_FORMS | words(
    """
    corporation company university college school institute hospital clinic bank foundation group labs lab
    laboratories technologies technology systems solutions partners consulting ventures capital team department club
    church society association studio studios media records airlines airways agency committee council ministry
    bureau office federation union academy press times post motors energy pharma software robotics analytics
    insurance league army navy universität hochschule stiftung verein verlag bundesamt ministerium klinikum
    universidad fundación banco instituto universite université fondation banque ministère
    """
)
#: First words of organisations' names.
ORGANISATION_OPENERS = words(
    "university universität universidad université bank department ministry institute ministerio instituto banco"
)
#: First or last words of places' names.
PLACE_HEADS = words(
    """
    street avenue road boulevard park lake river mount mountain mountains beach island islands bay valley square
    bridge airport station museum cathedral castle palace tower canyon falls forest ocean sea desert county hotel
    café cafe restaurant plaza harbor harbour heights village zoo garden gardens calle avenida playa rue
    """
)
