"""The benchmark's conversations: an endless stream of generated turns of a user and an assistant, fixed by the seed.

A small grammar makes sentences. Their words come from lists and from an invented vocabulary drawn by Zipf's law, so
there are frequent, rare and unique words as in real conversations. About one user turn in six states something that
the rules can extract.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import NamedTuple

VOCABULARY = 20_000
EXPONENT = 1.07
STATED = 1 / 6
PER_CONVERSATION = 24
BEGIN = datetime(2024, 1, 1, 9, tzinfo=UTC)

_ONSETS = "b br c ch cl d dr f fl g gr h j k l m n p pl qu r s sh sl st t th tr v w y z"
_NUCLEI = "a e i o u ai ea ee oo ou"
_CODAS = "l m n r s t x nd rk st ng"

#: Words by slot name.
LISTS = {
    name: words
    for name, *words in map(
        str.split,
        """name Anna Ben Chloe Daniel Elena Farid Grace Hugo Ines Jonas Kira Liam Mara Noah Olga Pavel Rosa Sam Tara Uri
place Lisbon Ghent Oslo Turin Leeds Graz Porto Bergen Lyon Basel Kyoto Denver Malmo Tartu Bilbao Quito
day Monday Tuesday Wednesday Thursday Friday Saturday Sunday
thing report meeting garden budget recipe train laptop presentation ticket contract bicycle kitchen roof violin course
quality short quiet cheap green early spicy detailed simple printed weekly wooden light formal fresh long
act finish repair review plan paint translate sell test move clean postpone photograph measure pack
job nurse teacher carpenter designer accountant baker engineer florist translator pilot
feeling glad tired curious worried proud relieved busy hopeful""".splitlines(),
    )
}
SAID = (
    "We went to {place} with {name} and the {word} was {quality}.",
    "The {thing} took longer than I thought because of the {word} {word}.",
    "{name} asked me whether the {quality} {thing} is still there.",
    "I am a bit {feeling} about the {word} on {day}.",
    "It cost {number} euros, mostly for the {word} and the {thing}.",
    "Did you ever {act} a {thing} with {word} inside?",
    "There was so much {word} at the {thing} in {place} last {day}.",
    "Can you help me {act} the {word} {thing} before {day}?",
    "{name} told us about {word}, {word} and a {quality} {thing}.",
    "By the way, the {thing} number is {number}.",
)
STATES = (
    "I prefer {quality} {word} over {quality} {thing}s.",
    "I really like {word} with {word}.",
    "I don't like {quality} {word}.",
    "We decided to {act} the {word} {thing}.",
    "I need to {act} the {thing} for {name} by {day}.",
    "My goal is to {act} {number} {word} {thing}s this year.",
    "Please always {act} the {word} first.",
    "My friend {name} lives in {place}.",
    "Our {word} project uses {word}.",
    "Actually, the {word} {thing} is on {day}.",
)
SETTLED = ("I work as a {job} at {Word}.", "I live in {place} now.", "My favourite food is {word}.")
ANSWERED = (
    "That sounds {quality}. You could {act} the {word} and see how the {thing} turns out.",
    "For the {thing} in {place}, start with the {word}, then {act} the {word} and check the {thing}.",
    "I noted the {word}. Would {day} suit you, or should {name} {act} it?",
    "There are {number} ways to {act} a {thing}; the {quality} one needs {word} and a {word}.",
)
ASKED = (
    "What did {name} say about {word}?",
    "When did we {act} the {thing} in {place}?",
    "Which {word} do I prefer?",
    "How much was the {word} {thing}?",
    "Who has the {quality} {thing} with the {word}?",
)


class Turn(NamedTuple):
    """One turn to store."""

    id: str
    role: str
    text: str
    conversation: str
    at: datetime


class Grammar:
    """Makes sentences from templates with one seeded random generator."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._words = _vocabulary()
        self._weights = list(accumulate(1 / (rank + 2.7) ** EXPONENT for rank in range(VOCABULARY)))

    def sentence(self, templates: tuple[str, ...]) -> str:
        """Make one sentence."""
        parts = self._chance.choice(templates).split("{")
        return parts[0] + "".join(self._slot(*part.split("}", 1)) for part in parts[1:])

    def _slot(self, name: str, rest: str) -> str:
        if name == "number":
            return f"{self._chance.randint(2, 900)}{rest}"
        if name in LISTS:
            return self._chance.choice(LISTS[name]) + rest
        word = self._words[bisect(self._weights, self._chance.random() * self._weights[-1])]
        return (word.capitalize() if name == "Word" else word) + rest

    def user(self) -> str:
        """Make a turn of the user: one to three sentences."""
        said = [self.sentence(SAID) for _ in range(self._chance.choice((1, 1, 2, 2, 3)))]
        if self._chance.random() < STATED:
            said[-1] = self.sentence(SETTLED if self._chance.random() < 0.01 else STATES)
        return " ".join(said)

    def assistant(self) -> str:
        """Make a turn of the assistant: one to three sentences."""
        return " ".join(self.sentence(ANSWERED) for _ in range(self._chance.choice((1, 2, 2, 3))))


def turns(seed: int = 1) -> Iterator[Turn]:
    """Yield turns without end: conversations of 24 turns, three a day, user and assistant alternating."""
    grammar = Grammar(seed)
    number = 0
    while True:
        talk, place = divmod(number, PER_CONVERSATION)
        mine = place % 2 == 0
        yield Turn(
            id=f"t{seed}-{number}",
            role="user" if mine else "assistant",
            text=grammar.user() if mine else grammar.assistant(),
            conversation=f"talk-{seed}-{talk}",
            at=BEGIN + timedelta(hours=8 * talk, minutes=place),
        )
        number += 1


def questions(count: int, seed: int = 2) -> list[str]:
    """Return questions about the same words."""
    grammar = Grammar(seed)
    return [grammar.sentence(ASKED) for _ in range(count)]


def _vocabulary() -> list[str]:
    chance = random.Random(0)
    onsets, nuclei, codas = _ONSETS.split(), _NUCLEI.split(), ["", *_CODAS.split()]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = chance.choice((1, 2, 2, 2, 3, 3))
        parts = (chance.choice(onsets) + chance.choice(nuclei) + chance.choice(codas) for _ in range(syllables))
        words["".join(parts)] = None
    return list(words)
