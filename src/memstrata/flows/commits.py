"""What has reached the store is seen through, though whoever asked for it is cancelled.

Nobody could say of a write that was broken off whether it was kept. Where more follows from it than the next reader
finds out, as that what was forgotten leaves the image and the embedder's cache, it goes on with that.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")

_UNDER_WAY: set[asyncio.Task[Any]] = set()  # or a loop would hold them by a weak reference alone


async def unbroken(work: Coroutine[Any, Any, _T]) -> _T:
    """What `work` answers; a caller that is cancelled leaves it to its end."""
    task = asyncio.create_task(work)
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return await asyncio.shield(task)
