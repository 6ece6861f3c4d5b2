"""The arguments of one call: their values by the keys that tools use, each of the kind that is expected.

Whatever reads edits out of a call gets the fields of one object with their keys `folded`, and what the
objects around it say of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.scan import ReadText
from patchpoint.formats.source import Item
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys

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


def folded_fields(value: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the values of an object by its folded keys; of those that are null, only `lines` has a sense."""
    return {folded(str(key)): one for key, one in value.items() if one is not None or key == "lines"}


def call_edit(path: str, operation: Operation) -> Edit:
    """Return an edit of a tool call."""
    return Edit(path=path, operation=operation, format=Format.TOOL_CALL)


def call_malformed(message: str, path: str = "") -> Malformed:
    """Return what is wrong with a tool call; its place in the text is not known here."""
    return Malformed(message=message, span=(0, 0), line=1, path=path, format=Format.TOOL_CALL)


def path_of(fields: Fields) -> str:
    """Return the path that an object names, or an empty text."""
    return local_path(first_text(fields, keys.PATH))


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


def text_of(fields: Fields, wanted: tuple[str, ...]) -> str | None:
    """Return the text of the first of the `wanted` keys that is there; a list of lines is a text too.

    Raises `WrongKindError` for any other value.
    """
    for key in wanted:
        value = fields.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all_texts(value):
            return "".join(line if line.endswith("\n") else f"{line}\n" for line in value)
        if value is not None:
            raise WrongKindError(f"'{key}' must be a text, not {_kind(value)}")
    return None


def number_of(fields: Fields, wanted: tuple[str, ...], least: int = 1) -> int | None:
    """Return the number, `least` or more, of the first of the `wanted` keys that is there.

    Raises `WrongKindError` for any other value.
    """
    for key in wanted:
        value = fields.get(key)
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        if value is not None:
            raise WrongKindError(f"'{key}' must be a number from {least}, not {_kind(value)}")
    return None


def name_of(fields: Fields, wanted: tuple[str, ...]) -> str | None:
    """Return the first of the `wanted` keys that is there as a name: a text, or a number from 0.

    Raises `WrongKindError` for any other value.
    """
    for key in wanted:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return str(value)
        if value not in (None, ""):
            raise WrongKindError(f"'{key}' must be an id or a number from 0, not {_kind(value)}")
    return None


def scope_of(value: object) -> tuple[str, ...]:
    """Return the lines of a scope, outermost first. Raises `WrongKindError` for anything but texts."""
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, list) and all_texts(value):
        return tuple(line for line in value if line.strip())
    if value is not None:
        raise WrongKindError(f"'scope' must be a list of lines, not {_kind(value)}")
    return ()


def is_true(value: object) -> bool:
    """Return whether a value says yes, as a text too."""
    return (
        value is True
        or value == 1
        or (isinstance(value, str) and value.strip().casefold() in ("true", "yes", "1"))
    )


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


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return (
        repr(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else names.get(type(value), "that")
    )
