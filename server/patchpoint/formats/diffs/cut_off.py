"""What shows that an answer was cut off in a diff: its fence, its last line, the counts of its last hunk."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.formats.diffs.hunk import DiffHunk
from patchpoint.formats.fences import fences
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import line_ending


def fault_at_end(source: AnswerText, diff: int, hunk: DiffHunk, end: int) -> str:
    """Return what shows that the text was cut off in the last hunk of a diff, if the text ends there.

    The diff begins on line `diff` and ends on line `end`.
    """
    fault = fault_behind(source, diff, end)
    if fault or end < len(source.lines) or not source.may_be_cut_off:
        return fault
    counts, last = hunk.counts, source.lines[hunk.end - 1]
    old, new = _sides(source.lines[hunk.body : end])
    if counts and (old < counts[0] or new < counts[1]):
        return "the diff is cut off; more lines were expected in its last hunk, going by its heading"
    if last.startswith("--- ") and counts in (None, _sides(source.lines[hunk.body : hunk.end - 1])):
        return "the diff is cut off; a '+++' line was expected below this header"
    if counts is None and last.startswith("-"):
        return (
            "the diff may be cut off, since it ends with a removed line; a fence around it was expected, or "
            "a line of the file below"
        )
    return ""


def fault_behind(source: AnswerText, diff: int, end: int) -> str:
    """Return what shows that the text was cut off in the diff from line `diff` to `end`, if it was."""
    if end < len(source.lines) or not source.may_be_cut_off:
        return ""
    if _is_in_fence(source, diff):
        return "the diff is cut off; the end of its fence was expected"
    if not is_ended(source):
        return "the diff is cut off; a line ending was expected at its end"
    return ""


def is_ended(source: AnswerText) -> bool:
    """Return whether the last line has an ending, and not just half of one."""
    ending = line_ending(source.lines[-1])
    return ending != "" and (ending != "\r" or "\n" not in source.text)


def _sides(lines: Sequence[str]) -> tuple[int, int]:
    """Return how many lines of a hunk are of the text before, and how many of the text after."""
    old = sum(line[:1] not in ("+", "\\") for line in lines)
    return old, sum(line[:1] not in ("-", "\\") for line in lines)


def _is_in_fence(source: AnswerText, diff: int) -> bool:
    """Return whether a fence above a diff is open at it; below it, its own lines may look like fences."""
    above = AnswerText(source.content(0, diff), source.lines[:diff])
    return any(not fence.closed for fence in fences(above).values())
