"""A signal at any instant leaves all or nothing, and the next command undoes what a kill left half done."""

from __future__ import annotations

import os
import shutil
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Run, answer, edit
from tests.git.git_judge import WorkingTree
from tests.loaded_server import status_where_loaded
from tests.sampling import share

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX has these signals")

Files = dict[str, tuple[bytes, int]]

_ROOT = Path(__file__).parents[2]

_SIGNALS = {signal.SIGINT: True, signal.SIGTERM: True, signal.SIGHUP: True, signal.SIGKILL: False}
"""Each signal, and whether all or nothing is there at once: after the last, only after the next command."""


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def files(root: Path) -> Files:
    """Every file of a working tree, whatever it is called."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def staged(*places: Path) -> list[Path]:
    """What is staged below these folders, and whatever else is left of it."""
    return [path for place in places for path in place.rglob(".patchpoint-*")]


def made_repository(root: Path) -> Path:
    """A repository with three files, copied from one that is made once."""
    template = root.parent / "template"
    if not template.exists():
        tree = WorkingTree.create(template)
        lines = "one\ntwo\nthree\n"
        tree.write({"first.txt": lines, "second.txt": lines, "third.txt": lines})
        (template / "second.txt").chmod(0o755)
        tree.commit("second")
    shutil.copytree(template, root)
    return root


def edits(tmp_path: Path) -> Path:
    """An answer that changes two files and creates one in a new folder."""
    created = "new/file.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n"
    text = edit("first.txt", "two", "2") + edit("second.txt", "two", "2") + created
    return answer(tmp_path / "any", text)


def run_in_child(
    root: Path, words: list[str], number: int = 0, at: int = 0, out: Path | None = None
) -> tuple[int, int]:
    """Run a command in a process of its own that gets the signal before the change of a file number `at`.

    Return its exit status, which is negative for a signal that ended it, and the number of changes.
    """
    counted = root.with_name("changes")
    counted.unlink(missing_ok=True)
    ignored = [each for each in (signal.SIGHUP, signal.SIGINT) if signal.getsignal(each) is signal.SIG_IGN]
    asked = (words, int(number), at, str(counted), [*map(int, ignored)])
    code = f"""import sys; sys.path.insert(0, {str(_ROOT)!r})
from tests.cli.stopped_command import end_with; end_with(*{asked!r})"""
    with (out or Path(os.devnull)).open("wb") as said, Path(os.devnull).open("rb") as nothing:
        streams = (nothing.fileno(), said.fileno(), said.fileno())
        status = status_where_loaded("patchpoint.cli", code, root, streams)
    return status, int(counted.read_text(encoding="ascii")) if counted.exists() else 0


@pytest.mark.parametrize("number", _SIGNALS)
def test_an_apply_that_is_stopped_anywhere_is_done_or_not(
    number: signal.Signals, tmp_path: Path, state_home: Path
) -> None:
    words = ["apply", "--no-checkpoint", str(edits(tmp_path))]
    done = made_repository(tmp_path / "done")
    before = files(done)
    status, events = run_in_child(done, words)
    after = files(done)
    assert status == 0
    assert events > 30
    seen = []
    instants = range(1, events + 1)
    # Those that can be handled are, by the same function: together they are tried at each instant.
    handled = [one for one, is_handled in _SIGNALS.items() if is_handled]
    for at in share(instants, handled.index(number), len(handled)) if number in handled else instants:
        root = made_repository(tmp_path / f"try{at}")
        said = tmp_path / f"said{at}"
        status, _ = run_in_child(root, words, number, at, said)
        if _SIGNALS[number]:
            assert status in (0, 128 + number, -number), said.read_text()
            assert files(root) == (after if status == 0 else before), (at, said.read_text())
            assert "Traceback" not in said.read_text()
        else:
            assert status in (0, -number)
        assert run_in_child(root, ["list"], out=said)[0] == 0
        now = files(root)
        assert now in (before, after), (at, said.read_text())
        seen.append(now == after)
        assert not staged(root, state_home), at
        assert not list((state_home / "unfinished").glob("*")), at
    assert seen == sorted(seen), "once it is applied it stays applied"
    assert not seen[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_restore_that_is_stopped_anywhere_is_done_or_not(number: signal.Signals, tmp_path: Path) -> None:
    def prepared(name: str) -> Path:
        root = made_repository(tmp_path / name)
        assert run_in_child(root, ["checkpoint", "first"])[0] == 0
        (root / "first.txt").write_bytes(b"changed\n")
        (root / "third.txt").unlink()
        return root

    words = ["restore", "last"]
    done = prepared("done")
    before = files(done)
    status, events = run_in_child(done, words)
    after = files(done)
    assert status == 0
    for at in range(1, events + 1, 3):
        root = prepared(f"try{at}")
        said = tmp_path / f"said{at}"
        status, _ = run_in_child(root, words, number, at, said)
        if _SIGNALS[number]:
            assert status in (0, 128 + number, -number), said.read_text()
            assert files(root) == (after if status == 0 else before), (at, said.read_text())
        assert run_in_child(root, ["list"], out=said)[0] == 0
        assert files(root) in (before, after), (at, said.read_text())
        assert not staged(root)


torn_at = [1]
"""The change of a file before which a kill tears an apply, as the last search for it found."""


def killed_in_the_middle(tmp_path: Path, root: Path) -> None:
    """Kill an apply when one of its files has been changed, and no other."""
    before = files(root)
    words = ["apply", "--no-checkpoint", str(edits(tmp_path))]
    # Where nothing has been killed yet, folders are made as well, and it comes some changes later.
    for at in range(max(1, torn_at[0] - 1), 500):
        run_in_child(root, words, signal.SIGKILL, at)
        now = files(root)
        if "first.txt" in now and now["first.txt"] != before["first.txt"]:
            assert now["second.txt"] == before["second.txt"]
            torn_at[0] = at
            return
        # What this kill left is undone first, so that the next one comes one change of a file later.
        run_in_child(root, ["list"])
    raise AssertionError("no kill tore it")


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["diff"],
        ["log"],
        ["checkpoint"],
        ["doctor"],
        ["applications"],
        ["apply", "--check", "answer.md"],
        ["review", "--json"],
        ["undo"],
    ],
    ids=" ".join,
)
def test_each_command_undoes_what_a_kill_left_half_done_and_says_so(
    words: list[str], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made_repository(tmp_path / "work")
    monkeypatch.chdir(root)
    before = files(root)
    killed_in_the_middle(tmp_path, root)
    ran = run(*(str(edits(tmp_path)) if word == "answer.md" else word for word in words))
    assert files(root) == before
    said = [line for line in ran.err.splitlines() if "cut short" in line]
    assert said == ["patchpoint: Edits that were cut short are undone: 3 files are as they were before."], (
        ran.err
    )
    assert "cut short" not in run("list").err


def test_a_command_in_another_folder_undoes_it_too(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other = made_repository(tmp_path / "work"), made_repository(tmp_path / "other")
    before = files(root)
    killed_in_the_middle(tmp_path, root)
    monkeypatch.chdir(other)
    run("list")
    assert files(root) == before


def test_what_a_person_changed_meanwhile_stays_and_is_named(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made_repository(tmp_path / "work")
    monkeypatch.chdir(root)
    killed_in_the_middle(tmp_path, root)
    (root / "first.txt").write_bytes(b"mine\n")
    ran = run("list")
    assert (root / "first.txt").read_bytes() == b"mine\n"
    [said] = [line for line in ran.err.splitlines() if "first.txt" in line]
    assert "was changed since and is left as it is" in said
    assert Path(said.split(" is in ")[1].rstrip(".")).read_bytes() == b"one\ntwo\nthree\n"


def test_nothing_is_recovered_of_an_apply_that_goes_on(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, state_home: Path
) -> None:
    from patchpoint.filesystem.lock import exclusive_lock

    root = made_repository(tmp_path / "work")
    monkeypatch.chdir(root)
    killed_in_the_middle(tmp_path, root)
    torn = files(root)
    [log] = state_home.glob("folders/*/landing")
    with exclusive_lock(log / "lock"):
        assert run("list").err == ""
        assert files(root) == torn


def test_an_interrupted_apply_says_that_nothing_was_changed(tmp_path: Path) -> None:
    root = made_repository(tmp_path / "work")
    words = ["apply", "--no-checkpoint", str(edits(tmp_path))]
    _, events = run_in_child(made_repository(tmp_path / "done"), words)
    said = tmp_path / "said"
    status, _ = run_in_child(root, words, signal.SIGINT, events // 2, said)
    assert status == 130
    assert said.read_text() == "patchpoint: interrupted; nothing was changed.\n"


def test_a_signal_that_was_ignored_at_the_start_stays_so(tmp_path: Path) -> None:
    root = made_repository(tmp_path / "work")
    before: Callable[..., object] | int | None = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        words = ["apply", "--no-checkpoint", str(edits(tmp_path))]
        status, _ = run_in_child(root, words, signal.SIGHUP, 15)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert status == 0
    assert (root / "new" / "file.txt").exists()


def test_nothing_is_staged_in_the_working_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = made_repository(tmp_path / "work")
    for at in range(10, 60, 3):
        run_in_child(root, ["apply", "--no-checkpoint", str(edits(tmp_path))], signal.SIGKILL, at)
        assert not [path for path in staged(root) if ".git" not in path.parts]
