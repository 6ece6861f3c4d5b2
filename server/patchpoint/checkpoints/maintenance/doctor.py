"""Find damage of the checkpoints of a working tree and of its repository, and what crashes left behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError, UntrustedJournalError
from patchpoint.checkpoints.maintenance.abandoned import abandoned_in
from patchpoint.checkpoints.maintenance.adopt import adopt
from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere, Why, find_elsewhere
from patchpoint.checkpoints.maintenance.mirror_health import MirrorState, mirror_state
from patchpoint.checkpoints.maintenance.repository_health import repository_problems
from patchpoint.checkpoints.mirror.place import has_mirror, mirror_directory
from patchpoint.checkpoints.mirror.register import Registered
from patchpoint.checkpoints.record.checkpoint import is_id
from patchpoint.checkpoints.record.mirrored import taken_at
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import read_state
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.apply import finish_interrupted_restore
from patchpoint.checkpoints.restore.phases import Phase, has_journal
from patchpoint.checkpoints.restore.staging import STAGING_DIRECTORY_PREFIX
from patchpoint.checkpoints.restore.verify import verify_journal
from patchpoint.dataclass import dataclass
from patchpoint.git import refs
from patchpoint.git.index.lock import left_behind
from patchpoint.git.odb.ids import ObjectID, to_binary
from patchpoint.progress import Progress
from patchpoint.text.regex import regex
from patchpoint.wording import plural

_OPEN = (Phase.PREPARED, Phase.APPLYING)
"""The phases of a restore that was cut short."""
_STAGED = regex(r"\.patchpoint-[0-9a-z]{14}-(back-)?\d+")


@dataclass(frozen=True, slots=True)
class CheckpointFinding:
    """One problem."""

    code: str
    """`unfinished-restore`, `untrusted-journal`, `left-behind`, `checkpoint-damaged`, `checkpoints-lost`,
    `checkpoints-elsewhere` or `repository`."""
    message: str
    repaired: bool


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All problems that were found."""

    findings: tuple[CheckpointFinding, ...]
    elsewhere: tuple[Elsewhere, ...] = ()
    """The checkpoints of the folder that are not among its own, and were not brought back."""
    mirror: MirrorState | None = None
    """How the second copy of the checkpoints is."""

    @property
    def healthy(self) -> bool:
        """Whether no problem is left to be fixed."""
        return all(finding.repaired for finding in self.findings)


def diagnose(records: Records, *, repair: bool, progress: Progress) -> Diagnosis:
    """Find an unfinished restore, what crashes left behind, damaged checkpoints, a damaged repository.

    The caller holds the repository's lock. `repair` finishes or discards the restore and removes what was
    left behind; a damaged checkpoint is only reported: it may still hold most of its files. It is
    deleted only where its ref holds no commit id, so that nothing of it can be found. A journal that is
    not known to be this user's own is never carried out: `repair` moves it aside.
    """
    findings = [*_restores(records, repair, progress)]
    if not _is_open(records):
        findings += _left_behind(records, repair, progress)
    findings += _damaged_refs(records, repair)
    findings += _damaged(records, repair, progress)
    findings += [
        CheckpointFinding("repository", says, False) for says in repository_problems(records.repository)
    ]
    left: list[Elsewhere] = []
    for group in find_elsewhere(records):
        brought = _brought_back(records, group, progress) if repair and group.is_own else None
        if brought is not None:
            findings.append(brought)
        if brought is None or not brought.repaired:
            left.append(group)
            if brought is None and group.why is Why.LOST:
                says = f"{group.says}; repair brings back what the copy outside of the repository has."
                findings.append(CheckpointFinding("checkpoints-lost", says, False))
    state = mirror_state(records, complete=repair, progress=progress)
    return Diagnosis(tuple(findings), tuple(left), state)


def _restores(records: Records, repair: bool, progress: Progress) -> Iterator[CheckpointFinding]:
    """Find what is wrong with the journals of restores; those not to be trusted come first."""
    directory = records.repository.patchpoint_directory
    untrusted = set()
    unreadable: CheckpointError | None = None
    for phase in Phase:
        try:
            journal = journals.read(records.repository, phase)
            if journal is not None and phase is Phase.APPLYING:
                verify_journal(records, journal, phase)
        except UntrustedJournalError as error:
            untrusted.add(phase)
            aside = journals.set_aside(directory, phase) if repair else None
            moved = f" It was moved to '{aside}'." if aside is not None else ""
            yield CheckpointFinding("untrusted-journal", f"{error}{moved}", repair)
        except CheckpointError as error:
            if phase is Phase.DONE:
                yield CheckpointFinding("unfinished-restore", f"Restores cannot be undone: {error}", False)
            else:
                unreadable = error
    if any(has_journal(directory, phase) for phase in set(_OPEN) - untrusted):
        yield _finished(records, progress) if repair else _unfinished(unreadable)


def _unfinished(reason: Exception | None) -> CheckpointFinding:
    problem = f" and cannot be finished: {reason}" if reason else "; repair finishes or discards it."
    return CheckpointFinding("unfinished-restore", f"A restore was interrupted{problem}", False)


def _finished(records: Records, progress: Progress) -> CheckpointFinding:
    try:
        finish_interrupted_restore(records, progress)
    except (CheckpointError, OSError) as error:
        return _unfinished(error)
    message = "A restore was interrupted; it was finished or discarded."
    return CheckpointFinding("unfinished-restore", message, True)


def _left_behind(records: Records, repair: bool, progress: Progress) -> Iterator[CheckpointFinding]:
    repository = records.repository
    common = Path(os.fsdecode(repository.commondir))
    litter: list[Path] = [*_staged_files(Path(os.fsdecode(repository.worktree)), progress)]
    litter += repository.patchpoint_directory.glob(os.fsdecode(STAGING_DIRECTORY_PREFIX) + "*")
    litter += (common / "refs" / "patchpoint").rglob("*.lock")
    for directory in (common / "objects").iterdir():
        litter += abandoned_in(directory, "tmp_*") if directory.is_dir() else []
    if (lock := left_behind(repository)) is not None:
        litter.append(lock)
    for path in litter:
        if repair and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif repair:
            path.unlink(missing_ok=True)
        done = "removed" if repair else "repair removes it"
        yield CheckpointFinding("left-behind", f"'{path}' is left over from a crash; {done}.", repair)


def _damaged_refs(records: Records, repair: bool) -> Iterator[CheckpointFinding]:
    for name, id_ in records.damaged_refs().items():
        done = "deleted" if repair and refs.delete_damaged(records.repository.refs, name) else ""
        message = f"Checkpoint '{id_}' is damaged: its ref '{name.decode()}' does not hold a commit id"
        yield CheckpointFinding(
            "checkpoint-damaged", f"{message}; {done or 'repair deletes it'}.", repaired=bool(done)
        )


def _brought_back(records: Records, group: Elsewhere, progress: Progress) -> CheckpointFinding:
    code = "checkpoints-lost" if group.why is Why.LOST else "checkpoints-elsewhere"
    try:
        done = adopt(records, group, group.entries, progress)
    except CheckpointError as error:
        return CheckpointFinding(code, f"{group.says}. They could not be brought back: {error}", False)
    missing = len(group.entries) - len(done)
    says = f"{plural(len(done), 'checkpoint')} of '{group.folder}' brought back"
    if missing:
        says += f"; of {missing} more, something is missing from the copy, too"
    return CheckpointFinding(code, f"{says}.", not missing)


def _damaged(records: Records, repair: bool, progress: Progress) -> Iterator[CheckpointFinding]:
    verified: set[ObjectID] = set()
    for prefix in (records.namespace.checkpoints, records.namespace.safety):
        for id_, commit in sorted(records.below(prefix).items()):
            if not is_id(id_):
                continue
            progress.check()
            progress.report(f"Checking checkpoint {id_}")
            try:
                checkpoint = records.get(id_)
                state = read_state(records.objects, checkpoint.state)
                for tree in (checkpoint.tree, state.untracked):
                    if tree is not None:
                        _verify(records, tree, verified)
            except CheckpointError as error:
                message = f"Checkpoint '{id_}' (commit {commit[:10]}) is damaged: {error}"
                done = repair and _healed(records, prefix, id_, commit, progress)
                message += " What was missing was brought back from the mirror." if done else ""
                yield CheckpointFinding("checkpoint-damaged", message, done)


def _healed(records: Records, prefix: bytes, id_: str, commit: str, progress: Progress) -> bool:
    """Write what a damaged checkpoint lacks once more, from the mirror; return whether it is whole then."""
    if not has_mirror(records.repository):
        return False
    root = os.fsdecode(records.repository.worktree)
    entry = Registered(ref=os.fsdecode(prefix) + id_, commit=commit, taken=taken_at(id_), root=root)
    mirror, object_format = mirror_directory(records.repository), records.repository.object_format
    group = Elsewhere(Why.LOST, root, mirror, object_format, (entry,))
    try:
        adopt(records, group, group.entries, progress, verify=True)
        _verify(records, records.read(id_, commit).tree, set())
    except CheckpointError:
        return False
    return True


def _verify(records: Records, tree: str, verified: set[ObjectID]) -> None:
    """Read all trees and loose blobs below `tree` that are not `verified` yet, and check that all others are
    in a pack."""
    objects, packs = records.objects, records.repository.packs
    pending = [ObjectID(tree.encode())]
    while pending:
        oid = pending.pop()
        if oid in verified:
            continue
        for entry in objects.tree(oid).values():
            if entry.is_tree:
                pending.append(entry.oid)
            elif not entry.is_gitlink and entry.oid not in verified:
                if packs.holding(to_binary(entry.oid)) is None:
                    objects.blob(entry.oid)
                verified.add(entry.oid)
        verified.add(oid)


def _is_open(records: Records) -> bool:
    directory = records.repository.patchpoint_directory
    return any(has_journal(directory, phase) for phase in _OPEN)


def _staged_files(root: Path, progress: Progress) -> Iterator[Path]:
    waiting = [str(root)]
    while waiting:
        progress.check()
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting += [entry.path] if entry.name != ".git" else []
                elif _STAGED.fullmatch(entry.name):
                    yield Path(entry.path)
