"""The result of each command: frozen dataclasses, written to JSON field by field (see `decode.encode`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.edit import ObjectionCode
from patchpoint.outcome import Rung, Status
from patchpoint.review.decision import Decision, Risk
from patchpoint.schema.ranges import RangeData
from patchpoint.text.file_operation import FileOperation

if TYPE_CHECKING:
    # The server answers `initialize` before it loads these.
    from patchpoint.checkpoints.record.checkpoint import CheckpointKind
    from patchpoint.patching.pending import ChangeStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateData:
    """A place at which an edit could be meant."""

    range: RangeData
    similarity: float
    """0 to 1."""
    preview: str
    """The first lines of the place."""
    where: str = ""
    """Where it is ("in Cart > total"), or where from there ("below close"); empty where nothing tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalData:
    """What an edit would change that is not certain enough to be written: written once it is accepted."""

    id: str
    """A digest of the file's text, the edit and the result."""
    diff: str
    """Unified, with three lines of context."""
    why: str
    """What speaks for it, and what is in doubt."""
    uri: str
    range: RangeData
    """The place in the text before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeData:
    """What became of one edit."""

    id: str
    index: int
    """Position of the edit in its request, from 0."""
    uri: str
    status: Status
    code: str | None
    """`stale-file` for a conflict with what the caller expects of a file, `runs-code` for an edit of a file
    that starts programs and that nobody has confirmed, `stale-proposal` where what was accepted is not what
    would be written now, `unseen` for one that the editor says it has made and has not shown yet."""
    rung: Rung | None
    """How the place was found."""
    similarity: float | None
    """0 to 1."""
    range: RangeData | None
    """The place in the text before."""
    new_range: RangeData | None
    """The place in the text after."""
    candidates: tuple[CandidateData, ...]
    message: str
    """For a person."""
    feedback: str
    """Plain text for a model."""
    changes: ChangeStatus
    """How the user's own changes to the file relate to a pending edit."""
    proposal: ProposalData | None = None
    """Of an edit that is `proposed`: what is written once it is accepted."""
    decision: Decision | None = None
    """Of an edit of a preview that is asked for as a review: what was decided about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HunkData:
    """One change since a checkpoint, or one that edits would make."""

    id: str
    """The same wherever other changes move it, and after a restart."""
    range: RangeData | None
    """The lines after, empty where lines were only removed; null for a file as a whole."""
    old_range: RangeData | None
    """The lines before; null for a file as a whole."""
    diff: str
    """Unified, from its `@@` line on, between the text without this change and the text with it."""
    where: str
    """In which definition it is, as "in Cart > total"; empty where that is not known."""
    risk: Risk | None
    """What is lost most easily by it."""
    decision: Decision
    edits: tuple[str, ...] = ()
    """Of a preview: the ids of the edits that make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedData:
    """An edit, or a hunk of one, that was not applied because a person dropped it."""

    id: str
    """Of the edit or the hunk."""
    uri: str
    diff: str
    """What is not applied, without headers: of a hunk in its file, of an edit from what it quotes."""
    pending: str | None
    """The id of the edit as which it waits; null of what is discarded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChangeData:
    """What became, or would become, of one file."""

    uri: str
    operation: FileOperation
    new_uri: str | None
    """The file's new name, when it is renamed."""
    diff: str
    """Unified, with three lines of context."""
    old_sha256: str | None = None
    """Of the bytes before, in hexadecimal digits; null of a file that is created, and of a checkpoint's."""
    new_sha256: str | None = None
    """Of the bytes after, to be `expected` of the next edit; null of a file that is deleted."""
    original_uri: str | None = None
    """A document with the file as it was at the checkpoint that it is compared with."""
    hunks: tuple[HunkData, ...] = ()
    """Of a dry run: what can be dropped by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFileData:
    """A file that a checkpoint or a restore left out."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionData:
    """A checkpoint of another repository, taken at the same moment."""

    path: str
    """Its working tree: relative to the root if it is below, else absolute."""
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointData:
    """A recorded state of a working tree."""

    id: str
    commit: str
    tree: str
    label: str | None
    session: str | None
    message: str | None
    """The chat message that the checkpoint precedes."""
    turn: str | None
    """The turn of the session that it belongs to: `message`, or that of the newest before it that has one."""
    prompt: str | None
    """The first words of the prompt that the turn began with."""
    agent: str | None
    number: int | None
    created_at: str
    """ISO 8601 in UTC, with milliseconds."""
    branch: str | None
    """Full name of the branch, such as `refs/heads/main`; `None` with a detached HEAD or without git."""
    head: str | None
    root: str
    """Absolute path of the working tree."""
    files: int
    skipped: tuple[SkippedFileData, ...]
    companions: tuple[CompanionData, ...]
    """What is restored with it: repositories inside, and others in which the session works."""
    unchanged: bool
    """Whether nothing had changed since the checkpoint before."""
    pinned: bool
    """Whether it is kept until somebody deletes it."""
    kind: CheckpointKind


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplacedData:
    """A fence of the text that is not taken for an edit, or edits that are left alone."""

    line: int
    """The line of the text on which it begins, from 1."""
    message: str
    """What it looks like, and what is missing for an edit; or why it is left alone."""
    code: ObjectionCode | None = None
    """Of edits that are left alone: why."""
    name: str = ""
    """Of one of several ways, what it is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsResult:
    """What became of the edits of a request."""

    applied: bool
    application: str | None
    """Names what was applied, for `patchpoint.revertEdits`."""
    edits: tuple[OutcomeData, ...]
    files: tuple[FileChangeData, ...]
    checkpoint: CheckpointData | None
    """Taken before the edits were applied, of a folder or repository in which a file is changed."""
    unplaced: tuple[UnplacedData, ...] = ()
    """The fences of the text that are not taken for edits, and the edits that are left alone."""
    turn: int = 1
    """Which answer of a conversation was read, of those that have edits; 0 where all were."""
    turns: int = 1
    """How many answers with edits the text has."""
    remark: str = ""
    """Which answer was read and how many blocks are the user's, where there is anything to say."""
    preview: str | None = None
    """Names the preview that was opened, or that the client shows itself, as a review is named."""
    dropped: tuple[DroppedData, ...] = ()
    """What a person dropped."""
    summary: str = ""
    """What was applied and what was dropped, for a model; empty where nothing was dropped."""
    feedback: str = ""
    """What to send back to the model that wrote the text, about all of it; empty where nothing of it was
    refused, and where only a part of a text, or edits, were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationData:
    """What one request changed, and can be reverted."""

    id: str
    created_at: str
    """ISO 8601 in UTC, with milliseconds."""
    source: str | None
    """The URI of the document that the edits were read from."""
    session: str | None
    message: str | None
    """The chat message that the edits are from."""
    title: str
    """The first sentence of the answer that they are from; empty where it has none."""
    is_rest: bool
    """Whether they are what was left of that answer: edits that waited for a person."""
    edits: tuple[str, ...]
    """Their ids."""
    files: tuple[str, ...]
    """The URIs of the files that were changed."""
    reverted_at: str | None
    reverts: str | None
    """The application that this one reverted: reverting it does that one again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationsResult:
    """Applications, newest first."""

    applications: tuple[ApplicationData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEditsResult:
    """The edits that were not applied and wait."""

    edits: tuple[OutcomeData, ...]
    feedback: str
    """What to send back to the model about all of them; where all are of the last answer, about
    that as a whole. Empty where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedEditResult:
    """A pending edit, to be compared with its file."""

    uri: str | None
    """The document that was opened; null without `show`."""
    quoted: str
    """What the model quoted."""
    wanted: str
    """What the model wants there."""
    outcome: OutcomeData
    """Where that could be, in the file as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardResult:
    """The ids of the edits that were discarded."""

    discarded: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointsResult:
    """Checkpoints, newest first."""

    checkpoints: tuple[CheckpointData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffResult:
    """What differs between a checkpoint and what it was compared with."""

    files: tuple[FileChangeData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedCheckpointsResult:
    """The ids of the checkpoints that were deleted."""

    deleted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadData:
    """The commits of HEAD before and after; `None` on a branch without commits, or without git."""

    from_: str | None
    to: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptData:
    """How far a chat was trimmed."""

    session: str
    trimmed_after: str
    """The message that is the last one now."""
    messages_removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsavedData:
    """An open document that shows another text than its file."""

    uri: str
    text: str
    """The whole text that it is to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreResult:
    """What a restore did, or would do."""

    checkpoint: str
    safety: str | None
    """The checkpoint of the state before; `None` of a dry run, or when nothing had to be restored."""
    written: tuple[str, ...]
    """URIs of the files that were written."""
    deleted: tuple[str, ...]
    """URIs of the files that were deleted."""
    created: tuple[str, ...]
    """Those of `written` that were not there."""
    kept: tuple[SkippedFileData, ...]
    """The files that differ from the checkpoint and were left as they are."""
    head: HeadData
    dropped: tuple[str, ...]
    """Ids of later checkpoints of the session, which the restore removed."""
    transcript: TranscriptData | None
    session_reset: bool
    """Whether the session's agent has to start from the beginning."""
    remark: str = ""
    """A sentence where some files are restored and another branch is checked out, or a merge is put away."""
    unsaved: tuple[UnsavedData, ...] = ()
    """The open documents with text that is not saved. The server has asked for it by `workspace/applyEdit`;
    an editor that reads a file again because it was written shows it once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInstructionsResult:
    """What to say to a model so that it writes edits that can be applied."""

    text: str
