"""What an answer says of a fence: the file that it is for, and what is called an example, whole, or new."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.formats.blocks import lead
from patchpoint.formats.fences import Fence, FenceKind, fence_on, without_content
from patchpoint.formats.labels import Named, Naming, line_named, names_above, path_alone
from patchpoint.formats.path_forms import names_a_source, path_on_fence
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_NO_LABEL = regex(r"\A(?:node|next|vue|react|express|three|d3|asp|vb)\.\w+\Z", re.IGNORECASE)
_COMMENT_SIGNS = ("#", "//", "/*", "<!--", "--", ";", "%")
_PROSE = ("md", "markdown", "mdx", "rst", "text", "txt", "plaintext")
_MARKS = tuple("#*`~")
"""What a heading or a fence begins with."""
_NEAR = 3
_FAR = 40

_OWN_SUFFIXES = "py js jsx ts tsx go rs java c cpp h hpp cs rb php kt swift scala lua"
_SUFFIXES = {
    "python": "py", "python3": "py", "javascript": "js", "mjs": "js", "node": "js", "typescript": "ts",
    "golang": "go", "rust": "rs", "c++": "cpp", "cc": "cpp", "csharp": "cs", "c#": "cs", "ruby": "rb",
    "kotlin": "kt", "make": "mk", "makefile": "mk", "dockerfile": "dockerfile",
    **{suffix: suffix for suffix in _OWN_SUFFIXES.split()},
}  # fmt: skip
"""By what a fence is called, the suffix of a file of its language."""


@dataclass(frozen=True, kw_only=True)
class FenceLabel:
    """What is said of one fence; `paths` are the files that are named for it, none or several if unclear."""

    kind: FenceKind
    language: str
    paths: tuple[str, ...]
    how: Naming | None
    """How its file is named, if it is one."""
    in_comment: int | None
    """The line of the fence that is a comment with its path."""
    line: int | None
    above: str
    """The line right above it."""
    introduction: str
    """The line above that one, where it leads to the fence with a colon, and the path is between."""
    below: str
    """The line right below it."""
    heading: str
    """The heading that it is right under, without another fence between."""
    section: str
    """The nearest heading above that is not only a path."""

    @property
    def path(self) -> str:
        """Its file, if one is named."""
        return self.paths[0] if len(self.paths) == 1 else ""

    @cached_property
    def is_example(self) -> bool:
        """Whether it is called something else than the change."""
        is_judged = lead.is_judged(self.below) and not lead.is_change(self.above)
        heading = self.section or self.heading
        return is_judged or lead.is_example(self.above, heading) or lead.is_example(self.introduction)

    @cached_property
    def is_change(self) -> bool:
        """Whether it is called a change, or handed over as what a file is to be."""
        return lead.is_change(self.above)


def label_of(scan: TextScan, fence: Fence, lower_bound: int) -> FenceLabel:
    """Return what the text says of a fence, on its own line, in its first line and above it.

    Lines before `lower_bound` are not looked at, and no more are those in fences that are not around it.
    """
    known = scan.source.once(_labels)
    key = (fence.first, lower_bound)
    if key not in known:
        known[key] = _label_of(scan, fence, lower_bound)
    return known[key]


def _labels(_: AnswerText) -> dict[tuple[int, int], FenceLabel]:
    """Return the labels of the fences of a text: several formats ask for each."""
    return {}


def _label_of(scan: TextScan, fence: Fence, lower_bound: int) -> FenceLabel:
    source = scan.source
    around = scan.source.once(without_content)
    if source.lines[fence.first] != around.lines[fence.first]:
        around = source
    marked = scan.source.once(_marked if around is source else _marked_outside)
    info = fence.info
    is_label = fence.kind() is not FenceKind.CITATION and not _NO_LABEL.search(info)
    on_fence = path_on_fence(info) if is_label else ""
    is_prose = info.casefold().startswith(_PROSE)
    comment, commented = ("", None) if is_prose else _path_in_first_line(source, fence)
    content = source.content(fence.first + 1, fence.last)
    named = names_above(around, fence.first, lower_bound, unquoted=True, content=content)
    nearest = _line_above(around, fence.first, lower_bound)
    above = around.bare(nearest)[:1000]
    if on_fence or comment:
        named = (Named(on_fence or comment, Naming.ON_FENCE),)
    only = named[0] if len(named) == 1 else None
    paths = tuple(each.path for each in named)
    line = only.line if only is not None else None
    return FenceLabel(
        kind=fence.kind(only.path if only is not None else ""),
        language=(info.split() or [""])[0].strip("{}.").partition(":")[0].casefold(),
        paths=paths,
        how=only.how if only is not None else None,
        in_comment=commented,
        line=line if line is not None else line_named(above),
        above=above,
        introduction=_introduction(around, nearest, lower_bound) if path_alone(above) else "",
        below=_line_below(around, fence.end)[:1000],
        heading=_heading_above(marked, fence.first, lower_bound),
        section=_heading_above(marked, fence.first, lower_bound, is_section=True),
    )


def suffix_of(language: str) -> str:
    """Return the suffix of a file in the language that a fence is called by; empty if it is not known."""
    return _SUFFIXES.get(language, "")


def code_of(source: AnswerText, fence: Fence, without: int | None = None) -> str:
    """Return the content of a fence, without the fence's own indentation, from behind line `without` on."""
    opening = source.lines[fence.first]
    indentation = opening[: len(opening) - len(opening.lstrip(" \t"))]
    first = fence.first + 1
    if without is not None:
        first = without + 1
        while first < fence.last and not source.bare(first):
            first += 1
    lines = source.lines[first : fence.last]
    if indentation and all(line.startswith(indentation) for line in lines if line.strip()):
        return "".join(line.removeprefix(indentation) for line in lines)
    return "".join(lines)


def _path_in_first_line(source: AnswerText, fence: Fence) -> tuple[str, int | None]:
    """Return the path that the first line of a fence's content is, as a comment, and the line."""
    for number in range(fence.first + 1, min(fence.first + 3, fence.last)):
        words = source.bare(number)
        if words:
            is_comment = words.startswith(_COMMENT_SIGNS) and not words.startswith(("#!", "#include"))
            path = path_alone(words) if is_comment else ""
            # `# Changelog` and `# TODO` are no paths
            return (path, number) if names_a_source(path) and "." in path else ("", None)
    return "", None


def _line_above(source: AnswerText, line: int, lower_bound: int) -> int:
    """Return the nearest line above that is not blank; a line past the end if there is none."""
    above = range(line - 1, max(lower_bound, line - _NEAR) - 1, -1)
    return next((number for number in above if source.bare(number)), len(source.lines))


def _line_below(source: AnswerText, line: int) -> str:
    """Return the first of the lines from `line` on that is not blank; empty if there is none near."""
    below = range(line, min(line + _NEAR, len(source.lines)))
    return next((source.bare(number) for number in below if source.bare(number)), "")


def _introduction(source: AnswerText, line: int, lower_bound: int) -> str:
    """Return the line above another one if it leads on with a colon."""
    above = source.bare(_line_above(source, line, lower_bound))[:1000]
    return above if above.endswith(":") and not fence_on(above) else ""


def _marked_outside(source: AnswerText) -> list[tuple[int, str]]:
    return source.once(without_content).once(_marked)


def _marked(source: AnswerText) -> list[tuple[int, str]]:
    """Return the lines that may be headings or fences, each with its number."""
    lines = enumerate(source.lines)
    return [(number, line.strip()) for number, line in lines if line.lstrip().startswith(_MARKS)]


def _heading_above(
    marked: list[tuple[int, str]], line: int, lower_bound: int, *, is_section: bool = False
) -> str:
    """Return the nearest heading above without a fence between, or the nearest of a section."""
    lowest = max(lower_bound, line - _FAR)
    at = bisect_left(marked, (line,))
    while at and marked[at - 1][0] >= lowest:
        at -= 1
        text = marked[at][1]
        if text.startswith(("```", "~~~")):
            if not is_section:
                return ""
            continue
        is_heading = text.startswith("#") or (text.startswith("**") and text.rstrip(":").endswith("**"))
        if is_heading and not (is_section and path_alone(text)):
            return text[:300]
    return ""
