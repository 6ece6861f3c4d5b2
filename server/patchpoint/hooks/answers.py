"""What each agent expects a hook to print; for most, and for one that is not known, that is nothing.

Before a prompt, most take text that their model is given with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from patchpoint.hooks.events import HookEvent, Moment


def takes_context(data: object) -> str:
    """Return the name of the event with which the agent takes text for its model, or nothing."""
    name = data.get("hook_event_name") if isinstance(data, Mapping) else None
    return name if name in ("UserPromptSubmit", "BeforeAgent") else ""


def answer(agent: str | None, event: HookEvent, data: object, context: str = "") -> str:
    """Return what to print for an agent, known by its name or by the shape of what it sent.

    Nothing that is printed decides anything: no tool is allowed or denied by it. `context` is what its model
    is given with a prompt, if the agent takes any. Gemini CLI reads standard error as the result where
    standard output is empty; Cursor demands JSON.
    """
    if context and (asked := takes_context(data)):
        said = {"hookEventName": asked, "additionalContext": context}
        return f"{json.dumps({'hookSpecificOutput': said})}\n"
    name = agent or _recognised(data)
    if name == "gemini":
        return "{}\n"
    if name == "cursor":
        return '{"continue": true}\n' if event.moment is Moment.PROMPT else "{}\n"
    return ""


def _recognised(data: object) -> str:
    if not isinstance(data, Mapping):
        return ""
    if "conversation_id" in data and {"generation_id", "cursor_version", "workspace_roots"} & set(data):
        return "cursor"
    if data.get("hook_event_name") in ("BeforeAgent", "BeforeTool", "AfterAgent", "AfterTool"):
        return "gemini"
    return ""
