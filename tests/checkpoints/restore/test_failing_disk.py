"""A disk that fails at any instant of a restore, once or for good, leaves the old state or the new one."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Iterable
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.restore.prepare import Restored
from tests.checkpoints.file_events import FILE_EVENTS, only_reads
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no fork")

TRIED = int(os.environ.get("PATCHPOINT_FAILURES", "18"))
"""How many instants, spread evenly over the whole restore, are tried, each with the next error; 0 means every
one, with every error."""
CODES = (errno.EIO, errno.EDQUOT, errno.EROFS)

_EVENTS = FILE_EVENTS | {"os.scandir", "os.listdir", "written"}

_Outcome = tuple[int, str]


def run(work: Callable[[], Restored], at: int, code: int, for_good: bool) -> _Outcome:
    """Run `work` in a process of its own in which call number `at` to the file system fails with `code`, and
    all later ones that write if `for_good`. Return how many calls there were, and how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        seen = 0
        on = True

        def fail(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal seen
            if not on or event not in _EVENTS:
                return
            seen += 1
            reads = event in ("os.scandir", "os.listdir") or only_reads(event, arguments)
            if seen == at or (for_good and 0 < at < seen and not reads):
                raise OSError(code, os.strerror(code), "a file")

        def announced(call: Callable[..., Any]) -> Callable[..., Any]:
            def announce(*arguments: Any) -> Any:
                fail("written", arguments)
                return call(*arguments)

            return announce

        os.write, os.fsync = announced(os.write), announced(os.fsync)
        sys.addaudithook(fail)
        try:
            kept = work().kept
            ended = "kept: " + ", ".join(f"{left.path} {left.reason}" for left in kept) if kept else "done"
        except CheckpointError as error:
            ended = f"refused: {error}"
        except BaseException:
            ended = traceback.format_exc()
        on = False
        os.write(writing, f"{seen}\n{ended}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        events, ended = answer.read().split("\n", 1)
    os.waitpid(child, 0)
    return int(events), ended


class Project:
    """A repository that changed since a checkpoint, to be copied for each failure."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tree = WorkingTree.create(folder / "template")
        tree.write({"gone/g.txt": "g\n", "run.sh": "#!/bin/sh\n", "deep/er/d.txt": "d\n"})
        (tree.root / "link").symlink_to("a.txt")
        tree.commit("second")
        tree.write({"a.txt": "then\n"})
        tree.git("add", "a.txt")
        self.taken = CheckpointStore.open(tree.root).take().id
        self.target = (tree.files(), tree.staged(), tree.refs())
        tree.write({"a.txt": "now\n", "src/b.txt": "now\n", "gone/g.txt": None, "new/n.txt": "n\n"})
        (tree.root / "run.sh").chmod(0o755)
        (tree.root / "link").unlink()
        tree.write({"link": "a plain file\n"})
        tree.commit("moved on")
        tree.git("add", "-A")
        self.before = (tree.files(), tree.staged(), tree.refs())

    def copy(self, name: str) -> WorkingTree:
        root = self.folder / name
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.folder / "template", root, symlinks=True)
        tree = WorkingTree(root)
        tree.git("update-index", "-q", "--refresh", check=False)
        return tree


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("failing"))


@pytest.mark.parametrize("for_good", [False, True])
def test_it_is_the_old_state_or_the_new_one_and_the_error_says_what_to_do(
    project: Project, for_good: bool
) -> None:
    whole = project.copy("whole")

    def restore(tree: WorkingTree) -> Callable[[], Restored]:
        return lambda: CheckpointStore.open(tree.root).restore(project.taken)

    events, ended = run(restore(whole), 0, 0, for_good)
    assert (ended, (whole.files(), whole.staged(), whole.refs())) == ("done", project.target)
    tries: Iterable[tuple[int, int]] = product(range(1, events + 1), CODES)
    if TRIED:
        tries = zip(sorted({1 + events * k // TRIED for k in range(TRIED)}), cycle(CODES))
    seen = set()
    for at, code in tries:
        tree = project.copy("failing")
        _, ended = run(restore(tree), at, code, for_good)
        assert not ended.startswith("Traceback"), f"{at} of {events}: {ended}"
        store = CheckpointStore.open(tree.root)
        assert store.doctor(repair=True).healthy
        assert store.doctor().findings == ()
        state = (tree.files(), tree.staged(), tree.refs())
        if ended.startswith("kept: "):  # what could not be read could not be saved either
            for path, content in tree.files().items():
                expected = project.before if f"{path} " in ended else project.target
                assert expected[0].get(path) == content, f"{at} of {events}: {ended}"
            continue
        assert state in (project.before, project.target), f"{at} of {events}: {ended}"
        if ended == "done":
            assert state == project.target
        elif "nothing was" in ended or "put back" in ended:
            assert state == project.before, f"{at} of {events}: {ended}"
        seen.add((ended == "done", state == project.target))
        tree.refuse_damage()
    assert len(seen) > 1
