"""The `WorkspaceEdit` of the Language Server Protocol as JSON: files as such, and texts at positions.

A position is a line and a column in UTF-16 units of one state of a file. Its version is the count of one
editor, so nothing shows that the file is still in that state: a text at a position is taken only where it
says what it takes the place of (`oldText`), where it goes to the very top, or into a file that the same edit
creates.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Operation
from patchpoint.formats.source import Item
from patchpoint.formats.tool_calls.arguments import (
    NO_FILE,
    Fields,
    FoundEdit,
    call_edit,
    call_malformed,
    first_text,
    folded_fields,
    local_path,
)
from patchpoint.formats.tool_calls.dialects import UNQUOTED

_KINDS = {"create": Operation.CREATE, "rename": Operation.RENAME, "delete": Operation.DELETE}
_TOP = {"line": 0, "character": 0}


def workspace_edit_of(fields: Fields, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of a `WorkspaceEdit`; `None` for anything else."""
    listed, by_uri = fields.get("documentchanges"), fields.get("changes")
    if isinstance(listed, list) and listed and all(map(_is_change, listed)):
        changes: list[Fields] = [folded_fields(change) for change in listed]
    elif isinstance(by_uri, dict) and by_uri and all(_is_file(uri, by_uri[uri]) for uri in by_uri):
        changes = [{"textdocument": {"uri": uri}, "edits": edits} for uri, edits in by_uri.items()]
    else:
        return None
    items: list[Item] = []
    for change in changes:
        if change.get("kind") in _KINDS:
            items.append(_of_file(change))
            continue
        path = local_path(first_text(folded_fields(change["textdocument"]), ("uri",)))
        for edit in change["edits"]:
            item = _of_text(path, folded_fields(edit) if isinstance(edit, dict) else {})
            is_first = isinstance(item, Edit) and item.line == 0
            made = next((n for n, one in enumerate(items) if _is_empty_file(one, path)), None)
            if isinstance(item, Edit) and is_first and made is not None:
                items[made] = replace(call_edit(path, Operation.CREATE), content=item.replace)
            elif isinstance(item, Edit) and is_first and not item.replace.endswith("\n"):
                items.append(call_malformed(UNQUOTED, path))
            else:
                items.append(item)
    return (FoundEdit(item, owner) for item in items)


def _is_change(change: object) -> bool:
    fields = folded_fields(change) if isinstance(change, dict) else {}
    has_texts = isinstance(fields.get("textdocument"), dict) and isinstance(fields.get("edits"), list)
    return fields.get("kind") in _KINDS or has_texts


def _is_file(uri: str, edits: object) -> bool:
    if "://" not in uri or not isinstance(edits, list):
        return False
    return all(isinstance(edit, dict) and {"range", "newText"} <= set(edit) for edit in edits)


def _is_empty_file(item: Item, path: str) -> bool:
    return isinstance(item, Edit) and item.path == path and item.content == ""


def _of_file(change: Fields) -> Item:
    operation = _KINDS[change["kind"]]
    moves = operation is Operation.RENAME
    path = local_path(first_text(change, ("olduri",) if moves else ("uri",)))
    new_path = local_path(first_text(change, ("newuri",)))
    if not path or (moves and not new_path):
        return call_malformed("a file was expected as 'uri', or as 'oldUri' and 'newUri'", path)
    if moves:
        return replace(call_edit(path, operation), new_path=new_path)
    return replace(call_edit(path, operation), content="" if operation is Operation.CREATE else None)


def _of_text(path: str, fields: Fields) -> Item:
    new, old, place = fields.get("newtext"), fields.get("oldtext"), fields.get("range")
    place = place if isinstance(place, dict) else {}
    if not path:
        return call_malformed(NO_FILE)
    if not isinstance(new, str):
        return call_malformed("the new text ('newText') was expected", path)
    if isinstance(old, str) and old:
        start = place.get("start")
        line = start.get("line") if isinstance(start, dict) else None
        hint = line + 1 if isinstance(line, int) and line >= 0 else None
        return replace(call_edit(path, Operation.REPLACE), search=old, replace=new, line=hint)
    if place.get("start") == _TOP == place.get("end"):
        return replace(call_edit(path, Operation.INSERT), replace=new, line=0)
    return call_malformed(UNQUOTED, path)
