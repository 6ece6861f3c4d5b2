"""Edits given as data: the arguments of the editing tools that models know, in all their spellings.

`{path, old_string, new_string, replace_all}` and relatives; lists of them below `edits` or `replacements`,
also as a JSON text; `insert` at a line; `create`, `write`, `delete`, `rename`; before, modified and after
lines; a patch or blocks as the text of one argument; a shell command that applies a patch; and any of these
inside the envelope of a function call (`name` and `arguments`, `tool_calls`, `input`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlsplit

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.scan import ReadText
from patchpoint.formats.source import Item
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.keys import folded

_DEEPEST = 12
"""The number of objects that may be around an edit; real calls need five."""

_NO_FILE = "no file is named; the key 'path' (or 'file_path') was expected"
_EXISTING_CODE = re.compile(r"^[ \t]*(?:(?://|#|/\*|<!--|--|;|\{/\*)[ \t]*)?(?:\.\.\.|…)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FoundEdit:
    """An item, and the object that asks for it (by identity), or `None` when it comes from a text."""

    item: Item
    owner: object


@dataclass(frozen=True, slots=True)
class _CallContext:
    """What an object gets from those around it: the path, and the tool that it is for."""

    path: str
    tool: str
    read_text: ReadText
    trusted: bool
    """The data are known to be a call: `{path, content}` alone asks for the whole file."""
    depth: int = 0


def find_edits(
    value: object, read_text: ReadText, *, known_path: str = "", trusted: bool = True
) -> list[FoundEdit]:
    """Return the edits that a decoded JSON value asks for, in order; none when it is no tool call.

    `known_path` is the path of an edit without one. Values that were found in the middle of a text are not
    `trusted`: an object must then have more of the marks of a call.
    """
    return list(_edits(value, _CallContext(known_path, "", read_text, trusted)))


def has_only_known_keys(value: object, depth: int = 0) -> bool:
    """Return whether calls have every key of a decoded value: a repair may turn text into other keys."""
    if isinstance(value, list):
        return depth <= _DEEPEST and all(has_only_known_keys(element, depth + 1) for element in value)
    if isinstance(value, dict) and depth <= _DEEPEST:
        return all(folded(key) in keys.KNOWN and has_only_known_keys(value[key], depth + 1) for key in value)
    return not isinstance(value, dict)


def _edits(value: object, given: _CallContext) -> Iterator[FoundEdit]:
    if given.depth > _DEEPEST:
        return
    given = replace(given, depth=given.depth + 1)
    if isinstance(value, list):
        if value and all(isinstance(word, str) for word in value):
            yield from _in_command(value, given)
        else:
            for element in value:
                yield from _edits(element, given)
    elif isinstance(value, dict):
        yield from _in_object(value, {folded(str(key)): element for key, element in value.items()}, given)


def _in_object(owner: object, fields: Mapping[str, Any], given: _CallContext) -> Iterator[FoundEdit]:
    function = fields.get("function")
    if isinstance(function, dict):
        yield from _edits(function, given)
        return
    tool = folded(_first_text(fields, keys.TOOL).rpartition(".")[2])
    for key in keys.ARGUMENTS:
        arguments = _decoded(fields.get(key))
        if isinstance(arguments, dict) and (tool or key not in ("input",)):
            yield from _edits(
                arguments, replace(given, tool=tool or given.tool, trusted=given.trusted or bool(tool))
            )
            return
        if tool and isinstance(fields.get(key), str) and not _first_text(fields, keys.PATH):
            yield from _in_text(fields[key], given, owner)
            return
    given = replace(given, path=_path_of(fields) or given.path, tool=tool or given.tool)
    for key in keys.NESTED:
        nested = _decoded(fields.get(key))
        if isinstance(nested, (list, dict)) and not (isinstance(nested, list) and _all_texts(nested)):
            yield from _edits(nested, given)
            return
    command = fields.get("command", fields.get("cmd"))
    if isinstance(command, list) and command and _all_texts(command):
        yield from _in_command(command, given)
        return
    doing = folded(_first_text(fields, keys.OPERATION if given.trusted else keys.PLAIN_OPERATION))
    if doing in keys.VIEWING or given.tool in keys.VIEWING:
        return
    item = _one_edit(fields, keys.OPERATIONS.get(doing) or keys.OPERATIONS.get(given.tool), given)
    if item:
        yield FoundEdit(item, owner)
        return
    for key in keys.PATCH:
        if isinstance(fields.get(key), str):
            yield from _in_text(fields[key], given, owner)
            return
    if isinstance(command, str):
        yield from _in_text(command, given, owner, script=True)
        return
    for key in keys.CALLS:
        if isinstance(fields.get(key), (list, dict)):
            yield from _edits(fields[key], given)


def _one_edit(fields: Mapping[str, Any], operation: Operation | None, given: _CallContext) -> Item | None:
    """Return the edit that one object asks for by its own keys."""
    path = given.path
    try:
        if operation is Operation.DELETE and path:
            return _edit(path, operation)
        if operation is Operation.RENAME:
            old_path, new_path = (
                _first_text(fields, keys.SOURCE) or path,
                _first_text(fields, keys.DESTINATION),
            )
            if not old_path or not new_path:
                return _malformed(
                    "a rename needs the old path ('path') and the new one ('newPath')", old_path
                )
            return replace(_edit(_local(old_path), operation), new_path=_local(new_path))
        if fields.get("before") is not None and fields.get("after") is not None:
            return _between_anchors(fields, given)
        inserting = operation is Operation.INSERT or fields.get("insertline") is not None
        old = _text(fields, keys.OLD)
        if inserting and not old:
            return _insertion(fields, given)
        new = _text(fields, keys.NEW)
        if old is None and new is None and operation is Operation.REPLACE:
            old, new = _text(fields, ("before",)), _text(fields, ("after", "modified"))
        if old is not None or (new is not None and operation in (None, Operation.REPLACE)):
            return _replacement(fields, old, new, operation, given)
        return _whole_file(fields, operation, given)
    except _WrongKindError as wrong:
        return _malformed(str(wrong), path) if given.trusted or _quotes_plainly(fields) else None


def _replacement(
    fields: Mapping[str, Any],
    old: str | None,
    new: str | None,
    operation: Operation | None,
    given: _CallContext,
) -> Item | None:
    if new is None:
        new = _text(fields, keys.NEW_AS_WELL)
    plain = operation is not None or _quotes_plainly(fields)
    if not given.path:
        return _malformed(_NO_FILE) if plain and old is not None and new is not None else None
    if old is None and new is not None and "newtext" in fields:
        return replace(_edit(given.path, Operation.CREATE), content=new)
    if old is None or new is None:
        if not plain:
            return None
        missing = "the text to search for ('old_string')" if old is None else "the replacement ('new_string')"
        return _malformed(f"{missing} was expected among the keys", given.path)
    if not old:
        return replace(_edit(given.path, Operation.CREATE), content=new)
    expected = _number(fields, ("expectedreplacements",))
    if expected is not None and expected > 1:
        message = f"exactly {expected} replacements cannot be asked for; quote each place, or replace all"
        return _malformed(message, given.path)
    return replace(
        _edit(given.path, Operation.REPLACE),
        search=old,
        replace=new,
        replace_all=any(_truth(fields.get(key)) for key in keys.ALL),
        occurrence=_number(fields, ("occurrence",)),
        line=_number(fields, keys.LINE),
        scope=_scope(fields.get("scope")),
    )


def _between_anchors(fields: Mapping[str, Any], given: _CallContext) -> Item | None:
    before, after = _text(fields, ("before",)), _text(fields, ("after",))
    between = _text(fields, ("modified", *keys.NEW, "new", "content", "text", "insert"))
    if between is None:
        called = given.trusted or given.tool
        return _replacement(fields, before, after, Operation.REPLACE, given) if called else None
    if not given.path:
        return _malformed(_NO_FILE) if given.trusted else None
    if not before or not after:
        return _malformed("both 'before' and 'after' must quote lines of the file", given.path)
    return replace(_edit(given.path, Operation.BETWEEN), before=before, after=after, replace=between)


def _insertion(fields: Mapping[str, Any], given: _CallContext) -> Item:
    """Return an insertion at a line: after it, or before it where the tool counts so.

    Anthropic's text editor inserts after `insert_line` (0: at the top); Cline's editor, whose text is
    `new_text`, and Roo's `insert_content` (0: at the end) insert before it.
    """
    text = _text(fields, ("inserttext", *keys.NEW, "content", "text", "new"))
    line = _number(fields, ("insertline", "line", "linenumber"), least=0)
    if not given.path:
        return _malformed(_NO_FILE)
    if text is None:
        return _malformed("the text to insert ('new_str') was expected among the keys", given.path)
    if line is None:
        return _malformed(
            "the line to insert after ('insert_line') was expected, a number from 0", given.path
        )
    if text and not text.endswith(("\n", "\r")):
        text += "\n"
    edit = replace(_edit(given.path, Operation.INSERT), replace=text)
    if given.tool == "insertcontent":
        return replace(edit, line=line - 1) if line else replace(edit, at_end=True)
    return replace(edit, line=max(line - 1, 0) if "newtext" in fields else line)


def _whole_file(fields: Mapping[str, Any], operation: Operation | None, given: _CallContext) -> Item | None:
    if "codeedit" in fields or given.tool in ("inserteditintofile", "editexistingfile"):
        return _partial_file(fields, given)
    makes = operation in (Operation.CREATE, Operation.WRITE)
    bare = given.trusted and operation is None and isinstance(fields.get("content"), str)
    if not (makes or bare or "filetext" in fields):
        return None
    content = _text(fields, keys.CONTENT)
    if not given.path:
        return _malformed(_NO_FILE) if content is not None else None
    if content is None:
        return _malformed("the file's content ('content') was expected among the keys", given.path)
    if not makes:
        operation = Operation.CREATE if "filetext" in fields else Operation.WRITE
    return replace(_edit(given.path, operation or Operation.CREATE), content=content)


def _partial_file(fields: Mapping[str, Any], given: _CallContext) -> Item | None:
    """Return a file of which parts may be left out: where none are, it may be created."""
    content = _text(fields, (*keys.PARTIAL, *keys.CONTENT))
    if content is None or not given.path:
        return None
    if _EXISTING_CODE.search(content):
        message = "it leaves out parts of the file; the text to replace was expected too"
        return _malformed(message, given.path)
    return replace(_edit(given.path, Operation.CREATE), content=content)


def _quotes_plainly(fields: Mapping[str, Any]) -> bool:
    """Return whether keys such as `old_string` show that a text of a file is quoted."""
    return any(key.startswith("old") and key in keys.OLD for key in fields)


def _in_command(words: list[str], given: _CallContext) -> Iterator[FoundEdit]:
    """Return the edits of a command given as words: `["bash", "-lc", "apply_patch <<'EOF' ..."]`."""
    program = words[0].replace("\\", "/").rpartition("/")[2]
    if program in ("apply_patch", "applypatch") and len(words) == 2:
        yield from _in_text(words[1], given, words)
    elif (
        program in ("bash", "sh", "zsh", "dash", "ksh")
        and len(words) == 3
        and words[1] in ("-lc", "-c", "-cl")
        and ("apply_patch" in words[2] or "applypatch" in words[2])
    ):
        yield from _in_text(words[2], given, words, script=True)


def _in_text(text: str, given: _CallContext, owner: object, *, script: bool = False) -> Iterator[FoundEdit]:
    """Return the edits of a text inside a call, which may name absolute paths as the call itself may."""
    for item in given.read_text(text, given.path, script):
        yield FoundEdit(replace(item, format=Format.TOOL_CALL), owner)


class _WrongKindError(Exception):
    """The value of a key is of the wrong kind."""


def _edit(path: str, operation: Operation) -> Edit:
    return Edit(path=path, operation=operation, format=Format.TOOL_CALL)


def _malformed(message: str, path: str = "") -> Malformed:
    return Malformed(message=message, span=(0, 0), line=1, path=path, format=Format.TOOL_CALL)


def _path_of(fields: Mapping[str, Any]) -> str:
    return _local(_first_text(fields, keys.PATH))


def _local(path: str) -> str:
    """Return the path that a `file:` URI names; any other path as it is."""
    path = path.strip()
    if path.startswith("file://"):
        path = unquote(urlsplit(path).path)
        return path[1:] if re.match(r"/[A-Za-z]:", path) else path
    return path


def _first_text(fields: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((fields[key] for key in keys if isinstance(fields.get(key), str)), "")


def _text(fields: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """Return the text of the first of `keys` that is there; a list of lines is a text too."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and _all_texts(value):
            return "".join(line if line.endswith("\n") else f"{line}\n" for line in value)
        if value is not None:
            raise _WrongKindError(f"'{key}' must be a text, not {_kind(value)}")
    return None


def _number(fields: Mapping[str, Any], keys: tuple[str, ...], least: int = 1) -> int | None:
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        if value is not None:
            raise _WrongKindError(f"'{key}' must be a number from {least}, not {_kind(value)}")
    return None


def _scope(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, list) and _all_texts(value):
        return tuple(line for line in value if line.strip())
    if value is not None:
        raise _WrongKindError(f"'scope' must be a list of lines, not {_kind(value)}")
    return ()


def _truth(value: object) -> bool:
    return (
        value is True
        or value == 1
        or (isinstance(value, str) and value.strip().casefold() in ("true", "yes", "1"))
    )


def _all_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _decoded(value: object) -> object:
    """Return a JSON text decoded, where it is one; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    return value


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return (
        repr(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else names.get(type(value), "that")
    )
