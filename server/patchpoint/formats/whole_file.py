"""Whole files: a path and, in a fence, the complete content.

Most fences in an answer are samples. One is taken for a file only when its own first line names the path, or
the line above names it and says that this is the new or the whole file; content that leaves parts out is
refused. A fence that only names its path may create a file, and never overwrite one.
"""

from __future__ import annotations

import re

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.fences import FENCE, Fence, fences
from patchpoint.formats.labels import path_alone, path_on_fence, paths_above, paths_mentioned
from patchpoint.formats.source import Reading, Source

_WHOLE = re.compile(
    r"\b(?:full|whole|entire|complete)\s+"
    r"(?:(?:updated|new|revised|modified|corrected|fixed|final|contents?|source|of|the|file)\s+){0,4}"
    r"(?:files?\b|contents?\b|[`*]+[^`*\s]+\.[^`*\s]+[`*])",
    re.IGNORECASE,
)
"""Says that a file is whole, and not that something in it is: `the complete app.py`, `(full file)`."""
_NEW = re.compile(r"\b(?:new file|create[sd]?|creating)\b", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:part|parts|partial|excerpt|snippet|section|relevant|example|not|instead of)\b|n't\b", re.IGNORECASE
)
_LEFT_OUT = re.compile(
    r"^[ \t]*(?:(?://|#|/\*|<!--|--|;|\{/\*|%|\")[ \t]*)?(?:\.{3}|…)"
    r"|^[ \t]*(?://|#|/\*|<!--|--|;|\{/\*|%)[ \t]*\(?(?:the )?"
    r"(?:rest of|existing code|remaining|other (?:code|methods|functions)|unchanged|same as before)",
    re.IGNORECASE | re.MULTILINE,
)
_CITATION = re.compile(r"\d+:\d+:")
_NO_LABEL = re.compile(r"\btitle\s*=|\A(?:node|next|vue|react|express|three|d3|asp|vb)\.\w+\Z", re.IGNORECASE)
_EDITS = re.compile(
    r"""^[ \t]*(?:(?:<|&lt;){3,}[ ]?(?:search|original|before)|-{3,}[ ]search
    |\*{3}[ ](?:begin[ ]patch|\w+[ ]file:)|@@[ ]|---[ ]\S+\n\+{3}[ ])""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_OTHER_FORMAT = re.compile(r"(?:diff|patch|udiff)\b", re.IGNORECASE)


def read_whole_file(source: Source, fence: Fence, floor: int, *, wanted: bool) -> Reading | None:
    """The file that `fence` holds, or `None` when it is a mere sample.

    `wanted` says that the answer is known to be made of whole files: a path above the fence is then enough,
    and the file may exist.
    """
    line, end = fence.first, fence.end
    opening = FENCE.match(source.lines[line])
    path, operation = _label(source, line, floor, opening[2] if opening else "", wanted=wanted)
    if not path:
        return None
    problem, at = _problem(source, fence)
    if problem:
        item = source.malformed(problem, line, end, at=at, path=path, origin=Format.WHOLE_FILE)
        return Reading((item,), source.span(line, end)[1])
    edit = Edit(
        path=path,
        operation=operation,
        content=_content(source, fence),
        format=Format.WHOLE_FILE,
        span=source.span(line, end),
    )
    return Reading((edit,), edit.span[1])


def holds_edits(source: Source, fence: Fence) -> bool:
    """Whether what `fence` holds shows itself as edits in another format."""
    return bool(_EDITS.search(source.text, source.starts[fence.first + 1], source.starts[fence.last]))


def bare_content(text: str) -> str:
    """The content of an answer that is one file and nothing else, with or without a fence around it."""
    source = Source(text)
    filled = [number for number in range(len(source.lines)) if source.bare(number)]
    fence = fences(source).get(filled[0]) if filled else None
    if fence and fence.closed and fence.last == filled[-1]:
        return _content(source, fence)
    return text


def _label(source: Source, line: int, floor: int, info: str, *, wanted: bool) -> tuple[str, Operation]:
    if _CITATION.match(info) or _OTHER_FORMAT.match(info):
        return "", Operation.CREATE
    on_fence = path_on_fence(info)
    if wanted:
        paths = (on_fence,) if on_fence else paths_above(source, line, floor, any_word=True)
        return (paths[0] if len(paths) == 1 else ""), Operation.WRITE
    above = next((n for n in range(line - 1, max(floor, line - 3) - 1, -1) if source.bare(n)), None)
    said = source.bare(above)[:1000] if above is not None else ""
    named = {path for path in (path_alone(said), *paths_mentioned(said)) if path}
    if on_fence and not _NO_LABEL.search(info):
        named.add(on_fence)
        whole = bool(_WHOLE.search(said)) and not _PART.search(said) and len(named) == 1
        return on_fence, Operation.WRITE if whole else Operation.CREATE
    if len(named) == 1 and not _PART.search(said):
        if _WHOLE.search(said):
            return named.pop(), Operation.WRITE
        if _NEW.search(said):
            return named.pop(), Operation.CREATE
    return "", Operation.CREATE


def _problem(source: Source, fence: Fence) -> tuple[str, int]:
    if not fence.closed:
        return "the file is cut off; the end of its fence was expected", fence.last - 1
    if fence.nested is not None:
        return "a fence opens inside the file's content; a longer fence was expected around it", fence.nested
    left_out = _LEFT_OUT.search(source.content(fence.first + 1, fence.last))
    if left_out:
        at = source.line_of(source.starts[fence.first + 1] + left_out.start())
        return "parts of the file are left out here; the complete content was expected", at
    return "", fence.first


def _content(source: Source, fence: Fence) -> str:
    opening = source.lines[fence.first]
    margin = opening[: len(opening) - len(opening.lstrip(" \t"))]
    lines = source.lines[fence.first + 1 : fence.last]
    if margin and all(line.startswith(margin) for line in lines if line.strip()):
        return "".join(line.removeprefix(margin) for line in lines)
    return "".join(lines)
