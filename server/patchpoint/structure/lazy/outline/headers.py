"""The heads of definitions in one line, by patterns: what they name, and whether it has members."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.regex import regex

_NOT_NAMES = {
    "if", "for", "while", "switch", "catch", "return", "else", "do", "try", "new", "throw", "await", "super",
    "function", "elif", "with", "match", "when",
}  # fmt: skip
_JS_MODIFIERS = (
    r"(?:(?:export|default|declare|abstract|async|static|public|private|protected|readonly|override)\s+)*"
)
_TYPED_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|virtual|override|async|"
    r"synchronized|native|default|open|inline|suspend|operator|const|constexpr|explicit|friend|extern|unsafe|"
    r"readonly|data|inner|case|implicit|lazy|mutating|convenience|required|fileprivate|strictfp)\s+)*"
)
_LANDMARKS = "html|head|body|main|header|footer|nav|title|template|script|style"
"""Elements that a page mostly has once."""
_TYPE = r"[\w:.]+(?:<[^=;(]*>)?[\s*&\[\]?]+"
_ARGUMENTS = regex(r"(?:@[\w.]+|\[\w+)\([^()]*\)\]?")
"""An annotation or an attribute with its arguments."""
_PATTERNS: Mapping[str, tuple[re.Pattern[str], ...]] = MappingProxyType(
    {
        "python": (regex(r"(?:async\s+)?def\s+(?P<name>\w+)"), regex(r"class\s+(?P<holder>\w+)\s*[(:\[]")),
        "javascript": (
            regex(_JS_MODIFIERS + r"(?:class|namespace|module)\s+(?P<holder>[\w$]+)"),
            regex(_JS_MODIFIERS + r"(?:function\s*\*?|interface|enum|type)\s+(?P<name>[\w$]+)"),
            regex(
                _JS_MODIFIERS + r"(?:const|let|var)\s+(?P<name>[\w$]+)[^=]*=\s*(?:async\s*)?"
                r"(?:function\b|\(.*|[\w$]+\s*=>).*[{(]\s*\Z"
            ),
            regex(r"(?P<name>[\w$.\[\]'\"]+)\s*=\s*(?:[\w$.]+\s*=\s*)*(?:async\s+)?function\b"),
            regex(r"export\s+(?P<holder>default)\s+(?:[\w$.]+\(\s*)?\{\s*\Z"),
            regex(
                r"(?:(?:export\s+)?(?:const|let|var)\s+(?P<other>[\w$]+)(?:\s*:[^=]*)?|(?P<holder>[\w$.]+))"
                r"\s*=\s*(?:[\w$.]+\(\s*)?\{\s*\Z"
            ),
            regex(
                r"['\"]?(?P<name>[\w$-]+)['\"]?\s*:\s*(?:async\s*)?"
                r"(?:function\b|\(.*\)\s*(?::.*)?=>|[\w$]+\s*=>).*[{(]\s*\Z"
            ),
            regex(r"(?P<call>[\w$.]+)\((?P<name>'[^']*'|\"[^\"]*\"|`[^`]*`),.*(?:function\b|=>)"),
            regex(_JS_MODIFIERS + r"(?:get\s+|set\s+|\*\s*)?(?P<name>#?[\w$]+)\s*(?:<[^>]*>)?\([^;]*\{\s*\Z"),
        ),
        "go": (
            regex(r"func\s+\((?:\w+\s+)?\*?(?P<receiver>\w+)(?:\[[^\]]*\])?\)\s*(?P<name>\w+)"),
            regex(r"func\s+(?P<name>\w+)"),
            regex(r"type\s+(?P<name>\w+)"),
        ),
        "typed": (
            regex(r"(?P<name>init|deinit)\s*\{\s*\Z"),
            regex(
                _TYPED_MODIFIERS
                + r"(?:class|interface|enum|record|struct|trait|object|namespace|protocol|extension|"
                r"@interface)\s+(?:class\s+)?(?P<holder>\w+)"
            ),
            regex(_TYPED_MODIFIERS + r"(?:fun|func|def|function)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(?P<name>\w+)"),
            regex(
                _TYPED_MODIFIERS + r"(?:<[^=;]*>\s*)?(?:" + _TYPE + r"){1,3}(?P<name>~?[A-Za-z_][\w:]*)"
                r"\s*(?:\([^;=]*[^;=]?\Z|\([^;]*\)[^;=()]*\{\s*\Z)"
            ),
            regex(_TYPED_MODIFIERS + r"(?P<name>~?[A-Za-z_][\w:]*)\s*\([^;=]*\)[^;=()]*\{\s*\Z"),
        ),
        "shell": (
            regex(r"(?:function\s+)?(?P<name>[\w:.-]+)\s*\(\s*\)\s*[{(]?\s*\Z"),
            regex(r"function\s+(?P<name>[\w:.-]+)\s*[{(]?\s*\Z"),
        ),
        "ruby": (
            regex(r"(?:class|module)\s+(?P<holder>[\w:]+)"),
            regex(r"def\s+(?P<name>[\w.]+[?!=]?)"),
            regex(r"(?P<call>\w+)\s*\(?\s*(?P<name>'[^']*'|\"[^\"]*\"|:\w+).*\bdo\b"),
        ),
        "rust": (
            regex(r"(?:unsafe\s+)?(?P<holder>impl(?:<[^{]*?>)?\s+[^{]+?)\s*(?:where\b.*)?\{?\s*\Z"),
            regex(r"(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:trait|mod)\s+(?P<holder>\w+)"),
            regex(
                r"(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern\s+\"[^\"]*\")\s+)*"
                r"(?:fn|struct|enum|union|type|macro_rules!)\s+(?P<name>\w+)"
            ),
        ),
        "css": (
            regex(r"(?P<holder>@(?:media|supports)\b[^{};]*)\{\s*\Z"),
            regex(r"(?P<name>@keyframes\b[^{};]*|[^@{};/]+)\{\s*\Z"),
        ),
        "html": (
            regex(r"<(?P<call>[a-z][\w-]*)\b[^<>]*\sid\s*=\s*[\"']?(?P<holder>[^\s\"'<>]+)"),
            regex(rf"<(?P<holder>{_LANDMARKS})\b(?![\w-])"),
        ),
        "toml": (regex(r"(?P<name>\[{1,2}[^\[\]=]+\]{1,2})\s*(?:#.*)?\Z"),),
        "yaml": (
            regex(r"(?P<holder>:?[\w./@$-]+|\"[^\"]+\"|'[^']+')\s*:(?=\s*(?:#.*)?\Z|\s*[&|>])"),
            regex(r"(?P<name>:?[\w./@$-]+|\"[^\"]+\"|'[^']+')\s*:(?=\s)"),
        ),
        "markdown": (regex(r"#{1,6}\s+(?P<holder>\S.*?)\s*#*\Z"),),
        "sql": (
            regex(
                r"create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|unlogged|materialized)\s+)*"
                r"(?P<call>table|view|function|procedure|trigger|index|type|sequence|schema)\s+"
                r"(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`\[\]]+)",
                re.IGNORECASE,
            ),
        ),
        "lua": (regex(r"(?:local\s+)?function\s+(?P<name>[\w.:]+)"),),
    }
)
"""Patterns of heads; what has members is a `holder`, and anything else a `name`."""


def header_name(line: str, syntax: Syntax) -> tuple[str, bool]:
    """Return the name that the head of a definition on a line gives it, and whether it has members.

    The name is empty for any other line.
    """
    words = line.strip()
    if not words or len(words) > 400:
        return "", False
    if syntax.family == "typed" and "(@" in words.replace(" ", "").replace("[", "@"):
        words = _ARGUMENTS.sub("", words)
    for pattern in _PATTERNS.get(syntax.family, ()):
        found = pattern.match(words)
        if not found:
            continue
        parts = found.groupdict()
        written = parts.get("name") or parts.get("holder") or parts.get("other") or ""
        if written in _NOT_NAMES:
            continue
        if words.split(None, 1)[0] in ("return", "throw", "new", "else", "await", "yield", "raise"):
            return "", False
        name = "".join(written.split())
        if parts.get("call"):
            name = f"{parts['call']} {name}"
            name = name.lower() if syntax.family == "sql" else name
        elif syntax.family == "go":
            name = f"{parts['receiver']}.{name}" if parts.get("receiver") else name
        elif name.startswith("impl"):
            name = "impl " + written[4:].strip()
        return name, "holder" in parts
    return "", False


def element_name(tag: str) -> str:
    """Return the name of an element of HTML by its start tag, or an empty text if it has none."""
    found = next(filter(None, (pattern.match(tag) for pattern in _PATTERNS["html"])), None)
    return " ".join(found.groups()) if found else ""


def shows_definition(lines: Sequence[str], syntax: Syntax) -> bool:
    """Return whether a line of the code is the head of a definition."""
    return any(header_name(line, syntax)[0] and not is_mark(line) for line in lines)
