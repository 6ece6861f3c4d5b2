"""The steps of a turn of Claude Code whose hooks were never called, by the session file that it names.

Hooks that call a server's tool are passed over without a word while that server is not connected. The end of
the turn calls a program, which always can be started.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from patchpoint.checkpoints.record.steps import announced_in
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.hooks.missed import record_missed, was_missed
from patchpoint.hooks.tools.names import CLAUDE_STEPS

_TAIL = 1024 * 1024
"""Bytes of the end of a session file that are read."""
_MOST = 50
"""Steps of a turn that are recorded as missed."""
_SAYS = (
    "Claude Code did not call its hook; /mcp there shows whether the server patchpoint is connected. Where "
    "it cannot be, remove it there, and call `patchpoint setup claude` again: the hooks need none then"
)


def record_unrecorded(directory: Path, folder: str, session: str, transcript: str) -> None:
    """Record each step of the last turn in a session file of Claude Code that nothing is known of.

    `directory` is the repository's of Patchpoint. Raises `OSError`.
    """
    steps = steps_of_turn(transcript)
    recorded = announced_in(directory, steps)
    for call, sent in steps.items():
        if call not in recorded and not was_missed(call):
            record_missed("claude", folder, {**sent, "session_id": session}, _SAYS)


def steps_of_turn(transcript: str) -> dict[str, dict[str, object]]:
    """Return the steps since the last prompt of a session file, by what the agent calls each: what its hook
    would have been sent, without the session. Raises `OSError`.
    """
    steps: dict[str, dict[str, object]] = {}
    for record in _from_the_end(Path(transcript)):
        if record.get("isSidechain"):
            continue
        content = _content(record)
        is_result = any(part.get("type") == "tool_result" for part in content)
        if record.get("type") == "user" and not is_result and not record.get("isMeta"):
            break
        for part in content:
            tool, call = part.get("name"), part.get("id")
            if part.get("type") == "tool_use" and tool in CLAUDE_STEPS and isinstance(call, str):
                steps[call] = {
                    "hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": call,
                    "tool_input": part.get("input"),
                }  # fmt: skip
    return dict(list(steps.items())[:_MOST][::-1])


def _from_the_end(path: Path) -> Iterator[Mapping[str, object]]:
    with open_to_read(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        lines = file.read(_TAIL).splitlines()
    for line in reversed(lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut at its beginning, or still being written
        if isinstance(record, dict):
            yield record


def _content(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the parts of a message that say what kind they are."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
