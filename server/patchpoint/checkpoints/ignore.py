"""Git's rules of what is ignored (gitignore), on bytes, for a walk that goes from the root downwards.

    rules = standard_rules(repository)                      # info/exclude and the user's own file
    rules = rules.within(b"src", gitignore_of_src)          # the rules in force in a folder
    rules.ignores(b"src/a.pyc", is_folder=False)

A folder that is ignored is not to be entered: what is in it is ignored with it. `PathRules` answers for
single paths.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.wildmatch import literal_length, name_expression, path_expression

IGNORE_FILE = b".gitignore"


class IgnoreRules:
    """The rules in force in one folder."""

    __slots__ = ("_fold", "_levels")

    def __init__(self, levels: tuple[tuple[int, PatternList], ...] = (), *, fold: bool = False) -> None:
        """`levels`: length of the folder's path (with slash) that the patterns are relative to, and the
        patterns; the ones that take precedence first. `fold`: whatever the case (core.ignoreCase)."""
        self._levels = levels
        self._fold = fold

    def __bool__(self) -> bool:
        return bool(self._levels)

    def within(self, folder: bytes, content: bytes | None) -> IgnoreRules:
        """The rules in force in `folder`, a folder in this one, whose `.gitignore` has this content (or is
        not there)."""
        if content is None:
            return self
        patterns = parse_patterns(content, self._fold)
        if not patterns:
            return self
        level = (len(folder) + 1 if folder else 0, patterns)
        return IgnoreRules((level, *self._levels), fold=self._fold)

    def ignores(self, path: bytes, *, is_folder: bool) -> bool:
        """Whether `path`, which stands in the folder that these rules are for, is ignored."""
        if not self._levels:
            return False
        name = path[path.rfind(b"/") + 1 :]
        for base, patterns in self._levels:
            verdict = patterns.verdict(path[base:] if base else path, name, is_folder)
            if verdict is not None:
                return verdict
        return False


class PathRules:
    """Answers for any path, by the rules of all the folders above it.

    `ignore_file` answers the content of the `.gitignore` at a path, or `None`: from the disk, or from a tree.
    """

    def __init__(self, rules: IgnoreRules, ignore_file: Callable[[bytes], bytes | None]) -> None:
        self._ignore_file = ignore_file
        self._folders: dict[bytes, IgnoreRules | None] = {b"": rules.within(b"", ignore_file(IGNORE_FILE))}

    def ignores(self, path: bytes, *, is_folder: bool = False) -> bool:
        """Whether `path` or a folder that it is in is ignored."""
        rules = self._of(path.rpartition(b"/")[0])
        return rules is None or rules.ignores(path, is_folder=is_folder)

    def _of(self, folder: bytes) -> IgnoreRules | None:
        """The rules in force in `folder`, or `None` when it is ignored."""
        if folder not in self._folders:
            above = self._of(folder.rpartition(b"/")[0])
            rules = None
            if above is not None and not above.ignores(folder, is_folder=True):
                rules = above.within(folder, self._ignore_file(folder + b"/" + IGNORE_FILE))
            self._folders[folder] = rules
        return self._folders[folder]


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring patterns of the same sign, of which any may match."""

    ignored: bool
    names: frozenset[bytes]
    folder_names: frozenset[bytes]
    name: re.Pattern[bytes] | None
    folder_name: re.Pattern[bytes] | None
    path: re.Pattern[bytes] | None
    folder_path: re.Pattern[bytes] | None

    def matches(self, path: bytes, name: bytes, is_folder: bool) -> bool:
        if name in (self.folder_names if is_folder else self.names):
            return True
        expression = self.folder_name if is_folder else self.name
        if expression is not None and expression.fullmatch(name):
            return True
        expression = self.folder_path if is_folder else self.path
        return expression is not None and expression.fullmatch(path) is not None


class PatternList:
    """The patterns of one file; the last one that matches decides."""

    __slots__ = ("_fold", "_groups")

    def __init__(self, groups: tuple[_Group, ...], fold: bool) -> None:
        self._groups = groups
        self._fold = fold

    def __bool__(self) -> bool:
        return bool(self._groups)

    def verdict(self, path: bytes, name: bytes, is_folder: bool) -> bool | None:
        """Whether `path` (relative to where the patterns stand; its last part is `name`) is ignored; `None`
        when no pattern matches."""
        if self._fold:
            name = name.lower()
        for group in self._groups:
            if group.matches(path, name, is_folder):
                return group.ignored
        return None


@dataclass(frozen=True, slots=True)
class _Pattern:
    text: bytes
    ignored: bool
    folders_only: bool
    names_only: bool


@lru_cache(maxsize=256)
def parse_patterns(content: bytes, fold: bool) -> PatternList:
    """The patterns in a file of this content."""
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


def standard_rules(repository: Repository) -> IgnoreRules:
    """The rules in force in the root of the working tree but for its `.gitignore`."""
    rules = IgnoreRules(fold=repository.flag(b"core", b"ignorecase", False))
    for content in standard_contents(repository):
        rules = rules.within(b"", content)
    return rules


def standard_contents(repository: Repository) -> tuple[bytes, bytes]:
    """The content of the user's own file of patterns, and of the repository's; empty when it is not there."""
    return (
        _content(_user_file(repository)),
        _content(os.path.join(repository.commondir, b"info", b"exclude")),
    )


def user_config_file(setting: bytes | None, name: bytes) -> bytes | None:
    """The path that a setting such as core.excludesFile names, or else the standard one called `name`."""
    if setting is not None:
        return os.path.expanduser(setting) or None
    base = os.fsencode(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))
    return os.path.join(base, b"git", name)


def _user_file(repository: Repository) -> bytes | None:
    path = user_config_file(repository.setting(b"core", b"excludesfile"), b"ignore")
    return None if path is None else os.path.join(repository.worktree, path)


def _content(path: bytes | None) -> bytes:
    if path is None:
        return b""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


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
    folders_only = text.endswith(b"/")
    if folders_only:
        text = text[:-1]
    if not text:
        return None
    return _Pattern(text, ignored, folders_only, b"/" not in text)


def _group(patterns: list[_Pattern], fold: bool) -> _Group:
    literal_names: tuple[set[bytes], set[bytes]] = (set(), set())
    names: tuple[list[bytes], list[bytes]] = ([], [])
    paths: tuple[list[bytes], list[bytes]] = ([], [])
    for pattern in patterns:
        text = pattern.text
        for kind in (1,) if pattern.folders_only else (0, 1):
            if pattern.names_only and literal_length(text) == len(text):
                literal_names[kind].add(text.lower() if fold else text)
            elif pattern.names_only:
                _append(names[kind], name_expression(text, fold=fold))
            else:
                _append(paths[kind], path_expression(text.removeprefix(b"/"), fold=fold))
    return _Group(
        ignored=patterns[0].ignored,
        names=frozenset(literal_names[0]),
        folder_names=frozenset(literal_names[1]),
        name=_any_of(names[0]),
        folder_name=_any_of(names[1]),
        path=_any_of(paths[0]),
        folder_path=_any_of(paths[1]),
    )


def _append(expressions: list[bytes], expression: bytes | None) -> None:
    if expression is not None:
        expressions.append(expression)


def _any_of(expressions: list[bytes]) -> re.Pattern[bytes] | None:
    return re.compile(b"(?s:" + b"|".join(expressions) + b")") if expressions else None
