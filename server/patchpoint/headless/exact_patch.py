"""Write the changes of files as a patch that the envelope's own tool applies to the letter.

That tool looks for the lines of a hunk behind those of the hunk before, and takes the first place that has
them; it ends every file that it writes with a line feed, and appends lines that come without any others.
Source: codex-rs/apply-patch of Codex, as of autumn 2026.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchpoint.patching.plan import PlannedChange
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds

_CONTEXT = 3
"""Lines around a change, as many as the tool's own instructions ask for."""


def exact_patch(changes: Sequence[PlannedChange], paths: Mapping[str, str]) -> str | None:
    """Return the patch that makes these changes; `None` where there is none by which the tool would.

    `paths` has the path to write for each path of a change. The tool cannot change permissions, write a file
    whose last line has no line feed, or one that is empty; and what it makes of a carriage return is not
    known.
    """
    parts: list[str] = []
    for change in changes:
        names = [paths.get(change.path, change.path)]
        if change.new_path is not None:
            names.append(paths.get(change.new_path, change.new_path))
        part = None if any(map(_is_odd, names)) or change.mode is not None else _section(change, names)
        if part is None:
            return None
        parts += part
    return "".join(f"{line}\n" for line in ("*** Begin Patch", *parts, "*** End Patch")) if parts else None


def _is_odd(path: str) -> bool:
    return not path or path != path.strip() or not path.isprintable()


def _section(change: PlannedChange, names: Sequence[str]) -> list[str] | None:
    """Return the lines of the patch about one file."""
    if change.operation is FileOperation.DELETE:
        return [f"*** Delete File: {names[0]}"]
    before, after = _lines(change.before or ""), _lines(change.after or "")
    if before is None or not after:
        return None
    if change.operation is FileOperation.CREATE:
        return [f"*** Add File: {names[0]}", *("+" + line for line in after)]
    hunks = _hunks(before, after)
    if not hunks:
        return None
    move = [f"*** Move to: {names[1]}"] if len(names) > 1 else []
    return [f"*** Update File: {names[0]}", *move, *hunks]


def _lines(text: str) -> list[str] | None:
    """Return the lines of a text without their endings, or `None` where the tool could not write it."""
    if "\r" in text or (text and not text.endswith("\n")):
        return None
    return [line[:-1] for line in split_at_line_feeds(text)]


def _hunks(before: list[str], after: list[str]) -> list[str]:
    """Return the lines of the hunks, each of which the tool finds where it belongs."""
    found: list[str] = []
    searched = 0
    ranges = changed_ranges(before, after)
    while ranges:
        group = [ranges.pop(0)]
        while ranges and ranges[0][0][0] - group[-1][0][1] <= 2 * _CONTEXT:
            group.append(ranges.pop(0))
        first, last = group[0][0][0], group[-1][0][1]
        end = min(len(before), last + _CONTEXT)
        start = _start(before, searched, max(searched, first - _CONTEXT), end)
        found.append("@@")
        found += _body(before, after, group, start, end)
        searched = end
    return found


def _start(before: list[str], searched: int, start: int, end: int) -> int:
    """Return a line to begin the hunk with, so that its lines are found nowhere sooner.

    There is one: the line from which the tool searches on.
    """
    context = _CONTEXT
    while start > searched and _finds(before, before[start:end], searched) != start:
        context *= 2
        start = max(searched, start - context)
    return start


def _finds(lines: list[str], wanted: list[str], searched: int) -> int:
    """Return the first line, from `searched` on, at which the wanted ones are; they are somewhere."""
    at = searched
    while True:
        at = lines.index(wanted[0], at)
        if lines[at : at + len(wanted)] == wanted:
            return at
        at += 1


def _body(
    before: list[str], after: list[str], group: Sequence[tuple[Span, Span]], start: int, end: int
) -> list[str]:
    found: list[str] = []
    at = start
    for (old, old_end), (new, new_end) in group:
        found += (" " + line for line in before[at:old])
        found += ("-" + line for line in before[old:old_end])
        found += ("+" + line for line in after[new:new_end])
        at = old_end
    return [*found, *(" " + line for line in before[at:end])]
