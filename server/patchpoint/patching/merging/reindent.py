"""Indentation of new lines: the depth at which the model wrote them, converted to that of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from patchpoint.locate.source import indent_unit


@dataclass(frozen=True)
class Depths:
    """How indentation in the quotation corresponds to indentation in the file.

    `seen`: for each search line that is in the file, in order, its number, the indentation it was quoted
    with, and the one it has. All lines of each side show what one step of indentation is there.
    """

    seen: tuple[tuple[int, str, str], ...]
    quoted_lines: Sequence[str]
    file_lines: Sequence[str]

    @cached_property
    def same(self) -> bool:
        """Whether every line has the indentation it was quoted with."""
        return all(quoted == found for _, quoted, found in self.seen)

    def of_new_line(self, blanks: str, near: int) -> str:
        """Return the indentation in the file of a line written with `blanks` near search line number `near`.

        The nearest search line with the same indentation decides. Without one, the longest indentation that
        `blanks` begins with decides, and the rest is converted. Without that, the line is as many steps
        shallower as the model wrote it.
        """
        if self.same:
            return blanks
        alike = [entry for entry in self.seen if entry[1] == blanks]
        if alike:
            return min(alike, key=lambda entry: abs(entry[0] - near))[2]
        shallower = [entry for entry in self.seen if blanks.startswith(entry[1])]
        if shallower:
            _, quoted, found = max(shallower, key=lambda entry: (len(entry[1]), -abs(entry[0] - near)))
            return found + self._converted(blanks[len(quoted) :])
        deeper = [entry for entry in self.seen if entry[1].startswith(blanks)]
        if deeper:
            _, quoted, found = min(deeper, key=lambda entry: (len(entry[1]), abs(entry[0] - near)))
            return found[: max(0, len(found) - len(self._converted(quoted[len(blanks) :])))]
        return self._converted(blanks)

    def _converted(self, rest: str) -> str:
        """Return `rest` in the file's unit: each step of the quotation becomes a step of the file."""
        step, tabs = self._step, rest.count("\t")
        if step is not None and rest and set(rest) == {step[0][0]}:
            whole, left = divmod(len(rest), len(step[0]))
            if not left:
                return step[1] * whole
        if not rest:
            return rest
        unit = indent_unit(self.file_lines)
        if set(rest) == set(unit):
            return rest
        if unit == "\t":
            quoted_unit = indent_unit(self.quoted_lines)
            width = len(quoted_unit) if quoted_unit != "\t" else 4
            spaces = len(rest) - tabs
            return "\t" * (tabs + spaces // width) + " " * (spaces % width)
        return unit * tabs + " " * (len(rest) - tabs)

    @cached_property
    def _step(self) -> tuple[str, str] | None:
        """The smallest step between two depths of the quotation, and the same step in the file, if known."""
        distinct = dict.fromkeys((quoted, found) for _, quoted, found in self.seen)
        depths = sorted(distinct, key=lambda pair: len(pair[0]))
        best: tuple[str, str] | None = None
        for (quoted, found), (deeper, deeper_found) in pairwise(depths):
            step, found_step = deeper[len(quoted) :], deeper_found[len(found) :]
            if (
                step
                and deeper.startswith(quoted)
                and deeper_found.startswith(found)
                and len(set(step)) == 1
                and len(set(found_step)) == 1
                and (best is None or len(step) < len(best[0]))
            ):
                best = step, found_step
        return best
