"""The table of commands, from which dispatch, the server's capabilities and the documentation come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from patchpoint.lsp import answers, arguments
from patchpoint.lsp.decode import JSON, InvalidArgumentError, decode

Handler = Callable[[Any, Any, Any], Awaitable[object]]
"""Given the session, the arguments and the work to report on, answers what the command answers."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it is called, takes and answers, and who does it.

    The handler is named and loaded when it is first wanted, so that a session starts without it.
    """

    name: str
    title: str
    takes: type
    answers: type
    handled_by: str

    def handler(self) -> Handler:
        """The function that does it."""
        module, _, function = self.handled_by.partition(".")
        handler: Handler = getattr(import_module(f"patchpoint.lsp.features.{module}"), function)
        return handler

    def arguments(self, given: JSON) -> object:
        """What the caller sent as `arguments`, read strictly; nothing, `[]` and `[{}]` are alike.

        So is `[[]]`: an empty object as Lua writes it, which knows no difference.
        Raises `InvalidArgumentError`.
        """
        if given is None:
            given = []
        if not isinstance(given, list):
            raise InvalidArgumentError("`arguments` must be a list with one object.")
        if len(given) > 1:
            raise InvalidArgumentError(f"`{self.name}` takes one object, not {len(given)} arguments.")
        value = given[0] if given else None
        return decode(self.takes, {} if value is None or value == [] else value)


COMMANDS: tuple[Command, ...] = (
    Command(
        "patchpoint.applyEdits",
        "Apply the edits in a model's answer",
        arguments.ApplyEdits,
        answers.EditsAnswer,
        "apply_edits.apply_edits",
    ),
    Command(
        "patchpoint.previewEdits",
        "Show what the edits in a model's answer would change",
        arguments.ApplyEdits,
        answers.EditsAnswer,
        "preview.preview_edits",
    ),
    Command(
        "patchpoint.listPendingEdits",
        "List the edits that could not land",
        arguments.ListPendingEdits,
        answers.PendingAnswer,
        "pending.list_pending_edits",
    ),
    Command(
        "patchpoint.resolveEdit",
        "Apply a pending edit at one of its candidates",
        arguments.ResolveEdit,
        answers.EditsAnswer,
        "pending.resolve_edit",
    ),
    Command(
        "patchpoint.compareEdit",
        "Show what a pending edit quotes, what its file has, and what it wants there",
        arguments.CompareEdit,
        answers.ShownAnswer,
        "compare.compare_edit",
    ),
    Command(
        "patchpoint.discardEdit",
        "Discard a pending edit",
        arguments.DiscardEdit,
        answers.DiscardAnswer,
        "pending.discard_edit",
    ),
    Command(
        "patchpoint.revertEdits",
        "Take back edits that were applied",
        arguments.RevertEdits,
        answers.EditsAnswer,
        "pending.revert_edits",
    ),
    Command(
        "patchpoint.takeCheckpoint",
        "Take a checkpoint of the working tree",
        arguments.TakeCheckpoint,
        answers.CheckpointAnswer,
        "checkpoints.take_checkpoint",
    ),
    Command(
        "patchpoint.listCheckpoints",
        "List checkpoints",
        arguments.ListCheckpoints,
        answers.CheckpointsAnswer,
        "checkpoints.list_checkpoints",
    ),
    Command(
        "patchpoint.diffCheckpoint",
        "Show what changed since a checkpoint",
        arguments.DiffCheckpoint,
        answers.DiffAnswer,
        "checkpoints.diff_checkpoint",
    ),
    Command(
        "patchpoint.restoreCheckpoint",
        "Restore a checkpoint",
        arguments.RestoreCheckpoint,
        answers.RestoreAnswer,
        "checkpoints.restore_checkpoint",
    ),
    Command(
        "patchpoint.undoRestore",
        "Undo the last restore",
        arguments.UndoRestore,
        answers.RestoreAnswer,
        "checkpoints.undo_restore",
    ),
    Command(
        "patchpoint.deleteCheckpoint",
        "Delete a checkpoint",
        arguments.DeleteCheckpoint,
        answers.DeletedAnswer,
        "checkpoints.delete_checkpoint",
    ),
    Command(
        "patchpoint.pruneCheckpoints",
        "Delete old checkpoints",
        arguments.PruneCheckpoints,
        answers.DeletedAnswer,
        "checkpoints.prune_checkpoints",
    ),
)

_BY_NAME = {command.name: command for command in COMMANDS}

COMMAND_NAMES: tuple[str, ...] = tuple(_BY_NAME)


def command_named(name: JSON) -> Command:
    """The command of that name. Raises `InvalidArgumentError`."""
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    raise InvalidArgumentError(f"There is no command {name!r}. There are {', '.join(_BY_NAME)}.")
