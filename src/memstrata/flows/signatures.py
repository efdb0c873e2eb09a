"""The types in the methods' signatures, in one place: loaded when somebody resolves them, to make a tool of a method.

The facades write these names as strings (`"flows.signatures.Recalled"`), so that naming them imports nothing.
"""

from memstrata.core.brought import Content
from memstrata.core.formats.conversation import Conversation, Message
from memstrata.core.labels import Question
from memstrata.core.online import Metrics
from memstrata.core.results import Context, Profile, Recalled
from memstrata.core.rows import AuditEntry
from memstrata.core.running import Worked
from memstrata.flows.backlog import Logged
from memstrata.flows.capture import Captured
from memstrata.flows.context import Provider
from memstrata.flows.costs import Budgets, Costs
from memstrata.flows.doctor import Health
from memstrata.flows.evaluate import Configuration, Evaluation
from memstrata.flows.flush import Flushed
from memstrata.flows.inspect import Why
from memstrata.flows.jobs import Ran, Standing
from memstrata.flows.processor import Consolidated
from memstrata.flows.rebuild import Rebuilt
from memstrata.flows.recall import Ask
from memstrata.flows.reembed import Reembedded
from memstrata.flows.runtime import Runtime, Settings
from memstrata.flows.transfer import Imported, Progress

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
    "Standing",
    "Why",
    "Worked",
]
