"""Ids that are derived from what they name."""

import hashlib
import json

from memoranda.core.base.scope import Owner

_NAMESPACE = bytes.fromhex("6d656d73747251748100000000000000")


def derived_id(owner: Owner, *parts: str) -> str:
    """Return a UUIDv5 of an owner and what identifies a row within it: the same input always gives the same id.

    The parts are encoded as JSON, so that no two lists of parts collide and half a surrogate pair does no harm.
    The standard library's `uuid5` gives the same in three times the time.
    """
    name = json.dumps((*owner, *parts)).encode()
    digest = hashlib.sha1(_NAMESPACE + name, usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"
