"""The changes that take a transaction back, from its record, as long as the files are as it left them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import FileBytes, identity_of, read_bytes, read_file
from patchpoint.text.encoding import UnencodableError
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import is_shown_as
from patchpoint.workspace.transaction.apply import DiskChange
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind, old_content

_LARGEST = 1 << 40


class FilesChangedError(FileError):
    """A file is not as the transaction that is to be taken back has left it.

    `paths` are all of them, and `as_before` says whether each is as it was before the transaction.
    """

    def __init__(self, paths: Sequence[Path], *, as_before: bool = False) -> None:
        self.paths = tuple(paths)
        self.as_before = as_before
        super().__init__(paths[0], "has changed since")


def inverse_changes(
    steps: Sequence[FileStep], old: Path, opened: Mapping[Path, str] | None = None
) -> list[DiskChange]:
    """Return the changes that take back what `steps` did; `old` is the file with the old contents.

    A file that is `opened` in an editor counts with its text there. Raises `FilesChangedError` if a file has
    changed since, and `OSError`.
    """
    changes: list[DiskChange] = []
    changed: dict[Path, bool] = {}
    freed = {step.new_path or step.path for step in steps if step.kind is not StepKind.DELETE}
    for group in _by_file(steps):
        change = _inverse(group, old, freed, opened or {})
        if change is None:
            changed[Path(group[-1].new_path or group[-1].path)] = _is_as_before(group, opened or {})
        else:
            changes.append(change)
    if changed:
        raise FilesChangedError(list(changed), as_before=all(changed.values()))
    return changes


def is_change_of_text(change: DiskChange) -> bool:
    """Return whether a change is one that an editor can make in an open document."""
    return change.operation is FileOperation.UPDATE and change.data is not None and change.mode is None


def _by_file(steps: Sequence[FileStep]) -> Iterator[list[FileStep]]:
    """Yield the steps of each file: one, or its move and what is done to it at its new place."""
    moved: dict[str, FileStep] = {}
    for step in steps:
        if step.kind is StepKind.MOVE:
            moved[step.new_path] = step
    for step in steps:
        if step.kind in (StepKind.WRITE, StepKind.CHMOD) and step.path in moved:
            yield [moved.pop(step.path), step]
        elif step.kind is not StepKind.MOVE:
            yield [step]
    for step in moved.values():
        yield [step]


def _inverse(
    group: Sequence[FileStep], old: Path, freed: set[str], opened: Mapping[Path, str]
) -> DiskChange | None:
    """Return the change that takes back the steps of one file, or `None` if it has changed since."""
    step, root = group[-1], Path(group[0].root)
    place = Path(step.new_path or step.path)
    if step.kind is StepKind.DELETE:
        # What another step has put there goes first.
        if os.path.lexists(place) and str(place) not in freed:
            return None
        if step.old_link:
            return DiskChange(
                root=root, path=place, operation=FileOperation.CREATE, data=b"", link=step.old_link
            )
        return DiskChange(
            root=root,
            path=place,
            operation=FileOperation.CREATE,
            data=old_content(old, step),
            mode=step.old_mode,
        )
    now = _read(place, opened.get(place))
    wanted = step.new_digest if step.kind in (StepKind.WRITE, StepKind.CREATE) else step.old_digest
    if step.new_link:
        if now is None or not place.is_symlink() or os.readlink(place) != step.new_link:  # noqa: PTH115
            return None
        return DiskChange(root=root, path=place, operation=FileOperation.DELETE, expected=now.identity)
    if now is None or now.identity.digest != wanted:
        return None
    if step.new_mode is not None and now.mode != step.new_mode:
        return None
    if step.kind is StepKind.CREATE:
        if place.is_symlink():
            return None
        return DiskChange(root=root, path=place, operation=FileOperation.DELETE, expected=now.identity)
    mode = step.old_mode if step.kind is not StepKind.MOVE and step.old_mode != now.mode else None
    moved = group[0] if group[0].kind is StepKind.MOVE else None
    if moved is not None and os.path.lexists(moved.path) and moved.path not in freed:
        return None
    return DiskChange(
        root=root,
        path=place,
        operation=FileOperation.UPDATE if moved is None else FileOperation.RENAME,
        expected=now.identity,
        data=old_content(old, step) if step.kind is StepKind.WRITE else None,
        new_path=Path(moved.path) if moved is not None else None,
        mode=mode,
    )


def _is_as_before(group: Sequence[FileStep], opened: Mapping[Path, str]) -> bool:
    (step, *more) = group
    place = Path(step.path)
    now = _read(place, opened.get(place)) if step.kind is StepKind.WRITE and not more else None
    return now is not None and now.identity.digest == step.old_digest


def _read(path: Path, opened: str | None) -> FileBytes | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        if opened is not None and not is_shown_as((saved := read_file(path)).text, opened):
            data = saved.encoded(opened)
            return FileBytes(data, saved.mode, identity_of(data))
        return read_bytes(path, largest=_LARGEST)
    except (OSError, FileError, UnencodableError):
        return None
