"""Templates that see what is known of the user, for prompts that a host's own users write."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Words
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import Scope
from memoranda.core.beliefs.profile import Leaf
from memoranda.core.rows import Json
from memoranda.core.strata.state import StateView
from memoranda.core.text.fence import quoted
from memoranda.flows.capture.events import object_of
from memoranda.flows.context.state import state
from memoranda.flows.runtime.runtime import Runtime

LARGEST = 100_000  # characters of the variables, as JSON
_USER = "user"  # under which a template finds what was learned of no connection


async def render(
    runtime: Runtime,
    scope: Scope,
    template: Words,
    variables: Mapping[str, Any] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Render a Jinja2 template that sees what is known of the user, in a sandbox; needs the extra `templates`.

    It sees `profile` (the scaffold with bare values), `narrative`, `learned` ("user" and connections, each a list of
    {text, by, since}), `reported`, `goals` (the open ones, the most pressing first) and `state`; a name that is not
    there is an error. Every text of these is quoted into one line, as lines of a context are. The fence is for the
    template to put around them: `{% filter fenced %}…{% endfilter %}`.

    Args:
        template: at most 20,000 characters. It can print, test, loop and filter; there are no macros, includes,
            attributes but keys, or methods but those of mappings. All loops together take at most 10,000 rounds, and at
            most 100,000 characters are printed.
        variables: further values by name, as JSON; they are put in as they are.
        now: the time by which it is told what is due and what holds; by default the clock's.

    Raises:
        InputError: the template cannot be read, names what is not there, or uses what it may not; or a variable has a
            name that is taken.
        MissingExtraError: the extra `templates` is not installed.
    """
    require(isinstance(template, str) and template.strip(), "template", template, "a text")
    given = {} if variables is None else object_of("variables", variables)
    size = len(str(given))
    require(size <= LARGEST, "the length of all variables", size, f"at most {LARGEST:,} characters")
    known = _known(await state(runtime, scope, now=now))
    taken = sorted(given.keys() & known.keys())
    require(not taken, "a variable", taken[0] if taken else "", f"it a name other than {', '.join(known)}")
    return await asyncio.to_thread(runtime.rendered, template, {**given, **known})


def _known(view: StateView) -> dict[str, Any]:
    """What a template sees, as plain values."""
    profile = view.profile
    told = plain(view)
    del told["profile"]
    values = {
        "profile": plain(profile.plain()),
        "narrative": profile.narrative,
        "learned": {name or _USER: _leaves(leaves) for name, leaves in profile.learned.items()},
        "reported": _leaves(profile.reported),
        "goals": plain((*view.active, *view.blocked)),
        "state": told,
    }
    return {name: _quoted(value) for name, value in values.items()}


def _leaves(leaves: Iterable[Leaf]) -> list[dict[str, Any]]:
    return [{"text": plain(one.value), "by": one.by or _USER, "since": one.since.isoformat()} for one in leaves]


def _quoted(value: Json) -> Any:
    """A value in which every text is one line of data; see `core.text.fence.quoted`."""
    match value:
        case str():
            return quoted(value)
        case list():
            return [_quoted(one) for one in value]
        case dict():
            return {quoted(name): _quoted(one) for name, one in value.items()}
    return value
