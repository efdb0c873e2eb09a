"""Preconditions: entity tags of answers, and what a request makes depend on them (RFC 9110).

The tag of something with a version begins with that version, and `If-Match` becomes the verb's `expect`: the write
happens only if nobody else wrote since. A hash of the answer follows, which alone is the tag of anything else: what
somebody keeps may have a member `version` too, and what has one may change without it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any, get_args, get_type_hints

from starlette.requests import Request
from starlette.responses import Response

from memoranda.doors.wire.problems import Problem
from memoranda.errors import ArgumentError
from memoranda.verbs.registry import Verb

_EXPECT = "expect"
_VERSION = re.compile(r'"?(\d{1,18})(?:-[0-9a-f]+)?"?', re.ASCII)


def demand(headers: Mapping[str, str], verb: Verb[..., Any], data: dict[str, Any]) -> None:
    """Put the version of `If-Match` into the arguments.

    Raises:
        Problem: the verb cannot depend on a version.
        ArgumentError: the tag is no version, or another one is expected as well.
    """
    tag = headers.get("if-match")
    if tag is None:
        return
    if _EXPECT not in verb.signature.parameters:
        raise Problem(
            status=400, kind="no-precondition", title="This cannot depend on a version.",
            detail=f"{verb.name} takes no If-Match: leave it out.",
        )  # fmt: skip
    version = _VERSION.fullmatch(tag)
    if version is None or _EXPECT in data:
        raise ArgumentError(f'If-Match is {tag[:40]!r}; give one version, as "3", and no `expect` besides.', "")
    data[_EXPECT] = int(version[1])


def version_of(verb: Verb[..., Any], answer: Any) -> int | None:
    """Return the version of what a verb answers with, if that has one."""
    return answer["version"] if _is_versioned(verb) and isinstance(answer, dict) else None


@cache
def _is_versioned(verb: Verb[..., Any]) -> bool:
    """Whether a verb answers with something of a class that has a version; what somebody keeps may have any names."""
    hint = get_type_hints(verb.flow)["return"]
    kinds = (one for one in (hint, *get_args(hint)) if is_dataclass(one))
    return any(one.name == "version" for kind in kinds for one in fields(kind))


def tagged(request: Request, answer: Any, version: int | None = None) -> Response:
    """Answer with JSON and its tag, which begins with its version; with 304 if the caller has it already."""
    body = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
    before = "" if version is None else f"{version}-"
    tag = f'"{before}{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.method in {"GET", "HEAD"} and _has(request.headers.get("if-none-match", ""), tag):
        return Response(None, 304, headers)
    return Response(body, 200, headers, media_type="application/json")


def _has(told: str, tag: str) -> bool:
    return told.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in told.split(","))
