"""How much of a file a text shows: whether it is the whole of the file, changed, or a part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.definition import Definition
from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS, outline
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.structure.problem import UnjudgedError, require_judgeable
from patchpoint.text.line_diff import line_opcodes

_MOST = 0.5
"""Most of a file is more than this part of its lines."""
_FRAME = 0.66
"""So much of what is outside of the definitions of a file is in every text that is all of it."""
_FEW = 0.2
"""A text that is all of a file may lack so many of its lines, and have other names for its definitions."""
_HARDLY = 0.05
"""Of a file without definitions, it may lack so many lines: one key of a small one lacks few as well."""
_SOME = 0.34
"""A text with all definitions of a file may do without so many of its lines."""
_HEAD = 3
"""One of so many first lines of the file is among twice as many of such a text."""
_SHORT = 3
"""A line of so few characters is in many definitions."""
_NEARLY = 0.8
"""A text with so many lines of a file has nearly all of them."""
_SMALL = 10
"""A file of fewer lines may be rewritten as something shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """A text held against a file."""

    lost: tuple[str, ...]
    """The names of the definitions that only the file has."""
    gained: int
    """The number of those that only the text has."""
    definitions: int
    """The number of those of the file; 0 where they are not known."""
    lines: int
    """The number of lines of the file that are not blank."""
    kept: int
    """The number of those that the text has as well, in their order."""
    gone: int
    """The number of those that the text has nothing in the place of."""
    frame: tuple[int, int]
    """The number of lines outside of the file's definitions, and of those that the text has."""
    has_head: bool
    """Whether the text begins where the file begins."""
    dropped: str
    """The name of one of the lost definitions of which hardly a line is in the text under another name."""
    cut: tuple[int, int]
    """The numbers of the file's first and last lines that are before the text's first and behind its last."""

    @property
    def missing(self) -> int:
        """The number of definitions that are lost without another one in their place."""
        return max(0, len(self.lost) - self.gained)

    @property
    def is_most(self) -> bool:
        """Whether the text is the whole of the file, going by what it has of it."""
        frame, kept = self.frame
        if self.missing or self.is_cut or not self.has_head or self.kept < _MOST * self.lines:
            return False
        if self.definitions:
            few = len(self.lost) <= max(1, _FEW * self.definitions)
            return few and kept >= _FRAME * frame and self.gone <= _SOME * self.lines
        return self.kept > _MOST * self.lines and self.gone <= _HARDLY * self.lines

    @property
    def lacks_some(self) -> bool:
        """Whether the text is the whole of the file but for some definitions or lines at an end."""
        frame, kept = self.frame
        is_like_all = self.has_head and self.kept >= _MOST * self.lines and kept >= max(1, _FRAME * frame)
        return is_like_all and (self.missing > 0 or self.is_cut)

    @property
    def has_nearly_all(self) -> bool:
        """Whether the text has nearly all lines of the file: it may have other names for its definitions."""
        return self.kept >= _NEARLY * self.lines

    @property
    def is_cut(self) -> bool:
        """Whether the text begins behind the beginning of the file, or ends before its end."""
        return self.cut[0] >= _HEAD or self.cut[1] > 0

    @property
    def is_far_less(self) -> bool:
        """Whether most lines of a file that is not small would be lost."""
        return self.lines >= _SMALL and self.gone > _MOST * self.lines


def is_enough(file: Sequence[str], text: Sequence[str]) -> bool:
    """Return whether a text has lines enough to be all of a file, as it is or with others."""
    return sum(map(bool, map(str.strip, text))) >= _FEW * sum(map(bool, map(str.strip, file)))


def extent_of(file: Sequence[str], text: Sequence[str], path: str) -> Extent:
    """Return how much of the lines of a file the lines of a text show; `path` says the file's language."""
    rows = [row for row, line in enumerate(file) if line.strip()]
    new = [line.strip() for line in text if line.strip()]
    old = [file[row].strip() for row in rows]
    runs = line_opcodes(old, new)
    shared = [run for is_equal, *run in runs if is_equal]
    kept = {row for start, end, *_ in shared for row in rows[start:end]}
    gone = sum(max(0, (i2 - i1) - (j2 - j1)) for is_equal, i1, i2, j1, j2 in runs if not is_equal)
    first_shared, last_shared = (shared[0], shared[-1]) if shared else ([0] * 4, [0] * 4)
    before, after = _outlines(file, text, path)
    names, names_after = (Counter(each.names(lasting_only=True) if each else ()) for each in (before, after))
    lost = tuple((names - names_after).elements())
    within = {row for child in before.children for row in range(child.lead, child.end)} if before else set()
    frame = [row for row in rows if row not in within]
    beginning = set(new[: 2 * _HEAD])
    return Extent(
        lost=tuple(name.rpartition("\0")[2] for name in lost),
        gained=(names_after - names).total(),
        definitions=names.total(),
        lines=len(rows),
        kept=len(kept),
        gone=gone,
        frame=(len(frame), sum(row in kept for row in frame)),
        dropped=_dropped(file, before, set(lost), set(new)) if before and lost else "",
        cut=(
            first_shared[0] if first_shared[2] == 0 else 0,
            len(old) - last_shared[1] if last_shared[3] == len(new) else 0,
        ),
        has_head=any(line in beginning for line in old[:_HEAD]),
    )


def _dropped(file: Sequence[str], within: Definition, lost: set[str], new: set[str], prefix: str = "") -> str:
    """Return the name of a definition that is lost, and of whose body a text has hardly a line."""
    for child in within.children:
        name = f"{prefix}{child.name}"
        body = {line.strip() for line in file[child.start + 1 : child.end] if len(line.strip()) > _SHORT}
        if name in lost and body and len(body & new) < _MOST * len(body):
            return child.name
        inner = _dropped(file, child, lost, new, f"{name}\0") if child.is_container else ""
        if inner:
            return inner
    return ""


def _outlines(
    file: Sequence[str], text: Sequence[str], path: str
) -> tuple[Definition | None, Definition | None]:
    """Return the definitions of both, by the first language of the file's that is understood."""
    for lines in (file, text):
        try:
            require_judgeable("\n".join(lines), MAX_CHARACTERS)
        except UnjudgedError:
            return None, None
    for syntax in syntaxes_of(path):
        before = outline(file, syntax) or outline(file, syntax, may_have_errors=True)
        after = outline(text, syntax) or outline(text, syntax, may_have_errors=True)
        if before is not None and after is not None:
            return before, after
    return None, None
