"""What JavaScript gives a name: functions, and objects that hold functions, as values of what names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_NAME = 200

NAMED_BY_VALUE = frozenset({
    "lexical_declaration", "variable_declaration", "field_definition", "public_field_definition",
    "expression_statement", "export_statement", "pair",
})  # fmt: skip
"""Nodes that define something where their value is a function, or an object with functions."""

_FUNCTIONS = frozenset({
    "arrow_function", "function_expression", "function", "generator_function", "class", "do_block", "block",
})  # fmt: skip
_HOLDS_FUNCTION = _FUNCTIONS | {"method_definition"}
_AROUND = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression", "await_expression"})
_TEXTS = frozenset({"string", "template_string", "simple_symbol", "constant", "scope_resolution"})
"""What a call is named by; in Ruby, that is often a symbol or a constant."""
_DEEPEST = 6
"""Objects within each other are searched for functions so deep."""


def javascript_name(node: Node, data: bytes, objects: frozenset[str]) -> str:
    """Return the name that a node gives a function or an object, or an empty text.

    An object without a function is no definition, unless its name is among `objects`.
    """
    named, value = _named(node)
    if named is not None or value is not None:
        name = text_of(named, data).strip("\"'") if named is not None else "default"
        value = _bare(value)
        if value is None:
            return ""
        if is_function(value) or (_is_long(node) and holds_members(value, objects, name)):
            return name
        return name if _is_long(node) and _argument(value, objects, name) is not None else ""
    if node.type == "expression_statement" and node.named_children:
        inner = node.named_children[0]
        return call_name(inner, data) if inner.type == "call_expression" else ""
    return ""


def body_of(node: Node) -> Node | None:
    """Return the function or object that a node names, in which its members are; `None` if it names none."""
    value = _bare(_named(node)[1])
    if value is None or is_function(value) or value.type == "object":
        return value
    return _argument(value, frozenset(), "") or _argument(value, frozenset({""}), "")


def call_name(node: Node, data: bytes) -> str:
    """Return the name of a call with a text and a function, such as `it('works', () => …)`."""
    arguments = node.child_by_field_name("arguments")
    parts = arguments.named_children if arguments is not None else []
    if not parts or not (is_function(parts[-1]) or is_function(node.child_by_field_name("block"))):
        return ""
    called = text_of(node.child_by_field_name("function") or node.child_by_field_name("method"), data)
    if parts[0].type not in _TEXTS:
        return ""
    return f"{called} {text_of(parts[0], data)}"


def is_function(node: Node | None) -> bool:
    """Return whether a value is a function, or a class."""
    return node is not None and node.type in _FUNCTIONS


def holds_members(value: Node, objects: frozenset[str], name: str) -> bool:
    """Return whether a value is an object that holds functions, or one whose name is among `objects`."""
    return value.type == "object" and (name in objects or _holds_function(value, _DEEPEST))


def text_of(node: Node | None, data: bytes) -> str:
    """Return the text of a node without white space, as names are compared."""
    # Of a text that was parsed in chunks, `Node.text` copies a chunk each time.
    raw = data[node.start_byte : node.end_byte] if node is not None else b""
    return "".join(raw.decode("utf-8", "replace").split())[:LONGEST_NAME]


def _named(node: Node) -> tuple[Node | None, Node | None]:
    """Return what names a value, and the value; without a name it is the default of its file."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        if len(declarators) == 1:
            return declarators[0].child_by_field_name("name"), declarators[0].child_by_field_name("value")
    elif node.type in ("field_definition", "public_field_definition"):
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        return name, node.child_by_field_name("value")
    elif node.type == "pair":
        return node.child_by_field_name("key"), node.child_by_field_name("value")
    elif node.type == "export_statement":
        return None, node.child_by_field_name("value")
    elif node.type == "expression_statement" and node.named_children:
        inner = node.named_children[0]
        if inner.type == "assignment_expression":
            value = inner.child_by_field_name("right")
            while value is not None and value.type == "assignment_expression":
                value = value.child_by_field_name("right")
            return inner.child_by_field_name("left"), value
    return None, None


def _bare(value: Node | None) -> Node | None:
    """Return a value without what only says its type."""
    while value is not None and value.type in _AROUND:
        value = next((child for child in value.named_children if child.type != "comment"), None)
    return value


def _argument(value: Node, objects: frozenset[str], name: str) -> Node | None:
    """Return the argument of a call that is a function, or an object with members: `useCallback(() => …)`."""
    if value.type not in ("call_expression", "new_expression"):
        return None
    arguments = value.child_by_field_name("arguments")
    for each in map(_bare, arguments.named_children if arguments is not None else ()):
        if each is None:
            continue
        if is_function(each) or holds_members(each, objects, name):
            return each
        inner = _argument(each, objects, name)
        if inner is not None:
            return inner
    return None


def _holds_function(value: Node, depth: int) -> bool:
    for child in value.named_children:
        if child.type in _HOLDS_FUNCTION:
            return True
        if child.type == "pair" and depth:
            inner = _bare(child.child_by_field_name("value"))
            if inner is not None and (
                is_function(inner) or (inner.type == "object" and _holds_function(inner, depth - 1))
            ):
                return True
    return False


def _is_long(node: Node) -> bool:
    return node.end_point[0] > node.start_point[0]
