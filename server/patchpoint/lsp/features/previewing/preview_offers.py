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

_TITLES = {
    Decision.KEEP: "Keep",
    Decision.OPEN: "Drop",
    Decision.TAKE_BACK: "Discard",
}


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
        if command is PREVIEW_EDITS and offset in near:
            found.append(Offer(title=title, kind=QUICK_FIX, command=command, arguments=arguments))
        elif command is PREVIEW_EDITS:
            continue
        elif command is FINISH_REVIEW:
            found.append(Offer(title=title, kind=REWRITE, command=command, arguments=arguments))
        elif offset in near:
            what = "" if " " in title else " this edit" if "edit" in arguments else " this change"
            found.append(Offer(title=f"{title}{what}", kind=QUICK_FIX, command=command, arguments=arguments))
    return found


def _shown(preview: Preview, document: Document) -> Iterator[tuple[int, str, AnyCommand, dict[str, Any]]]:
    """Yield what is offered, with its offset in the document; nothing where that has another text."""
    if document.text.replace("\r\n", "\n") != preview.text.replace("\r\n", "\n"):
        return
    is_kept = {id_: decided is Decision.KEEP for id_, decided in preview.decisions.items()}
    if is_kept:
        title = f"Apply what is kept ({sum(is_kept.values())} of {len(is_kept)})"
        yield 0, title, FINISH_REVIEW, {"review": preview.id}
    for mark in preview.marks:
        if mark.include:
            again = replace(preview.params, include=(*preview.params.include, mark.include))
            yield mark.offset, "Preview with this edit", PREVIEW_EDITS, cast("dict[str, Any]", encode(again))
        if not (mark.edit or mark.hunk):
            continue
        name = mark.edit or mark.hunk
        for decision in _decisions(preview, mark, is_kept=is_kept.get(mark.hunk, False)):
            key = "edit" if mark.edit else "hunk"
            arguments = {"review": preview.id, key: name, "decision": decision.value}
            yield mark.offset, _TITLES[decision], REVIEW_HUNK, arguments
        for title, more in _places(preview, mark.edit):
            keep = {"review": preview.id, "edit": mark.edit, "decision": Decision.KEEP.value, **more}
            yield mark.offset, title, REVIEW_HUNK, keep


def _places(preview: Preview, edit: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield how an edit without a place may be kept, with the arguments that say so."""
    outcome = preview.outcome(edit) if edit else None
    if outcome is not None and outcome.proposal is not None:
        yield "Keep as proposed", {}
    for number, candidate in enumerate(outcome.candidates if outcome is not None else (), 1):
        yield f"Keep at line {candidate.line}, {candidate.distinction}", {"candidate": number}


def _decisions(preview: Preview, mark: Mark, *, is_kept: bool) -> tuple[Decision, ...]:
    """Return the decisions that would change something; an edit without a place cannot be kept."""
    now = preview.choice.decision(mark.edit or mark.hunk)
    if mark.edit:
        other = Decision.TAKE_BACK if now is not Decision.TAKE_BACK else Decision.OPEN
        return (other,)
    return (Decision.OPEN, Decision.TAKE_BACK) if is_kept else (Decision.KEEP,)
