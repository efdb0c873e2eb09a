"""How much of a user's memory there is, for limits that a host sets."""

from dataclasses import dataclass

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.flows.runtime.runtime import Runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How much there is.

    Attributes:
        items: events and records that can be found; `in_conversation`: those of the scope's conversation.
        bytes: about how many bytes the image takes, which is what it costs to keep this memory ready.
    """

    items: int
    in_conversation: int
    bytes: int


async def held(runtime: Runtime, scope: Scope) -> Held:
    """Return how much there is of a user, as the image at hand knows it: a write that follows needs that anyway."""
    partition = await runtime.partitions.recent(scope.owner)
    index, told = partition.index, scope.conversation
    talks = [code for code, talk in enumerate(index.conversations.names) if talk[0] == told]
    return Held(
        items=index.count,
        in_conversation=int(np.isin(index.columns["conversation"], talks).sum()) if told else 0,
        bytes=partition.nbytes,
    )
