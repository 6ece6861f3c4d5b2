"""Lines that a diff only adds, with no line of the file around them: they go where code like them is."""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import SourceText
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.proposal import doubted

_OF_LINES = (Format.UNIFIED_DIFF, Format.ENVELOPE)
_ASKED = "Add this:"
_NOWHERE = "No line of the file is next to these: they go to its end."
_LIKE = "No line of the file is next to these: they go where code like them is."


def is_without_context(edit: Edit) -> bool:
    """Return whether an edit is a hunk that only adds lines, and does not say where."""
    is_placed = edit.line is not None or edit.at_end or edit.scope or edit.is_inverse
    return edit.operation is Operation.INSERT and edit.format in _OF_LINES and not is_placed


def placed_by_likeness(source: SourceText, edit: Edit, ladder: Ladder, at_end: Outcome) -> Outcome:
    """Return the proposal to put such lines where code like them is, or `at_end`, where they go otherwise.

    In an empty file, and in one of no known syntax, the end is certain: so the tool of the envelope does it.
    """
    from patchpoint.structure.lazy.syntax import syntaxes_of

    is_certain = not source.plain.strip() or not (syntaxes_of(edit.path) or _is_document(edit.path))
    if is_certain or not at_end.matched:
        return at_end
    from patchpoint.patching.shown.code import merge_shown_code

    shown = replace(edit, operation=Operation.MERGE, lead=edit.lead or _ASKED, doubt=edit.doubt or _LIKE)
    likely = merge_shown_code(source, shown, ladder, None)
    if likely.status is Status.PROPOSED or likely.status is Status.ALREADY_APPLIED:
        return likely
    return doubted(edit, likely, _LIKE) if likely.matched else doubted(edit, at_end, _NOWHERE)


def _is_document(path: str) -> bool:
    return path.lower().endswith((".md", ".mdx", ".markdown", ".rst"))
