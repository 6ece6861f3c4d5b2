"""Code that an answer shows of a file, and what it likely means."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.patching.left_out import commented_away, lines_gone
from patchpoint.structure.lazy.definition import Assumption, Definition, UnmergedError
from patchpoint.structure.lazy.doubt.remarks import remarks_as_marks, unbound_name
from patchpoint.structure.lazy.merge import Merged, likely_merge, merge_shown

_LONG = 12
"""A line of fewer characters may be in others."""


@dataclass(frozen=True)
class Code:
    """Code that an answer shows of a file, and what is known of it."""

    file: Sequence[str]
    lines: Sequence[str]
    path: str
    lead: str = ""
    """The sentence above it in its answer, which may not be one that asks for it."""
    may_be_cut_off: bool = False
    is_asked: bool = True

    def merged(self, at: Definition | None = None, assumed: Sequence[Assumption] = ()) -> Merged | None:
        """Return the file with the code merged, new code below `at`; `None` where that is not certain."""
        rows = (at.start, at.end) if at is not None else None
        cut = self.may_be_cut_off
        try:
            return merge_shown(self.file, self.lines, self.path, rows, may_be_cut_off=cut, assumed=assumed)
        except UnmergedError:
            return None


@dataclass(frozen=True)
class Likely:
    """What shown code likely means: the file that comes of it, and why."""

    merged: Merged
    why: str
    """What speaks for it, as a sentence."""
    is_certain: bool = False


def with_remarks_as_marks(code: Code, gone: Sequence[str] = ()) -> Likely | None:
    """Return the file with code in which remarks are marks, where less goes than is `gone` otherwise.

    Where that is not known, nothing goes that marks do not say.
    """
    file, path = code.file, code.path
    text = "\n".join(code.lines)
    if any(len(line) > _LONG and line.rstrip(",;") in text for line in gone):
        return None  # it is elsewhere now, and would be there twice
    for lines in remarks_as_marks(file, code.lines, path):
        most = max(0, len(gone) - 1)
        try:
            result = merge_shown(file, lines, path, may_be_cut_off=code.may_be_cut_off)
            most = most if gone else len(file)
        except UnmergedError as error:
            likely = likely_merge(file, lines, path, error, may_be_cut_off=code.may_be_cut_off)
            if likely is None:
                continue
            result = likely[0]
        if list(result.lines) == list(file) or len(lines_gone(file, result.lines, path)) > most:
            continue
        if not (commented_away(file, result.lines, path) or unbound_name(file, result.lines, path)):
            remark = next(line.strip() for line in code.lines if line not in lines)
            return Likely(result, f"`{remark}` may be for lines that are there: they stay.")
    return None
