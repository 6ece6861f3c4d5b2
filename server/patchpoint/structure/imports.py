"""The imports of a file as a set: which statements are imports, and where another one goes among them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from types import MappingProxyType

from patchpoint.dataclass import dataclass
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_GO = ".go"
_JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
_ORDERED = (
    *(".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".mm", ".ino"),
    *(".css", ".scss", ".sass", ".less"),
)
"""The endings of files whose imports have an order with a meaning."""
_STATEMENTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        **dict.fromkeys((".py", ".pyi"), regex(r"(?:import|from)\s+[\w.]")),
        **dict.fromkeys(
            _JAVASCRIPT, regex(r"import\b(?!\s*\()|(?:const|let|var)\s+[\w{}\s,:$]+=\s*require\(")
        ),
        **dict.fromkeys((".java", ".kt", ".kts", ".scala", ".swift", ".hs"), regex(r"import\s+\w")),
        **dict.fromkeys(_ORDERED, regex(r"\s*(?:#\s*(?:include|import)\b|@(?:import|use|forward)\b)")),
        ".dart": regex(r"import\s+['\"]"),
        ".cs": regex(r"using\s+(?:static\s+)?[\w.]+\s*(?:=\s*[^;]+)?;"),
        ".rs": regex(r"use\s+[\w:]"),
        ".php": regex(r"use\s+[\w\\]"),
        ".rb": regex(r"require(?:_relative)?\s"),
        _GO: regex(r"\s*(?:import\s+)?(?:[\w.]+\s+)?(?:\"[^\"\s]+\"|`[^`\s]+`)\s*(?://.*)?\Z"),
    }
)
"""What a statement that imports begins with, by the endings of files; of Go, one alone or in a group."""
_WITHIN = regex(
    r"\s+(?:import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,.*)?|from\s+[\w.]+\s+import\b.*"
    r"|use\s+[\w:\\{},\s*]+;|require(?:_relative)?\s+['\"].*)\Z"
)
"""One that is within something else, on one line."""
_MODULE = regex(
    r"(?:from\s+(?P<python>[\w.]+)\s+import|['\"](?P<quoted>[^'\"]+)['\"]|use\s+(?P<rust>[\w:\\]+)(?:::|\\)\{)"
)
_NAME = regex(r"(?:[^\W\d]|\$)[\w$]*")
_WORD = regex(r"[\w.$*]+")
_LONG_SIGNS = regex(r"\"{3}|'{3}|/\*|\*/|`")
_ENDINGS: Mapping[str, str] = MappingProxyType({sign: sign for sign in ('"""', "'''", "`")} | {"/*": "*/"})
"""What begins texts and comments of several lines, with what ends each."""
_FORMS: Mapping[str, str] = MappingProxyType(
    {
        ".java": "import {};",
        ".groovy": "import {}",
        ".kt": "import {}",
        ".scala": "import {}",
        ".cs": "using {};",
        ".rs": "use {};",
        ".php": "use {};",
    }
)
"""How a file imports what a qualified name says, where there is one way to do it."""
_QUALIFIED = regex(r"\w+(?:(?:\.|::|\\)\w+)+")
_PACKAGE = regex(r"(?:package|namespace)\s+[\w.\\]+\s*[;{]?\s*\Z|<\?php\s*\Z")
_COMMENT = regex(r"\s*(?:#(?!!)|//|/?\*)")
_TEXT = regex(r"#!|['\"]{1,3}")
"""What a file begins with that is no statement."""
_BY_EFFECT = regex(r"import\s*['\"]")
_FUTURE = regex(r"from\s+__future__")
_GROUP = regex(r"import\s*\(\s*\Z|\)\s*\Z")
"""What is around imports of Go in a group."""
_SEVERAL = 2
_MOST_NEW = 300
"""Of more imports at once, each is not looked for."""


@dataclass(frozen=True, slots=True)
class Import:
    """One statement that imports, in 0-based numbers of lines; the end is exclusive."""

    first: int
    end: int
    text: str
    """With single spaces."""

    @property
    def module(self) -> str:
        """The module that it takes names from; empty where it names none besides."""
        found = _MODULE.search(self.text)
        return next(filter(None, found.groups()), "") if found else ""

    @property
    def words(self) -> frozenset[str]:
        """Its names."""
        return frozenset(_WORD.findall(self.text))


def imports_of(lines: Sequence[str], path: str) -> list[Import]:
    """Return the statements of a file that import, but for those that are within something else."""
    return list(_imports_of(tuple(lines), _ending(path)))


@lru_cache(maxsize=8)
def _imports_of(lines: tuple[str, ...], ending: str) -> tuple[Import, ...]:
    pattern = _STATEMENTS.get(ending)
    begins = [row for row, line in enumerate(lines) if pattern.match(line)] if pattern else []
    outside = _outside(lines) if begins else []
    found: list[Import] = []
    end = 0
    for row in begins:
        if row < end or not outside[row]:
            continue
        end = row + 1
        while end < len(lines) and _is_open(lines[row:end]):
            end += 1
        text = " ".join(" ".join(lines[row:end]).split())
        found.append(Import(row, end, text.removeprefix("import ") if ending == _GO else text))
    return tuple(found)


def every_import(lines: Sequence[str], path: str) -> list[Import]:
    """Return what `imports_of` does, and imports within something else."""
    found = imports_of(lines, path)
    known = {row for each in found for row in range(each.first, each.end)}
    rows = [row for row, line in enumerate(lines) if row not in known and _WITHIN.match(line)]
    found += [Import(row, row + 1, " ".join(lines[row].split())) for row in rows]
    return sorted(found, key=lambda each: each.first)


def has_order(path: str) -> bool:
    """Return whether the imports of a file have an order with a meaning, as `#include` has."""
    return _ending(path) in _ORDERED


def imported_names(words: str) -> list[str]:
    """Return the names that an import brings: the last parts of paths, and those after `as`."""
    between = re.match(r"import\s+(?:type\s+)?(.+?)\s+from\b", words)
    listed = between[1] if between else words.rpartition(" import ")[2] if words.startswith("from") else words
    listed = re.split(r"=(?!=)", listed)[0]
    found = re.findall(r"\bas\s+([\w$]+)", listed)
    for part in re.sub(r"[{}]", "", listed).split(","):
        found += _NAME.findall(part)[-1:]
    return found


def leading_imports(lines: Sequence[str], path: str) -> int:
    """Return how many lines code begins with that are imports, or blank; 0 if it begins otherwise."""
    rows = {row for each in imports_of(lines, path) for row in range(each.first, each.end)}
    end = 0
    for row, line in enumerate(lines if rows else ()):
        if row in rows or (_ending(path) == _GO and _GROUP.match(line)):
            end = row + 1
        elif line.strip():
            break
    return end


def below_package(lines: Sequence[str], file: Sequence[str]) -> int:
    """Return how many lines code begins with that are blank, or say the package that its file says."""
    rows = [row for row, line in enumerate(lines) if line.strip()]
    return next((row for row in rows if not (_PACKAGE.match(lines[row]) and lines[row] in file)), 0)


def set_of_imports(shown: Sequence[str], file: Sequence[str], path: str) -> int:
    """Return how many lines code begins with that are imports, its file's package, or blank.

    0 where nothing else is shown, or their order has a meaning next to those of the file.
    """
    first = below_package(shown, file)
    end = first + leading_imports(shown[first:], path)
    has_rest = any(map(str.strip, shown[end:]))
    by_effect = _BY_EFFECT if _ending(path) in _JAVASCRIPT else _FUTURE
    if end == first or not has_rest:
        return 0
    has_meaning = has_order(path) or any(map(by_effect.match, shown[first:end]))
    return 0 if has_meaning and imports_of(file, path) else end


def import_of(words: str, path: str) -> str:
    """Return the statement of a file that imports what has a qualified name, or else the words."""
    form = _FORMS.get(_ending(path), "") if _QUALIFIED.fullmatch(words) else ""
    return form.format(words) if form else words


def are_imports(lines: Sequence[str], path: str) -> bool:
    """Return whether lines are imports, and nothing else but blank ones."""
    end = leading_imports(lines, path)
    return end > 0 and not any(map(str.strip, lines[end:]))


def united(file: Sequence[str], shown: Sequence[str], path: str) -> list[str] | None:
    """Return the lines of a file with the imports that are `shown`, each once.

    One of names from the same module as one of the file's takes its place, with the names of both. Where all
    of the file's are shown, they are as shown. `None` for a file without one.
    """
    lines, every, own = list(file), imports_of(shown, path), imports_of(file, path)
    if not own or len(every) > _MOST_NEW:
        return None
    all_shown = _as_shown(file, own, shown, every, path)
    if all_shown is not None:
        return all_shown
    for above, new, below in zip([None, *every], every, [*every[1:], None], strict=False):
        if any(each.text == new.text for each in own):
            continue
        text = shown[new.first : new.end]
        same = [each for each in own if new.module and each.module == new.module]
        joined = _joined(same[0], new, text) if len(same) == 1 else None
        if joined is not None:
            lines[same[0].first : same[0].end] = _like(lines[same[0].first], joined, path)
        else:
            over = above.text if above is not None and above.end == new.first else ""
            at, next_to = _place_among(own, new, over, path)
            known = [each for each in own if below and new.end == below.first and each.text == below.text]
            is_between = any(each.end == one.first and each.text == over for each in own for one in known[:1])
            if known and (is_between or not over):
                at, next_to = known[0].first, known[0]
            lines[at:at] = _like(lines[next_to.first], text, path)
        own = imports_of(lines, path)
    return lines


def _as_shown(
    file: Sequence[str], own: Sequence[Import], shown: Sequence[str], every: Sequence[Import], path: str
) -> list[str] | None:
    """Return a file with its imports as they are shown, with their blank lines; `None` if one is not shown.

    There is nothing else between them, there or where they are shown.
    """
    if len(own) < _SEVERAL or len(every) <= len(own) or has_order(path):
        return None
    spans = [(each[0].first, each[-1].end) for each in (own, every)]
    for lines, imports, (first, end) in zip((file, shown), (own, every), spans, strict=True):
        known = {row for each in imports for row in range(each.first, each.end)}
        if any(lines[row].strip() for row in range(first, end) if row not in known):
            return None
    if any(not any(_has_names_of(new, each) for new in every) for each in own):
        return None
    (first, end), (start, stop) = spans
    depths = [
        lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        for lines, row in ((file, first), (shown, start))
    ]
    return [*file[:first], *shown[start:stop], *file[end:]] if len(set(depths)) == 1 else None


def _has_names_of(new: Import, own: Import) -> bool:
    """Return whether an import brings all that another one does."""
    is_same = bool(new.module) and new.module == own.module and own.words < new.words
    return new.text == own.text or (is_same and " as " not in f"{own.text} {new.text}")


def _joined(own: Import, new: Import, text: Sequence[str]) -> Sequence[str] | None:
    """Return a new import, given its lines, with the other names that one of the file's takes as well.

    `None` where they share no name, or a name has another one in the file.
    """
    if own.words < new.words:
        return text
    have, given = imported_names(own.text), imported_names(new.text)
    more = [name for name in have if name not in given]
    if len(more) == len(have) or "*" in own.text or " as " in f"{own.text} {new.text}":
        return None
    last = re.compile(rf"\b{re.escape(given[-1])}\b(?=,?\s*(?:[)}}]|\Z))")
    joined, count = last.subn(", ".join((given[-1], *more)), "\n".join(text), count=1)
    return joined.split("\n") if count else None


def has_doubled_import(file: Sequence[str], result: Sequence[str], path: str) -> bool:
    """Return whether a new import brings a name that one of the file's brings as well."""
    own = {each.text for each in imports_of(file, path)}
    old, new = set[str](), set[str]()
    for each in imports_of(result, path):
        (old if each.text in own else new).update(imported_names(each.text))
    return not old.isdisjoint(new)


def with_first_imports(file: Sequence[str], shown: Sequence[str], path: str) -> list[str] | None:
    """Return the lines of a file without imports, with those that are `shown` above its first statement.

    They go below its package, and below a text or comment that it begins with. `None` for other files.
    """
    if imports_of(file, path) or not are_imports(shown, path):
        return None
    is_outside = _outside(file)
    rows = [row for row, line in enumerate(file) if is_outside[row] and line.strip()]
    of_file = (_PACKAGE, _COMMENT, _TEXT)
    at = first = next((row for row in rows if not any(each.match(file[row]) for each in of_file)), len(file))
    while at and _COMMENT.match(file[at - 1]):
        at -= 1
    if not at and not "".join(file[:1]).startswith("/**"):
        at = first  # what a file begins with is about all of it
    above, below = bool(at and file[at - 1].strip()), bool(file[at:] and file[at].strip())
    return [*file[:at], *[""] * above, *without_blank_ends(shown), *[""] * below, *file[at:]]


def _outside(lines: Sequence[str]) -> list[bool]:
    """Return of each line whether it begins outside of texts and comments of several lines."""
    found: list[bool] = []
    ending = ""
    for line in lines:
        found.append(not ending)
        for sign in _LONG_SIGNS.findall(line):
            if not ending:
                ending = _ENDINGS.get(sign, "")
            elif sign == ending:
                ending = ""
    return found


def _ending(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).suffix.lower()


def _like(neighbour: str, text: Sequence[str], path: str) -> list[str]:
    """Return an import as it is written next to another one: of Go, in a group or not."""
    if _ending(path) != _GO:
        return list(text)
    spec = text[0].strip().removeprefix("import").lstrip()
    is_alone = neighbour.startswith("import")
    return [f"import {spec}" if is_alone else neighbour[: len(neighbour) - len(neighbour.lstrip())] + spec]


def _kind(one: Import, path: str) -> str | bool:
    """Return what an import has in common with its neighbours: its first word; of Go, if it is of a host."""
    return "." in one.module.partition("/")[0] if _ending(path) == _GO else one.text.split()[0]


def _place_among(own: Sequence[Import], new: Import, above: str, path: str) -> tuple[int, Import]:
    """Return the line at which a new import goes, and the one that it is next to.

    It goes in its order, or else below those with the one above it, as shown, or that is most like it.
    What has to be the first of all is above all.
    """
    if _FUTURE.match(new.text) and not any(_FUTURE.match(each.text) for each in own):
        return own[0].first, own[0]
    shown = next((each for each in own if each.text == above and _ending(path) != _GO), None)
    alike = [each for each in _block(own, shown) if _kind(each, path) == _kind(new, path)]
    alike = alike or ([shown] if shown is not None else list(own))
    block = _block(alike, max(alike, key=lambda each: shared_ends(each.text, new.text)[0]))
    lower, texts = block, [each.text for each in block]
    if texts == sorted(texts) and (len(block) > 1 or _ending(path) == _GO):
        lower = [each for each in block if each.text < new.text]
    return (lower[-1].end, lower[-1]) if lower else (block[0].first, block[0])


def _block(own: Sequence[Import], near: Import | None) -> Sequence[Import]:
    """Return the imports that follow each other without a line between, `near` among them; or else all."""
    if near is None:
        return own
    first = end = own.index(near)
    while first and own[first - 1].end == own[first].first:
        first -= 1
    while end + 1 < len(own) and own[end].end == own[end + 1].first:
        end += 1
    return own[first : end + 1]


def _is_open(lines: Sequence[str]) -> bool:
    """Return whether brackets are open at the end of lines, or the last one goes on below."""
    text = " ".join(lines)
    depth = sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")
    return depth > 0 or lines[-1].rstrip().endswith("\\")
