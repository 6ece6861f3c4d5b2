"""What speaks against writing a merged edit to a place that only resembles the search text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile

from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.locate.brackets import balance
from patchpoint.locate.evidence.comparison import is_import
from patchpoint.locate.evidence.names import binds, declared_name, has_name, names
from patchpoint.locate.evidence.search_diff import changes_of
from patchpoint.locate.source import SourceText, depth
from patchpoint.locate.verdict import Find, Pair
from patchpoint.outcome import Guard, Rung
from patchpoint.patching.merging.gaps import opens
from patchpoint.patching.merging.merge import Merge
from patchpoint.patching.merging.words import words_dropped
from patchpoint.structure.lazy.bindings import head_of, member_name
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.regex import TOKEN

DOUBLED_ALL = 0.5
DOUBLED_RUN = 0.8
"""The shares of all new text, and of one run of new lines, that show that part of the edit was made before,
when as much is already next to its place. Measured: `DOUBLED_RUN` prevented the last wrong write."""


def doubts_of(source: SourceText, find: Find, merged: Merge) -> Iterator[Guard]:
    """Yield what speaks against writing the merge to a similar place, each when it is asked for."""
    yield from merged.doubts
    for is_doubted, guard in _DOUBTS:
        if is_doubted(source, find, merged):
            yield guard


def doubt_of_choice(source: SourceText, find: Find, merged: Merge) -> Guard | None:
    """Return why the merge may not be written to a place that a person chose; `None` if it may."""
    if loses_unquoted(source, find, merged):
        return Guard.UNQUOTED
    return Guard.LEAVES_UNDONE if leaves_undone(source, find, merged) else None


def loses_unquoted(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether a line of the file that no search line resembles would be nowhere in the merge.

    A line between two others that is paired by its position alone is not quoted by what it is paired with.
    """
    quoted = {
        number for pair in find.pairs if _is_quoted(source, find, pair) for number in range(*pair.found)
    }
    gone = Counter(source.stripped[number] for number in merged.gone(find) if number not in quoted)
    return not gone <= Counter(map(str.strip, merged.written))


def leaves_undone(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether the edit is to remove lines, and the merge neither removes nor writes one.

    Where all lines at the place are quoted, those to be removed are gone already.
    """
    if merged.gone(find) or any(map(str.strip, merged.written)):
        return False
    wanted, left = (
        Counter(filter(None, map(str.strip, lines)))
        for lines in (find.quote.search_lines, find.quote.replace_lines)
    )
    if wanted <= left or merged.present:
        return False
    return bool(find.unquoted) or list(merged.lines) != source.lines[find.lines[0] : merged.end]


def misquoted(merged: Merge) -> list[str]:
    """Return a note on the lines that the edit changes although it misquotes them, if there are any."""
    if not merged.overwritten:
        return []
    numbers = ", ".join(str(number + 1) for number in merged.overwritten)
    lines = "Line" if len(merged.overwritten) == 1 else "Lines"
    verb = "was" if len(merged.overwritten) == 1 else "were"
    return [f"{lines} {numbers} {verb} not quoted exactly, and changed to what the edit says."]


def leaves_brackets(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether the file's brackets change, and otherwise than those from search text to replacement."""
    quoted, wanted = balance(find.quote.search_lines), balance(find.quote.replace_lines)
    before, after = balance(source.lines[find.lines[0] : merged.end]), balance(merged.lines)
    meant = tuple(new - old for old, new in zip(quoted, wanted, strict=True))
    done = tuple(new - old for old, new in zip(before, after, strict=True))
    return any(done) and done != meant


def unknown_names(source: SourceText, find: Find, merged: Merge) -> set[str]:
    """Return the names in new lines that the search text quotes too and the file has nowhere.

    A name that a new line declares is not unknown, unless the line takes the place of one that the model
    misquoted and drops a name from it.
    """
    written = merged.written
    quoted = names(find.quote.search_lines)
    wanted = names(written)
    unknown = {name for name in wanted & quoted if not has_name(source, name)}
    if not unknown:
        return set()
    gone = set(merged.overwritten).difference(merged.kept)
    dropped = names(source.lines[number] for number in gone) - quoted - names(written)
    if dropped:
        return unknown
    return {name for name in unknown if not any(binds(line, name) for line in written)}


def names_another(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether a line that the edit changes gives a value to another name than the one quoted for it.

    The replacement has the quoted name, and the file has it nowhere, not even written otherwise. A name that
    several quoted lines have is another one for a name of the same place.
    """
    kept, wanted = set(merged.kept), set(map(_given_name, find.quote.replace_lines))
    for (line, end), (row, found_end) in find.pairs:
        if end - line != 1 or found_end - row != 1 or row in kept:
            continue
        quoted, own = _given_name(find.quote.search_lines[line]), _given_name(source.lines[row])
        is_other = bool(own) and quoted in wanted and _plain(quoted) != _plain(own)
        if quoted and is_other and not has_name(source, quoted):
            lines = [one for one in find.quote.search_lines if quoted in names([one])]
            return len(lines) == 1
    return False


def _given_name(line: str) -> str:
    """Return the name that a line gives a value or a meaning; empty if it gives none."""
    return declared_name(line) or next(reversed(head_of(line)), "") or member_name(line)


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def drops_words(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether a word goes from a line that the model misquoted, at which the edit changes nothing."""
    kept = set(merged.kept)
    before = source.lines[find.lines[0] : merged.end]
    gone = Counter(TOKEN.findall("\n".join(before))) - Counter(TOKEN.findall("\n".join(merged.lines)))
    for hunk in changes_of(find) if gone else ():
        new = hunk.new_lines
        for pair in find.pairs:
            if pair.quoted[0] < hunk.quoted[0] or pair.quoted[1] > hunk.quoted[1] or not any(new):
                continue
            quoted, found = find.quote.search_lines[slice(*pair.quoted)], source.lines[slice(*pair.found)]
            if kept.isdisjoint(range(*pair.found)) and any(map(gone.get, words_dropped(quoted, found, new))):
                return True
    return False


def drops_import(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether such a word goes from an import, and nobody sees what uses it."""
    is_one = any(is_import(source.stripped[row]) for row in merged.gone(find))
    return is_one and drops_words(source, find, merged)


def is_partly_applied(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether much of what the merge writes is already next to it, in the same order and at its depth.

    Only news counts: a line that the search text quotes, too, says nothing of an earlier application. Neither
    does a line of another definition, unless it is one that the new lines declare.
    """
    quoted = {line for line in find.quote.stripped if line}
    runs: list[list[str]] = [[]]
    for line, kept in zip(merged.lines, merged.kept, strict=True):
        if kept is not None:
            runs.append([])
        elif line.strip() and line.strip() not in quoted:
            runs[-1].append(line.rstrip())
    runs = [run for run in runs if run]
    total = merged.present + sum(len(line.strip()) for run in runs for line in run)
    if not total:
        return False
    around = _lines_around(source, find, merged, [line for run in runs for line in run])
    if _doubles_neighbour(source, find, merged, quoted):
        return True
    there = merged.present
    known = set(around)
    for run in runs:
        if known.isdisjoint(run):
            continue
        blocks = line_opcodes(run, around)
        shared = sum(len(run[n].strip()) for equal, i1, i2, _, _ in blocks if equal for n in range(i1, i2))
        there += shared
        if shared >= DOUBLED_RUN * sum(len(line.strip()) for line in run) and shared >= 12:
            return True
    return there >= DOUBLED_ALL * total and there >= 12


def _is_quoted(source: SourceText, find: Find, pair: Pair) -> bool:
    """Return whether what a pair quotes resembles what is in the file: runs of lines pair for that alone."""
    (line, end), (start, found_end) = pair
    if find.rung is not Rung.SIMILARITY or end - line != 1 or found_end - start != 1:
        return True
    return line_similarity(find.quote.stripped[line], source.stripped[start]) >= SIMILAR_LINE


def _doubles_neighbour(source: SourceText, find: Find, merged: Merge, quoted: Collection[str]) -> bool:
    """Return whether the line right outside of the place is one of the new lines that would be next to it.

    One that opens a block says little without what is in that.
    """
    fresh = [
        line.rstrip() if kept is None else None for line, kept in zip(merged.lines, merged.kept, strict=True)
    ]
    below = next(filter(str.strip, source.lines[merged.end :]), "").rstrip()
    above = next(filter(str.strip, reversed(source.lines[: find.lines[0]])), "").rstrip()
    for line, run in (
        (below, takewhile(lambda new: new is not None, reversed(fresh))),
        (above, takewhile(lambda new: new is not None, fresh)),
    ):
        telling = len(line.strip()) >= TELLING_LINE and not opens(line)
        if telling and line.strip() not in quoted and line in run:
            return True
    return False


def _lines_around(source: SourceText, find: Find, merged: Merge, new: Sequence[str]) -> list[str]:
    """Return the lines that stay at the place and those near it, other definitions left out."""
    reach = len(new) + 3
    first, end = find.lines
    kept = {number for number in merged.kept if number is not None}
    declared = {declared_name(line) for line in new}
    # A definition that begins further up may end there.
    above = _of_same_definition(source, range(max(0, first - 3 * reach), first), declared)
    below = _of_same_definition(source, range(end, min(len(source.lines), end + reach)), declared)
    within = [number for number in range(first, end) if number in kept and source.stripped[number]]
    return [source.lines[number].rstrip() for number in [*list(above)[-reach:], *within, *below]]


def _of_same_definition(
    source: SourceText, numbers: range, declared: Collection[str | None]
) -> Iterator[int]:
    """Yield those of some lines that are in no definition but those that are `declared`."""
    outer = -1
    for number in filter(source.stripped.__getitem__, numbers):
        line = source.lines[number]
        name = declared_name(line) if opens(line) else None
        if outer < 0 or depth(line) <= outer:
            outer = depth(line) if name is not None and name not in declared else -1
        if outer < 0:
            yield number


def moves_past_unquoted(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether a line that is moved passes one that nobody quoted, of which it may be meant to stay."""
    gone = {text: row for row in merged.gone(find) if len(text := source.stripped[row]) >= TELLING_LINE}
    unquoted = set(find.unquoted) if gone else set[int]()
    stay = [(row, at) for at, row in enumerate(merged.kept) if row is not None and row in unquoted]
    moved = [
        (gone[line.strip()], at)
        for at, (line, row) in enumerate(zip(merged.lines, merged.kept, strict=True))
        if row is None and line.strip() in gone
    ]
    return any((row < origin) != (before < at) for origin, at in moved for row, before in stay)


def comes_back(source: SourceText, find: Find, merged: Merge) -> bool:
    """Return whether a line is written that was quoted from the file, and is nowhere in it."""
    quoted = {line for line in find.quote.stripped if len(line) >= TELLING_LINE}
    written = quoted.intersection(map(str.strip, merged.written))
    return bool(written) and not written <= set(source.stripped)


_DOUBTS: Sequence[tuple[Callable[[SourceText, Find, Merge], object], Guard]] = (
    (leaves_undone, Guard.LEAVES_UNDONE),
    (comes_back, Guard.COMES_BACK),
    (moves_past_unquoted, Guard.UNQUOTED),
    (is_partly_applied, Guard.PARTLY_APPLIED),
    (leaves_brackets, Guard.UNBALANCED),
    (unknown_names, Guard.UNKNOWN_NAME),
    (names_another, Guard.UNKNOWN_NAME),
    (drops_import, Guard.DROPS_IMPORT),
    (drops_words, Guard.DROPS_WORDS),
)
