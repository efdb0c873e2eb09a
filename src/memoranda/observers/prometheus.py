"""Verbs as metrics for Prometheus, in the registry of the process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from memoranda.core.base.observing import Deed

#: Seconds: from half a millisecond, which a read takes, to what a host waits for at most.
_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Prometheus:
    """Counts verbs, their times and outcomes, what they returned, and answers of which a part was down.

    Tenants are no label: there may be any number of them.

    Args:
        registry: where the metrics are; each name may be there once.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._seconds = Histogram(
            "memoranda_verb_seconds", "Time of a verb.", ("verb", "outcome"), registry=registry, buckets=_SECONDS
        )
        self._records = Counter(
            "memoranda_records_returned", "Memories that were returned.", ("verb",), registry=registry
        )
        self._degraded = Counter(
            "memoranda_degraded", "Answers of which a part was down.", ("verb",), registry=registry
        )
        self._refused = Counter("memoranda_refused", "Requests answered with a problem.", ("kind",), registry=registry)
        self._waiting = Gauge("memoranda_lag_seconds", "How long the oldest waits.", ("what",), registry=registry)

    @contextmanager
    def observing(self, deed: Deed) -> Iterator[None]:
        """Surround one verb."""
        begun, outcome = perf_counter(), "failed"
        try:
            yield
            outcome = "ok"
        finally:
            self._seconds.labels(deed.verb, outcome).observe(perf_counter() - begun)
            self._records.labels(deed.verb).inc(len(deed.records))
            self._degraded.labels(deed.verb).inc(deed.degraded > 0)

    def refused(self, kind: str) -> None:
        """Count a request that was answered with a problem."""
        self._refused.labels(kind).inc()

    def waiting(self, what: str, seconds: float) -> None:
        """Say for how long the oldest thing of a kind waits now."""
        self._waiting.labels(what).set(seconds)


@cache
def observer() -> Prometheus:
    """Return the observer of this process, whose metrics `prometheus_client` exposes."""
    return Prometheus(REGISTRY)


def listen(host: str, port: int) -> int:
    """Answer Prometheus at `/metrics` in a thread, until the process ends; return the port."""
    server, _ = start_http_server(port, host)
    return int(server.server_port)
