"""New lines shown among lines that a document has one right below another: nothing gives way to them."""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.blocks.draft import depths
from patchpoint.structure.blocks.tree import is_document, opens
from patchpoint.structure.lazy.definition import indentation_of, moved

_LEAST = 4
"""A line of fewer signs is in many places."""


def in_context(code: Code) -> Likely | None:
    """Return a document with the new ones of some lines between, above or below those of it that are shown.

    `None` where that is not one place, where a line of the file is shown out of its place, and where what is
    shown below the head of something may be all that is in it.
    """
    if (
        not is_document(code.path)
        or code.has_marks
        or not code.new
        or depths(code.new) not in ([0, 0, 0], depths(code.file))
    ):
        return None
    shown = [row for row, line in enumerate(code.new) if line.strip()]
    own = [row for row, line in enumerate(code.file) if line.strip()]
    runs = {run[0]: run for run in _runs(code, shown, own)}
    if len(runs) != 1:
        return None
    (run,) = runs.values()
    known = [row for row, at in zip(shown, run, strict=True) if at >= 0]
    there = [at for at in run if at >= 0]
    last = code.new[known[-1]]
    is_head = opens(last) or last.startswith("#")
    if len(known) == len(shown) or (known[-1] != shown[-1] and is_head):
        return None
    new = moved(code.new, indentation_of(code.new[known[0]]), indentation_of(code.file[there[0]]))
    for row, at in zip(known, there, strict=True):
        new[row] = code.file[at]
    lines = [*code.file[: there[0]], *new, *code.file[there[-1] + 1 :]]
    is_sound = depths(lines) == depths(code.file)
    return (
        Likely.of(lines, "All of the file stays, and what is new is where it is shown.") if is_sound else None
    )


def _runs(code: Code, shown: list[int], own: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield, for each place where the lines that both have begin, the row of the file of each shown line.

    It is -1 for a new line. The lines of the file follow each other, and no other shown line is in it.
    """
    words = [code.new[row].strip() for row in shown]
    there = [code.file[row].strip() for row in own]
    known = set(there)
    first = next((word for word in words if word in known and len(word) >= _LEAST), None)
    for start in range(len(there)) if first is not None else ():
        if there[start] != first:
            continue
        at, run = start, list[int]()
        for word in words:
            is_next = at < len(there) and there[at] == word
            run.append(own[at] if is_next else -1)
            at += is_next
        is_new = all(
            row >= 0 or len(word) < _LEAST or word not in known for row, word in zip(run, words, strict=True)
        )
        if is_new:
            yield tuple(run)
