"""A preview as a document: the reasons of the edits without a place, then what the others change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Malformed
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.applying.previewed import Mark, Preview
from patchpoint.lsp.features.edits_result import dry_run_result
from patchpoint.outcome import Atomic, Status
from patchpoint.review.planned import Choice, planned_files
from patchpoint.schema import requests, responses
from patchpoint.text.lines import split_at_line_feeds
from patchpoint.text.shown import visible

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


async def plan_preview(session: PatchpointServer, request: EditRequest, work: Work) -> PlannedEdits:
    """Return the plan of a request of which each edit is decided about by itself."""
    return await plan_edits(session, replace(request, atomic=Atomic.EDIT), work)


async def open_preview(
    session: PatchpointServer,
    planned: PlannedEdits,
    params: requests.ApplyEdits,
    choice: Choice,
    *,
    name: str = "",
    is_shown: bool = True,
) -> responses.EditsResult:
    """Open a preview of what `plan_preview` returned; return the result of a dry run, which names it.

    `name` is the id that the preview has. Unless `is_shown`, the client shows it, and no document is opened.
    """
    text, marks = preview_text(planned) if is_shown else ("", ())
    session.previewed.remember(planned)
    name = name or session.previews.new_id()
    result = dry_run_result(session, planned, choice)
    preview = Preview(
        id=name,
        uri=await session.shown.show("preview.diff", text) if is_shown else "",
        text=text,
        marks=marks,
        params=params,
        planned=planned,
        edits=result.edits,
        choice=choice,
    )
    session.previews.put(preview)
    if is_shown:
        session.checkpoints_changed()
    return replace(result, preview=name)


def preview_text(planned: PlannedEdits) -> tuple[str, tuple[Mark, ...]]:
    """Return the text of a preview, and where in it each edit without a place and each hunk is."""
    parts: list[str] = []
    marks: list[Mark] = []
    length = 0
    for text, edit, hunk, include in _shown(planned):
        if edit or hunk or include:
            marks.append(Mark(length, edit, hunk, include))
        parts.append(visible(text))
        length += len(parts[-1])
    return "".join(parts), tuple(marks)


def _shown(planned: PlannedEdits) -> Iterator[tuple[str, str, str, str]]:
    """Yield the parts of a preview, each with the edit, the hunk, and what to insist by that it marks."""
    outcomes = planned.plan.outcomes
    if not outcomes:
        yield "No edits found in the text.\n", "", "", ""
    for one in planned.asked.unplaced:
        include = str(one.line) if one.objection is not None else ""
        if include or not outcomes:
            yield f"# {'left alone: ' if outcomes else ''}{one.message}\n", "", "", include
    for outcome in outcomes:
        for note in outcome.notes:
            yield f"# edit {outcome.index + 1}: {note}\n", "", "", ""
    for outcome in outcomes:
        if outcome.status is not Status.MATCHED:
            why = " ".join(outcome.message.split())
            name = planned.request.id_of(outcome.index)
            include = _include(planned.request.edit_at(outcome.index))
            yield f"# edit {outcome.index + 1}: {outcome.status.value}: {why}\n", name, "", include
    for file in planned_files(planned.plan):
        hunks = [hunk.id for hunk in file.hunks]
        for text, is_changed in _parts(file.whole_diff):
            yield text, "", hunks.pop(0) if is_changed and hunks else "", ""


def _include(edit: Edit | Malformed) -> str:
    """Return the name or line by which to insist on an edit; empty where the answer does not object."""
    objection = edit.objection if isinstance(edit, Edit) else None
    return (objection.name or str(objection.line)) if objection is not None else ""


def _parts(diff: str) -> Iterator[tuple[str, bool]]:
    """Yield a file's diff in parts, and whether each is a block of changed lines.

    Where no lines are changed, as in a file that is only renamed, all of it is one.
    """
    first = diff.find("\n@@ ") + 1
    yield diff[: first or None], not first
    lines = split_at_line_feeds(diff[first:]) if first else []
    for is_changed, block in groupby(lines, lambda line: line[0] in "+-\\"):
        yield "".join(block), is_changed
