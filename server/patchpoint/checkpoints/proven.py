"""Reading objects of a repository, each proven to be there and to be what its name says."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from zlib import error as ZlibError  # noqa: N812

from dulwich.errors import ChecksumMismatch, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, ShaFile

from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.loose_objects import KINDS, read_loose
from patchpoint.checkpoints.packs import Packs

_KINDS = {number: kind for kind, number in KINDS.items()}
_COMMIT, _TREE, _BLOB = 1, 2, 3
_REMEMBERED_BYTES = 8 << 20
_UNREADABLE = (OSError, ValueError, ZlibError, AssertionError, ChecksumMismatch, ObjectFormatException)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree says of a path: git's mode (type, executable bit) and the object's name in hexadecimal."""

    mode: int
    oid: bytes

    @property
    def is_tree(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_gitlink(self) -> bool:
        """Whether it is another repository, of which only the commit is recorded."""
        return self.mode == 0o160000

    @property
    def is_symlink(self) -> bool:
        """Whether the blob is the target of a symbolic link."""
        return stat.S_ISLNK(self.mode)


@dataclass(frozen=True, slots=True)
class Change:
    """A path (not a folder) that two trees say different things of; `None` where it is absent."""

    path: bytes
    old: Entry | None
    new: Entry | None


class ProvenObjects:
    """The objects of a store.

    Every method raises `CheckpointDamagedError` when the object (or one on the way to it) is missing, cannot
    be read, is of another kind, or does not have the content that its name promises.
    """

    def __init__(self, store: DiskObjectStore, oid_length: int = 40, packs: Packs | None = None) -> None:
        self._store = store
        self._folder = os.fsencode(store.path)
        self._packs = packs or Packs(self._folder, oid_length // 2)
        self._trees: dict[bytes, bytes] = {}
        self._remembered = 0
        self.oid_length = oid_length
        """Hexadecimal digits in an object's name: 40, or 64 in a SHA-256 repository."""

    def tree(self, oid: bytes) -> dict[bytes, Entry]:
        """The entries of one tree by name."""
        return {name: _entry(*line) for name, line in map(_split, self._lines(oid, {}))}

    def blob(self, oid: bytes) -> bytes:
        """The content of one blob."""
        return self._read(oid, _BLOB)

    def commit(self, oid: bytes) -> Commit:
        """One commit."""
        raw = self._read(oid, _COMMIT)
        try:
            commit = ShaFile.from_raw_string(_COMMIT, raw, sha=ObjectID(oid))
            if isinstance(commit, Commit) and commit.tree:
                return commit
        except (ObjectFormatException, ValueError) as error:
            raise _damaged(oid, "is no readable commit") from error
        raise _damaged(oid, "is no readable commit")

    def at(self, tree: bytes, path: bytes) -> Entry | None:
        """What stands at `path` below `tree`."""
        entry = None
        for name in path.split(b"/"):
            if entry is not None:
                if not entry.is_tree:
                    return None
                tree = entry.oid
            entry = self.tree(tree).get(name)
            if entry is None:
                return None
        return entry

    def files(self, tree: bytes, below: bytes = b"") -> Iterator[tuple[bytes, Entry]]:
        """Every path of `tree` that is not a folder, in no promised order; each preceded by `below`."""
        for name, entry in self.tree(tree).items():
            if entry.is_tree:
                yield from self.files(entry.oid, below + name + b"/")
            else:
                yield below + name, entry

    def changes(
        self, old: bytes | None, new: bytes | None, known: Mapping[bytes, bytes] | None = None
    ) -> Iterator[Change]:
        """What is different between two trees, in no promised order. Trees that are the same are not read,
        nor are those whose content is in `known`, by their raw names."""
        waiting = [(b"", old, new)]
        while waiting:
            below, old, new = waiting.pop()
            if old == new:
                continue
            before, after = (set(self._lines(each, known or {}) if each else ()) for each in (old, new))
            gone, came = dict(map(_split, before - after)), dict(map(_split, after - before))
            for name in gone.keys() | came.keys():
                was, now = gone.get(name), came.get(name)
                old_tree, new_tree = _tree_of(was), _tree_of(now)
                if old_tree or new_tree:
                    waiting.append((below + name + b"/", old_tree, new_tree))
                old_file = _entry(*was) if was and not old_tree else None
                new_file = _entry(*now) if now and not new_tree else None
                if old_file != new_file:
                    yield Change(below + name, old_file, new_file)

    def _lines(self, oid: bytes, known: Mapping[bytes, bytes]) -> list[bytes]:
        """The entries of one tree as they stand there, for `_split`: two trees mostly have the same ones."""
        raw = known.get(bytes.fromhex(oid.decode("ascii"))) or self._tree(oid)
        lines: list[bytes] = _tree_line(len(oid) // 2).findall(raw)
        if b"".join(lines) != raw:
            raise _damaged(oid, "is no readable tree")
        return lines

    def _tree(self, oid: bytes) -> bytes:
        raw = self._trees.get(oid)
        if raw is None:
            raw = self._read(oid, _TREE)
            self._remember(oid, raw)
        return raw

    def _remember(self, oid: bytes, tree: bytes) -> None:
        """Keep what was read of a tree: whoever looks at what a restore would do, restores next."""
        if self._remembered > _REMEMBERED_BYTES:
            self._trees, self._remembered = {}, 0
        self._trees[oid] = tree
        self._remembered += len(tree)

    def _read(self, oid: bytes, expected: int) -> bytes:
        raw_name = bytes.fromhex(oid.decode("ascii"))
        found = self._packs.read(raw_name) or read_loose(self._folder, raw_name)
        if found is not None and _is_proven(oid, expected, *found):
            return found[1]
        try:
            kind, raw = self._store.get_raw(ObjectID(oid))
        except KeyError as error:
            raise _damaged(oid, "is missing") from error
        except _UNREADABLE as error:
            raise _damaged(oid, "cannot be read") from error
        if not _is_proven(oid, expected, kind, raw):
            raise _damaged(oid, "does not have the content that its name promises")
        return raw


def _is_proven(oid: bytes, expected: int, kind: int, content: bytes) -> bool:
    return kind == expected and object_name(_KINDS[kind], content, len(oid)) == oid


@cache
def _tree_line(width: int) -> re.Pattern[bytes]:
    """One entry of a tree whose objects have names of `width` bytes."""
    return re.compile(rb"(?s)[0-7]+ [^\0]+\0.{%d}" % width)


_Line = tuple[bytes, bytes]
"""Mode and raw name, as they stand in a tree."""


def _split(line: bytes) -> tuple[bytes, _Line]:
    """The name in one entry of a tree, and what stands there."""
    mode, _, rest = line.partition(b" ")
    name, _, oid = rest.partition(b"\0")
    return name, (mode, oid)


def _tree_of(line: _Line | None) -> bytes | None:
    return line[1].hex().encode() if line is not None and _is_tree_mode(line[0]) else None


@cache
def _is_tree_mode(mode: bytes) -> bool:
    return stat.S_ISDIR(int(mode, 8))


def _entry(mode: bytes, oid: bytes) -> Entry:
    return Entry(int(mode, 8), oid.hex().encode())


def object_name(kind: bytes, content: bytes, length: int) -> bytes:
    """The name, `length` hexadecimal digits long, of the object of this kind (`b"blob"`) and content."""
    digest = hashlib.sha1(usedforsecurity=False) if length == 40 else hashlib.sha256()
    digest.update(b"%s %d\0" % (kind, len(content)))
    digest.update(content)
    return digest.hexdigest().encode()


def _damaged(oid: bytes, problem: str) -> CheckpointDamagedError:
    return CheckpointDamagedError(
        f"Object {oid.decode()} {problem}; look with 'git fsck', "
        "or fetch the object from a repository that has it."
    )
