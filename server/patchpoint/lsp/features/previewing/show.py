"""A preview as a document: the reasons of the edits without a place, then what the others change.

And the lenses and code actions over what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, cast

from lsprotocol import types

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.applying.previewed import Mark, Preview
from patchpoint.lsp.commands import FINISH_REVIEW, PREVIEW_EDITS, REVIEW_HUNK, AnyCommand
from patchpoint.lsp.features.edits_result import dry_run_result
from patchpoint.lsp.features.offers import QUICK_FIX, REWRITE, Offer, lens_at
from patchpoint.lsp.language_server import PatchpointServer
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.progress import Work
from patchpoint.outcome import Atomic, Status
from patchpoint.review.decision import Decision
from patchpoint.review.planned import planned_files
from patchpoint.schema import responses
from patchpoint.schema.decode import encode
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.shown import visible


async def plan_preview(session: PatchpointServer, request: EditRequest, work: Work) -> PlannedEdits:
    """Return the plan of a request of which each edit is decided about by itself."""
    return await plan_edits(session, replace(request, atomic=Atomic.EDIT), work)


async def open_preview(
    session: PatchpointServer, preview: Preview, *, is_shown: bool = True
) -> responses.EditsResult:
    """Open a preview of what `plan_preview` returned; return the result of a dry run, which names it.

    Unless `is_shown`, the client shows it, and no document is opened.
    """
    session.previewed.remember(preview.planned)
    result = dry_run_result(session, preview.planned, preview.choice)
    preview = replace(preview, edits=result.edits)
    if is_shown:
        text, marks = preview_text(preview.planned)
        uri = await session.shown.show("preview.diff", text)
        preview = replace(preview, uri=uri, text=text, marks=marks)
        session.checkpoints_changed()
    session.previews.put(preview)
    return replace(result, preview=preview.id)


def preview_text(planned: PlannedEdits) -> tuple[str, tuple[tuple[int, Mark], ...]]:
    """Return the text of a preview, and what is marked in it, by offset."""
    text, marks = "", []
    for part, mark in _shown(planned):
        if mark != Mark():
            marks.append((len(text), mark))
        text += visible(part)
    return text, tuple(marks)


def _shown(planned: PlannedEdits) -> Iterator[tuple[str, Mark]]:
    """Yield the parts of a preview, each with what it marks."""
    outcomes = planned.plan.outcomes
    if not outcomes:
        yield "No edits found in the text.\n", Mark()
    for one in planned.asked.unplaced:
        include = str(one.line) if one.objection is not None else ""
        if include or not outcomes:
            yield f"# {'left alone: ' if outcomes else ''}{one.message}\n", Mark(include=include)
    for outcome in outcomes:
        for note in outcome.notes:
            yield f"# edit {outcome.index + 1}: {note}\n", Mark()
    for outcome in outcomes:
        if outcome.status is not Status.MATCHED:
            why = " ".join(outcome.message.split())
            edit = planned.request.edit_at(outcome.index)
            objection = edit.objection if isinstance(edit, Edit) else None
            # The name or line by which a person insists on what the answer itself speaks against.
            include = (objection.name or str(objection.line)) if objection is not None else ""
            mark = Mark(planned.request.id_of(outcome.index), include=include)
            yield f"# edit {outcome.index + 1}: {outcome.status.value}: {why}\n", mark
    for file in planned_files(planned.plan):
        hunks = [hunk.id for hunk in file.hunks]
        for text, is_changed in _parts(file.whole_diff):
            yield text, Mark(hunk=hunks.pop(0)) if is_changed and hunks else Mark()


def _parts(diff: str) -> Iterator[tuple[str, bool]]:
    """Yield a file's diff in parts, and whether each is a block of changed lines.

    Where no lines are changed, as in a file that is only renamed, all of it is one.
    """
    first = diff.find("\n@@ ") + 1
    yield diff[: first or None], not first
    lines = split_at_line_feeds(diff[first:]) if first else []
    for is_changed, block in groupby(lines, lambda line: line[0] in "+-\\"):
        yield "".join(block), is_changed


def preview_lenses(session: PatchpointServer, document: Document, preview: Preview) -> list[types.CodeLens]:
    """Return the lenses of a preview: to apply what is kept at its top, to keep and drop over each hunk."""
    return [
        lens_at(session, document.table, (offset, offset), title, command, arguments)
        for offset, title, command, arguments in _offered(preview, document)
    ]


def preview_offers(document: Document, preview: Preview, span: Span) -> list[Offer]:
    """Return offers about what a preview shows at `span`, and to apply what is kept."""
    at = [offset for offset, _ in preview.marks if offset <= span[1]]
    near = {offset for offset in at if span[0] <= offset} or set(at[-1:])
    found = []
    for offset, title, command, arguments in _offered(preview, document):
        if command is FINISH_REVIEW:
            found.append(Offer(title=title, kind=REWRITE, command=command, arguments=arguments))
        elif offset in near:
            what = "" if " " in title else " this edit" if "edit" in arguments else " this change"
            found.append(Offer(title=f"{title}{what}", kind=QUICK_FIX, command=command, arguments=arguments))
    return found


def _offered(preview: Preview, document: Document) -> Iterator[tuple[int, str, AnyCommand, dict[str, Any]]]:
    """Yield what is offered, with its offset in the document; nothing where that has another text."""
    if document.text.replace("\r\n", "\n") != preview.text.replace("\r\n", "\n"):
        return
    kept = [decided is Decision.KEEP for decided in preview.decisions.values()]
    if kept:
        title = f"Apply what is kept ({sum(kept)} of {len(kept)})"
        yield 0, title, FINISH_REVIEW, {"review": preview.id}
    for offset, mark in preview.marks:
        if mark.include:
            again = replace(preview.params, include=(*preview.params.include, mark.include))
            yield offset, "Preview with this edit", PREVIEW_EDITS, cast("dict[str, Any]", encode(again))
        named = {"edit": mark.edit} if mark.edit else {"hunk": mark.hunk}
        for title, decision, place in _ways(preview, mark):
            arguments = {"review": preview.id, **named, "decision": decision.value, **place}
            yield offset, title, REVIEW_HUNK, arguments


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
