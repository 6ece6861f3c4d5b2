"""Reviews: the commands, and the code actions and lenses on the changes of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.commands import (
    FINISH_REVIEW,
    NEXT_CHANGE,
    REVIEW_CHANGES,
    REVIEW_HUNK,
    handles,
)
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.offers import QUICK_FIX, Offer, lens_at
from patchpoint.lsp.reviewing.open_reviews import OpenReview, paths_of
from patchpoint.lsp.reviewing.shown_changes import ShownChange
from patchpoint.lsp.reviewing.taking_back import take_back
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import range_of
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import summary_of
from patchpoint.schema import requests, responses
from patchpoint.schema.edits import range_data
from patchpoint.schema.reviews import file_data, review_data
from patchpoint.schema.uris import document_key, name_of, path_of, uri_of
from patchpoint.text.lines import Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work
    from patchpoint.review.files import ReviewedFile


@handles(REVIEW_CHANGES)
async def review_changes(
    session: PatchpointServer, params: requests.ReviewChanges, work: Work
) -> responses.ReviewResult:
    """Show what changed since a checkpoint, and return it; a review that is not finished goes on."""
    folder = _folder(session, params.uris)
    since, root = await session.run(_since, session, folder, params.since, params.session)
    async with session.reviews.turn:
        opened = await session.reviews.begin(folder, since, paths_of(root, params.uris), work)
    return await session.run(_result, session, opened)


@handles(REVIEW_HUNK)
async def review_hunk(
    session: PatchpointServer, params: requests.ReviewHunk, work: Work
) -> responses.ReviewedFileData:
    """Decide about one change, or all changes of a file, and return the file as it is then."""
    async with session.reviews.turn:
        opened = await session.reviews.find(params.review)
        file, ids = await _meant(session, opened, params)
        if params.decision is Decision.TAKE_BACK:
            now = await take_back(session, session.reviews, opened, file, ids, params.reason or "", work)
        else:
            kept = params.decision is Decision.KEEP
            opened.review = await session.reviews.record(
                opened.root,
                opened.review.since,
                lambda review: review.keeping(file.path_now, ids) if kept else review.opening(ids),
            )
            now = (file,)
        await session.reviews.changed(opened, now)
    if params.decision is Decision.TAKE_BACK:
        session.edits_changed()
    return file_data(opened.review, now[0], opened.root, session.client.unit)


@handles(FINISH_REVIEW)
async def finish_review(
    session: PatchpointServer, params: requests.FinishReview, work: Work
) -> responses.FinishedReviewResult:
    """End a review, and return the summary of what was decided."""
    async with session.reviews.turn:
        opened = await session.reviews.find(params.review)
        await session.reviews.refresh(opened, work)
        files = list(opened.files.values())
        tally = opened.review.tally(files)
        unsaved = await session.reviews.unsaved(opened)
        if not params.dry_run:
            await session.reviews.end(opened)
    return responses.FinishedReviewResult(
        kept=tally.kept,
        taken_back=tally.taken_back,
        open=tally.open,
        summary=summary_of(opened.review, files, unsaved),
        unsaved=tuple(uri_of(opened.root / file.path_now) for file in unsaved),
    )


@handles(NEXT_CHANGE)
async def next_change(
    session: PatchpointServer, params: requests.NextChange, work: Work
) -> responses.NextChangeResult:
    """Show the next undecided change, after a place and from the beginning again."""
    work.check()
    key = document_key(params.uri) if params.uri is not None else ""
    line = params.line if params.line is not None else -1
    for opened in session.reviews:
        if key in opened.deleted_in:
            key, line = opened.deleted_in[key], 0
    waiting = [
        (opened, change)
        for opened in session.reviews
        if params.review in (None, opened.review.since)
        for _, changes in sorted(opened.shown.items())
        for change in changes
        if change.decision is Decision.OPEN
    ]
    if not waiting:
        return responses.NextChangeResult(uri=None, hunk=None, range=None)
    after = [one for one in waiting if (document_key(one[1].uri), one[1].line) > (key, line)]
    opened, change = (after or waiting)[0]
    if params.show:
        await _show(session, opened, change)
    span = range_data(change.table, change.span, session.client.unit)
    return responses.NextChangeResult(
        uri=change.uri, hunk=change.hunk.id, range=None if change.is_gone else span
    )


async def _show(session: PatchpointServer, opened: OpenReview, change: ShownChange) -> None:
    """Show a change in its document; of a deleted file, a document with what it was."""
    if change.is_gone:
        text = change.hunk.removed or f"{name_of(change.uri)} was deleted, and was empty.\n"
        shown = await session.shown.show(name_of(change.uri), text)
        opened.deleted_in[document_key(shown)] = document_key(change.uri)
    elif session.client.show_document:
        start = change.span[0]
        params = types.ShowDocumentParams(
            uri=change.uri,
            take_focus=True,
            selection=range_of(change.table, (start, start), session.client.unit),
        )
        await session.window_show_document_async(params)


async def review_offers(session: PatchpointServer, document: Document, span: Span) -> list[Offer]:
    """Return offers to decide about the changes at `span` of a document, and about all of its changes."""
    changes = await session.reviews.current_changes(document.uri)
    touched = [change for change in changes if change.touches(span)]
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
    return offers


def _about(change: ShownChange) -> Iterator[Offer]:
    what = "this file as it is" if change.whole else "this change"
    titles = {
        Decision.KEEP: f"Keep {what}",
        Decision.TAKE_BACK: "Revert this file" if change.whole else "Revert this change",
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
    place = {"review": change.review, "uri": change.uri, "line": change.line}
    yield Offer(
        title="Next change", kind=QUICK_FIX, command=NEXT_CHANGE, arguments=place, hunk=change.hunk.id
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
) -> tuple[ReviewedFile, list[str]]:
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
            for file in await session.reviews.file_now(opened, known):
                ids = _ids(opened, file, params)
                if ids:
                    return file, ids
        await session.reviews.refresh(opened)
    where = name_of(params.uri) if params.uri is not None else f"change {params.hunk}"
    raise RequestFailed(
        "hunk-not-found",
        f"{where} is no longer among the changes to review; list them again.",
    )


def _ids(opened: OpenReview, file: ReviewedFile, params: requests.ReviewHunk) -> list[str]:
    if params.hunk is not None:
        return [hunk.id for hunk in file.hunks if hunk.id == params.hunk]
    wanted = Decision.KEEP if params.decision is Decision.OPEN else Decision.OPEN
    return [hunk.id for hunk in file.hunks if opened.review.decision(hunk) is wanted]


def _result(session: PatchpointServer, opened: OpenReview) -> responses.ReviewResult:
    return review_data(opened.review, list(opened.files.values()), opened.root, session.client.unit)


def _folder(session: PatchpointServer, uris: Sequence[str]) -> Path:
    """Return the workspace folder that the first of `uris` is in, or else the first."""
    if not session.roots:
        raise RequestFailed("no-folder", "The editor has no folder open; open one.")
    path = path_of(uris[0]) if uris else None
    own = [root for root in session.roots if path is not None and path.is_relative_to(root)]
    return max(own, key=lambda root: len(root.parts)) if own else session.roots[0]


def _since(session: PatchpointServer, folder: Path, since: str | None, chat: str | None) -> tuple[str, Path]:
    """Return the checkpoint to begin at, and the root of the working tree."""
    from patchpoint.review.records import ReviewRecords
    from patchpoint.review.start import checkpoint_to_review

    store = open_store(session, folder)
    return checkpoint_to_review(store, ReviewRecords(store.root), since, chat), store.root
