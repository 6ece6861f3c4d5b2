"""Build tree objects, only where something changed, and tell what of the files' modes they do not hold."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from patchpoint.checkpoints.snapshot.file_stat import MODE
from patchpoint.checkpoints.snapshot.stat_cache import (
    GITLINK,
    INDEX_EXECUTABLE,
    INDEX_SYMLINK,
    SPARSE_DIRECTORY,
    TRACKED,
    Table,
)
from patchpoint.dataclass import dataclass, field
from patchpoint.git.objects.reader import KnownTrees, Lines
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import NO_ID, TREE, RawObjectID

DIRECTORY, FILE, EXECUTABLE, SYMLINK, SUBMODULE = b"40000", b"100644", b"100755", b"120000", b"160000"

_GIVEN = 0o775
"""The bits that are given to a file: others may not write. A checkpoint may have come from a remote."""

TreeEntry = tuple[bytes, bytes, RawObjectID]
"""Name, mode and id of the object."""


def tree_content(entries: list[TreeEntry]) -> bytes:
    """Return a tree object's content. Of a file and a directory with the same name, the file is dropped.

    Directories are sorted as if their names ended with a slash.
    """
    directories = {name for name, mode, _ in entries if mode == DIRECTORY}
    if directories:
        entries = [entry for entry in entries if entry[1] == DIRECTORY or entry[0] not in directories]
        entries.sort(key=_sorted_name)
    else:
        entries = sorted(entries)
    return b"".join([b"%b %b\x00%b" % (mode, name, oid) for name, mode, oid in entries])


class EarlierRows:
    """What a table had of the files that are recorded again, as long as it has the same files.

    Of the trees that are built then it is known what they have that those before had not, and so none of
    those has to be read for a comparison.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._modes = table.stats.columns[MODE]
        self._rows: dict[int, list[tuple[int, int, RawObjectID]]] = {}

    def keep(self, table: Table, stale: Iterable[int]) -> None:
        """Keep the rows at the positions `stale` of `table`, which are in order and about to change."""
        if table is not self._table:
            return
        starts, directory = table.starts, 0
        for at in stale:
            if not starts[directory] <= at < starts[directory + 1]:
                directory = table.directory_of(at)
            self._rows.setdefault(directory, []).append((at, self._modes[at], table.ids[at]))

    def differences(self, directory: int, mode_of: Callable[[int, int], bytes]) -> tuple[Lines, Lines]:
        """Return those of the kept files of a directory that differ, as they were and as they are."""
        table = self._table
        paths, ids, modes, marks = table.paths, table.ids, table.stats.columns[MODE], table.marks
        cut = len(table.directories[directory]) + 1 if directory else 0
        gone: Lines = {}
        came: Lines = {}
        for at, mode, oid in self._rows.get(directory, ()):
            old, new = mode_of(mode & 0xFFFF, marks[at]), mode_of(modes[at] & 0xFFFF, marks[at])
            if oid != ids[at] or old != new:
                name = paths[at][cut:]
                if oid:
                    gone[name] = old, oid
                if ids[at]:
                    came[name] = new, ids[at]
        return gone, came


def build_trees(
    table: Table,
    writer: ObjectWriter,
    mode_of: Callable[[int, int], bytes],
    earlier: EarlierRows | None = None,
) -> KnownTrees:
    """Build the trees of the dirty directories of `table` and of those above; return what is known of them.

    `mode_of` returns a file's mode in a tree from its mode on the disk (0 when it is missing) and its marks.
    `earlier` has what changed in the files since the trees before were built, if nothing else did.
    """
    dirty, parents = table.dirty, table.parents
    count = len(table.directories)
    known = KnownTrees()
    built = known.contents
    for directory in range(count - 1, 0, -1):
        if dirty[directory]:
            dirty[parents[directory]] = 1
    if not dirty[0]:
        return known
    before = table.trees[:]
    inside: dict[int, list[int]] = {}
    for directory in range(1, count):
        if dirty[parents[directory]]:
            inside.setdefault(parents[directory], []).append(directory)

    def built_of(entries: list[TreeEntry]) -> RawObjectID:
        content = tree_content(entries)
        oid = writer.add(TREE, content)
        built[oid] = content
        return oid

    modes, ids, marks, paths = table.stats.columns[MODE], table.ids, table.marks, table.paths
    for directory in range(count - 1, -1, -1):
        if not dirty[directory]:
            continue
        cut = len(table.directories[directory]) + 1 if directory else 0
        start, end = table.starts[directory], table.starts[directory + 1]
        rows = zip(paths[start:end], modes[start:end], marks[start:end], ids[start:end], strict=True)
        entries = [(path[cut:], mode_of(mode & 0xFFFF, mark), oid) for path, mode, mark, oid in rows if oid]
        untracked: list[TreeEntry] = []
        if not all(marks[start:end]):
            present = [marks[at] for at in range(start, end) if ids[at]]
            untracked = [entry for entry, mark in zip(entries, present, strict=True) if not mark & TRACKED]
        for child in inside.get(directory, ()):
            name = table.directories[child][cut:]
            if table.trees[child]:
                entries.append((name, DIRECTORY, table.trees[child]))
            if table.untracked[child]:
                untracked.append((name, DIRECTORY, table.untracked[child]))
        table.trees[directory] = built_of(entries) if entries or not directory else NO_ID
        table.untracked[directory] = built_of(untracked) if untracked or not directory else NO_ID
        if earlier is not None and before[directory] and table.trees[directory]:
            gone, came = earlier.differences(directory, mode_of)
            is_known = True
            for child in inside.get(directory, ()):
                name = table.directories[child][cut:]
                if name in gone or name in came:
                    is_known = False  # `tree_content` drops a file that has the name of a directory
                elif before[child] != table.trees[child]:
                    for tree, lines in ((before[child], gone), (table.trees[child], came)):
                        if tree:
                            lines[name] = DIRECTORY, tree
            if is_known:
                known.differences[table.trees[directory], before[directory]] = came, gone
    return known


def tree_mode(*, file_mode: bool, symlinks: bool) -> Callable[[int, int], bytes]:
    """Return the function of a file's mode in a tree under core.fileMode and core.symlinks.

    Where they are false, the index decides.
    """

    @cache
    def mode_of(mode: int, marks: int) -> bytes:
        if marks & SPARSE_DIRECTORY:
            return DIRECTORY
        if stat.S_ISDIR(mode) or (not mode and marks & GITLINK):
            return SUBMODULE
        if stat.S_ISLNK(mode) or (marks & INDEX_SYMLINK and (not mode or not symlinks)):
            return SYMLINK
        executable = mode & 0o100 if file_mode and mode else marks & INDEX_EXECUTABLE
        return EXECUTABLE if executable else FILE

    return mode_of


@dataclass(frozen=True, slots=True)
class FilePermissions:
    """The permission bits of the regular files of a state, of which a tree holds the executable bit alone."""

    usual: tuple[int, int] = (0o644, 0o755)
    """Those that most files have, and most executable ones."""
    others: Mapping[bytes, int] = field(default_factory=dict)
    """The files that have others, by path."""

    @classmethod
    def from_text(cls, text: str) -> FilePermissions:
        """Return what `to_text` wrote. Raises `ValueError`."""
        try:
            read = json.loads(text)
            plain, executable = (int(bits, 8) & _GIVEN for bits in read["usual"])
            others = {
                os.fsencode(path): int(bits, 8) & _GIVEN
                for bits, paths in read["others"].items()
                for path in paths
            }
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError("no permissions") from error
        return cls((plain, executable), others)

    def to_text(self) -> str:
        """Return them as JSON: the usual bits, and the paths of the others by bits, all in octal."""
        others: dict[str, list[str]] = {}
        for path, bits in sorted(self.others.items()):
            others.setdefault(f"{bits:o}", []).append(os.fsdecode(path))
        usual = [f"{bits:o}" for bits in self.usual]
        return json.dumps({"usual": usual, "others": others}, indent=0, sort_keys=True)

    def of(self, path: bytes, *, executable: bool) -> int | None:
        """Return the bits that a file had; `None` for those that git gives, which depend on the umask."""
        usual = self.usual[executable]
        bits = self.others.get(path, usual)
        if bits == FilePermissions().usual[executable]:
            return None
        return bits | 0o100 if executable else bits & ~0o111

    def of_new(self, path: bytes, there: int | None, *, executable: bool) -> int | None:
        """Return the bits for a file that is written; `None` for those that git gives.

        Where it replaces a file with the mode `there`, nobody may do more with it than with that: it is
        executable by those who may read it.
        """
        bits = self.of(path, executable=executable)
        if there is None:
            return bits
        kept = stat.S_IMODE(there) & ~0o111
        if executable:
            kept |= (kept & 0o444) >> 2
        return kept if bits is None else kept & bits


def permissions_of(table: Table, private: Iterable[int] = ()) -> FilePermissions:
    """Return the permission bits of the files that `table` records.

    Those at the positions `private` are written for their owner alone, wherever they are created.
    """
    counts = table.stats.modes()
    kinds: tuple[list[int], list[int]] = ([], [])  # words of plain and of executable files
    for word in counts:
        if stat.S_ISREG(word & 0xFFFF):
            kinds[bool(word & 0o100)].append(word)
    usual = list(FilePermissions().usual)
    for executable, words in enumerate(kinds):
        of_bits: Counter[int] = Counter()
        for word in words:
            of_bits[word & _GIVEN] += counts[word]
        if of_bits:
            usual[executable] = min(of_bits, key=lambda bits: (-of_bits[bits], bits))
    odd = {
        word for executable, words in enumerate(kinds) for word in words if word & _GIVEN != usual[executable]
    }
    others = {}
    if odd:
        rows = zip(table.paths, table.stats.columns[MODE], table.ids, strict=True)
        others = {path: word & _GIVEN for path, word, oid in rows if word in odd and oid}
    for at in private:
        others[table.paths[at]] = table.stats.columns[MODE][at] & 0o700
    return FilePermissions((usual[0], usual[1]), others)


def build_from_paths(
    files: Iterable[TreeEntry], known: Mapping[bytes, RawObjectID], writer: ObjectWriter
) -> RawObjectID:
    """Write the tree of `files` (path, mode, id) and return its id.

    `known` has the ids of the trees of directories that exist already. For a path whose mode is that of a
    directory, the object id is the one of its tree.
    """
    entries: dict[bytes, list[TreeEntry]] = {b"": []}
    covered: dict[bytes, bool] = {b"": b"" in known}
    if covered[b""]:
        return known[b""]

    def open_directory(directory: bytes) -> bool:
        """Return whether the directory's own entries are needed; add it to the one above."""
        unopened = []
        above = directory
        while above not in covered:
            unopened.append(above)
            above = above[: max(above.rfind(b"/"), 0)]
        for each in reversed(unopened):
            needed = not covered[above]
            covered[each] = not needed or each in known
            if needed and each in known:
                entries[above].append((each[each.rfind(b"/") + 1 :], DIRECTORY, known[each]))
            elif needed:
                entries[each] = []
            above = each
        return not covered[directory]

    for path, mode, oid in files:
        cut = path.rfind(b"/")
        directory = path[: max(cut, 0)]
        if open_directory(directory):
            entries[directory].append((path[cut + 1 :], mode, oid))
    for directory in sorted(entries, key=lambda each: each.count(b"/"), reverse=True):
        if directory:
            tree = writer.add(TREE, tree_content(entries[directory]))
            above = directory[: max(directory.rfind(b"/"), 0)]
            entries[above].append((directory[directory.rfind(b"/") + 1 :], DIRECTORY, tree))
    return writer.add(TREE, tree_content(entries[b""]))


def _sorted_name(entry: TreeEntry) -> bytes:
    return entry[0] + b"/" if entry[1] == DIRECTORY else entry[0]
