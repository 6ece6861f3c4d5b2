"""What is doubtful of a file that edits make, seen from the result: something twice, code that never runs.

Each is judged against the file before: what that has already is nothing new.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from patchpoint.dataclass import dataclass
from patchpoint.locate.evidence.names import code_of, declared_name
from patchpoint.structure.imports import has_doubled_import, imports_of
from patchpoint.structure.keyed.units import doubled_keys
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.bindings import has_fields, member_name
from patchpoint.structure.lazy.definition import Definition, UnmergedError, indentation_of
from patchpoint.structure.lazy.doubt.names_in_use import bound_names, is_only_used
from patchpoint.structure.lazy.doubt.sound import dead_ends
from patchpoint.structure.lazy.marks import is_left_out
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.syntax import Syntax, syntaxes_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import regex

_MEMBER = regex(r"\s*\"(?P<name>(?:[^\"\\]|\\.)*)\"\s*:")
_YAML = (".yaml", ".yml")
_OVERLOADED = "typed"
"""The family of languages in which functions of one name differ by their parameters."""
_MAY_COME_AGAIN = regex(r"\s*(?:@(?:[\w.]*overload|\w+\.\w+|\w*property|\w*dispatch)\b|#\[cfg|#if)")
"""What is above a definition that may be there several times."""
_OFTEN = ("init", "_")
"""What Go may have several times."""
_DOCUMENTATION = '"""'
_NEAR = 12
"""So many lines next to what is new are looked at: a statement has hardly more."""
_DOTS = ("...", "\u2026")


def doubts_of_result(path: str, file: Sequence[str], result: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each line of a result, by its row, that makes it doubtful, and why, as a sentence."""
    syntax = next(iter(syntaxes_of(path)), None)
    new = [row for _, span in changed_ranges(file, result) for row in range(*span) if result[row].strip()]
    if is_json(path):
        yield from _members_twice(file, result, new)
    elif syntax is not None and syntax.family != "markdown":
        yield from _left_out(file, result, new)
        for check in _OF_DATA if syntax.is_data else _OF_CODE:
            yield from check(_Texts(path, syntax, file, result, new))


@dataclass(frozen=True)
class _Texts:
    """A file, what becomes of it, and the rows of that which are new and not blank."""

    path: str
    syntax: Syntax
    file: Sequence[str]
    result: Sequence[str]
    new: Sequence[int]


def _left_out(file: Sequence[str], result: Sequence[str], new: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield new remarks with dots, as they are written for lines that are left out."""
    there = set(map(str.strip, file))
    for row in new:
        words = result[row].strip()
        is_dotted = any(dots in words for dots in _DOTS) and not words.startswith(_DOTS)
        if is_dotted and words not in there and is_left_out(words):
            yield row, f"`{words}` would be written: lines may be left out there."


def _members_twice(
    file: Sequence[str], result: Sequence[str], new: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield new members of an object of JSON whose name another one has there, as none has in the file."""
    names = {row: found["name"] for row in new if (found := _MEMBER.match(result[row]))}
    counts = Counter(found["name"] for line in result if (found := _MEMBER.match(line)))
    if all(counts[name] == 1 for name in names.values()):
        return
    twice = _names_twice("\n".join(result)) - _names_twice("\n".join(file))
    yield from ((row, f"`{name}` would be there twice.") for row, name in names.items() if name in twice)


def _names_twice(text: str) -> set[str]:
    """Return the names that several members of an object of JSON have; none where it has comments."""
    found: set[str] = set()

    def members(pairs: list[tuple[str, object]]) -> None:
        found.update(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)

    with suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=members)
    return found


def _keys_twice(texts: _Texts) -> Iterator[tuple[int, str]]:
    if texts.path.lower().endswith(_YAML):
        twice = doubled_keys(texts.result) - doubled_keys(texts.file)
        for row in texts.new:
            words = texts.result[row].strip()
            if words in twice:
                yield row, f"`{words.partition(':')[0].lstrip('- ')}` would be there twice."


def _dead_ends(texts: _Texts) -> Iterator[tuple[int, str]]:
    """Yield what ends its block, although lines of it are below, as far as that is near what is new."""
    file, result = texts.file, texts.result
    found: set[tuple[str, str]] = set()
    for was, now in changed_ranges(file, result):
        before, after = (
            lines[max(0, first - _NEAR) : end + _NEAR] for lines, (first, end) in ((file, was), (result, now))
        )
        found |= dead_ends(after) - dead_ends(before)
    for above, below in sorted(found - dead_ends(file) if found else found):
        row = next((row for row in texts.new if result[row].strip() in (above, below)), 0)
        if sum(line.count(_DOCUMENTATION) for line in result[:row]) % 2 == 0:
            yield row, f"`{below}` would never run: it is below `{above}`."


def _imported_twice(texts: _Texts) -> Iterator[tuple[int, str]]:
    own, every = (
        Counter(each.words for each in imports_of(lines, texts.path)) for lines in (texts.file, texts.result)
    )
    is_again = any(every[words] > 1 for words in every - own)
    if texts.new and (is_again or has_doubled_import(texts.file, texts.result, texts.path)):
        yield texts.new[0], "It imports what the file imports already."


def _defined_twice(texts: _Texts) -> Iterator[tuple[int, str]]:
    """Yield new definitions that have a namesake in what they are in, which the file has not."""
    path, syntax, file, result = texts.path, texts.syntax, texts.file, texts.result
    names = {row: name for row in texts.new if (name := declared_name(result[row]))}
    if not names:
        return
    counts = Counter(name for line in result if (name := declared_name(line)))
    again = {row for row, name in names.items() if counts[name] > 1}
    if not again:
        return
    try:
        own, made = (outline_of_file(lines, path)[0].root for lines in (file, result))
    except UnmergedError:
        return
    before = Counter((around, name) for around, name, _ in _places(own, file, syntax))
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for around, name, row in _places(made, result, syntax):
        rows[around, name].append(row)
    for key, found in rows.items():
        at = next((row for row in found if row in again), None)
        name = key[1].partition("\0")[0].rpartition(".")[2]
        if at is not None and len(found) > max(1, before[key]) and name not in _OFTEN:
            yield at, f"`{name}` would be defined twice."


def _given_twice(texts: _Texts) -> Iterator[tuple[int, str]]:
    """Yield new members of a class, or constants of a file, that have a namesake next to them.

    They are at one depth, and in no function; the file has none of that name twice.
    """
    path, result = texts.path, texts.result
    named = {row: name for row in texts.new if (name := _member(result[row]))}
    counts = Counter(filter(None, map(_member, result))) if named else Counter[str]()
    again = [row for row, name in named.items() if counts[name] > 1]
    if not again:
        return
    try:
        own, made = (outline_of_file(lines, path)[0].root for lines in (texts.file, result))
    except UnmergedError:
        return
    before = Counter(_members(own, texts.file))
    every = Counter(_members(made, result))
    for row in again:
        around = made.around(row, row + 1)
        key = (around[-1].name if around else "", indentation_of(result[row]), named[row])
        if every[key] > max(1, before[key]):
            yield row, f"`{named[row]}` would be given a value twice."


def _members(root: Definition, lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what each member and constant is in, its indentation, and its name."""
    for row, line in enumerate(lines):
        name = _member(line)
        around = root.around(row, row + 1) if name else []
        if name and all(each.is_container or has_fields(lines[each.start]) for each in around):
            yield around[-1].name if around else "", indentation_of(line), name


def _member(line: str) -> str:
    """Return the name of the member or constant that a line gives a value, or a type; empty for others."""
    return member_name(line) if not indentation_of(line) or line.rstrip().endswith(";") else ""


def _still_called(texts: _Texts) -> Iterator[tuple[int, str]]:
    """Yield a function or class that the file would have no more, and still calls."""
    there = set(texts.result)
    gone = {name for line in texts.file if line not in there and (name := declared_name(line))}
    if not gone:
        return
    for name in sorted(gone):
        lines = [line for line in texts.result if name in line]
        if any(name == declared_name(line) or name in bound_names([line]) for line in lines):
            continue
        code = "\n".join(map(code_of, lines))
        if is_only_used(name, code) and re.search(rf"(?<![\w.>:$@]){re.escape(name)}\(", code):
            yield 0, f"`{name}` is called, and nothing would define it any more."


def _places(root: Definition, lines: Sequence[str], syntax: Syntax) -> Iterator[tuple[str, str, int]]:
    """Yield the definitions that have one name in one scope: what each is in, its name, and its row.

    In languages with overloads that is its name with its first line.
    """
    for around in root.walk():
        for each in around.children:
            above = lines[max(0, each.lead - 1) : each.start]
            head = lines[each.start].strip()
            is_declared = each.end == each.start + 1 and head.endswith(";")
            is_within = indentation_of(lines[each.start]) == indentation_of(lines[around.children[0].start])
            if is_within and not is_declared and not any(map(_MAY_COME_AGAIN.match, above)):
                name = f"{each.name}\0{head}" if syntax.family == _OVERLOADED else each.name
                yield around.name, name, each.start


_OF_DATA = (_keys_twice,)
_OF_CODE = (_dead_ends, _imported_twice, _defined_twice, _given_twice, _still_called)
