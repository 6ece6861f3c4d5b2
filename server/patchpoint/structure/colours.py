"""What the parts of a line of code are, as the grammar's own query for highlighting tells."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from patchpoint.structure.grammars import loaded_grammar, parsed
from patchpoint.structure.languages import MAX_CHARACTERS, languages_of
from patchpoint.structure.problem import UnjudgedError
from patchpoint.text.lines import Span, split_at_line_feeds

if TYPE_CHECKING:
    from tree_sitter import Query

Coloured = tuple[Span, str]
"""Characters of a line, and what they are: the first word of a capture, such as `keyword` or `string`."""

_GRAMMARS_OF_READERS = {"Python": "python"}
"""The grammar of a language that is judged without one."""


def coloured_lines(text: str, path: str, wanted: Iterable[Span]) -> Mapping[int, tuple[Coloured, ...]]:
    r"""Return what the parts of the lines in `wanted` are, by their numbers from 0 (`\n` alone ends a line).

    Parts do not overlap: of two captures, the shorter counts. Empty for a language without a grammar or a
    query, and for a text that is too long or cannot be parsed.
    """
    grammar = next((one.grammar or _GRAMMARS_OF_READERS.get(one.name, "") for one in languages_of(path)), "")
    if not grammar or len(text) > MAX_CHARACTERS:
        return {}
    try:
        query = _query(grammar)
        root = parsed(text.encode("utf-8", "surrogatepass"), grammar) if query is not None else None
    except UnjudgedError:
        return {}
    if query is None or root is None:
        return {}
    from tree_sitter import QueryCursor

    lines = split_at_line_feeds(text)
    found: dict[int, tuple[Coloured, ...]] = {}
    for first, end in wanted:
        cursor = QueryCursor(query)
        cursor.set_point_range((first, 0), (end, 0))
        nodes = [
            ((node.start_point, node.end_point), name.partition(".")[0], node.end_byte - node.start_byte)
            for name, captured in cursor.captures(root).items()
            for node in captured
        ]
        nodes.sort(key=lambda node: -node[2])
        kinds = {at: [""] * len(lines[at]) for at in range(first, min(end, len(lines)))}
        for ((from_line, from_byte), (to_line, to_byte)), kind, _ in nodes:
            for at in range(max(from_line, first), min(to_line, end - 1) + 1):
                if at in kinds:
                    start = _characters(lines[at], from_byte) if at == from_line else 0
                    stop = _characters(lines[at], to_byte) if at == to_line else len(lines[at])
                    kinds[at][start:stop] = [kind] * (stop - start)
        found.update({at: _parts(each) for at, each in kinds.items()})
    return found


@cache
def _query(grammar: str) -> Query | None:
    """Return a grammar's query for highlighting; `None` where its package has none that can be read."""
    language = loaded_grammar(grammar)
    from tree_sitter import Query, QueryError

    package: Any = importlib.import_module(f"tree_sitter_{grammar.partition(':')[0]}")
    source = getattr(package, "HIGHLIGHTS_QUERY", None)
    try:
        return Query(language, source) if source else None
    except QueryError:
        return None


def _characters(line: str, column: int) -> int:
    """Return how many characters so many bytes of a line in UTF-8 are."""
    if line.isascii():
        return min(column, len(line))
    return len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))


def _parts(kinds: list[str]) -> tuple[Coloured, ...]:
    parts: list[Coloured] = []
    end = 0
    for kind, run in groupby(kinds):
        start, end = end, end + len(list(run))
        if kind:
            parts.append(((start, end), kind))
    return tuple(parts)
