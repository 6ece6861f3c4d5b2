"""Definitions that are shown in one piece: a head alone, a new body, or one in the place of another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Target, TargetKind
from patchpoint.formats.sentences.sentence import readings
from patchpoint.patching.named.definition import with_definition
from patchpoint.patching.named.unplaced import UnplacedError
from patchpoint.patching.places.called import QUOTED, definition_called, definitions_of, last_name
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.lazy.definition import Definition, indentation_of
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR, syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

_LONGEST_HEAD = 20
_OPENS = regex(r"\s*(?:\{|=>\s*\{?|:|\bdo|\bthen|=)\s*\Z")
_DOCUMENTATION = regex(r"\s*[rRuU]?(\"{3}|'{3})")
_TEXT = regex(r"\s*[rRuUbBfF]{0,2}[\"']")
_TELLING = 3
_HALF = 2
_MOST_NAMED = 4


def head_end(lines: Sequence[str], start: int) -> int:
    """Return the row behind the head of a definition: there its brackets are closed, but one of its body."""
    depth = 0
    for row in range(start, min(len(lines), start + _LONGEST_HEAD)):
        depth += sum(lines[row].count(sign) for sign in "([") - sum(lines[row].count(sign) for sign in ")]")
        if depth <= 0:
            return row + 1
    return start + 1


def heads_replaced(code: Code) -> Likely | None:
    """Return the file with other heads for definitions of which nothing else is shown: their bodies stay."""
    heads = list(_heads(code))
    own = [_once(code, name) for name, _ in heads]
    if not heads or not all(own):
        return None
    lines = list(code.file)
    found = [(each, head) for each, (_, head) in zip(own, heads, strict=True) if each is not None]
    for each, head in sorted(found, key=lambda one: -one[0].start):
        end = head_end(lines, each.start)
        there, depth = lines[each.start : end], indentation_of(lines[each.start])
        opened = _OPENS.search(there[-1])
        above = [line for line in head if DECORATOR.match(line.strip())]
        new = head[len(above) :]
        if (end == each.end and opened is None) or not opened or there[-1].rstrip() == opened[0]:
            return None
        new = [*new[:-1], _OPENS.sub("", new[-1]) + opened[0].rstrip()]
        known = {line.strip() for line in lines[each.lead : each.start]}
        new = [*(line for line in above if line.strip() not in known), *new]
        margin = indentation_of(head[0])
        lines[each.start : end] = [f"{depth}{line.removeprefix(margin)}" for line in new]
    is_same = sorted(definitions_of(lines, code.path).names()) == sorted(code.own.names())
    names = ", ".join(f"`{last_name(each.name)}`" for each, _ in found)
    return (
        Likely.of(lines, f"Only the head of {names} is shown: what is below it stays.") if is_same else None
    )


def has_new_body(code: Code) -> bool:
    """Return whether code is definitions that words name and the file has once, and half of it is new."""
    shown = code.shown
    rows = {row for each in shown.children for row in range(each.lead, each.end)}
    if code.has_marks or any(line.strip() for row, line in enumerate(code.new) if row not in rows):
        return False
    known = {line.strip() for line in code.file}
    heads = {each.start for each in shown.walk()}
    body = [line.strip() for row, line in enumerate(code.new) if row not in heads and _is_telling(line)]
    named = {name.strip().removesuffix("()") for name in QUOTED.findall(f"{code.lead} {code.above}")}
    names = {last_name(each.name) for each in shown.children}
    is_once = bool(names) and names <= named and all(_once(code, name) for name in names)
    return is_once and bool(body) and _HALF * sum(line in known for line in body) <= len(body)


def in_place_of_another(code: Code) -> Likely | None:
    """Return the file with a definition in the place of the one of another name that words name for that."""
    shown = code.shown.children
    words = code.lead or code.above
    is_asked = any(one.has("replace instead") and not one.has("never") for one in readings(words))
    if len(shown) != 1 or code.has_marks or not is_asked or any(_once(code, each.name) for each in shown):
        return None
    called = [definition_called(code.own, name) for name in QUOTED.findall(words)]
    named = {each.start: each for each in called if each is not None}
    if len(named) != 1 or (shown[0].lead, shown[0].end) != (0, len(code.new)):
        return None
    (own,) = named.values()
    name = last_name(own.name)
    outside = [*code.file[: own.lead], *code.file[own.end :]]
    if name in IDENTIFIER.findall("\n".join(outside)) or own.is_container is not shown[0].is_container:
        return None
    target = Target(kind=TargetKind.DEFINITION, name=own.name)
    try:
        placed = with_definition(code.file, code.path, target, code.new, (own.start, own.end))
    except UnplacedError:
        return None
    return Likely.of(placed.lines, f"It is in place of `{name}`, which nothing else here uses.")


def with_docstrings(code: Code) -> Likely | None:
    """Return the file with definitions of Python that are shown without their docstrings: these stay."""
    lines, names = list(code.file), list[str]()
    if not code.path.endswith((".py", ".pyi")) or (code.above and not code.lead):
        return None
    for each in sorted(code.shown.walk(), key=lambda one: -one.start):
        own = None if each.is_text else _once(code, last_name(each.name))
        text = _documentation(code.file, own) if own is not None else []
        if own is not None and text and not _documentation(code.new, each):
            first = head_end(lines, own.start)
            del lines[first : first + len(text)]
            names.append(last_name(own.name))
    merged = replace(code, file=lines).merged() if names else None
    kept, known = docstrings_kept(code, merged.lines) if merged is not None else ([], [])
    return Likely.of(kept, docstrings_stay(names)) if sorted(known) == sorted(names) and names else None


def docstrings_stay(names: Sequence[str]) -> str:
    """Return the sentence that says that the docstrings of some definitions stay."""
    return f"The docstring of {', '.join(f'`{name}`' for name in names[:_MOST_NAMED])} stays."


def docstrings_kept(code: Code, result: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a result of Python with the docstrings that its definitions had, and the names of these.

    What is shown of them has no docstring of its own, and nothing of that.
    """
    lines, names = list(result), list[str]()
    if not code.path.endswith((".py", ".pyi")):
        return lines, names
    before, after = (definitions_of(each, code.path) for each in (code.file, result))
    counts = [Counter(each.name for each in root.walk()) for root in (before, after)]
    own = {each.name: each for each in before.walk() if not each.is_text}
    for each in sorted(after.walk(), key=lambda one: -one.start):
        was = own.get(each.name)
        if each.is_text or was is None or any(count[each.name] > 1 for count in counts):
            continue
        text = _documentation(code.file, was)
        at = head_end(lines, each.start)
        there = {line.strip() for line in lines[each.start : each.end]}
        # on one line, or with another text in quotes, it has no room for that
        if at >= each.end or _TEXT.match(lines[at]):
            continue
        if text and not there.intersection(map(str.strip, text)) and not _documentation(lines, each):
            lines[at:at] = text
            names.append(last_name(each.name))
    return lines, names


def _documentation(lines: Sequence[str], definition: Definition) -> list[str]:
    """Return the lines of the docstring of a definition of Python."""
    first = head_end(lines, definition.start)
    opened = _DOCUMENTATION.match(lines[first]) if first < definition.end else None
    if opened is None:
        return []
    rest = lines[first][opened.end() :]
    if opened[1] in rest:
        return list(lines[first : first + 1])
    end = next((row for row in range(first + 1, definition.end) if opened[1] in lines[row]), first)
    return list(lines[first : end + 1])


def _heads(code: Code) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each head of a definition that code consists of, with its name; nothing if it has more."""
    lines = [line for line in without_blank_ends(code.lines) if line.strip()]
    found: list[tuple[str, Sequence[str]]] = []
    row = 0
    while row < len(lines):
        first = row
        while row < len(lines) - 1 and DECORATOR.match(lines[row].strip()):
            row += 1
        end = head_end(lines, row)
        names = (header_name(lines[row].strip(), each)[0] for each in syntaxes_of(code.path)[:1])
        name = next(names, "")
        depth = indentation_of(lines[first])
        if not name or any(len(indentation_of(line)) < len(depth) for line in lines[first:end]):
            return
        found.append((name, lines[first:end]))
        row = end
    yield from found


def _once(code: Code, name: str) -> Definition | None:
    """Return the definition of a name that a file has once."""
    found = [each for each in code.own.walk() if not each.is_text and last_name(each.name) == last_name(name)]
    return found[0] if len(found) == 1 else None


def _is_telling(line: str) -> bool:
    return sum(map(str.isalnum, line)) >= _TELLING
