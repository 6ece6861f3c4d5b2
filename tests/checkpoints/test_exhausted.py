"""Where the system has no more of something, an error says of what, and nothing counts as missing for it."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointError, RepositoryBusyError
from patchpoint.checkpoints.snapshot import stat_cache
from patchpoint.filesystem.exhausted import in_words
from tests.git.git_judge import WorkingTree

_PIPE = 3
"""The descriptor by which the process with few of them says what happened."""
_LIMITS = range(_PIPE + 2, 40)
"""From the first limit at which a file can be opened at all, up to one at which all works."""


@pytest.fixture
def tree(tree: WorkingTree) -> WorkingTree:
    """One with ignored files, a directory of its own ignore rules, packed objects and packed refs."""
    tree.write({f"d{number % 5}/{number}.txt": f"{number}\n" for number in range(40)})
    tree.write({"d1/.gitignore": "secret*\n", "d1/secret.txt": "s\n", "deep/er/file.txt": "deep\n"})
    tree.commit("second")
    tree.git("gc", "-q")
    return tree


def with_files(most: int, work: Callable[[], str]) -> str:
    """What `work` returns in a process that may open `most` files."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(theirs, _PIPE)
        os.closerange(_PIPE + 1, 1 << 16)
        stat_cache._kept.clear()
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        try:
            said = work()
        except CheckpointError as error:
            said = f"{type(error).__name__}: {error}"
        except BaseException as error:
            said = f"crash: {type(error).__name__}: {error}"
        os.write(_PIPE, said.encode())
        os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as file:
        said = file.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.parametrize("many", [False, True], ids=["few new objects", "a pack of them"])
def test_a_checkpoint_is_whole_or_says_that_no_more_files_may_be_opened(
    tree: WorkingTree, many: bool
) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    taken = 0
    for most in _LIMITS:
        changed = range(40) if many else range(0, 40, 9)
        tree.write({f"d{number % 5}/{number}.txt": f"{most} {number}\n" for number in changed})
        tree.write({f"new{most}/{number}.txt": f"{most} {number}\n" for number in range(2)})
        (tree.root / ".git/patchpoint/stat-cache").unlink(missing_ok=True)
        said = with_files(most, lambda: CheckpointStore.open(tree.root).take().id)
        if ": " in said:
            assert "too many open files" in said, said
            continue
        taken += 1
        assert store.show(said).skipped == ()
        listed = tree.git("ls-tree", "-r", "--name-only", store.show(said).commit).splitlines()
        assert set(listed) == set(tree.files()) - {"d1/secret.txt"}
    assert 0 < taken < len(_LIMITS)
    tree.refuse_damage()


def test_a_checkpoint_that_is_there_is_not_said_to_be_missing(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "changed\n"})
    taken = store.take()
    tree.git("pack-refs", "--all")
    tree.git("gc", "-q")

    def read() -> str:
        found = CheckpointStore.open(tree.root)
        assert [each.id for each in found.list()] == [taken.id]
        return found.read(taken.id, "a.txt").decode() + found.read(taken.id, "deep/er/file.txt").decode()

    said = [with_files(most, read) for most in _LIMITS]
    assert said[-1] == "changed\ndeep\n"
    for each in said:
        assert each == "changed\ndeep\n" or "open files" in each, each


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EMFILE, "too many open files"),
        (errno.ENFILE, "system has too many open files"),
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "quota is exceeded"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "disk failed to read or write"),
        (errno.EACCES, "permission denied"),
        (errno.ENAMETOOLONG, "File name too long"),
    ],
)
def test_what_cannot_be_written_says_why(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take()

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    tree.write({"a.txt": "changed\n"})
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", fail)
        with pytest.raises(CheckpointError, match=words):
            store.take()
    assert [each.id for each in store.list()] == [first.id]
    with monkeypatch.context() as failing:
        failing.setattr(os, "link", fail)
        failing.setattr(os, "open", fail)
        with pytest.raises(RepositoryBusyError, match=words):
            store.take()
    store.take()
    assert in_words(OSError(code, os.strerror(code)))
