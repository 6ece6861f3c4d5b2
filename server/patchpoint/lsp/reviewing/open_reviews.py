"""The reviews that the client is shown: read when they begin, and file by file as their files change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

from patchpoint.dataclass import replace
from patchpoint.filesystem.lock import LockBusyError
from patchpoint.lsp.checkpoints.past_files import past_file_uris
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.pending.diagnostics import Diagnostics
from patchpoint.lsp.reviewing.open_review import OpenReview, ShownChange, diagnostic_of, shown_changes
from patchpoint.lsp.session.session import Session
from patchpoint.progress import Progress
from patchpoint.review.change_set import FileChanges
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Review
from patchpoint.schema.reviews import FirstChange, ReviewResult, below, review_data
from patchpoint.schema.uris import document_key, uri_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import is_shown_as

T = TypeVar("T")

DEBOUNCE_SECONDS = 0.3
"""Seconds without a change of a document before its changes are looked at again."""

MOST_FILES = 1000
"""Files whose changes have diagnostics; those of all others are in the results of commands."""

_OWNER = "review"


class OpenReviews:
    """The reviews that are shown, one for each working tree.

    `lenses_changed` is called when a document that is open has other open changes than before.
    """

    def __init__(
        self, session: Session, diagnostics: Diagnostics, lenses_changed: Callable[[], None]
    ) -> None:
        self._session = session
        self._diagnostics = diagnostics
        self._lenses_changed = lenses_changed
        self._open: dict[Path, OpenReview] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.turn = asyncio.Lock()
        """Held while a review begins, ends or is decided about."""

    def __iter__(self) -> Iterator[OpenReview]:
        return iter(list(self._open.values()))

    async def begin(
        self, opened: OpenReview, paths: Sequence[str], progress: Progress | None = None
    ) -> ReviewResult:
        """Show a review of these files and folders, or of all, instead of any other of its working tree.

        The client is notified of the first change as soon as that is known. Return what it was notified of in
        the end.
        """
        await self.record(opened, lambda review: replace(review, paths=tuple(paths), shown=True))
        first = partial(self._begins, opened)
        read = partial(opened.tree.files, opened.tree.review.paths, progress=progress, first=first)
        files = await self.look(opened, read)
        self._forget(opened.root)
        self._open[opened.root] = opened
        return await self.changed(opened, files)

    async def resume(self, roots: Sequence[Path]) -> None:
        """Show the reviews again that earlier sessions showed in these folders."""
        for root in roots if self._session.client.trusts_workspace else ():
            async with self.turn:
                found = await self._session.run(_recorded, self._session, root, None)
                shown = [opened.tree.review.since for opened in self]
                if found is not None and found.tree.review.since not in shown:
                    await self.begin(found, found.tree.review.paths)

    async def find(self, name: str | None) -> OpenReview:
        """Return the review called `name`, shown or not yet, or without a name the newest that is shown.

        Raises `RequestFailed` when there is none.
        """
        for opened in reversed(self._open.values()):
            if name in (None, opened.tree.review.since):
                return opened
        for root in self._session.roots if name is not None else ():
            found = await self._session.run(_recorded, self._session, root, name)
            if found is not None:
                await self.begin(found, found.tree.review.paths)
                return found
        said = "No review is open" if name is None else f"There is no review {name}"
        raise RequestFailed("no-review", f"{said}; start one with patchpoint.reviewChanges.")

    def about(self, uri: str) -> OpenReview | None:
        """Return the review of the working tree that has a document, or whose deleted file it shows."""
        key = document_key(uri)
        for opened in self._open.values():
            if opened.shown_in(key) != key or opened.path(uri) is not None:
                return opened
        return None

    async def record(self, opened: OpenReview, change: Callable[[Review], Review]) -> None:
        """Change what is kept of a review. Raises `RequestFailed` while it is locked."""
        since = opened.tree.review.since
        try:
            opened.tree.review = await self._session.run(opened.records.update, since, change)
        except LockBusyError as error:
            raise RequestFailed("locked", str(error)) from error

    async def end(self, opened: OpenReview) -> None:
        """Show a review no longer, and forget its decisions."""
        await self._session.run(opened.records.finish, opened.tree.review.since)
        self._ended(opened)

    async def current_changes(self, uri: str) -> list[ShownChange]:
        """Return the changes of an open document as it is now, from top to bottom."""
        document, key = self._session.documents.find(uri), document_key(uri)
        if document is None:
            return []
        for _ in range(2):
            shown = (opened.shown.get(opened.shown_in(key), ()) for opened in self)
            found = list(chain.from_iterable(shown))
            if all(one.file.is_whole or is_shown_as(one.table.text, document.text) for one in found):
                return found
            await self._look_again(uri)
        return []

    def files(self) -> list[str]:
        """Return the URIs of the files of all reviews, and of what is kept about them."""
        found = [uri_of(opened.root / file.path_now) for opened in self for file in opened.files.values()]
        return [*found, *(opened.record for opened in self)]

    def schedule_refresh(self, uri: str) -> None:
        """Look at a changed document again once it has not changed for `DEBOUNCE_SECONDS`.

        A review that is just beginning may have read its files before.
        """
        key = document_key(uri)
        if any(key == document_key(opened.record) for opened in self):
            self._session.start(self.refresh_all(only_decided=True))
            return
        if not self.turn.locked() and all(opened.path(uri) is None for opened in self):
            return
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._timers[key] = asyncio.get_running_loop().call_later(
            DEBOUNCE_SECONDS, lambda: self._session.start(self._look_when_begun(uri))
        )

    async def refresh_all(self, *, only_decided: bool = False) -> None:
        """Look at all files again, and at what others have decided, or with `only_decided` only then."""
        for opened in self:
            async with self.turn:
                if self._open.get(opened.root) is opened:
                    await self.refresh(opened, only_decided=only_decided)

    async def refresh(
        self, opened: OpenReview, progress: Progress | None = None, *, only_decided: bool = False
    ) -> None:
        """Look at all files of a review again, and at what others have decided. `turn` is held."""
        review = await self._session.run(opened.records.read, opened.tree.review.since)
        if review is None:
            self._ended(opened)
        if review is None or (only_decided and review == opened.tree.review):
            return
        opened.tree.review = review
        files = await self.look(opened, partial(opened.tree.files, review.paths, progress=progress))
        opened.files = {}
        await self.changed(opened, files)

    async def look(self, opened: OpenReview, function: Callable[[dict[str, str]], T]) -> T:
        """Call `function` in a thread with the texts of the documents that are open now, by path."""
        root, buffers = opened.root, self._session.documents.buffers()

        def looked() -> T:
            below = ((path, text) for path, text in buffers.file_texts.items() if path.is_relative_to(root))
            return function({path.relative_to(root).as_posix(): text for path, text in below})

        return await self._session.run(looked)

    def republish(self) -> None:
        """Show all changes again, after the settings changed."""
        for opened in self._open.values():
            self._show(opened, list(opened.files))

    async def _look_when_begun(self, uri: str) -> None:
        async with self.turn:
            await self._look_again(uri)

    async def _look_again(self, uri: str) -> None:
        key = document_key(uri)
        self._timers.pop(key, None)
        for opened in self:
            path, file, tree = opened.path(uri), opened.files.get(key), opened.tree
            is_old_name = file is None and any(one.path == path for one in opened.files.values())
            if path is None or is_old_name:
                continue
            # One that was as at the checkpoint joins, if the editor has read since what changed it.
            read = partial(tree.changed_since, path) if file is None else partial(tree.file_now, file)
            try:
                now = await self.look(opened, read)
            except OSError as error:
                self._session.trace_line(f"{path} could not be read again: {error}")
                continue
            is_shown = self._open.get(opened.root) is opened and opened.files.get(key) is file
            if not is_shown or not now or now == (file,):
                continue
            if file is None or len(now) > 1 or now[0].hunks != file.hunks:
                await self.changed(opened, now)
            else:
                # The hunks and the text at the checkpoint are the text now: it is as it was.
                opened.files[key] = now[0]

    def _begins(self, opened: OpenReview, file: FileChanges) -> None:
        """Notify the client of the file that a review begins with, from a thread."""
        data = review_data(opened.tree.review, [file], below(opened.root), self._session.client.unit)
        was = file.old.decoded if file.old is not None else None
        found = FirstChange(review=data, original=was.text if was is not None else None)
        self._session.call_soon(partial(self._session.notify, "patchpoint/didFindFirstChange", found))

    async def changed(self, opened: OpenReview, files: Sequence[FileChanges]) -> ReviewResult:
        """Show these files of a review as they are now, notify the client, and return the notification."""
        opened.files |= {opened.key(file): file for file in files}
        every, review, unit = list(opened.files.values()), opened.tree.review, self._session.client.unit

        def noticed() -> tuple[ReviewResult, list[list[ShownChange]]]:
            data = review_data(review, every, below(opened.root), unit, only=files)
            listed = zip(files, data.files, strict=True)
            return data, [shown_changes(review.since, file, sent) for file, sent in listed]

        data, shown = await self._session.run(noticed)
        await self._show_what_was(opened, files)
        if self._open.get(opened.root) is not opened:
            return data
        before = self._lenses(opened)
        for key in [key for key in opened.shown if key not in opened.files]:
            for change in opened.shown.pop(key):
                self._diagnostics.show(_OWNER, opened.past.get(key, change.uri), [])
        for file, changes in zip(files, shown, strict=True):
            opened.shown[opened.key(file)] = changes
        self._session.notify("patchpoint/didChangeReview", data)
        self._show(opened, [opened.key(file) for file in files])
        if before != self._lenses(opened):
            self._lenses_changed()
        return data

    async def _show_what_was(self, opened: OpenReview, files: Sequence[FileChanges]) -> None:
        """Make documents with what the deleted ones among `files` were; those of others go."""
        gone = {file.path: opened.key(file) for file in files if file.operation is FileOperation.DELETE}
        for file in files:
            if file.path not in gone and opened.key(file) in opened.past:
                self._diagnostics.show(_OWNER, opened.past.pop(opened.key(file)), [])
        new = [path for path, key in gone.items() if key not in opened.past]
        if new:
            since = opened.tree.review.since
            found = await past_file_uris(self._session, opened.tree.store, since, new)
            opened.past |= {gone[path]: uri for path, uri in found.items()}

    def _show(self, opened: OpenReview, keys: Sequence[str]) -> None:
        """Publish the diagnostics of these files."""
        wanted = set(list(opened.files)[:MOST_FILES]) if self._session.settings.review_diagnostics else ()
        for key in keys:
            file = opened.files.get(key)
            if file is None:
                continue
            has_document = file.operation is not FileOperation.DELETE or key in opened.past
            shown = [
                diagnostic_of(self._session, change, opened.name)
                for change in opened.shown.get(key, ())
                if key in wanted and has_document and change.decision is Decision.OPEN
            ]
            self._diagnostics.show(_OWNER, opened.uri(file), shown)

    def _lenses(self, opened: OpenReview) -> object:
        """Return what the lenses of the open documents depend on."""
        return [
            (key, change.line, change.hunk.id)
            for key, changes in opened.shown.items()
            if self._session.documents.at(key) is not None
            for change in changes
            if change.decision is Decision.OPEN
        ]

    def _forget(self, root: Path) -> None:
        opened = self._open.pop(root, None)
        if opened is None:
            return
        for file in opened.files.values():
            self._diagnostics.show(_OWNER, opened.uri(file), [])
        if any(self._session.documents.at(key) is not None for key in opened.shown):
            self._lenses_changed()

    def _ended(self, opened: OpenReview) -> None:
        self._forget(opened.root)
        review, unit = opened.tree.review, self._session.client.unit
        done = review_data(review, (), below(opened.root), unit, finished=True)
        self._session.notify("patchpoint/didChangeReview", done)


def _recorded(session: Session, folder: Path, name: str | None) -> OpenReview | None:
    """Return the review called `name` of a folder's working tree, or the last that an editor showed of it.

    `None` where its checkpoint is not there.
    """
    # Loaded where a review begins.
    from patchpoint.checkpoints import CheckpointError
    from patchpoint.review.records import ReviewRecords
    from patchpoint.review.tree import SinceCheckpoint

    try:
        store = open_store(session, folder)
        records = ReviewRecords(store.root)
        review = records.newest(shown=True) if name is None else records.read(store.show(name).id)
        tree = SinceCheckpoint(store, store.show(review.since), review) if review is not None else None
    except (CheckpointError, OSError):
        return None
    return OpenReview(tree, records) if tree is not None else None
