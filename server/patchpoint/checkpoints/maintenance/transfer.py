"""Send checkpoints to and fetch them from another repository: a folder, or a git server over HTTP.

A remote keeps them under `refs/patchpoint/checkpoints/`, whichever working tree they came from. Other
transports would start a program, which is never done here; plain git can push and fetch the refs over those.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from pathlib import Path

from dulwich.client import GitClient, HttpGitClient, HTTPUnauthorized, LocalGitClient, get_transport_and_path
from dulwich.errors import GitProtocolError, HangupException, NotGitRepository, SendPackError
from dulwich.pack import UnpackedObject
from dulwich.refs import Ref
from dulwich.repo import Repo
from urllib3.exceptions import HTTPError

from patchpoint.checkpoints.errors import TransferError
from patchpoint.checkpoints.record.checkpoint import is_id
from patchpoint.checkpoints.record.records import Records
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.refs import Namespace, create
from patchpoint.progress import CancelledError, Progress

_REMOTE = Namespace.of(None).checkpoints
_FAILURES = (
    GitProtocolError,
    HangupException,
    NotGitRepository,
    SendPackError,
    HTTPError,
    HTTPUnauthorized,
    OSError,
    ValueError,
    KeyError,
)


def push(records: Records, remote: str, ids: Sequence[str] | None, progress: Progress) -> tuple[str, ...]:
    """Send checkpoints to `remote`, by default all but the safety checkpoints; return the ids new there.

    `remote` is a name from the repository's configuration, a URL or a folder. Raises `TransferError`, and
    `CheckpointNotFoundError` for an id that does not exist.
    """
    own = {id_: commit for id_, commit in records.below(records.namespace.checkpoints).items() if is_id(id_)}
    for id_ in ids or ():
        if id_ not in own:
            own[id_] = records.get(id_).commit
    wanted = {id_: own[id_] for id_ in (own if ids is None else ids)}
    sent: list[str] = []

    def update(theirs: dict[Ref, ObjectID]) -> dict[Ref, ObjectID]:
        progress.check()
        missing = {id_: commit for id_, commit in wanted.items() if Ref(_REMOTE + id_.encode()) not in theirs}
        sent.extend(missing)
        return {Ref(_REMOTE + id_.encode()): ObjectID(commit.encode()) for id_, commit in missing.items()}

    def generate(
        have: Set[ObjectID],
        want: Set[ObjectID],
        *,
        ofs_delta: bool = False,
        progress: Callable[[bytes], None] | None = None,
    ) -> tuple[int, Iterator[UnpackedObject]]:
        del progress  # reports the counting of objects, which takes no time here
        return repo.generate_pack_data(set(have), set(want), ofs_delta=ofs_delta)

    client, path = _client(records, remote, "push")
    with Repo(os.fsdecode(records.repository.commondir), bare=True) as repo:
        try:
            result = client.send_pack(path.encode(), update, generate, progress=_reporting(progress))
        except _FAILURES as error:
            raise _failed(remote, error) from error
    refused = {name for name, problem in (result.ref_status or {}).items() if problem}
    if refused:
        raise TransferError(f"'{remote}' refused {len(refused)} of the checkpoints; it may be read-only.")
    return tuple(sorted(sent, reverse=True))


def fetch(records: Records, remote: str, progress: Progress) -> tuple[str, ...]:
    """Fetch the checkpoints of `remote` that are not here yet; return their ids. Raises `TransferError`."""
    here: Collection[str] = records.below(records.namespace.checkpoints)
    wanted: dict[str, str] = {}

    def determine(refs: Mapping[Ref, ObjectID], depth: int | None = None) -> list[ObjectID]:
        del depth  # is for shallow fetches
        progress.check()
        for name, commit in refs.items():
            id_ = name[len(_REMOTE) :].decode("ascii", "replace") if name.startswith(_REMOTE) else ""
            if is_id(id_) and id_ not in here:
                wanted[id_] = commit.decode()
        return [ObjectID(commit.encode()) for commit in wanted.values()]

    client, path = _client(records, remote, "pull")
    with Repo(os.fsdecode(records.repository.commondir), bare=True) as repo:
        try:
            client.fetch(path.encode(), repo, determine_wants=determine, progress=_reporting(progress))
        except _FAILURES as error:
            raise _failed(remote, error) from error
    for id_, commit in wanted.items():
        create(records.repository.refs, records.namespace.checkpoints + id_.encode(), commit)
    return tuple(sorted(wanted, reverse=True))


def _client(records: Records, remote: str, operation: str) -> tuple[GitClient, str]:
    config = records.repository.config
    try:
        url = config.get((b"remote", remote.encode()), b"url").decode()
    except KeyError:
        url = remote
    if not re.match(r"https?://", url) and "://" not in url:
        url = str(Path(os.fsdecode(records.repository.worktree)) / Path(url).expanduser())
        if not Path(url).is_dir():
            raise TransferError(f"There is no remote or folder '{remote}'; name a remote, a folder or a URL.")
    try:
        client, path = get_transport_and_path(url, config=config, operation=operation)
    except ValueError as error:
        raise _failed(remote, error) from error
    if not isinstance(client, LocalGitClient | HttpGitClient):
        raise TransferError(
            f"'{remote}' can only be reached by another program, and Patchpoint starts none; use plain git: "
            f"'git {'push' if operation == 'push' else 'fetch'} {remote} "
            "refs/patchpoint/checkpoints/*:refs/patchpoint/checkpoints/*'."
        )
    return client, path


def _reporting(progress: Progress) -> Callable[[bytes], None]:
    def report(message: bytes) -> None:
        progress.check()
        progress.report(message.decode("utf-8", "replace").strip())

    return report


def _failed(remote: str, error: Exception) -> TransferError:
    if isinstance(error, CancelledError):
        raise error
    reason = str(error) or type(error).__name__
    return TransferError(f"'{remote}' could not be reached, or refused: {reason}.")
