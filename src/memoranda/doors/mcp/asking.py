"""Asking the user before something is removed for good.

Up to 2025-11-25 the server asks the client in the middle of a call. From 2026-07-28 on the call ends with the question,
and the client calls again with the answer. Which call was asked about goes with the question, so that an answer is good
for that call alone. The client could lie about it, as it could about the answer: it acts for the user. A client that
can ask nobody gets a refusal that says what to do; an argument "confirmed" would be given by the model.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from mcp.server import ServerRequestContext
from mcp_types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from memoranda.doors.mcp.offers import Offer, Seat
from memoranda.errors import AccessError
from memoranda.verbs.registry import VERBS

_KEY = "confirm"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {_KEY: {"type": "boolean", "title": "Remove it for good", "default": False}},
    "required": [_KEY],
}
_LONGEST = 500  # characters of a text that is shown in a question


async def asked(
    context: ServerRequestContext[Any, Any], params: CallToolRequestParams, seat: Seat, offer: Offer
) -> InputRequiredResult | None:
    """Ask the user whether a tool may do what it was called for; return the question if the client is to put it.

    Raises:
        AccessError: the user does not want it, or cannot be asked.
        NotFoundError: there is no such record.
    """
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    mark = sha256(json.dumps([params.name, params.arguments or {}], sort_keys=True).encode()).hexdigest()
    given = (params.input_responses or {}).get(_KEY) if params.request_state == mark else None
    if not modern and _can_ask(context) and context.session.can_send_request:
        question = await _question(seat, offer, params.arguments or {})
        given = await context.session.elicit_form(question, _FORM, related_request_id=context.request_id)
    elif modern and _can_ask(context) and given is None:
        question = await _question(seat, offer, params.arguments or {})
        request = ElicitRequest(params=ElicitRequestFormParams(message=question, requested_schema=_FORM))
        return InputRequiredResult(input_requests={_KEY: request}, request_state=mark)
    if given is None:
        raise AccessError(
            f"Nothing was removed: {offer.name} asks the user first, and this client cannot ask. Tell the user to run "
            "`memoranda forget`, or to start this server with --unasked if the client asks before it calls a tool."
        )
    if not (isinstance(given, ElicitResult) and given.action == "accept" and (given.content or {}).get(_KEY) is True):
        raise AccessError("Nothing was removed: the user does not want it. Do not ask again.")
    return None


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    told = context.session.client_capabilities
    asks = told.elicitation if told else None
    return asks is not None and (asks.form is not None or asks.url is None)  # an empty one is of before there were two


async def _question(seat: Seat, offer: Offer, said: Mapping[str, Any]) -> str:
    """The question, with the words of a record that is named, as no user knows it by its id."""
    told = ", ".join(f"{name} {one}" for name, one in said.items() if one is not None)
    words = ""
    if said.get("record") is not None:
        versions = await seat.answer(VERBS["history"], {"record": said["record"]})
        words = f": “{versions[-1]['text'][:_LONGEST]}”"
    return f"{offer.name} ({told}){words}\nRemove it for good, with all that was derived from it?"
