"""`patchpoint demo`: what a newcomer sees first, run as a newcomer runs it, wherever that is."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from patchpoint.cli import main
from patchpoint.cli.demo import demo as shown
from patchpoint.cli.demo.shop import contents, shop
from patchpoint.cli.terminal import Terminal
from tests.asked_again import asked_to_end
from tests.git.git_judge import WorkingTree

STYLE = re.compile(r"\x1b\[[0-9;]*m")
CHAPTERS = [
    "1. What the model wrote",
    "2. Apply it: all of it, or nothing",
    "3. Pick, and look before anything is written",
    "4. Apply",
    "5. Review what an agent did meanwhile",
    "6. Go back",
]


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """A newcomer's environment: a home folder without anything in it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PATCHPOINT_", "XDG_", "GIT_")) and name not in ("NO_COLOR", "FORCE_COLOR")
    }
    own = {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "temporary"),
        "TERM": "xterm",
        "PATCHPOINT_HOOK_STAY": "0",
    }
    return kept | own | {"PYTHONIOENCODING": "utf-8"} | more


def run_demo(tmp_path: Path, folder: Path | None = None, **more: str) -> str:
    """Run the demo, which must succeed, in a pipe; answers what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "demo"],
        cwd=folder or tmp_path,
        env=environment(tmp_path, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def chapters(printed: str) -> list[str]:
    return re.findall(r"^\d\. .*", printed, re.MULTILINE)


def at_terminal(tmp_path: Path, *answers: bytes) -> tuple[int, str]:
    """Run the demo at a terminal where a person answers so; returns its status and what is shown."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "patchpoint", "demo"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environment(tmp_path),
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(theirs)
    shown = b""
    for number, answer in enumerate(answers, start=1):
        while shown.count(b"q: quit") < number:
            shown += os.read(ours, 65536)
        if number < len(answers):
            os.write(ours, answer)
    with (
        asked_to_end(process, partial(os.write, ours, answers[-1])),
        suppress(OSError),
    ):  # the other end is closed
        while True:
            shown += os.read(ours, 65536)
    os.close(ours)
    return process.wait(60), shown.decode()


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_each_step_is_shown_with_its_command_and_everything_comes_back(
    tmp_path: Path, temporary: Path
) -> None:
    printed = run_demo(tmp_path)
    assert chapters(printed) == CHAPTERS
    for line in (
        "  model  def add(self, name, count=1):",
        "  file       def add(self, name, count=1):",
        "$ patchpoint apply answer.md",
        "◦  1  shop/cart.py:5  held back (unicode)",
        "      2) line 12  in gross_food  return round(price, 2)",
        "✓ Nothing was written.",
        "$ patchpoint apply --choose 2:2 --check answer.md",
        '+            raise ValueError("count must be at least 1")',
        "-    return round(price, 2)",
        "$ patchpoint apply --choose 2:2 answer.md",
        "✓  2  shop/prices.py:12  applied",
        "$ patchpoint list",
        "$ patchpoint diff --stat",
        "reverted: notes.txt, the file as a whole",
        "✓ The file that nobody asked for is gone.",
        "$ patchpoint restore last",
        "✓ All 3 files are as they were before, byte for byte, whoever changed them.",
        "  patchpoint apply answer.md             or save it to a file first",
    ):
        assert line in printed.splitlines()
    assert not list(temporary.iterdir())


def test_in_a_pipe_there_is_no_colour_and_nobody_is_asked(tmp_path: Path, temporary: Path) -> None:
    printed = run_demo(tmp_path)
    assert "\x1b" not in printed
    assert "Enter" not in printed
    own = [line for line in printed.splitlines() if str(temporary) not in line]
    assert max(map(len, own)) <= 88


def test_at_a_terminal_a_person_reads_step_by_step(tmp_path: Path, temporary: Path) -> None:
    status, printed = at_terminal(tmp_path, *[b"\n"] * (len(CHAPTERS) - 1))
    assert status == 0
    assert "\x1b[1;34m1. What the model wrote\x1b[0m" in printed
    assert chapters(STYLE.sub("", printed).replace("\r", "")) == CHAPTERS
    assert "Now with a project of yours:" in printed
    assert not list(temporary.iterdir())


@pytest.mark.parametrize(
    ("answer", "status"), [(b"q\n", 0), (b"\x04", 0), (b"\x03", 130)], ids=["q", "Ctrl-D", "Ctrl-C"]
)
def test_who_has_seen_enough_leaves_nothing_behind(
    tmp_path: Path, temporary: Path, answer: bytes, status: int
) -> None:
    ended, printed = at_terminal(tmp_path, b"\n", answer)
    assert ended == status
    assert "3. Pick" not in printed
    assert not list(temporary.iterdir())


def test_it_needs_no_git_and_no_folder_that_can_be_written(tmp_path: Path, temporary: Path) -> None:
    here = tmp_path / "here"
    here.mkdir(mode=0o500)
    assert chapters(run_demo(tmp_path, here, PATH="")) == CHAPTERS
    assert not list(here.iterdir())


def test_nothing_of_the_users_is_changed_or_matters(tmp_path: Path) -> None:
    """Not the repository that temporary folders are in, not git's configuration, not the state directory."""
    temporary = tmp_path / "temporary"
    tree = WorkingTree.create(temporary)
    tree.write({"mine.txt": "mine\n", ".gitignore": ""})
    tree.commit("mine")
    refs = tree.git("for-each-ref")
    state, home = tmp_path / "state", tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text('[patchpoint "apply"]\n\tatomic = edit\n', encoding="utf-8")

    printed = run_demo(tmp_path, temporary, PATCHPOINT_STATE_HOME=str(state))
    assert "held back" in printed
    assert tree.git("for-each-ref") == refs
    assert tree.git("status", "--porcelain") == ""
    assert not (temporary / ".git" / "patchpoint").exists()
    assert not state.exists()
    assert [path.name for path in home.iterdir()] == [".gitconfig"]


def test_the_folder_and_the_environment_are_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    before = dict(os.environ)
    with shop() as folder:
        assert sorted(contents(folder)) == ["answer.md", "shop/cart.py", "shop/prices.py"]
        assert Path.cwd() == folder
        assert os.environ["PATCHPOINT_STATE_HOME"] == str(folder.parent / "state")
    assert dict(os.environ) == before
    assert Path.cwd() == tmp_path
    assert not list(tmp_path.iterdir())


def test_a_command_that_does_something_else_than_is_said_fails_loudly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def applied_by_itself(guide: object, folder: Path) -> None:
        guide_of = shown._Guide(Terminal.of(sys.stdout), waits=False)
        guide_of.run("patchpoint apply answer.md")

    monkeypatch.setattr(shown, "_play", applied_by_itself)
    assert main(["demo"]) == 3
    assert "expected `patchpoint apply answer.md` to exit with status 0, not 1" in capsys.readouterr().err
