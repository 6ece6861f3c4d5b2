"""Patches as arguments of a call: texts, lists of texts, a new file's diff, and the diffs of a protocol.

OpenAI's `apply_patch` tool has one file a call, `{type: create_file, path, diff}`, in which every line of a
new file begins with a plus. Roo Code lists its diffs as `{content, start_line}`. In version 2 of the Agent
Client Protocol a diff is `{changes: [{operation, path, oldPath}], patch: {format: git_patch, diff}}`, and in
version 1 a file that goes away is `{path, oldText, newText: "", deleted: true}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.formats.source import Item
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import (
    NO_FILE,
    CallContext,
    Fields,
    FoundEdit,
    call_edit,
    call_malformed,
    first_text,
    folded_fields,
    is_true,
    local_path,
    path_of,
)
from patchpoint.text.lines import split_lines, without_ending

_OPERATIONS = ("add", "modify", "delete", "move", "copy")
_OTHER_DIFF = ("---", "diff ", "@@", "***", "```")
"""What a diff of a new file begins with that is not just its lines."""


def patches_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of the first argument that is a patch or a list of patches; `None` without one."""
    for key in keys.PATCH:
        texts = _texts_of(fields.get(key))
        if texts:
            return (found for text in texts for found in given.edits_in(text, owner))
    return None


def new_file_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the new file whose lines a `diff` has; `None` where there is no diff, or content as well."""
    diff = fields.get("diff")
    if not isinstance(diff, str) or any(key in fields for key in keys.CONTENT):
        return None
    if diff.lstrip().startswith(_OTHER_DIFF):
        return given.edits_in(diff, owner)
    return iter((FoundEdit(_new_file(diff, given.path), owner),))


def changes_of(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of a diff of the Agent Client Protocol; `None` for anything else."""
    changes, patch = fields.get("changes"), fields.get("patch")
    is_diff = folded(first_text(fields, ("type",))) == "diff"
    if is_diff and is_true(fields.get("deleted")) and given.path:
        content = fields.get("oldtext")
        deletion = call_edit(given.path, Operation.DELETE)
        return iter((FoundEdit(replace(deletion, content=content if content else None), owner),))
    if not isinstance(changes, list) or not (is_diff or isinstance(patch, dict)):
        return None
    files = [folded_fields(change) for change in changes if isinstance(change, dict)]
    if not files or any(first_text(file, ("operation",)) not in _OPERATIONS for file in files):
        return None
    diff = patch.get("diff") if isinstance(patch, dict) else None
    if isinstance(diff, str) and diff.strip():
        return _of_git_patch(diff, files, given, owner)
    return (FoundEdit(_without_patch(file), owner) for file in files)


def _texts_of(value: object) -> list[str]:
    """Return the texts of a patch: itself, or those that a list has, alone or as `content`."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return []
    texts = [folded_fields(one).get("content") if isinstance(one, dict) else one for one in value]
    return [text for text in texts if isinstance(text, str)] if all(texts) else []


def _new_file(diff: str, path: str) -> Item:
    if not path:
        return call_malformed(NO_FILE)
    lines = split_lines(diff)
    if any(line[:1] != "+" and line.strip() for line in lines):
        return call_malformed("every line of a new file's diff must begin with '+'", path)
    content = "".join(f"{without_ending(line)[1:]}\n" for line in lines if line.strip())
    return replace(call_edit(path, Operation.CREATE), content=content)


def _of_git_patch(
    diff: str, files: Sequence[Fields], given: CallContext, owner: object
) -> Iterator[FoundEdit]:
    """Yield the edits of a patch, with their paths as the changes have them: absolute ones."""
    paths = [local_path(file[key]) for file in files for key in ("path", "oldpath") if file.get(key)]
    found = list(given.edits_in(diff, owner))
    if not found:
        message = "the diff cannot be read; a git patch was expected as its 'diff'"
        yield FoundEdit(call_malformed(message, path_of(files[0])), owner)
    for each in found:
        item = replace(each.item, path=_as_given(each.item.path, paths))
        if isinstance(item, Edit) and item.new_path:
            item = replace(item, new_path=_as_given(item.new_path, paths))
        yield FoundEdit(item, owner)


def _as_given(path: str, paths: Sequence[str]) -> str:
    """Return the one of `paths` that a path of the patch means: the same but for the slash in front."""
    return next((one for one in paths if one.lstrip("/") == path.lstrip("/")), path)


def _without_patch(file: Fields) -> Edit | Malformed:
    """Return the change of a file without a patch: a deletion or a move; anything else needs one."""
    operation, path = first_text(file, ("operation",)), path_of(file)
    if not path:
        return call_malformed(NO_FILE)
    if operation == "delete":
        return call_edit(path, Operation.DELETE)
    old_path = local_path(first_text(file, ("oldpath",)))
    if operation == "move" and old_path:
        return replace(call_edit(old_path, Operation.RENAME), new_path=path)
    if operation == "copy":
        return call_malformed("copying a file is not understood; the whole new file was expected", path)
    return call_malformed(f"nothing says how to {operation} the file; a 'patch' was expected", path)
