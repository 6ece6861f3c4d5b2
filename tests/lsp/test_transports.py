"""What the transports do that an event loop which reads and writes by itself does not."""

from __future__ import annotations

import io
import os
import threading
from queue import SimpleQueue

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.lsp.transport.transports import Outbox, StreamConnection
from patchpoint.lsp.transport.websocket import WebSocketConnection, accept_websocket

PATIENCE = 30.0
MORE_THAN_A_PIPE_HOLDS = 8 << 20


@st.composite
def headers(draw: st.DrawFn, length: int) -> bytes:
    """A header that gives `length` in one of the ways that clients write it."""
    name = "".join(draw(st.sampled_from((letter.lower(), letter.upper()))) for letter in "Content-Length")
    gap = draw(st.sampled_from(("", " ", "  ")))
    lines = [f"{name}:{gap}{length}"]
    if draw(st.booleans()):
        kind = "Content-Type: application/vscode-jsonrpc; charset=utf-8"
        lines.insert(draw(st.integers(0, 1)), kind)
    end = draw(st.sampled_from(("\r\n", "\n")))
    return (end.join(lines) + end * 2).encode()


@given(st.data(), st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=4))
def test_a_message_arrives_however_its_header_is_written(data: st.DataObject, bodies: list[bytes]) -> None:
    stream = b"".join(data.draw(headers(len(body))) + body for body in bodies)
    connection = StreamConnection(io.BytesIO(stream), io.BytesIO())
    assert [connection.receive() for _ in bodies] == bodies
    assert connection.receive() is None


def test_nobody_waits_for_a_client_that_reads_nothing() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader:
        connection = StreamConnection(io.BytesIO(), os.fdopen(writing, "wb"))
        outbox = Outbox(connection)
        message = b"x" * MORE_THAN_A_PIPE_HOLDS
        outbox.write(message)  # would never return if it wrote by itself
        closing = threading.Thread(target=outbox.close, args=(PATIENCE,))
        closing.start()
        assert StreamConnection(reader, io.BytesIO()).receive() == message
        closing.join(PATIENCE)
        assert reader.read() == b""


def test_a_large_message_comes_through_a_websocket_both_ways() -> None:
    from websockets.sync.client import connect

    ports: SimpleQueue[int] = SimpleQueue()
    accepted: SimpleQueue[WebSocketConnection] = SimpleQueue()
    threading.Thread(
        target=lambda: accepted.put(accept_websocket("127.0.0.1", 0, ports.put)), daemon=True
    ).start()
    message = b"x" * (2 << 20)
    with connect(f"ws://127.0.0.1:{ports.get(timeout=PATIENCE)}", max_size=None) as client:
        server = accepted.get(timeout=PATIENCE)
        client.send(message.decode())
        assert server.receive() == message
        server.send(message)
        assert client.recv(timeout=PATIENCE) == message.decode()
        server.close()
