"""What a path's names say by themselves, without a look at any disk.

Rules of Windows and macOS hold on every system: a repository is shared, and a name that is harmless here may
be a device or the repository itself on the machine it is cloned to. The look-alikes of `.git` follow git's
own checks (`verify_path`, `is_ntfs_dotgit` and `is_hfs_dotgit`), and go a little beyond them.
"""

from __future__ import annotations

import re
import unicodedata

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


def is_device_name(name: str) -> bool:
    """Whether Windows takes `name` for a device, such as `CON`, `nul.txt` or `COM1 .log`."""
    return _DEVICE.fullmatch(name.partition(".")[0].partition(":")[0].rstrip(" ")) is not None


def names_stream(name: str) -> bool:
    """Whether NTFS takes `name` for an alternate data stream of a file."""
    return ":" in name


def unfit_for_windows(name: str) -> bool:
    """Whether Windows cannot hold `name`, or holds it under another one (without its last dot or space)."""
    return name.endswith((".", " ")) or any(character in '<>"|?*' for character in name)


def has_drive(path: str) -> bool:
    """Whether `path` begins with a drive letter, as in `C:/x` and `C:x`."""
    return _DRIVE.match(path) is not None


def is_uri(path: str) -> bool:
    """Whether `path` is a URI and no path."""
    return _URI.match(path) is not None


def unprintable_in(path: str) -> str | None:
    """The first character that no path of a request may hold: a control, a lone surrogate, a bidi override.

    The last kind shows a person another path than the one that is meant.
    """
    for character in path:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in _BIDI:
            return character
    return None


def shown(path: str) -> str:
    """`path` in quotes as a message shows it: shortened if it is long, and without characters that hide."""
    visible = "".join(
        character if character.isprintable() else f"\\u{{{ord(character):04X}}}" for character in path[:200]
    )
    return f"'{visible}…'" if len(path) > 200 else f"'{visible}'"


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
