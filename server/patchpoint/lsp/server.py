"""The server process: connect one client, serve it until it leaves, return the exit status.

Nothing heavy is imported before the response to `initialize` is sent: the protocol's types alone take longer
to load than a person wants to wait for an editor. See docs/decisions/transports.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.process import is_alive
from patchpoint.lsp.commands import COMMAND_NAMES
from patchpoint.lsp.session.client_capabilities import ClientCapabilities, initialize_result
from patchpoint.lsp.transport.access import Access, Endpoint
from patchpoint.lsp.transport.transports import Connection, Outbox, read_all, standard_streams
from patchpoint.schema.decode import JSON
from patchpoint.signals import SIGNALLED, STOPPING

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 2087

_SWITCH_INTERVAL_S = 0.001
"""Seconds after which a thread that computes yields to the event loop, so that typing is followed at once."""


class Transport(str, Enum):
    """The way by which a client reaches the server."""

    STDIO = "stdio"
    TCP = "tcp"
    WEBSOCKET = "ws"


def create_server() -> PatchpointServer:
    """Return a session that waits for its client; `serve` connects one."""
    from patchpoint.lsp.registration import new_session

    return new_session()


def serve(
    transport: Transport = Transport.STDIO,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    listening: Callable[[Endpoint], None] | None = None,
    access: Access | None = None,
) -> int:
    """Serve one client and return the exit status: 0 after `shutdown` and `exit`, 1 otherwise.

    A signal that ends it counts as the client's end, but for the status, which is that of the signal.

    Over a socket, `listening` is called once clients can connect (port 0 means any free one); else that is
    written to standard error. Raises `RemoteAddressError` when other machines can reach `host` and `access`
    does not allow that, `OSError` when the address cannot be bound, and `ModuleNotFoundError` for WebSockets
    without the `ws` extra.
    """
    access = access or Access()
    if transport is Transport.STDIO:
        return _serve_connection(standard_streams())
    announce = listening or _announce
    if transport is Transport.TCP:
        from patchpoint.lsp.transport.tcp import accept_tcp

        return _serve_connection(*accept_tcp(host, port, access, announce))
    from patchpoint.lsp.transport.websocket import accept_websocket

    return _serve_connection(*accept_websocket(host, port, access, announce))


def _announce(endpoint: Endpoint) -> None:
    """Write where clients can connect to standard error, in one line, and a warning after it if need be."""
    sys.stderr.write(f"{endpoint.announcement()}\n")
    if endpoint.remote:
        sys.stderr.write(
            "patchpoint: warning: other machines can connect, nothing is encrypted, and whoever shows the "
            "token can change your files.\n"
        )
    sys.stderr.flush()


def _serve_connection(connection: Connection, first: bytes | None = None) -> int:
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    outbox = Outbox(connection)
    if first is None:
        first = connection.receive()
    initialized = _answer_initialize(first, outbox) if first is not None else None

    import asyncio

    status = asyncio.run(_serve_session(connection, outbox, first, initialized))
    outbox.close()
    return status


@dataclass(frozen=True, slots=True)
class _Initialized:
    """The parameters of an answered `initialize`, and whether the client's process was alive then."""

    params: JSON
    client_is_alive: bool


def _answer_initialize(first: bytes | None, outbox: Outbox) -> _Initialized | None:
    """Respond to `initialize` before anything else is imported; return `None` for another message."""
    try:
        message = json.loads(first or b"")
    except (ValueError, RecursionError):
        return None
    if (
        not isinstance(message, dict)
        or message.get("method") != "initialize"
        or message.get("jsonrpc") != "2.0"
    ):
        return None
    msg_id, params = message.get("id"), message.get("params")
    if not isinstance(msg_id, (str, int)) or isinstance(msg_id, bool) or not isinstance(params, dict):
        return None
    client = ClientCapabilities.of(params)
    result = initialize_result(client, COMMAND_NAMES)
    outbox.write(json.dumps({"jsonrpc": "2.0", "id": msg_id, "result": result}).encode())
    client_is_alive = client.process_id is not None and bool(is_alive(client.process_id))
    return _Initialized(params, client_is_alive)


async def _serve_session(
    connection: Connection, outbox: Outbox, first: bytes | None, initialized: _Initialized | None
) -> int:
    import asyncio

    loop = asyncio.get_running_loop()
    session = create_server()
    session.protocol.set_writer(outbox, include_headers=False)
    ended = loop.create_task(session.serve(loop))
    await asyncio.sleep(0)
    if initialized is not None:
        session.protocol.begin(initialized.params, initialized.client_is_alive)
    elif first is not None:
        session.protocol.receive(first)
    else:
        session.exit(1)

    def receive(message: bytes | None) -> None:
        if message is None:
            session.call_soon(lambda: session.exit(1))
        else:
            session.call_soon(lambda: session.protocol.receive(message))

    read_all(connection, receive)
    for number in STOPPING:
        # As when the client has disconnected: work stops at its next step, and nothing is left half done.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, session.exit, SIGNALLED + number)
    return await ended
