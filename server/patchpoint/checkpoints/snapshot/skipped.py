"""The paths that a snapshot skips, and why."""

from __future__ import annotations

from enum import Enum

from patchpoint.dataclass import dataclass


class SkipReason(str, Enum):
    """Why a path is not in a snapshot; the value is shown to users, as in 'left out: ...'."""

    SUBMODULE = "a submodule, recorded by its commit only"
    NESTED_REPOSITORY = "a repository of its own"
    SPECIAL_FILE = "not a file (a socket, pipe or device)"
    UNREADABLE = "it could not be read"
    UNSTABLE = "it was being written to"
    TOO_LARGE = "larger than the limit"
    EXCLUDED = "excluded by the settings"
    UNSAFE_NAME = "git does not allow its name"


OF_THE_FILE = frozenset(
    {
        SkipReason.SPECIAL_FILE,
        SkipReason.UNREADABLE,
        SkipReason.UNSTABLE,
        SkipReason.TOO_LARGE,
        SkipReason.UNSAFE_NAME,
    }
)
"""Reasons that are of a file itself: one that is new since a checkpoint stays when that is restored."""


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """A file, or a directory with its content, that is not in the snapshot's tree.

    Its path is relative to the working tree, with `/`. A restore neither overwrites nor deletes it.
    """

    path: bytes
    reason: SkipReason


_REASONS = list(SkipReason)


def reason_number(reason: SkipReason) -> int:
    """Return the number of `reason`, which is above 0."""
    return _REASONS.index(reason) + 1


def numbered_reason(number: int) -> SkipReason:
    """Return the reason with this number."""
    return _REASONS[number - 1]
