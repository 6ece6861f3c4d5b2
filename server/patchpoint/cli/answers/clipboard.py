"""The clipboard: read and written by a library of the platform, or by the terminal itself (OSC 52).

No program is started: where neither is possible, the error names the program to put into a pipe.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

from patchpoint.cli.terminal import ENVIRONMENT_FAILED, REFUSED, CommandError, Terminal

_LONGEST_SEQUENCE = 74_994
"""Bytes in base64 that terminals take in OSC 52, as xterm's and tmux' limits leave."""


def read_clipboard() -> str:
    """Return the text in the clipboard. Raises `CommandError` where there is none, or no way to it."""
    library = _library()
    pipe = f"pipe it instead: `{_reader()} | patchpoint apply`"
    if library is None:
        raise CommandError(
            "Reading the clipboard needs a package that is not installed: install `patchpoint[clipboard]`, "
            f"or {pipe}.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        )
    try:
        text: str = library.paste()
    except library.CopykittenError as error:
        reason = str(error).rstrip(".")
        raise CommandError(
            f"The clipboard has no text, or cannot be reached from here ({reason}). Copy the answer, or "
            f"{pipe}.",
            "no-clipboard",
            ENVIRONMENT_FAILED,
        ) from None
    if not text.strip():
        raise CommandError("The clipboard is empty; copy the model's answer first.", "no-edit", REFUSED)
    return text


def write_clipboard(text: str, terminal: Terminal) -> None:
    """Put `text` into the clipboard. Raises `CommandError` where there is no way to it.

    On Linux what a program copies goes when it ends, unless another one keeps it: there it is the terminal
    that keeps the text.
    """
    library = _library() if sys.platform in ("darwin", "win32") else None
    if library is not None:
        try:
            library.copy(text)
        except library.CopykittenError:
            pass
        else:
            return
    if not terminal.copy(text, _LONGEST_SEQUENCE):
        raise CommandError(
            "The clipboard cannot be written from here; pipe the text instead: "
            f"`patchpoint ... | {_writer()}`.",
            "no-clipboard",
            ENVIRONMENT_FAILED,
        )


def _library() -> ModuleType | None:
    """Return the library, an optional one."""
    try:
        import copykitten
    except ImportError:
        return None
    module: ModuleType = copykitten
    return module


def _reader() -> str:
    """Return the usual program that prints the clipboard."""
    usual = {"darwin": "pbpaste", "win32": "Get-Clipboard"}.get(sys.platform)
    return usual or ("wl-paste" if os.environ.get("WAYLAND_DISPLAY") else "xclip -o -selection clipboard")


def _writer() -> str:
    """Return the usual program that fills the clipboard."""
    usual = {"darwin": "pbcopy", "win32": "Set-Clipboard"}.get(sys.platform)
    return usual or ("wl-copy" if os.environ.get("WAYLAND_DISPLAY") else "xclip -selection clipboard")
