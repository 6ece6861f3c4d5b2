"""Shell commands that apply a patch or write a file: read as words and signs, never run.

Accepted are `apply_patch` or `applypatch` with the patch as its here-document or as its one argument, and
`cat` or `tee` with a here-document and a file, alone or behind `cd FOLDER &&` (for a file, `mkdir` too).
Anything else in the command might matter, so it is refused.
"""

from __future__ import annotations

import re

from patchpoint.dataclass import dataclass
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
_EXPANSION = regex(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$-])")
"""What the shell replaces within double quotes."""
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
class PatchCommand:
    """A command that applies a patch in `folder`, which is empty when the command does not change it.

    `argument` is the patch where it is the command's argument and not its here-document.
    """

    folder: str
    argument: str | None = None


@dataclass(frozen=True, slots=True)
class FileCommand:
    """A command that writes its here-document to a file, in `folder` if that is not empty."""

    path: str
    folder: str = ""
    appends: bool = False


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


def here_document_of(line: str) -> tuple[str, str]:
    """Return the sign and the word, quotes and all, of the here-document of a command; empty without one."""
    for rest in line.split("<<")[1:]:
        sign = "<<-" if rest.startswith("-") else "<<"
        word = _TOKEN.match(rest.removeprefix("-").lstrip(" \t"))
        if word and word["word"]:
            return sign, word[0]
    return "", ""


def read_command(script: str) -> PatchCommand | str:
    """Return what the command in `script` does, or the reason why it is more than a patch.

    The lines of its here-document are left out.
    """
    commands = commands_in(script)
    if not commands:
        return "this is not a shell command that can be read"
    at = next((n for n, one in enumerate(commands) if one.words[:1] and one.words[0] in NAMES), None)
    others = commands if at is None else commands[at + 1 :]
    if at is None or others:
        return _more(others[0].text)
    folder = ""
    for command in commands[:at]:
        if command.joined_by in ("||", "|", "&"):
            sign = command.joined_by
            return f"'{sign}' joins another command; only 'cd FOLDER &&' may come before it"
        path = command.words[1] if len(command.words) == 2 and command.words[0] == "cd" else ""
        if not path or folder or command.redirects or command.joined_by != "&&":
            return _more(command.text)
        folder = path
    command = commands[at]
    name, *arguments = command.words
    if command.redirects and (len(command.redirects) > 1 or not command.redirects[0][0].startswith("<<")):
        return "the patch must be the command's only redirection"
    if command.joined_by.strip(";\r\n"):
        return _more(command.text)
    if command.redirects:
        return f"{name} takes no arguments other than the patch" if arguments else PatchCommand(folder)
    if len(arguments) != 1 or arguments[0] is None:
        return f"{name} needs the patch as its here-document or its one argument"
    return PatchCommand(folder, arguments[0])


def read_file_command(line: str) -> FileCommand | str | None:
    """Return what file the command on `line` writes by a here-document.

    A text is the reason why it is not read; `None` means that it writes no file by a here-document.
    """
    commands = commands_in(line) or []
    at = next(
        (n for n, one in enumerate(commands) if any(sign[:2] == "<<" for sign, _ in one.redirects)), None
    )
    folder = ""
    for command in commands[:at]:
        words = command.words
        if command.joined_by != "&&" or command.redirects or None in words:
            return None
        if words[0] == "cd" and len(words) == 2:
            folder = f"{folder}/{words[1]}" if folder else words[1] or ""
        elif words[0] != "mkdir":
            return None
    if at is None:
        return None
    written = _written(commands[at])
    if written is None or isinstance(written, str):
        return written
    rest = "" if at + 1 == len(commands) else line[line.index(commands[at + 1].text) :].strip()
    if rest or commands[at].joined_by.strip():
        return f"the command does more than write a file ({rest[:60]!r}); it was expected alone"
    return FileCommand(written[0], folder, written[1])


def _written(command: ShellCommand) -> tuple[str, bool] | str | None:
    """Return the file that a command writes, and whether it appends to it; or why that is not known."""
    files = [(sign, word) for sign, word in command.redirects if sign[:2] != "<<" and word != "/dev/null"]
    if command.words == ("cat",):
        if len(files) != 1 or not files[0][0].startswith(">"):
            return None
        path = word_of(files[0][1])
        worked_out = "the shell would work out the file's name; a plain path was expected"
        return (path, files[0][0] == ">>") if path else worked_out
    if command.words[:1] == ("tee",) and not files and None not in command.words:
        paths = [word for word in command.words[1:] if word and not word.startswith("-")]
        options = [word for word in command.words[1:] if word and word.startswith("-")]
        if len(paths) == 1 and options in ([], ["-a"], ["--append"]):
            return paths[0], bool(options)
    return None


def without_prompt(line: str, signs: str = "$%") -> str:
    """Return a line of a terminal without the sign that asks for a command."""
    bare = line.lstrip(" \t")
    return bare[1:].lstrip(" \t") if bare[:1] and bare[:1] in signs and bare[1:2] in (" ", "\t") else line


def _more(command: str) -> str:
    shown = " ".join(command[:1000].split())
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return f"the command does more than apply a patch ('{shown}'); only 'cd FOLDER &&' may come before it"
