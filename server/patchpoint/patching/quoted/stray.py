"""What a model writes into new lines that is no part of the file: fences, tags, escapes, pointers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import unescape

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.locate.source import SourceText, plain
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import regex

_FENCE = regex(r"\s*(?:`{3,}|~{3,})[\w+.-]*\s*\Z")
_TAG = regex(
    r"\s*</?(?:new_str(?:ing)?|old_str(?:ing)?|replace(?:ment)?|search|content|parameter|code|file|edit|invoke|"
    r"update|diff|function|arg_value|tool_call)>\s*\Z"
)
_MARKER = regex(
    r"(?:<{7}|>{7})(?: (?:SEARCH|REPLACE|HEAD|ORIGINAL|UPDATED)?.*)?\Z|={7}\Z|\*\*\* (?:Begin|End) Patch\Z"
)
_ESCAPED = regex(r"\\n(?=[ \t]|\\|\w|[})\]@#/<\"']|\Z)")
_ENTITY = regex(r"&(?:lt|gt|amp|quot|#39);")
_PAGES = (
    ".html",
    ".htm",
    ".xml",
    ".svg",
    ".vue",
    ".svelte",
    ".md",
    ".mdx",
    ".markdown",
    ".rst",
    ".jsx",
    ".tsx",
    ".xhtml",
)


def without_stray(edit: Edit, source: SourceText) -> Edit:
    """Return an edit without what is no part of the file in its new lines, in doubt; else the edit as it is.

    What the search text has, or the file, is part of it.
    """
    lines = plain_lines(plain(edit.replace))
    said: list[str] = []
    for rule, what in _RULES_IN_TURN:
        left = rule(lines, edit, source)
        if left is not None and list(left) != lines:
            lines = list(left)
            said.append(what)
    if not said:
        return edit
    end = "\n" if edit.replace.endswith("\n") and lines else ""
    return replace(edit, replace="\n".join(lines) + end, doubt=edit.doubt or said[0])


def _without_edges(lines: Sequence[str], edit: Edit, source: SourceText) -> Sequence[str] | None:
    """Return lines without fences, tags and markers of edits at their ends."""
    is_document = any(each.family == "markdown" for each in syntaxes_of(edit.path)[:1])
    is_page = edit.path.lower().endswith(_PAGES)
    first, end = 0, len(lines)

    def is_stray(line: str) -> bool:
        own = line.strip()
        is_one = (
            (_FENCE.match(line) is not None and not is_document)
            or (_TAG.match(line) is not None and not is_page)
            or _MARKER.match(own) is not None
        )
        return is_one and own not in source.stripped and own not in map(str.strip, edit.search.split("\n"))

    while first < end and is_stray(lines[first]):
        first += 1
    while end > first and is_stray(lines[end - 1]):
        end -= 1
    return lines[first:end]


def _unescaped(lines: Sequence[str], edit: Edit, _: SourceText) -> Sequence[str] | None:
    """Return the lines of one in which line endings are written as signs, outside of its texts."""
    if len(lines) != 1 or "\\n" in edit.search:
        return None
    line = lines[0]
    if not any(_is_outside(line, found.start()) for found in _ESCAPED.finditer(line)):
        return None
    made = line.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    return plain_lines(made)


def _without_entities(lines: Sequence[str], edit: Edit, source: SourceText) -> Sequence[str] | None:
    """Return lines with the signs that entities of HTML are for."""
    if edit.path.lower().endswith(_PAGES) or _ENTITY.search(source.plain) or not syntaxes_of(edit.path):
        return None
    return [
        _ENTITY.sub(lambda one: unescape(one[0]) if _is_outside(one.string, one.start()) else one[0], line)
        for line in lines
    ]


def _without_pointers(lines: Sequence[str], edit: Edit, source: SourceText) -> Sequence[str] | None:
    from patchpoint.structure.lazy.doubt.remarks import without_pointers

    return without_pointers(lines, [*source.lines, *plain_lines(plain(edit.search))], edit.path)


def _without_gutter(lines: Sequence[str], edit: Edit, source: SourceText) -> Sequence[str] | None:
    from patchpoint.structure.lazy.marks import without_numbers

    old = plain_lines(plain(edit.search))
    bare = without_numbers(lines, source.lines)
    if bare == lines or without_numbers(old, source.lines) != old:
        return None  # where both texts have them, the edit is looked for without them
    # what is between a number and its line is no part of that
    own, quoted = (
        min((indentation_of(line) for line in each if line.strip()), key=len, default="")
        for each in (bare, old)
    )
    return moved(bare, own, quoted)


def _with_recipe_tabs(lines: Sequence[str], edit: Edit, _: SourceText) -> Sequence[str] | None:
    from patchpoint.structure.keyed.units import with_recipe_tabs

    if not any(line.startswith("\t") for line in plain_lines(plain(edit.search))):
        return with_recipe_tabs(lines, edit.path)
    head = "all:"
    return with_recipe_tabs([head, *lines], edit.path)[1:]


def _is_outside(line: str, at: int) -> bool:
    """Return whether a place of a line is in none of its texts, and in no remark."""
    before = line[:at]
    is_remark = "//" in before or "/*" in before or before.lstrip().startswith(("#", "*"))
    return not is_remark and all(before.count(sign) % 2 == 0 for sign in ('"', "'", "`"))


_Rule = Callable[[Sequence[str], Edit, SourceText], Sequence[str] | None]
_RULES_IN_TURN: Sequence[tuple[_Rule, str]] = (
    (_unescaped, "Its line endings are written as signs: they are taken for what they are for."),
    (_without_edges, "What is around the new lines is no part of the file, and is left out."),
    (_without_gutter, "The numbers in front of its lines are left out."),
    (_without_entities, "Its signs are written as entities: they are taken for what they are for."),
    (_without_pointers, "Remarks that only point at what is new are left out."),
    (_with_recipe_tabs, "The spaces in front of recipes are tabs, as make needs them."),
)
