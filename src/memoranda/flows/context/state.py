"""The state view: what a governance layer asks before it decides how an agent is to act."""

from datetime import datetime

from memoranda.core.base.scope import Scope
from memoranda.core.beliefs.profile import project
from memoranda.core.image.image import of_kind
from memoranda.core.strata.goals import GOAL, set_goals
from memoranda.core.strata.state import StateView, state_of
from memoranda.flows.recall.inspect import believed
from memoranda.flows.runtime.reading import at_one_moment
from memoranda.flows.runtime.runtime import Runtime


@at_one_moment
async def state(runtime: Runtime, scope: Scope, *, now: datetime | None = None) -> StateView:
    """Return the state of the user: goals, horizons, decisions without an outcome, and the profile, at one moment.

    Args:
        now: the time by which it is told what is due and what holds; by default the clock's. Goals and decisions are
            those of today.
    """
    at = runtime.clock() if now is None else now
    partition = await runtime.partitions.current(scope.owner)
    records = believed(partition, scope, at)
    return state_of(set_goals(of_kind(partition, GOAL, scope)), records, project(records, at), at)
