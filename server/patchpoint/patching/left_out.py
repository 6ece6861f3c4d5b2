"""What is left out of new lines: a mark is for lines of the search text, a comment for what it says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
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
from patchpoint.text.lines import plain_lines, without_blank_ends
from patchpoint.text.regex import LONG_NAME, regex

_REMARKED = regex(
    r"(?:\.\.\.|…)\Z|(?:pass|return(?: (?:null|nil|None|undefined|true|false))?|(?:raise|throw)\b[^#]*?)"
    r"\s*;?\s+(?:#|//|--|/\*)"
)
"""A line of dots, or a stub with a remark."""
_COMMENT = regex(r"(?:^|\s)(?:#|//|/\*|--).*")
_SIGNS = ("#", "//", "--", "/*")
"""What comments begin with in files of no known language."""
_OF_PAGES = ("<!--", "{{--", "{# ", "{/*")
"""What comments begin with among elements, whatever else the file has."""
_ALIKE = 0.6
_FEW = 2
"""A comment says of so few lines what they do; more of them are another version."""
_STEM = 4
"""So much of a word's beginning says that it is the same."""
_MOST_COMPARED = 20_000
"""Of more pairs of lines it is not found out which are alike."""
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


def only_remarked(old: Sequence[str], new: Sequence[str], path: str, few: int = _FEW) -> str:
    """Return the first of a `few` lines of code or more that go where a new text has a remark, or a stub."""
    if any(syntax.family == "markdown" for syntax in syntaxes_of(path)[:1]):
        return ""
    signs = _signs_of(path)
    for (first, end), (new_first, new_end) in changed_ranges(old, new):
        was, now = (
            [line.strip() for line in lines if line.strip()]
            for lines in (old[first:end], new[new_first:new_end])
        )
        gone, made = (
            [line for line in lines if not (_is_remark(line, signs) or is_closing(line))]
            for lines in (was, now)
        )
        remarks = [line for line in now if _is_remark(line, signs) and line not in was]
        if not remarks or len(gone) * len(now) > _MOST_COMPARED:
            continue
        less = len(gone) - len(made)
        gone = [line for line in gone if all(likeness(line, each.lstrip("#/*- ")) < _ALIKE for each in now)]
        is_said = len(gone) <= _FEW and not _stems(gone).isdisjoint(_stems(remarks) - _stems(made))
        is_for_them = is_said or now[-1] in remarks or not made
        if gone and (less >= few if few > 1 else less >= 0 and is_for_them):
            return gone[0]
    return ""


def _is_remark(line: str, signs: tuple[str, ...]) -> bool:
    return is_comment(line, signs) or _REMARKED.match(line) is not None or is_emptied(line)


def _stems(lines: Sequence[str]) -> set[str]:
    return {word[:_STEM].casefold() for line in lines for word in LONG_NAME.findall(line)}


def mark_of_its_own(new: str, search: str, text: str) -> str:
    """Return a mark of what is left out that neither a search text nor the file has, if there is one.

    Dots alone may be code.
    """
    marks = [line.strip() for line in plain_lines(plain(new)) if is_mark(line) and line.strip(" \t.…")]
    if not marks:
        return ""
    known = {line.strip() for each in (search, text) for line in plain_lines(plain(each))}
    return next((mark for mark in marks if mark not in known), "")


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


def without_shown(file: Sequence[str], shown: Sequence[str]) -> list[str] | None:
    """Return a file without the lines that are shown, which it has once, one below another; `None` if not."""
    wanted = [line.strip() for line in without_blank_ends(shown)]
    own = [line.strip() for line in file]
    rows = [row for row in range(len(own)) if wanted and own[row : row + len(wanted)] == wanted]
    if len(rows) != 1:
        return None
    first, end = rows[0], rows[0] + len(wanted)
    above = sum(1 for _ in takewhile(lambda line: not line, reversed(own[:first])))
    below = sum(1 for _ in takewhile(lambda line: not line, own[end:]))
    # of the blank lines above and below, the more stay; none do at the edges of the file
    if below <= above and end + below < len(own) and first > above:
        return [*file[:first], *file[end + below :]]
    return [*file[: first - above], *file[end + (below if first == above else 0) :]]


def is_quote(text: str, code: str) -> bool:
    """Return whether a text has the lines of code one below another, whatever their depth and comments."""
    own, lines = (
        "\n".join(
            filter(None, (_COMMENT.sub("", line).strip().rstrip(",;") for line in plain_lines(plain(each))))
        )
        for each in (text, code)
    )
    return f"\n{lines}\n" in f"\n{own}\n"
