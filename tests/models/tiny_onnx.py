"""Small networks, written byte by byte, so that tests run the real runtime without any weights."""

from collections.abc import Sequence

FLOAT, INT64 = 1, 7


def number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def block(field: int, content: bytes | str) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    parts = []
    while True:
        value, low = value >> 7, value & 127
        parts.append(low | (128 if value else 0))
        if not value:
            return bytes(parts)


def node(operator: str, inputs: Sequence[str], output: str, **attributes: int) -> bytes:
    named = b"".join(block(5, block(1, name) + number(3, value) + number(20, 2)) for name, value in attributes.items())
    return block(1, b"".join(block(1, one) for one in inputs) + block(2, output) + block(4, operator) + named)


def tensor(name: str, kind: int, *axes: str | int) -> bytes:
    shape = b"".join(block(1, block(2, axis) if isinstance(axis, str) else number(1, axis)) for axis in axes)
    return block(1, name) + block(2, block(1, number(1, kind) + block(2, shape)))


def cross_encoder(columns: int) -> bytes:
    """A network that judges a pair by 1 / (1 + the sum of the second text's tokens), as one logit or the last."""
    texts = [tensor(name, INT64, "rows", "tokens") for name in ("input_ids", "attention_mask", "token_type_ids")]
    nodes = [
        node("Mul", ["input_ids", "token_type_ids"], "second"),
        node("Cast", ["second"], "numbers", to=FLOAT),
        node("ReduceSum", ["numbers", "axis"], "sum", keepdims=1),
        node("Log", ["sum"], "logarithm"),
        node("Neg", ["logarithm"], "one"),
        node("Sub", ["one", "one"], "zero"),
        node("Concat", ["zero"] * (columns - 1) + ["one"], "logits", axis=1),
    ]
    axis = block(5, number(1, 1) + number(2, INT64) + block(8, "axis") + block(9, (1).to_bytes(8, "little")))
    outputs = block(12, tensor("logits", FLOAT, "rows", columns))
    graph = b"".join(nodes) + block(2, "tiny") + axis + b"".join(block(11, one) for one in texts) + outputs
    return number(1, 8) + block(7, graph) + block(8, block(1, "") + number(2, 18))
