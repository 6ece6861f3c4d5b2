"""Plan a request against the files of folders, and apply it: a checkpoint, the files, the record of both."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import ONLY_TURN
from patchpoint.headless.result import ApplyResult, TakenBefore
from patchpoint.operations.log import Cause, OperationKind
from patchpoint.outcome import Atomic, Status
from patchpoint.patching.proposal import NOTHING_ACCEPTED
from patchpoint.paths.executing import FilesToConfirm
from patchpoint.paths.repositories import recorded_folders
from patchpoint.workspace.history.applications import Origin, application_of
from patchpoint.workspace.history.ledger import Ledger
from patchpoint.workspace.request import Workspace, plan_request, read_request

if TYPE_CHECKING:
    from patchpoint.checkpoints.options import StoreOptions
    from patchpoint.edit import Edit, Malformed, TurnRead, Unplaced
    from patchpoint.locate.ladder import Ladder
    from patchpoint.outcome import Outcome
    from patchpoint.patching.plan import Plan
    from patchpoint.patching.proposal import Accepted
    from patchpoint.progress import Progress
    from patchpoint.text.lines import Span
    from patchpoint.workspace.history.applications import Application
    from patchpoint.workspace.request import ResolvedRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRequest:
    """Edits of files below folders, and how they are to be applied."""

    edits: tuple[Edit | Malformed, ...]
    roots: tuple[Path, ...]
    """The folders; the ledger of the first has the record."""
    base: Path | None = None
    """The folder that relative paths are resolved in first."""
    atomic: Atomic = Atomic.ALL
    ladder: Ladder | None = None
    expected: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of files as the caller read them, by path: see `workspace.digests`."""
    originals: Mapping[str, bytes] = field(default_factory=dict)
    """The exact bytes of files that a revert creates again, by absolute path."""
    reverts: str = ""
    """The id of the application that is reverted, if one is."""
    origin: Origin = field(default_factory=Origin)
    answer: str = ""
    """What the answer is known by: looked at again, it is not another failure of the model. Empty, it is."""
    remedy: str | None = None
    """How to confirm edits of files that start programs: see `plan_request`; `None` confirms them."""
    confirm: FilesToConfirm = field(default_factory=FilesToConfirm)
    """The files that start programs, beyond those that are known by their names."""
    unplaced: tuple[Unplaced, ...] = ()
    """The fences of the answer that are not taken for edits."""
    turn: TurnRead = ONLY_TURN
    by: str = ""
    """Who asks, where no session is named: empty for a person."""
    accept: Accepted = NOTHING_ACCEPTED
    """The proposals that are made: a person, or whoever asks, has seen what they change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointBefore:
    """The checkpoint to take before anything is written; it is called by what follows."""

    session: str | None = None
    message: str | None = None
    options: StoreOptions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRequest:
    """A request, the files that were read for it, and what it does to them."""

    asked: FolderRequest
    request: ResolvedRequest
    plan: Plan
    chosen: Mapping[int, Span]
    """The place that the user chose for an edit, by its index."""
    whole: Container[int] = ()
    """The edits that replace all lines at their places."""

    def foreseen(self) -> ApplyResult:
        """Return the result of a dry run."""
        return ApplyResult(
            self.request,
            self.plan.outcomes,
            self.plan.changes,
            None,
            (),
            dry_run=True,
            reverting=bool(self.asked.reverts),
            unplaced=self.asked.unplaced,
            turn=self.asked.turn,
        )

    def at(
        self, chosen: Mapping[int, Span], progress: Progress, *, whole: Container[int] = ()
    ) -> PlannedRequest:
        """Return the plan in which these edits are at the places that the user chose for them.

        Those in `whole` replace all lines there; the others are merged into them.
        """
        return _planned(self.asked, self.request, chosen, chosen, progress, whole)

    def accepting(self, ids: Collection[str], progress: Progress) -> PlannedRequest:
        """Return the plan in which the proposals with these ids are accepted, too."""
        accept = replace(self.asked.accept, ids=self.asked.accept.ids.union(ids))
        asked = replace(self.asked, accept=accept)
        return _planned(asked, self.request, self.chosen, self.chosen, progress, self.whole)

    def label(self) -> str:
        """Return what a checkpoint before it is called: by what follows."""
        from patchpoint.workspace.label import label_before

        return label_before(self.plan, reverting=bool(self.asked.reverts))

    def unconfirmed(self) -> dict[str, str]:
        """Return the files that would be changed and need a confirmation, by name, each with why."""
        executing = self.request.executing
        names = [name for change in self.plan.changes for name in (change.path, change.new_path)]
        return {name: executing[name] for name in names if name is not None and name in executing}


def plan_in_folders(
    asked: FolderRequest, progress: Progress, *, choosing: Container[int] = ()
) -> PlannedRequest:
    """Read the files that `asked` is about and plan its edits; nothing is written.

    `choosing` has the indexes of the edits for which the user chooses a place again.
    """
    workspace = Workspace(roots=asked.roots, confirm=asked.confirm)
    request = read_request(
        asked.edits, workspace, base=asked.base, originals=asked.originals, progress=progress
    )
    if asked.expected:
        from patchpoint.workspace.digests import without_stale

        request = without_stale(request, asked.expected, workspace, asked.base)
    return _planned(asked, request, {}, choosing, progress)


def apply_planned(
    planned: PlannedRequest, *, checkpoint: CheckpointBefore | None, progress: Progress
) -> ApplyResult:
    """Apply a plan: take the checkpoint, write all files or none, and record what was done.

    Raises `CheckpointError`, `FileError`, and `CancelledError` through `progress`: nothing is written then.
    """
    from patchpoint.workspace.history.refusals import record_refusals, refusal_counts, with_repeat_feedback
    from patchpoint.workspace.write import write_changes

    asked, request, plan = planned.asked, planned.request, planned.plan
    ledger = Ledger(asked.roots[0])
    times = refusal_counts(ledger, asked.answer)
    outcomes = with_repeat_feedback(request, plan.outcomes, lambda name: times.get(name, 0))
    record_refusals(ledger, request, plan.outcomes, asked.answer)
    done = ApplyResult(
        request,
        outcomes,
        plan.changes,
        None,
        (),
        dry_run=False,
        reverting=bool(asked.reverts),
        unplaced=asked.unplaced,
        turn=asked.turn,
    )
    if not plan.changes:
        if asked.reverts and all(one.status is Status.ALREADY_APPLIED for one in outcomes):
            ledger.keep_reverted(asked.reverts)
        return done
    taken = _take_checkpoints(planned, checkpoint, progress) if checkpoint is not None else ()
    cause = _cause(asked)
    write_changes(request, plan.changes, progress, cause)
    made = Status.REVERTED if asked.reverts else Status.APPLIED
    outcomes = tuple(replace(one, status=made) if one.status is Status.MATCHED else one for one in outcomes)
    if any(one.proposal for one in outcomes):
        from patchpoint.patching.answers.open_proposals import proposed_after

        outcomes = proposed_after(replace(plan, outcomes=outcomes), request.items, asked.ladder).outcomes
    kept, warnings = _record(planned, outcomes, ledger, cause.id)
    return replace(done, outcomes=outcomes, application=kept, checkpoints=taken, warnings=warnings)


def _planned(
    asked: FolderRequest,
    request: ResolvedRequest,
    chosen: Mapping[int, Span],
    choosing: Container[int],
    progress: Progress,
    whole: Container[int] = (),
) -> PlannedRequest:
    before = Ledger(asked.roots[0]).chosen()
    placed = {
        index for index in range(len(asked.edits)) if index not in choosing and request.id_of(index) in before
    }
    plan = plan_request(
        request,
        atomic=asked.atomic,
        ladder=asked.ladder,
        chosen=chosen,
        whole=whole,
        placed=placed,
        accept=asked.accept,
        remedy=asked.remedy,
        unplaced=asked.unplaced,
        progress=progress,
    )
    return PlannedRequest(asked=asked, request=request, plan=plan, chosen=chosen, whole=whole)


def _take_checkpoints(
    planned: PlannedRequest, wanted: CheckpointBefore, progress: Progress
) -> tuple[TakenBefore, ...]:
    """Take a checkpoint of each folder in which a file is changed, and of each repository inside with one.

    Those that hold a changed file come first.
    """
    from patchpoint.checkpoints.store import CheckpointStore

    names = [name for change in planned.plan.changes for name in (change.path, change.new_path)]
    found = planned.request.targets
    targets = [found[name].resolved for name in names if name is not None and name in found]
    folders = recorded_folders((target.root, target.path) for target in targets if target is not None)
    opened = {folder: CheckpointStore.open(folder, options=wanted.options) for folder in folders}
    stores = {store.root: store for store in opened.values()}
    holding = {opened[folder].root for folder, holds_changed in folders.items() if holds_changed}
    return tuple(
        TakenBefore(
            store.take(
                label=planned.label(),
                session=wanted.session,
                message=wanted.message,
                kind=CheckpointKind.BEFORE_APPLY,
                progress=progress,
            ),
            root,
            holds_changed=root in holding,
        )
        for root, store in stores.items()
    )


def _cause(asked: FolderRequest) -> Cause:
    return Cause(
        kind=OperationKind.REVERT if asked.reverts else OperationKind.APPLY,
        session=asked.origin.session or asked.by,
        ledger=str(asked.roots[0]),
    )


def _record(
    planned: PlannedRequest, outcomes: tuple[Outcome, ...], ledger: Ledger, id_: str
) -> tuple[Application | None, tuple[str, ...]]:
    """Record what was applied; return the record, or a warning where it cannot be kept."""
    asked, request = planned.asked, planned.request
    done = (Status.APPLIED, Status.REVERTED)
    applied = [request.id_of(one.index) for one in outcomes if one.status in done]
    placed = [name for index in planned.chosen if (name := request.id_of(index)) in applied]
    changes = planned.plan.changes
    application = application_of(request, changes, applied, placed, asked.reverts, asked.origin, id_)
    try:
        ledger.keep_application(application)
        if asked.reverts:
            ledger.keep_reverted(asked.reverts)
    except OSError as error:
        reason = error.strerror or error
        return None, (f"The edits were applied, but cannot be reverted: {reason}.",)
    return application, ()
