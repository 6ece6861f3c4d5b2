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
    first_text,
    folded_fields,
    is_true,
    local_path,
    name_of,
    number_of,
    path_of,
    scope_of,
    text_of,
)
from patchpoint.formats.tool_calls.dialects import CONDITIONS, DIALECTS, KNOWN, Condition, Dialect
from patchpoint.formats.tool_calls.patches import changes_of, new_file_of, patches_of
from patchpoint.formats.tool_calls.workspace_edits import workspace_edit_of
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
_CELL_TYPES = ("", "code", "markdown", "raw")
_NUMBERS = ("line", "occurrence", "expected")
_OF_EDITS = frozenset(Edit.__annotations__)

_QUOTING = frozenset(key for key in keys.OLD if key.startswith("old"))
"""Keys that show plainly that a text of a file is quoted."""
_ROWS = tuple(zip(DIALECTS, CONDITIONS, strict=True))
_BY_KEY: dict[str, list[int]] = {}
"""The rows by each of the keys of which an object must have one; those without such keys are below no key."""
for _number, (_, _condition) in enumerate(_ROWS):
    for _key in _condition.has[0] if _condition.has else ("",):
        _BY_KEY.setdefault(_key, []).append(_number)


def find_edits(
    value: object, read_text: ReadText, *, known_path: str = "", trusted: bool = True
) -> list[FoundEdit]:
    """Return the edits that a decoded JSON value asks for, in order; none when it is no tool call.

    `known_path` is the path of an edit without one. Values that were found in the middle of a text are not
    `trusted`: an object must then have more of the marks of a call.
    """
    return list(_edits(value, CallContext(known_path, "", read_text, trusted)))


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
        yield from _in_object(value, folded_fields(value), given)


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
    given = replace(given, path=path_of(fields) or given.path, tool=tool or given.tool, depth=depth)
    for reading in (changes_of(fields, given, owner), workspace_edit_of(fields, owner)):
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
    for row, condition in map(_ROWS.__getitem__, sorted(numbers)):
        if not _fits(condition, fields, operation, given):
            continue
        is_sure = row.is_sure or quotes or operation is not None
        try:
            own = _object_below(fields, row.inside) if row.inside else fields
            if row.at and row.at[0] is TargetKind.LINES and not _is_tagged(own, condition):
                continue
            return _read(row, condition, own, given, is_sure=is_sure)
        except WrongKindError as wrong:
            is_call = quotes or row.at or (given.trusted and (row.is_sure or not condition.is_called))
            return call_malformed(str(wrong), given.path) if is_call else None
    return None


def _fits(when: Condition, fields: Fields, operation: Operation | None, given: CallContext) -> bool:
    if when.asks and operation not in when.asks:
        return False
    return (
        not any(group.isdisjoint(fields) for group in when.has)
        and all(_value_of(fields, names) in values for names, values in when.values)
        and (not when.tools or given.tool.endswith(when.tools))
        and (not when.is_called or given.trusted or bool(given.tool))
        and all(fields.get(key) in (None, "") for key in when.lacks)
    )


def _value_of(fields: Fields, names: tuple[str, ...]) -> str:
    value = next((fields[name] for name in names if name in fields), "")
    return folded(str(value)) if isinstance(value, (str, int)) else ""


def _read(
    row: Dialect, condition: Condition, fields: Fields, given: CallContext, *, is_sure: bool
) -> Item | None:
    """Return the edit of a row, or what is wrong with it; `None` where that may be no call."""
    path = local_path(first_text(fields, condition.keys.get("path", ()))) or given.path
    if row.refused:
        return call_malformed(row.refused, path) if path or row.is_sure or row.at else None
    values = {
        name: _field(name, names, fields, row)
        for name, names in condition.keys.items()
        if not condition.spelled[name].isdisjoint(fields)
    }
    missing = next((words for name, words in row.needed.items() if values.get(name) is None), "")
    if not path:
        is_sure = is_sure or (row.makes is Operation.BETWEEN and given.trusted)
        is_whole = not missing or row.makes is Operation.INSERT
        return call_malformed(NO_FILE) if is_sure and is_whole and row.makes is not Operation.DELETE else None
    if missing:
        return call_malformed(f"{missing} was expected among the keys", path) if is_sure else None
    own: dict[str, Any] = {
        name: value for name, value in values.items() if value is not None and name in _OF_EDITS
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
        return replace(edit, line=line, replace=text if row.of == "Kimi" else _ended(text))
    elif row.makes is Operation.MERGE:
        said = first_text(fields, keys.EXPLANATION)
        if any(map(is_mark, text.splitlines())):
            return replace(edit, lead=said)
        whole = call_edit(edit.path, Operation.CREATE)
        return replace(whole, content=text, may_be_part=True, lead=said)
    elif row.at:
        return _placed(edit, row.at, values, fields)
    return edit


def _placed(edit: Edit, at: tuple[TargetKind, Side], values: Fields, fields: Fields) -> Edit:
    """Return an edit with the place that it names."""
    (kind, side), text = at, edit.replace
    if kind is TargetKind.LINES:
        text = _ended(text)
        side = Side.DELETED if side is Side.INSTEAD and not text else side
    elif kind is TargetKind.CELL and isinstance(fields.get("newcode"), list):
        text = text.removesuffix("\n")
    name, last, cell_type = (values.get(field) or "" for field in ("name", "last", "cell_type"))
    return replace(edit, target=Target(kind, name, side, last=last, cell_type=cell_type), replace=text)


def _ended(text: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else f"{text}\n"


def _object_below(fields: Fields, key: str) -> Fields:
    return folded_fields(fields[key]) if isinstance(fields[key], dict) else {}


def _is_tagged(fields: Fields, condition: Condition) -> bool:
    """Return whether the line that is named has a tag made from its text."""
    return _TAG.match(name_of(fields, condition.keys["name"]) or "") is not None


def _field(name: str, names: tuple[str, ...], fields: Fields, row: Dialect) -> object:
    """Return the value of one field of an edit or of its target, of the kind that it has."""
    if name in _NUMBERS:
        return number_of(fields, names, least=0 if row.makes is Operation.INSERT else 1)
    if name == "replace_all":
        return any(is_true(fields.get(key)) for key in names)
    if name == "scope":
        return scope_of(fields.get(names[0]))
    if name in ("name", "last"):
        return name_of(fields, names)
    if name == "cell_type":
        kind = first_text(fields, names).casefold()
        return kind if kind in _CELL_TYPES else "code"
    if name in ("path", "new_path"):
        return local_path(first_text(fields, names)) or None
    return text_of(fields, names)


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
