"""Edits given as data: the arguments of the editing tools that models know, in all their spellings.

`{path, old_string, new_string, replace_all}` and relatives; lists of them below `edits` or `replacements`,
also as a JSON text; `insert` at a line; `create`, `write`, `delete`, `rename`; before, modified and after
lines; a patch or blocks as the text of one argument; a shell command that applies a patch; and any of these
inside the envelope of a function call (`name` and `arguments`, `tool_calls`, `input`), or inside the lines of
a transcript: Codex's `payload`, Gemini's `functionCall`, opencode's `state`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchpoint.dataclass import replace
from patchpoint.edit import Operation
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
    number_of,
    path_of,
    scope_of,
    text_of,
)
from patchpoint.formats.tool_calls.named_places import named_place_of
from patchpoint.formats.tool_calls.patches import changes_of, new_file_of, patches_of
from patchpoint.formats.tool_calls.workspace_edits import UNQUOTED, workspace_edit_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.regex import regex

_DEEPEST = 20
"""The number of objects and lists that may be around an edit; those of transcripts need a dozen."""

_EDITING = regex(
    r"apply_?patch|^[ \t]*(?:(?:cd|mkdir)[ ][^\n]*&&[ \t]*)?(?:(?:cat|tee)\b[^\n]*<<|sed[ ][^\n]*-i)",
    re.MULTILINE,
)
"""What a script has that edits files in a way that is read."""


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
        return all(folded(key) in keys.KNOWN and has_only_known_keys(value[key], depth + 1) for key in value)
    return not isinstance(value, dict)


def _edits(value: object, given: CallContext) -> Iterator[FoundEdit]:
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
        yield from _in_object(value, folded_fields(value), given)


def _in_object(owner: object, fields: Fields, given: CallContext) -> Iterator[FoundEdit]:
    function = fields.get("function")
    if isinstance(function, dict):
        yield from _edits(function, given)
        return
    tool = keys.tool_of(first_text(fields, keys.TOOL))
    if folded(first_text(fields, ("type",))) == "applypatchcall":
        given = replace(given, trusted=True)
    for key in keys.ARGUMENTS:
        arguments = decoded(fields.get(key))
        if isinstance(arguments, dict) and (tool or given.tool or key != "input"):
            yield from _edits(
                arguments, replace(given, tool=tool or given.tool, trusted=given.trusted or bool(tool))
            )
            return
        if tool and isinstance(fields.get(key), str) and not first_text(fields, keys.PATH):
            yield from given.edits_in(fields[key], owner)
            return
    given = replace(given, path=path_of(fields) or given.path, tool=tool or given.tool)
    for reading in (changes_of(fields, given, owner), workspace_edit_of(fields, owner)):
        if reading is not None:
            yield from reading
            return
    named = named_place_of(fields, given)
    if named is not None:
        yield FoundEdit(named, owner)
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
    doing = folded(first_text(fields, keys.OPERATION if given.trusted else keys.PLAIN_OPERATION))
    if doing in keys.VIEWING or given.tool in keys.VIEWING:
        return
    operation = keys.OPERATIONS.get(doing) or keys.OPERATIONS.get(given.tool)
    if operation is Operation.CREATE and (created := new_file_of(fields, given, owner)):
        yield from created
        return
    item = _one_edit(fields, operation, given, appends=doing == "append")
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


def _one_edit(
    fields: Fields, operation: Operation | None, given: CallContext, *, appends: bool
) -> Item | None:
    """Return the edit that one object asks for by its own keys."""
    path = given.path
    try:
        if appends and operation is Operation.WRITE:
            return _at_end(fields, given)
        if operation is Operation.DELETE and path:
            return call_edit(path, operation)
        if operation is Operation.RENAME:
            old_path, new_path = (
                first_text(fields, keys.SOURCE) or path,
                first_text(fields, keys.DESTINATION),
            )
            if not old_path or not new_path:
                return call_malformed(
                    "a rename needs the old path ('path') and the new one ('newPath')", old_path
                )
            return replace(call_edit(local_path(old_path), operation), new_path=local_path(new_path))
        if fields.get("before") is not None and fields.get("after") is not None:
            return _between_anchors(fields, given)
        inserting = operation is Operation.INSERT or fields.get("insertline") is not None
        old = text_of(fields, keys.OLD)
        if inserting and not old:
            return _insertion(fields, given)
        new = text_of(fields, keys.NEW)
        if old is None and new is None and operation is Operation.REPLACE:
            old, new = text_of(fields, ("before",)), text_of(fields, ("after", "modified"))
        if old is not None or (new is not None and operation in (None, Operation.REPLACE)):
            return _replacement(fields, old, new, operation, given)
        return _whole_file(fields, operation, given)
    except WrongKindError as wrong:
        return call_malformed(str(wrong), path) if given.trusted or _quotes_plainly(fields) else None


def _replacement(
    fields: Fields,
    old: str | None,
    new: str | None,
    operation: Operation | None,
    given: CallContext,
) -> Item | None:
    if new is None:
        new = text_of(fields, keys.NEW_AS_WELL)
    plain = operation is not None or _quotes_plainly(fields)
    if not given.path:
        return call_malformed(NO_FILE) if plain and old is not None and new is not None else None
    if old is None and ("endline" in fields or isinstance(fields.get("range"), dict)):
        return call_malformed(UNQUOTED, given.path)
    if old is None and new is not None and "newtext" in fields:
        return replace(call_edit(given.path, Operation.CREATE), content=new)
    if old is None or new is None:
        if not plain:
            return None
        missing = "the text to search for ('old_string')" if old is None else "the replacement ('new_string')"
        return call_malformed(f"{missing} was expected among the keys", given.path)
    if not old:
        return replace(call_edit(given.path, Operation.CREATE), content=new)
    expected = number_of(fields, ("expectedreplacements",))
    if expected is not None and expected > 1:
        message = f"exactly {expected} replacements cannot be asked for; quote each place, or replace all"
        return call_malformed(message, given.path)
    return replace(
        call_edit(given.path, Operation.REPLACE),
        search=old,
        replace=new,
        replace_all=any(is_true(fields.get(key)) for key in keys.ALL),
        occurrence=number_of(fields, ("occurrence",)),
        line=number_of(fields, keys.LINE),
        scope=scope_of(fields.get("scope")),
    )


def _between_anchors(fields: Fields, given: CallContext) -> Item | None:
    before, after = text_of(fields, ("before",)), text_of(fields, ("after",))
    between = text_of(fields, ("modified", *keys.NEW, "new", "content", "text", "insert"))
    if between is None:
        called = given.trusted or given.tool
        return _replacement(fields, before, after, Operation.REPLACE, given) if called else None
    if not given.path:
        return call_malformed(NO_FILE) if given.trusted else None
    if not before or not after:
        return call_malformed("both 'before' and 'after' must quote lines of the file", given.path)
    return replace(call_edit(given.path, Operation.BETWEEN), before=before, after=after, replace=between)


def _insertion(fields: Fields, given: CallContext) -> Item:
    """Return an insertion at a line: after it, or before it where the tool counts so.

    Anthropic's text editor inserts after `insert_line` (0: at the top); Cline's editor, whose text is
    `new_text`, and Roo's `insert_content` (0: at the end) insert before it.
    """
    text = text_of(fields, ("inserttext", *keys.NEW, "content", "text", "new"))
    line = number_of(fields, ("insertline", "line", "linenumber"), least=0)
    if not given.path:
        return call_malformed(NO_FILE)
    if text is None:
        return call_malformed("the text to insert ('new_str') was expected among the keys", given.path)
    if line is None:
        return call_malformed(
            "the line to insert after ('insert_line') was expected, a number from 0", given.path
        )
    if text and not text.endswith(("\n", "\r")):
        text += "\n"
    edit = replace(call_edit(given.path, Operation.INSERT), replace=text)
    if given.tool == "insertcontent":
        return replace(edit, line=line - 1) if line else replace(edit, at_end=True)
    return replace(edit, line=max(line - 1, 0) if "newtext" in fields else line)


def _at_end(fields: Fields, given: CallContext) -> Item:
    """Return lines that are appended to a file, as Kimi's `WriteFile` does in the mode `append`."""
    text = text_of(fields, keys.CONTENT)
    if not given.path or text is None:
        missing = NO_FILE if not given.path else "the lines to append ('content') were expected"
        return call_malformed(missing, given.path)
    return replace(call_edit(given.path, Operation.INSERT), replace=text, at_end=True)


def _whole_file(fields: Fields, operation: Operation | None, given: CallContext) -> Item | None:
    if "codeedit" in fields or given.tool in ("inserteditintofile", "editexistingfile"):
        return _partial_file(fields, given)
    makes = operation in (Operation.CREATE, Operation.WRITE)
    bare = given.trusted and given.path and operation is None and isinstance(fields.get("content"), str)
    if not (makes or bare or "filetext" in fields):
        return None
    content = text_of(fields, keys.CONTENT)
    if not given.path:
        return call_malformed(NO_FILE) if content is not None else None
    if content is None:
        return call_malformed("the file's content ('content') was expected among the keys", given.path)
    if not makes:
        operation = Operation.CREATE if "filetext" in fields else Operation.WRITE
    if fields.get("overwrite") is False:
        operation = Operation.CREATE
    return replace(call_edit(given.path, operation or Operation.CREATE), content=content)


def _partial_file(fields: Fields, given: CallContext) -> Item | None:
    """Return a file of which parts may be left out: what has a mark for them is merged into it."""
    content = text_of(fields, (*keys.PARTIAL, *keys.CONTENT))
    if content is None or not given.path:
        return None
    said = first_text(fields, keys.EXPLANATION)
    if any(is_mark(line) for line in content.splitlines()):
        return replace(call_edit(given.path, Operation.MERGE), replace=content, lead=said)
    return replace(call_edit(given.path, Operation.CREATE), content=content, may_be_part=True, lead=said)


def _quotes_plainly(fields: Fields) -> bool:
    """Return whether keys such as `old_string` show that a text of a file is quoted."""
    return any(key.startswith("old") and key in keys.OLD for key in fields)


def _in_command(words: list[str], given: CallContext) -> Iterator[FoundEdit]:
    """Return the edits of a command given as words: `["bash", "-lc", "apply_patch <<'EOF' ..."]`."""
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
