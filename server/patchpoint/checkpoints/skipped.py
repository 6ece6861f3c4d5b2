"""What is left out of a snapshot, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SkipReason(str, Enum):
    """Why a path is not in a snapshot; the value ends the sentence 'left out: ...'."""

    SUBMODULE = "a submodule, recorded by its commit only"
    NESTED_REPOSITORY = "a repository of its own"
    SPECIAL_FILE = "not a file (a socket, pipe or device)"
    UNREADABLE = "it could not be read"
    UNSTABLE = "it was being written to"
    TOO_LARGE = "larger than the limit"
    EXCLUDED = "excluded by the settings"
    UNSAFE_NAME = "git does not allow its name"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path (relative to the working tree, `/` between its parts; a file, or a folder with all that is in
    it) that is not in the snapshot's tree. A restore neither overwrites nor deletes it or what is in it."""

    path: bytes
    reason: SkipReason


_REASONS = list(SkipReason)


def reason_number(reason: SkipReason) -> int:
    """A number above 0 for `reason`."""
    return _REASONS.index(reason) + 1


def numbered_reason(number: int) -> SkipReason:
    """The reason with this number."""
    return _REASONS[number - 1]
