"""Files as they were at a checkpoint, to be opened in any editor.

A client that asks for contents is given `patchpoint:/checkpoint/<id>/<path>`; for all others the file is
written, byte for byte, into the state folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from patchpoint.checkpoints import CheckpointError, CheckpointStore
from patchpoint.checkpoints.errors import CheckpointNotFoundError
from patchpoint.lsp.checkpoint_stores import open_store
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.shown_documents import SCHEME, forget_old_files, write_shown
from patchpoint.lsp.uris import uri_of
from patchpoint.text.encoding import EncodingError, decode

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

_PREFIX = "/checkpoint/"
_MOST_WRITTEN = 100
"""Files of one answer that are written for a client that cannot ask for contents."""


async def past_file_uris(
    session: Session, store: CheckpointStore, checkpoint: str, paths: Iterable[str]
) -> Mapping[str, str]:
    """The documents that show files as they were, by path; of very many files, and of what cannot be read,
    some are missing."""
    if session.client.text_document_content:
        return {path: _uri(checkpoint, path) for path in paths}
    return await session.run(_written, store, checkpoint, list(paths)[:_MOST_WRITTEN])


def is_past_file(uri: str) -> bool:
    """Whether a document of ours is a file at a checkpoint."""
    return urlsplit(uri).path.startswith(_PREFIX)


async def past_file(session: Session, uri: str) -> str:
    """The text of a file at a checkpoint. Raises `RequestFailed`."""
    path = unquote(urlsplit(uri).path.removeprefix(_PREFIX), errors="surrogateescape")
    checkpoint, _, name = path.partition("/")
    try:
        return await session.run(_text, session, checkpoint, name)
    except (CheckpointError, OSError) as error:
        raise session.explain(error) or error from error


def _uri(checkpoint: str, path: str) -> str:
    return f"{SCHEME}:{_PREFIX}{checkpoint}/{quote(path, errors='surrogateescape')}"


def _text(session: Session, checkpoint: str, path: str) -> str:
    data: bytes | None = None
    for root in session.roots:
        try:
            data = open_store(session, root).read(checkpoint, path)
        except CheckpointNotFoundError:
            continue
        break
    if data is None:
        raise CheckpointNotFoundError(checkpoint)
    try:
        return decode(data).text
    except EncodingError as error:
        raise RequestFailed("binary-file", f"{path} {error}.") from error


def _written(store: CheckpointStore, checkpoint: str, paths: Iterable[str]) -> dict[str, str]:
    forget_old_files()
    found = {}
    for path in paths:
        digest = hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:12]
        try:
            place = write_shown(
                f"{checkpoint}-{digest}", path.rpartition("/")[2], store.read(checkpoint, path)
            )
        except (CheckpointError, OSError):
            continue
        found[path] = uri_of(place)
    return found
