"""`--conversation`: the conversation goes back to the prompt with the files, or nothing does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.agent_turns import hook
from tests.cli.calls import Run
from tests.hooks.session_files import CLAUDE_SESSION, claude_file, claude_records, lines


@pytest.fixture
def tax(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that Claude Code has changed at its second prompt."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    claude_file(tmp_path / "claude", lines(claude_records(["one", "two"])))
    file = project / "till/tax.py"
    for prompt in ("one", "two"):
        fields = {"session_id": CLAUDE_SESSION, "prompt_id": prompt}
        hook("claude", project, "UserPromptSubmit", prompt=f"Prompt {prompt}", **fields)
        file.write_text(f"# {prompt}\n")
        hook("claude", project, "Stop", **fields)
    return file


def sessions(tmp_path: Path) -> int:
    return len(list((tmp_path / "claude").rglob("*.jsonl")))


def test_files_and_conversation_go_back_together(tax: Path, tmp_path: Path, run: Run) -> None:
    done = run("restore", "claude#2", "--conversation")
    assert tax.read_text() == "# one\n"
    assert sessions(tmp_path) == 2
    (said,) = [line for line in done.out.splitlines() if line.startswith("The conversation up to there: ")]
    resumed = said.rpartition(" ")[2]
    assert said.endswith(f"claude --resume {resumed}")
    assert (tmp_path / "claude/projects/-home-me-till" / f"{resumed}.jsonl").is_file()
    assert f"The old one stays: {CLAUDE_SESSION}" in done.out


def test_json_has_the_new_session_and_how_to_go_on(tax: Path, tmp_path: Path, run: Run) -> None:
    checked = run("restore", "claude#2", "--conversation", "--check", "--json").json["conversation"]
    assert (checked["session"], checked["resume"], sessions(tmp_path)) == (None, None, 1)
    said = run("restore", "claude#2", "--conversation", "--json").json
    assert said["conversation"]["forkedFrom"] == CLAUDE_SESSION
    assert said["conversation"]["resume"] == f"claude --resume {said['conversation']['session']}"
    assert len(said["written"]) == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("claude#1", "it began with this prompt. Nothing was restored; without --conversation, the files "
         "are. By hand: claude, for a new one."),
        ("last", "this checkpoint does not precede a prompt of an agent"),
    ],
)  # fmt: skip
def test_nothing_is_restored_where_the_conversation_cannot_go_back(
    tax: Path, tmp_path: Path, run: Run, name: str, reason: str
) -> None:
    done = run("restore", name, "--conversation")
    assert done.status == 1
    assert reason in done.err
    assert tax.read_text() == "# two\n"
    assert sessions(tmp_path) == 1


def test_a_session_file_of_an_unknown_kind_is_named_with_the_way_by_hand(
    tax: Path, tmp_path: Path, run: Run
) -> None:
    claude_file(tmp_path / "claude", [b"{}\n"])
    done = run("restore", "claude#2", "--conversation")
    assert "line 1 of its session file is of a kind that is not known" in done.err
    assert f"By hand: claude --resume {CLAUDE_SESSION}, then Esc twice, and pick the prompt." in done.err


def test_a_prompt_given_while_the_agent_is_at_work_is_none_to_go_back_to(
    tax: Path, project: Path, run: Run
) -> None:
    fields = {"session_id": CLAUDE_SESSION, "prompt_id": "two"}
    hook("claude", project, "UserPromptSubmit", prompt="And this", **fields)
    done = run("restore", "claude#3", "--conversation")
    assert "the prompt was given while the agent was at work" in done.err


def test_only_all_files_go_back_with_a_conversation(tax: Path, run: Run) -> None:
    done = run("restore", "claude#2", "till/tax.py", "--conversation")
    assert done.status == 2
    assert "name no paths" in done.err


def test_the_picker_puts_back_the_conversation_as_well(tax: Path, project: Path, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    assert pty
    from tests.cli.screen import screen_of

    with screen_of(["rewind", "--plain", "--conversation"], project, tmp_path / "state") as screen:
        screen.until("Go back to before which?")
        screen.press("claude#2", "\r")
        screen.until("[y/N]")
        screen.press("y", "\r")
        screen.until("The conversation up to there: claude --resume")
        assert screen.end() == 0
    assert tax.read_text() == "# one\n"
    assert sessions(tmp_path) == 2
    forked = [path for path in (tmp_path / "claude").rglob("*.jsonl") if path.stem != CLAUDE_SESSION]
    assert json.loads(forked[0].read_bytes().splitlines()[-1])["customTitle"] == "Before “Prompt two”"
