"""What the adapters share: checking model files, cleaning texts and addresses, scaling vectors."""

import hashlib
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray

from memstrata.errors import SetupError


def sha256(path: Path) -> str:
    """The digest of a file's bytes.

    Raises:
        SetupError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SetupError(f"The model file {path} cannot be read: {error.strerror}.") from error


def verified(path: Path, expected: str, extra: str) -> Path:
    """`path` if its bytes have the digest `expected`; with others it would be another space under the same name.

    Raises:
        SetupError: they have not; the message says how to install the right ones.
    """
    if sha256(path) != expected:
        remedy = f"pip install --force-reinstall 'memstrata[{extra}]'"
        raise SetupError(f"{path} is not the file it should be (sha256 {expected}). To install that: {remedy}")
    return path


def clean(text: str) -> str:
    """`text` with each half of a surrogate pair, which tokenizers and servers refuse, replaced by a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def public(url: str) -> str:
    """An address as messages name it: without a password, or a key behind a question mark."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """`vectors` scaled to length 1; one without any length becomes the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    first = np.eye(1, vectors.shape[1], dtype=np.float32)
    return np.asarray(np.where(lengths == 0, first, vectors / np.where(lengths == 0, 1, lengths)), np.float32)
