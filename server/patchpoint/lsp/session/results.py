"""The result of a command in a line, for the user of a client that does not show results.

Many clients execute the command of a code action or a lens and drop its result; without the line, an edit
that was refused looks like one that was applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from patchpoint.lsp.commands import PREVIEW_EDITS, RENAME_CHECKPOINT, REVERT_EDITS
from patchpoint.outcome import Status
from patchpoint.schema.responses import CheckpointData, EditsResult, OutcomeData, RestoreResult
from patchpoint.schema.reviews import FinishedReviewResult, NextChangeResult, ReviewResult
from patchpoint.schema.uris import name_of, path_of
from patchpoint.wording import plural

UNDO_TITLE = "Undo the last restore"
"""The title of the action that undoes a restore."""

_MOST_NAMED = 3
"""Edits that a line names; of others it says how many there are."""

_APPLIED = (Status.APPLIED, Status.REVERTED, Status.ALREADY_APPLIED)


def summary_line(command: str, result: object, roots: Sequence[Path]) -> tuple[types.MessageType, str] | None:
    """Return the severity and text of the line about a command's result; `None` where none is needed.

    Edits that were all applied are seen in their files, and a preview is shown.
    """
    if isinstance(result, FinishedReviewResult) and result.result is not None:
        result = result.result
    if isinstance(result, EditsResult):
        if command == PREVIEW_EDITS.name:
            return None
        line = _about_edits(result, "reverted" if command == REVERT_EDITS.name else "applied", roots)
        return (types.MessageType.Warning, line) if line else None
    if isinstance(result, ReviewResult) and not result.edits:
        said = f"{plural(result.open, 'change')} to review in {plural(len(result.files), 'file')}."
        return types.MessageType.Info, said if result.open else "No changes left to review."
    if isinstance(result, FinishedReviewResult):
        said = f"The review has ended: kept {result.kept}, reverted {result.taken_back}"
        return types.MessageType.Info, f"{said}, undecided {result.open}." if result.open else f"{said}."
    if isinstance(result, NextChangeResult):
        return (types.MessageType.Info, "No changes left to review.") if result.uri is None else None
    if isinstance(result, CheckpointData):
        label = f" “{result.label}”" if result.label else ""
        if command == RENAME_CHECKPOINT.name:
            pinned = "pinned" if result.pinned else "not pinned"
            return types.MessageType.Info, f"Checkpoint{label} of {result.created_at}: {pinned}."
        return types.MessageType.Info, f"Checkpoint{label} taken: {plural(result.files, 'file')}."
    if isinstance(result, RestoreResult):
        left = "".join(f"{one.path} was left as it is: {one.reason}. " for one in result.kept[:1])
        if len(result.kept) > 1:
            left += f"{plural(len(result.kept) - 1, 'other file')} too. "
        return (
            types.MessageType.Warning if left else types.MessageType.Info,
            f"Restored: {plural(len(result.written), 'file')} written, {len(result.deleted)} deleted. {left}"
            f"To undo it, use the source action “{UNDO_TITLE}”.",
        )
    return None


def _about_edits(result: EditsResult, done: str, roots: Sequence[Path]) -> str:
    failed = [edit for edit in result.edits if edit.status not in _APPLIED]
    if result.dropped:
        # Its user dropped some, and needs no message about those.
        failed = [edit for edit in failed if edit.status is not Status.HELD]
    if not result.edits:
        return "No edit was found."
    if not failed:
        return f"{plural(len(result.edits), 'edit')} {done}; {result.remark}." if result.remark else ""
    # Edits are held back because of the others, which are named.
    causes = [edit for edit in failed if edit.status is not Status.HELD] or failed
    named = [_about_edit(edit, roots) for edit in causes[:_MOST_NAMED]]
    if len(causes) > _MOST_NAMED:
        named.append(f"and {len(causes) - _MOST_NAMED} more")
    count = sum(edit.status in _APPLIED for edit in result.edits)
    named += [result.remark] if result.remark else []
    return f"{count} of {plural(len(result.edits), 'edit')} {done}; {'; '.join(named)}"


def _about_edit(edit: OutcomeData, roots: Sequence[Path]) -> str:
    file = _file(edit.uri, roots)
    about = f"{file}: " if file else ""
    if edit.status is Status.AMBIGUOUS and edit.candidates:
        lines = ", ".join(str(candidate.range.start.line + 1) for candidate in edit.candidates)
        return f"{about}ambiguous (lines {lines})"
    if edit.proposal is not None:
        return f"{about}proposed at line {edit.proposal.range.start.line + 1}, and not written until accepted"
    if edit.status is Status.NOT_FOUND and edit.range is not None:
        return f"{about}not found (line {edit.range.start.line + 1} is nearest)"
    if edit.status is Status.NOT_FOUND:
        return f"{about}not found"
    return f"{about}{' '.join(edit.message.split())}"


def _file(uri: str, roots: Sequence[Path]) -> str:
    path = path_of(uri)
    root = next((root for root in roots if path is not None and path.is_relative_to(root)), None)
    return path.relative_to(root).as_posix() if path is not None and root is not None else name_of(uri)
