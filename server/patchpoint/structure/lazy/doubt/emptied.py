"""Functions of which only a stub would be left: who shows their heads seldom means to empty them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.bindings import without_remark
from patchpoint.structure.lazy.definition import CodeText, Definition, UnmergedError, is_comment
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.text.regex import regex

_UNDONE = r"(?:[Nn]ot[ _]?(?:yet )?[Ii]mplemented|[Uu]nimplemented|TODO|[Ii]mplement (?:me|this))"
_STUB = regex(
    r"(?:(?:\"\"\"(?:[^\"]|\"(?!\"\"))*\"\"\"|'''(?:[^']|'(?!''))*'''|\"[^\"]*\")\s*)?"
    r"(?:\.\.\.|…|pass|TODO\(.*\)|(?:todo|unimplemented)!\(.*\)"
    r"|(?:raise|throw)\s(?:new\s)?[\w.:]*(?:NotImplemented|UnsupportedOp)\w*(?:\(\s*\))?"
    rf"|(?:(?:raise|throw)\b|(?:panic|fatalError|error|die|abort)!?\()[^\"']*[\"'][^\"']*{_UNDONE}.*)?"
)
_LITERAL = regex(
    r"return\b\s*(?:null|nil|None|undefined|true|false|True|False|-?\d+|\[\]|\{\}|\"[^\"]*\"|'[^']*')?"
)
_TO_FILL_IN = regex(r"(?i)\b(?:todo|fixme|placeholder|your\b.{0,40}\bhere|implement)\b")
_IDLE = regex(r"\w+ = [\w.]+;?")
"""A body that gives a name of its own a value, and no more."""
_SPACE = regex(r"\s+")
_FEW = 3
"""A constant and a remark may be all that a body of so few lines becomes."""
_OPENS, _CLOSES = "([", ")]"


@dataclass(frozen=True, slots=True)
class Emptied:
    """Definitions that have become stubs."""

    names: tuple[str, ...]
    kept: tuple[str, ...]
    """The lines of the result in which their bodies are as the file has them, below their new heads."""


def emptied(file: Sequence[str], result: Sequence[str], path: str) -> Emptied | None:
    """Return the functions of a file of which a result has no more than a stub; `None` for none."""
    try:
        old, new = (outline_of_file(lines, path)[0] for lines in (file, result))
    except UnmergedError:
        return None
    before, after = _leaves(old), _leaves(new)
    lines, names = list(result), []
    for name, now in sorted(after.items(), key=lambda each: -each[1].start):
        then = before.get(name)
        if then is None or old.lines[then.start : then.end] == new.lines[now.start : now.end]:
            continue
        bodies = _Body.of(old, then), _Body.of(new, now)
        if bodies[0] is None or bodies[1] is None:
            continue
        if not (bodies[1].is_stub or (bodies[1].is_remarked and len(bodies[0].lines) > _FEW)):
            continue
        if not bodies[0].is_stub and not _IDLE.fullmatch(bodies[0].code):
            lines[bodies[1].row : now.end] = bodies[1].with_lines_of(bodies[0])
            names.append(now.name.rpartition(".")[2])
    return Emptied(tuple(reversed(names)), tuple(lines)) if names else None


def _leaves(text: CodeText) -> Mapping[str, Definition]:
    """Return the definitions without members, by their qualified names, of which each is there once."""
    found: list[tuple[str, Definition]] = []

    def visit(inside: Definition, prefix: str) -> None:
        for child in inside.children:
            if not child.is_container:
                found.append((f"{prefix}{child.name}", child))
            visit(child, f"{prefix}{child.name}\0")

    visit(text.root, "")
    counts = Counter(name for name, _ in found)
    return {name: each for name, each in found if counts[name] == 1}


@dataclass(frozen=True, slots=True)
class _Body:
    """The body of a function, from its bracket or sign on."""

    row: int
    column: int
    lines: Sequence[str]
    """All of the rows that it is in, up to the end of the function."""
    code: str
    """What is no remark in it, in one line, without its brackets."""
    is_stub: bool
    is_remarked: bool
    """Whether it only returns a constant, with a remark behind that."""

    @classmethod
    def of(cls, text: CodeText, of: Definition) -> _Body | None:
        """Return the body of a definition; `None` where it is not known where that begins."""
        start = _body_start(text, of)
        if start is None:
            return None
        row, column = start
        own = [text.lines[row][column:], *text.lines[row + 1 : of.end]]
        signs = text.syntax.comments
        bare = [line for line in own if not is_comment(line, signs)]
        code = _SPACE.sub(" ", " ".join(map(without_remark, bare)))
        code = code.strip("{}=>;:, ")
        if text.syntax.grammar == "ruby":
            code = code.removesuffix("end").strip()
        is_stub, is_remarked = _STUB.fullmatch(code) is not None, False
        if not is_stub and _LITERAL.fullmatch(code):
            is_stub = any(_TO_FILL_IN.search(line) for line in own if is_comment(line, signs))
            is_remarked = any(without_remark(line) != line.rstrip() for line in bare)
        return cls(row, column, text.lines[row : of.end], code, is_stub, is_remarked)

    def with_lines_of(self, other: _Body) -> list[str]:
        """Return the rows of this body with what is before it, and the lines of another in its place."""
        head, first = self.lines[0][: self.column], other.lines[0][other.column :]
        if head.strip() and not first.startswith(":"):
            head = f"{head.rstrip()} "
        return [f"{head}{first.lstrip()}".rstrip(), *other.lines[1:]]


def _body_start(text: CodeText, of: Definition) -> tuple[int, int] | None:
    """Return the row and the column at which the body of a function begins."""
    depth, has_parameters = 0, False
    grammar = text.syntax.grammar
    for row in range(of.start, of.end):
        line = text.lines[row]
        for column, sign in enumerate(line):
            depth += (sign in _OPENS) - (sign in _CLOSES)
            has_parameters = has_parameters or (sign == ")" and depth == 0)
            if depth:
                continue
            if sign == "{" or (sign in "=;" and has_parameters) or (sign == ":" and grammar == "python"):
                return row, column
        if grammar == "ruby" and not depth:
            return row, len(line)
    return None
