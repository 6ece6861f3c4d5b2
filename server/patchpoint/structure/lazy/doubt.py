"""What makes a reading of shown code doubtful.

Lines that would be deleted may have been left out without a mark, lines that would be added may be the file's
own, and something new may have no place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_closing, likeness
from patchpoint.structure.lazy.definition import Definition, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.headers import header_name
from patchpoint.structure.lazy.marks import may_be_mark
from patchpoint.structure.lazy.sound import is_loose, may_be_new
from patchpoint.structure.lazy.syntax import Syntax

_MOST_ALONE = 2
"""So many lines in a row are deleted without anything in their place; more may have been left out."""
_LONG = 5
_MUCH_LONGER = 6
"""A line is little in the place of so many."""
_LONGEST = 12
"""Nor are more than so many deleted for a line or two, whatever they define."""
_SHORT = 3
_EACH = 2
_SHORT_LINE = 7
"""A line of so few characters is much like others."""

_NOTHING = re.compile(r"(?:\{\s*(?:/\*.*\*/)?\s*\}[;,)]*|:\s*(?:pass|\.{3})\s*(?:#.*)?)\Z")
"""The end of a definition of one line that does nothing."""
_FILLER = re.compile(r"(?:pass|\.{3})\s*;?\s*(?:#.*)?\Z")
_SEVERAL = 2
_SIMILAR = 0.6
"""A comment so similar to a line is that line, commented out."""
_DECORATOR = re.compile(r"\s*(?:@\w|#\[)")
"""A line that belongs to what follows it."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_OPENS = re.compile(r"(?:[:{(\[,\\=]|\b(?:do|then|else|begin)|->|=>|\|)\s*(?:(?:#|//).*)?\Z")
_BINDS = re.compile(
    r"(?P<many>(?:(?:const|let|var|val|final|auto|mut|my|local)\s+)*[\w.<>\[\]*&?,()\s]*?[A-Za-z_]\w*)\s*(?::[^=:]*)?"
    r"(?::=|=(?![=>~]))"
    r"|(?:for|foreach)\s*\(?(?:const|let|var|auto|final)?\s*(?P<loop>[\w,\s()&*]+?)\s+(?:in|of)\b"
)
_HEAD = re.compile(r"[ \t]*(?:async[ ]+def|def|class|with|for|while)\b.*\)?:\Z")
_AS = re.compile(r"\bas\s+(\w+)|\|\s*(\w+)\s*\||\b(?:def|func|fun|function|fn|class)\s+(\w+)")
_IMPORT = re.compile(r"(?:import|from|use|using|require|require_relative|include|#include|pub use)\b")
_WORDS = frozenset({
    "abstract", "and", "async", "attr_accessor", "attr_reader", "attr_writer", "auto", "await", "bool",
    "boolean", "byte", "char", "class", "const", "constructor", "def", "default", "double", "elif", "else",
    "end", "enum", "export", "extend", "extends", "extern", "false", "final", "float", "for", "foreach",
    "from", "func", "function", "get", "if", "implements", "import", "include", "int", "interface",
    "internal", "let", "local", "long", "module", "mut", "namespace", "new", "nil", "none", "not", "null",
    "object", "open", "or", "override", "package", "private", "protected", "pub", "public", "readonly",
    "require", "return", "self", "set", "short", "static", "str", "string", "struct", "super", "this",
    "trait", "true", "type", "typedef", "undefined", "union", "unsafe", "use", "using", "val", "var",
    "virtual", "void", "while", "with",
})  # fmt: skip
"""Words of the languages, which nothing introduces."""


@dataclass
class _Stretch:
    """Lines of the file that are gone, and those in their place."""

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    """New lines that a single line of the file separates from it."""
    above: tuple[str, str] = ("", "")
    """The line right above, in the file and as shown."""
    below: tuple[str, str] = ("", "")

    @property
    def is_moved(self) -> bool:
        """Whether a line right above or below has another depth than before."""
        return any(old.rstrip() != new.rstrip() for old, new in (self.above, self.below))


Steps = Sequence[tuple[str | None, str | None]]
"""Lines of the file with the shown lines that take their place; both are `None` where a mark is."""


@dataclass(frozen=True)
class Piece:
    """What is between two pairs of definitions: its tokens, and a reading of them."""

    lines: Sequence[str]
    """Those of the whole file."""
    level: Definition
    """The definition of the file that it is in."""
    around: Definition
    """The definition of the file whose members are shown."""
    syntax: Syntax
    file: Sequence[Token]
    shown: Sequence[Token]
    path: Path
    edges: tuple[bool, bool]
    """Whether a definition of the file that is shown, too, comes right before and right after."""

    def require_certain(self) -> None:
        """Raise `UnmergedError` where the reading is doubtful."""
        is_open = may_be_new(self.path, self.file, self.shown) or is_loose(self.path, self.file)
        if is_open or _begins_differently(self.file, self.shown, self.path):
            raise UnmergedError(Unmerged.UNCLEAR)
        if may_omit(self._steps(), self.syntax):
            places = () if self.level.is_text else (self.level,)
            raise UnmergedError(Unmerged.DELETES, self.level.name, places)
        self._require_new()
        _require_no_twin(self.file, self.path)

    @property
    def _short(self) -> int:
        """A line of so few characters is much like others."""
        return _SHORT if self.syntax.is_data else _SHORT_LINE

    def _steps(self) -> Steps:
        file, shown = self.file, self.shown
        return [
            (None, None)
            if step is Step.KEPT
            else (file[i].text if i >= 0 else None, shown[j].text if j >= 0 else None)
            for step, i, j in self.path
        ]

    def lacks_members(self) -> bool:
        """Return whether lines right within a class are gone with nothing in their place."""
        if self.level.is_text or not self.level.is_container:
            return False
        return any(
            stretch.gone and not stretch.new and not all(is_closing(line) for line in stretch.gone)
            for stretch in _stretches(self._steps())
        )

    def _require_new(self) -> None:
        """Raise `UnmergedError` where a line would be added that the file has already."""
        level, file, shown, path = self.level, self.file, self.shown, self.path
        for step, _, j in path:
            is_last = j + 1 == len(shown) or shown[j + 1].kind in (Kind.MARK, Kind.IMPLIED)
            if step is Step.INSERTED and is_last and _DECORATOR.match(shown[j].text):
                raise UnmergedError(Unmerged.UNCLEAR)
            is_end = j > 0 and shown[j - 1].kind is Kind.MARK and is_closing(shown[j].text)
            if step is Step.INSERTED and is_end and self.syntax.is_data:
                # the end of what the mark covers, which is not there twice
                raise UnmergedError(Unmerged.UNCLEAR)
        open_ = _unbounded(file, path)
        lines = [shown[j].text.strip() for step, _, j in path if step is Step.INSERTED and j in open_]
        self._require_no_copy(lines)
        outside = {line.rstrip() for line in (*self.lines[: level.start], *self.lines[level.end :])}
        for step, _, j in path:
            next_to_mark = any(token.kind is Kind.MARK for token in shown[max(0, j - 1) : j + 2])
            is_known = step is Step.INSERTED and shown[j].text in outside
            if is_known and next_to_mark and len(shown[j].text.strip()) > self._short:
                raise UnmergedError(Unmerged.UNCLEAR)
        added = [
            shown[j]
            for step, i, j in path
            if step is Step.INSERTED
            or (step is Step.CHANGED and file[i].text.strip() != shown[j].text.strip())
        ]
        added = [token for token in added if token.kind is Kind.LINE]
        depth = 0 if level.is_text else len(indentation_of(self.lines[level.start]))
        if any(len(indentation_of(token.text)) < depth for token in added if is_closing(token.text)):
            raise UnmergedError(Unmerged.UNCLEAR)
        rows = {shown[j].first for j in open_}
        added = [token for token in added if not is_closing(token.text) and token.first in rows]
        kept = [file[i] for step, i, _ in path if step is Step.KEPT]
        known = {self.lines[row].rstrip() for block in kept for row in range(block.first, block.end)}
        around = self.around
        elsewhere = {line.strip() for line in (*self.lines[: around.start], *self.lines[around.end :])}
        heads = {line.strip() for line in (*self.lines[: level.start], *self.lines[level.end :])}
        for token in added:
            words = token.text.strip()
            if (
                token.text in known
                or words in elsewhere
                or (words in heads and header_name(words, self.syntax)[0])
            ):
                raise UnmergedError(Unmerged.UNCLEAR)

    def _require_no_copy(self, added: Sequence[str]) -> None:
        """Raise `UnmergedError` where lines would be added that follow each other elsewhere."""
        outside = [*self.lines[: self.level.start], "", *self.lines[self.level.end :]]
        elsewhere = set(pairwise(line.strip() for line in outside))
        for pair in pairwise(added):
            if pair in elsewhere and all(len(line) > self._short and not is_closing(line) for line in pair):
                raise UnmergedError(Unmerged.UNCLEAR)

    def tells_place(self) -> bool:
        """Return whether something new is next to what tells its place, if definitions are left out there.

        That is a definition of the file, or a line but for those that a class or file begins with and
        the last of a class.
        """
        kept = [i for step, i, _ in self.path if step is Step.KEPT and self.file[i].kind is Kind.BLOCK]
        if not kept:
            return True
        shown, path, edges = self.shown, self.path, self.edges
        new = {j for step, _, j in path if step is Step.INSERTED and shown[j].kind is Kind.BLOCK}
        opening = 0
        while not edges[0] and opening < len(shown) and shown[opening].kind in (Kind.LINE, Kind.IMPLIED):
            opening += 1
        for j in new:
            low, high = j, j
            while low in new:
                low -= 1
            while high in new:
                high += 1
            above = shown[low].kind if low >= 0 else None
            below = shown[high].kind if high < len(shown) else None
            if above is Kind.MARK and below is Kind.MARK and len(kept) == _EACH:
                continue  # the only place at which each mark covers one
            is_below = below is Kind.LINE and not is_closing(shown[high].text)
            if not (
                (edges[0] if above is None else above is Kind.LINE and low >= opening)
                or (edges[1] if below is None else is_below)
            ):
                return False
        return True


def may_omit(steps: Steps, syntax: Syntax) -> bool:
    """Return whether lines of a definition may have been left out without a mark.

    Lines that are gone with nothing in their place, next to lines that stay as they are, were hardly deleted
    by somebody who changed something else, nor for a comment alone. Of what is data, no line is.
    """
    shown = [new for _, new in steps if new is not None]
    if _has_empty_block(steps):
        return True
    bound = set(_bound(shown))
    used = {name for line in shown for name in _IDENTIFIER.findall(line)}
    for stretch in _stretches(steps):
        gone, new = len(stretch.gone), len(stretch.new)
        if syntax.is_data and gone > new:
            return True
        if _says_nothing(stretch.gone, stretch.new, syntax.comments):
            return True
        if not gone or stretch.is_moved:
            continue
        names = set(_bound(stretch.gone))
        is_used = any(name in used and name not in bound for name in names)
        if not new:
            is_bound_again = not names.isdisjoint(_bound(stretch.near))
            if (gone > _MOST_ALONE and not is_bound_again) or (gone > 1 and is_used):
                return True
            if _jumps(stretch.above[0], stretch.below[0]):
                return True
        elif gone - new >= _LONG and gone >= _MUCH_LONGER * new and (is_used or not names or gone > _LONGEST):
            return True
    return False


def is_empty_for(given: Definition, shown: Sequence[str], own: Definition, file: Sequence[str]) -> bool:
    """Return whether a shown definition is one line that does nothing, in the place of one that does much."""
    rows = [row for row in range(given.start, given.end) if shown[row].strip()]
    if len(rows) != 1 or not _NOTHING.search(shown[rows[0]].rstrip()):
        return False
    inside = [file[row].strip() for row in range(own.start + 1, own.end)]
    return sum(bool(words) and not is_closing(words) for words in inside) >= _SEVERAL


def deletes_in_use(file: Sequence[str], deleted: Iterable[int], result: Sequence[str]) -> bool:
    """Return whether lines of the file, by their numbers, are gone that introduce what others use."""
    left = {line.strip() for line in result}
    rows = {row for row in deleted if file[row].strip() not in left}
    if not rows:
        return False
    introduced = {name for row in rows for name in _introduced(file[row])}
    for row, line in enumerate(file):
        if row not in rows:
            if row > max(rows):
                break
            introduced -= set(_IDENTIFIER.findall(line))
    if not introduced:
        return False
    own = {line.rstrip() for line in file}
    for line in result:
        found = introduced.intersection(_IDENTIFIER.findall(line))
        if found and line.rstrip() in own and not _is_prose(line):
            return True
        introduced -= found
    return False


def _is_prose(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*"))


def _stretches(steps: Steps) -> list[_Stretch]:
    found: list[_Stretch] = []
    above = ("", "")
    same = 0
    is_open = False
    for old, new in steps:
        if old is None and new is None:
            above, same, is_open = ("", ""), 2, False
        elif old is not None and new is not None and old.strip() == new.strip():
            if is_open:
                found[-1].below = (old, new)
                same = 0
            above, same, is_open = (old, new), same + 1, False
        else:
            if not is_open:
                found.append(_Stretch(above=above))
                if same == 1 and len(found) > 1:
                    found[-1].near = found[-2].new
            stretch = found[-1]
            stretch.gone += [old] if old is not None else []
            stretch.new += [new] if new is not None else []
            if same == 1 and len(found) > 1 and new is not None:
                found[-2].near = [*found[-2].near, new]
            is_open = True
    return found


def _says_nothing(gone: Sequence[str], new: Sequence[str], comments: Sequence[str]) -> bool:
    """Return whether code is gone, and what is new in its place is nothing, or has what may be a mark."""
    code = [words for line in gone if not _is_remark(words := line.strip(), comments)]
    if not code or not new:
        return False
    added = [line.strip() for line in new]
    if any(_is_remark(words, comments) and may_be_mark(words) for words in added):
        return True
    if len(code) < _SEVERAL or not all(
        _is_remark(words, comments) or _FILLER.match(words) for words in added
    ):
        return False
    return not any(likeness(words.lstrip("#/*- "), old) >= _SIMILAR for words in added for old in code)


def _has_empty_block(steps: Steps) -> bool:
    """Return whether a line of Python's that opens a block is followed by one that is no deeper."""
    above: tuple[str | None, str] | None = None
    is_next = True
    for old, new in steps:
        if new is None:
            above, is_next = (above, False) if old is not None else (None, True)
            continue
        if above is not None and _HEAD.match(above[1]):
            is_known = is_next and above[0] == above[1] and old == new
            if not is_known and len(indentation_of(new)) <= len(indentation_of(above[1])):
                return True
        above, is_next = (old, new), True
    return False


def _jumps(above: str, below: str) -> bool:
    """Return whether the second of two new neighbours is deeper, and nothing opens that."""
    if not above.strip() or not below.strip():
        return False
    return len(indentation_of(below)) > len(indentation_of(above)) and not _OPENS.search(above)


def _bound(lines: Iterable[str]) -> Iterator[str]:
    """Yield the names that lines give a value to."""
    for line in lines:
        words = line.strip()
        if _IMPORT.match(words):
            yield from _imported(words)
            continue
        found = _BINDS.match(words)
        if found:
            names = _IDENTIFIER.findall(found["many"] or found["loop"] or "")
            yield from (name for name in names if name not in _WORDS)
        for match in _AS.finditer(words):
            yield from (name for name in match.groups() if name)


def _introduced(line: str) -> Iterator[str]:
    """Yield the names that a line right within a class or a file may introduce."""
    words = line.strip()
    if _is_prose(words) and not words.startswith("#include"):
        return
    names = _imported(words) if _IMPORT.match(words) else _IDENTIFIER.findall(words)
    yield from (name for name in names if name.lower() not in _WORDS and len(name) >= _SHORT)


def _imported(words: str) -> list[str]:
    """Return the names that an import brings: the last parts of paths, and those after `as`."""
    between = re.match(r"import\s+(?:type\s+)?(.+?)\s+from\b", words)
    listed = between[1] if between else words.rpartition(" import ")[2] if words.startswith("from") else words
    braces = re.search(r"\{(.*)\}", listed)
    parts = (braces[1] if braces else listed).split(",")
    found = []
    for part in parts:
        names = _IDENTIFIER.findall(part)
        found += names[-1:]
    return found


def _begins_differently(file: Sequence[Token], shown: Sequence[Token], path: Path) -> bool:
    """Return whether a text without a mark at its beginning begins with what the file does not have.

    It may take the place of the lines above, or go below them.
    """
    if shown[0].kind is not Kind.IMPLIED:
        return False
    covered = [i for step, i, j in path if step is Step.KEPT and j == 0]
    first = next((step for step, _, j in path if j == 1), None)
    return (
        first is not Step.SAME
        and shown[1].kind is Kind.LINE
        and any(file[i].kind is Kind.LINE for i in covered)
    )


def _unbounded(file: Sequence[Token], path: Path) -> set[int]:
    """Return the shown tokens of a reading that are new and not between two lines of the file."""
    found: set[int] = set()
    run: list[int] = []
    before = ""
    for step, i, j in [*path, (Step.KEPT, -1, -1)]:
        if step in (Step.INSERTED, Step.CHANGED):
            run.append(j)
        elif step is not Step.DELETED:
            after = file[i].text if step is Step.SAME else ""
            if not (before and after) or (is_closing(before) and is_closing(after)):
                found.update(run)
            run, before = [], after
    return found


def _require_no_twin(file: Sequence[Token], path: Path) -> None:
    """Raise `UnmergedError` where one of several like entries may be replaced by another that is new."""
    counts = Counter(token.text for token in file)
    same: list[str] = []
    is_deleted = False
    for step, i, _ in path:
        if step is Step.KEPT:
            same, is_deleted = [], False
        elif step is Step.SAME and is_deleted and not is_closing(file[i].text):
            same.append(file[i].text)
        elif step is Step.DELETED:
            if same and all(counts[text] > 1 for text in same):
                raise UnmergedError(Unmerged.UNCLEAR)
            same, is_deleted = [], True
        elif step is Step.CHANGED:
            same = []


def _is_remark(words: str, comments: Sequence[str]) -> bool:
    return words.startswith(tuple(comments)) and not words.startswith("#[")
