"""The tool that an agent's hooks call in place of a program: the same checkpoint, without a new process.

It is in no list of tools: what `patchpoint setup` writes names it, and no model is shown it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from patchpoint.hooks.failed_edit import BATCH_EVENT, feedback_on_batch
from patchpoint.hooks.missed import record_missed
from patchpoint.hooks.take import HookCall, answer_each
from patchpoint.mcp.call import Call, Reply, ToolError
from patchpoint.mcp.tools.parameters import HookArguments

_WAIT_S = 4.5
"""Seconds for which a lock is waited for, as in the program that it replaces."""


def answer_hook(call: Call, asked: HookArguments) -> Reply:
    """Take the checkpoint that an event asks for, and return what the program would print.

    Raises `ToolError` for a folder that is not one of the client's, and where there is no checkpoint.
    """
    folder = Path(asked.cwd).resolve()
    event = {name: _value(name, text) for name, text in asked.sent().items()}
    if not any(folder.is_relative_to(root) for root in call.roots):
        says = f"No checkpoint: {folder} is not below the folders of this server."
        record_missed(asked.agent, str(folder), event, says)
        raise ToolError(says, "outside-root")
    if asked.hook_event_name == BATCH_EVENT:
        # What it says of files is not to keep the agent from going on.
        with suppress(OSError, ValueError):
            return Reply(data=None, text=feedback_on_batch(_parsed(asked.tool_calls), str(folder)) or "{}")
        return Reply(data=None, text="{}")
    hooked = HookCall(agent=asked.agent, folder=str(folder), sent=json.dumps(event).encode(), wait=_WAIT_S)
    (answered,) = answer_each([hooked], call.progress)
    if answered is not None and answered.report:
        record_missed(asked.agent, str(folder), event, answered.report)
        raise ToolError(answered.report, "no-checkpoint")
    prints = answered.prints if answered is not None else ""
    return Reply(data=None, text=prints or "{}")


def _value(name: str, text: str) -> object:
    return _parsed(text) if name in ("tool_input", "tool_response") else text


def _parsed(text: str) -> object:
    """Return what an agent wrote as JSON into a text, or the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
