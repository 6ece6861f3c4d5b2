"""The phases of a restore, each of which has a journal: which of them there are, and from which boot."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path

from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.process import boot_id

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.git.repository import Repository

_BOOT = "restore.boot"
_LARGEST_BOOT = 4096


class Phase(str, Enum):
    """The phase of a restore, which is the end of its journal's name."""

    PREPARED = "prepared"
    APPLYING = "applying"
    DONE = "done"


def journal_name(phase: Phase) -> str:
    """Return the name of the journal of this phase, in the private directory of the working tree."""
    return f"restore.{phase.value}"


def has_journal(directory: Path, phase: Phase) -> bool:
    """Return whether there is a journal of this phase."""
    return os.path.lexists(directory / journal_name(phase))


def is_unfinished(directory: Path) -> bool:
    """Return whether a restore was cut short, or is going on."""
    return has_journal(directory, Phase.PREPARED) or has_journal(directory, Phase.APPLYING)


def is_left_undone(repository: Repository) -> bool:
    """Return whether a restore was cut short, or is going on, or has left the index locked."""
    if is_unfinished(repository.patchpoint_directory):
        return True
    if not os.path.lexists(os.path.join(repository.gitdir, b"index.lock")):
        return False
    from patchpoint.git.index.lock import left_behind

    return left_behind(repository) is not None


def record_boot(directory: Path) -> None:
    """Record the id of the current boot as that of the restore."""
    from patchpoint.filesystem.atomic_write import Durability, write_atomically

    if (now := boot_id()) != _noted_boot(directory):
        write_atomically(
            directory / _BOOT, now.encode("ascii"), durability=Durability.NONE, temporary=_BOOT + ".new"
        )


def is_from_earlier_boot(directory: Path) -> bool:
    """Return whether the machine was restarted since the last restore; false where that is unknown."""
    return _noted_boot(directory) not in ("", boot_id())


def _noted_boot(directory: Path) -> str:
    try:
        return read_own_file(directory / _BOOT, largest=_LARGEST_BOOT).decode("ascii")
    except (OSError, ValueError):
        return ""
