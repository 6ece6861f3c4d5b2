"""The `WorkspaceEdit` of the Language Server Protocol as JSON: files as such, and texts at positions.

A position is a line and a column in UTF-16 units of one state of a file. Its version is the count of one
editor, so nothing shows that the file is still in that state: a text at a position is taken only where it
says what it takes the place of (`oldText`), where it goes to the very top, or into a file that the same edit
creates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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

UNQUOTED = (
    "the place is a line and a column, and nothing shows that the text meant is still there; a search text "
    "('oldText') was expected"
)
_KINDS = ("create", "rename", "delete")
_TOP = {"line": 0, "character": 0}


def workspace_edit_of(fields: Fields, owner: object) -> Iterator[FoundEdit] | None:
    """Return the edits of a `WorkspaceEdit`; `None` for anything else."""
    listed, by_uri = fields.get("documentchanges"), fields.get("changes")
    if isinstance(listed, list) and listed and all(_is_change(change) for change in listed):
        changes = [folded_fields(change) for change in listed]
    elif isinstance(by_uri, dict) and by_uri and all(_is_file(uri, by_uri[uri]) for uri in by_uri):
        changes = [{"textdocument": {"uri": uri}, "edits": edits} for uri, edits in by_uri.items()]
    else:
        return None
    return (FoundEdit(item, owner) for item in _items(changes))


def _is_change(change: object) -> bool:
    if not isinstance(change, dict):
        return False
    fields = folded_fields(change)
    if fields.get("kind") in _KINDS:
        return True
    return isinstance(fields.get("textdocument"), dict) and isinstance(fields.get("edits"), list)


def _is_file(uri: str, edits: object) -> bool:
    return (
        "://" in uri
        and isinstance(edits, list)
        and all(isinstance(edit, dict) and "range" in edit and "newText" in edit for edit in edits)
    )


def _items(changes: Sequence[Fields]) -> Iterator[Item]:
    created: dict[str, int] = {}
    items: list[Item] = []
    for change in changes:
        if change.get("kind") in _KINDS:
            item = _of_file(change)
            if item.path and change["kind"] == "create":
                created[item.path] = len(items)
            items.append(item)
            continue
        path = local_path(first_text(folded_fields(change["textdocument"]), ("uri",)))
        for edit in change["edits"]:
            fields = folded_fields(edit) if isinstance(edit, dict) else {}
            new = fields.get("newtext")
            made = items[created[path]] if path in created else None
            if isinstance(made, Edit) and isinstance(new, str) and _is_at_top(fields):
                items[created.pop(path)] = replace(made, content=new)
            else:
                items.append(_of_text(path, fields))
    yield from items


def _of_file(change: Fields) -> Item:
    kind = change["kind"]
    path = local_path(first_text(change, ("olduri",) if kind == "rename" else ("uri",)))
    new_path = local_path(first_text(change, ("newuri",)))
    if not path or (kind == "rename" and not new_path):
        return call_malformed("a file was expected as 'uri', or as 'oldUri' and 'newUri'", path)
    if kind == "rename":
        return replace(call_edit(path, Operation.RENAME), new_path=new_path)
    if kind == "delete":
        return call_edit(path, Operation.DELETE)
    return replace(call_edit(path, Operation.CREATE), content="")


def _of_text(path: str, fields: Fields) -> Item:
    new, old = fields.get("newtext"), fields.get("oldtext")
    if not path:
        return call_malformed(NO_FILE)
    if not isinstance(new, str):
        return call_malformed("the new text ('newText') was expected", path)
    if isinstance(old, str) and old:
        start = fields["range"].get("start") if isinstance(fields.get("range"), dict) else None
        line = start.get("line") if isinstance(start, dict) else None
        hint = line + 1 if isinstance(line, int) and line >= 0 else None
        return replace(call_edit(path, Operation.REPLACE), search=old, replace=new, line=hint)
    if _is_at_top(fields) and new.endswith("\n"):
        return replace(call_edit(path, Operation.INSERT), replace=new, line=0)
    return call_malformed(UNQUOTED, path)


def _is_at_top(fields: Fields) -> bool:
    place = fields.get("range")
    return isinstance(place, dict) and place.get("start") == _TOP and place.get("end") == _TOP
