"""What agents send their hooks is read alike, however they spell it; see the examples in tests/data/hooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from patchpoint.hooks.answers import answer
from patchpoint.hooks.events import HookEvent, Moment, read_event
from patchpoint.hooks.firings import AGENTS

EXAMPLES = Path(__file__).parent.parent / "data" / "hooks"
FOLDER = "/home/someone/till"
ROUND = "Round the tax half up"

PROMPT, STEP, END, OTHER = Moment.PROMPT, Moment.STEP, Moment.END, Moment.OTHER
AFTER = Moment.AFTER_STEP

EXPECTED: dict[str, list[tuple[Moment, str, str | None, str]]] = {
    "claude": [
        (PROMPT, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", "b0d7e6c2-40c3-4f0e-9d2e-4c9d1f8f1f10",
         "Round the tax half up. The office wants it so."),
        (STEP, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", "b0d7e6c2-40c3-4f0e-9d2e-4c9d1f8f1f10",
         "Before Bash: git checkout -- till/"),
        (STEP, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", "b0d7e6c2-40c3-4f0e-9d2e-4c9d1f8f1f10",
         f"Before Edit: {FOLDER}/till/tax.py"),
        (OTHER, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", "b0d7e6c2-40c3-4f0e-9d2e-4c9d1f8f1f10", ""),
        (AFTER, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", None, "After Bash: ls"),
        (END, "6f2a1c1e-8a4b-4c55-9f57-0a3f5a7c9d21", None, "After a turn"),
    ],
    "codex": [
        (PROMPT, "0199a213-81c0-7800-8aa1-bbab2a035a53", "4", ROUND),
        (STEP, "0199a213-81c0-7800-8aa1-bbab2a035a53", "4", "Before Bash: rm -rf build"),
        (STEP, "0199a213-81c0-7800-8aa1-bbab2a035a53", "4", "Before apply_patch: till/tax.py"),
        (OTHER, "0199a213-81c0-7800-8aa1-bbab2a035a53", None, ""),
    ],
    "gemini": [
        (PROMPT, "c5d2a0b9", "2026-11-07T10:01:02.345Z", ROUND),
        (STEP, "c5d2a0b9", None, "Before run_shell_command: git stash"),
        (OTHER, "c5d2a0b9", None, ""),
        (END, "c5d2a0b9", None, "After a turn"),
    ],
    "cursor": [
        (PROMPT, "668320d2-2fd8-4888-b33c-2a466fec86e7", "490b90b7-a2ce-4c2c-bb76-cb77b125df2f", ROUND),
        (STEP, "668320d2-2fd8-4888-b33c-2a466fec86e7", "490b90b7-a2ce-4c2c-bb76-cb77b125df2f",
         "Before a command: git reset --hard"),
        (STEP, "668320d2-2fd8-4888-b33c-2a466fec86e7", "490b90b7-a2ce-4c2c-bb76-cb77b125df2f",
         f"Before Write: {FOLDER}/till/tax.py"),
        (AFTER, "668320d2-2fd8-4888-b33c-2a466fec86e7", "490b90b7-a2ce-4c2c-bb76-cb77b125df2f",
         f"After edit: {FOLDER}/till/tax.py"),
    ],
    "copilot": [
        (PROMPT, "a1b2c3", "1704614500000", ROUND),
        (STEP, "a1b2c3", None, "Before bash: rm -rf dist"),
        (STEP, "a1b2c3", None, f"Before edit: {FOLDER}/till/tax.py"),
        (AFTER, "a1b2c3", None, f"After edit: {FOLDER}/till/tax.py"),
        (OTHER, "a1b2c3", None, ""),
        (PROMPT, "a1b2c3", "2026-11-07T10:01:02.345Z", ROUND),
        (END, "a1b2c3", None, "After a turn"),
    ],
    "opencode": [
        (PROMPT, "ses_5f1", "msg_a0", ROUND),
        (STEP, "ses_5f1", None, "Before bash: git clean -fd"),
        (STEP, "ses_5f1", None, f"Before edit: {FOLDER}/till/tax.py"),
        (OTHER, "ses_5f1", None, ""),
        (END, "ses_5f1", None, "After a turn"),
    ],
    "kilo": [
        (PROMPT, "ses_dea6", "msg_2159", ROUND),
        (STEP, "ses_dea6", "msg_2159", "Before bash: git clean -fd"),
        (AFTER, "ses_dea6", "msg_2159", f"After edit: {FOLDER}/till/tax.py"),
        (END, "ses_dea6", "msg_2159", "After a turn"),
    ],
    "droid": [
        (PROMPT, "0aa90d4f-8989-4348-9e42-de5d15c3ae3f", "7c1", ROUND),
        (STEP, "0aa90d4f-8989-4348-9e42-de5d15c3ae3f", None, "Before Execute: git clean -fd"),
        (AFTER, "0aa90d4f-8989-4348-9e42-de5d15c3ae3f", None, f"After Edit: {FOLDER}/till/tax.py"),
        (END, "0aa90d4f-8989-4348-9e42-de5d15c3ae3f", None, "After a turn"),
        (END, "0aa90d4f-8989-4348-9e42-de5d15c3ae3f", None, "After a turn"),
    ],
    "qwen": [
        (PROMPT, "q-7c1", "2026-11-24T10:01:02.345Z", ROUND),
        (OTHER, "q-7c1", None, ""),
        (STEP, "q-7c1", None, "Before run_shell_command: git clean -fd"),
        (AFTER, "q-7c1", None, f"After edit: {FOLDER}/till/tax.py"),
        (END, "q-7c1", None, "After a turn"),
    ],
    "pi": [
        (PROMPT, "019e-7", "2026-11-25T22:54:01.345Z", ROUND),
        (STEP, "019e-7", "2026-11-25T22:54:01.345Z", "Before bash: git clean -fd"),
        (AFTER, "019e-7", "2026-11-25T22:54:01.345Z", "After edit: till/tax.py"),
        (END, "019e-7", "2026-11-25T22:54:01.345Z", "After a turn"),
    ],
    "unknown": [
        (PROMPT, "s-1", None, ROUND),
        (PROMPT, "t-1", "e-1", ROUND),
        (STEP, "th-9", "7", "Before terminal: git clean -fdx"),
        (OTHER, "42", None, ""),
    ],
}  # fmt: skip


def examples(agent: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((EXAMPLES / f"{agent}.json").read_text(encoding="utf-8"))
    return found


def test_there_are_examples_for_every_agent() -> None:
    assert set(EXPECTED) == {*AGENTS, "unknown"} == {path.stem for path in EXAMPLES.glob("*.json")}


@pytest.mark.parametrize("agent", EXPECTED)
def test_what_an_agent_sends_is_a_moment_of_a_session_and_a_turn(agent: str) -> None:
    sent = examples(agent)
    assert len(sent) == len(EXPECTED[agent])
    for data, (moment, session, turn, label) in zip(sent, EXPECTED[agent], strict=True):
        event = read_event(data)
        assert (event.moment, event.session, event.turn) == (moment, session, turn), data
        if moment is not OTHER:
            assert event.label == label
        if agent != "unknown" or "workspacePaths" in data:
            assert event.folder == FOLDER


@pytest.mark.parametrize("agent", EXPECTED)
def test_an_agent_is_answered_alike_with_and_without_its_name(agent: str) -> None:
    for data in examples(agent):
        event = read_event(data)
        named = answer(agent if agent in AGENTS else None, event, data)
        assert answer(None, event, data) == named
        assert (named == "") is (agent not in ("gemini", "cursor"))
        if named:
            decided = json.loads(named)
            assert decided == ({"continue": True} if agent == "cursor" and event.moment is PROMPT else {})


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["session_id", "sessionId", "hook_event_name", "event", "prompt", "tool_name", "toolArgs", "tool_input",
     "cwd", "workspace_roots", "turn_id", "timestamp", "command", "\ud800"]
)  # fmt: skip


@given(st.dictionaries(KEYS, JSON | st.text(st.characters(), max_size=400)) | JSON)
@example({"toolArgs": "\ud800", "tool": "x"})
def test_whatever_is_sent_is_read(data: object) -> None:
    event = read_event(data)
    for text in (event.session, event.turn, event.folder, event.label):
        assert text is None or text.encode("utf-8") is not None
    assert "\n" not in event.label
    assert len(event.label) < 400
    for agent in (None, *AGENTS):
        said = answer(agent, event, data)
        assert said == "" or isinstance(json.loads(said), dict)


def test_a_label_has_whole_words_and_an_end() -> None:
    long = HookEvent(moment=PROMPT, prompt="word " * 1000)
    assert long.label == " ".join(["word"] * 12)
    assert HookEvent(moment=PROMPT, prompt="x" * 1000).label == "x" * 60
    assert HookEvent(moment=PROMPT).label == "Before a turn"
    assert HookEvent(moment=STEP).label == "Before a step"


@pytest.mark.parametrize(
    ("tool", "arguments", "writes"),
    [
        (
            "Edit",
            {"file_path": "/home/someone/till/tax.py", "old_string": "a"},
            ("/home/someone/till/tax.py",),
        ),
        ("NotebookEdit", {"notebook_path": "a.ipynb"}, ("a.ipynb",)),
        ("write_file", {"file_path": "a.py", "content": "path: b.py"}, ("a.py",)),
        ("str_replace_editor", {"command": "create", "path": "a.py"}, ("a.py",)),
        (
            "multi_replace_string_in_file",
            {"replacements": [{"filePath": "a"}, {"filePath": "b"}]},
            ("a", "b"),
        ),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n*** Add File: c.py \n"},
            ("a.py", "b.py", "c.py"),
        ),
        ("apply_patch", "*** Begin Patch\n*** Delete File: a.py\n", ("a.py",)),
        ("Write", '{"file_path": "a.py"}', ("a.py",)),
        ("Edit", {"old_string": "a"}, None),
        ("Bash", {"command": "echo > a.py", "file_path": "a.py"}, None),
        ("mcp__disk__write", {"path": "a.py"}, None),
    ],
)
def test_a_tool_that_edits_names_the_files_that_it_writes(
    tool: str, arguments: object, writes: tuple[str, ...] | None
) -> None:
    event = read_event({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments})
    assert event.moment is Moment.STEP
    assert event.writes == writes


def test_a_turn_that_failed_has_ended() -> None:
    assert read_event({"hook_event_name": "StopFailure", "session_id": "s"}).moment is Moment.END
