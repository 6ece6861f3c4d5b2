"""`patchpoint hook` with a real language server that runs already: asked, dead, slow, another one's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.hooks import wire
from patchpoint.hooks.meeting_place import OFFERED, MeetingPlace, working_tree_of
from patchpoint.hooks.sharing.ask import ask
from tests.demo.project import make_project
from tests.loaded_server import forked

pytestmark = pytest.mark.skipif(not OFFERED, reason="there are no Unix sockets here")

HOOK = "import sys; from patchpoint.cli import main; status = main(['hook', *sys.argv[1:]]); "
NAMES_WHAT_IS_LOADED = HOOK + "print(*sorted(sys.modules), file=sys.stderr); sys.exit(status)"
TAKES_IT = "patchpoint.checkpoints.taking"
"""The module that only a process has loaded which takes a checkpoint itself."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The state directory; its path is short, as that of a socket has to be on some systems."""
    with tempfile.TemporaryDirectory(prefix="pp-", dir="/tmp") as folder:
        monkeypatch.setenv("PATCHPOINT_STATE_HOME", folder)
        monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")  # a busy machine may take its time
        yield Path(folder)


def prompt(project: Path, turn: str = "p-1") -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt_id": turn, "prompt": "Go on",
        "cwd": str(project),
    }  # fmt: skip


def start_hook(data: object, folder: Path, agent: str = "claude") -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", NAMES_WHAT_IS_LOADED, agent], cwd=folder,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(json.dumps(data).encode())
    process.stdin.close()
    process.stdin = None
    return process


def finished(process: subprocess.Popen[bytes]) -> tuple[str, list[str]]:
    """What a hook printed, and the modules that it has loaded; it must succeed."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.decode(), err.decode().split()


def call_hook(data: object, folder: Path, agent: str = "claude") -> tuple[str, list[str]]:
    return finished(start_hook(data, folder, agent))


def turns(project: Path) -> list[str | None]:
    """The turns that have a checkpoint, in their order."""
    return [one.message for one in reversed(CheckpointStore.open(project).list())]


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_heard(folder: Path) -> bool:
    """Whether somebody listens for the hooks of this folder."""
    place = MeetingPlace(working_tree_of(str(folder)))
    try:
        place.connect(5).close()
    except OSError:
        return False
    finally:
        place.close()
    return True


SERVE = "import sys; sys.argv[:] = ['patchpoint']; from patchpoint.cli import main; sys.exit(main())"


@contextmanager
def server(folder: Path, is_forked: bool = True, **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """A language server that has the folder open; it cannot be stopped and continued if it is forked."""
    command = [sys.executable, "-c", SERVE]
    if is_forked:
        command = forked(command, "patchpoint.lsp.registration")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    params = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}, **options}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
    ):
        body = json.dumps(message).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    drain = threading.Thread(target=process.stdout.read, daemon=True)
    drain.start()
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        drain.join()
        process.stdin.close()
        process.stdout.close()


@pytest.fixture
def running(project: Path, state: Path) -> Iterator[subprocess.Popen[bytes]]:
    with server(project) as process:
        wait_for(lambda: is_heard(project))
        yield process


@pytest.fixture
def alone(project: Path, state: Path) -> Iterator[subprocess.Popen[bytes]]:
    """One that has loaded its modules itself, and is the process that a signal reaches."""
    with server(project, is_forked=False) as process:
        wait_for(lambda: is_heard(project))
        yield process


@contextmanager
def stranger(folder: Path, answer: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody who listens as a server does, and does `answer` with each connection."""
    place = MeetingPlace(working_tree_of(str(folder)))
    lock = place.try_lock()
    assert lock is not None
    listening = place.listen(8)

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        os.close(lock)
        place.close()


def test_the_server_takes_the_checkpoint_and_the_hook_loads_next_to_nothing(
    project: Path, alone: subprocess.Popen[bytes]
) -> None:
    said, loaded = call_hook(prompt(project), project, "cursor")
    assert said == '{"continue": true}\n'
    assert turns(project) == ["p-1"]
    unwanted = (
        "argparse", "dataclasses", "dulwich", "hashlib", "pathlib", "selectors", "socket", "threading",
        "typing", "urllib",
        "patchpoint.checkpoints", "patchpoint.git", "patchpoint.hooks.take", "patchpoint.schema",
    )  # fmt: skip
    assert [name for name in loaded if name.startswith(unwanted)] == []


def test_it_is_the_same_checkpoint_as_without_a_server(project: Path, state: Path) -> None:
    alone, asked = project, project.with_name("asked")
    shutil.copytree(alone, asked)
    for folder in (alone, asked):
        (folder / "till/tax.py").write_text("half done\n", encoding="utf-8")
    call_hook(prompt(alone), alone)
    with server(asked):
        wait_for(lambda: is_heard(asked))
        _, loaded = call_hook(prompt(asked), asked)
    assert TAKES_IT not in loaded
    (first,), (second,) = (CheckpointStore.open(folder).list() for folder in (alone, asked))
    for name in ("tree", "label", "session", "message", "kind", "files", "branch", "head"):
        assert getattr(first, name) == getattr(second, name)


def test_a_hook_in_a_folder_below_asks_the_same_server(
    project: Path, running: subprocess.Popen[bytes]
) -> None:
    _, loaded = call_hook(prompt(project / "till"), project / "till")
    assert TAKES_IT not in loaded
    assert turns(project) == ["p-1"]


def test_what_went_wrong_at_the_server_is_said_by_the_hook(
    project: Path, running: subprocess.Popen[bytes]
) -> None:
    with exclusive_lock(project / ".git" / "patchpoint" / "lock"):
        _, said = call_hook(prompt(project), project)
    assert "no checkpoint: Process" in " ".join(said)
    assert TAKES_IT not in said


def test_a_dead_server_is_done_without(project: Path, alone: subprocess.Popen[bytes], state: Path) -> None:
    alone.kill()
    alone.wait()
    assert list((state / "sockets").glob("*.sock"))
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT in loaded
    assert turns(project) == ["p-1"]


def test_a_server_that_is_killed_in_the_middle_is_done_without(
    project: Path, alone: subprocess.Popen[bytes]
) -> None:
    alone.send_signal(signal.SIGSTOP)
    hook = start_hook(prompt(project), project)
    # It has connected by then to a server that answers nothing.
    with pytest.raises(subprocess.TimeoutExpired):
        hook.wait(timeout=1)
    alone.kill()
    _, loaded = finished(hook)
    assert TAKES_IT in loaded
    assert turns(project) == ["p-1"]


def test_a_server_that_is_too_slow_is_done_without(
    project: Path, alone: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "20")
    alone.send_signal(signal.SIGSTOP)
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT in loaded
    assert turns(project) == ["p-1"]


def says(content: bytes) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        with connection:
            connection.recv(1 << 20)
            connection.sendall(content)

    return answer


@pytest.mark.parametrize(
    "content",
    [
        wire.framed(wire.REFUSED),
        wire.framed(b'{"version": 1, "prints": 5, "report": null}'),
        wire.framed(b'{"version": 99, "prints": "", "report": ""}'),
        b"\xff\xff\xff\xff",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ],
)
def test_who_answers_something_else_is_done_without(project: Path, state: Path, content: bytes) -> None:
    with stranger(project, says(content)):
        said, loaded = call_hook(prompt(project), project, "gemini")
    assert TAKES_IT in loaded
    assert said == "{}\n"
    assert turns(project) == ["p-1"]


def test_who_ends_every_connection_is_done_without(
    project: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "20")
    with stranger(project, lambda connection: connection.close()):
        call_hook(prompt(project), project)
    assert turns(project) == ["p-1"]


def test_nothing_is_asked_in_a_directory_that_others_may_write(
    project: Path, running: subprocess.Popen[bytes], state: Path
) -> None:
    (state / "sockets").chmod(0o770)
    with pytest.raises(OSError, match="alone"):
        MeetingPlace(working_tree_of(str(project)))
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT in loaded
    assert turns(project) == ["p-1"]


def test_nothing_is_asked_through_a_link(
    project: Path, running: subprocess.Popen[bytes], state: Path
) -> None:
    (state / "sockets").rename(state / "elsewhere")
    (state / "sockets").symlink_to(state / "elsewhere")
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT in loaded
    assert turns(project) == ["p-1"]


def test_what_is_for_this_user_alone_is(running: subprocess.Popen[bytes], state: Path) -> None:
    found = {path.name.partition(".")[2]: path for path in (state / "sockets").iterdir()}
    assert set(found) == {"lock", "sock", "token"}
    for path in (state / "sockets", *found.values()):
        assert path.stat().st_mode & 0o077 == 0


def exchange(folder: Path, request: bytes) -> bytes:
    """Send bytes to who listens, and return what comes until the end."""
    place = MeetingPlace(working_tree_of(str(folder)))
    try:
        with closing(place.connect(60)) as connection:
            connection.sendall(request)
            found = b""
            while piece := connection.recv(1 << 16):
                found += piece
            return found
    finally:
        place.close()


def test_a_request_without_the_token_is_refused(project: Path, running: subprocess.Popen[bytes]) -> None:
    sent = json.dumps(prompt(project)).encode()
    for token in ("", "x" * 64):
        request = wire.encode_request(token, "claude", str(project), 5, sent)
        assert exchange(project, wire.framed(request)) == wire.framed(wire.REFUSED)
    assert turns(project) == []


def test_a_checkpoint_of_another_folder_is_refused(
    project: Path, running: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    other = make_project(tmp_path / "other")
    place = MeetingPlace(working_tree_of(str(project)))
    now = time.monotonic()
    asked = ask(place, "claude", str(other), json.dumps(prompt(other)).encode(), until=now + 30, end=now + 30)
    place.close()
    assert (asked.answer, asked.lock) == (None, None)
    assert turns(other) == []


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\xff\xff\xff\xff", wire.framed(b"no JSON"), b"\0\0\1\0x"])
def test_whoever_sends_no_request_keeps_nobody_waiting(
    project: Path, running: subprocess.Popen[bytes], sent: bytes
) -> None:
    place = MeetingPlace(working_tree_of(str(project)))
    connections = [place.connect(60) for _ in range(20)]
    for connection in connections:
        connection.sendall(sent)
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT not in loaded
    for connection in connections:
        with suppress(ConnectionResetError):  # what it had sent was not read to the end
            assert connection.recv(1) == b""
        connection.close()
    place.close()


def test_no_checkpoint_is_taken_for_a_hook_that_gave_up(
    project: Path, alone: subprocess.Popen[bytes]
) -> None:
    place = MeetingPlace(working_tree_of(str(project)))
    alone.send_signal(signal.SIGSTOP)
    with closing(place.connect(60)) as connection:
        sent = json.dumps(prompt(project, "late")).encode()
        request = wire.encode_request(place.token(), "claude", str(project), 5, sent)
        connection.sendall(wire.framed(request))
    place.close()
    alone.send_signal(signal.SIGCONT)
    _, loaded = call_hook(prompt(project), project)
    assert TAKES_IT not in loaded
    assert turns(project) == ["p-1"]


def test_of_two_servers_the_second_listens_when_the_first_has_ended(
    project: Path, alone: subprocess.Popen[bytes]
) -> None:
    with server(project):
        alone.kill()
        alone.wait()
        wait_for(lambda: is_heard(project))
        _, loaded = call_hook(prompt(project), project)
        assert TAKES_IT not in loaded


def test_in_an_untrusted_workspace_no_hook_is_heard(project: Path, state: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    with (
        server(project, initializationOptions={"trusted": False}),
        server(other),
    ):
        wait_for(lambda: is_heard(other))
        _, loaded = call_hook(prompt(project), project)
        assert TAKES_IT in loaded


@pytest.mark.parametrize("is_served", [True, False])
def test_a_hundred_hooks_at_once_have_a_checkpoint_each(project: Path, state: Path, is_served: bool) -> None:
    subprocess.run(["git", "config", "patchpoint.checkpoints.keep", "1000"], cwd=project, check=True)
    with server(project if is_served else state):
        wait_for(lambda: is_heard(project if is_served else state))
        running = [start_hook(prompt(project, f"p-{number}"), project) for number in range(100)]
        loaded = [finished(process)[1] for process in running]
    taking = sum(TAKES_IT in names for names in loaded)
    assert taking == 0 if is_served else taking < 50
    assert sorted(map(str, turns(project))) == sorted(f"p-{number}" for number in range(100))
