"""A pending edit in three parts: what the model quoted, what the file has, what the model wants there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from patchpoint.edit import Edit
from patchpoint.lsp.commands import COMPARE_EDIT, handles
from patchpoint.lsp.pending.pending_edits import PendingEvaluation
from patchpoint.schema import requests, responses
from patchpoint.schema.edits import outcome_data
from patchpoint.schema.uris import name_of
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.shown import markdown, visible
from patchpoint.text.unified_diff import unified_diff

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(COMPARE_EDIT)
async def compare_edit(
    session: PatchpointServer, params: requests.CompareEdit, work: Work
) -> responses.ComparedEditResult:
    """Return the parts of a pending edit; where that is wanted, show them in the editor, as one document."""
    work.check()
    evaluation = await session.pending.evaluate(await session.find_edit(params.edit))
    edit = evaluation.pending.edit
    uri = None
    if params.show:
        uri = await session.shown.show("three-sides.md", "\n".join(_sections(evaluation)))
    return responses.ComparedEditResult(
        uri=uri,
        quoted=edit.search,
        wanted=_wanted(edit),
        outcome=outcome_data(
            evaluation.outcome,
            edit_id=evaluation.pending.id,
            uri=evaluation.uri,
            before=evaluation.table,
            after=None,
            unit=session.client.unit,
            changes=evaluation.changes,
        ),
    )


def _wanted(edit: Edit) -> str:
    return edit.content if edit.content is not None else edit.replace


def _sections(evaluation: PendingEvaluation) -> Iterator[str]:
    edit, name = evaluation.pending.edit, name_of(evaluation.uri)
    wanted = _wanted(edit)
    title = markdown(name)
    yield f"# An edit of {title}\n\n{markdown(evaluation.outcome.message)}\n"
    yield f"## What the model quoted\n\n{_fenced(edit.search)}"
    places = list(_places(evaluation))
    if evaluation.table is None or not places:
        yield f"## What {title} has\n\nNo similar place.\n"
    else:
        for which, span in places:
            here = _fenced(_text(evaluation.table, span))
            yield f"## What {title} has, {_lines(evaluation.table, span)}{which}\n\n{here}"
    yield f"## What the model wants there\n\n{_fenced(wanted)}"
    for _, span in places[:1]:
        if evaluation.table is not None:
            difference = unified_diff(_text(evaluation.table, span), wanted, name)
            yield f"## How the two differ\n\n{_fenced(difference, 'diff')}"


def _places(evaluation: PendingEvaluation) -> Iterator[tuple[str, Span]]:
    """Yield the place where the edit goes, or its candidates with a title that distinguishes them."""
    if evaluation.outcome.candidates:
        for number, candidate in enumerate(evaluation.outcome.candidates, 1):
            yield f" (candidate {number}, {candidate.distinction})", candidate.span
    elif evaluation.outcome.span is not None:
        yield "", evaluation.outcome.span


def _lines(table: LineTable, span: Span) -> str:
    first, last = table.line_of(span[0]) + 1, table.line_of(max(span[0], span[1] - 1)) + 1
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _text(table: LineTable, span: Span) -> str:
    return table.text[slice(*span)]


def _fenced(text: str, language: str = "") -> str:
    """Return `text`, visible, as a fenced block of Markdown, with a fence longer than any in it."""
    text = visible(text)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language}\n{text}{end}{fence}\n"
