"""Names of documents: the client's URIs, and the files that they stand for.

Clients spell one file differently (`%3A` or `:`, `C:` or `c:`); what is compared here is the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path


def path_of(uri: str) -> Path | None:
    """The file that a `file:` URI names, made absolute without following links; `None` for any other URI."""
    if not uri.lower().startswith("file:"):
        return None
    try:
        path = to_fs_path(uri)
    except ValueError:
        return None
    if not path or "\0" in path:
        return None
    return Path(os.path.abspath(path))  # noqa: PTH100 (Path.resolve would follow links)


def uri_of(path: Path | str) -> str:
    """The `file:` URI of an absolute path."""
    uri = from_fs_path(str(path))
    if uri is None:
        raise ValueError(f"{path} is not a path that a URI can name.")
    return str(uri)


def document_key(uri: str) -> str:
    """What two spellings of one document's URI have in common."""
    path = path_of(uri)
    return f"file:{os.path.normcase(path)}" if path is not None else unquote(uri)


def scheme_of(uri: str) -> str:
    """The scheme, in lower case; empty when there is none."""
    try:
        return urlsplit(uri).scheme.lower()
    except ValueError:
        return ""


def name_of(uri: str) -> str:
    """The last part of a URI's path, for people."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
