"""Which calls of a hook announce nothing: a tool that only reads, of an agent that expects no answer.

It is all that is loaded for them: where an agent's hooks are called for every tool, they are the most.
"""

from __future__ import annotations

from patchpoint.hooks.fields import Fields, plain
from patchpoint.hooks.tools.names import READERS

STEPS = {"pretooluse", "beforetool", "beforeshellexecution", "beforemcpexecution", "toolexecutebefore"}
"""The events before a tool, as `plain` writes them."""
FILE_EDITED = "afterfileedit"
FAILED_STEP = "posttoolusefailure"
AFTER_STEPS = {
    FILE_EDITED, FAILED_STEP, "posttooluse", "aftertool", "aftershellexecution", "aftermcpexecution",
    "toolexecuteafter",
}  # fmt: skip
"""The events after one."""

_EXPECT_NOTHING = ("claude", "codex", "copilot", "opencode", "pi", "kilo", "droid")


def is_passed_over(agent: str | None, given: Fields) -> bool:
    """Return whether nothing is about to change, or has, by what the agent sends, and nothing is printed."""
    if agent not in _EXPECT_NOTHING or plain(given.text("toolname", "tool")) not in READERS:
        return False
    event = plain(given.text("hookeventname", "eventname", "event", "agentactionname", "type"))
    return event in STEPS or event in AFTER_STEPS
