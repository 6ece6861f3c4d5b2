"""Read objects of a repository, verifying the hash of each.

See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from dulwich.errors import ObjectFormatException
from dulwich.objects import Commit, ShaFile

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.exhausted import in_words, raise_if_exhausted
from patchpoint.git.errors import CheckpointDamagedError, RepositoryBusyError
from patchpoint.git.odb.ids import (
    BLOB,
    COMMIT,
    TREE,
    ObjectID,
    RawObjectID,
    object_id,
    to_binary,
    to_hexadecimal,
)
from patchpoint.git.odb.loose import read_loose
from patchpoint.git.odb.unreadable import unreadable

if TYPE_CHECKING:
    from patchpoint.git.repository import Repository

_CACHED_BYTES = 8 << 20
"""Bytes of trees that are kept in memory."""

_AHEAD_BYTES = 16 << 20
"""Bytes of blobs after which no more are read ahead."""

_GITLINK = 0o160000


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a tree: git's mode (type, executable bit) and the object's id."""

    mode: int
    oid: ObjectID

    @property
    def is_tree(self) -> bool:
        """Whether it is a directory."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_gitlink(self) -> bool:
        """Whether it is another repository, of which only the commit is recorded."""
        return self.mode == _GITLINK

    @property
    def is_symlink(self) -> bool:
        """Whether the blob is the target of a symbolic link."""
        return stat.S_ISLNK(self.mode)


@dataclass(frozen=True, slots=True)
class Change:
    """A path (not a directory) that differs between two trees; `None` where it is absent."""

    path: bytes
    old: Entry | None
    new: Entry | None


_Line = tuple[bytes, RawObjectID]
"""Mode (octal digits) and id, as a tree has them."""
Lines = dict[bytes, _Line]
"""Entries of a tree by name."""


@dataclass(frozen=True, slots=True)
class KnownTrees:
    """What is known of some trees without reading them, by their binary object ids."""

    contents: dict[RawObjectID, bytes] = field(default_factory=dict)
    differences: dict[tuple[RawObjectID, RawObjectID], tuple[Lines, Lines]] = field(default_factory=dict)
    """Of two trees: the entries that only the first has, and those that only the second has."""


class ObjectReader:
    """The objects of a repository, each verified as it is read.

    Every method raises `CheckpointDamagedError` when the object (or one on the way to it) is missing, cannot
    be read, is of another kind, or does not have the hash that is its id; and `RepositoryBusyError` when no
    more files may be opened.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._directory = os.path.join(repository.commondir, b"objects")
        self._packs = repository.packs
        self._trees: dict[ObjectID, bytes] = {}
        self._cached_bytes = 0
        self._ahead: dict[ObjectID, bytes] = {}
        self.object_format = repository.object_format
        """`sha1` or `sha256`."""

    def tree(self, oid: ObjectID) -> dict[bytes, Entry]:
        """Return the entries of one tree by name."""
        return {name: _entry(*line) for name, line in map(_split, self._lines(oid, {}))}

    def blob(self, oid: ObjectID) -> bytes:
        """Return the content of one blob."""
        ahead = self._ahead.pop(oid, None)
        return self._read(oid, BLOB) if ahead is None else ahead

    def read_ahead(self, oids: Iterable[ObjectID]) -> None:
        """Read blobs, until that is much, for `blob` to return each once; forget those of an earlier call.

        Raises nothing: what cannot be read is left to `blob`.
        """
        self._ahead, left = {}, _AHEAD_BYTES
        for oid in oids:
            with suppress(CheckpointDamagedError, RepositoryBusyError):
                content = self._ahead[oid] = self._read(oid, BLOB)
                left -= len(content)
            if left < 0:
                break

    def content(self, oid: ObjectID, kind: int) -> bytes:
        """Return the content of an object of this kind (git's number)."""
        return self._read(oid, kind)

    def commit(self, oid: ObjectID) -> Commit:
        """Return one commit."""
        raw = self._read(oid, COMMIT)
        try:
            commit = ShaFile.from_raw_string(COMMIT, raw, sha=oid)
            if isinstance(commit, Commit) and commit.tree:
                return commit
        except (ObjectFormatException, ValueError) as error:
            raise _damaged(oid, "is not a valid commit") from error
        raise _damaged(oid, "is not a valid commit")

    def has_commit(self, name: str) -> bool:
        """Return whether a commit, named by its id, is there and can be read."""
        try:
            self.commit(ObjectID(name.encode()))
        except CheckpointDamagedError:
            return False
        return True

    def at(self, tree: ObjectID, path: bytes) -> Entry | None:
        """Return the entry of `path` below `tree`, or `None`."""
        entry = None
        for name in path.split(b"/"):
            if entry is not None:
                if not entry.is_tree:
                    return None
                tree = entry.oid
            entry = self._entry_of(tree, name)
            if entry is None:
                return None
        return entry

    def file(self, tree: ObjectID, path: bytes) -> bytes | None:
        """Return the content of the file `path` below `tree`, of a symbolic link its target, or `None`."""
        entry = self.at(tree, path)
        return None if entry is None or entry.is_tree or entry.is_gitlink else self.blob(entry.oid)

    def files(self, tree: ObjectID, below: bytes = b"") -> Iterator[tuple[bytes, Entry]]:
        """Yield every path of `tree` that is not a directory, prefixed with `below`, in no promised order."""
        waiting = [(below, tree)]
        while waiting:
            below, tree = waiting.pop()
            for name, entry in self.tree(tree).items():
                if entry.is_tree:
                    waiting.append((below + name + b"/", entry.oid))
                else:
                    yield below + name, entry

    def changes(
        self,
        old: ObjectID | None,
        new: ObjectID | None,
        known: KnownTrees | None = None,
    ) -> Iterator[Change]:
        """Yield the differences between two trees, in no promised order. Equal trees are not read, nor those
        of which `known` has the content or the differences."""
        known = known or KnownTrees()
        waiting = [(b"", old, new)]
        while waiting:
            below, old, new = waiting.pop()
            if old == new:
                continue
            gone, came = self._differences(old, new, known)
            for name in gone.keys() | came.keys():
                was, now = gone.get(name), came.get(name)
                old_tree, new_tree = _tree_of(was), _tree_of(now)
                if old_tree or new_tree:
                    waiting.append((below + name + b"/", old_tree, new_tree))
                old_file = _entry(*was) if was and not old_tree else None
                new_file = _entry(*now) if now and not new_tree else None
                if old_file != new_file:
                    yield Change(below + name, old_file, new_file)

    def beyond(
        self,
        new: RawObjectID,
        old: Iterable[RawObjectID],
        known: Mapping[RawObjectID, bytes] | None = None,
    ) -> set[RawObjectID]:
        """Return the ids of trees and blobs in the tree `new` that the trees `old` do not have.

        Directories are compared with those of the same path, and what one has lost with what all have won: a
        blob that is copied from a directory that stayed the same counts as new, and so may one that came from
        a directory of which much else was lost. Contents in `known` are not
        read, and what is in a tree that is missing is not known to be in it.
        """
        found: set[RawObjectID] = set()
        lost: set[RawObjectID] = set()
        lost_trees: list[RawObjectID] = []
        waiting = [(new, tuple(old))]
        while waiting:
            tree, others = waiting.pop()
            if tree in others or tree in found:
                continue
            found.add(tree)
            lost.update(others)
            before = [set(self._lines_or_none(other, known)) for other in others]
            now = set(self._lines_or_none(tree, known))
            below: dict[bytes, list[RawObjectID]] = {}
            for name, (mode, oid) in map(_split, set().union(*before) - now):
                if _is_tree_mode(mode):
                    below.setdefault(name, []).append(oid)
                else:
                    lost.add(oid)
            for name, (mode, oid) in map(_split, now.difference(*before)):
                if _is_tree_mode(mode):
                    waiting.append((oid, tuple(below.pop(name, ()))))
                elif int(mode, 8) != _GITLINK:
                    found.add(oid)
            lost_trees += [oid for oids in below.values() for oid in oids]
        found -= lost
        left = len(found)  # to read a tree takes as long as to write again an object that might be in it
        while found and lost_trees and left:
            left -= 1
            tree = lost_trees.pop()
            found.discard(tree)
            for _, (mode, oid) in map(_split, self._lines_or_none(tree, known)):
                found.discard(oid)
                if _is_tree_mode(mode):
                    lost_trees.append(oid)
        return found

    def _differences(
        self, old: ObjectID | None, new: ObjectID | None, known: KnownTrees
    ) -> tuple[Lines, Lines]:
        """Return the entries that only one of two trees has; `None` is an empty tree."""
        if old is not None and new is not None and known.differences:
            found = known.differences.get((to_binary(old), to_binary(new)))
            if found is not None:
                return found
        before, after = (set(self._lines(each, known.contents) if each else ()) for each in (old, new))
        return dict(map(_split, before - after)), dict(map(_split, after - before))

    def _entry_of(self, tree: ObjectID, name: bytes) -> Entry | None:
        """Return one entry of a tree, without decoding the others."""
        ending = name + b"\0"
        named = (_split(line) for line in self._lines(tree, {}) if ending in line)
        return next((_entry(*rest) for found, rest in named if found == name), None)

    def _lines_or_none(self, oid: RawObjectID, known: Mapping[RawObjectID, bytes] | None) -> list[bytes]:
        try:
            return self._lines(to_hexadecimal(oid), known or {})
        except CheckpointDamagedError:
            return []

    def _lines(self, oid: ObjectID, known: Mapping[RawObjectID, bytes]) -> list[bytes]:
        """Return the entries of one tree undecoded, for `_split`: two trees have most of them in common."""
        raw = known.get(to_binary(oid))
        if raw is None:
            raw = self._tree(oid)
        lines: list[bytes] = _tree_line(len(oid) // 2).findall(raw)
        if b"".join(lines) != raw:
            raise _damaged(oid, "is not a valid tree")
        return lines

    def _tree(self, oid: ObjectID) -> bytes:
        raw = self._trees.get(oid)
        if raw is None:
            raw = self._read(oid, TREE)
            self._cache(oid, raw)
        return raw

    def _cache(self, oid: ObjectID, tree: bytes) -> None:
        """Keep a tree in memory: a preview of a restore is followed by the restore."""
        if self._cached_bytes > _CACHED_BYTES:
            self._trees, self._cached_bytes = {}, 0
        self._trees[oid] = tree
        self._cached_bytes += len(tree)

    def _read(self, oid: ObjectID, expected: int) -> bytes:
        try:
            return self._read_verified(oid, expected)
        except OSError as error:
            raise RepositoryBusyError(
                f"Object {oid.decode('ascii', 'replace')} cannot be read now: {in_words(error)}."
            ) from error

    def _read_verified(self, oid: ObjectID, expected: int) -> bytes:
        try:
            binary = to_binary(oid)
        except ValueError as error:
            raise _damaged(oid, "is not an object id") from error
        found = self._packs.read(binary) or read_loose(self._directory, binary)
        if found is not None and self._is_verified(binary, expected, *found):
            return found[1]
        try:
            kind, raw = self._repository.objects.get_raw(oid)
        except KeyError as error:
            raise _damaged(oid, "is missing") from error
        except unreadable() as error:
            raise_if_exhausted(error)
            raise _damaged(oid, "cannot be read") from error
        if not self._is_verified(binary, expected, kind, raw):
            raise _damaged(oid, "does not match its id")
        return raw

    def _is_verified(self, oid: RawObjectID, expected: int, kind: int, content: bytes) -> bool:
        return kind == expected and object_id(kind, content, self.object_format) == oid


@cache
def _tree_line(width: int) -> re.Pattern[bytes]:
    """Return the expression for one entry of a tree whose object ids have `width` bytes."""
    return re.compile(rb"(?s)[0-7]+ [^\0]+\0.{%d}" % width)


def _split(line: bytes) -> tuple[bytes, _Line]:
    """Return the name, and mode and id, of one entry of a tree."""
    mode, _, rest = line.partition(b" ")
    name, _, oid = rest.partition(b"\0")
    return name, (mode, RawObjectID(oid))


def _tree_of(line: _Line | None) -> ObjectID | None:
    return to_hexadecimal(line[1]) if line is not None and _is_tree_mode(line[0]) else None


@cache
def _is_tree_mode(mode: bytes) -> bool:
    return stat.S_ISDIR(int(mode, 8))


def _entry(mode: bytes, oid: RawObjectID) -> Entry:
    return Entry(int(mode, 8), to_hexadecimal(oid))


def _damaged(oid: ObjectID, problem: str) -> CheckpointDamagedError:
    return CheckpointDamagedError(
        f"Object {oid.decode('ascii', 'replace')} {problem}; check with 'git fsck', "
        "or fetch the object from a repository that has it."
    )
