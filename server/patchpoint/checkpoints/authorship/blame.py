"""Who wrote a line: the change that brought it, followed back through all that changed the file since."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from patchpoint.checkpoints.authorship.claims import Authorship, By, Claim, authorship
from patchpoint.checkpoints.diff import is_binary
from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.turns import Turn, turns_of
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Entry
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAuthor:
    """Who wrote one line of a file."""

    line: int
    """Its number, from 0."""
    text: str
    """The line, without its end."""
    by: By | None
    """`None` for a line that is older than all checkpoints."""
    session: str | None = None
    turn: Turn | None = None
    """The turn of the session."""
    contenders: tuple[str, ...] = ()
    """The sessions that may have written it, where it is one of several's."""
    is_open: bool = False
    """Whether the session may have been done before."""
    is_stated: bool = False
    """Whether an edit of the session said that it writes it."""
    after: str | None = None
    """Id of the newest checkpoint without the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAuthors:
    """Who wrote the lines of a file."""

    path: bytes
    content: bytes
    lines: tuple[LineAuthor, ...]
    is_committed: bool
    """Whether the commit that is checked out has the file like this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeAuthors:
    """Who wrote the lines of the files in which an edit of a session wrote some."""

    commit: str | None
    """The commit that is checked out."""
    files: tuple[FileAuthors, ...]


def line_authors(
    root: Path, path: bytes, first: int, end: int, options: StoreOptions, progress: Progress
) -> tuple[LineAuthor, ...]:
    """Return who wrote the lines of a file, relative to the root of its working tree, from `first` to before
    `end`, counted from 0; there may be fewer.

    Raises `FileNotFoundError` for a file that no checkpoint would hold, and what taking a snapshot raises.
    """
    with _found(root, options, progress) as (records, now, found):
        present = records.objects.at(now, path)
        if present is None or present.is_tree or present.is_gitlink:
            raise FileNotFoundError(path)
        own = [claim for claim in found.claims if claim.path == path]
        return _authors(found, own, present, first, end)


def tree_authors(root: Path, options: StoreOptions, progress: Progress) -> TreeAuthors:
    """Return who wrote the lines of the files of a working tree in which an edit of a session wrote some.

    Raises what taking a snapshot raises.
    """
    with _found(root, options, progress) as (records, now, found):
        head = records.repository.head().commit
        tree = None if head is None else records.objects.commit(ObjectID(head.encode())).tree
        by_path: dict[bytes, list[Claim]] = {}
        for claim in found.claims:
            by_path.setdefault(claim.path, []).append(claim)
        files = []
        for path, own in sorted(by_path.items()):
            present = records.objects.at(now, path)
            if present is None or not stat.S_ISREG(present.mode) or not any(one.is_stated for one in own):
                continue
            content = found.contents.of(present)
            if is_binary(content):
                continue
            lines = _authors(found, own, present, 0, len(content))
            if any(line.is_stated for line in lines):
                committed = None if tree is None else records.objects.at(tree, path)
                is_committed = committed is not None and committed.oid == present.oid
                files.append(FileAuthors(path=path, content=content, lines=lines, is_committed=is_committed))
    return TreeAuthors(commit=head, files=tuple(files))


@contextmanager
def _found(
    root: Path, options: StoreOptions, progress: Progress
) -> Iterator[tuple[Records, ObjectID, Authorship]]:
    repository = Repository.open(root)
    try:
        records = Records(repository, None)
        with repository_lock(repository, progress):
            now = ObjectID(records.snapshot(options.snapshot, progress).tree.encode())
            yield records, now, authorship(records, now)
    finally:
        repository.close()


def _authors(
    found: Authorship, own: list[Claim], present: Entry, first: int, end: int
) -> tuple[LineAuthor, ...]:
    turns = turns_of(interval.start for interval in found.intervals)
    written = _written(found, own, present, first, end)
    return tuple(_author(number, text, claim, turns) for number, (text, claim) in written.items())


def _written(
    found: Authorship, own: list[Claim], present: Entry, first: int, end: int
) -> dict[int, tuple[str, Claim | None]]:
    """Return the lines of a file by their numbers, each with the change that brought it, of `own`."""
    lines = _lines(found, present)
    places = {number: number for number in range(first, min(end, len(lines)))}
    written: dict[int, tuple[str, Claim | None]] = {}
    for number in places:
        written[number] = lines[number].rstrip("\r\n"), None
    for claim in reversed(own):
        if claim.new is None or not places:
            continue
        try:
            old = [] if claim.old is None else _lines(found, claim.old)
            ranges = changed_ranges(old, _lines(found, claim.new))
        except CheckpointDamagedError:
            ranges = None
        for number, place in list(places.items()):
            before = None if ranges is None else _before(place, ranges)
            if before is None:
                written[number] = (written[number][0], claim)
                del places[number]
            else:
                places[number] = before
    return written


def _before(place: int, ranges: Sequence[tuple[Span, Span]]) -> int | None:
    """Return where a line was before a difference; `None` for one that it brought."""
    shift = 0
    for (_, old_end), (new_start, new_end) in ranges:
        if place < new_start:
            break
        if place < new_end:
            return None
        shift = old_end - new_end
    return place + shift


def _lines(found: Authorship, entry: Entry) -> list[str]:
    return split_at_line_feeds(found.contents.of(entry).decode("utf-8", "surrogateescape"))


def _author(number: int, text: str, claim: Claim | None, turns: Mapping[str, Turn]) -> LineAuthor:
    if claim is None:
        return LineAuthor(line=number, text=text, by=None)
    return LineAuthor(
        line=number,
        text=text,
        by=claim.by,
        session=claim.session,
        turn=None if claim.since is None else turns.get(claim.since.id),
        contenders=tuple(sorted(claim.contenders)),
        is_open=claim.is_open,
        is_stated=claim.is_stated,
        after=claim.interval.start.id,
    )
