"""Fork a checkpoint: a linked working tree with its files, its staged state and its unsaved text."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from dulwich.refs import Ref, check_ref_format

from patchpoint.checkpoints.errors import ForkRefusedError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint, SkippedPath
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.checkpoints.restore.prepare import Restored, RestoreRequest, restore
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.directory_tree import DirectoryTree
from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.git import refs
from patchpoint.git.linked_worktree import LinkedWorktree
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress, Silent
from patchpoint.text.encoding import Encoding, EncodingError, decode, encode

_BRANCHES = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A linked working tree that was made of a checkpoint."""

    path: Path
    """Its root."""
    checkpoint: Checkpoint
    """The first checkpoint of the new working tree: the state that it began with."""
    unsaved: tuple[str, ...]
    """The files, relative to its root, that have what was unsaved text in the editor."""
    kept: tuple[SkippedPath, ...]
    """What the fork lacks, with reasons."""


def fork_checkpoint(
    store: CheckpointStore,
    id: str,  # noqa: A002
    folder: Path,
    *,
    branch: str | None = None,
    options: StoreOptions | None = None,
    progress: Progress | None = None,
) -> Fork:
    """Make `folder`, which must not exist, a linked working tree in the state of checkpoint `id` of `store`.

    HEAD is detached at the checkpoint's commit, or on the new branch `branch`, by its short name. Files that
    had unsaved text in the editor have that text. Nothing in the working tree of `store` is changed. Raises
    `ForkRefusedError` with nothing changed, and what `CheckpointStore.restore` raises, with the folder
    removed.
    """
    watch = progress or Silent()
    checkpoint = store.show(id)
    if store.is_private:
        raise ForkRefusedError(
            f"'{store.root}' is not in a git repository, which a linked working tree needs; run 'git init' "
            "there first."
        )
    repository = Repository.open(store.root)
    target = Path(os.path.abspath(folder))
    _refuse_place(repository, target)
    ref = _new_branch(repository, branch)
    if ref is None and checkpoint.head is None:
        ref = _new_branch(repository, target.name)
    with ExitStack() as created:
        if ref is not None and checkpoint.head is not None:
            if not refs.create(repository.refs, os.fsencode(ref), checkpoint.head):
                raise ForkRefusedError(
                    f"The branch '{ref}' has been created in the meantime; choose another name."
                )
            created.callback(refs.delete, repository.refs, os.fsencode(ref), checkpoint.head)
        try:
            worktree = LinkedWorktree(repository, os.fsencode(target), _head(ref, checkpoint))
        except OSError as error:
            raise ForkRefusedError(f"'{target}' cannot be created: {in_words(error)}.") from error
        created.callback(_remove, repository, worktree)
        done = _filled(worktree, checkpoint, ref, options or StoreOptions(), watch)
        worktree.finish()
        created.pop_all()
    return done


def _filled(
    worktree: LinkedWorktree,
    checkpoint: Checkpoint,
    ref: str | None,
    options: StoreOptions,
    progress: Progress,
) -> Fork:
    """Bring the empty working tree into the state of `checkpoint`, and take its first checkpoint."""
    repository = replace(Repository.open(worktree.folder), patience=options.wait)
    records = Records(repository, options.mirror_bytes)
    take = partial(records.snapshot, options.snapshot, progress)
    # On its own branch, which has the same commit, the restore has nothing to move.
    wanted = replace(checkpoint, branch=ref, head=repository.head().commit)
    with repository_lock(repository, progress):
        restored = restore(records, wanted, RestoreRequest(), take, progress)
        unwritten = _write_unsaved(Path(os.fsdecode(worktree.folder)), restored.buffers)
        label = f"Fork of {checkpoint.label or checkpoint.id}"
        first = records.take_each([CheckpointRequest(label=label, buffers={})], options.snapshot, progress)[0]
        _forget(records, restored)
    return Fork(
        path=Path(os.fsdecode(worktree.folder)),
        checkpoint=first,
        unsaved=tuple(sorted(restored.buffers.keys() - {left.path for left in unwritten})),
        kept=(*restored.kept, *unwritten),
    )


def _remove(repository: Repository, worktree: LinkedWorktree) -> None:
    """Remove the working tree and its checkpoints."""
    worktree.remove()
    prefix = Namespace.of(os.path.basename(worktree.gitdir)).prefix
    commits = refs.below(repository.refs, prefix)
    refs.delete_all(repository.refs, {prefix + os.fsencode(name): oid for name, oid in commits.items()})


def _forget(records: Records, restored: Restored) -> None:
    """Forget the restore: what preceded it is an empty folder, to which nobody wants to go back."""
    if restored.safety is not None:
        records.delete(restored.safety.id, restored.safety.commit)
    journals.remove(records.repository.patchpoint_directory, Phase.DONE)


def _write_unsaved(root: Path, buffers: Mapping[str, str]) -> list[SkippedPath]:
    """Write the text of each path, in the encoding of the file there; return what was not, with reasons."""
    unwritten = []
    tree = DirectoryTree(root)
    try:
        for path, text in buffers.items():
            try:
                directory, name = tree.of(os.fsencode(path), create=True)
                _write_text(directory, name, text)
            except OSError as error:
                reason = f"its unsaved text could not be written: {in_words(error)}"
                unwritten.append(SkippedPath(path, reason))
    finally:
        tree.close()
    return unwritten


def _write_text(directory: OpenDirectory, name: bytes, text: str) -> None:
    if not directory.has(name):
        directory.write_new(name, encode(text, Encoding.UTF_8))
        return
    with directory.opened_file(name) as descriptor:
        status = os.fstat(descriptor)
        was = os.read(descriptor, status.st_size)
    directory.remove(name)
    directory.write_new(name, _encoded(text, was), exactly=stat.S_IMODE(status.st_mode))


def _encoded(text: str, was: bytes) -> bytes:
    with suppress(EncodingError):
        like = decode(was)
        return encode(text, like.encoding, bom=like.bom)
    return encode(text, Encoding.UTF_8)


def _refuse_place(repository: Repository, target: Path) -> None:
    """Raise `ForkRefusedError` when there is something at `target`, or it is within the repository."""
    if os.path.lexists(target):
        raise ForkRefusedError(f"'{target}' already exists; name a new folder.")
    place = os.path.realpath(os.fsencode(target))
    for inside in (repository.worktree, repository.commondir):
        if place.startswith(os.path.join(inside, b"")):
            raise ForkRefusedError(
                f"'{target}' is inside '{os.fsdecode(inside)}'; name a folder outside of the working tree, "
                "such as one next to it."
            )


def _new_branch(repository: Repository, name: str | None) -> str | None:
    """Return the full name of a branch that does not exist."""
    if name is None:
        return None
    full = _BRANCHES + name
    if name.startswith(_BRANCHES):
        short = name.removeprefix(_BRANCHES)
        raise ForkRefusedError(f"Branch names do not start with '{_BRANCHES}'; use '{short}'.")
    # What git's own check of a new branch refuses.
    if not check_ref_format(Ref(os.fsencode(full))) or name.startswith("-") or name == "HEAD":
        raise ForkRefusedError(f"'{name}' is not a valid branch name; choose another.")
    if repository.refs.has(os.fsencode(full)):
        raise ForkRefusedError(f"The branch '{name}' already exists; choose another name.")
    return full


def _head(ref: str | None, checkpoint: Checkpoint) -> bytes:
    return os.fsencode(f"ref: {ref}" if ref is not None else checkpoint.head or "")
