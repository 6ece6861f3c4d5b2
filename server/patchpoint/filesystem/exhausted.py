"""What an error of the operating system means for a person: what is used up or broken, and what to do."""

from __future__ import annotations

import errno

_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}
_WORDS = {
    errno.EMFILE: "too many open files; close some, or raise the limit with 'ulimit -n'",
    errno.ENFILE: "the system has too many open files; close other programs",
    errno.ENOMEM: "there is not enough memory; close other programs",
    errno.ENOSPC: "the disk is full; free some space",
    errno.EFBIG: "the file is too large; raise the limit with 'ulimit -f'",
    errno.EROFS: "the file system is read-only; remount it writable",
    errno.EIO: "the disk failed to read or write; check it, and back up your files",
    errno.EACCES: "permission denied; check the permissions",
    errno.EPERM: "not permitted; check the permissions",
    getattr(errno, "EDQUOT", -1): "your disk quota is exceeded; free some space",
}


def is_exhausted(error: BaseException) -> bool:
    """Return whether the system had no more of something: what was asked for may be there all the same."""
    return isinstance(error, OSError) and error.errno in _EXHAUSTED


def raise_if_exhausted(error: BaseException) -> None:
    """Raise `error` again if the system had no more of something; it says nothing about the file."""
    if is_exhausted(error):
        raise error


def in_words(error: OSError) -> str:
    """Return what is wrong and what to do, as two clauses for a message."""
    return _WORDS.get(error.errno or 0, f"{error.strerror or error}; check the disk and the permissions")
