"""One shell command and what it edits; none is ever run.

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

_JOINS = ("&&", "||", "|", "&", ";", "")
_SIGN = regex(r"\d?[<>&|;\n]")

_TOKEN = regex(
    r"""(?P<blank>[ \t]+|\\\r?\n|\#[^\n]*)
    |(?P<redirect>\d?(?:<<-?|>>|[<>])(?![(&]))
    |(?P<join>&&|\|\|?|[;&]|\r?\n)
    |(?P<word>(?:'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|\\.|[^\s'"\\;&|<>()])+)""",
    re.DOTALL | re.VERBOSE,
)
_PIECE = regex(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)""", re.DOTALL)
_MAY_PATCH = regex(r"(?<![\w./])apply_?patch(?![\w.])")
_WORKED_OUT = regex(r"[$`*?\[{~]")
"""What the shell replaces outside of quotes."""
_EXPANSION = regex(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$-])")
"""What the shell replaces within double quotes."""
_PATCH_EXPECTED = "the patch was expected alone, as the command's here-document or its one argument"


@dataclass(frozen=True, slots=True)
class EditingCommand:
    """A command that applies a patch, or writes its here-document to the file `path`."""

    path: str = ""
    appends: bool = False
    argument: str | None = None
    """The patch where it is the command's argument and not its here-document."""
    folder: str = ""
    """Where it runs, if it changes the folder."""


def read_command(script: str) -> EditingCommand | str | None:
    """Return what a command without the lines of its here-document edits; `None` where it edits nothing.

    A text is the reason why it is not read.
    """
    may_patch = _MAY_PATCH.search(script) is not None
    parts = _parts(script)
    if not parts:
        return "this is not a shell command that can be read" if may_patch else None
    edits = [_edit(part) for part in parts]
    at = next((n for n, edit in enumerate(edits) if edit), 0)
    edit = edits[at]
    if not isinstance(edit, EditingCommand):
        return _more(parts[0]) if not edit and may_patch else edit
    for part in parts[:at]:
        match [*map(word_of, part)]:
            case ["cd", str(folder), "&&"]:
                edit = replace(edit, folder=joined(edit.folder, folder))
            case ["mkdir", *words, "&&"] if None not in words:
                pass
            case _:
                return _more(part)
    return _more(parts[-1]) if parts[at][-1] in _JOINS[:4] or parts[at + 1 :] else edit


def words_alone(script: str) -> list[str | None]:
    """Return the words of a simple command that nothing is joined or redirected to; none of any other."""
    parts = _parts(script)
    return [] if len(parts) != 1 or any(map(_SIGN.match, parts[0])) else list(map(word_of, parts[0]))


def _parts(script: str) -> list[list[str]]:
    """Return the tokens of each simple command, the last of which may join it to the next.

    There are none where something else is among them.
    """
    parts: list[list[str]] = [[]]
    reached = 0
    for token in _TOKEN.finditer(script):
        if token.start() != reached:
            return []
        reached = token.end()
        if not token["blank"] and (parts[-1] or not token["join"]):
            parts[-1].append(token[0])
        if token["join"] and parts[-1]:
            parts.append([])
    return [part for part in parts if part] if reached == len(script) else []


def _edit(part: list[str]) -> EditingCommand | str | None:
    """Return what a simple command edits, or why that is not known; `None` where it edits nothing."""
    words: list[str | None] = []
    written: list[tuple[str, str]] = []
    has_document = False
    tokens = iter(part)
    for token in tokens:
        sign = token.lstrip("012")
        if sign in ("<<", "<<-"):
            has_document = next(tokens, "") != ""
        elif sign in ("<", ">", ">>"):
            written.append((token, next(tokens, "")))
        elif token.strip() not in _JOINS:
            words.append(word_of(token))
    if words[:1] in (["apply_patch"], ["applypatch"]):
        match words[1:]:
            case [] if has_document and not written:
                return EditingCommand()
            case [str(patch)] if not has_document and not written:
                return EditingCommand(argument=patch)
        return _PATCH_EXPECTED
    written = [(sign, word) for sign, word in written if word != "/dev/null"]
    match words:
        case ["cat"] if has_document and len(written) == 1 and written[0][0] in (">", ">>"):
            path = word_of(written[0][1])
            worked_out = "the shell would work out the file's name; a plain path was expected"
            return EditingCommand(path, appends=written[0][0] == ">>") if path else worked_out
        case ["tee", *options, str(path)] if has_document and not written and not path.startswith("-"):
            appends = options in (["-a"], ["--append"])
            return EditingCommand(path, appends=appends) if appends or not options else None
    return None


def word_of(written: str) -> str | None:
    """Return a word without its quotes; `None` where the shell would work it out."""
    pieces: list[str] = []
    for raw, quoted, escaped, plain in _PIECE.findall(written):
        if _EXPANSION.search(quoted) or _WORKED_OUT.search(plain):
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


def joined(folder: str, path: str) -> str:
    """Return a path as seen from outside of the `folder` in which it is meant."""
    is_absolute = path.startswith(("/", "\\")) or (path[1:2] == ":" and path[0].isalpha())
    folder = folder.rstrip("/")
    return path if is_absolute or folder in ("", ".") else f"{folder}/{path}"


def without_prompt(line: str) -> str:
    """Return a line of a terminal without the sign that asks for a command."""
    bare = line.lstrip(" \t")
    return bare[1:].lstrip(" \t") if bare[:1] in ("$", "%") and bare[1:2] in (" ", "\t") else line


def _more(part: list[str]) -> str:
    shown = shortened(" ".join(" ".join(part[:100]).split()).rstrip("&|; "))
    return f"the command does more than edit a file ({shown}); only 'cd FOLDER &&' may come before it"
