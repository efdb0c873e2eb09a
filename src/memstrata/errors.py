"""What can go wrong, split by whose fault it is.

    MemstrataError
    ├── InputError                 the caller's: correct the call and try again
    │   ├── ScopeError             a scope that names nobody, or nothing that can be stored
    │   ├── MessageError           a message, an observation or a question that cannot be read
    │   ├── FormatError            a file that is not what it should be
    │   ├── NotFoundError          no such record, conversation or file in this scope
    │   ├── AccessError            it may be read here, and not be changed
    │   └── VersionError           it was changed since it was read; read again and decide
    ├── SetupError                 the installation's: install or configure, then try again
    │   ├── MissingExtraError      an optional dependency is not installed
    │   ├── CapabilityError        this backend cannot do that; refused by name
    │   └── IsolationError         the database would let one tenant read another
    ├── StoreError                 the store's
    │   ├── StoreUnavailableError  it cannot be reached, or went away; nothing was written
    │   ├── StoreReadOnlyError     it cannot be written
    │   ├── StoreFullError         no space left; nothing of the failed call was written
    │   ├── StoreCorruptError      its bytes are damaged
    │   ├── StoreVersionError      a newer memstrata wrote it, or another build
    │   └── ConflictError          somebody else wrote first; flows retry it
    └── ModelError                 a model's
        ├── EmbedderError          it failed, hung or answered nonsense
        ├── LanguageModelError     so did a language model
        │   ├── LanguageModelUnavailableError  it is busy or out of reach; later it may answer
        │   └── LanguageModelDeniedError       the account is at fault, and no prompt
        ├── RerankerError          so did a reranker
        └── SpaceError             vectors of two embedding spaces would be mixed

Foreign exceptions are mapped to these at the edge of the adapter that met them, with `raise … from`.
"""


class MemstrataError(Exception):
    """Base of every error memstrata raises on purpose."""


class InputError(MemstrataError, ValueError):
    """The call cannot be carried out as it was made."""


class ScopeError(InputError):
    """A scope without a tenant or user, or with an identifier that cannot be stored."""


class MessageError(InputError):
    """A message, an observation or a question that cannot be read."""


class FormatError(InputError):
    """A file or document that is not in the format it should be in."""


class NotFoundError(InputError):
    """No such record, conversation or file is visible in this scope."""


class AccessError(InputError):
    """What is shared may be read in this scope, but not be changed, or not be granted to others."""


class VersionError(InputError):
    """What was to be changed has another version than the caller expected; nothing was written.

    Attributes:
        expected: the version that was given; `found`: the one there is.
    """

    def __init__(self, message: str, expected: int, found: int) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class SetupError(MemstrataError):
    """The installation lacks something."""


class MissingExtraError(SetupError):
    """An optional dependency is needed and not installed."""


class CapabilityError(SetupError):
    """The backend does not have a capability that was asked of it."""


class IsolationError(SetupError):
    """The database's own protection between tenants is off."""


class StoreError(MemstrataError):
    """The store could not do its work."""


class StoreUnavailableError(StoreError):
    """The store cannot be reached, or went away in the middle of a call."""


class StoreReadOnlyError(StoreError):
    """The store cannot be written."""


class StoreFullError(StoreError):
    """The store has no space left."""


class StoreCorruptError(StoreError):
    """The store's bytes are damaged."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of memstrata, or by another build of it."""


class ConflictError(StoreError):
    """The owner's memory changed between reading and writing; read again and retry."""


class ModelError(MemstrataError):
    """A model could not do its work."""


class EmbedderError(ModelError):
    """The embedder failed, did not answer in time, or answered vectors of the wrong shape."""


class LanguageModelError(ModelError):
    """The language model failed, refused, or did not answer in time or as it was asked to.

    Attributes:
        tokens_in, tokens_out: what it read and wrote for all that, as it counts; it may be paid for.
    """

    def __init__(self, message: str = "", *, tokens_in: int = 0, tokens_out: int = 0) -> None:
        super().__init__(message)
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out


class LanguageModelUnavailableError(LanguageModelError):
    """The language model is busy, out of reach, or broke off: the same prompt may be answered later.

    Attributes:
        after: seconds that it asks to be left alone; None if it does not say.
    """

    def __init__(
        self, message: str = "", *, tokens_in: int = 0, tokens_out: int = 0, after: float | None = None
    ) -> None:
        super().__init__(message, tokens_in=tokens_in, tokens_out=tokens_out)
        self.after = after


class LanguageModelDeniedError(LanguageModelError):
    """The account is at fault, whatever is asked: its key, its balance, or a model that it does not have."""


class RerankerError(ModelError):
    """The reranker failed, or answered something else than a number from 0 to 1 for each text."""


class SpaceError(ModelError):
    """Vectors of two different embedding spaces would be compared."""
