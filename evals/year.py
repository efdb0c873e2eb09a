"""Generates a year of one user's life: what is said, observed, done and asked, in order, labelled by relevance.

New topics become rarer over time, as between people who get to know each other: the n-th topic comes at a time that
grows exponentially with n, so the number of topics grows logarithmically. Noise comes at a constant rate all year. The
seed determines everything, and nothing here depends on the memory.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

BEGIN = datetime(2025, 1, 6, tzinfo=UTC)
TURNS = 11  # mean number of events per conversation
ASKED = 2  # every second topic is asked about and told again; the others are told once and never asked about
SETTLED = 0.8  # share of the time after which no topic is told for the first time, or changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that matters; each telling holds until the next.

    Attributes:
        question: the question that it answers.
        tellings: what is said, oldest first, each with the words in it that answer the question.
    """

    question: str
    tellings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that happens.

    Attributes:
        verb: say (a turn, and `reply`), infer, tool, log, keep (store a short-term entry), look (read it), ask or
            context.
        topic: the number of the topic it tells; None if it tells none.
        noise: the kind of noise, if it states something nobody will miss: a key of `NOISE`, "theme" or "inferred".
    """

    at: datetime
    verb: str
    text: str
    conversation: str
    reply: str = ""
    topic: int | None = None
    noise: str = ""


def _said(question: str, *tellings: str) -> Topic:
    """Make a topic from tellings whose answers are marked with stars."""
    told = [(text.replace("*", ""), text.split("*")[1]) for text in tellings]
    return Topic(question=question, tellings=tuple(told))


_MANY = {
    "coffee": "flat white", "tea": "sencha", "colour": "teal", "book": "Middlemarch", "film": "Stalker",
    "author": "Ursula Le Guin", "band": "Portishead", "food": "dumplings", "sport": "bouldering", "season": "autumn",
    "restaurant": "Osteria Lume", "dessert": "panna cotta", "fruit": "quince", "language": "Rust", "font": "Inter",
    "museum": "the Rijksmuseum", "airline": "Icelandair", "podcast": "Longform", "flower": "peonies", "game": "Go",
}  # fmt: skip

#: What matters. Topics with several tellings change over time: jobs, homes, tastes, corrections.
TOPICS: Sequence[Topic] = (
    _said("What is my name?", "My name is *Nora Lindqvist*."),
    _said(
        "Where do I work?", "I work at *Brightwater Labs*.", "I started a new job, I work at *Kestrel Robotics* now."
    ),
    _said(
        "Which city do I live in?",
        "I live in *Leeds*.",
        "I moved to *Bristol* last week.",
        "I live in *Edinburgh* now.",
    ),
    _said("What is my job in product?", "I'm a *product manager*.", "I'm a *head of product* now."),
    _said("What am I allergic to?", "I'm allergic to *hazelnuts*."),
    _said(
        "How long should emails be?", "I prefer *short emails*.", "Actually, I prefer *long emails with bullet points*."
    ),
    _said("Am I vegetarian?", "I'm *vegetarian*."),
    _said("When is my birthday?", "My birthday is on *14 March*."),
    _said("What is my sister called?", "My sister is called *Greta*."),
    _said("What is my dog called?", "My dog is called *Biscuit*."),
    _said("Which units should be used?", "Please always use *metric units*."),
    _said("When may meetings be scheduled?", "Never schedule meetings *before 10*."),
    _said("Which language do I speak at home?", "I speak *Swedish*."),
    _said("What is our default branch?", "Our default branch is *main*.", "Actually, our default branch is *trunk*."),
    _said("Which database does the ledger service use?", "We decided to use *Postgres* for the ledger service."),
    _said(
        "When is the project deadline?", "The project deadline is *30 June*.", "The project deadline is *15 September*."
    ),
    _said("What is my brother called?", "My brother is called *Anselm*."),
    _said("What is my cat called?", "My cat is called *Pepper*."),
    _said("What is my phone number?", "My phone number is *555 0199*.", "My phone number is *555 0724*."),
    _said("What do we use for deployment?", "We use *Kubernetes* for deployment."),
    _said("Which message queue did we decide on?", "We decided to use *RabbitMQ* as the message queue."),
    _said("How should code be commented?", "Please always write *comments in British English*."),
    _said("What is my goal?", "My goal is to *run a half marathon*."),
    _said("Which car do I drive?", "I drive a *Volvo*."),
    _said("Which editor do I use?", "I use *Vim*."),
    _said("What should never be in reports?", "Never put *pie charts* in reports."),
    *(_said(f"What is my favourite {what}?", f"My favourite {what} is *{which}*.") for what, which in _MANY.items()),
)

_WORDS = {
    "do": ("send", "check", "print", "sign", "rewrite", "archive", "scan", "approve"),
    "thing": ("invoice", "contract", "slides", "budget", "agenda", "minutes", "survey", "offer", "estimate", "roster"),
    "who": ("Alba", "Jonas", "Ivo", "Mirela", "Tomasz", "Yuki", "Dario", "Saskia", "Femi", "Orla"),
    "when": ("today", "tomorrow", "by Friday", "tonight", "on Tuesday", "next week"),
    "where": ("dentist", "gym", "market", "library", "garage", "hairdresser", "pharmacy", "cinema"),
    "what": ("lamp", "kettle", "scarf", "notebook", "backpack", "clock", "rug", "umbrella", "plant", "keyboard"),
    "about": ("whales", "lighthouses", "chess", "volcanoes", "bees", "jazz", "castles", "glaciers", "robots", "maps"),
    "town": ("Delft", "Ghent", "Porto", "Bergen", "Lucca", "Graz", "Tartu", "Bath", "York", "Malmö"),
    "mood": ("tired", "hungry", "cold", "bored", "late", "cheerful", "dizzy", "busy"),
    "item": ("report", "ticket", "draft", "query", "dashboard", "script", "release", "spreadsheet"),
}  # fmt: skip

#: Turns that state something nobody will miss: plans that expire, undated errands, things seen, bought or done.
NOISE = {
    "passing": (
        "I need to {do} the {thing} for {who} {when}.", "I'm going to the {where} {when}.",
        "Remind me to {do} the {thing} {when}.",
        "I have a meeting with {who} {when}.",
    ),
    "errand": (
        "I need to {do} the {thing} for {who}.", "I must {do} {who}'s {thing}.",
        "I have to call {who} about the {thing}.",
    ),
    "gossip": (
        "I bought a new {what}.", "I watched a film about {about}.", "I visited {town} last weekend.",
        "I finished the {thing} for {who}.", "I ordered a {what} for {who}.",
    ),
}  # fmt: skip
_SMALL = (
    "Good morning!", "Thanks, that helps.", "I'm so {mood} today.", "It's raining here again.", "How are you?",
    "Can you summarise the {item} that {who} sent?", "Could you have a look at the {item}?", "Why did the {item} fail?",
    "What does {who} think of the {thing}?", "Please make the {item} a bit shorter.", "Ha, that's funny.",
    "The {item} looks odd, doesn't it?", "Is the {thing} ready?", "Translate the {item} for {who}, please.",
)  # fmt: skip
_THEMES = ("The nightly build took {n} minutes.", "I ran {n} kilometres.", "The backlog has {n} open tickets.")
_REPLIES = ("Sure.", "Done.", "Here is a draft of it.", "I had a look, it seems fine.", "Noted.", "Let me check that.")
_INFERRED = (
    "The user seems {mood} this week.",
    "The user may be interested in {about}.",
    "The user probably knows {who}.",
)
_KINDS = {"passing": 0.05, "errand": 0.03, "gossip": 0.05, "theme": 0.06}  # share of turns; the rest is small talk


def year(seed: int, days: int, events: int) -> list[Act]:
    """Return the acts of `days` days, in order; they cause about `events` events in the log."""
    dice = random.Random(seed)
    tellings = _tellings(dice, days)
    acts: list[Act] = []
    told: dict[int, str] = {}
    talks = max(round(events / (TURNS + 3)), 1)
    for number in range(talks):
        at = BEGIN + timedelta(days=days * number / talks, hours=8 + 3 * dice.random())
        due = [(topic, text) for moment, topic, text in tellings if moment <= at]
        tellings = [one for one in tellings if one[0] > at]
        acts += _conversation(dice, at, f"talk-{number}", due, told, days)
        told.update(due)
    return sorted(acts, key=lambda act: act.at)


def _tellings(dice: random.Random, days: int) -> list[tuple[datetime, int, str]]:
    """Return when each topic is told for the first time and when it changes, with its number and text."""
    last = SETTLED * days
    found = []
    for number, topic in enumerate(TOPICS):
        first = (last + 1) ** (number / len(TOPICS)) - 1
        moments = [first, *sorted(dice.uniform(first + 0.1 * (last - first), last) for _ in topic.tellings[1:])]
        found += [
            (BEGIN + timedelta(days=moment), number, text)
            for moment, (text, _) in zip(moments, topic.tellings, strict=True)
        ]
    return sorted(found)


def _conversation(
    dice: random.Random, at: datetime, talk: str, due: Sequence[tuple[int, str]], told: Mapping[int, str], days: int
) -> Iterator[Act]:
    """Yield one conversation: a context request, small talk and due topics, then questions and agent actions."""
    clock = _Clock(dice, at)
    yield Act(at=clock(), verb="context", text=_filled(dice, dice.choice(_SMALL[5:])), conversation=talk)
    lines: list[tuple[str, int | None, str]] = [(text, topic, "") for topic, text in due]
    lines += [_line(dice, at, days) for _ in range(dice.randint(TURNS // 2 - 2, TURNS // 2 + 3))]
    known = [topic for topic in told if topic % ASKED == 0 and topic not in dict(due)]
    weights = [1.0 / (1 + topic) for topic in known]
    if known and dice.random() < 0.3:
        [again] = dice.choices(known, weights)
        lines.append((told[again], again, ""))
    dice.shuffle(lines)
    for text, topic, noise in lines:
        reply = dice.choice(_REPLIES)
        yield Act(at=clock(), verb="say", text=text, reply=reply, conversation=talk, topic=topic, noise=noise)
    if known and dice.random() < 0.6:
        [asked] = dice.choices(known, weights)
        yield Act(at=clock(), verb="ask", text=TOPICS[asked].question, conversation=talk)
    for verb, chance, texts, noise in _ASIDES:
        if dice.random() < chance:
            yield Act(at=clock(), verb=verb, text=_filled(dice, dice.choice(texts)), conversation=talk, noise=noise)


_ASIDES = (
    ("tool", 0.9, ("calendar.list", "mail.search", "tickets.find"), ""),
    ("tool", 0.5, ("calendar.list", "mail.search", "tickets.find"), ""),
    ("infer", 0.4, _INFERRED, "inferred"),
    ("log", 0.6, ("Filed the {thing} of {who}.", "Checked the {item}."), ""),
    ("keep", 0.5, ("The {item} waits for {who}.",), ""),
    ("look", 0.3, ("",), ""),
)


def _line(dice: random.Random, at: datetime, days: int) -> tuple[str, int | None, str]:
    """Make a turn of noise or small talk: text, no topic, and the kind of noise."""
    [kind] = dice.choices([*_KINDS, "small"], [*_KINDS.values(), 1.0 - sum(_KINDS.values())])
    if kind == "theme":
        grown = (at - BEGIN) / timedelta(days=days)
        return dice.choice(_THEMES).format(n=round(8 + 10 * grown + 2 * dice.random())), None, "theme"
    if kind in NOISE:
        return _filled(dice, dice.choice(NOISE[kind])), None, kind
    return _filled(dice, dice.choice(_SMALL)), None, ""


def _filled(dice: random.Random, template: str) -> str:
    return template.format(**{name: dice.choice(words) for name, words in _WORDS.items()})


class _Clock:
    """A clock that advances 20 to 150 seconds with each call."""

    def __init__(self, dice: random.Random, at: datetime) -> None:
        self._dice, self._at = dice, at

    def __call__(self) -> datetime:
        self._at += timedelta(seconds=self._dice.randint(20, 150))
        return self._at
