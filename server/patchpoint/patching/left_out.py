"""What is left out of new lines: a mark is for lines of the search text, a comment for what it says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.locate.alignment import Match, best_chain
from patchpoint.locate.rungs.elision import find_elision, is_elision
from patchpoint.locate.source import SourceText, plain
from patchpoint.locate.verdict import Quote, SearchLimit
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.reasons import refusal
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.definition import UnmergedError, indentation_of, is_comment, moved
from patchpoint.structure.lazy.doubt.remarks import is_emptied
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import LONG_NAME, regex

_STUB = regex(
    r"(?:(?:raise|throw)\s(?:new\s)?[\w.]*(?:Not_?Implemented|Unsupported)\w*(?:\(\s*\))?"
    r"|(?:raise|throw)\b[^\"']{0,60}[\"'][^\"']{0,9}[Nn]ot (?:yet )?implemented[^\"']{0,9}[\"'].{0,9}"
    r"|(?:todo|unimplemented)!\(.{0,80}|TODO\(.{0,80})[;)]*\Z"
)
_REMARKED = regex(
    r"(?:\.\.\.|…)\Z|(?:pass|return(?: (?:null|nil|None|undefined|true|false))?|(?:raise|throw)\b[^#]*?)"
    r"\s*;?\s+(?:#|//|--|/\*)"
)
"""A line of dots, or a stub with a remark."""
_SIGNS = ("#", "//", "--", "/*")
"""What comments begin with in files of no known language."""
_OF_PAGES = ("<!--", "{{--", "{# ", "{/*")
"""What comments begin with among elements, whatever else the file has."""
_ALIKE = 0.6
_NEARLY = 0.8
"""A line so much alike is the same one, with another value."""
_FEW = 2
"""A comment says of so few lines what they do; more of them are another version."""
_MOST_COMPARED = 20_000
"""Of more pairs of lines it is not found out which are alike."""
_STEM = 4
"""So much of a word's beginning says that it is the same."""
LINES_STAY = "The replacement leaves lines out: they stay as the search text has them."
_ELIDED = "The replacement has no mark: all {count} lines that the search text is for would give way to it."
LEFT_OUT_OF_SEARCH = (
    "`{mark}` leaves lines out of the search text, and it is not certain which; quote all of them"
)
LEFT_OUT = "`{mark}` leaves lines out of what is to be written, and it is not certain which; send all of it"


def with_left_out(edit: Edit, text: str) -> Edit | Outcome:
    """Return an edit with the lines of its search text that marks in its replacement stand for, in doubt.

    An edit whose search text alone has marks is returned with all the lines that these stand for.
    Return why it is refused where that is not certain, and the edit itself where there is none that the file,
    or its search text, has not.
    """
    mark = mark_of_its_own(edit.replace, edit.search, text)
    if not mark:
        return _with_elided(edit, text)
    old, new = (plain_lines(plain(each)) for each in (edit.search, edit.replace))
    try:
        merged = merge_shown(old, new, edit.path)
    except UnmergedError:
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    if any(is_mark(line) and line not in old for line in merged.lines):
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    end = "\n" if edit.replace.endswith("\n") else ""
    return replace(edit, replace="\n".join(merged.lines) + end, doubt=edit.doubt or LINES_STAY)


def _with_elided(edit: Edit, text: str) -> Edit | Outcome:
    """Return an edit that quotes all from the first to the last line of a search text with marks, in doubt.

    It is returned as it is where its replacement has a mark, or its search text none, or where that is there.
    """
    marks = [line for line in plain_lines(plain(edit.search)) if is_elision(line)]
    if not marks or any(map(is_elision, plain_lines(plain(edit.replace)))):
        return edit
    source = SourceText(text)
    if plain(edit.search) in source.plain or any(mark.strip() in source.stripped for mark in marks):
        return edit
    found = find_elision(source, Quote.of(edit.search, edit.search), SearchLimit())
    if len(found) != 1:
        why = LEFT_OUT_OF_SEARCH.format(mark=marks[0].strip())
        return refusal(Reason.NOT_WHOLE, edit.path, why=why)
    first, end = found[0].lines
    quoted = next(line for line in plain_lines(plain(edit.search)) if line.strip() and not is_elision(line))
    new = moved(plain_lines(plain(edit.replace)), indentation_of(quoted), indentation_of(source.lines[first]))
    new = new if edit.replace.strip() else []
    lines = ["".join(f"{line}\n" for line in each) for each in (source.lines[first:end], new)]
    doubt = edit.doubt or _ELIDED.format(count=end - first)
    return replace(edit, search=lines[0], replace=lines[1], line=first + 1, doubt=doubt)


def only_remarked(old: Sequence[str], new: Sequence[str], path: str) -> str:
    """Return the first of several lines of code in whose place a new text only has remarks, or a stub."""
    if any(syntax.family == "markdown" for syntax in syntaxes_of(path)[:1]):
        return ""
    signs = _signs_of(path)
    for (first, end), (new_first, new_end) in changed_ranges(old, new):
        was, now = (
            [line.strip() for line in lines if line.strip()]
            for lines in (old[first:end], new[new_first:new_end])
        )
        gone = [line for line in was if not is_comment(line, signs) and not is_closing(line)]
        remarks = [
            line for line in now if (is_comment(line, signs) or _REMARKED.match(line)) and line not in was
        ]
        if remarks and len(gone) >= _FEW and len(gone) * len(now) <= _MOST_COMPARED:
            line = _gone_next_to_remark(was, now, remarks, gone, len(gone) + 1)
            if line:
                return line
    return ""


def mark_of_its_own(new: str, search: str, text: str) -> str:
    """Return a mark of what is left out that neither a search text nor the file has, if there is one.

    Dots alone may be code.
    """
    marks = [line.strip() for line in plain_lines(plain(new)) if is_mark(line) and line.strip(" \t.…")]
    if not marks:
        return ""
    known = {line.strip() for each in (search, text) for line in plain_lines(plain(each))}
    return next((mark for mark in marks if mark not in known), "")


def commented_away(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return a line of a file in whose place there is only a comment that says what it does, or a stub.

    It is empty where there is none: a line that is commented out has its code there.
    """
    signs = _signs_of(path)
    for (first, end), (new_first, new_end) in changed_ranges(file, result):
        old, new = (
            [line.strip() for line in lines if line.strip()]
            for lines in (file[first:end], result[new_first:new_end])
        )
        gone = [line for line in old if not is_comment(line, signs) and not is_closing(line)]
        known = set(old)
        remarks = [line for line in new if is_comment(line, signs) and line not in known]
        code = [line for line in new if not is_comment(line, signs) and not is_closing(line)]
        is_stub = bool(code) and all(map(_STUB.match, code))
        is_stub = is_stub or any(map(is_emptied, code))
        if not gone or not (remarks or is_stub) or any(map(_STUB.match, gone)):
            continue
        if len(gone) * len(new) > _MOST_COMPARED:
            continue
        if not any(map(is_emptied, old)) and any(is_emptied(each) for each in new if each not in known):
            return gone[0]
        below = result[new_end : new_end + 1]
        is_end = not below or is_closing(below[0]) or len(indentation_of(below[0])) < _depth(result, new_end)
        line = _gone_next_to_remark(old, new, remarks, gone, 1 if is_end else _FEW)
        if line:
            return line
        said = _stems(remarks) - _stems(code) if len(code) <= len(gone) <= _FEW else set()
        for line in gone:
            if any(likeness(line, each.lstrip("#/*- ")) >= _ALIKE for each in new):
                continue
            if is_stub or not code or _stems([line]) & said:
                return line
    return ""


def _gone_next_to_remark(
    old: Sequence[str], new: Sequence[str], remarks: Sequence[str], gone: Sequence[str], few: int
) -> str:
    """Return the first of several lines that go where there is nothing but a remark, or where one is last.

    Where it is last, they are `few` at least.
    """
    alike = (
        Match(row, at, likeness(line, each)) for row, line in enumerate(old) for at, each in enumerate(new)
    )
    chain = best_chain([each for each in alike if each.similarity >= _ALIKE], [1.0] * len(old))
    pairs = [(each.quoted, each.found) for each in chain.matches] if chain else []
    for (row, at), (next_row, next_at) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
        left = [line for line in old[row + 1 : next_row] if line in gone]
        made = [line for line in new[at + 1 : next_at] if not is_closing(line)]
        is_end = next_at == len(new) and bool(made) and made[-1] in remarks
        # above a line that becomes another one, a remark is about that one
        is_kept = next_at == len(new) or likeness(old[next_row], new[next_at]) >= _NEARLY
        is_all = is_kept and bool(made) and all(line in remarks for line in made)
        if (is_all and len(left) >= _FEW) or (is_end and len(left) >= few):
            return left[0]
    return ""


def _depth(lines: Sequence[str], end: int) -> int:
    return len(indentation_of(next((line for line in reversed(lines[:end]) if line.strip()), "")))


def lines_gone(file: Sequence[str], result: Sequence[str], path: str) -> list[str]:
    """Return the lines of a file, but for comments, that a result has not, nor one like each of them."""
    signs = _signs_of(path)
    there = set(map(str.strip, result))
    gone: list[str] = []
    for (first, end), (new_first, new_end) in changed_ranges(file, result):
        new = [line.strip() for line in result[new_first:new_end]]
        new = new if len(new) * (end - first) <= _MOST_COMPARED else []
        for line in map(str.strip, file[first:end]):
            if not line or line in there or is_closing(line) or is_comment(line, signs):
                continue
            other = next((each for each in new if likeness(line, each) >= _ALIKE), None)
            if other is None:
                gone.append(line)
            else:
                new.remove(other)
    return gone


def _signs_of(path: str) -> tuple[str, ...]:
    """Return what comments of a file begin with."""
    syntaxes = syntaxes_of(path)
    return (*(syntaxes[0].comments if syntaxes else _SIGNS), *_OF_PAGES)


def _stems(lines: Sequence[str]) -> set[str]:
    return {word[:_STEM].casefold() for line in lines for word in LONG_NAME.findall(line)}
