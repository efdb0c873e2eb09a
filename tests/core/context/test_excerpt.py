"""What answers stands in the excerpt, wherever it stands in the text, in time that grows with the text."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.context.excerpt import GAP, Excerpt, fitted
from memoranda.core.text.terms import Analyzer, estimate_tokens

READ = Analyzer(str.lower).terms
#: By kind of text: a line of it, the planted fact, the request, and what the excerpt must show.
KINDS: dict[str, tuple[Callable[[int], str], str, str, str]] = {
    "en": (lambda n: f"The committee met on item {n} and agreed. ", "The vault code is 7391. ", "vault code", "7391"),
    "de": (lambda n: f"Der Ausschuss beriet Punkt {n} lange. ", "Der Tresor hat die Zahl 7391. ", "tresor", "7391"),
    "fr": (lambda n: f"Le comité a vu le point {n} hier. ", "Le coffre a le code 7391. ", "coffre code", "7391"),
    "es": (lambda n: f"El comité vio el punto {n} ayer. ", "La caja fuerte tiene 7391. ", "caja fuerte", "7391"),
    "zh": (lambda n: f"委员会讨论了第{n}项议题。", "保险箱的密码是7391。", "保险箱的密码", "7391"),
    "code": (lambda n: f"def step_{n}(x):\n    return x + {n}\n\n", "VAULT_CODE = 7391\n", "vault code", "7391"),
    "log": (lambda n: f"2026-03-01 INFO request {n} served in 12 ms\n", "WARN vault opened: Priya\n", "vault", "Priya"),
    "csv": (lambda n: f"{n},bolt,{n * 3},in stock\n", "8841,vault hinge,77,sold out\n", "vault hinge", "sold out"),
    "json": (lambda n: json.dumps({"n": n, "state": "ok"}) + ", ", '{"vault": "Priya has it"}, ', "vault", "Priya"),
    "one line": (lambda n: f"item{n} ", "the vault is in Leeds ", "vault", "Leeds"),
}  # fmt: skip


def grown(line: Callable[[int], str], length: int) -> list[str]:
    lines: list[str] = []
    while length > 0:
        lines.append(line(len(lines)))
        length -= len(lines[-1])
    return lines


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [1_000, 10_000, 100_000])
def test_a_planted_fact_is_shown_wherever_it_stands(kind: str, length: int) -> None:
    line, fact, request, shown = KINDS[kind]
    lines = grown(line, length)
    for place in range(20):
        at = place * len(lines) // 19
        text = "".join((*lines[:at], fact, *lines[at:]))
        excerpt = Excerpt(text, READ(request), READ, estimate_tokens)
        for tokens in (50, 300) if place % 5 == 0 else (50,):
            told = excerpt.within(tokens)
            assert shown in told
            assert estimate_tokens(told) <= tokens
            assert told == text.strip() or GAP in told


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert Excerpt(" Short.\nAnd well. ", ["x"], READ, len).within(20) == "Short.\nAnd well."


def test_without_a_word_of_the_request_it_is_the_beginning() -> None:
    told = Excerpt("One is here. Two is there. Three is far away.", ["x"], READ, len).within(44)
    assert told == "One is here. Two is there. …"


def test_the_neighbours_of_what_answers_come_with_it() -> None:
    text = "A was first. We looked for Luigi. He was on Elm Street. B was last. C came later."
    told = Excerpt(text, ["luigi"], READ, len).within(58)
    assert told == "… We looked for Luigi. He was on Elm Street. …"


def test_what_is_too_long_for_its_place_is_cut_around_the_word() -> None:
    text = f"{'x' * 90} vault 7391 {'y' * 90}"
    assert "vault 7391" in Excerpt(text, ["vault"], READ, len).within(80)
    assert Excerpt(text, ["vault"], READ, len).within(2) == ""
    assert Excerpt(" ", ["vault"], READ, lambda _: 5).within(3) == ""


def test_a_counter_that_finds_more_in_the_whole_is_obeyed() -> None:
    def count(text: str) -> int:
        return len(text) + len(text) ** 2 // 100

    told = Excerpt("One is here. Two is there. " * 40, ["two"], READ, count).within(150)
    assert 0 < count(told) <= 150
    assert Excerpt("aa. bb. cc", [], READ, lambda text: 9 if "aa" in text else 1).within(1) == ""


@given(st.text(max_size=400), st.lists(st.text(max_size=5), max_size=4), st.integers(-3, 120))
def test_it_never_costs_more_than_it_may(text: str, terms: list[str], tokens: int) -> None:
    told = Excerpt(text, terms, READ, estimate_tokens).within(tokens)
    assert not told or estimate_tokens(told) <= tokens


def test_the_first_text_that_does_not_fit_is_shortened_and_the_best_is_kept() -> None:
    long = "One is here. Two is there. " * 9
    assert fitted([long, "Short."], 30, ["two"], READ, len) == ["… Two is there. …", "Short."]
    assert fitted(["Short.", long, "Last."], 12, ["two"], READ, len) == ["Short.", "", "Last."]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_stands_for_the_best_however_few_the_tokens(kind: str) -> None:
    line, planted, request, _ = KINDS[kind]
    texts = [f"{line(1) * 4}{planted}{line(2) * 4}", "Ok.", planted]
    for tokens in range(1, 200):
        kept = fitted(texts, tokens, READ(request), READ, estimate_tokens)
        assert sum(map(estimate_tokens, filter(None, kept))) <= tokens
        assert kept[0] or not any(kept)
    assert kept == texts
