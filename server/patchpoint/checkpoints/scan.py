"""Which folders and files of a working tree there are, and which of them to look into.

One pass in C looks at all folders and files known from the last time. A folder whose own times are
unchanged has the same names in it, so it is not listed, and nothing in it is held against the ignore rules
again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from patchpoint.checkpoints.folder_rules import FolderRules
from patchpoint.checkpoints.ignore import IgnoreRules
from patchpoint.checkpoints.names import is_safe_name
from patchpoint.checkpoints.repository import Repository, git_folder_of
from patchpoint.checkpoints.seed import Expected
from patchpoint.checkpoints.signatures import (
    MODE,
    MTIME_NS,
    NOTHING,
    UNSURE,
    Signatures,
    look,
)
from patchpoint.checkpoints.skipped import SkipReason, reason_number
from patchpoint.checkpoints.stat_cache import (
    LOOKED_AT_EVERY_TIME,
    TRACKED,
    FolderState,
    Row,
    Table,
    positions,
)
from patchpoint.progress import Progress

AS_INDEXED = 2
"""Of a file's staleness: nothing has to be read, the index's blob is the one, unless git converts such
files."""
_STALENESS = bytes([1, AS_INDEXED]).ljust(256, b"\x01")
_TYPE = 0o170000
_FOLDER_TYPE = 0o040000
_DOT_GIT = b".git"


class Scan:
    """One scan: brings a table up to date with the disk.

    Afterwards `table` has the folders and files there are, signatures as they were seen, `stale` set for
    the files that are to be recorded anew and `dirty` for the folders with other files than before.
    """

    def __init__(
        self,
        repository: Repository,
        table: Table,
        rules: IgnoreRules,
        exclude: IgnoreRules,
        since_ns: int,
        progress: Progress,
    ) -> None:
        """`since_ns`: what was changed after that is not sure to be seen as changed the next time."""
        self.table = table
        self.changed = False
        """Whether a folder or a file of ignore rules had to be looked at more closely."""
        self._root = repository.worktree
        self._prefix = os.path.join(self._root, b"")
        self._repository = repository
        self._exclude = exclude
        self._since_ns = since_ns
        self._progress = progress
        self._own = {repository.gitdir, repository.commondir}
        self._rules = FolderRules(repository, table, rules, since_ns)
        self._ignore_stats = Signatures()
        self._children: dict[int, list[int]] = {}
        self._odd_rows: set[int] = set()
        """Files that are not there, or where a folder stands now."""
        self._tracked_below = bytearray()
        self._listings: dict[int, list[Row]] = {}
        self._listed: list[int] = []
        self._dropped: set[int] = set()

    def run(self, forced: Iterable[int], *, all_forced: bool, expected: Expected | None = None) -> None:
        """Bring the table up to date. In the folders `forced` (and below), or in all, what is ignored is
        looked at again even where nothing changed. Of a table made of the index, `stale` is `AS_INDEXED`
        for the files that are as `expected`."""
        changed = self._look(expected)
        force = bytearray(len(self.table.folders))
        for folder in forced:
            force[folder] = 1
        force[0] |= all_forced
        rules_changed = self._rules.folders_changed(self._ignore_stats)
        if rules_changed:
            for number, path in enumerate(self.table.folders):
                force[number] |= path in rules_changed
        if changed or any(force):
            self.changed = True
            self._relist(set(changed), force)
        if self.changed or self._rules.changed:
            self.changed = True
            self._rules.keep_in(self.table)

    def _look(self, expected: Expected | None) -> list[int]:
        """Look at everything known; answers the folders that changed."""
        table = self.table
        count, files = len(table.folders), len(table.paths)
        seen = look(self._root, [b".", *table.folders[1:], *table.paths, *table.ignore_files])
        folder_stats = seen.part(0, count)
        file_stats = seen.part(count, count + files)
        self._ignore_stats = seen.part(count + files, len(seen))
        self._hide_what_is_below_no_folder(folder_stats, file_stats)
        if expected is not None:
            table.stale = expected.agree(file_stats).translate(_STALENESS)
        else:
            for position in file_stats.changed_since(table.stats):
                table.stale[position] = 1
        for position in positions(table.reasons, 0xFF) + positions(table.marks, LOOKED_AT_EVERY_TIME):
            table.stale[position] = 1
        changed = folder_stats.changed_since(table.folder_stats)
        table.stats, table.folder_stats = file_stats, folder_stats
        return changed

    def _hide_what_is_below_no_folder(self, folder_stats: Signatures, file_stats: Signatures) -> None:
        """Where a folder is not there any more, what was in it is not either: a symbolic link in its place
        may lead to something of the same name."""
        table = self.table
        gone = [at for at, word in enumerate(folder_stats.columns[MODE]) if word & _TYPE != _FOLDER_TYPE]
        if not gone:
            return
        missing = bytearray(len(table.folders))
        for at in gone:
            missing[at] = 1
        for at in range(1, len(table.folders)):
            missing[at] |= missing[table.parents[at]]
            if missing[at]:
                folder_stats[at] = NOTHING
                for position in range(table.starts[at], table.starts[at + 1]):
                    file_stats[position] = NOTHING

    def _relist(self, changed: set[int], force: bytearray) -> None:
        table = self.table
        self._prepare()
        waiting: list[tuple[int, bytes]] = []
        count = len(table.folders)
        for folder in range(count):
            parent = table.parents[folder]
            if folder in self._dropped or parent in self._dropped:
                self._dropped.add(folder)
                continue
            if folder and force[parent]:
                force[folder] = 1
            if folder in changed or force[folder] or table.states[folder] == FolderState.UNREADABLE:
                waiting += self._list(folder, force)
        while waiting:
            self._progress.check()
            waiting = self._take_in(waiting, force)
        table.folder_stats.doubt(self._listed, self._since_ns)
        self._drop_empty()
        if self._listings or self._dropped:
            self.table = table.relisted(self._listings, self._dropped)

    def _prepare(self) -> None:
        table = self.table
        for folder in range(1, len(table.folders)):
            self._children.setdefault(table.parents[folder], []).append(folder)
        modes = table.stats.columns[MODE]
        odd = {word for word in set(modes) if word & _TYPE in (0, _FOLDER_TYPE)}
        self._odd_rows = {at for at, word in enumerate(modes) if word in odd} if odd else set()
        tracked = table.marks.translate(bytes([mark & TRACKED for mark in range(256)]))
        self._tracked_below = bytearray(len(table.folders))
        for folder in range(len(table.folders) - 1, -1, -1):
            if tracked.find(1, table.starts[folder], table.starts[folder + 1]) >= 0:
                self._tracked_below[folder] = 1
            if self._tracked_below[folder]:
                self._tracked_below[table.parents[folder]] = 1

    def _list(self, folder: int, force: bytearray) -> list[tuple[int, bytes]]:
        """Work out what is in `folder`; answers (with the folder) the paths in it that are not known yet."""
        table = self.table
        path = table.folders[folder]
        if table.folder_stats.columns[MODE][folder] == 0 or table.states[folder] == FolderState.TRACKED_ONLY:
            self._keep_tracked(folder)
            self._judge_children(folder, None, force)
            return []
        if table.states[folder] == FolderState.EXCLUDED:
            return []
        self._listed.append(folder)
        try:
            names = set(os.listdir(self._full(path)))
        except OSError:
            return self._cannot_list(folder)
        if _DOT_GIT in names:
            names.discard(_DOT_GIT)
            nested = folder and not (folder < len(self._tracked_below) and self._tracked_below[folder])
            if nested and git_folder_of(self._full(path)) is not None:
                self._empty(folder, FolderState.NESTED)
                return []
        table.states[folder] = FolderState.LISTED
        prefix = path + b"/" if path else b""
        if self._rules.note(prefix, names):
            force[folder] = 1
        self._judge_children(folder, names, force)
        return [(folder, prefix + name) for name in self._sort_out(folder, prefix, names, force)]

    def _full(self, path: bytes) -> bytes:
        return self._prefix + path

    def _cannot_list(self, folder: int) -> list[tuple[int, bytes]]:
        table = self.table
        if not folder:
            raise OSError(f"'{os.fsdecode(self._root)}' cannot be listed")
        table.folder_stats.columns[MTIME_NS][folder] = UNSURE
        table.states[folder] = FolderState.UNREADABLE
        self._keep_tracked(folder)
        for child in self._children.get(folder, ()):
            if not self._tracked_below[child]:
                self._dropped.add(child)
        return []

    def _empty(self, folder: int, state: int) -> None:
        table = self.table
        table.states[folder] = state
        if table.starts[folder] != table.starts[folder + 1]:
            table.dirty[folder] = 1
        self._listings[folder] = []
        self._dropped.update(self._children.get(folder, ()))
        if self._children.get(folder):
            table.dirty[folder] = 1

    def _keep_tracked(self, folder: int) -> None:
        """Leave only the tracked files in `folder`."""
        table = self.table
        positions = range(table.starts[folder], table.starts[folder + 1])
        if all(table.marks[at] & TRACKED for at in positions):
            return
        self._listings[folder] = [table.row(at) for at in positions if table.marks[at] & TRACKED]
        table.dirty[folder] = 1

    def _judge_children(self, folder: int, names: set[bytes] | None, force: bytearray) -> None:
        """Decide how the known folders in `folder` are to be looked at, and take their names out of `names`
        (`None`: it was not listed)."""
        table = self.table
        children = self._children.get(folder)
        if not children:
            return
        cut = len(table.folders[folder]) + 1 if folder else 0
        modes = table.folder_stats.columns[MODE]
        rules = self._rules.of(folder) if names is not None else IgnoreRules()
        for child in children:
            path = table.folders[child]
            if modes[child] == 0 and names is not None and path[cut:] in names:
                again = look(self._root, [path])[0]
                if stat.S_ISDIR(again[MODE] & 0xFFFF):
                    table.folder_stats[child] = again
                    force[child] = 1
            if modes[child] == 0:
                continue
            if names is not None:
                names.discard(path[cut:])
            state = FolderState.LISTED
            if names is None or rules.ignores(path, is_folder=True):
                state = FolderState.TRACKED_ONLY
            elif self._exclude.ignores(path, is_folder=True):
                state = FolderState.EXCLUDED
            if state != FolderState.LISTED and self._tracked_below[child]:
                state = FolderState.TRACKED_ONLY
            elif state == FolderState.TRACKED_ONLY:
                self._dropped.add(child)
                table.dirty[folder] = 1
                continue
            was = table.states[child]
            if state == FolderState.LISTED and was in (FolderState.NESTED, FolderState.UNREADABLE):
                continue
            if was != state:
                table.states[child] = state
                force[child] = 1
                if state == FolderState.EXCLUDED:
                    self._empty(child, state)

    def _sort_out(self, folder: int, prefix: bytes, names: set[bytes], force: bytearray) -> set[bytes]:
        """Hold the known files of `folder` against the `names` in it; answers those that are not known."""
        table = self.table
        start, end = table.starts[folder], table.starts[folder + 1]
        cut = len(prefix)
        known = {path[cut:] for path in table.paths[start:end]}
        judged = force[folder] and not all(table.marks[start:end])
        odd = self._odd_rows
        if known <= names and not judged and (not odd or odd.isdisjoint(range(start, end))):
            return names - known
        rules = self._rules.of(folder)
        rows: list[Row] = []
        unknown = set(names)
        for at in range(start, end):
            path, signature, oid, mark, reason, stale = table.row(at)
            here = path[cut:] in names
            if here and signature == NOTHING:
                signature, stale = look(self._root, [path])[0], 1
            if stat.S_ISDIR(signature[MODE] & 0xFFFF) and not mark & LOOKED_AT_EVERY_TIME:
                here = False
            if here:
                unknown.discard(path[cut:])
                if not mark & TRACKED and judged and rules.ignores(path, is_folder=False):
                    continue
            elif not mark & TRACKED:
                continue
            elif signature != NOTHING:
                signature, stale = NOTHING, 1
            rows.append((path, signature, oid, mark, reason, stale))
        if len(rows) != end - start:
            table.dirty[folder] = 1
        self._listings[folder] = rows
        return unknown

    def _take_in(self, waiting: list[tuple[int, bytes]], force: bytearray) -> list[tuple[int, bytes]]:
        """Take in the new paths `waiting`; answers those found in new folders."""
        table = self.table
        seen = look(self._root, [path for _, path in waiting])
        modes = seen.columns[MODE]
        found: list[tuple[int, bytes]] = []
        for at, (folder, path) in enumerate(waiting):
            mode = modes[at] & 0xFFFF
            is_folder = stat.S_ISDIR(mode)
            if self._rules.of(folder).ignores(path, is_folder=is_folder):
                continue
            reason: SkipReason | None = None
            if not mode:
                if not self._is_there(path):
                    continue
                reason = SkipReason.UNREADABLE
            elif not is_safe_name(path[path.rfind(b"/") + 1 :], mode):
                reason = SkipReason.UNSAFE_NAME
            elif is_folder and self._full(path) in self._own:
                continue
            elif is_folder:
                excluded = self._exclude.ignores(path, is_folder=True)
                state = FolderState.EXCLUDED if excluded else FolderState.LISTED
                number = table.add_folder(path, folder, seen[at], state)
                force.append(0)
                self._listings[number] = []
                found += self._list(number, force)
                continue
            table.dirty[folder] = 1
            if folder not in self._listings:
                self._listings[folder] = [
                    table.row(known) for known in range(table.starts[folder], table.starts[folder + 1])
                ]
            self._listings[folder].append(
                (path, seen[at], b"", 0, 0 if reason is None else reason_number(reason), 1)
            )
        return found

    def _is_there(self, path: bytes) -> bool:
        try:
            os.lstat(self._full(path))
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return True

    def _drop_empty(self) -> None:
        """Drop the folders that are not there and that no tracked file is in."""
        table = self.table
        needed: set[int] = {0}
        for folder in range(len(table.folders) - 1, 0, -1):
            if folder in self._dropped:
                continue
            rows = self._listings.get(folder)
            has_files = bool(rows) if rows is not None else table.starts[folder] != table.starts[folder + 1]
            if folder in needed or has_files or table.folder_stats.columns[MODE][folder]:
                needed.add(table.parents[folder])
                continue
            self._dropped.add(folder)
            table.dirty[table.parents[folder]] = 1
