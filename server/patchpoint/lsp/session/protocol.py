"""Messages on the wire: a malformed one gets an error as its response, and never ends the session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from patchpoint.lsp.commands import COMMAND_NAMES, find_command
from patchpoint.lsp.errors import (
    INVALID_REQUEST,
    PARSE_ERROR,
    SERVER_NOT_INITIALIZED,
    RequestCancelled,
    invalid_params,
)
from patchpoint.lsp.session.client_capabilities import SHOWS_RESULTS, ClientCapabilities, initialize_result
from patchpoint.lsp.session.documents import Documents
from patchpoint.lsp.session.progress import Work, WorkRegistry
from patchpoint.progress import CancelledError
from patchpoint.schema.decode import JSON, InvalidArgumentError, encode
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer


class ProtocolSession(Protocol):
    """The part of a session that the protocol needs."""

    begun: bool
    client: ClientCapabilities
    work: WorkRegistry

    def begin(self, params: JSON, client_is_alive: bool | None = None) -> Documents:
        """Begin with the parameters of `initialize`."""

    def begin_work(self, title: str, token: types.ProgressToken | None = None) -> Work:
        """Return a piece of long work, to be used as an asynchronous context."""

    def log(self, message: str, kind: types.MessageType = ...) -> None:
        """Write a line to the client's log."""

    def send_result(self, command: str, result: object) -> None:
        """Show the user a line about the result of a command, unless the client shows results."""

    def to_rpc_error(self, error: Exception) -> JsonRpcException | None:
        """Return the error of a response for `error`; `None` when it is a bug of ours."""

    async def finish(self) -> None:
        """Stop all work and wait until it has ended."""

    def exit(self, status: int) -> None:
        """End the session with an exit status."""


class PatchpointProtocol(LanguageServerProtocol):
    """The protocol of pygls, strict where that is lax and lax where it is strict.

    `initialize` and `workspace/executeCommand` are read as plain JSON: the first because clients declare
    values that LSP does not list, the second because our own decoder names better what is wrong.
    """

    def __init__(self, server: ProtocolSession, converter: Converter) -> None:
        super().__init__(cast("LanguageServer", server), converter)
        self._session = server
        self._running: dict[str | int, Work] = {}

    def receive(self, body: bytes) -> None:
        """Handle one message as received."""
        try:
            message = json.loads(body)
        except RecursionError:
            msg_id = _outermost_id(body)
            code = PARSE_ERROR if msg_id is None else INVALID_REQUEST
            self._refuse(msg_id, code, "The message is nested too deeply to be read.")
            return
        except ValueError as error:
            self._refuse(None, PARSE_ERROR, f"The message is not JSON: {error}")
            return
        self.handle_message(message)

    def handle_message(self, message: object) -> None:
        """Handle one message as JSON; no content of it makes this raise."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            msg_id = message.get("id") if isinstance(message, dict) else None
            self._refuse(msg_id, INVALID_REQUEST, 'A message must be an object that says "jsonrpc": "2.0".')
            return
        msg_id, method = message.get("id"), message.get("method")
        if "method" not in message:
            self._receive_response(message)
        elif not isinstance(method, str) or not _is_id(message):
            self._refuse(
                msg_id, INVALID_REQUEST, "`method` must be a string, and `id` a string or a whole number."
            )
        elif self._is_allowed(msg_id, method):
            try:
                self._dispatch(msg_id, method, message)
            except JsonRpcException as error:
                self._refuse(msg_id, error.code, error.message, error.data)
            except Exception as error:
                self._refuse(msg_id, JsonRpcInternalError.CODE, f"{type(error).__name__}: {error}")

    def begin(self, params: JSON, client_is_alive: bool | None = None) -> dict[str, JSON]:
        """Begin the session with the parameters of `initialize`, and return the result of it."""
        self._workspace = self._session.begin(params, client_is_alive)
        return initialize_result(self._session.client, COMMAND_NAMES)

    def _is_allowed(self, msg_id: str | int | None, method: str) -> bool:
        """Return whether a message is allowed at this point of the session; refuse a request that is not."""
        if method == types.EXIT:
            return True
        if self._shutdown:
            self._refuse(msg_id, INVALID_REQUEST, "The server is shutting down.")
            return False
        if method == types.INITIALIZE and self._session.begun:
            self._refuse(msg_id, INVALID_REQUEST, "The session is already initialized.")
            return False
        if method != types.INITIALIZE and not self._session.begun:
            self._refuse(msg_id, SERVER_NOT_INITIALIZED, f"`{method}` came before `initialize`.")
            return False
        return True

    def _dispatch(self, msg_id: str | int | None, method: str, message: dict[str, Any]) -> None:
        if method == types.INITIALIZE:
            if msg_id is not None:
                self._send_response(msg_id, self.begin(message.get("params")))
        elif method == types.WORKSPACE_EXECUTE_COMMAND and msg_id is not None:
            self._execute_handler(
                msg_id,
                cast("Any", self._execute_command),
                partial(self._send_handler_result, msg_id=msg_id),
                (msg_id, message.get("params")),
            )
        else:
            try:
                structured = self.structure_message(message)
            except JsonRpcException as error:
                cause = error.__cause__
                raise invalid_params(
                    f"The parameters of `{method}` are malformed: {_problems(cause)}"
                ) from cause
            super().handle_message(structured)

    def _receive_response(self, message: dict[str, Any]) -> None:
        """Handle a response of the client's; a malformed one makes our request fail."""
        msg_id = message.get("id")
        if not isinstance(msg_id, (str, int)) or ("result" not in message and "error" not in message):
            self._refuse(None, INVALID_REQUEST, "A message must have a `method`, a `result` or an `error`.")
            return
        try:
            structured = self.structure_message(message)
        except JsonRpcException as error:
            future = self._request_futures.pop(msg_id, None)
            if future is not None and not future.done():
                future.set_exception(
                    JsonRpcInternalError(f"The client's response is malformed: {_problems(error)}")
                )
            return
        super().handle_message(structured)

    def _handle_response(
        self, msg_id: str | int, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Pass on a response, unless our request was cancelled."""
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            self._request_futures.pop(msg_id)
        else:
            super()._handle_response(msg_id, result, error)

    async def _execute_command(self, msg_id: str | int, params: JSON) -> JSON:
        if not isinstance(params, dict):
            raise invalid_params("The parameters of `workspace/executeCommand` must be an object.")
        try:
            command = find_command(params.get("command"))
            arguments = command.decode_arguments(params.get("arguments"))
        except InvalidArgumentError as error:
            raise invalid_params(str(error)) from None
        token = params.get("workDoneToken")
        async with self._session.begin_work(
            command.title, token if isinstance(token, (str, int)) else None
        ) as work:
            self._running[msg_id] = work
            try:
                result = await command.handler()(self._session, arguments, work)
                if params.get(SHOWS_RESULTS) is not True and not getattr(arguments, "dry_run", False):
                    self._session.send_result(command.name, result)
                return encode(result)
            except CancelledError:
                raise RequestCancelled from None
            except JsonRpcException:
                raise
            except Exception as error:
                failure = self._session.to_rpc_error(error)
                if failure is None:
                    raise
                raise failure from error
            finally:
                self._running.pop(msg_id, None)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., object],
        callback: Callable[[Future[Any]], None],
        args: tuple[object, ...] | None = None,
        kwargs: dict[str, object] | None = None,
    ) -> None:
        """Forget the future of a message once it is done; pygls keeps those of notifications for ever."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(partial(self._forget, msg_id))

    def _forget(self, msg_id: str | int, future: Future[Any]) -> None:
        if self._request_futures.get(msg_id) is future:
            self._request_futures.pop(msg_id, None)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        """Cancel a command at its next step, not in the middle of one; anything else as pygls does."""
        work = self._running.get(msg_id)
        if work is not None:
            work.cancel()
        else:
            super()._handle_cancel_notification(msg_id)

    @lsp_method(types.SHUTDOWN)
    async def lsp_shutdown(self, *_: object) -> None:  # type: ignore[override]
        """End all work before the response, so that nothing is half done when the client ends the server."""
        self._shutdown = True
        await self._session.finish()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]
        """End the session: with exit status 0 after `shutdown`, 1 without it."""
        self._session.exit(0 if self._shutdown else 1)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Cancel the work of a progress token."""
        self._session.work.cancel(params.token)

    def _refuse(self, msg_id: object, code: int, sentence: str, data: object = None) -> None:
        """Respond to a message with an error; a notification has no response, so its error is logged."""
        if msg_id is None and code not in (PARSE_ERROR, INVALID_REQUEST):
            self._session.log(sentence, types.MessageType.Warning)
            return
        known = msg_id if isinstance(msg_id, (str, int)) and not isinstance(msg_id, bool) else None
        error = {"code": code, "message": sentence} | ({} if data is None else {"data": data})
        self._send_data({"jsonrpc": self.VERSION, "id": known, "error": error})

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Log the failure of a notification's handler; pygls would show it in a window."""
        if not future.cancelled() and (error := future.exception()) is not None:
            self._session.log(f"{type(error).__name__}: {error}", types.MessageType.Error)


def converter() -> Converter:
    """Return the converter of pygls, with every enumeration of the protocol open to unknown values.

    Newer clients send newer values; a code action whose trigger kind is unknown is still wanted.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in types.ALL_TYPES_MAP.values():
        if isinstance(kind, type) and issubclass(kind, Enum):
            converter.register_structure_hook(kind, _known_or_plain)
    return converter


def _known_or_plain(value: object, kind: type[Enum]) -> object:
    try:
        return kind(value)
    except ValueError:
        if isinstance(value, (str, int)):
            return value
        raise


def _is_id(message: dict[str, Any]) -> bool:
    msg_id = message.get("id", 0)
    return isinstance(msg_id, (str, int)) and not isinstance(msg_id, bool)


def _problems(error: BaseException | None) -> str:
    from cattrs import transform_error

    if error is None:
        return "they cannot be read."
    try:
        return "; ".join(transform_error(error)) + "."
    except Exception:
        return str(error)


_TOKEN = regex(rb'("[^"\\]*(?:\\.[^"\\]*)*")|([\[{])|[\]}]', re.DOTALL)
_ID = regex(rb'\s*:\s*(-?\d{1,18}|"[^"\\]{0,100}")\s*[,}]')


def _outermost_id(body: bytes) -> str | int | None:
    """Return the id of a request that is too deep for the JSON reader, so that it can be answered."""
    depth = 0
    for token in _TOKEN.finditer(body):
        if token[1] is not None:
            if depth == 1 and token[1] == b'"id"' and (found := _ID.match(body, token.end())):
                value: str | int = json.loads(found[1])
                return value
        else:
            depth += 1 if token[2] is not None else -1
    return None
