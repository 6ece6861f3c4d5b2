"""What was applied, and the log of operations, in the shapes of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field
from patchpoint.schema.decode import limits
from patchpoint.schema.responses import ApplicationData, ApplicationsResult, RestoreResult
from patchpoint.schema.uris import uri_of

if TYPE_CHECKING:
    from patchpoint.operations.log import LoggedOperation
    from patchpoint.workspace.history.applications import Application


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOperations:
    """Which operations to list, newest first."""

    limit: int | None = field(default=None, metadata=limits(minimum=1))
    session: str | None = None
    """Only those of this chat."""
    root: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The operation to undo or to redo: by default the last one of the user."""

    operation: str | None = None
    """Its id, or the beginning of it."""
    session: str | None = None
    """The last one of this chat."""
    any_session: bool = False
    """The last one of all."""
    dry_run: bool = False
    """Change nothing, and return what would be done."""
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a request that names several."""
        if (self.operation is not None) + (self.session is not None) + self.any_session > 1:
            raise ValueError("give at most one of `operation`, `session` and `anySession`.")


@dataclass(frozen=True, slots=True)
class OperationFileData:
    """The JSON of a file that an operation changed."""

    uri: str
    change: str
    """`A` created, `M` changed, `D` deleted, `R` renamed."""


@dataclass(frozen=True, slots=True)
class OperationData:
    """The JSON of an operation."""

    id: str
    kind: str
    at: str
    """When it began, in ISO 8601 and UTC."""
    state: str
    """`done`, or `undone` where it is taken back."""
    session: str | None
    """`None` for a person."""
    label: str
    target: str | None
    """Of an undo or a redo: the id of the operation that it is about."""
    files: tuple[OperationFileData, ...]
    checkpoints: tuple[str, ...]
    """The ids of the checkpoints that were deleted, or came back."""


@dataclass(frozen=True, slots=True)
class OperationsResult:
    """The JSON of the log, newest first."""

    operations: tuple[OperationData, ...]


@dataclass(frozen=True, slots=True)
class UndoneResult:
    """The JSON of what was undone or redone or, in a dry run, would be."""

    operation: OperationData
    kind: str
    """`undo` or `redo`."""
    dry_run: bool
    files: tuple[OperationFileData, ...]
    checkpoints: tuple[str, ...]
    missing: tuple[str, ...]
    """The ids of checkpoints that are gone for good."""
    passed: tuple[OperationData, ...]
    """Newer operations of others, which stay."""
    restored: RestoreResult | None
    """The restore that did it, where one did."""


def applications_result(
    applications: Iterable[Application], session: str | None = None, limit: int | None = None
) -> ApplicationsResult:
    """Return the applications, newest first, or those of one chat, as the result of the command."""
    wanted = [one for one in applications if session is None or one.origin.session == session]
    return ApplicationsResult(applications=tuple(map(_application_data, wanted[:limit])))


def _application_data(application: Application) -> ApplicationData:
    origin = application.origin
    return ApplicationData(
        id=application.id,
        created_at=application.created_at,
        source=origin.source or None,
        session=origin.session or None,
        message=origin.message or None,
        title=origin.title,
        is_rest=origin.is_rest,
        edits=application.edits,
        files=tuple(uri_of(file) if Path(file).is_absolute() else file for file in application.changed()),
        reverted_at=application.reverted_at or None,
        reverts=application.reverts or None,
    )


def operations_result(
    root: Path, known: Sequence[LoggedOperation], session: str | None = None, limit: int | None = None
) -> OperationsResult:
    """Return the JSON of the operations (of one session), newest first."""
    from patchpoint.operations.choice import standings

    undone = {each.operation.id for each in standings(known) if each.is_undone}
    wanted = [each for each in known if session in (None, each.cause.session)][:limit]
    return OperationsResult(tuple(operation_data(each, root, is_undone=each.id in undone) for each in wanted))


def operation_data(operation: LoggedOperation, root: Path, *, is_undone: bool) -> OperationData:
    """Return the JSON of an operation on the working tree at `root`."""
    cause = operation.cause
    return OperationData(
        id=operation.id,
        kind=cause.kind.value,
        at=operation.at,
        state="undone" if is_undone else "done",
        session=cause.session or None,
        label=cause.label,
        target=cause.target or None,
        files=files_data(operation.files(), root),
        checkpoints=tuple(name.rpartition("/")[2] for name, _ in operation.checkpoints),
    )


def files_data(files: Sequence[tuple[str, str]], root: Path) -> tuple[OperationFileData, ...]:
    """Return the JSON of files, each with its letter and its path, which may be relative to `root`."""
    return tuple(OperationFileData(uri_of(root / path), change) for change, path in files)
