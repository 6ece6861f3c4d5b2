r"""Unified diffs, as git writes and reads them.

As git does, a unified diff counts lines by `\n` alone: a `\r` is part of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from patchpoint.dataclass import dataclass
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds

CONTEXT = 3
"""Lines of context around a change, as many as git shows unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class UnifiedHunk:
    """One hunk of a unified diff, and the character spans of its lines, context included."""

    text: str
    """From its `@@` line to its end."""
    before: Span
    after: Span


def unified_diff(
    before: str | None,
    after: str | None,
    path: str,
    new_path: str | None = None,
    *,
    context: int = CONTEXT,
    mode: int | None = None,
    new_mode: int | None = None,
) -> str:
    """Return the diff of one file with git's headers, for `git apply`; empty when nothing differs.

    `None` is a file that does not exist: a creation or a deletion. `new_path` is the path of a renamed file
    after the change; `mode` and `new_mode` are permission bits, of which the executable bit counts. Paths are
    relative, with forward slashes.
    """
    after_path = path if new_path is None else new_path
    header = [f"diff --git {quoted_path('a/' + path)} {quoted_path('b/' + after_path)}"]
    if before is None:
        header.append(f"new file mode {_git_mode(new_mode)}")
    elif after is None:
        header.append(f"deleted file mode {_git_mode(mode)}")
    elif mode is not None and new_mode is not None and _git_mode(mode) != _git_mode(new_mode):
        header += [f"old mode {_git_mode(mode)}", f"new mode {_git_mode(new_mode)}"]
    if after_path != path:
        header += [f"rename from {quoted_path(path)}", f"rename to {quoted_path(after_path)}"]
    hunks = "".join(hunk.text for hunk in unified_hunks(before or "", after or "", context=context))
    if len(header) == 1 and not hunks:
        return ""
    if hunks:
        header.append(f"--- {'/dev/null' if before is None else _file_name('a/' + path)}")
        header.append(f"+++ {'/dev/null' if after is None else _file_name('b/' + after_path)}")
    return "\n".join(header) + "\n" + hunks


def unified_hunks(before: str, after: str, *, context: int = CONTEXT) -> Iterator[UnifiedHunk]:
    """Yield the hunks that turn `before` into `after`, in order; each shows `context` unchanged lines."""
    old, new = split_at_line_feeds(before), split_at_line_feeds(after)
    old_at = list(accumulate(map(len, old), initial=0))
    new_at = list(accumulate(map(len, new), initial=0))
    for changes in _groups(changed_ranges(old, new), context):
        (first_old, _), (first_new, _) = changes[0]
        (_, last_old), (_, last_new) = changes[-1]
        lead = min(context, first_old, first_new)
        old_start, new_start = first_old - lead, first_new - lead
        old_end, new_end = min(last_old + context, len(old)), min(last_new + context, len(new))
        lines = [f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"]
        at = old_start
        for (change_start, change_end), new_lines in changes:
            lines += [_signed(" ", line) for line in old[at:change_start]]
            lines += [_signed("-", line) for line in old[change_start:change_end]]
            lines += [_signed("+", line) for line in new[slice(*new_lines)]]
            at = change_end
        lines += [_signed(" ", line) for line in old[at:old_end]]
        yield UnifiedHunk(
            "".join(lines), (old_at[old_start], old_at[old_end]), (new_at[new_start], new_at[new_end])
        )


def hunk_text(after: Sequence[str], lines: Span, removed: Sequence[str], *, context: int = CONTEXT) -> str:
    """Return the hunk, from its `@@` line on, that puts `lines` of the text `after` in place of `removed`.

    Nothing else differs: the other lines are counted as if they had always been there.
    """
    start, end = lines
    first, last = max(start - context, 0), min(end + context, len(after))
    lead, added, rest = after[first:start], after[start:end], after[end:last]
    old_end = last + len(removed) - len(added)
    return "".join(
        (
            f"@@ -{_range(first, old_end)} +{_range(first, last)} @@\n",
            *(_signed(" ", line) for line in lead),
            *(_signed("-", line) for line in removed),
            *(_signed("+", line) for line in added),
            *(_signed(" ", line) for line in rest),
        )
    )


def quoted_path(path: str, *, ascii_only: bool = False) -> str:
    r"""Return a path as git writes it in a header: as it is, or in the quotes and escapes of C.

    It is quoted where it has a quote, a backslash or a control character. With `ascii_only`, as git does
    unless `core.quotePath` is off, also where it has characters beyond ASCII: their bytes in UTF-8 are
    written as octal escapes such as `\303`, and so are bytes that Python decoded to lone surrogates
    (`surrogateescape`).
    """
    if not any(_is_escaped(character, ascii_only=ascii_only) for character in path):
        return path
    return '"' + "".join(_escaped(character, ascii_only=ascii_only) for character in path) + '"'


def _is_escaped(character: str, *, ascii_only: bool) -> bool:
    return character in '"\\\x7f' or character < " " or (ascii_only and not character.isascii())


def _escaped(character: str, *, ascii_only: bool) -> str:
    if not _is_escaped(character, ascii_only=ascii_only):
        return character
    if character in _ESCAPES:
        return _ESCAPES[character]
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
}


def _groups(changes: Sequence[tuple[Span, Span]], context: int) -> Iterator[list[tuple[Span, Span]]]:
    """Yield the changes that share a hunk because their context meets."""
    group: list[tuple[Span, Span]] = []
    for change in changes:
        if group and change[0][0] - group[-1][0][1] > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _signed(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _git_mode(mode: int | None) -> str:
    return "100755" if mode is not None and mode & 0o100 else "100644"


def _file_name(name: str) -> str:
    quoted = quoted_path(name)
    # A tab ends a name that has a space in it, for readers that would stop at the space.
    return quoted + "\t" if " " in name and quoted == name else quoted
