"""The rules for paths that need no file system.

Rules of Windows and macOS hold on every system: a repository is shared, and a name that is harmless here may
be a device or the repository itself on the machine it is cloned to. The look-alikes of `.git` follow git's
own checks (`verify_path`, `is_ntfs_dotgit` and `is_hfs_dotgit`), and go a little beyond them.
"""

from __future__ import annotations

import os
import re
import unicodedata
from enum import Enum
from urllib.parse import urlsplit

from patchpoint.text.regex import regex


class RefusalReason(str, Enum):
    """The reason why a path is refused."""

    EMPTY = "empty"
    UNPRINTABLE = "unprintable"
    URI = "uri"
    ABSOLUTE = "absolute"
    HOME = "home"
    OUTSIDE = "outside"
    """Absolute, and in no workspace folder."""
    ESCAPES = "escapes"
    """Leaves the workspace folder by `..`."""
    SYMLINK = "symlink"
    """Leaves the workspace folder, or leads in a circle, by a symbolic link."""
    REPOSITORY = "repository"
    """Inside a repository's own folder."""
    DEVICE = "device"
    STREAM = "stream"
    NAME = "name"
    """A name that not every system can hold."""
    FOLDER = "folder"
    BELOW_FILE = "belowFile"
    """A part of the path that should be a folder is a file."""
    NOT_FOUND = "notFound"
    AMBIGUOUS = "ambiguous"


Problem = tuple[RefusalReason, str]
"""Why a path is refused, and the rest of a sentence that begins with the path."""

# No system accepts a longer path (PATH_MAX of Linux), and to walk through one would take long.
_LONGEST = 4096

_REPOSITORY_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})

# The 8.3 name that Windows gives a `.git`: `git~1`, or a higher number where that one was taken.
_SHORT_NAME = regex(r"git~[0-9]+")

# The devices that Windows has in every folder, with any extension. COM and LPT take superscript digits, too.
_DEVICE = regex(r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])", re.IGNORECASE)

_HOMES = ("~", "$HOME", "${HOME}", "%USERPROFILE%", "$PWD", "$(pwd)")

_DRIVE = regex(r"[A-Za-z]:")
# At least two letters: a single one is a drive.
_URI = regex(r"[A-Za-z][A-Za-z0-9+.-]+://|(?:file|untitled):", re.IGNORECASE)


def is_repository_name(name: str) -> bool:
    """Return whether any file system treats `name` as the folder (or file) of a version control system.

    `folded_name` says what makes no difference; nor does the 8.3 name `git~1`.
    """
    plain = folded_name(name)
    return plain in _REPOSITORY_FOLDERS or _SHORT_NAME.fullmatch(plain) is not None


def folded_name(name: str) -> str:
    """Return `name` such that names which any file system takes for the same one are equal.

    Upper and lower case, trailing dots and spaces, NTFS streams (`.git::$INDEX_ALLOCATION`), full-width
    letters and characters that HFS+ ignores make no difference.
    """
    visible = name
    if not name.isascii():
        visible = "".join(
            character
            for character in unicodedata.normalize("NFKC", name)
            # Format characters and variation selectors hold all that HFS+ skips when it compares names.
            if unicodedata.category(character) != "Cf" and not "\ufe00" <= character <= "\ufe0f"
        )
    return visible.partition(":")[0].rstrip(" .").casefold()


def name_problem(name: str) -> Problem | None:
    """Return why no new file or folder may have `name`: Windows reads it differently or cannot store it."""
    if _DEVICE.fullmatch(name.partition(".")[0].partition(":")[0].rstrip(" ")):
        return RefusalReason.DEVICE, f"is a device on Windows ({shown(name)}); use another name"
    if ":" in name:
        return RefusalReason.STREAM, f"names a data stream on Windows ({shown(name)}); use a name without ':'"
    if name.endswith((".", " ")) or any(character in '<>"|?*' for character in name):
        return RefusalReason.NAME, f"has a name that Windows cannot store ({shown(name)}); use another name"
    return None


def lexical_problem(written: str, absolute_allowed: bool) -> Problem | None:
    """Return what is wrong with a path by its text alone, without touching the disk; `None` if nothing is."""
    if not written.strip():
        return RefusalReason.EMPTY, "is an empty path; name a file"
    if len(written) > _LONGEST:
        return RefusalReason.NAME, f"is too long, with {len(written)} characters; name a file"
    unprintable = _unprintable_in(written)
    if unprintable is not None:
        return (
            RefusalReason.UNPRINTABLE,
            f"has a character that no path may have, U+{ord(unprintable):04X}; write it without",
        )
    if is_uri(written):
        return _problem_of_uri(written, absolute_allowed)
    slashed = written.replace("\\", "/")
    if slashed.startswith("//") and not (absolute_allowed and os.name == "nt"):
        return RefusalReason.ABSOLUTE, "is a network path; name a file by its path in the workspace folder"
    if _DRIVE.match(slashed) and not (absolute_allowed and os.name == "nt"):
        return RefusalReason.ABSOLUTE, "has a drive letter; name a file by its path in the workspace folder"
    if slashed.startswith("/") and not absolute_allowed:
        return RefusalReason.ABSOLUTE, "is absolute; name a file by its path in the workspace folder"
    parts = slashed.split("/")
    if parts[0] == "~" or (parts[0].startswith("~") and len(parts) > 1):
        return RefusalReason.HOME, "is in a home folder; name a file by its path in the workspace folder"
    if not is_absolute(slashed) and any(map(is_repository_name, parts)):
        return RefusalReason.REPOSITORY, "is in a repository's own folder, which no edit may touch"
    if parts[-1] in ("", "."):
        return RefusalReason.FOLDER, "names a folder; name a file"
    return None


def is_absolute(slashed: str) -> bool:
    """Return whether a path with forward slashes begins at a root or with a drive letter."""
    return slashed.startswith("/") or _DRIVE.match(slashed) is not None


def is_elsewhere(written: str) -> bool:
    """Return whether a path is absolute, or of a home folder, on whatever system."""
    slashed = written.replace("\\", "/")
    return is_absolute(slashed) or slashed.startswith(_HOMES) or written.startswith("file:")


def is_uri(path: str) -> bool:
    """Return whether `path` is a URI, not a path."""
    return _URI.match(path) is not None


def shown(path: str) -> str:
    """Return `path` in quotes for a message: shortened to 200 characters, invisible characters escaped."""
    visible = "".join(
        character if character.isprintable() else f"\\u{{{ord(character):04X}}}" for character in path[:200]
    )
    return f"'{visible}…'" if len(path) > 200 else f"'{visible}'"


def _problem_of_uri(written: str, absolute_allowed: bool) -> Problem | None:
    try:
        uri = urlsplit(written)
    except ValueError:
        return (
            RefusalReason.URI,
            "is a URI, and an invalid one; name a file by its path in the workspace folder",
        )
    if uri.scheme != "file" or uri.netloc not in ("", "localhost"):
        return RefusalReason.URI, "is a URI; name a file by its path in the workspace folder"
    if not absolute_allowed:
        return RefusalReason.ABSOLUTE, "is an absolute URI; name a file by its path in the workspace folder"
    return None


def _unprintable_in(path: str) -> str | None:
    """Return the first character that no path may have: a control, a lone surrogate, a bidi override.

    A bidi override shows a person another path than the one that is meant.
    """
    for character in path:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in _BIDI:
            return character
    return None


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
