"""Files that an answer names and that are there, but above the folder that the command works in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.outcome import Reason

if TYPE_CHECKING:
    from patchpoint.headless.result import ApplyResult
    from patchpoint.outcome import Outcome


def with_roots_named(done: ApplyResult, root: Path) -> ApplyResult:
    """Return `done` with a note for each edit whose file is not below `root` but in the same repository.

    Nothing is edited there: only the user can say that `--root` is another folder.
    """
    if not any(_may_be_elsewhere(one) for one in done.outcomes):
        return done
    above = tuple(_folders_above(root))
    return replace(done, outcomes=tuple(_noted(one, root, above) for one in done.outcomes))


def _may_be_elsewhere(outcome: Outcome) -> bool:
    return outcome.reason in (Reason.FILE_MISSING, Reason.FORBIDDEN)


def _noted(outcome: Outcome, root: Path, above: tuple[Path, ...]) -> Outcome:
    if not _may_be_elsewhere(outcome) or os.path.isabs(outcome.path):  # noqa: PTH117 - a text, as it was written
        return outcome
    for folder in above:
        for place in (folder / outcome.path, root / outcome.path):
            named = Path(os.path.normpath(place))
            if named.is_relative_to(folder) and named.is_file():
                path = named.relative_to(folder).as_posix()
                note = f"{path} exists in {folder}; pass --root {folder} to edit it."
                return replace(outcome, notes=(*outcome.notes, note))
    return outcome


def _folders_above(root: Path) -> Iterator[Path]:
    """Yield the folders above `root` up to that of its repository, nearest first; none without one."""
    if (root / ".git").exists():
        return
    found = []
    for folder in root.parents:
        found.append(folder)
        if (folder / ".git").exists():
            yield from found
            return
