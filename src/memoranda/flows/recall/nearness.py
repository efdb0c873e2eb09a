"""How near texts are to what a request asks, by words and meaning: one measure for whatever is searched."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.core.image.index import Index
from memoranda.core.recall.results import Recalled
from memoranda.core.rows.columns import Floats, Ints
from memoranda.flows.runtime.runtime import Runtime, embed


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks: of each part that was looked up the terms, and the vector if there is one."""

    parts: tuple[tuple[frozenset[str], Floats | None], ...]

    @property
    def terms(self) -> frozenset[str]:
        """The terms of all parts."""
        return frozenset().union(*(terms for terms, _ in self.parts))

    @property
    def embedded(self) -> bool:
        """Whether the parts have vectors."""
        return all(vector is not None for _, vector in self.parts)

    def nearness(self, index: Index, numbers: Ints, but: AbstractSet[str] = frozenset()) -> Floats:
        """How near passages are to that part which they are nearest to (see `Index.near`), not counting some terms."""
        near = [index.nearness(numbers, terms - but, vector) for terms, vector in self.parts]
        return np.asarray(np.max(near, axis=0), np.float32)

    def near(self, index: Index, numbers: Sequence[int], but: AbstractSet[str] = frozenset()) -> list[float]:
        """`nearness`, rounded."""
        return [round(value, 4) for value in self.nearness(index, np.array(numbers, np.int32), but).tolist()]

    def near_to(self, terms: frozenset[str], vector: Floats | None) -> float:
        """How near a text with these terms and this vector is to that part which it is nearest to."""

        def near(own: frozenset[str], meant: Floats | None) -> float:
            cosine = 0.0 if vector is None or meant is None else float(vector @ meant)
            return len(own & terms) / max(len(own), 1) + cosine

        return max(near(own, meant) for own, meant in self.parts)


async def asked_by(runtime: Runtime, scope: Scope, answer: Recalled) -> Asked:
    """What was asked in a request that recall has answered; if the embedder failed there, it is not asked again."""
    parts = answer.trace.asked
    blind = any(problem.startswith("embedder:") for problem in answer.degraded)
    embedded = await embed(runtime, scope, () if blind else parts)  # cached by now
    read = runtime.analyzer.terms
    return Asked(tuple((frozenset(read(part)), embedded.of(place)) for place, part in enumerate(parts)))
