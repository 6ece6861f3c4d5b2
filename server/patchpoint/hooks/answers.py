"""What each agent expects a hook to print; for most, and for one that is not known, that is nothing."""

from __future__ import annotations

from collections.abc import Mapping

from patchpoint.hooks.events import HookEvent, Moment


def answer(agent: str | None, event: HookEvent, data: object) -> str:
    """Return what to print for an agent, known by its name or by the shape of what it sent.

    Nothing that is printed decides anything: no tool is allowed or denied by it, and no context is added.
    Gemini CLI reads standard error as the result where standard output is empty; Cursor demands JSON.
    """
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
