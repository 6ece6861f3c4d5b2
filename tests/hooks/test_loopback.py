"""Hooks that ask by a port of this machine, as on Windows: simulated where Python has Unix sockets."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.hooks import wire
from patchpoint.hooks.meeting_place import working_tree_of
from patchpoint.hooks.sharing.ask import AskResult, ask
from patchpoint.hooks.sharing.listener import HookListener
from patchpoint.hooks.sharing.loopback_place import LoopbackPlace
from tests.demo.project import make_project

WITHOUT_UNIX_SOCKETS = (
    "import sys; import patchpoint.hooks.meeting_place as place; place.OFFERED = False; "
    "from patchpoint.cli import main; status = main(sys.argv[1:]); "
)
NAMES_WHAT_IS_LOADED = WITHOUT_UNIX_SOCKETS + "print(*sorted(sys.modules), file=sys.stderr); sys.exit(status)"
ANSWER = ("printed", "reported")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(folder))
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")
    return folder


@contextmanager
def listening(root: str) -> Iterator[HookListener]:
    """Who answers each hook of a working tree the same."""
    place = LoopbackPlace(root)
    lock = place.try_lock()
    assert lock is not None
    with HookListener(place) as listener:

        def serve() -> None:
            while asked := listener.wait():
                for each in asked:
                    each.reply(*ANSWER)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listener
        finally:
            listener.stop()
            thread.join()
            os.close(lock)


def asked(root: str, seconds: float = 20) -> AskResult:
    until = time.monotonic() + seconds
    return ask(LoopbackPlace(root), "claude", root, b"a secret of the user's", until=until, end=until)


def port_file(state: Path) -> Path:
    (found,) = (state / "ports").glob("*.port")
    return found


def test_who_listens_answers_a_hook() -> None:
    with listening("/tree"):
        assert asked("/tree").answer == ANSWER
        assert asked("/tree").answer == ANSWER


def test_where_nobody_listens_a_hook_gets_the_lock() -> None:
    lock = asked("/tree").lock
    assert lock is not None
    assert LoopbackPlace("/tree").try_lock() is None
    os.close(lock)


def test_of_who_has_ended_nothing_is_asked(state: Path) -> None:
    with listening("/tree"):
        text = port_file(state).read_text()
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        stranger.settimeout(0.2)
        place = state / "ports" / "left.port"
        place.write_text(text)
        lock = asked("/tree").lock
        assert lock is not None
        os.close(lock)
        with pytest.raises(TimeoutError):
            stranger.accept()


def test_a_stranger_at_the_port_learns_nothing(state: Path) -> None:
    """A process has the lock and has not said its port yet; the file is that of one before it."""
    heard = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as stranger:

        def serve() -> None:
            connection, _ = stranger.accept()
            with connection:
                heard.extend(connection.recv(1 << 16))
                connection.sendall(wire.framed(wire.proof("guessed", "nonce")))
                while piece := connection.recv(1 << 16):
                    heard.extend(piece)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        place = LoopbackPlace("/tree")
        lock = place.try_lock()
        assert lock is not None
        (file,) = (state / "ports").glob("*.lock")
        token = "0123456789abcdef" * 4
        file.with_suffix(".port").write_text(f"{stranger.getsockname()[1]} {token}\n")
        found = asked("/tree", seconds=0.2)
        os.close(lock)
        thread.join()
    assert (found.answer, found.lock) == (None, None)
    assert b"prove" in heard
    assert token.encode() not in heard
    assert b"secret" not in heard


@pytest.mark.parametrize("said", ["", "80", "x y\n", "70000 t\n", "\xff\xfe"])
def test_a_file_that_says_no_port_is_not_followed(state: Path, said: str) -> None:
    place = LoopbackPlace("/tree")
    lock = place.try_lock()
    assert lock is not None
    (file,) = (state / "ports").glob("*.lock")
    file.with_suffix(".port").write_text(said, encoding="latin-1")
    with pytest.raises(OSError, match="has not said where"):
        place.connect(1)
    os.close(lock)


def test_a_request_without_the_token_is_refused(state: Path) -> None:
    with listening("/tree"), socket.create_connection(("127.0.0.1", port_of(state))) as connection:
        connection.sendall(wire.framed(wire.encode_request("wrong", "claude", "/tree", 1.0, b"{}")))
        header = connection.recv(wire.HEADER_BYTES)
        answer = connection.recv(wire.content_length(header, wire.LARGEST_ANSWER))
    assert wire.decode_answer(answer) is None


def port_of(state: Path) -> int:
    return int(port_file(state).read_text().split()[0])


def test_what_is_for_this_user_alone_is(state: Path) -> None:
    with listening("/tree") as listener:
        assert stat.S_IMODE((state / "ports").stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in (state / "ports").iterdir()} == {0o600}
        assert listener._listening.getsockname() == ("127.0.0.1", port_of(state))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_folder_of_somebody_else_is_not_used(state: Path) -> None:
    (state / "ports").mkdir(parents=True)
    os.chown(state / "ports", 65534, -1)
    with pytest.raises(OSError, match="not this user's"):
        LoopbackPlace("/tree")


def test_a_real_server_takes_the_checkpoint_of_a_real_hook(tmp_path: Path, state: Path) -> None:
    project = make_project(tmp_path / "project")
    server = subprocess.Popen(
        [sys.executable, "-c", WITHOUT_UNIX_SOCKETS, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert server.stdin is not None
    try:
        params: dict[str, object] = {"processId": None, "rootUri": project.as_uri(), "capabilities": {}}
        for message in (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
            {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        ):
            body = json.dumps(message).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        wait_for(lambda: is_heard(project))
        said = {"session_id": "s", "prompt": "Go on", "cwd": str(project)}
        event = {"hook_event_name": "UserPromptSubmit", **said}
        hook = subprocess.run(
            [sys.executable, "-c", NAMES_WHAT_IS_LOADED, "hook", "claude"],
            cwd=project, input=json.dumps(event).encode(), capture_output=True, timeout=120, check=True,
        )  # fmt: skip
    finally:
        server.kill()
        server.wait()
        server.stdin.close()
    assert "patchpoint.checkpoints.taking" not in hook.stderr.decode().split()
    (taken,) = CheckpointStore.open(project).list()
    assert taken.session == "s"


def is_heard(project: Path) -> bool:
    try:
        LoopbackPlace(working_tree_of(str(project))).connect(5).close()
    except OSError:
        return False
    return True


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
