"""Imports of a file that are gone from what became of it, though its code needs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from patchpoint.structure.imports import Import, every_import, imported_names
from patchpoint.structure.lazy.definition import Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.text.regex import regex

_BY_EFFECT = regex(r"import\s*['\"]")
_OF_FILE = regex(r"[@#].*?(?P<stem>\w+)(?:\.\w+)*['\">)]")
_OF_LATER = regex(r"from __future__")
"""Whose names no code has."""
_NAME = regex(r"[\w$]+")
_COMMENTS = ("#", "//", "*", "/*")


def require_imports(texts: TwoTexts, result: Sequence[str], path: str, changed: Collection[int]) -> None:
    """Raise `UnmergedError` where an import of a file is gone from what became of it, and is needed.

    Needed are those whose names its code has, and those that others took the place of, in the lines of the
    file that are `changed`, of which nothing tells what they are for, unless the code is all of the result.
    """
    file = texts.file
    own = every_import(file.lines, path)
    left = {line.strip() for line in result}
    if all(line.strip() in left for each in own for line in file.lines[each.first : each.end]):
        return
    is_all = [*filter(str.strip, result)] == [*filter(str.strip, texts.shown.lines)]
    for each, is_named in _lost(file.lines, own, result, path, file.root):
        if is_named or (not is_all and (each.first in changed or not _OF_LATER.match(each.text))):
            raise UnmergedError(Unmerged.LOST, f"`{each.text}`")


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
