"""The phases of a restore, each of which has a journal, and which of them there are."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path


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
