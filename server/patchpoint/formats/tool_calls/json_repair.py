"""JSON that a model broke slightly: how far it goes, and its value where a repair loses nothing of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from patchpoint.formats.tool_calls.json_text import JsonValue
from patchpoint.text.regex import regex

_LONGEST_REPAIR = 200_000
"""Characters beyond which a broken value is not repaired: the repair is slow, and real calls are shorter."""

_QUOTE_OR_BRACKET = regex(r"""\\.|["'{}\[\]]""", re.DOTALL)
_NO_WORD = regex(r"""\\[nrt]|[\s"'\\,:{}()\[\]]""")
_END = regex(r"\n(?:```|~~~)|</")
_BLANK_LINE = regex(r"\n[ \t]*\r?\n")


def repair(text: str, start: int, end: int) -> JsonValue | None:
    """Return the value of the slightly broken JSON between `start` and `end`, or `None` if it is uncertain.

    Only a value that begins and ends as JSON does is repaired: one that is cut off might lack what matters.
    """
    broken = text[start:end].rstrip()
    if len(broken) > _LONGEST_REPAIR or broken[-1:] not in ("}", "]"):
        return None
    import json_repair  # slow to import, and seldom needed

    try:
        # Without `stream_stable` the white space at the end of every string is dropped.
        value = json_repair.loads(broken, skip_json_loads=True, stream_stable=True)
        if not isinstance(value, (dict, list)) or not _keeps_all(broken, value):
            return None
    except (RecursionError, ValueError, TypeError, IndexError):
        return None
    return JsonValue(value, (start, start + len(broken)), is_repaired=True)


def _keeps_all(broken: str, value: object) -> bool:
    """Return whether a repair lost no word, and all of its strings occur whole and quoted in `broken`."""
    if _words(broken) != _words(json.dumps(value, ensure_ascii=False)):
        return False
    texts = list(_texts_in(value))
    return all(_is_quoted(broken, text) for text in texts)


def _is_quoted(broken: str, text: str) -> bool:
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    return any(f"{quote}{spelling}{quote}" in broken for quote in ('"', "'") for spelling in (escaped, text))


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from _texts_in(element)
    elif isinstance(value, dict):
        yield from _texts_in(list(value.values()))


def _words(text: str) -> str:
    return _NO_WORD.sub("", text).replace("None", "null").replace("True", "true").replace("False", "false")


def extent_of_broken(text: str, start: int) -> int:
    """Return the end of the broken value at `start`: that of its fence or tag, or a blank line."""
    limit = min(start + _LONGEST_REPAIR, len(text))
    end = _END.search(text, start, limit) or _BLANK_LINE.search(text, start, limit)
    return end.start() if end else len(text)


def end_of_brackets(text: str, start: int, end: int) -> int:
    """Return where the brackets that open at `start` are closed, at the end of a line; `end` if nowhere.

    Quotes of both kinds are respected: a model writes calls as Python does, too.
    """
    depth = 0
    quote = ""
    for token in _QUOTE_OR_BRACKET.finditer(text, start, end):
        sign = token[0]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in ("'", '"'):
            quote = sign
        elif sign in ("{", "[", "]", "}"):
            depth += 1 if sign in ("{", "[") else -1
            if depth == 0:
                rest = text[token.end() : end].partition("\n")[0]
                return end if rest.strip() else token.end()
    return end
