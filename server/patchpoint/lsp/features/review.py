"""Reviews: the commands, and the code actions and lenses on the changes of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.checkpoints import CheckpointKind
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.commands import (
    FINISH_REVIEW,
    NEXT_CHANGE,
    REVIEW_CHANGES,
    REVIEW_HUNK,
    SHOW_CHANGE,
    handles,
)
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.offers import QUICK_FIX, REVIEW, Offer, lens_at
from patchpoint.lsp.features.previewing.preview import decide, finish, reviewed
from patchpoint.lsp.reviewing.open_review import OpenReview, ShownChange
from patchpoint.lsp.reviewing.taking_back import take_back
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import range_of
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import summary_of
from patchpoint.schema import requests, reviews
from patchpoint.schema.edits import range_data
from patchpoint.schema.reviews import below, file_data
from patchpoint.schema.uris import document_key, name_of, named, path_of, uri_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import Span
from patchpoint.text.shown import visible

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work
    from patchpoint.review.change_set import FileChanges


@handles(REVIEW_CHANGES)
async def review_changes(
    session: PatchpointServer, params: requests.ReviewChanges, work: Work
) -> reviews.ReviewResult:
    """Show what changed since a checkpoint, and return it; a review that is not finished goes on."""
    preview = session.previews.find(params.review)
    if preview is not None:
        return await reviewed(session, preview)
    folder = _folder(session, params.uris)
    opened = await session.run(_opened, session, folder, params.since or params.review, params.session)
    async with session.reviews.turn:
        return await session.reviews.begin(opened, opened.paths(params.uris), work)


@handles(REVIEW_HUNK)
async def review_hunk(
    session: PatchpointServer, params: requests.ReviewHunk, work: Work
) -> reviews.ReviewedFileData:
    """Decide about one change, or all changes of a file, and return the file as it is then."""
    preview = session.previews.find(params.review)
    if preview is not None:
        return await decide(session, preview, params, work)
    async with session.reviews.turn:
        opened = await session.reviews.find(params.review)
        file, ids = await _meant(session, opened, params)
        is_taken_back = params.decision is Decision.TAKE_BACK
        texts = await take_back(session, opened, file, ids, work) if is_taken_back else {}
        await session.reviews.record(
            opened, lambda review: review.deciding(params.decision, file, ids, params.reason)
        )
        now: tuple[FileChanges, ...] = (file,)
        if is_taken_back:
            now = await session.reviews.look(
                opened, lambda others: opened.tree.file_now(file, {**others, **texts})
            )
        await session.reviews.changed(opened, now)
    if is_taken_back:
        session.edits_changed()
    return file_data(opened.tree.review, now[0], below(opened.root), session.client.unit)


@handles(FINISH_REVIEW)
async def finish_review(
    session: PatchpointServer, params: requests.FinishReview, work: Work
) -> reviews.FinishedReviewResult:
    """End a review, or apply a preview, and return the summary of what was decided."""
    preview = session.previews.find(params.review)
    if preview is not None:
        return await finish(session, preview, params, work)
    async with session.reviews.turn:
        opened = await session.reviews.find(params.review)
        await session.reviews.refresh(opened, work)
        files = list(opened.files.values())
        tally = opened.tree.review.tally(files)
        unsaved = await session.reviews.look(opened, partial(opened.tree.unsaved, files))
        if not params.dry_run:
            await session.reviews.end(opened)
    summary = summary_of(opened.tree.review, files, unsaved)
    if params.show:
        # After the line about the result, which is else all that a client shows that cannot open it.
        session.start(session.shown.show("review.txt", summary))
    return reviews.FinishedReviewResult(
        kept=tally.kept,
        taken_back=tally.taken_back,
        open=tally.open,
        summary=summary,
        unsaved=tuple(uri_of(opened.root / file.path_now) for file in unsaved),
    )


@handles(SHOW_CHANGE)
async def show_change(
    session: PatchpointServer, params: requests.ShowChange, work: Work
) -> reviews.ShownDifferenceResult:
    """Show what a change has changed, as a difference in a document of its own."""
    work.check()
    opened = await session.reviews.find(params.review)
    every = (change for changes in opened.shown.values() for change in changes)
    change = next((one for one in every if one.hunk.id == params.hunk), None)
    if change is None:
        raise _not_there(f"change {params.hunk}")
    file = change.file
    diff = await session.run(file.diff, change.hunk)
    uri = None
    if params.show:
        place = f"{file.path_now}, line {change.line + 1}" if not file.is_whole else file.path_now
        title = f"{place} {change.where}".rstrip()
        uri = await session.shown.show("change.diff", f"# {title}, since {opened.name}\n{visible(diff)}")
    return reviews.ShownDifferenceResult(uri=uri, diff=diff)


@handles(NEXT_CHANGE)
async def next_change(
    session: PatchpointServer, params: requests.NextChange, work: Work
) -> reviews.NextChangeResult:
    """Show the next undecided change, after a place and from the beginning again."""
    work.check()
    own = document_key(params.uri) if params.uri is not None else ""
    key = next((found for one in session.reviews if (found := one.shown_in(own)) != own), own)
    line = 0 if key != own else params.line if params.line is not None else -1
    files = [
        (opened, file)
        for opened in session.reviews
        if params.review in (None, opened.tree.review.since)
        for file in opened.files
    ]
    here = next((at for at, (_, file) in enumerate(files) if file == key), -1), line
    waiting = [
        ((at, change.line), opened, change)
        for at, (opened, file) in enumerate(files)
        for change in opened.shown.get(file, ())
        if change.decision is Decision.OPEN
    ]
    if not waiting:
        return reviews.NextChangeResult(uri=None, hunk=None, range=None)
    after = [one for one in waiting if one[0] > here]
    _, opened, change = (after or waiting)[0]
    if params.show:
        await _show(session, opened, change)
    span = range_data(change.table, change.span, session.client.unit)
    is_gone = change.file.operation is FileOperation.DELETE
    return reviews.NextChangeResult(uri=change.uri, hunk=change.hunk.id, range=None if is_gone else span)


async def _show(session: PatchpointServer, opened: OpenReview, change: ShownChange) -> None:
    """Show a change in its document; of a deleted file, a document with what it was."""
    uri = opened.past.get(document_key(change.uri), change.uri)
    if session.client.show_document:
        start = change.span[0]
        params = types.ShowDocumentParams(
            uri=uri,
            take_focus=True,
            selection=range_of(change.table, (start, start), session.client.unit),
        )
        await session.window_show_document_async(params)
    else:
        session.show_message(f"The next change is at {named(uri)}, line {change.line + 1}.")


async def review_offers(
    session: PatchpointServer, document: Document, span: Span, *, is_menu: bool
) -> list[Offer]:
    """Return offers to decide about the changes at `span` of a document, and about all of its changes.

    Where there is no review yet and a person opened the menu, one is offered.
    """
    changes = await session.reviews.current_changes(document.uri)
    first, last = map(document.table.line_of, span)
    touched = [one for one in changes if one.line <= last and first <= one.table.line_of(one.span[1])]
    offers = [offer for change in touched for offer in _about(change)]
    waiting = [change for change in changes if change.decision is Decision.OPEN]
    if touched and len(waiting) > 1:
        name = name_of(document.uri)
        for title, decision in (
            (f"Keep all changes of {name}", Decision.KEEP),
            (f"Revert all changes of {name}", Decision.TAKE_BACK),
        ):
            arguments = {"review": touched[0].review, "uri": document.uri, "decision": decision.value}
            offers.append(Offer(title=title, kind=QUICK_FIX, command=REVIEW_HUNK, arguments=arguments))
    opened = session.reviews.about(document.uri)
    if opened is not None:
        review, kind = opened.tree.review.since, QUICK_FIX if touched else REVIEW
        place = {"review": review, "uri": document.uri, "line": touched[-1].line if touched else first}
        offers.append(Offer(title="Next change", kind=kind, command=NEXT_CHANGE, arguments=place))
        finish = {"review": review, "show": True}
        offers.append(Offer(title="Finish the review", kind=REVIEW, command=FINISH_REVIEW, arguments=finish))
    elif is_menu:
        offers += await _to_begin(session, document)
    return offers


async def _to_begin(session: PatchpointServer, document: Document) -> list[Offer]:
    """Return an offer to review what was written since the newest prompt of an agent, if there is one."""
    path = path_of(document.uri)
    if path is None or len(session.roots) != 1:
        return []
    for listing in (await session.checkpoints.current()).values():
        newest = next((one for one in listing.checkpoints if one.kind is CheckpointKind.RUN), None)
        if newest is not None and path.is_relative_to(listing.root):
            title = f"Review what was written since “{' '.join(newest.label.split())}”"
            since = {"since": newest.id}
            return [Offer(title=title, kind=REVIEW, command=REVIEW_CHANGES, arguments=since)]
    return []


def _about(change: ShownChange) -> Iterator[Offer]:
    what = "this file as it is" if change.file.is_whole else "this change"
    titles = {
        Decision.KEEP: f"Keep {what}",
        Decision.TAKE_BACK: "Revert this file" if change.file.is_whole else "Revert this change",
    }
    if change.decision is Decision.KEEP:
        titles = {Decision.OPEN: "Decide again about this change"}
    for decision, title in titles.items():
        yield Offer(
            title=title,
            kind=QUICK_FIX,
            command=REVIEW_HUNK,
            arguments=_arguments(change, decision),
            hunk=change.hunk.id,
        )
    shown = {"review": change.review, "hunk": change.hunk.id}
    yield Offer(
        title="Show what was there", kind=QUICK_FIX, command=SHOW_CHANGE, arguments=shown, hunk=change.hunk.id
    )


async def review_lenses(session: PatchpointServer, document: Document) -> list[types.CodeLens]:
    """Return the lenses over the open changes of a document."""
    return [
        lens_at(session, change.table, change.span, title, REVIEW_HUNK, _arguments(change, decision))
        for change in await session.reviews.current_changes(document.uri)
        if change.decision is Decision.OPEN
        for title, decision in (("Keep", Decision.KEEP), ("Revert", Decision.TAKE_BACK))
    ]


def _arguments(change: ShownChange, decision: Decision) -> dict[str, Any]:
    return {"review": change.review, "hunk": change.hunk.id, "decision": decision.value}


async def _meant(
    session: PatchpointServer, opened: OpenReview, params: requests.ReviewHunk
) -> tuple[FileChanges, list[str]]:
    """Return the file that is decided about, as it is now, and the ids of its changes that are meant.

    All of a file are those that are open, or, to decide again, those that are kept. Raises `RequestFailed`
    when there is no such change (any more).
    """
    for _ in range(2):
        for key, known in list(opened.files.items()):
            if params.uri is not None and key != document_key(params.uri):
                continue
            if params.uri is None and all(hunk.id != params.hunk for hunk in known.hunks):
                continue
            for file in await session.reviews.look(opened, partial(opened.tree.file_now, known)):
                ids = _ids(opened, file, params)
                if ids:
                    return file, ids
        await session.reviews.refresh(opened)
    where = name_of(params.uri) if params.uri is not None else f"change {params.hunk}"
    raise _not_there(where)


def _not_there(where: str) -> RequestFailed:
    return RequestFailed(
        "hunk-not-found", f"{where} is no longer among the changes to review; list them again."
    )


def _ids(opened: OpenReview, file: FileChanges, params: requests.ReviewHunk) -> list[str]:
    if params.hunk is not None:
        return [hunk.id for hunk in file.hunks if hunk.id == params.hunk]
    wanted = Decision.KEEP if params.decision is Decision.OPEN else Decision.OPEN
    return [hunk.id for hunk in file.hunks if opened.tree.review.decision(hunk) is wanted]


def _folder(session: PatchpointServer, uris: Sequence[str]) -> Path:
    """Return the workspace folder that the first of `uris` is in, or else the first."""
    if not session.roots:
        raise RequestFailed("no-folder", "The editor has no folder open; open one.")
    path = path_of(uris[0]) if uris else None
    own = [root for root in session.roots if path is not None and path.is_relative_to(root)]
    return max(own, key=lambda root: len(root.parts)) if own else session.roots[0]


def _opened(session: PatchpointServer, folder: Path, since: str | None, chat: str | None) -> OpenReview:
    """Return the review since the checkpoint to begin at."""
    from patchpoint.review.records import ReviewRecords, checkpoint_to_review
    from patchpoint.review.tree import SinceCheckpoint

    store = open_store(session, folder)
    records = ReviewRecords(store.root)
    return OpenReview(SinceCheckpoint.open(store, checkpoint_to_review(store, records, since, chat)), records)
