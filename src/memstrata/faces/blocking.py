"""The faces of single strata without `await`: a line per verb."""

from memstrata.faces.goals import AsyncGoals
from memstrata.faces.loop import Blocking, blocking
from memstrata.faces.verbs import Face


class Goals(Blocking[Face]):
    """`AsyncGoals` without `await`."""

    add = blocking(AsyncGoals.add)
    get = blocking(AsyncGoals.get)
    find = blocking(AsyncGoals.find)
    due = blocking(AsyncGoals.due)
    block = blocking(AsyncGoals.block)
    resume = blocking(AsyncGoals.resume)
    complete = blocking(AsyncGoals.complete)
    abandon = blocking(AsyncGoals.abandon)
    reject = blocking(AsyncGoals.reject)
