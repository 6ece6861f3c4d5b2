"""Send checkpoints to and fetch them from another repository: a folder, or a git server over HTTP.

A remote keeps them under `refs/patchpoint/checkpoints/`, whichever working tree they came from.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, cast

from dulwich.object_store import MissingObjectFinder
from dulwich.objects import Blob
from dulwich.pack import UnpackedObject
from dulwich.refs import Ref
from dulwich.repo import Repo

from patchpoint.checkpoints.errors import CheckpointError, TransferDeclinedError, TransferError
from patchpoint.checkpoints.maintenance.abandoned import FETCHED_PREFIX
from patchpoint.checkpoints.maintenance.remote import Remote, connect, find_remote
from patchpoint.checkpoints.record.checkpoint import is_id, trailers_of
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import read_state
from patchpoint.dataclass import dataclass, replace
from patchpoint.git.odb import kept_packs
from patchpoint.git.odb.disk_store import DiskStore
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.odb.stores import packs_in
from patchpoint.git.refs import Namespace, create
from patchpoint.git.repository import Repository
from patchpoint.progress import CancelledError, Progress
from patchpoint.wording import without_credentials

_REMOTE = Namespace.of(None).checkpoints
_REVIEWS = Namespace.of(None).prefix + b"reviews/"
_LARGEST_REVIEW = 16 << 20
"""Bytes of a review beyond which it is not received."""
_LONGEST_REASON = 500
"""Characters of what a server says that are shown."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """What is about to be sent or fetched; all but the first two are known only of what is sent."""

    remote: Remote
    checkpoints: tuple[str, ...]
    """The ids of those that the other side does not have, newest first."""
    labels: tuple[str, ...] = ()
    """Their labels, of what is sent."""
    objects: int = 0
    size: int = 0
    """Bytes of the objects, before they are compressed."""
    untracked: int = 0
    """The number of untracked files among what is sent."""
    unsaved: int = 0
    """The number of files among it whose text is unsaved in an editor."""
    reviews: int = 0
    """The number of open reviews that are sent with them, as they are."""


Confirm = Callable[[Transfer], bool]
"""Answers whether the transfer may be done."""


def push(
    records: Records,
    remote: str,
    ids: Sequence[str] | None,
    progress: Progress,
    confirm: Confirm | None = None,
    reviews: Mapping[str, bytes] | None = None,
) -> tuple[str, ...]:
    """Send checkpoints to `remote`, by default all but the safety checkpoints; return the ids new there.

    `remote` is a name from the repository's configuration, a URL or a folder. `reviews` are sent with the
    checkpoints that they begin at, each in place of what is there of it. `confirm` is asked before anything
    is sent. Raises `TransferError`, `TransferDeclinedError`, and `CheckpointNotFoundError` for an id
    that does not exist.
    """
    own = {id_: commit for id_, commit in records.below(records.namespace.checkpoints).items() if is_id(id_)}
    for id_ in ids or ():
        if id_ not in own:
            own[id_] = records.get(id_).commit
    wanted = {id_: own[id_] for id_ in (own if ids is None else ids)}
    private = {id_ for id_, commit in wanted.items() if _holds_ignored(records.objects.commit, commit)}
    if private and ids is not None:
        raise TransferError(
            f"Checkpoint '{min(private)}' holds files that git ignores (checkpoints.include), and is sent "
            "nowhere; leave it out."
        )
    wanted = {id_: commit for id_, commit in wanted.items() if id_ not in private}
    carried = {id_: data for id_, data in (reviews or {}).items() if id_ in wanted}
    found = find_remote(records, remote, push=True)
    sent: list[str] = []

    def update(theirs: dict[Ref, ObjectID]) -> dict[Ref, ObjectID]:
        progress.check()
        missing = {id_: commit for id_, commit in wanted.items() if Ref(_REMOTE + id_.encode()) not in theirs}
        blobs = {Ref(_REVIEWS + id_.encode()): Blob.from_string(data) for id_, data in carried.items()}
        blobs = {name: blob for name, blob in blobs.items() if theirs.get(name) != blob.id}
        if (missing or blobs) and confirm is not None:
            outgoing = _outgoing(records, repo, found, missing, set(theirs.values()), progress)
            _require(confirm, replace(outgoing, reviews=len(blobs)))
        sent.extend(missing)
        for blob in blobs.values():
            repo.object_store.add_object(blob)
        refs = {Ref(_REMOTE + id_.encode()): ObjectID(commit.encode()) for id_, commit in missing.items()}
        return {**refs, **{name: blob.id for name, blob in blobs.items()}}

    def generate(
        have: Set[ObjectID],
        want: Set[ObjectID],
        *,
        ofs_delta: bool = False,
        progress: Callable[[bytes], None] | None = None,
    ) -> tuple[int, Iterator[UnpackedObject]]:
        del progress  # reports the counting of objects, which takes no time here
        return repo.generate_pack_data(set(have), set(want), ofs_delta=ofs_delta)

    client, path = connect(records, found)
    with Repo(os.fsdecode(records.repository.commondir), bare=True) as repo, _named(found):
        result = client.send_pack(path.encode(), update, generate, progress=_reporting(progress))
    refused = {name for name, problem in (result.ref_status or {}).items() if problem}
    if refused:
        raise TransferError(f"{found.shown} refused {len(refused)} of the checkpoints; it may be read-only.")
    return tuple(sorted(sent, reverse=True))


def fetch(
    records: Records,
    remote: str,
    progress: Progress,
    locked: Callable[[Progress], AbstractContextManager[None]],
    confirm: Confirm | None = None,
    reviewed: Callable[[str, bytes], object] | None = None,
) -> tuple[str, ...]:
    """Fetch the checkpoints of `remote` that are not here yet; return their ids.

    `reviewed` is called with each review that is there since a checkpoint that is here then.

    `locked` holds the lock of the checkpoints, which nobody waits for while the other side answers. `confirm`
    is asked before anything is fetched. Raises `TransferError` and `TransferDeclinedError`.
    """
    here: Collection[str] = records.below(records.namespace.checkpoints)
    wanted: dict[str, str] = {}
    reviews: dict[str, ObjectID] = {}
    found = find_remote(records, remote, push=False)

    def determine(refs: Mapping[Ref, ObjectID], depth: int | None = None) -> list[ObjectID]:
        del depth  # is for shallow fetches
        progress.check()
        for name, commit in refs.items():
            id_ = name[len(_REMOTE) :].decode("ascii", "replace") if name.startswith(_REMOTE) else ""
            if is_id(id_) and id_ not in here:
                wanted[id_] = commit.decode()
        for name, blob in refs.items() if reviewed is not None else ():
            id_ = name[len(_REVIEWS) :].decode("ascii", "replace") if name.startswith(_REVIEWS) else ""
            if id_ in wanted or id_ in here:
                reviews[id_] = blob
        if wanted and confirm is not None:
            _require(confirm, Transfer(found, tuple(sorted(wanted, reverse=True))))
        new = [blob for blob in reviews.values() if blob not in repo.object_store]
        return [*(ObjectID(commit.encode()) for commit in wanted.values()), *new]

    client, path = connect(records, found)
    with _quarantine(records) as (repo, received), _named(found):
        client.fetch(path.encode(), repo, determine_wants=determine, progress=_reporting(progress))
        for id_ in [id_ for id_, commit in wanted.items() if _holds_ignored(repo.get_object, commit)]:
            del wanted[id_]  # what should never have been sent
        blobs = {id_: repo.get_object(oid) for id_, oid in reviews.items() if id_ in wanted or id_ in here}
        sent = {id_: blob.data for id_, blob in blobs.items() if isinstance(blob, Blob)}
        with locked(progress):
            since = time.monotonic()
            records.claim_namespace()
            received.release()
            for id_, commit in wanted.items():
                create(records.repository.refs, records.namespace.checkpoints + id_.encode(), commit)
            fetched = [each for each in records.all() if each.id in wanted]
            records.add_to_mirror(fetched, since)
    if reviewed is not None:
        for id_, data in sent.items():
            if len(data) <= _LARGEST_REVIEW:
                reviewed(id_, data)
    return tuple(sorted(wanted, reverse=True))


class _Commit(Protocol):
    """A commit, as far as it is read here."""

    message: bytes


def _holds_ignored(read: Callable[[ObjectID], object], commit: str) -> bool:
    """Return whether a checkpoint holds files that git ignores."""
    message = cast(_Commit, read(ObjectID(commit.encode()))).message
    return "Included" in trailers_of(message)


@dataclass(frozen=True)
class _Received:
    """The objects that a fetch has brought, in a store of their own."""

    repository: Repository
    store: DiskStore

    def release(self) -> None:
        """Move them to the repository, in packs that git keeps until the refs of them exist, and longer."""
        repository = self.repository
        self.store.close()
        directory = os.path.join(repository.commondir, b"objects", b"pack")
        for pack in packs_in(os.fsencode(self.store.path)):
            kept_packs.install(pack.stem, directory, repository.object_format)
        repository.packs.refresh()


@contextmanager
def _quarantine(records: Records) -> Iterator[tuple[Repo, _Received]]:
    """Let a fetch write into a store of its own, which borrows from that of the repository, as git's own
    `receive-pack` does: a pack without a ref is deleted by the next `git repack -ad`."""
    repository = records.repository
    above = Path(os.fsdecode(repository.commondir)) / "patchpoint"
    above.mkdir(exist_ok=True)
    with (
        ExitStack() as opened,
        TemporaryDirectory(prefix=FETCHED_PREFIX, dir=above, ignore_cleanup_errors=True) as place,
        Repo(os.fsdecode(repository.commondir), bare=True) as repo,
    ):
        DiskStore.init(place)
        (Path(place) / "info" / "alternates").write_text("../../objects\n")
        store = opened.enter_context(closing(DiskStore(place, object_format=repository.dulwich_format)))
        store.fsync_object_files = True
        repo.object_store.close()
        repo.object_store = store
        yield repo, _Received(repository, store)


def _require(confirm: Confirm, transfer: Transfer) -> None:
    if not confirm(transfer):
        raise TransferDeclinedError(f"Nothing was exchanged with {transfer.remote.shown}.")


def _outgoing(
    records: Records,
    repo: Repo,
    remote: Remote,
    missing: Mapping[str, str],
    have: Set[ObjectID],
    progress: Progress,
) -> Transfer:
    """Return what sending the checkpoints `missing` (commit by id) means for a remote that has `have`."""
    wanted = [ObjectID(commit.encode()) for commit in missing.values()]
    finder = MissingObjectFinder(repo.object_store, haves=have, wants=wanted, shallow=repo.get_shallow())
    objects = size = 0
    for oid, _ in finder:
        progress.check()
        objects += 1
        size += len(repo.object_store.get_raw(oid)[1])
    untracked: set[bytes] = set()
    unsaved: set[str] = set()
    checkpoints = [records.get(id_) for id_ in sorted(missing, reverse=True)]
    for state in {checkpoint.state for checkpoint in checkpoints}:
        progress.check()
        recorded = read_state(records.objects, state)
        unsaved.update(recorded.buffers)
        if recorded.untracked is not None:
            untracked.update(path for path, _ in records.objects.files(ObjectID(recorded.untracked.encode())))
    return Transfer(
        remote,
        tuple(checkpoint.id for checkpoint in checkpoints),
        tuple(checkpoint.label for checkpoint in checkpoints),
        objects,
        size,
        len(untracked),
        len(unsaved),
    )


def _reporting(progress: Progress) -> Callable[[bytes], None]:
    def report(message: bytes) -> None:
        progress.check()
        progress.report(message.decode("utf-8", "replace").strip())

    return report


@contextmanager
def _named(remote: Remote) -> Iterator[None]:
    """Raise what goes wrong in the block as `TransferError`.

    The other side may answer anything, and dulwich lets whatever its parsers raise then pass.
    """
    try:
        yield
    except (CheckpointError, CancelledError):
        raise
    except Exception as error:
        reason = without_credentials(str(error) or type(error).__name__).rstrip(".")[:_LONGEST_REASON]
        raise TransferError(f"{remote.shown} could not be reached, or refused: {reason}.") from error
