"""Calls of the command line, and answers to apply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BLOCK = "{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n"


@dataclass(frozen=True)
class Ran:
    """The result of one call of the command line."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


def answer(folder: Path, text: str) -> Path:
    path = folder.parent / "answer.md"
    path.write_text(text, encoding="utf-8")
    return path


def edit(path: str, search: str, replace: str) -> str:
    return BLOCK.format(path=path, search=search, replace=replace)
