"""`patchpoint hook`, called as agents call it: as a program of its own, with JSON on standard input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.hooks.last_firing import last_firing
from tests.demo.project import contents, make_project
from tests.loaded_server import patchpoint

SCRIPT = Path(sys.executable).parent / ("patchpoint.exe" if os.name == "nt" else "patchpoint")
Hook = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")  # a busy machine may take its time
    return dict(os.environ)


@pytest.fixture
def hook(project: Path, environment: dict[str, str]) -> Hook:
    """Call the hook in the project, by way of `through`; it must succeed, whatever it is given."""

    def call(
        data: object, agent: str | None = "claude", folder: Path = project, through: Sequence[str] = ()
    ) -> Any:
        words = ["hook", *([agent] if agent else [])]
        done = subprocess.run(
            [*through, SCRIPT, *words] if through else patchpoint(*words),
            cwd=folder,
            env=environment,
            input=data if isinstance(data, str) else json.dumps(data),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done

    return call


@pytest.fixture
def listed(project: Path, environment: dict[str, str]) -> Callable[[], list[dict[str, Any]]]:
    """List the checkpoints, newest first."""

    def call() -> list[dict[str, Any]]:
        out = subprocess.run(
            patchpoint("list", "--json"), cwd=project, env=environment, capture_output=True, check=True
        ).stdout
        found: list[dict[str, Any]] = json.loads(out)["checkpoints"]
        return found

    return call


def prompt(project: Path, text: str = "Round the tax half up", turn: str = "p-1") -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt_id": turn, "prompt": text,
        "cwd": str(project),
    }  # fmt: skip


def step(project: Path, command: str, turn: str = "p-1") -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse", "session_id": "s-1", "prompt_id": turn, "cwd": str(project),
        "tool_name": "Bash", "tool_input": {"command": command},
    }  # fmt: skip


Listed = Callable[[], list[dict[str, Any]]]


def test_a_checkpoint_is_taken_before_a_prompt_and_named_by_it(
    project: Path, hook: Hook, listed: Listed
) -> None:
    done = hook(prompt(project))
    assert (done.stdout, done.stderr) == ("", "")
    (taken,) = listed()
    assert (taken["kind"], taken["label"], taken["session"], taken["message"]) == (
        "run", "Round the tax half up", "s-1", "p-1",
    )  # fmt: skip
    fired = last_firing("claude")
    assert fired is not None
    assert fired.says == f"checkpoint {taken['id']}"


def test_before_a_step_there_is_a_new_checkpoint_only_if_something_has_changed(
    project: Path, hook: Hook, listed: Listed
) -> None:
    hook(prompt(project))
    hook(step(project, "git stash"))
    assert len(listed()) == 1
    (project / "till/tax.py").write_text("half done\n", encoding="utf-8")
    hook(step(project, "git checkout -- ."))
    newest, first = listed()
    assert (newest["kind"], newest["label"], newest["message"]) == (
        "step", "Before Bash: git checkout -- .", "p-1",
    )  # fmt: skip
    assert first["kind"] == "run"


def test_a_turn_is_rolled_back_by_its_name_over_all_its_steps(
    project: Path, hook: Hook, environment: dict[str, str]
) -> None:
    before = contents(project)
    hook(prompt(project))
    for number in range(3):
        (project / "till/tax.py").write_text(f"{number}\n", encoding="utf-8")
        hook(step(project, "make"))
    (project / "README.md").unlink()
    restore = patchpoint("restore", "--session", "s-1", "--message", "p-1")
    subprocess.run(restore, cwd=project, env=environment, check=True, capture_output=True)
    assert contents(project) == before


def test_the_end_of_a_turn_is_recorded_so_that_later_changes_are_not_its_own(
    project: Path, hook: Hook, listed: Listed
) -> None:
    hook(prompt(project))
    hook({"hook_event_name": "Stop", "session_id": "s-1", "cwd": str(project)})
    (project / "by-hand.txt").write_text("mine\n", encoding="utf-8")
    assert [one["kind"] for one in listed()] == ["afterRun", "run"]
    reverted = subprocess.run(
        patchpoint("revert", "--session", "s-1"), cwd=project, capture_output=True, text=True
    )
    assert "by-hand.txt" not in reverted.stdout
    assert (project / "by-hand.txt").exists()


def test_a_step_of_another_session_has_a_checkpoint_of_its_own(
    project: Path, hook: Hook, listed: Listed
) -> None:
    hook(prompt(project))
    hook({**step(project, "make"), "session_id": "s-2"})
    assert [one["session"] for one in listed()] == ["s-2", "s-1"]


def test_a_prompt_always_has_a_checkpoint_of_its_own(project: Path, hook: Hook, listed: Listed) -> None:
    for turn in ("p-1", "p-2"):
        hook(prompt(project, turn=turn))
    assert [one["message"] for one in listed()] == ["p-2", "p-1"]


@pytest.mark.parametrize("name", ["SubagentStop", "SessionStart", "Notification", "SessionEnd"])
def test_nothing_is_taken_where_nothing_is_about_to_change(
    project: Path, hook: Hook, listed: Listed, name: str
) -> None:
    hook({"hook_event_name": name, "session_id": "s-1", "tool_name": "Bash", "cwd": str(project)})
    hook({**step(project, "x"), "tool_name": "Read"})
    assert listed() == []


@pytest.mark.parametrize(
    ("agent", "said"),
    [("claude", ""), ("codex", ""), ("gemini", "{}\n"), ("cursor", '{"continue": true}\n'), (None, "")],
)
def test_each_agent_is_answered_what_it_demands_and_no_more(
    project: Path, hook: Hook, agent: str | None, said: str
) -> None:
    assert hook(prompt(project), agent).stdout == said


def test_the_folder_that_the_agent_names_is_recorded_wherever_the_hook_runs(
    project: Path, hook: Hook, listed: Listed, tmp_path: Path
) -> None:
    data = {"conversation_id": "c", "generation_id": "g", "hook_event_name": "beforeSubmitPrompt",
            "workspace_roots": [str(project)], "prompt": "go"}  # fmt: skip
    assert hook(data, None, tmp_path).stdout == '{"continue": true}\n'
    assert [one["session"] for one in listed()] == ["c"]


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no folder that a process works in")
@pytest.mark.parametrize("named", ["till", "."])
def test_an_agent_that_has_deleted_the_folder_that_it_works_in_loses_nothing_else(
    project: Path, hook: Hook, listed: Listed, named: str
) -> None:
    through = ["sh", "-c", 'cd till && rm -r ../till && exec "$@"', "sh"]
    hook(prompt(project / named), through=through)
    assert [each["label"] for each in listed()] == ["Round the tax half up"]


@pytest.mark.parametrize(
    "sent", ["", "no JSON", "[" * 100_000, "null", "[]", '"text"', "{}", '{"cwd": 5, "prompt": []}', "\ud83d"]
)
def test_whatever_is_sent_the_hook_succeeds(hook: Hook, sent: str) -> None:
    done = hook(sent.encode("utf-8", "surrogatepass").decode("latin-1"))
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_code_of_the_folder_is_not_run(project: Path, hook: Hook, listed: Listed) -> None:
    for name in ("json", "re", "patchpoint", "sitecustomize", "dulwich", "threading"):
        (project / f"{name}.py").write_text("open('ran', 'w').write('x')\n", encoding="utf-8")
    hook(prompt(project))
    assert len(listed()) == 1
    assert not (project / "ran").exists()


# where no checkpoint can be taken


def test_a_held_lock_is_not_waited_for_to_the_end(project: Path, hook: Hook, listed: Listed) -> None:
    with exclusive_lock(project / ".git" / "patchpoint" / "lock"):
        done = hook(prompt(project), "gemini")
    assert done.stdout == "{}\n"
    assert "no checkpoint: " in done.stderr
    assert "holds" in done.stderr
    fired = last_firing("gemini")
    assert fired is not None
    assert fired.says.startswith("no checkpoint: ")
    assert listed() == []


def test_a_hook_that_is_sent_nothing_and_no_end_gives_up(project: Path, environment: dict[str, str]) -> None:
    environment["PATCHPOINT_HOOK_LIMIT"] = "1"
    with subprocess.Popen(
        [SCRIPT, "hook", "claude"], cwd=project, env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.wait(timeout=60) == 0
        assert process.stdout.read() == b""
        assert b"gave up" in process.stderr.read()


def test_a_folder_in_no_repository_has_checkpoints_too(tmp_path: Path, hook: Hook) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    assert hook(prompt(folder), folder=folder).stderr == ""


def test_no_checkpoint_is_taken_of_a_home_directory(
    tmp_path: Path, hook: Hook, environment: dict[str, str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment["HOME"] = environment["USERPROFILE"] = str(home)
    done = hook(prompt(home), folder=home)
    assert "your home is there" in done.stderr


def break_head(git: Path) -> None:
    (git / "HEAD").write_bytes(b"\xff garbage")


def break_index(git: Path) -> None:
    (git / "index").write_bytes(b"DIRC\0\0\0\2 and then nothing of an index")


def break_objects(git: Path) -> None:
    shutil.rmtree(git / "objects")


def break_config(git: Path) -> None:
    (git / "config").write_text("[core\nrepositoryformatversion = 99")


@pytest.mark.parametrize("damage", [break_head, break_index, break_objects, break_config])
def test_a_broken_repository_is_not_in_the_agents_way(
    project: Path, hook: Hook, damage: Callable[[Path], None]
) -> None:
    damage(project / ".git")
    done = hook(prompt(project))
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_a_repository_that_cannot_be_written_is_not_in_the_agents_way(project: Path, hook: Hook) -> None:
    through = ["setpriv", "--bounding-set=-dac_override,-fowner", "--"] if os.geteuid() == 0 else []
    for folder in (project / ".git", *(project / ".git").rglob("*")):
        if folder.is_dir():
            folder.chmod(0o500)
    try:
        assert "permission denied" in hook(prompt(project), through=through).stderr
    finally:
        for folder in (project / ".git", *(project / ".git").rglob("*")):
            folder.chmod(0o700)


def test_a_state_directory_that_cannot_be_written_is_not_in_the_agents_way(
    project: Path, hook: Hook, environment: dict[str, str], tmp_path: Path
) -> None:
    environment["PATCHPOINT_STATE_HOME"] = "/dev/null/nowhere"
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "Traceback" not in hook(prompt(plain), folder=plain).stderr


def test_several_hooks_at_once_are_all_answered(
    project: Path, environment: dict[str, str], listed: Listed
) -> None:
    running = []
    for number in range(8):
        process = subprocess.Popen(
            [SCRIPT, "hook"], cwd=project, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps(prompt(project, turn=f"p-{number}")).encode())
        process.stdin.close()
        process.stdin = None
        running.append(process)
    for process in running:
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, b"")
    assert {one["message"] for one in listed()} == {f"p-{number}" for number in range(8)}


def test_no_more_is_loaded_than_a_checkpoint_needs(
    project: Path, hook: Hook, environment: dict[str, str]
) -> None:
    hook(prompt(project))  # the very first one also makes a key
    program = (
        "import sys; from patchpoint.cli import main; status = main(['hook', 'claude']); "
        "print(status, *sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, env=environment, input=json.dumps(prompt(project)),
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    status, *loaded = done.stdout.split()
    assert status == "0"
    assert "patchpoint.checkpoints.taking" in loaded
    unwanted = (
        "argparse", "urllib3", "http", "importlib.metadata", "rapidfuzz", "tree_sitter", "pygls", "asyncio",
        "patchpoint.checkpoints.store", "patchpoint.checkpoints.restore.journal", "patchpoint.formats",
        "patchpoint.locate", "patchpoint.patching", "patchpoint.schema.requests", "patchpoint.cli.terminal",
        "dulwich.client", "dulwich.index", "dulwich.repo", "secrets", "random", "lzma",
    )  # fmt: skip
    assert [name for name in loaded if name.startswith(unwanted)] == []


def test_a_person_who_calls_the_hook_is_shown_what_it_is_for(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [SCRIPT, "hook", "--help"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stdout.startswith("usage: patchpoint hook")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when a process began")
def test_the_time_before_the_program_runs_counts_as_well() -> None:
    program = (
        "import time; began = time.monotonic(); import patchpoint.cli.agents.hook as hook; "
        "first = hook.process_age(); between = time.monotonic() - began; second = hook.process_age(); "
        "assert 0 < first <= second, (first, second); assert second >= between - 0.02; print('ok')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "ok\n", done.stderr


def test_what_a_person_writes_during_a_turn_is_not_reverted_with_it(
    project: Path, hook: Hook, environment: dict[str, str]
) -> None:
    tax = project / "till/tax.py"
    before = tax.read_bytes()
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(tax)}}
    hook(prompt(project))
    hook({**step(project, ""), **edit})
    tax.write_text("by the agent\n", encoding="utf-8")
    (project / "till/notes.txt").write_text("by a person\n", encoding="utf-8")
    hook({"hook_event_name": "Stop", "session_id": "s-1", "cwd": str(project)})
    done = subprocess.run(
        patchpoint("revert", "--session", "s-1"), cwd=project, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert "stays: till/notes.txt: changed meanwhile, by no step that is known" in done.stdout
    assert tax.read_bytes() == before
    assert (project / "till/notes.txt").read_text(encoding="utf-8") == "by a person\n"


def test_after_an_interrupted_turn_the_session_is_not_reverted_unasked(
    project: Path, hook: Hook, environment: dict[str, str]
) -> None:
    hook(prompt(project))
    hook(step(project, "make"))
    (project / "mine.txt").write_text("by a person, after Esc\n", encoding="utf-8")
    refused = subprocess.run(
        patchpoint("revert", "--session", "s-1"), cwd=project, env=environment, capture_output=True, text=True
    )
    assert refused.returncode == 1
    assert "add --until-now" in refused.stdout
    assert (project / "mine.txt").exists()
