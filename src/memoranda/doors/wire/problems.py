"""What an error of memoranda comes to for whoever called: a problem document (RFC 9457), with a status and a type.

And back: which error a document comes from, for a caller that is written in Python.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from memoranda import errors

#: The status of each class of errors; of others, that of the class they are of.
STATUS: Mapping[type[errors.MemorandaError], int] = {
    errors.MemorandaError: 500,
    errors.InputError: 422,
    errors.NotFoundError: 404,
    errors.AccessError: 403,
    errors.VersionError: 409,
    errors.SetupError: 501,
    errors.IsolationError: 500,
    errors.StoreError: 500,
    errors.StoreUnavailableError: 503,
    errors.StoreReadOnlyError: 503,
    errors.StoreFullError: 507,
    errors.ConflictError: 409,
    errors.ModelError: 502,
}
#: Seconds after which to try again, by status.
_AGAIN: Mapping[int, int] = {409: 1, 429: 1, 503: 2}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(kw_only=True, eq=False)  # what it passes through adds its traceback
class Problem(Exception):  # noqa: N818 - the RFC's name for it
    """What was wrong with a request, or went wrong with it.

    Attributes:
        status: the HTTP status.
        kind: the last part of its type, which never changes: `not-found`.
        title: the kind in words.
        detail: what was wrong this time, and what to do.
        errors: the places in the request that are wrong, each a JSON pointer with a text.
        members: more that the document says of this kind.
        headers: for the answer.
    """

    status: int
    kind: str
    title: str
    detail: str
    errors: tuple[Mapping[str, str], ...] = ()
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def document(self, request_id: str) -> dict[str, Any]:
        """Return it as JSON."""
        told = {"type": f"urn:memoranda:problem:{self.kind}", "title": self.title, "status": self.status}
        places = {"errors": [*map(dict, self.errors)]} if self.errors else {}
        return {**told, "detail": self.detail, **places, **self.members, "request_id": request_id}


#: What is no fault of the caller's.
UNEXPECTED = Problem(
    status=500, kind="unexpected", title="Something unexpected went wrong.",
    detail="The log of the server says what; the request can be told by its id.",
)  # fmt: skip


def problem_of(error: errors.MemorandaError) -> Problem:
    """Return what an error comes to."""
    kind = type(error)
    status = next(STATUS[one] for one in kind.__mro__ if one in STATUS)
    places = ({"pointer": error.pointer, "detail": str(error)},) if isinstance(error, errors.ArgumentError) else ()
    after = getattr(error, "after", None) or _AGAIN.get(status)
    headers = {"Retry-After": str(round(after))} if after and not isinstance(error, errors.VersionError) else {}
    return Problem(
        status=status, kind=kind_of(kind), title=title_of(kind), detail=str(error), errors=places,
        members=vars(error) if isinstance(error, errors.VersionError) else {}, headers=headers,
    )  # fmt: skip


def error_of(document: Mapping[str, Any]) -> errors.MemorandaError:
    """Return the error that a problem document comes from; if from none, what its status means for a caller."""
    kind = _KINDS.get(document["type"].rpartition(":")[2]) or _OTHERS.get(document["status"], errors.StoreError)
    if issubclass(kind, errors.ArgumentError):
        return kind(document["detail"], document["errors"][0]["pointer"])
    if issubclass(kind, errors.VersionError):
        return kind(document["detail"], document["expected"], document["found"])
    return kind(document["detail"])


def kind_of(error: type[errors.MemorandaError]) -> str:
    """Return the last part of the type of a problem: `store-unavailable`."""
    return _CAPITAL.sub("-", error.__name__.removesuffix("Error")).lower()


def title_of(error: type[errors.MemorandaError]) -> str:
    """Return what a class of errors means, in one sentence."""
    return (error.__doc__ or "").partition("\n")[0]


def _all(kind: type[errors.MemorandaError]) -> Iterator[type[errors.MemorandaError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _all(one)


_KINDS = {kind_of(one): one for one in _all(errors.MemorandaError)}
#: What problems that are no errors of memoranda are for a caller, by status.
_OTHERS: Mapping[int, type[errors.MemorandaError]] = {
    400: errors.InputError,
    401: errors.AccessError,
    402: errors.InputError,
    404: errors.CapabilityError,
    405: errors.CapabilityError,
    413: errors.InputError,
    415: errors.InputError,
    429: errors.StoreUnavailableError,
    503: errors.StoreUnavailableError,
    504: errors.StoreUnavailableError,
}
