"""The sentences of `tests/data/sentences`, each in a row behind what becomes of the edit next to it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "sentences"


def sentences(name: str) -> dict[str, list[str]]:
    """Return the sentences of one file by what is before the bar."""
    found = defaultdict(list)
    for row in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        label, _, said = row.partition(" | ")
        found[label].append(said)
    return dict(found)
