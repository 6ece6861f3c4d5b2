"""The definitions of a text as its grammar says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.structure.grammars import parsed
from patchpoint.structure.lazy.definition import (
    Definition,
    Unmerged,
    UnmergedError,
    indentation_of,
    is_comment,
    lead_above,
)
from patchpoint.structure.lazy.headers import element_name, outline_by_first_lines
from patchpoint.structure.lazy.syntax import Syntax, syntaxes_of
from patchpoint.structure.problem import UnjudgedError, require_judgeable

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CHARACTERS = 300_000
"""Longer texts are not merged: nobody waits for them to be parsed."""

_SPACE = re.compile(r"\s+")
_FUNCTIONS = {
    "arrow_function", "function_expression", "function", "generator_function", "class", "do_block", "block",
}  # fmt: skip
_NAMED_IN_JAVASCRIPT = {
    "lexical_declaration", "variable_declaration", "field_definition", "public_field_definition",
    "expression_statement", "export_statement",
}  # fmt: skip
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LONGEST_NAME = 200


def outline(
    lines: Sequence[str],
    syntax: Syntax,
    marks: frozenset[int] = frozenset(),
    *,
    home: tuple[str, str] = ("", ""),
    may_have_errors: bool = False,
    lasting_only: bool = False,
) -> Definition | None:
    """Return the definitions of a text; `None` when it does not parse.

    `marks` are lines that are no comments of any definition's, `home` are lines that go around the text.
    `lasting_only` leaves out what is within a function.
    """
    if syntax.by_heads:
        return outline_by_first_lines(lines, syntax, marks)
    around = (home[0], *lines, home[1], "") if any(home) else (*lines, "")
    data = "\n".join(around).encode("utf-8", "surrogatepass")
    try:
        root = parsed(data, syntax.grammar)
    except UnjudgedError:
        return None
    if root is None or (root.has_error and not may_have_errors):
        return None
    reader = _OutlineReader(lines, syntax, marks, data, rows_above=int(any(home)), lasting_only=lasting_only)
    children = reader.level(root, 0, len(lines))
    if home[1] and home[0].endswith("{"):
        # the definition that was put around the text is on a line of its own
        outermost = next((node for node in _nodes(root) if node.type in syntax.containers), None)
        children = reader.level(outermost, 0, len(lines)) if outermost is not None else ()
    return Definition("", 0, 0, len(lines), is_container=True, children=children)


def outline_of_file(file: Sequence[str], path: str) -> tuple[Syntax, Definition, bool]:
    """Return the language of a file, its definitions, and whether it parses.

    Raises `UnmergedError` where no grammar is known for it, or it is too long.
    """
    text = "\n".join(file)
    try:
        require_judgeable(text, MAX_CHARACTERS)
    except UnjudgedError:
        raise UnmergedError(Unmerged.LANGUAGE) from None
    syntaxes = syntaxes_of(path)
    for may_have_errors in (False, True):
        for syntax in syntaxes:
            found = outline(file, syntax, may_have_errors=may_have_errors)
            if found is not None:
                return syntax, found, not may_have_errors
    raise UnmergedError(Unmerged.LANGUAGE)


class _OutlineReader:
    """Reads the definitions of one text, which has `rows_above` rows above the first line in its tree."""

    def __init__(
        self,
        lines: Sequence[str],
        syntax: Syntax,
        marks: frozenset[int],
        data: bytes,
        *,
        rows_above: int,
        lasting_only: bool,
    ) -> None:
        self._lines = lines
        self._syntax = syntax
        self._marks = marks
        self._data = data
        self._above = rows_above
        self._lasting_only = lasting_only
        self._telling = syntax.leaves | syntax.containers | syntax.wrappers | syntax.transparent
        self._telling |= {"call"} if syntax.calls else set()
        self._telling |= _NAMED_IN_JAVASCRIPT if syntax.family == "javascript" else set()

    def level(self, around: Node, first: int, end: int) -> tuple[Definition, ...]:
        """Return the definitions right within a node, which has the lines from `first` up to `end`."""
        found: list[Definition] = []
        reached = first
        for outer, inner, name in self._definitions(around):
            start, last = self._extent(outer)
            if start < reached or last > end or start < 0:
                continue
            definition = self._definition(outer, inner, name, start, last, reached)
            if definition is not None:
                found.append(definition)
                reached = definition.end
        return tuple(found)

    def _definitions(self, around: Node) -> list[tuple[Node, Node, str]]:
        """Return the definitions right within a node: its node with what wraps it, alone, and its name."""
        syntax = self._syntax
        found: list[tuple[Node, Node, str]] = []
        for child in around.named_children:
            if child.type not in self._telling:
                continue
            inner = child
            while inner.type in syntax.wrappers:
                nested = next(
                    (
                        c
                        for c in reversed(inner.named_children)
                        if self._names(c) or c.type in syntax.wrappers
                    ),
                    None,
                )
                if nested is None:
                    break
                inner = nested
            name = self._names(inner)
            if name:
                found.append((child, inner, name))
            elif inner.type in syntax.transparent:
                found += self._definitions(inner)
        return found

    def _names(self, node: Node) -> str:
        """Return the name that a node defines, or an empty text if it is no definition."""
        syntax = self._syntax
        kind = node.type
        if kind in syntax.leaves or kind in syntax.containers:
            return _name(node, self._data)
        if syntax.family == "javascript":
            return _javascript_name(node, self._data)
        if syntax.calls and kind == "call":
            return _call_name(node, self._data)
        return ""

    def _definition(
        self, outer: Node, inner: Node, name: str, start: int, end: int, reached: int
    ) -> Definition | None:
        syntax = self._syntax
        own = self._own_line(inner, start)
        first = start
        for sibling in _decorating(outer, syntax):
            row = sibling.start_point[0] - self._above
            if reached <= row < first and not self._lines[row][: sibling.start_point[1]].strip():
                first = row
        first = lead_above(self._lines, first, syntax.comments, reached, self._marks)
        if syntax.family == "python":
            end = self._with_comments(start, end)
        is_closed = syntax.family == "ruby" and self._lines[end - 1].strip() == "end"
        if is_closed and indentation_of(self._lines[own]) != indentation_of(self._lines[end - 1]):
            return None  # a stray `end` parses, and closes a method early
        body = inner.child_by_field_name("body")
        last_of_head = min(body.start_point[0] - self._above, end - 1) if body is not None else own
        head = " ".join(self._lines[start : max(last_of_head, own) + 1])
        is_container = inner.type in syntax.containers
        is_read = end - own > 2 and (is_container or not self._lasting_only)
        children = self.level(inner, own + 1, end) if is_read else ()
        if syntax.family == "html":
            is_container = bool(children)
        return Definition(name, first, own, end, _SPACE.sub("", head), is_container, children)

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
        depth = len(indentation_of(self._lines[start]))
        at = end
        while at < len(self._lines):
            line = self._lines[at]
            if line.strip():
                if not is_comment(line, self._syntax.comments) and at not in self._marks:
                    break
                if len(indentation_of(line)) <= depth:
                    break
                end = at + 1
            at += 1
        return end


def _nodes(root: Node) -> list[Node]:
    return [
        root,
        *root.named_children,
        *(inner for child in root.named_children for inner in child.named_children),
    ]


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


def _text(node: Node | None, data: bytes) -> str:
    # Of a text that was parsed in chunks, `Node.text` copies a chunk each time.
    raw = data[node.start_byte : node.end_byte] if node is not None else b""
    return _SPACE.sub("", raw.decode("utf-8", "replace"))[:_LONGEST_NAME]


def _name(node: Node, data: bytes) -> str:
    if node.type == "type_declaration":
        specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
        return _text(specs[0].child_by_field_name("name"), data) if len(specs) == 1 else ""
    if node.type == "impl_item":
        trait, own = node.child_by_field_name("trait"), node.child_by_field_name("type")
        of_trait = f"{_text(trait, data)} for " if trait is not None else ""
        return f"impl {of_trait}{_text(own, data)}"
    if node.type == "rule_set":
        selectors = next((c for c in node.named_children if c.type == "selectors"), None)
        written = data[selectors.start_byte : selectors.end_byte] if selectors is not None else b""
        return _SPACE.sub("", _STYLE_COMMENT.sub("", written.decode("utf-8", "replace")))[:_LONGEST_NAME]
    if node.type in ("element", "script_element", "style_element"):
        return _element_name(node, data)
    if node.type in ("media_statement", "supports_statement", "keyframes_statement"):
        raw = data[node.start_byte : node.end_byte].decode("utf-8", "replace").partition("{")[0]
        return _SPACE.sub("", raw)[:_LONGEST_NAME]
    if node.type == "singleton_class":
        return "class <<"
    if node.type in ("init_declaration", "secondary_constructor"):
        return "constructor"
    if node.type == "companion_object":
        return "companion"
    name = node.child_by_field_name("name")
    if name is None:
        name = _declared(node.child_by_field_name("declarator"))
    if name is None:
        name = next((c for c in node.named_children if c.type.endswith("identifier")), None)
    text = _text(name, data)
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        words = data[receiver.start_byte : receiver.end_byte].decode("utf-8", "replace")
        types = re.findall(r"[*\s(]([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*\)\Z", words)
        return f"{types[0] if types else ''}.{text}"
    if node.type == "singleton_method":
        return f"self.{text}"
    if node.type == "method_definition" or node.type == "method_declaration":
        kind = next((c.type for c in node.children if c.type in ("get", "set", "static")), "")
        return f"{kind} {text}" if kind else text
    return text


def _element_name(node: Node, data: bytes) -> str:
    """Return the name of an element of HTML: by its id, or as one that a page mostly has once."""
    tag = next((child for child in node.named_children if child.type == "start_tag"), None)
    if tag is None:
        return ""
    head = data[tag.start_byte : tag.end_byte].decode("utf-8", "replace")
    return element_name(_SPACE.sub(" ", head))


def _declared(declarator: Node | None) -> Node | None:
    """Return the name within a declarator of C or C++."""
    while declarator is not None:
        if declarator.type in (
            "identifier",
            "field_identifier",
            "qualified_identifier",
            "destructor_name",
            "operator_name",
            "type_identifier",
        ):
            return declarator
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (c for c in declarator.named_children if c.type.endswith(("declarator", "identifier"))), None
            )
        declarator = inner
    return None


def _javascript_name(node: Node, data: bytes) -> str:
    if node.type in ("lexical_declaration", "variable_declaration"):
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        if len(declarators) == 1 and _is_function(declarators[0].child_by_field_name("value")):
            return _text(declarators[0].child_by_field_name("name"), data)
    is_field = node.type in ("field_definition", "public_field_definition")
    if is_field and _is_function(node.child_by_field_name("value")):
        return _text(node.child_by_field_name("name") or node.child_by_field_name("property"), data)
    if node.type == "expression_statement" and node.named_children:
        inner = node.named_children[0]
        if inner.type == "assignment_expression":
            value = inner.child_by_field_name("right")
            while value is not None and value.type == "assignment_expression":
                value = value.child_by_field_name("right")
            return _text(inner.child_by_field_name("left"), data) if _is_function(value) else ""
        if inner.type == "call_expression":
            return _call_name(inner, data)
    if node.type == "export_statement" and _is_function(node.child_by_field_name("value")):
        return "default"
    return ""


def _is_function(node: Node | None) -> bool:
    return node is not None and node.type in _FUNCTIONS


def _call_name(node: Node, data: bytes) -> str:
    """Return the name of a call with a text and a function, such as `it('works', () => …)`."""
    arguments = node.child_by_field_name("arguments")
    parts = arguments.named_children if arguments is not None else []
    if not parts or not (_is_function(parts[-1]) or _is_function(node.child_by_field_name("block"))):
        return ""
    called = _text(node.child_by_field_name("function") or node.child_by_field_name("method"), data)
    if parts[0].type not in ("string", "template_string"):
        return ""
    return f"{called} {_text(parts[0], data)}"
