"""Run a command: its arguments, its errors as a person or a program reads them, its exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from patchpoint.cli.arguments import command_named, parser
from patchpoint.cli.parsing.server_options import SERVER_OPTIONS
from patchpoint.cli.terminal import (
    DONE,
    ENVIRONMENT_FAILED,
    CommandError,
    Terminal,
    standard_output,
)
from patchpoint.version import __version__

_ALL_OR_NOTHING = ("apply", "apply-patch", "revert", "restore", "undo", "redo")
"""The commands that change files; where a signal ends one, it says whether it has."""


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status. Raises `SystemExit` as argparse does."""
    terminal = standard_output()
    top = parser()
    options = top.parse_args(arguments)
    if options.version:
        terminal.line(f"patchpoint {__version__}")
        return DONE
    _refuse_misplaced_options(top, options)
    if options.command in (None, "serve", "mcp"):
        return _guarded(options, terminal)  # it handles the signals itself
    from patchpoint.signals import Stopped, exit_status, obeyed

    try:
        with obeyed():
            return _guarded(options, terminal)
    except KeyboardInterrupt as stopped:
        if options.command in _ALL_OR_NOTHING:
            done = isinstance(stopped, Stopped) and stopped.done
            says = "everything was changed before that" if done else "nothing was changed"
            _complain(f"interrupted; {says}.")
        return exit_status(stopped)


def _guarded(options: argparse.Namespace, terminal: Terminal) -> int:
    try:
        return _run(options, terminal)
    except BrokenPipeError:
        # The reader of our output has closed it; Python would report that again when it flushes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    try:
        if options.command not in (None, "serve", "mcp"):
            _recover()
        status = command_named(options.command).run(options, terminal)
        sys.stdout.flush()
    except CommandError as error:
        return _report(options, terminal, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        says = f"{place}{error.strerror or error}."
        if not error.filename and _is_nowhere():
            says = "The folder that you are in has been deleted; go to one that exists and call it again."
        return _report(options, terminal, CommandError(says, "io-error", ENVIRONMENT_FAILED))
    return status


def _is_nowhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - it is not used
    except OSError:
        return True
    return False


def _recover() -> None:
    """Undo the edits that were cut short, in whatever folder, and say so."""
    from patchpoint.filesystem.state_home import unfinished_marks

    if unfinished_marks():
        from patchpoint.workspace.unfinished import recover_unfinished

        for says in recover_unfinished():
            _complain(says)


def _complain(says: str) -> None:
    Terminal.of(sys.stderr).line(f"patchpoint: {says}")


def _report(options: argparse.Namespace, terminal: Terminal, error: CommandError) -> int:
    if getattr(options, "json", False):
        data = {"code": error.code, "message": str(error)}
        if error.feedback:
            data["feedback"] = error.feedback
        terminal.json({"error": data}, indent=None)
    else:
        errors = Terminal.of(sys.stderr)
        errors.lines(f"{errors.paint('patchpoint:', 'bold', 'red')} {error}")
    return error.status


def _refuse_misplaced_options(top: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.command in (None, "serve"):
        return
    for option, name in SERVER_OPTIONS.items():
        if getattr(options, name) != top.get_default(name):
            top.error(f"{option} belongs to `serve`, not to `{options.command}`")
