"""Write checkpoints of a snapshot: their objects first and durably, then their refs, then a look at both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from patchpoint.checkpoints.errors import ObjectsVanishedError
from patchpoint.checkpoints.record.checkpoint import (
    Checkpoint,
    CheckpointKind,
    Companion,
    SkippedPath,
    milliseconds_of,
    new_id,
    to_message,
)
from patchpoint.checkpoints.record.state_commit import CheckpointState, write_commit, write_state
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.dataclass import dataclass, replace
from patchpoint.git import refs
from patchpoint.git.ignore.rules import standard_contents
from patchpoint.git.index.read import names_under_way
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import ObjectID, RawObjectID
from patchpoint.git.odb.presence import ObjectsMissingError, prove_presence
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Repository

Newest = tuple[str, Checkpoint | None]
"""The id of the newest checkpoint, and it itself if it can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRequest:
    """What the caller states of a checkpoint to be taken."""

    kind: CheckpointKind = CheckpointKind.MANUAL
    label: str = ""
    session: str | None = None
    message: str | None = None
    agent: str | None = None
    buffers: Mapping[str, str]
    """Unsaved text by path, relative to the working tree's root."""
    only_changes: bool = False
    """Where nothing has changed since the newest checkpoint, and that is of the same session, it will do."""
    safety_for: str | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    companions: tuple[Companion, ...] = ()


@dataclass(frozen=True, slots=True)
class WritingPlace:
    """Where checkpoints are written: the repository, its objects, and the names of its refs."""

    repository: Repository
    objects: ObjectReader
    namespace: Namespace


def ref_of(namespace: Namespace, checkpoint: Checkpoint) -> bytes:
    """Return the full name of the ref of `checkpoint`."""
    prefix = namespace.safety if checkpoint.kind is CheckpointKind.SAFETY else namespace.checkpoints
    return prefix + checkpoint.id.encode()


def write_each(
    place: WritingPlace,
    writer: ObjectWriter,
    snapshot: Snapshot,
    requests: Sequence[CheckpointRequest],
    newest: Newest | None,
    tree: str | None = None,
) -> list[Checkpoint]:
    """Write a checkpoint of `snapshot` for each request, in this order, and return them.

    `tree` replaces the tree of the snapshot. Where a request is content with the checkpoint before it, that
    one is returned. A checkpoint exists once its ref is created; all of its objects are durable before that.
    Raises `ObjectsVanishedError`, and there is none of them, when some have vanished by then.
    """
    skipped = tuple(SkippedPath(os.fsdecode(left.path), left.reason.value) for left in snapshot.skipped)
    if snapshot.head is not None and not place.objects.has_commit(snapshot.head):
        # Git, which has lost it, would miss it for as long as there is the checkpoint.
        snapshot = replace(snapshot, head=None, branch=None)
    after, known = newest if newest else (None, None)
    while True:
        written: list[Checkpoint] = []
        new: list[Checkpoint] = []
        before = known
        for request in requests:
            state = _write_state(place, writer, snapshot, request, before, skipped)
            draft = _draft(place, snapshot, request, before, after, state, tree or snapshot.tree, skipped)
            if draft is None:
                assert before is not None
                written.append(replace(before, unchanged=True))
                continue
            before = replace(draft, commit=write_commit_of(writer, draft))
            after = before.id
            written.append(before)
            new.append(before)
        writer.finish()
        snapshot.settle()
        if not new or _create(place, new, known, writer, snapshot):
            return written


def _write_state(
    place: WritingPlace,
    writer: ObjectWriter,
    snapshot: Snapshot,
    request: CheckpointRequest,
    before: Checkpoint | None,
    skipped: tuple[SkippedPath, ...],
) -> str:
    """Write the state commit, and return its id."""
    state = CheckpointState(
        index=snapshot.index,
        untracked=snapshot.untracked,
        buffers=request.buffers,
        permissions=snapshot.permissions,
        skipped=skipped,
        rules=standard_contents(place.repository),
    )
    also_keep = [commit for _, commit in request.dropped]
    if names_under_way(place.repository):
        from patchpoint.git.index.under_way import read_under_way

        under_way = read_under_way(place.repository)
        state = replace(state, under_way=under_way.to_record())
        also_keep += filter(place.objects.has_commit, under_way.commits)
    earlier = frozenset(writer.reused)
    commit = write_state(place.objects, writer, state, also_keep)
    if before is None or before.state != commit:
        writer.keep(writer.reused - earlier)
    return commit


def _draft(
    place: WritingPlace,
    snapshot: Snapshot,
    request: CheckpointRequest,
    before: Checkpoint | None,
    after: str | None,
    state: str,
    tree: str,
    skipped: tuple[SkippedPath, ...],
) -> Checkpoint | None:
    """Return the checkpoint, without its commit; `None` where `before` will do."""
    unchanged = before is not None and (
        before.tree,
        before.state,
        before.head,
        before.branch,
        before.companions,
    ) == (tree, state, snapshot.head, snapshot.branch, request.companions)
    if unchanged and request.only_changes and before is not None and _will_do(before, request):
        return None
    prompts = {agent: count for count, agent in before.prompts} if before is not None else {}
    number = None
    if request.agent is not None and request.kind is CheckpointKind.RUN:
        prompts[request.agent] = number = prompts.get(request.agent, 0) + 1
    return Checkpoint(
        id=new_id(after),
        commit="",
        tree=tree,
        label=request.label,
        session=request.session,
        message=request.message,
        branch=snapshot.branch,
        head=snapshot.head,
        root=os.fsdecode(place.repository.worktree),
        files=snapshot.files,
        skipped=skipped,
        unchanged=unchanged,
        kind=request.kind,
        state=state,
        safety_for=request.safety_for,
        dropped=request.dropped,
        included=snapshot.included,
        companions=request.companions,
        agent=request.agent,
        number=number,
        prompts=tuple((count, agent) for agent, count in prompts.items()),
    )


def _create(
    place: WritingPlace,
    checkpoints: Sequence[Checkpoint],
    before: Checkpoint | None,
    writer: ObjectWriter,
    snapshot: Snapshot,
) -> bool:
    """Create the refs of checkpoints whose objects are on the disk; return false when a name is taken.

    What they share with `before`, the one before them, no garbage collection has deleted if the ref of that
    one is there now.
    """
    store = place.repository.refs
    names = {ref_of(place.namespace, checkpoint): checkpoint.commit for checkpoint in checkpoints}
    created: list[bytes] = []
    for name, commit in names.items():
        try:
            if refs.create(store, name, commit):
                created.append(name)
                continue
        except BaseException:
            _delete(place, names, created)
            raise
        _delete(place, names, created)
        return False
    writer.renew()
    if (
        (before is None or refs.target(store, ref_of(place.namespace, before)) == before.commit)
        and snapshot.proof.holds()
        and has_all(place.repository, writer.added)
    ):
        return True
    _delete(place, names, created)
    raise ObjectsVanishedError(
        "Objects vanished while the checkpoint was taken; try again when no garbage collection of git runs."
    )


def _delete(place: WritingPlace, names: Mapping[bytes, str], created: Iterable[bytes]) -> None:
    for name in created:
        refs.delete(place.repository.refs, name, names[name])


def has_all(repository: Repository, wanted: set[RawObjectID]) -> bool:
    """Return whether all of these objects are there."""
    repository.packs.refresh()
    elsewhere = {oid for oid in wanted if repository.packs.holding(oid) is None}
    objects = os.path.join(repository.commondir, b"objects")
    try:
        prove_presence(objects, elsewhere, repository.id_length)
    except ObjectsMissingError:
        return False
    return True


def write_commit_of(writer: ObjectWriter, checkpoint: Checkpoint) -> str:
    """Add the commit of `checkpoint` to `writer`, and return its id."""
    parents = [checkpoint.head] if checkpoint.head else []
    parents.append(checkpoint.state)
    return write_commit(
        writer,
        ObjectID(checkpoint.tree.encode()),
        [ObjectID(parent.encode()) for parent in parents],
        milliseconds_of(checkpoint.id) // 1000,
        to_message(checkpoint),
    )


def _will_do(before: Checkpoint, request: CheckpointRequest) -> bool:
    """Return whether `before` says all that the checkpoint of `request` would, the states being equal.

    What follows it has to be work of the same session; and one before a step is called by the step. After a
    step there is nothing to say where nothing has changed. One before a step is deleted before that of a
    prompt is.
    """
    if request.kind is CheckpointKind.AFTER_STEP:
        return True
    if request.kind is CheckpointKind.RUN and before.kind is CheckpointKind.STEP:
        return False
    others = (CheckpointKind.SAFETY, CheckpointKind.AFTER_RUN, CheckpointKind.AFTER_STEP)
    return before.session == request.session and before.kind not in others
