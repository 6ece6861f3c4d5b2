"""The arguments of one call: their values by the keys that tools use, each of the kind that is expected.

Whatever reads edits out of a call gets the fields of one object with their keys `folded`, and what the
objects around it say of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.scan import ReadText
from patchpoint.formats.source import Item

NO_FILE = "no file is named; the key 'path' (or 'file_path') was expected"

Fields = Mapping[str, Any]
"""The values of an object by its folded keys."""


@dataclass(frozen=True, slots=True)
class FoundEdit:
    """An item, and the object that asks for it (by identity), or `None` when it comes from a text."""

    item: Item
    owner: object


@dataclass(frozen=True, slots=True)
class CallContext:
    """What an object gets from those around it: the path, and the tool that it is for."""

    path: str
    tool: str
    read_text: ReadText
    trusted: bool
    """The data are known to be a call: `{path, content}` alone asks for the whole file."""
    depth: int = 0

    def edits_in(self, text: str, owner: object, *, script: bool = False) -> Iterator[FoundEdit]:
        """Yield the edits of a text inside a call, which may name absolute paths as the call itself may."""
        for item in self.read_text(text, self.path, script):
            yield FoundEdit(replace(item, format=Format.TOOL_CALL), owner)


class WrongKindError(Exception):
    """The value of a key is of the wrong kind."""


def call_edit(path: str, operation: Operation) -> Edit:
    """Return an edit of a tool call."""
    return Edit(path=path, operation=operation, format=Format.TOOL_CALL)


def call_malformed(message: str, path: str = "") -> Malformed:
    """Return what is wrong with a tool call; its place in the text is not known here."""
    return Malformed(message=message, span=(0, 0), line=1, path=path, format=Format.TOOL_CALL)


def local_path(path: str) -> str:
    """Return the path that a `file:` URI names; any other path as it is."""
    path = path.strip()
    if path.startswith("file://"):
        try:
            path = unquote(urlsplit(path).path)
        except ValueError:  # such as characters that would be a slash in another form
            return path
        return path[1:] if re.match(r"/[A-Za-z]:", path) else path
    return path


def first_text(fields: Fields, wanted: tuple[str, ...]) -> str:
    """Return the first value among the `wanted` keys that is a text, or an empty one."""
    return next((fields[key] for key in wanted if isinstance(fields.get(key), str)), "")


def field_of(name: str, keys_: tuple[str, ...], fields: Fields) -> Any:  # noqa: ANN401
    """Return the field `name` of an edit or of its target: the first of its keys that is there, or `None`.

    Raises `WrongKindError` for a value of another kind.
    """
    expected, read = _KINDS.get(name, ("a text", _text))
    for key in keys_:
        value = fields.get(key)
        found = None if value is None else read(value)
        if value is not None and found is None:
            raise WrongKindError(f"'{key}' must be {expected}")
        if found is not None and (found != "" or read is _text):
            return found
    return None


def _text(value: object) -> str | None:
    """Return a text; a list of lines is one, too."""
    if isinstance(value, list) and all_texts(value):
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in value)
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    digits = value.strip() if isinstance(value, str) else ""
    if digits.isdecimal() and len(digits) <= 18:  # no line has a longer number
        value = int(digits)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _name(value: object) -> str | None:
    number = _number(value)
    return value.strip() if isinstance(value, str) else None if number is None else str(number)


def _scope(value: object) -> tuple[str, ...] | None:
    lines = [value] if isinstance(value, str) else value
    return tuple(filter(str.strip, lines)) if isinstance(lines, list) and all_texts(lines) else None


_KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("line", "occurrence", "expected"), ("a number from 0", _number)),
    **dict.fromkeys(("name", "last"), ("an id or a number from 0", _name)),
    **dict.fromkeys(("path", "new_path"), ("a path", lambda value: local_path(str(value)))),
    "scope": ("a list of lines", _scope),
    "replace_all": ("true or false", lambda value: is_true(value)),
    "cell_type": ("a kind of cell", lambda value: value if value in ("", "markdown", "raw") else "code"),
}
"""The fields of an edit or of its target that are no texts: what is expected, and what reads it."""


def with_place(fields: Fields) -> Fields:
    """Return the fields of an edit of the Language Server Protocol with what its position is worth.

    A position is a line and a column of one state of a file, and nothing shows that the file is still in it:
    it is a hint where the text says what it takes the place of, and a place at the very top.
    """
    place = fields.get("range")
    start = place.get("start") if isinstance(place, dict) else None
    if fields.get("kind") == "create" and "uri" in fields:
        return {"content": "", **fields}
    if not isinstance(start, dict) or not isinstance(start.get("line"), int):
        return fields
    top = {"line": 0, "character": 0}
    if place != {"start": top, "end": top} or "oldtext" in fields:
        return {**fields, "line": start["line"] + 1}
    is_line = isinstance(fields.get("newtext"), str) and fields["newtext"].endswith("\n")
    return {**fields, "insertline": 0} if is_line else fields


def is_true(value: object) -> bool:
    """Return whether a value says yes, as a text too."""
    return isinstance(value, (str, int)) and str(value).strip().casefold() in ("true", "yes", "1")


def all_texts(values: list[Any]) -> bool:
    """Return whether all of `values` are texts."""
    return all(isinstance(value, str) for value in values)


def decoded(value: object) -> object:
    """Return a JSON text decoded, where it is one; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    return value
