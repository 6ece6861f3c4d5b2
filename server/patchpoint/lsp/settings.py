"""The settings: one table, from which reading them, the documentation and the plugins' manifests come."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from types import UnionType
from typing import Any

from patchpoint.lsp.arguments import AtomicScope, Target
from patchpoint.lsp.decode import JSON, InvalidArgumentError, decode_value, encode, limits
from patchpoint.outcome import Rung

SECTION = "patchpoint"


class Confirm(str, Enum):
    """Which edits ask for confirmation where the client can show it."""

    SIMILARITY = "similarity"
    NEVER = "never"
    ALWAYS = "always"


class Trace(str, Enum):
    """How much the server tells the client's log about its work."""

    OFF = "off"
    MESSAGES = "messages"
    VERBOSE = "verbose"


def _row(name: str, description: str, **bounds: float) -> dict[str, Any]:
    return {"name": name, "description": description} | limits(**bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the client's user chose. The names and defaults are the protocol's."""

    min_similarity: float = field(
        default=0.66,
        metadata=_row(
            "match.minSimilarity",
            "The least similarity (0 to 1) at which a place is a find, when nothing stricter found one.",
            minimum=0,
            maximum=1,
        ),
    )
    min_margin: float = field(
        default=0.10,
        metadata=_row(
            "match.minMargin",
            "How much more similar than any other place the best one must be; a nearer rival makes an edit "
            "ambiguous.",
            minimum=0,
            maximum=1,
        ),
    )
    rungs: tuple[Rung, ...] = field(
        default=tuple(Rung),
        metadata=_row("match.rungs", "The ways of looking for a search text that may be used, in any order."),
    )
    target: Target = field(
        default=Target.AUTO,
        metadata=_row(
            "apply.target",
            "Who changes files: the editor where they are open, the server elsewhere (auto); or always one.",
        ),
    )
    atomic: AtomicScope = field(
        default=AtomicScope.ALL,
        metadata=_row(
            "apply.atomic",
            "What stays undone when one edit does not match: everything, the rest of its file, or that edit.",
        ),
    )
    confirm: Confirm = field(
        default=Confirm.SIMILARITY,
        metadata=_row("apply.confirm", "Which edits ask for confirmation where the client can show it."),
    )
    checkpoint_before_apply: bool = field(
        default=True,
        metadata=_row("checkpoints.beforeApply", "Take a checkpoint before edits are applied."),
    )
    keep: int = field(
        default=50,
        metadata=_row(
            "checkpoints.keep",
            "How many checkpoints to keep; older ones are deleted as new ones are taken.",
            minimum=1,
        ),
    )
    max_file_size_mib: float = field(
        default=50.0,
        metadata=_row(
            "checkpoints.maxFileSizeMiB",
            "Untracked files larger than this many MiB are left out of checkpoints, and named there.",
            minimum=0,
        ),
    )
    exclude: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "checkpoints.exclude",
            "Further files to leave out of checkpoints, as patterns of a .gitignore file.",
        ),
    )
    code_lens: bool = field(
        default=True, metadata=_row("codeLens.enable", "Show lenses over edit blocks and chat messages.")
    )
    diagnostics: bool = field(
        default=True, metadata=_row("diagnostics.enable", "Show diagnostics for edits that did not land.")
    )
    trace: Trace = field(
        default=Trace.OFF, metadata=_row("trace", "How much of its work the server tells the client's log.")
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table."""

    name: str
    attribute: str
    kind: Any
    default: JSON
    description: str
    minimum: float | None
    maximum: float | None

    def schema(self) -> dict[str, JSON]:
        """The row as a JSON schema, as plugin manifests want it."""
        schema = _schema(self.kind)
        schema |= {"default": self.default, "description": self.description}
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        return schema


def _schema(kind: object) -> dict[str, JSON]:
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(typing.get_args(kind)[0])}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [encode(member) for member in kind]}
    return {"type": _JSON_TYPES[kind]}


_JSON_TYPES: dict[object, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


def _rows() -> Iterator[Setting]:
    hints = typing.get_type_hints(Settings)
    for row in fields(Settings):
        assert row.default is not MISSING
        assert not isinstance(hints[row.name], UnionType)
        yield Setting(
            name=row.metadata["name"],
            attribute=row.name,
            kind=hints[row.name],
            default=encode(row.default),
            description=row.metadata["description"],
            minimum=row.metadata["minimum"],
            maximum=row.metadata["maximum"],
        )


SETTINGS: tuple[Setting, ...] = tuple(_rows())


def read_settings(given: JSON) -> tuple[Settings, list[str]]:
    """The settings that `given` says, and one sentence for each thing in it that was wrong and is ignored.

    `given` may be the section or an object that holds it, nested (`{"match": {"minMargin": 0.2}}`) or flat
    (`{"match.minMargin": 0.2}`): clients differ.
    """
    rows = {row.name: row for row in SETTINGS}
    chosen: dict[str, object] = {}
    problems: list[str] = []
    for name, value in _flat(_section(given), "", rows.keys()):
        row = rows.get(name)
        if value is None:
            continue
        if row is None:
            problems.append(f"Unknown setting `{SECTION}.{name}`; it is ignored.")
        else:
            bounds = {"minimum": row.minimum, "maximum": row.maximum}
            try:
                chosen[row.attribute] = decode_value(row.kind, value, f"{SECTION}.{name}", bounds)
            except InvalidArgumentError as error:
                problems.append(f"{error} The default is used.")
    return Settings(**typing.cast(Any, chosen)), problems


def _section(given: JSON) -> JSON:
    if isinstance(given, dict) and SECTION in given:
        return given[SECTION]
    return given


def _flat(given: JSON, prefix: str, known: typing.AbstractSet[str]) -> Iterator[tuple[str, JSON]]:
    if not isinstance(given, dict):
        return
    for key, value in given.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and name not in known:
            yield from _flat(value, f"{name}.", known)
        else:
            yield name, value
