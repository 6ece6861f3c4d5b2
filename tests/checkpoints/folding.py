"""A directory that folds case, on a disk that does not.

What the code under test asks of the system is changed. Every call of `os` that takes a path finds an entry of
the directory, or below it, by any spelling of its name, as on the disks of macOS and Windows and on exFAT:
case and the composition of characters make no difference, a new entry keeps the spelling that it is created
with, and one that is renamed over another gets the spelling that was asked for. All else is the real system:
descriptors, errors, contents, what a crash leaves.

It is unfaithful in three ways. A call relative to an open directory goes by the path that this has at the
time, so that it does not show what happens when a directory is swapped meanwhile. Two spellings of a file
have one inode, as on APFS and NTFS; a mounted exFAT gives each its own, and remembers for a second what was
deleted by the other one. And no other process sees the directory fold: git and plain `open` do not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints.snapshot import file_stat

_IMAGE_BYTES = 32 << 20
_ONE_PATH = ("open", "stat", "lstat", "readlink", "unlink", "remove", "rmdir", "mkdir", "access", "chmod")


@contextmanager
def folding_disk(kind: str, folder: Path, patched: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on a disk that folds case: the `double`, or a real `exFAT` where the machine mounts one."""
    place = folder / "disk"
    place.mkdir()
    if kind == "double":
        fold_case_below(place, patched)
        yield place
        return
    device = _mounted(folder / "image", place)
    if device is None:
        pytest.skip("no exFAT can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=False)
        subprocess.run(["losetup", "-d", device], check=False)


def fold_case_below(root: Path, patched: pytest.MonkeyPatch) -> None:
    """Have `root` fold case until `patched` is undone."""
    top = os.path.realpath(os.fsencode(root))
    listdir, readlink, unlink, rename = os.listdir, os.readlink, os.unlink, os.rename

    def place(path: Any, dir_fd: int | None) -> bytes | None:
        """The path by which the disk knows `path`; `None` outside of the directory."""
        if isinstance(path, int):
            return None
        full = os.fsencode(path)
        if not os.path.isabs(full):
            above = os.getcwdb() if dir_fd is None else os.fsencode(readlink(f"/proc/self/fd/{dir_fd}"))
            full = os.path.join(above, full)
        if not full.startswith(top + b"/"):
            return None
        here = top
        for name in full[len(top) + 1 :].split(b"/"):
            try:
                listed = listdir(here)
            except OSError:
                listed = []
            same = [each for each in listed if _key(each) == _key(name)]
            here = os.path.join(here, name if name in listed or not same else same[0])
        return here

    def of_one(name: str) -> None:
        real: Callable[..., Any] = getattr(os, name)

        def call(path: Any, *arguments: Any, dir_fd: int | None = None, **options: Any) -> Any:
            found = place(path, dir_fd)
            if found is not None:
                given = found if isinstance(path, bytes) else os.fsdecode(found)
                return real(given, *arguments, **options)
            if dir_fd is not None:
                options["dir_fd"] = dir_fd
            return real(path, *arguments, **options)

        patched.setattr(os, name, call)

    def of_directory(name: str) -> None:
        real: Callable[..., Any] = getattr(os, name)

        def call(path: Any = ".") -> Any:
            found = place(path, None)
            return real(path if found is None else found if isinstance(path, bytes) else os.fsdecode(found))

        patched.setattr(os, name, call)

    def renamed(src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        source, goal = place(src, src_dir_fd), place(dst, dst_dir_fd)
        if goal is not None and source != goal and os.path.basename(goal) != _name(dst):
            unlink(goal)
        if goal is not None:
            goal = os.path.join(os.path.dirname(goal), _name(dst))
        rename(
            src if source is None else source,
            dst if goal is None else goal,
            src_dir_fd=src_dir_fd if source is None else None,
            dst_dir_fd=dst_dir_fd if goal is None else None,
        )

    link = os.link

    def linked(
        src: Any,
        dst: Any,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
        follow_symlinks: bool = True,
    ) -> None:
        source, goal = place(src, src_dir_fd), place(dst, dst_dir_fd)
        link(
            src if source is None else source,
            dst if goal is None else goal,
            src_dir_fd=src_dir_fd if source is None else None,
            dst_dir_fd=dst_dir_fd if goal is None else None,
            follow_symlinks=follow_symlinks,
        )

    symlink = os.symlink

    def symlinked(src: Any, dst: Any, *arguments: Any, dir_fd: int | None = None) -> None:
        goal = place(dst, dir_fd)
        symlink(os.fsencode(src), dst if goal is None else goal, dir_fd=dir_fd if goal is None else None)

    for name in _ONE_PATH:
        of_one(name)
    for name in ("listdir", "scandir"):
        of_directory(name)
    patched.setattr(os, "rename", renamed)
    patched.setattr("patchpoint.filesystem.open_directory._renameat2", lambda: None)
    patched.setattr(os, "replace", renamed)
    patched.setattr(os, "link", linked)
    patched.setattr(os, "symlink", symlinked)
    # The C library is not asked by way of `os`.
    patched.setattr(file_stat, "_c_library", lambda: None)


def _name(path: Any) -> bytes:
    return os.path.basename(os.fsencode(path))


def _key(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


def _mounted(image: Path, place: Path) -> str | None:
    """Mount a new exFAT at `place`; return its device, or `None` where the machine does not do that."""
    if os.name == "nt" or not shutil.which("mkfs.exfat") or not shutil.which("mount.exfat-fuse"):
        return None
    with image.open("wb") as file:
        file.truncate(_IMAGE_BYTES)
    done = subprocess.run(["mkfs.exfat", image], capture_output=True, check=False)
    if done.returncode:
        return None
    found = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, text=True, check=False)
    device = found.stdout.strip()
    if found.returncode:
        return None
    subprocess.run(["mount.exfat-fuse", device, place], capture_output=True, check=False)
    if not os.path.ismount(place):
        subprocess.run(["losetup", "-d", device], check=False)
        return None
    return device
