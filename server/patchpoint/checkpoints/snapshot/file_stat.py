"""Stats of many files at once, which tell whether they were touched: inode, mode, size and both times.

    stats = stat_files(root, paths)
    stats.changed_since(before)        # positions that differ

Asking the operating system about sixty thousand files takes it 0.1 s; making sixty thousand
`os.stat_result` takes Python another 0.05 s. So where `file_stat_linux` can be used, the C library writes
into one buffer, from which the columns are sliced; elsewhere, and until it was asked about many files,
`os.lstat` is mapped over the paths. Both loops run in C. See docs/decisions/ctypes.md.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from itertools import compress, count
from operator import attrgetter, ne
from stat import S_ISDIR

from patchpoint.checkpoints.snapshot.file_stat_linux import FstatatReader, known_layout
from patchpoint.dataclass import dataclass, field

INODE, MODE, SIZE, MTIME_S, MTIME_NS, CTIME_S, CTIME_NS = range(7)
COLUMNS = 7
MISSING = (0,) * COLUMNS
"""The stat of what is not there (or cannot be examined)."""
RACY = (1 << 64) - 1
"""In place of the nanoseconds of mtime: racily clean. The stat equals no other, so the file is read again."""
_WORD = (1 << 64) - 1
_BLOCK = 128
"""How many words are compared at once, which takes no longer than to look at a few of them."""
_MODE_BITS = 0xFFFF
_FEW = 2_000
"""Fewer files than that take Python less than it takes to load what asks the C library."""

FileStat = tuple[int, ...]
"""The stat of one file: a word for each of the columns `INODE` to `CTIME_NS`."""

Signature = tuple[int, int, int, int]
"""What changes with a file: its time of modification in nanoseconds, size, inode, mode."""


@dataclass(slots=True)
class FileStats:
    """The stats of many files, in `COLUMNS` columns of 64-bit words.

    A word of the column MODE may carry more than the mode in its upper bits; `mode` masks them.
    """

    columns: list[array[int]] = field(default_factory=lambda: [array("Q") for _ in range(COLUMNS)])

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, position: int) -> FileStat:
        return tuple([column[position] for column in self.columns])

    def __setitem__(self, position: int, stat: FileStat) -> None:
        for column, word in zip(self.columns, stat, strict=True):
            column[position] = word

    def signature(self, position: int) -> Signature:
        """Return the signature of the file with the stat at `position`."""
        stat = self[position]
        modified = stat[MTIME_S] * 1_000_000_000 + stat[MTIME_NS]
        return modified & _WORD, stat[SIZE], stat[INODE], stat[MODE] & _MODE_BITS

    def append(self, stat: FileStat) -> None:
        """Append the stat of one file."""
        for column, word in zip(self.columns, stat, strict=True):
            column.append(word)

    def extend(self, stats: Sequence[FileStat]) -> None:
        """Append the stats of some files."""
        if stats:
            for column, words in zip(self.columns, zip(*stats, strict=True), strict=True):
                column.extend(words)

    def extend_from(self, other: FileStats, start: int, end: int) -> None:
        """Append the stats of `other` from `start` up to, not including, `end`."""
        for column, words in zip(self.columns, other.columns, strict=True):
            column.extend(words[start:end])

    def mode(self, position: int) -> int:
        """Return a file's mode (type and permissions); 0 when it is missing."""
        return self.columns[MODE][position] & _MODE_BITS

    def select(self, positions: Sequence[int]) -> FileStats:
        """Return the stats at `positions`, in that order."""
        return FileStats([array("Q", [column[at] for at in positions]) for column in self.columns])

    def mark_racy(self, positions: Collection[int], since_ns: int) -> None:
        """Mark the stats at `positions` of files changed at or after `since_ns` as `RACY`."""
        limit = since_ns // 1_000_000_000 - 3
        modified, changed = self.columns[MTIME_S], self.columns[CTIME_S]
        are_many = len(positions) > len(modified) // 4
        if are_many and max(modified, default=0) < limit and max(changed, default=0) < limit:
            return
        for at in [at for at in positions if modified[at] >= limit or changed[at] >= limit]:
            if self.columns[MODE][at] and is_racy(self[at], since_ns):
                self.columns[MTIME_NS][at] = RACY

    def changed_since(self, before: FileStats) -> list[int]:
        """Return the positions, in order, at which this differs from `before` (of the same length)."""
        found: set[int] = set()
        for new, old in zip(self.columns, before.columns, strict=True):
            for start in range(0, len(new), _BLOCK) if new != old else ():
                words, earlier = new[start : start + _BLOCK], old[start : start + _BLOCK]
                if words != earlier:
                    found.update(compress(count(start), map(ne, words, earlier)))
        return sorted(found)

    def modes(self) -> Counter[int]:
        """Return how many files have each of the words of the column MODE."""
        column = self.columns[MODE]
        found: Counter[int] = Counter()
        usual = array("Q")
        for start in range(0, len(column), _BLOCK):
            words = column[start : start + _BLOCK]
            if words[0] not in usual:
                usual = array("Q", [words[0]]) * _BLOCK
            if words == usual[: len(words)]:
                found[words[0]] += len(words)
            else:
                found.update(words)
        return found


def stat_files(root: bytes, paths: Sequence[bytes]) -> FileStats:
    """Return the stats of `paths`, relative to `root`; a link at the end of a path is not followed."""
    global _asked
    _asked += len(paths)
    reader = _c_library() if _asked >= _FEW else None
    columns = None if reader is None else reader.columns(root, paths)
    return _stat_with_python(root, paths) if columns is None else FileStats(columns)


_asked = 0
"""About how many files this process has asked."""


def signature(status: os.stat_result | None) -> Signature | None:
    """Return the signature of the file with this `lstat`; `None` if missing or a directory."""
    if status is None or S_ISDIR(status.st_mode):
        return None
    return status.st_mtime_ns & _WORD, status.st_size, status.st_ino & _WORD, status.st_mode


def is_racy(stat: FileStat, since_ns: int) -> bool:
    """Return whether the file was changed at or after `since_ns`, as far as its time stamps can tell.

    A stamp in whole seconds may be of a file system that knows no finer ones, and is taken to be two seconds
    younger than it says.
    """
    for seconds, nanoseconds in ((MTIME_S, MTIME_NS), (CTIME_S, CTIME_NS)):
        stamp = stat[seconds] * 1_000_000_000 + stat[nanoseconds]
        if stamp + (2_000_000_000 if stat[nanoseconds] == 0 else 0) >= since_ns:
            return True
    return False


@cache
def _c_library() -> FstatatReader | None:
    """Return a reader that uses the C library, if it is there and gives what `os.lstat` gives."""
    reader = FstatatReader.load()
    if reader is None:
        return None
    trials = [b".", os.fsencode(__file__), b"dev/null", os.fsencode(sys.executable), b"no/such/file"]
    columns = reader.columns(b"/", trials)
    if columns is None:
        return None
    return reader if columns == _stat_with_python(b"/", trials).columns else None


def _stat_with_python(root: bytes, paths: Sequence[bytes]) -> FileStats:
    layout = known_layout()
    above_mode = layout.above_mode if layout else "st_mode"
    read = attrgetter("st_ino", "st_mode", "st_size", "st_mtime_ns", "st_ctime_ns", above_mode)
    full = [os.path.join(root, path) for path in paths]
    rows: list[tuple[int, int, int, int, int, int]] = []
    while len(rows) < len(full):
        try:
            rows.extend(map(read, map(os.lstat, full[len(rows) :])))
        except (OSError, ValueError):
            rows.append((0, 0, 0, 0, 0, 0))
    stats = FileStats()
    if rows:
        inodes, modes, sizes, mtimes, ctimes, above = zip(*rows, strict=True)
        if layout:  # the same words as the C library's, whichever of the two looked at the files before
            modes = tuple([mode | more << 32 for mode, more in zip(modes, above, strict=True)])
        for column, values in ((INODE, inodes), (MODE, modes), (SIZE, sizes)):
            stats.columns[column].extend([value & _WORD for value in values])
        for column, times in ((MTIME_S, mtimes), (CTIME_S, ctimes)):
            stats.columns[column].extend([time // 1_000_000_000 & _WORD for time in times])
            stats.columns[column + 1].extend([time % 1_000_000_000 for time in times])
    return stats
