"""Write the cases again: `python -m tests.applying.make [count of each kind] [seed]`.

The file is kept, since another Python may choose otherwise by chance: what is measured is what is in it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher

from patchpoint.structure.parse import TextBefore
from tests.applying.cases import CASES, SOURCES, Case, row_of, source_text
from tests.applying.misquotes import MISQUOTES
from tests.locate.drifted_edits import DriftedEdit
from tests.weighing.cases import changed_lines
from tests.weighing.sources import Source

_TRIES = 400
_AROUND = 12
"""The lines that a quote leaves out are looked for so many lines further than it is long."""


def main() -> None:
    """Write the file of the cases, and print how many there are of each kind."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with CASES.open("w", encoding="utf-8", newline="\n") as file:
        for kind in MISQUOTES:
            made = list(cases_of(kind, count, seed))
            print(f"{kind:24} {len(made):4} from {len({case.source for case in made})} sources")
            for case in made:
                file.write(json.dumps(row_of(case), ensure_ascii=False) + "\n")


def cases_of(kind: str, count: int, seed: int = 0) -> Iterator[Case]:
    """Yield up to `count` cases of a kind, from all sources in turn."""
    chance = random.Random(f"{kind} {seed}")
    listed = json.loads((SOURCES / "sources.json").read_text(encoding="utf-8"))
    chance.shuffle(listed)
    made = 0
    for turn in range(_TRIES):
        row = listed[turn % len(listed)]
        source = Source(row["source"], tuple(source_text(row["source"]).splitlines()))
        edit = next(filter(None, (_made(kind, source, chance) for _ in range(20))), None)
        if edit is not None:
            made += 1
            yield Case(
                name=f"{kind} {made}",
                kind=kind,
                source=row["source"],
                licence=row["licence"],
                text=edit.text,
                search=edit.search,
                replace=edit.replace,
                right=edit.right,
                place=place_of(edit),
            )
        if made == count:
            return


def _made(kind: str, source: Source, chance: random.Random) -> DriftedEdit | None:
    edit = MISQUOTES[kind](source, chance)
    if edit is None or edit.search == edit.replace or (edit.search in edit.text) != kind.startswith("exact"):
        return None
    before = TextBefore(source.path, edit.text)
    return edit if not any(before.problem_of(right) for right in edit.right[:1]) else None


def place_of(edit: DriftedEdit) -> tuple[int, int] | None:
    """Return the range of lines that the search text means: what is changed, and what is quoted around it."""
    if not edit.right:
        return None
    lines = [line.strip() for line in edit.text.splitlines()]
    quoted = [line.strip() for line in edit.search.splitlines()]
    start, end = changed_lines(edit.text, edit.right[0])
    for right in edit.right[1:]:
        first, last = changed_lines(edit.text, right)
        start, end = min(start, first), max(end, last)
    reach = len(quoted) + _AROUND
    low, high = max(0, start - reach), min(len(lines), end + reach)
    same = SequenceMatcher(None, lines[low:high], quoted, autojunk=False).get_matching_blocks()
    pairs = [(low + block.a + n, block.b + n) for block in same for n in range(block.size)]
    pairs = [(line, quote) for line, quote in pairs if lines[line]]
    if not pairs:
        return max(0, start - len(quoted)), min(len(lines), end + len(quoted))
    # What is quoted before the first line that is found, and after the last, means as many lines there.
    first, last = pairs[0][0] - pairs[0][1], pairs[-1][0] + len(quoted) - pairs[-1][1]
    return max(0, min(start, first)), min(len(lines), max(end, last))


if __name__ == "__main__":
    main()
