"""Engines that apply edits, each asked in a process of its own, which is ended when it takes too long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.applying.cases import Case

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "build" / "peers"
"""Where `make bench-apply` installs the other engines."""
ADAPTERS = Path(__file__).parent / "adapters"
_START_SECONDS = 60.0


class MissingEngineError(Exception):
    """The engine is not installed; says what is missing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine made of a case."""

    after: str | None
    milliseconds: float
    error: str = ""
    is_late: bool = False


@dataclass(slots=True)
class Engine:
    """An engine by its name, and the command that answers cases as `tests.applying.answer` does."""

    name: str
    command: Sequence[str]
    version: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _environment: Mapping[str, str] = field(default_factory=dict, init=False)

    @contextmanager
    def started(self, run: int) -> Iterator[None]:
        """Have the engine's process run; each run has another seed for the hashes of Python.

        Raises MissingEngineError.
        """
        path = os.pathsep.join([str(PEERS), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._environment = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": str(run)}
        self._start()
        try:
            yield
        finally:
            self._stop()

    def answer(self, case: Case, seconds: float) -> Answer:
        """Return what the engine makes of a case; one that takes longer than `seconds` is ended."""
        asked = {"text": case.text, "search": case.search, "replace": case.replace, "path": case.source}
        answer = self._asked(asked, seconds)
        if answer is None:
            self._stop()
            self._start()
            return Answer(None, 1000 * seconds, is_late=True)
        return Answer(answer.get("after"), float(answer.get("milliseconds", 0)), answer.get("error", ""))

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self.command, cwd=ROOT, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        answer = self._asked(None, _START_SECONDS) or {"missing": "it did not start"}
        if "missing" in answer:
            self._stop()
            raise MissingEngineError(answer["missing"])
        self.version = str(answer["version"])

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _asked(self, asked: Mapping[str, str] | None, seconds: float) -> dict[str, Any] | None:
        """Return the next line that the engine writes, or `None` if it does not come in time."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            if asked is not None:
                process.stdin.write(json.dumps(asked).encode() + b"\n")
                process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
        return json.loads(line) if line.endswith(b"\n") else None


def engines(commands: Sequence[str] = ()) -> list[Engine]:
    """Return an engine for each adapter, Patchpoint first, and for each `NAME=COMMAND`."""
    names = sorted(
        (path.stem for path in ADAPTERS.glob("*.py")), key=lambda name: (name != "patchpoint", name)
    )
    own = [Engine(name, [sys.executable, "-m", "tests.applying.answer", name]) for name in names]
    others = [command.partition("=") for command in commands]
    return own + [Engine(name, words.split()) for name, _, words in others]
