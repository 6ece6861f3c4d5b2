"""Code actions for checkpoints: take one; restore the workspace, this file, this hunk, or up to a message.

All that takes reading is done in a thread, and nothing of it where the client only asks in passing whether
there is anything to offer at the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.lsp.documents import Document
from patchpoint.lsp.features.code_lens import restore_points
from patchpoint.lsp.features.offers import CHECKPOINT, RESTORE, Offer, is_wanted
from patchpoint.lsp.known_checkpoints import Listing
from patchpoint.lsp.uris import name_of, path_of
from patchpoint.text.lines import Span

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint, CheckpointStore
    from patchpoint.lsp.language_server import PatchpointServer

_NEWEST = 3
"""How many checkpoints are offered to restore the workspace to."""

_LARGEST = 1024 * 1024
"""Bytes of a file above which no hunk is looked for while a menu is waited for."""

_LARGEST_HUNK = 64 * 1024
"""Characters of a hunk above which it is not sent along with its action."""

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


async def checkpoint_offers(
    session: PatchpointServer, document: Document | None, span: Span, context: types.CodeActionContext
) -> list[Offer]:
    """What can be done with checkpoints at a place of a document."""
    in_passing = context.only is None and context.trigger_kind is types.CodeActionTriggerKind.Automatic
    if not session.roots or in_passing or not (is_wanted(CHECKPOINT, context) or is_wanted(RESTORE, context)):
        return []
    offers = [
        Offer(title="Take a checkpoint", kind=CHECKPOINT, command="patchpoint.takeCheckpoint", arguments={})
    ]
    listings = (await session.checkpoints.current()).values()
    path = path_of(document.uri) if document is not None else None
    listing = _listing_for(path, list(listings))
    if listing is not None:
        place = _Place(document, path, span) if document is not None and path is not None else None
        offers += await session.run(_restores, session, listing, place)
    if document is not None:
        offers += await _messages(session, document, span)
    return offers


@dataclass(frozen=True, slots=True)
class _Place:
    document: Document
    path: Path
    span: Span


def _listing_for(path: Path | None, listings: Sequence[Listing]) -> Listing | None:
    """The checkpoints of the folder that a file is in; of a file elsewhere, those of the folder with the
    newest."""
    listings = [listing for listing in listings if listing.checkpoints]
    own = [listing for listing in listings if path is not None and path.is_relative_to(listing.root)]
    if own:
        return max(own, key=lambda listing: len(listing.root.parts))
    return max(listings, key=lambda listing: listing.checkpoints[0].id, default=None)


def _restores(session: PatchpointServer, listing: Listing, place: _Place | None) -> list[Offer]:
    from patchpoint.checkpoints import CheckpointError
    from patchpoint.lsp.checkpoint_stores import open_store

    try:
        store = open_store(session, listing.root)
        parts = list(_parts(store, place)) if place is not None else []
        return parts + [_workspace(store, one) for one in listing.checkpoints[:_NEWEST]]
    except (CheckpointError, OSError) as error:
        session.trace_line(f"The checkpoints could not be looked at: {error}")
        return []


def _workspace(store: CheckpointStore, checkpoint: Checkpoint) -> Offer:
    refusal = store.refusal(checkpoint.id)
    return _restore(
        f"Restore the workspace to {_named(checkpoint)}",
        {"checkpoint": checkpoint.id},
        str(refusal) if refusal is not None else "",
    )


def _parts(store: CheckpointStore, place: _Place) -> Iterator[Offer]:
    """The hunk at the cursor and the file, where the newest checkpoint with another content had them."""
    from patchpoint.files import FileError, read_file
    from patchpoint.text.encoding import UnencodableError

    text = place.document.text
    try:
        disk = read_file(place.path)
        now = disk.encoded(text)
    except (FileError, UnencodableError):
        return
    if not place.path.is_relative_to(store.root):
        return
    path = place.path.relative_to(store.root).as_posix()
    checkpoint = store.newest_other(path, now)
    if checkpoint is None:
        return
    part = {"checkpoint": checkpoint.id, "uris": [place.document.uri]}
    hunk = _hunk_at(store.read(checkpoint.id, path), now, text, place.span)
    if hunk is not None:
        unsaved = f"{place.path.name} has unsaved changes; save it first." if disk.text != text else ""
        first, last = _lines_of(hunk)
        lines = f"lines {first + 1} to {last}" if last > first + 1 else f"line {first + 1}"
        title = f"Restore this hunk ({lines}) to {_named(checkpoint)}"
        yield _restore(title, part | {"hunk": hunk}, unsaved)
    yield _restore(f"Restore {name_of(place.document.uri)} to {_named(checkpoint)}", part)


def _hunk_at(old: bytes, new: bytes, text: str, span: Span) -> str | None:
    """The hunk of a file's difference that a span of its text touches, if it can be told quickly."""
    from patchpoint.checkpoints.difference import hunks_of

    if max(len(old), len(new)) > _LARGEST:
        return None
    first, last = (text.count("\n", 0, offset) for offset in span)
    for hunk in hunks_of(old, new):
        start, end = _lines_of(hunk)
        if start <= last and first < max(end, start + 1):
            return hunk if len(hunk) <= _LARGEST_HUNK else None
    return None


def _lines_of(hunk: str) -> tuple[int, int]:
    """The lines of the new text that a hunk is about, from 0, the end not included."""
    head = _HUNK.match(hunk)
    assert head is not None
    length = int(head[2]) if head[2] is not None else 1
    start = int(head[1]) - (1 if length else 0)
    return start, start + length


async def _messages(session: PatchpointServer, document: Document, span: Span) -> list[Offer]:
    """Going back to the chat message at the cursor, where a checkpoint precedes it."""
    messages = await restore_points(session, document.uri, document.text)
    return [
        _restore("Restore to here", {"session": document.uri, "message": message.name})
        for message in messages
        if message.span[0] <= span[1] and span[0] < message.span[1]
    ]


def _restore(title: str, arguments: dict[str, Any], not_now: str = "") -> Offer:
    command = "patchpoint.restoreCheckpoint"
    return Offer(title=title, kind=RESTORE, command=command, arguments=arguments, not_now=not_now)


def _named(checkpoint: Checkpoint) -> str:
    """A checkpoint for people: its label, if it has one, and how long ago it was taken."""
    then = datetime.fromisoformat(checkpoint.created_at.replace("Z", "+00:00"))
    age = _age((datetime.now(timezone.utc) - then).total_seconds())
    label = " ".join(checkpoint.label.split())
    return f"“{label}” ({age})" if label else f"the checkpoint of {age}"


def _age(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago"
