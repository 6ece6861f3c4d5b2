"""Shell commands that apply a patch: read with a grammar of the shell, never run.

Accepted are `apply_patch` or `applypatch` with the patch as its here-document or as its one argument, alone
or behind `cd FOLDER &&`. Anything else in the command might matter, so it is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

NAMES = ("apply_patch", "applypatch")
_ARGUMENT = re.compile(rf"""\b(?:{"|".join(NAMES)})[ \t]+(?:'([^']*)'|"((?:[^"\\]|\\.)*)")""", re.DOTALL)
_EXPANSION = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$-])")
"""What the shell replaces within double quotes."""

LONGEST = 2000
MOST_NESTING = 20
"""The bounds of a command without its patch, in characters and in signs that nest or begin a here-document.

The grammar takes time by the square of some of them. No command that is accepted comes near."""
_NESTING = re.compile(r"[(\[{`]|<<")

HERE_DOCUMENT = re.compile(r"<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([^\s;&|<>()'\"]+))")
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
    tree = _parser().parse(script.encode("utf-8", "surrogatepass"))
    root = tree.root_node
    if root.has_error:
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


@lru_cache(maxsize=1)
def _parser() -> Parser:
    # Loaded with the first command that is read: most servers never see one.
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


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
