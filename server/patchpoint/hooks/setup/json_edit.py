"""Add an item to a list in a JSON text, or take items out of it, leaving every other character as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from patchpoint.structure.json.scan import JsonError, Shape, Value, blank_end, scan

JSON = str | int | bool | list["JSON"] | dict[str, "JSON"]
"""What is written into a configuration file."""


def with_item(text: str, path: Sequence[str], item: JSON) -> str:
    """Return `text` with `item` at the end of the list below `path`, in the style of the text around it.

    What is missing on the way is created. Raises `JsonError` where something else is in the way.
    """
    if not text.strip():
        text = "{}" + text
    value = scan(text)
    for number, key in enumerate(path):
        if value.shape is not Shape.OBJECT:
            raise JsonError(f"{_named(path[:number])} is {value.shape.value}, not an object")
        member = value.member(key)
        made: JSON = [item]
        for missing in reversed(path[number + 1 :]):
            made = {missing: made}
        if member is None:
            return _inserted(text, value, made, json.dumps(key, ensure_ascii=False) + ": ")
        if _is_null(member.value, text):
            return (
                text[: member.value.start] + json.dumps(made, ensure_ascii=False) + text[member.value.end :]
            )
        value = member.value
    if value.shape is not Shape.LIST:
        raise JsonError(f"{_named(path)} is {value.shape.value}, not a list")
    return _inserted(text, value, item)


def without_items(text: str, path: Sequence[str], is_ours: Callable[[Value], bool], created: int) -> str:
    """Return `text` without the items below `path` that are `is_ours`.

    Of the containers on the way, the innermost `created` are taken out, too, where nothing else is in them.
    """
    while text.strip():
        found = _at(scan(text), path)
        if found is None:
            return text
        holders, value = found
        number = next((at for at, item in enumerate(value.items) if is_ours(item)), None)
        if number is None:
            return text
        if len(value.items) > 1 or created == 0:
            spans = [(each.start, each.end) for each in value.items]
            text = _cut(text, value, spans, number)
            continue
        # The list has nothing else: it goes with the containers that were made for it.
        depth = len(path) - 1
        while depth > len(path) - created and len(holders[depth].members) == 1:
            depth -= 1
        holder = holders[depth]
        spans = [(each.start, each.value.end) for each in holder.members]
        member = holder.member(path[depth])
        if member is None:
            return text
        text = _cut(text, holder, spans, holder.members.index(member))
    return text


def has_container(text: str, path: Sequence[str]) -> bool:
    """Return whether everything on `path` is there. Raises `JsonError`."""
    if not text.strip():
        return False
    found = _at(scan(text), path)
    return found is not None and not _is_null(found[1], text)


def items_at(text: str, path: Sequence[str]) -> tuple[Value, ...]:
    """Return the items of the list below `path`; none if there is none. Raises `JsonError`."""
    if not text.strip():
        return ()
    found = _at(scan(text), path)
    return found[1].items if found is not None else ()


def _is_null(value: Value, text: str) -> bool:
    return text[value.start : value.end] == "null"


def _at(value: Value, path: Sequence[str]) -> tuple[list[Value], Value] | None:
    """Return the objects on the way and the value below `path`."""
    holders = []
    for key in path:
        member = value.member(key)
        if member is None:
            return None
        holders.append(value)
        value = member.value
    return holders, value


def _inserted(text: str, holder: Value, value: JSON, name: str = "") -> str:
    """Return `text` with one more entry at the end of `holder`: a value and, in an object, its `name`."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _indent_unit(text)
    entries = [each.start for each in holder.members] or [each.start for each in holder.items]
    ends = [each.value.end for each in holder.members] or [each.end for each in holder.items]
    close = holder.end - 1
    comma_at, has_comma = _comma_after(text, ends[-1]) if entries else (0, False)
    rest = comma_at + has_comma
    ending = "," if has_comma else ""
    if entries and "\n" not in text[holder.start : holder.end]:
        compact = name + json.dumps(value, ensure_ascii=False)
        return f"{text[:comma_at]}, {compact}{ending}{text[rest:]}"
    outer = _line_indent(text, holder.start)
    indent = _line_indent(text, entries[-1]) if entries and _begins_line(text, entries[-1]) else outer + unit
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    entry = newline + indent + name + (newline + indent).join(lines) + ending
    if not entries:
        kept = text[holder.start + 1 : close].rstrip()
        return text[: holder.start + 1] + kept + entry + newline + outer + text[close:]
    # A comment behind the last entry stays behind it.
    line_end = _entry_line_end(text, rest, close)
    return text[:comma_at] + "," + text[rest:line_end] + entry + text[line_end:]


def _comma_after(text: str, end: int) -> tuple[int, bool]:
    """Return where the comma behind an entry is or has to be, and whether there is one."""
    after = blank_end(text, end)
    return (after, True) if text[after] == "," else (end, False)


def _cut(text: str, holder: Value, spans: Sequence[tuple[int, int]], number: int) -> str:
    """Return `text` without one of the entries of `holder`, and without the comma that it needs no more."""
    start, end = spans[number]
    comma, has_comma = _comma_after(text, end)
    rest = comma + has_comma
    before = _comma_after(text, spans[number - 1][1])[0] if number else holder.start
    begin = _blank_begin(text, start, before + 1)
    if len(spans) == 1:
        close = holder.end - 1
        inside = text[holder.start + 1 : begin] + text[rest:close]
        return text[: holder.start + 1] + (inside if inside.strip() else "") + text[close:]
    if has_comma or not number:
        return text[:begin] + text[rest:]
    # It is the last one: the comma before it goes.
    return text[:before] + text[before + 1 : begin] + text[rest:]


def _blank_begin(text: str, start: int, lowest: int) -> int:
    """Return where the white space before `start` begins."""
    while start > lowest and text[start - 1] in " \t\r\n":
        start -= 1
    return start


def _entry_line_end(text: str, at: int, close: int) -> int:
    """Return the end of what is on the same line: blanks and a comment, but not beyond `close`."""
    newline = text.find("\n", at, close)
    stop = newline if newline >= 0 else close
    line = text[at:stop].rstrip()
    comment = line.strip()
    is_comment = comment.startswith("//") or (comment.startswith("/*") and comment.endswith("*/"))
    return at + len(line) if is_comment else at


def _indent_unit(text: str) -> str:
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if indent and line.strip():
            return indent
    return "  "


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _named(path: Sequence[str]) -> str:
    return f"`{'.'.join(path)}`" if path else "the whole"
