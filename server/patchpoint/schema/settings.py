"""The table of settings, from which they are decoded and the documentation and manifests are written."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any

from patchpoint.checkpoints.options import KEEP_DAYS, RetentionPolicy, SnapshotOptions, StoreOptions
from patchpoint.dataclass import dataclass, field, replace
from patchpoint.outcome import Atomic, Rung
from patchpoint.schema.decode import JSON, InvalidArgumentError, decode_value, encode, limits

if TYPE_CHECKING:
    from patchpoint.locate.ladder import Ladder

SECTION = "patchpoint"

_MEBIBYTE = 1024 * 1024


class ApplyTarget(str, Enum):
    """Who changes a file."""

    AUTO = "auto"
    """The editor changes open documents, the server all other files."""
    EDITOR = "editor"
    """The editor changes every file."""
    DISK = "disk"
    """The server changes every file."""


class Confirm(str, Enum):
    """Which edits need a confirmation, where the client can ask for one."""

    SIMILARITY = "similarity"
    """Those with `Outcome.needs_confirmation`."""
    NEVER = "never"
    ALWAYS = "always"


class Trace(str, Enum):
    """How much the server writes to the client's log."""

    OFF = "off"
    MESSAGES = "messages"
    VERBOSE = "verbose"


def _row(name: str, description: str, **bounds: float) -> dict[str, Any]:
    return {"name": name, "description": description} | limits(**bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The values of all settings; names and defaults are the protocol's."""

    min_similarity: float = field(
        default=0.66,
        metadata=_row(
            "match.minSimilarity",
            "The lowest similarity (0 to 1) that counts as a match, when no stricter rung found one.",
            minimum=0,
            maximum=1,
        ),
    )
    min_margin: float = field(
        default=0.10,
        metadata=_row(
            "match.minMargin",
            "How much more similar the best place must be than any other; otherwise the edit is ambiguous.",
            minimum=0,
            maximum=1,
        ),
    )
    rungs: tuple[Rung, ...] = field(
        default=tuple(Rung),
        metadata=_row(
            "match.rungs",
            "The rungs used to find a search text; their order does not matter.",
        ),
    )
    structure: bool = field(
        default=True,
        metadata=_row(
            "match.structure",
            "Merge code that shows only the changed definitions, by their names.",
        ),
    )
    target: ApplyTarget = field(
        default=ApplyTarget.AUTO,
        metadata=_row(
            "apply.target",
            "Who changes files: the editor for open files and the server for all others (auto), or always "
            "the editor or the server (editor, disk).",
        ),
    )
    atomic: Atomic = field(
        default=Atomic.ALL,
        metadata=_row(
            "apply.atomic",
            "What stays unchanged when an edit does not match: all files (all), its file (file), or only "
            "what that edit would change (edit).",
        ),
    )
    confirm: Confirm = field(
        default=Confirm.SIMILARITY,
        metadata=_row(
            "apply.confirm",
            "Which edits need your confirmation, if the client can ask: uncertain ones (similarity), all "
            "(always) or none (never). Edits of files that start programs always need it.",
        ),
    )
    confirm_files: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "apply.confirmFiles",
            "More files whose edits always need confirmation, like those that start programs: ends of paths "
            "(`deploy/*.sh`), or whole folders (`infra/`).",
        ),
    )
    checkpoint_before_apply: bool = field(
        default=True,
        metadata=_row("checkpoints.beforeApply", "Take a checkpoint before edits are applied."),
    )
    keep_days: int = field(
        default=KEEP_DAYS,
        metadata=_row(
            "checkpoints.keepDays",
            "For how many days to keep checkpoints; when a new one is taken, older ones that are not pinned "
            "are deleted.",
            minimum=1,
            maximum=36_500,
        ),
    )
    keep: int = field(
        default=0,
        metadata=_row(
            "checkpoints.keep",
            "How many checkpoints to keep at most for each session, and without a session; 0 keeps all that "
            "are young enough.",
            minimum=0,
        ),
    )
    max_file_size_mib: float = field(
        default=50.0,
        metadata=_row(
            "checkpoints.maxFileSizeMiB",
            "Leave untracked files larger than this (in MiB) out of checkpoints; each checkpoint lists them.",
            minimum=0,
            maximum=1_048_576,
        ),
    )
    exclude: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "checkpoints.exclude",
            "More files to leave out of checkpoints, as patterns in the syntax of .gitignore.",
        ),
    )
    include: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "checkpoints.include",
            "Ignored files to record in checkpoints all the same, such as `.env`, as patterns in the syntax "
            "of .gitignore. Checkpoints that hold any are never pushed.",
        ),
    )
    mirror: bool = field(
        default=True,
        metadata=_row(
            "checkpoints.mirror",
            "Keep a second copy of checkpoints outside of the repository, for when its refs or all of .git "
            "are deleted; where the file system allows it, as hard links, which take no room.",
        ),
    )
    mirror_mib: int = field(
        default=2048,
        metadata=_row(
            "checkpoints.mirrorMiB",
            "How much room (in MiB) the second copy of a repository's checkpoints may take beyond what the "
            "repository itself takes.",
            minimum=1,
            maximum=1_048_576,
        ),
    )
    review_diagnostics: bool = field(
        default=True,
        metadata=_row("review.diagnostics", "Show a diagnostic on each undecided change of a review."),
    )
    code_lens: bool = field(
        default=True,
        metadata=_row("codeLens.enable", "Show code lenses above edit blocks and chat messages."),
    )
    diagnostics: bool = field(
        default=True, metadata=_row("diagnostics.enable", "Show diagnostics for edits that were not applied.")
    )
    trace: Trace = field(
        default=Trace.OFF, metadata=_row("trace", "How much the server writes to the client's log.")
    )

    @property
    def store_options(self) -> StoreOptions:
        """The options with which to open a store of checkpoints."""
        return StoreOptions(
            snapshot=SnapshotOptions(
                max_file_size=int(self.max_file_size_mib * _MEBIBYTE),
                exclude=self.exclude,
                include=self.include,
            ),
            retention=RetentionPolicy(keep=self.keep or None, older_than_days=self.keep_days),
            mirror_bytes=self.mirror_mib * _MEBIBYTE if self.mirror else None,
        )

    def ladder(self, min_similarity: float | None = None, min_margin: float | None = None) -> Ladder:
        """Return the ladder that the user chose; the arguments are what a request sets instead."""
        from patchpoint.locate.ladder import Ladder

        return Ladder(
            rungs=tuple(
                rung for rung in Rung if rung in self.rungs and (self.structure or rung is not Rung.STRUCTURE)
            ),
            min_similarity=self.min_similarity if min_similarity is None else min_similarity,
            min_margin=self.min_margin if min_margin is None else min_margin,
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
        """Return the row as a JSON schema, for the manifest of a plugin."""
        schema = _schema(self.kind)
        schema |= {"default": self.default, "description": self.description}
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        return schema


@cache
def table_of_settings() -> tuple[Setting, ...]:
    """Return the table, a row for each field of `Settings`; it is made when something is set or shown."""
    return tuple(_rows())


def read_settings(given: JSON, base: Settings | None = None) -> tuple[Settings, list[str]]:
    """Return `base` (`None`: the defaults) with what `given` sets, and one sentence for each ignored value.

    Values that are invalid, or of unknown settings, are ignored.
    `given` may be the section or an object that holds it, nested (`{"match": {"minMargin": 0.2}}`) or flat
    (`{"match.minMargin": 0.2}`): clients differ.
    """
    section = _section(given)
    if not section:
        return base or Settings(), []
    rows = {row.name: row for row in table_of_settings()}
    chosen: dict[str, object] = {}
    problems: list[str] = []
    for name, value in _flat(section, "", rows.keys()):
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
                problems.append(f"{error} It is ignored.")
    return replace(base or Settings(), **typing.cast(Any, chosen)), problems


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


def _schema(kind: object) -> dict[str, JSON]:
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(typing.get_args(kind)[0])}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [encode(member) for member in kind]}
    return {"type": _JSON_TYPES[kind]}


_JSON_TYPES: dict[object, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


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
