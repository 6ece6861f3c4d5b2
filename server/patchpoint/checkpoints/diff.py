"""The differences between two trees, file by file, as unified diffs that `git apply` accepts."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import HunkNotFoundError
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Change
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.regex import regex
from patchpoint.text.unified_diff import quoted_path, unified_hunks

if TYPE_CHECKING:
    from patchpoint.git.objects.reader import Entry, ObjectReader


_BINARY_PROBE = 8000
"""Git treats a file as binary when there is a NUL in this many first bytes."""
_HUNK_START = regex(r"^(?=@@)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDifference:
    """One file that differs between two trees."""

    path: str
    """Relative to the working tree's root, with `/`; of a rename, the old one."""
    operation: FileOperation
    new_path: str | None = None
    diff: str
    """A diff as git writes it, with three context lines; for a binary file, one line that says so."""
    binary: bool = False
    encoding: str = "utf-8"
    """The codec by which the lines of `diff` are text."""

    @property
    def patch(self) -> bytes:
        """The diff with the bytes that the files have, for `git apply` or `patch`."""
        header, start, lines = self.diff.partition("\n@@ ")
        return os.fsencode(header + start) + lines.encode(self.encoding, "surrogateescape")

    @property
    def hunks(self) -> tuple[str, ...]:
        """The hunks of the diff, each from its `@@` line to its end."""
        return tuple(_HUNK_START.split(self.diff)[1:]) if not self.binary else ()


def file_differences(objects: ObjectReader, changes: Iterable[Change]) -> Iterator[FileDifference]:
    """Yield the differences of `changes`, sorted by path.

    A deleted and a created file with the same content are one rename. Other repositories inside (gitlinks)
    are shown by their commits, as git does.
    """
    remaining, renames = renames_among(changes)
    for change in sorted([*remaining, *(gone for gone, _ in renames)], key=lambda change: change.path):
        came = next((came for gone, came in renames if gone is change), None)
        yield _difference(objects, change, came)


def revert_hunk(old: bytes, new: bytes, hunk: str) -> bytes:
    """Return `new` with one hunk of its difference from `old` reverted.

    `hunk` is the whole hunk as a `FileDifference` shows it. Raises `HunkNotFoundError` when the difference
    has no such hunk (any more).
    """
    if is_binary(old) or is_binary(new):
        raise HunkNotFoundError("A binary file has no hunks; restore the whole file.")
    encoding = common_encoding(old, new)
    before, after = old.decode(encoding), new.decode(encoding)
    for found in unified_hunks(before, after):
        if found.text == hunk:
            start, end = found.after
            return (after[:start] + before[slice(*found.before)] + after[end:]).encode(encoding)
    raise HunkNotFoundError("The file has changed since the hunk was shown; show the difference again.")


def hunks_of(old: bytes, new: bytes) -> tuple[str, ...]:
    """Return the hunks that a `FileDifference` of these two contents has; none where one is binary.

    Lines end at `\\n` alone, as git has it. Text that is not UTF-8 is shown as Latin-1, so that every byte
    shows and comes back.
    """
    if is_binary(old) or is_binary(new):
        return ()
    encoding = common_encoding(old, new)
    return tuple(hunk.text for hunk in unified_hunks(old.decode(encoding), new.decode(encoding)))


def renames_among(changes: Iterable[Change]) -> tuple[list[Change], list[tuple[Change, Change]]]:
    """Return the changes that are not renames, and pairs of a deletion and the creation it became.

    Such a pair has one content and one type; of several places, one of the same name is preferred.
    """
    remaining: list[Change] = []
    gone: list[Change] = []
    came: dict[bytes, list[Change]] = {}
    for change in changes:
        if change.new is None:
            gone.append(change)
        elif change.old is None:
            came.setdefault(change.new.oid, []).append(change)
        else:
            remaining.append(change)
    pairs = []
    for change in sorted(gone, key=lambda change: change.path):
        assert change.old is not None
        places = came.get(change.old.oid, [])
        same_type = [
            place for place in places if place.new and place.new.mode & 0o170000 == change.old.mode & 0o170000
        ]
        if not same_type:
            remaining.append(change)
            continue
        name = change.path.rpartition(b"/")[2]
        best = min(same_type, key=lambda place: (place.path.rpartition(b"/")[2] != name, place.path))
        places.remove(best)
        pairs.append((change, best))
    remaining += [change for places in came.values() for change in places]
    return remaining, pairs


def is_binary(content: bytes) -> bool:
    """Return whether git would treat `content` as binary."""
    return b"\0" in content[:_BINARY_PROBE]


def common_encoding(*contents: bytes) -> str:
    """Return the codec by which all of `contents` are text, such that every byte comes back."""
    try:
        for content in contents:
            content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _difference(objects: ObjectReader, change: Change, came: Change | None) -> FileDifference:
    path = os.fsdecode(change.path)
    if came is not None:
        new_path = os.fsdecode(came.path)
        header = "".join(
            (
                _title(change.path, came.path),
                _modes(change.old, came.new),
                "similarity index 100%\n",
                f"rename from {_side('', change.path)}\nrename to {_side('', came.path)}\n",
            )
        )
        return FileDifference(path=path, operation=FileOperation.RENAME, new_path=new_path, diff=header)
    operation = (
        FileOperation.CREATE
        if change.old is None
        else FileOperation.DELETE
        if change.new is None
        else FileOperation.UPDATE
    )
    if change.old and change.new and stat.S_IFMT(change.old.mode) != stat.S_IFMT(change.new.mode):
        halves = (Change(change.path, change.old, None), Change(change.path, None, change.new))
        gone, new_type = (_difference(objects, half, None) for half in halves)
        both_binary = gone.binary or new_type.binary
        encoding = min(gone.encoding, new_type.encoding)
        diff = "".join(each.diff.encode(each.encoding).decode(encoding) for each in (gone, new_type))
        return FileDifference(
            path=path, operation=operation, diff=diff, binary=both_binary, encoding=encoding
        )
    old, new = _content(objects, change.old), _content(objects, change.new)
    before = _side("a/", change.path) if change.old else "/dev/null"
    after = _side("b/", change.path) if change.new else "/dev/null"
    header = _title(change.path, change.path) + _modes(change.old, change.new)
    if is_binary(old) or is_binary(new):
        body = f"Binary files {before} and {after} differ\n" if old != new else ""
        return FileDifference(path=path, operation=operation, diff=header + body, binary=True)
    hunks = "".join(hunks_of(old, new))
    names = f"--- {before}\n+++ {after}\n" if hunks else ""
    encoding = common_encoding(old, new)
    return FileDifference(path=path, operation=operation, diff=header + names + hunks, encoding=encoding)


def _content(objects: ObjectReader, entry: Entry | None) -> bytes:
    if entry is None:
        return b""
    if entry.is_gitlink:
        return b"Subproject commit " + entry.oid + b"\n"
    return objects.blob(entry.oid)


def _title(old: bytes, new: bytes) -> str:
    return f"diff --git {_side('a/', old)} {_side('b/', new)}\n"


def _modes(old: Entry | None, new: Entry | None) -> str:
    if old is None:
        return f"new file mode {new.mode:06o}\n" if new else ""
    if new is None:
        return f"deleted file mode {old.mode:06o}\n"
    return f"old mode {old.mode:06o}\nnew mode {new.mode:06o}\n" if old.mode != new.mode else ""


def _side(prefix: str, path: bytes) -> str:
    return quoted_path(prefix + path.decode("utf-8", "surrogateescape"), ascii_only=True)
