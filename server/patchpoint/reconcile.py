"""The change from search text to replacement, carried onto the file's own lines: a three-way merge by lines.

The search text is the base, the replacement one side and the file the other. A line that search text and
replacement share keeps the file's bytes, however it was quoted; file lines that the model left out between lines
it kept stay; lines it invented never arrive; a line that both sides brought arrives once. Where the model's
change falls on a line that it misquoted, the replacement wins and the merge says so. (General merge libraries
do not fit: here one side is known only through the pairing that `patchpoint.locate` found.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Find, Pair, Quote
from patchpoint.reindent import Depths
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class Merge:
    """The lines that take the place of the found ones, without endings."""

    lines: tuple[str, ...]
    kept: tuple[int | None, ...]
    """For each of `lines`, the number of the file line that it is, if it is one."""
    overwritten: tuple[int, ...]
    """Numbers of the file lines that the edit changed although the model had misquoted them."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of search lines that becomes a run of replacement lines, both half-open."""

    quoted: Span
    new: Span


def hunks(quote: Quote, pairs: Sequence[Pair] = ()) -> list[Hunk]:
    """Where search text and replacement differ, trailing white space aside.

    A run of search lines that stands for a differently wrapped run of file lines is changed whole or not at
    all: a hunk that touches part of it takes in the rest.
    """
    search = [line.rstrip() for line in quote.search_lines]
    replace = [line.rstrip() for line in quote.replace_lines]
    changed = [
        Hunk((i1, i2), (j1, j2)) for tag, i1, i2, j1, j2 in differences(search, replace) if tag != "equal"
    ]
    groups = [pair.quoted for pair in pairs if pair.quoted[1] - pair.quoted[0] > 1]
    widened: list[Hunk] = []
    for hunk in changed:
        start, end = hunk.quoted
        for group in groups:
            if (group[0] < end and start < group[1]) or (start == end and group[0] < start < group[1]):
                start, end = min(start, group[0]), max(end, group[1])
        new = (hunk.new[0] - (hunk.quoted[0] - start), hunk.new[1] + (end - hunk.quoted[1]))
        if widened and start < widened[-1].quoted[1]:
            last = widened.pop()
            start, new = min(start, last.quoted[0]), (last.new[0], max(new[1], last.new[1]))
            end = max(end, last.quoted[1])
        widened.append(Hunk((start, end), new))
    return widened


def differences(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """The opcodes from `old` to `new`: common beginning and end first, then longest matching blocks."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = SequenceMatcher(None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False)
    return [
        (tag, i1 + start, i2 + start, j1 + start, j2 + start)
        for tag, i1, i2, j1, j2 in middle.get_opcodes()
        if tag != "equal"
    ]


def depths_of(source: Source, find: Find) -> Depths:
    """How the quotation's indentation corresponds to the file's."""
    quoted, found = find.quote.search_lines, source.lines
    seen = [
        (pair.quoted[0], indentation(quoted[pair.quoted[0]]), indentation(found[pair.found[0]]))
        for pair in find.pairs
        if pair.quoted[0] < pair.quoted[1]
        and pair.found[0] < pair.found[1]
        and find.quote.stripped[pair.quoted[0]]
    ]
    return Depths.of(seen, quoted + find.quote.replace_lines, source.indent_unit)


def merge(source: Source, find: Find) -> Merge:
    """What the lines of `find` become. The find must have pairs (a literal one needs no merging)."""
    return _Merger(source, find).merged()


class _Merger:
    """Walks the hunks in order and emits lines."""

    def __init__(self, source: Source, find: Find) -> None:
        self.source, self.find, self.quote = source, find, find.quote
        self.depths = depths_of(source, find)
        self.position = find.lines[0]
        self.lines: list[str] = []
        self.kept: list[int | None] = []
        self.overwritten: list[int] = []
        self.partner: dict[int, Span] = {}
        for pair in find.pairs:
            for number in range(*pair.quoted):
                self.partner[number] = pair.found

    def merged(self) -> Merge:
        for hunk in hunks(self.quote, self.find.pairs):
            new = self._new_lines(hunk)
            partners = [self.partner[line] for line in range(*hunk.quoted) if line in self.partner]
            if partners:
                self._keep_to(partners[0][0])
                self._change(hunk, new, (partners[0][0], partners[-1][1]))
            else:
                self._insert(hunk, new)
        self._keep_to(self.find.lines[1])
        return Merge(tuple(self.lines), tuple(self.kept), tuple(self.overwritten))

    def _new_lines(self, hunk: Hunk) -> list[str]:
        """The replacement lines of a hunk at the file's depth, with the file's own words where only depth changed."""
        new = []
        old = {self.quote.stripped[line]: line for line in range(*hunk.quoted)}
        for offset, line in enumerate(self.quote.replace_lines[slice(*hunk.new)]):
            text = line.strip()
            if not text:
                new.append("" if not self.depths.same else line)
                continue
            near = hunk.quoted[0] + min(offset, hunk.quoted[1] - hunk.quoted[0])
            depth = self.depths.of_new_line(indentation(line), near)
            partner = self.partner.get(old.get(text, -1), (0, 0))
            if partner[1] - partner[0] == 1 and self.source.stripped[partner[0]] != text:
                new.append(depth + self.source.lines[partner[0]].lstrip())
            else:
                new.append(depth + line.lstrip())
        return new

    def _keep_to(self, end: int) -> None:
        """Keep the file's lines up to `end`."""
        for number in range(self.position, end):
            self._keep(number)
        self.position = max(self.position, end)

    def _keep(self, number: int) -> None:
        self.lines.append(self.source.lines[number])
        self.kept.append(number)

    def _write(self, lines: list[str]) -> None:
        self.lines += lines
        self.kept += [None] * len(lines)

    def _insert(self, hunk: Hunk, new: list[str]) -> None:
        """New lines between two search lines: after the one before, unless only the one after is in the file."""
        before, after = self._neighbours(hunk)
        gap = range(before, after)
        there = _once([self.source.lines[number] for number in gap], new)
        if there is not None:
            self._keep_to(before)
            for number, line in there:
                if number is not None:
                    self._keep_to(before + number + 1)
                elif line is not None:
                    self._write([line])
            return
        blank = all(not self.source.stripped[number] for number in gap)
        quoted_before = self._paired_before(hunk.quoted[0])
        self._keep_to(after if blank or not quoted_before else before)
        self._write(new)

    def _neighbours(self, hunk: Hunk) -> Span:
        """The gap in the file in which an insertion lands: after the last partner before, up to the next one."""
        ends = [found[1] for line, found in self.partner.items() if line < hunk.quoted[0]]
        starts = [found[0] for line, found in self.partner.items() if line >= hunk.quoted[1]]
        before = max([self.position, *ends])
        return before, max(before, min(starts, default=self.find.lines[1]))

    def _paired_before(self, line: int) -> bool:
        """Whether the nearest search line before `line` that is not blank stands in the file."""
        for number in range(line - 1, -1, -1):
            if self.quote.stripped[number]:
                return number in self.partner
        return False

    def _change(self, hunk: Hunk, new: list[str], region: Span) -> None:
        """New lines for file lines; what the model left out in between stays, what is equal keeps its bytes."""
        partner_of: dict[int, int] = {}
        for line in range(*hunk.quoted):
            for number in range(*self.partner.get(line, (0, 0))):
                partner_of.setdefault(number, line)
        self._note_overwritten(partner_of)
        old = [self.source.lines[number].rstrip() for number in range(*region)]
        matcher = SequenceMatcher(None, old, [line.rstrip() for line in new], autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal":
                for number in range(i1, i2):
                    self._keep(region[0] + number)
                continue
            self._replace_run(range(region[0] + i1, region[0] + i2), new[j1:j2], partner_of)
        self.position = region[1]

    def _replace_run(self, numbers: range, new: list[str], partner_of: dict[int, int]) -> None:
        partners = sum(number in partner_of for number in numbers)
        written = passed = 0
        for number in numbers:
            if number in partner_of:
                passed += 1
            elif self.source.stripped[number] or partners == len(new):
                upto = passed if partners == len(new) else (len(new) if passed == partners else 0)
                self._write(new[written : max(written, upto)])
                written = max(written, upto)
                self._keep(number)
        self._write(new[written:])

    def _note_overwritten(self, partner_of: dict[int, int]) -> None:
        for number, line in partner_of.items():
            if self.partner[line][1] - self.partner[line][0] == 1 and (
                "".join(self.source.lines[number].split()) != "".join(self.quote.search_lines[line].split())
            ):
                self.overwritten.append(number)


def _once(gap: list[str], new: list[str]) -> list[tuple[int | None, str | None]] | None:
    """How the gap's lines and the new ones go together when they share lines; `None` when they share none.

    Each entry is a line of the gap (by number) or a new one.
    """
    if not any(line.strip() for line in gap):
        if not gap or not new:
            return None
        lead = next((number for number, line in enumerate(new) if line.strip()), len(new))
        if not lead:
            return None
    old = [line.rstrip() for line in gap]
    matcher = SequenceMatcher(None, old, [line.rstrip() for line in new], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return None
    together: list[tuple[int | None, str | None]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            together += [(number, None) for number in range(i1, i2)]
        else:
            together += [(None, line) for line in new[j1:j2]]
            together += [(number, None) for number in range(i1, i2)]
    return together
