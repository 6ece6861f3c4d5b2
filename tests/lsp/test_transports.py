"""What the transports do that an event loop which reads and writes by itself does not."""

from __future__ import annotations

import contextlib
import io
import json
import os
import threading
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.http11 import Request

from patchpoint.lsp.transport.access import Access, Endpoint, RemoteAddressError
from patchpoint.lsp.transport.tcp import listen
from patchpoint.lsp.transport.transports import MAX_FIRST_MESSAGE_BYTES, Outbox, StreamConnection
from patchpoint.lsp.transport.websocket import WebSocketConnection, accept_websocket, refusal

PATIENCE = 30.0
MORE_THAN_A_PIPE_HOLDS = 8 << 20
MORE_THAN_A_FIRST_MESSAGE = MAX_FIRST_MESSAGE_BYTES + 1
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).encode()


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


def test_a_large_message_comes_through_a_websocket_both_ways_but_not_as_the_first() -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    endpoints: SimpleQueue[Endpoint] = SimpleQueue()
    accepted: SimpleQueue[tuple[WebSocketConnection, bytes]] = SimpleQueue()
    threading.Thread(
        target=lambda: accepted.put(accept_websocket("127.0.0.1", 0, Access(), endpoints.put)), daemon=True
    ).start()
    message = b"x" * MORE_THAN_A_FIRST_MESSAGE
    url = endpoints.get(timeout=PATIENCE).announcement().split()[-1]
    with connect(url) as greedy:
        with contextlib.suppress(ConnectionClosed):
            greedy.send(message.decode())
        with pytest.raises(ConnectionClosed):
            greedy.recv(timeout=PATIENCE)
        assert accepted.empty()
    with connect(url, max_size=None) as client:
        client.send(INITIALIZE.decode())
        server, first = accepted.get(timeout=PATIENCE)
        assert first == INITIALIZE
        client.send(message.decode())
        assert server.receive() == message
        server.send(message)
        assert client.recv(timeout=PATIENCE) == message.decode()
        server.close()


def frame(message: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(message) + message


NOT_LSP = [
    b"POST / HTTP/1.1\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n",
    b"GET /?Content-Length: HTTP/1.1\r\n",
    b"Content-Length : 2 HTTP/1.1\r\n",
    b"OPTIONS * HTTP/1.1\n",
    b"Host: localhost\r\n",
    b"Content-Type: text/plain\r\nOrigin: https://example.org\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
    b"Content-Length: all\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: 1_0\r\n",
    b"Content-Length: %d\r\n\r\n" % (MAX_FIRST_MESSAGE_BYTES + 1),
    b"Content-Length: " + b" " * 10_000 + b"1\r\n",
]


@pytest.mark.parametrize("start", NOT_LSP)
def test_what_is_no_header_of_lsp_ends_a_strict_connection(start: bytes) -> None:
    stream = io.BytesIO(start + frame(INITIALIZE) + frame(INITIALIZE))
    assert StreamConnection(stream, io.BytesIO(), strict=True).receive() is None


@given(st.data(), st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=4))
def test_to_a_strict_connection_a_header_may_be_written_in_all_the_ways_of_lsp(
    data: st.DataObject, bodies: list[bytes]
) -> None:
    stream = b"".join(data.draw(headers(len(body))) + body for body in bodies)
    connection = StreamConnection(io.BytesIO(stream), io.BytesIO(), strict=True)
    assert [connection.receive() for _ in bodies] == bodies


def test_a_strict_connection_takes_large_messages_once_its_limit_is_lifted() -> None:
    message = b"x" * MORE_THAN_A_FIRST_MESSAGE
    connection = StreamConnection(
        io.BytesIO(frame(INITIALIZE) + frame(message) * 2), io.BytesIO(), strict=True
    )
    assert connection.receive() == INITIALIZE
    connection.lift_limit()
    assert connection.receive() == message


@pytest.mark.parametrize(
    ("host", "given", "allowed"),
    [
        ("127.0.0.1", "127.0.0.1:2087", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "localhost:2087", True),
        ("127.0.0.1", "LocalHost:8000", True),
        ("127.0.0.1", "localhost.:2087", True),
        ("127.0.0.1", "[::1]:2087", True),
        ("127.0.0.1", "rebound.example.org:2087", False),
        ("127.0.0.1", "127.0.0.1.example.org:2087", False),
        ("127.0.0.1", "localhost.example.org", False),
        ("127.0.0.1", "localhost@example.org", False),
        ("127.0.0.1", "example.org@localhost", False),
        ("127.0.0.1", "example.org/@localhost", False),
        ("127.0.0.1", "192.0.2.7:2087", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
        ("localhost", "localhost:2087", True),
        ("127.0.0.9", "127.0.0.9:2087", True),
        ("0.0.0.0", "192.0.2.7:2087", True),
        ("0.0.0.0", "localhost:2087", True),
        ("0.0.0.0", "rebound.example.org:2087", False),
    ],
)
def test_a_websocket_is_opened_under_a_name_of_this_machine_alone(
    host: str, given: str, allowed: bool
) -> None:
    address = "127.0.0.1" if host == "localhost" else host
    endpoint = Endpoint(host, address, 2087, "token", websocket=True, remote=False)
    request = Request("/?token=token", Headers(Host=given))
    assert (refusal(request, endpoint, frozenset()) is None) == allowed
    request.headers["Host"] = "localhost"
    assert refusal(request, endpoint, frozenset()) is not None, "two of them"


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ([], True),
        (["https://pages.example.org"], True),
        (["HTTPS://Pages.example.org"], True),
        (["https://pages.example.org:8443"], False),
        (["http://pages.example.org"], False),
        (["https://pages.example.org.evil.example"], False),
        (["http://127.0.0.1:2087"], False),
        (["null"], False),
        ([""], False),
        (["https://pages.example.org", "https://evil.example"], False),
    ],
)
def test_a_page_may_connect_only_if_its_origin_is_allowed(given: list[str], allowed: bool) -> None:
    endpoint = Endpoint("127.0.0.1", "127.0.0.1", 2087, "token", websocket=True, remote=False)
    headers = Headers([("Host", "127.0.0.1:2087"), *(("Origin", origin) for origin in given)])
    problem = refusal(Request("/?token=token", headers), endpoint, frozenset({"https://pages.example.org"}))
    assert (problem is None) == allowed


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/?token=se%2Fcr%C3%A9t", True),
        ("/any/path?other=1&token=se%2Fcr%C3%A9t", True),
        ("/?token=se/cr\u00e9t", True),
        ("/", False),
        ("/?token=", False),
        ("/?token=se", False),
        ("/?Token=se%2Fcr%C3%A9t", False),
        ("/?token=se%2Fcr%C3%A9t&token=se%2Fcr%C3%A9t", False),
        ("/#token=se%2Fcr%C3%A9t", False),
        ("//[?token=se%2Fcr%C3%A9t", False),
    ],
)
def test_a_websocket_is_opened_with_the_token_alone(path: str, allowed: bool) -> None:
    endpoint = Endpoint("127.0.0.1", "127.0.0.1", 2087, "se/cr\u00e9t", websocket=True, remote=False)
    request = Request(path, Headers(Host="localhost"))
    assert (refusal(request, endpoint, frozenset()) is None) == allowed


def test_an_address_that_other_machines_reach_has_to_be_allowed_and_has_a_token() -> None:
    for host in ("0.0.0.0", "", "::"):
        with pytest.raises(RemoteAddressError, match="--allow-remote"):
            listen(host, 0, Access())
    server, endpoint = listen("0.0.0.0", 0, Access(allow_remote=True))
    server.close()
    assert endpoint.remote
    assert len(endpoint.token or "") > 40
    for host in ("127.0.0.1", "localhost", "127.1.2.3"):
        server, endpoint = listen(host, 0, Access())
        server.close()
        assert (endpoint.remote, endpoint.token) == (False, None)
