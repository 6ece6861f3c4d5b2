"""Patchpoint on a CPython for Windows: how it is called, and what it answers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from tests.windows.interpreter import CACHE, ROOT


def windows_path(path: Path) -> str:
    """Return the path by which a program for Windows reaches a file of this machine."""
    return str(PureWindowsPath("Z:/") / path.as_posix().lstrip("/"))


@dataclass(frozen=True)
class Windows:
    """An interpreter, and where the user's state is."""

    python: Path
    state: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables of a program for Windows."""
        return {
            **os.environ,
            "WINEPREFIX": str(CACHE / "prefix"),
            "WINEDEBUG": "-all",
            "PYTHONPATH": f"{windows_path(ROOT / 'server')};{windows_path(ROOT)}",
            "PYTHONPYCACHEPREFIX": windows_path(CACHE / "bytecode"),
            "PATCHPOINT_STATE_HOME": windows_path(self.state),
            # Starting takes far longer than on Windows itself.
            "PATCHPOINT_HOOK_LIMIT": "120",
        }

    def words(self, *arguments: str) -> list[str]:
        """Return the command that calls Python with these arguments."""
        return ["wine", str(self.python / "python.exe"), *arguments]

    def run(self, folder: Path, *arguments: str, sent: str | bytes = b"") -> str:
        """Call `patchpoint` in a folder and return what it prints; it has to succeed."""
        done = self.call(folder, "-m", "patchpoint", *arguments, sent=sent)
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
        return done.stdout.decode()

    def call(
        self, folder: Path, *arguments: str, sent: str | bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Call Python in a folder, with pipes for all of its streams: wine takes no files for them."""
        given = sent.encode() if isinstance(sent, str) else sent
        return subprocess.run(
            self.words(*arguments),
            cwd=folder, env=self.environment, input=given, capture_output=True, check=False, timeout=600,
        )  # fmt: skip
