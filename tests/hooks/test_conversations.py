"""A conversation of an agent is put back to a prompt as a new session, and the old one stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from patchpoint.hooks.conversations.errors import CannotForkError, FirstPromptError
from patchpoint.hooks.conversations.fork import conversation_fork
from tests.hooks.session_files import (
    CLAUDE_SESSION,
    CODEX_SESSION,
    claude_file,
    claude_records,
    codex_file,
    codex_records,
    lines,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    return tmp_path


def claude_fork(turn: str) -> list[dict[str, Any]]:
    """Write a fork of the session of Claude Code, and return its records."""
    fork = conversation_fork("claude", CLAUDE_SESSION, turn, "Write tests")
    fork.write()
    assert fork.resume == f"claude --resume {fork.session}"
    return [json.loads(line) for line in fork.path.read_bytes().splitlines()]


def codex_fork(turn: str, thread: str = CODEX_SESSION) -> dict[str, Any]:
    """Write a fork of a session of Codex, and return its only record."""
    fork = conversation_fork("codex", thread, turn, "Write tests")
    fork.write()
    (record,) = [json.loads(line) for line in fork.path.read_bytes().splitlines()]
    assert fork.path.name.endswith(f"-{fork.session}.jsonl")
    found: dict[str, Any] = record
    return found


def test_a_fork_of_claude_ends_before_the_prompt(home: Path) -> None:
    path = claude_file(home, lines(claude_records(["one", "two", "three"])))
    before = path.read_bytes()
    records = claude_fork("three")
    *kept, title = records
    assert [each["uuid"] for each in kept] == [f"{p}-{n}" for p in ("one", "two") for n in range(1, 5)]
    assert len({each["sessionId"] for each in records} - {CLAUDE_SESSION}) == 1
    assert not any("slug" in each for each in kept)
    assert title["customTitle"] == "Before “Write tests”"
    assert b"three" not in json.dumps(records).encode()
    assert path.read_bytes() == before
    assert sorted(each.suffix for each in path.parent.iterdir()) == [".jsonl", ".jsonl"]


def test_what_was_gone_back_on_in_claude_is_not_gone_on_with(home: Path) -> None:
    records = claude_records(["one", "two", "three"])
    (three,) = [each for each in records if each.get("uuid") == "three-1"]
    three["parentUuid"] = "one-4"
    claude_file(home, lines(records))
    assert claude_fork("three")[-2]["uuid"] == "one-4"


def test_subagents_and_settings_of_claude_stay_behind(home: Path) -> None:
    records = claude_records(["one", "two"])
    own = {"type": "assistant", "uuid": "side", "parentUuid": None, "isSidechain": True, "sessionId": "s"}
    replaced = {"type": "content-replacement", "sessionId": CLAUDE_SESSION, "replacements": []}
    claude_file(home, lines([*records[:3], own, replaced, {"type": "mode", "mode": "plan"}, *records[3:]]))
    kinds = [each["type"] for each in claude_fork("two")]
    assert kinds == ["user", "assistant", "user", "assistant", "content-replacement", "custom-title"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"no JSON\n", "line 3 of its session file is of a kind that is not known"),
        (b"[]\n", "line 3"),
        (b'{"type":"telepathy","uuid":"u","parentUuid":"one-1"}\n', "line 3"),
        (b'{"type":"user","uuid":"u","parentUuid":"one-1","version":"3.0.1"}\n', "line 3"),
    ],
)
def test_nothing_is_made_of_records_of_claude_that_are_not_known(
    home: Path, line: bytes, reason: str
) -> None:
    content = lines(claude_records(["one", "two"]))
    path = claude_file(home, [*content[:2], line, *content[2:]])
    with pytest.raises(CannotForkError, match=reason):
        conversation_fork("claude", CLAUDE_SESSION, "two", "")
    assert list(path.parent.iterdir()) == [path]


def test_what_comes_after_the_prompt_need_not_be_known(home: Path) -> None:
    claude_file(home, [*lines(claude_records(["one", "two"])), b'{"type":"telepathy","uuid":"u"}\n{"typ'])
    assert claude_fork("two")[-2]["uuid"] == "one-4"


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_there_is_nothing_before_the_first_prompt_nor_before_one_that_is_not_there(
    home: Path, agent: str
) -> None:
    claude_file(home, lines(claude_records(["one", "two"])))
    codex_file(home, lines(codex_records(["one", "two"])))
    session = CLAUDE_SESSION if agent == "claude" else CODEX_SESSION
    with pytest.raises(FirstPromptError):
        conversation_fork(agent, session, "one", "")
    with pytest.raises(CannotForkError, match="does not name the prompt"):
        conversation_fork(agent, session, "four", "")


def test_a_fork_of_codex_says_up_to_where_its_history_goes(home: Path) -> None:
    content = lines(codex_records(["one", "two", "three"]))
    path = codex_file(home, content)
    record = codex_fork("three")
    assert record["ordinal"] == 7
    assert record["payload"]["history_base"] == {
        "thread_id": CODEX_SESSION,
        "end_ordinal_exclusive": 7,
        "end_byte_offset": len(b"".join(content[:7])),
    }
    assert record["payload"]["forked_from_id"] == CODEX_SESSION
    assert record["payload"]["id"] == record["payload"]["session_id"] != CODEX_SESSION
    assert path.read_bytes() == b"".join(content)


def test_a_fork_of_a_fork_of_codex_finds_the_turn_where_it_is(home: Path) -> None:
    thread = "01a21565-cff9-7490-978b-f6b99f56b28d"
    codex_file(home, lines(codex_records(["one", "two", "three"])))
    meta, *rest = codex_records(["four", "five"], thread, first=7)
    base = {"thread_id": CODEX_SESSION, "end_ordinal_exclusive": 7, "end_byte_offset": 1}
    meta["payload"]["history_base"] = base
    codex_file(home, lines([meta, *rest]), thread)
    assert codex_fork("five", thread)["payload"]["history_base"]["thread_id"] == thread
    assert codex_fork("four", thread)["ordinal"] == 8
    earlier = codex_fork("two", thread)["payload"]["history_base"]
    assert (earlier["thread_id"], earlier["end_ordinal_exclusive"]) == (CODEX_SESSION, 4)
    with pytest.raises(CannotForkError, match="does not name the prompt"):
        conversation_fork("codex", thread, "three", "")  # it was left out of the fork


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("history_mode", "legacy", "another version of Codex"),
        ("history_base", {"thread_id": 1}, "goes on from is of a kind"),
        ("id", None, "the first line"),
    ],
)
def test_nothing_is_made_of_a_session_of_codex_that_is_not_known(
    home: Path, key: str, value: object, reason: str
) -> None:
    meta, *rest = codex_records(["one", "two"])
    meta["payload"][key] = value
    path = codex_file(home, lines([meta, *rest]))
    with pytest.raises(CannotForkError, match=reason):
        conversation_fork("codex", CODEX_SESSION, "two", "")
    assert list(path.parent.iterdir()) == [path]


def test_lines_of_codex_that_are_numbered_otherwise_are_not_counted(home: Path) -> None:
    codex_file(home, [each for n, each in enumerate(lines(codex_records(["one", "two"]))) if n != 3])
    with pytest.raises(CannotForkError, match="line 4 of its session file has another number"):
        conversation_fork("codex", CODEX_SESSION, "two", "")


def test_only_files_of_the_agents_own_folder_are_read(home: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotForkError, match="there is no file of it"):
        conversation_fork("claude", CLAUDE_SESSION, "two", "")
    with pytest.raises(CannotForkError, match="is no id of a session"):
        conversation_fork("claude", "../../secret", "two", "")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    real = claude_file(home, lines(claude_records(["one", "two"])))
    real.replace(elsewhere / "session.jsonl")
    try:
        real.symlink_to(elsewhere / "session.jsonl")
    except OSError:
        pytest.skip("no symbolic links here")
    with pytest.raises(CannotForkError, match="symbolic link"):
        conversation_fork("claude", CLAUDE_SESSION, "two", "")
