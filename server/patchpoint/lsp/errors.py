"""The errors of responses: their codes, and those that other errors become."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from patchpoint.text.shown import message

REQUEST_FAILED = -32803
"""LSP's code of a request that was valid and failed."""

REQUEST_CANCELLED = -32800

SERVER_NOT_INITIALIZED = -32002

INVALID_REQUEST = -32600

PARSE_ERROR = -32700


class RequestFailed(JsonRpcException):
    """A valid request that failed: a stable `reason` for programs, a `sentence` for people."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(message(sentence), REQUEST_FAILED, {"code": reason})


class RequestCancelled(JsonRpcException):
    """A request that the client cancelled before it had changed anything."""

    def __init__(self) -> None:
        super().__init__("The request was cancelled; nothing was changed.", REQUEST_CANCELLED)


def invalid_params(sentence: str) -> JsonRpcException:
    """Return the error of a request whose parameters are invalid."""
    return JsonRpcInvalidParams(sentence)


def rpc_error_for(error: Exception) -> JsonRpcException | None:
    """Return the error of a response for `error`; `None` when it is a bug of ours."""
    from patchpoint.checkpoints.errors import CheckpointError
    from patchpoint.filesystem.errors import FileError

    if isinstance(error, CheckpointError):
        return RequestFailed(error.code, str(error))
    if isinstance(error, FileError):
        return RequestFailed("file-error", f"{error}.")
    if isinstance(error, FileNotFoundError) and error.errno is None:
        return RequestFailed("no-file", str(error))
    if isinstance(error, OSError):
        return RequestFailed("io-error", f"{error.filename or 'A file'}: {error.strerror or error}.")
    return None


def stale_proposal(name: str) -> RequestFailed:
    """Return the error of accepting a proposal that is not there now."""
    return RequestFailed(
        "stale-proposal",
        f"Proposal {name} no longer exists: its file has changed since it was shown. Check the new diff.",
    )
