"""What the merge knows of each language: its definitions, its comments, and the words of its headers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from types import MappingProxyType

from patchpoint.dataclass import dataclass, replace
from patchpoint.structure.languages import languages_of
from patchpoint.text.regex import regex

DECORATOR = regex(r"\s*(?:@\w|#\[|\[[A-Z]\w*(?:\(.*\))?\]\s*\Z)")
"""A line that belongs to what follows it."""

_HASH = ("#",)
_SLASHES = ("//", "/*", "*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """One language, as the nodes of its grammar and as the shape of its lines."""

    grammar: str
    """As in `patchpoint.structure.grammars`."""
    comments: tuple[str, ...] = _SLASHES
    """What a line that is a comment begins with; the first begins one."""
    leaves: frozenset[str]
    """Nodes of definitions that are shown whole, such as functions."""
    containers: frozenset[str] = frozenset()
    """Nodes of definitions with members, such as classes."""
    wrappers: frozenset[str] = frozenset()
    """Nodes around a definition, such as an export."""
    transparent: frozenset[str] = frozenset()
    """Nodes between a definition and its members."""
    decorators: frozenset[str] = frozenset()
    """Nodes that decorate the definition below them."""
    homes: tuple[tuple[str, str], ...] = ()
    """Lines to put around members that are shown without their class."""
    family: str
    """Which patterns of headers fit, see `patchpoint.structure.lazy.outline.headers`."""
    by_heads: bool = False
    """Definitions are found by their first lines, such as headings, and not by a grammar."""
    is_data: bool = False
    """What is shown of an entry has all of its lines, or marks: settings are hardly deleted in passing."""
    calls: bool = False
    """A call with a name and a function, such as `it('works', …)`, is a definition."""


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_JAVASCRIPT = Syntax(
    grammar="javascript",
    leaves=_set(
        """
        function_declaration generator_function_declaration method_definition enum_declaration
        type_alias_declaration interface_declaration function_signature abstract_method_signature
        """
    ),
    containers=_set("class_declaration abstract_class_declaration internal_module module"),
    wrappers=_set("export_statement ambient_declaration"),
    transparent=_set(
        """
        class_body statement_block program expression_statement call_expression arguments arrow_function
        function_expression return_statement parenthesized_expression object new_expression
        if_statement else_clause try_statement catch_clause finally_clause for_statement for_in_statement
        """
    ),
    decorators=_set("decorator"),
    homes=(("class Home {", "}"), ("const Home = {", "}")),
    family="javascript",
    calls=True,
)

SYNTAXES: tuple[Syntax, ...] = (
    Syntax(
        grammar="python",
        comments=_HASH,
        leaves=_set("function_definition"),
        containers=_set("class_definition"),
        wrappers=_set("decorated_definition"),
        transparent=_set(
            "module block if_statement elif_clause else_clause try_statement except_clause finally_clause"
        ),
        family="python",
    ),
    _JAVASCRIPT,
    replace(_JAVASCRIPT, grammar="typescript:typescript"),
    replace(_JAVASCRIPT, grammar="typescript:tsx"),
    Syntax(
        grammar="go",
        leaves=_set("function_declaration method_declaration type_declaration"),
        transparent=_set("source_file"),
        family="go",
    ),
    Syntax(
        grammar="java",
        leaves=_set("method_declaration constructor_declaration compact_constructor_declaration"),
        containers=_set(
            "class_declaration interface_declaration enum_declaration record_declaration "
            "annotation_type_declaration"
        ),
        transparent=_set("program class_body interface_body enum_body enum_body_declarations"),
        decorators=_set("marker_annotation annotation"),
        homes=(("class Home {", "}"),),
        family="typed",
    ),
    Syntax(
        grammar="ruby",
        comments=_HASH,
        leaves=_set("method singleton_method"),
        containers=_set("class module singleton_class"),
        transparent=_set("program body_statement block_body do_block call if unless then elsif else"),
        family="ruby",
        calls=True,
    ),
    Syntax(
        grammar="rust",
        leaves=_set(
            "function_item struct_item enum_item macro_definition function_signature_item type_item "
            "union_item"
        ),
        containers=_set("impl_item trait_item mod_item"),
        transparent=_set("source_file declaration_list"),
        decorators=_set("attribute_item"),
        homes=(("impl Home {", "}"),),
        family="rust",
    ),
    Syntax(
        grammar="cpp",
        leaves=_set("function_definition enum_specifier"),
        containers=_set("class_specifier struct_specifier namespace_definition"),
        wrappers=_set("template_declaration"),
        transparent=_set(
            "translation_unit declaration_list field_declaration_list preproc_ifdef preproc_if preproc_else "
            "linkage_specification"
        ),
        homes=(("class Home {", "};"),),
        family="typed",
    ),
    Syntax(
        grammar="c",
        leaves=_set("function_definition struct_specifier enum_specifier type_definition"),
        transparent=_set(
            "translation_unit declaration_list preproc_ifdef preproc_if preproc_else linkage_specification"
        ),
        family="typed",
    ),
    Syntax(
        grammar="c_sharp",
        leaves=_set(
            "method_declaration constructor_declaration destructor_declaration property_declaration "
            "indexer_declaration operator_declaration"
        ),
        containers=_set(
            "class_declaration interface_declaration struct_declaration record_declaration "
            "namespace_declaration enum_declaration"
        ),
        transparent=_set("compilation_unit declaration_list file_scoped_namespace_declaration"),
        decorators=_set("attribute_list"),
        homes=(("class Home {", "}"),),
        family="typed",
    ),
    Syntax(
        grammar="php:php",
        comments=("//", "#", "/*", "*"),
        leaves=_set("function_definition method_declaration"),
        containers=_set("class_declaration interface_declaration trait_declaration enum_declaration"),
        transparent=_set(
            "program declaration_list namespace_definition compound_statement colon_block if_statement "
            "else_clause"
        ),
        decorators=_set("attribute_list"),
        homes=(("<?php class Home {", "}"), ("<?php", "")),
        family="typed",
    ),
    Syntax(
        grammar="kotlin",
        leaves=_set("function_declaration secondary_constructor anonymous_initializer"),
        containers=_set("class_declaration object_declaration companion_object"),
        transparent=_set("source_file class_body enum_class_body"),
        decorators=_set("annotation annotated_expression"),  # with arguments, outside of a class
        homes=(("class Home {", "}"),),
        family="typed",
    ),
    Syntax(
        grammar="swift",
        leaves=_set("function_declaration init_declaration deinit_declaration subscript_declaration"),
        containers=_set("class_declaration protocol_declaration"),
        transparent=_set("source_file class_body enum_class_body protocol_body"),
        decorators=_set("attribute"),
        homes=(("class Home {", "}"),),
        family="typed",
    ),
    Syntax(
        grammar="scala",
        leaves=_set("function_definition function_declaration"),
        containers=_set("class_definition object_definition trait_definition"),
        transparent=_set("compilation_unit template_body"),
        decorators=_set("annotation"),
        homes=(("class Home {", "}"),),
        family="typed",
    ),
    Syntax(
        grammar="lua",
        comments=("--",),
        leaves=_set("function_declaration"),
        transparent=_set("chunk"),
        family="lua",
    ),
    Syntax(
        grammar="bash",
        comments=_HASH,
        leaves=_set("function_definition"),
        transparent=_set("program if_statement elif_clause else_clause case_statement case_item"),
        family="shell",
    ),
    Syntax(
        grammar="css",
        comments=("/*", "*"),
        leaves=_set("rule_set keyframes_statement"),
        containers=_set("media_statement supports_statement"),
        transparent=_set("stylesheet block"),
        family="css",
        is_data=True,
    ),
    Syntax(
        grammar="html",
        comments=("<!--",),
        leaves=_set("script_element style_element"),
        containers=_set("element"),
        transparent=_set("document element"),
        family="html",
        is_data=True,
    ),
    Syntax(grammar="toml", comments=_HASH, leaves=frozenset(), family="toml", by_heads=True, is_data=True),
    Syntax(grammar="yaml", comments=_HASH, leaves=frozenset(), family="yaml", by_heads=True, is_data=True),
    Syntax(
        grammar="markdown",
        comments=("<!--",),
        leaves=frozenset(),
        family="markdown",
        by_heads=True,
        is_data=True,
    ),
    Syntax(grammar="sql", comments=("--",), leaves=frozenset(), family="sql", by_heads=True, is_data=True),
)

PLAIN = Syntax(
    grammar="", comments=("#", "//", ";", "--", "/*", "*"), leaves=frozenset(), family="", by_heads=True
)
"""What is taken for known of a language of which nothing is."""

_GRAMMARS_OF_READERS = MappingProxyType({"Python": "python", "TOML": "toml"})
"""Grammars of languages that are judged by other means."""

_UNJUDGED = MappingProxyType(
    {".sql": "sql", ".md": "markdown", ".markdown": "markdown", ".vue": "html", ".svelte": "html"}
)
"""What is known of languages that are not judged, by the endings of their files."""

_BY_GRAMMAR: Mapping[str, Syntax] = MappingProxyType({syntax.grammar: syntax for syntax in SYNTAXES})


@lru_cache(maxsize=64)
def syntaxes_of(path: str) -> tuple[Syntax, ...]:
    """Return what is known of the languages that a file of this name may be in, the likeliest first."""
    grammars = [_GRAMMARS_OF_READERS.get(each.name, each.grammar) for each in languages_of(path)]
    suffix = PurePosixPath(path.replace("\\", "/")).suffix.lower()
    grammars += [_UNJUDGED[suffix]] if suffix in _UNJUDGED else []
    return tuple(_BY_GRAMMAR[grammar] for grammar in grammars if grammar in _BY_GRAMMAR)


def syntaxes_within(path: str) -> tuple[Syntax, ...]:
    """Return what is known of the languages of scripts and style sheets in a page of this name."""
    if not any(syntax.family == "html" for syntax in syntaxes_of(path)):
        return ()
    return _BY_GRAMMAR["typescript:typescript"], _BY_GRAMMAR["css"]
