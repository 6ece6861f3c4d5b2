"""JSON in a text: one value, or those that it consists of, and where their strings and objects are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_BETWEEN = regex(r"[\s,\x1e\ufeff]*")
"""White space, the commas of a list of which a piece was copied, and the separator of JSON text sequences."""
_TOKEN = regex(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}]')
_LIST = regex(r'"(?:messages|chat_messages|requests|contents|conversations?|history)"\s*:\s*\[')
_OPENING = ("{", "[")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A decoded value and its place in the text."""

    value: Any
    span: Span
    is_repaired: bool = False


def decode(text: str, start: int) -> JsonValue | int:
    """Return the JSON value that begins at `start`, or, where there is none, how far the text was read."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return len(text) if error.msg.startswith("Unterminated") else error.pos
    except (RecursionError, ValueError):
        return len(text)
    return JsonValue(value, (start, end))


def json_values(text: str) -> list[JsonValue]:
    """Return the values that `text` consists of: one, or one after the other as in JSON lines.

    A line that is broken is passed over, if few are; so is a last value that is cut off. Where there is
    anything but JSON, there are none. Of one value that is cut off, the elements of its list are returned.
    """
    start = reached = _behind_space(text, 0)
    values: list[JsonValue] = []
    for _ in range(100):  # each broken line takes as long as all of the text before it
        more, reached, broken = _sequence(text, reached)
        values += more
        if not broken:
            break
        line_end = text.find("\n", reached)
        reached = _behind_space(text, line_end if line_end >= 0 else len(text))
    if not values and text.startswith(_OPENING, start):
        return _elements(text, start)
    return values if reached == len(text) else []


def _sequence(text: str, start: int) -> tuple[list[JsonValue], int, int]:
    """Return the values from `start` on, the place behind them, and how far a broken one there was read."""
    values: list[JsonValue] = []
    reached = start
    while text.startswith(_OPENING, reached):
        found = decode(text, reached)
        if isinstance(found, int):
            return values, reached, found
        values.append(found)
        reached = _behind_space(text, found.span[1])
    return values, reached, 0


def _elements(text: str, start: int) -> list[JsonValue]:
    """Return the elements of the list at `start`, or in the object there, if the text is cut off in it."""
    of_key = _LIST.search(text, start, start + 20_000)
    for first in (start + 1 if text[start] == "[" else 0, of_key.end() if of_key else 0):
        values, reached, broken = _sequence(text, _behind_space(text, first)) if first else ([], 0, 0)
        if values and (reached == len(text) or broken > len(text.rstrip()) - len("false")):
            return values
    return []


def _behind_space(text: str, start: int) -> int:
    space = _BETWEEN.match(text, start)
    return space.end() if space else start


def places_in(text: str, whole: JsonValue, wanted: Iterable[object]) -> dict[int, Span]:
    """Return the spans of the strings and objects inside of `whole` that are `wanted`, by their `id`.

    Where an object has a key twice, nothing is known but where `whole` is.
    """
    ids = set(map(id, wanted))
    spans: list[Span] = []
    opened: list[int] = []
    for token in _TOKEN.finditer(text, *whole.span):
        start, end = token.span()
        sign = text[start]
        if sign == "{":
            opened.append(start)
        else:
            spans.append((opened.pop() if sign == "}" else start, end))
    owners: list[object] = []
    ahead = [whole.value]
    while ahead:
        one = ahead.pop()
        owners += [one] if isinstance(one, (str, dict)) else []
        ahead += chain.from_iterable(one.items()) if isinstance(one, dict) else ()
        ahead += one if isinstance(one, list) else ()
    if len(owners) != len(spans):
        return dict.fromkeys(ids, whole.span)
    return {id(one): span for one, span in zip(owners, reversed(spans), strict=True) if id(one) in ids}
