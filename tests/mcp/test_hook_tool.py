"""The tool that an agent's hooks call: the checkpoint that the program takes, and what it says to a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.hooks.setup.places import SERVER_TOOL, place_of
from tests.mcp.clients import Wire, request, wire


def interpolated(event: dict[str, Any]) -> dict[str, str]:
    """The arguments that Claude Code makes of an event, by what `patchpoint setup` writes for it."""
    entry: Any = place_of("claude").asking_server().entries[event["hook_event_name"]]
    (handler,) = entry["hooks"]
    assert handler["tool"] == SERVER_TOOL
    found = {}
    for name, value in handler["input"].items():
        given = event.get(value[2:-1], "") if value.startswith("${") else value
        found[name] = given if isinstance(given, str) else json.dumps(given)
    return found


def call(server: Wire, number: int, **event: Any) -> dict[str, Any]:
    return server.call(number, SERVER_TOOL, interpolated(event))


def step(project: Path, **more: Any) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse", "session_id": "s-1", "prompt_id": "p-1", "cwd": str(project),
        "tool_name": "Bash", "tool_use_id": "c-1", "tool_input": {"command": "rm README.md"}, **more,
    }  # fmt: skip


def batch(
    project: Path, old: str, response: str = "<tool_use_error>String to replace not found"
) -> dict[str, Any]:
    given = {"file_path": str(project / "till/tax.py"), "old_string": old, "new_string": "x"}
    calls = [{"tool_name": "Edit", "tool_input": given, "tool_response": response}]
    return {"hook_event_name": "PostToolBatch", "cwd": str(project), "tool_calls": calls}


def test_a_step_gets_its_checkpoint_and_what_it_did_is_recorded(project: Path) -> None:
    with wire(project) as server:
        server.initialize()
        taken = call(server, 1, **step(project))
        (project / "README.md").unlink()
        done = call(server, 2, **step(project, hook_event_name="PostToolUse", tool_response={"stdout": ""}))
    for result in (taken, done):
        assert result["content"] == [{"type": "text", "text": "{}"}]
        assert not result.get("isError")
    after, before = CheckpointStore.open(project).list()
    assert (before.label, before.session, before.message) == ("Before Bash: rm README.md", "s-1", "p-1")
    assert after.label == "After Bash: rm README.md"


def test_no_model_is_shown_it(project: Path) -> None:
    with wire(project) as server:
        server.initialize()
        server.send(request(1, "tools/list"))
        assert SERVER_TOOL not in {tool["name"] for tool in server.answer(1)["result"]["tools"]}


def test_a_folder_that_is_not_the_clients_gets_no_checkpoint(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with wire(project) as server:
        server.initialize()
        result = call(server, 1, **step(other))
    assert result["isError"]
    assert "not below" in result["content"][0]["text"]
    assert CheckpointStore.open(other).list() == ()


def test_a_server_that_only_reads_has_no_such_tool(project: Path) -> None:
    with wire(project, "--read-only") as server:
        server.initialize()
        server.send(request(1, "tools/call", {"name": SERVER_TOOL, "arguments": interpolated(step(project))}))
        assert "error" in server.answer(1)
    assert CheckpointStore.open(project).list() == ()


@pytest.mark.parametrize(
    ("old", "says"),
    [
        (
            "REDUCED = Decimal('0.05')  ",
            'the text to replace:\nREDUCED = Decimal("0.05")\n',
        ),
        ("    return tax", "occurs 2 times"),
        ("COMPLETELY = other", "no part of it is similar enough"),
    ],
)
def test_a_model_learns_why_its_own_edit_failed(project: Path, old: str, says: str) -> None:
    with wire(project) as server:
        server.initialize()
        result = call(server, 1, **batch(project, old))
    output = json.loads(result["content"][0]["text"])["hookSpecificOutput"]
    assert output["hookEventName"] == "PostToolBatch"
    assert says in output["additionalContext"]


@pytest.mark.parametrize(
    ("old", "response"),
    [
        ('REDUCED = Decimal("0.05")', "<tool_use_error>File has not been read yet"),
        ("COMPLETELY = other", "The file has been updated"),
    ],
)
def test_nothing_is_said_where_there_is_nothing_to_say(project: Path, old: str, response: str) -> None:
    with wire(project) as server:
        server.initialize()
        result = call(server, 1, **batch(project, old, response))
    assert result["content"] == [{"type": "text", "text": "{}"}]
