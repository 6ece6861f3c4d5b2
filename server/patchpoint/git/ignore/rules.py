"""Git's ignore rules (gitignore), on bytes, for a walk from the root downwards.

    rules = standard_rules(repository)                      # info/exclude and the user's own file
    rules = rules.within(b"src", gitignore_of_src)          # the rules in force in a directory
    rules.ignores(b"src/a.pyc", is_directory=False)

A directory that is ignored is not to be entered: all of it is ignored. `PathRules` is for single paths.
See docs/decisions/ignore-rules.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.repository import Repository

IGNORE_FILE = b".gitignore"
ATTRIBUTES_FILE = b".gitattributes"


class IgnoreRules:
    """The rules in force in one directory."""

    __slots__ = ("_fold", "_levels")

    def __init__(self, levels: tuple[tuple[int, PatternList], ...] = (), *, fold: bool = False) -> None:
        """`levels`: length of the path (with slash) of the directory that the patterns are relative to, and
        the patterns; those that take precedence first. `fold`: ignore case (core.ignoreCase)."""
        self._levels = levels
        self._fold = fold

    def __bool__(self) -> bool:
        return bool(self._levels)

    def within(self, directory: bytes, content: bytes | None) -> IgnoreRules:
        """Return the rules in force in `directory`, below this one, whose `.gitignore` has this content
        (`None`: there is none)."""
        if content is None:
            return self
        patterns = parse_patterns(content, self._fold)
        if not patterns:
            return self
        level = (len(directory) + 1 if directory else 0, patterns)
        return IgnoreRules((level, *self._levels), fold=self._fold)

    def ignores(self, path: bytes, *, is_directory: bool) -> bool:
        """Return whether `path`, in the directory that these rules are for, is ignored."""
        if not self._levels:
            return False
        name = path[path.rfind(b"/") + 1 :]
        for base, patterns in self._levels:
            verdict = patterns.verdict(path[base:] if base else path, name, is_directory)
            if verdict is not None:
                return verdict
        return False


class PathRules:
    """The rules of a whole tree, for single paths.

    `ignore_file` returns the content of the `.gitignore` at a path, or `None`: from the disk, or from a tree.
    """

    def __init__(self, rules: IgnoreRules, ignore_file: Callable[[bytes], bytes | None]) -> None:
        self._ignore_file = ignore_file
        self._by_directory: dict[bytes, IgnoreRules | None] = {
            b"": rules.within(b"", ignore_file(IGNORE_FILE))
        }

    def ignores(self, path: bytes, *, is_directory: bool = False) -> bool:
        """Return whether `path` or a directory that it is in is ignored."""
        rules = self._of(path.rpartition(b"/")[0])
        return rules is None or rules.ignores(path, is_directory=is_directory)

    def _of(self, directory: bytes) -> IgnoreRules | None:
        """Return the rules in force in `directory`, or `None` when it is ignored."""
        unknown = []
        above = directory
        while above not in self._by_directory:
            unknown.append(above)
            above = above.rpartition(b"/")[0]
        rules = self._by_directory[above]
        for each in reversed(unknown):
            if rules is not None and rules.ignores(each, is_directory=True):
                rules = None
            if rules is not None:
                rules = rules.within(each, self._ignore_file(each + b"/" + IGNORE_FILE))
            self._by_directory[each] = rules
        return rules


@dataclass(frozen=True, slots=True)
class _Group:
    """Consecutive patterns that are all negated or all not; one that matches is enough."""

    ignored: bool
    names: frozenset[bytes]
    directory_names: frozenset[bytes]
    name: re.Pattern[bytes] | None
    directory_name: re.Pattern[bytes] | None
    path: re.Pattern[bytes] | None
    directory_path: re.Pattern[bytes] | None

    def matches(self, path: bytes, name: bytes, is_directory: bool) -> bool:
        if name in (self.directory_names if is_directory else self.names):
            return True
        expression = self.directory_name if is_directory else self.name
        if expression is not None and expression.fullmatch(name):
            return True
        expression = self.directory_path if is_directory else self.path
        return expression is not None and expression.fullmatch(path) is not None


class PatternList:
    """The patterns of one file; the last one that matches decides."""

    __slots__ = ("_fold", "_groups")

    def __init__(self, groups: tuple[_Group, ...], fold: bool) -> None:
        self._groups = groups
        self._fold = fold

    def __bool__(self) -> bool:
        return bool(self._groups)

    def verdict(self, path: bytes, name: bytes, is_directory: bool) -> bool | None:
        """Return whether the patterns ignore `path`, whose last part is `name`; `None` when none matches it.

        `path` is relative to the directory of the patterns.
        """
        if self._fold:
            name = name.lower()
        for group in self._groups:
            if group.matches(path, name, is_directory):
                return group.ignored
        return None


@dataclass(frozen=True, slots=True)
class _Pattern:
    text: bytes
    ignored: bool
    directories_only: bool
    names_only: bool


@lru_cache(maxsize=256)
def parse_patterns(content: bytes, fold: bool) -> PatternList:
    """Return the patterns in a file of this content; `fold` ignores case."""
    patterns = [pattern for line in _lines(content) if (pattern := _pattern(line)) is not None]
    groups: list[_Group] = []
    run: list[_Pattern] = []
    for pattern in patterns:
        if run and run[0].ignored != pattern.ignored:
            groups.append(_group(run, fold))
            run = []
        run.append(pattern)
    if run:
        groups.append(_group(run, fold))
    return PatternList(tuple(reversed(groups)), fold)


def rules_of(patterns: Iterable[str]) -> IgnoreRules:
    """Return the rules of patterns that are relative to the root of the working tree."""
    return IgnoreRules().within(b"", "\n".join(patterns).encode("utf-8", "surrogateescape"))


def standard_rules(repository: Repository) -> IgnoreRules:
    """Return the rules in force in the root of the working tree, without its `.gitignore`."""
    rules = IgnoreRules(fold=repository.flag(b"core", b"ignorecase", False))
    for content in standard_contents(repository):
        rules = rules.within(b"", content)
    return rules


def standard_contents(repository: Repository) -> tuple[bytes, bytes]:
    """Return the content of the user's own file of patterns and of the repository's; empty if missing."""
    return (
        read_or_empty(_user_file(repository)),
        read_or_empty(os.path.join(repository.commondir, b"info", b"exclude")),
    )


def user_config_file(setting: bytes | None, name: bytes) -> bytes | None:
    """Return the path in a setting such as core.excludesFile, or else the standard file `name`."""
    if setting is not None:
        return os.path.expanduser(setting) or None
    base = os.fsencode(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))
    return os.path.join(base, b"git", name)


def read_or_empty(path: bytes | None) -> bytes:
    """Return the content of a file of rules; empty when there is none or it cannot be read."""
    if path is None:
        return b""
    try:
        return read_file_bytes(path)
    except OSError as error:
        raise_if_exhausted(error)
        return b""


def _user_file(repository: Repository) -> bytes | None:
    path = user_config_file(repository.setting(b"core", b"excludesfile"), b"ignore")
    return None if path is None else os.path.join(repository.worktree, path)


def _lines(content: bytes) -> Iterable[bytes]:
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    for line in content.split(b"\n"):
        if line.startswith(b"#"):
            continue
        line = line[:-1] if line.endswith(b"\r") else line
        line = _without_trailing_spaces(line.split(b"\x00", 1)[0])
        if line:
            yield line


def _without_trailing_spaces(line: bytes) -> bytes:
    if not line.endswith(b" "):
        return line
    kept = 0
    at = 0
    while at < len(line):
        if line[at : at + 1] == b"\\":
            at += 1
            if at == len(line):
                return line
            kept = at + 1
        elif line[at : at + 1] != b" ":
            kept = at + 1
        at += 1
    return line[:kept]


def _pattern(line: bytes) -> _Pattern | None:
    ignored = not line.startswith(b"!")
    text = line if ignored else line[1:]
    directories_only = text.endswith(b"/")
    if directories_only:
        text = text[:-1]
    if not text:
        return None
    return _Pattern(text, ignored, directories_only, b"/" not in text)


def _group(patterns: list[_Pattern], fold: bool) -> _Group:
    from patchpoint.git.wildmatch import any_of, literal_length, name_expression, path_expression

    literal_names: tuple[set[bytes], set[bytes]] = (set(), set())
    names: tuple[list[bytes], list[bytes]] = ([], [])
    paths: tuple[list[bytes], list[bytes]] = ([], [])
    for pattern in patterns:
        text = pattern.text
        for kind in (1,) if pattern.directories_only else (0, 1):
            if pattern.names_only and literal_length(text) == len(text):
                literal_names[kind].add(text.lower() if fold else text)
            elif pattern.names_only:
                _append(names[kind], name_expression(text, fold=fold))
            else:
                _append(paths[kind], path_expression(text.removeprefix(b"/"), fold=fold))
    return _Group(
        ignored=patterns[0].ignored,
        names=frozenset(literal_names[0]),
        directory_names=frozenset(literal_names[1]),
        name=any_of(names[0]),
        directory_name=any_of(names[1]),
        path=any_of(paths[0]),
        directory_path=any_of(paths[1]),
    )


def _append(expressions: list[bytes], expression: bytes | None) -> None:
    if expression is not None:
        expressions.append(expression)
