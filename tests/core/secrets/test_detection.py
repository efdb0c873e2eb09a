"""Secrets are found by their form and by what labels them, and what only looks like one is left."""

import random
from uuid import UUID

import pytest

from memoranda.core.secrets.cues import Secret
from memoranda.core.secrets.detection import find, labels, placeholder, withheld

HELD: list[tuple[str, str]] = [
    ("passphrase on my gpg key: seven lazy herons eat oatmeal", "seven lazy herons eat oatmeal"),
    ("my netflix pw is Popcorn77", "Popcorn77"),
    ("pw: Popcorn77", "Popcorn77"),
    ("the password for the guest wifi at the office is welcome2024!", "welcome2024!"),
    ("Please note: wifi pass = blue-otter-42", "blue-otter-42"),
    ("I set my laptop password to Vk9#trellis yesterday", "Vk9#trellis"),
    ("password for the zip is orchid", "orchid"),
    ("the root password on that box is toor123", "toor123"),
    ("Username: ann\nPassword: tulip9field", "tulip9field"),
    ("user ann pass Tulip9field", "Tulip9field"),
    ("login with ann@example.org / Tulip9field", "Tulip9field"),
    ("ann@example.org:Tulip9field", "Tulip9field"),
    ("my new passcode is 482913", "482913"),
    ("passwd: qwerty", "qwerty"),
    ("| service | password |\n|---|---|\n| mail | Tulip9field |", "Tulip9field"),
    ("user,password\nann,Tulip9field\n", "Tulip9field"),
    ('export OPENAI_API_KEY="sk-abcdEFGH1234567890abcdEFGH"', "sk-abcdEFGH1234567890abcdEFGH"),
    ("curl -H 'Authorization: Bearer abcdef1234567890ABCDEF' https://x", "abcdef1234567890ABCDEF"),
    ("curl -u ann:Tulip9field https://x.example", "Tulip9field"),
    ("x-api-key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("client_secret: 'Gx8~abcDEF_123ghi-456jkl'", "Gx8~abcDEF_123ghi-456jkl"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv is our maps key", "AIzaSyA1234567890abcdefghijklmnopqrstuv"),
    ("glpat-abcDEF1234567890xyzA", "glpat-abcDEF1234567890xyzA"),
    (
        "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
        "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
    ),
    ("sk_live_51HabcdefGHIJKLmnopQRST", "sk_live_51HabcdefGHIJKLmnopQRST"),
    (
        "SG.abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg",
        "SG.abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg",
    ),
    ("my amex is 3782 822463 10005", "3782 822463 10005"),
    ("card: 5555-5555-5555-4444 exp 10/27 cvc 737", "5555-5555-5555-4444"),
    ("card: 5555-5555-5555-4444 exp 10/27 cvc 737", "737"),
    ("5555 5555 5555 4444, 10/27, 737", "737"),
    ("the three digits on the back are 737", "737"),
    ("sicherheitscode der karte: 737", "737"),
    ("pin of my visa card: 8812", "8812"),
    ("my bank card's PIN is 8812, don't tell anyone", "8812"),
    ("PIN=8812", "8812"),
    ("the PIN I use for my phone is 881277", "881277"),
    ("8812 is the pin for the debit card", "8812"),
    ("social security number 219 09 9999", "219 09 9999"),
    ("her SSN: 219099999", "219099999"),
    ("GB29 NWBK 6016 1331 9268 19", "GB29 NWBK 6016 1331 9268 19"),
    ("iban fr1420041010050500013m02606", "fr1420041010050500013m02606"),
    ("my account number is 12345678, sort code 12-34-56", "12345678"),
    ("NI number QQ 12 34 56 C", "QQ 12 34 56 C"),
    ("passport number is 533380006", "533380006"),
    ("my passport no. C01X00T47", "C01X00T47"),
    ("front door code: 4 7 1 1", "4 7 1 1"),
    ("the gate opens with 2580#", "2580#"),
    ("alarm code's 9931", "9931"),
    ("the code to the building is 55A1", "55A1"),
    ("lockbox code 0417", "0417"),
    (
        "seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",
        "abandon ability able about above absent absorb abstract absurd abuse access accident",
    ),
    ("my 2fa backup code is 83912-44102", "83912-44102"),
    ("mein WLAN-Passwort lautet Apfelbaum77", "Apfelbaum77"),
    ("Passwort: Apfelbaum", "Apfelbaum"),
    ("das Kennwort für den Server ist geheim99!", "geheim99!"),
    ("Apfelbaum77 ist das Passwort vom Router", "Apfelbaum77"),
    ("Passwort hab ich auf Apfelbaum77 geändert", "Apfelbaum77"),
    ("nimm Apfelbaum77 als Passwort", "Apfelbaum77"),
    ("meine Geheimzahl ist 9034", "9034"),
    ("die PIN meiner EC-Karte: 9034", "9034"),
    ("Kreditkarte 4012 8888 8888 1881 Prüfziffer 123", "123"),
    ("der Code für die Haustür ist 3391", "3391"),
    ("Türcode 3391#", "3391#"),
    ("Kontonummer 532013000, BLZ 37040044", "532013000"),
    ("meine Steuer-ID lautet 86 095 742 719", "86 095 742 719"),
    ("Personalausweisnummer L01X00T471", "L01X00T471"),
    ("Wiederherstellungscode: 7H2K-99PQ-LM31", "7H2K-99PQ-LM31"),
    ("la contraseña del wifi es girasol44", "girasol44"),
    ("contraseña: girasol", "girasol"),
    ("mi clave es girasol44", "girasol44"),
    ("usa girasol44 como contraseña", "girasol44"),
    ("cambié mi contraseña a Girasol#44", "Girasol#44"),
    ("el pin de mi tarjeta es 5512", "5512"),
    ("mi DNI es 12345678Z", "12345678Z"),
    ("el código de la puerta es 7788", "7788"),
    ("código del portal: 7788", "7788"),
    ("mi tarjeta 4539 1488 0343 6467 cvv 221", "221"),
    ("número de cuenta 2100 0418 45 0200051332", "2100 0418 45 0200051332"),
    ("código de recuperación: 9XK2-11LM", "9XK2-11LM"),
    ("mon mot de passe c'est tournesol55", "tournesol55"),
    ("mdp : tournesol", "tournesol"),
    ("le mot de passe du wifi est Tournesol", "Tournesol"),
    ("tournesol55 est mon mot de passe", "tournesol55"),
    ("j'ai mis tournesol55 comme mot de passe", "tournesol55"),
    ("mon code pin est 6621", "6621"),
    ("le code de l'immeuble est 24B68", "24B68"),
    ("digicode 24B68", "24B68"),
    ("numéro de sécu 1 85 05 78 006 084 36", "1 85 05 78 006 084 36"),
    ("code de secours : K2J9-88QW", "K2J9-88QW"),
    ("ma carte 4970 1000 0000 0055 cryptogramme 321", "321"),
    ("wifi密码:kafei2024", "kafei2024"),
    ("密码改成了kafei2024", "kafei2024"),
    ("kafei2024是我的邮箱密码", "kafei2024"),
    ("登录密码为Kafei_2024！", "Kafei_2024"),
    ("取款密码是880912", "880912"),
    ("门禁密码是2580#", "2580#"),
    ("大门密码2580", "2580"),
    ("身份证号是11010519491231002X", "11010519491231002X"),
    ("我的身份证号码:110105194912310021", "110105194912310021"),
    ("银行卡号6222021234567890123", "6222021234567890123"),
    ("安全码是 443", "443"),
    ("恢复码：9XK2-11LM-77QA", "9XK2-11LM-77QA"),
    ("mysql://root:pa55w0rd@10.0.0.5/shop", "mysql://root:pa55w0rd@10.0.0.5/shop"),
    ("redis://:pa55w0rd@cache:6379/0", "redis://:pa55w0rd@cache:6379/0"),
    ("Server=db;Database=shop;User Id=sa;Password=Pa55w0rd!;", "Password=Pa55w0rd!"),
    ("https://ann:Tulip9@git.example.org/repo.git", "https://ann:Tulip9@git.example.org/repo.git"),
    ("password was Tulip9 but now it's Rose88", "Rose88"),
    ("old password Tulip9, new password Rose88", "Tulip9"),
    ("passwords: Tulip9, Rose88, Lily77", "Lily77"),
    ("My password? It's Tulip9field.", "Tulip9field"),
    ("<password>Tulip9field</password>", "Tulip9field"),
    ("spring.datasource.password=Tulip9field", "Tulip9field"),
    ('{"user": "ann", "pwd": "Tulip9field"}', "Tulip9field"),
    ("'password': 'tulip'", "tulip"),
    ("Password:\n\nTulip9field", "Tulip9field"),
    (
        "bitcoin private key 5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF",
        "5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF",
    ),
    ("licence plate is X; my license key: ABCD1-EFGH2-IJKL3-MNOP4", "ABCD1-EFGH2-IJKL3-MNOP4"),
    ("your verification code is 493201", "493201"),
    (
        "machine github.com login ann password ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    ),
    ("machine api.example.org login ann password trellis9", "trellis9"),
    ("wpa_passphrase=Trellis99\nssid=home", "Trellis99"),
    ('psk="Trellis99field"', "Trellis99field"),
    ("otpauth://totp/Example:ann?secret=JBSWY3DPEHPK3PXP&issuer=Example", "JBSWY3DPEHPK3PXP"),
    ("my TOTP secret is JBSWY3DPEHPK3PXP", "JBSWY3DPEHPK3PXP"),
    ("https://x.blob.core.windows.net/c?sv=2020&sig=abcdEFGH1234567890abcdEFGH%3D", "abcdEFGH1234567890abcdEFGH%3D"),
    ("GET /v1/items?api_key=9f8e7d6c5b4a39281706 HTTP/1.1", "9f8e7d6c5b4a39281706"),
    ("Set-Cookie: session=s3ss10nAbCdEf0123456789; Path=/", "s3ss10nAbCdEf0123456789"),
    ("https://oauth2:glpat-abcDEF1234567890xyzA@gitlab.com/x.git", "glpat-abcDEF1234567890xyzA"),
    ("docker login -u ann -p Trellis9 registry.example.org", "Trellis9"),
    ("CREATE USER shop WITH PASSWORD 'Trellis9';", "Trellis9"),
    ("ALTER ROLE shop PASSWORD 'Trellis9'", "Trellis9"),
    ("GRANT ALL ON *.* TO 'shop'@'%' IDENTIFIED BY 'Trellis9'", "Trellis9"),
    ("kubectl create secret generic db --from-literal=password=Trellis9", "Trellis9"),
    ("smtp:\n  user: ann\n  password: Trellis9\n  port: 587", "Trellis9"),
    ("password: |\n  Trellis9", "Trellis9"),
    ("requirepass Trellis9", "Trellis9"),
    ("The vpn shared secret is Trellis9", "Trellis9"),
    ("vpn psk Trellis9field", "Trellis9field"),
    ("bike lock combination is 4711", "4711"),
    ("bike lock: 4711", "4711"),
    ("the code for my bike lock is 4711", "4711"),
    ("locker 12, combo 12-34-56", "12-34-56"),
    ("punch in 4711 at the gate", "4711"),
    ("enter 4711# at the front door keypad", "4711#"),
    ("4711# opens the front door", "4711#"),
    ("Zugangscode fürs Hotel: 4711#", "4711#"),
    ("Das Fahrradschloss hat die Kombination 4711", "4711"),
    ("Mit 4711 geht die Haustür auf", "4711"),
    ("la puerta del garaje se abre con 4711", "4711"),
    ("la combinación del candado es 4711", "4711"),
    ("la porte s'ouvre avec 4711A", "4711A"),
    ("le code du cadenas: 4711", "4711"),
    ("大门的密码是4711", "4711"),
    ("按4711#开门", "4711#"),
    ("保险柜密码:12-34-56", "12-34-56"),
    ("Moje: my card number 4242424242424242, valid 09/28, security code 909", "909"),
    ("visa 4242 4242 4242 4242 cvv: 909", "909"),
    ("CVV is 909", "909"),
    ("card verification value 909", "909"),
    ("Kartenprüfnummer lautet 909", "909"),
    ("CVV de mi tarjeta: 909", "909"),
    ("le cryptogramme est 909", "909"),
    ("卡背面三位数是909", "909"),
    ("信用卡4242424242424242 安全码909", "909"),
    ("driver's license number D1234567", "D1234567"),
    ("Führerscheinnummer B072RRE2I55", "B072RRE2I55"),
    ("Sozialversicherungsnummer 15 070649 C 103", "15 070649 C 103"),
    ("pasaporte AAA123456", "AAA123456"),
    ("mi NIE es X1234567L", "X1234567L"),
    ("passeport n° 12AB34567", "12AB34567"),
    ("carte d'identité 880692310285", "880692310285"),
    ("护照号E12345678", "E12345678"),
    ("my ITIN is 912-70-1234", "912-70-1234"),
    ("tax id 12-3456789", "12-3456789"),
    ("Aadhaar 2345 6789 0123", "2345 6789 0123"),
    ("routing 021000021 account 1234567890", "1234567890"),
    ("bank account 1234567890 at First National", "1234567890"),
    ("Konto 1234567890 bei der Sparkasse", "1234567890"),
    ("cuenta bancaria 2100-0418-45-0200051332", "2100-0418-45-0200051332"),
    ("银行账号是6217001234567890123", "6217001234567890123"),
    ("here are my recovery codes: abcd-1234, efgh-5678 and ijkl-9012", "ijkl-9012"),
    ("my recovery key is 7H2K99PQLM31", "7H2K99PQLM31"),
    (
        "wallet seed: witch collapse practice feed shame open despair creek road again ice least",
        "witch collapse practice feed shame open despair creek road again ice least",
    ),
    (
        "my mnemonic is witch collapse practice feed shame open despair creek road again ice least",
        "witch collapse practice feed shame open despair creek road again ice least",
    ),
    (
        "frase semilla: abeja barco casa dedo elefante fuego gato hoja isla juego kilo luna",
        "abeja barco casa dedo elefante fuego gato hoja isla juego kilo luna",
    ),
    (
        "助记词是 苹果 香蕉 大海 星星 月亮 太阳 河流 山峰 森林 草原 沙漠 湖泊",
        "苹果 香蕉 大海 星星 月亮 太阳 河流 山峰 森林 草原 沙漠 湖泊",
    ),
    ("sicherheitscode von google: 493201", "493201"),
    ("der bestätigungscode ist 493201", "493201"),
    ("Mein Mailpasswort: Kirsche", "Kirsche"),
    ("Passwort fürs WLAN ist Kirsche_22", "Kirsche_22"),
    ("PW Kirsche22", "Kirsche22"),
    ("Kennwort=Kirsche22", "Kirsche22"),
    ("mein neues passwort heißt jetzt kirsche22", "kirsche22"),
    ("Benutzername ann, Passwort kirsche22", "kirsche22"),
    ("user: ann / pw: kirsche22", "kirsche22"),
    ("usuario ana contraseña cereza22", "cereza22"),
    ("usuario: ana, clave: cereza22", "cereza22"),
    ("la clave del wifi es Cereza-22", "Cereza-22"),
    ("contraseña nueva cereza22", "cereza22"),
    ("identifiant ann mot de passe cerise22", "cerise22"),
    ("le mdp c'est cerise22", "cerise22"),
    ("mdp wifi: cerise", "cerise"),
    ("clé wifi : A1B2C3D4E5", "A1B2C3D4E5"),
    ("mon mot de passe est « cerise bleue »", "cerise bleue"),
    ("账号ann密码yingtao22", "yingtao22"),
    ("用户名ann,密码yingtao22", "yingtao22"),
    ("密码：yingtao", "yingtao"),
    ("WiFi密码yingtao22", "yingtao22"),
    ("我把密码设为yingtao22了", "yingtao22"),
    ("支付密码 220519", "220519"),
    ("我的PIN码是2205", "2205"),
    ("手机解锁密码2205", "2205"),
    ("api密钥: abcDEF1234567890", "abcDEF1234567890"),
    ("Our Stripe key is rk_live_51HabcdefGHIJKLmnopQRST", "rk_live_51HabcdefGHIJKLmnopQRST"),
    ("HF token hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"),
    ("webhook secret whsec_abcdefGHIJKL1234567890", "whsec_abcdefGHIJKL1234567890"),
    ("the token for the staging api is 7f3e9a1c5b7d", "7f3e9a1c5b7d"),
    ("API token: 7f3e9a1c5b7d4e2f", "7f3e9a1c5b7d4e2f"),
    ("aws_session_token=FwoGZXIvYXdzEBYaDKexampleToken123456789", "FwoGZXIvYXdzEBYaDKexampleToken123456789"),
    ("Mein API-Key lautet abc123DEF456ghi789", "abc123DEF456ghi789"),
    ("mi clave de api es abc123DEF456ghi789", "abc123DEF456ghi789"),
    ("ma clé api est abc123DEF456ghi789", "abc123DEF456ghi789"),
    ("deine Seriennummer ist egal, mein Lizenzschlüssel: ABCD1-EFGH2-IJKL3", "ABCD1-EFGH2-IJKL3"),
    ("'secret': 'Trellis9field'", "Trellis9field"),
    ("amqp://shop:Trellis9@mq:5672/", "amqp://shop:Trellis9@mq:5672/"),
    (
        "mongodb+srv://shop:Trellis9@c0.mongodb.net/shop?retryWrites=true",
        "mongodb+srv://shop:Trellis9@c0.mongodb.net/shop?retryWrites=true",
    ),
    ("jdbc:postgresql://db/shop?user=ann&password=Trellis9", "password=Trellis9"),
    (
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abcdefGHIJKL1234567890==;EndpointSuffix=core.windows.net",
        "AccountKey=abcdefGHIJKL1234567890==",
    ),
    (
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=abcdefGHIJKL1234567890=",
        "SharedAccessKey=abcdefGHIJKL1234567890=",
    ),
    ("host=db user=shop password=Trellis9 dbname=shop", "Trellis9"),
    ("ssh password for the pi is still raspberry", "raspberry"),
    ("its password: admin", "admin"),
    ("Password is 'correct horse battery staple'", "correct horse battery staple"),
    ("my password is Blue Whale 42", "Blue Whale 42"),
    ("Password changed to: Trellis9!", "Trellis9!"),
    ("The new password is now Trellis9.", "Trellis9"),
    ("the password you want is Trellis9", "Trellis9"),
    ("Remember that my Spotify password is trellis, ok?", "trellis"),
    ("remember this password: trellis", "trellis"),
    ("i always use Trellis9 as my password", "Trellis9"),
    ("could you save my password (Trellis9)?", "Trellis9"),
    ("Passwort (Kirsche22) bitte merken", "Kirsche22"),
    ("contraseña (cereza22)", "cereza22"),
    ("password -> Trellis9", "Trellis9"),
    ("Password - Trellis9", "Trellis9"),
    ("pass\tTrellis9", "Trellis9"),
    ("**Password:** `Trellis9`", "Trellis9"),
    ("passcode for zoom 9xK2pq", "9xK2pq"),
    ("unlock pattern pin 258013", "258013"),
    ("SIM PIN 1122 PUK 12345678", "12345678"),
    ("voicemail pin's 1122", "1122"),
    ("my pin used to be 1122", "1122"),
    ("pin changed from 1122 to 3344", "3344"),
    ("PIN alt 1122, PIN neu 3344", "3344"),
    ("Die PIN lautet: 1122", "1122"),
    ("el PIN: 1122", "1122"),
    ("code confidentiel 1122", "1122"),
]

LEFT = [
    "The part AB12 CDEF 6016 1331 9268 18 is out of stock.",
    "I need a new password manager.",
    "The password must be at least 12 characters long and contain a digit.",
    "Did you change your password last week?",
    "My password is the same everywhere, I should fix that.",
    "I wrote the password on a note in the drawer.",
    "The password is case sensitive.",
    "Password reset link expires in 24h.",
    "I pinned the message; pin 3 of the connector is loose.",
    "Pin 13 on the Arduino is the LED.",
    "Pinterest board for the kitchen, 2024 edition.",
    "My PIN has four digits.",
    "order number 4929 1234 5678 9012 has shipped",
    "The order 123-45-6789 was returned.",
    "call me on +1 555 123 4567 or 030 1234567",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "The tracking number is 1Z999AA10123456784.",
    "ISBN 978-3-16-148410-0",
    "my account manager is Ann and the account was opened in 2019",
    "the key to success is patience",
    "the key is under the mat",
    "The secret is to use butter.",
    "Our secret ingredient is paprika500.",
    "token budget is 4000 tokens per request",
    "the tokens are counted by tiktoken2",
    "the API key rotates every 90 days",
    "store the API key in the vault, never in the repo",
    "See https://example.org/reset?step=2",
    "postgres://localhost:5432/app",
    "the door is at 4711 Main Street",
    "the code review took 3 days, code 404 came back",
    "dress code: business casual 2024",
    "promo code SUMMER2024 gives 10 percent",
    "zip code 90210",
    "country code 49, area code 030",
    "error code 0x80070005",
    "the alarm is set for 0630",
    "Set an alarm with 20 minutes of snooze",
    "security policy version 4.2.1",
    "My flight is LH1234, seat 22A, booking code X7K2PQ",
    "Kundennummer 12345678",
    "Rechnung 2024-1234 über 1.234,56 EUR",
    "Ich habe mein Passwort vergessen.",
    "Das Passwort muss mindestens 8 Zeichen haben.",
    "Das Passwort ist zu kurz.",
    "Mein Passwort ist abgelaufen.",
    "Die PIN ist falsch.",
    "Der Schlüssel liegt unter der Matte.",
    "Olvidé mi contraseña.",
    "La contraseña es demasiado corta.",
    "La clave del éxito es la paciencia.",
    "La clave está en practicar 30 minutos.",
    "J'ai oublié mon mot de passe.",
    "Le mot de passe est trop court.",
    "La clé est sous le paillasson.",
    "Le code postal est 75011.",
    "我忘记密码了",
    "密码至少要8位",
    "密码太短了",
    "请重置密码",
    "关键是耐心",
    "I got my driver's license in 2015.",
    "My passport expires in 2031.",
    "Social security is paid monthly, 1,234 dollars.",
    "My credit card expires 12/27.",
    "The card game starts at 2000.",
    "IBAN is required for SEPA transfers.",
    "The IBAN must have 22 characters.",
    "Password: ********",
    "password: <your password here>",
    "DB_PASSWORD=${DB_PASSWORD}",
    "const password = process.env.PASSWORD",
    "password = getpass()",
    "if password == confirm: ok",
    "def login(user, password): return True",
    '"password": {"type": "string", "minLength": 8}',
    "password=None",
    "The user table has the columns id, email, password_hash.",
    "Login at 9:30, logout at 17:45.",
    "login: see https://intranet.example.org",
    "I like Taylor Swift's 1989 and the album is on the card.",
    "He was born on 1985-03-12 in Room 4711.",
    "Version 2.10.3 was released on 2024-05-01.",
    "sk-learn is great, so is sk-image-tools-and-more",
    "the hash is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "my lock screen shows 12:45",
    "the safe is behind the painting",
    "alarm went off at 0330 again",
    "The gate for LH1234 is B42.",
    "I'm at gate 4711",
    "The combination of 2 apples and 3000 pears",
    "my username is ann1985",
    "The recovery took 12 weeks.",
    "recovery rate was 98.6",
    "backup at 2300 on server db01",
    "Bitte das Passwort nicht per Mail schicken.",
    "password hint: name of first pet",
    "Use a passphrase with at least five words.",
    "The password field is called user_password.",
    "Is the password correct?",
    "please enter the password again",
    "the wifi is slow, 20Mbps",
    "Wifi is down since 14:30",
    "The PIN entry failed 3 times",
    "PIN: 4 digits",
    "credit card ending in 4242",
    "card ending 1234",
]


@pytest.mark.parametrize(("text", "secret"), HELD)
def test_all_of_a_secret_is_withheld(text: str, secret: str) -> None:
    begin = text.index(secret)
    left = set(range(begin, begin + len(secret)))
    for one in find(text):
        left -= set(range(one.start, one.end))
    assert not left


@pytest.mark.parametrize(("text", "secret"), HELD)
def test_what_was_withheld_is_left_as_it_is(text: str, secret: str) -> None:
    once = withheld(text)
    assert secret not in once
    assert withheld(once) == once


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_one_is_left(text: str) -> None:
    assert find(text) == []
    assert withheld(text) is text


def test_the_words_around_it_stay() -> None:
    text = "My API key is sk-proj-abcDEF123456ghiJKL7890 and my password is hunter2-Zebra."
    assert withheld(text) == "My API key is [withheld: api key] and my password is [withheld: password]."


def test_several_of_a_kind_are_each_withheld() -> None:
    text = "recovery codes:\n1. 48fk-99pq\n2. 71xz-30aa\n3. 55ty-82mm\nkeep them"
    assert withheld(text).count("[withheld: recovery code]") == 3
    assert withheld(text).endswith("\nkeep them")
    assert withheld("Security question: first pet, answer: Rex").endswith("answer: [withheld: recovery code]")


def test_kinds_that_are_kept_are_found_by_no_other_name() -> None:
    text = "Wire it to GB29 NWBK 6016 1331 9268 19, PIN 70413"
    assert withheld(text, {"iban"}) == "Wire it to GB29 NWBK 6016 1331 9268 19, PIN [withheld: pin]"


def test_spans_that_overlap_are_one() -> None:
    text = "password=sk-proj-abcDEF123456ghiJKL7890;x"
    [one] = find(text)
    assert text[one.start : one.end].startswith("sk-proj-abcDEF123456ghiJKL7890")
    assert isinstance(one, Secret)


@pytest.mark.parametrize("cue", ["password", "api key"])
def test_a_secret_longer_than_any_is_withheld_to_its_end(cue: str) -> None:
    word = "aB3x" * 400
    assert withheld(f"my {cue} is {word} and so on").startswith(f"my {cue} is [withheld: {cue}] and")


def test_no_id_holds_a_number_that_is_withheld() -> None:
    chance = random.Random(7)
    ids = [str(UUID(int=chance.getrandbits(128), version=number)) for number in (1, 3, 4, 5) for _ in range(5_000)]
    ids += [str(UUID(int=0x019D7873B470 << 80 | chance.getrandbits(80), version=4)) for _ in range(5_000)]
    assert [one for one in ids if withheld(one) != one or withheld(f"id={one};") != f"id={one};"] == []


def test_an_id_is_withheld_where_it_is_named_a_secret_and_what_is_beside_it_all_the_same() -> None:
    name = "cb601516-8764-56ab-9133-21e856d211a0"
    assert withheld(f"my api key is {name}") == "my api key is [withheld: api key]"
    assert withheld(f"postgres://ann:{name}@db.example/x") == "[withheld: connection string]"
    assert withheld(f"{name} 4539 1488 0343 6467") == f"{name} [withheld: card number]"


def test_letters_whose_small_form_is_longer_move_nothing() -> None:
    assert withheld("İİİİ password is hunter2x") == "İİİİ password is [withheld: password]"


@pytest.mark.parametrize(
    ("label", "value", "kind"),
    [
        ("password", "tulip", "password"),
        ("db_password", "correct horse", "password"),
        ("APIKey", "abc123def456", "api_key"),
        ("api key", "monthly", None),
        ("pin", "4711", "pin"),
        ("pin", "pin board", None),
        ("contraseña", "girasol", "password"),
        ("密码", "kafei", "password"),
        ("login", "ann / tulip9", None),
        ("password", "[withheld: password]", None),
        ("password", "${PASSWORD}", None),
        ("password", " ", None),
        ("password policy", "strict", None),
        ("city", "Bergen", None),
        ("x" * 61, "tulip", None),
    ],
)
def test_a_label_names_the_kind_of_its_value(label: str, value: str, kind: str | None) -> None:
    assert labels(label, value) == kind


def test_a_placeholder_names_the_kind_in_plain_words() -> None:
    assert placeholder("iban") == "[withheld: account number]"
