"""What can go wrong below, as the caller of a command is told it: a stable code and a sentence."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException

from patchpoint.lsp.errors import RequestFailed


def failure_of(error: Exception) -> JsonRpcException | None:
    """The failure that `error` is to the caller; `None` when it is a fault of ours."""
    from patchpoint.checkpoints.errors import CheckpointError
    from patchpoint.files import FileError

    if isinstance(error, CheckpointError):
        return RequestFailed(error.code, str(error))
    if isinstance(error, FileError):
        return RequestFailed("file-error", f"{error}.")
    if isinstance(error, FileNotFoundError) and error.errno is None:
        return RequestFailed("no-file", str(error))
    if isinstance(error, OSError):
        return RequestFailed("io-error", f"{error.filename or 'A file'}: {error.strerror or error}.")
    return None
