"""Imports of a file that are gone from what became of it, though its code needs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from patchpoint.structure.imports import Import, every_import, has_order, imported_names, imports_of
from patchpoint.structure.lazy.definition import Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.text.regex import regex

_BY_EFFECT = regex(r"import\s*['\"]")
_OF_FILE = regex(r"[@#].*?(?P<stem>\w+)(?:\.\w+)*['\">)]")
_OF_LATER = regex(r"from __future__")
"""Whose names no code has."""
_NAME = regex(r"[\w$]+")
_COMMENTS = ("#", "//", "*", "/*")


def with_imports_in_use(
    texts: TwoTexts, result: Sequence[str], path: str, changed: Collection[int], *, may_ask: bool
) -> list[str]:
    """Return what became of a file, with the imports that are gone from it though its code needs them.

    Needed are those whose names it has, and those that others took the place of, in the lines of the file
    that are `changed`, of which nothing tells what they are for. One goes below what was above it.
    Raises `UnmergedError` where what is shown may be without it on purpose: where it is all of the result,
    and, if somebody may be asked, where its names do not tell or its order has a meaning.
    """
    file, lines = texts.file, list(result)
    own = every_import(file.lines, path)
    left = {line.strip() for line in lines}
    if all(line.strip() in left for each in own for line in file.lines[each.first : each.end]):
        return lines
    lost = [
        (each, is_named)
        for each, is_named in _lost(file.lines, own, lines, path, file.root)
        if is_named or each.first in changed or not _OF_LATER.match(each.text)
    ]
    if not lost:
        return lines
    is_all = [*filter(str.strip, lines)] == [*filter(str.strip, texts.shown.lines)]
    if is_all and not any(is_named for _, is_named in lost):
        return lines
    for each, is_named in lost:
        is_unclear = is_all or _is_within(file.lines, each) or _doubles(each, lines, path)
        if is_unclear or ((has_order(path) or not is_named) and may_ask):
            raise UnmergedError(Unmerged.LOST, f"`{each.text}`")
    for each, _ in lost:
        _put_back(lines, each, file.lines, path)
    return lines


def _lost(
    file: Sequence[str], own: Sequence[Import], result: Sequence[str], path: str, root: Definition
) -> Iterator[tuple[Import, bool]]:
    """Yield each import that is gone and needed, and whether the result has its names.

    One whose names the file's code has not either is needed as well: it is there for something else.
    """
    given = every_import(result, path)
    texts = {each.words for each in given}
    brought = {name for each in given for name in brings(each)}
    before, after = _names(file, own), _names(result, given)
    for each in own:
        if each.words in texts or not all(one.is_container for one in root.around(each.first, each.end)):
            continue
        names = brings(each)
        if (names - brought) & after:
            yield each, True
        elif not names & before and not (names and names <= brought):
            yield each, False


def brings(one: Import) -> set[str]:
    """Return the names that code may use an import by; none where it is there for its effects."""
    if _BY_EFFECT.match(one.text):
        return set()
    file = _OF_FILE.match(one.text)
    return {file["stem"]} if file else set(imported_names(one.text))


def _names(lines: Sequence[str], imports: Iterable[Import]) -> set[str]:
    """Return the names that code has outside of its imports."""
    rows = {row for each in imports for row in range(each.first, each.end)}
    code = (line for row, line in enumerate(lines) if row not in rows)
    return set(_NAME.findall("\n".join(line for line in code if not line.lstrip().startswith(_COMMENTS))))


def _is_within(file: Sequence[str], one: Import) -> bool:
    return file[one.first][:1].isspace() and not imports_of(file[one.first : one.end], "x.go")


def _doubles(one: Import, result: Sequence[str], path: str) -> bool:
    """Return whether an import of a result brings one of the names of another one."""
    names = brings(one)
    return any(not names.isdisjoint(brings(each)) for each in imports_of(result, path))


def _put_back(lines: list[str], one: Import, file: Sequence[str], path: str) -> None:
    """Put an import of the file below the nearest line above it that is left, or above the first import."""
    above = [row for row in range(one.first) if file[row].strip() and lines.count(file[row]) == 1]
    first = min((each.first for each in every_import(lines, path)), default=0)
    at = lines.index(file[above[-1]]) + 1 if above else first
    is_apart = bool(above) and not all(map(str.strip, file[above[-1] : one.first]))
    is_above = not file[one.end : one.end + 1] or not file[one.end].strip()
    new = [*[""] * is_apart, *file[one.first : one.end]]
    below = [""] if is_above and is_apart and lines[at : at + 1] and lines[at].strip() else []
    lines[at:at] = [*new, *below]
