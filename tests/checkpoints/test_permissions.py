"""Permission bits that git does not keep come back with a file, and never make one more public than it is."""

from __future__ import annotations

import json
import os
import stat

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import RestoreFailedError
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.review.tree import SinceCheckpoint
from tests.checkpoints.interrupted_restore import interrupt
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no permission bits")


@pytest.fixture(autouse=True)
def usual_umask() -> None:
    """The tests name bits as they are under this umask."""
    assert os.umask(0o022) == 0o022, "the umask of the tests is another one"


def bits(tree: WorkingTree, name: str) -> int:
    return stat.S_IMODE((tree.root / name).stat().st_mode)


def write(tree: WorkingTree, name: str, mode: int, content: str = "secret\n") -> None:
    tree.write({name: content})
    (tree.root / name).chmod(mode)


def recorded(tree: WorkingTree, commit: str) -> dict[str, object]:
    """What the state commit of a checkpoint has of permissions."""
    if "permissions" not in tree.git("ls-tree", "--name-only", f"{commit}^2").split():
        return {}
    found: dict[str, object] = json.loads(tree.git("show", f"{commit}^2:permissions"))
    return found


def test_a_private_file_that_is_created_again_is_private(tree: WorkingTree) -> None:
    write(tree, "key.pem", 0o600)
    write(tree, "bin/key", 0o700)
    write(tree, "shared.txt", 0o664)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"key.pem": None, "bin/key": None, "shared.txt": None, "a.txt": None})
    store.restore(taken.id)
    assert [bits(tree, name) for name in ("key.pem", "bin/key", "shared.txt")] == [0o600, 0o700, 0o664]
    assert bits(tree, "a.txt") == 0o644
    tree.refuse_damage()


def test_an_undo_brings_a_private_file_back_as_private(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    write(tree, "key.pem", 0o600)
    store.restore(taken.id)
    assert not (tree.root / "key.pem").exists()
    store.undo()
    assert bits(tree, "key.pem") == 0o600


@pytest.mark.parametrize(
    ("then", "now", "after"),
    [(0o644, 0o600, 0o600), (0o600, 0o644, 0o600), (0o640, 0o604, 0o600), (0o664, 0o644, 0o644)],
)
def test_a_file_that_is_there_gets_no_more_public(tree: WorkingTree, then: int, now: int, after: int) -> None:
    write(tree, "key.pem", then)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    write(tree, "key.pem", now, "changed\n")
    store.restore(taken.id)
    assert bits(tree, "key.pem") == after


def test_nobody_reads_a_private_file_while_it_is_staged(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, "key.pem", 0o600)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"key.pem": None})
    seen = []
    real = os.fchmod

    def looked_at(descriptor: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        real(descriptor, mode)

    monkeypatch.setattr(os, "fchmod", looked_at)
    store.restore(taken.id)
    assert set(seen) == {0o600}


def test_a_restore_that_is_finished_later_and_one_that_is_rolled_back_keep_the_bits(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, "key.pem", 0o600)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"key.pem": None})
    interrupt(lambda: store.restore(taken.id))
    CheckpointStore.open(tree.root).take()
    assert bits(tree, "key.pem") == 0o600
    write(tree, "later.pem", 0o600)
    write(tree, "z.txt", 0o644)
    real = OpenDirectory.remove

    def fail(directory: OpenDirectory, name: bytes) -> None:
        if name == b"z.txt" and not (tree.root / "later.pem").exists():
            raise OSError(5, "Input/output error")
        real(directory, name)

    with monkeypatch.context() as patched:
        patched.setattr(OpenDirectory, "remove", fail)
        with pytest.raises(RestoreFailedError):
            store.restore(taken.id)
    assert bits(tree, "later.pem") == 0o600
    assert (tree.root / "later.pem").read_text() == "secret\n"


def test_changes_that_are_taken_back_bring_a_private_file_back_as_private(tree: WorkingTree) -> None:
    write(tree, "key.pem", 0o600)
    store = CheckpointStore.open(tree.root)
    taken = store.take(session="s", message="1")
    tree.write({"key.pem": None})
    since = SinceCheckpoint.open(CheckpointStore.open(tree.root), taken.id)
    (file,) = since.files()
    since.take_back({"key.pem": [hunk.id for hunk in file.hunks]})
    assert bits(tree, "key.pem") == 0o600
    tree.write({"key.pem": None})
    revert_session(tree.root, "s", until_now=True)
    assert bits(tree, "key.pem") == 0o600


def test_only_what_is_not_usual_is_written_down_file_by_file(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert recorded(tree, taken.commit) == {}
    assert store.take(only_changes=True).commit == taken.commit
    tree.write({f"many/{number}": "m\n" for number in range(300)})
    for path in tree.root.rglob("*"):
        if path.is_file() and ".git" not in path.relative_to(tree.root).parts:
            path.chmod(0o664)
    (tree.root / "a.txt").chmod(0o600)
    taken = store.take()
    assert recorded(tree, taken.commit) == {"usual": ["664", "755"], "others": {"600": ["a.txt"]}}
    assert store.take().state == taken.state
    tree.write({"many/7": None})
    store.restore(taken.id)
    assert bits(tree, "many/7") == 0o664


def test_where_modes_are_not_to_be_trusted_none_is_written_down(tree: WorkingTree) -> None:
    tree.git("config", "core.fileMode", "false")
    write(tree, "key.pem", 0o600)
    assert recorded(tree, CheckpointStore.open(tree.root).take().commit) == {}


def test_a_checkpoint_from_elsewhere_gives_nobody_else_a_right_to_write(tree: WorkingTree) -> None:
    write(tree, "open.sh", 0o777)
    write(tree, "shared.txt", 0o666)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"open.sh": None, "shared.txt": None})
    store.restore(taken.id)
    assert (bits(tree, "open.sh"), bits(tree, "shared.txt")) == (0o775, 0o664)
