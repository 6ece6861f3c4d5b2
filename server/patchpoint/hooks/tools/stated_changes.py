"""What the arguments of an edit tool say that it does to each file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from patchpoint.hooks.fields import Fields, plain
from patchpoint.hooks.tools.names import DELETERS, WRITERS
from patchpoint.stated_change import Replacement, StatedChange
from patchpoint.text.regex import regex

_FILE_KEYS = ("filepath", "path", "file", "targetfile", "notebookpath", "filename", "absolutepath")
_PATCH_KEYS = ("input", "patch", "patchtext", "command", "cmd")
_LIST_KEYS = ("edits", "replacements", "files")
_OLD_KEYS = ("oldstring", "oldstr", "oldtext", "old", "search")
_NEW_KEYS = ("newstring", "newstr", "newtext", "new", "replace")
_EVERY_KEYS = ("replaceall", "allowmultiple", "changeall")
_CONTENT_KEYS = ("content", "contents", "filetext")

_LARGEST = 64 * 1024
"""Characters of what is stated of one file; more is not kept, and the file itself has to tell."""

_PATCHED_OR_MOVED = regex(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)[ \t\r]*$", re.MULTILINE)
_BEGIN, _END, _END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"


def files_written(tool: str, arguments: object) -> tuple[str, ...] | None:
    """Return the files that a tool names as those it changes; `None` where it may change others."""
    if plain(tool) not in WRITERS:
        return None
    fields = _fields(arguments)
    named = [path for part in _parts(fields) if (path := part.text(*_FILE_KEYS))]
    for key in _PATCH_KEYS:
        named += _PATCHED_OR_MOVED.findall(fields.text(key) or fields.first(key))
    return tuple(dict.fromkeys(named)) or None


def stated_changes(tool: str, arguments: object) -> Mapping[str, StatedChange]:
    """Return what a tool says that it does to the files that it names, as far as it says so."""
    name = plain(tool)
    if name not in WRITERS:
        return {}
    fields = _fields(arguments)
    patch = next(
        (text for key in _PATCH_KEYS if _is_patch(text := fields.text(key) or fields.first(key))), ""
    )
    found: dict[str, StatedChange | None]
    if patch:
        found = {}
        for path, change in _of_patch(patch):
            found[path] = None if path in found else change
    elif name in DELETERS:
        found = {path: StatedChange() for part in _parts(fields) if (path := part.text(*_FILE_KEYS))}
    else:
        found = _of_fields(fields)
    return {path: change for path, change in found.items() if change is not None and _is_kept(change)}


def _of_fields(fields: Fields) -> dict[str, StatedChange | None]:
    found: dict[str, StatedChange | None] = {}
    above = fields.text(*_FILE_KEYS)
    for part in _parts(fields):
        content = part.value(*_CONTENT_KEYS)
        replacement = _replacement(part)
        path = part.text(*_FILE_KEYS) or above
        if not path or (content is None and replacement is None):
            continue
        before = found.get(path)
        if replacement is None:
            found[path] = StatedChange(content=content) if isinstance(content, str) and not before else None
        elif path not in found:
            found[path] = StatedChange(replacements=(replacement,))
        elif before is not None and before.replacements:
            found[path] = StatedChange(replacements=(*before.replacements, replacement))
        else:
            found[path] = None
    return found


def _replacement(part: Fields) -> Replacement | None:
    old, new = part.value(*_OLD_KEYS), part.value(*_NEW_KEYS)
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    several = part.value("expectedreplacements")
    every = part.value(*_EVERY_KEYS) is True or (isinstance(several, int) and several > 1)
    return Replacement(old, new, every=every)


def _of_patch(patch: str) -> Iterator[tuple[str, StatedChange | None]]:
    """Yield what an `apply_patch` envelope says of each file; `None` where it does not say all."""
    for title, *lines in _sections(patch.replace("\r\n", "\n").split("\n")):
        kind, _, path = title.removeprefix("*** ").partition(": ")
        path = path.rstrip()
        if kind == "Delete File":
            yield path, StatedChange()
        elif kind == "Add File":
            whole = all(line.startswith("+") for line in lines)
            yield path, StatedChange(content="".join(f"{line[1:]}\n" for line in lines)) if whole else None
        elif lines and lines[0].startswith("*** Move to: "):
            yield path, None
            yield lines[0].partition(": ")[2].rstrip(), None
        else:
            hunks = _hunks(lines)
            yield path, StatedChange(replacements=hunks) if hunks else None


def _sections(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each file, its heading first."""
    section: list[str] = []
    for line in lines:
        if line.startswith(("*** Update File: ", "*** Add File: ", "*** Delete File: ", _END)):
            if section:
                yield section
            section = [line]
        elif section:
            section.append(line)
    if section and not section[0].startswith(_END):
        yield section


def _hunks(lines: list[str]) -> tuple[Replacement, ...]:
    """Return what the hunks of a file replace; none where one of them has no line that is there already."""
    hunks: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("@@"):
            hunks.append([])
        elif line != _END_OF_FILE:
            hunks[-1].append(line or " ")
    found = []
    for hunk in filter(None, hunks):
        old = "".join(f"{line[1:]}\n" for line in hunk if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in hunk if line[0] in " +")
        if not old or any(line[0] not in " +-" for line in hunk):
            return ()
        found.append(Replacement(old, new, whole_lines=True))
    return tuple(found)


def _is_patch(text: str) -> bool:
    return text.lstrip().startswith(_BEGIN)


def _is_kept(change: StatedChange) -> bool:
    texts = [change.content or "", *(text for each in change.replacements for text in (each.old, each.new))]
    try:
        return sum(len(text.encode("utf-8")) for text in texts) <= _LARGEST
    except UnicodeEncodeError:
        return False


def _fields(arguments: object) -> Fields:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {"patch": arguments}
    return Fields(arguments)


def _parts(fields: Fields) -> list[Fields]:
    """Return the fields themselves, and those of each entry of their lists."""
    parts = [fields]
    for key in _LIST_KEYS:
        each = fields.value(key)
        parts += [Fields(one) for one in each] if isinstance(each, list) else []
    return parts
