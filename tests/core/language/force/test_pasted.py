"""Other people's texts, pasted into a turn, are not the user's words; an introduction of the user's own is none."""

from datetime import UTC, datetime

import pytest

from memoranda.core.language.extraction import Analysis, analyse
from memoranda.core.language.force.pasted import without_blocks, without_others
from memoranda.core.language.speech import split
from memoranda.core.rows import Event

SAID = datetime(2026, 11, 3, tzinfo=UTC)

THEIRS = [
    ("en", "Here is Bob's mail: Hi! I live in Turku and I work at Nokia. See you.", "Turku|Nokia", ""),
    ("en", "Bob wrote:\nI live in Turku.\nI'm a vegetarian.", "Turku|vegetarian", ""),
    ("en", "Bob wrote: I live in Turku. I'm allergic to nuts.", "Turku|nuts", ""),
    (
        "en",
        "From: Bob <bob@example.org>\nTo: ana@example.org\nSubject: Hi\n\nI live in Turku. My favourite color is blue.",
        "Turku|blue",
        "",
    ),
    (
        "en",
        "See the message from my landlord below.\n\nI live in Turku.\nI prefer calls after six.",
        "Turku|calls after six",
        "",
    ),
    ("en", "-----Original Message-----\nI live in Turku.\nI work at Nokia.", "Turku|Nokia", ""),
    ("en", "---------- Forwarded message ---------\nFrom: Bob\nDate: Mon, 2 Nov\n\nI live in Turku.", "Turku", ""),
    ("en", "Begin forwarded message:\n\nMy name is Bob. I live in Turku.", "Bob|Turku", ""),
    ("en", "Bob: I live in Turku.\nAlice: Nice! I work at Nokia.\nBob: I love tea.", "Turku|Nokia|tea", ""),
    (
        "en",
        "[10:32] Torvald: I live in Turku\n[10:33] Xandra: I'm a vegetarian\n[10:35] Torvald: ok",
        "Turku|vegetarian",
        "",
    ),
    (
        "en",
        "Transcript of the call:\nSpeaker 1: I live in Turku.\nSpeaker 2: I work at Nokia.\nSpeaker 1: Good.",
        "Turku|Nokia",
        "",
    ),
    (
        "en",
        "Dear Ms Smith,\n\nI live in Turku.\n\nBest regards,\nBob\n\nI live in Oslo, what should I answer?",
        "Turku",
        "Oslo",
    ),
    (
        "en",
        "Here's what my boss sent me this morning:\n\nI live in Turku these days.\n\nI hate meetings.",
        "Turku|meetings",
        "",
    ),
    ("en", "This is the letter I got from my aunt:\nI live in Turku.\nI love gardening.", "Turku|gardening", ""),
    ("en", "My sister just texted me this: I live in Turku now, I work at Nokia", "Turku|Nokia", ""),
    ("en", "Reply from the support team:\n\nWe are based in Turku. My name is Carl.", "Carl|Turku", ""),
    ("en", "Bob's bio: I live in Turku. I'm a nurse.", "Turku|nurse", ""),
    (
        "en",
        "On Tue, Nov 3, 2026 at 9:14 AM Bob Miller <bob@example.org> wrote:\n\nI live in Turku.\nI'm vegan.",
        "Turku|vegan",
        "",
    ),
    ("en", "Can you answer this mail?\n\nHi Ana,\nI live in Turku and I'm vegan.\nCheers,\nBob", "Turku|vegan", ""),
    (
        "en",
        "Here is the landlord's message:\n\n    I live in Turku.\n    I prefer calls.\n\nI live in Oslo.",
        "Turku|calls",
        "Oslo",
    ),
    ("en", "The customer said the following:\nI live in Turku.\nI'm allergic to nuts.", "Turku|nuts", ""),
    ("en", 'Bob wrote: "I live in Turku and I am vegan." I live in Oslo.', "Turku|vegan", "Oslo"),
    ("en", "Bob wrote:\n> I live in Turku\n> I'm vegan\n\nI live in Oslo.", "Turku|vegan", "Oslo"),
    (
        "en",
        "I got this email from my tenant:\nI live in Turku.\nI work at Nokia.\nKind regards\nBob\n\nI live in Oslo.",
        "Turku|Nokia",
        "Oslo",
    ),
    ("en", "Forwarded message from Ann\n\nI live in Turku and I love sailing.", "Turku|sailing", ""),
    ("en", "Below is an email from a colleague.\nI live in Turku.\nI'm a vegetarian.", "Turku|vegetarian", ""),
    (
        "en",
        'Interview with the author. "I live in Turku," he says. Q: Where do you work? A: I work at Nokia.',
        "Turku|Nokia",
        "",
    ),
    ("en", "Sent from Bob's phone:\nI live in Turku\nI hate mondays", "Turku|mondays", ""),
    ("en", "Mom: I live in Turku now\nDad: I work at Nokia\nMom: lovely", "Turku|Nokia", ""),
    ("en", "Copying over Priya's Slack post -- I live in Turku. I'm a data engineer.", "Turku|data engineer", ""),
    (
        "en",
        "What my flatmate replied:\nI live in Turku.\nI like quiet.\n\nAs for me, I live in Oslo.",
        "Turku|quiet",
        "Oslo",
    ),
    ("en", "Review by a guest: I live in Turku and I love spicy food.", "Turku|spicy food", ""),
    ("de", "Hier ist Bobs Mail: Hallo! Ich wohne in Turku und arbeite bei Nokia.", "Turku|Nokia", ""),
    ("de", "Bob schrieb:\nIch wohne in Turku.\nIch bin Vegetarier.", "Turku|Vegetarier", ""),
    ("de", "Von: Bob\nAn: Ana\nBetreff: Hallo\n\nIch wohne in Turku.", "Turku", ""),
    ("de", "Siehe unten die Nachricht meines Vermieters.\n\nIch wohne in Turku.", "Turku", ""),
    ("de", "-----Ursprüngliche Nachricht-----\nIch wohne in Turku.", "Turku", ""),
    ("de", "---------- Weitergeleitete Nachricht ---------\n\nIch wohne in Turku.", "Turku", ""),
    ("de", "Bob: Ich wohne in Turku.\nAnna: Ich arbeite bei Nokia.\nBob: Schön.", "Turku|Nokia", ""),
    (
        "de",
        "Sehr geehrte Frau X,\nich wohne in Turku.\nMit freundlichen Grüßen\nBob\n\nIch wohne in Kiel. Was nun?",
        "Turku",
        "Kiel",
    ),
    (
        "de",
        "Das hat mir mein Chef geschickt:\n\nIch wohne in Turku.\n\nIch mag keine Besprechungen.",
        "Turku|Besprechungen",
        "",
    ),
    ("de", "Am 3.11.2026 um 9:14 schrieb Bob Müller <bob@example.org>:\n\nIch wohne in Turku.", "Turku", ""),
    ("de", "Meine Schwester hat mir geschrieben: Ich wohne in Turku, ich arbeite bei Nokia.", "Turku|Nokia", ""),
    ("de", "Diesen Brief habe ich von meiner Tante bekommen:\nIch wohne in Turku.", "Turku", ""),
    ("de", "Antwort des Kunden:\nIch wohne in Turku. Ich bin Vegetarier.", "Turku|Vegetarier", ""),
    (
        "de",
        "Die Nachricht von meinem Nachbarn:\nIch wohne in Turku.\nGruß\nBob\n\nIch selbst wohne in Kiel.",
        "Turku",
        "Kiel",
    ),
    ("es", "Este es el correo de Bob: ¡Hola! Vivo en Turku y trabajo en Nokia.", "Turku|Nokia", ""),
    ("es", "Bob escribió:\nVivo en Turku.\nSoy vegetariano.", "Turku|vegetariano", ""),
    ("es", "De: Bob\nPara: Ana\nAsunto: Hola\n\nVivo en Turku.", "Turku", ""),
    ("es", "Mira abajo el mensaje de mi casero.\n\nVivo en Turku.", "Turku", ""),
    ("es", "----- Mensaje original -----\nVivo en Turku.", "Turku", ""),
    ("es", "---------- Mensaje reenviado ---------\n\nVivo en Turku.", "Turku", ""),
    ("es", "Carlos: Vivo en Turku.\nLucía: Trabajo en Nokia.\nCarlos: Bien.", "Turku|Nokia", ""),
    (
        "es",
        "Estimada señora:\nVivo en Turku.\nSaludos cordiales,\nBob\n\nYo vivo en Madrid. ¿Qué contesto?",
        "Turku",
        "",
    ),
    ("es", "Esto me lo mandó mi jefe:\n\nVivo en Turku.\n\nOdio las reuniones.", "Turku|reuniones", ""),
    ("es", "El 3 nov 2026 a las 9:14, Bob Pérez (<bob@example.org>) escribió:\n\nVivo en Turku.", "Turku", ""),
    ("es", "Respuesta del cliente:\nVivo en Turku. Soy vegetariano.", "Turku|vegetariano", ""),
    ("es", "Recibí esta carta de mi tía:\nVivo en Turku.", "Turku", ""),
    ("fr", "Voici le mail de Bob : Bonjour ! J'habite à Turku et je travaille chez Nokia.", "Turku|Nokia", ""),
    ("fr", "Bob a écrit :\nJ'habite à Turku.\nJe suis végétarien.", "Turku|végétarien", ""),
    ("fr", "De : Bob\nÀ : Ana\nObjet : Bonjour\n\nJ'habite à Turku.", "Turku", ""),
    ("fr", "Regarde ci-dessous le message de mon propriétaire.\n\nJ'habite à Turku.", "Turku", ""),
    ("fr", "-----Message d'origine-----\nJ'habite à Turku.", "Turku", ""),
    ("fr", "---------- Message transféré ---------\n\nJ'habite à Turku.", "Turku", ""),
    ("fr", "Pierre : J'habite à Turku.\nMarie : Je travaille chez Nokia.\nPierre : Bien.", "Turku|Nokia", ""),
    (
        "fr",
        "Madame, Monsieur,\nJ'habite à Turku.\nCordialement,\nBob\n\nMoi, j'habite à Lyon. Que répondre ?",
        "Turku",
        "Lyon",
    ),
    ("fr", "Voilà ce que mon chef m'a envoyé :\n\nJ'habite à Turku.\n\nJe déteste les réunions.", "Turku|réunions", ""),
    ("fr", "Le mar. 3 nov. 2026 à 09:14, Bob Martin <bob@example.org> a écrit :\n\nJ'habite à Turku.", "Turku", ""),
    ("fr", "Réponse du client :\nJ'habite à Turku. Je suis végétarien.", "Turku|végétarien", ""),
    ("fr", "J'ai reçu cette lettre de ma tante :\nJ'habite à Turku.", "Turku", ""),
    ("zh", "这是小王的邮件：你好，我住在上海，我在华为工作。", "上海|华为", ""),
    ("zh", "老张写道：\n我住在上海。\n我吃素。", "上海|吃素|素食", ""),
    ("zh", "发件人：王芳\n主题：你好\n\n我住在上海。", "上海", ""),
    ("zh", "请看下面房东的消息。\n\n我住在上海。", "上海", ""),
    ("zh", "-----原始邮件-----\n我住在上海。", "上海", ""),
    ("zh", "---------- 转发的邮件 ---------\n\n我住在上海。", "上海", ""),
    ("zh", "小王：我住在上海。\n小李：我在华为工作。\n小王：好。", "上海|华为", ""),
    ("zh", "我老板发给我的：\n\n我住在上海。\n\n我讨厌开会。", "上海|开会", ""),
    ("zh", "客户的回复：\n我住在上海。我喜欢喝茶。", "上海|喝茶", ""),
    ("zh", "收到姑姑的一封信：\n我住在上海。", "上海", ""),
    (
        "en",
        "Look at what Marta emailed me:\n\nHello, I live in Lyon with two cats. I work at Renault.\n\nGreetings, Marta",
        "Lyon|Renault",
        "",
    ),
    ("en", "My brother's latest email:\nI live in Lyon.\nI prefer trains.", "Lyon|trains", ""),
    ("en", "FYI, email from HR:\nWe are located in Lyon. I hate paperwork.", "Lyon|paperwork", ""),
    ("en", "Subject: flat\nFrom: Tom Sawyer\n\nHello,\nI live in Lyon.\nTom", "Lyon", ""),
    ("en", "Our guest left this review: I live in Lyon and I'm vegan.", "Lyon|vegan", ""),
    ("en", "Tom Sawyer, 10:14\nI live in Lyon", "Lyon", ""),
    ("en", "Tom (10:14): I live in Lyon\nMe: cool\nTom (10:15): I'm vegan", "Lyon|vegan", ""),
    (
        "en",
        "WhatsApp chat:\n[03/11/26, 10:14:02] Tom: I live in Lyon\n[03/11/26, 10:15:12] Ida: I'm vegan",
        "Lyon|vegan",
        "",
    ),
    ("en", "The ad says: I live in Lyon and I love dogs. I'm vegan.", "Lyon|dogs|vegan", ""),
    ("en", "Please summarise the text below.\n\nI live in Lyon. I'm a nurse.", "Lyon|nurse", ""),
    ("en", 'What do you make of this message?\n\n"I live in Lyon. I\'m a nurse."', "Lyon|nurse", ""),
    ("en", "Customer complaint:\nI live in Lyon and I hate your service.", "Lyon|service", ""),
    ("en", "Her answer was:\nI live in Lyon now.\n---\nI live in Oslo.", "Lyon", "Oslo"),
    (
        "en",
        "Hello Ana,\n\nI live in Lyon.\n\nBest wishes,\nTom\n\nThat was Tom's mail. I live in Oslo.",
        "Lyon",
        "Oslo",
    ),
    ("en", "> I live in Lyon\n> I'm vegan\nI live in Oslo.", "Lyon|vegan", "Oslo"),
    ("en", "```\nI live in Lyon\n```\nI live in Oslo.", "Lyon", "Oslo"),
    ("en", 'Here\'s the email:\n"""\nI live in Lyon.\nI\'m vegan.\n"""\nI live in Oslo.', "Lyon|vegan", "Oslo"),
    ("en", "On 3 Nov 2026, at 09:14, Tom <tom@x.org> wrote:\n\nI live in Lyon.\n\nSent from my iPhone", "Lyon", ""),
    ("en", "Pasted from Tom's profile:\nI live in Lyon\nI work at Renault", "Lyon|Renault", ""),
    ("en", "An applicant introduces herself like this: I live in Lyon. I work at Renault.", "Lyon|Renault", ""),
    (
        "en",
        "Hi, can you check this letter from the bank? It goes:\n\nWe are based in Lyon. My name is Carl.",
        "Lyon|Carl",
        "",
    ),
    ("en", "Bob's message: I live in Lyon.\n\nI live in Oslo.", "Lyon", "Oslo"),
    ("en", "Witness statement:\n\nMy name is Carl and I live in Lyon.", "Carl|Lyon", ""),
    (
        "de",
        "Schau mal, was Marta mir gemailt hat:\n\nHallo, ich wohne in Lyon.\n\nIch arbeite bei Renault.",
        "Lyon|Renault",
        "",
    ),
    ("de", "Mail von der Hausverwaltung:\nWir sitzen in Lyon. Ich heiße Carl.", "Lyon|Carl", ""),
    ("de", "Anna schreibt: Ich wohne in Lyon. Ich bin Vegetarierin.", "Lyon|Vegetarierin", ""),
    ("de", "Hier die Nachricht:\n> Ich wohne in Lyon\n\nIch wohne in Kiel.", "Lyon", "Kiel"),
    ("de", "Seine Antwort:\nIch wohne in Lyon.\n\nWas mich angeht: ich wohne in Kiel.", "Lyon", ""),
    ("de", "Der Text unten ist von einer Kollegin.\n\nIch wohne in Lyon.", "Lyon", ""),
    ("es", "Mira lo que me escribió Marta:\n\nVivo en Lyon. Trabajo en Renault.", "Lyon|Renault", ""),
    ("es", "Correo de la inmobiliaria:\nVivo en Lyon. Me llamo Carlos.", "Lyon|Carlos", ""),
    ("es", "Su respuesta:\nVivo en Lyon.\n\nYo, en cambio, vivo en Madrid.", "Lyon", "Madrid"),
    ("es", "El cliente dijo lo siguiente: Vivo en Lyon. Soy vegetariano.", "Lyon|vegetariano", ""),
    ("fr", "Regarde ce que Marta m'a écrit :\n\nJ'habite à Lyon. Je travaille chez Renault.", "Lyon|Renault", ""),
    ("fr", "Mail de l'agence :\nJ'habite à Lyon. Je m'appelle Carl.", "Lyon|Carl", ""),
    ("fr", "Sa réponse :\nJ'habite à Lyon.\n\nQuant à moi, j'habite à Nantes.", "Lyon", "Nantes"),
    ("fr", "Ma sœur m'a envoyé ce texto : J'habite à Lyon. Je suis végétarienne.", "Lyon|végétarienne", ""),
    ("zh", "看看小王发给我的消息：\n\n我住在上海。我在华为工作。", "上海|华为", ""),
    ("zh", "房东的短信：我住在上海。", "上海", ""),
    ("zh", "她的回复：\n我住在上海。\n\n至于我，我住在北京。", "上海", "北京"),
    ("zh", "以下是同事的自我介绍：我住在上海，我喜欢喝茶。", "上海|喝茶", ""),
    # What goes on behind an introduction, a question what to reply, a heading, or a header without a subject; a chat.
    ("en", "Here is Bob's mail:\nI live in Oslo.\nBob", "Oslo", ""),
    ("en", "Anna wrote:\nRent goes up.\nI live in Oslo.", "Oslo", ""),
    ("en", "Here is Bob's mail: I live in Oslo. I work at Acme. Best, Bob", "Oslo|Acme", ""),
    ("en", "Here is Bob's mail: Rent goes up. I work at Acme. Best, Bob", "Acme", ""),
    ("en", "What should I reply?\n\nHi Eve, I live in Oslo. Bob", "Oslo", ""),
    ("en", "Can you reply to this?\n\nHi Eve,\nI moved to Oslo. I work at Acme.\n\nBob", "Oslo|Acme", ""),
    ("en", "Bob's bio\nI live in Oslo.", "Oslo", ""),
    ("en", "Here is Bob's mail: I live in Oslo.\nI work at Acme. Best, Bob", "Oslo|Acme", ""),
    ("en", "Anna's profile\n\nI live in Oslo.", "Oslo", ""),
    ("en", "From: Bob\n\nI live in Oslo.", "Oslo", ""),
    ("en", "From: bob@acme.com\nTo: eve@x.org\n\nI live in Oslo.", "Oslo", ""),
    ("en", "> I live in Oslo.\nnice", "Oslo", ""),
    ("en", "Alice: I live in Oslo.\nBob: do you like it?", "Oslo", ""),
    ("en", "[10:32] Torvald: I live in Oslo\n[10:33] Xandra: ok", "Oslo", ""),
    ("de", "Was soll ich antworten?\n\nHallo Eva, ich wohne in Oslo. Bob", "Oslo", ""),
    ("de", "Anna schrieb: Ich wohne in Oslo.", "Oslo", ""),
    ("es", "¿Qué respondo?\n\nHola Eva, vivo en Oslo. Bob", "Oslo", ""),
    ("fr", "Que répondre ?\n\nBonjour Ève, j'habite à Oslo. Bob", "Oslo", ""),
    ("fr", "Bob a écrit : J'habite à Oslo. Je suis végétarien.", "Oslo|végétarien", ""),
    ("zh", "小王说：我住在上海。", "上海", ""),
    ("zh", "老张写道：\n我住在上海。\n我吃素。", "上海", ""),
]
OWN = [
    ("en", "Here is my mail to Bob: I live in Turku.", "Turku"),
    ("en", "I told Bob: I live in Turku.", "Turku"),
    ("en", "I wrote to my landlord:\nI live in Turku.", "Turku"),
    ("en", "Here's my bio: I live in Turku.", "Turku"),
    ("en", "Here is what I sent Bob:\n\nI live in Turku. I'm vegan.", "Turku|vegan"),
    ("en", "Some facts about me:\n- I live in Turku\n- I work at Nokia", "Turku|Nokia"),
    ("en", "Quick update: I live in Turku now.", "Turku"),
    ("en", "Home: I live in Turku.\nWork: I work at Nokia.\nDiet: I'm vegan.", "Turku|Nokia|vegan"),
    ("en", "Please remember this: I live in Turku.", "Turku"),
    ("en", "I got a mail from Bob today. I live in Turku.", "Turku"),
    ("en", "Bob's mail was nice. I live in Turku.", "Turku"),
    ("en", "My reply to Bob's mail: I live in Turku.", "Turku"),
    ("en", "Hi Claude,\nI live in Turku and I'm vegan.", "Turku|vegan"),
    ("en", "Save this note: I live in Turku.", "Turku"),
    ("en", "Me: I live in Turku.\nBob: I live in Oslo.", "Turku"),
    ("en", "Two things: I live in Turku, and I work at Nokia.", "Turku|Nokia"),
    ("de", "Hier ist meine Mail an Bob: Ich wohne in Turku.", "Turku"),
    ("de", "Ich habe Bob geschrieben: Ich wohne in Turku.", "Turku"),
    ("de", "Kurz zu mir: Ich wohne in Turku.", "Turku"),
    ("de", "Merk dir bitte: Ich wohne in Turku.", "Turku"),
    ("de", "Wohnort: Ich wohne in Turku.\nArbeit: Ich arbeite bei Nokia.", "Turku|Nokia"),
    ("de", "Meine Antwort an den Vermieter:\nIch wohne in Turku.", "Turku"),
    ("de", "Bobs Mail war nett. Ich wohne in Turku.", "Turku"),
    ("es", "Este es mi correo a Bob: Vivo en Turku.", "Turku"),
    ("es", "Le escribí a Bob: Vivo en Turku.", "Turku"),
    ("es", "Algo sobre mí: Vivo en Turku.", "Turku"),
    ("es", "Casa: Vivo en Turku.\nTrabajo: Trabajo en Nokia.", "Turku|Nokia"),
    ("es", "Mi respuesta al casero:\nVivo en Turku.", "Turku"),
    ("es", "El correo de Bob era amable. Vivo en Turku.", "Turku"),
    ("fr", "Voici mon mail à Bob : J'habite à Turku.", "Turku"),
    ("fr", "J'ai écrit à Bob : J'habite à Turku.", "Turku"),
    ("fr", "Quelques mots sur moi : J'habite à Turku.", "Turku"),
    ("fr", "Maison : J'habite à Turku.\nTravail : Je travaille chez Nokia.", "Turku|Nokia"),
    ("fr", "Ma réponse au propriétaire :\nJ'habite à Turku.", "Turku"),
    ("fr", "Le mail de Bob était gentil. J'habite à Turku.", "Turku"),
    ("zh", "这是我写给小王的邮件：我住在上海。", "上海"),
    ("zh", "我跟小王说：我住在上海。", "上海"),
    ("zh", "请记住：我住在上海。", "上海"),
    ("zh", "小王的邮件很友好。我住在上海。", "上海"),
    ("en", "I wrote this in my last mail: I live in Lyon.", "Lyon"),
    ("en", "To answer your message: I live in Lyon.", "Lyon"),
    ("en", "As I said to my boss: I live in Lyon.", "Lyon"),
    ("en", "Hi there,\n\nI live in Lyon.\n\nI work at Renault.\n\nThanks!", "Lyon|Renault"),
    ("en", "Hello,\nI live in Lyon and I'm vegan.\nThanks,\nAna", "Lyon|vegan"),
    ("en", "My answers:\n1. I live in Lyon\n2. I work at Renault", "Lyon|Renault"),
    ("en", "Bob asked where I am. I live in Lyon.", "Lyon"),
    ("en", "I read a letter today. I live in Lyon.", "Lyon"),
    ("en", "I got the mail.\nI live in Lyon.", "Lyon"),
    ("en", "What I told the doctor yesterday:\nI'm allergic to nuts.\nI live in Lyon.", "nuts|Lyon"),
    ("en", "About Bob: he is nice.\nAbout me: I live in Lyon.", "Lyon"),
    ("en", "The thing is: I live in Lyon.", "Lyon"),
    ("en", "A correction: I live in Lyon.", "Lyon"),
    ("en", "For the record: I live in Lyon and I work at Renault.", "Lyon|Renault"),
    ("en", "My message to the landlord was this:\n\nDear Mr Hill,\nI live in Lyon.\nKind regards,\nAna", "Lyon"),
    ("en", "From: me\nTo: Bob\nSubject: Hi\n\nI live in Lyon.", "Lyon"),
    ("en", "I'm from Spain originally.\n\nI live in Lyon.\n\nBest thing here: the food.", "Lyon"),
    ("en", "Please read this carefully: I'm allergic to nuts.", "nuts"),
    ("de", "Ich antwortete ihm: Ich wohne in Lyon.", "Lyon"),
    ("de", "Hallo zusammen,\nich wohne in Lyon.\nDanke", "Lyon"),
    ("de", "Das habe ich meinem Chef geschrieben:\nIch wohne in Lyon.", "Lyon"),
    ("de", "Zur Info: Ich wohne in Lyon.", "Lyon"),
    ("de", "Bob hat mir geschrieben. Ich wohne in Lyon.", "Lyon"),
    ("es", "Mi mensaje para Bob: Vivo en Lyon.", "Lyon"),
    ("es", "Por cierto: Vivo en Lyon.", "Lyon"),
    ("es", "Hola,\nVivo en Lyon.\nGracias", "Lyon"),
    ("es", "He escrito esto a mi jefe: Vivo en Lyon.", "Lyon"),
    ("fr", "Mon message à Bob : J'habite à Lyon.", "Lyon"),
    ("fr", "Au fait : J'habite à Lyon.", "Lyon"),
    ("fr", "J'ai dit au médecin : Je suis végétarien.", "végétarien"),
    ("zh", "我的回复：我住在上海。", "上海"),
    ("zh", "我告诉房东：我住在上海。", "上海"),
    ("zh", "你好，\n我住在上海。\n谢谢", "上海"),
    # A turn that is nothing but a letter.
    ("en", "Dear Ana,\nI live in Turku now. I work at Nokia.\nRegards,\nBob", "Turku|Nokia"),
    ("de", "Liebe Ana,\nich wohne in Turku.\nViele Grüße\nBob", "Turku"),
    ("es", "Querida Ana:\nVivo en Turku.\nUn abrazo,\nBob", "Turku"),
    ("fr", "Chère Ana,\nj'habite à Turku.\nBises,\nBob", "Turku"),
    ("zh", "亲爱的小安：\n我住在上海。\n此致\n敬礼\n王芳", "上海"),
    ("en", "Dear John, I live in Lyon. Regards, Bob", "Lyon"),
    ("de", "Hallo Ana,\nich wohne in Lyon.\nLG\nTom", "Lyon"),
    ("es", "Hola Ana,\nVivo en Lyon.\nSaludos,\nTomás", "Lyon"),
    ("fr", "Bonjour Ana,\nJ'habite à Lyon.\nCordialement,\nTom", "Lyon"),
    # What is said on the line of an introduction is one sentence; lists with labels are no conversation.
    ("en", "The dentist said: come back in May. I live in Turku.", "Turku"),
    ("en", "My colleague asked: are you coming? I work at Nokia.", "Nokia"),
    ("en", "The label says: may contain traces. I am allergic to nuts.", "nuts"),
    ("en", "Like my dad always says: work hard. I live in Turku now.", "Turku"),
    ("en", "The landlord told us this: the heating stays off.\nI live in Turku, is that legal?", "Turku"),
    ("en", "My sister texted me: call mum! I live in Turku, she lives in Oulu.", "Turku"),
    ("en", "His reply: maybe. I'm vegan, so I can't join.", "vegan"),
    ("en", "Hi Nova, I live in Turku and I'm vegan. Any ideas? Thanks, Eve", "Turku"),
    ("en", "Hello Max,\n\nI live in Turku and I work at Nokia.\n\nKind regards,\nEve Smith", "Turku"),
    ("en", "I work at Nokia.\n\nCheers,\nPeter", "Nokia"),
    ("en", "Morning: oats\nEvening: soup\nI am allergic to nuts.", "nuts"),
    ("en", "Tom: socks\nAnna: a puzzle\nI live in Turku.", "Turku"),
    ("en", "Saturday: I live in Turku that week\nSunday: rest\nSaturday: swim", "Turku"),
    ("en", "Emma: my daughter, 5\nOliver: my son, 7\nI work at Nokia.", "Nokia"),
    ("en", "From: Helsinki\nTo: Madrid\nI am allergic to nuts, what can I eat on board?", "nuts"),
    ("en", "Date: June 4\nTo: Madrid\nI live in Turku.", "Turku"),
    ("en", "The website told me: wrong password.\n\nI live in Turku.", "Turku"),
    ("en", "This is what the sign says: no dogs. I live in Turku.", "Turku"),
    ("de", "Der Zahnarzt meinte: wenig Süßes. Ich wohne in Turku.", "Turku"),
    ("de", "Meine Schwester fragt: kommst du? Ich arbeite bei Nokia.", "Nokia"),
    ("de", "Hallo Nova, ich wohne in Turku. Hast du Tipps? Danke, Eva", "Turku"),
    ("de", "Hallo Max,\nich wohne in Turku.\nViele Grüße\nEva", "Turku"),
    ("de", "Mama: Blumen\nPapa: Buch\nIch wohne in Turku.", "Turku"),
    ("de", "Die App sagt: nicht verfügbar. Ich wohne in Turku.", "Turku"),
    ("de", "Vorteile: billig\nNachteile: weit\nIch arbeite bei Nokia.", "Nokia"),
    ("es", "El médico dijo: menos azúcar. Vivo en Turku.", "Turku"),
    ("es", "Mi mujer me preguntó: ¿nos mudamos? Vivo en Turku.", "Turku"),
    ("es", "La app dice: no disponible. Vivo en Turku.", "Turku"),
    ("es", "Hola Nova:\nVivo en Turku.\nSaludos,\nEva", "Turku"),
    ("es", "Mamá: flores\nPapá: libro\nVivo en Turku.", "Turku"),
    ("es", "Mi jefe escribió: mañana no. Trabajo en Nokia.", "Nokia"),
    ("fr", "Le médecin a dit : moins de sucre. J'habite à Turku.", "Turku"),
    ("fr", "Ma femme m'a demandé : on déménage ? J'habite à Turku.", "Turku"),
    ("fr", "L'appli dit : indisponible. J'habite à Turku.", "Turku"),
    ("fr", "Bonjour Nova,\nj'habite à Turku.\nCordialement,\nÈve", "Turku"),
    ("fr", "Maman : fleurs\nPapa : livre\nJ'habite à Turku.", "Turku"),
    ("zh", "医生说：少吃糖。我住在上海。", "上海"),
    ("zh", "我老婆问：要搬家吗？我住在上海。", "上海"),
    ("zh", "应用说：不可用。我住在上海。", "上海"),
    ("zh", "妈妈：花\n爸爸：书\n我住在上海。", "上海"),
    ("zh", "老板写道：明天不行。我在华为工作。", "华为"),
    ("zh", "优点：便宜\n缺点：远\n我住在上海。", "上海"),
    ("en", "My boss asked me to move: it is late. I live in Turku.", "Turku"),
    ("en", "He asked me two things: where I live and what I do. I live in Turku.", "Turku"),
    ("en", "Regarding Bob's message: I live in Turku.", "Turku"),
    ("en", "My doctor said: I should rest. I live in Turku.", "Turku"),
    ("en", "Bob asked: how are you? I live in Turku. Thanks, Sam", "Turku"),
    ("en", "My landlord wrote: I want the rent.\nI live in Turku.", "Turku"),
    ("de", "Meine Freundin sagt: ich soll mehr schlafen. Ich wohne in Turku.", "Turku"),
    ("es", "Mi jefe dijo: trabajo en todo. Vivo en Turku.", "Turku"),
    ("fr", "Mon amie a dit : je déménage. J'habite à Turku.", "Turku"),
    ("zh", "老板说：我不同意。我住在上海。", "上海"),
    ("en", "From: Turku\nTo: Oulu\n\nI live in Turku.", "Turku"),
]


def turn(text: str) -> Event:
    return Event(
        tenant="acme", user="ana", id="e1", kind="turn", role="user", content=text, surface="chat",
        source="user_provided", trust=1.0, event_time=SAID, recorded_at=SAID,
    )  # fmt: skip


def read(text: str, language: str = "en") -> Analysis:
    return analyse(turn(text), language)


def stated(text: str, language: str) -> str:
    return " ".join(f"{one.text} {one.value}" for one in read(text, language).statements)


def values(text: str) -> list[str]:
    return list(filter(None, text.split("|")))


@pytest.mark.parametrize(("language", "text", "theirs", "own"), THEIRS)
def test_what_somebody_else_wrote_is_not_stated_and_what_follows_is(language: str, text: str, theirs: str, own: str):
    found = stated(text, language)
    assert not [one for one in values(theirs) if one in found]
    assert all(one in found for one in values(own))


@pytest.mark.parametrize(("language", "text", "own"), OWN)
def test_what_the_user_wrote_is_stated_however_it_is_introduced(language: str, text: str, own: str):
    found = stated(text, language)
    assert all(one in found for one in values(own))


@pytest.mark.parametrize(("language", "text", "theirs"), [row[:3] for row in THEIRS])
def test_a_guard_takes_nothing_that_somebody_else_wrote_for_stated(language: str, text: str, theirs: str):
    said = " ".join(split(turn(text), language).stated)
    assert not [one for one in values(theirs) if f"in {one}." in said]


@pytest.mark.parametrize("text", ["Bob wrote:\nNo, I meant Oslo.", "From: Bob\nTo: Ana\n\nNo, I meant Oslo."])
def test_what_somebody_else_corrects_corrects_nothing_of_the_users(text: str):
    assert read(text).correction is None
    assert read(text.rpartition("\n")[2]).correction is not None


@pytest.mark.parametrize("text", ["", "\n", "I live in Turku.", "a:", "Bob:\n", "Here is Bob's mail:", "\n\n> \n"])
def test_a_text_keeps_its_length(text: str):
    assert len(without_others(text)) == len(text)


@pytest.mark.parametrize("text", [row[1] for row in THEIRS])
def test_offsets_stay_the_same(text: str):
    plain = without_others(text)
    assert len(plain) == len(text)
    assert all(old == new or new in "\ufffc\n" for old, new in zip(text, plain, strict=True))


def test_somebody_elses_text_behind_one_of_the_users_own_is_still_somebody_elses():
    found = stated("I told Bob: I live in Turku.\nBob wrote: I live in Lyon.\nDear all, I work at Nokia.", "en")
    assert "Turku" in found
    assert "Lyon" not in found


#: Chats between the user and somebody who is no known person: that a line is the user's shows what the others are.
CHATS = [
    ("en", "Zhang: I live in Hull and I love beer\nMe: I live in York", "Hull|beer", "York"),
    ("en", "me: I live in York\nrecruiter: I live in Hull", "Hull", "York"),
    ("en", "alice99: I work at Acme\nalice99: I live in Hull\nI: I live in York", "Acme|Hull", "York"),
    ("de", "Kollege: Ich wohne in Kiel\nIch: Ich wohne in Bonn", "Kiel", "Bonn"),
    ("es", "Casera: Vivo en Vigo\nYo: Vivo en Madrid", "Vigo", "Madrid"),
    ("fr", "Voisine : J'habite à Nantes\nMoi : J'habite à Lyon", "Nantes", "Lyon"),
    ("zh", "客服：我住在成都\n我：我住在重庆", "成都", "重庆"),
    ("en", "Me: I live in York\nDr. Kim: I live in Hull\nMe: ok", "Hull", "York"),
    ("en", "my boss: I live in Hull\n@bob: I work at Acme\nMe: I live in York", "Hull|Acme", "York"),
    ("en", "Me: I live in York\n+49 151 2345: I live in Hull\nBob, 10:02: I work at Acme", "Hull|Acme", "York"),
    ("en", "Me: What about me: I live in York\nthen I said: I work at Acme", "Hull", "York"),
    ("de", "Ich: Ich wohne in Bonn\nmeine beste Freundin: Ich wohne in Kiel", "Kiel", "Bonn"),
    ("zh", "我：我住在重庆\n我的老板：我住在成都", "成都", "重庆"),
]


@pytest.mark.parametrize(("language", "text", "theirs", "own"), CHATS)
def test_a_line_of_the_users_in_a_chat_shows_whose_the_others_are(language: str, text: str, theirs: str, own: str):
    found = stated(text, language)
    assert not [one for one in values(theirs) if one in found]
    assert all(one in found for one in values(own))


@pytest.mark.parametrize("text", ["Note: I live in Hull\nTodo: call Ann", "Me: I live in Hull", "Home: I live in Hull"])
def test_a_heading_is_nobody(text: str):
    assert "Hull" in stated(text, "en")


@pytest.mark.parametrize(
    "text",
    [
        "Customer message below.\n---\nMy name is Bob, I live in Turku.\n---\nHow should I answer?",
        "<email>\nMy name is Bob, I live in Turku.\n</email>\nReply to it.",
        "<note>I live in Turku.</note><note>I live in Turku.</note>",
        "[Bob]: I live in Turku.",
        "Sender: Bob\nMessage: I live in Turku.",
        "Ticket #4412: I moved to Turku and need a new card.",
        "Vorgang 88-12: Ich wohne in Turku.",
        "A user named Petra complained: I live in Turku and can't log in.",
        "Answer this customer politely.\n\nI live in Turku and my parcel is late.",
        "Input: I live in Turku\nOutput:",
        "I just love Turku /s",
        "Ich liebe Turku (Ironie)",
        "I love living in Turku. #sarcasm",
    ],
)
def test_blocks_labels_tasks_and_irony_state_nothing(text: str) -> None:
    event = Event(
        tenant="t", user="u", id="e", kind="turn", role="user", content=text, source="user_provided", trust=1.0,
        event_time=SAID, recorded_at=SAID,
    )  # fmt: skip
    assert analyse(event, "en").statements == ()


@pytest.mark.parametrize("text", ["I live in <b>Turku</b>.", "<br>I live in Turku.", "a </p> b", "a\n===\nb"])
def test_marks_of_layout_enclose_nothing(text: str) -> None:
    assert without_blocks(text) == text


@pytest.mark.parametrize("text", ["About me\n---\nI live in Turku.", "Update: I live in Turku."])
def test_notes_of_ones_own_are_read(text: str) -> None:
    event = Event(
        tenant="t", user="u", id="e", kind="turn", role="user", content=text, source="user_provided", trust=1.0,
        event_time=SAID, recorded_at=SAID,
    )  # fmt: skip
    assert [one.value for one in analyse(event, "en").statements] == ["Turku"]


def test_a_block_within_a_block_is_part_of_it() -> None:
    assert without_blocks("<mail>a <note>b</note> c</mail>d") == "\ufffc" * 31 + "d"
