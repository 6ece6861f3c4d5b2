"""Which files git may have converted when they were staged (gitattributes): the index does not have their raw
bytes, so its blobs cannot be used for a checkpoint.

The attributes that are in force now tell of most. Where one may be gone since, any clean filter that is
configured tells that there may be such a file. What neither tells, the size of the blob does, unless a
conversion keeps it.

It errs on one side: a file that is not converted may count as converted (its content is then read once),
never the other way round. See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence

from patchpoint.git.ignore.filters import LFS_POINTER_OF_EQUAL_SIZE, CleanFilters, clean_filters
from patchpoint.git.ignore.rules import ATTRIBUTES_FILE, read_or_empty, user_config_file
from patchpoint.git.repository import Repository
from patchpoint.git.wildmatch import any_of, path_expression
from patchpoint.text.regex import regex

_CONVERTING = {b"text", b"eol", b"crlf", b"ident", b"filter", b"working-tree-encoding"}
_HARMLESS = regex(rb"[-!]")
_SYSTEM_FILE = b"/etc/gitattributes"


class Conversions:
    """The conversions of a working tree's files.

    `files` are the paths of all `.gitattributes`; `contents` returns the contents of one of them: as it is on
    the disk, and as it is in the index if that differs.
    """

    def __init__(
        self, repository: Repository, files: Iterable[bytes], contents: Callable[[bytes], Iterable[bytes]]
    ) -> None:
        self._fold = repository.flag(b"core", b"ignorecase", False)
        filters = clean_filters(repository)
        self._all = filters is CleanFilters.OTHER or _converts_all(repository)
        self._sizes = {LFS_POINTER_OF_EQUAL_SIZE} if filters is CleanFilters.GIT_LFS else set()
        sources: list[tuple[bytes, bytes]] = []
        for outside in (
            _SYSTEM_FILE,
            user_config_file(repository.setting(b"core", b"attributesfile"), b"attributes"),
            os.path.join(repository.commondir, b"info", b"attributes"),
        ):
            if outside is not None:
                sources.append((b"", read_or_empty(os.path.join(repository.worktree, outside))))
        for path in files:
            sources += [(path[: -len(ATTRIBUTES_FILE)], content) for content in contents(path)]
        macros = {name for _, content in sources for name in _macros(content)}
        self._by_directory: dict[bytes, re.Pattern[bytes]] = {}
        expressions: dict[bytes, list[bytes]] = {}
        for directory, content in sources:
            found = _expressions(content, macros, self._fold)
            if found:
                expressions.setdefault(directory, []).extend(found)
        for directory, found in expressions.items():
            expression = any_of(found)
            if expression is not None:
                self._by_directory[directory] = expression

    def may_apply(self, path: bytes) -> bool:
        """Return whether the file at `path` may be converted, by the attributes of now or by any filter."""
        if self._all:
            return True
        for directory, expression in self._by_directory.items():
            if path.startswith(directory) and expression.fullmatch(path[len(directory) :]):
                return True
        return False

    def may_differ(self, path: bytes, size: int) -> bool:
        """Return whether a blob of `size` bytes, as many as the file has, may have other bytes."""
        return size in self._sizes or self.may_apply(path)

    def suspects(self, files: Sequence[int], paths: Sequence[bytes], sizes: Sequence[int]) -> Sequence[int]:
        """Return the numbers in `files` of those that `may_differ`; `paths` and `sizes` are of all files."""
        if self._all:
            return files
        found: list[int] = []
        if self._sizes:
            found += [at for at in files if sizes[at] in self._sizes]
        if self._by_directory:
            found += [at for at in files if self.may_apply(paths[at])]
        return found


def _converts_all(repository: Repository) -> bool:
    """Return whether core.autocrlf applies to every file that no attribute exempts, or the attributes are
    those of a tree, which is not read."""
    if repository.setting(b"attr", b"tree") is not None:
        return True
    value = repository.setting(b"core", b"autocrlf")
    return value is not None and value.lower() not in (b"false", b"no", b"off", b"0", b"")


def _lines(content: bytes) -> Iterable[tuple[bytes, list[bytes]]]:
    """Yield the pattern and the attributes of each line."""
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = line.strip(b" \t\r")
        if not line or line.startswith(b"#"):
            continue
        if line.startswith(b'"'):
            pattern, _, rest = _unquoted(line)
        else:
            pattern, _, rest = re.sub(rb"[ \t\r]+", b" ", line).partition(b" ")
        yield pattern, rest.split()


def _unquoted(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Split off a quoted pattern, which may hold spaces; one with escapes counts as matching every file."""
    found = re.match(rb'"((?:[^"\\]|\\.)*)"', line)
    if found is None:
        return b"*", b" ", line
    pattern = b"*" if b"\\" in found[1] else found[1]
    return pattern, b" ", line[found.end() :]


def _macros(content: bytes) -> Iterable[bytes]:
    return [pattern[len(b"[attr]") :] for pattern, _ in _lines(content) if pattern.startswith(b"[attr]")]


def _expressions(content: bytes, macros: set[bytes], fold: bool) -> list[bytes]:
    found: list[bytes] = []
    for pattern, attributes in _lines(content):
        if pattern.startswith((b"[attr]", b"!")) or pattern.endswith(b"/"):
            continue
        names = [each.partition(b"=")[0] for each in attributes if not _HARMLESS.match(each)]
        if not any(name in _CONVERTING or name in macros for name in names):
            continue
        anywhere = b"" if b"/" in pattern else b"**/"
        expression = path_expression(anywhere + pattern.removeprefix(b"/"), fold=fold)
        if expression is not None:
            found.append(expression)
    return found
