"""Session files of agents, in the form in which Claude Code 2.1 and Codex 0.169 write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CLAUDE_SESSION = "4b15ab70-5a35-4392-b392-f07b764fb675"
CODEX_SESSION = "01a21563-caf0-7ff0-bca3-c517db168c4c"


def lines(records: list[dict[str, Any]]) -> list[bytes]:
    return [json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in records]


def claude_records(prompts: list[str]) -> list[dict[str, Any]]:
    """A conversation in which each prompt `p` has the id `p`, and is answered by a tool and a text."""
    found: list[dict[str, Any]] = []
    last: str | None = None

    def add(kind: str, name: str, **more: Any) -> None:
        nonlocal last
        said = {"parentUuid": last, "isSidechain": False, "type": kind, "uuid": name, "version": "2.1.197"}
        found.append({**said, "sessionId": CLAUDE_SESSION, "slug": "a-plan", **more})
        last = name

    for prompt in prompts:
        setting = {"sessionId": CLAUDE_SESSION}
        found.append({"type": "queue-operation", "operation": "enqueue", "content": prompt, **setting})
        add("user", f"{prompt}-1", promptId=prompt, message={"role": "user", "content": prompt})
        add("assistant", f"{prompt}-2", message={"content": [{"type": "tool_use", "id": "t"}]})
        result = [{"type": "tool_result", "tool_use_id": "t"}]
        add("user", f"{prompt}-3", promptId=prompt, message={"role": "user", "content": result})
        add("assistant", f"{prompt}-4", message={"content": [{"type": "text", "text": "Done 😀"}]})
        found.append({"type": "last-prompt", "lastPrompt": prompt, "leafUuid": f"{prompt}-4", **setting})
    return found


def codex_records(turns: list[str], thread: str = CODEX_SESSION, first: int = 0) -> list[dict[str, Any]]:
    """A conversation with these turns, whose lines are numbered from `first`."""
    meta = {"id": thread, "session_id": thread, "history_mode": "paginated", "cli_version": "0.169.0"}
    found: list[dict[str, Any]] = [{"type": "session_meta", "payload": meta}]
    for turn in turns:
        said = [{"type": "input_text", "text": turn}]
        found += [
            {"type": "event_msg", "payload": {"type": "task_started", "turn_id": turn}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": said}},
            {"type": "event_msg", "payload": {"type": "task_complete", "turn_id": turn}},
        ]
    return [
        {"timestamp": "2026-11-26T01:06:31.354Z", "ordinal": n, **each} for n, each in enumerate(found, first)
    ]


def claude_file(home: Path, content: list[bytes]) -> Path:
    path = home / "projects" / "-home-me-till" / f"{CLAUDE_SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(content))
    return path


def codex_file(home: Path, content: list[bytes], thread: str = CODEX_SESSION) -> Path:
    path = home / "sessions" / "2026" / "11" / "26" / f"rollout-2026-11-26T01-06-31-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(content))
    return path
