"""Whether a repository may be trusted: whose it is, and what `safe.directory` lists.

The rule is git's (git-config, "safe.directory"), so that someone who can create a `.git` in a shared folder
neither gets to read what others keep there nor to choose their settings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

from patchpoint.git.config import users_config
from patchpoint.git.errors import UnsupportedRepositoryError

_ROOT_USER = 0
_EVERYTHING = b"*"
_ALL_BELOW = b"/*"


def require_trusted(asked: bytes, root: bytes, dot_git: bytes, gitdir: bytes) -> None:
    """Refuse the repository at `root` if it belongs to another user and `safe.directory` does not list it.

    `asked` is the real path of the folder that was asked for, `root` that of the working tree, `dot_git`
    the path of its `.git`, and `gitdir` the git directory, which is `dot_git` itself unless that is a file.
    Raises `UnsupportedRepositoryError`.
    """
    foreign = next((path for path in (dot_git, root, gitdir) if not _is_own(path)), None)
    if foreign is None or _is_listed(root, asked):
        return
    import shlex

    name = os.fsdecode(root)
    owner, user = _owner(foreign), _user_here()
    raise UnsupportedRepositoryError(
        f"The repository at '{name}' is not trusted: '{os.fsdecode(foreign)}' belongs to {owner}, "
        f"and you are {user}. If you trust it, run "
        f"`git config --global --add safe.directory {shlex.quote(name)}`."
    )


def _is_own(path: bytes) -> bool:
    """Whether `path` itself (not what a link names) belongs to the effective user.

    For root, files of the user who called `sudo` count as well; on Windows, those of the administrators for
    who acts as one.
    """
    if sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import is_own

        return is_own(os.fsdecode(path))
    try:
        owner = os.lstat(path).st_uid
    except OSError:
        return False
    user = os.geteuid()
    return owner == user or (user == _ROOT_USER and owner == _caller_of_sudo())


def _caller_of_sudo() -> int | None:
    text = os.environ.get("SUDO_UID", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _is_listed(root: bytes, asked: bytes) -> bool:
    listed = False
    for value in _safe_directories():
        # dulwich reads a variable without `=` as true; for git it is empty, and no path is called that.
        if value in (b"", b"true"):
            listed = False
        elif _covers(value, root, asked):
            listed = True
    return listed


def _covers(value: bytes, root: bytes, asked: bytes) -> bool:
    """Whether one value of `safe.directory` covers the working tree at `root`."""
    if value == _EVERYTHING:
        return True
    if value == b".":
        return asked == root
    path = os.path.expanduser(value)
    if not os.path.isabs(path):
        return False
    if path.endswith(_ALL_BELOW):
        return root.startswith(os.path.join(os.path.realpath(path[: -len(_ALL_BELOW)] or b"/"), b""))
    return os.path.realpath(path) == root


def _safe_directories() -> Iterator[bytes]:
    """Yield the values of `safe.directory` in git's order: the system's, the user's, the environment's.

    No file of a repository is read, and no include that depends on a repository applies, as for git.
    """
    for file in reversed(users_config(b"")):
        with suppress(KeyError):
            yield from file.get_multivar((b"safe",), b"directory")
    yield from _values_in_environment()


def _values_in_environment() -> Iterator[bytes]:
    """Yield what `GIT_CONFIG_COUNT` and its variables set, which containers and CI use in place of a file."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    if not (count.isascii() and count.isdigit()):
        return
    for number in range(int(count)):
        key = os.environ.get(f"GIT_CONFIG_KEY_{number}")
        value = os.environ.get(f"GIT_CONFIG_VALUE_{number}")
        if key is None or value is None:
            return  # git refuses to run then
        if key.lower() == "safe.directory":
            yield os.fsencode(value)


def _owner(path: bytes) -> str:
    try:
        if sys.platform == "win32":
            from patchpoint.filesystem.windows.calls import owner_name

            return owner_name(os.fsdecode(path))
        return _user(os.lstat(path).st_uid)
    except OSError:
        return "an unknown user"


def _user_here() -> str:
    if sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import users_sid

        return users_sid()
    return _user(os.geteuid())


def _user(number: int) -> str:
    import pwd

    try:
        return f"'{pwd.getpwuid(number).pw_name}' (user id {number})"
    except KeyError:
        return f"user id {number}"
