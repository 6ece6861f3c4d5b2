"""Remarks in shown code, by what comes of the file: for lines that are there, or all that is new."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from patchpoint.structure.lazy.definition import Definition, UnmergedError, indentation_of, is_comment
from patchpoint.structure.lazy.doubt.names_in_use import bound_names
from patchpoint.structure.lazy.marks import is_mark, without_path
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
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
_HEAD = regex(
    r"\s*(?:\}\s*)?(?:(?:for|foreach|if|else if|while|with|using|catch|switch|try)\s*\([^()]*\Z"
    r"|(?:def|fn|func|fun|function|sub|async|public|private|protected|internal|static|export|override|constructor"
    r"|pub|inline|virtual|abstract)\b)"
)
"""What has names that get a value in brackets."""
_MOST_GONE = 200
"""Where more lines go it is another version, and none is looked at for the names that it binds."""
_EMPTIED = regex(
    r"(?P<before>.*>)\s*(?P<remark>\{/\*(?:[^*]|\*(?!/)){1,120}\*/\})\s*(?P<end></.*)"
    r"|(?P<opened>.*[{(\[])\s*(?P<inner>/\*(?:[^*]|\*(?!/)){1,120}\*/)\s*(?P<close>[})\]](?!</).*)"
)
"""A line on which brackets, or an element, have a remark and nothing else."""
_TEXT = regex(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_TRAILING = regex(r"(?<![:\w\"'`])(?:#(?![\w!{])|//|--\s|/\*|<!--|\{/\*).*\Z")


def is_emptied(line: str) -> bool:
    """Return whether brackets or an element on a line have a remark and nothing else."""
    return _EMPTIED.fullmatch(line) is not None


def without_remark(line: str) -> str:
    """Return a line without a remark at its end."""
    return _TRAILING.sub("", line).rstrip()


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


def unbound_name(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return a name to which a line that is gone gave a value, and that is only used now; empty for none.

    It is looked for in the function that the line was in.
    """
    root: Definition | None = None
    for (first, end), (new_first, new_end) in changed_ranges(file, result):
        left = set(map(str.strip, result[new_first:new_end]))
        gone = [line for line in file[first:end] if line.strip() not in left]
        if len(gone) > _MOST_GONE:
            continue
        plain = _plain(gone)
        names = {
            name
            for name in bound_names(plain)
            if any(_bound(name).search(line) and _gives_value(line, name) for line in plain)
        }
        if not names:
            continue
        try:
            root = root or outline_of_file(result, path)[0].root
        except UnmergedError:
            return ""
        around = _around(root, new_first, max(new_end, new_first + 1))
        if around.is_container:
            continue
        within = result[around.lead : around.end]
        known = set(bound_names(line for line in result if line[:1].strip()))
        text = _TEXT.sub("''", "\n".join(_code(within)))
        for name in sorted(names - known):
            if any(_gives_value(line, name) for line in _plain(within)):
                continue
            if _used(name).search(text) and not _used(name).search(text.partition("\n")[0]):
                return name
    return ""


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


def _plain(lines: Sequence[str]) -> list[str]:
    """Return lines without the signs of variables."""
    return [line.replace("$", "") for line in lines]


def _bound(name: str) -> re.Pattern[str]:
    """Return what a line has that gives a name a value, and does not say a type by it."""
    return re.compile(rf"(?<![\w.])(?<!: )(?<!\| ){re.escape(name)}\s*(?:,[^=()]*)?(?::[^=]*)?(?::=|=(?!=))")


def _gives_value(line: str, name: str) -> bool:
    """Return whether a line gives a name a value; an argument of that name, or before one, gets none."""
    word, other = re.escape(name), r"(?:(?!\bin\b)[\w\s,*&])*"
    if re.search(rf"(?<![\w.]){word}\s*:=|\bfor\s{other}\b{word}\b{other}\bin\b", line):
        return True
    if name not in set(bound_names([line])):
        return False
    found = _bound(name).search(line)
    before = line[: found.start()] if found else ""
    return before.count("(") <= before.count(")") or _HEAD.match(before) is not None


def _used(name: str) -> re.Pattern[str]:
    """Return what a text has that uses a name, and not that of a member, a key or an argument."""
    return re.compile(rf"(?<![\w.>:]){re.escape(name)}(?![\w]|\s*:(?!:)|\s*=(?![=>]))")


def _mark_for(remark: str, depth: str, signs: Sequence[str]) -> str:
    if remark.startswith("{/*"):
        return f"{depth}{{/* {_MARK} */}}"
    return f"{depth}<!-- {_MARK} -->" if remark.startswith("<!--") else f"{depth}{signs[0]} {_MARK}"


def _code(lines: Sequence[str]) -> list[str]:
    """Return lines without what is a remark in them, and without blank ones."""
    return [words for line in lines if (words := _TRAILING.sub("", line).strip())]


def _around(root: Definition, first: int, end: int) -> Definition:
    """Return the innermost definition that holds some lines."""
    inner = next((each for each in root.children if each.lead <= first and end <= each.end), None)
    return _around(inner, first, end) if inner is not None else root
