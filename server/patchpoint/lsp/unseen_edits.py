"""Edits that the client says it made in buffers that it has not shown since: looked at again when it does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.files import FileError, read_file
from patchpoint.lsp.editor_edits import SETTLING, BufferChange, made_splices
from patchpoint.lsp.uris import path_of
from patchpoint.text.diff import minimal_replacements
from patchpoint.text.lines import Span
from patchpoint.text.splices import Splice, apply_splices

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

NOTE = "The editor says that it made it; its buffer has not been seen yet."


@dataclass(frozen=True, slots=True)
class UnseenChange:
    """A change of a buffer that counts as made until the buffer is seen, and the edits that it is for."""

    buffer: BufferChange
    edits: tuple[int, ...]


async def when_seen(session: Session, change: BufferChange) -> tuple[bool, ...]:
    """Which splices of a change stand in its document once the client has shown it: changed, saved or closed.

    What its user typed in the meantime is allowed for; where that leaves doubt, a splice counts as not made.
    """
    document = change.document
    while document.awaited is not None and session.documents.find(document.uri) is document:
        await session.documents.next_change()
    loop = asyncio.get_running_loop()
    deadline = loop.time() + SETTLING
    while True:
        is_open = session.documents.find(document.uri) is document
        text = document.text if is_open else await _text_left(session, change)
        standing = standing_splices(change.table.text, text, change.splices)
        if document.arrived or all(standing):
            return tuple(True for _ in change.splices)
        # The rest may come as changes of their own.
        left = deadline - loop.time()
        if left <= 0 or not is_open:
            return standing
        await asyncio.wait({session.documents.next_change()}, timeout=left)


def standing_splices(before: str, now: str, splices: Sequence[Splice]) -> tuple[bool, ...]:
    """Which of `splices` were made on the way from `before` to `now`, whatever else was typed there."""
    made = made_splices(before, now, splices)
    if made is not None:
        return made
    if_made = minimal_replacements(apply_splices(before, splices), now)
    if_not = minimal_replacements(before, now)
    return tuple(
        _is_whole(new, if_made) and not _is_whole((splice.start, splice.end), if_not)
        for splice, new in zip(splices, _new_spans(splices), strict=True)
    )


def _new_spans(splices: Sequence[Splice]) -> Iterator[Span]:
    shift = 0
    for splice in splices:
        start = splice.start + shift
        yield start, start + len(splice.text)
        shift += len(splice.text) - (splice.end - splice.start)


def _is_whole(span: Span, replacements: Sequence[tuple[Span, str]]) -> bool:
    """Whether no replacement changes anything in a span; in an empty one, at its place."""
    start, end = span
    if start == end:
        return not any(first <= start <= last for (first, last), _ in replacements)
    return not any(first < end and start < last for (first, last), _ in replacements)


async def _text_left(session: Session, change: BufferChange) -> str:
    """What is left of a document that was closed: its file."""
    path = path_of(change.document.uri)
    text = await session.run(_read, path) if path is not None else None
    return change.table.text if text is None else text


def _read(path: Path) -> str | None:
    try:
        return read_file(path).text
    except FileError:
        return None
