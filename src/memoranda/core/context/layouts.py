"""Layouts: the sections of a context, their order, and the budget of each. Data, read by `flows.context.context`."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from memoranda.core.base.checks import check_number, require
from memoranda.core.base.constraints import Between
from memoranda.core.context.budget import Share

BUDGET = 4_000  # the default budget of a context, in tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The place of a section.

    Attributes:
        heading: stands above its pieces.
        budget: tokens, out of the layout's total; `floor`: the tokens it keeps if the total is short.
        most: how far it may grow into what others leave over, in tokens of the layout's total; None: not at all.
        short: the tokens to which it may grow where less than the layout's total is given, since its budget shrinks
            with that; None: not at all.
        rest: it may take all that the other sections leave over, after those that may grow.
        stable: it belongs to the stable prefix, where no section grows.
        verbatim: the host's own words, inserted verbatim; anything else is quoted as data, inside the fence.

    Raises:
        InputError: a number of tokens is invalid.
    """

    heading: str
    budget: Annotated[int, Between(0)]
    floor: Annotated[int, Between(0)] = 0
    most: Annotated[int, Between(0)] | None = None
    short: Annotated[int, Between(0)] | None = None
    rest: bool = False
    stable: bool = False
    verbatim: bool = False

    def __post_init__(self) -> None:
        for name in ("budget", "floor", "most", "short"):
            if getattr(self, name) is not None or name in {"budget", "floor"}:
                object.__setattr__(self, name, check_number(name, getattr(self, name), least=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """The sections of a context.

    Attributes:
        total: tokens in all, unless a request gives another budget; the budgets of slots are scaled to it.
        slots: by name, in the order of priority, by which tokens are allotted if they are short. In the text the stable
            ones come first, and in either part those that are verbatim.
        reserve: tokens that are never filled; fences and headings are paid from them.

    Raises:
        InputError: an attribute is invalid.
    """

    total: Annotated[int, Between()]
    slots: Mapping[str, Slot]
    reserve: Annotated[int, Between(0)] = 0

    def __post_init__(self) -> None:
        for name, least in (("total", 1), ("reserve", 0)):
            object.__setattr__(self, name, check_number(name, getattr(self, name), least))
        known = isinstance(self.slots, Mapping) and all(isinstance(slot, Slot) for slot in self.slots.values())
        require(known, "slots", self.slots, 'slots by section: {"memories": Slot(heading="Known", budget=800)}')

    def shares(self, budget: int, own: Mapping[str, int]) -> dict[str, Share]:
        """Return each section's share of `budget` tokens; `own` are budgets set for single sections."""
        return {name: self._share(slot, budget, own.get(name)) for name, slot in self.slots.items()}

    def _share(self, slot: Slot, budget: int, own: int | None) -> Share:
        due = slot.budget * budget // self.total if own is None else own
        floor = slot.floor * budget // self.total
        if own is not None or slot.stable:
            return Share(due, floor, due)
        most = max((slot.most or 0) * budget // self.total, (slot.short or 0) if budget < self.total else 0)
        return Share(due, floor, max(due, budget if slot.rest else most), slot.rest)


_PROFILE, _SUMMARY, _PINNED = "About the user", "This conversation so far", "What the user wants and prefers"
_REPORTED = "Said of the user by others"
_MEMORIES, _EPISODES, _KNOWLEDGE = "Relevant memories", "From that time", "Also on record"
_GOALS, _SHARED = "Goals, plans and strategies", "Shared with the user"
#: Only for who gives it tokens: most agents choose their tools themselves.
_SUGGESTIONS = Slot(heading="Tools that worked for this", budget=0)
_TENANT, _SERVICES, _TOOLS, _HISTORY = "Tenant", "Current data", "Tools", "Conversation"

#: The context of SPEC 9: what memory knows, and room for what the host supplies.
MEMORY = Layout(
    total=BUDGET,
    slots=MappingProxyType(
        {
            "identity": Slot(heading="Identity", budget=300, stable=True, verbatim=True),
            "directives": Slot(heading="Directives", budget=200, floor=100, verbatim=True),
            "summary": Slot(heading=_SUMMARY, budget=500, floor=100),
            "profile": Slot(heading=_PROFILE, budget=400, floor=100, stable=True),
            "reported": Slot(heading=_REPORTED, budget=100, stable=True),
            "preferences": Slot(heading=_PINNED, budget=400, floor=100, most=1_600),
            "memories": Slot(heading=_MEMORIES, budget=800, floor=200, rest=True),
            "episodes": Slot(heading=_EPISODES, budget=600, floor=100, short=600),
            "goals": Slot(heading=_GOALS, budget=300, floor=50),
            "suggestions": _SUGGESTIONS,
            "knowledge": Slot(heading=_KNOWLEDGE, budget=200, floor=40),
            "logs": Slot(heading="Daily logs", budget=400),
            "shared": Slot(heading=_SHARED, budget=400, floor=50),
            "tenant": Slot(heading=_TENANT, budget=200),
            "services": Slot(heading=_SERVICES, budget=400, most=800),
            "artifacts": Slot(heading="Artifacts", budget=200),
            "tools": Slot(heading=_TOOLS, budget=400, verbatim=True),
            "history": Slot(heading=_HISTORY, budget=600, floor=100, most=1_200),
        }
    ),
)

#: The whole payload of a host: memory has 1,500 of its 8,000 tokens, in the sections that the host does not supply.
HOST = Layout(
    total=8_000,
    reserve=300,
    slots=MappingProxyType(
        {
            "system": Slot(heading="System", budget=500, floor=500, stable=True, verbatim=True),
            "tools": Slot(heading=_TOOLS, budget=1_500, floor=400, stable=True, verbatim=True),
            "tenant": Slot(heading=_TENANT, budget=200, floor=100, most=400),
            "profile": Slot(heading=_PROFILE, budget=350, floor=100, stable=True),
            "reported": Slot(heading=_REPORTED, budget=50, stable=True),
            "summary": Slot(heading=_SUMMARY, budget=150, floor=50),
            "preferences": Slot(heading=_PINNED, budget=250, floor=100, most=1_200),
            "memories": Slot(heading=_MEMORIES, budget=350, floor=200, rest=True),
            "episodes": Slot(heading=_EPISODES, budget=100),
            "goals": Slot(heading=_GOALS, budget=100),
            "suggestions": _SUGGESTIONS,
            "shared": Slot(heading=_SHARED, budget=50),
            "knowledge": Slot(heading=_KNOWLEDGE, budget=100, floor=40),
            "history": Slot(heading=_HISTORY, budget=2_000, floor=600, most=4_000),
            "services": Slot(heading=_SERVICES, budget=2_000, floor=400, most=4_000),
        }
    ),
)

LAYOUTS: Mapping[str, Layout] = MappingProxyType({"memory": MEMORY, "host": HOST})
