"""Check whether a restore may move the branch, and move it so that no commit of it is lost."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.errors import (
    BranchChangedError,
    CheckpointDamagedError,
    HistoryChangedError,
    OperationInProgressError,
    RestoreRefusedError,
    TreeMovedError,
)
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.state_commit import IDENTITY, under_way_in
from patchpoint.checkpoints.restore.journal import HeadMove
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.filesystem.open_to_read import is_special
from patchpoint.git import refs
from patchpoint.git.index.read import index_signature
from patchpoint.git.index.under_way import UnderWay, read_under_way
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Head, Repository

_TO_FINISH = {
    "rebase": "finish it with 'git rebase --continue' or abort it with 'git rebase --abort'",
    "merge": "finish it with 'git commit' or abort it with 'git merge --abort'",
    "cherry-pick": "finish it with 'git cherry-pick --continue' or abort it with 'git cherry-pick --abort'",
    "revert": "finish it with 'git revert --continue' or abort it with 'git revert --abort'",
    "am": "finish it with 'git am --continue' or abort it with 'git am --abort'",
    "bisect": "abort it with 'git bisect reset'",
}
_CLOCK_SLACK = 86_400
"""Seconds by which a commit may claim to be older than its parent."""


def refuse_in_progress(now: UnderWay, then: UnderWay) -> None:
    """Raise `OperationInProgressError` when git goes on in steps, and was elsewhere in them at a checkpoint.

    `now` and `then` is what it is in the middle of. Steps are never set back: they move refs of their own.
    """
    operation = now.operation
    if now.steps and now.steps != then.steps and operation is not None:
        raise OperationInProgressError(operation, _TO_FINISH[operation])


def remark_on_operation(now: UnderWay, wanted: UnderWay) -> str:
    """Return a sentence where a restore ends a merge, cherry-pick or revert, or has git go on with one."""
    sentences = []
    if now.heads and now.heads != wanted.heads:
        sentences.append(f"The {now.operation} under way is saved and put away; an undo goes on with it.")
    if wanted.heads and now.heads != wanted.heads:
        sentences.append(f"Git is in the middle of the {wanted.operation} again that was under way then.")
    if wanted.steps and not now.steps:
        sentences.append(f"The {wanted.operation} that was under way then does not go on.")
    return " ".join(sentences)


def plan_head_move(
    repository: Repository, objects: ObjectReader, checkpoint: Checkpoint, now: Head, *, force: bool
) -> tuple[HeadMove | None, bool]:
    """Return how a restore of `checkpoint` moves HEAD, if so, and whether to restore the staged state.

    A branch moves back or forth along its own history. Where that was rewritten since, `force` moves it all
    the same, for its commits are kept. On another branch, `force` leaves branch and staged state alone, and
    only files are restored. Without `force`, raises `BranchChangedError` or `HistoryChangedError`.
    """
    if repository.private:
        return None, False
    if now == Head(None, None) != Head(checkpoint.head, checkpoint.branch):
        if force:
            return None, False
        raise BranchChangedError(
            "What is checked out cannot be read: HEAD, or the branch it names, does not hold a commit id; "
            "repair it with git first ('git fsck' names it), or restore files alone by force."
        )
    if checkpoint.branch is None and checkpoint.head is None:
        return None, now == Head(None, None)
    if now.branch != checkpoint.branch:
        if force:
            return None, False
        raise BranchChangedError(
            f"The checkpoint was taken on {_shown(checkpoint.branch)}, and {_shown(now.branch)} is checked "
            "out now; switch back first, or force the restore: it then restores files only."
        )
    if now.commit == checkpoint.head:
        return None, True
    if not force and not _are_related(objects, now.commit, checkpoint.head):
        raise HistoryChangedError(
            f"The history of {_shown(now.branch)} has been rewritten since the checkpoint: commit "
            f"{(checkpoint.head or '')[:10]} is no longer in it. Force the restore to move the branch back; "
            "its present commits are kept."
        )
    return HeadMove(ref=now.branch or "HEAD", old=now.commit, new=checkpoint.head), True


def refuse_moved(repository: Repository, snapshot: Snapshot, index: bytes, under_way: UnderWay) -> None:
    """Raise `TreeMovedError` when branch or index (`index` is its signature) are not as they were saved, or
    git is in the middle of something else than what was `under_way`."""
    head = repository.head()
    if (head.commit, head.branch) != (snapshot.head, snapshot.branch):
        raise TreeMovedError(
            "The branch moved while the restore was being prepared; nothing was changed. Try again."
        )
    if index_signature(repository) != index:
        raise TreeMovedError(
            "Something was staged while the restore was being prepared; nothing was changed. Try again."
        )
    if read_under_way(repository) != under_way:
        raise TreeMovedError(
            "Git began or ended a merge while the restore was being prepared; nothing was changed. Try again."
        )


def refusal_of(
    repository: Repository, objects: ObjectReader, checkpoint: Checkpoint
) -> RestoreRefusedError | None:
    """Return why a whole restore would be refused now; only git's state is checked, not the files."""
    try:
        now = read_under_way(repository)
        if now.steps:
            refuse_in_progress(now, UnderWay.from_record(under_way_in(objects, checkpoint.state)))
        plan_head_move(repository, objects, checkpoint, repository.head(), force=False)
    except RestoreRefusedError as error:
        return error
    return None


def remark_on_branch(repository: Repository, checkpoint: Checkpoint) -> str:
    """Return a sentence where another branch is checked out than that of `checkpoint`, else nothing."""
    now = repository.head()
    if repository.private or now.branch == checkpoint.branch or now == Head(None, None):
        return ""
    return (
        f"The checkpoint was taken on {_shown(checkpoint.branch)}; {_shown(now.branch)} is checked out now."
    )


def apply_head_move(
    repository: Repository, namespace: Namespace, move: HeadMove, safety: str, checkpoint: str
) -> bool:
    """Move the branch after keeping its commit under a ref; return false if it was moved meanwhile.

    Idempotent.
    """
    if move.old is not None and ObjectReader(repository).has_commit(move.old):
        refs.create(repository.refs, namespace.undone + safety.encode(), move.old)
    name = os.fsencode(move.ref)
    if refs.target(repository.refs, name) == move.new and not refs.is_damaged(repository.refs, name):
        return True
    if not refs.move(repository.refs, name, move.old, move.new):
        return False
    _append_to_reflogs(repository, move, f"patchpoint: restore {checkpoint}".encode())
    return True


def _are_related(objects: ObjectReader, one: str | None, other: str | None) -> bool:
    """Return whether one commit is an ancestor of the other; a branch without commits is one of all."""
    if one is None or other is None:
        return True
    return _contains(objects, one, other) or _contains(objects, other, one)


def _contains(objects: ObjectReader, commit: str, ancestor: str) -> bool:
    wanted = ObjectID(ancestor.encode())
    oldest = objects.commit(wanted).commit_time - _CLOCK_SLACK
    seen: set[bytes] = set()
    pending = [ObjectID(commit.encode())]
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


def _append_to_reflogs(repository: Repository, move: HeadMove, message: bytes) -> None:
    """Append to the reflogs that exist, so that `git reflog` shows the restore."""
    zero = "0" * (2 * repository.id_length)
    from dulwich.reflog import format_reflog_line

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
        if log.exists() and not is_special(log):
            with log.open("ab") as file:
                file.write(line + b"\n")


def _shown(branch: str | None) -> str:
    return "no branch" if branch is None else f"branch '{branch.removeprefix('refs/heads/')}'"
