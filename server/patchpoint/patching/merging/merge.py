"""A three-way merge by lines: the search text is the base, the file is ours and the replacement is theirs.

A line that base and theirs share keeps the bytes of ours, however it was quoted; lines of ours that the model
left out between lines it kept stay; lines of the base that it invented are never written; a line that ours
and theirs both added is written once. Where a change of theirs is on a line that the model misquoted, theirs
wins and the merge records it. (General merge libraries do not fit: here base and ours correspond only through
the pairs that `patchpoint.locate` found.)
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from patchpoint.dataclass import dataclass
from patchpoint.locate.evidence.search_diff import SearchHunk, changes_of
from patchpoint.locate.rungs.elision import is_elision
from patchpoint.locate.source import SourceText, depth, indentation
from patchpoint.locate.verdict import ConsecutivePairs, Find, Pair
from patchpoint.outcome import Guard, Rung
from patchpoint.patching.merging.gaps import (
    body_end,
    cuts_unquoted,
    fits,
    insertion_point,
    is_earlier_version,
    merged_gap,
    opens,
)
from patchpoint.patching.merging.reindent import Depths, depths_of
from patchpoint.patching.merging.words import in_the_files_wrapping, words_of
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.lines import TELLING_LINE, Span


@dataclass(frozen=True, slots=True)
class Merge:
    """The lines that take the place of the found ones, without endings."""

    lines: tuple[str, ...]
    kept: tuple[int | None, ...]
    """For each of `lines`, the number of the file line (ours) that it is; `None` for a new one."""
    overwritten: tuple[int, ...]
    """Numbers of the file lines that the edit changed although the model had misquoted them."""
    end: int
    """One past the last of the file lines whose place they take: those of the find, and perhaps more."""
    doubts: tuple[Guard, ...]
    """What says that lines may not be where they are meant to be, at a place that only resembles the search
    text; of the last hunk first."""
    present: int
    """Characters of new lines that are already just outside the region, and were not written again."""

    @property
    def written(self) -> list[str]:
        """The new lines."""
        return [line for line, kept in zip(self.lines, self.kept, strict=True) if kept is None]

    def gone(self, find: Find) -> list[int]:
        """Return the lines of the file at the find, blank ones left out, that are taken away or rewritten."""
        kept, stripped = set(self.kept), find.source.stripped
        return [n for n in range(find.lines[0], self.end) if stripped[n] and n not in kept]


def merge(source: SourceText, find: Find) -> Merge:
    """Merge the edit into the lines of `find`, which must have pairs: a literal find needs no merging."""
    return _Merger(source, find).merged(changes_of(find))


class _Merger:
    """Walks the hunks from base to theirs in order and emits lines: ours by number, or new ones."""

    def __init__(self, source: SourceText, find: Find) -> None:
        self.source, self.find, self.quote = source, find, find.quote
        self.depths = depths_of(source, find)
        self.moved: Mapping[str, int] = {}
        """The search lines that the edit removes, by their text, which may go elsewhere."""
        self.position = find.lines[0]
        self.lines: list[str] = []
        self.kept: list[int | None] = []
        self.overwritten: list[int] = []
        self.present = 0
        self.end = find.lines[1]
        self.doubts: list[Guard] = []
        self.partner = find.partners
        self.in_part: Set[int] = frozenset()
        """The search lines that are each a part of the file's line, which others have the rest of."""
        self.partnered: Sequence[int]
        """The search lines that have a partner; for each, the last end of a partner up to it, and the first
        start of one from it on."""
        self.last_ends: Sequence[int]
        self.first_starts: Sequence[int]
        if isinstance(find.pairs, ConsecutivePairs):
            self.partnered = find.pairs.quoted
            self.first_starts = find.pairs.found
            self.last_ends = range(find.pairs.found.start + 1, find.pairs.found.stop + 1)
        else:
            self.in_part = {
                line for pair in find.pairs if _is_split(find, pair) for line in range(*pair.quoted)
            }
            self.partnered = sorted(self.partner)
            found = [self.partner[line] for line in self.partnered]
            self.last_ends = list(itertools.accumulate((end for _, end in found), max))
            self.first_starts = list(itertools.accumulate((start for start, _ in reversed(found)), min))[::-1]

    def merged(self, changes: Sequence[SearchHunk]) -> Merge:
        """Return the merge of these hunks."""
        removed = [line for hunk in changes for line in range(*hunk.quoted)]
        self.moved = {
            text: line for line in removed if len(text := self.quote.stripped[line]) >= TELLING_LINE
        }
        for hunk in changes:
            new = self._new_lines(hunk)
            if any(line in self.partner for line in range(*hunk.quoted)):
                self._change(hunk, new)
            else:
                self._insert(hunk, new)
        self._keep_to(self.end)
        return Merge(
            tuple(self.lines),
            tuple(self.kept),
            tuple(self.overwritten),
            self.end,
            tuple(reversed(self.doubts)),
            self.present,
        )

    def _new_lines(self, hunk: SearchHunk) -> list[str]:
        """Return the replacement lines of a hunk at the file's depth, in its wrapping where that is known."""
        wrapped = self._wrapped_as_found(hunk)
        return wrapped if wrapped is not None else self._new_lines_at(hunk, self.depths)

    def _new_lines_at(self, hunk: SearchHunk, there: Depths) -> list[str]:
        """Return the replacement lines of a hunk at the depths that correspond to theirs.

        A line of which only the depth or the place changes keeps the file's words.
        """
        new = []
        old = {self.quote.stripped[line]: line for line in range(*hunk.quoted)}
        depths = iter(
            there.of_new_lines(
                [
                    (indentation(line), min(number, hunk.quoted[1]))
                    for number, line in enumerate(hunk.new_lines, hunk.quoted[0])
                    if line.strip()
                ]
            )
        )
        for quoted_line in hunk.new_lines:
            text = quoted_line.strip()
            if not text:
                new.append(quoted_line if there.same else "")
                continue
            depth = next(depths)
            of = old.get(text, self.moved.get(text, -1))
            partner = self.partner.get(of, (0, 0)) if of not in self.in_part else (0, 0)
            if partner[1] - partner[0] == 1 and self.source.stripped[partner[0]] != text:
                new.append(depth + self.source.lines[partner[0]].lstrip())
            else:
                new.append(depth + quoted_line.lstrip())
        return new

    def _wrapped_as_found(self, hunk: SearchHunk) -> list[str] | None:
        """Return the new lines of a hunk in the file's wrapping; `None` where it changes no misquoted line.

        The lines correspond where there are as many new ones as quoted ones, or where all are one statement.
        """
        first = bisect_left(self.find.pairs, hunk.quoted[0], key=lambda pair: pair.quoted[0])
        behind = bisect_left(self.find.pairs, hunk.quoted[1], key=lambda pair: pair.quoted[0])
        groups = [pair for pair in self.find.pairs[first:behind] if pair.quoted[1] <= hunk.quoted[1]]
        if not groups or (groups[0].quoted[0], groups[-1].quoted[1]) != hunk.quoted:
            return None
        if sum(pair.quoted[1] - pair.quoted[0] for pair in groups) != hunk.quoted[1] - hunk.quoted[0]:
            return None
        line_by_line = hunk.quoted[1] - hunk.quoted[0] == hunk.new[1] - hunk.new[0]
        if not line_by_line and len(groups) > 1:
            return None
        lines: list[str] = []
        drifted = False
        for pair in groups:
            offset, length = pair.quoted[0] - hunk.quoted[0], pair.quoted[1] - pair.quoted[0]
            start = hunk.new[0] + offset
            new = self.quote.replace_lines[start : start + length if line_by_line else hunk.new[1]]
            quoted = self.quote.search_lines[slice(*pair.quoted)]
            found = self.source.lines[slice(*pair.found)]
            if [line.strip() for line in quoted] == [line.strip() for line in found]:
                lines += [
                    self.depths.of_new_line(indentation(line), pair.quoted[0]) + line.lstrip()
                    if line.strip()
                    else line
                    for line in new
                ]
                continue
            merged = found if new == quoted else self._with_found_words(quoted, found, new)
            if merged is None:
                return None
            lines += merged
            drifted = True
        return lines if drifted else None

    def _with_found_words(self, quoted: list[str], found: list[str], new: list[str]) -> list[str] | None:
        said, wanted = (Counter(words_of(text)) for text in (self.quote.search, self.quote.replace))
        return in_the_files_wrapping(self.source, quoted, found, new, wanted - said)

    def _keep_to(self, end: int) -> None:
        """Keep the file's lines up to `end`."""
        self.lines += self.source.lines[self.position : end]
        self.kept += range(self.position, end)
        self.position = max(self.position, end)

    def _keep(self, number: int) -> None:
        self.lines.append(self.source.lines[number])
        self.kept.append(number)

    def _write(self, lines: list[str]) -> None:
        self.lines += lines
        self.kept += [None] * len(lines)

    def _insert(self, hunk: SearchHunk, new: list[str]) -> None:
        """Insert new lines between two search lines.

        They go after the one before, or before the one after if only that one is in the file. A line that the
        model left out there and adds now is the same text, and is written once.
        """
        if self._is_present_outside(hunk, new):
            self.present += sum(len(line.strip()) for line in new)
            return
        before, after = self._neighbours(hunk)
        gap = [self.source.lines[number] for number in range(before, after)]
        if any(line.strip() for line in gap) or (new and not new[0].strip()):
            together = merged_gap(gap, new)
            if together is not None:
                self._keep_to(before)
                for number, lines in together:
                    if number is None:
                        self._write(lines)
                    else:
                        self._keep(before + number)
                self.position = after
                return
            if is_earlier_version(gap, new, self.quote.stripped):
                self._keep_to(before)
                self._write(new)
                self.position = after
                return
        self._keep_to(self._place_of_new(hunk, (before, after), new))
        self._write(new)

    def _place_of_new(self, hunk: SearchHunk, gap: Span, new: list[str]) -> int:
        """Return the line before which new lines go, in the gap between the quoted lines around them.

        Another definition or block, behind a header that is quoted without its block, goes below that.
        """
        unquoted = any(self.source.stripped[number] for number in range(*gap))
        if not any(map(str.strip, new)) or self.find.rung not in (Rung.SIMILARITY, Rung.ELISION):
            return gap[0 if unquoted else 1]
        above, below = hunk.next_to
        if not unquoted:
            header = self.source.solid_above(gap[1])
            if header is None or hunk.quoted[0] <= self.quote.solid[-1]:
                return gap[1]
            column = depth(self.source.lines[header])
            is_apart = depth(next(filter(str.strip, new))) <= column
            is_apart = is_apart and any(opens(line) and depth(line) <= column for line in new)
            end = body_end(self.source, header)
            moves = any(line.strip() in self.moved for line in new)
            if moves or not is_apart or not fits(self.source, end, new):
                return gap[1]
            self.end = max(self.end, end)
            return max(gap[1], end)
        if above and self._is_left_out(above[0]):
            return gap[1]
        if below and self._is_left_out(below[0]):
            return gap[0]
        gap_lines = self.source.stripped[slice(*gap)]
        repeated = any(self.quote.stripped[line] in gap_lines for line in above + below)
        # Where they would cut a block of the search text, too, their depth says nothing.
        is_coherent = fits(SourceText(self.quote.search), hunk.quoted[0], hunk.new_lines)
        place = insertion_point(self.source, gap, new) if is_coherent and not repeated else None
        if place is not None:
            return place
        self.doubts.append(Guard.UNQUOTED)
        return gap[0]

    def _is_left_out(self, line: int) -> bool:
        """Return whether a search line is a mark of lines left out, and not one that the file has."""
        if not is_elision(self.quote.search_lines[line]):
            return False
        return self.find.rung is Rung.ELISION or line not in self.partner

    def _is_present_outside(self, hunk: SearchHunk, new: list[str]) -> bool:
        """Return whether the lines to insert at an edge of the region are already just outside it."""
        # At a similar place, the same text at another depth is another statement.
        form = str.rstrip if self.find.rung is Rung.SIMILARITY else str.strip
        wanted = [form(line) for line in new if line.strip()]
        solid = self.quote.solid
        size = len(wanted)
        if not wanted or not solid:
            return False
        first, end = self.find.lines
        if hunk.quoted[0] > solid[-1]:
            outside = list(filter(None, map(form, self.source.lines[end:][: 2 * size + 2])))
            return outside[:size] == wanted
        if hunk.quoted[1] <= solid[0]:
            outside = list(filter(None, map(form, self.source.lines[max(0, first - 2 * size - 2) : first])))
            return outside[-size:] == wanted
        return False

    def _neighbours(self, hunk: SearchHunk) -> Span:
        """Return the gap in the file for an insertion: from the last partner before it to the next one."""
        ended = bisect_left(self.partnered, hunk.quoted[0])
        started = bisect_left(self.partnered, hunk.quoted[1])
        before = max(self.position, self.last_ends[ended - 1]) if ended else self.position
        after = self.first_starts[started] if started < len(self.partnered) else self.find.lines[1]
        return before, max(before, after)

    def _change(self, hunk: SearchHunk, new: list[str]) -> None:
        """Replace file lines; those that the model left out in between stay, equal ones keep their bytes.

        Lines left out right before and after count, too: they may be among the new lines.
        """
        partner_of: dict[int, int] = {}
        for line in range(*hunk.quoted):
            for number in range(*self.partner.get(line, (0, 0))):
                partner_of.setdefault(number, line)
        self._note_overwritten(partner_of)
        start, end = self._neighbours(hunk)
        written = self._written_before(hunk, (start, end), new)
        if written is not None:
            self._keep_to(start)
            self._write(written[0])
            self.position, self.end = written[1], max(self.end, written[1])
            return
        if cuts_unquoted(self.find, hunk, (start, end), new, self._is_left_out):
            self.doubts.append(Guard.UNQUOTED)
        self._keep_to(start)
        old = self.source.lines[start:end]
        wanted = new
        if self.find.rung is not Rung.EXACT:
            old, wanted = [line.rstrip() for line in old], [line.rstrip() for line in new]
        for equal, i1, i2, j1, j2 in line_opcodes(old, wanted):
            if equal:
                for number in range(i1, i2):
                    self._keep(start + number)
            else:
                self._replace_run(range(start + i1, start + i2), new[j1:j2], partner_of)
        self.position = end

    def _written_before(
        self, hunk: SearchHunk, stretch: Span, new: list[str]
    ) -> tuple[list[str], int] | None:
        """Return the new lines, and one past the stretch that an earlier version of the edit wrote.

        `None` if none did. What it wrote says nothing of how deep the lines around it are, and so the new
        ones.
        """
        if self.find.rung is not Rung.SIMILARITY or not any(line.strip() for line in new):
            return None
        start, end = stretch
        partners = {number for found in self.partner.values() for number in range(*found)}
        if not any(self.source.stripped[n] and n not in partners for n in range(start, end)):
            return None
        for lines in (new, self._new_lines_at(hunk, self.depths.without(hunk.quoted))):
            if is_earlier_version(self.source.lines[start:end], lines, self.quote.stripped):
                return lines, end
        return None

    def _replace_run(self, numbers: range, new: list[str], partner_of: dict[int, int]) -> None:
        """Replace a run of file lines, of which those without a partner stay where they are."""
        going = {number for number in numbers if number in partner_of}
        written = passed = 0
        for number in numbers:
            if number in going:
                passed += 1
            elif self.source.stripped[number] or len(going) == len(new) or not 0 < passed < len(going):
                upto = passed if len(going) == len(new) else (len(new) if passed == len(going) else 0)
                self._write(new[written : max(written, upto)])
                written = max(written, upto)
                self._keep(number)
        self._write(new[written:])

    def _note_overwritten(self, partner_of: dict[int, int]) -> None:
        for number, line in partner_of.items():
            found = self.partner[line]
            quoted = self.quote.search_lines[line]
            if found[1] - found[0] == 1 and self.source.lines[number].split() != quoted.split():
                self.overwritten.append(number)


def _is_split(find: Find, pair: Pair) -> bool:
    """Return whether a line of the file is quoted over several."""
    return pair.found[1] - pair.found[0] == 1 < sum(map(bool, find.quote.stripped[slice(*pair.quoted)]))
