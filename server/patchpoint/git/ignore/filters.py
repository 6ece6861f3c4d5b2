"""Which clean filters are configured: one that was in force when git staged a file made the blob that it has.

Its attribute may be gone since, and then nothing but the configuration says that there is a filter.
"""

from __future__ import annotations

from enum import Enum

from patchpoint.git.repository import Repository
from patchpoint.text.regex import regex


class CleanFilters(Enum):
    """What is configured."""

    NONE = "none"
    GIT_LFS = "git-lfs"
    """Git LFS alone, as `git lfs install` configures it for all of a user's repositories."""
    OTHER = "other"


LFS_POINTER_OF_EQUAL_SIZE = 128
"""Bytes of the only file that is as large as what Git LFS stages in its place: a pointer has 125 bytes, and
the file's size in decimal digits (Git LFS specification, "The Pointer")."""

_COMMANDS = (b"clean", b"process")
_LFS = regex(rb"git[- ]lfs (?:clean(?: --)? %f|filter-process)")


def clean_filters(repository: Repository) -> CleanFilters:
    """Return which clean filters the repository's configuration, the user's and the system's have.

    Every value counts, also one that a nearer file overrides: it may be new there.
    """
    config = repository.config
    sections = [section for section in config.sections() if len(section) == 2]
    commands = {
        command
        for section in sections
        if section[0].lower() == b"filter"
        for name in _COMMANDS
        for command in config.get_multivar(section, name)
        if command
    }
    if not commands:
        return CleanFilters.NONE
    # An extension adds lines to the pointers.
    extended = any(
        section[0].lower() == b"lfs" and section[1].startswith(b"extension.") for section in sections
    )
    plain = not extended and all(map(_LFS.fullmatch, commands))
    return CleanFilters.GIT_LFS if plain else CleanFilters.OTHER
