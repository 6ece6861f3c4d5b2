"""Unified and git diffs, of which only the lines count: numbers are hints, and counts are not believed.

Lines with signs that nothing calls a diff are read, too, in a fence of any name. Both signs have to be there:
lists have only one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.diffs.hunk import DiffHunk, hunks_in, read_heading
from patchpoint.formats.fences import (
    FenceKind,
    fence_on,
    fences,
    holds_signed_lines,
)
from patchpoint.formats.labels import path_of_block, paths_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.text.lines import line_ending
from patchpoint.text.regex import regex

_NOWHERE = "/dev/null"
_FACTS = (
    *("old mode", "new mode", "deleted file mode", "new file mode", "copy from", "copy to", "rename from"),
    *("rename to", "similarity index", "dissimilarity index", "index", "Binary files", "GIT binary patch"),
)
_MODES = ("new file mode", "new mode", "deleted file mode")
_MODE = regex(r"[0-7]{3,6}\s*")
_TIME = regex(r"\t|  +(?=\d{4}-\d\d?-)")
_SIGNATURE = regex(r"--[ \t]*\r?\n\d+\.\d")
"""Two hyphens with git's version below, which end a mailed patch."""
_PART_OF_SIGNATURE = regex(r"-(?:-[ \t]*(?:\r?\n[\d.]*\r?\n?)?)?\Z")
_SIDES = ("a/", "b/", "c/", "i/", "o/", "w/")
_LONGEST_HEADER = 4096


@dataclass(slots=True)
class _FileHeader:
    """The header of one file's diff."""

    first: int
    end: int
    old: str = ""
    new: str = ""
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The file that the hunks are for: by its old name when it is renamed."""
        return self.facts.get("rename from", self.old if self.new == _NOWHERE else self.new)


def begins_diff(source: AnswerText, line: int) -> bool:
    """Return whether the header of a file's diff begins on `line`."""
    text = source.lines[line]
    following = source.lines[line + 1] if line + 1 < len(source.lines) else ""
    return text.startswith("diff --git ") or (text.startswith("--- ") and following.startswith("+++ "))


def read_diff(source: AnswerText, line: int, lower_bound: int, known_path: str) -> ReadResult | None:
    """Return the edits of the diffs that begin on `line` with a file's header or, without one, with a hunk.

    The path of a diff without a header is looked for above it, down to line `lower_bound`; if there is none,
    it is `known_path`. Return `None` when no diff begins on `line`.
    """
    above = takewhile(source.bare, range(line - 1, max(lower_bound, line - 6) - 1, -1))
    fenced = any(fence_on(source.lines[number]) for number in above)
    items: list[Item] = []
    number = end = line
    while number == line or (number < len(source.lines) and begins_diff(source, number)):
        file = _header(source, number)
        is_headed = file.end > file.first
        hunks, reached = _hunks(source, file.end, line, fenced=fenced, file_named=is_headed)
        if not hunks and not is_headed:
            return None
        end = hunks[-1].end if hunks else file.end
        if not file.path:
            path, problem = path_of_block(source, line, lower_bound, known_path)
            if problem and not is_headed and len(hunks) == 1:
                return None
            if problem:
                items.append(source.malformed(problem, number, end, origin=Format.UNIFIED_DIFF))
                break
            file.old = file.new = path
        items += _items(source, file, hunks, reached)
        number = source.solid(reached, len(source.lines))
    return ReadResult(tuple(items), source.span(line, end)[1])


def read_diff_at(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the diffs that begin at `sign`."""
    return read_diff(scan.source, scan.source.line_of(sign.start), scan.lower_bound, scan.known_path)


def read_bare_hunk(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read a fence that holds changed lines and nothing else, where its file is named."""
    source = scan.source
    fence = source.once(fences).get(source.line_of(sign.start))
    if fence is None:
        return None
    is_diff = fence.kind() is FenceKind.DIFF
    # a fence that another one opens in has a line without a sign
    is_signed = not is_diff and fence.nested is None and holds_signed_lines(source, fence)
    if not (is_signed or (is_diff and fence.closed)):
        return None
    first = source.solid(fence.first + 1, fence.last)
    is_other = source.lines[first].startswith(("@@", "*** ", "<<<")) or begins_diff(source, first)
    paths = paths_above(source, first, scan.lower_bound)
    if first == fence.last or is_other or len(paths) != 1:
        return None
    if not fence.closed:
        message = "these lines may be cut off; the end of their fence was expected below"
        item = source.malformed(message, first, fence.last, path=paths[0], origin=Format.UNIFIED_DIFF)
        return ReadResult((item,), item.span[1])
    hunks, _ = _hunks(source, first, first, fenced=True, file_named=True)
    file = _FileHeader(fence.first if is_signed else first, first, old=paths[0], new=paths[0])
    items = tuple(_items(source, file, hunks, fence.last))
    return ReadResult(items, source.span(first, hunks[-1].end)[1]) if hunks else None


def _header(source: AnswerText, first: int) -> _FileHeader:
    file = _FileHeader(first, first)
    number = first
    if source.lines[first].startswith("diff --git "):
        for number in range(first + 1, len(source.lines) + 1):
            text = source.lines[number][:_LONGEST_HEADER].strip() if number < len(source.lines) else ""
            fact = next((one for one in _FACTS if f"{text} ".startswith(f"{one} ")), None)
            if fact is None:
                break
            file.facts[fact] = _unquoted(text[len(fact) :])
    if number + 1 < len(source.lines) and begins_diff(source, number) and source.lines[number][0] == "-":
        names = (_TIME.split(line[4:_LONGEST_HEADER], 1)[0] for line in source.lines[number : number + 2])
        file.old, file.new = _without_prefixes(*map(_unquoted, names))
        number += 2
    file.end = number
    if not file.new:
        path = _same_path(source.lines[first])
        file.old = _NOWHERE if "new file mode" in file.facts else path
        file.new = _NOWHERE if "deleted file mode" in file.facts else path
    return file


def _same_path(line: str) -> str:
    """Return the path that the first line of a file's diff has twice; an empty text where it has two."""
    names = line.partition("diff --git ")[2][:_LONGEST_HEADER].strip()
    middle = len(names) // 2
    old, new = _without_prefixes(_unquoted(names[:middle]), _unquoted(names[middle + 1 :]))
    return old if old == new else ""


def _unquoted(name: str) -> str:
    """Return a path as git quotes it (with octal bytes) in plain letters."""
    name = name.strip()
    if len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return name.strip("`")
    try:
        return name[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
    except UnicodeError:
        return name[1:-1]


def _without_prefixes(old: str, new: str) -> tuple[str, str]:
    """Return both names without the prefixes of the two sides: `a/` and `b/`, or git's `i/` and `w/`."""
    if _NOWHERE in (old, new):
        return old.removeprefix("a/"), new.removeprefix("b/")
    old_bare, new_bare = (name[2:] if name.startswith(_SIDES) else name for name in (old, new))
    is_plain = (old[:2], new[:2]) == ("a/", "b/")
    return (old_bare, new_bare) if is_plain or (old != new and old_bare == new_bare) else (old, new)


def _hunks(
    source: AnswerText, first: int, diff: int, *, fenced: bool, file_named: bool
) -> tuple[list[DiffHunk], int]:
    """Return the hunks from line `first` on, and the line behind them; the diff begins on line `diff`."""
    text = source.lines[first] if first < len(source.lines) else ""
    headed = text.startswith("@@")
    if not headed and (not (fenced or text[:1] in "+- ") or not source.bare(first)):
        return [], first
    end = _end_of_hunks(source, first, fenced=fenced)
    every = list(hunks_in(source, first, end))
    hunks = [hunk for hunk in every if hunk.changes]
    if not hunks or (hunks[0] is not every[0] and not (headed and file_named)):
        return [], end if headed and file_named else first
    hunks[-1] = replace(hunks[-1], fault=_fault_at_end(source, diff, end, hunks[-1]))
    return hunks, end


def _end_of_hunks(source: AnswerText, first: int, *, fenced: bool) -> int:
    """Return the line behind the hunks from line `first` on: the next header, the fence's end, or prose.

    Counts are believed in one thing: without a fence, an empty line after the stated number of lines ends it.
    """
    counts = None
    old = new = 0
    for number in range(first, len(source.lines)):
        text = source.lines[number]
        sign = text[:1]
        if text.startswith("@@"):
            counts = read_heading(text).get("counts")
            old = new = 0
            continue
        is_counted = (old, new) == counts
        if sign == "-":
            at = source.starts[number]
            is_part = is_counted and _PART_OF_SIGNATURE.match(source.text, at)
            behind = source.lines[number + 2] if number + 2 < len(source.lines) else ""
            is_next = begins_diff(source, number) and (behind[:2] == "@@" or not source.bare(number - 1))
            if is_part or is_next or _SIGNATURE.match(source.text, at):
                return number
        elif sign not in ("+", " ", "\\"):
            fence = fence_on(text)
            is_other = (fence and not fence[2]) or text.startswith(("diff --git ", "Index: "))
            if is_other or (not fenced and (text.strip("\r\n") or is_counted)):
                return number
        old += sign not in ("+", "\\")
        new += sign not in ("-", "\\")
    return len(source.lines)


def _items(source: AnswerText, file: _FileHeader, hunks: list[DiffHunk], reached: int) -> Iterator[Item]:
    """Yield the edits of a file's diff, or what keeps it from being read."""
    header_end = max(file.end, file.first + 1)
    last = hunks[-1].end if hunks else header_end
    problem, at = _problem(file), file.first
    is_whole = _NOWHERE in (file.old, file.new)
    if not problem and hunks and is_whole:
        problem, at = hunks[-1].fault, max(last - 1, file.first)
    elif not problem and not hunks and (is_whole or file.facts):
        problem, at = _fault_without_hunks(source, file, reached), header_end - 1
    elif not problem and not hunks:
        problem = "the diff changes nothing; a hunk with lines that begin with '-' or '+' was expected"
    mode = file.facts.get("new file mode") or file.facts.get("new mode", "")
    bits = int(mode, 8) & 0o777 if mode and not problem else None
    plain = Edit(path=file.path, format=Format.UNIFIED_DIFF, span=source.span(file.first, last), mode=bits)
    is_new = file.old == _NOWHERE or bool(hunks and hunks[0].line == 0)
    if problem:
        yield source.malformed(problem, file.first, last, at=at, path=file.path, origin=Format.UNIFIED_DIFF)
    elif file.new == _NOWHERE:
        held = "".join(hunk.search for hunk in hunks)
        yield replace(plain, operation=Operation.DELETE, search=held, mode=None)
    elif is_new and not any(hunk.search for hunk in hunks):
        content = "".join(hunk.replace for hunk in hunks)
        yield replace(plain, operation=Operation.CREATE, content=content)
    else:
        yield from _changes(source, file, hunks, plain)


def _changes(source: AnswerText, file: _FileHeader, hunks: list[DiffHunk], plain: Edit) -> Iterator[Item]:
    """Yield the edits of a file that is there before and after: its hunks, its new mode, its new name."""
    header_end = max(file.end, file.first + 1)
    moves = "rename from" in file.facts
    chmods = "new mode" in file.facts
    start = header_end if moves or chmods else file.first
    for hunk in hunks:
        yield hunk.item(source, file.path, min(start, hunk.first), Format.UNIFIED_DIFF)
        start = hunks[-1].end
    modes = sum(fact.endswith(" mode") for fact in file.facts)
    middle = file.first if not chmods else file.first + 1 + modes if moves else header_end
    if chmods:
        yield replace(plain, operation=Operation.CHMOD, span=source.span(file.first, middle))
    if moves:
        span, new_path = source.span(middle, header_end), file.facts["rename to"]
        yield replace(plain, operation=Operation.RENAME, new_path=new_path, span=span, mode=None)


def _problem(file: _FileHeader) -> str:
    """Return what keeps a file's diff from being read."""
    facts = file.facts
    modes = {facts[fact] for fact in _MODES if fact in facts}
    if "Binary files" in facts or "GIT binary patch" in facts:
        return "a diff of a binary file cannot be read; a text was expected"
    if "copy from" in facts:
        return "copying a file is not understood; the whole new file was expected"
    if bool(facts.get("rename from")) != bool(facts.get("rename to")):
        return "both 'rename from' and 'rename to' were expected"
    if not all(map(_MODE.fullmatch, modes)):
        return "a file mode such as 100644 was expected behind 'mode'"
    if any(len(mode) == 6 and mode.startswith(("120", "160")) for mode in modes):
        return "symbolic links and submodules are not changed; a plain file was expected"
    return ""


def _fault_without_hunks(source: AnswerText, file: _FileHeader, reached: int) -> str:
    """Return what shows that the text was cut off behind a header, where no hunk follows up to `reached`."""
    unfinished = len(source.lines) - (not is_ended(source))
    if not source.may_be_cut_off or reached < unfinished or fence_on(source.lines[-1]):
        return ""
    fault = _fault_at_end(source, file.first, len(source.lines))
    # git's name of an empty file
    comes_or_goes = _NOWHERE in (file.old, file.new) and "e69de29" not in file.facts.get("index", "")
    is_renamed = "rename from" not in file.facts and not _same_path(source.lines[file.first])
    if not fault and (comes_or_goes or is_renamed):
        return "the diff is cut off; more lines were expected below its header"
    return fault


def _fault_at_end(source: AnswerText, diff: int, end: int, hunk: DiffHunk | None = None) -> str:
    """Return what shows that the text was cut off in a diff from line `diff` to `end`, in its last `hunk`."""
    if end < len(source.lines) or not source.may_be_cut_off:
        return ""
    # fences among its own lines are not around it
    above = AnswerText(source.content(0, diff), source.lines[:diff])
    if any(not fence.closed for fence in fences(above).values()):
        return "the diff is cut off; the end of its fence was expected"
    if not is_ended(source):
        return "the diff is cut off; a line ending was expected at its end"
    if hunk is None:
        return ""
    signs = [line[:1] for line in source.lines[hunk.body : end]]
    old, new = (sum(sign not in (other, "\\") for sign in signs) for other in "+-")
    if hunk.counts and (old < hunk.counts[0] or new < hunk.counts[1]):
        return "the diff is cut off; more lines were expected in its last hunk, going by its heading"
    if source.lines[hunk.end - 1].startswith("-") and (not hunk.counts or old > hunk.counts[0]):
        return (
            "the diff may be cut off, since it ends with a removed line; a fence around it was expected, or "
            "a line of the file below"
        )
    return ""


def is_ended(source: AnswerText) -> bool:
    """Return whether the last line has an ending, and not just half of one."""
    ending = line_ending(source.lines[-1])
    return ending != "" and (ending != "\r" or "\n" not in source.text)
