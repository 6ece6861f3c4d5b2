"""Locks that another program has: the wait for one is short, and the error says who has it and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, StoreOptions
from patchpoint.checkpoints.errors import RepositoryBusyError
from patchpoint.cli import main
from patchpoint.filesystem.lock import WAIT, exclusive_lock
from tests.git.git_judge import WorkingTree

HOLD = """
import sys
from patchpoint.checkpoints import CheckpointStore
from patchpoint.progress import Silent
with CheckpointStore.open(sys.argv[1])._lock(Silent()):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_by_another(tree: WorkingTree) -> Iterator[int]:
    """Another process that works on the checkpoints; its id."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tree.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"held\n"
        yield other.pid
        other.stdin.close()


def opened(tree: WorkingTree, wait: float = 0.1) -> CheckpointStore:
    return CheckpointStore.open(tree.root, options=StoreOptions(wait=wait))


def test_by_default_a_lock_is_waited_for_a_few_seconds() -> None:
    assert StoreOptions().wait == WAIT == 5.0


@pytest.mark.parametrize(
    "act",
    [lambda store: store.take(), lambda store: store.restore("0" * 14), lambda store: store.prune(keep=1)],
    ids=["take", "restore", "prune"],
)
def test_the_process_that_works_on_the_checkpoints_is_named(
    tree: WorkingTree, act: Callable[[CheckpointStore], object]
) -> None:
    store = opened(tree)
    with held_by_another(tree) as pid, pytest.raises(RepositoryBusyError) as caught:
        act(store)
    assert f"Process {pid} (-c, for " in str(caught.value)
    assert "patchpoint/lock'" in str(caught.value)
    store.take()


def test_the_lock_of_a_process_that_was_killed_holds_nobody_up(tree: WorkingTree) -> None:
    child = os.fork()
    if child == 0:
        held = exclusive_lock(tree.root / ".git/patchpoint/lock")
        held.__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    opened(tree, wait=0).take()


@pytest.mark.parametrize("command", ["checkpoint", "restore", "undo", "delete", "prune"])
def test_the_command_line_waits_as_long_as_it_was_asked_to(
    tree: WorkingTree, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    checkpoint = opened(tree).take().id
    arguments = [checkpoint] if command in ("restore", "delete") else []
    with held_by_another(tree) as pid:
        assert main([command, *arguments, "--root", str(tree.root), "--wait", "0"]) != 0
    assert f"Process {pid}" in capsys.readouterr().err


def test_apply_waits_as_long_as_it_was_asked_to_and_then_writes_nothing(
    tree: WorkingTree, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text('[{"path": "a.txt", "operation": "write", "content": "other\\n"}]')
    before = tree.files()
    with held_by_another(tree) as pid:
        assert main(["apply", str(answer), "--root", str(tree.root), "--wait", "0"]) != 0
    assert f"Process {pid}" in capsys.readouterr().err
    assert tree.files() == before


@pytest.mark.parametrize("text", ["-1", "nan", "x", "100000", "inf"])
def test_a_wait_that_is_none_is_refused(
    tree: WorkingTree, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    with pytest.raises(SystemExit):
        main(["checkpoint", "--root", str(tree.root), f"--wait={text}"])
    assert "is not a number of seconds" in capsys.readouterr().err


def leave(place: Path, seconds: int) -> None:
    """Leave a lock file as a git command does that is killed."""
    place.touch()
    os.utime(place, (time.time() - seconds, time.time() - seconds))


@pytest.mark.parametrize("name", ["index.lock", "refs/heads/main.lock"])
def test_a_lock_of_git_is_named_with_its_age_when_a_restore_needs_it(tree: WorkingTree, name: str) -> None:
    store = opened(tree)
    taken = store.take()
    tree.write({"a.txt": "changed\n"})
    tree.commit("second")
    before = (tree.files(), tree.staged(), tree.refs())
    leave(tree.root / ".git" / name, 7_300)
    said = rf"'.*/{name}', which is there for 2 hours;.*left the file behind: delete it"
    with pytest.raises(RepositoryBusyError, match=said):
        store.restore(taken.id)
    assert (tree.files(), tree.staged(), tree.refs()) == before
    (tree.root / ".git" / name).unlink()
    opened(tree)
    assert (tree.files(), tree.staged(), tree.refs()) == before
    store.restore(taken.id)
    assert tree.git("show", "HEAD:a.txt") == "one\ntwo\nthree\n"


def test_so_is_that_of_a_detached_head(tree: WorkingTree) -> None:
    tree.git("checkout", "-q", "--detach")
    store = opened(tree)
    taken = store.take()
    tree.write({"a.txt": "changed\n"})
    tree.commit("second")
    leave(tree.root / ".git/HEAD.lock", 65)
    with pytest.raises(RepositoryBusyError, match=r"/HEAD\.lock', which is there for 1 minute;"):
        store.restore(taken.id)


def test_so_is_that_of_the_packed_refs(tree: WorkingTree) -> None:
    store = opened(tree)
    taken = store.take()
    tree.git("pack-refs", "--all")
    leave(tree.root / ".git/packed-refs.lock", 5)
    with pytest.raises(RepositoryBusyError, match=r"/packed-refs\.lock', which is there for \d seconds;"):
        store.delete(taken.id)
    store.take()
