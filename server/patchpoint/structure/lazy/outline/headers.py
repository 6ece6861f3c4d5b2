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
_PATTERNS: Mapping[str, tuple[tuple[re.Pattern[str], bool], ...]] = MappingProxyType(
    {
        "python": (
            (regex(r"(?:async\s+)?def\s+(?P<name>\w+)"), False),
            (regex(r"class\s+(?P<name>\w+)\s*[(:\[]"), True),
        ),
        "javascript": (
            (regex(_JS_MODIFIERS + r"(?:class|namespace|module)\s+(?P<name>[\w$]+)"), True),
            (regex(_JS_MODIFIERS + r"(?:function\s*\*?|interface|enum|type)\s+(?P<name>[\w$]+)"), False),
            (
                regex(
                    _JS_MODIFIERS + r"(?:const|let|var)\s+(?P<name>[\w$]+)[^=]*=\s*(?:async\s*)?"
                    r"(?:function\b|\(.*|[\w$]+\s*=>).*[{(]\s*\Z"
                ),
                False,
            ),
            (regex(r"(?P<name>[\w$.\[\]'\"]+)\s*=\s*(?:[\w$.]+\s*=\s*)*(?:async\s+)?function\b"), False),
            (regex(r"export\s+(?P<name>default)\s+(?:[\w$.]+\(\s*)?\{\s*\Z"), True),
            (
                regex(
                    r"(?:(?:export\s+)?(?:const|let|var)\s+(?P<variable>[\w$]+)(?:\s*:[^=]*)?|(?P<name>[\w$.]+))"
                    r"\s*=\s*(?:[\w$.]+\(\s*)?\{\s*\Z"
                ),
                True,
            ),
            (
                regex(
                    r"['\"]?(?P<name>[\w$-]+)['\"]?\s*:\s*(?:async\s*)?"
                    r"(?:function\b|\(.*\)\s*(?::.*)?=>|[\w$]+\s*=>).*[{(]\s*\Z"
                ),
                False,
            ),
            (
                regex(r"(?P<call>[\w$.]+)\((?P<name>'[^']*'|\"[^\"]*\"|`[^`]*`),.*(?:function\b|=>)"),
                False,
            ),
            (
                regex(
                    _JS_MODIFIERS + r"(?:get\s+|set\s+|\*\s*)?(?P<name>#?[\w$]+)\s*(?:<[^>]*>)?\([^;]*\{\s*\Z"
                ),
                False,
            ),
        ),
        "go": (
            (regex(r"func\s+\((?:\w+\s+)?\*?(?P<receiver>\w+)(?:\[[^\]]*\])?\)\s*(?P<name>\w+)"), False),
            (regex(r"func\s+(?P<name>\w+)"), False),
            (regex(r"type\s+(?P<name>\w+)"), False),
        ),
        "typed": (
            (regex(r"(?P<name>init|deinit)\s*\{\s*\Z"), False),
            (
                regex(
                    _TYPED_MODIFIERS
                    + r"(?:class|interface|enum|record|struct|trait|object|namespace|protocol|extension|"
                    r"@interface)\s+(?:class\s+)?(?P<name>\w+)"
                ),
                True,
            ),
            (
                regex(
                    _TYPED_MODIFIERS + r"(?:fun|func|def|function)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(?P<name>\w+)"
                ),
                False,
            ),
            (
                regex(
                    _TYPED_MODIFIERS + r"(?:<[^=;]*>\s*)?(?:" + _TYPE + r"){1,3}(?P<name>~?[A-Za-z_][\w:]*)"
                    r"\s*\([^;=]*[^;=]?\Z"
                ),
                False,
            ),
            (
                regex(_TYPED_MODIFIERS + r"(?P<name>~?[A-Za-z_][\w:]*)\s*\([^;=]*\)[^;=()]*\{\s*\Z"),
                False,
            ),
        ),
        "shell": (
            (regex(r"(?:function\s+)?(?P<name>[\w:.-]+)\s*\(\s*\)\s*[{(]?\s*\Z"), False),
            (regex(r"function\s+(?P<name>[\w:.-]+)\s*[{(]?\s*\Z"), False),
        ),
        "ruby": (
            (regex(r"(?:class|module)\s+(?P<name>[\w:]+)"), True),
            (regex(r"def\s+(?P<name>[\w.]+[?!=]?)"), False),
            (regex(r"(?P<call>\w+)\s*\(?\s*(?P<name>'[^']*'|\"[^\"]*\"|:\w+).*\bdo\b"), False),
        ),
        "rust": (
            (
                regex(r"(?:unsafe\s+)?(?P<name>impl(?:<[^{]*?>)?\s+[^{]+?)\s*(?:where\b.*)?\{?\s*\Z"),
                True,
            ),
            (regex(r"(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:trait|mod)\s+(?P<name>\w+)"), True),
            (
                regex(
                    r"(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern\s+\"[^\"]*\")\s+)*"
                    r"(?:fn|struct|enum|union|type|macro_rules!)\s+(?P<name>\w+)"
                ),
                False,
            ),
        ),
        "css": (
            (regex(r"(?P<name>@(?:media|supports)\b[^{};]*)\{\s*\Z"), True),
            (regex(r"(?P<name>@keyframes\b[^{};]*|[^@{};/]+)\{\s*\Z"), False),
        ),
        "html": (
            (regex(r"<(?P<call>[a-z][\w-]*)\b[^<>]*\sid\s*=\s*[\"']?(?P<name>[^\s\"'<>]+)"), True),
            (regex(rf"<(?P<name>{_LANDMARKS})\b(?![\w-])"), True),
        ),
        "toml": ((regex(r"(?P<name>\[{1,2}[^\[\]=]+\]{1,2})\s*(?:#.*)?\Z"), False),),
        "yaml": (
            (regex(r"(?P<name>[\w./@$-]+|\"[^\"]+\"|'[^']+')\s*:(?=\s*(?:#.*)?\Z|\s*[&|>])"), True),
            (regex(r"(?P<name>[\w./@$-]+|\"[^\"]+\"|'[^']+')\s*:(?=\s)"), False),
        ),
        "markdown": ((regex(r"#{1,6}\s+(?P<name>\S.*?)\s*#*\Z"), True),),
        "sql": (
            (
                regex(
                    r"create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|unlogged|materialized)\s+)*"
                    r"(?P<call>table|view|function|procedure|trigger|index|type|sequence|schema)\s+"
                    r"(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`\[\]]+)",
                    re.IGNORECASE,
                ),
                False,
            ),
        ),
        "lua": ((regex(r"(?:local\s+)?function\s+(?P<name>[\w.:]+)"), False),),
    }
)


def header_name(line: str, syntax: Syntax) -> tuple[str, bool]:
    """Return the name that the head of a definition on a line gives it, and whether it has members.

    The name is empty for any other line.
    """
    words = line.strip()
    if not words or len(words) > 400:
        return "", False
    for pattern, is_container in _PATTERNS[syntax.family]:
        found = pattern.match(words)
        if not found:
            continue
        parts = found.groupdict()
        written = parts["name"] or parts.get("variable") or ""
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
            name = "impl " + parts["name"][4:].strip()
        return name, is_container
    return "", False


def element_name(tag: str) -> str:
    """Return the name of an element of HTML by its start tag, or an empty text if it has none."""
    for pattern, _ in _PATTERNS["html"]:
        found = pattern.match(tag)
        if found:
            parts = found.groupdict()
            return f"{parts['call']} {parts['name']}" if parts.get("call") else parts["name"]
    return ""


def shows_definition(lines: Sequence[str], syntax: Syntax) -> bool:
    """Return whether a line of the code is the head of a definition."""
    return any(header_name(line, syntax)[0] and not is_mark(line) for line in lines)
