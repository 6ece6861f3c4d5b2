"""What a restore stages is in the git directory, unseen by other programs, or git is locked out meanwhile."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import RestoreFailedError
from patchpoint.checkpoints.restore import staging
from patchpoint.checkpoints.snapshot import take
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.progress import Silent
from tests.checkpoints.interrupted_restore import interrupt
from tests.git.git_judge import WorkingTree

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


class Looking(Silent):
    """Looks for staged files as git sees them, at each report of a restore."""

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree
        self.seen: set[str] = set()
        self.looks = 0

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message in ("Preparing the files", "Locking the index", "Restoring the files"):
            self.looks += 1
            listed = self.tree.git("ls-files", "--others", "--exclude-standard")
            self.seen |= {name for name in listed.splitlines() if ".patchpoint-" in name}


class Adding(Silent):
    """Has git add everything while files are staged; `ended` has the codes that git ended with."""

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree
        self.ended: list[int] = []

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message == "Preparing the files" and done:
            added = subprocess.run(["git", "add", "-A"], cwd=self.tree.root, capture_output=True, check=False)
            self.ended.append(added.returncode)


def edited(tree: WorkingTree) -> tuple[CheckpointStore, str]:
    store = CheckpointStore.open(tree.root)
    tree.write({f"src/{number}.txt": "then\n" for number in range(6)})
    taken = store.take().id
    tree.write({f"src/{number}.txt": "now\n" for number in range(4)} | {"src/4.txt": None, "new": "n\n"})
    return store, taken


def left(tree: WorkingTree) -> list[str]:
    found = [path for path in tree.root.rglob(".patchpoint-*") if ".git" not in path.parts]
    found += (tree.root / ".git/patchpoint").glob("staged-*")
    return [path.name for path in found]


def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every directory of the working tree on another file system than the git directory."""
    monkeypatch.setattr(staging.StagingDirectory, "serves", lambda *_: False)


def test_nothing_is_staged_in_the_working_tree(tree: WorkingTree) -> None:
    store, taken = edited(tree)
    looking = Looking(tree)
    store.restore(taken, progress=looking)
    assert looking.looks > 6
    assert looking.seen == set()
    assert left(tree) == []
    assert (tree.root / "src/1.txt").read_text() == "then\n"


def test_on_another_file_system_git_adds_nothing_while_files_are_staged(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, taken = edited(tree)
    elsewhere(monkeypatch)

    adding = Adding(tree)
    store.restore(taken, progress=adding)
    assert len(adding.ended) == 5
    assert 0 not in adding.ended
    assert left(tree) == []
    assert ".patchpoint" not in tree.git("ls-files")
    assert (tree.root / "src/1.txt").read_text() == "then\n"


def test_where_a_rename_does_not_reach_the_content_is_written_there(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As for the same file system mounted twice, or with quotas for directories.
    store, taken = edited(tree)
    before = tree.files()
    rename_over = OpenDirectory.rename_over
    crossed = []

    def crossing(source: OpenDirectory, old: bytes, new: bytes, goal: OpenDirectory | None = None) -> None:
        if b"staged-" in source.path and goal is not None:
            crossed.append(new)
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename_over(source, old, new, goal)

    monkeypatch.setattr(OpenDirectory, "rename_over", crossing)
    monkeypatch.setattr(OpenDirectory, "exchange", lambda *_: False)
    store.restore(taken)
    assert len(crossed) == 5
    assert left(tree) == []
    assert (tree.root / "src/1.txt").read_text() == "then\n"
    store.undo()
    assert tree.files() == before
    interrupt(lambda: store.restore(taken))
    CheckpointStore.open(tree.root)
    assert (tree.root / "src/1.txt").read_text() == "then\n"
    assert left(tree) == []


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("near", [False, True])
def test_an_interrupted_restore_is_finished_from_either_place_and_without_what_was_staged(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, near: bool, lost: bool
) -> None:
    store, taken = edited(tree)
    with pytest.MonkeyPatch.context() as patched:
        if near:
            elsewhere(patched)
        interrupt(lambda: store.restore(taken))
    assert len(left(tree)) == (5 if near else 1)
    if lost:
        for path in (tree.root / ".git/patchpoint").glob("staged-*"):
            shutil.rmtree(path)
        for path in tree.root.rglob(".patchpoint-*"):
            path.unlink()
    assert CheckpointStore.open(tree.root).doctor().findings == ()
    assert left(tree) == []
    assert (tree.root / "src/1.txt").read_text() == "then\n"


def test_what_a_restore_left_whose_journal_is_not_believed_is_found(tree: WorkingTree) -> None:
    store, taken = edited(tree)
    interrupt(lambda: store.restore(taken))
    (tree.root / ".git/patchpoint/restore.applying").unlink()
    (tree.root / ".git/index.lock").unlink(missing_ok=True)
    (finding,) = CheckpointStore.open(tree.root).doctor(repair=True).findings
    assert (finding.code, finding.repaired) == ("left-behind", True)
    assert left(tree) == []


@needs_links
def test_a_link_in_place_of_the_staging_directory_is_not_followed(tree: WorkingTree, tmp_path: Path) -> None:
    store, taken = edited(tree)
    interrupt(lambda: store.restore(taken))
    (place,) = (tree.root / ".git/patchpoint").glob("staged-*")
    (tmp_path / "outside").mkdir()
    for number in range(6):
        (tmp_path / "outside" / str(number)).write_text("precious\n")
    shutil.rmtree(place)
    place.symlink_to(tmp_path / "outside")
    CheckpointStore.open(tree.root)
    kept = {path.name: path.read_text() for path in (tmp_path / "outside").iterdir()}
    assert kept == {str(number): "precious\n" for number in range(6)}
    place.unlink()
    CheckpointStore.open(tree.root)
    assert (tree.root / "src/1.txt").read_text() == "then\n"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no groups")
def test_a_file_gets_the_group_that_its_directory_gives(tree: WorkingTree) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser may give a directory any group")
    store, taken = edited(tree)
    os.chown(tree.root / "src", -1, 4711)
    (tree.root / "src").chmod(0o2775)
    store.restore(taken)
    assert (tree.root / "src/1.txt").stat().st_gid == 4711
    assert (tree.root / "src/4.txt").stat().st_gid == 4711


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others there")
def test_a_directory_that_may_not_be_written_stops_a_restore_before_it_changes_anything(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, taken = edited(tree)
    before = tree.files()
    tree.write({"a.txt": "now\n"})
    access = os.access

    def forbidden(path: bytes, mode: int, **options: bool) -> bool:
        return not os.fsdecode(path).endswith("src") and access(path, mode, **options)

    create = OpenDirectory.write_new

    def refuse(directory: OpenDirectory, name: bytes, data: bytes, **options: int) -> None:
        if directory.path.endswith(b"/src"):
            place = os.fsdecode(os.path.join(directory.path, name))
            raise PermissionError(errno.EACCES, "Permission denied", place)
        create(directory, name, data, **options)

    monkeypatch.setattr(os, "access", forbidden)
    monkeypatch.setattr(OpenDirectory, "write_new", refuse)
    with pytest.raises(RestoreFailedError, match="src cannot be written: permission denied") as failed:
        store.restore(taken)
    assert ".patchpoint-" not in str(failed.value)
    assert {path: tree.files()[path] for path in before} == before | {"a.txt": tree.files()["a.txt"]}
    assert left(tree) == []


@needs_links
def test_without_symbolic_links_a_tracked_one_is_restored_as_a_plain_file(tree: WorkingTree) -> None:
    (tree.root / "link").symlink_to("a.txt")
    tree.commit("with a link")
    tree.git("config", "core.symlinks", "false")
    (tree.root / "link").unlink()
    (tree.root / "link").write_text("a.txt")
    assert tree.git("status", "--porcelain") == ""
    store = CheckpointStore.open(tree.root)
    taken = store.take().id
    tree.write({"link": "src/b.txt", "a.txt": "now\n"})
    before = tree.files()
    store.restore(taken)
    assert not (tree.root / "link").is_symlink()
    assert (tree.root / "link").read_text() == "a.txt"
    assert tree.git("status", "--porcelain") == ""
    store.undo()
    assert tree.files() == before
    tree.write({"link": None})
    store.restore(taken)
    assert (tree.root / "link").read_text() == "a.txt"
    interrupt(lambda: store.undo())
    assert CheckpointStore.open(tree.root).doctor().findings == ()
    assert not (tree.root / "link").exists()


@pytest.fixture
def tree_on_ext4() -> Iterator[WorkingTree]:
    """A small repository on a disk, where the temporary folders of the tests may not be."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        (Path(folder) / "other").mkdir()
        if subprocess.run(["chattr", "+T", f"{folder}/other"], check=False, capture_output=True).returncode:
            pytest.skip("the file system knows no such flags")
        yield WorkingTree.create(Path(folder) / "repo")


@pytest.mark.skipif(shutil.which("chattr") is None, reason="these are flags of ext4")
def test_what_is_staged_is_not_put_where_files_have_just_been_deleted(tree_on_ext4: WorkingTree) -> None:
    def flags() -> str:
        listed = ["lsattr", "-d", str(tree_on_ext4.root / ".git/patchpoint")]
        return subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()[0]

    store, taken = edited(tree_on_ext4)
    assert "T" not in flags()
    store.restore(taken)
    assert "T" in flags()


class Changing(Silent):
    """Writes as many other bytes to a file at a step of the restore, and sets its time back."""

    def __init__(self, path: Path, step: str) -> None:
        self.path = path
        self.step = step
        self.waits = True

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message == self.step and self.waits:
            self.waits = False
            before = self.path.stat()
            self.path.write_bytes(b"mine"[: before.st_size])
            os.utime(self.path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("step", "again"), [("Saving the state before the restore", {b"2.txt"}), ("Preparing the files", set())]
)
def test_only_what_was_touched_since_it_was_saved_is_read_again(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, step: str, again: set[bytes]
) -> None:
    store, taken = edited(tree)
    monkeypatch.setattr(take, "_RACY_NS", -3_600_000_000_000)  # so that no file is too young to tell
    read: list[bytes] = []
    opened_file = OpenDirectory.opened_file

    def opened(directory: OpenDirectory, name: bytes) -> AbstractContextManager[int]:
        read.append(name)
        return opened_file(directory, name)

    monkeypatch.setattr(OpenDirectory, "opened_file", opened)
    store.restore(taken)
    assert read == []
    store.undo()
    assert read == []
    changing = Changing(tree.root / "src/2.txt", step)
    saved = store.restore(taken, progress=changing).safety
    assert not changing.waits
    assert set(read) == again
    assert saved is not None
    assert store.read(saved.id, "src/2.txt") == b"mine"
    assert (tree.root / "src/2.txt").read_text() == "then\n"
