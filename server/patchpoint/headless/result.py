"""The result of a request on the files of folders, and its shape in the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.edit import ONLY_TURN
from patchpoint.outcome import Status
from patchpoint.paths.repositories import working_tree_inside
from patchpoint.text.lines import LineTable

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.edit import TurnRead, Unplaced
    from patchpoint.outcome import Outcome
    from patchpoint.patching.plan import PlannedChange
    from patchpoint.schema.responses import EditsResult, FileChangeData, OutcomeData
    from patchpoint.workspace.history.applications import Application
    from patchpoint.workspace.request import ResolvedRequest


@dataclass(frozen=True, slots=True)
class TakenBefore:
    """A checkpoint that was taken before edits were applied."""

    checkpoint: Checkpoint
    root: Path
    """The root of its store."""
    holds_changed: bool
    """Whether it holds a file that the edits change: one of a repository inside is only in that one's own."""

    def is_found_from(self, folder: Path) -> bool:
        """Return whether a command that is run in `folder` finds the checkpoint."""
        return folder.is_relative_to(self.root) and working_tree_inside(self.root, folder / "file") is None


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """The result of a request, applied or planned."""

    request: ResolvedRequest
    outcomes: tuple[Outcome, ...]
    changes: tuple[PlannedChange, ...]
    application: Application | None
    """The record by which it can be reverted."""
    checkpoints: tuple[TakenBefore, ...]
    """The checkpoints that were taken before, those that hold a changed file first."""
    dry_run: bool
    reverting: bool = False
    """An application is reverted."""
    warnings: tuple[str, ...] = ()
    """Sentences for a person on what went wrong, though the edits are applied."""
    unplaced: tuple[Unplaced, ...] = ()
    """The fences of the answer that are not taken for edits, and the edits that are left alone."""
    turn: TurnRead = ONLY_TURN

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint of the first folder, or repository inside one, in which a file is changed."""
        return self.checkpoints[0].checkpoint if self.checkpoints else None

    @property
    def applied(self) -> int:
        """The number of edits that were applied, or would be."""
        return sum(
            outcome.status in (Status.APPLIED, Status.REVERTED, Status.MATCHED) for outcome in self.outcomes
        )

    def table_before(self, name: str) -> LineTable | None:
        """Return the lines of a file before the edits."""
        target = self.request.targets.get(name)
        return LineTable.of(target.text) if target is not None and target.text is not None else None

    def table_after(self, name: str) -> LineTable | None:
        """Return the lines of a file after the edits."""
        for change in self.changes:
            if change.path == name:
                return LineTable.of(change.after) if change.after is not None else None
        return self.table_before(name)

    def diff(self, change: PlannedChange) -> str:
        """Return the unified diff of one file."""
        return self.request.diff(change)


def edits_result(result: ApplyResult) -> EditsResult:
    """Return `result` in the shape of the protocol; positions count characters."""
    from patchpoint.schema.checkpoints import checkpoint_data
    from patchpoint.schema.edits import reading_remark, unplaced_data
    from patchpoint.schema.responses import EditsResult

    return EditsResult(
        applied=not result.dry_run and bool(result.changes),
        application=result.application.id if result.application else None,
        edits=tuple(_outcome_data(result, outcome) for outcome in result.outcomes),
        files=tuple(_change_data(result, change) for change in result.changes),
        checkpoint=checkpoint_data(result.checkpoint) if result.checkpoint else None,
        unplaced=tuple(map(unplaced_data, result.unplaced)),
        turn=result.turn.number,
        turns=result.turn.count,
        remark=reading_remark(result.turn, result.unplaced),
    )


def _outcome_data(result: ApplyResult, outcome: Outcome) -> OutcomeData:
    from patchpoint.schema.edits import outcome_data
    from patchpoint.text.positions import Unit

    return outcome_data(
        outcome,
        edit_id=result.request.id_of(outcome.index),
        uri=_uri(result, outcome.path),
        before=result.table_before(outcome.path),
        after=result.table_after(outcome.path),
        unit=Unit.UTF_32,
    )


def _change_data(result: ApplyResult, change: PlannedChange) -> FileChangeData:
    from patchpoint.schema.responses import FileChangeData
    from patchpoint.workspace.digests import digests_of

    old, new = digests_of(change, result.request)
    return FileChangeData(
        uri=_uri(result, change.path),
        operation=change.operation,
        new_uri=_uri(result, change.new_path) if change.new_path is not None else None,
        diff=result.diff(change),
        old_sha256=old,
        new_sha256=new,
    )


def _uri(result: ApplyResult, name: str) -> str:
    from patchpoint.schema.uris import uri_of

    target = result.request.targets.get(name)
    return uri_of(target.resolved.path) if target is not None and target.resolved is not None else ""
