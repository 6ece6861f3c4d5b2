"""Patches as arguments of a call: texts, lists of texts, a new file's diff, and the git patch of a protocol.

OpenAI's `apply_patch` tool has one file a call, `{type: create_file, path, diff}`, in which every line of a
new file begins with a plus. Roo Code lists its diffs as `{content, start_line}`. In version 2 of the Agent
Client Protocol a diff is `{changes: [{operation, path, oldPath}], patch: {format: git_patch, diff}}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.dataclass import replace
from patchpoint.formats.source import with_paths
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import (
    NO_FILE,
    CallContext,
    Fields,
    FoundEdit,
    all_texts,
    call_malformed,
    folded_fields,
    local_path,
)

_OTHER_DIFF = ("---", "diff ", "@@", "***", "```")
"""What a diff of a new file begins with that is not just its lines."""


def patches_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of the first argument that is a patch or a list of patches; `None` without one."""
    for key in keys.PATCH:
        value = fields.get(key)
        listed = value if isinstance(value, list) else [value]
        texts = [folded_fields(one).get("content") if isinstance(one, dict) else one for one in listed]
        if texts and all_texts(texts):
            return (found for text in texts for found in given.edits_in(str(text), owner))
    return None


def new_file_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the new file whose lines a `diff` has; `None` where there is no diff, or content as well."""
    diff = fields.get("diff")
    if not isinstance(diff, str) or any(key in fields for key in keys.CONTENT):
        return None
    if not diff.lstrip().startswith(_OTHER_DIFF):
        if not given.path:
            return iter([FoundEdit(call_malformed(NO_FILE), owner)])
        diff = f"*** Begin Patch\n*** Add File: {given.path}\n{diff}\n*** End Patch\n"
    return given.edits_in(diff, owner)


def git_patch_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of a patch of the Agent Client Protocol, with absolute paths as its changes have."""
    patch = fields.get("patch")
    diff = patch.get("diff") if isinstance(patch, dict) else None
    changes = fields.get("changes")
    if not isinstance(diff, str) or not isinstance(changes, list):
        return None
    files = [folded_fields(change) for change in changes]
    named = [file[key] for file in files for key in ("path", "oldpath") if isinstance(file.get(key), str)]
    full = {path.lstrip("/"): path for path in map(local_path, named)}
    found = [
        replace(each, item=with_paths(each.item, lambda path: full.get(path.lstrip("/"), path)))
        for each in given.edits_in(diff, owner)
    ]
    message = "the diff cannot be read; a git patch was expected as its 'diff'"
    return iter(found or [FoundEdit(call_malformed(message, next(iter(full.values()), "")), owner)])
