"""New code without a place of its own: below what is most like it in its file.

A function goes below the last function, a method below the last one of its class, a field below the last
field: what begins alike, at one depth, in one definition. A statement that gives a name its value takes the
place of the one that does so already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.structure.imports import imports_of
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.bindings import BOUND, CLOSES, end_of_block, head_of
from patchpoint.structure.lazy.definition import Definition, UnmergedError, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

_SEVERAL = 2
_QUOTED = regex(r"`([^`\n]{1,80})`")
_MODIFIERS = regex(
    r"(?:(?:public|private|protected|internal|static|final|readonly|abstract|override|virtual|async|export|"
    r"default|declare|pub(?:\([^)]*\))?)\s+)*"
)
_KEYWORD = regex(
    r"(?:case|class|const|constexpr|def|describe|element|enum|fn|fun|func|function|impl|interface|it|let|mod|"
    r"module|record|struct|table|test|trait|type|using|var|view|index|when|#+|@\w+|<\w+|- |\|)(?!\w|\s*[:=])"
)
_SIGNS = ("=>", "->", "=", ":", "(")
_TEXTS = regex(
    r"'(?:[^'\\\n]|\\.){0,400}'|\"(?:[^\"\\\n]|\\.){0,400}\"|`(?:[^`\\\n]|\\.){0,400}`|[=!<>]=|:=|::"
)
_OWNER = regex(r"\(\s*&?(?:mut\s+)?(?:self|cls)\b")
_OPENS = regex(r"[([{:]\s*\Z")
_COMMENTS = ("#", "//", "/*", "*")


@dataclass(frozen=True, slots=True)
class _Shape:
    """What tells lines of one kind from others."""

    keyword: str
    sign: str
    is_capital: bool

    @property
    def is_weak(self) -> bool:
        """Whether lines of all kinds are like it."""
        return not self.keyword and self.sign in ("", "(")


def definitions_like(
    file: Sequence[str], own: Definition, new: Definition, shown: Sequence[str], lead: str
) -> Iterator[Definition]:
    """Yield the definitions of a file below which a new one likely goes, the likeliest first."""
    wanted = _kind_of(new, shown)
    named = _named(own, lead)
    alike = [
        (around, each)
        for around in own.walk()
        if not named or around in named
        for each in around.children
        if _kind_of(each, file) == wanted
    ]
    owner, members = new.name.rpartition(".")[0], {child.name for child in new.children}
    for is_like in (
        lambda each: not members.isdisjoint(child.name for child in each.children),
        lambda each: indentation_of(file[each.start]) == indentation_of(shown[new.start]),
        lambda each: each.name.rpartition(".")[0] == owner,
        lambda each: _tags(each, file) == _tags(new, shown),
    ):
        alike = [(around, each) for around, each in alike if is_like(each)] or alike
    if len({id(around) for around, _ in alike}) == 1:
        yield alike[-1][1]
    if not alike and owner:
        yield from (each for each in own.children if each.name == owner)
    if not alike and not owner:
        around = named or ([own] if wanted.keyword else [])
        yield from (each.children[-1] for each in around[:1] if each.children)


def lines_like(
    file: Sequence[str], own: Definition, new: Sequence[str], path: str, lead: str, *, may_add: bool
) -> tuple[list[str], str] | None:
    """Return a file with new lines in place of those that give the same names a value, or below their like.

    With it, a sentence that says which. `None` where neither is known; none are added unless `may_add`.
    """
    top = indentation_of(new[0])
    heads = [row for row, line in enumerate(new) if indentation_of(line) == top and _is_head(line)]
    if not heads or heads[0] != 0 or any(not line.startswith(top) for line in new if line.strip()):
        return None
    statements = [new[first:end] for first, end in zip(heads, [*heads[1:], len(new)], strict=True)]
    ranges = list(ranges_named(file, own, lead))
    by_name = _rows_by_name(file, ranges)
    if any(head_of(each[0]) in by_name for each in statements):
        return _with_values(file, statements, by_name)
    shape = _shape_of(new[0])
    if not may_add or any(_shape_of(each[0]) != shape for each in statements):
        return None
    for first, end, is_named in ranges:
        if shape.is_weak and not is_named:
            continue
        rows = [row for row in range(first, end) if _is_head(file[row]) and _shape_of(file[row]) == shape]
        rows = [row for row in rows if bool(_OWNER.search(file[row])) == bool(_OWNER.search(new[0]))]
        rows = [row for row in rows if indentation_of(file[row]) == top] or rows
        if len({indentation_of(file[row]) for row in rows}) > 1:
            rows = [row for row in rows if bool(_modifiers_of(file[row])) == bool(_modifiers_of(new[0]))]
        if len({indentation_of(file[row]) for row in rows}) == 1:
            last = _last_of_run(file, rows)
            if last != rows[-1] and indentation_of(file[last]) and not is_named:
                return None  # members of several definitions are like it
            why = f"It goes below what is like it, `{file[last].strip()}`."
            return with_lines_below(file, last, new), why
    imports = imports_of(file, path)
    if imports and not top and shape.sign == "=":
        end = imports[-1].end
        return [*file[:end], "", *new, *file[end:]], "It goes below the imports."
    return None


def ranges_named(file: Sequence[str], own: Definition, lead: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the rows of a file that a sentence names, or else all, and whether they are named."""
    names = [name.strip().removesuffix("()") for name in _QUOTED.findall(lead)]
    every = [each for each in own.walk() if not each.is_text]
    named = [(each.start + 1, each.end) for each in every if each.name.rpartition(" ")[2] in names]
    if not named:
        # one of several words, as of `impl fmt::Display for Token`
        of_words = [[each for each in every if name in IDENTIFIER.findall(each.name)] for name in names]
        named = [(found[0].start + 1, found[0].end) for found in of_words if len(found) == 1]
    for words in names:
        rows = [row for row, line in enumerate(file) if _opens(line, words)]
        named += [(row + 1, end_of_block(file, row)) for row in rows if len(rows) == 1]
    inside = [(first, end) for first, end in dict.fromkeys(named) if first < end]
    yield from ((first, end, True) for first, end in inside)
    if not inside:
        yield 0, len(file), False


def with_lines_below(file: Sequence[str], row: int, new: Sequence[str]) -> list[str]:
    """Return a file with lines below what begins on a row, at its depth, with commas as there."""
    depth, top = indentation_of(file[row]), indentation_of(new[0])
    end = end_of_block(file, row)
    is_apart = end > row + 1 and len(new) > 1 and not "".join(file[row - 1 : row]).strip()
    is_apart = is_apart or (
        len(new) > _SEVERAL and any(line[:1].isspace() for line in new) and file[end : end + 1] == [""]
    )
    above = [*file[:end], *([""] if is_apart else [])]
    added = moved(new, top, depth)
    is_listed = added[-1].endswith(",") or file[row - 1].endswith(",")
    if is_listed and above[-1][-1:] not in ("", ",", ";", "(", "[", "{"):
        added[-1] = added[-1].removesuffix(",")
        above[-1] += ","
    return [*above, *added, *file[end:]]


def with_fields_together(
    file: Sequence[str], result: Sequence[str], shown: Sequence[str], path: str
) -> tuple[str, ...]:
    """Return what becomes of a file, with new fields of a class that are shown below a mark below its own.

    A mark says nothing of the methods between which it would leave them.
    """
    changes = [((first, end), result[row:last]) for (first, end), (row, last) in changed_ranges(file, result)]
    moved_to: dict[int, int] = {}
    for number, ((first, end), new) in enumerate(changes):
        fields = without_blank_ends(new)
        if first == end and fields and _are_fields(fields) and _is_below_mark(fields[0], shown):
            at = _end_of_fields(file, first, fields, path)
            if at is not None and at != first:
                moved_to[number] = at
    if not moved_to or any(end > at >= first for at in moved_to.values() for (first, end), _ in changes):
        return tuple(result)
    made = [
        ((moved_to[number],) * 2, without_blank_ends(new)) if number in moved_to else (span, new)
        for number, (span, new) in enumerate(changes)
    ]
    left = {changes[number][0][0] for number in moved_to}
    lines = list(file)
    for (first, end), new in sorted(made, key=lambda each: each[0], reverse=True):
        is_blank = first == end and not any(map(str.strip, new))
        if not (is_blank and left.intersection(range(first - 1, first + 2))):
            lines[first:end] = new
    return tuple(lines)


def _are_fields(lines: Sequence[str]) -> bool:
    depth = indentation_of(lines[0])
    return bool(depth) and all(
        not line.strip() or len(indentation_of(line)) > len(depth) or head_of(line) or is_closing(line)
        for line in lines
    )


def _is_below_mark(line: str, shown: Sequence[str]) -> bool:
    rows = [row for row, each in enumerate(shown) if each.strip() == line.strip()]
    above = [each for each in shown[: rows[0]] if each.strip()] if len(rows) == 1 else []
    return bool(above) and is_mark(above[-1])


def _end_of_fields(file: Sequence[str], row: int, fields: Sequence[str], path: str) -> int | None:
    """Return the row behind the last field that the class around a row has at their depth, above its methods.

    `None` where it has none, and where the `fields` use one of its methods.
    """
    row, depth = len(without_blank_ends(["x", *file[:row]])) - 1, indentation_of(fields[0])
    try:
        root = outline_of_file(file, path)[0].root
    except UnmergedError:
        return None
    around = [each for each in root.walk() if each.is_container and each.start < row <= each.end]
    if not around or around[-1] is root:
        return None
    own = around[-1]
    words = {word for line in fields for word in IDENTIFIER.findall(line)}
    if not words.isdisjoint(word for each in own.children for word in IDENTIFIER.findall(each.name)):
        return None
    last = min((each.lead for each in own.children), default=own.end)
    rows = [
        at for at in range(own.start + 1, last) if indentation_of(file[at]) == depth and head_of(file[at])
    ]
    return end_of_block(file, rows[-1]) if rows else None


def _kind_of(definition: Definition, lines: Sequence[str]) -> _Shape:
    """Return what kind of definition one is, by its head."""
    head = lines[definition.start].strip()
    shape = _shape_of(head)
    kind = definition.name.partition(" ")[0] if " " in definition.name else shape.keyword
    of_owner = "self" if _OWNER.search(head) else "." if "." in definition.name.strip(".") else ""
    return _Shape(kind + of_owner, "(" if "(" in head and not kind else "", is_capital=False)


def _tags(definition: Definition, lines: Sequence[str]) -> list[str]:
    """Return what is written above a definition that is no comment, without arguments."""
    tags = (line.strip() for line in lines[definition.lead : definition.start])
    return [tag.partition("(")[0] for tag in tags if tag.startswith(("@", "#[", "["))]


def _named(own: Definition, lead: str) -> list[Definition]:
    """Return the definitions with members that a sentence names in backquotes."""
    words = {name.strip().removesuffix("()") for name in _QUOTED.findall(lead)}
    return [
        each
        for each in own.walk()
        if each.children
        and not each.is_text
        and not words.isdisjoint({each.name, each.name.rpartition(" ")[2]})
    ]


def _shape_of(line: str) -> _Shape:
    words = line.strip()
    modifiers = _modifiers_of(words)
    words = words[len(modifiers) :]
    keyword = _KEYWORD.match(words)
    bare = _TEXTS.sub("", words)
    # `private String name;` is like one with a value
    sign = next((sign for sign in _SIGNS if sign in bare), "=" if modifiers and bare.endswith(";") else "")
    name = bare.partition(sign)[0].strip() if sign else bare
    return _Shape(keyword[0] if keyword else "", sign, is_capital=name.isupper())


def _modifiers_of(line: str) -> str:
    return (_MODIFIERS.match(line.strip()) or [""])[0]


def _is_head(line: str) -> bool:
    """Return whether a line may begin a statement."""
    words = line.strip()
    return bool(words) and not words.startswith(("{", *CLOSES, *_COMMENTS))


def _opens(line: str, name: str) -> bool:
    """Return whether a line opens what has a name."""
    bound = BOUND.search(line)
    is_open = bool(_OPENS.search(line)) and bound is not None and bound["name"].strip("\"'") == name
    return is_open or (line.strip() == name and name.startswith("["))


def _last_of_run(file: Sequence[str], rows: Sequence[int]) -> int:
    """Return the last row of the first of several runs of lines, with no other block in between."""
    for row, following in pairwise(rows):
        depth = indentation_of(file[row])
        end = end_of_block(file, row)
        others = (line for line in file[end:following] if _is_head(line))
        if any(len(indentation_of(line)) <= len(depth) for line in others):
            return row
    return rows[-1]


def _rows_by_name(
    file: Sequence[str], ranges: Sequence[tuple[int, int, bool]]
) -> dict[tuple[str, ...], list[int]]:
    """Return the rows on which names get a value, by what is before the value."""
    found: dict[tuple[str, ...], list[int]] = {}
    for row in (row for first, end, _ in ranges for row in range(first, end)):
        head = head_of(file[row])
        if head:
            found.setdefault(head, []).append(row)
    return found


def _with_values(
    file: Sequence[str], statements: Sequence[Sequence[str]], by_name: Mapping[tuple[str, ...], list[int]]
) -> tuple[list[str], str] | None:
    """Return a file with statements in place of those that give the same names a value, each there once."""
    lines = list(file)
    gone: list[tuple[int, int, list[str]]] = []
    for statement in statements:
        rows = by_name.get(head_of(statement[0]), [])
        end = end_of_block(file, rows[0]) if len(rows) == 1 else 0
        if len(rows) != 1 or (end > rows[0] + 1 and not _OPENS.search(file[rows[0]])):
            return None
        depth, top = indentation_of(file[rows[0]]), indentation_of(statement[0])
        gone.append((rows[0], end, moved(statement, top, depth)))
    for row, end, new in sorted(gone, reverse=True):
        lines[row:end] = new
    return lines, f"It gives {', '.join(f'`{head_of(each[0])[-1]}`' for each in statements)} another value."
