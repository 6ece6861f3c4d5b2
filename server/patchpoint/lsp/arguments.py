"""What each command takes: one frozen dataclass a command, as the caller writes it (see `decode`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from patchpoint.lsp.decode import limits


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a document, in the client's units."""

    line: int = field(metadata=limits(minimum=0))
    character: int = field(metadata=limits(minimum=0))


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of a document, its end not included, in the client's units."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """A document that holds edit blocks, or the part of it that does."""

    uri: str
    range: Range | None = None


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
    operation: EditOperation = EditOperation.REPLACE
    search: str | None = None
    replace: str | None = None
    replace_all: bool = False
    occurrence: int | None = field(default=None, metadata=limits(minimum=1))
    line: int | None = field(default=None, metadata=limits(minimum=1))
    scope: tuple[str, ...] = ()
    new_path: str | None = None
    content: str | None = None

    def __post_init__(self) -> None:
        """Refuse what the operation cannot do with."""
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


class EditFormat(str, Enum):
    """How edits are written in a text; `auto` recognises each by itself."""

    AUTO = "auto"
    SEARCH_REPLACE = "searchReplace"
    ENVELOPE = "envelope"
    UNIFIED_DIFF = "unifiedDiff"
    ANCHORS = "anchors"
    TOOL_CALL = "toolCall"
    WHOLE_FILE = "wholeFile"


class AtomicScope(str, Enum):
    """What stays undone when an edit of a request does not match."""

    ALL = "all"
    FILE = "file"
    EDIT = "edit"


class Target(str, Enum):
    """Who changes a file: the editor where it is open, else the server; or always the one or the other."""

    AUTO = "auto"
    EDITOR = "editor"
    DISK = "disk"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyEdits:
    """A request to apply what a model wrote. Options that are left out are the client's settings."""

    text: str | None = None
    edits: tuple[EditData, ...] | None = None
    document: DocumentPart | None = None
    format: EditFormat = EditFormat.AUTO
    base_uri: str | None = None
    dry_run: bool = False
    atomic: AtomicScope | None = None
    target: Target | None = None
    checkpoint: bool | None = None
    session: str | None = None
    message: str | None = None
    min_similarity: float | None = field(default=None, metadata=limits(0, 1))
    min_margin: float | None = field(default=None, metadata=limits(0, 1))

    def __post_init__(self) -> None:
        """Refuse a request without edits, or with edits in two places."""
        if sum(source is not None for source in (self.text, self.edits, self.document)) != 1:
            raise ValueError("give exactly one of `text`, `edits` and `document`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPendingEdits:
    """Which pending edits to list: those of one document, or all."""

    uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveEdit:
    """The candidate (from 1) at which a pending edit shall go, and the range that it was shown with."""

    edit: str
    candidate: int = field(metadata=limits(minimum=1))
    range: Range | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareEdit:
    """The pending edit whose three sides shall be shown."""

    edit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardEdit:
    """The pending edit that is no longer wanted, or all of them."""

    edit: str | None = None
    all: bool = False

    def __post_init__(self) -> None:
        """Refuse a request that names nothing, or two things."""
        if (self.edit is None) != self.all:
            raise ValueError("give either `edit` or `all`, and not both.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertEdits:
    """The application, as `applyEdits` answered it, that shall be taken back."""

    application: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeCheckpoint:
    """What to write on a new checkpoint. In the background, the answer comes before the checkpoint does."""

    label: str | None = None
    session: str | None = None
    message: str | None = None
    background: bool = False
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCheckpoints:
    """Which checkpoints to list, newest first."""

    session: str | None = None
    limit: int | None = field(default=None, metadata=limits(minimum=1))
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCheckpoint:
    """What to compare a checkpoint with (`worktree` or another checkpoint), and for which file."""

    checkpoint: str
    against: str = "worktree"
    uri: str | None = None
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreCheckpoint:
    """The checkpoint to go back to, by its id or by the chat message that it precedes."""

    checkpoint: str | None = None
    session: str | None = None
    message: str | None = None
    uris: tuple[str, ...] = ()
    hunk: str | None = None
    dry_run: bool = False
    force: bool = False
    trim_transcript: bool | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a request that does not say which checkpoint, or says it twice."""
        anchored = self.session is not None and self.message is not None
        if (self.session is None) != (self.message is None):
            raise ValueError("`session` and `message` belong together; give both.")
        if (self.checkpoint is None) != anchored:
            raise ValueError("give either `checkpoint`, or `session` and `message`.")
        if self.hunk is not None and len(self.uris) != 1:
            raise ValueError("a `hunk` is of one file; name that file, and no other, in `uris`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRestore:
    """The repository whose last restore shall be undone."""

    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteCheckpoint:
    """The checkpoint to delete."""

    checkpoint: str
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneCheckpoints:
    """Which checkpoints to keep: the newest so many, and none older than so many days."""

    keep: int | None = field(default=None, metadata=limits(minimum=0))
    older_than_days: float | None = field(default=None, metadata=limits(minimum=0))
    root: str | None = None
