"""The text in a tag, as it is meant for a file: without the layout around it, and without escapes."""

from __future__ import annotations

import html
import re

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex

_CDATA = regex(r"\s*<!\[CDATA\[(.*?)\]\]>\s*", re.DOTALL)
_ENTITY = regex(r"&(?:lt|gt|amp|quot|apos|#39|#x27|#34);")
_RAW = regex(r"[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#x27|#34);)")
"""What an escaped text has none of."""
_STRING = regex(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_MARKUP = (
    *(".html", ".htm", ".xml", ".xhtml", ".svg", ".vue", ".svelte", ".astro", ".jsx", ".tsx", ".md", ".mdx"),
    *(
        ".markdown",
        ".rst",
        ".txt",
        ".xaml",
        ".csproj",
        ".plist",
        ".erb",
        ".ejs",
        ".hbs",
        ".jinja",
        ".j2",
        ".php",
    ),
)
"""Files in which an entity may be what is meant."""
_ESCAPED = "Its text is taken to be escaped as in XML, for it has `&lt;` or the like and no such sign itself."


def value_of(raw: str, *, lines: bool) -> str:
    """Return an argument as it is meant: written as a block, the line endings next to its tags are layout.

    The last line of a block keeps its ending where the argument is made of `lines`.
    """
    unmarked = _CDATA.fullmatch(raw)
    raw = unmarked[1] if unmarked is not None else raw
    first, newline, value = raw.partition("\n")
    if not lines:
        return raw.strip()
    if not newline or first.strip():
        return raw
    last_line = value[value.rfind("\n") + 1 :]
    return value if last_line.strip() else value[: len(value) - len(last_line)]


def unescaped(item: Item) -> Item:
    """Return an edit with its new text unescaped, in doubt, where that is escaped and quotes nothing that is.

    Of one that quotes such a text, the file shows how that is meant.
    """
    if not isinstance(item, Edit) or item.path.lower().endswith(_MARKUP):
        return item
    quoted = f"{item.search}{item.before}{item.after}"
    new = f"{item.replace}{item.content or ''}"
    if _ENTITY.search(quoted) or not _ENTITY.search(_STRING.sub("", new)) or _RAW.search(quoted + new):
        return item
    content = html.unescape(item.content) if item.content is not None else None
    doubt = item.doubt or _ESCAPED
    return replace(item, replace=html.unescape(item.replace), content=content, doubt=doubt)
