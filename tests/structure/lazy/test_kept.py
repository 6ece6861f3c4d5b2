"""Lines that shown code leaves out are kept, or asked about: rows of what was once lost, each for one way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from patchpoint import apply_edits

ROWS = Path(__file__).resolve().parents[2] / "data" / "weighing" / "kept.jsonl"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]


def solid(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["name"])
def test_nothing_is_lost_unasked(row: dict[str, Any]) -> None:
    after = apply_edits({row["path"]: row["before"]}, row["answer"]).files[row["path"]] or ""
    assert solid(after) in [solid(row["before"]), *map(solid, row["right"])]
