"""The server's beginning and end: a client connects, is served, and leaves.

Nothing heavy is imported before the answer to `initialize` has gone out: the protocol's types alone take
longer to load than a person wants to wait for an editor.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchpoint.lsp.capabilities import Client, initialize_result
from patchpoint.lsp.client_process import lives
from patchpoint.lsp.commands import COMMAND_NAMES
from patchpoint.lsp.decode import JSON
from patchpoint.lsp.transports import Connection, Outbox, accept_tcp, read_all, standard_streams

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 2087

_TURN = 0.001
"""Seconds after which a thread that computes gives way to the loop, when a key is typed."""


class Transport(str, Enum):
    """How a client reaches the server."""

    STDIO = "stdio"
    TCP = "tcp"
    WEBSOCKET = "ws"


def create_server() -> PatchpointServer:
    """A session that waits for its client; `serve` is what connects one."""
    from patchpoint.lsp.registration import new_session

    return new_session()


def serve(
    transport: Transport = Transport.STDIO,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    listening: Callable[[str, int], None] | None = None,
) -> int:
    """Serve one client until it leaves, and answer the exit status: 0 after a proper end, 1 otherwise.

    Over a socket, `listening` is told host and port once clients may connect (port 0 asks for any free one);
    without it they are written to standard error. Raises `OSError` when the address cannot be had, and
    `ModuleNotFoundError` for WebSockets without the `ws` extra.
    """

    def announce(actual_port: int) -> None:
        if listening is not None:
            listening(host, actual_port)
        else:
            sys.stderr.write(f"patchpoint is listening on {host}:{actual_port}\n")
            sys.stderr.flush()

    if transport is Transport.STDIO:
        connection: Connection = standard_streams()
    elif transport is Transport.TCP:
        connection = accept_tcp(host, port, announce)
    else:
        from patchpoint.lsp.websocket import accept_websocket

        connection = accept_websocket(host, port, announce)
    return _converse(connection)


def _converse(connection: Connection) -> int:
    sys.setswitchinterval(_TURN)
    outbox = Outbox(connection)
    first = connection.receive()
    greeted = _greet(first, outbox) if first is not None else None

    import asyncio

    status = asyncio.run(_serve_session(connection, outbox, first, greeted))
    outbox.close()
    return status


@dataclass(frozen=True, slots=True)
class _Greeted:
    """The parameters of an answered `initialize`, and whether the client's process was there then."""

    params: JSON
    client_lives: bool


def _greet(first: bytes | None, outbox: Outbox) -> _Greeted | None:
    """Answer `initialize` before anything else is loaded; `None` for another message."""
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
    client = Client.of(params)
    result = initialize_result(client, COMMAND_NAMES)
    outbox.write(json.dumps({"jsonrpc": "2.0", "id": msg_id, "result": result}).encode())
    return _Greeted(params, lives(client.process_id))


async def _serve_session(
    connection: Connection, outbox: Outbox, first: bytes | None, greeted: _Greeted | None
) -> int:
    import asyncio

    loop = asyncio.get_running_loop()
    session = create_server()
    session.protocol.set_writer(outbox, include_headers=False)
    ended = loop.create_task(session.converse(loop))
    await asyncio.sleep(0)
    if greeted is not None:
        session.protocol.begin(greeted.params, greeted.client_lives)
    elif first is not None:
        session.protocol.receive(first)
    else:
        session.leave(1)

    def receive(message: bytes | None) -> None:
        if message is None:
            session.soon(lambda: session.leave(1))
        else:
            session.soon(lambda: session.protocol.receive(message))

    read_all(connection, receive)
    return await ended
