"""Whole answers wrapped into conversations: does each give what it gives alone? Reads the shared answers.

    python -m tests.benchmarks.conversations [FILE ...]

Each form prints how many answers give the same edits, fewer (they were held back), or others, which is wrong.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from patchpoint.edit import Edit
from patchpoint.formats import ParsedAnswer, read_answer
from tests.formats.exchanges import FORMS, around

ANSWERS = Path(__file__).parents[3] / "shared" / "cases" / "answers-dev.jsonl.xz"


def asked_by(answer: ParsedAnswer) -> list[Edit]:
    """Return the edits that an answer asks for, wherever in the text; what it speaks against is none."""
    edits = [item for item in answer.items if isinstance(item, Edit) and item.objection is None]
    edits += [
        replace(one.edit, path="?") for one in answer.unplaced if one.edit is not None and one.is_change
    ]
    return [replace(edit, span=(0, 0), longer_paths=(), may_be_cut_off=False) for edit in edits]


def compared(answers: Sequence[tuple[str, str]], *, rows: bool) -> Iterator[tuple[str, Counter[str]]]:
    """Yield each form, and how many of the `answers`, by name, give the same edits in it, fewer or others."""
    for form, written in FORMS.items():
        table: Counter[str] = Counter()
        for name, text in answers:
            alone = asked_by(read_answer(text))
            if not alone:
                continue
            edit = next((one for one in alone if one.path != "?"), alone[0])
            code = edit.search or edit.replace or edit.content or "x = 1"
            for which, older in (("older", code), ("newer", edit.replace or code)):
                path = edit.path if edit.path != "?" else "src/app.py"
                found = asked_by(read_answer(written(around(text, path, older))))
                if found == alone:
                    verdict = "same"
                elif all(one in alone for one in found):
                    verdict = "fewer"
                else:
                    verdict = "others"
                table[verdict] += 1
                if rows and verdict != "same":
                    print(f"  {verdict:7}{form}: {name} ({which})")
        yield form, table


def main(arguments: list[str]) -> None:
    """Print the table of the forms."""
    rows = "--rows" in arguments
    files = [Path(one) for one in arguments if one != "--rows"] or [ANSWERS]
    answers = []
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            answers += [(case["id"], case["answer"]) for case in map(json.loads, lines)]
    for form, table in compared(answers, rows=rows):
        print(f"{form:24}" + "".join(f"{word} {table[word]:4}   " for word in ("same", "fewer", "others")))


if __name__ == "__main__":
    main(sys.argv[1:])
