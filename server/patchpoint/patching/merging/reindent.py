"""Indentation of new lines: the depth at which the model wrote them, converted to that of the file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from patchpoint.dataclass import dataclass, replace
from patchpoint.locate.source import SourceText, depth, indent_unit, indentation
from patchpoint.locate.verdict import Find
from patchpoint.text.lines import Span, positions


@dataclass(frozen=True)
class Depths:
    """How indentation in the quotation corresponds to indentation in the file.

    `seen`: for each search line that is in the file, in order, its number, the indentation it was quoted
    with, and the one it has. All lines of each side show what one step of indentation is there.
    """

    seen: tuple[tuple[int, str, str], ...]
    quoted_lines: Sequence[str]
    file_lines: Sequence[str]
    new_lines: Sequence[str] = ()
    """Those of the quotation that are to be in the file."""

    def without(self, lines: Span) -> Depths:
        """Return what the other search lines than some say of the depths; all of them, if none is left."""
        seen = tuple(entry for entry in self.seen if not lines[0] <= entry[0] < lines[1])
        return replace(self, seen=seen) if seen and len(seen) < len(self.seen) else self

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
        if self._of_file is not None and blanks.startswith(self._of_file[0]):
            return self._of_file[1] + blanks[len(self._of_file[0]) :]
        if blanks in self._by_depth:
            return self._nearest([blanks], near)[2]
        shallower = [quoted for quoted in self._by_depth if blanks.startswith(quoted)]
        if shallower:
            _, quoted, found = self._nearest([max(shallower, key=len)], near)
            return found + self._converted(blanks[len(quoted) :])
        deeper = [quoted for quoted in self._by_depth if quoted.startswith(blanks)]
        if deeper:
            least = min(map(len, deeper))
            _, quoted, found = self._nearest([each for each in deeper if len(each) == least], near)
            return found[: max(0, len(found) - len(self._converted(quoted[len(blanks) :])))]
        return self._converted(blanks)

    def of_new_lines(self, lines: Sequence[tuple[str, int]]) -> list[str]:
        """Return the indentation of lines that follow one another, each given as `of_new_line` takes it.

        Where they would not be nested as they were written, all go as far as the shallowest of them does.
        """
        found = [self.of_new_line(*line) for line in lines]
        if _nesting(blanks for blanks, _ in lines) == _nesting(found):
            return found
        shallowest, near = min(lines, key=lambda line: depth(line[0]))
        own = self.of_new_line(shallowest, near)
        if own.endswith(shallowest):
            return [own.removesuffix(shallowest) + blanks for blanks, _ in lines]
        if not all(blanks.startswith(shallowest) for blanks, _ in lines):
            return found
        return [own + blanks.removeprefix(shallowest) for blanks, _ in lines]

    @cached_property
    def _of_file(self) -> tuple[str, str] | None:
        """What new lines begin with and what they begin with in the file, where only that differs.

        So it is if they are written in the file's steps and the search text is not: a step is one of the
        file's then, and not what the search text has for it.
        """
        if not (self.new_lines and self.seen) or indent_unit(self.new_lines) != self._unit:
            return None
        if indent_unit([f"{quoted}." for _, quoted, _ in self.seen]) == self._unit:
            return None
        _, quoted, found = min(self.seen, key=lambda entry: len(entry[1]))
        shallowest = min((indentation(line) for line in self.new_lines if line.strip()), key=len, default="")
        if quoted == found or shallowest == found:
            return "", ""
        return (quoted, found) if not quoted else None

    @cached_property
    def _by_depth(self) -> dict[str, list[int]]:
        """The positions in `seen` of the search lines quoted with each indentation."""
        return positions(quoted for _, quoted, _ in self.seen)

    @cached_property
    def _ascends(self) -> bool:
        """Whether the numbers of the search lines ascend: those of two anchors do not."""
        return all(one[0] < other[0] for one, other in pairwise(self.seen))

    def _nearest(self, depths: Sequence[str], near: int) -> tuple[int, str, str]:
        """Return the first of the search lines nearest to `near` that have one of the indentations.

        A request may have as many new lines as search lines, so that not all of these are looked at for each.
        """
        nearest: list[int] = []
        for quoted in depths:
            alike = self._by_depth[quoted]
            if self._ascends:
                at = bisect_left(alike, near, key=lambda position: self.seen[position][0])
                alike = alike[max(0, at - 1) : at + 1]
            nearest += alike
        return self.seen[min(nearest, key=lambda position: (abs(self.seen[position][0] - near), position))]

    def _converted(self, rest: str) -> str:
        """Return `rest` in the file's unit: each step of the quotation becomes a step of the file."""
        step, tabs = self._step, rest.count("\t")
        if step is not None and rest and set(rest) == {step[0][0]}:
            whole, left = divmod(len(rest), len(step[0]))
            if not left:
                return step[1] * whole
        if not rest:
            return rest
        unit = self._unit
        if set(rest) == set(unit):
            return rest
        if unit == "\t":
            width = len(self._quoted_unit) if self._quoted_unit != "\t" else 4
            spaces = len(rest) - tabs
            return "\t" * (tabs + spaces // width) + " " * (spaces % width)
        return unit * tabs + " " * (len(rest) - tabs)

    @cached_property
    def _unit(self) -> str:
        """One step of indentation in the file."""
        return indent_unit(self.file_lines)

    @cached_property
    def _quoted_unit(self) -> str:
        """One step of indentation in the quotation."""
        return indent_unit(self.quoted_lines)

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


def depths_of(source: SourceText, find: Find) -> Depths:
    """Return how the quotation's indentation corresponds to the file's."""
    seen = tuple(depths_seen(source, find))
    quote = find.quote
    return Depths(seen, quote.search_lines + quote.replace_lines, source.lines, quote.replace_lines)


def depths_seen(source: SourceText, find: Find) -> list[tuple[int, str, str]]:
    """Return the depths of the search lines that are in the file, as `Depths.seen` has them.

    A line that differs may be aligned with something in the one that it continues: it tells nothing.
    """
    quoted, stripped = find.quote.search_lines, find.quote.stripped
    blanks: dict[str, str] = {}
    seen: list[tuple[int, str, str]] = []
    equal: list[tuple[int, str, str]] = []
    for (line, _), (start, end) in find.pairs:
        if start < end and stripped[line]:
            one, other = quoted[line], source.lines[start]
            if one not in blanks:
                blanks[one] = indentation(one)
            if other not in blanks:
                blanks[other] = indentation(other)
            seen.append((line, blanks[one], blanks[other]))
            if stripped[line] == source.stripped[start]:
                equal.append(seen[-1])
    return equal or seen


def _nesting(depths: Iterable[str]) -> list[int]:
    """Return for each line but the first whether it is deeper than the one above (1), as deep (0) or less."""
    columns = map(depth, depths)
    return [(below > above) - (below < above) for above, below in pairwise(columns)]
