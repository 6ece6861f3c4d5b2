r"""The difference between two texts: as a unified diff that git reads, and as the smallest replacements.

As git does, a unified diff counts lines by `\n` alone: a `\r` is part of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.text.lines import Span, split_lines
from patchpoint.text.matching import matching_blocks, shared_ends


def unified_diff(
    before: str | None,
    after: str | None,
    path: str,
    new_path: str | None = None,
    *,
    context: int = 3,
    mode: int | None = None,
    new_mode: int | None = None,
) -> str:
    """The difference as `git apply` takes it; empty when there is none.

    `None` is a file that is not there: a creation or a deletion. `new_path` is where a renamed file is
    afterwards; `mode` and `new_mode`, permission bits, tell a change of the executable bit. Paths are
    relative, with forward slashes.
    """
    after_path = path if new_path is None else new_path
    header = [f"diff --git {_quoted('a/' + path)} {_quoted('b/' + after_path)}"]
    if before is None:
        header.append(f"new file mode {_git_mode(new_mode)}")
    elif after is None:
        header.append(f"deleted file mode {_git_mode(mode)}")
    elif mode is not None and new_mode is not None and _git_mode(mode) != _git_mode(new_mode):
        header += [f"old mode {_git_mode(mode)}", f"new mode {_git_mode(new_mode)}"]
    if after_path != path:
        header += [f"rename from {_quoted(path)}", f"rename to {_quoted(after_path)}"]
    hunks = "".join(_hunks(_git_lines(before or ""), _git_lines(after or ""), context))
    if len(header) == 1 and not hunks:
        return ""
    if hunks:
        header.append(f"--- {'/dev/null' if before is None else _file_name('a/' + path)}")
        header.append(f"+++ {'/dev/null' if after is None else _file_name('b/' + after_path)}")
    return "\n".join(header) + "\n" + hunks


def minimal_replacements(before: str, after: str) -> list[tuple[Span, str]]:
    """Replacements in `before`, ordered and disjoint, that together make it `after`.

    Lines that stay are not touched, and of changed lines only what differs.
    """
    old, new = split_lines(before), split_lines(after)
    old_at, new_at = _offsets(old), _offsets(new)
    replacements = []
    for (old_start, old_end), (new_start, new_end) in _changes(old, new):
        start, end = old_at[old_start], old_at[old_end]
        text = after[new_at[new_start] : new_at[new_end]]
        head, tail = shared_ends(before[start:end], text)
        replacements.append(((start + head, end - tail), text[head : len(text) - tail]))
    return replacements


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    """The line ranges that differ, before and after."""
    old_at = new_at = 0
    for old, new, size in [*matching_blocks(before, after), (len(before), len(after), 0)]:
        if (old_at, new_at) != (old, new):
            yield (old_at, old), (new_at, new)
        old_at, new_at = old + size, new + size


def _offsets(lines: Sequence[str]) -> list[int]:
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return offsets


def _git_lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    lines = [line + "\n" for line in lines]
    return [*lines, last] if last else lines


def _hunks(before: Sequence[str], after: Sequence[str], context: int) -> Iterator[str]:
    for group in _groups(list(_changes(before, after)), context):
        (first_old, _), (first_new, _) = group[0]
        (_, last_old), (_, last_new) = group[-1]
        lead = min(context, first_old, first_new)
        old_start, new_start = first_old - lead, first_new - lead
        old_end, new_end = min(last_old + context, len(before)), min(last_new + context, len(after))
        yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"
        at = old_start
        for (old, old_stop), (new, new_stop) in group:
            yield from (_prefixed(" ", line) for line in before[at:old])
            yield from (_prefixed("-", line) for line in before[old:old_stop])
            yield from (_prefixed("+", line) for line in after[new:new_stop])
            at = old_stop
        yield from (_prefixed(" ", line) for line in before[at:old_end])


def _groups(changes: list[tuple[Span, Span]], context: int) -> Iterator[list[tuple[Span, Span]]]:
    """The changes that go into one hunk, because their context meets."""
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


def _prefixed(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _git_mode(mode: int | None) -> str:
    return "100755" if mode is not None and mode & 0o100 else "100644"


def _file_name(name: str) -> str:
    quoted = _quoted(name)
    # A tab ends a name that has a space in it, for readers that would stop at the space.
    return quoted + "\t" if " " in name and quoted == name else quoted


def _quoted(name: str) -> str:
    """A name as git writes it: in C's quotes where it has a quote, a backslash or a control character."""
    if not any(character in '"\\' or character < " " or character == "\x7f" for character in name):
        return name
    return '"' + "".join(_escaped(character) for character in name) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character in _ESCAPES:
        return _ESCAPES[character]
    return f"\\{ord(character):03o}" if character < " " or character == "\x7f" else character


_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
