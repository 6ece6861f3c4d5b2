"""Lines that a suggestion replaces, as in a review: it has the new lines, and the place is said elsewhere.

The place is that of lines quoted above it, or of line numbers; the file may have changed since, so that
either has to go together with what is suggested. Where nothing says it, the suggestion has to resemble the
lines of one place, and to leave out none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.edit import Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import Placed, UnplacedError, not_placed, not_there
from patchpoint.structure.lazy.alignment import (
    Kind,
    Path,
    Step,
    Token,
    TooLargeError,
    align,
    is_closing,
    likeness,
)
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import Span

_LEAST_LIKE = 0.5
"""Lines that are named by their numbers are so similar to what is suggested for them, at the least."""
_CLOSE = 0.1
"""Lines that are less similar by no more may be meant as well."""
_LIKE = 0.6
"""A line that nothing names is so similar to the one that is suggested for it, at the least."""
_LIKE_ALONE = 0.75
"""The same where none of the lines stays as it is."""
_LEAST = 8
"""So many characters have to be in the lines by which a place is known."""

_NONE = (
    "no single place in the file is similar enough; quote its lines above, or add their numbers to the path"
)
_OTHER = "the lines with these numbers are not similar to it; quote the lines that it replaces"
_NOT_LAST = "the suggestion lacks the last of the lines quoted above it; add their numbers to the path"
_UNQUOTED = "the file does not have the lines as they are quoted above it"
_EMPTY = "it is empty, which would delete lines; send a search text with an empty replacement"


def with_suggested_lines(
    file: Sequence[str], path: str, target: Target, quoted: Sequence[str], new: Sequence[str], at: Span | None
) -> Placed:
    """Return the lines with `new` in place of those that are meant, or of the lines `at`.

    `target` has the numbers of the first and last line, from 1, or none; `quoted` are the lines shown above
    the suggestion, of which the last ones are meant. Raises `UnplacedError` where that leaves a choice.
    """
    if not any(map(str.strip, new)):
        raise not_placed("the suggestion", _EMPTY)
    start, end = at or _meant(file, path, target, quoted, new)
    lines = _indented(file[start:end], new)
    if at is None and (_repeats(file, start, end, lines)):
        raise _several([(start, end)])
    is_certain = at is not None or bool(target.name or quoted)
    note = "" if is_certain else "Placed by the suggested text alone."
    return Placed((*file[:start], *lines, *file[end:]), (start, end), note, is_certain)


def _meant(file: Sequence[str], path: str, target: Target, quoted: Sequence[str], new: Sequence[str]) -> Span:
    first, last = int(target.name or 0), int(target.last or target.name or 0)
    count = max(0, last - first + 1) if first else 0
    if not quoted:
        return _numbered(file, first - 1, count, new) if count else _resembling(file, path, 0, len(file), new)
    words, size = [line.strip() for line in quoted], len(quoted)
    stripped = [line.strip() for line in file]
    ends = [end for end in range(size, len(file) + 1) if stripped[end - size : end] == words]
    if count and last in ends:
        ends = [last]
    if not ends:
        raise not_placed("the suggestion", _UNQUOTED)
    if len(ends) > 1:
        raise _several([(end - min(count or size, size), end) for end in ends])
    end = ends[0]
    if 0 < count <= size:
        return end - count, end
    place = _resembling(file, path, end - size, end, new)
    if any(stripped[place[1] : end]):
        raise not_placed("the suggestion", _NOT_LAST)
    return place


def _numbered(file: Sequence[str], start: int, count: int, new: Sequence[str]) -> Span:
    """Return the lines of these numbers, unless others of as many resemble what is suggested more."""
    if start + count > len(file):
        raise not_there(f"line {start + count}; it has {len(file)} lines")
    wanted, own = _solid(new), _solid(file[start : start + count])
    like = likeness(own, wanted)
    # with fewer or more lines, others may be meant that resemble it nearly as much
    is_even = wanted.count("\n") == own.count("\n")
    least = max(0.0, like if is_even else like - _CLOSE)
    # what is shorter than the lines named would delete some, which may have been named by mistake
    better = [
        (row, row + size)
        for size in {count, min(count, len(new))}
        for row in range(len(file) - size + 1)
        if (row, size) != (start, count)
        and (words := _solid(file[row : row + size])) != own
        and likeness(words, wanted) > least
    ]
    if better:
        raise _several([(start, start + count), *sorted(better)])
    if like < _LEAST_LIKE:
        raise not_placed("the suggestion", _OTHER, [(start, start + count)])
    return start, start + count


def _resembling(file: Sequence[str], path: str, start: int, end: int, new: Sequence[str]) -> Span:
    """Return the lines from `start` up to `end` that the suggestion has, changed or not; none is left out."""
    rows = [row for row in range(start, end) if file[row].strip()]
    own = [Token(Kind.LINE, file[row].rstrip(), row, row + 1) for row in rows]
    shown = [Token(Kind.LINE, line.rstrip(), row, row + 1) for row, line in enumerate(new) if line.strip()]
    try:
        found = align(own, [Token(Kind.IMPLIED), *shown, Token(Kind.IMPLIED)])
    except TooLargeError:
        found = None
    readings = (found.best, *found.rivals) if found is not None else ()
    places = {place for each in readings if (place := _place(own, shown, each, path))}
    if not places:
        raise not_placed("the suggestion", _NONE)
    places |= {place for each in readings if (place := _place(own, shown, each, path, _LIKE))}
    if len(places) > 1:
        raise _several(sorted(places))
    return places.pop()


def _place(
    own: Sequence[Token], shown: Sequence[Token], path: Path, name: str, least: float = _LIKE_ALONE
) -> Span | None:
    """Return the lines that a reading replaces; `None` if it leaves one out, or knows them by little."""
    pairs = [(own[i], shown[j - 1]) for step, i, j in path if step in (Step.SAME, Step.CHANGED)]
    if not pairs or any(step is Step.DELETED for step, _, _ in path):
        return None
    syntaxes = syntaxes_of(name)[:1]
    if any(step is Step.SAME for step, _, _ in path):
        least = _LIKE
    texts = [(one.text.strip(), other.text.strip()) for one, other in pairs]
    for old, new in texts:
        if old != new and likeness(old, new) < least:
            return None
        if any(header_name(old, syntax) != header_name(new, syntax) for syntax in syntaxes):
            return None
    known = sum(len(old) for old, _ in texts if not is_closing(old))
    is_whole = pairs[0][1] is shown[0] and pairs[-1][1] is shown[-1]
    return (pairs[0][0].first, pairs[-1][0].end) if known >= _LEAST and is_whole else None


def _repeats(file: Sequence[str], start: int, end: int, new: Sequence[str]) -> bool:
    """Return whether the first or last line that is suggested is the file's line right above or below."""
    solid = [line.strip() for line in new if line.strip()]
    old = [line.strip() for line in file[start:end]]
    above = file[start - 1].strip() if start else ""
    below = file[end].strip() if end < len(file) else ""
    edges = ((solid[0], above), (solid[-1], below))
    return any(line == other and line not in old and not is_closing(line) for line, other in edges)


def _indented(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the new lines at the depth of those that they replace, going by the two that are most alike."""
    pairs = [(line, other) for line in new if line.strip() for other in old if other.strip()]
    if not pairs:
        return list(new)
    shown, own = max(pairs, key=lambda pair: likeness(pair[0].strip(), pair[1].strip()))
    return moved(new, indentation_of(shown), indentation_of(own))


def _solid(lines: Sequence[str]) -> str:
    return "\n".join(filter(None, map(str.strip, lines)))


def _several(places: Sequence[Span]) -> UnplacedError:
    why = "Quote the lines that it replaces: the suggestion could be for different lines"
    return UnplacedError(Reason.UNCLEAR, {"why": why}, places)
