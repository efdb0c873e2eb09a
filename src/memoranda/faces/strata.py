"""The faces of a scope, each loaded when it is first used."""

from memoranda import faces
from memoranda.core.base.scope import Scope
from memoranda.flows import loaded as flows  # noqa: TC001 - annotations are evaluated with it


class AsyncStrata:
    """The faces of a scope, beside its own methods."""

    _runtime: "flows.signatures.Runtime"
    scope: Scope

    @property
    def goals(self) -> "faces.goals.AsyncGoals":
        """Goals of the user or the agent."""
        return faces.goals.AsyncGoals(self._runtime, self.scope)

    @property
    def pools(self) -> "faces.pools.AsyncPools":
        """JSON objects shared by several agents and users of the tenant."""
        return faces.pools.AsyncPools(self._runtime, self.scope)

    @property
    def collections(self) -> "faces.collections.AsyncCollections":
        """Records shared by several agents and users of the tenant."""
        return faces.collections.AsyncCollections(self._runtime, self.scope)

    @property
    def tools(self) -> "faces.procedures.AsyncTools":
        """Tool calls, their statistics, and suggestions of which tool to call."""
        return faces.procedures.AsyncTools(self._runtime, self.scope)

    @property
    def strategies(self) -> "faces.procedures.AsyncStrategies":
        """Strategies and their outcomes."""
        return faces.procedures.AsyncStrategies(self._runtime, self.scope)

    @property
    def entries(self) -> "faces.procedures.AsyncEntries":
        """Short-term entries and the daily log."""
        return faces.procedures.AsyncEntries(self._runtime, self.scope)

    @property
    def graph(self) -> "faces.graph.AsyncGraph":
        """The entity graph: what is named, and how it is related."""
        return faces.graph.AsyncGraph(self._runtime, self.scope)

    @property
    def channels(self) -> "faces.channels.AsyncChannels":
        """The channels inside the user's memory."""
        return faces.channels.AsyncChannels(self._runtime, self.scope)

    @property
    def connections(self) -> "faces.connections.AsyncConnections":
        """The connected tools."""
        return faces.connections.AsyncConnections(self._runtime, self.scope)

    @property
    def review(self) -> "faces.review.AsyncReview":
        """Disputed beliefs, and a person's verdict on them."""
        return faces.review.AsyncReview(self._runtime, self.scope)

    @property
    def outcomes(self) -> "faces.outcomes.AsyncOutcomes":
        """The outcomes of decisions."""
        return faces.outcomes.AsyncOutcomes(self._runtime, self.scope)

    @property
    def router(self) -> "faces.router.AsyncRouter":
        """One entry point to all strata."""
        return faces.router.AsyncRouter(self._runtime, self.scope)
