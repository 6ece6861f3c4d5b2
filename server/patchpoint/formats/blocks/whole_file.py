"""Whole files: a path and, in a fence, the complete content.

Most fences in an answer are samples. One counts as a file only when its own first line names the path, or the
line above names it and calls it the new or the whole file; content that leaves parts out is refused. A fence
that only names its path may create a file, and never overwrite one.
"""

from __future__ import annotations

import re

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.blocks.lazy import is_lazy
from patchpoint.formats.fences import FENCE, Fence, fences
from patchpoint.formats.labels import is_path, path_alone, path_on_fence, paths_above, paths_mentioned
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult

_WHOLE = re.compile(
    r"\b(?:full|whole|entire|complete)\s+"
    r"(?:(?:updated|new|revised|modified|corrected|fixed|final|contents?|source|of|the|file)\s+){0,4}"
    r"(?:files?\b|contents?\b|[`*]+[^`*\s]+\.[^`*\s]+[`*])",
    re.IGNORECASE,
)
"""Calls a file whole, and not something in it: `the complete app.py`, `(full file)`."""
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


def read_whole_file(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the file that the fence at `sign` holds; `None` when it is a mere sample or holds other edits.

    Where whole files alone are wanted, a path above the fence is enough, and the file may exist.
    """
    source = scan.source
    fence = scan.once(fences).get(source.line_of(sign.start))
    if fence is None:
        return None
    wanted = scan.wanted is Format.WHOLE_FILE
    reading = _reading(source, fence, scan.lower_bound, wanted=wanted)
    return None if reading and not wanted and _holds_edits(source, fence) else reading


def read_bare_file(text: str, path: str) -> Item:
    """Read an answer that is the file at `path` and nothing else, with or without a fence around it."""
    return Edit(
        path=path,
        operation=Operation.WRITE,
        content=_bare_content(text),
        format=Format.WHOLE_FILE,
        span=(0, len(text)),
    )


def without_samples(items: list[Item]) -> list[Item]:
    """Return the items without fences that only name a file which another item edits: samples of it."""
    edited = {item.path for item in items if item.format not in (Format.WHOLE_FILE, Format.LAZY)}
    return [
        item
        for item in items
        if item.format is not Format.WHOLE_FILE
        or item.path not in edited
        or (isinstance(item, Edit) and item.operation in (Operation.WRITE, Operation.INSERT))
    ]


def _reading(source: AnswerText, fence: Fence, lower_bound: int, *, wanted: bool) -> ReadResult | None:
    line, end = fence.first, fence.end
    opening = FENCE.match(source.lines[line])
    path, operation, is_named_only = _label(
        source, line, lower_bound, opening[2] if opening else "", wanted=wanted
    )
    if not path:
        return None
    problem, at = _problem(source, fence)
    if problem and not wanted and is_lazy(source, fence, path):
        return None
    if problem:
        item = source.malformed(problem, line, end, at=at, path=path, origin=Format.WHOLE_FILE)
        return ReadResult((item,), source.span(line, end)[1])
    edit = Edit(
        path=path,
        operation=operation,
        content=_content(source, fence),
        may_be_part=is_named_only,
        format=Format.WHOLE_FILE,
        span=source.span(line, end),
    )
    return ReadResult((edit,), edit.span[1])


def _holds_edits(source: AnswerText, fence: Fence) -> bool:
    """Return whether the content of `fence` is plainly edits in another format."""
    return bool(_EDITS.search(source.text, source.starts[fence.first + 1], source.starts[fence.last]))


def _bare_content(text: str) -> str:
    """Return the content of an answer that is one file and nothing else, in a fence or not."""
    source = AnswerText(text)
    filled = [number for number in range(len(source.lines)) if source.bare(number)]
    fence = fences(source).get(filled[0]) if filled else None
    if fence and fence.closed and fence.last == filled[-1]:
        return _content(source, fence)
    return text


def _label(
    source: AnswerText, line: int, lower_bound: int, info: str, *, wanted: bool
) -> tuple[str, Operation, bool]:
    """Return the path of a fence, what is done there, and whether the path is all that says so."""
    if _CITATION.match(info) or _OTHER_FORMAT.match(info):
        return "", Operation.CREATE, False
    on_fence = path_on_fence(info)
    if wanted:
        paths = (on_fence,) if on_fence else paths_above(source, line, lower_bound)
        return (paths[0] if len(paths) == 1 and is_path(paths[0]) else ""), Operation.WRITE, False
    above = next((n for n in range(line - 1, max(lower_bound, line - 3) - 1, -1) if source.bare(n)), None)
    above_text = source.bare(above)[:1000] if above is not None else ""
    named = {path for path in (path_alone(above_text), *paths_mentioned(above_text)) if path}
    if on_fence and not _NO_LABEL.search(info):
        named.add(on_fence)
        whole = bool(_WHOLE.search(above_text)) and not _PART.search(above_text) and len(named) == 1
        return (
            on_fence,
            Operation.WRITE if whole else Operation.CREATE,
            not (whole or _NEW.search(above_text)),
        )
    if len(named) == 1 and not _PART.search(above_text):
        if _WHOLE.search(above_text):
            return named.pop(), Operation.WRITE, False
        if _NEW.search(above_text):
            return named.pop(), Operation.CREATE, False
    return "", Operation.CREATE, False


def _problem(source: AnswerText, fence: Fence) -> tuple[str, int]:
    if not fence.closed:
        return "the file is cut off; the end of its fence was expected", fence.last - 1
    if fence.nested is not None:
        return "a fence opens inside the file's content; a longer fence was expected around it", fence.nested
    left_out = _LEFT_OUT.search(source.content(fence.first + 1, fence.last))
    if left_out:
        at = source.line_of(source.starts[fence.first + 1] + left_out.start())
        return "parts of the file are left out here; the complete content was expected", at
    return "", fence.first


def _content(source: AnswerText, fence: Fence) -> str:
    opening = source.lines[fence.first]
    indentation = opening[: len(opening) - len(opening.lstrip(" \t"))]
    lines = source.lines[fence.first + 1 : fence.last]
    if indentation and all(line.startswith(indentation) for line in lines if line.strip()):
        return "".join(line.removeprefix(indentation) for line in lines)
    return "".join(lines)
