"""Scan a working tree: find its directories and files, and which of them to read.

One pass in C examines all directories and files known from the last scan. A directory whose own times are
unchanged has the same names in it, so it is neither listed nor matched with the ignore rules again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import TYPE_CHECKING

from patchpoint.checkpoints.snapshot.directory_rules import DirectoryRules
from patchpoint.checkpoints.snapshot.file_stat import MISSING, MODE, MTIME_NS, RACY, FileStats, stat_files
from patchpoint.checkpoints.snapshot.skipped import SkipReason, reason_number
from patchpoint.checkpoints.snapshot.stat_cache import (
    ALWAYS_CHECKED,
    TRACKED,
    DirectoryState,
    Row,
    Table,
    positions,
)
from patchpoint.filesystem.errors import is_too_long
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.git.ignore.editor_files import editor_file
from patchpoint.git.ignore.rules import IgnoreRules, PathRules
from patchpoint.git.odb.ids import NO_ID
from patchpoint.git.paths import is_safe_name
from patchpoint.git.repository import Repository, git_directory_of
from patchpoint.progress import Progress

if TYPE_CHECKING:
    from patchpoint.checkpoints.snapshot.from_index import IndexStats

AS_INDEXED = 2
"""A value of `Table.stale`: the index's blob holds the file's content, unless git converts such files."""
_STALENESS = bytes([1, AS_INDEXED]).ljust(256, b"\x01")
_TYPE = 0o170000
_DIRECTORY_TYPE = 0o040000
_DOT_GIT = b".git"


class WorktreeScan:
    """One scan: brings a table up to date with the disk.

    Afterwards `table` has all directories and files with their stats, `stale` set for the files to record
    again, and `dirty` for the directories whose set of files changed.
    """

    def __init__(
        self,
        repository: Repository,
        table: Table,
        rules: IgnoreRules,
        exclude: IgnoreRules,
        include: PathRules | None,
        since_ns: int,
        progress: Progress,
    ) -> None:
        """Prepare a scan. What changed at or after `since_ns` is racily clean and read again next time."""
        self.table = table
        self.changed = False
        """Whether a directory was listed again or a file of ignore rules changed."""
        self._root = repository.worktree
        self._prefix = os.path.join(self._root, b"")
        self._repository = repository
        self._exclude = exclude
        self._include = include
        self._since_ns = since_ns
        self._progress = progress
        self._git_directories = {repository.gitdir, repository.commondir}
        self._rules = DirectoryRules(repository, table, rules, since_ns)
        self._folds = repository.flag(b"core", b"ignorecase", False)
        self._composes = repository.flag(b"core", b"precomposeunicode", False)
        self._ignore_stats = FileStats()
        self._children: dict[int, list[int]] = {}
        self._odd_rows: set[int] = set()
        """Files that are missing, or whose path is a directory now."""
        self._tracked_below = bytearray()
        self._listings: dict[int, list[Row]] = {}
        self._listed: list[int] = []
        self._dropped: set[int] = set()

    def run(self, forced: Iterable[int], *, all_forced: bool, expected: IndexStats | None = None) -> None:
        """Bring the table up to date.

        In the directories `forced` and below, or with `all_forced` in all, the ignore rules are applied again
        even where nothing changed. With `expected`, for a table built from the index, `stale` is `AS_INDEXED`
        for the files that match it.
        """
        changed = self._stat_known(expected)
        force = bytearray(len(self.table.directories))
        for directory in forced:
            force[directory] = 1
        force[0] |= all_forced
        rules_changed = self._rules.directories_changed(self._ignore_stats)
        if rules_changed:
            for number, path in enumerate(self.table.directories):
                force[number] |= path in rules_changed
        if changed or any(force):
            self.changed = True
            self._relist(set(changed), force)
        if self.changed or self._rules.changed:
            self.changed = True
            self._rules.keep_in(self.table)

    def _stat_known(self, expected: IndexStats | None) -> list[int]:
        """Examine everything known; return the numbers of the directories that changed."""
        table = self.table
        directory_stats = stat_files(self._root, [b".", *table.directories[1:]])
        file_stats = stat_files(self._root, table.paths)
        self._ignore_stats = stat_files(self._root, table.ignore_files)
        self._hide_below_missing_directories(directory_stats, file_stats)
        came: set[int] = set()
        if expected is not None:
            table.stale = expected.matches(file_stats).translate(_STALENESS)
        else:
            for position in file_stats.changed_since(table.stats):
                table.stale[position] = 1
                if self._folds or not table.stats.columns[MODE][position]:
                    came.add(table.directory_of(position))
        for position in positions(table.reasons, 0xFF) + positions(table.marks, ALWAYS_CHECKED):
            table.stale[position] = 1
        changed = directory_stats.changed_since(table.directory_stats)
        # A disk that folds case finds a file by another spelling, too: only a listing tells which it has.
        came.update(table.parents[at] for at in changed if not table.directory_stats.columns[MODE][at])
        table.stats, table.directory_stats = file_stats, directory_stats
        return sorted(came.union(changed))

    def _hide_below_missing_directories(self, directory_stats: FileStats, file_stats: FileStats) -> None:
        """Mark everything below a missing directory as missing, too.

        A symbolic link in its place may lead to something of the same name.
        """
        table = self.table
        others = {word for word in directory_stats.modes() if word & _TYPE != _DIRECTORY_TYPE}
        words = directory_stats.columns[MODE]
        gone = [at for at, word in enumerate(words) if word in others] if others else []
        if not gone:
            return
        missing = bytearray(len(table.directories))
        for at in gone:
            missing[at] = 1
        for at in range(1, len(table.directories)):
            missing[at] |= missing[table.parents[at]]
            if missing[at]:
                directory_stats[at] = MISSING
                for position in range(table.starts[at], table.starts[at + 1]):
                    file_stats[position] = MISSING

    def _relist(self, changed: set[int], force: bytearray) -> None:
        table = self.table
        self._prepare()
        waiting: list[tuple[int, bytes]] = []
        count = len(table.directories)
        for directory in range(count):
            parent = table.parents[directory]
            if directory in self._dropped or parent in self._dropped:
                self._dropped.add(directory)
                continue
            if directory and force[parent]:
                force[directory] = 1
            if (
                directory in changed
                or force[directory]
                or table.states[directory] == DirectoryState.UNREADABLE
            ):
                waiting += self._list_directory(directory, force)
        while waiting:
            self._progress.check()
            waiting = self._add_entries(waiting, force)
        table.directory_stats.mark_racy(self._listed, self._since_ns)
        self._drop_empty()
        if self._listings or self._dropped:
            self.table = table.with_listings(self._listings, self._dropped)

    def _prepare(self) -> None:
        table = self.table
        for directory in range(1, len(table.directories)):
            self._children.setdefault(table.parents[directory], []).append(directory)
        odd = {word for word in table.stats.modes() if word & _TYPE in (0, _DIRECTORY_TYPE)}
        words = table.stats.columns[MODE]
        self._odd_rows = {at for at, word in enumerate(words) if word in odd} if odd else set()
        tracked = table.marks.translate(bytes([mark & TRACKED for mark in range(256)]))
        self._tracked_below = bytearray(len(table.directories))
        for directory in range(len(table.directories) - 1, -1, -1):
            if tracked.find(1, table.starts[directory], table.starts[directory + 1]) >= 0:
                self._tracked_below[directory] = 1
            if self._tracked_below[directory]:
                self._tracked_below[table.parents[directory]] = 1

    def _list_directory(self, directory: int, force: bytearray) -> list[tuple[int, bytes]]:
        """List `directory`; return the paths in it that are not known yet, each with the directory."""
        table = self.table
        path = table.directories[directory]
        if (
            table.directory_stats.columns[MODE][directory] == 0
            or table.states[directory] == DirectoryState.TRACKED_ONLY
        ):
            self._keep_tracked(directory)
            self._compare_children(directory, None, force)
            return []
        if table.states[directory] == DirectoryState.EXCLUDED:
            return []
        self._listed.append(directory)
        try:
            names = self._names(path)
        except OSError as error:
            raise_if_exhausted(error)
            return self._cannot_list(directory)
        if _DOT_GIT in names:
            names.discard(_DOT_GIT)
            nested = directory and not (
                directory < len(self._tracked_below) and self._tracked_below[directory]
            )
            if nested and git_directory_of(self._full(path)) is not None:
                self._empty(directory, DirectoryState.NESTED)
                return []
        table.states[directory] = DirectoryState.LISTED
        prefix = path + b"/" if path else b""
        if self._rules.note(prefix, names):
            force[directory] = 1
        self._compare_children(directory, names, force)
        return [(directory, prefix + name) for name in self._compare_files(directory, prefix, names, force)]

    def _names(self, path: bytes) -> set[bytes]:
        """Return what a directory lists, composed where git has it so and the disk finds it by that, too."""
        names = set(os.listdir(self._full(path)))
        if self._composes:
            from patchpoint.filesystem.directory_tree import composed

            for name in [name for name in names if not name.isascii()]:
                other = composed(name)
                if other not in names and os.path.lexists(os.path.join(self._full(path), other)):
                    names.remove(name)
                    names.add(other)
        return names

    def _full(self, path: bytes) -> bytes:
        return self._prefix + path

    def _cannot_list(self, directory: int) -> list[tuple[int, bytes]]:
        table = self.table
        if not directory:
            raise OSError(f"'{os.fsdecode(self._root)}' cannot be listed")
        table.directory_stats.columns[MTIME_NS][directory] = RACY
        table.states[directory] = DirectoryState.UNREADABLE
        self._keep_tracked(directory)
        for child in self._children.get(directory, ()):
            if not self._tracked_below[child]:
                self._dropped.add(child)
        return []

    def _empty(self, directory: int, state: int) -> None:
        table = self.table
        table.states[directory] = state
        if table.starts[directory] != table.starts[directory + 1]:
            table.dirty[directory] = 1
        self._listings[directory] = []
        self._dropped.update(self._children.get(directory, ()))
        if self._children.get(directory):
            table.dirty[directory] = 1

    def _keep_tracked(self, directory: int) -> None:
        """Drop the untracked files in `directory`."""
        table = self.table
        positions = range(table.starts[directory], table.starts[directory + 1])
        if all(table.marks[at] & TRACKED for at in positions):
            return
        self._listings[directory] = [table.row(at) for at in positions if table.marks[at] & TRACKED]
        table.dirty[directory] = 1

    def _compare_children(self, directory: int, names: set[bytes] | None, force: bytearray) -> None:
        """Decide how the known directories in `directory` are scanned, and remove their names from `names`.

        `names` is `None` when `directory` was not listed.
        """
        table = self.table
        children = self._children.get(directory)
        if not children:
            return
        cut = len(table.directories[directory]) + 1 if directory else 0
        modes = table.directory_stats.columns[MODE]
        rules = self._rules.of(directory) if names is not None else IgnoreRules()
        for child in children:
            path = table.directories[child]
            if modes[child] == 0 and names is not None and path[cut:] in names:
                again = stat_files(self._root, [path])[0]
                if stat.S_ISDIR(again[MODE] & 0xFFFF):
                    table.directory_stats[child] = again
                    force[child] = 1
            if modes[child] and names is not None and path[cut:] not in names:
                self._hide(child)
                force[child] = 1
            if modes[child] == 0:
                continue
            if names is not None:
                names.discard(path[cut:])
            state = DirectoryState.LISTED
            if names is None or self._is_ignored(rules, path, is_directory=True):
                state = DirectoryState.TRACKED_ONLY
            elif self._exclude.ignores(path, is_directory=True):
                state = DirectoryState.EXCLUDED
            if state != DirectoryState.LISTED and self._tracked_below[child]:
                state = DirectoryState.TRACKED_ONLY
            elif state == DirectoryState.TRACKED_ONLY:
                self._dropped.add(child)
                table.dirty[directory] = 1
                continue
            was = table.states[child]
            if state == DirectoryState.LISTED and was in (DirectoryState.NESTED, DirectoryState.UNREADABLE):
                continue
            if was != state:
                table.states[child] = state
                force[child] = 1
                if state == DirectoryState.EXCLUDED:
                    self._empty(child, state)

    def _hide(self, directory: int) -> None:
        """Mark a directory that has another spelling now as missing, with everything below."""
        table = self.table
        hidden = {directory}
        for at in range(directory, len(table.directories)):
            if at == directory or table.parents[at] in hidden:
                hidden.add(at)
                table.directory_stats[at] = MISSING
                for position in range(table.starts[at], table.starts[at + 1]):
                    if table.stats[position] != MISSING:
                        table.stats[position] = MISSING
                        table.stale[position] = 1

    def _compare_files(
        self, directory: int, prefix: bytes, names: set[bytes], force: bytearray
    ) -> set[bytes]:
        """Compare the known files of `directory` with the `names` in it; return the unknown names."""
        table = self.table
        start, end = table.starts[directory], table.starts[directory + 1]
        cut = len(prefix)
        known = {path[cut:] for path in table.paths[start:end]}
        judged = force[directory] and not all(table.marks[start:end])
        odd = self._odd_rows
        if known <= names and not judged and (not odd or odd.isdisjoint(range(start, end))):
            return names - known
        rules = self._rules.of(directory)
        rows: list[Row] = []
        unknown = set(names)
        for at in range(start, end):
            path, file_stat, oid, mark, reason, stale = table.row(at)
            here = path[cut:] in names
            if here and file_stat == MISSING:
                file_stat, stale = stat_files(self._root, [path])[0], 1
            if stat.S_ISDIR(file_stat[MODE] & 0xFFFF) and not mark & ALWAYS_CHECKED:
                here = False
            if here:
                unknown.discard(path[cut:])
                ignored = judged and (self._is_ignored(rules, path, is_directory=False) or editor_file(path))
                if ignored and not mark & TRACKED:
                    continue
            elif not mark & TRACKED:
                continue
            elif file_stat != MISSING:
                file_stat, stale = MISSING, 1
            rows.append((path, file_stat, oid, mark, reason, stale))
        if len(rows) != end - start:
            table.dirty[directory] = 1
        self._listings[directory] = rows
        return unknown

    def _add_entries(self, waiting: list[tuple[int, bytes]], force: bytearray) -> list[tuple[int, bytes]]:
        """Add the new paths `waiting` to the table; return those found in new directories."""
        table = self.table
        seen = stat_files(self._root, [path for _, path in waiting])
        modes = seen.columns[MODE]
        found: list[tuple[int, bytes]] = []
        for at, (directory, path) in enumerate(waiting):
            mode = modes[at] & 0xFFFF
            is_directory = stat.S_ISDIR(mode)
            if self._is_ignored(self._rules.of(directory), path, is_directory=is_directory):
                continue
            if not is_directory and editor_file(path):
                continue
            reason: SkipReason | None = None
            if not mode:
                if not self._is_there(path):
                    continue
                reason = SkipReason.UNREADABLE
            elif not is_safe_name(path[path.rfind(b"/") + 1 :], mode):
                reason = SkipReason.UNSAFE_NAME
            elif is_directory and self._full(path) in self._git_directories:
                continue
            elif is_directory:
                excluded = self._exclude.ignores(path, is_directory=True)
                state = DirectoryState.EXCLUDED if excluded else DirectoryState.LISTED
                number = table.add_directory(path, directory, seen[at], state)
                force.append(0)
                self._listings[number] = []
                found += self._list_directory(number, force)
                continue
            table.dirty[directory] = 1
            if directory not in self._listings:
                self._listings[directory] = [
                    table.row(known) for known in range(table.starts[directory], table.starts[directory + 1])
                ]
            self._listings[directory].append(
                (path, seen[at], NO_ID, 0, 0 if reason is None else reason_number(reason), 1)
            )
        return found

    def _is_ignored(self, rules: IgnoreRules, path: bytes, *, is_directory: bool) -> bool:
        """Return whether a path is ignored, and is none of those that are recorded all the same."""
        if not rules.ignores(path, is_directory=is_directory):
            return False
        return self._include is None or not self._include.ignores(path, is_directory=is_directory)

    def _is_there(self, path: bytes) -> bool:
        try:
            os.lstat(self._full(path))
        except FileNotFoundError:
            return is_too_long(self._full(path))
        except OSError:
            return True
        return True

    def _drop_empty(self) -> None:
        """Drop the missing directories without a tracked file."""
        table = self.table
        needed: set[int] = {0}
        for directory in range(len(table.directories) - 1, 0, -1):
            if directory in self._dropped:
                continue
            rows = self._listings.get(directory)
            has_files = (
                bool(rows) if rows is not None else table.starts[directory] != table.starts[directory + 1]
            )
            if directory in needed or has_files or table.directory_stats.columns[MODE][directory]:
                needed.add(table.parents[directory])
                continue
            self._dropped.add(directory)
            table.dirty[table.parents[directory]] = 1
