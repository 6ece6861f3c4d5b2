"""Repair a patch before another program applies it: rewritten to the letter, or refused with feedback."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Malformed
from patchpoint.formats import parse_edits
from patchpoint.headless.apply import FolderRequest, PlannedRequest, plan_in_folders
from patchpoint.headless.exact_patch import exact_patch
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Reason, Rung, Status
from patchpoint.patching.feedback import request_feedback
from patchpoint.progress import Progress

_NOT_OURS = {Reason.FORBIDDEN, Reason.EXECUTING, Reason.UNREADABLE, Reason.STALE, Reason.TOO_LARGE}
"""Why an edit is refused although its place may be clear: the other program has rules of its own."""


@dataclass(frozen=True, slots=True)
class PatchRepair:
    """What is to become of a patch; with neither of the two, it is left as it is."""

    patch: str | None = None
    """The patch to be applied instead."""
    feedback: str = ""
    """Why none can be, to be sent back to the model."""


def repair_patch(
    text: str, root: Path, base: Path, *, ladder: Ladder | None = None, progress: Progress
) -> PatchRepair:
    """Return what is to become of a patch in the envelope format, whose paths are relative to `base`.

    It is rewritten where a hunk drifted, or names a place by more than the program that applies it would
    find; it is refused where an edit has no place or several. It is left as it is where it would be applied
    to the letter anyway, cannot be read, is about files outside of the folder `root` or such that may not be
    touched, and where no patch could make its changes. Nothing is written. Raises `CancelledError`.
    """
    edits = parse_edits(text, Format.ENVELOPE.value)
    if not edits or any(isinstance(item, Malformed) for item in edits):
        return PatchRepair()
    asked = FolderRequest(edits=tuple(edits), roots=(root,), base=base, ladder=ladder)
    planned = plan_in_folders(asked, progress)
    outcomes = planned.plan.outcomes
    if any(one.reason in _NOT_OURS for one in outcomes):
        return PatchRepair()
    if any(one.status not in (Status.MATCHED, Status.ALREADY_APPLIED) for one in outcomes):
        return PatchRepair(feedback=request_feedback(outcomes))
    if all(one.status is Status.ALREADY_APPLIED for one in outcomes):
        return PatchRepair(feedback="\n".join(dict.fromkeys(one.message for one in outcomes)))
    if all(_is_plain(planned, index) for index in range(len(outcomes))):
        return PatchRepair()
    return PatchRepair(patch=exact_patch(planned.plan.changes, _paths(planned, base)))


def _is_plain(planned: PlannedRequest, index: int) -> bool:
    """Return whether whoever looks for the text of an edit finds it, and nowhere else."""
    outcome, edit = planned.plan.outcomes[index], planned.request.edit_at(index)
    if outcome.status is not Status.MATCHED or not isinstance(edit, Edit):
        return False
    if outcome.rung is None:
        return True  # a whole file, or lines for its end
    target = planned.request.targets[edit.path]
    return outcome.rung is Rung.EXACT and (target.text or "").count(edit.search) == 1


def _paths(planned: PlannedRequest, base: Path) -> dict[str, str]:
    """Return the paths of the files, relative to `base`, by their names in the plan."""
    names = {name for one in planned.plan.changes for name in (one.path, one.new_path) if name is not None}
    found = {}
    for name in names:
        found[name] = Path(os.path.relpath(planned.request.place_of(name), base)).as_posix()
    return found
