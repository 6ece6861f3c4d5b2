"""Lenses and code actions over what a preview shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from lsprotocol import types

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.previewed import Mark, Preview
from patchpoint.lsp.commands import FINISH_REVIEW, PREVIEW_EDITS, REVIEW_HUNK, AnyCommand
from patchpoint.lsp.features.offers import QUICK_FIX, REWRITE, Offer, lens_at
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.session import Session
from patchpoint.review.decision import Decision
from patchpoint.schema.decode import encode
from patchpoint.text.lines import Span


def preview_lenses(session: Session, document: Document, preview: Preview) -> list[types.CodeLens]:
    """Return the lenses of a preview: to apply what is kept at its top, to keep and drop over each hunk."""
    table = document.table
    return [
        lens_at(session, table, (offset, offset), title, command, arguments)
        for offset, title, command, arguments in _shown(preview, document)
    ]


def preview_offers(document: Document, preview: Preview, span: Span) -> list[Offer]:
    """Return offers about what a preview shows at `span`, and to apply what is kept."""
    at = [mark.offset for mark in preview.marks if mark.offset <= span[1]]
    near = {offset for offset in at if span[0] <= offset} or set(at[-1:])
    found = []
    for offset, title, command, arguments in _shown(preview, document):
        if command is FINISH_REVIEW:
            found.append(Offer(title=title, kind=REWRITE, command=command, arguments=arguments))
        elif offset in near:
            what = "" if " " in title else " this edit" if "edit" in arguments else " this change"
            found.append(Offer(title=f"{title}{what}", kind=QUICK_FIX, command=command, arguments=arguments))
    return found


def _shown(preview: Preview, document: Document) -> Iterator[tuple[int, str, AnyCommand, dict[str, Any]]]:
    """Yield what is offered, with its offset in the document; nothing where that has another text."""
    if document.text.replace("\r\n", "\n") != preview.text.replace("\r\n", "\n"):
        return
    kept = [decided is Decision.KEEP for decided in preview.decisions.values()]
    if kept:
        title = f"Apply what is kept ({sum(kept)} of {len(kept)})"
        yield 0, title, FINISH_REVIEW, {"review": preview.id}
    for mark in preview.marks:
        if mark.include:
            again = replace(preview.params, include=(*preview.params.include, mark.include))
            yield mark.offset, "Preview with this edit", PREVIEW_EDITS, cast("dict[str, Any]", encode(again))
        named = {"edit": mark.edit} if mark.edit else {"hunk": mark.hunk}
        for title, decision, place in _ways(preview, mark):
            arguments = {"review": preview.id, **named, "decision": decision.value, **place}
            yield mark.offset, title, REVIEW_HUNK, arguments


def _ways(preview: Preview, mark: Mark) -> Iterator[tuple[str, Decision, dict[str, int]]]:
    """Yield the decisions that would change something: what each is called, and where the edit goes then."""
    if mark.hunk and preview.decisions[mark.hunk] is Decision.KEEP:
        yield "Drop", Decision.OPEN, {}
        yield "Discard", Decision.TAKE_BACK, {}
    elif mark.hunk:
        yield "Keep", Decision.KEEP, {}
    if not mark.edit:
        return
    if preview.choice.get(mark.edit) is Decision.TAKE_BACK:
        yield "Drop", Decision.OPEN, {}
    else:
        yield "Discard", Decision.TAKE_BACK, {}
    outcome = preview.outcome(mark.edit)
    if outcome.proposal is not None:
        yield "Keep as proposed", Decision.KEEP, {}
    for number, candidate in enumerate(outcome.candidates, 1):
        title = f"Keep at line {candidate.line}, {candidate.distinction}"
        yield title, Decision.KEEP, {"candidate": number}
