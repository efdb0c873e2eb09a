"""An OpenAPI path and an MCP tool for every verb, made from the registry: what a door of your own would serve.

python examples/doors.py openapi
python examples/doors.py mcp
"""

import json
import sys
from typing import Any

from memoranda.core.base.plain import plain
from memoranda.memory import Memory
from memoranda.verbs.registry import VERBS, Verb
from memoranda.verbs.schema import answer, arguments, decode


def path(verb: Verb[..., Any]) -> dict[str, Any]:
    """The OpenAPI path item of a verb: arguments in the body, answer in the response."""
    operation = {
        "operationId": verb.name,
        "summary": verb.summary,
        "tags": [verb.stratum],
        "requestBody": {"content": {"application/json": {"schema": {"$id": f"{verb.name}.in", **arguments(verb)}}}},
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": {"$id": f"{verb.name}.out", **answer(verb)}}},
            }
        },
    }
    return {f"/{verb.name.replace('.', '/')}": {"post": operation}}


def tool(verb: Verb[..., Any]) -> dict[str, Any]:
    """The MCP tool of a verb, with hints of what a call does."""
    return {
        "name": verb.name.replace(".", "_"),
        "description": verb.summary,
        "inputSchema": arguments(verb),
        "annotations": {
            "readOnlyHint": verb.facts.effect == "reads",
            "destructiveHint": verb.facts.effect == "destroys",
            "idempotentHint": not verb.facts.repeats,
            "openWorldHint": False,
        },
    }


def call(face: Any, verb: Verb[..., Any], body: bytes) -> str:
    """What a request comes to: JSON in, JSON out; an `ArgumentError` says where the request is wrong."""
    return json.dumps(plain(getattr(face, verb.method)(**decode(verb, json.loads(body)))))


def main() -> None:
    """Print all paths, or all tools, as one JSON document."""
    document: Any = [tool(verb) for verb in VERBS.values()]
    if sys.argv[1:] != ["mcp"]:
        paths = {name: item for verb in VERBS.values() for name, item in path(verb).items()}
        document = {"openapi": "3.1.0", "info": {"title": Memory.__module__, "version": "1"}, "paths": paths}
    json.dump(document, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
