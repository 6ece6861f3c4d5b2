"""The files that a restore replaces go in the background; nothing of them is left behind."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
import threading
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.restore.replaced import ReplacedFiles, delete_left_behind
from patchpoint.checkpoints.restore.worktree import RestoreStep, WorktreeWriter
from patchpoint.filesystem.open_directory import OpenDirectory
from tests.git.git_judge import WorkingTree

IN_MOVED, IN_MOVED_TO, IN_DELETE = 0xC0, 0x80, 0x200
"""Of inotify(7)."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is done on Linux alone")


def edited(root: Path, count: int) -> tuple[WorkingTree, CheckpointStore, str]:
    """A repository whose files were all changed after a checkpoint, its store, and the checkpoint's id."""
    tree = WorkingTree.create(root)
    tree.write({f"folder{number % 7}/{number}.txt": f"old {number}\n" for number in range(count)})
    tree.commit("first")
    store = CheckpointStore.open(tree.root)
    checkpoint = store.take()
    tree.write({f"folder{number % 7}/{number}.txt": f"new {number}\n" for number in range(count)})
    return tree, store, checkpoint.id


def wait_for_deletions() -> None:
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def left(tree: WorkingTree) -> list[str]:
    return [path.name for path in (tree.root / ".git" / "patchpoint").glob("replaced-*")]


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_restore_of_many_files_leaves_none_of_the_replaced_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchanges: bool
) -> None:
    if not exchanges:
        monkeypatch.setattr(OpenDirectory, "exchange", lambda *_: False)
    tree, store, checkpoint = edited(tmp_path / "repo", 200)
    store.restore(checkpoint)
    wait_for_deletions()
    assert left(tree) == []
    assert not list((tree.root / ".git" / "patchpoint").glob("staged-*"))
    for number in range(200):
        path = tree.root / f"folder{number % 7}" / f"{number}.txt"
        assert path.read_text() == f"old {number}\n"
        assert path.stat().st_nlink == 1


def test_what_a_process_that_ended_early_left_goes_at_the_next_start(tmp_path: Path) -> None:
    tree, _, _ = edited(tmp_path / "repo", 3)
    folder = tree.root / ".git" / "patchpoint" / "replaced-06ahnk6vz7xgzq"
    folder.mkdir()
    (folder / "0").write_text("replaced")
    CheckpointStore.open(tree.root)
    wait_for_deletions()
    assert left(tree) == [folder.name], "another process may be at it"
    os.utime(folder, (1_700_000_000, 1_700_000_000))
    CheckpointStore.open(tree.root)
    wait_for_deletions()
    assert left(tree) == []


def test_where_files_get_no_second_name_they_are_restored_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, store, checkpoint = edited(tmp_path / "repo", 100)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no second names here")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(OpenDirectory, "exchange", lambda *_: False)
    restored = store.restore(checkpoint)
    wait_for_deletions()
    assert len(restored.written) == 100
    assert left(tree) == []


def test_a_restore_that_goes_on_keeps_its_folder_however_long_it_takes(tmp_path: Path) -> None:
    replaced = ReplacedFiles(tmp_path, "06ahnk6vz7xgzq", 1000)
    folder = tmp_path / "replaced-06ahnk6vz7xgzq"
    os.utime(folder, (1_700_000_000, 1_700_000_000))
    delete_left_behind(tmp_path)
    wait_for_deletions()
    assert folder.is_dir()
    replaced.delete()
    wait_for_deletions()
    assert not folder.exists()


def test_a_folder_that_is_swept_away_meanwhile_does_no_harm(tmp_path: Path) -> None:
    replaced = ReplacedFiles(tmp_path, "06ahnk6vz7xgzq", 1000)
    (tmp_path / "file").write_text("text")
    with OpenDirectory(tmp_path) as folder:
        assert replaced.keep(b"file", folder, b"file", folder.status(b"file"))
    for path in (tmp_path / "replaced-06ahnk6vz7xgzq").iterdir():
        path.unlink()
    (tmp_path / "replaced-06ahnk6vz7xgzq").rmdir()
    with OpenDirectory(tmp_path) as folder:
        assert replaced.keep(b"file", folder, b"file", folder.status(b"file"))
    replaced.delete()
    wait_for_deletions()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_who_watches_the_tree_hears_last_of_the_file_that_came(tmp_path: Path) -> None:
    tree, store, checkpoint = edited(tmp_path / "repo", 100)
    library = ctypes.CDLL(None)
    watch = library.inotify_init1(os.O_NONBLOCK)
    try:
        assert library.inotify_add_watch(watch, os.fsencode(tree.root / "folder3"), IN_MOVED | IN_DELETE) > 0
        store.restore(checkpoint)
        events = os.read(watch, 1 << 16)
    finally:
        os.close(watch)
    last: dict[str, int] = {}
    at = 0
    while at < len(events):
        _, mask, _, length = struct.unpack_from("iIII", events, at)
        at += 16 + length
        last[events[at - length : at].rstrip(b"\0").decode()] = mask
    assert last == {f"{number}.txt": IN_MOVED_TO for number in range(3, 100, 7)}


@pytest.mark.parametrize("count", [1, 60, 300])
def test_what_another_program_writes_at_that_instant_stays_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    names = [f"f{number}.txt" for number in range(count)]
    tree.write(dict.fromkeys(names, "before\n"))
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({**dict.fromkeys(names, "after\n"), "new.txt": "new\n"})
    last = max(names)
    (tree.root / last).chmod(0o600)
    with (tree.root / last).open("a") as one, (tree.root / "new.txt").open("a") as other:
        replace_one = WorktreeWriter.apply

        def apply(self: WorktreeWriter, step: RestoreStep, replaced: ReplacedFiles) -> bool:
            done = replace_one(self, step, replaced)
            for file, name in ((one, last.encode()), (other, b"new.txt")):
                if step.change.path == name:
                    file.write("written meanwhile\n")
                    file.flush()
            return done

        with monkeypatch.context() as patch:
            patch.setattr(WorktreeWriter, "apply", apply)
            restored = store.restore(taken.id)
    assert {each.path for each in restored.kept} == {last, "new.txt"}
    assert (tree.root / last).read_text() == "after\nwritten meanwhile\n"
    assert (tree.root / last).stat().st_mode & 0o777 == 0o600
    assert (tree.root / "new.txt").read_text() == "new\nwritten meanwhile\n"
    assert {(tree.root / name).read_text() for name in names if name != last} <= {"before\n"}
    states = tree.files()
    store.undo()
    store.undo()
    assert tree.files() == states
