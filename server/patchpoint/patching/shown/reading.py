"""Code that an answer shows of a file, and what it likely means."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.definition import Assumption, Definition, UnmergedError
from patchpoint.structure.lazy.merge import Merged, merge_shown


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
