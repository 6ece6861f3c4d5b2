"""`patchpoint log --agent-trace`: the lines that agents wrote, never one that somebody else did."""

from __future__ import annotations

import hashlib
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.cli.calls import Run
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import Folder, call_hook

SCHEMA = Path(__file__).parents[1] / "data" / "agent_trace" / "trace-record.json"
HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "6"))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    made = WorkingTree.create(tmp_path / "tree")
    monkeypatch.chdir(made.root)
    return made


def edit(root: Path, file: str, old: str, new: str, tool: str = "Edit") -> None:
    """Have an agent edit a file, or run a command that does the same."""
    path, at = root / file, {"session_id": "s 1", "prompt_id": "p"}
    if tool == "Edit":
        given = {"file_path": str(path), "old_string": old, "new_string": new}
    else:
        given = {"command": "make"}
    step = {"tool_name": tool, "tool_input": given, "tool_use_id": new}
    call_hook(root, hook_event_name="UserPromptSubmit", prompt="Go on", **at)
    call_hook(root, hook_event_name="PreToolUse", **step, **at)
    path.write_text(path.read_text().replace(old, new))
    call_hook(root, hook_event_name="PostToolUse", **step, **at)
    call_hook(root, hook_event_name="Stop", **at)


def records(text: str) -> list[dict[str, Any]]:
    """The records of Agent Trace in a text, each as the specification has them."""
    found = [json.loads(line) for line in text.splitlines()]
    for each in found:
        Draft202012Validator(json.loads(SCHEMA.read_text())).validate(each)
    return found


def by_line(record: dict[str, Any], path: str) -> dict[int, str]:
    """Who wrote each line of a file, by its number: the URL of a conversation, or what is said instead."""
    (file,) = [each for each in record["files"] if each["path"] == path]
    return {
        number: each.get("url") or each["contributor"]["type"]
        for each in file["conversations"]
        for one in each["ranges"]
        for number in range(one["start_line"], one["end_line"] + 1)
    }


def test_only_what_an_edit_said_is_an_agents(tree: WorkingTree, run: Run) -> None:
    tree.write({"n.txt": "a\nb\nc\nd\n"})
    edit(tree.root, "n.txt", "b\n", "B\nBB\n")
    edit(tree.root, "n.txt", "d\n", "D\n", tool="Bash")
    tree.write({"n.txt": "a\nB\nBB\nmine\nD\n"})
    (record,) = records(run("log", "--agent-trace").out)
    assert by_line(record, "n.txt") == {
        1: "unknown",
        2: "patchpoint:claude/s%201/p",
        3: "patchpoint:claude/s%201/p",
        4: "unknown",
        5: "unknown",
    }
    assert "vcs" not in record
    (ai,) = [each for each in record["files"][0]["conversations"] if "url" in each]
    assert ai["contributor"] == {"type": "ai"}
    digest = hashlib.sha256(b"B\nBB\n").hexdigest()
    assert ai["ranges"] == [{"start_line": 2, "end_line": 3, "content_hash": f"sha256:{digest}"}]


def test_a_revision_is_named_for_the_files_that_it_has_like_this(tree: WorkingTree, run: Run) -> None:
    tree.write({"n.txt": "a\n", "m.txt": "a\n"})
    edit(tree.root, "n.txt", "a\n", "b\n")
    edit(tree.root, "m.txt", "a\n", "b\n")
    tree.git("add", "n.txt")
    tree.git("commit", "--quiet", "--message", "n")
    committed, other = records(run("log", "--agent-trace").out)
    assert [each["path"] for each in committed["files"]] == ["n.txt"]
    assert committed["vcs"] == {"type": "git", "revision": tree.git("rev-parse", "HEAD").strip()}
    assert [each["path"] for each in other["files"]] == ["m.txt"]
    assert "vcs" not in other


def test_a_file_of_traces_keeps_what_other_tools_wrote(tree: WorkingTree, run: Run) -> None:
    tree.write({"n.txt": "a\n"})
    edit(tree.root, "n.txt", "a\n", "b\n")
    file = tree.root / ".agent-trace" / "traces.jsonl"
    for _ in range(2):
        done = run("log", "--agent-trace", "-o", ".agent-trace/traces.jsonl")
        assert done.out == "Wrote who wrote the lines of 1 file to .agent-trace/traces.jsonl.\n"
        assert len(records(file.read_text())) == 1
    others = b'{"tool":{"name":"cursor"}}\r\n\n{"tool":"a name"}'
    file.write_bytes(others)
    run("log", "--agent-trace", "-o", ".agent-trace/traces.jsonl")
    assert file.read_bytes().startswith(others + b"\n{")
    assert len(file.read_bytes().splitlines()) == 4


@pytest.mark.parametrize("content", [b"\x89P", b'{"tool":1}\n[]\n', b"one\ntwo", b"\xff\xfe{\x00"])
def test_a_file_that_is_no_trace_is_left_alone(tree: WorkingTree, run: Run, content: bytes) -> None:
    tree.write({"n.txt": "a\n", "picture.png": content})
    edit(tree.root, "n.txt", "a\n", "b\n")
    done = run("log", "--agent-trace", "-o", "picture.png")
    assert done.status == 2
    assert "picture.png is left alone: its line" in done.err
    assert (tree.root / "picture.png").read_bytes() == content


@pytest.mark.skipif(os.name == "nt", reason="there are no FIFOs and no such permissions")
def test_a_file_of_traces_is_no_other_file_afterwards(tree: WorkingTree, run: Run) -> None:
    tree.write({"n.txt": "a\n", "traces.jsonl": ""})
    edit(tree.root, "n.txt", "a\n", "b\n")
    file, link, fifo = (tree.root / name for name in ("traces.jsonl", "link", "fifo"))
    file.chmod(0o600)
    link.symlink_to(file.name)
    assert run("log", "--agent-trace", "-o", "link").status == 0
    assert link.is_symlink()
    assert len(records(file.read_text())) == 1
    assert file.stat().st_mode & 0o777 == 0o600
    os.mkfifo(fifo)
    done = run("log", "--agent-trace", "-o", "fifo")
    assert (done.status, "only regular files" in done.err) == (3, True)
    assert fifo.is_fifo()


def test_there_is_no_record_where_no_agent_wrote_a_line(tree: WorkingTree, run: Run) -> None:
    tree.write({"n.txt": "a\n"})
    assert run("checkpoint").status == 0
    tree.write({"n.txt": "b\n"})
    assert run("log", "--agent-trace").out == ""
    assert run("log", "-o", "traces.jsonl").status == 2


def test_in_random_histories_no_line_is_given_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    agents = 0
    for seed in range(HISTORIES):
        tree = WorkingTree.create(tmp_path / str(seed))
        folder = Folder(tree.root, random.Random(seed))
        folder.begin()
        for _ in range(folder.chance.randint(20, 50)):
            folder.act()
        folder.finish()
        monkeypatch.chdir(tree.root)
        for record in records(run("log", "--agent-trace").out):
            for file in record["files"]:
                lines = (tree.root / file["path"]).read_text().splitlines()
                for number, by in by_line(record, file["path"]).items():
                    if by != "unknown":
                        session = by.split("/")[1]
                        assert lines[number - 1].split()[0] == session, (seed, file["path"], number)
                        agents += 1
    assert agents > 3 * HISTORIES
