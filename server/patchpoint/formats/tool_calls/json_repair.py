"""JSON values in the middle of a text: found, decoded, repaired where a model broke them slightly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_LONGEST_REPAIR = 200_000
"""Characters beyond which a broken value is not repaired: the repair is slow, and real calls are shorter."""

_QUOTE_OR_BRACKET = regex(r"""\\.|["'{}\[\]]""", re.DOTALL)
_NO_WORD = regex(r"""\\[nrt]|[\s"'\\,:{}()\[\]]""")
_END = regex(r"\n(?:```|~~~)|</")
_BLANK_LINE = regex(r"\n[ \t]*\r?\n")


class Object(dict[str, Any]):
    """A JSON object that knows the number of objects of its text that were closed before it."""

    __slots__ = ("order",)
    order: int


@dataclass(frozen=True, slots=True)
class DecodedValue:
    """A JSON value and its place in a text."""

    value: Any
    span: Span
    repaired: bool = False


def decode(text: str, start: int) -> DecodedValue | int:
    """Return the JSON value that begins at `start`, or, when there is none, the number of characters read."""
    order = 0

    def numbered(pairs: list[tuple[str, Any]]) -> Object:
        nonlocal order
        decoded = Object(pairs)
        decoded.order = order
        order += 1
        return decoded

    decoder = json.JSONDecoder(strict=False, object_pairs_hook=numbered)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        reached = len(text) if error.msg.startswith("Unterminated string") else error.pos
        return max(reached - start, 1)
    except (RecursionError, ValueError):
        return len(text) - start
    return DecodedValue(value, (start, end))


def repair(text: str, start: int, end: int) -> DecodedValue | None:
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
    return DecodedValue(value, (start, start + len(broken)), repaired=True)


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
    for at in _brackets(text, (start, end), ("'", '"')):
        depth += 1 if text[at] in "{[" else -1
        if depth == 0:
            rest = text[at + 1 : end].partition("\n")[0]
            return end if rest.strip() else at + 1
    return end


def object_spans(text: str, span: Span) -> list[Span]:
    """Return the spans of the objects in a valid JSON value, in the order in which they are closed."""
    opened: list[int] = []
    spans: list[Span] = []
    for at in _brackets(text, span, ('"',)):
        if text[at] == "{":
            opened.append(at)
        elif text[at] == "}" and opened:
            spans.append((opened.pop(), at + 1))
    return spans


def _brackets(text: str, span: Span, quotes: tuple[str, ...]) -> Iterator[int]:
    """Yield the places of the brackets that are in no quotes."""
    quote = ""
    for token in _QUOTE_OR_BRACKET.finditer(text, *span):
        sign = token[0]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in quotes:
            quote = sign
        elif sign in ("{", "[", "]", "}"):
            yield token.start()
