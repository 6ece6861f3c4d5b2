"""The ignore rules in force in each directory of a table, and the files of rules and attributes."""

from __future__ import annotations

import os
import stat
import zlib

from patchpoint.checkpoints.snapshot.file_stat import (
    MISSING,
    MODE,
    MTIME_NS,
    RACY,
    FileStat,
    FileStats,
    is_racy,
    stat_files,
)
from patchpoint.checkpoints.snapshot.stat_cache import SKIP_WORKTREE, DirectoryState, Table, positions
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.ignore.rules import ATTRIBUTES_FILE, IGNORE_FILE, IgnoreRules, PathRules, read_or_empty
from patchpoint.git.repository import Repository


def ignored_files(
    repository: Repository, table: Table, rules: IgnoreRules, include: PathRules | None
) -> list[int]:
    """Return the positions of the files in `table` that are recorded although git ignores them."""
    if include is None:
        return []
    ignored = PathRules(rules, lambda path: read_or_empty(os.path.join(repository.worktree, path)))
    return [
        at
        for at, path in enumerate(table.paths)
        if table.ids[at] and not table.marks[at] and include.ignores(path) and ignored.ignores(path)
    ]


class DirectoryRules:
    """Reads the `.gitignore` of a directory once, and only where it is needed.

    For one that a sparse checkout leaves out, the content in the index counts, as it does for git.
    """

    def __init__(self, repository: Repository, table: Table, outer: IgnoreRules, since_ns: int) -> None:
        self._repository = repository
        self._table = table
        self._outer = outer
        self._since_ns = since_ns
        self._rules: dict[int, IgnoreRules] = {}
        self._contents: dict[bytes, bytes | None] = {}
        self._files = {
            path: (table.ignore_stats[at], table.ignore_digests[at])
            for at, path in enumerate(table.ignore_files)
        }
        self._attribute_files = set(table.attribute_files)
        self._not_checked_out = {
            table.paths[at]: table.ids[at]
            for at in positions(table.marks, SKIP_WORKTREE)
            if table.paths[at].endswith(IGNORE_FILE)
        }
        self.changed = False
        """Whether the stat of any file of rules changed."""

    def directories_changed(self, seen: FileStats) -> set[bytes]:
        """Return the directories whose `.gitignore` changed; `seen` has the files' current stats."""
        found: set[bytes] = set()
        for at, path in enumerate(self._table.ignore_files):
            file_stat, digest = self._files[path]
            if seen[at] != file_stat or file_stat == MISSING:
                self.changed = True
                self._load(path)
                if self._files[path][1] != digest:
                    found.add(path[: max(path.rfind(b"/"), 0)])
        return found

    def note(self, prefix: bytes, names: set[bytes]) -> bool:
        """Note which special files a directory with these `names` has; return whether rules came or went."""
        attributes = prefix + ATTRIBUTES_FILE
        if ATTRIBUTES_FILE in names:
            self._attribute_files.add(attributes)
        else:
            self._attribute_files.discard(attributes)
        path = prefix + IGNORE_FILE
        here = IGNORE_FILE in names or path in self._not_checked_out
        if here == (path in self._files):
            return False
        if here:
            self._load(path)
        else:
            del self._files[path]
        return True

    def of(self, directory: int) -> IgnoreRules:
        """Return the rules in force in the directory with this number."""
        rules = self._rules.get(directory)
        if rules is not None:
            return rules
        unknown = [directory]
        while unknown[-1] and self._table.parents[unknown[-1]] not in self._rules:
            unknown.append(self._table.parents[unknown[-1]])
        rules = self._rules[self._table.parents[unknown[-1]]] if unknown[-1] else self._outer
        for each in reversed(unknown):
            path = self._table.directories[each]
            ignore_file = path + b"/" + IGNORE_FILE if path else IGNORE_FILE
            content = None
            if ignore_file in self._files:
                if ignore_file not in self._contents:
                    self._load(ignore_file)
                content = self._contents[ignore_file]
            rules = self._rules[each] = rules.within(path, content)
        return rules

    def keep_in(self, table: Table) -> None:
        """Store the special files in the directories of `table` in it."""
        listed = {
            directory + b"/" if directory else b""
            for directory, state in zip(table.directories, table.states, strict=True)
            if state == DirectoryState.LISTED
        }
        table.ignore_files, table.ignore_digests, table.ignore_stats = [], [], FileStats()
        for path, (file_stat, digest) in self._files.items():
            if path[: -len(IGNORE_FILE)] in listed:
                table.ignore_files.append(path)
                table.ignore_digests.append(digest)
                table.ignore_stats.append(file_stat)
        table.attribute_files = sorted(
            path for path in self._attribute_files if path[: -len(ATTRIBUTES_FILE)] in listed
        )

    def _load(self, path: bytes) -> None:
        file_stat: FileStat = stat_files(self._repository.worktree, [path])[0]
        content: bytes | None = None
        if stat.S_ISREG(file_stat[MODE] & 0xFFFF):
            try:
                content = read_file_bytes(os.path.join(self._repository.worktree, path))
            except OSError as error:
                raise_if_exhausted(error)
                content = None
        elif file_stat == MISSING and path in self._not_checked_out:
            content = self._repository.blob(self._not_checked_out[path])
        if is_racy(file_stat, self._since_ns):
            file_stat = (*file_stat[:MTIME_NS], RACY, *file_stat[MTIME_NS + 1 :])
        self._contents[path] = content
        self._files[path] = (file_stat, 0 if content is None else zlib.crc32(content) + 1)
