"""Names most people know: a compact list of people's first names, places, organisations and products.

Data only. Lower case; single words are separated by blanks, longer names by commas. The lists are short on purpose:
what an owner speaks of is learned from the owner's own words and handed to `find_mentions` as `known`.
"""


def words(text: str) -> frozenset[str]:
    """The words of `text`, which blanks separate."""
    return frozenset(text.split())


def names(text: str) -> frozenset[str]:
    """The names in `text`, which commas separate."""
    return frozenset(name.strip() for name in text.split(","))


#: First names of people, across cultures.
GIVEN = words(
    """
    aaron abby abdul abdullah abigail abraham adam adele adriana adrian agnes ahmad ahmed aiko aisha akira alan
    albert alberto alejandra alejandro alessandro alex alexa alexander alexandra alexandre alexis alfred ali alice
    alicia alina alisa alison allison alma alyssa amanda amara amelia amelie amina amir amit amy ana anaya
    anastasia anders andrea andreas andrei andres andrew andy angela angelica angelina anika anil anita anja
    anjali anke ann anna anne annie annika antje anthony antoine anton antonia antonio anya aria ariana arjun
    arthur arturo arun asher ashley astrid aurelie ava ayesha barbara bart beatrice beatriz becky ben benedikt
    benjamin bernard bernd beth betty bianca bill birgit bjorn blake bob bobby boris brad bradley brandon brenda
    brian brianna bridget brigitte brittany brooke bruce bruno bryan caleb calvin cameron camila camille carina
    carl carla carlos carmen carol carolina caroline carolyn carrie casey cassandra catalina catherine cecile
    cecilia cedric celine chad chandra chantal charles charlie charlotte chen chloe chris christa christian
    christina christine christoph christophe christopher chuck cindy claire clara clarissa claude claudia clemens
    clement cody colin connie connor cora corinna cristian cristina cynthia daisuke damian dan dana daniel daniela
    daniele danielle danny daria darius darren dave david dean debbie deborah deepak deepika denis denise dennis
    derek diana diane diego dieter dimitri dirk dmitri dolores dominic dominik dominique don donald donna dora
    doris dorothy doug douglas dustin dwight dylan eddie edgar edith eduardo edward edwin eileen elaine elena
    eleanor elias elif elisa elisabeth elise elizabeth ella ellen ellie elodie elsa emanuel emil emile emilia
    emilie emilio emily emma emmanuel enrique eric erica erik erika erin ernest ernesto esteban estelle esther
    ethan eugene eva evan eve evelyn fabian fabien fatima federico felicia felicity felipe felix fernanda fernando
    fiona florian frances francesca francesco francis francisco francois francoise frank franz fred freddie
    frederic frederick frida friedrich fritz gabriel gabriela gabriella gabrielle gael gary gavin gemma genevieve
    geoff george georg gerald gerard gerd giancarlo gilbert gina giovanni giulia giuseppe gloria gonzalo gordon
    graham greg gregor gregory greta guadalupe guillaume guillermo gunther gustavo hakim hanna hannah hannes hans
    harald harold harriet harry haruka harvey hassan hector heidi heike heiko heinz helen helena helene helga
    helmut hendrik henri henrik henry herbert hilda hiroshi holger holly howard hubert hugo hussein ian ibrahim
    ida ignacio igor ilse imran ines inga inge ingrid inigo irene irina iris isaac isabel isabella isabelle isaiah
    ivan ivana jack jackie jackson jacob jacqueline jacques jaime jake jakob jamal james jamie jan jana jane janet
    janice jannik jared jasmin jasmine jason javier jean jeanne jeff jeffrey jelena jen jenna jennifer jenny jens
    jeremy jerome jerry jesse jessica jessie jill jim jimmy jin jing jo joachim joan joana joanna joao joaquin
    jochen joe joel joelle johan johann johanna johannes john johnny jon jonas jonathan jorge jose josef joseph
    josephine josh joshua josie joyce juan juana juanita judith judy julia julian juliana julie julien juliet
    juliette julius jun juri jurgen justin jutta kai kaitlyn karen karim karin karl karla kate katerina katharina
    katherine kathleen kathrin kathy katie katja katrin katya kayla kazuo keith kelly ken kendra kenji kenneth
    kenny kerstin kevin khadija khalid kim kimberly kirsten klaus konstantin kristen kristin kristina kurt kyle
    lara larry lars laura lauren laurence laurent laurie layla lea leah leila lena lenny leo leon leonard leonardo
    leonie leslie leticia levi liam lilian lillian lina linda lindsay lisa liz liza logan lola lorena lorenzo lori
    lotte lou louis louisa louise luc luca lucas lucia luciana lucie lucy luis luisa luise lukas luke ludwig luna
    lydia lynn mabel maddie madeleine magdalena maggie mahmoud maike maja malik malte mandy manfred manuel manuela
    mara marc marcel marcia marco marcos marcus margaret margarita marge maria mariana marianne marie mariko
    marina mario marion marisol marjorie markus marlene marta martha martin martina marvin mary maryam mateo
    mathias mathieu mathilde matias matt matteo matthew matthias matthieu maureen maurice mauricio maurizio maxim
    maxime maximilian maya megan mehmet mei melanie melinda melissa mercedes mia micah michael michaela micheal
    michel michele michelle miguel mike mikhail mila milan milena milo mina minh mira miranda miriam mitch
    mitchell mohamed mohammad mohammed moira mona monica monika monique morgan moritz mustafa myriam nadia nadine
    nancy naomi natalia natalie natasha nathalie nathan nathaniel neha neil nelly nelson niamh nicholas nick nico
    nicola nicolas nicole niels nigel nikita nikhil niko nikolai nils nina noah noel noemi nora norbert norma
    norman olaf oleg olga oliver olivia olivier omar oscar oskar otto owen pablo paloma pam pamela paola paolo
    pascal patricia patrick patrik paul paula pauline pavel pedro peggy penelope percy pete peter petra phil
    philip philipp philippe phillip phoebe pia pierre pilar polly pooja pradeep priya quentin rachel radhika
    rafael rahul rainer raj rajesh ralf ralph ramon randy raquel rashid raul ravi raymond rebecca regina reiner
    reinhard rekha renata rene renee reza ricardo richard rick ricky rita robbie robert roberta roberto robin
    rocio rodrigo roger rohan roland rolf romain roman ron ronald ronja ronnie rosa rosalie rosario rosemary rosie
    ross roxanne roy ruben rudolf rudy rupert russell ruth ryan sabine sabrina sachin sagar sakura sally sam
    samantha sami samir samuel sandeep sandra sandy sanjay santiago saoirse sara sarah sasha sato saul scott sean
    sebastian selena selina serena serge sergei sergio seth shannon sharon shaun shawn sheila shelly sheryl
    shirley shreya siddharth sigrid silke silvia simon simona simone siobhan sofie sonia sonja sophia sophie soren
    stacy stan stanley stefan stefanie stella stephan stephane stephanie stephen steve steven stuart sunil suresh
    susan susana susanne suzanne sven svenja svetlana sylvia sylvie takashi takeshi tamara tammy tania tanja tanya
    tara tariq tatiana ted teresa terry tess thea theo theodor theodore theresa therese thierry thomas thorsten
    tiffany tilda till tim timo timothy tina tobias toby todd tom tomas tommy toni tony torsten tracy travis
    trevor tricia tristan troy tyler ulrich ulrike ursula ute uwe valentin valentina valeria valerie vanessa vera
    veronica veronika vicky victor vijay vikram vincent vincenzo viola virginie vivek vivian vladimir volker
    walter wanda warren wayne wei wendy werner wilfried wilhelm willem william willy wolfgang xavier ximena
    yannick yara yasmin yasmine yoko yolanda yosef yuki yuri yusuf yves yvette yvonne zach zachary zahra zainab
    zara zeynep zoe zoey andré andrés agnès aurélie bjørn björn céline chloé clément élodie émile émilie éric
    élise frédéric françois françoise geneviève gaël günter günther hélène inés iñigo íñigo jérôme joão joaquín
    joël joëlle josé jürgen jörg josée kévin léa léo loïc lucía maría martín mónica matías mélanie noémie noël
    pénélope rené renée raúl rocío rubén sébastien sofía stéphane stéphanie søren sören thérèse théo tomás valérie
    verónica véronique víctor zoé álvaro ángel óscar iván jesús andreu zoë mel ned ed caro lebron mozart will mark
    grace hope faith rose lily max ruby amber jade daisy ivy violet olive dawn joy pat sue rob drew chase grant
    hunter mason carter cooper parker clay heather penny pearl
    """
)

#: First names and other names that are also everyday words: believed only where the sentence supports them.
AMBIGUOUS = words(
    """
    ups snap unity mit hp puma orange express docs copilot gemini android rails celery pandas cassandra scala git
    claude llama prometheus sentry obsidian miro keynote hbo will mark grace hope faith rose bill art joy summer
    dawn drew chase grant rich pat max guy christian violet olive amber jade crystal melody harmony autumn april
    june august may heather ginger iris holly sandy penny pearl angel don chuck miles reed skip buck eve sky dot
    lance mason hunter page wade clay cliff colt earl forest ford glen jan peg roman apple amazon target shell gap
    square stripe meta oracle slack zoom teams notion linear discord signal excel word outlook access visa uber
    swift rust go java spark kafka flask react vue node dash pages numbers sheets drive meet chrome safari edge
    opera echo alexa siri windows office jira trello turkey china chad georgia jordan nice reading bath mobile
    phoenix buffalo lima cork split essen cologne hamburg frankfurt wien polish bond
    """
)

#: Countries, states, cities and regions.
PLACES = names(
    """
    afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bahrain, bangladesh, belarus,
    belgium, bolivia, bosnia, botswana, brazil, bulgaria, cambodia, cameroon, canada, chad, chile, china, colombia,
    congo, costa rica, croatia, cuba, cyprus, czechia, czech republic, denmark, dominican republic, ecuador, egypt,
    el salvador, england, estonia, ethiopia, finland, france, georgia, germany, ghana, great britain, greece,
    greenland, guatemala, haiti, honduras, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy,
    ivory coast, jamaica, japan, jordan, kazakhstan, kenya, kosovo, kuwait, laos, latvia, lebanon, libya, lithuania,
    luxembourg, madagascar, malaysia, mali, malta, mexico, moldova, monaco, mongolia, montenegro, morocco,
    mozambique, myanmar, namibia, nepal, netherlands, the netherlands, new zealand, nicaragua, niger, nigeria,
    north korea, northern ireland, norway, oman, pakistan, palestine, panama, paraguay, peru, philippines, poland,
    portugal, qatar, romania, russia, rwanda, saudi arabia, scotland, senegal, serbia, singapore, slovakia, slovenia,
    somalia, south africa, south korea, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan, tanzania,
    thailand, tunisia, turkey, uganda, ukraine, united arab emirates, united kingdom, united states,
    united states of america, uruguay, usa, u.s, u.s.a, uk, u.k, uae, eu, uzbekistan, venezuela, vietnam, wales,
    yemen, zambia, zimbabwe, africa, asia, europe, north america, south america, latin america, antarctica,
    scandinavia, balkans, middle east, southeast asia, silicon valley, bay area, midwest, new england, catalonia,
    tuscany, provence, bavaria, saxony, brittany, normandy, andalusia, sicily, sardinia, crete, corsica, mallorca,
    ibiza, bali, hawaii, alaska, alabama, arizona, arkansas, california, colorado, connecticut, delaware, florida,
    idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota,
    mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico, north carolina,
    north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas,
    utah, vermont, virginia, west virginia, wisconsin, wyoming, ontario, quebec, québec, british columbia, alberta,
    nova scotia, queensland, new south wales, yorkshire, cornwall, the hague, alps, andes, himalayas, rockies,
    mediterranean, caribbean, aachen, aberdeen, abu dhabi, accra, adelaide, ahmedabad, alexandria, algiers, alicante,
    amsterdam, anchorage, ankara, antwerp, athens, atlanta, auckland, augsburg, austin, baghdad, baltimore,
    bangalore, bengaluru, bangkok, barcelona, basel, bath, beijing, beirut, belfast, belgrade, bergen, berkeley,
    berlin, bern, bilbao, birmingham, bochum, bogota, bogotá, bologna, bonn, bordeaux, boston, boulder, brasilia,
    bratislava, bremen, brighton, brisbane, bristol, brno, brooklyn, brussels, bucharest, budapest, buenos aires,
    buffalo, cairo, calgary, cambridge, canberra, cancun, cape town, nyc, caracas, cardiff, casablanca, charleston,
    chennai, chengdu, chicago, christchurch, cincinnati, cleveland, cologne, columbus, copenhagen, cork, cordoba,
    córdoba, dakar, dallas, damascus, darmstadt, delhi, denver, detroit, dhaka, dortmund, dresden, dubai, dublin,
    duisburg, durban, düsseldorf, dusseldorf, edinburgh, edmonton, eindhoven, erfurt, essen, florence, frankfurt,
    freiburg, fukuoka, gdansk, geneva, genoa, ghent, glasgow, gothenburg, göttingen, granada, graz, grenoble,
    guadalajara, guangzhou, halifax, hamburg, hangzhou, hannover, hanover, hanoi, havana, heidelberg, helsinki,
    ho chi minh city, hong kong, honolulu, houston, hyderabad, indianapolis, innsbruck, istanbul, izmir, jakarta,
    jena, jerusalem, johannesburg, kabul, kansas city, karachi, karlsruhe, kathmandu, kiel, kiev, kyiv, kigali,
    kolkata, konstanz, krakow, kuala lumpur, kyoto, lagos, lahore, las vegas, lausanne, leeds, leipzig, lille, lima,
    linz, lisbon, liverpool, ljubljana, london, los angeles, lübeck, lucerne, luxembourg city, lviv, lyon, macau,
    madrid, mainz, malaga, málaga, malmö, manchester, manhattan, manila, mannheim, marrakech, marseille, medellin,
    medellín, melbourne, memphis, mexico city, miami, milan, milwaukee, minneapolis, minsk, monterrey, montevideo,
    montpellier, montreal, montréal, moscow, mumbai, münchen, munich, münster, nagoya, nairobi, nanjing, nantes,
    naples, nashville, new delhi, new orleans, new york, new york city, newcastle, nice, nottingham, nuremberg,
    nürnberg, oakland, odessa, osaka, oslo, ottawa, oxford, palermo, palma, palo alto, panama city, paris, perth,
    philadelphia, phoenix, pittsburgh, porto, portland, potsdam, prague, pretoria, pune, quito, regensburg, rennes,
    reykjavik, riga, rio de janeiro, riyadh, rome, rostock, rotterdam, sacramento, salt lake city, salzburg,
    san antonio, san diego, san francisco, san jose, san juan, santa barbara, santa fe, santiago de chile,
    santo domingo, sao paulo, são paulo, sarajevo, savannah, seattle, seoul, sevilla, seville, shanghai, sheffield,
    shenzhen, sofia, southampton, st. petersburg, saint petersburg, stockholm, strasbourg, stuttgart, sydney, taipei,
    tallinn, tampa, tbilisi, tehran, tel aviv, tokyo, toledo, toronto, toulouse, trieste, tucson, tunis, turin, ulm,
    utrecht, valencia, vancouver, venice, verona, victoria, vienna, vilnius, warsaw, washington, washington d.c,
    wellington, wiesbaden, wuhan, wuppertal, würzburg, xi'an, yokohama, york, zagreb, zaragoza, zurich, zürich,
    ägypten, argentinien, australien, belgien, brasilien, bulgarien, dänemark, deutschland, estland, finnland,
    frankreich, griechenland, großbritannien, indien, indonesien, irland, island, italien, kanada, kolumbien,
    kroatien, lettland, litauen, luxemburg, marokko, mexiko, neuseeland, niederlande, norwegen, österreich, polen,
    rumänien, russland, schottland, schweden, schweiz, serbien, slowakei, slowenien, spanien, südafrika, südkorea,
    tschechien, türkei, ungarn, usbekistan, vereinigte staaten, europa, asien, afrika, bayern, sachsen, hessen,
    thüringen, schleswig-holstein, baden-württemberg, nordrhein-westfalen, niedersachsen, brandenburg, köln, wien,
    genf, mailand, rom, venedig, neapel, florenz, prag, warschau, krakau, moskau, peking, brüssel, lissabon, athen,
    kopenhagen, alemania, españa, francia, inglaterra, escocia, irlanda, italia, suiza, suecia, noruega, dinamarca,
    finlandia, polonia, rusia, ucrania, grecia, turquía, japón, corea del sur, méxico, perú, brasil, estados unidos,
    países bajos, bélgica, marruecos, egipto, sudáfrica, nueva zelanda, nueva york, londres, parís, berlín, múnich,
    roma, florencia, venecia, viena, praga, varsovia, moscú, pekín, tokio, ciudad de méxico, bruselas, ginebra,
    lisboa, cataluña, andalucía, galicia, asturias, país vasco, cádiz, murcia, valladolid, salamanca, cusco, rosario,
    allemagne, espagne, angleterre, écosse, irlande, italie, suisse, suède, norvège, danemark, finlande, pologne,
    russie, grèce, turquie, japon, chine, inde, corée du sud, mexique, pérou, brésil, argentine, chili, colombie,
    états-unis, royaume-uni, pays-bas, belgique, maroc, algérie, tunisie, égypte, sénégal, afrique du sud,
    nouvelle-zélande, bretagne, normandie, alsace, bourgogne, auvergne, occitanie, vienne, genève, bruxelles,
    lisbonne, moscou, pékin, varsovie, venise, barcelone, athènes, édimbourg, dijon, nancy, metz, brest, reims,
    tours, angers
    """
)

#: Companies, institutions and media houses.
ORGANISATIONS = names(
    """
    accenture, adidas, adobe, airbnb, airbus, alibaba, allianz, alphabet, amazon, amd, anthropic, apple, asana, at&t,
    atlassian, audi, barclays, basf, bayer, bbc, bloomberg, bmw, boeing, bosch, bytedance, cern, cia, cisco,
    citibank, cloudflare, cnn, coca-cola, comcast, costco, databricks, deepmind, dell, deloitte, dhl, disney,
    dropbox, ebay, ericsson, esa, expedia, exxon, facebook, fbi, fda, fedex, fifa, ford, gitlab, goldman sachs,
    google, harvard, hbo, honda, hp, hsbc, huawei, hubspot, hugging face, hyundai, ibm, ikea, imf, instagram, intel,
    irs, jpmorgan, kpmg, lenovo, lg, linkedin, lockheed martin, lufthansa, lyft, mastercard, mcdonald's, mckinsey,
    mercedes, meta, microsoft, mit, mozilla, nasa, nato, nestle, nestlé, netflix, new york times, nhs, nike,
    nintendo, nokia, nvidia, openai, oracle, palantir, panasonic, paypal, pepsi, pfizer, philips, pinterest, porsche,
    puma, pwc, qualcomm, quora, red cross, reddit, renault, revolut, roche, salesforce, samsung, sap, shopify,
    siemens, snap, sony, spacex, spotify, square, stanford, starbucks, stripe, target, telefonica, telekom, tesla,
    toyota, twilio, twitter, uber, ubs, ucla, unesco, unicef, ups, verizon, vodafone, volkswagen, volvo, vw, walmart,
    wall street journal, washington post, wells fargo, wikipedia, world bank, xerox, yahoo, yale, yelp, youtube,
    zalando, zara, y combinator, deutsche bahn, deutsche bank, sparkasse, commerzbank, santander, bbva, iberia,
    inditex, mercadona, carrefour, sncf, air france, l'oréal, oréal, bnp paribas, société générale, michelin, danone,
    orange
    """
)

#: Programs, services, devices, languages of programming, vehicles and titles.
PRODUCTS = names(
    """
    airtable, android, angular, ansible, apple watch, aws, azure, bigquery, bitbucket, bitcoin, c#, c++, cassandra,
    celery, chatgpt, chrome, claude, clickhouse, confluence, copilot, css, datadog, discord, django, docker, docs,
    duckdb, elasticsearch, emacs, ethereum, evernote, excel, express, fastapi, figma, firebase, firefox, flask,
    fortnite, gcp, gemini, git, github, gmail, golang, google calendar, google docs, google drive, google maps,
    google sheets, gpt, gpt-4, gpt-4o, grafana, graphql, grpc, hadoop, html, instagram, ios, ipad, iphone, java,
    javascript, jenkins, jira, jupyter, kafka, keras, keynote, kindle, kotlin, kubernetes, latex, linear, linux,
    llama, macbook, macbook pro, macos, mariadb, matlab, microsoft teams, microsoft word, minecraft, miro, mongodb,
    mysql, neo4j, neovim, netlify, next.js, nginx, node.js, notion, numpy, obsidian, onenote, outlook, pandas,
    photoshop, php, playstation, postgres, postgresql, postman, power bi, powerpoint, prometheus, pycharm, pytest,
    python, pytorch, rabbitmq, rails, raspberry pi, react, react native, redis, redux, rust, safari, scala, sentry,
    sharepoint, siri, skype, slack, snowflake, spark, spring boot, sqlite, svelte, swift, tableau, tailwind,
    telegram, tensorflow, terraform, tiktok, todoist, trello, twitch, typescript, ubuntu, unity, vercel, vim,
    visual studio, vs code, vscode, vue, whatsapp, windows, word, wordpress, xbox, zapier, zendesk, zoom, zotero
    """
)

#: Chinese names of places, and the surnames that open a Chinese personal name.
PLACES_ZH = words(
    """
    北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 长沙 郑州 青岛 大连 厦门 宁波 无锡 济南 合肥 福州
    昆明 哈尔滨 沈阳 长春 石家庄 太原 南昌 贵阳 南宁 海口 三亚 兰州 乌鲁木齐 拉萨 呼和浩特 银川 西宁 珠海 东莞 佛山
    香港 澳门 台北 台湾 高雄 中国 美国 英国 法国 德国 日本 韩国 加拿大 澳大利亚 澳洲 新西兰 新加坡 马来西亚 泰国
    越南 印度 印尼 俄罗斯 意大利 西班牙 葡萄牙 瑞士 瑞典 挪威 丹麦 芬兰 荷兰 比利时 奥地利 波兰 希腊 土耳其 巴西
    阿根廷 墨西哥 埃及 南非 迪拜 欧洲 亚洲 非洲 北美 东京 大阪 京都 首尔 曼谷 纽约 洛杉矶 旧金山 西雅图 波士顿
    芝加哥 多伦多 温哥华 伦敦 巴黎 柏林 慕尼黑 罗马 米兰 马德里 巴塞罗那 阿姆斯特丹 莫斯科 悉尼 墨尔本 广东 浙江
    江苏 四川 湖南 湖北 山东 山西 河南 河北 福建 江西 安徽 云南 贵州 广西 海南 陕西 甘肃 青海 辽宁 吉林 黑龙江
    内蒙古 新疆 西藏 宁夏 浦东 朝阳区 海淀区
    """
)
ORGANISATIONS_ZH = words(
    """
    腾讯 阿里巴巴 百度 字节跳动 华为 小米 京东 美团 拼多多 网易 滴滴 联想 中兴 比亚迪 蔚来 谷歌 微软 苹果公司 亚马逊
    特斯拉 英伟达 清华 北大 复旦 清华大学 北京大学 复旦大学 浙江大学 上海交通大学 南京大学 中国银行 工商银行
    建设银行 招商银行 中国移动 中国电信 联合国
    """
)
PRODUCTS_ZH = words("微信 支付宝 淘宝 天猫 抖音 微博 知乎 小红书 钉钉 飞书 企业微信 哔哩哔哩 豆瓣 高德地图")
SURNAMES_ZH = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金"
    "韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷黎史龙陶贺顾毛郝龚邵万覃武钱戴严莫孔向常汤"
)
