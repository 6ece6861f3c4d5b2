"""How long an agent waits for its hook: `python -m tests.benchmarks.hooks [--sizes 1000,30000,200000]`.

Times, interleaved in one run so that all meet the same noise, what an agent starts and waits for in a
repository with one file changed each time: the bare interpreter, `patchpoint hook` without a server and with
one that has the folder open, and `git stash create`. Then a hundred hooks at once, both ways, with the limit
that agents get. Prints minima, medians and ratios of the minima, and the processor's time, which says more on
a machine that has other work; of the hundred, when the last one ended and how many have a checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from patchpoint.filesystem.user_state import OVERRIDE
from patchpoint.hooks.meeting_place import MeetingPlace, working_tree_of
from tests.benchmarks.checkpoints import Table, Tree, processor_time

_SIZES = (1_000, 30_000, 200_000)
_AT_ONCE = 100
_PATIENCE_S = 60.0
_HOOK = (os.fspath(Path(sys.executable).parent / "patchpoint"), "hook", "claude")
_STASH = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "stash", "create")

PYTHON, ALONE, SERVED, STASH = "python -c pass", "hook, no server", "hook, a server", "git stash create"


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description="Time hooks and git stash.")
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)), help="numbers of files, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="patchpoint-bench-") as folder:
        place = Path(folder)
        os.environ[OVERRIDE] = os.fspath(place / "state")
        os.environ["PATCHPOINT_HOOK_STAY"] = "0"  # else none but the first is without a server
        for count in map(int, arguments.sizes.split(",")):
            measure(place, count, arguments.rounds)


def measure(place: Path, count: int, rounds: int) -> None:
    """Print the times in a tree of `count` files."""
    tree = Tree(place / f"tree{count}", count)
    tree.commit_history()
    # Each has a tree of its own: where a server has one open, every hook asks it.
    alone, served = tree.root, place / f"served{count}"
    shutil.copytree(alone, served)
    for root in (alone, served):
        subprocess.run(["git", "config", "patchpoint.checkpoints.keep", "100000"], cwd=root, check=True)
        subprocess.run(["git", "status", "--short"], cwd=root, check=True, capture_output=True)
        CheckpointStore.open(root).take()
    table = Table(f"{count:,} files, one changed")
    changed = tree.paths[count // 2].relative_to(alone)
    with server(served):
        for turn in range(rounds):
            text = tree.text()
            for root in (alone, served):
                (root / changed).write_text(text)
            table.time(PYTHON, partial(run, (sys.executable, "-c", "pass"), place))
            table.time(ALONE, partial(run, _HOOK, alone, prompt(alone, f"turn-{turn}")))
            table.time(SERVED, partial(run, _HOOK, served, prompt(served, f"turn-{turn}")))
            table.time(STASH, partial(run, _STASH, alone))
        pairs = [(ALONE, PYTHON), (SERVED, PYTHON), (ALONE, STASH), (SERVED, STASH), (ALONE, SERVED)]
        table.show([(ours, theirs, None) for ours, theirs in pairs])
        at_once("no server", alone)
        at_once("a server", served)
    shutil.rmtree(alone)
    shutil.rmtree(served)


def at_once(how: str, root: Path) -> None:
    """Call many hooks at once, and print what came of them."""
    used, start = processor_time(), time.perf_counter()
    hooks = [
        (time.perf_counter(), begin(_HOOK, root, prompt(root, f"{how} {number}")))
        for number in range(_AT_ONCE)
    ]
    with ThreadPoolExecutor(_AT_ONCE) as waiting:
        ended = list(waiting.map(_status_and_seconds, hooks))
    seconds, used = time.perf_counter() - start, processor_time() - used
    statuses = {status for status, _ in ended}
    taken = sum((one.message or "").startswith(how) for one in CheckpointStore.open(root).list())
    print(
        f"  {_AT_ONCE} hooks at once, {how}: the last after {seconds:.2f} s, the slowest took "
        f"{max(took for _, took in ended):.2f} s, processor {used:.2f} s, "
        f"exit status {statuses}, {taken} have a checkpoint"
    )


def _status_and_seconds(hook: tuple[float, subprocess.Popen[bytes]]) -> tuple[int, float]:
    begun, process = hook
    return process.wait(), time.perf_counter() - begun


@contextmanager
def server(root: Path) -> Iterator[None]:
    """A language server that has the folder open, and answers hooks; its checkpoints go on in its process."""
    process = begin((sys.executable, "-m", "patchpoint"), root, b"", close=False)
    assert process.stdin is not None
    params: dict[str, object] = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
    ):
        body = json.dumps(message).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    try:
        _wait_until_heard(root)
        yield
    finally:
        process.kill()
        process.wait()


def _wait_until_heard(root: Path) -> None:
    place = MeetingPlace(working_tree_of(os.fspath(root)))
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            place.connect(1).close()
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
    place.close()


def prompt(root: Path, turn: str) -> bytes:
    """Return what Claude Code sends before a turn."""
    fields = {"hook_event_name": "UserPromptSubmit", "session_id": "bench", "prompt_id": turn}
    return json.dumps({**fields, "prompt": "Round the tax half up", "cwd": os.fspath(root)}).encode()


def run(command: tuple[str, ...], folder: Path, sent: bytes = b"") -> None:
    """Run a program to its end."""
    if begin(command, folder, sent).wait():
        raise SystemExit(f"{command} failed")


def begin(
    command: tuple[str, ...], folder: Path, sent: bytes = b"", *, close: bool = True
) -> subprocess.Popen[bytes]:
    """Start a program, with `sent` on its standard input; its output is not looked at."""
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    if sent:
        process.stdin.write(sent)
    if close:
        process.stdin.close()
    return process


if __name__ == "__main__":
    main()
