"""Lines that a diff only adds, with no line of the file around them: they go where code like them is."""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Operation
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import SourceText
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.proposal import doubted

_ASKED = "Add this:"
_NOWHERE = "No line of the file is next to these: they go to its end."
_LIKE = "No line of the file is next to these: they go where code like them is."


def placed_by_likeness(source: SourceText, edit: Edit, ladder: Ladder, at_end: Outcome) -> Outcome:
    """Return the proposal to put lines that a hunk only adds where code like them is, or at the end.

    `at_end` is where they go otherwise, and where they say so. It is certain in an empty file, and in one of
    no known syntax: so the tool of the envelope does it. A hunk that says where is as it is.
    """
    is_placed = edit.line is not None or edit.at_end or edit.scope or edit.is_inverse
    if is_placed:
        return at_end
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
