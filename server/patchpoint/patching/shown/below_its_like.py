"""New code without a place of its own: below what is most like it in its file.

A function goes below the last function, a method below the last one of its class, a field below the last
field: what begins alike, at one depth, in one definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.patching.places.called import QUOTED, definitions_of
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.keyed.units import with_changes
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.bindings import end_of_block, head_of, member_name
from patchpoint.structure.lazy.definition import Definition, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

_MODIFIERS = regex(
    r"(?:(?:public|private|protected|internal|static|final|readonly|abstract|override|virtual|async|export|"
    r"default|declare|pub(?:\([^)]*\))?)\s+)*"
)
_KEYWORD = regex(
    r"(?:case|class|const|constexpr|def|describe|element|enum|fn|fun|func|function|impl|interface|it|let|mod|"
    r"module|record|struct|table|test|trait|type|using|var|view|index|when|#+|@\w+|<\w+|- |\|)(?!\w|\s*[:=])"
)
_OWNER = regex(r"\(\s*&?(?:mut\s+)?(?:self|cls)\b")


def definitions_like(code: Code, new: Definition, shown: Sequence[str]) -> Iterator[Definition]:
    """Yield the definitions of a file below which a new one likely goes, the likeliest first."""
    own, file = code.own, code.file
    wanted = _kind_of(new, shown)
    alike = [
        (around, each) for around in own.walk() for each in around.children if _kind_of(each, file) == wanted
    ]
    owner, members = new.name.rpartition(".")[0], {child.name for child in new.children}
    for is_like in (
        lambda each: not members.isdisjoint(child.name for child in each.children),
        lambda each: indentation_of(file[each.start]) == indentation_of(shown[new.start]),
        lambda each: each.name.rpartition(".")[0] == owner,
    ):
        alike = [(around, each) for around, each in alike if is_like(each)] or alike
    if len({id(around) for around, _ in alike}) == 1:
        yield alike[-1][1]
    if not alike:
        around = [each for each in own.children if each.name == owner]
        yield from around or (own.children[-1:] if wanted.split() and not owner else ())


def fields_below(code: Code) -> Likely | None:
    """Return a file with new fields below those of the one class that the words above them name."""
    spans, file = ranges_named(code, code.lead), code.file
    if len(spans) != 1 or not all(map(_field, code.new)):
        return None
    first = spans[0][0]
    new = moved(code.new, indentation_of(code.new[0]), indentation_of(file[first]))
    at = _end_of_fields(file, first, new, code.path)
    if at is None or not set(map(_field, new)).isdisjoint(map(_field, file[first:at])):
        return None
    return Likely.of([*file[:at], *new, *file[at:]], f"It goes below `{file[at - 1].strip()}`.")


def _field(line: str) -> str:
    return member_name(line) or "".join(head_of(line)[-1:])


def ranges_named(code: Code, lead: str) -> list[Span]:
    """Return the rows of what a sentence names in a file, if it names something."""
    names = [name.strip().removesuffix("()") for name in QUOTED.findall(lead)]
    every = [each for each in code.own.walk() if not each.is_text]
    named = [each for each in every if each.name.rpartition(" ")[2] in names]
    # one of several words, as of `impl fmt::Display for Token`
    of_words = [[each for each in every if name in IDENTIFIER.findall(each.name)] for name in names]
    named = named or [found[0] for found in of_words if len(found) == 1]
    return [(each.start + 1, each.end) for each in named if each.start + 1 < each.end]


def with_fields_together(
    file: Sequence[str], result: Sequence[str], shown: Sequence[str], path: str
) -> tuple[str, ...]:
    """Return what becomes of a file, with new fields of a class that are shown below a mark below its own.

    A mark says nothing of the methods between which it would leave them.
    """
    changes = [(*span, result[row:last]) for span, (row, last) in changed_ranges(file, result)]
    moved_to: dict[int, int] = {}
    for first, end, new in changes:
        fields = without_blank_ends(new)
        if first == end and fields and _are_fields(fields) and _is_below_mark(fields[0], shown):
            at = _end_of_fields(file, first, fields, path)
            if at is not None and at != first:
                moved_to[first] = at
    made: list[tuple[int, int, Sequence[str]]] = []
    for first, end, new in changes:
        if first == end and first in moved_to:
            made.append((moved_to[first], moved_to[first], without_blank_ends(new)))
        elif end > first or any(map(str.strip, new)) or not moved_to.keys() & {first - 1, first, first + 1}:
            made.append((first, end, new))
    return (with_changes(file, made) if moved_to else None) or tuple(result)


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
    around = definitions_of(file, path).walk()
    own = [each for each in around if each.is_container and each.start < row <= each.end][-1]
    if own.is_text:
        return None
    words = {word for line in fields for word in IDENTIFIER.findall(line)}
    if not words.isdisjoint(word for each in own.children for word in IDENTIFIER.findall(each.name)):
        return None
    last = min((each.lead for each in own.children), default=own.end)
    rows = [
        at for at in range(own.start + 1, last) if indentation_of(file[at]) == depth and head_of(file[at])
    ]
    return end_of_block(file, rows[-1]) if rows else None


def _kind_of(definition: Definition, lines: Sequence[str]) -> str:
    """Return what kind of definition one is, by its head: its keyword, its owner, or that it is a call."""
    head = lines[definition.start].strip()
    words = head[len((_MODIFIERS.match(head) or [""])[0]) :]
    keyword = _KEYWORD.match(words)
    kind = definition.name.partition(" ")[0] if " " in definition.name else keyword[0] if keyword else ""
    of_owner = "self" if _OWNER.search(head) else "." if "." in definition.name.strip(".") else ""
    return f"{kind or '(' * ('(' in head)} {of_owner}"
