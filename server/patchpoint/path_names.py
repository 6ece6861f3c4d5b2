"""What is wrong with a path by itself, without a look at any disk.

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


class Refusal(str, Enum):
    """Why a path is refused."""

    EMPTY = "empty"
    UNPRINTABLE = "unprintable"
    URI = "uri"
    ABSOLUTE = "absolute"
    HOME = "home"
    OUTSIDE = "outside"
    """Absolute, and in no workspace folder."""
    ESCAPES = "escapes"
    """Out of the workspace folder by `..`."""
    SYMLINK = "symlink"
    """Out of the workspace folder, or round in a circle, by a symbolic link."""
    REPOSITORY = "repository"
    """Into a repository's own folder."""
    DEVICE = "device"
    STREAM = "stream"
    NAME = "name"
    """A name that not every system can hold."""
    FOLDER = "folder"
    BELOW_FILE = "belowFile"
    """A part of the path that should be a folder is a file."""
    NOT_FOUND = "notFound"
    AMBIGUOUS = "ambiguous"


Problem = tuple[Refusal, str]
"""What is wrong with a path, the words going on after its name."""

# No system takes a longer path at once, and walking through one would take its time.
_LONGEST = 4096

_REPOSITORY_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})

# The 8.3 name that Windows gives a `.git`: `git~1`, or a higher number where that one was taken.
_SHORT_NAME = re.compile(r"git~[0-9]+")

# The devices that Windows knows in every folder, with any extension. COM and LPT take superscript digits too.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])", re.IGNORECASE)

_DRIVE = re.compile(r"[A-Za-z]:")
# Two letters at least: one is a drive.
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|(?:file|untitled):", re.IGNORECASE)


def is_repository_name(name: str) -> bool:
    """Whether some file system takes `name` for the folder (or file) of a version control system.

    Upper and lower case, trailing dots and spaces, NTFS streams (`.git::$INDEX_ALLOCATION`), the 8.3 name
    `git~1`, full-width letters and characters that HFS+ ignores make no difference.
    """
    visible = "".join(
        character
        for character in unicodedata.normalize("NFKC", name)
        # Format characters and variation selectors hold all that HFS+ skips when it compares names.
        if unicodedata.category(character) != "Cf" and not "\ufe00" <= character <= "\ufe0f"
    )
    plain = visible.partition(":")[0].rstrip(" .").casefold()
    return plain in _REPOSITORY_FOLDERS or _SHORT_NAME.fullmatch(plain) is not None


def problem_of_name(name: str) -> Problem | None:
    """Why nothing new may be called `name`: Windows takes it for something else or cannot hold it."""
    if _DEVICE.fullmatch(name.partition(".")[0].partition(":")[0].rstrip(" ")):
        return Refusal.DEVICE, f"is a device on Windows ({shown(name)}); use another name"
    if ":" in name:
        return Refusal.STREAM, f"names a data stream on Windows ({shown(name)}); use a name without ':'"
    if name.endswith((".", " ")) or any(character in '<>"|?*' for character in name):
        return Refusal.NAME, f"has a name that Windows cannot hold ({shown(name)})"
    return None


def problem_by_sight(written: str, absolute_allowed: bool) -> Problem | None:
    """What is wrong with a path whatever is on the disk: the reason, and words that go on after the path."""
    if not written.strip():
        return Refusal.EMPTY, "is no path; name a file"
    if len(written) > _LONGEST:
        return Refusal.NAME, f"is too long, with {len(written)} characters; name a file"
    unprintable = _unprintable_in(written)
    if unprintable is not None:
        return Refusal.UNPRINTABLE, f"has a character that no path may have, U+{ord(unprintable):04X}"
    if is_uri(written):
        return _problem_of_uri(written, absolute_allowed)
    slashed = written.replace("\\", "/")
    if slashed.startswith("//") and not (absolute_allowed and os.name == "nt"):
        return Refusal.ABSOLUTE, "is a network path; name a file by its path in the workspace folder"
    if _DRIVE.match(slashed) and not (absolute_allowed and os.name == "nt"):
        return Refusal.ABSOLUTE, "has a drive letter; name a file by its path in the workspace folder"
    if slashed.startswith("/") and not absolute_allowed:
        return Refusal.ABSOLUTE, "is absolute; name a file by its path in the workspace folder"
    parts = slashed.split("/")
    if parts[0] == "~" or (parts[0].startswith("~") and len(parts) > 1):
        return Refusal.HOME, "is in a home folder; name a file by its path in the workspace folder"
    if not is_absolute(slashed) and any(map(is_repository_name, parts)):
        return Refusal.REPOSITORY, "is in a repository's own folder, which no edit may touch"
    if parts[-1] in ("", "."):
        return Refusal.FOLDER, "names a folder; name a file"
    return None


def is_absolute(slashed: str) -> bool:
    """Whether a path with forward slashes begins at a root or with a drive letter."""
    return slashed.startswith("/") or _DRIVE.match(slashed) is not None


def is_uri(path: str) -> bool:
    """Whether `path` is a URI and no path."""
    return _URI.match(path) is not None


def shown(path: str) -> str:
    """`path` in quotes as a message shows it: shortened if it is long, and without characters that hide."""
    visible = "".join(
        character if character.isprintable() else f"\\u{{{ord(character):04X}}}" for character in path[:200]
    )
    return f"'{visible}…'" if len(path) > 200 else f"'{visible}'"


def _problem_of_uri(written: str, absolute_allowed: bool) -> Problem | None:
    try:
        uri = urlsplit(written)
    except ValueError:
        return Refusal.URI, "is a URI, and a broken one; name a file by its path in the workspace folder"
    if uri.scheme != "file" or uri.netloc not in ("", "localhost"):
        return Refusal.URI, "is a URI; name a file by its path in the workspace folder"
    if not absolute_allowed:
        return Refusal.ABSOLUTE, "is an absolute URI; name a file by its path in the workspace folder"
    return None


def _unprintable_in(path: str) -> str | None:
    """The first character that no path of a request may hold: a control, a lone surrogate, a bidi override.

    The last kind shows a person another path than the one that is meant.
    """
    for character in path:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in _BIDI:
            return character
    return None


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
