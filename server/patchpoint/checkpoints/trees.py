"""Building tree objects, only where something is new."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable
from functools import cache

from patchpoint.checkpoints.objects import TREE, ObjectWriter
from patchpoint.checkpoints.signatures import MODE
from patchpoint.checkpoints.stat_cache import (
    GITLINK,
    INDEX_EXECUTABLE,
    INDEX_SYMLINK,
    SPARSE_FOLDER,
    TRACKED,
    Table,
)

FOLDER, FILE, EXECUTABLE, SYMLINK, SUBMODULE = b"40000", b"100644", b"100755", b"120000", b"160000"

TreeEntry = tuple[bytes, bytes, bytes]
"""Name (of a folder with a slash behind it, as they are sorted), mode, raw name of the object."""


def tree_content(entries: Iterable[TreeEntry]) -> bytes:
    """A tree object's content. Of two entries that differ by the slash only, the file is dropped."""
    ordered = sorted(entries)
    folders = {name[:-1] for name, mode, _ in ordered if mode == FOLDER}
    if folders:
        ordered = [
            (name.rstrip(b"/"), mode, oid)
            for name, mode, oid in ordered
            if mode == FOLDER or name not in folders
        ]
    return b"".join([b"%b %b\x00%b" % (mode, name, oid) for name, mode, oid in ordered])


def build_trees(table: Table, writer: ObjectWriter, mode_of: Callable[[int, int], bytes]) -> None:
    """Build the trees of the dirty folders of `table` and of those above them.

    `mode_of` answers a file's mode in a tree from its mode on the disk (0 when it is not there) and its
    marks.
    """
    dirty, parents = table.dirty, table.parents
    count = len(table.folders)
    for folder in range(count - 1, 0, -1):
        if dirty[folder]:
            dirty[parents[folder]] = 1
    if not dirty[0]:
        return
    inside: dict[int, list[int]] = {}
    for folder in range(1, count):
        if dirty[parents[folder]]:
            inside.setdefault(parents[folder], []).append(folder)
    modes, ids, marks, paths = table.stats.columns[MODE], table.ids, table.marks, table.paths
    for folder in range(count - 1, -1, -1):
        if not dirty[folder]:
            continue
        cut = len(table.folders[folder]) + 1 if folder else 0
        entries: list[TreeEntry] = []
        untracked: list[TreeEntry] = []
        for at in range(table.starts[folder], table.starts[folder + 1]):
            if not ids[at]:
                continue
            mode = mode_of(modes[at] & 0xFFFF, marks[at])
            name = paths[at][cut:]
            entry = (name + b"/" if mode == FOLDER else name, mode, ids[at])
            entries.append(entry)
            if not marks[at] & TRACKED:
                untracked.append(entry)
        for child in inside.get(folder, ()):
            name = table.folders[child][cut:] + b"/"
            if table.trees[child]:
                entries.append((name, FOLDER, table.trees[child]))
            if table.untracked[child]:
                untracked.append((name, FOLDER, table.untracked[child]))
        table.trees[folder] = writer.add(TREE, tree_content(entries)) if entries or not folder else b""
        table.untracked[folder] = (
            writer.add(TREE, tree_content(untracked)) if untracked or not folder else b""
        )


def tree_mode(*, file_mode: bool, symlinks: bool) -> Callable[[int, int], bytes]:
    """What a file's mode in a tree is, under core.fileMode and core.symlinks (where they are false, the
    index is believed)."""

    @cache
    def mode_of(mode: int, marks: int) -> bytes:
        if marks & SPARSE_FOLDER:
            return FOLDER
        if stat.S_ISDIR(mode) or (not mode and marks & GITLINK):
            return SUBMODULE
        if stat.S_ISLNK(mode) or (marks & INDEX_SYMLINK and (not mode or not symlinks)):
            return SYMLINK
        executable = mode & 0o100 if file_mode and mode else marks & INDEX_EXECUTABLE
        return EXECUTABLE if executable else FILE

    return mode_of


def build_from_paths(
    files: Iterable[tuple[bytes, bytes, bytes]], known: dict[bytes, bytes], writer: ObjectWriter
) -> bytes:
    """The tree of `files` (path, mode, raw name); `known` are folders whose tree is known already and exists.

    Of a path whose mode is that of a folder the raw name is the one of its tree.
    """
    entries: dict[bytes, list[TreeEntry]] = {b"": []}
    covered: dict[bytes, bool] = {b"": b"" in known}
    if covered[b""]:
        return known[b""]

    def open_folder(folder: bytes) -> bool:
        """Whether the folder's own entries are needed; sees to it that the one above it has it."""
        if folder in covered:
            return not covered[folder]
        above = folder[: max(folder.rfind(b"/"), 0)]
        needed = open_folder(above)
        covered[folder] = not needed or folder in known
        if needed and folder in known:
            entries[above].append((folder[folder.rfind(b"/") + 1 :] + b"/", FOLDER, known[folder]))
        elif needed:
            entries[folder] = []
        return not covered[folder]

    for path, mode, oid in files:
        cut = path.rfind(b"/")
        folder = path[: max(cut, 0)]
        if open_folder(folder):
            name = path[cut + 1 :]
            entries[folder].append((name + b"/" if mode == FOLDER else name, mode, oid))
    for folder in sorted(entries, key=lambda each: each.count(b"/"), reverse=True):
        if folder:
            tree = writer.add(TREE, tree_content(entries[folder]))
            above = folder[: max(folder.rfind(b"/"), 0)]
            entries[above].append((folder[folder.rfind(b"/") + 1 :] + b"/", FOLDER, tree))
    return writer.add(TREE, tree_content(entries[b""]))
