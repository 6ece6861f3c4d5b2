"""What the server costs a person who types: run `python -m tests.benchmarks.server [--files N] [--soak N]`.

Prints the time from its start to its first answers, what a keystroke costs its loop with a source file of
5 MB and a chat of 1 MB open (at rest, with the chat being read, and during a checkpoint of many files), what
opening a thousand documents takes and a keystroke alone and among them, and its memory over a long run of
mixed requests. A key is timed by the clock, from when it was due, and by the
processor time of the loop alone, which a busy machine does not distort.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from patchpoint.lsp.server import create_server
from tests.lsp.editor import SERVER, declared_by

ROOT = Path(__file__).parents[2]
STARTS = 5
KEYS = 400
DOCUMENTS = 1000
Cost = tuple[float, float]
"""Seconds from when a key was due until it was dealt with, and seconds of the loop's processor time."""

TYPING = 0.03
"""Seconds between two keys of a very fast typist."""
MIB = 1 << 20


def main() -> None:
    """Print every figure."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--files", type=int, default=60_000, help="files in the checkpoint (%(default)s)")
    options.add_argument("--soak", type=int, default=20_000, help="requests in the long run (%(default)s)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["PATCHPOINT_STATE_HOME"] = str(folder / "state")
        report_starts(folder)
        asyncio.run(report_keys(folder, given.files))
        asyncio.run(report_documents(folder))
        asyncio.run(report_soak(folder, given.soak))


def report_starts(folder: Path) -> None:
    """From the start of the process to the answers to `initialize` and to a first command."""
    first, second = [], []
    for _ in range(STARTS):
        start = time.perf_counter()
        process = subprocess.Popen(
            SERVER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, PYTHONPATH=str(ROOT / "server")),
        )
        assert process.stdin is not None
        process.stdin.write(framed(initialize(folder)))
        process.stdin.flush()
        read_answer(process, 0)
        first.append(time.perf_counter() - start)
        process.stdin.write(framed(notification("initialized", {})) + framed(command(1, "listPendingEdits")))
        process.stdin.flush()
        read_answer(process, 1)
        second.append(time.perf_counter() - start)
        process.kill()
        process.wait()
    print(f"start to first answer           median {median(first):6.2f} s   best {min(first):6.2f} s")
    print(f"start to answer of a command    median {median(second):6.2f} s   best {min(second):6.2f} s")


async def report_keys(folder: Path, files: int) -> None:
    """What a key costs the loop, at rest and while something goes on."""
    source = source_text(5 * MIB)
    chat = chat_text(1 * MIB)
    (folder / "work").mkdir()
    (folder / "work" / "app.py").write_text(source)
    server = create_server()
    loop = asyncio.get_running_loop()
    outbox = Collected()
    server.protocol.set_writer(outbox, include_headers=False)
    ended = loop.create_task(server.serve(loop))
    await asyncio.sleep(0)
    server.protocol.begin(initialize(folder / "work")["params"])
    receive(server, notification("initialized", {}))
    source_uri = (folder / "work" / "app.py").as_uri()
    for uri, language, text in ((source_uri, "python", source), ("untitled:chat.md", "markdown", chat)):
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        receive(server, notification("textDocument/didOpen", {"textDocument": item}))
    await asyncio.sleep(3)
    show("a key in 5 MB of source", await type_keys(server, source_uri, source))
    show("a key in 1 MB of chat", await type_keys(server, "untitled:chat.md", chat))
    reading = asyncio.ensure_future(keep_reading(server))
    show("... while blocks are being read", await type_keys(server, source_uri, source))
    reading.cancel()
    with suppress(asyncio.CancelledError):
        await reading
    for number in range(files):
        place = folder / "work" / f"f{number // 500}"
        place.mkdir(exist_ok=True)
        (place / f"{number}.txt").write_text(f"{number}\n" * 5)
    receive(server, command(9, "takeCheckpoint"))
    keys = await type_keys(server, source_uri, source, until=lambda: 9 in outbox.answered)
    show(f"... during a checkpoint of {files} files", keys)
    server.exit(0)
    await ended


async def report_documents(folder: Path) -> None:
    """What opening very many documents takes, and what a key costs alone and among them."""
    work = folder / "documents"
    work.mkdir()
    server = create_server()
    loop = asyncio.get_running_loop()
    server.protocol.set_writer(Collected(), include_headers=False)
    ended = loop.create_task(server.serve(loop))
    await asyncio.sleep(0)
    server.protocol.begin(initialize(work)["params"])
    receive(server, notification("initialized", {}))
    text = chat_text(2000)
    alone, *others = [f"untitled:{number}.md" for number in range(DOCUMENTS)]
    open_document(server, alone, text)
    await server.blocks.current(alone)
    show("a key in the only document", await type_keys(server, alone, text))
    start = time.perf_counter()
    for uri in others:
        open_document(server, uri, text)
    for uri in others:
        await server.blocks.current(uri)
    seconds = time.perf_counter() - start
    print(f"{DOCUMENTS} documents with blocks opened, and their blocks read: {seconds:.2f} s")
    await asyncio.sleep(1)
    show(f"a key among {DOCUMENTS} documents", await type_keys(server, alone, text))
    server.exit(0)
    await ended


def open_document(server: Any, uri: str, text: str) -> None:
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    receive(server, notification("textDocument/didOpen", {"textDocument": item}))


async def keep_reading(server: Any) -> None:
    """Have the blocks of the chat read again and again."""
    while True:
        server.blocks.refresh_all()
        await server.blocks.current("untitled:chat.md")


async def type_keys(server: Any, uri: str, text: str, until: Any = None) -> list[Cost]:
    """Type in a document, and say what each key cost."""
    costs: list[Cost] = []
    lines = text.count("\n")
    version = 2
    chance = random.Random(7)
    line = lines // 2
    while (len(costs) < KEYS) if until is None else (len(costs) < KEYS or not until()):
        if len(costs) % 40 == 0:
            line = chance.randrange(lines)
        due = time.perf_counter() + TYPING
        await asyncio.sleep(TYPING)
        place = {"line": line, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": "\n" if len(costs) % 20 == 0 else "x"}
        body = json.dumps(
            notification(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
        ).encode()
        version += 1
        busy = time.thread_time()
        server.protocol.receive(body)
        costs.append((time.perf_counter() - due, time.thread_time() - busy))
    return costs


async def report_soak(folder: Path, requests: int) -> None:
    """The memory of a server after the first tenth of many mixed requests, and after all of them."""
    work = folder / "soak"
    work.mkdir()
    text = source_text(64 * 1024)
    (work / "app.py").write_text(text)
    uri = (work / "app.py").as_uri()
    process = await asyncio.create_subprocess_exec(
        *SERVER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, PYTHONPATH=str(ROOT / "server")),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(framed(initialize(work)) + framed(notification("initialized", {})))
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    process.stdin.write(framed(notification("textDocument/didOpen", {"textDocument": item})))
    chance = random.Random(11)
    waiting: set[int] = {0}
    early = late = 0
    start = time.perf_counter()
    for number in range(1, requests + 1):
        for message in mixed(number, uri, chance):
            process.stdin.write(framed(message))
        waiting.add(number)
        while len(waiting) > 16:
            waiting.discard(await answered(process, uri))
        if number == requests // 10:
            early = memory(process.pid)
    while waiting:
        waiting.discard(await answered(process, uri))
    late = memory(process.pid)
    seconds = time.perf_counter() - start
    growth = (late - early) / early
    print(
        f"{requests} mixed requests: {seconds:.1f} s, {early} KiB after a tenth, {late} KiB ({growth:+.0%})"
    )
    process.kill()
    await process.wait()


def mixed(number: int, uri: str, chance: random.Random) -> Iterable[dict[str, Any]]:
    """What a client sends as its user goes about: typing, looking, applying, refusing, mistaking."""
    kind = chance.randrange(8)
    place = {"line": chance.randrange(500), "character": 0}
    span = {"start": place, "end": place}
    if kind == 0:
        change = {"range": span, "text": chance.choice(["x", "", "\n", "é😋"])}
        params = {"textDocument": {"uri": uri, "version": number + 1}, "contentChanges": [change]}
        yield notification("textDocument/didChange", params)
        yield command(number, "listPendingEdits")
    elif kind == 1:
        context = {"diagnostics": [], "only": ["quickfix"]}
        yield request(number, "textDocument/codeAction",
                      {"textDocument": {"uri": uri}, "range": span, "context": context})  # fmt: skip
    elif kind == 2:
        yield request(number, "textDocument/codeLens", {"textDocument": {"uri": uri}})
    elif kind == 3:
        yield command(number, "applyEdits", {"text": "prose", "unknown": number})
    elif kind == 4:
        edit = {"uri": uri, "search": f"value_{chance.randrange(900)} = ", "replace": "value = "}
        yield command(number, "applyEdits", {"edits": [edit], "dryRun": True})
    elif kind == 5:
        yield command(number, "discardEdit", {"all": True})
    elif kind == 6:
        edit = {"uri": uri, "search": "nowhere at all\n", "replace": f"{number}\n"}
        yield command(number, "applyEdits", {"edits": [edit], "checkpoint": False})
    else:
        yield request(number, "no/such/method", {"x": [number]})


async def answered(process: asyncio.subprocess.Process, uri: str) -> int:
    """The id of the next response; requests of the server's are answered."""
    assert process.stdout is not None
    assert process.stdin is not None
    while True:
        head = await process.stdout.readuntil(b"\r\n\r\n")
        message = json.loads(await process.stdout.readexactly(int(head.split(b":")[1])))
        if "method" not in message:
            return int(message["id"])
        if "id" in message:
            process.stdin.write(framed({"jsonrpc": "2.0", "id": message["id"], "result": None}))


class Collected:
    """A client that only remembers which of its requests were answered."""

    def __init__(self) -> None:
        self.answered: set[object] = set()

    def write(self, message: bytes) -> None:
        decoded = json.loads(message)
        if "method" not in decoded:
            self.answered.add(decoded.get("id"))

    def close(self) -> None:
        """Nothing is open."""


def initialize(folder: Path) -> dict[str, Any]:
    capabilities = declared_by("nvim-0.11.4")
    return request(
        0, "initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
    )


def request(number: int, method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification(method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def command(number: int, name: str, *arguments: object) -> dict[str, Any]:
    params = {"command": f"patchpoint.{name}", "arguments": list(arguments)}
    return request(number, "workspace/executeCommand", params)


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def receive(server: Any, message: object) -> None:
    server.protocol.receive(json.dumps(message).encode())


def read_answer(process: subprocess.Popen[bytes], number: int) -> None:
    assert process.stdout is not None
    while True:
        length = 0
        while (line := process.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        message = json.loads(process.stdout.read(length))
        if "method" not in message and message.get("id") == number:
            return


def source_text(size: int) -> str:
    line = "    value_{0} = compute(first_{0}, second_{0})  # the {0}th of them\n"
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(line.format(len(lines)))
        length += len(lines[-1])
    return "".join(lines)


def chat_text(size: int) -> str:
    prose = "It would be better to name it for what it is, and to say why it is there at all. " * 6 + "\n\n"
    parts: list[str] = []
    length = 0
    while length < size:
        number = len(parts)
        block = (
            f"# Answer {number}\n\n{prose}app.py\n<<<<<<< SEARCH\n"
            f"    value_{number} = compute(first_{number}, second_{number})  # the {number}th of them\n"
            f"=======\n    value_{number} = {number}\n>>>>>>> REPLACE\n\n"
        )
        parts.append(block if number % 20 == 0 else f"# Question {number}\n\n{prose}")
        length += len(parts[-1])
    return "".join(parts)


def show(name: str, costs: list[Cost]) -> None:
    for what, column in (("clock", 0), ("processor", 1)):
        ordered = sorted(cost[column] * 1000 for cost in costs)
        p99 = ordered[int(len(ordered) * 0.99)]
        print(
            f"{name:42} {what:9} median {median(ordered):7.2f} ms   p99 {p99:7.2f} ms   ({len(ordered)} keys)"
        )


def memory(process_id: int) -> int:
    """Resident memory in KiB."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


if __name__ == "__main__":
    main()
