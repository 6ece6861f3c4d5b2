"""Shell commands as words and signs, and what one of them writes; none is ever run.

Known are `apply_patch` or `applypatch` with the patch as its here-document or as its one argument, and `cat`
or `tee` with a here-document and a file, alone or behind `cd FOLDER &&` and `mkdir FOLDER &&`. Anything else
in the command might matter, so it is refused.
"""

from __future__ import annotations

import re

from patchpoint.dataclass import dataclass, replace
from patchpoint.formats.source import shortened
from patchpoint.text.regex import regex

NAMES = ("apply_patch", "applypatch")

_TOKEN = regex(
    r"""(?P<blank>[ \t]+|\\\r?\n|\#[^\n]*)
    |(?P<redirect>\d?(?:<<-?|>>|[<>])(?![(&]))
    |(?P<join>&&|\|\|?|[;&]|\r?\n)
    |(?P<word>(?:'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|\\.|[^\s'"\\;&|<>()])+)""",
    re.DOTALL | re.VERBOSE,
)
_PIECE = regex(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)""", re.DOTALL)
_MAY_PATCH = regex(r"(?<![\w./])apply_?patch(?![\w.])")
_EXPANSION = regex(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$-])")
"""What the shell replaces within double quotes."""
_TEE_OPTIONS: tuple[list[str], ...] = ([], ["-a"], ["--append"])
_WORKED_OUT = frozenset("$`*?[{~")
"""What the shell replaces outside of quotes."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A simple command: its words (`None` where the shell would work one out), and what it is joined by."""

    text: str
    words: tuple[str | None, ...]
    redirects: tuple[tuple[str, str], ...] = ()
    """Each with its sign and the word behind it, quotes and all."""
    joined_by: str = ""
    """The sign behind it: `&&`, `||`, `|`, `;`, `&`, or a line ending; empty for the last one."""


@dataclass(frozen=True, slots=True)
class EditingCommand:
    """A command that applies a patch, or writes its here-document to the file `path`."""

    path: str = ""
    appends: bool = False
    argument: str | None = None
    """The patch where it is the command's argument and not its here-document."""
    folder: str = ""
    """Where it runs, if it changes the folder."""


def commands_in(script: str) -> list[ShellCommand] | None:
    """Return the simple commands of a script without the lines of here-documents; `None` for any other."""
    commands: list[ShellCommand] = []
    words: list[str | None] = []
    redirects: list[tuple[str, str]] = []
    sign = ""
    start = reached = 0
    for token in _TOKEN.finditer(f"{script}\n"):
        kind, text = token.lastgroup, token[0]
        if token.start() != reached or (sign and kind in ("redirect", "join")):
            return None
        reached = token.end()
        if kind == "redirect":
            sign = text
        elif kind == "word" and sign:
            redirects.append((sign, text))
            sign = ""
        elif kind == "word":
            words.append(word_of(text))
        elif kind == "join":
            if words or redirects:
                joined_by = "" if reached > len(script) else text
                said = script[start : token.start()].strip()
                commands.append(ShellCommand(said, tuple(words), tuple(redirects), joined_by))
                words, redirects = [], []
            start = reached
    return commands if reached == len(script) + 1 else None


def word_of(written: str) -> str | None:
    """Return a word without its quotes; `None` where the shell would work it out."""
    pieces: list[str] = []
    for raw, quoted, escaped, plain in _PIECE.findall(written):
        if (quoted and _EXPANSION.search(quoted)) or not _WORKED_OUT.isdisjoint(plain):
            return None
        pieces += (raw, re.sub(r'\\([\\"$`])', r"\1", quoted), escaped, plain)
    return "".join(pieces)


def here_document_of(command: str) -> tuple[str, str]:
    """Return the sign and the word, quotes and all, of the here-document of a command; empty without one."""
    for rest in command.split("<<")[1:]:
        sign = "<<-" if rest.startswith("-") else "<<"
        word = _TOKEN.match(rest.removeprefix("-").lstrip(" \t"))
        if word and word["word"]:
            return sign, word[0]
    return "", ""


def read_command(script: str) -> EditingCommand | str | None:
    """Return what a command without the lines of its here-document edits; `None` where it edits nothing.

    A text is the reason why it is not read.
    """
    commands = commands_in(script)
    may_patch = _MAY_PATCH.search(script) is not None
    if not commands:
        return "this is not a shell command that can be read" if may_patch else None
    at = next((n for n, one in enumerate(commands) if _patches(one) or _documents(one)), len(commands) - 1)
    command = commands[at]
    edit = _patch(command) if _patches(command) else _file(command) if _documents(command) else None
    if edit is None and may_patch:
        return _more(commands[0])
    if edit is None or isinstance(edit, str):
        return edit
    other = next((one for one in commands[:at] if not _only_leads_to(one)), None)
    if other is None and (commands[at + 1 :] or command.joined_by.strip(";\r\n")):
        other = commands[-1]
    if other:
        return _more(other)
    folder = ""
    for before in commands[:at]:
        folder = joined(folder, before.words[1] or "") if before.words[0] == "cd" else folder
    return replace(edit, folder=folder)


def _only_leads_to(command: ShellCommand) -> bool:
    """Return whether a command only makes or enters the folder of the next one."""
    name, *paths = command.words or ("",)
    is_known = name == "mkdir" or (name == "cd" and len(paths) == 1)
    return is_known and command.joined_by == "&&" and not command.redirects and None not in paths


def joined(folder: str, path: str) -> str:
    """Return a path as seen from outside of the `folder` in which it is meant."""
    is_absolute = path.startswith(("/", "\\")) or (path[1:2] == ":" and path[0].isalpha())
    folder = folder.rstrip("/")
    return path if is_absolute or folder in ("", ".") else f"{folder}/{path}"


def without_prompt(line: str) -> str:
    """Return a line of a terminal without the sign that asks for a command."""
    bare = line.lstrip(" \t")
    return bare[1:].lstrip(" \t") if bare[:1] in ("$", "%") and bare[1:2] in (" ", "\t") else line


def _patches(command: ShellCommand) -> bool:
    return bool(command.words) and command.words[0] in NAMES


def _documents(command: ShellCommand) -> bool:
    return any(sign[:2] == "<<" for sign, _ in command.redirects)


def _patch(command: ShellCommand) -> EditingCommand | str:
    """Return what a command applies, or why that is not known."""
    name, *arguments = command.words
    if len(command.redirects) > 1 or (command.redirects and not _documents(command)):
        return "the patch must be the command's only redirection"
    if command.redirects:
        return f"{name} takes no arguments other than the patch" if arguments else EditingCommand()
    if len(arguments) != 1 or arguments[0] is None:
        return f"{name} needs the patch as its here-document or its one argument"
    return EditingCommand(argument=arguments[0])


def _file(command: ShellCommand) -> EditingCommand | str | None:
    """Return the file that a command writes, or why that is not known; `None` where it writes none."""
    files = [(sign, word) for sign, word in command.redirects if sign[:2] != "<<" and word != "/dev/null"]
    if command.words == ("cat",) and len(files) == 1 and files[0][0].startswith(">"):
        path = word_of(files[0][1])
        worked_out = "the shell would work out the file's name; a plain path was expected"
        return EditingCommand(path, appends=files[0][0] == ">>") if path else worked_out
    name, *words = command.words or ("",)
    *options, path = words or [None]
    if name == "tee" and not files and path and path[0] != "-" and options in _TEE_OPTIONS:
        return EditingCommand(path, appends=bool(options))
    return None


def _more(command: ShellCommand) -> str:
    shown = shortened(" ".join(command.text[:1000].split()))
    return f"the command does more than edit a file ({shown}); only 'cd FOLDER &&' may come before it"
