"""Answer the hook of an agent whose patch may have drifted: by another patch, a refusal, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from patchpoint.headless.repair import repair_patch
from patchpoint.hooks.fields import Fields, folder_in, plain
from patchpoint.hooks.meeting_place import working_tree_of
from patchpoint.progress import Silent
from patchpoint.schema.git_settings import settings_of

_EVENT = "PreToolUse"
_TOOL = "applypatch"


def repaired(sent: bytes, folder: str) -> str:
    """Return what to print in answer to `PreToolUse` of `apply_patch`; empty where the patch is to stay.

    `folder` is where the hook runs. Codex accepts other input only together with `allow`, and refuses the
    tool by `deny`, whose reason its model reads (openai/codex, pull request 20527).
    """
    try:
        data = json.loads(sent)
    except (ValueError, RecursionError):
        return ""
    given = Fields(data)
    arguments = given.value("toolinput")
    if given.text("hookeventname") != _EVENT or plain(given.text("toolname")) != _TOOL:
        return ""
    if not isinstance(arguments, Mapping) or not isinstance(command := arguments.get("command"), str):
        return ""
    base = Path(folder, folder_in(given) or "").resolve()
    root = Path(working_tree_of(str(base)))
    settings, _ = settings_of(root)
    decided = repair_patch(command, root, base, ladder=settings.ladder(), progress=Silent())
    if decided.feedback:
        return _output(permissionDecision="deny", permissionDecisionReason=decided.feedback)
    if decided.patch is None:
        return ""
    return _output(permissionDecision="allow", updatedInput={**arguments, "command": decided.patch})


def _output(**decision: object) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": _EVENT, **decision}}) + "\n"
