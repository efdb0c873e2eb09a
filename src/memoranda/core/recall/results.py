"""The results of recall and context: frozen values that `dataclasses.asdict` turns into JSON."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from memoranda.core.rows import Json
from memoranda.core.strata.goals import Goal
from memoranda.core.strata.procedures import Fit

#: The techniques of recall, in the order in which they are run; `flows/recall/techniques` says what each does.
TECHNIQUES = ("expand", "self_query", "steps", "hyde", "multi_query", "rerank")
_TOLD = 3  # reasons
_LEAST = 0.03  # the share from which something is a reason

#: What each reason is read from. Shares that are not here tell nothing by themselves: how long it is, for example.
REASONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "it states what is asked for": ("attribute",),
        "in words and meaning it is among the nearest to the question": ("guess", "guess_gap", "guess_talk"),
        "it has words of the question": ("keyword", "cover", "hits", "fact_keyword"),
        "it means something like the question": ("vector", "fact_vector", "like_best"),
        "what was said around it bears on the question": (
            "keyword_window", "keyword_wide", "keyword_conversation", "vector_previous", "vector_window",
            "guess_before", "guess_after", "guess_before_2", "answers_match",
        ),
        "it names what the question names": ("entity_match", "entities", "bridge", "speaker"),
        "it is of the time that is asked about": ("date", "time", "answers_when"),
        "it tells what the user wants": ("preference", "instruction"),
        "it took the place of something nearer to the question": ("currency",),
        "the reranker puts it high": ("rerank",),
        "it is recent": ("recency",),
        "it was said or used lately": ("last_use",),
        "it matters": ("importance",),
        "it was often used": ("access_frequency",),
        "several ways to search put it high": ("fusion",),
        "it is still thought to be true": ("confidence",),
        "it holds now": ("tense",),
    }
)  # fmt: skip
_REASON = {
    name: reason for reason, shares in REASONS.items() for share in shares for name in (share, f"similarity.{share}")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One recalled memory.

    Attributes:
        id: of the record or event; `of` says which ("record" or "event").
        kind: fact, preference, decision, … for a record; turn or observation for an event.
        text: the statement, or what was said.
        score: the ranking score, in [0, 1]; `similarity` is the part that answers the question.
        shares: the contribution of each part of the score and each signal of the similarity, largest first; they sum to
            `score`.
        why: the largest shares in words.
        at: when it was said, or since when it holds; `valid_to`, if set, when it stopped holding. For a turn, when all
            stopped that it states.
        about: if the question names a time, the first moment of it that this is about, whenever it was said.
        status: of a record; of a turn, "expired" if it holds no more.
        superseded_by: the id of the event that ended it.
        over: of a turn that still holds in part, the ids of those of its statements that hold no more.
        later: the id of the latest turn by which a model judges it to be outdated, if nothing ended it: a later word,
            which stands directly above it if the model is sure. It may hold beside it.
        stratum: "episodic" (events), "semantic" (records), "procedural" (goals, strategies, tool calls), or "shared".
        source: the channel it came through: user_provided, agent, tool_extracted_content, …; `surface`: where it was
            captured; `category`: as it was observed, or as the record has it.
        recorded_at: when memoranda learnt it, beside `at`; of a record when this version of it was made.
        expires: when it will stop holding, if it is to.
        access_count, last_accessed: how often it was of use in an answer, and when last.
        entities: the names of the entities it mentions.
        evidence: of a record, the sentence it rests on, of the last of `sources` that can be seen, said at `said_at`;
            `role` and `speaker` tell who said it.
        message_id, attachment_id, filename: what it came from, as far as the host noted it in the metadata.
        cross_channel: it lies in another channel than the active one.
        collection: of what is shared, the id of the collection or pool that holds it.
        sources: ids of the events it is derived from (an event names itself).
        confidence: the probability that it bears on what was asked, the same scale for every question (see
            `core.recall.confidence`); weak unless a judge read it, as it does for an answer that ends.
        record_confidence, importance: of a record, as of the moment asked about: is it true, and does it matter. Both
            fade while it is not used (`core.beliefs.decay`); an event has 1 and 0.5, always.
        by: who says it, as a line of a context begins (`core.text.voices.voice`); empty for a record of the user's
            words. `speaker` is only a name, whatever its bearer is.
    """

    id: str
    of: str
    kind: str
    text: str
    score: float
    similarity: float
    shares: Mapping[str, float]
    why: str
    at: datetime
    valid_to: datetime | None = None
    about: datetime | None = None
    role: str = ""
    speaker: str | None = None
    conversation: str | None = None
    channel: str
    status: str = ""
    superseded_by: str | None = None
    over: tuple[str, ...] = ()
    later: str | None = None
    confidence: float = 0.0
    record_confidence: float = 1.0
    importance: float = 0.5
    sources: tuple[str, ...] = ()
    by: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    stratum: str = ""
    category: str | None = None
    source: str = ""
    surface: str | None = None
    connection: str | None = None
    recorded_at: datetime | None = None
    said_at: datetime | None = None
    expires: datetime | None = None
    access_count: int = 0
    last_accessed: datetime | None = None
    entities: tuple[str, ...] = ()
    evidence: str = ""
    message_id: str | None = None
    attachment_id: str | None = None
    filename: str | None = None
    cross_channel: bool = False
    collection: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLine:
    """A lasting statement about the user that bears on a question.

    Attributes:
        id: of the record.
        attribute, value: the property and its value, if it gives one.
        since: since when it holds.
        near: how near it is to the question, by words and meaning, from 0 to 2.
    """

    id: str
    text: str
    attribute: str | None
    value: Json
    since: datetime
    near: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a recall arrived at its answer.

    Attributes:
        arms: per arm, the ids it proposed, best first. If several parts were looked up, it is "ARM: PART"; what a
            technique asked is "TECHNIQUE: QUESTION".
        milliseconds: per step.
        left_out: ids of candidates that are not in the answer, each with the reason.
        searched: how many passages were visible.
        cross_channel: ids found in another channel than the active one.
        window: the time span parsed from the first of these parts that names one, if any.
        only_time: whether it asks for nothing but that time, so that whatever was said then answers.
        asked: the parts of the request that were looked up, the most likely first.
        techniques: for each technique tried, the questions it asked and how many of their answers counted.
    """

    arms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    searched: int = 0
    cross_channel: tuple[str, ...] = ()
    window: tuple[datetime | None, datetime | None] | None = None
    only_time: bool = False
    asked: tuple[str, ...] = ()
    techniques: Mapping[str, str] = field(default_factory=dict)

    def proposed(self) -> dict[str, set[str]]:
        """Return by arm and by technique the ids that it proposed for any part of the request."""
        found: dict[str, set[str]] = {}
        for name, ids in self.arms.items():
            found.setdefault(name.partition(": ")[0], set()).update(ids)
        return found

    def places(self, item: str) -> dict[str, int]:
        """Return the rank, from 1, of a memory in each arm that proposed it."""
        return {name: ids.index(item) + 1 for name, ids in self.arms.items() if item in ids}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer of recall; iterating gives its items.

    Attributes:
        items: best first; `by_stratum` groups them.
        goals: open goals that the question brings up by their `recall_when`, or asks for, the most pressing first.
        active_goals: the open goals that press whatever is asked: overdue ones first, then those due within a week or
            of priority 1 or 2; at most five.
        profile: what the profile says that bears on the question, the nearest first; at most five lines.
        strategies: the three that fit the question best.
        reason: why it is empty, or None.
        degraded: parts that were down, each with what happened; and what answers for lack of what was asked for.
        trace: how it came about.
    """

    items: tuple[Item, ...] = ()
    goals: tuple[Goal, ...] = ()
    active_goals: tuple[Goal, ...] = ()
    profile: tuple[ProfileLine, ...] = ()
    strategies: tuple[Fit, ...] = ()
    reason: str | None = None
    degraded: tuple[str, ...] = ()
    trace: Trace = field(default_factory=Trace)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def by_stratum(self) -> dict[str, tuple[Item, ...]]:
        """The items by stratum, the best of each first; a stratum without any is missing."""
        names = dict.fromkeys(item.stratum for item in self.items)
        return {name: tuple(item for item in self.items if item.stratum == name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a context: its tokens, and which memories are in and out.

    Attributes:
        budget: the tokens planned for it; `granted`: including what other sections left over; `used`: what its lines
            cost as they stand in the text, without the heading.
        included: ids in the text, in its order, each with why it is there; `excluded`: ids left out, with the reason.
        note: why the section was not requested, or had nothing to say.
    """

    name: str
    budget: int
    granted: int = 0
    used: int = 0
    included: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What goes into the prompt.

    Attributes:
        stable_prefix: who the user is, and what the host supplies that stays; byte-identical, for one budget, as long
            as `epoch` is the same, so that prompt caches hit. Put it first.
        volatile_tail: what this request needs.
        sections: the report, in the order of priority.
        budget, used: tokens, as `Settings.counter` counts them. What is used is what the sections use and `frame`:
            the date, the headings, the fences and what stands above the lines. It is never less than the text costs.
        epoch: changes when lasting knowledge about the user is learnt or ends, or what the host supplies changes.
        citations: the marks used in the text and the ids they stand for.
        degraded: parts that were down.
    """

    stable_prefix: str
    volatile_tail: str
    sections: tuple[Section, ...]
    budget: int
    used: int
    frame: int
    epoch: str
    citations: Mapping[str, str] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Prefix and tail, joined."""
        return "\n\n".join(part for part in (self.stable_prefix, self.volatile_tail) if part)


def explain(given: Mapping[str, float]) -> str:
    """Return the reasons for a score, the largest first: "it has words of the question, it is recent"."""
    sums: defaultdict[str, float] = defaultdict(float)
    for share, value in given.items():
        if reason := _REASON.get(share):
            sums[reason] += value
    largest = sorted(sums, key=lambda reason: -sums[reason])[:_TOLD]
    return ", ".join(reason for reason in largest if sums[reason] >= _LEAST) or "it is nearer than the rest"
