"""Calls that name their place and quote nothing: symbols, cells of a notebook, and lines by their tags.

Serena's `replace_symbol_body`, `insert_before_symbol` and `insert_after_symbol` have a `name_path`; Claude's
`NotebookEdit` has a cell's id or number and an `edit_mode`, Copilot's `edit_notebook_file` an `editType`, and
Cursor's `edit_notebook` may ask for a new cell. In hashline editing each edit has an `op` and the tags of its
first and last line, `pos` and `end`; earlier versions have `set_line`, `replace_lines` and `insert_after`.
"""

from __future__ import annotations

from typing import Any

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Operation, Side, Target, TargetKind
from patchpoint.formats.source import Item
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls.arguments import (
    NO_FILE,
    CallContext,
    Fields,
    WrongKindError,
    call_edit,
    call_malformed,
    first_text,
    folded_fields,
    is_true,
    text_of,
)
from patchpoint.text.regex import regex

_SYMBOL_TOOLS = {
    "replacesymbolbody": Side.INSTEAD,
    "insertbeforesymbol": Side.BEFORE,
    "insertaftersymbol": Side.AFTER,
}
_OTHER_SYMBOL_TOOLS = ("renamesymbol", "safedeletesymbol")
_CELL_MODES = {
    "replace": Side.INSTEAD,
    "edit": Side.INSTEAD,
    "insert": Side.AFTER,
    "delete": Side.DELETED,
}
_LINE_SIDES = {"replace": Side.INSTEAD, "append": Side.AFTER, "prepend": Side.BEFORE}
_ANCHORED = {
    "setline": (Side.INSTEAD, "anchor", ""),
    "replacelines": (Side.INSTEAD, "startanchor", "endanchor"),
    "insertafter": (Side.AFTER, "anchor", ""),
}
_TAG = regex(r"\s*(?:>>>|[-+])?\s*\d+\s*(?:#\s*[A-Z]{2}|:\s*[0-9a-f]{2})\b")


def named_place_of(fields: Fields, given: CallContext) -> Item | None:
    """Return the edit of an object that names its place, or what is wrong with it; `None` for any other."""
    try:
        return (
            _of_symbol(fields, given)
            or _of_needle(fields, given)
            or _of_cell(fields, given)
            or _of_tagged_lines(fields, given)
        )
    except WrongKindError as wrong:
        return call_malformed(str(wrong), given.path)


def _of_symbol(fields: Fields, given: CallContext) -> Item | None:
    name = first_text(fields, ("namepath", "namepathpattern"))
    if not name:
        return None
    if given.tool.endswith(_OTHER_SYMBOL_TOOLS):
        message = "a language server is needed to rename or delete a symbol everywhere; edits were expected"
        return call_malformed(message, given.path)
    side = next((side for tool, side in _SYMBOL_TOOLS.items() if given.tool.endswith(tool)), None)
    body = text_of(fields, ("body",))
    if side is None:
        if body is None or not given.trusted:
            return None
        tools = "'replace_symbol_body', 'insert_before_symbol' or 'insert_after_symbol'"
        return call_malformed(f"nothing says what the text is to the symbol; a call of {tools} was expected")
    if body is None:
        return call_malformed("the new text ('body') was expected among the keys", given.path)
    return _placed(given, Target(TargetKind.DEFINITION, name, side), body)


def _of_needle(fields: Fields, given: CallContext) -> Item | None:
    """Return the edit of Serena's `replace_content`, which has a text or a regular expression to look for."""
    needle, repl = fields.get("needle"), fields.get("repl")
    if not isinstance(needle, str) or not isinstance(repl, str) or not needle:
        return None
    if not given.path:
        return call_malformed(NO_FILE)
    if folded(first_text(fields, ("mode",))) != "literal":
        return call_malformed(
            "a regular expression is not looked for; the text itself was expected", given.path
        )
    everywhere = is_true(fields.get("allowmultipleoccurrences"))
    edit = call_edit(given.path, Operation.REPLACE)
    return replace(edit, search=needle, replace=repl, replace_all=everywhere)


def _of_cell(fields: Fields, given: CallContext) -> Item | None:
    if is_true(fields.get("isnewcell")):
        cell = _cell_of(fields, ("cellidx",))
        kind = "markdown" if first_text(fields, ("celllanguage",)).casefold() == "markdown" else "code"
        new = text_of(fields, ("newstring",))
        return _in_cell(given, Target(TargetKind.CELL, cell, Side.BEFORE, cell_type=kind), new)
    mode = folded(first_text(fields, ("editmode", "edittype")))
    is_cell = "newsource" in fields or given.tool in ("notebookedit", "editnotebookfile")
    if not is_cell and not (mode and "newcode" in fields and "cellid" in fields):
        return None
    side = _CELL_MODES.get(mode or "replace")
    if side is None:
        return call_malformed(f"{mode!r} is no way to edit a cell; replace, insert or delete was expected")
    name = _cell_of(fields, ("cellid", "cellnumber"))
    if name.upper() in ("TOP", "BOTTOM") and side is Side.AFTER:
        name, side = "", Side.BEFORE if name.upper() == "TOP" else Side.AFTER
    elif not name and side is Side.AFTER:
        side = Side.BEFORE
    elif not name:
        return call_malformed("the cell ('cell_id') was expected among the keys", given.path)
    elif side is Side.AFTER and "cellid" not in fields:
        side = Side.BEFORE  # the number is that of the new cell
    kind = first_text(fields, ("celltype",))
    language = first_text(fields, ("language",)).casefold()
    kind = kind or (("markdown" if language == "markdown" else "code") if language and not kind else "")
    if side is Side.INSTEAD and not first_text(fields, ("celltype",)):
        kind = ""
    new = text_of(fields, ("newsource", "newcode"))
    if isinstance(fields.get("newcode"), list) and new:
        new = new.removesuffix("\n")
    return _in_cell(given, Target(TargetKind.CELL, name, side, cell_type=kind), new)


def _in_cell(given: CallContext, target: Target, new: str | None) -> Item:
    if new is None and target.side is not Side.DELETED:
        return call_malformed("the source of the cell ('new_source') was expected", given.path)
    return _placed(given, target, new or "")


def _cell_of(fields: Fields, wanted: tuple[str, ...]) -> str:
    """Return the name of a cell: its id, or its number from 0."""
    for key in wanted:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return str(value)
        if value not in (None, ""):
            raise WrongKindError(f"'{key}' must be the id of a cell or a number from 0")
    return ""


def _of_tagged_lines(fields: Fields, given: CallContext) -> Item | None:
    for key, (side, first, last) in _ANCHORED.items():
        anchored = fields.get(key)
        if isinstance(anchored, dict):
            inner = folded_fields(anchored)
            if _TAG.match(first_text(inner, (first,))):
                return _at_tags(inner, given, side, first, last, ("newtext", "text", "lines"))
    asked = _LINE_SIDES.get(folded(first_text(fields, ("op",))))
    if asked is None or "lines" not in fields:
        return None
    side = asked
    if _TAG.match(first_text(fields, ("pos",))):
        return _at_tags(fields, given, side, "pos", "end", ("lines",))
    if fields.get("pos") is None and fields.get("end") is None and side is not Side.INSTEAD:
        text = _lines_of(fields, ("lines",))
        edit = replace(call_edit(given.path, Operation.INSERT), replace=text)
        if not given.path:
            return call_malformed(NO_FILE)
        return replace(edit, at_end=True) if side is Side.AFTER else replace(edit, line=0)
    return call_malformed("the tag of a line ('pos') was expected, such as 12#KT", given.path)


def _at_tags(
    fields: Fields, given: CallContext, side: Side, first: str, last: str, texts: tuple[str, ...]
) -> Item:
    text = _lines_of(fields, texts)
    if not text and side is Side.INSTEAD:
        side = Side.DELETED
    name, end = first_text(fields, (first,)), first_text(fields, (last,))
    if side in (Side.BEFORE, Side.AFTER):
        end = ""
    return _placed(given, Target(TargetKind.LINES, name, side, last=end), text)


def _lines_of(fields: Fields, wanted: tuple[str, ...]) -> str:
    value: Any = next((fields[key] for key in wanted if fields.get(key) is not None), None)
    text = text_of({"lines": value}, ("lines",)) or ""
    return f"{text}\n" if isinstance(value, str) and text and not text.endswith("\n") else text


def _placed(given: CallContext, target: Target, new: str) -> Edit | Item:
    if not given.path:
        return call_malformed(NO_FILE)
    return replace(call_edit(given.path, Operation.PLACE), target=target, replace=new)
