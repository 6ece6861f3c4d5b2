"""What goes wrong with a request, as the caller is told it."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

REQUEST_FAILED = -32803
"""The protocol's code for a request that was understood and could not be done."""

REQUEST_CANCELLED = -32800

SERVER_NOT_INITIALIZED = -32002

INVALID_REQUEST = -32600

PARSE_ERROR = -32700


class RequestFailed(JsonRpcException):
    """The request was right and could not be done: a stable `reason` for programs, a sentence for people."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence, REQUEST_FAILED, {"code": reason})


class RequestCancelled(JsonRpcException):
    """The client no longer wanted it, and it was stopped in time."""

    def __init__(self) -> None:
        super().__init__("The request was cancelled; nothing was changed.", REQUEST_CANCELLED)


def invalid_params(sentence: str) -> JsonRpcException:
    """The caller sent what the request cannot mean."""
    return JsonRpcInvalidParams(sentence)
