"""The JSON Schema of a dataclass, as `patchpoint.schema.decode` reads and writes it.

Only what every revision of the protocol has: no references, `type` an object at the root.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any

from patchpoint.schema.decode import JSON, camel_case, encode

Schema = dict[str, Any]

_PRIMITIVES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def input_schema(kind: type, descriptions: Mapping[type, Mapping[str, str]]) -> Schema:
    """Return the schema of what a caller sends; what has a default may be left out.

    `descriptions` has those of the keys of a dataclass that says nothing of them itself.
    """
    properties = {}
    required = []
    hints = typing.get_type_hints(kind)
    for one in fields(kind):
        name = camel_case(one.name)
        schema = _bounded(_schema_of(_present(hints[one.name]), descriptions), one)
        said = one.metadata.get("description") or descriptions.get(kind, {}).get(name)
        properties[name] = {**schema, "description": said} if said else schema
        if one.default is MISSING and one.default_factory is MISSING:
            required.append(name)
        elif isinstance(one.default, (str, int, float, bool)) and one.default != "":
            default = one.default.value if isinstance(one.default, Enum) else one.default
            properties[name] = {**properties[name], "default": default}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def output_schema(kind: type) -> Schema:
    """Return the schema of a result; what has its default is left out of one."""
    hints = typing.get_type_hints(kind)
    properties = {camel_case(one.name): _result_of(_present(hints[one.name])) for one in fields(kind)}
    required = [camel_case(one.name) for one in fields(kind) if one.default is MISSING]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def result_json(value: object) -> JSON:
    """Return a result as JSON, without the fields that have their defaults."""
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: (getattr(value, one.name), one.default) for one in fields(value)}
        return {camel_case(name): result_json(one) for name, (one, default) in held.items() if one != default}
    return [result_json(one) for one in value] if isinstance(value, tuple) else encode(value)


def _schema_of(hint: object, descriptions: Mapping[type, Mapping[str, str]]) -> Schema:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return {"type": "array", "items": _schema_of(arguments[0], descriptions)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema_of(arguments[1], descriptions)}
    assert isinstance(hint, type)
    return input_schema(hint, descriptions) if is_dataclass(hint) else _simple(hint)


def _result_of(hint: object) -> Schema:
    if typing.get_origin(hint) is tuple:
        return {"type": "array", "items": _result_of(typing.get_args(hint)[0])}
    assert isinstance(hint, type)
    return output_schema(hint) if is_dataclass(hint) else _simple(hint)


def _simple(hint: type) -> Schema:
    if issubclass(hint, Enum):
        return {"type": "string", "enum": [one.value for one in hint]}
    return {"type": _PRIMITIVES[hint]}


def _present(hint: object) -> object:
    """Return what an optional type is when it is not `None`."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = (one for one in typing.get_args(hint) if one is not types.NoneType)
    return hint


def _bounded(schema: Schema, one: Field[Any]) -> Schema:
    bounds = {key: one.metadata[key] for key in ("minimum", "maximum") if one.metadata.get(key) is not None}
    allowed = one.metadata.get("choices")
    return {**schema, **bounds, **({"enum": list(allowed)} if allowed else {})}
