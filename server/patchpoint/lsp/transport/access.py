"""Who may connect over a socket, and the message by which a client begins.

Nothing heavy is imported here, for the server imports it before it has responded to `initialize`.
See docs/decisions/transports.md.
"""

from __future__ import annotations

import json
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.lsp.transport.transports import Connection

TOKEN_KEY = "token"
"""Key of `initializationOptions` for a client's token, and the parameter of a WebSocket's URL."""

_NOT_INITIALIZED = -32002
_REQUEST_FAILED = -32803


class RemoteAddressError(Exception):
    """Other machines can reach the address, and nobody has allowed that."""


@dataclass(frozen=True, slots=True)
class Access:
    """What whoever started the server decided on connections over a socket."""

    token: str | None = None
    """The token that a client has to show; without it a random one, where a token is required."""
    require_token: bool = False
    """Whether a client over TCP has to show a token on this machine, too; one over a WebSocket always has."""
    origins: frozenset[str] = frozenset()
    """The web pages that may connect, each as its `Origin`."""
    allow_remote: bool = False
    """Whether other machines may be able to reach the address."""

    def token_for(self, *, websocket: bool, remote: bool) -> str | None:
        """Return the token that clients have to show, or `None` if they need none."""
        if self.token is not None:
            return self.token
        if not (websocket or remote or self.require_token):
            return None
        import secrets

        return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where clients can connect, and with which token."""

    host: str
    """As it was given."""
    address: str
    """The IP address that it means."""
    port: int
    token: str | None
    websocket: bool
    remote: bool
    """Whether other machines can connect."""

    def announcement(self) -> str:
        """Return the line that tells a client where to connect. Its form is part of the protocol."""
        host = self.host or self.address
        place = f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"
        if self.websocket:
            from urllib.parse import quote

            place = f"ws://{place}/?{TOKEN_KEY}={quote(self.token or '', safe='')}"
        elif self.token is not None:
            place = f"{place} with token {self.token}"
        return f"patchpoint is listening on {place}"


def is_token(shown: object, token: str) -> bool:
    """Whether `shown` is the token; the time that takes does not depend on how much of it is right."""
    import hmac

    return isinstance(shown, str) and hmac.compare_digest(_encoded(shown), _encoded(token))


def wait_for_initialize(connection: Connection, token: str | None) -> bytes | None:
    """Return the client's `initialize`, once it has shown `token`, if that is not `None`.

    Requests before it are refused, and notifications ignored. Returns `None` when the client has
    disconnected, is no client of LSP, or showed another token.
    """
    try:
        while (message := connection.receive()) is not None:
            request = json.loads(message)
            if not isinstance(request, dict) or request.get("method") == "exit":
                return None
            if request.get("method") == "initialize":
                if token is None or is_token(_token_in(request), token):
                    return message
                problem = f"The token in initializationOptions.{TOKEN_KEY} is missing or wrong; the server "
                problem += "printed the right one on standard error when it started."
                connection.send(_refusal(request, _REQUEST_FAILED, problem, {"code": "wrong-token"}))
                return None
            if "id" in request and "method" in request:
                problem = "The server has not been initialized yet; send `initialize` first."
                connection.send(_refusal(request, _NOT_INITIALIZED, problem))
    except (ValueError, RecursionError, OSError):
        pass
    return None


def _token_in(request: dict[str, Any]) -> object:
    params = request.get("params")
    options = params.get("initializationOptions") if isinstance(params, dict) else None
    return options.get(TOKEN_KEY) if isinstance(options, dict) else None


def _refusal(request: dict[str, Any], code: int, message: str, data: object = None) -> bytes:
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "error": error}).encode()


def _encoded(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")
