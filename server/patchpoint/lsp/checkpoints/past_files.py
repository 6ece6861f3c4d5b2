"""Files as they were at a checkpoint, to be opened in any editor.

A client that can request the content of documents gets a `patchpoint:/checkpoint/<id>/<path>` URI; for all
others the file is written, byte for byte, into the state directory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from patchpoint.checkpoints import CheckpointError, CheckpointStore
from patchpoint.checkpoints.errors import CheckpointNotFoundError
from patchpoint.lsp.checkpoints.shown_documents import delete_old_files, write_shown
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.errors import RequestFailed
from patchpoint.schema.uris import past_file_uri, uri_of
from patchpoint.text.encoding import EncodingError, decode

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

_PREFIX = "/checkpoint/"
_MAX_WRITTEN = 100
"""The most files of one result that are written for a client that cannot request contents."""


async def past_file_uris(
    session: Session, store: CheckpointStore, checkpoint: str, paths: Iterable[str]
) -> Mapping[str, str]:
    """Return the URIs of documents that show files at a checkpoint, by path.

    Files that cannot be read are missing and, for a client that cannot request contents, those after the
    first `_MAX_WRITTEN`.
    """
    if session.client.text_document_content:
        return {path: past_file_uri(checkpoint, path) for path in paths}
    return await session.run(_written, store, checkpoint, list(paths)[:_MAX_WRITTEN])


def is_past_file(uri: str) -> bool:
    """Return whether a `patchpoint:` URI is that of a file at a checkpoint."""
    return urlsplit(uri).path.startswith(_PREFIX)


async def past_file(session: Session, uri: str) -> str:
    """Return the text of a file at a checkpoint. Raises `RequestFailed` if it cannot be read as text."""
    path = unquote(urlsplit(uri).path.removeprefix(_PREFIX), errors="surrogateescape")
    checkpoint, _, name = path.partition("/")
    try:
        return await session.run(_text, session, checkpoint, name)
    except (CheckpointError, OSError) as error:
        raise session.to_rpc_error(error) or error from error


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
    delete_old_files()
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
