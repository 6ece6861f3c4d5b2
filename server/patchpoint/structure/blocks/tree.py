"""The lines of a text as blocks within blocks, by their depth and the lines that close them.

It holds for what people indent: code, data, markup, styles. Of documents and settings, headings are the
depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.text.regex import regex

_TAB = 8
_MOST_LINES = 20_000
_DEEPEST = 60
_CLOSES = regex(
    r"(?:[)\]}>]|/>|\.\.\.>|</|(?:end|fi|done|esac|endif|endforeach|endfor|endwhile)\b|\{/|\{%-?\s*end|-->|\*/|```|~~~|\\end\{)"
)
"""What a line begins with that closes a block."""
_OPENS = regex(
    r".*(?:[({\[<>:=,|]|=>|->|\b(?:do|then|else|begin|of)(?: \|[^|]*\|)?)\s*(?:(?://|#|--|/\*).*)?\Z"
)
_DECORATOR = regex(r"(?:@[\w.]+(?:\(.*)?|#!?\[.*\])\Z")
_REMARK = regex(r"(?:#(?!\w|\[|!|#)|//|--(?!\w)|/\*|\*(?![\w*])|<!--|;|%(?!\w))")
_TEX = regex(r"\\(?P<name>part|chapter|section|subsection|subsubsection|paragraph)\b")
_TEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_HEADING = regex(r"(#{1,6})\s")
_SECTION = regex(r"\s*\[{1,2}[^\[\]=]+\]{1,2}\s*(?:[#;].*)?\Z")
_FENCE = regex(r"\s*(```+|~~~+)")
_ONLY_CLOSES = regex(r"(?:[)\]}>;,\s]|/>|</[\w.:-]+>|end\b|fi\b|done\b|esac\b)+\Z")
_DOCUMENTS = (".md", ".markdown", ".mdx")
_SETTINGS = (".toml", ".ini", ".cfg", ".conf", ".editorconfig", ".properties", ".service")
_LISTS = (".yml", ".yaml")
_PAGES = (".vue", ".svelte", ".html", ".htm", ".astro")
_PART = regex(r"<(/?)(?:script|style)\b[^>]*>\Z")
"""What begins or ends code or styles of a page, which often are no deeper than that."""


@dataclass(frozen=True, slots=True)
class Block:
    """A line with the deeper lines below it, and the line that closes them."""

    first: int
    """The 0-based row of its head; -1 for the whole text."""
    lead: int
    """The row of the first decorator above its head, or that of the head."""
    end: int
    """The row behind its last line."""
    head_end: int
    """The row behind its head, which a bracket on a line of its own belongs to."""
    parts: tuple[Block, ...] = ()
    tail: int | None = None
    """The row of the line that closes it, where there is one."""

    def walk(self) -> Iterator[Block]:
        """Yield the block, and each that it holds, in the order of their heads."""
        yield self
        for part in self.parts:
            yield from part.walk()


def blocks_of(lines: Sequence[str], path: str, marks: Collection[int] = ()) -> Block | None:
    """Return a text as one block; `None` for one that is too long, or nested too deeply.

    No line of the `marks` is above what is below it as a comment is.
    """
    if len(lines) > _MOST_LINES:
        return None
    depths = _depths(lines, path)
    rows = [row for row, line in enumerate(lines) if line.strip()]
    try:
        return Block(
            -1, -1, len(lines), 0, _Rows(lines, depths, rows, marks, is_document(path)).parts(0, -1, 0)[0]
        )
    except RecursionError:
        return None


def is_document(path: str) -> bool:
    """Return whether a file is text below headings."""
    return path.lower().endswith((*_DOCUMENTS, ".tex"))


def closes(line: str) -> bool:
    """Return whether a line only closes what is above it, or goes on with it."""
    return _CLOSES.match(line.strip()) is not None


def only_closes(line: str) -> bool:
    """Return whether a line has nothing but what closes something."""
    return _ONLY_CLOSES.match(line.strip()) is not None


def is_remark(line: str) -> bool:
    """Return whether a line is a comment, or part of one."""
    return _REMARK.match(line.strip()) is not None


def opens(line: str) -> bool:
    """Return whether more of what a line begins is on lines below it."""
    return _OPENS.match(line.strip()) is not None


@dataclass(frozen=True, slots=True)
class _Rows:
    lines: Sequence[str]
    depths: Sequence[int]
    rows: Sequence[int]
    """The rows that are not blank."""
    marks: Collection[int]
    is_document: bool

    def parts(self, at: int, depth: int, level: int) -> tuple[tuple[Block, ...], int]:
        """Return the blocks that are deeper than a depth, and the number of the row behind them."""
        if level > _DEEPEST:
            raise RecursionError
        parts: list[Block] = []
        while at < len(self.rows) and self.depths[self.rows[at]] > depth:
            part, at = self.block(at, level)
            above = parts[-1] if parts else None
            if above is not None and above.end == part.lead and self._is_lead(above, part):
                parts[-1] = replace(part, lead=above.lead)
            else:
                parts.append(part)
        return tuple(parts), at

    def block(self, at: int, level: int) -> tuple[Block, int]:
        """Return the block that begins on the row numbered `at`, and the number of the row behind it."""
        lines, depths, rows = self.lines, self.depths, self.rows
        head = rows[at]
        depth = depths[head]
        at += 1
        if at < len(rows) and depths[rows[at]] == depth and lines[rows[at]].strip() == "{" and depth >= 0:
            at += 1
        head_end = rows[at - 1] + 1
        parts, at = self.parts(at, depth, level + 1) if head not in self.marks else ((), at)
        tail: int | None = None
        is_next = at < len(rows) and depths[rows[at]] == depth and head not in self.marks
        if is_next and closes(lines[rows[at]]) and not closes(lines[head]):
            goes_on = at + 1 < len(rows) and depths[rows[at + 1]] > depth
            if (parts or opens(lines[head_end - 1])) and not goes_on:
                tail = rows[at]
                at += 1
        return Block(head, head, rows[at - 1] + 1, head_end, parts, tail), at

    def _is_lead(self, above: Block, part: Block) -> bool:
        """Return whether a block is a comment of the one below it, or a decorator."""
        own, below = self.lines[above.first].strip(), self.lines[part.first].strip()
        if self.is_document or above.first in self.marks or part.first in self.marks or only_closes(below):
            return False
        return _DECORATOR.match(own) is not None or (is_remark(own) and not above.parts)


def _depths(lines: Sequence[str], path: str) -> list[int]:
    """Return how deep each line is."""
    name = path.lower()
    if is_document(path):
        return _depths_of_document(lines, is_tex=name.endswith(".tex"))
    own = _columns(lines)
    if name.endswith(_LISTS):
        # an item is within its key, where both begin in one column
        return [2 * depth + line.lstrip().startswith("- ") for depth, line in zip(own, lines, strict=True)]
    if name.endswith(_SETTINGS) or (not any(own) and any(map(_SECTION.match, lines))):
        below = 0
        for row, line in enumerate(lines):
            is_head = _SECTION.match(line) is not None and not own[row]
            below = below or int(is_head)
            own[row] = 0 if is_head else own[row] + below
    elif name.endswith(_PAGES):
        within = 0
        for row, line in enumerate(lines):
            part = None if own[row] else _PART.match(line.rstrip())
            within = int(not part[1]) if part is not None else within
            own[row] += within if part is None else 0
    return own


def _depths_of_document(lines: Sequence[str], *, is_tex: bool) -> list[int]:
    depths: list[int] = []
    ends = ("\\begin{document}", "\\end{document}") if is_tex else ()
    level, start, fence = 0, 0, ""
    for line in lines:
        mark = None if is_tex else _FENCE.match(line)
        rank = _rank(line, is_tex=is_tex)
        if fence:
            is_end = mark is not None and mark[1].startswith(fence)
            depths.append(level + start + 1)
            fence = "" if is_end else fence
        elif mark is not None:
            fence, start = mark[1], _column(line)
            depths.append(level + start)
        elif line.strip() in ends:
            level = 0
            depths.append(0)
        elif rank:
            level = 100 * rank
            depths.append(level - 50)
        else:
            depths.append(level + _column(line))
    return depths


def _rank(line: str, *, is_tex: bool) -> int:
    """Return the rank of a heading, from 1; 0 for any other line."""
    if is_tex:
        found = _TEX.match(line.strip())
        return _TEX_LEVELS.index(found["name"]) + 1 if found is not None else 0
    heading = _HEADING.match(line)
    return len(heading[1]) if heading is not None else 0


def _columns(lines: Sequence[str]) -> list[int]:
    """Return the columns in which lines begin; those of a comment of several lines begin where that does."""
    columns: list[int] = []
    comment: int | None = None
    for line in lines:
        words = line.strip()
        columns.append(_column(line) if comment is None else comment)
        if comment is None and words.startswith("/*") and "*/" not in words:
            comment = columns[-1]
        elif "*/" in words:
            comment = None
    return columns


def _column(line: str) -> int:
    line = line.expandtabs(_TAB)
    return len(line) - len(line.lstrip())
