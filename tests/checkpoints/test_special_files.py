"""A FIFO or a socket in place of a file of git's, of Patchpoint's own or of rules keeps nobody waiting."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.options import SnapshotOptions, StoreOptions
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")

_MOST_SECONDS = 60
"""A process that hangs is ended after that."""

_PLACES = [
    ".gitignore",
    ".gitattributes",
    "src/.gitignore",
    "src/.gitattributes",
    "src/.git",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/config",
    ".git/HEAD",
    ".git/index",
    ".git/index.lock",
    ".git/packed-refs",
    ".git/packed-refs.lock",
    ".git/commondir",
    ".git/refs/heads/main",
    ".git/logs/HEAD",
    ".git/objects/info/alternates",
    ".git/objects/pack/multi-pack-index",
    ".git/patchpoint/lock",
    ".git/patchpoint/stat-cache",
    ".git/patchpoint/sessions",
    ".git/patchpoint/restore.done",
    ".git/patchpoint/restore.boot",
    "a loose object",
    "a checkpoint's ref",
    "all files of Patchpoint's",
]


def ended(work: Callable[[], object]) -> str:
    """Run `work` in a process of its own; return how it ended: `done`, `refused`, `failed` or `hung`."""
    child = os.fork()
    if child == 0:
        signal.alarm(_MOST_SECONDS)
        code = 2
        try:
            work()
            code = 0
        except CheckpointError:
            code = 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return (
        "hung" if os.WIFSIGNALED(status) else ("done", "refused", "failed")[os.waitstatus_to_exitcode(status)]
    )


def put(tree: WorkingTree, name: str, make: Callable[[Path], None]) -> None:
    """Put something special in place of the file with this name."""
    if name == "a loose object":
        oid = tree.git("rev-parse", "HEAD:a.txt").strip()
        places = [tree.root / ".git/objects" / oid[:2] / oid[2:]]
    elif name == "a checkpoint's ref":
        places = [*(tree.root / ".git/refs/patchpoint/checkpoints").iterdir()]
    elif name == "all files of Patchpoint's":
        places = [path for path in (tree.root / ".git/patchpoint").iterdir() if path.is_file()]
    else:
        places = [tree.root / name]
    assert places
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        make(place)


def listen(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        above = os.open(place.parent, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{above}/{place.name}")  # a path may be longer than such a name
        finally:
            os.close(above)


@pytest.mark.parametrize(
    ("name", "make"),
    [(name, os.mkfifo) for name in _PLACES]
    + [(name, listen) for name in (".gitignore", ".git/packed-refs", "a loose object", "a checkpoint's ref")],
)
def test_nothing_hangs(tree: WorkingTree, name: str, make: Callable[[Path], None]) -> None:
    if make is listen and not Path("/proc/self/fd").is_dir():
        pytest.skip("a socket's path may be too long")
    tree.write({"src/.gitignore": "*.tmp\n", ".gitattributes": "*.bin binary\n"})
    tree.commit("with rules")
    store = CheckpointStore.open(tree.root)
    taken = store.take().id
    tree.write({"a.txt": "now\n"})
    tree.commit("moved on")
    store.restore(taken)
    tree.write({"a.txt": "later\n", "new": "new\n"})
    put(tree, name, make)

    def take() -> None:
        CheckpointStore.open(tree.root).take()

    def list_all() -> None:
        CheckpointStore.open(tree.root).list()

    def restore() -> None:
        CheckpointStore.open(tree.root).restore(taken, force=True)

    def undo() -> None:
        CheckpointStore.open(tree.root).undo(force=True)

    def repair() -> None:
        CheckpointStore.open(tree.root).doctor(repair=True)

    how = {work.__name__: ended(work) for work in (list_all, take, restore, undo, repair)}
    assert set(how.values()) <= {"done", "refused"}, how


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".git/info/exclude", "src/.git"])
def test_a_file_of_rules_that_is_a_fifo_is_as_if_there_was_none(tree: WorkingTree, name: str) -> None:
    put(tree, name, os.mkfifo)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    before = (tree.root / "a.txt").read_text()
    tree.write({"a.txt": "now\n"})
    store.restore(taken.id)
    assert (tree.root / "a.txt").read_text() == before


def test_what_is_new_since_a_checkpoint_and_cannot_be_saved_stays_and_is_listed(tree: WorkingTree) -> None:
    options = StoreOptions(snapshot=SnapshotOptions(max_file_size=100))
    store = CheckpointStore.open(tree.root, options=options)
    tree.write({"known.bin": "k" * 101})
    taken = store.take()
    tree.write({"new.bin": "n" * 101, "a.txt": "changed\n"})
    os.mkfifo(tree.root / "pipe")
    kept = store.restore(taken.id).kept
    assert [each.path for each in kept] == ["new.bin", "pipe"]
    assert "larger than the limit" in kept[0].reason
    assert (tree.root / "new.bin").exists()
