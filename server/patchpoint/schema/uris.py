"""URIs of documents, and the files that they name.

Clients spell the URI of one file differently (`%3A` or `:`, `C:` or `c:`), so files are compared, not URIs.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from patchpoint.text.regex import regex

_ON_WINDOWS = os.name == "nt"
_COMPOSES = sys.platform == "darwin"
_DRIVE = regex(r"/[a-zA-Z]:")


def path_of(uri: str) -> Path | None:
    """Return the file of a `file:` URI, made absolute without following links; `None` for other URIs."""
    if not uri.lower().startswith("file:"):
        return None
    try:
        path = _file_path(uri)
    except ValueError:
        return None
    if not path or "\0" in path:
        return None
    return Path(os.path.abspath(path))  # noqa: PTH100 (Path.resolve would follow links)


def uri_of(path: Path | str) -> str:
    """Return the `file:` URI of an absolute path.

    The bytes of a name that is not UTF-8 are as they are on disk. Raises `ValueError` for a path that names a
    host and no file of it.
    """
    name = str(path)
    if _ON_WINDOWS:
        name = name.replace("\\", "/")
    host = ""
    if name.startswith("//"):
        host, slash, rest = name[2:].partition("/")
        if not slash:
            raise ValueError(f"{path} is not a path that a URI can name.")
        name = f"/{rest}"
    elif not name.startswith("/"):
        name = f"/{name}"
    if _DRIVE.match(name):
        return f"file://{_quoted(host)}/{name[1].lower()}:{_quoted(name[3:])}"
    return f"file://{_quoted(host)}{_quoted(name)}"


@lru_cache(maxsize=4096)
def document_key(uri: str) -> str:
    """Return a key that is the same for all spellings of one document's URI.

    The last ones are remembered: a server asks some ten times for each message about a document.
    """
    path = path_of(uri)
    if path is None:
        return unquote(uri)
    key = os.path.normcase(path)
    # The file systems of macOS take both for the same name, whether they fold case or not.
    return f"file:{unicodedata.normalize('NFC', key) if _COMPOSES else key}"


def scheme_of(uri: str) -> str:
    """Return the scheme of a URI in lower case, or an empty string when it has none."""
    try:
        return urlsplit(uri).scheme.lower()
    except ValueError:
        return ""


def named(uri: str) -> str:
    """Return a document as messages name it: by its path if it is a file, else by its URI."""
    path = path_of(uri)
    return str(path) if path is not None else uri


def name_of(uri: str) -> str:
    """Return the last segment of a URI's path, decoded, as people read it."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri


def past_file_uri(checkpoint: str, path: str) -> str:
    """Return the URI of the document that shows a file, by its path in the working tree, at a checkpoint."""
    return f"patchpoint:/checkpoint/{checkpoint}/{_quoted(path)}"


def _quoted(name: str) -> str:
    return quote(name, errors="surrogateescape")


def _file_path(uri: str) -> str:
    """Return the path of a `file:` URI as the system spells it. Raises `ValueError` for an invalid host."""
    parts = urlsplit(uri)
    host, path = unquote(parts.netloc), unquote(parts.path, errors="surrogateescape")
    if host and path:
        path = f"//{host}{path}"
    elif _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    return path.replace("/", "\\") if _ON_WINDOWS else path
