"""The faces of a scope by name, each loaded when it is first asked for."""

from memstrata import faces, flows
from memstrata.core.scope import Scope


class AsyncStrata:
    """What is a scope's besides its own verbs."""

    _runtime: "flows.signatures.Runtime"
    scope: Scope

    @property
    def goals(self) -> "faces.goals.AsyncGoals":
        """What the user or the agent wants to reach."""
        return faces.goals.AsyncGoals(self._runtime, self.scope)

    @property
    def pools(self) -> "faces.pools.AsyncPools":
        """JSON objects that several agents and users of the tenant share."""
        return faces.pools.AsyncPools(self._runtime, self.scope)

    @property
    def collections(self) -> "faces.collections.AsyncCollections":
        """Records that several agents and users of the tenant share."""
        return faces.collections.AsyncCollections(self._runtime, self.scope)

    @property
    def tools(self) -> "faces.procedures.AsyncTools":
        """Calls of tools, what they come to, and which tool to call."""
        return faces.procedures.AsyncTools(self._runtime, self.scope)

    @property
    def strategies(self) -> "faces.procedures.AsyncStrategies":
        """Ways to do something, and what came of them."""
        return faces.procedures.AsyncStrategies(self._runtime, self.scope)

    @property
    def entries(self) -> "faces.procedures.AsyncEntries":
        """Short-term entries, and the log of a day."""
        return faces.procedures.AsyncEntries(self._runtime, self.scope)

    @property
    def graph(self) -> "faces.graph.AsyncGraph":
        """Who and what is named, and how they are related."""
        return faces.graph.AsyncGraph(self._runtime, self.scope)

    @property
    def channels(self) -> "faces.channels.AsyncChannels":
        """The traceable scopes inside the user's memory."""
        return faces.channels.AsyncChannels(self._runtime, self.scope)

    @property
    def connections(self) -> "faces.connections.AsyncConnections":
        """The connected tools."""
        return faces.connections.AsyncConnections(self._runtime, self.scope)

    @property
    def review(self) -> "faces.review.AsyncReview":
        """Beliefs in doubt, and a person's verdict on them."""
        return faces.review.AsyncReview(self._runtime, self.scope)

    @property
    def outcomes(self) -> "faces.outcomes.AsyncOutcomes":
        """What came of decisions."""
        return faces.outcomes.AsyncOutcomes(self._runtime, self.scope)

    @property
    def router(self) -> "faces.router.AsyncRouter":
        """One way to all strata."""
        return faces.router.AsyncRouter(self._runtime, self.scope)
