"""Which files git may convert on their way into the index (gitattributes): of these the index does not hold
the raw bytes, so that its blobs are of no use here.

The answer errs on one side: a file may be said to be convertible that is not (its content is then read
once), never the other way round.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from patchpoint.checkpoints.ignore import user_config_file
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.wildmatch import name_expression, path_expression

ATTRIBUTES_FILE = b".gitattributes"
_CONVERTING = {b"text", b"eol", b"crlf", b"ident", b"filter", b"working-tree-encoding"}
_HARMLESS = re.compile(rb"[-!]")
_SYSTEM_FILE = b"/etc/gitattributes"


class Conversions:
    """Answers for the files of a working tree.

    `contents` answers the contents of the `.gitattributes` in a folder (as it is on the disk, and as it is
    in the index where that is another); `files` are the paths of all there are.
    """

    def __init__(
        self, repository: Repository, files: Iterable[bytes], contents: Callable[[bytes], Iterable[bytes]]
    ) -> None:
        self._fold = repository.flag(b"core", b"ignorecase", False)
        self._all = _converts_all(repository)
        sources: list[tuple[bytes, bytes]] = []
        for outside in (
            _SYSTEM_FILE,
            user_config_file(repository.setting(b"core", b"attributesfile"), b"attributes"),
            os.path.join(repository.commondir, b"info", b"attributes"),
        ):
            if outside is not None:
                sources.append((b"", _content(os.path.join(repository.worktree, outside))))
        for path in files:
            sources += [(path[: -len(ATTRIBUTES_FILE)], content) for content in contents(path)]
        macros = {name for _, content in sources for name in _macros(content)}
        self._by_folder: dict[bytes, re.Pattern[bytes]] = {}
        expressions: dict[bytes, list[bytes]] = {}
        for folder, content in sources:
            found = _expressions(content, macros, self._fold)
            if found:
                expressions.setdefault(folder, []).extend(found)
        for folder, found in expressions.items():
            self._by_folder[folder] = re.compile(b"(?s:" + b"|".join(found) + b")")

    def __bool__(self) -> bool:
        """Whether there is any file that may be converted."""
        return self._all or bool(self._by_folder)

    def may_apply(self, path: bytes) -> bool:
        """Whether the file at `path` may be converted."""
        if self._all:
            return True
        for folder, expression in self._by_folder.items():
            if path.startswith(folder) and expression.fullmatch(path[len(folder) :]):
                return True
        return False


def _converts_all(repository: Repository) -> bool:
    """Whether core.autocrlf applies to every file that no attribute exempts."""
    value = repository.setting(b"core", b"autocrlf")
    return value is not None and value.lower() not in (b"false", b"no", b"off", b"0", b"")


def _lines(content: bytes) -> Iterable[tuple[bytes, list[bytes]]]:
    """Pattern and attributes of each line."""
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
    """A pattern in quotation marks may hold spaces and escapes; which ones does not matter enough to be
    exact."""
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
        if b"/" in pattern:
            expression = path_expression(pattern.removeprefix(b"/"), fold=fold)
        else:
            inner = name_expression(pattern, fold=fold)
            expression = None if inner is None else b"(?:.*/)?" + inner
        if expression is not None:
            found.append(expression)
    return found


def _content(path: bytes) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
