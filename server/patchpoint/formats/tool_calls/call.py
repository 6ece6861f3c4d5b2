"""Edits given as data: the objects of a call are gone through, and each row of `DIALECTS` is read in one way.

A call may be in the envelope of a function (`name` and `arguments`, `tool_calls`, `input`), in the lines of a
transcript (Codex's `payload`, Gemini's `functionCall`, opencode's `state`), or a list of edits below `edits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind
from patchpoint.formats.scan import ReadText
from patchpoint.formats.source import Item
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import (
    NO_FILE,
    CallContext,
    Fields,
    FoundEdit,
    WrongKindError,
    all_texts,
    call_edit,
    call_malformed,
    decoded,
    field_of,
    first_text,
    folded_fields,
    is_true,
    local_path,
    path_of,
    with_place,
)
from patchpoint.formats.tool_calls.dialects import DIALECTS, KNOWN, Dialect
from patchpoint.formats.tool_calls.patches import git_patch_of, new_file_of, patches_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.regex import regex

_DEEPEST = 20
"""The number of objects and lists that may be around an edit; those of transcripts need a dozen."""

_EDITING = regex(
    r"apply_?patch|^[ \t]*(?:(?:cd|mkdir)[ ][^\n]*&&[ \t]*)?(?:(?:cat|tee)\b[^\n]*<<|sed[ ][^\n]*-i)",
    re.MULTILINE,
)
"""What a script has that edits files in a way that is read."""
_TAG = regex(r"\s*(?:>>>|[-+])?\s*\d+\s*(?:#\s*[A-Z]{2}|:\s*[0-9a-f]{2})\b")
_OF_EDITS = frozenset(Edit.__annotations__)

_QUOTING = frozenset(key for key in keys.OLD if key.startswith("old"))
"""Keys that show plainly that a text of a file is quoted."""
_NEEDED = {
    "search": "the text to search for ('old_string')",
    "content": "the file's content ('content')",
    "new_path": "the new path ('newPath')",
    "line": "the line to insert after ('insert_line', a number from 0)",
    "name": "the cell ('cell_id')",
    TargetKind.DEFINITION: "the new text ('body')",
    TargetKind.CELL: "the source of the cell ('new_source')",
    Operation.REPLACE: "the replacement ('new_string')",
    Operation.INSERT: "the text to insert ('new_str')",
    Operation.MERGE: "the code ('code_edit')",
}
"""What to call a field that must be there, or the new text of a kind of place or of an operation."""
_BY_KEY: dict[str, list[int]] = {}
"""The rows by each of the keys of which an object must have one; those without such keys are below no key."""
for _number, _row in enumerate(DIALECTS):
    for _key in _row.has[0] if _row.has else ("",):
        _BY_KEY.setdefault(_key, []).append(_number)


def find_edits(
    value: object, read_text: ReadText, *, known_path: str = "", trusted: bool = True
) -> list[FoundEdit]:
    """Return the edits that a decoded JSON value asks for, in order; none when it is no tool call.

    `known_path` is the path of an edit without one. Values that were found in the middle of a text are not
    `trusted`: an object must then have more of the marks of a call.
    """
    found: list[FoundEdit] = []
    for each in _edits(value, CallContext(known_path, "", read_text, trusted)):
        text = each.item
        is_at_top = isinstance(text, Edit) and text.operation is Operation.INSERT and text.line == 0
        new = replace(call_edit(text.path, Operation.CREATE), content="") if is_at_top else None
        at = next((n for n, one in enumerate(found) if one.item == new), None) if new else None
        if isinstance(text, Edit) and new and at is not None:
            found[at] = replace(found[at], item=replace(new, content=text.replace))
        else:
            found.append(each)
    return found


def has_only_known_keys(value: object, depth: int = 0) -> bool:
    """Return whether calls have every key of a decoded value: a repair may turn text into other keys."""
    if isinstance(value, list):
        return depth <= _DEEPEST and all(has_only_known_keys(element, depth + 1) for element in value)
    if isinstance(value, dict) and depth <= _DEEPEST:
        return all(folded(key) in KNOWN and has_only_known_keys(value[key], depth + 1) for key in value)
    return not isinstance(value, dict)


def _edits(value: object, given: CallContext) -> Iterator[FoundEdit]:
    if given.depth > _DEEPEST:
        return
    if isinstance(value, list):
        if value and all_texts(value):
            yield from _in_command(value, given)
        elif value:
            given = replace(given, depth=given.depth + 1)
            for element in value:
                yield from _edits(element, given)
    elif isinstance(value, dict):
        if value and all("://" in str(key) and isinstance(one, list) for key, one in value.items()):
            for uri, edits in value.items():
                yield from _edits(edits, replace(given, path=local_path(uri), depth=given.depth + 1))
        yield from _in_object(value, with_place(folded_fields(value)), given)


def _in_object(owner: object, fields: Fields, given: CallContext) -> Iterator[FoundEdit]:
    function = fields.get("function")
    depth = given.depth + 1
    if isinstance(function, dict):
        yield from _edits(function, replace(given, depth=depth))
        return
    tool = keys.tool_of(first_text(fields, keys.TOOL))
    if folded(first_text(fields, ("type",))) == "applypatchcall":
        given = replace(given, trusted=True)
    for key in keys.ARGUMENTS:
        arguments = decoded(fields.get(key))
        if isinstance(arguments, dict) and (tool or given.tool or key != "input"):
            trusted = given.trusted or bool(tool)
            yield from _edits(
                arguments, replace(given, tool=tool or given.tool, trusted=trusted, depth=depth)
            )
            return
        if tool and isinstance(fields.get(key), str) and not first_text(fields, keys.PATH):
            yield from given.edits_in(fields[key], owner)
            return
    path = path_of(fields) or path_of(folded_fields(fields.get("textdocument")))
    is_protocol = "documentchanges" in fields or folded(first_text(fields, ("type",))) == "diff"
    trusted = given.trusted or is_protocol
    given = replace(given, path=path or given.path, tool=tool or given.tool, trusted=trusted, depth=depth)
    reading = git_patch_of(fields, given, owner)
    if reading is not None:
        yield from reading
        return
    if fields.get("edits") == []:
        yield from _of_whole_file(fields, given, owner)
    for key in keys.NESTED:
        nested = decoded(fields.get(key))
        if isinstance(nested, (list, dict)) and not (isinstance(nested, list) and all_texts(nested)):
            yield from _edits(nested, given)
            yield from _of_whole_file(fields, given, owner)
            return
    command = fields.get("command", fields.get("cmd"))
    if isinstance(command, list) and command and all_texts(command):
        yield from _in_command(command, given)
        return
    asked = folded(first_text(fields, keys.OPERATION if given.trusted else keys.PLAIN_OPERATION))
    if asked in keys.VIEWING or given.tool in keys.VIEWING:
        return
    operation = keys.OPERATIONS.get(asked) or keys.OPERATIONS.get(given.tool)
    if operation is Operation.CREATE and (created := new_file_of(fields, given, owner)):
        yield from created
        return
    item = _edit_of(fields, Operation.INSERT if "insertline" in fields else operation, given)
    if item:
        yield FoundEdit(item, owner)
        return
    patches = patches_of(fields, given, owner)
    if patches is not None:
        yield from patches
        return
    if isinstance(command, str):
        yield from given.edits_in(command, owner, script=True)
        return
    for key in keys.CALLS:
        if isinstance(fields.get(key), (list, dict)):
            yield from _edits(fields[key], given)


def _of_whole_file(fields: Fields, given: CallContext, owner: object) -> Iterator[FoundEdit]:
    """Yield what a call with a list of edits does to the file as such, as in hashline editing."""
    new_path = local_path(first_text(fields, ("rename",)))
    if given.path and is_true(fields.get("delete")) and not fields.get("edits"):
        yield FoundEdit(call_edit(given.path, Operation.DELETE), owner)
    elif given.path and new_path:
        yield FoundEdit(replace(call_edit(given.path, Operation.RENAME), new_path=new_path), owner)


def _edit_of(fields: Fields, operation: Operation | None, given: CallContext) -> Item | None:
    """Return the edit that one object asks for by its own keys, as the first row has it that it fits."""
    quotes = not _QUOTING.isdisjoint(fields)
    numbers = {number for key in ("", *fields) if key in _BY_KEY for number in _BY_KEY[key]}
    for row in map(DIALECTS.__getitem__, sorted(numbers)):
        if not _fits(row, fields, operation, given):
            continue
        is_sure = "sure" in row.flags or quotes or operation is not None
        try:
            own = folded_fields(fields[row.inside]) if row.inside else fields
            if row.kind is TargetKind.LINES and not _TAG.match(field_of("name", row.keys["name"], own) or ""):
                continue
            return _read(row, own, given, is_sure=is_sure)
        except WrongKindError as wrong:
            is_call = (
                quotes or row.kind or (given.trusted and ("sure" in row.flags or "called" not in row.flags))
            )
            return call_malformed(str(wrong), given.path) if is_call else None
    return None


def _fits(row: Dialect, fields: Fields, operation: Operation | None, given: CallContext) -> bool:
    return (
        (not row.asks or operation in row.asks)
        and not any(group.isdisjoint(fields) for group in row.has)
        and all(_value_of(fields, names) in values for names, values in row.values)
        and (not row.tools or given.tool.endswith(row.tools))
        and ("called" not in row.flags or given.trusted or bool(given.tool))
        and all(fields.get(key) in (None, "") for key in row.lacks)
    )


def _value_of(fields: Fields, names: tuple[str, ...]) -> str:
    value = next((fields[name] for name in names if name in fields), "")
    return folded(str(value)) if isinstance(value, (str, int)) else ""


def _read(row: Dialect, fields: Fields, given: CallContext, *, is_sure: bool) -> Item | None:
    """Return the edit of a row, or what is wrong with it; `None` where that may be no call."""
    path = local_path(first_text(fields, row.keys.get("path", ()))) or given.path
    if row.refused:
        return call_malformed(row.refused, path) if path or "sure" in row.flags else None
    values = {name: field_of(name, names, fields) for name, names in row.keys.items()}
    missing = next((name for name in row.needed if values[name] is None), "")
    if not path:
        is_sure = is_sure or (row.makes is Operation.BETWEEN and given.trusted)
        is_whole = not missing or row.makes is Operation.INSERT
        return call_malformed(NO_FILE) if is_sure and is_whole and row.makes is not Operation.DELETE else None
    if missing:
        words = _NEEDED.get(missing) or _NEEDED[row.kind or row.makes]
        return call_malformed(f"{words} was expected among the keys", path) if is_sure else None
    nothing = (None,) if row.makes is Operation.INSERT else (None, 0)
    own: dict[str, Any] = {
        name: value for name, value in values.items() if name in _OF_EDITS and value not in nothing
    }
    own |= {"path": path, **row.fixed}
    return _finished(Edit(operation=row.makes, format=Format.TOOL_CALL, **own), row, values, fields)


def _finished(edit: Edit, row: Dialect, values: Fields, fields: Fields) -> Item:
    """Return an edit with what its operation means in this dialect."""
    text = edit.replace
    if row.makes is Operation.REPLACE:
        if not edit.search:
            return replace(call_edit(edit.path, Operation.CREATE), content=text)
        if (values.get("expected") or 1) > 1:
            asked = f"exactly {values['expected']} replacements cannot be asked for"
            return call_malformed(f"{asked}; quote each place, or replace all", edit.path)
    elif row.makes is Operation.BETWEEN and not (edit.before and edit.after):
        return call_malformed("both 'before' and 'after' must quote lines of the file", edit.path)
    elif row.makes is Operation.INSERT:
        line = None if edit.line is None else max(edit.line + row.counts, 0)
        return replace(edit, line=line, replace=text if "as_it_is" in row.flags else _ended(text))
    elif row.makes is Operation.MERGE:
        said = first_text(fields, keys.EXPLANATION)
        if any(map(is_mark, text.splitlines())):
            return replace(edit, lead=said)
        whole = call_edit(edit.path, Operation.CREATE)
        return replace(whole, content=text, may_be_part=True, lead=said)
    elif row.kind:
        side = row.side
        if row.kind is TargetKind.LINES:
            text = _ended(text)
            side = side if text or side is not Side.INSTEAD else Side.DELETED
        elif isinstance(fields.get("newcode"), list):
            text = text.removesuffix("\n")
        name, last, cell_type = (values.get(field) or "" for field in ("name", "last", "cell_type"))
        return replace(
            edit, target=Target(row.kind, name, side, last=last, cell_type=cell_type), replace=text
        )
    return edit


def _ended(text: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else f"{text}\n"


def _in_command(words: list[str], given: CallContext) -> Iterator[FoundEdit]:
    """Yield the edits of a command given as words: `["bash", "-lc", "apply_patch <<'EOF' ..."]`."""
    program = words[0].replace("\\", "/").rpartition("/")[2]
    if program in ("apply_patch", "applypatch") and len(words) == 2:
        yield from given.edits_in(words[1], words)
    elif (
        program in ("bash", "sh", "zsh", "dash", "ksh")
        and len(words) == 3
        and words[1] in ("-lc", "-c", "-cl")
        and _EDITING.search(words[2])
    ):
        yield from given.edits_in(words[2], words, script=True)
