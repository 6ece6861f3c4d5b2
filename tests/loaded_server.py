"""Programs that need not load their modules, which takes longer than most tests: forks of what has.

What a client starts hands its streams to the process that has loaded them, waits for the fork, and ends as
it does; whoever kills it kills the fork. What a program does while it loads is tried by those who start it in
earnest: over the wire, over sockets, on the whole way, in editors, in terminals.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

CODE = ("-c",)
_STREAMS = 3
_WRITTEN_INSIDE = (
    "AnnotatedTextEdit",
    "DidChangeWatchedFilesRegistrationOptions",
    "FileSystemWatcher",
    "OptionalVersionedTextDocumentIdentifier",
    "RelativePattern",
    "TextDocumentEdit",
    "TextEdit",
    "WorkDoneProgressBegin",
    "WorkDoneProgressEnd",
    "WorkDoneProgressReport",
)
"""Types of the protocol in messages that do not say which of several types they hold."""
_SHELLS = ("cli", "lsp", "mcp")
"""The packages that are loaded only for servers of their own."""


def forked(command: Sequence[str], module: str) -> list[str]:
    """Return the command that does what this one does, which runs code (`-c`), where `module` is loaded."""
    python, *options, code = command
    if not hasattr(os, "fork") or tuple(options) != CODE:
        return list(command)
    # Neither `site` nor the environment matters to what only waits.
    return [python, "-I", "-S", str(Path(__file__).with_name("wait_for_fork.py")), _address(module), code]


def patchpoint(*words: str) -> list[str]:
    """Return the command `patchpoint` with these words, where what it needs is loaded."""
    run = "from patchpoint.cli import main; sys.exit(main())"
    code = f"import sys; sys.argv[:] = {['patchpoint', *words]!r}; {run}"
    return forked([sys.executable, *CODE, code], "patchpoint.cli")


def status_where_loaded(module: str, code: str, folder: Path, streams: tuple[int, ...]) -> int:
    """Return the status of code that is run where `module` is loaded, negative for the signal that ended it.

    It has the environment of this process, and reads from and writes to these streams, by their numbers.
    """
    from tests.wait_for_fork import status_of_fork

    return status_of_fork(_address(module), code, os.fsencode(folder), streams)


@cache
def _address(module: str) -> str:
    """Start a process that has loaded a module, for all tests in this one; return where it listens."""
    import atexit
    import shutil
    import subprocess
    import tempfile

    folder = tempfile.mkdtemp(prefix="servers-")
    address = str(Path(folder) / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, __file__, str(listener.fileno()), module],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "server")},
            # Python looks at its streams when it starts, and those of the forks are pipes.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )
    owner = os.getpid()

    def stop() -> None:
        if os.getpid() == owner:
            _, wrong = process.communicate()
            os.write(2, wrong)
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return address


def _listen(listener: socket.socket) -> str:
    """Fork for everyone that connects; return the code to run in each fork, and nothing in this process.

    A fork is killed when nobody waits for it any more.
    """
    import select

    forks: dict[socket.socket, int] = {}
    ends, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    while True:
        ready, _, _ = select.select([listener, sys.stdin, ends, *forks], [], [])
        if ends in ready:
            os.read(ends, select.PIPE_BUF)
        for connection in [one for one in forks if one in ready]:
            os.kill(forks[connection], signal.SIGKILL)
            os.waitpid(forks.pop(connection), 0)
            connection.close()
        for connection, pid in list(forks.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                _say(connection, os.waitstatus_to_exitcode(status))
                del forks[connection]
        if listener in ready:
            connection, _ = listener.accept()
            if not (asked := _asked(connection)):
                connection.close()
                continue
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for number in (ends, wakes):
                    os.close(number)
                for other in (listener, connection, *forks):
                    other.close()
                return _become(*asked)
            forks[connection] = pid
            for stream in asked[1]:
                os.close(stream)
        elif sys.stdin in ready:
            sys.exit()


def _asked(connection: socket.socket) -> tuple[bytes, list[int]] | None:
    """Return what is asked for, and the streams to do it with; nothing if who asks has been killed."""
    head, streams, _, _ = socket.recv_fds(connection, 4, _STREAMS)
    missing = struct.unpack("!I", head)[0] if len(head) == 4 else 1
    said = b""
    while len(said) < missing:
        more = connection.recv(missing - len(said))
        if not more:
            for stream in streams:
                os.close(stream)
            return None
        said += more
    return said, streams


def _become(said: bytes, streams: list[int]) -> str:
    """Take over the streams, the folder and the environment of who asks; return the code to run."""
    code, folder, *variables = said.split(b"\0")
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(one.partition(b"=")[::2] for one in variables)
    return os.fsdecode(code)


def _say(connection: socket.socket, status: int) -> None:
    """Tell who waits for a fork how it has ended."""
    from contextlib import suppress

    with suppress(ConnectionError):
        connection.sendall(status.to_bytes(4, "big", signed=True))
    connection.close()


def _code_of_fork(listener: socket.socket, module: str) -> str:
    import gc

    _load(module)
    if "lsprotocol" in sys.modules:
        _work_out_messages()
    # The forks share what is never written to.
    gc.collect()
    gc.freeze()
    return _listen(listener)


def _load(module: str) -> None:
    """Load a module, and what a session of it may load later: every room but the other shells.

    What is written of a class when it is first asked for is written as well.
    """
    import importlib
    import pkgutil
    from dataclasses import is_dataclass

    importlib.import_module(module)
    package, shell, *_ = module.split(".")
    others = tuple(f"{package}.{one}" for one in ("__main__", *_SHELLS) if one != shell)
    for found in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}."):
        if not found.name.startswith(others):
            for one in vars(importlib.import_module(found.name)).copy().values():
                isinstance(one, type) and is_dataclass(one)


def _work_out_messages() -> None:
    """Work out how each message of a client is read, and each to it written: once, not in each fork."""
    from functools import cache

    from lsprotocol import types
    from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCResponseMessage

    from patchpoint.lsp.registration import new_session
    from patchpoint.lsp.session import session
    from patchpoint.lsp.session.protocol import converter as new_converter

    vars(session)["converter"] = shared = cache(new_converter)
    protocol, converter = new_session().protocol, shared()
    read = [types.METHOD_TO_TYPES[name][0] for name in {*protocol.fm.features, *protocol.fm.builtin_features}]
    written = [dict, list, tuple, JsonRPCNotification, JsonRPCResponseMessage]
    written += [getattr(types, name) for name in _WRITTEN_INSIDE]
    for method, (message, answer, *_) in types.METHOD_TO_TYPES.items():
        if types.message_direction(method) != "clientToServer":
            written.append(message)
            read += [answer] if answer else []
    for message in read:
        converter.get_structure_hook(message)
    # Whenever it meets a list of something else, it forgets what it has worked out.
    for message in written * 2:
        converter.get_unstructure_hook(message)


def _end() -> None:
    """End as Python does, but take no module apart, which takes longer than the rest of a short session."""
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    listening, loaded = sys.argv[1:]
    sys.path[0] = ""
    sys.argv[:] = CODE
    code = _code_of_fork(socket.socket(fileno=int(listening)), loaded)
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    except SystemExit as end:
        if end.code:
            raise
    _end()
