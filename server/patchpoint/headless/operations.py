"""The JSON of the log of operations, and of what was undone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.headless.undo import Undone
from patchpoint.operations.choice import standings
from patchpoint.operations.log import LoggedOperation
from patchpoint.schema.checkpoints import restore_result
from patchpoint.schema.responses import RestoreResult
from patchpoint.schema.uris import uri_of


@dataclass(frozen=True, slots=True)
class OperationFile:
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
    files: tuple[OperationFile, ...]
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
    files: tuple[OperationFile, ...]
    checkpoints: tuple[str, ...]
    missing: tuple[str, ...]
    """The ids of checkpoints that are gone for good."""
    passed: tuple[OperationData, ...]
    """Newer operations of others, which stay."""
    restored: RestoreResult | None
    """The restore that did it, where one did."""


def operations_result(
    root: Path, known: Sequence[LoggedOperation], session: str | None = None, limit: int | None = None
) -> OperationsResult:
    """Return the JSON of the operations (of one session), newest first."""
    undone = {each.operation.id for each in standings(known) if each.is_undone}
    wanted = [each for each in known if session in (None, each.cause.session)][:limit]
    return OperationsResult(tuple(_operation(each, root, is_undone=each.id in undone) for each in wanted))


def undone_result(done: Undone) -> UndoneResult:
    """Return the JSON of what was undone or redone."""
    is_undone = (done.kind.value == "undo") is not done.dry_run
    return UndoneResult(
        operation=_operation(done.operation, done.root, is_undone=is_undone),
        kind=done.kind.value,
        dry_run=done.dry_run,
        files=_files(done.files, done.root),
        checkpoints=done.checkpoints,
        missing=done.missing,
        restored=None if done.restored is None else restore_result(done.restored, done.root),
        passed=tuple(_operation(each, done.root, is_undone=False) for each in done.passed),
    )


def _operation(operation: LoggedOperation, root: Path, *, is_undone: bool) -> OperationData:
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
        files=_files(operation.files(), root),
        checkpoints=tuple(name.rpartition("/")[2] for name, _ in operation.checkpoints),
    )


def _files(files: Sequence[tuple[str, str]], root: Path) -> tuple[OperationFile, ...]:
    """Return the JSON of files, each with its letter and its path, which may be relative to `root`."""
    return tuple(OperationFile(uri_of(root / path), change) for change, path in files)
