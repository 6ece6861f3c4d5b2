"""The parameters of each command: one frozen dataclass a command, decoded strictly (see `decode`)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import TEXT_FORMATS, Format
from patchpoint.outcome import Atomic
from patchpoint.review.decision import Decision
from patchpoint.schema.decode import choices, limits
from patchpoint.schema.ranges import RangeData
from patchpoint.schema.settings import ApplyTarget
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """A document with edit blocks, or the part of one in which they are."""

    uri: str
    range: RangeData | None = None


class EditOperation(str, Enum):
    """What an edit given as data does to its file."""

    REPLACE = "replace"
    CREATE = "create"
    WRITE = "write"
    DELETE = "delete"
    RENAME = "rename"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditData:
    """One edit given as data rather than as text."""

    uri: str | None = None
    path: str | None = None
    """Relative to a workspace folder, or absolute. Give this or `uri`."""
    operation: EditOperation = EditOperation.REPLACE
    search: str | None = None
    replace: str | None = None
    replace_all: bool = False
    """Replace every occurrence of the search text."""
    occurrence: int | None = field(default=None, metadata=limits(minimum=1))
    """Which occurrence of the search text is meant, from 1."""
    line: int | None = field(default=None, metadata=limits(minimum=1))
    """A line, from 1, near the search text."""
    scope: tuple[str, ...] = ()
    """The lines that name what the search text is in (a class, a function), outermost first."""
    new_path: str | None = None
    content: str | None = None

    def __post_init__(self) -> None:
        """Refuse a missing key that the operation needs, and a key that it has no use for."""
        if (self.uri is None) == (self.path is None):
            raise ValueError("give either `uri` or `path`, and not both.")
        needed = _NEEDED[self.operation]
        given = {
            "search": self.search,
            "replace": self.replace,
            "newPath": self.new_path,
            "content": self.content,
        }
        for key, value in given.items():
            if key in needed and value is None:
                raise ValueError(f"`{key}` is missing; the operation `{self.operation.value}` needs it.")
            if key not in needed and value is not None:
                raise ValueError(
                    f"`{key}` has no meaning for the operation `{self.operation.value}`; leave it out."
                )


_NEEDED = {
    EditOperation.REPLACE: ("search", "replace"),
    EditOperation.CREATE: ("content",),
    EditOperation.WRITE: ("content",),
    EditOperation.DELETE: (),
    EditOperation.RENAME: ("newPath",),
}


INSTRUCTED_FORMATS = tuple(
    one.value for one in Format if one not in (Format.REQUEST, Format.ANCHORS, Format.PAIR)
)
"""The formats that there are instructions for; see `patchpoint.formats.instructions`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyEdits:
    """Edits to apply; give one of `text`, `edits` and `document`. Omitted options are the user's settings."""

    text: str | None = None
    """A model's answer."""
    edits: tuple[EditData, ...] | None = None
    document: DocumentPart | None = None
    format: str = field(default="auto", metadata=choices(TEXT_FORMATS))
    file: str | None = None
    """The path, in a workspace folder, of the file that code and edits which name none are for."""
    turn: str = "last"
    """Of a conversation, the answer to apply: `last`, `all`, or its number among those that have edits. A
    range of a document is applied whatever answer it is in."""
    include: tuple[str, ...] = ()
    """Lines of the text (from 1) where edits begin that are left alone or that the answer speaks against, and
    names of alternatives: they are applied all the same."""
    base_uri: str | None = None
    """The folder that relative paths are resolved against first."""
    dry_run: bool = False
    """Change nothing; return what would be done."""
    previewed: bool = False
    """The client shows the result of the dry run as a preview, by whose id it can be decided about, and shows
    it again where applying fails with `preview-outdated`."""
    atomic: Atomic | None = None
    target: ApplyTarget | None = None
    checkpoint: bool | None = None
    """Take a checkpoint first."""
    session: str | None = None
    """The chat that the edits are from; with `message` the anchor of the checkpoint."""
    message: str | None = None
    """The chat message that the checkpoint precedes."""
    min_similarity: float | None = field(default=None, metadata=limits(0, 1))
    min_margin: float | None = field(default=None, metadata=limits(0, 1))
    allow_executing_files: bool = False
    """The user has confirmed the edits of files that start programs; without it, the server asks."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 (64 hexadecimal digits) of files as the caller read them, by path or URI. The edits of a
    file that is another one by now are refused."""
    drop: tuple[str, ...] = ()
    """The ids of edits, and of hunks of the dry run, that are not to be applied now, and stay pending."""
    discard: tuple[str, ...] = ()
    """The ids of edits and hunks that are not to be applied, and do not stay pending."""

    def __post_init__(self) -> None:
        """Refuse a request without edits, or with edits in two places, and what is no SHA-256."""
        if sum(source is not None for source in (self.text, self.edits, self.document)) != 1:
            raise ValueError("give exactly one of `text`, `edits` and `document`.")
        require_digests(self.expected)


def require_digests(expected: Mapping[str, str]) -> None:
    """Raise `ValueError` for a value of `expected` that is not a SHA-256 in hexadecimal digits."""
    for name, digest in expected.items():
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"`expected.{name}` must be a SHA-256, 64 hexadecimal digits.")


_DIGEST = regex(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPendingEdits:
    """Which pending edits to list: those of one document, or all."""

    uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveEdit:
    """The candidate at which to apply a pending edit."""

    edit: str
    candidate: int = field(metadata=limits(minimum=1))
    """Position of the candidate in the outcome, from 1."""
    dry_run: bool = False
    """Change nothing; return what would be changed."""
    previewed: bool = False
    """The client shows what is not known to be meant as a preview, by whose id it can be decided about; with
    `dry_run` it shows all so."""
    range: RangeData | None = None
    """The range of the candidate as it was shown; the request fails if it has moved since."""
    whole: bool = False
    """All lines of the candidate give way to the replacement, instead of merging the edit into them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptProposal:
    """The proposal to make."""

    proposal: str
    """The id of the proposal; the request fails if the file has changed since."""
    previewed: bool = False
    """Change nothing; the client shows it as a preview, by whose id it can be decided about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceEdit:
    """The pending edit to put at a place that a person points to, in the file that it is for."""

    edit: str
    """The id of the edit."""
    range: RangeData
    """What it replaces, widened to whole lines; an empty range has it put above that line."""
    previewed: bool = False
    """The client shows the preview, by whose id it can be decided about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareEdit:
    """The pending edit to show: what it quotes, what its file has, and what it wants there."""

    edit: str
    """The id of the edit."""
    show: bool = True
    """Open a document with the three; a client that shows them itself does not want it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardEdit:
    """The pending edit to discard, or all of them."""

    edit: str | None = None
    """The id of the edit."""
    all: bool = False

    def __post_init__(self) -> None:
        """Refuse a request that names nothing, or two things."""
        if (self.edit is None) != self.all:
            raise ValueError("give either `edit` or `all`, and not both.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListApplications:
    """Which applications to list, newest first."""

    limit: int | None = field(default=None, metadata=limits(minimum=1))
    session: str | None = None
    """Only those of this chat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertEdits:
    """The application to revert, as `patchpoint.applyEdits` returned it, or the chat of those to revert."""

    application: str | None = None
    session: str | None = None
    """Revert the applications of this chat, newest first."""
    turn: str | None = None
    """Of the chat, only those of this message."""
    dry_run: bool = False
    """Change nothing, and return what would be done; of several, each as if it were the only one."""

    def __post_init__(self) -> None:
        """Refuse a request that does not name exactly one of the two, and a message of no chat."""
        if (self.application is None) == (self.session is None):
            raise ValueError("give either `application` or `session`.")
        if self.turn is not None and self.session is None:
            raise ValueError("`turn` needs `session`, the chat that it belongs to.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeCheckpoint:
    """The label and the anchor of a new checkpoint."""

    label: str | None = None
    session: str | None = None
    """The chat that the checkpoint belongs to; with `message` its anchor."""
    message: str | None = None
    """The chat message that the checkpoint precedes."""
    background: bool = False
    """Return null at once; `patchpoint/didTakeCheckpoint` has the checkpoint later."""
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCheckpoints:
    """Which checkpoints to list, newest first."""

    session: str | None = None
    limit: int | None = field(default=None, metadata=limits(minimum=1))
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCheckpoint:
    """The two states to compare, and the one file if only that is wanted."""

    checkpoint: str
    against: str = "worktree"
    """`worktree`, or the id of another checkpoint."""
    uri: str | None = None
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreCheckpoint:
    """The checkpoint to go back to, by its id or by the chat message that it precedes."""

    checkpoint: str | None = None
    session: str | None = None
    message: str | None = None
    uris: tuple[str, ...] = ()
    """Restore these files alone."""
    hunk: str | None = None
    """Restore this hunk alone, of the one file in `uris`: as its diff shows it, from `@@` on."""
    dry_run: bool = False
    """Change nothing; return what would be done."""
    only: bool = False
    """Leave other repositories, those inside and others that it has companions in, as they are."""
    force: bool = False
    """Restore although another branch is checked out, or the branch was rewritten."""
    trim_transcript: bool | None = None
    """Remove the later messages of the chat, if it is an open document."""
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a request that does not name exactly one checkpoint, and for a hunk exactly one file."""
        anchored = self.session is not None and self.message is not None
        if (self.session is None) != (self.message is None):
            raise ValueError("`session` and `message` belong together; give both.")
        if (self.checkpoint is None) != anchored:
            raise ValueError("give either `checkpoint`, or `session` and `message`.")
        if self.hunk is not None and len(self.uris) != 1:
            raise ValueError("a `hunk` belongs to one file; name that file, and no other, in `uris`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRestore:
    """The repository in which to undo the last restore."""

    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameCheckpoint:
    """The checkpoint, and what it is to be called, or whether it is kept until somebody deletes it."""

    checkpoint: str
    label: str | None = None
    pinned: bool | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a request that changes nothing."""
        if self.label is None and self.pinned is None:
            raise ValueError("give `label`, or `pinned`, or both.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteCheckpoint:
    """The checkpoint to delete."""

    checkpoint: str
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneCheckpoints:
    """Which checkpoints to delete."""

    keep: int | None = field(default=None, metadata=limits(minimum=0))
    """The number of checkpoints to keep, the newest ones."""
    older_than_days: float | None = field(default=None, metadata=limits(minimum=0))
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInstructions:
    """The format that a model is to write its edits in."""

    format: str = field(default=Format.SEARCH_REPLACE.value, metadata=choices(INSTRUCTED_FORMATS))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewChanges:
    """What to review: what changed since a checkpoint, or since the last turn of a session."""

    since: str | None = None
    """The checkpoint, by any of its names; else that of an unfinished review, or before the newest turn."""
    session: str | None = None
    uris: tuple[str, ...] = ()
    review: str | None = None
    """One that is open, or a preview, to see it again."""

    def __post_init__(self) -> None:
        """Refuse a request that names two checkpoints."""
        if [self.since, self.session, self.review].count(None) < 2:
            raise ValueError("give one of `since`, `session` and `review`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHunk:
    """What becomes of a change, or of all changes of a file, in a review or a preview."""

    review: str
    """The id of the review, or of the preview."""
    hunk: str | None = None
    uri: str | None = None
    """The file, all of whose changes are meant."""
    edit: str | None = None
    """The edit, of a preview; one without a place is kept at its `candidate`, or as it is proposed."""
    candidate: int | None = field(default=None, metadata=limits(minimum=1))
    """Position of the candidate of `edit`, from 1."""
    decision: Decision
    reason: str | None = None
    """A note on it for the summary, such as why; null leaves the one that there is."""

    def __post_init__(self) -> None:
        """Refuse a request that names nothing, or two things."""
        if [self.hunk, self.uri, self.edit].count(None) != 2:
            raise ValueError("give one of `hunk`, `uri` and `edit`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishReview:
    """The review to finish, by default the one that is shown; or the preview to apply."""

    review: str | None = None
    dry_run: bool = False
    """End nothing, and return what would be returned."""
    show: bool = False
    """Show the summary in the editor."""
    allow_executing_files: bool = False
    """Of a preview: the user has confirmed the edits of files that start programs; else the server asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowChange:
    """The change of which to see what was there, in the editor unless `show` is false."""

    review: str
    hunk: str
    show: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NextChange:
    """The review, by default the one that is shown, and the place to look after, by default its start."""

    review: str | None = None
    uri: str | None = None
    line: int | None = field(default=None, metadata=limits(minimum=0))
    """From 0."""
    show: bool = True
    """Show it in the editor; of a deleted file, what it was."""
