"""Composed answers: put together from parts, some of them with what is right to become of their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data" / "composed"

Changes = Mapping[str, str | None]
"""What becomes of files, by path: the text of each that changes, `None` where it is deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedAnswer:
    """An answer about some files."""

    group: str
    """The set that it is counted in."""
    name: str
    files: Mapping[str, str]
    text: str
    right: tuple[Changes, ...] | None = None
    """The changes any of which is right: none where nothing may be written, `None` where that is unknown."""


def table(name: str) -> Any:
    """Return a table of `tests/data/composed`."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


class Shown(str):
    """A text that a template may show in another form: `{text:json}` as a string of JSON, `{text:-}` with a
    minus before each line, and so with any other sign.
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        """Return the text in a form."""
        if form == "json":
            return json.dumps(str(self), ensure_ascii=False)
        return "".join(f"{form}{line}" for line in self.splitlines(keepends=True))


def filled(template: str, fields: Mapping[str, str]) -> str:
    """Return a template with its fields, each of which it may show in another form."""
    return template.format_map({name: Shown(text) for name, text in fields.items()})
