"""What the words of an answer call something in a file: one of its definitions, or one of its lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from patchpoint.formats.sentences.sentence import reading, sentence_spans
from patchpoint.patching.places.places_said import names_behind_article, names_inside
from patchpoint.structure.lazy.bindings import end_of_block, head_of
from patchpoint.structure.lazy.definition import Definition, UnmergedError
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.text.lines import Span
from patchpoint.text.regex import IDENTIFIER, regex

QUOTED = regex(r"`([^`\n]{1,200})`")
_NAME = regex(
    r"(?:(?:class|enum|impl|interface|object|struct|trait|type) )?"
    r"(?:(?P<scope>[\w$]+)(?:\.|::|#|->|\\))?(?P<name>[\w$]+)(?:\([^()]*\))?"
)
_TYPE = regex(r"[A-Z]\w*[a-z]\w*")
"""A name of a type, in most languages."""
_TAG = regex(r"<([\w-]+)[^<>]*>")
_CALL = regex(r"(?P<call>[\w.]+)\s*\(?\s*(?P<sign>[\"'`])(?P<text>[^\"'`]+)(?P=sign)")
"""A call that is named by its first argument, as tests are."""
_ITEM = regex(r"\A(?:- )?(?:name|id|key|title|type|uses|image):")
"""What gives an item of a list its name."""
_TEXT = regex(r"\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|`[^`\n]{0,400}`")
_REMARK = regex(r"\([^()\n]{1,200}\)")
_TARGET = regex(r"\]\([^()]{0,400}\)")
_PART = regex(r"[\w$-]+")
_IN_QUOTES = regex(r"`[^`\n]*`|(?:[\"“„«]|\*\*)(?!`)([^\"”»`*\n]{2,60})(?:[\"”“»]|\*\*)")
_HEAD_SIGNS = regex(r"^[\s\[\"']+|[\s\]\"':{]+$")
"""What is around the name of a block or table on its first line."""
_TABLE = regex(r"\[{1,2}[^\[\]]+\]{1,2}")
_AROUND_NAME = "\"':=, "
_LEAST_LETTERS = 3
_MOST_PARTS = 6
_MOST_NAMES = 20
"""So many names of a sentence are looked for."""


def definitions_of(file: Sequence[str], path: str) -> Definition:
    """Return the definitions of a file, as far as its language is known."""
    try:
        return outline_of_file(file, path)[0].root
    except UnmergedError:
        return Definition.of_text(file)


def definition_called(own: Definition, words: str, lead: str = "") -> Definition | None:
    """Return the one definition of a file that words name, if they name one.

    Of several, it is the one in what else the sentence `lead` names, or that all the others are in.
    """
    words = words.strip()
    match = _NAME.fullmatch(words)
    scope, name = (match["scope"] or "", match["name"]) if match else ("", words)
    every = [(around, each) for around in own.walk() for each in around.children]
    found = [each for _, each in every if each.name == words] or [
        each
        for around, each in every
        if last_name(each.name) == name and (last_name(around.name) == scope or each.name.startswith(scope))
    ]
    tag = _TAG.fullmatch(words)
    if not found and tag is not None:
        found = [each for _, each in every if each.name.partition(" ")[0] == tag[1]]
    if not found:
        found = [each for _, each in every if _is_called(each, words)]
    if not found and words.startswith("#"):
        found = [each for _, each in every if _begins_heading(words, each)]
    if len(found) > 1:
        found = [each for each in found if is_inside(own, each, lead)] or found
    if len(found) > 1 and all(found[0].start <= each.start and each.end <= found[0].end for each in found):
        found = found[:1]
    return found[0] if len(found) == 1 else None


def definitions_named(own: Definition, lead: str) -> list[Definition]:
    """Return the definitions that a sentence names in backquotes."""
    called = (definition_called(own, name, lead) for name in QUOTED.findall(lead)[:_MOST_NAMES])
    return [each for each in called if each is not None]


def spans_named(file: Sequence[str], path: str, lead: str) -> list[Span]:
    """Return the rows of the definitions that a sentence names in backquotes, the innermost alone."""
    named = definitions_named(definitions_of(file, path), lead)
    found = [(each.start, each.end) for each in named]
    return [
        one
        for one in found
        if not any(one[0] <= other[0] and other[1] <= one[1] for other in found if other != one)
    ]


def rows_in_named(file: Sequence[str], path: str, lead: str, rows: Sequence[int]) -> list[int]:
    """Return those of some rows that are in a definition which words name, in backquotes or not.

    What all of the rows are in tells none of them.
    """
    own = definitions_of(file, path)
    words = {word.casefold() for word in _PART.findall(lead)}
    around = [{part.casefold() for part in _names_around(own, (row, row + 1), _PART)} for row in rows]
    common = set.intersection(*around) if around else set[str]()
    return [row for row, names in zip(rows, around, strict=True) if not words.isdisjoint(names - common)]


def named_elsewhere(
    file: Sequence[str], path: str, lead: str, places: Sequence[Span], code: Sequence[str] = ()
) -> str:
    """Return a type, or what a sentence says something is in, that none of some places of a file is in.

    It is empty where the sentence names none, or one that they are in, and for names that the `code` has.
    """
    own = definitions_of(file, path)
    lead = _REMARK.sub(lambda found: "" if reading(found[0]).has("never stays") else found[0], lead)
    *_, (last, _) = ((0, 0), *sentence_spans(lead))
    inside = {_bare(name) for name in (*names_inside(lead), *names_behind_article(lead[last:]))}
    known = set(IDENTIFIER.findall(_TEXT.sub("", "\n".join(code))))
    names = [
        name
        for name in map(_bare, QUOTED.findall(lead)[:_MOST_NAMES])
        if name.isidentifier() and name not in known and (name in inside or _TYPE.fullmatch(name))
        if (name in inside and _TYPE.fullmatch(name)) or definition_called(own, name, lead) is not None
    ]
    around = {_plain(part) for part in path.replace("\\", "/").rsplit(".", 1)[0].split("/")}
    around |= {_plain(part) for place in places for part in _names_around(own, place, IDENTIFIER)}
    is_there = not places or any(_plain(name) in around for name in names)
    return "" if is_there else next(iter(names), "")


def is_inside(own: Definition, definition: Definition, lead: str) -> bool:
    """Return whether a sentence names one of the definitions that another one is in."""
    names = {_bare(name) for name in QUOTED.findall(lead)[:_MOST_NAMES]}
    return any(
        last_name(each.name) != last_name(definition.name)
        and any(
            name in (each.name, last_name(each.name), each.name.rpartition(" ")[2])
            or (name.startswith("#") and _begins_heading(name, each))
            for name in names
        )
        for each in own.around(definition.start, definition.end)
    )


def row_called(file: Sequence[str], name: str, within: Collection[Span]) -> int | None:
    """Return the one row of a file whose line words name: all of it, what it begins with, or what is in it.

    Only the rows `within` are looked at.
    """
    rows = [row for first, end in within for row in range(first, end) if file[row].strip()]
    parts, lines = tuple(_PART.findall(name)), {row: file[row].strip() for row in rows}
    same = [row for row in rows if lines[row] == name.strip()]
    if len(same) == 1:
        return same[0]
    if not parts or len(parts) > _MOST_PARTS or max(map(len, parts)) < _LEAST_LETTERS:
        return None
    pattern = _in_row(parts)
    having = [row for row in rows if pattern.search(lines[row])]
    bare = name.strip(_AROUND_NAME)
    heads = {row: (lines[row].split()[0].strip(_AROUND_NAME), *head_of(lines[row])[-1:]) for row in rows}
    begun = [row for row in rows if bare in heads[row]]
    begun = begun or [row for row in rows if _ITEM.sub("", lines[row]).strip(_AROUND_NAME) == bare]
    found = same or begun or [row for row in having if name.strip() in lines[row]] or having
    return found[0] if len(found) == 1 else None


def blocks_called(lines: Sequence[str], names: Collection[str]) -> list[Span]:
    """Return the rows of the blocks and tables that names call by all of their first line, if it is one."""
    found: list[Span] = []
    for name in names:
        words = _HEAD_SIGNS.sub("", name)
        ends = (row for row, line in enumerate(lines) if words.endswith(_HEAD_SIGNS.sub("", line)))
        heads = [row for row in ends if _ends_as(lines, row, words)]
        found += [(row, _end_of(lines, row)) for row in heads[:1] if len(heads) == 1]
    return found


def with_quotes(lead: str, file: Sequence[str]) -> str:
    """Return the words above code, with what is in quotes or bold in backquotes if the file has it."""
    text = "\n".join(file)
    return _IN_QUOTES.sub(lambda found: f"`{found[1]}`" if found[1] and found[1] in text else found[0], lead)


def with_headings_quoted(lead: str, own: Definition) -> str:
    """Return the words above a part of a document with its headings in backquotes."""
    names = sorted({last_name(each.name) for each in own.walk()} - {""}, key=len, reverse=True)
    pattern = re.compile(rf"(`[^`\n]*`)|[\"“„”'*`]*\b({'|'.join(map(re.escape, names))})\b[\"“”'*`]*")
    return pattern.sub(lambda found: found[1] or f"`{found[2]}`", lead) if names else lead


def last_name(name: str) -> str:
    """Return the last part of the name of a definition, of a heading its words."""
    last = name.rpartition("\0")[2].rpartition(".")[2].strip()
    return last.lstrip("#").strip() if "# " in last else last


def _ends_as(lines: Sequence[str], row: int, words: str) -> bool:
    """Return whether the head of a block that ends on a row is so many words, on that line or on several."""
    head = _HEAD_SIGNS.sub("", lines[row])
    while head and len(head) < len(words) and row and lines[row - 1].rstrip().endswith(","):
        row -= 1
        head = f"{lines[row].strip()} {head}"
    return head == words


def _end_of(lines: Sequence[str], row: int) -> int:
    """Return the row behind the block or the table that begins on a line."""
    if not _TABLE.fullmatch(lines[row].strip()):
        return end_of_block(lines, row)
    return next((at for at in range(row + 1, len(lines)) if lines[at].startswith("[")), len(lines))


def _names_around(own: Definition, place: Span, pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield the parts of the names of the definitions that a place is in."""
    for each in own.around(*place):
        yield from pattern.findall(each.name)


def _is_called(definition: Definition, words: str) -> bool:
    """Return whether words are the call that a definition is, or the text that it is called with."""
    call, _, text = definition.name.partition(" ")
    named = _CALL.match(words)
    of_call, said = (named["call"], named["text"]) if named is not None else (call, words)
    is_text = call[:1].isalpha() and text[:1] in ("'", '"', "`") and text[:1] == text[-1:]
    return is_text and of_call == call and "".join(said.split()) == text[1:-1]


def _bare(name: str) -> str:
    return name.strip().removesuffix("()")


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _begins_heading(words: str, definition: Definition) -> bool:
    """Return whether words are the beginning of a heading, as a version without its date is.

    The targets of its links tell nothing.
    """
    name, words = (_TARGET.sub("]", each).strip("# ") for each in (definition.name, words))
    return name.startswith(words) and name[len(words) : len(words) + 1] in ("", " ", "?", "!", ":")


@lru_cache(maxsize=64)
def _in_row(parts: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of words one after another, with few signs in between."""
    words = r"[^\w$-]{1,6}".join(map(re.escape, parts))
    return re.compile(rf"(?<![\w$-]){words}(?![\w$-])")
