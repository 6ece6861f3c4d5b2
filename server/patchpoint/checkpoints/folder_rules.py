"""The ignore rules in force in each folder of a table, and which files they (and attributes) come from."""

from __future__ import annotations

import os
import stat
import zlib

from patchpoint.checkpoints.attributes import ATTRIBUTES_FILE
from patchpoint.checkpoints.ignore import IGNORE_FILE, IgnoreRules
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.signatures import (
    MODE,
    MTIME_NS,
    NOTHING,
    UNSURE,
    Signature,
    Signatures,
    is_recent,
    look,
)
from patchpoint.checkpoints.stat_cache import SKIP_WORKTREE, FolderState, Table, positions


class FolderRules:
    """Reads the `.gitignore` of a folder once, and only where it is needed.

    One that a sparse checkout leaves out counts as it is in the index, as it does for git.
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
        """Whether any file of rules has other times than before."""

    def folders_changed(self, seen: Signatures) -> set[bytes]:
        """The folders whose `.gitignore` has another content than before, given how they look now."""
        found: set[bytes] = set()
        for at, path in enumerate(self._table.ignore_files):
            signature, digest = self._files[path]
            if seen[at] != signature or signature == NOTHING:
                self.changed = True
                self._load(path)
                if self._files[path][1] != digest:
                    found.add(path[: max(path.rfind(b"/"), 0)])
        return found

    def note(self, prefix: bytes, names: set[bytes]) -> bool:
        """Note which special files are among the `names` in a folder; answers whether rules came or went."""
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

    def of(self, folder: int) -> IgnoreRules:
        """The rules in force in the folder of this number."""
        rules = self._rules.get(folder)
        if rules is None:
            above = self.of(self._table.parents[folder]) if folder else self._outer
            path = self._table.folders[folder]
            ignore_file = path + b"/" + IGNORE_FILE if path else IGNORE_FILE
            content = None
            if ignore_file in self._files:
                if ignore_file not in self._contents:
                    self._load(ignore_file)
                content = self._contents[ignore_file]
            rules = self._rules[folder] = above.within(path, content)
        return rules

    def keep_in(self, table: Table) -> None:
        """Put what is known of the special files in the folders of `table` into it."""
        listed = {
            folder + b"/" if folder else b""
            for folder, state in zip(table.folders, table.states, strict=True)
            if state == FolderState.LISTED
        }
        table.ignore_files, table.ignore_digests, table.ignore_stats = [], [], Signatures()
        for path, (signature, digest) in self._files.items():
            if path[: -len(IGNORE_FILE)] in listed:
                table.ignore_files.append(path)
                table.ignore_digests.append(digest)
                table.ignore_stats.append(signature)
        table.attribute_files = sorted(
            path for path in self._attribute_files if path[: -len(ATTRIBUTES_FILE)] in listed
        )

    def _load(self, path: bytes) -> None:
        signature: Signature = look(self._repository.worktree, [path])[0]
        content: bytes | None = None
        if stat.S_ISREG(signature[MODE] & 0xFFFF):
            try:
                with open(os.path.join(self._repository.worktree, path), "rb") as file:
                    content = file.read()
            except OSError:
                content = None
        elif signature == NOTHING and path in self._not_checked_out:
            content = self._repository.blob(self._not_checked_out[path])
        if is_recent(signature, self._since_ns):
            signature = (*signature[:MTIME_NS], UNSURE, *signature[MTIME_NS + 1 :])
        self._contents[path] = content
        self._files[path] = (signature, 0 if content is None else zlib.crc32(content) + 1)
