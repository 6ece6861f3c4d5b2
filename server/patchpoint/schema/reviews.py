"""Reviews in the shapes of the protocol: frozen dataclasses, as those in `responses`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from patchpoint.dataclass import dataclass
from patchpoint.review.change_set import FileChanges, are_named
from patchpoint.review.decision import Decision, Risk
from patchpoint.review.decisions import Tally
from patchpoint.review.hunks import Hunk
from patchpoint.schema.edits import range_data
from patchpoint.schema.ranges import RangeData
from patchpoint.schema.responses import EditsResult, HunkData, OutcomeData
from patchpoint.schema.uris import past_file_uri, uri_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedFileData:
    """A file that differs from what it was at a checkpoint, and its changes."""

    uri: str
    operation: FileOperation = FileOperation.UPDATE
    old_uri: str | None = None
    """The file's former name, when it was renamed."""
    original_uri: str | None = None
    """A document with the file as it was at the checkpoint, for clients that ask for contents."""
    whole: bool = False
    """Whether it can only be kept or reverted as a whole: then it has one change."""
    risk: Risk | None = None
    """The worst of its changes; files that do not parse any more come first."""
    hunks: tuple[HunkData, ...] = ()
    diff: str | None = None
    """Of a preview: all that is kept, unified, with three lines of context; empty where nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewResult:
    """The review of what changed since a checkpoint, or of what edits would change."""

    review: str
    since: str
    """The id of the checkpoint; of a preview, its own."""
    finished: bool
    kept: int
    taken_back: int
    open: int
    files: tuple[ReviewedFileData, ...]
    edits: tuple[OutcomeData, ...] = ()
    """Of a preview: all that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstChange:
    """The first change of a review that begins, while the other files are still compared."""

    review: ReviewResult
    """With the file of that change alone, whose numbers it has."""
    original: str | None
    """The text of the document `original_uri`, so that nobody has to ask for it; null where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedReviewResult:
    """How a review ended or, of a dry run, would end."""

    kept: int
    taken_back: int
    open: int
    summary: str
    """Plain text for the model that wrote the changes."""
    unsaved: tuple[str, ...] = ()
    """The URIs of its files whose text in the editor is not that on the disk: they have yet to be saved."""
    result: EditsResult | None = None
    """Of a preview: what was applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDifferenceResult:
    """What a change of a review has changed."""

    uri: str | None
    """The document that shows it, if it was to be shown."""
    diff: str
    """As that of the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextChangeResult:
    """Where the next change is that nobody has decided about; every key is null when there is none."""

    uri: str | None
    hunk: str | None
    range: RangeData | None
    """Null of a deleted file, too."""


class Decided(Protocol):
    """What is decided about changes: a review, or a preview."""

    @property
    def since(self) -> str:
        """What it is called."""

    def decision(self, hunk: Hunk) -> Decision:
        """Return what is decided about a change."""

    def tally(self, files: Iterable[FileChanges]) -> Tally:
        """Return how many changes of files were decided about."""


def below(root: Path) -> Callable[[str], str]:
    """Return what gives the URI of a path below `root`."""
    return lambda path: uri_of(root / path)


def review_data(
    review: Decided,
    files: Sequence[FileChanges],
    uri: Callable[[str], str],
    unit: Unit,
    *,
    only: Sequence[FileChanges] | None = None,
    finished: bool = False,
    id_of: Callable[[int], str] | None = None,
) -> ReviewResult:
    """Return a review of `files`, positions counted in `unit`; `uri` gives the URI of a path.

    The numbers are those of all files; with `only`, those are listed. Of a preview, `id_of` gives the id of
    an edit.
    """
    tally = review.tally(files)
    listed = files if only is None else only
    named = are_named(listed)
    return ReviewResult(
        review=review.since,
        since=review.since,
        finished=finished,
        kept=tally.kept,
        taken_back=tally.taken_back,
        open=tally.open,
        files=tuple(
            file_data(review, file, uri, unit, named=is_named, id_of=id_of)
            for file, is_named in zip(listed, named, strict=True)
        ),
    )


def file_data(
    review: Decided,
    file: FileChanges,
    uri: Callable[[str], str],
    unit: Unit,
    *,
    named: bool = True,
    id_of: Callable[[int], str] | None = None,
) -> ReviewedFileData:
    """Return one file of a review; with `named`, the definitions around its changes are looked for."""
    left_out = [hunk.id for hunk in file.hunks if review.decision(hunk) is not Decision.KEEP]
    has_original = id_of is None and file.old is not None
    return ReviewedFileData(
        uri=uri(file.path_now),
        operation=file.operation,
        old_uri=uri(file.path) if file.new_path is not None else None,
        original_uri=past_file_uri(review.since, file.path) if has_original else None,
        whole=file.is_whole,
        risk=file.risk,
        hunks=hunks_data(file, review.decision, unit, named=named, id_of=id_of),
        diff=file.diff_without(left_out) if id_of is not None else None,
    )


def hunks_data(
    file: FileChanges,
    decision: Callable[[Hunk], Decision],
    unit: Unit,
    *,
    named: bool,
    id_of: Callable[[int], str] | None,
) -> tuple[HunkData, ...]:
    """Return the changes of a file and what is decided about each; the rest is as for `file_data`."""
    tables, found = [LineTable.of(text) for text in file.texts or ()], []
    for hunk in file.hunks:
        spans = zip(tables, file.spans(hunk), strict=False)
        old, new = [range_data(table, span, unit) for table, span in spans] or (None, None)
        found.append(
            HunkData(
                id=hunk.id,
                range=new,
                old_range=old,
                diff=file.diff(hunk),
                where=file.where(hunk) if named else "",
                risk=file.risks.get(hunk.id),
                decision=decision(hunk),
                edits=tuple(map(id_of or str, file.makers.get(hunk.id, ()))),
            )
        )
    return tuple(found)
