"""The JSON values that a text consists of, and where in it their strings and objects are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_BEGINNING = regex(r"[\s\ufeff]*(?=[{\[])")
_BETWEEN = regex(r"[\s,\x1e]*")
"""White space, the commas of a list of which a piece was copied, and the separator of JSON text sequences."""
_TOKEN = regex(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]', re.DOTALL)
_MOST_BROKEN = 100
"""More lines that are broken are no session; each takes as long as all of the text before it."""
_LIST = regex(r'"(?:messages|chat_messages|requests|contents|conversations?|history)"\s*:\s*\[')
_LONGEST_HEAD = 20_000
"""In so many characters, what is around a list of messages begins."""
_LONGEST_WORD = len("false")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A decoded value and its place in the text."""

    value: Any
    span: Span


def json_values(text: str) -> list[JsonValue]:
    """Return the values that `text` consists of: one, or one after the other as in JSON lines.

    A line that is broken is passed over, if few are; so is a last value that is cut off. Where there is
    anything but JSON, there are none. Of one value that is cut off, the elements of its list are returned.
    """
    beginning = _BEGINNING.match(text)
    if not beginning:
        return []
    values: list[JsonValue] = []
    reached = beginning.end()
    broken = 0
    while reached < len(text) and text[reached] in "{[" and broken <= _MOST_BROKEN:
        try:
            value, end = _DECODER.raw_decode(text, reached)
            values.append(JsonValue(value, (reached, end)))
        except json.JSONDecodeError:
            broken += 1
            line_end = text.find("\n", reached)
            end = line_end if line_end >= 0 else len(text)
        except (RecursionError, ValueError):
            return []
        reached = _behind_space(text, end)
    if not values:
        return _elements(text, beginning.end())
    return values if reached == len(text) else []


def _elements(text: str, start: int) -> list[JsonValue]:
    """Return the elements of the list at `start`, or in the object there, if the text is cut off in it."""
    of_key = _LIST.search(text, start, start + _LONGEST_HEAD)
    for first in (start + 1 if text[start] == "[" else -1, of_key.end() if of_key else -1):
        values: list[JsonValue] = []
        reached = _behind_space(text, first)
        while first >= 0 and text[reached : reached + 1] == "{":
            try:
                value, end = _DECODER.raw_decode(text, reached)
            except json.JSONDecodeError as error:
                is_cut_off = (
                    error.msg.startswith("Unterminated") or error.pos > len(text.rstrip()) - _LONGEST_WORD
                )
                if values and is_cut_off:
                    return values
                break
            except (RecursionError, ValueError):
                break
            values.append(JsonValue(value, (reached, end)))
            reached = _behind_space(text, end)
        if values and reached == len(text):
            return values
    return []


def _behind_space(text: str, start: int) -> int:
    space = _BETWEEN.match(text, max(start, 0))
    return space.end() if space else start


def places_in(text: str, whole: JsonValue, wanted: Mapping[int, object]) -> dict[int, Span]:
    """Return the spans of strings and objects inside of `whole`, `wanted` by their `id`.

    Where an object has a key twice, nothing is known but where `whole` is.
    """
    spans: list[Span] = []
    opened: list[int] = []
    for token in _TOKEN.finditer(text, *whole.span):
        start, end = token.span()
        sign = text[start]
        if sign == "{":
            opened.append(start)
        else:
            spans.append((opened.pop() if sign == "}" else start, end))
    owners = list(_in_order(whole.value))
    if len(owners) != len(spans):
        return dict.fromkeys(wanted, whole.span)
    return {
        id(one): span
        for one, span in zip(reversed(owners), reversed(spans), strict=True)
        if id(one) in wanted
    }


def _in_order(value: object) -> Iterator[object]:
    """Yield all strings, keys too, and all objects, in the order in which they end in the text."""
    ahead: list[tuple[Iterator[object], object]] = [(iter((value,)), None)]
    while ahead:
        inside, owner = ahead[-1]
        for each in inside:
            if isinstance(each, str):
                yield each
            elif isinstance(each, dict):
                ahead.append((chain.from_iterable(each.items()), each))
                break
            elif isinstance(each, list):
                ahead.append((iter(each), None))
                break
        else:
            ahead.pop()
            if owner is not None:
                yield owner
