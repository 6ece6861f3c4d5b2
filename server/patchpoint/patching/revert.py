"""The inverse of applied edits: edits that undo them, to be located in the file as it has become since."""

from __future__ import annotations

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.plan import PlannedChange
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import ended
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splice import Splice

LEAST_CONTEXT = 2
MOST_CONTEXT = 24
"""Lines of context on each side: the fewest, and as many as may be needed to be unique."""


def inverse_edits(change: PlannedChange, mode: int | None = None) -> tuple[Edit, ...]:
    """Return the edits that undo `change`, `mode` being the mode of the file before it."""
    path = change.new_path or change.path
    if change.operation is FileOperation.CREATE:
        # Its whole text is quoted, so that nothing that has been added since is deleted with it.
        return (Edit(path=path, operation=Operation.DELETE, content=change.after),)
    if change.operation is FileOperation.DELETE:
        return (Edit(path=path, operation=Operation.CREATE, content=change.before, mode=mode),)
    edits: tuple[Edit, ...] = ()
    if change.splices:
        outcome = Outcome(status=Status.APPLIED, path=path, splices=change.splices, before=change.before)
        edits = revert_edits(change.before or "", outcome)
    if change.mode is not None and mode is not None and change.mode != mode:
        edits += (Edit(path=path, operation=Operation.CHMOD, mode=mode),)
    if change.operation is FileOperation.RENAME:
        edits += (Edit(path=path, operation=Operation.RENAME, new_path=change.path),)
    return edits


def revert_edits(text_before: str, outcome: Outcome) -> tuple[Edit, ...]:
    """Return the edits from the text after `outcome` to `text_before`, each with enough context to be unique.

    They are meant for one request: each is located in the same text. Empty when the outcome changed nothing.
    Raises `ValueError` when the outcome has no text.
    """
    if outcome.text is None:
        raise ValueError("an outcome without a text has nothing to undo")
    pieces = _pieces(text_before, outcome.text, outcome.splices)
    return tuple(
        Edit(
            path=outcome.path,
            search=outcome.text[after[0] : after[1]],
            replace=text_before[before[0] : before[1]],
            is_inverse=True,
        )
        for before, after in pieces
    )


def _pieces(before: str, after: str, splices: tuple[Splice, ...]) -> list[tuple[Span, Span]]:
    """Return stretches of whole lines around the splices, in the text before and in the text after.

    Splices whose context would overlap share a stretch.
    """
    old, new = LineTable.of(before), LineTable.of(after)
    # A last line without an ending is a place of the lines that end.
    countable = ended(after)
    pieces: list[tuple[Span, Span]] = []
    shift = 0
    for splice in splices:
        start, end = splice.start + shift, splice.start + shift + len(splice.text)
        shift += len(splice.text) - (splice.end - splice.start)
        context = LEAST_CONTEXT
        while True:
            found = _widened(new, (start, end), context)
            quoted = _widened(old, (splice.start, splice.end), context)
            text = after[found[0] : found[1]]
            if context >= MOST_CONTEXT or (text.strip() and countable.find(text) == countable.rfind(text)):
                break
            context += 2
        if pieces and found[0] <= pieces[-1][1][1]:
            last = pieces.pop()
            found, quoted = (last[1][0], found[1]), (last[0][0], quoted[1])
        pieces.append((quoted, found))
    return pieces


def _widened(table: LineTable, span: Span, context: int) -> Span:
    """Return the whole lines of a span and `context` lines more on either side."""
    first = max(0, table.line_of(span[0]) - context)
    last = min(len(table.starts) - 1, table.line_of(span[1]) + context)
    return table.line_span(first)[0], table.line_span(last)[1]
