"""Turns of agents, as their hooks tell of them."""

from __future__ import annotations

import json
from pathlib import Path

from patchpoint.hooks.take import HookCall, answer_each

EVENTS = {
    "claude": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
    "codex": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
    "gemini": ("BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"),
}


def take_turn(folder: Path, agent: str, prompt: str, content: str, file: str = "shop/cart.py") -> None:
    """Have an agent do what a prompt asks for, by one command that writes a file."""
    begin, before, after, end = EVENTS[agent]
    step = {
        "tool_name": "run_shell_command" if agent == "gemini" else "Bash",
        "tool_input": {"command": f"write {file}"},
        "tool_use_id": prompt,
    }
    hook(agent, folder, begin, prompt=prompt, prompt_id=prompt)
    hook(agent, folder, before, **step)
    (folder / file).write_text(content)
    hook(agent, folder, after, **step)
    hook(agent, folder, end)


def hook(agent: str, folder: Path, event: str, **fields: object) -> None:
    """Call the hook of an agent for one event."""
    sent = {"session_id": f"{agent}-session", "cwd": str(folder), "hook_event_name": event, **fields}
    call = HookCall(agent=agent, folder=str(folder), sent=json.dumps(sent).encode(), wait=5)
    (answered,) = answer_each([call])
    assert answered is not None
    assert not answered.report
