"""The definitions of a text as its grammar says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from patchpoint.structure.grammars import parsed
from patchpoint.structure.lazy.definition import (
    CodeText,
    Definition,
    Unmerged,
    UnmergedError,
    indentation_of,
    lead_above,
)
from patchpoint.structure.lazy.outline.by_lines import outline_by_first_lines
from patchpoint.structure.lazy.outline.javascript import NAMED_BY_VALUE, body_of
from patchpoint.structure.lazy.outline.names import defined_name
from patchpoint.structure.lazy.syntax import Syntax, syntaxes_of
from patchpoint.structure.problem import MAX_DEPTH, UnjudgedError, require_judgeable
from patchpoint.text.line_diff import shared_ends

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CHARACTERS = 300_000
"""Longer texts are not merged: nobody waits for them to be parsed."""


def outline(
    lines: Sequence[str],
    syntax: Syntax,
    marks: frozenset[int] = frozenset(),
    *,
    home: tuple[str, str] = ("", ""),
    may_have_errors: bool = False,
    lasting_only: bool = False,
    objects: frozenset[str] = frozenset(),
) -> Definition | None:
    """Return the definitions of a text; `None` when it does not parse.

    `marks` are lines that are no comments of any definition's, `home` are lines that go around the text.
    `lasting_only` leaves out what is within a function. An object of JavaScript is a definition if it holds a
    function, or its name is among `objects`.
    """
    text = CodeText(list(lines), syntax, marks)
    if syntax.by_heads:
        return outline_by_first_lines(text)
    tree = _tree((home[0], *lines, home[1]) if any(home) else lines, syntax, may_have_errors=may_have_errors)
    if tree is None:
        return None
    data, root = tree
    reader = _OutlineReader(text, data, objects, rows_above=int(any(home)), lasting_only=lasting_only)
    try:
        children = reader.level(root.named_children, 0, len(lines))
    except UnjudgedError:
        return None
    if home[1] and home[0].endswith("{"):
        # the definition that was put around the text is on a line of its own
        kinds = {*syntax.containers, "object"}
        outermost = next((node for node in _nodes(root) if node.type in kinds), None)
        children = reader.level(outermost.named_children, 0, len(lines)) if outermost is not None else ()
    return Definition.of_text(lines, children)


def outline_of_file(file: Sequence[str], path: str) -> tuple[CodeText, bool]:
    """Return a file with its language and definitions, and whether it parses.

    Raises `UnmergedError` where no grammar is known for it, or it is too long.
    """
    found = outline_of_text("\n".join(file), path)
    if found is None:
        raise UnmergedError(Unmerged.LANGUAGE)
    return found


# All code that an answer shows of one file is held against the same text, as are the edits of an answer, and
# a pending edit while nobody types.
@lru_cache(maxsize=4)
def outline_of_text(text: str, path: str) -> tuple[CodeText, bool] | None:
    """Return what `outline_of_file` does; `None` where that raises an error."""
    try:
        require_judgeable(text, MAX_CHARACTERS)
    except UnjudgedError:
        return None
    return outline_of_any(text.split("\n"), path)


def outline_of_any(file: list[str], path: str) -> tuple[CodeText, bool] | None:
    """Return what `outline_of_file` does, of a file of any length; `None` where no grammar reads it."""
    for may_have_errors in (False, True):
        for syntax in syntaxes_of(path):
            found = outline(file, syntax, may_have_errors=may_have_errors)
            if found is not None:
                return CodeText(file, syntax, root=found), not may_have_errors
    return None


def outlines_of_part(lines: Sequence[str], syntax: Syntax) -> Iterator[Definition]:
    """Yield the definitions that a part of a text has by itself, and as members of something around it."""
    for home in (("", ""), *syntax.homes):
        found = outline(lines, syntax, home=home)
        if found is not None and found.children:
            yield found


def changed_names(
    file: CodeText, lines: Sequence[str], *, parses: bool
) -> tuple[Counter[str], Counter[str]] | None:
    """Return how often a file has which definition in no function, and how often a text made of it has.

    Neither counts what a file that `parses` has in nodes that stay. `None` when the text does not parse.
    """
    syntax = file.syntax
    if not parses or syntax.by_heads:
        made = outline(lines, syntax, may_have_errors=not parses, lasting_only=True)
        return (_names(file.root), _names(made)) if made is not None else None
    own, new = _outermost(file), _outermost(CodeText(list(lines), syntax))
    if own is None or new is None:
        return None
    above, below = shared_ends(own.known, new.known)
    try:
        return own.names(above, below), new.names(above, below)
    except UnjudgedError:
        return None


def _names(root: Definition) -> Counter[str]:
    return Counter(root.names(lasting_only=True))


def _tree(
    lines: Sequence[str], syntax: Syntax, *, may_have_errors: bool = False
) -> tuple[bytes, Node] | None:
    """Return what a grammar reads, and the root of its tree; `None` when it does not parse."""
    data = "\n".join((*lines, "")).encode("utf-8", "surrogatepass")
    try:
        root = parsed(data, syntax.grammar)
    except UnjudgedError:
        return None
    return (data, root) if root is not None and (may_have_errors or not root.has_error) else None


@lru_cache(maxsize=4)
def _outermost(text: CodeText) -> _Outermost | None:
    tree = _tree(text.lines, text.syntax)
    return _Outermost(text, *tree) if tree is not None else None


class _Outermost:
    """The nodes of a text that are in no other, each known by its kind and its text, and by what is above."""

    def __init__(self, text: CodeText, data: bytes, root: Node) -> None:
        self._reader = _OutlineReader(text, data, frozenset(), rows_above=0, lasting_only=True)
        self._lines, self._nodes = text.lines, (nodes := root.named_children)
        ends = [0, *(node.end_byte for node in nodes), len(data)]
        texts = [data[start:end] for start, end in pairwise(ends)]
        starts = [node.start_byte - end for node, end in zip(nodes, ends, strict=False)]
        self.known = [*zip([node.type for node in nodes], starts, texts, strict=False), ("", 0, texts[-1])]

    def names(self, above: int, below: int) -> Counter[str]:
        """Return how often nodes have which definition: all but so many at each end, with one of those."""
        nodes = self._nodes[max(0, above - 1) : len(self.known) - below + 1]
        children = self._reader.level(nodes, 0, len(self._lines))
        return _names(Definition.of_text(self._lines, children))


class _OutlineReader:
    """Reads the definitions of one text, which has `rows_above` rows above the first line in its tree."""

    def __init__(
        self, text: CodeText, data: bytes, objects: frozenset[str], *, rows_above: int, lasting_only: bool
    ) -> None:
        self._text, self._lines, self._syntax = text, text.lines, text.syntax
        self._data = data
        self._above = rows_above
        self._lasting_only = lasting_only
        self._objects = objects
        syntax = text.syntax
        self._telling = syntax.leaves | syntax.containers | syntax.wrappers | syntax.transparent
        self._telling |= {"call"} if syntax.calls else set()
        self._telling |= NAMED_BY_VALUE if syntax.family == "javascript" else set()

    def level(self, nodes: Sequence[Node], first: int, end: int, depth: int = 0) -> tuple[Definition, ...]:
        """Return the definitions that nodes are, or wrap, in the lines from `first` up to `end`.

        Raises `UnjudgedError` for definitions that are nested too deep.
        """
        if depth > MAX_DEPTH:
            raise UnjudgedError
        found: list[Definition] = []
        reached = first
        for outer, inner, name in self._definitions(nodes):
            start, last = self._extent(outer)
            if start < reached or last > end or start < 0:
                continue
            definition = self._definition(outer, inner, name, start, last, reached, depth)
            if definition is not None:
                found.append(definition)
                reached = definition.end
        return tuple(found)

    def _definitions(self, nodes: Sequence[Node]) -> list[tuple[Node, Node, str]]:
        """Return the definitions among nodes: the node with what wraps it, alone, and its name."""
        syntax = self._syntax
        found: list[tuple[Node, Node, str]] = []
        open_ = [iter(nodes)]
        while open_:
            child = next(open_[-1], None)
            if child is None:
                open_.pop()
                continue
            if child.type not in self._telling:
                continue
            inner = child
            while inner.type in syntax.wrappers:
                nested = next(
                    (c for c in reversed(inner.named_children) if self._name(c) or c.type in syntax.wrappers),
                    None,
                )
                if nested is None:
                    break
                inner = nested
            name = self._name(inner)
            if name:
                found.append((child, inner, name))
            elif inner.type in syntax.transparent:
                open_.append(iter(inner.named_children))
        return found

    def _name(self, node: Node) -> str:
        return defined_name(node, self._syntax, self._data, self._objects)

    def _definition(
        self, outer: Node, inner: Node, name: str, start: int, end: int, reached: int, depth: int
    ) -> Definition | None:
        syntax = self._syntax
        own = self._own_line(inner, start)
        first = start
        for sibling in _decorating(outer, syntax):
            row = sibling.start_point[0] - self._above
            if reached <= row < first and not self._lines[row][: sibling.start_point[1]].strip():
                first = row
        first = lead_above(self._text, syntax.comments, first, reached)
        if syntax.family == "python":
            end = self._with_comments(start, end)
        is_closed = syntax.family == "ruby" and self._lines[end - 1].strip() == "end"
        if is_closed and indentation_of(self._lines[own]) != indentation_of(self._lines[end - 1]):
            return None  # a stray `end` parses, and closes a method early
        body = inner.child_by_field_name("body")
        last_of_head = min(body.start_point[0] - self._above, end - 1) if body is not None else own
        head = " ".join(self._lines[start : max(last_of_head, own) + 1])
        within = inner
        if syntax.family == "javascript" and inner.type in NAMED_BY_VALUE:
            within = body_of(inner) or inner
        is_container = inner.type in syntax.containers or within.type == "object"
        is_read = end - own > 2 and (is_container or not self._lasting_only)
        children = self.level(within.named_children, own + 1, end, depth + 1) if is_read else ()
        if syntax.family == "html":
            is_container = bool(children)
        return Definition(name, first, own, end, "".join(head.split()), is_container, children)

    def _extent(self, node: Node) -> tuple[int, int]:
        """Return the lines of a node; those of one that shares a line with other code are not to be had."""
        start = node.start_point[0] - self._above
        row, column = node.end_point
        end = row - self._above + bool(column)
        if not 0 <= start < end <= len(self._lines):
            return -1, -1
        before = self._lines[start].encode("utf-8", "surrogatepass")[: node.start_point[1]]
        after = self._lines[end - 1].encode("utf-8", "surrogatepass")[column:] if column else b""
        rest = after.decode("utf-8", "replace").strip().lstrip(";,) \t")
        if before.strip() or (rest and not rest.startswith(self._syntax.comments)):
            return -1, -1
        return start, end

    def _own_line(self, inner: Node, start: int) -> int:
        """Return the line of a definition's own head, below its decorators."""
        row = max(inner.start_point[0] - self._above, start)
        for child in inner.children:
            parts = child.children if child.type == "modifiers" else (child,)
            for part in parts:
                if part.type in self._syntax.decorators or part.type.endswith("comment"):
                    row = max(row, part.end_point[0] - self._above)
                    continue
                return max(start, part.start_point[0] - self._above)
        return row

    def _with_comments(self, start: int, end: int) -> int:
        """Return the end of a definition with the comments that follow at the depth of its body."""
        text = self._text
        at = text.below(end)
        while at < len(text.lines) and (text.is_comment(at) or at in text.marks):
            if text.depth(at) <= text.depth(start):
                break
            end = at + 1
            at = text.below(end)
        return end


def _nodes(root: Node) -> list[Node]:
    """Return a node and what is within it, down to the third level, the outermost first."""
    nodes = level = [root]
    for _ in range(3):
        level = [child for node in level for child in node.named_children]
        nodes = [*nodes, *level]
    return nodes


def _decorating(node: Node, syntax: Syntax) -> list[Node]:
    """Return the nodes right above a definition that decorate it, the nearest first."""
    found = []
    before = node.prev_named_sibling
    comments: list[Node] = []
    while before is not None and (before.type in syntax.decorators or before.type.endswith("comment")):
        if before.type in syntax.decorators:
            found += [*comments, before]
            comments = []
        else:
            comments.append(before)
        before = before.prev_named_sibling
    return found
