"""The names that lines give a value to, that are gone while others use them, and that are only used."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from patchpoint.structure.imports import imported_names
from patchpoint.structure.lazy.bindings import head_of, member_name
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
_MIXIN = regex(r"(?:include|extend|prepend)\s+[A-Z]")
"""What brings into a class what it does not name."""
_MACRO = regex(r"#\s*define\s+(\w+)")
_READERS = regex(r"attr_\w+\s+:")
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


def names_in_use_are_gone(
    file: Sequence[str], deleted: Collection[int], changed: Collection[int], result: Sequence[str]
) -> bool:
    """Return whether lines of the file, by their numbers, are gone that give something a name in use.

    Nothing gives it any more, and the result has it. What a class includes may be in use by any name.
    """
    if _deletes_in_use(file, deleted, result):
        return True
    gone = (*deleted, *changed)
    left = {line.strip() for line in (result if gone else ())}
    lines = [file[row].strip() for row in gone if file[row].strip() not in left]
    if any(map(_MIXIN.match, lines)):
        return True
    names = {name for words in lines for name in given_names(words)}
    names -= {name for words in (left if names else ()) for name in given_names(words)}
    code = (line for line in (result if names else ()) if not is_prose(line))
    return any(not names.isdisjoint(IDENTIFIER.findall(line)) for line in code)


def given_names(words: str) -> Iterator[str]:
    """Yield the names that a line, right within a class or a file, gives a value or a meaning."""
    macro = _MACRO.match(words)
    if macro or _READERS.match(words):
        yield from [macro[1]] if macro else IDENTIFIER.findall(words)[1:]
    else:
        yield from filter(None, (member_name(words), *head_of(words)[-1:]))


def bound_names(lines: Iterable[str]) -> Iterator[str]:
    """Yield the names that lines give a value to."""
    for line in lines:
        words = line.strip()
        if _IMPORT.match(words):
            yield from imported_names(words)
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


def _deletes_in_use(file: Sequence[str], deleted: Collection[int], result: Sequence[str]) -> bool:
    """Return whether lines of the file, by their numbers, are gone that introduce what others use."""
    left = {line.strip() for line in (result if deleted else ())}
    rows = {row for row in deleted if file[row].strip() not in left}
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
    for line in result:
        found = introduced.intersection(IDENTIFIER.findall(line))
        if found and line.rstrip() in own and not is_prose(line):
            return True
        introduced -= found
    return False


def is_prose(line: str) -> bool:
    """Return whether a line is a comment, of most languages."""
    return line.lstrip().startswith(("#", "//", "*", "/*"))


def _introduced(line: str) -> Iterator[str]:
    """Yield the names that a line right within a class or a file may introduce."""
    words = line.strip()
    if is_prose(words) and not words.startswith("#include"):
        return
    names = imported_names(words) if _IMPORT.match(words) else IDENTIFIER.findall(words)
    yield from (name for name in names if name.lower() not in _WORDS and len(name) >= _SHORT)
