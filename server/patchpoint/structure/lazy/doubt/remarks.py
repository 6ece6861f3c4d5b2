"""Remarks in shown code, by what comes of the file: for lines that are there, or all that is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.structure.lazy.bindings import without_remark
from patchpoint.structure.lazy.definition import indentation_of, is_comment
from patchpoint.structure.lazy.marks import is_mark, without_path
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import regex

_MARK = "... existing code ..."
_MOST = 3
"""Of more remarks each is not read alone."""
_POINTER = regex(
    r"(?:\#|//|--|<!--|\{?/\*)[ \t]{0,9}(?:"
    r"(?:<[-=]{1,9}|←|⬅️?|👈|◀️?)[ \t]{0,9}"
    r"(?:(?i:add|insert|new|chang|updat|modif|fix|this|here)[\w ,']{0,30})?"
    r"|(?:NEW|ADD|ADDED|ADD THIS|CHANGE|CHANGED|UPDATED|MODIFIED|FIXED|INSERT)(?: LINE| HERE)?"
    r"|(?i:add|insert) this(?: line| here)?|(?i:new|added|changed|updated|modified) line"
    r")[!.:]?[ \t]{0,9}(?:\*/\}?|-->)?\s{0,9}\Z"
)
"""A remark for a reader of the answer alone, at the end of a line or on one of its own."""
_EMPTIED = regex(
    r"(?P<before>.*>)\s*(?P<remark>\{/\*(?:[^*]|\*(?!/)){1,120}\*/\})\s*(?P<end></.*)"
    r"|(?P<opened>.*[{(\[])\s*(?P<inner>/\*(?:[^*]|\*(?!/)){1,120}\*/)\s*(?P<close>[})\]](?!</).*)"
)
"""A line on which brackets, or an element, have a remark and nothing else."""


def is_emptied(line: str) -> bool:
    """Return whether brackets or an element on a line have a remark and nothing else."""
    return _EMPTIED.fullmatch(line) is not None


def only_adds_remarks(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether what becomes of a file has remarks more than it, and differs in nothing else."""
    changes = changed_ranges(file, result)
    return bool(changes) and all(
        _code(result[new_first:new_end]) == [line.strip() for line in file[first:end] if line.strip()]
        for (first, end), (new_first, new_end) in changes
    )


def differs_in_remarks(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether what becomes of a file differs from it in remarks and depths, and in nothing else."""
    return only_adds_remarks(file, result) or only_adds_remarks(result, file)


def without_pointers(shown: Sequence[str], file: Sequence[str], path: str) -> list[str]:
    """Return shown lines without remarks that point at what is new in them (`# <-- add this`), and no more.

    Those that the file has stay, and so does what is no remark in its language.
    """
    syntax = next(iter(syntaxes_of(path)), None)
    if syntax is None or syntax.family == "markdown":
        return list(shown)
    known, signs = set(file), (*syntax.comments, "<!--", "{/*")
    lines: list[str] = []
    for line in shown:
        found = _POINTER.search(line) if line not in known else None
        if found is None or not found[0].startswith(signs):
            lines.append(line)
        elif line[: found.start()].strip():
            lines.append(line[: found.start()].rstrip())
    return lines


def remarks_as_marks(file: Sequence[str], shown: Sequence[str], path: str) -> Iterator[list[str]]:
    """Yield shown code in which remarks that the file has not are marks: each of a few alone, then all."""
    signs = next((each.comments for each in syntaxes_of(path)), ("#",))
    there = set(map(str.strip, file))
    every: dict[int, list[str]] = {}
    named = len(shown) - len(without_path(shown, file, path))
    for row, line in enumerate(shown):
        if row < named or line.strip() in there or is_mark(line):
            continue
        emptied = _EMPTIED.fullmatch(line)
        if is_comment(line, signs) or line.strip().startswith(("{/*", "<!--")):
            every[row] = [_mark_for(line.strip(), indentation_of(line), signs)]
        elif emptied:
            before, remark, end = filter(None, emptied.groups())
            depth = indentation_of(line)
            every[row] = [before, _mark_for(remark, f"{depth}  ", signs), depth + end]
    several = [[row] for row in every] if len(every) <= _MOST else []
    for rows in [*several, *([list(every)] if len(every) != 1 else [])]:
        if rows:
            chosen = {row: every[row] for row in rows}
            yield [each for row, line in enumerate(shown) for each in chosen.get(row, [line])]


def _mark_for(remark: str, depth: str, signs: Sequence[str]) -> str:
    if remark.startswith("{/*"):
        return f"{depth}{{/* {_MARK} */}}"
    return f"{depth}<!-- {_MARK} -->" if remark.startswith("<!--") else f"{depth}{signs[0]} {_MARK}"


def _code(lines: Sequence[str]) -> list[str]:
    """Return lines without what is a remark in them, and without blank ones."""
    return [words for line in lines if (words := without_remark(line).strip())]
