"""Rows: edits that somebody built to show what a rule is for, each with the text that is right, and why.

They are scored together, with everything else (`make weigh`): a row may flip if the sum improves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.weighing.cases import Case

FILE = Path(__file__).resolve().parents[1] / "data" / "weighing" / "rows.jsonl"


def rows() -> Iterator[Case]:
    """Yield the rows of the file: `why`, `path`, `text`, `search`, `replace`, and `right` or `null`."""
    with FILE.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            yield Case(
                group="rows",
                kind="to be written" if row["right"] is not None else "to be refused",
                name=f"{number} {row['why']}",
                text=row["text"],
                search=row["search"],
                replace=row["replace"],
                path=row.get("path", ""),
                replace_all=row.get("all", False),
                right=(row["right"],) if row["right"] is not None else (),
            )
