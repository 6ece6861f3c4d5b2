"""Whether a restore may move the branch, and moving it so that nothing it held is lost."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from dulwich.objects import ObjectID
from dulwich.reflog import format_reflog_line
from dulwich.refs import Ref

from patchpoint.checkpoints import refs
from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.errors import (
    BranchChangedError,
    CheckpointDamagedError,
    HistoryChangedError,
    OperationInProgressError,
)
from patchpoint.checkpoints.journal import HeadMove
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.refs import Namespace
from patchpoint.checkpoints.repository import Head, Repository
from patchpoint.checkpoints.state import IDENTITY

_IN_PROGRESS = {
    "rebase-merge": (
        "rebase",
        "finish it with 'git rebase --continue' or leave it with 'git rebase --abort'",
    ),
    "rebase-apply": (
        "rebase",
        "finish it with 'git rebase --continue' or leave it with 'git rebase --abort'",
    ),
    "MERGE_HEAD": ("merge", "finish it with 'git commit' or leave it with 'git merge --abort'"),
    "CHERRY_PICK_HEAD": (
        "cherry-pick",
        "finish it with 'git commit' or leave it with 'git cherry-pick --abort'",
    ),
    "REVERT_HEAD": ("revert", "finish it with 'git commit' or leave it with 'git revert --abort'"),
    "sequencer": ("cherry-pick", "finish it with 'git cherry-pick --continue' or leave it with '--abort'"),
    "BISECT_LOG": ("bisect", "leave it with 'git bisect reset'"),
}
_CLOCK_SLACK = 86_400
"""Seconds by which a commit may claim to be older than its parent."""


def refuse_in_progress(repository: Repository) -> None:
    """Raise `OperationInProgressError` when git is in the middle of a merge, rebase or the like."""
    if repository.private:
        return
    for name, (operation, finish) in _IN_PROGRESS.items():
        if os.path.lexists(os.path.join(repository.gitdir, os.fsencode(name))):
            raise OperationInProgressError(operation, finish)


def head_move(
    repository: Repository, objects: ProvenObjects, checkpoint: Checkpoint, now: Head, *, force: bool
) -> tuple[HeadMove | None, bool]:
    """What a restore of `checkpoint` does to HEAD (`None`: nothing), and whether to restore the staged state.

    A branch goes back or forth along its own history. Where it was rewritten since, `force` moves it all
    the same, for what it held is kept. On another branch `force` leaves branch and staged state alone, and
    only files are restored. Without it, raises `BranchChangedError` or `HistoryChangedError`.
    """
    if repository.private:
        return None, False
    if now.branch != checkpoint.branch:
        if force:
            return None, False
        raise BranchChangedError(
            f"The checkpoint was taken on {_named(checkpoint.branch)}, and {_named(now.branch)} is checked "
            "out now; switch back first, or restore files alone by force."
        )
    if now.commit == checkpoint.head:
        return None, True
    if not force and not _on_one_line(objects, now.commit, checkpoint.head):
        raise HistoryChangedError(
            f"The history of {_named(now.branch)} was rewritten since the checkpoint: commit "
            f"{(checkpoint.head or '')[:10]} is not in it any more. Restore by force to set it back; what it "
            "holds now is kept."
        )
    return HeadMove(ref=now.branch or "HEAD", old=now.commit, new=checkpoint.head), True


def move_head(
    repository: Repository, namespace: Namespace, move: HeadMove, safety: str, checkpoint: str
) -> bool:
    """Move the branch, its commit put under a ref of its own first; false when it is elsewhere by now.

    Doing it again after it was done is no harm.
    """
    if move.old is not None:
        refs.create(repository.refs, namespace.undone + safety.encode(), move.old)
    name = os.fsencode(move.ref)
    current = repository.refs.read_ref(Ref(name))
    if current == (move.new.encode() if move.new else None):
        return True
    if not refs.move(repository.refs, name, move.old, move.new):
        return False
    _log(repository, move, f"patchpoint: restore {checkpoint}".encode())
    return True


def _on_one_line(objects: ProvenObjects, one: str | None, other: str | None) -> bool:
    """Whether one of two commits contains the other; a branch without commits is contained in all."""
    if one is None or other is None:
        return True
    return _contains(objects, one, other) or _contains(objects, other, one)


def _contains(objects: ProvenObjects, commit: str, ancestor: str) -> bool:
    wanted = ancestor.encode()
    oldest = objects.commit(wanted).commit_time - _CLOCK_SLACK
    seen: set[bytes] = set()
    pending = [commit.encode()]
    while pending:
        oid = pending.pop()
        if oid == wanted:
            return True
        if oid in seen:
            continue
        seen.add(oid)
        # A shallow clone ends where the parents are not there.
        with suppress(CheckpointDamagedError):
            found = objects.commit(oid)
            if found.commit_time >= oldest:
                pending += found.parents
    return False


def _log(repository: Repository, move: HeadMove, message: bytes) -> None:
    """Tell the reflogs, where they are kept, so that `git reflog` shows the restore."""
    zero = "0" * (2 * repository.id_length)
    line = format_reflog_line(
        ObjectID((move.old or zero).encode()),
        ObjectID((move.new or zero).encode()),
        IDENTITY,
        int(time.time()),
        0,
        message,
    )
    logs = [Path(os.fsdecode(repository.gitdir)) / "logs" / "HEAD"]
    if move.ref != "HEAD":
        logs.append(Path(os.fsdecode(repository.commondir)) / "logs" / move.ref)
    for log in logs:
        if log.exists():
            with log.open("ab") as file:
                file.write(line + b"\n")


def _named(branch: str | None) -> str:
    return "no branch" if branch is None else f"branch '{branch.removeprefix('refs/heads/')}'"
