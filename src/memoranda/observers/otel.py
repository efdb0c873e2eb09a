"""Verbs as spans of OpenTelemetry, named as its conventions for generative AI name operations on a memory.

The conventions of memory are young (semantic-conventions-genai, pull request 140): the names are written here, and in
no published package yet. What is no part of them is named `memoranda.…`. Content is in no span.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from memoranda.core.base.observing import Deed

#: What the conventions call a verb, by its effect; a verb that adds something is named.
_OPERATIONS: Mapping[str, str] = {"reads": "search_memory", "writes": "update_memory", "destroys": "delete_memory"}
_CREATED = frozenset({"add", "observe", "import_conversations"})
_NAMED = 20  # the most records whose ids a span names


class OpenTelemetry:
    """Makes a span of each verb.

    Args:
        tracer: makes the spans.
    """

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextmanager
    def observing(self, deed: Deed) -> Iterator[None]:
        """Surround one verb."""
        operation = "create_memory" if deed.verb in _CREATED else _OPERATIONS[deed.effect]
        about = {
            "gen_ai.operation.name": operation, "gen_ai.provider.name": "memoranda", "memoranda.verb": deed.verb,
            **({"gen_ai.memory.store.id": deed.tenant} if deed.tenant else {}),
        }  # fmt: skip
        with self._tracer.start_as_current_span(
            f"{operation} {deed.verb}", kind=SpanKind.INTERNAL, attributes=about,
            record_exception=False, set_status_on_exception=False,
        ) as span:  # fmt: skip
            ended = False
            try:
                yield
                ended = True
            finally:
                span.set_attribute("gen_ai.memory.record.count", len(deed.records))
                span.set_attribute("gen_ai.memory.record.id", deed.records[:_NAMED])
                span.set_attribute("memoranda.degraded", deed.degraded)
                if not ended:  # its message may quote what was said
                    span.set_status(Status(StatusCode.ERROR))


def observer() -> OpenTelemetry:
    """Return an observer with the tracer that the process has set up."""
    return OpenTelemetry(trace.get_tracer("memoranda"))
