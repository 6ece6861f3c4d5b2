"""Reviews in the shapes of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.review.decisions import Review
from patchpoint.review.files import ReviewedFile
from patchpoint.schema.edits import range_data
from patchpoint.schema.responses import HunkData, ReviewedFileData, ReviewResult
from patchpoint.schema.uris import uri_of
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit


def review_data(
    review: Review,
    files: Sequence[ReviewedFile],
    root: Path,
    unit: Unit,
    *,
    only: Sequence[ReviewedFile] | None = None,
    finished: bool = False,
) -> ReviewResult:
    """Return a review of `files` below `root`, positions counted in `unit`.

    The numbers are those of all files; with `only`, those are listed.
    """
    tally = review.tally(files)
    return ReviewResult(
        review=review.since,
        since=review.since,
        finished=finished,
        kept=tally.kept,
        taken_back=tally.taken_back,
        open=tally.open,
        files=tuple(file_data(review, file, root, unit) for file in (files if only is None else only)),
    )


def file_data(review: Review, file: ReviewedFile, root: Path, unit: Unit) -> ReviewedFileData:
    """Return one file of a review."""
    texts = file.shown_texts
    tables = [LineTable.of(text) for text in texts] if texts is not None else None
    return ReviewedFileData(
        uri=uri_of(root / file.path_now),
        operation=file.operation,
        old_uri=uri_of(root / file.path) if file.new_path is not None else None,
        whole=file.is_whole,
        hunks=tuple(
            HunkData(
                id=hunk.id,
                range=range_data(tables[1], file.spans(hunk)[1], unit) if tables else None,
                old_range=range_data(tables[0], file.spans(hunk)[0], unit) if tables else None,
                diff=file.diff(hunk),
                decision=review.decision(hunk),
            )
            for hunk in file.hunks
        ),
    )
