"""The write gateway: the only way into derived memory, for rules, tools, imports and consolidation alike.

`core.beliefs.admission` decides what becomes of a candidate, and only plans. A flow applies the changes in one
transaction with the events they came from, on condition that the owner's memory has not changed meanwhile.
"""

from datetime import datetime

from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.image.image import Partition
from memoranda.flows.runtime.runtime import Runtime


def overlay_on(runtime: Runtime, partition: Partition, now: datetime) -> Overlay:
    """An overlay on an image, for what is to be recorded at `now`."""
    return Overlay(partition, runtime.analyzer, runtime.space, now)


def admission_to(runtime: Runtime, partition: Partition, now: datetime) -> Admission:
    """The admission of candidates to the memory that an image shows, to be recorded at `now`."""
    return Admission(overlay_on(runtime, partition, now), runtime.settings.conflict_policy)
