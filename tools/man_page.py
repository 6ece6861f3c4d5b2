"""The manual page of the command line, from the table of its commands; `make docs` writes it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from patchpoint.cli.arguments import DESCRIPTION, command_table
from patchpoint.cli.parsing.command_parser import CommandParser
from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, REFUSED, WRONG_USAGE
from patchpoint.schema.settings import SECTION, table_of_settings

PAGE = Path(__file__).parent.parent / "docs" / "man" / "patchpoint.1"

_STATUSES = {
    DONE: "Done.",
    REFUSED: "Refused: an edit that is ambiguous or not found, a conflict, another branch.",
    WRONG_USAGE: "Wrong usage.",
    ENVIRONMENT_FAILED: "The environment failed: a file, a repository or a lock.",
}
_ENVIRONMENT = {
    "PATCHPOINT_STATE_HOME": "The folder of its own files, instead of the system's place for them.",
    "PATCHPOINT_HOOK_LIMIT": "Seconds after which a hook gives up, instead of 5.",
    "PATCHPOINT_HOOK_STAY": "Seconds for which what a hook left behind waits for another, instead of 600; "
    "0 for nothing.",
    "PATCHPOINT_TOKEN": "The token of clients that connect to a socket, instead of one that is printed.",
    "NO_COLOR": "If not empty, there is no colour.",
    "FORCE_COLOR, CLICOLOR_FORCE": "If neither empty nor 0, there is colour in a pipe, too.",
}


def manual_page() -> str:
    """Return the page, in the macros of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.\\" Generated from server/patchpoint/cli/arguments.py by `make docs`.'
    yield '.TH PATCHPOINT 1 "" "Patchpoint" "User Commands"'
    yield from (".SH NAME", r"patchpoint \- edits that a language model wrote, and checkpoints")
    yield from (".SH SYNOPSIS", ".B patchpoint", r".RI [ COMMAND ]\ [ OPTION ...]")
    yield from (".SH DESCRIPTION", _text(DESCRIPTION))
    yield _text("Without a command, it serves an editor on standard input and output.")
    yield ".SH COMMANDS"
    for command in command_table():
        parser = CommandParser(prog=f"patchpoint {command.name}", add_help=False)
        command.add_options(parser)
        words = ("patchpoint", command.name, *_usage(parser._actions))
        yield from (f".SS {_text(' '.join(words))}", _text(_sentence(command.help)))
        for action in parser._actions:
            if action.help != argparse.SUPPRESS:
                yield from (".TP", _heading(action), _text(_sentence(_help(parser, action))))
    yield ".SH CONFIGURATION"
    yield _text(
        f"Set with `git config --global {SECTION}.NAME VALUE`, or in a repository without `--global`."
    )
    for setting in table_of_settings():
        yield from (".TP", f".B {_text(f'{SECTION}.{setting.name}')}", _text(setting.description))
    yield ".SH ENVIRONMENT"
    for name, meaning in _ENVIRONMENT.items():
        yield from (".TP", f".B {_text(name)}", _text(meaning))
    yield ".SH EXIT STATUS"
    for status, meaning in _STATUSES.items():
        yield from (".TP", f".B {status}", _text(meaning))
    yield from (".SH SEE ALSO", ".BR git (1)")


def _usage(actions: Sequence[argparse.Action]) -> Iterator[str]:
    if any(action.option_strings for action in actions):
        yield "[OPTION ...]"
    for action in actions:
        if not action.option_strings:
            more = " ..." if action.nargs == "*" else ""
            yield f"[{_name(action)}{more}]" if action.nargs in ("?", "*") else _name(action)


def _heading(action: argparse.Action) -> str:
    """Return the line that names an option or an argument; what the user replaces is in italics."""
    if not action.option_strings:
        return f".I {_text(_name(action))}"
    names = ", ".join(rf"\fB{_text(name)}\fR" for name in action.option_strings)
    return names if action.nargs == 0 else rf"{names} \fI{_text(_name(action))}\fR"


def _name(action: argparse.Action) -> str:
    if action.choices and not action.metavar:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest).upper()


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _sentence(text: str) -> str:
    """Return `text` with a capital and a full stop."""
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}." if text else "The argument."


def _text(text: str) -> str:
    r"""Return `text` for troff: hyphens that can be copied, no control lines, no Markdown."""
    text = re.sub(r"`([^`]*)`", r"\1", text).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual_page(), encoding="utf-8")
