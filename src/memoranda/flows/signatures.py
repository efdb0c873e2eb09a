"""The types in the methods' signatures, in one place: loaded when somebody resolves them, to make a tool of a method.

The facades write these names as strings (`"flows.signatures.Recalled"`), so that naming them imports nothing.
"""

from memoranda.core.beliefs.profile import Profile
from memoranda.core.context.host_content import Content
from memoranda.core.evaluation.labels import Question
from memoranda.core.evaluation.usage import Metrics
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.recall.results import Context, Recalled
from memoranda.core.rows import AuditEntry
from memoranda.core.rows.jobs import Worked
from memoranda.flows.capture.capture import Captured
from memoranda.flows.consolidation.backlog import Logged
from memoranda.flows.consolidation.processor import Consolidated
from memoranda.flows.context.context import Provider
from memoranda.flows.context.evaluate import Configuration, Evaluation
from memoranda.flows.governance.costs import Budgets, Costs
from memoranda.flows.governance.doctor import Health
from memoranda.flows.governance.rebuild import Rebuilt
from memoranda.flows.governance.transfer import Imported, Progress
from memoranda.flows.recall.inspect import Why
from memoranda.flows.recall.recall import Ask
from memoranda.flows.runtime.runtime import Runtime, Settings
from memoranda.flows.strata.flush import Flushed
from memoranda.flows.upkeep.jobs import JobStatus, Ran
from memoranda.flows.upkeep.reembed import Reembedded

__all__ = [
    "Ask",
    "AuditEntry",
    "Budgets",
    "Captured",
    "Configuration",
    "Consolidated",
    "Content",
    "Context",
    "Conversation",
    "Costs",
    "Evaluation",
    "Flushed",
    "Health",
    "Imported",
    "JobStatus",
    "Logged",
    "Message",
    "Metrics",
    "Profile",
    "Progress",
    "Provider",
    "Question",
    "Ran",
    "Rebuilt",
    "Recalled",
    "Reembedded",
    "Runtime",
    "Settings",
    "Why",
    "Worked",
]
