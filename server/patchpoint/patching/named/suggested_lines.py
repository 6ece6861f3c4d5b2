"""Lines that a suggestion replaces, as in a review: it has the new lines, and the place is said elsewhere.

The place is that of lines quoted above it, or of line numbers; the file may have changed since, so that
either has to go together with what is suggested. Where nothing says it, the suggestion has to resemble the
lines of one place, and to leave out none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchpoint.edit import Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import Placed, UnplacedError, not_placed, not_there
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.text.lines import Span

_LEAST_LIKE = 0.5
"""Lines that are named by their numbers are so similar to what is suggested for them, at the least."""
_LIKE_ALONE = 0.75
"""The same of lines that nothing names."""
_CLOSE = 0.1
"""Lines that are less similar by no more may be meant as well."""
_LEAST = 8
"""So many characters have to be in the lines by which a place is known."""
_MOST_WINDOWS = 20_000
"""So many stretches of a file are compared with a suggestion that nothing places."""

_NONE = (
    "no single place in the file is similar enough; quote its lines above, or add their numbers to the path"
)
_OTHER = "the lines with these numbers are not similar to it; quote the lines that it replaces"
_UNQUOTED = "the file does not have the lines as they are quoted above it"
_EMPTY = "it is empty, which would delete lines; send a search text with an empty replacement"


def with_suggested_lines(
    file: Sequence[str], target: Target, quoted: Sequence[str], new: Sequence[str], at: Span | None
) -> Placed:
    """Return the lines with `new` in place of those that are meant, or of the lines `at`.

    `target` has the numbers of the first and last line, from 1, or none; `quoted` are the lines shown above
    the suggestion, of which the last ones are meant. Raises `UnplacedError` where that leaves a choice.
    """
    if not any(map(str.strip, new)):
        raise not_placed("the suggestion", _EMPTY)
    start, end = at or _meant(file, target, quoted, new)
    lines = _indented(file[start:end], new)
    if at is None and _repeats(file, start, end, lines):
        raise _several([(start, end)])
    is_certain = at is not None or bool(target.name or quoted)
    note = "" if is_certain else "Placed by the suggested text alone."
    return Placed((*file[:start], *lines, *file[end:]), (start, end), note, is_certain)


def _meant(file: Sequence[str], target: Target, quoted: Sequence[str], new: Sequence[str]) -> Span:
    first, last = int(target.name or 0), int(target.last or target.name or 0)
    count, size = max(0, last - first + 1) if first else 0, len(quoted)
    sizes = range(1, len(new) + 1)
    if not quoted and not count:
        if len(file) * len(new) > _MOST_WINDOWS:
            raise not_placed("the suggestion", _NONE)
        return _most_alike(file, _windows(file, sizes), new)
    if not quoted:
        return _numbered(file, first - 1, count, new)
    words, stripped = [line.strip() for line in quoted], [line.strip() for line in file]
    ends = [end for end in range(size, len(file) + 1) if stripped[end - size : end] == words]
    ends = [last] if count and last in ends else ends
    if not ends:
        raise not_placed("the suggestion", _UNQUOTED)
    if len(ends) > 1:
        raise _several([(end - min(count or size, size), end) for end in ends])
    if 0 < count <= size:
        return ends[0] - count, ends[0]
    return _most_alike(file, ((ends[0] - each, ends[0]) for each in range(1, size + 1)), new)


def _numbered(file: Sequence[str], start: int, count: int, new: Sequence[str]) -> Span:
    """Return the lines of these numbers, unless others of as many resemble what is suggested more."""
    if start + count > len(file):
        raise not_there(f"line {start + count}; it has {len(file)} lines")
    own, wanted = _solid(file[start : start + count]), _solid(new)
    like = likeness(own, wanted)
    # with fewer or more lines, others may be meant that resemble it nearly as much
    least = max(0.0, like if wanted.count("\n") == own.count("\n") else like - _CLOSE)
    # what is shorter than the lines named would delete some, which may have been named by mistake
    windows = _windows(file, {count, min(count, len(new))})
    texts = ((place, _solid(file[slice(*place)])) for place in windows if place != (start, start + count))
    better = [place for place, text in texts if text != own and likeness(text, wanted) > least]
    if better:
        raise _several([(start, start + count), *sorted(better)])
    if like < _LEAST_LIKE:
        raise not_placed("the suggestion", _OTHER, [(start, start + count)])
    return start, start + count


def _windows(file: Sequence[str], sizes: Iterable[int]) -> Iterable[Span]:
    return ((row, row + size) for size in sizes for row in range(len(file) - size + 1))


def _most_alike(file: Sequence[str], places: Iterable[Span], new: Sequence[str]) -> Span:
    """Return the one of some places that resembles what is suggested by far most."""
    wanted = _solid(new)
    texts = {place: _solid(file[slice(*place)]) for place in places if file[place[0]].strip()}
    like = {place: likeness(text, wanted) for place, text in texts.items() if len(text) >= _LEAST}
    most = max(like.values(), default=0.0)
    close = sorted(place for place, each in like.items() if each > most - _CLOSE)
    if most < _LIKE_ALONE:
        raise not_placed("the suggestion", _NONE)
    if len(close) > 1:
        raise _several(close)
    return close[0]


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
