"""The files that a restore replaces are held open, and let go in the background."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.restore import replaced as replaced_files
from patchpoint.checkpoints.restore.replaced import ReplacedFiles
from patchpoint.filesystem.open_directory import OpenDirectory
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is done on Linux alone")


def is_measured(folder: Path) -> bool:
    """Whether files are held on the file system of `folder`."""
    said = subprocess.run(["stat", "-f", "-c", "%T", folder], check=True, capture_output=True, text=True)
    return said.stdout.startswith("ext2/ext3")


def edited(root: Path, count: int) -> tuple[WorkingTree, CheckpointStore, str]:
    """A repository whose files were all changed after a checkpoint, its store, and the checkpoint's id."""
    tree = WorkingTree.create(root)
    tree.write({f"folder{number % 7}/{number}.txt": f"old {number}\n" for number in range(count)})
    tree.commit("first")
    store = CheckpointStore.open(tree.root)
    checkpoint = store.take()
    tree.write({f"folder{number % 7}/{number}.txt": f"new {number}\n" for number in range(count)})
    return tree, store, checkpoint.id


def wait_for_threads() -> None:
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def replaced_and_open() -> list[str]:
    """The files of this process that are open and have no name any more."""
    found = []
    for descriptor in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [name for name in found if name.endswith(".txt (deleted)")]


def test_a_restore_of_many_files_lets_go_of_all_that_it_replaced(tmp_path: Path) -> None:
    tree, store, checkpoint = edited(tmp_path / "repo", 700)
    store.restore(checkpoint)
    wait_for_threads()
    assert replaced_and_open() == []
    assert list((tree.root / ".git/patchpoint").glob("replaced-*")) == []
    for number in range(700):
        path = tree.root / f"folder{number % 7}" / f"{number}.txt"
        assert path.read_text() == f"old {number}\n"
        assert path.stat().st_nlink == 1


def test_few_of_the_files_that_a_process_may_open_are_held_at_a_time(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        replaced = ReplacedFiles(tmp_path, 5000)
        with OpenDirectory(tmp_path) as folder:
            for number in range(5000):
                (tmp_path / "file.txt").write_text("text")
                replaced.keep(folder, b"file.txt")
                (tmp_path / "file.txt").unlink()
                if number % 100 == 0:
                    most = max(most, len(replaced_and_open()))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert most <= 2 * 128
    assert most > 0 or not is_measured(tmp_path)
    replaced.release_now()
    assert replaced_and_open() == []


def test_where_files_cannot_be_held_they_are_restored_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, store, checkpoint = edited(tmp_path / "repo", 100)

    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(replaced_files, "_hold", refuse)
    restored = store.restore(checkpoint)
    assert len(restored.written) == 100
    assert (tree.root / "folder0/0.txt").read_text() == "old 0\n"


def test_where_it_was_not_measured_nothing_is_held(tmp_path: Path) -> None:
    proc = Path("/proc/self")
    replaced = ReplacedFiles(proc, 1000)
    with OpenDirectory(proc) as folder:
        replaced.keep(folder, b"status")
        before = os.listdir("/proc/self/fd")
        replaced.keep(folder, b"status")
        assert os.listdir("/proc/self/fd") == before
