"""Names: those that lines use and declare, and those in which two lines differ."""

from __future__ import annotations

import re
from collections.abc import Iterable

from patchpoint.locate.source import SourceText
from patchpoint.text.regex import LONG_NAME, TOKEN, begins_word, regex

_PREFIX = 2
"""The most letters before a text in quotes, such as `rb`."""
_QUOTES = "\"'"
_STRING_OR_COMMENT = regex(
    r'"(?:[^"\\\n]|\\.){0,400}"|\'(?:[^\'\\\n]|\\.){0,400}\'|`[^`\n]*`|//.*|(?:^|\s)#.*|/\*.*|^\s*\*.*|--\s.*'
)
_REMARK = regex(r"\s*(?:#(?!\[)|//|/\*|\*(?=[\s/]|$)|--\s|<!--|[a-zA-Z]{0,2}(?:\"\"\"|'''))")
"""The beginning of a comment, or of a text such as a docstring."""
_REMARK_AT_END = regex(r"\s(?:#|//|--|;)\s")
_COMMENT = regex(
    r"(?:#(?!(?:include|define|undef|if|ifdef|ifndef|el|end|pragma|error|import|line|region)\b)|//|/\*"
    r"|\*(?=[\s/*]|$)|--|;|<!--|%)"
)
_DECLARATION = regex(
    r"(?:^|\s)(?:def|func|fun|fn|function|sub|proc)\s+(?:\([^)]*\)\s*)?(?:\w+[.:]){0,4}(\w+)"
    r"(?=[?!*]?\s*(?:[(\[{<:;,=]|(?:do|args|is|as|returns)\b|$))"
    r"|(?:^|\s)(?:class|struct|enum|interface|trait|impl|type|module|macro_rules!|protocol|extension|object"
    r"|record|namespace|union)\s+(\w+)"
    r"|^\s*(?:['\"]([\w.-]+)['\"]\s*:|([\w.-]+)\s*[:=]\s*[{\[]$)"
    # Protocol Buffers, SQL, Terraform, LaTeX, sections of INI and TOML, variables of a makefile.
    r"|^\s*(?:service|message|rpc|oneof)\s+(\w+)\s*[({]"
    r"|^(?i:\s*create\s+(?:\w+\s+){0,3}(?:table|view|index|function|procedure|trigger|type)"
    r"\s+(?:if\s+not\s+exists\s+)?[`\"]?([\w.]+))"
    r"|^(?:resource|data|variable|output|module|provider)\s+(\"[^\"]+\"(?:\s+\"[^\"]+\")?)\s*\{"
    r"|^\s*\\(?:sub){0,2}section\*?\{([^{}]+)\}"
    r"|^\[\[?([\w .:/\"'*-]+)\]\]?$"
    r"|^([\w.-]+)\s*[:+?]?=\s*\\$"
    r"|^\s*(?:it|test|describe|context|specify)\(\s*(['\"`].*?['\"`])"
    r"|^\s*[A-Z]*TEST(?:_[A-Z]+)*\(\s*\w+,\s*(\w+)\s*\)"
    r"|^\s*(?:[A-Z]*TEST(?:_[A-Z]+)*|SECTION|SCENARIO)\(\s*(\"[^\"]+\")"
    r"|^\s*@?(?:it|test|describe|context|specify|scenario|feature)\s+([\"'][^\"']+[\"'])\s*(?:do|\{)$"
    # What handles an event or a request, and one test of several.
    r"|^\s*[\w.$]+\.(?:on|once|addEventListener|get|post|put|patch|delete|route|command|Run)\("
    r"\s*([\"'`][^\"'`]+[\"'`]),.{0,200}[{(]$"
    r"|^\s*@[\w.]+\.(?:get|post|put|patch|delete|route|command|on|event)\(\s*([\"'][^\"']+[\"'])"
    # A function or method that begins with its type or its name, and one that a name is given to.
    r"|^\s*(?!(?:else\s+)?(?:if|elseif|elif|for|foreach|while|until|unless|switch|catch|with|return|using|lock"
    r"|synchronized|when|match|loop)\b)(?:[\w:<>\[\],.*&?@]{1,80}\s+){0,8}[*&]{0,3}(?!function\b)"
    r"((?:\w+::)?~?\w+)\s*\([^;={}]{0,300}\)[^;={}()]{0,80}\{$"
    r"|^\s*(?!(?:return|throw|await|delete|new|yield|else|case|goto|raise|assert|not|and|or|print|echo|puts)\b)"
    r"(?:[\w:<>\[\],.*&?@]{1,80}\s+){1,8}[*&]{0,3}((?:\w+::)?~?\w+)\s*\([^;={}]{0,300}\)[^;={}()]{0,40};$"
    r"|^\s*(?:(?:export|default|const|let|var|static|public|private|async)\s+){0,4}(\w+)\s*[:=]\s*"
    r"(?:async\s+)?(?:function\b|\([^=]{0,300}\)\s*(?::[^=]{0,80})?=>|\w+\s*=>)"
)


def other_names(quoted: str, found: str) -> list[tuple[str, str]]:
    """Return the names of two lines of code that differ, in pairs; none where they differ in more."""
    said, have = TOKEN.findall(code_of(quoted)), TOKEN.findall(code_of(found))
    slots = [(a, b) for a, b in zip(said, have, strict=False) if a != b]
    is_of_names = all(LONG_NAME.fullmatch(a) and LONG_NAME.fullmatch(b) for a, b in slots)
    return slots if len(said) == len(have) and is_of_names else []


def names(lines: Iterable[str]) -> set[str]:
    """Return the names in code lines, those in strings and comments left out."""
    return {name for line in lines for name in LONG_NAME.findall(code_of(line))}


def has_name(source: SourceText, name: str) -> bool:
    """Return whether a word, which is only letters, digits and underscores, is anywhere in the file.

    The letter before a text in quotes is no name.
    """
    # Much quicker than a pattern, which tries every position of the text.
    text = source.plain
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        following = text[end : end + 1]
        is_prefix = len(name) <= _PREFIX and following in _QUOTES and bool(following)
        if not (at and begins_word(text[at - 1])) and not begins_word(following) and not is_prefix:
            return True
        at = text.find(name, at + 1)
    return False


def binds(line: str, name: str) -> bool:
    """Return whether a line gives a name its meaning: an assignment, a declaration, an import."""
    return _binding(name).search(line) is not None


def declared_name(line: str) -> str | None:
    """Return the name of the function, class, key or test that a line of code declares, or `None`.

    A comment, and a sentence about a function or a class, declares none.
    """
    match = _DECLARATION.search(line)
    return match[match.lastindex or 0] if match and not _REMARK.match(line) else None


def code_of(line: str) -> str:
    """Return a line without its strings and comments."""
    return _STRING_OR_COMMENT.sub(" ", line)


def begins_comment(line: str) -> bool:
    """Return whether a line, without white space at either end, is a comment or a rule in one."""
    return _COMMENT.match(line) is not None


def without_remark(line: str) -> str:
    """Return a line without the remark that may be at its end."""
    return _REMARK_AT_END.split(line, maxsplit=1)[0]


def is_remark(line: str) -> bool:
    """Return whether a line is a comment; a rule such as `-----` belongs to the line above as much."""
    return begins_comment(line) and any(map(str.isalnum, line))


def _binding(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    return re.compile(
        rf"\b(?:import|use|using|def|class|func|fn|function|struct|enum|interface|type|for|as)\b.*\b{word}\b"
        rf"|^\W*(?:[\w<>]+\s+)*{word}\b[^=()]*(?<![=!<>])=(?!=)"
    )
