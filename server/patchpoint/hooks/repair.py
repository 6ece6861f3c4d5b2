"""Answer the hook of an agent whose patch may have drifted: by another patch, a refusal, or nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from patchpoint.headless.repair import repair_patch
from patchpoint.hooks.fields import Fields, folder_in, plain
from patchpoint.hooks.meeting_place import working_tree_of
from patchpoint.progress import Silent
from patchpoint.schema.git_settings import settings_of
from patchpoint.text.regex import regex

_EVENT = "PreToolUse"
_TOOL = "applypatch"
_SHELLS = ("bash", "shell", "execcommand")
_HERE_DOCUMENT = regex(
    r"\s*(?:cd\s+(?P<folder>[\w./-]+)\s*&&\s*)?apply_?patch\s*<<\s*"
    r"""(?P<quote>['"]?)(?P<word>\w+)(?P=quote)[ \t]*\n"""
    r"(?P<patch>\*\*\* Begin Patch\n.*?\n)(?P=word)\s*$",
    re.DOTALL,
)
"""A command that is a patch and nothing else."""


def repaired(sent: bytes, folder: str) -> str:
    """Return what to print in answer to `PreToolUse` of a patch; empty where the patch is to stay.

    It is that of the tool `apply_patch`, or a command's here-document, which Codex applies by that tool as
    well. `folder` is where the hook runs. Codex accepts other input only together with `allow`, and refuses
    the tool by `deny`, whose reason its model reads (openai/codex, pull request 20527).
    """
    try:
        data = json.loads(sent)
    except (ValueError, RecursionError):
        return ""
    given = Fields(data)
    arguments = given.value("toolinput")
    tool = plain(given.text("toolname"))
    if given.text("hookeventname") != _EVENT or tool not in (_TOOL, *_SHELLS):
        return ""
    if not isinstance(arguments, Mapping) or not isinstance(command := arguments.get("command"), str):
        return ""
    found = _HERE_DOCUMENT.match(command) if tool in _SHELLS else None
    if tool in _SHELLS and (found is None or _is_expanded(found)):
        return ""
    below = found["folder"] if found is not None else None
    base = Path(folder, folder_in(given) or "", below or "").resolve()
    root = Path(working_tree_of(str(base)))
    settings, _ = settings_of(root)
    patch = found["patch"] if found is not None else command
    decided = repair_patch(patch, root, base, ladder=settings.ladder(), progress=Silent())
    if decided.feedback:
        # Codex ends the sentence itself.
        return _output(permissionDecision="deny", permissionDecisionReason=decided.feedback.rstrip("\n ."))
    if decided.patch is None:
        return ""
    repaired_patch = decided.patch
    if found is not None:
        if found["word"] in decided.patch.split("\n"):
            return ""
        end = "" if decided.patch.endswith("\n") else "\n"
        repaired_patch = (
            f"{command[: found.start('patch')]}{decided.patch}{end}{command[found.end('patch') :]}"
        )
    return _output(permissionDecision="allow", updatedInput={**arguments, "command": repaired_patch})


def _is_expanded(found: re.Match[str]) -> bool:
    """Return whether a shell would change what is in a here-document."""
    return not found["quote"] and any(sign in found["patch"] for sign in "$`\\")


def _output(**decision: object) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": _EVENT, **decision}}) + "\n"
