"""The names that lines give a value to, that are gone while others use them, and that are only used."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from patchpoint.text.regex import IDENTIFIER, regex

_SHORT = 3
_NEAR = 400
"""So many characters of a line are looked at on either side of a name."""
_BINDS = regex(
    r"(?P<many>(?:(?:const|let|var|val|final|auto|mut|my|local)\s+)*[\w.<>\[\]*&?,()\s]{0,400}?[A-Za-z_]\w{0,200})\s{0,80}"
    r"(?::[^=:]{0,400})?(?::=|=(?![=>~]))"
    r"|(?:for|foreach)\s{0,80}\(?(?:const|let|var|auto|final)?\s{0,80}(?P<loop>[\w,\s()&*]{1,400}?)\s{1,80}(?:in|of)\b"
)
_AS = regex(r"\bas\s+(\w+)|\|\s*(\w+)\s*\||\b(?:def|func|fun|function|fn|class)\s+(\w+)")
_IMPORT = regex(r"(?:import|from|use|using|require|require_relative|include|#include|pub use)\b")
_TAKES = regex(
    r"(?:[=!<>+/%-]|&&|\|\||\b(?:return|await|new|throw|yield|raise|not|and|or|if|unless|while|extends|in))\Z"
)
"""What is right before a value, and never before a name that is bound."""
_OPENS = regex(r"[(,:;?]\Z")
_WORDS = frozenset({
    "abstract", "and", "async", "attr_accessor", "attr_reader", "attr_writer", "auto", "await", "bool",
    "boolean", "byte", "char", "class", "const", "constructor", "def", "default", "double", "elif", "else",
    "end", "enum", "export", "extend", "extends", "extern", "false", "final", "float", "for", "foreach",
    "from", "func", "function", "get", "if", "implements", "import", "include", "int", "interface",
    "internal", "let", "local", "long", "module", "mut", "namespace", "new", "nil", "none", "not", "null",
    "object", "open", "or", "override", "package", "private", "protected", "pub", "public", "readonly",
    "require", "return", "self", "set", "short", "static", "str", "string", "struct", "super", "this",
    "trait", "true", "type", "typedef", "undefined", "union", "unsafe", "use", "using", "val", "var",
    "virtual", "void", "while", "with",
})  # fmt: skip
"""Words of the languages, which nothing introduces."""


def deletes_in_use(file: Sequence[str], deleted: Collection[int], result: Sequence[str]) -> bool:
    """Return whether lines of the file, by their numbers, are gone that introduce what others use.

    So may be imports that others have the place of.
    """
    imports = [row for row, line in enumerate(file) if _IMPORT.match(line)]
    left = {line.strip() for line in (result if deleted or imports else ())}
    rows = {row for row in (*deleted, *imports) if file[row].strip() not in left}
    if not rows:
        return False
    introduced = {name for row in rows for name in _introduced(file[row])}
    for row, line in enumerate(file):
        if row not in rows:
            if row > max(rows):
                break
            introduced -= set(IDENTIFIER.findall(line))
    if not introduced:
        return False
    own = {line.rstrip() for line in file}
    imported = {name for row in rows.intersection(imports) for name in _introduced(file[row])}
    for line in result:
        found = introduced.intersection(IDENTIFIER.findall(line))
        is_own = line.rstrip() in own
        # what a new line has of an import that is gone, it uses, unless it brings it
        if (
            found
            and not _is_prose(line)
            and (is_own or not imported.isdisjoint(found - {*bound_names([line])}))
        ):
            return True
        introduced -= found
    return False


def bound_names(lines: Iterable[str]) -> Iterator[str]:
    """Yield the names that lines give a value to."""
    for line in lines:
        words = line.strip()
        if _IMPORT.match(words):
            yield from _imported(words)
            continue
        found = _BINDS.match(words)
        if found:
            names = IDENTIFIER.findall(found["many"] or found["loop"] or "")
            yield from (name for name in names if name not in _WORDS)
        for match in _AS.finditer(words):
            yield from (name for name in match.groups() if name)


def is_only_used(name: str, text: str) -> bool:
    """Return whether a text has a name, and only where it is plainly used: nothing binds it there."""
    is_used = False
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2].rstrip()
        after = text[match.end() : match.end() + _NEAR].partition("\n")[0].strip()
        if before.endswith((".", "->")):
            continue
        if after.startswith(("=>", "->")):
            return False
        is_part = after.startswith((".", "::"))
        is_called = after.startswith("(")
        is_statement = is_called and not before and after.endswith(";")
        if not (
            _TAKES.search(before)
            or is_statement
            or (is_part and not before)
            or ((is_part or is_called) and _OPENS.search(before))
        ):
            return False
        is_used = True
    return is_used


def _introduced(line: str) -> Iterator[str]:
    """Yield the names that a line right within a class or a file may introduce."""
    words = line.strip()
    if _is_prose(words) and not words.startswith("#include"):
        return
    is_import = _IMPORT.match(words) is not None
    names = _imported(words) if is_import else IDENTIFIER.findall(words)
    least = 1 if is_import else _SHORT
    yield from (name for name in names if name.lower() not in _WORDS and len(name) >= least)


def _imported(words: str) -> list[str]:
    """Return the names that an import brings: the last parts of paths, and those after `as`."""
    between = re.match(r"import\s+(?:type\s+)?(.+?)\s+from\b", words)
    listed = between[1] if between else words.rpartition(" import ")[2] if words.startswith("from") else words
    braces = re.search(r"\{(.*)\}", listed)
    parts = (braces[1] if braces else listed).split(",")
    found = []
    for part in parts:
        names = IDENTIFIER.findall(part)
        found += names[-1:]
    return found


def _is_prose(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*"))
