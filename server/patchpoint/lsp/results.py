"""What a command came to, in a line for a person whose client does not show the answers of commands.

Many run what a code action or a lens stands for and drop the answer; without the line, an edit that was
refused looks like one that was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from patchpoint.lsp.answers import CheckpointAnswer, EditsAnswer, OutcomeAnswer, RestoreAnswer
from patchpoint.lsp.uris import name_of, path_of
from patchpoint.outcome import Status

_MOST_NAMED = 3

_LANDED = (Status.APPLIED.value, Status.ALREADY_APPLIED.value)


def line_for_person(
    command: str, answer: object, roots: Sequence[Path]
) -> tuple[types.MessageType, str] | None:
    """The line about the `answer` of a command, and how grave it is; `None` where there is nothing to tell.

    Edits that all landed are seen where they landed, and a preview is shown.
    """
    if isinstance(answer, EditsAnswer):
        if command == "patchpoint.previewEdits":
            return None
        told = _about_edits(answer, "taken back" if command == "patchpoint.revertEdits" else "applied", roots)
        return (types.MessageType.Warning, told) if told else None
    if isinstance(answer, CheckpointAnswer):
        what = f" “{answer.label}”" if answer.label else ""
        return types.MessageType.Info, f"Checkpoint{what} taken: {_counted(answer.files, 'file')}."
    if isinstance(answer, RestoreAnswer):
        return (
            types.MessageType.Info,
            f"Restored: {_counted(len(answer.written), 'file')} written, {len(answer.deleted)} deleted. "
            "`patchpoint.undoRestore` takes it back.",
        )
    return None


def _about_edits(answer: EditsAnswer, done: str, roots: Sequence[Path]) -> str:
    left = [edit for edit in answer.edits if edit.status not in _LANDED]
    if not answer.edits:
        return "No edit was found."
    if not left:
        return ""
    # What is held back is so because of the others.
    causes = [edit for edit in left if edit.status != Status.HELD.value] or left
    told = [_about_edit(edit, roots) for edit in causes[:_MOST_NAMED]]
    if len(causes) > _MOST_NAMED:
        told.append(f"and {len(causes) - _MOST_NAMED} more")
    landed = len(answer.edits) - len(left)
    return f"{landed} of {_counted(len(answer.edits), 'edit')} {done}; {'; '.join(told)}"


def _about_edit(edit: OutcomeAnswer, roots: Sequence[Path]) -> str:
    file = _file(edit.uri, roots)
    about = f"{file}: " if file else ""
    if edit.status == Status.AMBIGUOUS.value and edit.candidates:
        lines = ", ".join(str(candidate.range.start.line + 1) for candidate in edit.candidates)
        return f"{about}ambiguous (lines {lines})"
    if edit.status == Status.NOT_FOUND.value and edit.range is not None:
        return f"{about}not found (line {edit.range.start.line + 1} is nearest)"
    if edit.status == Status.NOT_FOUND.value:
        return f"{about}not found"
    return f"{about}{' '.join(edit.message.split())}"


def _file(uri: str, roots: Sequence[Path]) -> str:
    path = path_of(uri)
    root = next((root for root in roots if path is not None and path.is_relative_to(root)), None)
    return path.relative_to(root).as_posix() if path is not None and root is not None else name_of(uri)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
