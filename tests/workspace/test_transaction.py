import contextlib
import errno
import os
import resource
import signal
import stat
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint.filesystem.errors import (
    DiskFullError,
    ExistingFileError,
    FileError,
    ReadOnlyFileError,
    StaleFileError,
    UnwritableFileError,
)
from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.read import read_bytes
from patchpoint.progress import CancelledError, Silent
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.transaction.apply import (
    AppliedChanges,
    DiskChange,
    PartlyAppliedError,
    SharedPathError,
    apply_changes,
    roll_back_unfinished,
)
from patchpoint.workspace.transaction.steps import UnsafePlaceError
from patchpoint.workspace.transaction.undo_log import UndoLog
from patchpoint.workspace.write import failure_message

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")


@pytest.fixture
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of killing a process does not depend on it, and it would take minutes."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


State = dict[str, tuple[str, bytes, int]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = (tmp_path / "workspace").resolve()
    root.mkdir()
    for name, body in {
        "update.txt": b"old\r\n",
        "delete.txt": b"goes\n",
        "rename.txt": b"moves\n",
        "rename and change.txt": b"moves and changes\n",
        "run.sh": b"#!/bin/sh\n",
        "bystander.txt": b"stays\n",
    }.items():
        (root / name).write_bytes(body)
        (root / name).chmod(0o640)
    os.utime(root / "update.txt", ns=(10**18, 10**18))
    return root


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "state" / "landing"


def state(root: Path) -> State:
    """Everything below a folder: kind, content and mode."""
    found: State = {}
    for path in sorted(root.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = ("link", os.fsencode(path.readlink()), 0)
        elif path.is_dir():
            found[name] = ("folder", b"", 0)
        else:
            found[name] = ("file", path.read_bytes(), mode)
    return found


def create(root: Path, name: str, data: bytes = b"new\n", executable: bool | None = None) -> DiskChange:
    return DiskChange(
        root=root, path=root / name, operation=FileOperation.CREATE, data=data, executable=executable
    )


def update(
    root: Path, name: str, data: bytes | None = b"new\n", executable: bool | None = None
) -> DiskChange:
    path = root / name
    return DiskChange(
        root=root,
        path=path,
        operation=FileOperation.UPDATE,
        expected=read_bytes(path).identity,
        data=data,
        executable=executable,
    )


def delete(root: Path, name: str) -> DiskChange:
    path = root / name
    return DiskChange(
        root=root, path=path, operation=FileOperation.DELETE, expected=read_bytes(path).identity
    )


def rename(root: Path, name: str, new_name: str, data: bytes | None = None) -> DiskChange:
    path = root / name
    return DiskChange(
        root=root,
        path=path,
        operation=FileOperation.RENAME,
        expected=read_bytes(path).identity,
        new_path=root / new_name,
        data=data,
    )


def everything(root: Path) -> list[DiskChange]:
    """One change of each kind, with folders to be made and names that change hands."""
    return [
        update(root, "update.txt"),
        create(root, "deep/er/new.txt"),
        create(root, "tool", b"#!/bin/sh\n", executable=True),
        delete(root, "delete.txt"),
        rename(root, "rename.txt", "deep/renamed.txt"),
        create(root, "rename.txt", b"moves\n"),
        rename(root, "rename and change.txt", "delete.txt", b"changed\n"),
        update(root, "run.sh", None, executable=True),
    ]


def test_all_kinds_of_changes_are_applied_together(root: Path, log: Path) -> None:
    os.umask(umask := os.umask(0))
    applied = apply_changes(everything(root), log)
    new_file, executable = 0o666 & ~umask, 0o777 & ~umask
    assert state(root) == {
        "bystander.txt": ("file", b"stays\n", 0o640),
        "deep": ("folder", b"", 0),
        "deep/er": ("folder", b"", 0),
        "deep/er/new.txt": ("file", b"new\n", new_file),
        "deep/renamed.txt": ("file", b"moves\n", 0o640),
        "delete.txt": ("file", b"changed\n", 0o640),
        "rename.txt": ("file", b"moves\n", new_file),
        "run.sh": ("file", b"#!/bin/sh\n", 0o750),
        "tool": ("file", b"#!/bin/sh\n", executable),
        "update.txt": ("file", b"new\n", 0o640),
    }
    assert applied == AppliedChanges(
        {path: read_bytes(path).identity for path in applied.identities}, (root / "delete.txt",)
    )
    assert {path.name for path in applied.identities} == {
        *("update.txt", "new.txt", "tool", "renamed.txt", "rename.txt", "delete.txt", "run.sh")
    }
    assert [path.name for path in log.iterdir()] == ["lock"]


def test_nothing_to_roll_back_leaves_no_trace(log: Path) -> None:
    rolled_back = roll_back_unfinished(log)
    assert rolled_back.restored == ()
    assert not log.exists()


@posix_only
@pytest.mark.usefixtures("no_syncing")
def test_where_nothing_is_renamed_from_one_directory_to_another_files_are_staged_next_to_their_targets(
    root: Path, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = fresh(tmp_path, root, "done")
    apply_changes(everything(done), tmp_path / "done-journal")
    asked = OpenDirectory.rename_over, OpenDirectory.link

    def apart(act: Callable[..., None]) -> Callable[..., None]:
        def refuse(
            self: OpenDirectory, old: bytes, new: bytes, directory: OpenDirectory | None = None
        ) -> None:
            staged_elsewhere = self.path == os.fsencode(log) and old.startswith(b".patchpoint-")
            if staged_elsewhere and directory is not None and self.has(old):
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), "a file")
            act(self, old, new, directory)

        return refuse

    monkeypatch.setattr(OpenDirectory, "rename_over", apart(asked[0]))
    monkeypatch.setattr(OpenDirectory, "link", apart(asked[1]))
    apply_changes(everything(root), log)
    assert state(root) == state(done)
    assert [path.name for path in log.iterdir()] == ["lock"]


class Struck:
    """An audit hook that does something before the nth call that changes a file system, seen from now on."""

    changing = frozenset(
        {
            "open",
            "os.rename",
            "os.link",
            "os.remove",
            "os.mkdir",
            "os.rmdir",
            "os.chmod",
            "os.utime",
            "os.symlink",
        }
    )

    def __init__(self, at: int, strike: Callable[[], None]) -> None:
        self.left = at
        self.strike = strike
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in self.changing or self.left < 0:
            return
        if event == "open" and not int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR):
            return
        self.left -= 1
        if self.left < 0:
            self.strike()


def in_child(work: Callable[[], object]) -> bool:
    """Run `work` in a process of its own; whether it was killed."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def kill_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Run `work` in a process that is killed before its nth change of a file system; whether it was."""

    def struck() -> None:
        Struck(step, kill_oneself)
        work()

    return in_child(struck)


def changes_made(work: Callable[[], object], result: Path) -> int:
    """Return how many changes `work` makes to the file system; it runs in a process of its own."""

    def count() -> None:
        hook = Struck(1_000_000, kill_oneself)
        work()
        result.write_text(str(1_000_000 - hook.left))

    assert not in_child(count)
    return int(result.read_text())


def fresh(tmp_path: Path, like: Path, name: str) -> Path:
    """A copy of a folder, for one more try."""
    copy = (tmp_path / name).resolve()
    copy.mkdir()
    for path in like.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
        (copy / path.name).chmod(0o640)
    return copy


@posix_only
@pytest.mark.usefixtures("no_syncing")
def test_a_process_killed_at_any_step_leaves_all_or_nothing(root: Path, tmp_path: Path) -> None:
    before = state(root)
    done = fresh(tmp_path, root, "done")
    apply_changes(everything(done), tmp_path / "done-journal")
    after = state(done)
    seen = []
    for step in range(1000):
        workspace, log = fresh(tmp_path, root, f"try{step}"), tmp_path / f"log{step}"
        changes = everything(workspace)
        killed = killed_at(step, partial(apply_changes, changes, log))
        rolled_back = roll_back_unfinished(log)
        assert rolled_back.kept == ()
        assert state(workspace) in (before, after), step
        seen.append(state(workspace) == after)
        assert not any(path.suffix == ".tmp" for path in workspace.rglob(".*"))
        if not killed:
            break
    assert not killed
    assert step > 30
    assert seen == sorted(seen), "once it is applied it stays applied"
    assert seen[-1]


@posix_only
@pytest.mark.usefixtures("no_syncing")
def test_a_rollback_killed_at_any_step_is_finished_by_the_next(root: Path, tmp_path: Path) -> None:
    before = state(root)
    done = fresh(tmp_path, root, "done")
    made = changes_made(
        partial(apply_changes, everything(done), tmp_path / "done-journal"), tmp_path / "count"
    )
    closed = made - 2  # then the old contents go, and it is applied
    for struck in (closed, closed - 12):
        for step in range(1000):
            workspace = fresh(tmp_path, root, f"try{struck}-{step}")
            log = tmp_path / f"log{struck}-{step}"
            changes = everything(workspace)
            assert killed_at(struck, partial(apply_changes, changes, log))
            killed = killed_at(step, partial(roll_back_unfinished, log))
            assert roll_back_unfinished(log).kept == ()
            assert state(workspace) == before, (struck, step)
            if not killed:
                break
        assert step > 5


@posix_only
@pytest.mark.usefixtures("no_syncing")
def test_a_disk_that_fails_at_any_step_leaves_all_or_nothing(root: Path, tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def try_to_apply(step: int, changes: list[DiskChange], log: Path) -> None:
        hook = Struck(step, fail)
        with contextlib.suppress(FileError):
            apply_changes(changes, log)
        if hook.left >= 0:
            (tmp_path / "unharmed").touch()

    before = state(root)
    done = fresh(tmp_path, root, "done")
    apply_changes(everything(done), tmp_path / "done-journal")
    after = state(done)
    step = 0
    while not (tmp_path / "unharmed").exists():
        workspace, log = fresh(tmp_path, root, f"try{step}"), tmp_path / f"log{step}"
        changes = everything(workspace)
        assert not in_child(partial(try_to_apply, step, changes, log))
        rolled_back = roll_back_unfinished(log)
        assert rolled_back.kept == ()
        assert state(workspace) in (before, after), step
        step += 1
    assert step > 30


class Failing(Struck):
    """An audit hook that lets every change of a file system fail, from the nth on until it works again."""

    def __init__(self, at: int) -> None:
        self.works_again = False
        super().__init__(at, lambda: None)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.left >= 0:
            super().__call__(event, arguments)
        is_change = event in self.changing and (
            event != "open" or bool(int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR))
        )
        if self.left < 0 and is_change and not self.works_again:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


@posix_only
@pytest.mark.usefixtures("no_syncing")
def test_what_is_said_of_a_failure_is_true_wherever_the_disk_begins_to_fail(
    root: Path, tmp_path: Path
) -> None:
    def try_to_apply(step: int, changes: list[DiskChange], log: Path) -> None:
        hook = Failing(step)
        message = "applied"
        try:
            apply_changes(changes, log)
        except FileError as error:
            message = failure_message(error)
        hook.works_again = True
        (tmp_path / "message").write_text(message)

    before = state(root)
    said = set()
    for step in range(1000):
        workspace, log = fresh(tmp_path, root, f"try{step}"), tmp_path / f"log{step}"
        changes = everything(workspace)
        assert not in_child(partial(try_to_apply, step, changes, log))
        message = (tmp_path / "message").read_text()
        if message == "applied":
            break
        now = state(workspace)
        if message.endswith("Nothing was written."):
            assert now == before, step
        else:
            changed = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
            assert changed, step
            for name in changed:
                assert str(workspace / name) in message, (step, name, message)
        said.add(message.endswith("Nothing was written."))
        roll_back_unfinished(log)
        assert state(workspace) == before, step
    assert message == "applied"
    assert said == {True, False}


def test_a_file_that_somebody_changed_before_it_could_be_undone_is_named(root: Path, log: Path) -> None:
    def change_both() -> None:
        (root / "new.txt").write_bytes(b"theirs\n")
        (root / "update.txt").write_bytes(b"faster\n")

    before = state(root)
    with pytest.raises(PartlyAppliedError) as caught:
        apply_changes(
            [create(root, "new.txt"), create(root, "other.txt"), update(root, "update.txt")],
            log,
            Watch("update.txt", change_both),
        )
    message = failure_message(caught.value)
    assert "update.txt has changed on disk" in message
    assert f"{root / 'new.txt'} stayed as it is, because it has been changed since" in message
    assert str(root / "other.txt") not in message
    assert "Nothing was written" not in message
    assert state(root).keys() == {*before, "new.txt"}


@posix_only
def test_what_another_program_writes_into_a_file_that_is_replaced_is_put_back(root: Path, log: Path) -> None:
    before = state(root)
    with (root / "update.txt").open("ab") as one, (root / "delete.txt").open("ab") as other:

        def write_to_both() -> None:
            for file in (one, other):
                file.write(b"theirs\n")
                file.flush()

        changes = [update(root, "update.txt"), delete(root, "delete.txt"), update(root, "bystander.txt")]
        with pytest.raises(PartlyAppliedError) as caught:
            apply_changes(changes, log, Watch("bystander.txt", write_to_both))
    message = failure_message(caught.value)
    assert "was written to at this very instant" in message
    assert "stayed as they are, because they have been changed since" in message
    assert state(root) == {
        **before,
        "update.txt": ("file", b"old\r\ntheirs\n", 0o640),
        "delete.txt": ("file", b"goes\ntheirs\n", 0o640),
    }
    assert roll_back_unfinished(log).restored == ()


def test_a_file_left_alone_in_an_undone_move_is_named_where_it_is(root: Path, log: Path) -> None:
    def change_both() -> None:
        (root / "moved.txt").write_bytes(b"theirs\n")
        (root / "update.txt").write_bytes(b"faster\n")

    with pytest.raises(PartlyAppliedError) as caught:
        apply_changes(
            [rename(root, "rename.txt", "moved.txt", b"new\n"), update(root, "update.txt")],
            log,
            Watch("update.txt", change_both),
        )
    assert f"{root / 'rename.txt'} stayed" in str(caught.value)
    assert (root / "rename.txt").read_bytes() == b"theirs\n"
    assert not (root / "moved.txt").exists()
    saved = str(caught.value).rpartition(" is in ")[2]
    assert Path(saved).read_bytes() == b"moves\n"


def test_a_folder_in_the_place_of_a_new_file_does_not_block_all_later_edits(root: Path, log: Path) -> None:
    def put_a_folder() -> None:
        (root / "new.txt").unlink()
        (root / "new.txt").mkdir()
        (root / "update.txt").write_bytes(b"faster\n")

    with pytest.raises(PartlyAppliedError, match=r"new\.txt stayed"):
        apply_changes(
            [create(root, "new.txt"), update(root, "update.txt")], log, Watch("update.txt", put_a_folder)
        )
    apply_changes([update(root, "update.txt")], log)
    assert (root / "update.txt").read_bytes() == b"new\n"


def test_changes_that_would_complete_a_repository_are_undone_to_the_last(root: Path, log: Path) -> None:
    before = state(root)
    parts = [create(root, name) for name in ("docs/HEAD", "docs/config", "docs/objects/x", "docs/refs/x")]
    with pytest.raises(UnsafePlaceError, match=r"would make .* a repository"):
        apply_changes(parts, log)
    assert state(root) == before


@posix_only
def test_a_repository_that_somebody_completes_keeps_nothing_of_the_request(root: Path, log: Path) -> None:
    def complete() -> None:
        for name in ("objects", "refs"):
            (root / "docs" / name).mkdir()

    with pytest.raises(UnsafePlaceError) as caught:
        apply_changes(
            [create(root, "docs/HEAD"), create(root, "docs/notes.md")], log, Watch("notes.md", complete)
        )
    assert failure_message(caught.value).endswith("Nothing was written.")
    assert sorted(path.name for path in (root / "docs").iterdir()) == ["objects", "refs"]


NAMES = st.sampled_from(["a", "b", "c", "sub/a", "sub/b", "new/d"])
BODIES = st.sampled_from([b"", b"one\n", b"two\n"])


@posix_only
@pytest.mark.usefixtures("no_syncing")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.dictionaries(NAMES, BODIES, max_size=5),
    wanted=st.lists(st.tuples(st.sampled_from(FileOperation), NAMES, NAMES, BODIES), max_size=5),
    step=st.integers(0, 60),
    again=st.integers(0, 30),
)
def test_any_changes_are_applied_whole_or_not_at_all(
    files: dict[str, bytes], wanted: list[tuple[FileOperation, str, str, bytes]], step: int, again: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, log = Path(folder).resolve() / "workspace", Path(folder) / "journal"
        root.mkdir()
        for name, body in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(body)
        changes = []
        for operation, name, new_name, body in wanted:
            if operation is FileOperation.CREATE:
                changes.append(create(root, name, body))
            elif name in files and operation is FileOperation.RENAME:
                changes.append(rename(root, name, new_name, body or None))
            elif name in files:
                changes.append((update if operation is FileOperation.UPDATE else delete)(root, name))
        before = state(root)
        killed_at(step, partial(apply_if_possible, changes, log))
        killed_at(again, partial(roll_back_unfinished, log))
        rolled_back = roll_back_unfinished(log)
        assert rolled_back.kept == ()
        if state(root) == before:
            apply_if_possible(changes, log)
        if state(root) != before:
            assert contents(root) == model(files, changes, root)


def apply_if_possible(changes: list[DiskChange], log: Path) -> None:
    with contextlib.suppress(FileError):
        apply_changes(changes, log)


def contents(root: Path) -> dict[str, bytes]:
    return {name: body for name, (kind, body, _) in state(root).items() if kind == "file"}


def model(files: dict[str, bytes], changes: list[DiskChange], root: Path) -> dict[str, bytes]:
    """What the changes do to `files`, if each finds what it expects."""
    left = dict(files)
    moved = {}
    for change in changes:
        name = change.path.relative_to(root).as_posix()
        if change.operation in (FileOperation.DELETE, FileOperation.RENAME):
            old = left.pop(name)
            if change.new_path is not None:
                moved[change.new_path.relative_to(root).as_posix()] = change.data or old
    for change in changes:
        if change.operation in (FileOperation.CREATE, FileOperation.UPDATE):
            left[change.path.relative_to(root).as_posix()] = change.data or b""
    return left | moved


class Watch(Silent):
    """Progress that does something when a certain file is about to be written."""

    def __init__(self, name: str, strike: Callable[[], object]) -> None:
        self.name = name
        self.strike = strike

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message == f"writing {self.name}":
            self.strike()


def test_a_file_changed_at_the_last_moment_keeps_everything_as_it_was(root: Path, log: Path) -> None:
    before = state(root)
    changes = [*everything(root), update(root, "bystander.txt")]
    theirs = b"somebody was faster\n"
    with pytest.raises(StaleFileError, match=r"bystander\.txt has changed on disk"):
        apply_changes(
            changes,
            log,
            Watch("bystander.txt", lambda: (root / "bystander.txt").write_bytes(theirs)),
        )
    assert state(root) == {**before, "bystander.txt": ("file", theirs, 0o640)}
    assert (root / "update.txt").stat().st_mtime_ns == 10**18
    assert roll_back_unfinished(log).restored == ()


def test_a_file_that_appears_at_the_last_moment_is_not_replaced(root: Path, log: Path) -> None:
    before = state(root)
    with pytest.raises(ExistingFileError):
        apply_changes(
            [update(root, "update.txt"), create(root, "new.txt")],
            log,
            Watch("new.txt", lambda: (root / "new.txt").write_bytes(b"theirs")),
        )
    assert {name: what[1] for name, what in state(root).items()} == {
        **{name: what[1] for name, what in before.items()},
        "new.txt": b"theirs",
    }


@posix_only
def test_a_folder_that_becomes_a_link_at_the_last_moment_is_not_followed(
    root: Path, log: Path, tmp_path: Path
) -> None:
    (root / "src").mkdir()
    (root / "src/a.txt").write_bytes(b"one\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.txt").write_bytes(b"one\n")

    def swap() -> None:
        (root / "src").rename(root / "moved")
        (root / "src").symlink_to(tmp_path / "outside")

    with pytest.raises(UnsafePlaceError, match="leads to another folder"):
        apply_changes([update(root, "src/a.txt")], log, Watch("a.txt", swap))
    assert (tmp_path / "outside/a.txt").read_bytes() == b"one\n"
    assert (root / "moved/a.txt").read_bytes() == b"one\n"


@pytest.mark.parametrize(
    ("spoil", "changes", "problem"),
    [
        (lambda root: (root / "update.txt").write_bytes(b"x"), [update], StaleFileError),
        (lambda root: (root / "update.txt").unlink(), [update], StaleFileError),
        (lambda root: (root / "update.txt").chmod(0o440), [update], ReadOnlyFileError),
        (lambda root: (root / "update.txt").chmod(0o440), [delete], ReadOnlyFileError),
    ],
)
def test_what_cannot_be_applied_stops_all_of_it(
    spoil: Callable[[Path], object],
    changes: Sequence[Callable[[Path, str], DiskChange]],
    problem: type[FileError],
    root: Path,
    log: Path,
) -> None:
    wanted = [create(root, "deep/new.txt"), *(change(root, "update.txt") for change in changes)]
    spoil(root)
    before = state(root)
    with pytest.raises(problem, match=r"update\.txt"):
        apply_changes(wanted, log)
    assert state(root) == before
    assert roll_back_unfinished(log).restored == ()


def test_a_new_file_or_name_that_is_taken_stops_all_of_it(root: Path, log: Path) -> None:
    before = state(root)
    for taken in (
        create(root, "bystander.txt"),
        rename(root, "rename.txt", "bystander.txt"),
        rename(root, "bystander.txt", "bystander.txt", b"new\n"),
    ):
        with pytest.raises(ExistingFileError, match=r"bystander\.txt already exists"):
            apply_changes([update(root, "update.txt"), taken], log)
        assert state(root) == before


def test_two_changes_of_one_path_are_refused(root: Path, log: Path) -> None:
    for twice in (
        [update(root, "update.txt"), update(root, "update.txt", b"other\n")],
        [create(root, "new.txt"), rename(root, "rename.txt", "new.txt")],
        [delete(root, "rename.txt"), rename(root, "rename.txt", "new.txt")],
    ):
        with pytest.raises(SharedPathError, match="has two changes"):
            apply_changes(twice, log)


def test_a_change_that_contradicts_itself_is_a_mistake_of_the_caller(root: Path, log: Path) -> None:
    with pytest.raises(ValueError, match="needs data"):
        apply_changes([DiskChange(root=root, path=root / "x", operation=FileOperation.UPDATE, data=b"")], log)
    with pytest.raises(ValueError, match="needs a new path"):
        apply_changes(
            [
                DiskChange(
                    root=root,
                    path=root / "update.txt",
                    operation=FileOperation.RENAME,
                    expected=read_bytes(root / "update.txt").identity,
                )
            ],
            log,
        )


def test_a_path_in_a_repository_or_outside_is_never_written(root: Path, log: Path, tmp_path: Path) -> None:
    (root / ".git").mkdir()
    for place in (root / ".git/config", tmp_path.resolve() / "outside.txt"):
        change = DiskChange(root=root, path=place, operation=FileOperation.CREATE, data=b"x")
        with pytest.raises(UnsafePlaceError, match="may not be written"):
            apply_changes([change], log)
        assert not place.exists()


@posix_only
def test_when_there_is_no_room_nothing_is_applied(root: Path, log: Path) -> None:

    before = state(root)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        with pytest.raises(DiskFullError, match="disk is full"):
            apply_changes([update(root, "update.txt"), create(root, "deep/large.bin", b"x" * 20_000)], log)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert state(root) == before
    assert roll_back_unfinished(log).restored == ()


def test_work_that_is_cancelled_leaves_everything_as_it_was(root: Path, log: Path) -> None:
    before = state(root)

    class Cancelled(Silent):
        left = 12

        def check(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise CancelledError

    with pytest.raises(CancelledError):
        apply_changes(everything(root), log, Cancelled())
    assert state(root) == before
    assert roll_back_unfinished(log).restored == ()


@posix_only
def test_a_link_is_deleted_and_renamed_as_itself(root: Path, log: Path) -> None:
    (root / "link").symlink_to("bystander.txt")
    (root / "other").symlink_to("bystander.txt")
    apply_changes([delete(root, "link"), rename(root, "other", "moved")], log)
    assert not os.path.lexists(root / "link")
    assert (root / "moved").readlink() == Path("bystander.txt")
    assert (root / "bystander.txt").read_bytes() == b"stays\n"


@posix_only
def test_a_deleted_and_a_renamed_link_come_back(root: Path, log: Path) -> None:
    (root / "link").symlink_to("bystander.txt")
    (root / "other").symlink_to("bystander.txt")
    before = state(root)
    changes = [delete(root, "link"), rename(root, "other", "moved"), update(root, "update.txt")]
    with pytest.raises(StaleFileError):
        apply_changes(
            changes,
            log,
            Watch("update.txt", lambda: (root / "update.txt").write_bytes(b"theirs")),
        )
    assert state(root) == {**before, "update.txt": ("file", b"theirs", 0o640)}


def test_a_name_may_change_in_upper_and_lower_case_alone(root: Path, log: Path) -> None:
    apply_changes([rename(root, "rename.txt", "Rename.txt")], log)
    names = {path.name for path in root.iterdir()}
    assert "Rename.txt" in names
    assert "rename.txt" not in names


@posix_only
def test_what_somebody_changed_after_a_crash_is_left_and_the_old_bytes_are_kept(
    root: Path, log: Path, tmp_path: Path
) -> None:
    name = "é" * 125 + ".txt"  # as long as a name may be
    (root / "bystander.txt").rename(root / name)
    changes = [update(root, name), update(root, "update.txt")]
    assert in_child(partial(apply_changes, changes, log, Watch("update.txt", kill_oneself)))
    assert (root / name).read_bytes() == b"new\n"
    (root / name).write_bytes(b"edited since\n")
    rolled_back = roll_back_unfinished(log)
    [kept] = rolled_back.kept
    assert kept.path == root / name
    assert kept.path.read_bytes() == b"edited since\n"
    assert kept.saved_copy is not None
    assert kept.saved_copy.read_bytes() == b"stays\n"
    assert rolled_back.restored == (root / "update.txt",)
    assert (root / "update.txt").read_bytes() == b"old\r\n"


@posix_only
def test_a_transaction_begins_by_rolling_back_one_that_was_interrupted(root: Path, log: Path) -> None:
    changes = everything(root)
    assert killed_at(32, partial(apply_changes, changes, log))
    apply_changes([update(root, "bystander.txt")], log)
    assert (root / "update.txt").read_bytes() == b"old\r\n"
    assert (root / "bystander.txt").read_bytes() == b"new\n"


def test_a_damaged_undo_log_is_set_aside_with_its_contents(root: Path, log: Path) -> None:
    log.mkdir(parents=True)
    (log / "taking.json").write_bytes(b'{"version": 1, "content": {"steps": [{}]}}')
    (log / "old").write_bytes(b"precious")
    assert roll_back_unfinished(log).restored == ()
    assert not UndoLog(log).is_open
    assert sorted(path.name.partition(".damaged-")[0] for path in log.iterdir()) == [
        "lock",
        "old",
        "taking.json",
    ]
    apply_changes([update(root, "update.txt")], log)


def test_two_transactions_take_turns(root: Path, log: Path) -> None:
    waiting = threading.Event()
    order = []

    class Second(Silent):
        def check(self) -> None:
            waiting.set()

        def report(self, message: str, done: int = 0, total: int | None = None) -> None:
            order.append("second")

    changes = [update(root, "bystander.txt")]
    thread = threading.Thread(target=apply_changes, args=(changes, log, Second()))

    def start_second() -> None:
        thread.start()
        assert waiting.wait(20)
        order.append("first")

    apply_changes([update(root, "update.txt")], log, Watch("update.txt", start_second))
    thread.join(20)
    assert order == ["first", "second"]
    assert (root / "bystander.txt").read_bytes() == (root / "update.txt").read_bytes() == b"new\n"


def test_an_undo_log_that_cannot_be_written_lets_nothing_be_applied(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnwritableFileError, match="a part of its path is a file"):
        apply_changes([update(root, "update.txt")], tmp_path / "file/journal")
    assert (root / "update.txt").read_bytes() == b"old\r\n"


def test_waiting_for_another_transaction_can_be_cancelled(root: Path, log: Path) -> None:
    class Impatient(Silent):
        def check(self) -> None:
            raise CancelledError

    with exclusive_lock(UndoLog(log).lock), pytest.raises(CancelledError):
        apply_changes([update(root, "update.txt")], log, Impatient())
    assert (root / "update.txt").read_bytes() == b"old\r\n"
