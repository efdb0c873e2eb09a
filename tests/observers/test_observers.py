"""Observers are told names, times, counts and ids, also of what fails, and never what was said."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import httpx2
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from prometheus_client import CollectorRegistry, generate_latest

from memoranda import Memory, Scoped, Settings
from memoranda.core.base.observing import DoorObserver
from memoranda.errors import NotFoundError, SetupError
from memoranda.observers import OBSERVERS, Deed, Observer, listen, open_observer
from memoranda.observers.otel import OpenTelemetry
from memoranda.observers.prometheus import Prometheus


def watched(observer: Observer, act: Callable[[Scoped], object]) -> None:
    with Memory.open(embedder="none", settings=Settings(observer=observer)) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.add([{"role": "user", "content": "My cat is called Zanzibar."}])
        alice.recall("What is the cat called?")
        act(alice)
        memory.stats(tenant="acme")


def missing(alice: Scoped) -> None:
    with pytest.raises(NotFoundError):
        alice.goals.get("Zanzibar")


def test_an_observer_is_told_what_came_of_a_verb() -> None:
    deeds: list[Deed] = []

    class Own:
        def observing(self, deed: Deed) -> AbstractContextManager[object]:
            deeds.append(deed)
            return nullcontext()

    watched(Own(), missing)
    assert [(one.verb, one.effect, one.tenant, bool(one.records)) for one in deeds] == [
        ("add", "writes", "acme", False),
        ("recall", "reads", "acme", True),
        ("goals.get", "reads", "acme", False),
        ("stats", "reads", "acme", False),
    ]


def test_prometheus_counts_verbs() -> None:
    registry = CollectorRegistry()
    watched(Prometheus(registry), missing)
    told = generate_latest(registry).decode()
    assert 'memoranda_verb_seconds_count{outcome="ok",verb="recall"} 1.0' in told
    assert 'memoranda_verb_seconds_count{outcome="failed",verb="goals.get"} 1.0' in told
    assert 'memoranda_records_returned_total{verb="recall"}' in told
    assert 'memoranda_degraded_total{verb="recall"} 0.0' in told
    assert "anzibar" not in told
    assert "acme" not in told


def test_spans_have_the_names_of_the_conventions() -> None:
    exported, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exported))
    watched(OpenTelemetry(provider.get_tracer("tests")), missing)
    spans = exported.get_finished_spans()
    assert [span.name for span in spans] == [
        "create_memory add", "search_memory recall", "search_memory goals.get", "search_memory stats",
    ]  # fmt: skip
    recalled = dict(spans[1].attributes or {})
    assert recalled["gen_ai.operation.name"] == "search_memory"
    assert recalled["gen_ai.memory.store.id"] == "acme"
    assert recalled["gen_ai.memory.record.count"] == len(recalled["gen_ai.memory.record.id"])  # type: ignore[arg-type]
    assert [span.status.status_code for span in spans][2:] == [StatusCode.ERROR, StatusCode.UNSET]
    assert "anzibar" not in "".join(span.to_json() for span in spans)


def test_observers_are_opened_by_name() -> None:
    assert open_observer("none") is None
    assert all(isinstance(open_observer(name), Observer) for name in OBSERVERS)
    assert open_observer("prometheus") is open_observer("prometheus")  # the metrics of a process are there once
    with pytest.raises(SetupError, match=r"no observer 'statsd'\. Choose one of none, prometheus, otel"):
        open_observer("statsd")


def test_prometheus_is_answered() -> None:
    open_observer("prometheus")
    port = listen("127.0.0.1", 0)
    assert "memoranda_verb_seconds" in httpx2.get(f"http://127.0.0.1:{port}/metrics").text
    with pytest.raises(SetupError, match="choose another port"):
        listen("127.0.0.1", port)


def test_prometheus_is_told_what_doors_refuse_and_what_waits() -> None:
    registry = CollectorRegistry()
    made = Prometheus(registry)
    assert isinstance(made, DoorObserver)
    made.refused("over-quota")
    made.waiting("consolidation", 12.5)
    told = generate_latest(registry).decode()
    assert 'memoranda_refused_total{kind="over-quota"} 1.0' in told
    assert 'memoranda_lag_seconds{what="consolidation"} 12.5' in told
