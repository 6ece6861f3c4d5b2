"""Lazy code: a fence that shows only the definitions that change, the rest left out or marked by a comment.

A fence counts where its file is named: on its opening line, in a comment that is its first line, or above
it. It has to show a definition, or lines and a mark. What is said to be an example, or the code as it was, is
prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.fences import FENCE, Fence, fences
from patchpoint.formats.labels import path_alone, path_on_fence, paths_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.structure.lazy.headers import shows_definition
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.syntax import syntaxes_of

_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|examples?|for instance|usage|used? like|call(?:ed|s|ing)? (?:it|this)|output|"
    r"currently|original(?:ly)?|the old|existing code (?:is|was|looks)|was|previously|before(?! we| you)|"
    r"instead of|don't|do not|not like|wrong|tests? (?:it )?with|you (?:might|could) also|run (?:it|this))\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code something else than the change."""
_CHANGE = re.compile(
    r"\b(?:change[sd]?|updated?|replace[sd]?|modif(?:y|ied)|fix(?:ed)?|new version|edit(?:ed)?|rewrite|"
    r"refactor\w*|after|add(?:ed)?)\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code the change after all."""
_CITATION = re.compile(r"\d+:\d+:")
_OTHER = re.compile(
    r"(?:diff|patch|udiff|console|terminal|output|text|txt|plaintext|bash|sh|shell|zsh|powershell|json|"
    r"markdown|md)\b",
    re.IGNORECASE,
)
_EDITS = re.compile(
    r"^[ \t]*(?:(?:<|&lt;){3,}[ ]?(?:search|original|before|head)|-{3,}[ ]search"
    r"|\*{3}[ ](?:begin[ ]patch|\w+[ ]file:)|@@[ ]|---[ ]\S+\n\+{3}[ ])",
    re.IGNORECASE | re.MULTILINE,
)
_LEAST_LINES = 2
"""With a mark, so many other lines have to be shown."""
_MOST_LINES = 20_000


def read_lazy(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the code that the fence at `sign` shows; `None` when it is a sample or of no known file."""
    source = scan.source
    fence = scan.once(fences).get(source.line_of(sign.start))
    if fence is None:
        return None
    item = _edit(source, fence, scan.lower_bound, "")
    return ReadResult((item,), item.span[1]) if item is not None else None


def read_other_fences(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the code that fences show which no sign pointed at.

    One whose file is not named counts where the caller named a file, and the text has no other edits.
    """
    source = scan.source
    if "```" not in source.text and "~~~" not in source.text:
        return []
    taken = [(item.span, item.format) for item in items]
    found: list[Item] = []
    unnamed: list[Item] = []
    lower_bound = 0
    for fence in _outer(scan.once(fences)):
        start, end = source.span(fence.first, fence.end)
        readers = [format_ for (low, high), format_ in taken if low < end and start < high]
        if readers:
            # A heading above shown code is above what is shown after it as well, and not above other edits.
            lower_bound = lower_bound if set(readers) == {Format.LAZY} else fence.end
            continue
        item = _edit(source, fence, lower_bound, "")
        if item is not None:
            found.append(item)
        elif scan.known_path and not items:
            item = _edit(source, fence, lower_bound, scan.known_path)
            unnamed += [item] if item is not None else []
    return found or unnamed


def read_bare_code(text: str, path: str) -> Item:
    """Read an answer that is code of the file at `path` and nothing else, in a fence or not."""
    source = AnswerText(text)
    found = list(_outer(fences(source)))
    if len(found) > 1 or any(not fence.closed for fence in found):
        message = "none of these fences shows a definition of the file; one such fence was expected"
        return source.malformed(message, 0, len(source.lines), path=path, origin=Format.LAZY)
    if found:
        text = _code(source, found[0])
    return Edit(
        path=path, operation=Operation.MERGE, replace=text, format=Format.LAZY, span=(0, len(source.text))
    )


def without_shown_edits(items: list[Item]) -> list[Item]:
    """Return the items without code that only shows a file which another item edits, or writes whole."""
    edited = {
        item.path
        for item in items
        if item.format is not Format.LAZY
        and not (isinstance(item, Edit) and (item.may_be_part or item.operation is Operation.CREATE))
        and not (isinstance(item, Malformed) and item.format is Format.WHOLE_FILE)
    }
    return [item for item in items if item.format is not Format.LAZY or item.path not in edited]


def is_lazy(source: AnswerText, fence: Fence, path: str) -> bool:
    """Return whether a fence shows code of the file at `path` by definitions, or by lines and a mark."""
    if not fence.closed or fence.nested is not None or fence.last - fence.first > _MOST_LINES:
        return False
    syntaxes = syntaxes_of(path)
    if not syntaxes:
        return False
    lines = [source.lines[number].rstrip("\r\n") for number in range(fence.first + 1, fence.last)]
    if any(shows_definition(lines, syntax) for syntax in syntaxes):
        return True
    marks = sum(map(is_mark, lines))
    return bool(marks) and sum(bool(line.strip()) for line in lines) - marks >= _LEAST_LINES


def _outer(every: dict[int, Fence]) -> Iterator[Fence]:
    """Yield the fences that are in no other, in order."""
    reached = 0
    for first in sorted(every):
        if first >= reached:
            yield every[first]
            reached = every[first].end


def _edit(source: AnswerText, fence: Fence, lower_bound: int, known_path: str) -> Item | None:
    opening = FENCE.match(source.lines[fence.first])
    info = opening[2] if opening else ""
    path = path_on_fence(info)
    if _CITATION.match(info) or (_OTHER.match(info) and not path):
        return None
    if _EDITS.search(source.text, *_inside(source, fence)):
        return None
    path = path or _path_in_first_line(source, fence)
    if not path:
        above = source.bare(_line_above(source, fence.first, lower_bound))[:1000]
        if _EXAMPLE.search(above) and not _CHANGE.search(above):
            return None
        named = paths_above(source, fence.first, lower_bound)
        if len(named) > 1:
            return None
        path = named[0] if named else known_path
    if not path or not is_lazy(source, fence, path):
        return None
    return Edit(
        path=path,
        operation=Operation.MERGE,
        replace=_code(source, fence),
        format=Format.LAZY,
        span=source.span(fence.first, fence.end),
    )


def _inside(source: AnswerText, fence: Fence) -> tuple[int, int]:
    return source.starts[min(fence.first + 1, len(source.lines))], source.starts[
        min(fence.last, len(source.lines))
    ]


def _line_above(source: AnswerText, line: int, lower_bound: int) -> int:
    """Return the nearest line above that is not blank; a line past the end if there is none."""
    above = range(line - 1, max(lower_bound, line - 3) - 1, -1)
    return next((number for number in above if source.bare(number)), len(source.lines))


def _path_in_first_line(source: AnswerText, fence: Fence) -> str:
    """Return the path that the first line of a fence's content is, as a comment."""
    for number in range(fence.first + 1, min(fence.first + 3, fence.last)):
        words = source.bare(number)
        if words:
            is_comment = words.startswith(("#", "//", "/*", "<!--", "--", ";", "%")) and not words.startswith(
                "#!"
            )
            return path_alone(words) if is_comment else ""
    return ""


def _code(source: AnswerText, fence: Fence) -> str:
    opening = source.lines[fence.first]
    indentation = opening[: len(opening) - len(opening.lstrip(" \t"))]
    lines = source.lines[fence.first + 1 : fence.last]
    if indentation and all(line.startswith(indentation) for line in lines if line.strip()):
        return "".join(line.removeprefix(indentation) for line in lines)
    return "".join(lines)
