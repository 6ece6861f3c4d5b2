"""JSON to frozen dataclasses, strictly, and back.

An unknown key is refused by name, so that a misspelt option is never silently ignored; a value of the wrong
type is refused with the path of its key. Keys are camelCase on the wire, snake_case here.
See docs/decisions/decode.md.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]

T = TypeVar("T")

_PLAIN = frozenset({type(None), bool, int, float, str})


class InvalidArgumentError(ValueError):
    """An invalid argument of a request, or an invalid setting; the message names the key and the fault."""


def limits(minimum: float | None = None, maximum: float | None = None) -> dict[str, Any]:
    """Return metadata for a dataclass field whose number has bounds, both of them inclusive."""
    return {"minimum": minimum, "maximum": maximum}


def choices(values: Sequence[str]) -> dict[str, Any]:
    """Return metadata for a dataclass field whose string must be one of `values`."""
    return {"choices": tuple(values)}


def decode(kind: type[T], value: JSON, where: str = "") -> T:
    """Return `value` as an instance of the dataclass `kind`; `where` is the path of its key, for messages.

    Raises `InvalidArgumentError` for an unknown or missing key, or a value of the wrong type.
    """
    return cast(T, _decode(kind, value, where))


def encode(value: object) -> JSON:
    """Return a dataclass, enum, sequence or mapping as JSON; a field that is `None` is written as null."""
    kind = type(value)
    if kind in _PLAIN:
        return cast(JSON, value)
    if isinstance(value, Enum):
        return cast(JSON, value.value)
    if is_dataclass(kind):
        return {written: encode(getattr(value, name)) for written, name in _names(kind)}
    if isinstance(value, dict):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(item) for item in value]
    return value if isinstance(value, (int, float, str)) else str(value)


@cache
def _names(kind: type) -> list[tuple[str, str]]:
    """Return the names of a dataclass's fields: on the wire, and here."""
    return [(camel_case(field.name), field.name) for field in fields(kind)]


def camel_case(name: str) -> str:
    """Return a field's name as the wire spells it: `minSimilarity` for `min_similarity`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def field_types(kind: type) -> dict[str, tuple[Field[Any], Any]]:
    """Return the fields of a dataclass with their types, by their names on the wire."""
    hints = typing.get_type_hints(kind)
    return {camel_case(field.name): (field, hints[field.name]) for field in fields(kind)}


def decode_value(kind: object, value: JSON, where: str, metadata: Mapping[str, Any] | None = None) -> object:
    """Return `value` as `kind`, any type that a field here may have, within what `metadata` allows.

    Raises `InvalidArgumentError`.
    """
    metadata = metadata or {}
    allowed = metadata.get("choices")
    if allowed is not None and value not in allowed:
        raise _not_one_of(allowed, value, where)
    decoded = _decode(kind, value, where)
    if isinstance(decoded, (int, float)) and not isinstance(decoded, bool):
        _check_limits(decoded, where, metadata)
    return decoded


def _decode(kind: object, value: JSON, where: str) -> object:
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _decode_optional(kind, value, where)
    if origin is Mapping:
        if not isinstance(value, dict):
            raise _mistyped(where, "an object", value)
        item_kind = typing.get_args(kind)[1]
        return {key: _decode(item_kind, item, _below(where, key)) for key, item in value.items()}
    if origin is tuple:
        if not isinstance(value, list):
            raise _mistyped(where, "a list", value)
        kinds = typing.get_args(kind)
        each = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        if len(each) != len(value):
            raise _mistyped(where, f"a list of {len(each)}", value)
        return tuple(_decode(each[at], item, f"{where}[{at}]") for at, item in enumerate(value))
    if isinstance(kind, type):
        if is_dataclass(kind):
            return _decode_dataclass(kind, value, where)
        if issubclass(kind, Enum):
            return _decode_enum(kind, value, where)
        if kind is bool and isinstance(value, bool):
            return value
        if kind is int and isinstance(value, int) and not isinstance(value, bool):
            return value
        if kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
            return _finite(value, where)
        if kind is str and isinstance(value, str):
            return value
    raise _mistyped(where, _KINDS.get(kind, str(kind)), value)


def _finite(value: float, where: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidArgumentError(f"`{where}` must be a finite number.")
    return number


def _decode_optional(kind: object, value: JSON, where: str) -> object:
    if value is None:
        return None
    (wanted,) = (option for option in typing.get_args(kind) if option is not types.NoneType)
    return _decode(wanted, value, where)


def _decode_enum(kind: type[Enum], value: JSON, where: str) -> Enum:
    for member in kind:
        if member.value == value:
            return member
    raise _not_one_of([member.value for member in kind], value, where)


def _decode_dataclass(kind: type, value: JSON, where: str) -> object:
    if not isinstance(value, dict):
        raise _mistyped(where, "an object", value)
    known = field_types(kind)
    decoded: dict[str, object] = {}
    for key, item in value.items():
        if key not in known:
            raise InvalidArgumentError(_unknown(key, where, list(known)))
        field, hint = known[key]
        if item is None and (field.default is not MISSING or field.default_factory is not MISSING):
            continue
        decoded[field.name] = decode_value(hint, item, _below(where, key), field.metadata)
    for key, (field, _) in known.items():
        if field.name not in decoded and field.default is MISSING and field.default_factory is MISSING:
            raise InvalidArgumentError(f"`{_below(where, key)}` is missing; it is required.")
    try:
        return kind(**decoded)
    except InvalidArgumentError:
        raise
    except ValueError as error:
        sentence = str(error)
        raise InvalidArgumentError(f"`{where}`: {sentence}" if where else _capitalised(sentence)) from None


_KINDS: dict[object, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _not_one_of(allowed: Iterable[str], value: JSON, where: str) -> InvalidArgumentError:
    listed = ", ".join(f'"{one}"' for one in allowed)
    return _mistyped(where, f"one of {listed}", value)


def _mistyped(where: str, wanted: str, value: JSON) -> InvalidArgumentError:
    subject = f"`{where}`" if where else "The argument"
    return InvalidArgumentError(f"{subject} must be {wanted}, not {_shown(value)}.")


def _shown(value: JSON) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f'"{value if len(value) <= 40 else value[:39] + "…"}"'
    return str(value)


def _unknown(key: str, where: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, known, 1)
    hint = f" Did you mean `{close[0]}`?" if close else f" Known here: {', '.join(known) or 'none'}."
    return f"Unknown key `{_below(where, key)}`.{hint}"


def _below(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _check_limits(number: float, where: str, metadata: Mapping[str, Any]) -> None:
    minimum, maximum = metadata.get("minimum"), metadata.get("maximum")
    if not ((minimum is None or number >= minimum) and (maximum is None or number <= maximum)):
        wanted = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
        raise InvalidArgumentError(f"`{where}` must be {wanted}, not {number}.")
