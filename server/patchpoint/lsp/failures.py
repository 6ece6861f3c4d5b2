"""What can go wrong below, as the caller of a command is told it: a stable code and a sentence."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException

from patchpoint.lsp.errors import RequestFailed


def failure_of(error: Exception) -> JsonRpcException | None:
    """The failure that `error` is to the caller; `None` when it is a fault of ours."""
    if isinstance(error, OSError):
        return RequestFailed("ioError", f"{error.filename or 'A file'}: {error.strerror or error}.")
    return None
