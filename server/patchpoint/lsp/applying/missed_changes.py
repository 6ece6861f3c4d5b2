"""Edits that the client reports as made in buffers that it has yet to show: checked once it shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.read import text_or_none
from patchpoint.lsp.applying.workspace_edit import LATE_CHANGE_SECONDS, BufferChange, applied_splices
from patchpoint.schema.uris import path_of
from patchpoint.text.lines import Span
from patchpoint.text.splice import Splice, apply_splices, minimal_splices

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

NOTE = "The editor reports that it made the edit; the buffer has not been seen yet."


@dataclass(frozen=True, slots=True)
class UnconfirmedChange:
    """A change of a buffer that counts as made until the client shows the buffer, and the edits it is for."""

    buffer: BufferChange
    edits: tuple[int, ...]


async def wait_until_shown(session: Session, change: BufferChange) -> tuple[bool, ...]:
    """Wait until the client has shown a document (changed, saved or closed); return which splices are in it.

    The user may have typed in the meantime; a splice that cannot be identified with certainty is not made.
    """
    document = change.document
    while document.awaited is not None and session.documents.find(document.uri) is document:
        await session.documents.next_change()
    loop = asyncio.get_running_loop()
    deadline = loop.time() + LATE_CHANGE_SECONDS
    while True:
        is_open = session.documents.find(document.uri) is document
        text = document.text if is_open else await _text_left(session, change)
        remaining = surviving_splices(change.table.text, text, change.splices)
        if document.arrived or all(remaining):
            return tuple(True for _ in change.splices)
        # The client may send the rest as separate changes.
        left = deadline - loop.time()
        if left <= 0 or not is_open:
            return remaining
        await asyncio.wait({session.documents.next_change()}, timeout=left)


def surviving_splices(before: str, now: str, splices: Sequence[Splice]) -> tuple[bool, ...]:
    """Return which of `splices` were made between `before` and `now`, which may have other changes, too."""
    made = applied_splices(before, now, splices)
    if made is not None:
        return made
    if_made = minimal_splices(apply_splices(before, splices), now)
    if_not = minimal_splices(before, now)
    return tuple(
        _is_whole(new, if_made) and not _is_whole((splice.start, splice.end), if_not)
        for splice, new in zip(splices, _new_spans(splices), strict=True)
    )


def apart_from_others(before: str, now: str, splices: Sequence[Splice]) -> tuple[str, tuple[Splice, ...]]:
    """Return the text `now` without `splices`, and the splices that make that text `now` again.

    They are splices of `before` that survive in `now`; the other changes since stay.
    """
    others = minimal_splices(apply_splices(before, splices), now)
    back, forth, shift = [], [], 0
    for splice, (first, _) in zip(splices, _new_spans(splices), strict=True):
        old = before[splice.start : splice.end]
        start = first + sum(len(one.text) - (one.end - one.start) for one in others if one.end <= first)
        back.append(Splice(start, start + len(splice.text), old))
        forth.append(Splice(start - shift, start - shift + len(old), splice.text))
        shift += len(splice.text) - len(old)
    return apply_splices(now, back), tuple(forth)


def _new_spans(splices: Sequence[Splice]) -> Iterator[Span]:
    shift = 0
    for splice in splices:
        start = splice.start + shift
        yield start, start + len(splice.text)
        shift += len(splice.text) - (splice.end - splice.start)


def _is_whole(span: Span, splices: Sequence[Splice]) -> bool:
    """Return whether no splice overlaps a span; for an empty span, whether none touches it."""
    start, end = span
    if start == end:
        return not any(splice.start <= start <= splice.end for splice in splices)
    return not any(splice.start < end and start < splice.end for splice in splices)


async def _text_left(session: Session, change: BufferChange) -> str:
    """Return the text of the file of a closed document."""
    path = path_of(change.document.uri)
    text = await session.run(text_or_none, path) if path is not None else None
    return change.table.text if text is None else text
