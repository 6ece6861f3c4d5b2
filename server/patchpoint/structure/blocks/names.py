"""What a block is called by its first line: a definition, a key, an element, a rule, an item."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.tree import Block, is_remark
from patchpoint.structure.lazy.bindings import member_name
from patchpoint.text.regex import regex


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|readonly|abstract|override|virtual|async|export|default"
    r"|declare|sealed|partial|open|inline|suspend|operator|constexpr|extern|unsafe|data|inner|implicit|lazy|mutating"
    r"|required|fileprivate|const|let|var|val|local|mut|lateinit|(?:pub|private|fileprivate)\(\w+\)|pub|@\w+)\s+)*"
)
_KEYWORDS = (
    r"class|interface|enum(?: class)?|record|struct|trait|object|companion object|namespace|protocol"
    r"|extension|module|defmodule|package|function\s*\*?|func|fun|fn|def|defp|defmacro|sub|proc|method|impl|type|union|mod|macro_rules!"
)
_DEFINES = regex(rf"{_MODIFIERS}(?P<kind>{_KEYWORDS})\s+(?:\([^()]*\)\s*)?(?P<name>[\w$.:#]+[?!]?)")
_CALLED = regex(
    rf"{_MODIFIERS}(?:[\w$.:<>\[\],?&*]+\s+)*?[*&]?(?P<name>[\w$#~]+[?!]?)\s*(?:<[^<>()]*>\s*)?\((?P<rest>.*)"
)
_CONTROL = _set(
    "if for while switch catch match elif with when foreach until unless case return await throw raise yield "
    "not else do try print assert super new"
)
_SQL = regex(
    r"(?i)(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|materialized)\s+)*"
    r"(?P<name>(?:table|view|function|procedure|trigger|index|type|sequence|schema)\s+(?:if\s+(?:not\s+)?exists\s+)?[\w.\"`\[\]]+)"
)
_SETS = regex(
    rf"(?:-\s+)?{_MODIFIERS}(?P<name>[@$]?[\w$./@-]+(?:, [\w$]+)*|\"[^\"\n]+\"|'[^'\n]+'|\[[\w.'\"]+\]"
    r"|--[\w-]+)\s*[?!]?"
    r"(?:\s*:\s*[\w.]+(?:<[^=]{0,80}>)?[\[\]|?\w. ]{0,40})?\s*(?:\+=|:=|\?=|=>|=(?![=>~])|:(?!:)(?=\s|\Z))"
)
_TAG = regex(r"<(?P<tag>[A-Za-z][\w:.-]*)(?P<rest>.*)")
_ATTRIBUTE = regex(
    r"(?:^|[\s:])(?P<key>id|name|key|class|className|href|src|rel|for|type|Include|action|property)\s*=\s*"
    r"(?:\"(?P<one>[^\"]*)\"|'(?P<two>[^']*)'|\{(?P<three>[^{}]*)\})"
)
_NAMING = ("id", "name", "key", "Include", "src", "href")
_LOOSE = ("className", "class", "rel", "for", "type", "action", "property")
_BLOCK = regex(r"(?P<head>[^{}]*[^{}\s])\s*\{\s*(?:[^{}]*\}\s*)?\Z")
_TARGET = regex(r"(?P<name>\.?[\w$()./% -]+?)\s*::?(?!=)")
_ITEM = regex(r"[-*+]\s|\d+[.)]\s")
_VERSION = regex(r"(?<=[\w)])(?:@|==|>=|:)[\w.^~>=-]+\Z")
_MACRO = regex(r"#\s*define\s+(\w+)")
_ARM = regex(r"(?P<name>(?:case )?[\w.:{}|, _()]{1,80}?)\s*(?:->|=>)\s")
"""A case of several, by what it is for."""
_ENTRY = regex(
    r"(?P<name>(?P<loose>(?:await )?[\w$.:]+\(|\{\s*[\"']?[\w-]+[\"']?\s*[:=]\s*)(?:\"[^\"]+\"|'[^']+'))"
)
"""A call or an entry of a list, by the first text in it."""
_ROW = regex(r"(?P<name>\|\s*[^|\s][^|]*(?=\|)|[-*+]\s+(?:`[^`]+`|\*\*[^*]+\*\*)(?=\s*(?:[:–—-]|\Z)))")
"""A row of a table by its first cell, or an item of a list by the name that it begins with."""
_FIRST = regex(r"\A[@\w.$<{#:-]*")
_OF_FIELDS = ("public ", "private ", "protected ", "internal ", "static ", "final ")
"""What a field without a value begins with; a line of settings may have as many words."""
_LONGEST = 400


_LANDMARKS = _set("html head body main header footer nav title template script style")
_FUNCTIONS = _set("function func fun fn def defp defmacro sub proc method function*")


class BlockKind(Enum):
    """What a block is."""

    DEFINITION = "definition"
    ELEMENT = "element"
    ENTRY = "entry"
    KEY = "key"
    BLOCK = "block"
    REMARK = "remark"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Called:
    """What a block is, and the name that likely tells it from the others around it."""

    kind: BlockKind
    name: str
    loose: str = ""
    """What it begins with where no name of its own tells it from others."""
    is_own: bool = False
    """It is an element with a name or a number of its own."""

    @property
    def is_named(self) -> bool:
        """Return whether its name stays where the rest of its line changes."""
        return self.kind not in (BlockKind.TEXT, BlockKind.REMARK) and not (
            self.kind is BlockKind.ELEMENT and self.is_bare
        )

    @property
    def is_bare(self) -> bool:
        """Return whether it is an element of which a page has many, with nothing that tells it from them."""
        return self.name == self.loose and self.name not in _LANDMARKS


def called(lines: Sequence[str], block: Block, *, is_document: bool = False) -> Called:
    """Return what a block is called, in a document or in another text."""
    words = lines[block.first].strip()[:_LONGEST]
    words = f"{words} {{" if block.head_end > block.first + 1 else words
    if is_document:
        named = _ROW.match(words)
        if named is not None:
            return Called(BlockKind.ENTRY, named["name"].strip(), words[:1])
        is_heading = words.startswith(("#", "\\")) and bool(block.parts)
        return Called(
            BlockKind.BLOCK if is_heading else BlockKind.TEXT, words, "" if is_heading else words[:1]
        )
    if words.startswith("<") and not words.startswith(("<!--", "</")):
        return _element(lines, block, words)
    macro = _MACRO.match(words)
    if macro is not None:
        return Called(BlockKind.KEY, macro[1], macro[1])
    if is_remark(words):
        return Called(BlockKind.REMARK, words)
    sql = _SQL.match(words)
    if sql is not None:
        return Called(BlockKind.DEFINITION, " ".join(sql["name"].lower().split()))
    defined = _DEFINES.match(words)
    if defined is not None:
        return Called(BlockKind.DEFINITION, f"{defined['kind'].split()[-1]} {defined['name']}")
    entry = _ENTRY.match(words)
    if entry is not None and (words.startswith("{") or words.endswith((",", "{", " do"))):
        return Called(BlockKind.ENTRY, entry["name"], entry["loose"])
    first = "".join(_FIRST.findall(words)[:1])
    call = _CALLED.match(words)
    if call is not None and _is_method(block, words, call["name"], first):
        return Called(BlockKind.DEFINITION, f"{call['name']}()")
    if first in _CONTROL:
        return Called(BlockKind.TEXT, words, first)
    sets = _SETS.match(words)
    is_item = _ITEM.match(words) is not None
    if sets is not None and not is_item and sets["name"] != "_":
        return Called(BlockKind.KEY, sets["name"].strip("\"'[]"), sets["name"])
    found = _BLOCK.fullmatch(words)
    if found is not None:
        return Called(BlockKind.BLOCK, " ".join(found["head"].split()))
    arm = _ARM.match(words)
    if arm is not None and not is_item:
        return Called(BlockKind.KEY, arm["name"], arm["name"])
    if words.startswith("[") and words.endswith("]"):
        return Called(BlockKind.BLOCK, words)
    if is_item:
        return Called(BlockKind.TEXT, _VERSION.sub("", words), _VERSION.sub("", words))
    field = member_name(words) if words.endswith(";") and words.startswith(_OF_FIELDS) else ""
    if field:
        return Called(BlockKind.KEY, field, field)
    target = _TARGET.match(words)
    if target is not None and block.parts:
        return Called(BlockKind.BLOCK, target["name"])
    return Called(BlockKind.TEXT, words, first)


def is_function(lines: Sequence[str], block: Block) -> bool:
    """Return whether what a block holds is done one after another, so that all of it is shown or marked."""
    words = lines[block.first].strip() if block.first >= 0 else ""
    own = called(lines, block) if words else None
    if own is None or own.kind in (BlockKind.ELEMENT, BlockKind.BLOCK):
        return False
    if own.kind is BlockKind.DEFINITION:
        return own.name.endswith("()") or own.name.split()[0] in _FUNCTIONS
    return own.loose in _CONTROL or "=>" in words or "function" in words or words.endswith((" do", "then"))


def has_another_attribute(one: str, other: str) -> bool:
    """Return whether two elements have an attribute that tells elements apart with another value each."""
    values = [
        {found["key"]: found[0].strip(" :") for found in _ATTRIBUTE.finditer(each)} for each in (one, other)
    ]
    return any(values[1].get(key, value) != value for key, value in values[0].items())


def _is_method(block: Block, words: str, name: str, first: str) -> bool:
    is_plain = name not in _CONTROL and first not in _CONTROL and "=" not in words.split("(")[0]
    return is_plain and bool(block.parts) and words.rstrip().endswith(("{", ":", ") do", "=>", "("))


def _element(lines: Sequence[str], block: Block, words: str) -> Called:
    tag = _TAG.match(words)
    if tag is None:
        return Called(BlockKind.TEXT, words)
    row = block.first
    text = words
    while ">" not in text and row + 1 < block.end and row - block.first < 12:
        row += 1
        text = f"{text} {lines[row].strip()[:_LONGEST]}"
    text = text.split(">")[0]
    found = {
        each["key"]: each["one"] or each["two"] or each["three"] or "" for each in _ATTRIBUTE.finditer(text)
    }
    for keys in (_NAMING, _LOOSE):
        key = next((key for key in keys if found.get(key)), "")
        if key:
            return Called(BlockKind.ELEMENT, f"{tag['tag']} {found[key]}", tag["tag"], keys is _NAMING)
    return Called(BlockKind.ELEMENT, tag["tag"], tag["tag"])
