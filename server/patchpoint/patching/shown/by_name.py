"""What words ask of something by its name: another value, which a file gives it once, or that it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from patchpoint.edit import Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.definition import definition_named
from patchpoint.patching.named.unplaced import Placed, UnplacedError
from patchpoint.structure.imports import imports_of
from patchpoint.structure.keyed.units import units_of
from patchpoint.structure.lazy.bindings import end_of_block, head_of
from patchpoint.structure.lazy.definition import CodeText, Definition
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_VALUE = regex(
    r"\s*(?P<value>(?P<quote>[\"'])[^\"'\\]*(?P=quote)|#[\da-fA-F]{3,8}|[^\s\"',;#({\[](?:[^\"',;#({\[]*[^\s\"',;#({\[])?)"
    r"(?=[,;]?(?:\s+(?:#|//).*|\s*)\Z)"
)
_LITERAL = regex(r"[-+.]?\d|[\"']")
_CONSTANTS = frozenset({"true", "false", "none", "null", "nil", "yes", "no", "on", "off"})
_GIVES = "It gives `{}` the value `{}`."
_ENDS = "'\";"


def may_be_value(words: str) -> bool:
    """Return whether words are a value rather than another name: a number, a text, or a constant."""
    return not words.isidentifier() or words.casefold() in _CONSTANTS


def is_literal(words: str) -> bool:
    """Return whether words are a number, a text or a constant, which no name is replaced by itself."""
    return words.casefold() in _CONSTANTS or _LITERAL.match(words) is not None


def has_value(lines: Sequence[str], name: str) -> bool:
    """Return whether a name gets a value on some line, whatever that is; a key may have others below it."""
    within = [line for line in lines if name in line]
    heads = (_head_of(name).match(line) for line in within)
    return any(map(_inside(name).search, within)) or any(
        head and (head[0].endswith("=") or head.string[head.end() :].strip()) for head in heads
    )


def with_value(
    lines: Sequence[str], name: str, value: str, at: Span | None = None, *, old: str = ""
) -> Placed:
    """Return the lines with another value for a name, in place of `old` if given; a text keeps its quotes.

    Of several, the one in the lines `at` is meant. Raises `UnplacedError` where there is none, or no telling
    which is meant.
    """
    made = {row: changed for row, line in enumerate(lines) if (changed := _with_value(line, name, value))}
    if not made:
        found = {row: list(_inside(name).finditer(line)) for row, line in enumerate(lines) if name in line}
        made = {row: _put(each[0], value) for row, each in found.items() if len(each) == 1}
        if any(len(each) > 1 for each in found.values()):
            made = {}
    if old:
        made = {row: line for row, line in made.items() if _with_value(lines[row], name, old) == lines[row]}
    rows = [row for row in made if at is None or (row, row + 1) == at]
    if not rows:
        why = "it has no plain value there; quote the whole line instead"
        raise UnplacedError(Reason.NOT_PLACED, {"name": name, "why": why})
    if len(rows) > 1:
        raise UnplacedError(Reason.SEVERAL, {}, [(row, row + 1) for row in rows])
    row = rows[0]
    doubt = "" if old else _GIVES.format(name, value)
    return Placed((*lines[:row], made[row], *lines[row + 1 :]), (row, row + 1), doubt=doubt)


def without_named(lines: Sequence[str], path: str, target: Target, at: Span | None = None) -> Placed:
    """Return the lines without what `target` names, a name path or all of a line.

    Of several, the one with the lines `at` is meant. Raises `UnplacedError` where there is none or several.
    """
    try:
        file, own = definition_named(lines, path, target, at)
    except UnplacedError as error:
        if error.reason is not Reason.NOT_PLACED:
            raise
        spans = next(filter(None, (list(each) for each in _found(lines, path, target.name))), [])
        if at in spans or len(spans) == 1:
            first, end = at if at in spans and at is not None else spans[0]
            above = [row for row in range(first) if lines[row].strip()]
            start = above[-1] + 1 if above and end == len(lines) else first
            end = end if above else _behind_blank_lines(lines, end)
            return Placed((*lines[:start], *lines[end:]), (first, end))
        if not spans:
            raise
        raise UnplacedError(Reason.SEVERAL, {}, spans) from None
    first, end = _with_blank_lines(file, own)
    return Placed((*lines[:first], *lines[end:]), (own.lead, own.end))


def _with_value(line: str, name: str, value: str) -> str | None:
    """Return a line with another value for a name; `None` where it gives it none, or one that goes on."""
    head = _head_of(name).match(line) if name in line else None
    found = _VALUE.match(line, head.end()) if head is not None else None
    return _put(found, value) if found is not None else None


def _put(found: re.Match[str], value: str) -> str:
    """Return a line with a value in place of the one that was found in it, in quotation marks as that is."""
    quote = found["quote"] or ""
    if quote and value[:1] not in ("'", '"'):
        value = f"{quote}{value}{quote}"
    return f"{found.string[: found.start('value')]}{value}{found.string[found.end('value') :]}"


@lru_cache(maxsize=16)
def _inside(name: str) -> re.Pattern[str]:
    """Return the pattern of an argument or attribute of a name, with its value."""
    value = r"(?P<value>(?P<quote>[\"'])[^\"'\\]{0,200}(?P=quote)|[\w.+-]{1,200})(?=[\s,;)\]}>/]|\Z)"
    return re.compile(rf"(?<![\w.-]){re.escape(name)}\s{{0,2}}=\s{{0,2}}{value}")


@lru_cache(maxsize=16)
def _head_of(name: str) -> re.Pattern[str]:
    """Return the pattern of what is before the value of a name: words, the name, a type, and a sign."""
    words, type_ = (
        r"\s*(?:- )?(?:[\w$.<>\[\]]{1,80} ){0,6}(?:(?:self|this)\.)?",
        r"(?:[?!]?: ?[\w\[\]<>|., ]{1,80}(?==))?",
    )
    sign = r"(?::=|=|:)(?![=>:])"
    # a version, as in a list of requirements
    version = rf"\s*{re.escape(name)}(?:\[[\w,-]{{1,80}}\])?\s{{0,4}}[=~<>!]=(?=\s{{0,4}}\d)"
    return re.compile(rf"{version}|{words}(?P<mark>[\"']?){re.escape(name)}(?P=mark)\s{{0,40}}{type_}{sign}")


def _found(lines: Sequence[str], path: str, name: str) -> Iterator[Iterator[Span]]:
    """Yield the spans of what has a name in a file, by each way of having one."""
    yield (
        (unit.first, _behind_blank_lines(lines, unit.end))
        for unit in units_of(lines, path)
        if unit.key in (name, f"{name} =")
    )
    yield ((each.first, each.end) for each in imports_of(lines, path) if _is_import_of(each.text, name))
    yield ((row, end_of_block(lines, row)) for row, line in enumerate(lines) if head_of(line)[-1:] == (name,))
    said = name.rstrip(";,")
    wanted = (said, f"{said.replace('/', '.')}()")
    yield ((row, row + 1) for row, line in enumerate(lines) if line.strip().rstrip(";,") in wanted)


def _is_import_of(statement: str, name: str) -> bool:
    """Return whether a statement imports one name, and no other."""
    words = statement.rstrip(_ENDS).split()
    return "," not in statement and name in (words[-1].strip(_ENDS), *words[1:2])


def _behind_blank_lines(lines: Sequence[str], row: int) -> int:
    return next((n for n in range(row, len(lines)) if lines[n].strip()), row)


def _with_blank_lines(file: CodeText, own: Definition) -> Span:
    """Return the lines of a definition with the blank lines that part it from one of its neighbours."""
    first, end, depth = own.lead, own.end, file.depth(own.start)
    above, below = file.above(first), file.below(end)
    is_first = above < 0 or file.depth(above) < depth
    is_last = below == len(file.lines) or file.depth(below) < depth
    # of the blank lines above and below, the more stay between others
    if is_first or (not is_last and first - above - 1 >= below - end):
        return first, below
    return above + 1, end
