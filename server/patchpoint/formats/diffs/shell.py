"""Shell commands that apply a patch or write a file: read with a grammar of the shell, never run.

Accepted are `apply_patch` or `applypatch` with the patch as its here-document or as its one argument, and
`cat` or `tee` with a here-document and a file, alone or behind `cd FOLDER &&` (for a file, `mkdir` too).
Anything else in the command might matter, so it is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.structure.grammars import parsed
from patchpoint.structure.problem import UnjudgedError
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

NAMES = ("apply_patch", "applypatch")
_ARGUMENT = regex(rf"""\b(?:{"|".join(NAMES)})[ \t]+(?:'([^']*)'|"((?:[^"\\]|\\.)*)")""", re.DOTALL)
_EXPANSION = regex(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$-])")
"""What the shell replaces within double quotes."""

LONGEST = 2000
MOST_NESTING = 20
"""The bounds of a command without its patch, in characters and in signs that nest or begin a here-document.

The grammar takes time by the square of some of them. No command that is accepted comes near."""
_NESTING = regex(r"[(\[{`]|<<")

HERE_DOCUMENT = regex(r"<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([^\s;&|<>()'\"]+))")
"""The place in a command that has the delimiter of its here-document."""


@dataclass(frozen=True, slots=True)
class PatchCommand:
    """A command that applies a patch in `folder`, which is empty when the command does not change it.

    `argument` is the patch where it is the command's argument and not its here-document.
    """

    folder: str
    argument: str | None = None


def here_document_word(command: str) -> str:
    """Return the word that ends the here-document of `command`, or an empty text when there is none."""
    found = HERE_DOCUMENT.search(command)
    return next((word for word in found.groups() if word), "") if found else ""


def read_command(script: str) -> PatchCommand | str:
    """Return what the command in `script` does, or the reason why it is more than a patch."""
    argument = None
    found = _ARGUMENT.search(script)
    if found is not None:
        raw, quoted = found.groups()
        if quoted is None or not _EXPANSION.search(quoted):
            argument = raw if quoted is None else re.sub(r'\\([\\"$`])', r"\1", quoted)
            start, end = found.span(1 if quoted is None else 2)
            script = script[:start] + script[end:]
    if len(script) > LONGEST or len(_NESTING.findall(script)) > MOST_NESTING:
        return _more(script[:LONGEST])
    root = _root(script)
    if root is None:
        return "this is not a shell command that can be read"
    statements = [node for node in root.named_children if node.type != "comment"]
    if len(statements) != 1:
        return _more(_text(next((node for node in statements if not _applies_a_patch(node)), statements[-1])))
    statement = statements[0]
    document = statement.type == "redirected_statement"
    if document:
        problem = _redirect_problem(statement)
        if problem:
            return problem
    body = statement.child_by_field_name("body") if document else statement
    folder = ""
    if body is not None and body.type == "list":
        first, operator, body = body.children[0], body.children[1], body.children[-1]
        if operator.type != "&&":
            return f"'{operator.type}' joins another command; only 'cd FOLDER &&' may come before it"
        words = _words_of(first)
        if words is None or len(words) != 2 or words[0] != "cd" or not words[1]:
            return _more(_text(first))
        folder = words[1]
    words = None if body is None else _words_of(body)
    if words is None or words[0] not in NAMES:
        return _more(_text(body or statement))
    if document:
        if len(words) == 1:
            return PatchCommand(folder)
        return f"{words[0]} takes no arguments other than the patch"
    if len(words) != 2:
        return f"{words[0]} needs the patch as its here-document or its one argument"
    return PatchCommand(folder, words[1] if argument is None else argument)


@dataclass(frozen=True, slots=True)
class FileCommand:
    """A command that writes its here-document to a file, in `folder` if that is not empty."""

    path: str
    folder: str = ""
    appends: bool = False


def read_file_command(script: str) -> FileCommand | str | None:
    """Return what file the command in `script` writes, its here-document left empty.

    A text is the reason why it is not read; `None` means that it writes no file by a here-document.
    """
    if len(script) > LONGEST or len(_NESTING.findall(script)) > MOST_NESTING:
        return None
    root = _root(script)
    statements = root.named_children if root is not None else []
    if len(statements) != 1 or statements[0].type != "redirected_statement":
        return None
    files, rest = _redirects(statements[0])
    commands = _joined_commands(statements[0].child_by_field_name("body"))
    if commands is None or not commands[-1]:
        return None
    folder = ""
    for words in commands[:-1]:
        if words and words[0] == "cd" and len(words) == 2:
            folder = f"{folder}/{words[1]}" if folder else words[1]
        elif not words or words[0] != "mkdir":
            return None
    written = _written(commands[-1], files)
    if written is not None and rest is not None:
        return f"the command does more than write a file ({_text(rest)[:60]!r}); it was expected alone"
    if written is None or isinstance(written, str):
        return written
    path, appends = written
    return FileCommand(path, folder, appends)


def _root(script: str) -> Node | None:
    """Return the tree of a script; `None` where it is none, or where the grammar takes too long."""
    try:
        root = parsed(script.encode("utf-8", "surrogatepass"), "bash")
    except UnjudgedError:
        return None
    return None if root is None or root.has_error else root


def _redirects(statement: Node) -> tuple[list[Node], Node | None]:
    """Return the redirections to files of a statement with a here-document, and what else there is."""
    files: list[Node] = []
    for redirect in statement.children_by_field_name("redirect"):
        if redirect.type == "file_redirect":
            files.append(redirect)
            continue
        for part in redirect.named_children:
            if part.type == "file_redirect":
                files.append(part)
            elif part.type not in ("heredoc_start", "heredoc_body", "heredoc_end"):
                return files, part
    return files, None


def _joined_commands(node: Node | None) -> list[list[str]] | None:
    """Return the words of commands joined by `&&`; `None` for anything else."""
    if node is None:
        return None
    if node.type == "list":
        if any(child.type in ("||", ";", "&") for child in node.children):
            return None
        parts = [_joined_commands(child) for child in node.named_children]
        return None if any(part is None for part in parts) else [one for part in parts for one in part or []]
    words = _words_of(node)
    return None if words is None else [words]


def _written(words: list[str], files: list[Node]) -> tuple[str, bool] | str | None:
    """Return the file that a command writes, and whether it appends to it; or why that is not known."""
    targets = [(_text(file).lstrip(), file.child_by_field_name("destination")) for file in files]
    named = [(sign, node) for sign, node in targets if node is None or _text(node) != "/dev/null"]
    if words == ["cat"]:
        if len(named) != 1 or not named[0][0].startswith(">") or named[0][1] is None:
            return None
        path = _word(named[0][1])
        if not path:
            return "the shell would work out the file's name; a plain path was expected"
        return path, named[0][0].startswith(">>")
    if words[:1] == ["tee"] and not named:
        paths = [word for word in words[1:] if not word.startswith("-")]
        options = [word for word in words[1:] if word.startswith("-")]
        if len(paths) == 1 and options in ([], ["-a"], ["--append"]):
            return paths[0], bool(options)
    return None


def _redirect_problem(statement: Node) -> str:
    redirects = statement.children_by_field_name("redirect")
    if len(redirects) != 1 or redirects[0].type != "heredoc_redirect":
        return "the patch must be the command's only redirection"
    for part in redirects[0].named_children:
        if part.type not in ("heredoc_start", "heredoc_body", "heredoc_end"):
            return _more(_text(part))
    return ""


def _words_of(node: Node) -> list[str] | None:
    """Return the words of a plain command, or `None` where the shell would have to work one out."""
    if node.type != "command":
        return None
    words = [_word(child) for child in node.named_children]
    return None if any(word is None for word in words) else [word or "" for word in words]


def _word(node: Node) -> str | None:
    text = _text(node)
    if node.type == "command_name" and node.named_children:
        return _word(node.named_children[0])
    if node.type == "word":
        return None if re.search(r"[$`*?\[{~]", text) else re.sub(r"\\(.)", r"\1", text)
    if node.type == "raw_string":
        return text[1:-1]
    if node.type == "string" and all(child.type == "string_content" for child in node.named_children):
        return re.sub(r'\\([\\"$`])', r"\1", text[1:-1])
    return None


def _applies_a_patch(node: Node) -> bool:
    return any(name in _text(node) for name in NAMES)


def _more(command: str) -> str:
    shown = " ".join(command.split())
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return f"the command does more than apply a patch ('{shown}'); only 'cd FOLDER &&' may come before it"


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
