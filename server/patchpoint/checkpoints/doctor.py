"""What is wrong with the checkpoints of a working tree, and what a crash left behind."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dulwich.objects import ObjectID

from patchpoint.checkpoints import journal as journals
from patchpoint.checkpoints.checkpoint import is_id
from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.index_lock import left_behind
from patchpoint.checkpoints.journal import Phase
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.record import Records
from patchpoint.checkpoints.replaced import delete_left_behind
from patchpoint.checkpoints.restore_apply import recover
from patchpoint.checkpoints.state import read_state
from patchpoint.progress import Progress

_OLD = 86_400.0
"""Seconds after which a temporary object file is nobody's any more."""
_STAGED = re.compile(r"\.patchpoint-[0-9a-z]{14}-(back-)?\d+")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    code: str
    """`unfinished-restore`, `left-behind`, or `checkpoint-damaged`."""
    message: str
    repaired: bool


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found."""

    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing is left to be mended."""
        return all(finding.repaired for finding in self.findings)


def diagnose(records: Records, *, repair: bool, progress: Progress) -> Diagnosis:
    """Look for an unfinished restore, for what crashes left behind, and for damaged checkpoints.

    The caller holds the repository's turn. `repair` finishes or discards the restore and removes what was
    left behind; a damaged checkpoint is only told of: it may still hold most of its files.
    """
    findings = [*_unfinished(records, repair, progress)]
    if not _is_open(records):
        findings += _left_behind(records, repair, progress)
    findings += _damaged(records, progress)
    return Diagnosis(tuple(findings))


def sweep(records: Records) -> None:
    """Remove temporary pack files that a crash left a day ago or longer, and the files that a restore
    replaced."""
    delete_left_behind(records.repository.patchpoint_folder)
    for path in _old_temporaries(Path(os.fsdecode(records.repository.commondir)) / "objects" / "pack"):
        with suppress(OSError):
            path.unlink()


def _unfinished(records: Records, repair: bool, progress: Progress) -> Iterator[Finding]:
    if not _is_open(records):
        return
    message = "A restore was cut short"
    if not repair:
        yield Finding("unfinished-restore", f"{message}; repair finishes or discards it.", False)
        return
    try:
        recover(records, progress)
        yield Finding("unfinished-restore", f"{message}; it was finished or discarded.", True)
    except (CheckpointError, OSError) as error:
        yield Finding("unfinished-restore", f"{message} and cannot be finished: {error}", False)


def _left_behind(records: Records, repair: bool, progress: Progress) -> Iterator[Finding]:
    repository = records.repository
    common = Path(os.fsdecode(repository.commondir))
    litter: list[Path] = [*_staged_files(Path(os.fsdecode(repository.worktree)), progress)]
    litter += (common / "refs" / "patchpoint").rglob("*.lock")
    for folder in (common / "objects").iterdir():
        litter += _old_temporaries(folder) if folder.is_dir() else []
    if (lock := left_behind(repository)) is not None:
        litter.append(lock)
    for path in litter:
        if repair:
            path.unlink(missing_ok=True)
        done = "removed" if repair else "repair removes it"
        yield Finding("left-behind", f"'{path}' was left behind by a crash; {done}.", repair)


def _damaged(records: Records, progress: Progress) -> Iterator[Finding]:
    proven: set[bytes] = set()
    for prefix in (records.namespace.checkpoints, records.namespace.safety):
        for id_, commit in sorted(records.below(prefix).items()):
            if not is_id(id_):
                continue
            progress.check()
            progress.report(f"Looking at checkpoint {id_}")
            try:
                checkpoint = records.get(id_)
                read_state(records.objects, checkpoint.state)
                _prove(records.objects, records.repository.objects.__contains__, checkpoint.tree, proven)
            except CheckpointError as error:
                message = f"Checkpoint '{id_}' (commit {commit[:10]}) is damaged: {error}"
                yield Finding("checkpoint-damaged", message, False)


def _prove(
    objects: ProvenObjects, is_there: Callable[[ObjectID], bool], tree: str, proven: set[bytes]
) -> None:
    """Read all trees below `tree` that are not `proven` yet, and see that all files' contents are there."""
    pending = [tree.encode()]
    while pending:
        oid = pending.pop()
        if oid in proven:
            continue
        for entry in objects.tree(oid).values():
            if entry.is_tree:
                pending.append(entry.oid)
            elif not entry.is_gitlink and entry.oid not in proven:
                if not is_there(ObjectID(entry.oid)):
                    objects.blob(entry.oid)
                proven.add(entry.oid)
        proven.add(oid)


def _is_open(records: Records) -> bool:
    folder = records.repository.patchpoint_folder
    return any(journals.exists(folder, phase) for phase in (Phase.PREPARED, Phase.APPLYING))


def _staged_files(root: Path, progress: Progress) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        progress.check()
        if ".git" in folders:
            folders.remove(".git")
        for name in files:
            if _STAGED.fullmatch(name):
                yield Path(folder) / name


def _old_temporaries(folder: Path) -> list[Path]:
    found = []
    with suppress(OSError):
        for path in folder.glob("tmp_*"):
            if time.time() - path.stat().st_mtime > _OLD:
                found.append(path)
    return found
