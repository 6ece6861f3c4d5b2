"""A folder that another process swaps for a symbolic link leads no change of a transaction outside."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import identity_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.transaction.apply import DiskChange, apply_changes, roll_back_unfinished
from tests.filesystem.swapping import content, events_while_swapped, swapped_all_the_time

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there, paths are all that there is")

_NAMES = ("update.txt", "delete.txt", "rename.txt", "run.sh")


class Workspace:
    """A workspace folder with files in `dir`, and the same files outside of it, where `link` leads."""

    def __init__(self, folder: Path) -> None:
        self.root = folder.resolve() / "workspace"
        self.outside = folder.resolve() / "outside"
        self.log = folder / "state"
        for place in (self.root / "dir", self.outside):
            place.mkdir(parents=True)
        (self.root / "link").symlink_to(self.outside)
        self.fill()

    def fill(self) -> None:
        for place in (self.root / "dir", self.outside):
            for path in place.iterdir():
                path.unlink() if path.is_file() else shutil.rmtree(path)
            for name in _NAMES:
                (place / name).write_bytes(b"same\n")

    def put_back(self) -> None:
        """Have the folder and the link under their own names again."""
        link, folder = self.root / "link", self.root / "dir"
        if folder.is_symlink():
            folder.rename(self.root / "aside")
            link.rename(folder)
            (self.root / "aside").rename(link)

    def apply(self) -> None:
        same = identity_of(b"same\n")

        def change(
            name: str, operation: FileOperation, new: str = "", data: bytes | None = None
        ) -> DiskChange:
            return DiskChange(
                root=self.root,
                path=self.root / "dir" / name,
                operation=operation,
                expected=None if operation is FileOperation.CREATE else same,
                data=data,
                new_path=self.root / "dir" / new if new else None,
                executable=True if name == "run.sh" else None,
            )

        changes = [
            change("update.txt", FileOperation.UPDATE, data=b"changed\n"),
            change("delete.txt", FileOperation.DELETE),
            change("rename.txt", FileOperation.RENAME, new="renamed.txt"),
            change("run.sh", FileOperation.UPDATE),
            change("new.txt", FileOperation.CREATE, data=b"new\n"),
            change("deep/new.txt", FileOperation.CREATE, data=b"new\n"),
        ]
        apply_changes(changes, self.log)


@pytest.mark.parametrize("lasts", [1, 1000])
def test_whenever_a_folder_is_swapped_nothing_outside_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lasts: int
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    workspace = Workspace(tmp_path)
    folder, link = workspace.root / "dir", workspace.root / "link"
    before = content(workspace.outside)
    modes = {path.name: path.stat().st_mode for path in workspace.outside.iterdir()}
    events = events_while_swapped(workspace.apply, folder, link)
    assert events is not None
    assert content(folder) != before
    for at in range(1, events + 1):
        workspace.fill()
        seen = events_while_swapped(workspace.apply, folder, link, at, at + lasts)
        assert seen is not None
        assert content(workspace.outside) == before
        workspace.put_back()
        roll_back_unfinished(workspace.log)
        assert content(workspace.outside) == before
        assert {path.name: path.stat().st_mode for path in workspace.outside.iterdir()} == modes


@pytest.mark.skipif(sys.platform != "linux", reason="only there can both be exchanged at once")
def test_a_folder_that_is_swapped_all_the_time_leads_nothing_outside(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    before = content(workspace.outside)
    tried = swaps = 0
    until = time.monotonic() + 1
    while time.monotonic() < until or not tried:
        with swapped_all_the_time(workspace.root / "dir", workspace.root / "link") as swapped:
            with suppress(FileError):
                workspace.apply()
            swaps += swapped()
        assert content(workspace.outside) == before
        roll_back_unfinished(workspace.log)
        assert content(workspace.outside) == before
        workspace.fill()
        tried += 1
    assert swaps > 0
