"""What is said in play is not stated: a role-play, a story told as "I", data made up for a test, until it ends."""

from datetime import UTC, datetime, timedelta

import pytest

from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.force.played import in_play, without_play
from memoranda.core.rows import Event

OPENS = [
    "Let's role-play: you're a pirate and I'm the governor.",
    "Could we do some improv? I own a haunted lighthouse.",
    "You be the judge and I'll play the accused.",
    "Act as my landlord. I will answer as a tenant named Olga.",
    "I'd like to practise a sales call, you pick up, I'll play the caller.",
    "Write a love story with me, first person, I'll start.",
    "The following messages are test data.",
    "I'll now paste a few fake profiles.",
    "Pretend I'm Napoleon on Elba.",
    "Wollen wir ein Rollenspiel machen? Du bist die Königin.",
    "Rollenspiel: ich bin der Dieb.",
    "Du spielst den Verkäufer und ich spiele den Kunden.",
    "Erzähl mit mir abwechselnd eine Geschichte, ich fange an.",
    "Jetzt kommen nur Testdaten.",
    "Juguemos a un juego de rol: soy un mago.",
    "Tú vendes coches y yo hago de comprador.",
    "Escribamos un cuento por turnos, empiezo yo.",
    "Ahora te mando datos de prueba.",
    "Faisons un jeu de rôle, je suis le voleur.",
    "Tu es le juge, et moi je joue un témoin.",
    "Écris une histoire avec moi, à tour de rôle.",
    "Voici des données fictives.",
    "我们来玩角色扮演吧。",
    "你扮演医生，我扮演病人。",
    "接下来都是测试数据。",
]
OPENS_NOT = [
    "Let's do a mock exam for my son.",
    "You answer well. I can play the drums.",
    "I practice law and I'll be a partner next year.",
    "We practice medicine in Oslo; I'll be the head of the clinic.",
    "Can we do a mock interview for my daughter?",
    "You play well, but I play the piano.",
    "Let's have a mock trial for the students on Friday.",
    "You answer fast. I play the violin in Bonn.",
    "I train for a marathon and I'll be a coach in May.",
    "I play the cello in an orchestra.",
    "You are a nutrition coach. I'm 45 and allergic to nuts.",
    "We practise role play in drama class, I live in Cork.",
    "I need to practise for my interview at Acme.",
    "I wrote a story about my childhood in Lyon.",
    "I generate test data for our staging server.",
    "You're a star! I'll be a dad in June.",
    "Mein Sohn spielt gern Theater, ich bin Lehrerin.",
    "Du bist super, ich bin gerade in Köln.",
    "Mi hija hace teatro y yo trabajo en Vigo.",
    "Tu es génial, je suis ravie.",
    "我女儿喜欢演戏，我住在武汉。",
    "My character is flawed: I'm impatient.",
    "Can you explain what a role-play is?",
    "We're building a role-play app for nurses.",
    "I'd like to do a mock exam next week, I study law.",
    "The team below is made up of nurses.",
    "I'll send you test data tomorrow.",
    "Write a story for my kids, I start my new job on Monday.",
    "Can you tell a story about how we got together?",
    "You're right, I can play the piano.",
    "You are a great coach and I want to play the piano better.",
    "I play tennis. You are welcome to join.",
    "I'll practise my speech tonight, I'll be in Rome.",
    "这都是真的，角色我也喜欢。",
]
ENDS = [
    ("Okay, end of the game. I live in Bonn.", "I live in Bonn"),
    ("In real life I live in Bonn.", "I live in Bonn"),
    ("stop! I live in Bonn.", "I live in Bonn"),
    ("Scene over, I live in Bonn.", "I live in Bonn"),
    ("Ende des Spiels, ich wohne in Bonn.", "ich wohne in Bonn"),
    ("Im echten Leben wohne ich in Bonn.", "wohne ich in Bonn"),
    ("Se acabó el juego, vivo en Lugo.", "vivo en Lugo"),
    ("Fin du jeu. J'habite à Metz.", "J'habite à Metz"),
    ("不玩了。我住在武汉。", "我住在武汉"),
    ("Let's stop here. I live in Bonn.", "I live in Bonn"),
    ("Thanks, that was fun! I live in Bonn.", "I live in Bonn"),
    ("How did I do? I live in Bonn.", "I live in Bonn"),
    ("Rollenspiel Ende. Ich wohne in Bonn.", "Ich wohne in Bonn"),
    ("Danke, das reicht. Ich wohne in Bonn.", "Ich wohne in Bonn"),
    ("Gracias, lo dejamos aquí. Vivo en Lugo.", "Vivo en Lugo"),
    ("On s'arrête là. J'habite à Metz.", "J'habite à Metz"),
    ("好了，先到这里。我住在武汉。", "我住在武汉"),
]


@pytest.mark.parametrize("text", OPENS)
def test_play_is_agreed_on_and_goes_on_behind_the_turn(text: str) -> None:
    left, on = without_play(text, on=False)
    assert on
    assert left.endswith(MASK)
    assert len(left) == len(text)


@pytest.mark.parametrize("text", OPENS_NOT)
def test_what_only_speaks_of_play_opens_none(text: str) -> None:
    assert without_play(text, on=False) == (text, False)


@pytest.mark.parametrize(("text", "own"), ENDS)
def test_words_that_end_it_give_the_speaker_back_their_own(text: str, own: str) -> None:
    left, on = without_play(text, on=True)
    assert not on
    assert own in left


def test_while_it_goes_on_nothing_is_stated() -> None:
    assert without_play("I live in Tortuga.", on=True) == (MASK * 18, True)


def test_it_can_begin_again_behind_its_end() -> None:
    left, on = without_play("Stop. Tea now. Let's do a role-play again, I am a duke.", on=True)
    assert on
    assert "Tea now" in left
    assert "duke" not in left


def test_turns_are_in_play_until_the_user_ends_it() -> None:
    said = datetime(2026, 11, 3, tzinfo=UTC)
    turns = [
        ("user", "Let's do a role-play."),
        ("assistant", "Sure!"),
        ("user", "Stop. Tea?"),
        ("user", "I'm in Bonn."),
    ]
    events = [
        Event(
            tenant="t", user="u", id=f"e{number}", kind=kind, role=role, content=text, conversation="c",
            source="user_provided", trust=1.0, event_time=said, recorded_at=said,
        )
        for number, (kind, role, text) in enumerate([*(("turn", *one) for one in turns), ("observation", "", "Rain")])
    ]  # fmt: skip
    assert in_play(events) == {"e1", "e2"}


def test_nobody_plays_any_more_after_a_day_without_a_word() -> None:
    said = datetime(2026, 11, 3, tzinfo=UTC)
    hours = (("Let's do a role-play.", 0), ("I live in Tortuga.", 20), ("I am a pirate.", 40), ("I live in Bonn.", 70))
    events = [
        Event(
            tenant="t", user="u", id=text, kind="turn", role="user", content=text, conversation="c",
            event_time=said + timedelta(hours=after), recorded_at=said,
        )
        for text, after in hours
    ]  # fmt: skip
    assert in_play(events) == {"I live in Tortuga.", "I am a pirate."}


@pytest.mark.parametrize(
    "text",
    [
        "Ok enough now. I live in Bonn.",
        "Okay I'm done. I live in Bonn.",
        "Danke, das hat Spaß gemacht. Ich wohne in Bonn.",
        "Enough for today. I live in Bonn.",
        "I'm done with this. I live in Bonn.",
        "That's enough. I live in Bonn.",
        "Gracias, fue muy divertido. Vivo en Bonn.",
        "Merci, c'était super. J'habite à Bonn.",
        "谢谢，很好玩。我住在波恩。",
        "Alright, that was fun. I live in Bonn.",
    ],
)
def test_closing_words_end_it(text: str) -> None:
    assert not without_play(text, on=True)[1]


@pytest.mark.parametrize(
    "text",
    [
        "Ya está, doctor, me duele el brazo.",
        "I'm done with the soup, waiter, and I live in Bonn.",
        "That's enough salt, chef.",
        "I have enough now to pay you, innkeeper.",
        "Das hat meinem Vater Spaß gemacht, Herr Doktor.",
        "We had fun at the castle, my lord.",
    ],
)
def test_words_within_a_part_end_nothing(text: str) -> None:
    assert without_play(text, on=True)[1]
