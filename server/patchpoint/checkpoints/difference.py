"""What is different between two states of a tree, file by file, as unified diffs that `git apply` takes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from patchpoint.checkpoints.errors import HunkNotFoundError
from patchpoint.checkpoints.proven import Change, Entry, ProvenObjects
from patchpoint.text.matching import matching_blocks

CONTEXT = 3
_BINARY_PROBE = 8000
"""Git takes a file for binary when there is a NUL in so many first bytes."""
_NO_NEWLINE = "\\ No newline at end of file\n"

_Region = tuple[int, int, int, int]
"""Lines `[0]:[1]` of the old became lines `[2]:[3]` of the new."""


class FileOperation(str, Enum):
    """What happened to a file from the old state to the new; the values are the protocol's."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RENAME = "rename"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDifference:
    """One file that is not the same in both states."""

    path: str
    """Relative to the working tree's root, with `/`; of a rename, the old one."""
    operation: FileOperation
    new_path: str | None = None
    diff: str
    """As git writes it, with three lines of context; of a binary file, one line that says so."""
    binary: bool = False

    @property
    def hunks(self) -> tuple[str, ...]:
        """The hunks of the diff, each from its `@@` line to its end."""
        return _hunks(self.diff) if not self.binary else ()


def file_differences(objects: ProvenObjects, changes: Iterable[Change]) -> Iterator[FileDifference]:
    """The differences of `changes`, sorted by path. A file that went and one that came with the same content
    are one rename. Other repositories inside (gitlinks) are shown by their commits, as git does."""
    remaining, renames = _renames(changes)
    for change in sorted([*remaining, *(gone for gone, _ in renames)], key=lambda change: change.path):
        came = next((came for gone, came in renames if gone is change), None)
        yield _difference(objects, change, came)


def with_hunk_taken_back(old: bytes, new: bytes, hunk: str) -> bytes:
    """`new` with one hunk of its difference from `old` taken back.

    `hunk` is the whole hunk as a `FileDifference` shows it. Raises `HunkNotFoundError` when the difference
    has no such hunk (any more).
    """
    if is_binary(old) or is_binary(new):
        raise HunkNotFoundError("A binary file has no hunks; restore the whole file.")
    decode = _encoding(old, new)
    old_lines, new_lines = _lines(old.decode(decode)), _lines(new.decode(decode))
    for group in _groups(_regions(old_lines, new_lines)):
        if "".join(_hunk(old_lines, new_lines, group)) == hunk:
            first, last = group[0], group[-1]
            merged = new_lines[: first[2]] + old_lines[first[0] : last[1]] + new_lines[last[3] :]
            return "".join(merged).encode(decode)
    raise HunkNotFoundError("The file has changed since the hunk was shown; look at the difference again.")


def hunks_of(old: bytes, new: bytes) -> tuple[str, ...]:
    """The hunks that a `FileDifference` of these two contents has; none where one is binary."""
    return () if is_binary(old) or is_binary(new) else _hunks(unified_diff(old, new))


def unified_diff(old: bytes, new: bytes) -> str:
    """The hunks (without a header) that make `new` of `old`; lines end at `\\n` alone, as git has it.

    Text that is not UTF-8 is shown as Latin-1, so that every byte shows and comes back.
    """
    decode = _encoding(old, new)
    old_lines, new_lines = _lines(old.decode(decode)), _lines(new.decode(decode))
    groups = _groups(_regions(old_lines, new_lines))
    return "".join(line for group in groups for line in _hunk(old_lines, new_lines, group))


def is_binary(content: bytes) -> bool:
    """Whether git would take `content` for binary."""
    return b"\0" in content[:_BINARY_PROBE]


def _hunks(diff: str) -> tuple[str, ...]:
    found: list[list[str]] = []
    for line in _lines(diff):
        if line.startswith("@@"):
            found.append([line])
        elif found:
            found[-1].append(line)
    return tuple("".join(lines) for lines in found)


def _difference(objects: ProvenObjects, change: Change, came: Change | None) -> FileDifference:
    path = os.fsdecode(change.path)
    if came is not None:
        new_path = os.fsdecode(came.path)
        header = "".join(
            (
                _title(change.path, came.path),
                _modes(change.old, came.new),
                "similarity index 100%\n",
                f"rename from {_quoted(path)}\nrename to {_quoted(new_path)}\n",
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
        return FileDifference(
            path=path, operation=operation, diff=gone.diff + new_type.diff, binary=both_binary
        )
    old, new = _content(objects, change.old), _content(objects, change.new)
    before = _side("a/", change.path) if change.old else "/dev/null"
    after = _side("b/", change.path) if change.new else "/dev/null"
    header = _title(change.path, change.path) + _modes(change.old, change.new)
    if is_binary(old) or is_binary(new):
        body = f"Binary files {before} and {after} differ\n" if old != new else ""
        return FileDifference(path=path, operation=operation, diff=header + body, binary=True)
    hunks = unified_diff(old, new)
    names = f"--- {before}\n+++ {after}\n" if hunks else ""
    return FileDifference(path=path, operation=operation, diff=header + names + hunks)


def _content(objects: ProvenObjects, entry: Entry | None) -> bytes:
    if entry is None:
        return b""
    if entry.is_gitlink:
        return b"Subproject commit " + entry.oid + b"\n"
    return objects.blob(entry.oid)


def _renames(changes: Iterable[Change]) -> tuple[list[Change], list[tuple[Change, Change]]]:
    """The changes that are no rename, and pairs of a deletion and the creation it turned into."""
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


def _title(old: bytes, new: bytes) -> str:
    return f"diff --git {_side('a/', old)} {_side('b/', new)}\n"


def _modes(old: Entry | None, new: Entry | None) -> str:
    if old is None:
        return f"new file mode {new.mode:06o}\n" if new else ""
    if new is None:
        return f"deleted file mode {old.mode:06o}\n"
    return f"old mode {old.mode:06o}\nnew mode {new.mode:06o}\n" if old.mode != new.mode else ""


def _side(prefix: str, path: bytes) -> str:
    return _quoted(prefix + os.fsdecode(path))


def _quoted(path: str) -> str:
    """The path as git writes it in a header: in quotes with octal escapes when it holds anything odd."""
    raw = os.fsencode(path)
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in raw):
        return path
    named = {
        0x07: "a",
        0x08: "b",
        0x09: "t",
        0x0A: "n",
        0x0B: "v",
        0x0C: "f",
        0x0D: "r",
        0x22: '"',
        0x5C: "\\",
    }
    return (
        '"'
        + "".join(
            "\\" + named[byte] if byte in named else chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
            for byte in raw
        )
        + '"'
    )


def _encoding(old: bytes, new: bytes) -> str:
    try:
        old.decode("utf-8")
        new.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _regions(old: list[str], new: list[str]) -> list[_Region]:
    """The changed regions in order."""
    regions = []
    old_at = new_at = 0
    for old_start, new_start, length in [*matching_blocks(old, new), (len(old), len(new), 0)]:
        if (old_at, new_at) != (old_start, new_start):
            regions.append((old_at, old_start, new_at, new_start))
        old_at, new_at = old_start + length, new_start + length
    return regions


def _groups(regions: list[_Region]) -> Iterator[list[_Region]]:
    """Regions that share a hunk because their contexts meet."""
    group: list[_Region] = []
    for region in regions:
        if group and region[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(region)
    if group:
        yield group


def _hunk(old: list[str], new: list[str], group: list[_Region]) -> Iterator[str]:
    old_start = max(group[0][0] - CONTEXT, 0)
    new_start = max(group[0][2] - CONTEXT, 0)
    old_end = min(group[-1][1] + CONTEXT, len(old))
    new_end = min(group[-1][3] + CONTEXT, len(new))
    yield f"@@ -{_extent(old_start, old_end)} +{_extent(new_start, new_end)} @@\n"
    at = old_start
    for region in group:
        yield from (_line(" ", line) for line in old[at : region[0]])
        yield from (_line("-", line) for line in old[region[0] : region[1]])
        yield from (_line("+", line) for line in new[region[2] : region[3]])
        at = region[1]
    yield from (_line(" ", line) for line in old[at:old_end])


def _extent(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_NEWLINE}"
