"""Tell a model why its edit failed, where an agent's own tool says no more than that it did.

The edit is looked for as `patchpoint apply` looks for it, and nothing is written: the model sends it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from patchpoint.edit import Edit
from patchpoint.headless.apply import FolderRequest, PlannedRequest, plan_in_folders
from patchpoint.hooks.fields import Fields, plain
from patchpoint.hooks.meeting_place import working_tree_of
from patchpoint.outcome import Outcome, Rung, Status
from patchpoint.patching.feedback import request_feedback
from patchpoint.progress import Silent
from patchpoint.schema.git_settings import settings_of

BATCH_EVENT = "PostToolBatch"
"""The event after the tools that a model called together. There is none of its own for an edit whose text
Claude Code does not find: it does not get as far as being run."""

_FAILED = "<tool_use_error>"
_LARGEST = 4000
"""Characters of the file's own lines that are quoted."""
_MOST = 5
"""Edits of one batch that are looked at."""


def feedback_on_batch(calls: object, folder: str) -> str:
    """Return what to print after the tool `calls` of a model; empty where no edit failed that is understood.

    `folder` is where the agent works. Claude Code shows its model the context that is added by it.
    """
    edits = [edit for call in _mappings(calls) if (edit := _failed_edit(Fields(call))) is not None]
    says = [said for edit in edits[:_MOST] if (said := _said(edit, folder))]
    if not says:
        return ""
    output = {"hookEventName": BATCH_EVENT, "additionalContext": "\n\n".join(says)}
    return json.dumps({"hookSpecificOutput": output}) + "\n"


def _mappings(calls: object) -> list[Mapping[str, object]]:
    return [one for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []


def _failed_edit(call: Fields) -> Edit | None:
    """Return the edit of a call that found nothing to replace, or several places."""
    response = call.text("toolresponse")
    if plain(call.text("toolname")) != "edit" or not response.startswith(_FAILED):
        return None
    given = Fields(call.value("toolinput"))
    path, old, new = given.text("filepath"), given.value("oldstring"), given.value("newstring")
    if not path or not isinstance(old, str) or not isinstance(new, str) or not old:
        return None
    return Edit(path=path, search=old, replace=new, replace_all=given.value("replaceall") is True)


def _said(edit: Edit, folder: str) -> str:
    """Return what a model needs to know of an edit, as it would be applied here."""
    base = Path(folder).resolve()
    root = Path(working_tree_of(str(base)))
    settings, _ = settings_of(root)
    planned = plan_in_folders(
        FolderRequest(edits=(edit,), roots=(root,), base=base, ladder=settings.ladder()), Silent()
    )
    (outcome,) = planned.plan.outcomes
    if outcome.status in (Status.NOT_FOUND, Status.AMBIGUOUS, Status.ALREADY_APPLIED):
        return f"Patchpoint: {outcome.feedback or request_feedback((outcome,)) or outcome.message}"
    if outcome.status is not Status.MATCHED or outcome.rung in (None, Rung.EXACT):
        return ""  # it failed for another reason
    return _drifted(planned, outcome)


def _drifted(planned: PlannedRequest, outcome: Outcome) -> str:
    table = planned.foreseen().table_before(outcome.path)
    edit = planned.request.edit_at(0)
    target = planned.request.targets.get(edit.path) if isinstance(edit, Edit) else None
    if table is None or target is None or target.text is None or outcome.span is None:
        return ""
    start, end = outcome.span
    text = target.text[start:end]
    if len(text) > _LARGEST:
        return ""
    line = table.line_of(start) + 1
    return (
        f"Patchpoint: the file has this text at line {line}, not quite as it was quoted. Send the edit again "
        f"with exactly these lines as the text to replace:\n{text}"
    )
