"""What each command answers: frozen dataclasses, written to JSON as they stand (see `decode.encode`)."""

from __future__ import annotations

from dataclasses import dataclass

from patchpoint.lsp.arguments import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateAnswer:
    """A place where an edit could go."""

    range: Range
    similarity: float
    preview: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeAnswer:
    """What became of one edit."""

    id: str
    index: int
    uri: str
    status: str
    rung: str | None
    similarity: float | None
    range: Range | None
    new_range: Range | None
    candidates: tuple[CandidateAnswer, ...]
    message: str
    feedback: str
    changes: str = ""
    """How the user's own changes of the file stand to a pending edit: M, A, ~ or ~M."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChangeAnswer:
    """What became, or would become, of one file, with a unified diff.

    `original_uri` is a document with the file as it was at the checkpoint that it is compared with.
    """

    uri: str
    operation: str
    new_uri: str | None
    diff: str
    original_uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedAnswer:
    """A file that a checkpoint left out."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointAnswer:
    """One checkpoint."""

    id: str
    commit: str
    tree: str
    label: str | None
    session: str | None
    message: str | None
    created_at: str
    branch: str | None
    head: str | None
    root: str
    files: int
    skipped: tuple[SkippedAnswer, ...]
    unchanged: bool
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsAnswer:
    """What became of a request: `application` names it for `revertEdits`, `checkpoint` was taken before."""

    applied: bool
    application: str | None
    edits: tuple[OutcomeAnswer, ...]
    files: tuple[FileChangeAnswer, ...]
    checkpoint: CheckpointAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingAnswer:
    """The edits that have not landed."""

    edits: tuple[OutcomeAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """The document that was opened."""

    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardAnswer:
    """The ids of the edits that were discarded."""

    discarded: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointsAnswer:
    """Checkpoints, newest first."""

    checkpoints: tuple[CheckpointAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffAnswer:
    """What differs between a checkpoint and the other side."""

    files: tuple[FileChangeAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedAnswer:
    """The ids of the checkpoints that were deleted."""

    deleted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadAnswer:
    """Where HEAD pointed before and points now; `None` for a branch without a commit, or no repository."""

    from_: str | None
    to: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptAnswer:
    """How far a chat was trimmed."""

    session: str
    trimmed_after: str
    messages_removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreAnswer:
    """What a restore did, or would do."""

    checkpoint: str
    safety: str | None
    written: tuple[str, ...]
    deleted: tuple[str, ...]
    head: HeadAnswer | None
    dropped: tuple[str, ...]
    transcript: TranscriptAnswer | None
    session_reset: bool
