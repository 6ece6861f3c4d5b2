"""Code actions for checkpoints: take one; restore the workspace, a file, a hunk, or up to a chat message.

Files are read in a thread, and only when a person opened the menu.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.dataclass import dataclass, replace
from patchpoint.lsp.checkpoints.listing import FolderCheckpoints, list_folder
from patchpoint.lsp.commands import RESTORE_CHECKPOINT, TAKE_CHECKPOINT, UNDO_RESTORE
from patchpoint.lsp.features.code_lens import restore_points
from patchpoint.lsp.features.offers import CHECKPOINT, RESTORE, Offer, is_wanted
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.results import UNDO_TITLE
from patchpoint.paths.repositories import working_tree_inside
from patchpoint.schema.uris import name_of, path_of
from patchpoint.text.line_endings import is_shown_as
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex
from patchpoint.wording import ago

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint, CheckpointStore
    from patchpoint.lsp.language_server import PatchpointServer

_NEWEST_OFFERED = 3
"""Number of checkpoints offered to restore the workspace to."""

_MAX_FILE_BYTES = 1024 * 1024
"""Size above which a file is not searched for a hunk, since somebody waits for the menu."""

_MAX_HUNK_CHARS = 64 * 1024
"""Length above which a hunk is not sent as an argument of its action."""

_HUNK = regex(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


async def checkpoint_offers(
    session: PatchpointServer, document: Document | None, span: Span, context: types.CodeActionContext
) -> list[Offer]:
    """Return offers to take a checkpoint and to restore one, at `span` of a document if there is one."""
    if not session.roots or not (is_wanted(CHECKPOINT, context) or is_wanted(RESTORE, context)):
        return []
    offers = [Offer(title="Take a checkpoint", kind=CHECKPOINT, command=TAKE_CHECKPOINT, arguments={})]
    listings = (await session.checkpoints.current()).values()
    path = path_of(document.uri) if document is not None else None
    inside = await session.run(_listing_inside, session, path) if path is not None else None
    listing = inside or _listing_for(path, list(listings))
    if listing is not None:
        place = _Place(document, path, span) if document is not None and path is not None else None
        restores = await session.run(_restores, session, listing, place, what=_what(inside))
        root = {"root": str(inside.root)} if inside is not None else {}
        offers += [replace(offer, arguments=offer.arguments | root) for offer in restores]
    if session.before_restore:
        root = {"root": str(next(reversed(session.before_restore)))}
        offers.append(Offer(title=UNDO_TITLE, kind=RESTORE, command=UNDO_RESTORE, arguments=root))
    if document is not None:
        offers += await _messages(session, document, span)
    return offers


@dataclass(frozen=True, slots=True)
class _Place:
    document: Document
    path: Path
    span: Span


def _listing_for(path: Path | None, listings: Sequence[FolderCheckpoints]) -> FolderCheckpoints | None:
    """Return the listing of the innermost folder that has the file, or else of the folder with the newest."""
    listings = [listing for listing in listings if listing.checkpoints]
    own = [listing for listing in listings if path is not None and path.is_relative_to(listing.root)]
    if own:
        return max(own, key=lambda listing: len(listing.root.parts))
    return max(listings, key=lambda listing: listing.checkpoints[0].id, default=None)


def _listing_inside(session: PatchpointServer, path: Path) -> FolderCheckpoints | None:
    """Return the listing of the repository inside a workspace folder that the file is in, if it has any."""
    roots = [root for root in session.roots if path.is_relative_to(root)]
    inside = {working_tree_inside(root, path) for root in roots} - {None, *roots}
    folder = max(filter(None, inside), key=lambda one: len(one.parts), default=None)
    listing = list_folder(session, folder) if folder is not None else None
    return listing if listing is not None and listing.root == folder and listing.checkpoints else None


def _what(inside: FolderCheckpoints | None) -> str:
    """Return what an offer calls the working tree that a checkpoint is of."""
    return f"the repository {inside.root.name}" if inside is not None else "the workspace"


def _restores(
    session: PatchpointServer, listing: FolderCheckpoints, place: _Place | None, what: str
) -> list[Offer]:
    from patchpoint.checkpoints import CheckpointError
    from patchpoint.lsp.checkpoints.stores import open_store

    try:
        store = open_store(session, listing.root)
        parts = list(_parts(store, place)) if place is not None else []
        offered = islice(_distinct(listing.checkpoints), _NEWEST_OFFERED)
        return parts + [_working_tree(store, one, what) for one in offered]
    except (CheckpointError, OSError) as error:
        session.trace_line(f"The checkpoints could not be read: {error}")
        return []


def _distinct(checkpoints: Sequence[Checkpoint]) -> Iterator[Checkpoint]:
    """Yield the checkpoints, and of a repository's own and the companion of another's, taken with it, one."""
    newer: Checkpoint | None = None
    for one in checkpoints:
        if newer is None or not newer.unchanged or newer.label != one.label:
            yield one
        newer = one


def _working_tree(store: CheckpointStore, checkpoint: Checkpoint, what: str) -> Offer:
    refusal = store.refusal(checkpoint.id)
    return _restore(
        f"Restore {what} to {_named(checkpoint)}",
        {"checkpoint": checkpoint.id},
        str(refusal) if refusal is not None else "",
    )


def _parts(store: CheckpointStore, place: _Place) -> Iterator[Offer]:
    """Yield offers to restore the hunk at the cursor and the file from the newest checkpoint that differs."""
    from patchpoint.filesystem.errors import FileError
    from patchpoint.filesystem.read import read_file
    from patchpoint.text.encoding import UnencodableError

    text = place.document.text
    try:
        disk = read_file(place.path)
        is_saved = is_shown_as(disk.text, text)
        now = disk.encoded(disk.text if is_saved else text)
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
        unsaved = "" if is_saved else f"{place.path.name} has unsaved changes; save it first."
        first, last = _lines_of(hunk)
        lines = f"lines {first + 1} to {last}" if last > first + 1 else f"line {first + 1}"
        title = f"Restore this hunk ({lines}) to {_named(checkpoint)}"
        yield _restore(title, part | {"hunk": hunk}, unsaved)
    yield _restore(f"Restore {name_of(place.document.uri)} to {_named(checkpoint)}", part)


def _hunk_at(old: bytes, new: bytes, text: str, span: Span) -> str | None:
    """Return the hunk from `old` to `new` that touches `span` of `text`, unless it or a file is too large."""
    from patchpoint.checkpoints.diff import hunks_of

    if max(len(old), len(new)) > _MAX_FILE_BYTES:
        return None
    first, last = (text.count("\n", 0, offset) for offset in span)
    for hunk in hunks_of(old, new):
        start, end = _lines_of(hunk)
        if start <= last and first < max(end, start + 1):
            return hunk if len(hunk) <= _MAX_HUNK_CHARS else None
    return None


def _lines_of(hunk: str) -> tuple[int, int]:
    """Return the lines of the new text that a hunk covers, counted from 0, as start and exclusive end."""
    head = _HUNK.match(hunk)
    assert head is not None
    length = int(head[2]) if head[2] is not None else 1
    start = int(head[1]) - (1 if length else 0)
    return start, start + length


async def _messages(session: PatchpointServer, document: Document, span: Span) -> list[Offer]:
    """Return offers to restore up to the chat messages at `span` that have a checkpoint before them."""
    messages = await restore_points(session, document.uri, document.text)
    return [
        _restore("Restore to here", {"session": document.uri, "message": message.name})
        for message in messages
        if message.span[0] <= span[1] and span[0] < message.span[1]
    ]


def _restore(title: str, arguments: dict[str, Any], disabled: str = "") -> Offer:
    return Offer(
        title=title, kind=RESTORE, command=RESTORE_CHECKPOINT, arguments=arguments, disabled=disabled
    )


def _named(checkpoint: Checkpoint) -> str:
    """Return a checkpoint's label, if it has one, and its age, for a title."""
    age = ago(checkpoint.created_at, datetime.now(timezone.utc), "less than a minute ago")
    label = " ".join(checkpoint.label.split())
    return f"“{label}” ({age})" if label else f"the checkpoint of {age}"
