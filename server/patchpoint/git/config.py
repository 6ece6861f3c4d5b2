"""A repository's configuration: its own files, the user's and the system's, with what they include.

dulwich reads the files; which of the `includeIf` sections apply is decided here (git-config, "Conditional
includes"). See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from dulwich.config import ConfigFile, get_win_system_paths, get_xdg_config_home_path

from patchpoint.filesystem.open_to_read import open_to_read, read_file_bytes
from patchpoint.git.errors import UnsupportedRepositoryError
from patchpoint.text.regex import regex

_SPECIAL = regex(r"[*?\[\\]")
_BRANCH = b"ref: refs/heads/"
_PROGRAM = regex(
    r"core\.(?:hookspath|fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)"
    r"|sequence\.editor|interactive\.difffilter|pager\..+|alias\..+|diff\.external"
    r"|(?:diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process))"
    r"|(?:difftool|mergetool|browser|man)\..+\.cmd|trailer\..+\.(?:command|cmd)"
    r"|gpg(?:\..+)?\.(?:program|defaultkeycommand)|credential(?:\..+)?\.helper|tar\..+\.command"
    r"|include\.path|includeif\..+\.path|hook\..+\.command|submodule\..+\.update"
    r"|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)",
    re.DOTALL,
)
"""The settings that name a program, or a file with more settings (git-config)."""


def config_file(path: bytes, gitdir: bytes | None = None) -> ConfigFile:
    """Return one configuration file of the repository whose git directory is `gitdir`; empty if missing.

    Raises `UnsupportedRepositoryError` when it cannot be read.
    """
    name = os.fsdecode(path)
    try:
        conditions = _conditions(name, gitdir) if gitdir else None
        return ConfigFile.from_path(name, file_opener=open_to_read, condition_matchers=conditions)
    except FileNotFoundError:
        return ConfigFile()
    except (OSError, ValueError) as error:
        raise UnsupportedRepositoryError(
            f"The configuration '{name}' cannot be read ({error}); fix it and try again."
        ) from error


def users_config(gitdir: bytes) -> list[ConfigFile]:
    """Return those of the user's and the system's files that there are, the user's first; raises as
    `config_file` does."""
    files = [config_file(os.fsencode(path), gitdir) for path in _users_paths()]
    return [file for file in files if file.path is not None]


def values_below(section: str, files: Iterable[ConfigFile]) -> dict[str, list[str]]:
    """Return the values below `section` in some files, by name in lower case (`subsection.name`).

    `files` have the nearest first, and so do the values; bytes that are no UTF-8 are surrogates.
    """
    found: dict[str, list[str]] = {}
    for file in files:
        here: dict[str, list[str]] = {}
        for first, *subsections in file.sections():
            if first.lower() == section.encode():
                for name, value in file.items((first, *subsections)):
                    key = b".".join((*subsections, name)).decode("utf-8", "replace").lower()
                    here.setdefault(key, []).append(value.decode("utf-8", "surrogateescape"))
        for key, values in here.items():
            found[key] = [*found.get(key, ()), *reversed(values)]
    return found


def programs_named(files: Iterable[ConfigFile]) -> Iterator[tuple[str, str, str]]:
    """Yield each setting of `files` by which git runs a program or reads more configuration.

    As its name (`filter.lfs.smudge`), its value, and the path of its file (empty where that is not known).
    """
    for file in files:
        path = os.fsdecode(file.path) if file.path is not None else ""
        for section in file.sections():
            for name, value in file.items(section):
                key = b".".join((section[0].lower(), *section[1:], name.lower())).decode("utf-8", "replace")
                if _PROGRAM.fullmatch(key) and value.lower() not in (b"", b"true", b"false"):
                    yield key, value.decode("utf-8", "surrogateescape"), path


def _users_paths() -> list[str]:
    """Return the paths of the user's and the system's files, whether or not they exist (git-config, "FILES").

    As dulwich has them, which would read each at once, and wait for ever where one is a pipe or a device.
    """
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    if own is not None:
        paths = [own]
    else:
        paths = [os.path.expanduser("~/.gitconfig"), get_xdg_config_home_path("git", "config")]
    shared = os.environ.get("GIT_CONFIG_SYSTEM")
    if shared is not None:
        paths.append(shared)
    elif "GIT_CONFIG_NOSYSTEM" not in os.environ:
        paths += ["/etc/gitconfig", *(get_win_system_paths() if os.name == "nt" else ())]
    return paths


def _conditions(file: str, gitdir: bytes) -> Mapping[str, Callable[[str], bool]]:
    """Return a predicate for each kind of condition in the configuration `file`."""

    def is_at(pattern: str, *, fold: bool) -> bool:
        wanted = _gitdir_pattern(pattern, file)
        return any(_matches(wanted, place, fold=fold) for place in (os.path.realpath(gitdir), gitdir))

    def is_on(pattern: str) -> bool:
        branch = _branch(gitdir)
        wanted = os.fsencode(pattern + "**" if pattern.endswith("/") else pattern)
        return branch is not None and _matches(wanted, branch, fold=False)

    return {
        "gitdir:": lambda pattern: is_at(pattern, fold=False),
        "gitdir/i:": lambda pattern: is_at(pattern, fold=True),
        "onbranch:": is_on,
    }


def _gitdir_pattern(pattern: str, file: str) -> bytes:
    if pattern.startswith("~/"):
        pattern = os.path.realpath(os.path.expanduser("~")) + pattern[1:]
    elif pattern.startswith("~"):
        pattern = os.path.expanduser(pattern)
    prefix = ""
    if pattern.startswith("./"):
        # The name of that directory is literal, even where it has characters that are special in a pattern.
        prefix = _SPECIAL.sub(r"\\\g<0>", _with_slashes(os.path.dirname(os.path.realpath(file))))
        pattern = pattern[1:]
    pattern = prefix + _with_slashes(pattern)
    if not pattern.startswith("/") and not os.path.isabs(pattern):
        pattern = "**/" + pattern
    return os.fsencode(pattern + "**" if pattern.endswith("/") else pattern)


def _matches(pattern: bytes, text: bytes, *, fold: bool) -> bool:
    from patchpoint.git.wildmatch import path_expression

    expression = path_expression(pattern, fold=fold)
    text = os.fsencode(_with_slashes(os.fsdecode(text)))
    return expression is not None and re.fullmatch(expression, text, re.DOTALL) is not None


def _with_slashes(path: str) -> str:
    return path.replace(os.sep, "/")


def _branch(gitdir: bytes) -> bytes | None:
    try:
        head = read_file_bytes(os.path.join(gitdir, b"HEAD")).strip()
    except OSError:
        return None
    return head[len(_BRANCH) :] if head.startswith(_BRANCH) else None
