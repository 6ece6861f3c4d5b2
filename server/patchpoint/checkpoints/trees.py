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
"""Name, mode, raw name of the object."""


def tree_content(entries: list[TreeEntry]) -> bytes:
    """A tree object's content. Of a file and a folder of one name, the file is dropped.

    Folders are sorted as if there were a slash behind their names.
    """
    folders = {name for name, mode, _ in entries if mode == FOLDER}
    if folders:
        entries = [entry for entry in entries if entry[1] == FOLDER or entry[0] not in folders]
        entries.sort(key=_sorted_name)
    else:
        entries = sorted(entries)
    return b"".join([b"%b %b\x00%b" % (mode, name, oid) for name, mode, oid in entries])


def build_trees(
    table: Table, writer: ObjectWriter, mode_of: Callable[[int, int], bytes]
) -> dict[bytes, bytes]:
    """Build the trees of the dirty folders of `table` and of those above them; answers what is in each, by
    its raw name.

    `mode_of` answers a file's mode in a tree from its mode on the disk (0 when it is not there) and its
    marks.
    """
    dirty, parents = table.dirty, table.parents
    count = len(table.folders)
    built: dict[bytes, bytes] = {}
    for folder in range(count - 1, 0, -1):
        if dirty[folder]:
            dirty[parents[folder]] = 1
    if not dirty[0]:
        return built
    inside: dict[int, list[int]] = {}
    for folder in range(1, count):
        if dirty[parents[folder]]:
            inside.setdefault(parents[folder], []).append(folder)

    def built_of(entries: list[TreeEntry]) -> bytes:
        content = tree_content(entries)
        oid = writer.add(TREE, content)
        built[oid] = content
        return oid

    modes, ids, marks, paths = table.stats.columns[MODE], table.ids, table.marks, table.paths
    for folder in range(count - 1, -1, -1):
        if not dirty[folder]:
            continue
        cut = len(table.folders[folder]) + 1 if folder else 0
        start, end = table.starts[folder], table.starts[folder + 1]
        rows = zip(paths[start:end], modes[start:end], marks[start:end], ids[start:end], strict=True)
        entries = [(path[cut:], mode_of(mode & 0xFFFF, mark), oid) for path, mode, mark, oid in rows if oid]
        untracked: list[TreeEntry] = []
        if not all(marks[start:end]):
            present = [marks[at] for at in range(start, end) if ids[at]]
            untracked = [entry for entry, mark in zip(entries, present, strict=True) if not mark & TRACKED]
        for child in inside.get(folder, ()):
            name = table.folders[child][cut:]
            if table.trees[child]:
                entries.append((name, FOLDER, table.trees[child]))
            if table.untracked[child]:
                untracked.append((name, FOLDER, table.untracked[child]))
        table.trees[folder] = built_of(entries) if entries or not folder else b""
        table.untracked[folder] = built_of(untracked) if untracked or not folder else b""
    return built


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
            entries[above].append((folder[folder.rfind(b"/") + 1 :], FOLDER, known[folder]))
        elif needed:
            entries[folder] = []
        return not covered[folder]

    for path, mode, oid in files:
        cut = path.rfind(b"/")
        folder = path[: max(cut, 0)]
        if open_folder(folder):
            entries[folder].append((path[cut + 1 :], mode, oid))
    for folder in sorted(entries, key=lambda each: each.count(b"/"), reverse=True):
        if folder:
            tree = writer.add(TREE, tree_content(entries[folder]))
            above = folder[: max(folder.rfind(b"/"), 0)]
            entries[above].append((folder[folder.rfind(b"/") + 1 :], FOLDER, tree))
    return writer.add(TREE, tree_content(entries[b""]))


def _sorted_name(entry: TreeEntry) -> bytes:
    return entry[0] + b"/" if entry[1] == FOLDER else entry[0]
