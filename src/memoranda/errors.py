"""The exceptions, grouped by whose fault an error is.

    MemorandaError
    ├── InputError                 the caller's fault: correct the call and try again
    │   ├── ScopeError             a scope without a tenant or user, or with a name that cannot be stored
    │   ├── MessageError           an unreadable message, observation or question
    │   ├── ArgumentError          JSON that holds no arguments of a verb; the error says where
    │   ├── FormatError            a file in the wrong format
    │   ├── NotFoundError          no such record, conversation or file in this scope
    │   ├── AccessError            it may be read in this scope, but not changed
    │   └── VersionError           it was changed since it was read; read again and decide
    ├── SetupError                 the installation's fault: install or configure, then try again
    │   ├── MissingExtraError      an optional dependency is not installed
    │   ├── CapabilityError        this backend lacks the capability; the message names it
    │   └── IsolationError         the database would let one tenant read another
    ├── StoreError                 the store's fault
    │   ├── StoreUnavailableError  unreachable, or the connection broke; nothing was written
    │   ├── StoreReadOnlyError     it cannot be written to
    │   ├── StoreFullError         no space left; nothing of the failed call was written
    │   ├── StoreCorruptError      its bytes are damaged
    │   ├── StoreVersionError      written by a newer memoranda, or by another build
    │   └── ConflictError          somebody else wrote first; flows retry
    └── ModelError                 a model's fault
        ├── EmbedderError          the embedder failed, timed out or returned something invalid
        │   └── EmbedderUnavailableError       it is busy or unreachable; a later attempt may succeed
        ├── LanguageModelError     the language model failed, refused or timed out
        │   ├── LanguageModelUnavailableError  it is busy or unreachable; a later attempt may succeed
        │   └── LanguageModelDeniedError       the account is at fault, not the prompt
        ├── RerankerError          the reranker failed or returned something invalid
        │   └── RerankerUnavailableError       it is busy or unreachable; a later attempt may succeed
        └── SpaceError             vectors of two embedding spaces would be mixed

Each adapter maps foreign exceptions to these where they occur, with `raise … from`.
"""


class MemorandaError(Exception):
    """Base of every error memoranda raises on purpose."""


class InputError(MemorandaError, ValueError):
    """The call is invalid as it was made."""


class ScopeError(InputError):
    """A scope without a tenant or user, or with an identifier that cannot be stored."""


class MessageError(InputError):
    """An unreadable message, observation or question."""


class ArgumentError(InputError):
    """An argument in JSON is missing, unknown or not what it may be.

    `memoranda.verbs.schema.decode` reads them.

    Attributes:
        pointer: where it is wrong, as a JSON pointer.
        wanted: what is to stand there, if it is something of another type that does.
    """

    def __init__(self, message: str, pointer: str, wanted: str = "") -> None:
        super().__init__(message)
        self.pointer = pointer
        self.wanted = wanted


class FormatError(InputError):
    """A file or document in the wrong format."""


class NotFoundError(InputError):
    """No such record, conversation or file is visible in this scope."""


class AccessError(InputError):
    """A key is not for this; or shared data may be read in this scope, but not changed, or not granted to others."""


class VersionError(InputError):
    """The version to change is not the one that the caller expected; nothing was written.

    Attributes:
        expected: the version that the caller gave; `found`: the current one.
    """

    def __init__(self, message: str, expected: int, found: int) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class SetupError(MemorandaError):
    """The installation lacks something."""


class MissingExtraError(SetupError):
    """A required optional dependency is not installed."""


def how_to_install(extra: str) -> str:
    """Return how an extra is installed: from a checkout, because no package index has this project."""
    return f"pip install '.[{extra}]' in a checkout of memoranda"


class CapabilityError(SetupError):
    """The backend lacks a capability that the call needs."""


class IsolationError(SetupError):
    """The database does not enforce the isolation between tenants."""


class StoreError(MemorandaError):
    """The store failed."""


class StoreUnavailableError(StoreError):
    """The store cannot be reached, or the connection broke during a call."""


class StoreReadOnlyError(StoreError):
    """The store cannot be written to."""


class StoreFullError(StoreError):
    """The store has no space left."""


class StoreCorruptError(StoreError):
    """The store's bytes are damaged."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of memoranda, or by another build of it."""


class ConflictError(StoreError):
    """The owner's memory changed between reading and writing; read again and retry."""


class ModelError(MemorandaError):
    """A model failed.

    Attributes:
        tokens_in, tokens_out: the tokens it read and wrote nevertheless, by its own count; they may be billed.
        after: seconds to wait before the next attempt, as the server asks; None if it does not say.
    """

    def __init__(
        self, message: str = "", *, tokens_in: int = 0, tokens_out: int = 0, after: float | None = None
    ) -> None:
        super().__init__(message)
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out
        self.after = after


class EmbedderError(ModelError):
    """The embedder failed, timed out, or returned vectors of the wrong shape."""


class EmbedderUnavailableError(EmbedderError):
    """The embedder is busy, unreachable, or broke off: the same texts may succeed later."""


class LanguageModelError(ModelError):
    """The language model failed, refused, timed out, or did not answer in the required form."""


class LanguageModelUnavailableError(LanguageModelError):
    """The language model is busy, unreachable, or broke off: the same prompt may succeed later."""


class LanguageModelDeniedError(LanguageModelError):
    """The account is refused, whatever the prompt: its key, its balance, or a model it has no access to."""


class RerankerError(ModelError):
    """The reranker failed, or did not return a number from 0 to 1 for each text."""


class RerankerUnavailableError(RerankerError):
    """The reranker is busy, unreachable, or broke off: the same texts may succeed later."""


class SpaceError(ModelError):
    """Vectors of different embedding spaces would be compared."""
