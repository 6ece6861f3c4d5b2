"""Texts that the server shows: as `patchpoint:` documents if the client can request them, else as files."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from patchpoint.filesystem.user_state import shown_directory, write_private
from patchpoint.lsp.session.documents import SCHEME
from patchpoint.schema.uris import named, uri_of

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


_MAX_KEPT = 50

_KEPT_SECONDS = 7 * 86_400
"""Seconds for which a file that was written to be shown is kept in the state directory."""


class ShownTexts:
    """The texts that the client can request, by URI, the newest last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._texts: OrderedDict[str, str] = OrderedDict()

    def add(self, name: str, text: str) -> str:
        """Keep a text for the client to request; return its URI."""
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        uri = f"{SCHEME}:/{digest}/{quote(name)}"
        self._texts[uri] = text
        self._texts.move_to_end(uri)
        while len(self._texts) > _MAX_KEPT:
            self._texts.popitem(last=False)
        return uri

    def find(self, uri: str) -> str | None:
        """Return the text of a URI; `None` for an unknown one. Percent-encoding does not matter."""
        wanted = unquote(urlsplit(uri).path)
        return next(
            (text for known, text in self._texts.items() if unquote(urlsplit(known).path) == wanted), None
        )

    async def show(self, name: str, text: str) -> str:
        """Open a text in the client, read-only if possible; return its URI.

        A client that cannot show documents gets a message with the URI instead.
        """
        session = self._session
        if session.client.text_document_content:
            uri = self.add(name, text)
        else:
            uri = uri_of(await session.run(_write_file, name, text))
        if not session.client.show_document:
            session.show_message(f"The text is at {named(uri)}.")
            return uri
        try:
            await session.window_show_document_async(types.ShowDocumentParams(uri=uri, take_focus=True))
        except Exception as error:
            session.warn(f"The editor could not show {named(uri)}: {error}")
        return uri


def write_shown(folder: str, name: str, data: bytes) -> Path:
    """Write a file to be shown into `folder` of the state directory; return its path. Raises `OSError`.

    An existing file is taken to have the same content.
    """
    if name in ("", ".", "..") or Path(name).name != name:
        name = "file"
    path = shown_directory() / folder / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        write_private(path, data)
    return path


def delete_old_files() -> None:
    """Delete the files that were written to be shown more than `_KEPT_SECONDS` ago."""
    oldest = time.time() - _KEPT_SECONDS
    with contextlib.suppress(OSError):
        for folder in shown_directory().iterdir():
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _write_file(name: str, text: str) -> Path:
    data = text.encode(errors="surrogatepass")
    delete_old_files()
    return write_shown(hashlib.sha256(data).hexdigest()[:12], name, data)
