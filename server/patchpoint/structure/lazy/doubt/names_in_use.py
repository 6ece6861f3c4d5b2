"""The names that lines give a value to, that are gone while others use them, and that are only used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from patchpoint.structure.imports import every_import, imported_names, imports_of
from patchpoint.structure.lazy.bindings import has_fields, head_of, member_name, without_remark
from patchpoint.structure.lazy.definition import Definition, UnmergedError, head_end
from patchpoint.structure.lazy.doubt.lost_imports import brings
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import IDENTIFIER, regex

_NEAR = 400
"""So many characters of a line are looked at on either side of a name."""
_BINDS = regex(
    r"(?P<many>(?:(?:const|let|var|val|final|auto|mut|my|local)\s+)*[\w.<>\[\]*&?,()\s]{0,400}?[A-Za-z_]\w{0,200})\s{0,80}"
    r"(?::[^=:]{0,400})?(?::=|=(?![=>~]))"
    r"|(?:for|foreach)\s{0,80}\(?(?:const|let|var|auto|final)?\s{0,80}(?P<loop>[\w,\s()&*]{1,400}?)\s{1,80}(?:in|of)\b"
)
_AS = regex(r"\bas\s+(\w+)|\|\s*(\w+)\s*\||\b(?:def|func|fun|function|fn|class)\s+(\w+)")
_IMPORT = regex(r"(?:import|from|use|using|require|require_relative|include|#include|pub use)\b")
_IN_PASSING = regex(r"\w+\s*(?=:=)|(?<=\bfor\s)(?:(?!\bin\b)[\w\s,*&()])*(?=\bin\b)")
"""Names that get a value within an expression."""
_MIXIN = regex(r"\s*(?:include|extend|prepend)\s+(?P<name>[A-Z]\w*)")
"""What brings into a class what it does not name."""
_MACRO = regex(r"#\s*define\s+(\w+)")
_READERS = regex(r"attr_\w+\s+:")
_TAKES = regex(
    r"(?:[=!<>+/%-]|&&|\|\||\b(?:return|await|new|throw|yield|raise|not|and|or|if|unless|while|extends|in))\Z"
)
"""What is right before a value, and never before a name that is bound."""
_OPENS = regex(r"[(,:;?]\Z")
_TEXTS = regex(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_FIELD_OF_GO = regex(r"([A-Za-z_]\w*)\s+[\w\[\]*.{}]+(?:\s+`.*`)?\Z")
_ATTRIBUTE = regex(
    r"\s*(?:(?:self|this)\.(\w+)\s*(?::[^=]*)?=(?!=)"
    r"|(?:(?:private|public|protected|readonly)\s+)+(\w+)\s*\??:.*,\s*\Z)"
)
"""A line that gives an attribute a value, and one that declares it among the parameters of TypeScript."""
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
"""Words of the languages."""


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


def is_prose(line: str) -> bool:
    """Return whether a line is a comment, of most languages."""
    return line.lstrip().startswith(("#", "//", "*", "/*"))


def lost_name(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return a name that code uses, and that nothing gives it any more; empty for none.

    A line that is gone gave it: in a function, for the rest of that function, or an import, or a line in no
    function, for all of the file.
    """
    syntaxes, changes = syntaxes_of(path), changed_ranges(file, result)
    if not syntaxes or not changes:
        return ""
    try:
        own, given = (outline_of_file(lines, path)[0].root for lines in (file, result))
    except UnmergedError:
        return ""
    is_data, left = syntaxes[0].is_data, {line.strip() for line in result}
    kept = {each.name for each in given.walk()}
    for (first, end), (start, stop) in changes if not is_data else ():
        within = (given.around(start, max(stop, start + 1)) or [given])[-1]
        lost = _lost_within(result, within, file[first:end]) if not within.is_container else []
        if lost:
            return lost[0]
    outer: list[str] = []
    for row in (row for old, _ in changes for row in range(*old) if file[row].strip() not in left):
        around = own.around(row, row + 1)
        if all(each.name in kept and _has_members(file, each) for each in around):
            outer.append(file[row])
    imported = set() if is_data else _names_of_lost_imports(file, result, path, left)
    names = {name for line in outer for name in _given_outside(line, path)}
    names = {name for name in names if name.startswith("--") or not is_data}
    known = _known(result, given, path) if names or imported else set()
    code = _code(result)
    before = "-" if syntaxes[0].family == "shell" else "$-"
    lost = [name for name in sorted(names - known) if _is_used(name, code, before)]
    lost += [name for name in sorted(imported - known) if _is_used(name, code, "$.-")]
    lost += [found["name"] for line in outer if (found := _MIXIN.match(line))]
    return lost[0] if lost else "" if is_data else _lost_attribute(file, result)


def _lost_within(result: Sequence[str], function: Definition, gone: Sequence[str]) -> list[str]:
    """Return the names that lines of a function gave a value, which it only uses now."""
    within = [line.replace("$", "") for line in result[function.lead : function.end]]
    left = {line.strip() for line in within}
    lines = [line for line in (each.replace("$", "") for each in gone) if line.strip() not in left]
    names = {name for line in lines for name in _given_within(line)}
    head = result[function.start : head_end(result, function)] if names else ()
    names -= {name for line in head for name in IDENTIFIER.findall(line)}
    names -= {name for line in within for name in _given_within(line)} if names else set()
    if not names:
        return []  # all lines of the file are looked at only where it matters
    names -= set(bound_names(line for line in result if line[:1].strip()))
    code = _code(within)
    return [name for name in sorted(names) if _is_used(name, code, ".>:")]


def _given_within(line: str) -> set[str]:
    """Return the names that a line of a function gives a value; an argument of a name gives it none."""
    names = {name for name in bound_names([line]) if _gives_value(line, name)}
    return names | {name for found in _IN_PASSING.finditer(line) for name in IDENTIFIER.findall(found[0])}


def _given_outside(line: str, path: str) -> Iterator[str]:
    """Yield the names that a line in no function gives a value or a meaning."""
    field = _FIELD_OF_GO.match(line.strip()) if path.endswith(".go") else None
    yield from [field[1]] if field else given_names(line.strip())


def _known(result: Sequence[str], given: Definition, path: str) -> set[str]:
    """Return the names that something gives a value or a meaning."""
    known = {name for line in result for name in _given_outside(line, path)}
    return known | {*bound_names(result), *(each.name.rpartition(".")[2] for each in given.walk())}


def _names_of_lost_imports(file: Sequence[str], result: Sequence[str], path: str, left: set[str]) -> set[str]:
    """Return the names of imports that are gone, and that no other import brings."""
    gone = [each for each in imports_of(file, path) if file[each.first].strip() not in left]
    brought = {name for each in every_import(result, path) for name in brings(each)} if gone else set()
    return {name for each in gone for name in brings(each)} - brought


def _lost_attribute(file: Sequence[str], result: Sequence[str]) -> str:
    """Return an attribute that lines of before use, and that none gives a value any more."""
    left = {line.strip() for line in result}
    gone = {_attribute(line) for line in file if line.strip() not in left} - {""}
    gone -= {_attribute(line) for line in result} if gone else set()
    kept = left.intersection(map(str.strip, file)) if gone else set()
    code = _code([line for line in result if line.strip() in kept]) if gone else ""
    used = (name for name in sorted(gone) if re.search(rf"\b(?:self|this)\.{name}\b", code))
    return next(used, "")


def _attribute(line: str) -> str:
    found = _ATTRIBUTE.match(line)
    return (found[1] or found[2]) if found else ""


def _has_members(file: Sequence[str], definition: Definition) -> bool:
    return definition.is_container or has_fields(file[definition.start])


def _gives_value(line: str, name: str) -> bool:
    """Return whether a line gives a name a value, and not in brackets that it opens."""
    word = re.escape(name)
    found = re.search(rf"(?<![\w.])(?<!: )(?<!\| ){word}\s*(?:,[^=()]*)?(?::[^=]*)?(?::=|=(?!=))", line)
    return found is not None and line.count("(", 0, found.start()) <= line.count(")", 0, found.start())


def _is_used(name: str, code: str, before: str) -> bool:
    """Return whether code has a name, right behind none of some signs, as no key and no argument."""
    return (
        re.search(rf"(?<![\w{before}]){re.escape(name)}(?![\w$-]|\s*:(?!:|\s*$)|\s*=(?![=>]))", code, re.M)
        is not None
    )


def _code(lines: Sequence[str]) -> str:
    """Return lines without remarks and texts."""
    solid = [without_remark(line) for line in lines if not is_prose(line)]
    return _TEXTS.sub("''", "\n".join(solid))
