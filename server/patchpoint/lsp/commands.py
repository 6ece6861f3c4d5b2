"""The table of commands: dispatch, the server's capabilities and the documentation are derived from it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import Field
from importlib import import_module
from typing import Any, Generic, TypeVar

from patchpoint.dataclass import dataclass
from patchpoint.schema import operations, requests, responses, reviews
from patchpoint.schema.decode import JSON, InvalidArgumentError, decode, field_types

Params = TypeVar("Params")
Result = TypeVar("Result")

Handler = Callable[[Any, Params, Any], Coroutine[Any, Any, Result]]
"""The function that executes a command, given the session, the parameters and the work to report progress on.

The first and the last are of types that only `lsp.session` and what lies above it know.
"""


@dataclass(frozen=True, slots=True)
class Command(Generic[Params, Result]):
    """A command: its name, what it does in a phrase, and the dataclasses that it takes and returns.

    `feature` is the module of `lsp.features` that has the handler, under `@handles`. It is imported when the
    handler is first needed, so that a session starts without it.
    """

    name: str
    title: str
    params: type[Params]
    result: type[Result]
    feature: str

    def handler(self) -> Handler[Params, Result]:
        """Return the handler, importing its module first."""
        import_module(f"patchpoint.lsp.features.{self.feature}")
        return _HANDLERS[self.name]

    def keys(self) -> Mapping[str, tuple[Field[Any], Any]]:
        """Return the fields of `params`, with their types, by their names on the wire."""
        params: type = self.params
        return field_types(params)

    def decode_arguments(self, given: JSON) -> Params:
        """Return the `arguments` of a request, decoded strictly; nothing, `[]` and `[{}]` are alike.

        So is `[[]]`: Lua does not tell an empty object from an empty list.
        Raises `InvalidArgumentError` when they are not one object with the keys of `params`.
        """
        if given is None:
            given = []
        if not isinstance(given, list):
            raise InvalidArgumentError("`arguments` must be a list with one object.")
        if len(given) > 1:
            raise InvalidArgumentError(f"`{self.name}` takes one object, not {len(given)} arguments.")
        value = given[0] if given else None
        return decode(self.params, {} if value is None or value == [] else value)


AnyCommand = Command[Any, Any]

_HANDLERS: dict[str, Handler[Any, Any]] = {}


def handles(
    command: Command[Params, Result],
) -> Callable[[Handler[Params, Result]], Handler[Params, Result]]:
    """Register the decorated function as the handler of `command`; mypy compares its types with the row's."""

    def register(handler: Handler[Params, Result]) -> Handler[Params, Result]:
        _HANDLERS[command.name] = handler
        return handler

    return register


APPLY_EDITS = Command(
    "patchpoint.applyEdits",
    "Apply the edits in a model's answer",
    requests.ApplyEdits,
    responses.EditsResult,
    feature="apply_edits",
)

PREVIEW_EDITS = Command(
    "patchpoint.previewEdits",
    "Show what the edits in a model's answer would change",
    requests.ApplyEdits,
    responses.EditsResult,
    feature="previewing.preview",
)

LIST_PENDING_EDITS = Command(
    "patchpoint.listPendingEdits",
    "List the edits that could not be applied",
    requests.ListPendingEdits,
    responses.PendingEditsResult,
    feature="pending",
)

RESOLVE_EDIT = Command(
    "patchpoint.resolveEdit",
    "Apply a pending edit at one of its candidates",
    requests.ResolveEdit,
    responses.EditsResult,
    feature="pending",
)

ACCEPT_PROPOSAL = Command(
    "patchpoint.acceptProposal",
    "Apply a proposed edit as its diff shows it",
    requests.AcceptProposal,
    responses.EditsResult,
    feature="pending",
)

PLACE_EDIT = Command(
    "patchpoint.placeEdit",
    "Put a pending edit at a place that you point to",
    requests.PlaceEdit,
    responses.EditsResult,
    feature="previewing.place",
)

COMPARE_EDIT = Command(
    "patchpoint.compareEdit",
    "Compare what the model quoted with what the file has and what the model wants",
    requests.CompareEdit,
    responses.ComparedEditResult,
    feature="compare",
)

DISCARD_EDIT = Command(
    "patchpoint.discardEdit",
    "Discard a pending edit",
    requests.DiscardEdit,
    responses.DiscardResult,
    feature="pending",
)

LIST_APPLICATIONS = Command(
    "patchpoint.listApplications",
    "List what was applied and can be reverted",
    requests.ListApplications,
    responses.ApplicationsResult,
    feature="reverting.revert",
)

REVERT_EDITS = Command(
    "patchpoint.revertEdits",
    "Revert applied edits",
    requests.RevertEdits,
    responses.EditsResult,
    feature="reverting.revert",
)

TAKE_CHECKPOINT: Command[requests.TakeCheckpoint, responses.CheckpointData | None] = Command(
    "patchpoint.takeCheckpoint",
    "Take a checkpoint of the working tree",
    requests.TakeCheckpoint,
    responses.CheckpointData,
    feature="checkpoints",
)

LIST_CHECKPOINTS = Command(
    "patchpoint.listCheckpoints",
    "List checkpoints",
    requests.ListCheckpoints,
    responses.CheckpointsResult,
    feature="checkpoints",
)

DIFF_CHECKPOINT = Command(
    "patchpoint.diffCheckpoint",
    "Show what changed since a checkpoint",
    requests.DiffCheckpoint,
    responses.DiffResult,
    feature="checkpoints",
)

RESTORE_CHECKPOINT = Command(
    "patchpoint.restoreCheckpoint",
    "Restore a checkpoint",
    requests.RestoreCheckpoint,
    responses.RestoreResult,
    feature="restore",
)

UNDO_RESTORE = Command(
    "patchpoint.undoRestore",
    "Undo the last restore",
    requests.UndoRestore,
    responses.RestoreResult,
    feature="restore",
)

REDO_RESTORE = Command(
    "patchpoint.redoRestore",
    "Redo an undone restore",
    requests.UndoRestore,
    responses.RestoreResult,
    feature="restore",
)

UNDO = Command(
    "patchpoint.undo",
    "Undo the last thing that Patchpoint did",
    operations.Undo,
    operations.UndoneResult,
    feature="reverting.undo",
)

REDO = Command(
    "patchpoint.redo",
    "Redo what was undone",
    operations.Undo,
    operations.UndoneResult,
    feature="reverting.undo",
)

LIST_OPERATIONS = Command(
    "patchpoint.listOperations",
    "List what Patchpoint did and can be undone",
    operations.ListOperations,
    operations.OperationsResult,
    feature="reverting.undo",
)

RENAME_CHECKPOINT = Command(
    "patchpoint.renameCheckpoint",
    "Rename, pin or unpin a checkpoint",
    requests.RenameCheckpoint,
    responses.CheckpointData,
    feature="checkpoints",
)

DELETE_CHECKPOINT = Command(
    "patchpoint.deleteCheckpoint",
    "Delete a checkpoint",
    requests.DeleteCheckpoint,
    responses.DeletedCheckpointsResult,
    feature="checkpoints",
)

PRUNE_CHECKPOINTS = Command(
    "patchpoint.pruneCheckpoints",
    "Delete old checkpoints",
    requests.PruneCheckpoints,
    responses.DeletedCheckpointsResult,
    feature="checkpoints",
)

REVIEW_CHANGES = Command(
    "patchpoint.reviewChanges",
    "Review what changed since a checkpoint, or what a preview would change",
    requests.ReviewChanges,
    reviews.ReviewResult,
    feature="review",
)

REVIEW_HUNK = Command(
    "patchpoint.reviewHunk",
    "Keep a change, or revert it; keep or drop one of a preview",
    requests.ReviewHunk,
    reviews.ReviewedFileData,
    feature="review",
)

FINISH_REVIEW = Command(
    "patchpoint.finishReview",
    "Finish a review, and return its summary; apply what is kept of a preview",
    requests.FinishReview,
    reviews.FinishedReviewResult,
    feature="review",
)

SHOW_CHANGE = Command(
    "patchpoint.showChange",
    "Show what was there before a change",
    requests.ShowChange,
    reviews.ShownDifferenceResult,
    feature="review",
)

NEXT_CHANGE = Command(
    "patchpoint.nextChange",
    "Show the next undecided change",
    requests.NextChange,
    reviews.NextChangeResult,
    feature="review",
)

MODEL_INSTRUCTIONS = Command(
    "patchpoint.modelInstructions",
    "Return instructions that tell a model how to write its edits",
    requests.ModelInstructions,
    responses.ModelInstructionsResult,
    feature="instructions",
)

COMMANDS: tuple[AnyCommand, ...] = (
    APPLY_EDITS,
    PREVIEW_EDITS,
    LIST_PENDING_EDITS,
    RESOLVE_EDIT,
    ACCEPT_PROPOSAL,
    PLACE_EDIT,
    COMPARE_EDIT,
    DISCARD_EDIT,
    LIST_APPLICATIONS,
    REVERT_EDITS,
    TAKE_CHECKPOINT,
    LIST_CHECKPOINTS,
    DIFF_CHECKPOINT,
    RESTORE_CHECKPOINT,
    UNDO_RESTORE,
    REDO_RESTORE,
    UNDO,
    REDO,
    LIST_OPERATIONS,
    RENAME_CHECKPOINT,
    DELETE_CHECKPOINT,
    PRUNE_CHECKPOINTS,
    REVIEW_CHANGES,
    REVIEW_HUNK,
    FINISH_REVIEW,
    SHOW_CHANGE,
    NEXT_CHANGE,
    MODEL_INSTRUCTIONS,
)

_BY_NAME = {command.name: command for command in COMMANDS}

COMMAND_NAMES: tuple[str, ...] = tuple(_BY_NAME)


def find_command(name: JSON) -> AnyCommand:
    """Return the command called `name`. Raises `InvalidArgumentError` when there is none."""
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    raise InvalidArgumentError(f"There is no command {name!r}; the commands are {', '.join(_BY_NAME)}.")
