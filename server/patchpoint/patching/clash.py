"""Whether two edits of one text contradict each other, although each by itself has its place.

Splices are minimal, so two versions of one line seldom change the same character of it: what is compared is
what each edit says that a line becomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Outcome, Reason
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splice import Splice, overlap


def clash_of(one: Edit, its: Outcome, other: Edit, others: Outcome, table: LineTable) -> Reason | None:
    """Return why two edits that match in the text of `table` cannot both be made, or `None` if they can.

    Edits that quote the same text are alternatives unless they change different lines of it, with a line that
    neither changes or both keep between what they insert. Other edits contradict each other where they change
    the same line and each has quoted some of the same text in it, or what is next to that. A definition that
    one of them shows whole is as it is shown.
    """
    if not its.splices or not others.splices:
        return None
    if any(_within(span, its.splices) != _within(span, others.splices) for span in _shared(its, others)):
        return Reason.ALTERNATIVES
    if _quote_alike(one, its, other, others):
        near = [_lines_changed(outcome.splices, table, near=True) for outcome in (its, others)]
        if not near[0].isdisjoint(near[1]):
            return Reason.ALTERNATIVES
    if overlap(its.splices, others.splices):
        return Reason.SAME_LINE
    shared = _lines_changed(its.splices, table) & _lines_changed(others.splices, table)
    by_hand = not one.replace_all and not other.replace_all
    both_quote = any(_both_quote(its.span, others.span, table.content_span(line)) for line in shared)
    return Reason.SAME_LINE if by_hand and both_quote else None


def edits_named(indexes: Iterable[int]) -> str:
    """Return edits by their numbers in the request, as in `edit 2` or `edits 2, 3 and 4`."""
    named = [str(index + 1) for index in sorted(set(indexes))]
    if len(named) == 1:
        return f"edit {named[0]}"
    return f"edits {', '.join(named[:-1])} and {named[-1]}"


def _shared(its: Outcome, others: Outcome) -> Iterator[Span]:
    """Yield the spans that one of two edits shows whole, and in which the other changes something."""
    for one, other in ((its, others), (others, its)):
        yield from (span for span in one.whole if _within(span, other.splices))


def _within(span: Span, splices: Sequence[Splice]) -> list[Splice]:
    """Return the splices that change something within a span, and not only right before or behind it."""
    return [
        splice for splice in splices if splice.start < span[1] and span[0] < max(splice.end, splice.start)
    ]


def _quote_alike(one: Edit, its: Outcome, other: Edit, others: Outcome) -> bool:
    """Return whether both edits replace the same quotation, white space aside, at the same place."""
    if one.operation is not Operation.REPLACE or other.operation is not Operation.REPLACE:
        return False
    quoted, again = ([line.split() for line in edit.search.splitlines()] for edit in (one, other))
    if [words for words in quoted if words] != [words for words in again if words]:
        return False
    return its.span is not None and others.span is not None and _intersect(its.span, others.span)


def _lines_changed(splices: Sequence[Splice], table: LineTable, *, near: bool = False) -> set[int]:
    """Return the lines of which splices change something; whole lines that are inserted change none.

    With `near` these have both neighbours.
    """
    lines: set[int] = set()
    for splice in splices:
        changed = _changed_by(splice, table)
        lines.update(changed)
        if near and not changed:
            line = table.line_of(splice.start)
            lines.update((line - 1, line) if splice.start == table.line_start(line) else (line, line + 1))
    return lines


def _changed_by(splice: Splice, table: LineTable) -> range:
    first, last = table.line_of(splice.start), table.line_of(splice.end)
    at_start = splice.start == table.line_start(first)
    if splice.start == splice.end:
        whole_before = at_start and splice.text.endswith(("\n", "\r"))
        whole_behind = splice.start == table.content_span(first)[1] and splice.text.startswith(("\n", "\r"))
        return range(first, first if whole_before or whole_behind else first + 1)
    ends_lines = splice.end == table.line_start(last) and last > first
    keeps_next = at_start and (not splice.text or splice.text.endswith(("\n", "\r")))
    return range(first, last if ends_lines and keeps_next else last + 1)


def _both_quote(one: Span | None, other: Span | None, line: Span) -> bool:
    """Return whether both spans have some of the same text of a line, or touch there."""
    if one is None or other is None:
        return True
    return max(one[0], line[0], other[0]) <= min(one[1], line[1], other[1])


def _intersect(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])
