"""Edits given as data: the objects of a call are gone through, and each row of `DIALECTS` is read in one way.

A call may be in the envelope of a function (`name` and `arguments`, `tool_calls`, `input`), in the lines of a
transcript (Codex's `payload`, Gemini's `functionCall`, opencode's `state`), or a list of edits below `edits`.

Patches may be its arguments. OpenAI's `apply_patch` tool has one file a call, `{type: create_file, path,
diff}`, in which every line of a new file begins with a plus. Roo Code lists its diffs as `{content,
start_line}`. In version 2 of the Agent Client Protocol a diff is `{changes: [{operation, path, oldPath}],
patch: {format: git_patch, diff}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind
from patchpoint.formats.scan import ReadText
from patchpoint.formats.source import Item, with_paths
from patchpoint.formats.spelling import folded, folded_fields
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
    is_true,
    local_path,
    with_place,
)
from patchpoint.formats.tool_calls.dialects import DIALECTS, REFUSED, Dialect
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.regex import regex

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


def find_edits(
    value: object, read_text: ReadText, *, known_path: str = "", trusted: bool = True
) -> list[FoundEdit]:
    """Return the edits that a decoded JSON value asks for, in order; none when it is no tool call.

    `known_path` is the path of an edit without one. Values that were found in the middle of a text are not
    `trusted`: an object must then have more of the marks of a call.
    """
    return list(_edits(value, CallContext(known_path, "", read_text, trusted)))


def _edits(value: object, given: CallContext) -> Iterator[FoundEdit]:
    if given.depth > 20:  # those of transcripts need a dozen
        return
    inner = replace(given, depth=given.depth + 1)
    if isinstance(value, list) and value and all_texts(value):
        yield from _in_command(value, given)
    elif isinstance(value, list):
        for element in value:
            yield from _edits(element, inner)
    elif isinstance(value, dict):
        if value and all("://" in str(key) and isinstance(one, list) for key, one in value.items()):
            for uri, edits in value.items():
                yield from _edits(edits, replace(inner, path=local_path(uri)))
        fields = with_place(folded_fields(value))
        inner = _of_object(fields, inner)
        yield from next(chain(_in_envelope(fields, inner, value), _by_itself(fields, inner, value)), ())


def _of_object(fields: Fields, given: CallContext) -> CallContext:
    """Return what an object says of itself, and of all that is in it."""
    document = folded_fields(fields.get("textdocument"))
    path = first_text(fields, keys.PATH) or first_text(document, keys.PATH)
    kind = folded(first_text(fields, ("type",)))
    return replace(
        given,
        path=local_path(path) or given.path,
        tool=keys.tool_of(first_text(fields, keys.TOOL)) or given.tool,
        trusted=given.trusted or kind in ("diff", "applypatchcall") or "documentchanges" in fields,
    )


def _in_envelope(fields: Fields, given: CallContext, owner: object) -> Iterator[Iterable[FoundEdit]]:
    """Yield the edits of the function, the patch or the list that an object has; the first way counts."""
    if isinstance(fields.get("function"), dict):
        yield _edits(fields["function"], given)
    is_named = bool(first_text(fields, keys.TOOL))
    for key in keys.ARGUMENTS:
        arguments = decoded(fields.get(key))
        if isinstance(arguments, dict) and (given.tool or key != "input"):
            yield _edits(arguments, replace(given, trusted=given.trusted or is_named))
        elif is_named and isinstance(fields.get(key), str) and not first_text(fields, keys.PATH):
            yield given.edits_in(fields[key], owner)
    patch, changes = folded_fields(fields.get("patch")).get("diff"), fields.get("changes")
    if isinstance(patch, str) and isinstance(changes, list):
        yield _git_patch(patch, changes, given, owner)
    new_path = local_path(first_text(fields, ("rename",)))
    whole: list[FoundEdit] = []
    if given.path and is_true(fields.get("delete")) and not fields.get("edits"):
        whole = [FoundEdit(call_edit(given.path, Operation.DELETE), owner)]
    elif given.path and new_path:
        whole = [FoundEdit(replace(call_edit(given.path, Operation.RENAME), new_path=new_path), owner)]
    for nested in (decoded(fields.get(key)) for key in keys.NESTED):
        if isinstance(nested, dict) or (isinstance(nested, list) and (whole or not all_texts(nested))):
            yield chain(_edits(nested, given), whole)


def _by_itself(fields: Fields, given: CallContext, owner: object) -> Iterator[Iterable[FoundEdit]]:
    """Yield the edits that an object asks for by its own keys, none where its tool changes nothing."""
    command = fields.get("command", fields.get("cmd"))
    if isinstance(command, list) and command and all_texts(command):
        yield _in_command(command, given)
    asked = folded(first_text(fields, keys.OPERATION if given.trusted else keys.PLAIN_OPERATION))
    if not keys.VIEWING.isdisjoint((asked, given.tool)):
        yield ()
    operation = keys.OPERATIONS.get(asked) or keys.OPERATIONS.get(given.tool)
    diff = fields.get("diff")
    if operation is Operation.CREATE and isinstance(diff, str) and fields.keys().isdisjoint(keys.CONTENT):
        is_added = not diff.lstrip().startswith(("---", "diff ", "@@", "***", "```"))
        if is_added and not given.path:
            yield [FoundEdit(call_malformed(NO_FILE), owner)]
        added = f"*** Begin Patch\n*** Add File: {given.path}\n{diff}\n*** End Patch\n"
        yield given.edits_in(added if is_added else diff, owner)
    item = _edit_of(fields, Operation.INSERT if "insertline" in fields else operation, given)
    if item:
        yield [FoundEdit(item, owner)]
    for value in map(fields.get, keys.PATCH):
        listed = value if isinstance(value, list) else [value]
        texts = [folded_fields(one).get("content") if isinstance(one, dict) else one for one in listed]
        if texts and all_texts(texts):
            yield chain.from_iterable(given.edits_in(str(text), owner) for text in texts)
    if isinstance(command, str):
        yield given.edits_in(command, owner, script=True)
    inside = (fields[key] for key in keys.CALLS if isinstance(fields.get(key), (list, dict)))
    yield chain.from_iterable(_edits(value, given) for value in inside)


def _git_patch(patch: str, changes: list[object], given: CallContext, owner: object) -> Iterable[FoundEdit]:
    """Return the edits of a patch of the Agent Client Protocol, with absolute paths as its changes have."""
    files = [folded_fields(change) for change in changes]
    named = [file[key] for file in files for key in ("path", "oldpath") if isinstance(file.get(key), str)]
    full = {path.lstrip("/"): path for path in map(local_path, named)}
    found = [
        replace(each, item=with_paths(each.item, lambda path: full.get(path.lstrip("/"), path)))
        for each in given.edits_in(patch, owner)
    ]
    message = "the diff cannot be read; a git patch was expected as its 'diff'"
    return found or [FoundEdit(call_malformed(message, next(iter(full.values()), "")), owner)]


def _edit_of(fields: Fields, operation: Operation | None, given: CallContext) -> Item | None:
    """Return the edit that one object asks for by its own keys, as the first row has it that it fits."""
    is_sure = operation is not None or not _QUOTING.isdisjoint(fields)
    is_call = given.trusted or bool(given.tool)
    for row in DIALECTS:
        if row.fits(fields, operation or "-", given.tool, is_call=is_call):
            inside = folded(row.words.get("inside", ""))
            own = folded_fields(fields[inside]) if inside else fields
            if row.kind is not TargetKind.LINES or _TAG.match(first_text(own, row.keys["name"])):
                return _read(row, own, given, is_sure=is_sure or "sure" in row.words)
    return None


def _read(row: Dialect, fields: Fields, given: CallContext, *, is_sure: bool) -> Item | None:
    """Return the edit of a row, or what is wrong with it; `None` where that may be no call."""
    path = local_path(first_text(fields, row.keys.get("path", ()))) or given.path
    if "refused" in row.words:
        message = REFUSED[row.words["refused"]]
        return call_malformed(message, path) if path or "sure" in row.words else None
    try:
        values = {name: field_of(name, names, fields) for name, names in row.keys.items()}
    except WrongKindError as wrong:
        is_call = is_sure or row.kind or (given.trusted and "called" not in row.words)
        return call_malformed(str(wrong), given.path) if is_call else None
    missing = next((name for name in row.needed if values[name] is None), "")
    if not path:
        is_sure = is_sure or (row.makes is Operation.BETWEEN and given.trusted)
        is_whole = row.makes is not Operation.DELETE and (not missing or row.makes is Operation.INSERT)
        return call_malformed(NO_FILE) if is_sure and is_whole else None
    if missing:
        words = _NEEDED.get(missing) or _NEEDED[row.kind or row.makes]
        return call_malformed(f"{words} was expected among the keys", path) if is_sure else None
    nothing = (None,) if row.makes is Operation.INSERT else (None, 0)
    own: dict[str, Any] = {
        name: value for name, value in values.items() if name in _OF_EDITS and value not in nothing
    }
    own |= {"path": path}
    own |= {"at_end": True} if "at_end" in row.words else {"line": 0} if "at_top" in row.words else {}
    edit = Edit(operation=row.makes, format=Format.TOOL_CALL, **own)
    return _placed(edit, row, values, fields) if row.kind else _finished(edit, row, values, fields)


def _finished(edit: Edit, row: Dialect, values: Fields, fields: Fields) -> Item:
    """Return an edit with what its operation means in this dialect."""
    text = edit.replace
    new = replace(call_edit(edit.path, Operation.CREATE), content=text)
    if row.makes is Operation.REPLACE and not edit.search:
        return new
    if row.makes is Operation.REPLACE and (values.get("expected") or 1) > 1:
        asked = f"exactly {values['expected']} replacements cannot be asked for"
        return call_malformed(f"{asked}; quote each place, or replace all", edit.path)
    if row.makes is Operation.BETWEEN and not (edit.before and edit.after):
        return call_malformed("both 'before' and 'after' must quote lines of the file", edit.path)
    if row.makes is Operation.INSERT:
        line = None if edit.line is None else max(edit.line + int(row.words.get("counts", 0)), 0)
        return replace(edit, line=line, replace=text if "as_it_is" in row.words else _ended(text))
    if row.makes is Operation.MERGE:
        shown = edit if any(map(is_mark, text.splitlines())) else replace(new, may_be_part=True)
        return replace(shown, lead=first_text(fields, keys.EXPLANATION))
    return edit


def _placed(edit: Edit, row: Dialect, values: Fields, fields: Fields) -> Edit:
    """Return an edit with the place that it names."""
    text, side = edit.replace, row.side
    if row.kind is TargetKind.LINES:
        text = _ended(text)
        side = side if text or side is not Side.INSTEAD else Side.DELETED
    elif isinstance(fields.get("newcode"), list):
        text = text.removesuffix("\n")
    name, last, cell_type = (values.get(field) or "" for field in ("name", "last", "cell_type"))
    place = Target(row.kind or TargetKind.LINES, name, side, last=last, cell_type=cell_type)
    return replace(edit, target=place, replace=text)


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
    ):
        yield from given.edits_in(words[2], words, script=True)
