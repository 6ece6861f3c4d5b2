"""What the nodes of a grammar define, by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchpoint.structure.lazy.outline.headers import element_name
from patchpoint.structure.lazy.outline.javascript import LONGEST_NAME, call_name, javascript_name, text_of
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

_STYLE_COMMENT = regex(r"/\*.*?\*/", re.DOTALL)


_NAMELESS = {
    "anonymous_initializer": "init", "deinit_declaration": "deinit", "subscript_declaration": "subscript",
    "destructor_declaration": "~", "indexer_declaration": "this", "singleton_class": "class <<",
    "init_declaration": "constructor", "secondary_constructor": "constructor",
    "companion_object": "companion",
}  # fmt: skip
"""What definitions without a name are called by."""


def defined_name(node: Node, syntax: Syntax, data: bytes, objects: frozenset[str]) -> str:
    """Return the name that a node of the text `data` defines, or an empty text if it is no definition.

    An object of JavaScript is one if it holds a function, or its name is among `objects`.
    """
    kind = node.type
    if kind in syntax.leaves or kind in syntax.containers:
        return _name(node, data)
    if syntax.family == "javascript":
        return javascript_name(node, data, objects)
    if syntax.calls and kind == "call":
        return call_name(node, data)
    return ""


def _name(node: Node, data: bytes) -> str:
    if node.type == "type_declaration":
        specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
        return text_of(specs[0].child_by_field_name("name"), data) if len(specs) == 1 else ""
    if node.type == "impl_item":
        trait, own = node.child_by_field_name("trait"), node.child_by_field_name("type")
        of_trait = f"{text_of(trait, data)} for " if trait is not None else ""
        return f"impl {of_trait}{text_of(own, data)}"
    if node.type in ("element", "script_element", "style_element"):
        return _element_name(node, data)
    if node.type in ("rule_set", "media_statement", "supports_statement", "keyframes_statement"):
        raw = data[node.start_byte : node.end_byte].partition(b"{")[0].decode("utf-8", "replace")
        return "".join(_STYLE_COMMENT.sub("", raw).split())[:LONGEST_NAME]
    if node.type in _NAMELESS:
        return _NAMELESS[node.type]
    name = node.child_by_field_name("name")
    if name is None:
        name = _declared(node.child_by_field_name("declarator"))
    if name is None:
        name = next((c for c in node.named_children if c.type.endswith(("identifier", "word"))), None)
    text = text_of(name, data)
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        words = data[receiver.start_byte : receiver.end_byte].decode("utf-8", "replace")
        types = re.findall(r"[*\s(]([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*\)\Z", words)
        return f"{types[0] if types else ''}.{text}"
    if any(child.type == "extension" for child in node.children):
        # of one type there may be several, each for another protocol
        types = [text_of(child, data) for child in node.named_children if "inherit" in child.type]
        return f"extension {text}{':' if types else ''}{','.join(types)}"
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
    return element_name(" ".join(head.split()))


def _declared(declarator: Node | None) -> Node | None:
    """Return the name within a declarator of C or C++."""
    while declarator is not None and not declarator.type.endswith(("identifier", "_name")):
        inner = (c for c in declarator.named_children if c.type.endswith(("declarator", "identifier")))
        declarator = declarator.child_by_field_name("declarator") or next(inner, None)
    return declarator
