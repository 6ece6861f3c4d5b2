"""A directory that another process swaps for a symbolic link leads nothing of a restore outside."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointError
from tests.filesystem.swapping import content, events_while_swapped, swapped_all_the_time
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there, paths are all that there is")

_TRIED = 16
"""How many instants, spread evenly over the whole restore, are tried."""


class Project:
    """A repository that changed since a checkpoint, and the same files outside, where `link` leads."""

    def __init__(self, tree: WorkingTree, outside: Path) -> None:
        self.tree, self.outside = tree, outside
        self.directory, self.link = tree.root / "dir", tree.root / "link"
        outside.mkdir()
        self.directory.mkdir()
        self.link.symlink_to(outside)
        (tree.root / ".git/info/exclude").write_text("link\n")
        for place in (self.directory, outside):
            for name in ("changed", "deleted", "replaced"):
                (place / name).write_text("then\n")
        tree.commit("then")
        self.store = CheckpointStore.open(tree.root)
        self.taken = self.store.take().id
        self.change()

    def change(self) -> None:
        """Have the directory and the link under their own names, and the same changes in both."""
        if self.directory.is_symlink():
            self.directory.rename(self.tree.root / "aside")
            self.link.rename(self.directory)
            (self.tree.root / "aside").rename(self.link)
        for place in (self.directory, self.outside):
            (place / "changed").write_text("now\n")
            (place / "deleted").unlink(missing_ok=True)
            (place / "replaced").unlink(missing_ok=True)
            (place / "replaced").symlink_to("changed")
            (place / "new").write_text("new\n")
            (place / "deep/er").mkdir(parents=True, exist_ok=True)
            (place / "deep/er/new").write_text("new\n")

    def restore(self) -> None:
        CheckpointStore.open(self.tree.root).restore(self.taken)


@pytest.fixture
def project(tree: WorkingTree, tmp_path: Path) -> Project:
    return Project(tree, tmp_path / "outside")


@pytest.mark.parametrize("lasts", [1, 1000])
def test_whenever_a_directory_is_swapped_nothing_outside_changes(project: Project, lasts: int) -> None:
    before = content(project.outside)
    events = events_while_swapped(project.restore, project.directory, project.link)
    assert events is not None
    assert (project.directory / "changed").read_text() == "then\n"
    assert not (project.directory / "deep").exists()
    for at in sorted({1 + events * each // _TRIED for each in range(_TRIED)}):
        project.change()
        seen = events_while_swapped(project.restore, project.directory, project.link, at, at + lasts)
        assert seen is not None, "an error that is not of Patchpoint's own came out"
        assert content(project.outside) == before
        project.change()
        try:
            CheckpointStore.open(project.tree.root).doctor(repair=True)
        except CheckpointError as error:
            pytest.fail(f"{at}: {error}")
        assert content(project.outside) == before


@pytest.mark.skipif(sys.platform != "linux", reason="only there can both be exchanged at once")
def test_a_directory_that_is_swapped_all_the_time_leads_nothing_outside(project: Project) -> None:
    before = content(project.outside)
    tried = swaps = 0
    until = time.monotonic() + 1.5
    while time.monotonic() < until or not tried:
        project.change()
        with swapped_all_the_time(project.directory, project.link) as swapped:
            with suppress(CheckpointError):
                project.store.restore(project.taken)
            swaps += swapped()
        assert content(project.outside) == before
        tried += 1
    project.change()
    project.store.restore(project.taken)
    assert content(project.outside) == before
    assert swaps > 0
